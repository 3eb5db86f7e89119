"""A cell's scene as a MuJoCo model for drawing only: bodies take the poses of a frame, and nothing is simulated.

So the picture process needs the same messages as a page, and nothing else of the cell.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
import mujoco
import numpy as np

from farhand.server.pictures.picture_messages import PictureScene
from farhand.server.protocol.messages import POSE_ROW, Place
from farhand.world.visual_scene import SHAPES, GeomLook, MeshLook

__all__ = ["build_model", "pose_bodies"]

NEAR_M, FAR_M = 0.01, 100.0  # clipping planes of all cameras
KINDS = {name: kind for kind, name in SHAPES.items()}
FLOOR = "floor"
ROW = np.dtype([("position", "<f4", 3), ("rotation", "<i2", 4)])
_mesh: msgspec.msgpack.Decoder[MeshLook] = msgspec.msgpack.Decoder(MeshLook)


def build_model(scene: PictureScene) -> Any:
    """Return the model: moving bodies as mocap bodies, cameras in their places, light from above."""
    spec = mujoco.MjSpec()
    spec.modelname = "stage"
    spec.compiler.degree = False
    _set_look(spec)
    for name, content in scene.meshes.items():
        look = _mesh.decode(content)
        mesh = spec.add_mesh(
            name=name,
            uservert=np.frombuffer(look.vertices, dtype="<f4"),
            userface=np.frombuffer(look.faces, dtype="<u4").astype(np.int32),
        )
        mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL  # accepts open meshes too
    bodies = [spec.worldbody.add_body(name=f"body {i}", mocap=True) for i in range(scene.bodies)]
    for geom in scene.geoms:
        if geom.seen and not geom.virtual and (geom.shape != "mesh" or geom.mesh in scene.meshes):
            _add_geom(bodies[geom.body] if geom.body >= 0 else spec.worldbody, geom)
    for i, camera in enumerate(scene.cameras):
        _add_camera(spec, bodies, camera.place, f"camera {i}", camera.fov)
    return spec.compile()


def pose_bodies(model: Any, data: Any, poses: bytes) -> None:
    """Set the poses of all bodies from a frame.

    Raises:
        ValueError: If the frame has another number of bodies.
    """
    rows = np.frombuffer(poses, dtype=ROW)
    if len(poses) != POSE_ROW * model.nmocap:
        raise ValueError(
            f"expected the poses of {model.nmocap} bodies, {POSE_ROW} bytes each, found {len(poses)} bytes"
        )
    data.mocap_pos[:] = rows["position"]
    data.mocap_quat[:] = rows["rotation"] / 32767.0
    mujoco.mj_kinematics(model, data)
    mujoco.mj_camlight(model, data)


def _set_look(spec: Any) -> None:
    visual = spec.visual
    visual.quality.offsamples = 0  # antialiasing would cost two thirds of the frame rate on a processor
    visual.quality.shadowsize = 0
    visual.headlight.ambient[:] = [0.36, 0.36, 0.37]
    visual.headlight.diffuse[:] = [0.34, 0.34, 0.34]
    visual.headlight.specular[:] = [0.05, 0.05, 0.05]
    visual.map.znear, visual.map.zfar = NEAR_M, FAR_M
    visual.rgba.haze[:] = [0.52, 0.57, 0.62, 1.0]
    spec.stat.extent, spec.stat.center = 1.0, [0.0, 0.0, 0.0]
    spec.worldbody.add_light(
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=[0, 0, 10], dir=[0.35, 0.25, -1.0], diffuse=[0.45, 0.45, 0.44], specular=[0.1, 0.1, 0.1], castshadow=False,
    )  # fmt: skip
    spec.add_texture(
        name="sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX, builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.62, 0.68, 0.74], rgb2=[0.28, 0.31, 0.35], width=64, height=384,
    )  # fmt: skip
    # On a floor of one colour you could not see the robot move.
    spec.add_texture(
        name=FLOOR, type=mujoco.mjtTexture.mjTEXTURE_2D, builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=[0.30, 0.32, 0.33], rgb2=[0.37, 0.39, 0.40], width=128, height=128,
    )  # fmt: skip
    material = spec.add_material(name=FLOOR, texrepeat=[1, 1], texuniform=True, reflectance=0.0)
    material.textures[int(mujoco.mjtTextureRole.mjTEXROLE_RGB)] = FLOOR


def _add_geom(body: Any, look: GeomLook) -> None:
    size = (*look.size, 0.0, 0.0, 0.0)[:3]
    geom = body.add_geom(
        type=mujoco.mjtGeom(KINDS[look.shape]), pos=look.pose.position, quat=look.pose.rotation,
        rgba=look.colour, contype=0, conaffinity=0, group=0,
    )  # fmt: skip
    if look.shape == "mesh":
        geom.meshname = look.mesh
    elif look.shape == "plane":
        geom.size, geom.material, geom.rgba = [size[0], size[1], 0.05], FLOOR, [1, 1, 1, 1]
    else:
        geom.size = size


def _add_camera(spec: Any, bodies: list[Any], place: Place, name: str, fov: float) -> None:
    body = bodies[place.body] if place.body >= 0 else spec.worldbody
    body.add_camera(name=name, pos=place.pose.position, quat=place.pose.rotation, fovy=math.degrees(fov))
