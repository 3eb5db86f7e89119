"""The physics world on MuJoCo: built from a blueprint, stepped, edited, and restored from snapshots."""

from farhand.world.attach import AttachSpec
from farhand.world.blueprint import Blueprint, DriveSpec, Edit, LoopGains, Placement, WristSpec, edited
from farhand.world.cell_worker import CellWorker
from farhand.world.compiled import Compiled, compile_world, fresh_data
from farhand.world.object_kinds import jointed, loose, moving, sprung
from farhand.world.rig import Posture, Rig
from farhand.world.saved_physics import SavedPhysics
from farhand.world.world import Snapshot, World

__all__ = [
    "AttachSpec",
    "Blueprint",
    "CellWorker",
    "Compiled",
    "DriveSpec",
    "Edit",
    "LoopGains",
    "Placement",
    "Posture",
    "Rig",
    "SavedPhysics",
    "Snapshot",
    "World",
    "WristSpec",
    "compile_world",
    "edited",
    "fresh_data",
    "jointed",
    "loose",
    "moving",
    "sprung",
]
