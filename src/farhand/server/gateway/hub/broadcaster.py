"""Send viewers the scene of a cell, then updates with the changes since each viewer's last one."""

from __future__ import annotations

import msgspec

from farhand.server.gateway.exam import robots_for_trainee
from farhand.server.gateway.hub.cell_view import CellView
from farhand.server.gateway.hub.note_texts import WordedWhy
from farhand.server.gateway.pose_changes import PoseTable
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Frame
from farhand.server.protocol.messages import Scene, Update
from farhand.types import Note

__all__ = ["Broadcaster"]


class Broadcaster:
    """Sends the scene and updates of one cell.

    Args:
        view: The gateway's view of the cell.
    """

    def __init__(self, view: CellView) -> None:
        self._view = view
        self._scene = b""
        self._poses = PoseTable()
        self._why = WordedWhy()
        self._encode = msgspec.msgpack.Encoder().encode

    def cell_restarted(self) -> None:
        """Forget all poses: a new process of the cell has started."""
        self._poses = PoseTable()

    def take_scene(self, scene: Scene) -> None:
        """Keep a new scene, and send it to all viewers."""
        self._scene = self._encode(scene)
        for viewer in self._view.viewers.values():
            self.show(viewer)

    def take_poses(self, frame: Frame) -> None:
        """Keep the poses of a frame."""
        self._poses.take(frame.bodies)

    def take_why(self, why: dict[str, tuple[Note, ...]]) -> None:
        """Keep the notes that alter the robots' motions; viewers get them only when their text changes."""
        self._why.take(why)

    def show(self, viewer: Viewer) -> None:
        """Send a viewer the scene, and everything in the next update."""
        viewer.seen_frame, viewer.seen_why = 0, None
        if viewer.exam:
            assert self._view.trainees is not None
            viewer.tell(self._view.trainees)
        else:
            viewer.tell_bytes(self._scene)
        viewer.refresh()

    def update_for(self, viewer: Viewer) -> bytes | None:
        """Return the changes since a viewer's last update; None while the newest frame is of another scene."""
        frame, scene = self._view.frame, self._view.scene
        if frame is None or scene is None or frame.scene != scene.number:
            return None
        exam = viewer.exam
        why = self._why.for_reader(viewer.reader)
        if viewer.seen_why is not why:
            viewer.seen_why = why
            viewer.tell(why)
        update = Update(
            scene=frame.scene,
            tick=frame.tick,
            time=frame.time,
            factor=round(frame.factor, 3),
            late=frame.late,
            moved=b"" if exam else self._poses.since(viewer.seen_frame),
            asleep=b"" if exam else frame.asleep,
            robots=robots_for_trainee(frame.robots) if exam else frame.robots,
            epochs=frame.epochs,
            contacts=b"" if exam else frame.contacts,
            masters=() if exam else frame.masters,
            playback=frame.playback,
        )
        viewer.seen_frame = self._poses.frame
        return self._encode(update)
