"""Pictures of the robots' cameras: each is drawn once and shared by all who request it."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Mapping

from msgspec import Struct

from farhand.server.gateway.frame_history import FrameHistory
from farhand.server.gateway.picture_worker import PictureError, Renderer
from farhand.server.pictures.picture_messages import PictureRequest, PictureScene
from farhand.server.protocol.internal_messages import Frame
from farhand.server.protocol.messages import CameraInfo, Scene
from farhand.types import DegradeCamera

__all__ = ["MAX_RATE", "MAX_WIDTH", "NoCameraError", "PictureSource", "Pictures", "Shown"]

MAX_RATE = 30.0  # pictures a second of one camera
MIN_WIDTH, MAX_WIDTH, WIDTH_STEP = 64, 1280, 16  # pixels
MAX_VIEWS = 96  # cameras and sizes at a time
UNUSED_S = 10.0  # without a request, after which a view is forgotten
NO_FRAME = "The cell has sent no frame yet."


class NoCameraError(Exception):
    """There is no such cell, robot or camera; the message lists the cameras."""


class PictureSource(Struct, frozen=True):
    """The scene and the last frames of a cell, from which its pictures are drawn."""

    scene: Scene | None
    history: FrameHistory


class Shown(Struct, frozen=True):
    """A picture: JPEG, and the number and time of the tick that it shows."""

    jpeg: bytes
    tick: int
    time: float


class _View:
    """One camera at one size: its last picture, and the one being drawn."""

    def __init__(self) -> None:
        self.shown: Shown | None = None
        self.mark: object = None
        self.worse: DegradeCamera | None = None
        self.drawn = -1e9
        self.asked = -1e9
        self.drawing: asyncio.Task[None] | None = None


class _Camera(Struct, frozen=True):
    """A camera: its index among all of the cell, the index of its robot, and its index on that robot."""

    info: CameraInfo
    number: int
    robot: int
    place: int


class Pictures:
    """Draws requested pictures, and shares them.

    Args:
        source: Returns scene and frames of a cell; None if there is no such cell.
        mesh: Returns a mesh of a cell by its hash.
        renderer: The picture process.
        clock: Monotonic clock, s.
    """

    def __init__(
        self,
        source: Callable[[str], PictureSource | None],
        mesh: Callable[[str, str], Awaitable[bytes | None]],
        renderer: Renderer,
        clock: Callable[[], float],
    ) -> None:
        self._source, self._mesh, self._renderer, self._clock = source, mesh, renderer, clock
        self._views: dict[tuple[str, str, str, int], _View] = {}
        self._sent_scenes: dict[str, tuple[int, int, int]] = {}
        self._setting = asyncio.Lock()

    async def picture(self, cell: str, robot: str, camera: str, width: int | None = None) -> Shown:
        """Return the present picture of a camera.

        Raises:
            NoCameraError: If there is no such camera.
            PictureError: If its picture cannot be drawn.
        """
        found = self._found(cell, robot, camera)
        width = _allowed(width or found.info.width)
        view = self._view((cell, robot, camera, width))
        rested = self._clock() - view.drawn >= 1.0 / MAX_RATE
        if view.drawing is None and (rested or self._otherwise(view, cell, robot, camera)):
            view.drawing = asyncio.create_task(self._renew(view, cell, robot, found, width))
            view.drawing.add_done_callback(_retrieve_exception)
        if view.drawing is not None:
            await asyncio.shield(view.drawing)
        if view.shown is None:
            raise PictureError(NO_FRAME)
        return view.shown

    def _otherwise(self, view: _View, cell: str, robot: str, camera: str) -> bool:
        """Return whether a camera's degradation has changed since its last picture: the operator must see that."""
        source = self._source(cell)
        shown = source.history.shown(robot, camera) if source else None
        return shown is not None and view.worse is not None and view.worse != shown[1]

    def _found(self, cell: str, robot: str, camera: str) -> _Camera:
        source = self._source(cell)
        if source is None:
            raise NoCameraError(f"There is no cell {cell!r}.")
        if source.scene is None:
            raise PictureError(NO_FRAME)
        number, known = 0, []
        for r, info in enumerate(source.scene.robots):
            for place, candidate in enumerate(info.cameras):
                if (info.name, candidate.name) == (robot, camera):
                    return _Camera(candidate, number, r, place)
                known.append(f"{info.name}/{candidate.name}")
                number += 1
        raise NoCameraError(f"There is no camera {robot}/{camera}; there are: {', '.join(known) or 'none'}.")

    def _view(self, key: tuple[str, str, str, int]) -> _View:
        now = self._clock()
        if key not in self._views:
            self._views = {k: v for k, v in self._views.items() if v.drawing or now - v.asked < UNUSED_S}
            if len(self._views) >= MAX_VIEWS:
                raise PictureError(f"Too many pictures: at most {MAX_VIEWS} cameras and sizes at a time.")
            self._views[key] = _View()
        self._views[key].asked = now
        return self._views[key]

    async def _renew(self, view: _View, cell: str, robot: str, found: _Camera, width: int) -> None:
        """Draw the picture of a camera, if it has changed."""
        try:
            source = self._source(cell)
            shown = source.history.shown(robot, found.info.name) if source else None
            if source is None or source.scene is None or shown is None:
                raise PictureError(NO_FRAME)
            frame, worse = shown
            mark = (frame.run, frame.tick, worse)
            if mark == view.mark and view.shown is not None:
                return
            if frame.scene != source.scene.number:
                if worse.frozen and view.shown is None:
                    source.history.refreeze(robot, found.info.name)
                if view.shown is not None:
                    return  # the world is being edited, or the frozen frame is of an earlier world
                raise PictureError(NO_FRAME)
            await self._send_scene(cell, frame.run, source.scene)
            jpeg = await self._renderer.draw(_picture_request(cell, frame, worse, found, width))
            view.shown, view.mark, view.worse = Shown(jpeg, frame.tick, frame.time), mark, worse
            view.drawn = self._clock()
        finally:
            view.drawing = None

    async def _send_scene(self, cell: str, run: int, scene: Scene) -> None:
        """Send the scene to the picture process, once for each scene and each start of that process."""
        async with self._setting:
            await self._renderer.start()
            if self._sent_scenes.get(cell) == (self._renderer.life, run, scene.number):
                return
            wanted = dict.fromkeys(g.mesh for g in scene.geoms if g.mesh and g.seen and not g.virtual)
            meshes = {name: content for name in wanted if (content := await self._mesh(cell, name)) is not None}
            self._renderer.set(picture_scene_of(cell, scene, meshes))
            self._sent_scenes[cell] = (self._renderer.life, run, scene.number)


