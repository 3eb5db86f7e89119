"""Draw the picture of a camera with MuJoCo's renderer."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
import simplejpeg

from farhand.server.pictures.degradation import Pixels, coarse_size, enlarged, grainy
from farhand.server.pictures.picture_messages import PictureStage, Shot
from farhand.server.pictures.picture_scene import model_of, pose_bodies

__all__ = ["Painter"]

QUALITY = 80  # of JPEG, of 100
EXTRA_GEOMS = 64  # beside the model's own, for those that MuJoCo adds
UNDRAWN = (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION, mujoco.mjtRndFlag.mjRND_HAZE)


class Painter:
    """Draws one scene. An OpenGL context must be current.

    Args:
        stage: The scene.
    """

    def __init__(self, stage: PictureStage) -> None:
        self.stage = stage
        self._model = model_of(stage)
        self._data = mujoco.MjData(self._model)
        self._fovs = [camera.fov for camera in stage.cameras]
        self._scene = mujoco.MjvScene(self._model, self._model.ngeom + EXTRA_GEOMS)
        for flag in UNDRAWN:
            self._scene.flags[flag] = 0
        self._option, self._camera = mujoco.MjvOption(), mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        self._context = mujoco.MjrContext(self._model, mujoco.mjtFontScale.mjFONTSCALE_100.value)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, self._context)
        self._size = (0, 0)
        self._poses = b""

    def draw(self, shot: Shot) -> Pixels:
        """Return a picture, degraded as requested: (height, width, 3), rows from the top down."""
        if shot.poses != self._poses:
            pose_bodies(self._model, self._data, shot.poses)
            self._poses = shot.poses
        camera = self.stage.cameras[shot.camera]
        own, asked = (camera.width, camera.height), (shot.width, shot.height)
        half = math.tan(0.5 * self._fovs[shot.camera]) / shot.zoom
        self._model.cam_fovy[shot.camera] = math.degrees(2.0 * math.atan(half))
        self._camera.fixedcamid = shot.camera
        everything = mujoco.mjtCatBit.mjCAT_ALL.value
        mujoco.mjv_updateScene(self._model, self._data, self._option, None, self._camera, everything, self._scene)
        coarse = self._render(*coarse_size(own, asked, shot.resolution))
        return enlarged(grainy(coarse, shot.noise, shot.seed), *asked)  # grain as coarse as the pixels

    def jpeg(self, shot: Shot) -> bytes:
        """Return a picture as JPEG."""
        pixels = np.ascontiguousarray(self.draw(shot))
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
