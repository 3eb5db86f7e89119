"""Draw the picture of a camera with MuJoCo's renderer."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
import simplejpeg

from farhand.server.pictures.degradation import Pixels, add_grain, coarse_size, enlarge
from farhand.server.pictures.drawing_model import build_model, pose_bodies
from farhand.server.pictures.picture_messages import PictureRequest, PictureScene

__all__ = ["CameraRenderer"]

QUALITY = 80  # of JPEG, of 100
EXTRA_GEOMS = 64  # beside the model's own, for those that MuJoCo adds
UNDRAWN = (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION, mujoco.mjtRndFlag.mjRND_HAZE)


class CameraRenderer:
    """Draws one scene. An OpenGL context must be current.

    Args:
        scene: The scene.
    """

    def __init__(self, scene: PictureScene) -> None:
        self.scene = scene
        self._model = build_model(scene)
        self._data = mujoco.MjData(self._model)
        self._fovs = [camera.fov for camera in scene.cameras]
        self._scene = mujoco.MjvScene(self._model, self._model.ngeom + EXTRA_GEOMS)
        for flag in UNDRAWN:
            self._scene.flags[flag] = 0
        self._option, self._camera = mujoco.MjvOption(), mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        self._context = mujoco.MjrContext(self._model, mujoco.mjtFontScale.mjFONTSCALE_100.value)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, self._context)
        self._size = (0, 0)
        self._poses = b""

    def draw(self, request: PictureRequest) -> Pixels:
        """Return a picture, degraded as requested: (height, width, 3), rows from the top down."""
        if request.poses != self._poses:
            pose_bodies(self._model, self._data, request.poses)
            self._poses = request.poses
        camera = self.scene.cameras[request.camera]
        own, asked = (camera.width, camera.height), (request.width, request.height)
        half = math.tan(0.5 * self._fovs[request.camera]) / request.zoom
        self._model.cam_fovy[request.camera] = math.degrees(2.0 * math.atan(half))
        self._camera.fixedcamid = request.camera
        everything = mujoco.mjtCatBit.mjCAT_ALL.value
        mujoco.mjv_updateScene(self._model, self._data, self._option, None, self._camera, everything, self._scene)
        coarse = self._render(*coarse_size(own, asked, request.resolution))
        return enlarge(add_grain(coarse, request.noise, request.seed), *asked)  # grain as coarse as the pixels

    def jpeg(self, request: PictureRequest) -> bytes:
        """Return a picture as JPEG."""
        pixels = np.ascontiguousarray(self.draw(request))
        return bytes(simplejpeg.encode_jpeg(pixels, quality=QUALITY, colorspace="RGB"))

    def close(self) -> None:
        """Free the resources of the graphics driver."""
        self._context.free()

    def _render(self, width: int, height: int) -> Pixels:
        self._make_room(width, height)
        area: Any = mujoco.MjrRect(0, 0, width, height)
        pixels = np.empty((height, width, 3), dtype=np.uint8)
        mujoco.mjr_render(area, self._scene, self._context)
        mujoco.mjr_readPixels(pixels, None, area, self._context)
        return pixels[::-1]

    def _make_room(self, width: int, height: int) -> None:
        if width > self._size[0] or height > self._size[1]:
            self._size = max(width, self._size[0]), max(height, self._size[1])
            mujoco.mjr_resizeOffscreen(*self._size, self._context)