def picture_scene_of(cell: str, scene: Scene, meshes: Mapping[str, bytes]) -> PictureScene:
    """Return the visible scene of a cell."""
    return PictureScene(
        cell=cell,
        scene=scene.number,
        bodies=len(scene.bodies),
        geoms=scene.geoms,
        cameras=tuple(camera for robot in scene.robots for camera in robot.cameras),
        meshes=dict(meshes),
    )


def _retrieve_exception(drawing: asyncio.Task[None]) -> None:
    """Retrieve a drawing's exception: asyncio would log it if nobody waits for the picture any more."""
    if not drawing.cancelled():
        drawing.exception()


def _picture_request(cell: str, frame: Frame, worse: DegradeCamera, found: _Camera, width: int) -> PictureRequest:
    info, now = found.info, frame.robots[found.robot].cameras[found.place]
    return PictureRequest(
        id=0,
        cell=cell,
        poses=frame.bodies,
        camera=found.number,
        width=width,
        height=max(2, round(width * info.height / info.width)),
        zoom=max(1.0, now.zoom),
        resolution=worse.resolution,
        noise=worse.noise,
        seed=zlib.crc32(info.name.encode()) ^ frame.tick,
    )


def _allowed(width: int) -> int:
    """Round a width up to a step, so that similar sizes share a picture."""
    return min(max(MIN_WIDTH, -(-width // WIDTH_STEP) * WIDTH_STEP), MAX_WIDTH)
