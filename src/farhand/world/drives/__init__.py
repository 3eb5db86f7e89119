"""Drives: from set-points to the commands of the actuators; one file for each kind.

All drives add the same feed-forward, the modelled torques of the wanted motion: bias(q, q̇) (gravity and Coriolis) +
M(q)·q̈ + springs, dampers and dry friction. The feedback only has to correct what the model lacks: loads and contacts.

- *position* (default): a spring and damper that MuJoCo integrates implicitly, so it can be stiff at 2 ms.
- *pid*: the explicit torque loop of the published systems.
- *velocity*: the controller of the hydraulic arm among them, a position loop around a velocity loop.

Two quantities saturate in all of them. Torque: no actuator exceeds its joint's effort. Velocity: no feedback asks for
more than the joint's top velocity, however far its set-point is ahead.
"""

from farhand.world.drives.drive import HEADROOM, Drive, DriveArrays, inertia_matrix
from farhand.world.drives.holding import check_holding, weights
from farhand.world.drives.kinds import DriveGains, drive_of, gains_for, set_actuator_gains
from farhand.world.drives.pid_drive import check_pid
from farhand.world.drives.position_drive import position_gains
from farhand.world.drives.velocity_drive import check_velocity

__all__ = [
    "HEADROOM",
    "Drive",
    "DriveArrays",
    "DriveGains",
    "check_holding",
    "check_pid",
    "check_velocity",
    "drive_of",
    "gains_for",
    "inertia_matrix",
    "position_gains",
    "set_actuator_gains",
    "weights",
]
