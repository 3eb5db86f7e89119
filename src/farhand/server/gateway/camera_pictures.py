"""Pictures of the robots' cameras for everybody who looks: each is drawn once, however many look."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Mapping

from msgspec import Struct

from farhand.server.gateway.frame_history import FrameHistory
from farhand.server.gateway.picture_worker import Drawing, PictureError
from farhand.server.pictures.picture_messages import PictureStage, Shot
from farhand.server.protocol.internal_messages import Frame
from farhand.server.protocol.messages import CameraInfo, Scene
from farhand.types import DegradeCamera

__all__ = ["MOST_RATE", "MOST_WIDTH", "NoCameraError", "PictureSource", "Pictures", "Shown"]

MOST_RATE = 30.0  # pictures a second of one camera
LEAST_WIDTH, MOST_WIDTH, STEP = 64, 1280, 16  # pixels
MOST_VIEWS = 96  # cameras and sizes that are kept at a time
UNSEEN = 10.0  # seconds after which a view that nobody asked for is forgotten
NOTHING = "The cell has shown nothing yet."


class NoCameraError(Exception):
    """There is no such cell, robot or camera; a sentence says what there is."""


class PictureSource(Struct, frozen=True):
    """What the pictures of one cell are drawn from: its scene, and its last seconds."""

    scene: Scene | None
    reel: FrameHistory


class Shown(Struct, frozen=True):
    """A picture: JPEG, number and time of the tick that it shows."""

    jpeg: bytes
    tick: int
    time: float


class _View:
    """One camera at one size: what it showed last, and what is being drawn."""

    def __init__(self) -> None:
        self.shown: Shown | None = None
        self.mark: object = None
        self.worse: DegradeCamera | None = None
        self.drawn = -1e9
        self.asked = -1e9
        self.drawing: asyncio.Task[None] | None = None


class _Camera(Struct, frozen=True):
    """A camera found: its place among all of the stage, its robot's place, and its own among the robot's."""

    info: CameraInfo
    number: int
    robot: int
    place: int


class Pictures:
    """Draws what is asked for, and shares it.

    Args:
        source: Returns what a cell's pictures are drawn from; None for one that there is not.
        mesh: Returns a mesh of a cell by its hash.
        studio: Draws.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        source: Callable[[str], PictureSource | None],
        mesh: Callable[[str, str], Awaitable[bytes | None]],
        studio: Drawing,
        clock: Callable[[], float],
    ) -> None:
        self._source, self._mesh, self._studio, self._clock = source, mesh, studio, clock
        self._views: dict[tuple[str, str, str, int], _View] = {}
        self._stages: dict[str, tuple[int, int, int]] = {}
        self._setting = asyncio.Lock()

    async def picture(self, cell: str, robot: str, camera: str, width: int | None = None) -> Shown:
        """Return what a camera shows now.

        Raises:
            NoCameraError: If there is none.
            PictureError: If there is no picture.
        """
        found = self._found(cell, robot, camera)
        width = _allowed(width or found.info.width)
        view = self._view((cell, robot, camera, width))
        rested = self._clock() - view.drawn >= 1.0 / MOST_RATE
        if view.drawing is None and (rested or self._otherwise(view, cell, robot, camera)):
            view.drawing = asyncio.create_task(self._renew(view, cell, robot, found, width))
            view.drawing.add_done_callback(_noticed)
        if view.drawing is not None:
            await asyncio.shield(view.drawing)
        if view.shown is None:
            raise PictureError(NOTHING)
        return view.shown

    def _otherwise(self, view: _View, cell: str, robot: str, camera: str) -> bool:
        """Tell whether a camera is degraded otherwise than when it was drawn: who froze it wants to see it frozen."""
        source = self._source(cell)
        shown = source.reel.shown(robot, camera) if source else None
        return shown is not None and view.worse is not None and view.worse != shown[1]

    def _found(self, cell: str, robot: str, camera: str) -> _Camera:
        source = self._source(cell)
        if source is None:
            raise NoCameraError(f"There is no cell {cell!r}.")
        if source.scene is None:
            raise PictureError(NOTHING)
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
            self._views = {k: v for k, v in self._views.items() if v.drawing or now - v.asked < UNSEEN}
            if len(self._views) >= MOST_VIEWS:
                raise PictureError(
                    f"Too many pictures are asked for: at most {MOST_VIEWS} cameras and sizes at a time."
                )
            self._views[key] = _View()
        self._views[key].asked = now
        return self._views[key]

    async def _renew(self, view: _View, cell: str, robot: str, found: _Camera, width: int) -> None:
        """Draw what a camera shows, if that is not what it showed."""
        try:
            source = self._source(cell)
            shown = source.reel.shown(robot, found.info.name) if source else None
            if source is None or source.scene is None or shown is None:
                raise PictureError(NOTHING)
            frame, worse = shown
            mark = (frame.run, frame.tick, worse)
            if mark == view.mark and view.shown is not None:
                return
            if frame.scene != source.scene.number:
                if worse.frozen and view.shown is None:
                    source.reel.thaw(robot, found.info.name)
                if view.shown is not None:
                    return  # the world is being edited, or what is frozen was of another one
                raise PictureError(NOTHING)
            await self._set_stage(cell, frame.run, source.scene)
            jpeg = await self._studio.draw(_shot(cell, frame, worse, found, width))
            view.shown, view.mark, view.worse = Shown(jpeg, frame.tick, frame.time), mark, worse
            view.drawn = self._clock()
        finally:
            view.drawing = None

    async def _set_stage(self, cell: str, run: int, scene: Scene) -> None:
        """Let the studio know what there is to see, once for each scene and each of its lives."""
        async with self._setting:
            await self._studio.start()
            if self._stages.get(cell) == (self._studio.life, run, scene.number):
                return
            wanted = dict.fromkeys(g.mesh for g in scene.geoms if g.mesh and g.seen and not g.virtual)
            meshes = {name: content for name in wanted if (content := await self._mesh(cell, name)) is not None}
            self._studio.set(stage_of(cell, scene, meshes))
            self._stages[cell] = (self._studio.life, run, scene.number)


def stage_of(cell: str, scene: Scene, meshes: Mapping[str, bytes]) -> PictureStage:
    """Return what there is to see of a cell."""
    return PictureStage(
        cell=cell,
        scene=scene.number,
        bodies=len(scene.bodies),
        geoms=scene.geoms,
        cameras=tuple(camera for robot in scene.robots for camera in robot.cameras),
        meshes=dict(meshes),
    )


def _noticed(drawing: asyncio.Task[None]) -> None:
    """Look at how a drawing ended, so that nothing complains if all who waited for it have gone."""
    if not drawing.cancelled():
        drawing.exception()


def _shot(cell: str, frame: Frame, worse: DegradeCamera, found: _Camera, width: int) -> Shot:
    info, now = found.info, frame.robots[found.robot].cameras[found.place]
    return Shot(
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
    """Return the next width that is drawn: steps keep small differences from being drawn twice."""
    return min(max(LEAST_WIDTH, -(-width // STEP) * STEP), MOST_WIDTH)
