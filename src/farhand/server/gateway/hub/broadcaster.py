"""What viewers see of a cell: its scene, whole, then what has changed in it since each of them looked last."""

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
    """What is shown of one cell.

    Args:
        known: What is known of it.
    """

    def __init__(self, known: CellView) -> None:
        self._known = known
        self._scene = b""
        self._poses = PoseTable()
        self._why = WordedWhy()
        self._encode = msgspec.msgpack.Encoder().encode

    def begin_anew(self) -> None:
        """Forget where everything was: the cell's process is another one."""
        self._poses = PoseTable()

    def take_scene(self, scene: Scene) -> None:
        """Take a scene, and show it to everybody from its beginning."""
        self._scene = self._encode(scene)
        for viewer in self._known.viewers.values():
            self.show(viewer)

    def take_poses(self, frame: Frame) -> None:
        """Take where everything is now."""
        self._poses.take(frame.bodies)

    def take_why(self, why: dict[str, tuple[Note, ...]]) -> None:
        """Take what alters the robots' motions; a viewer is told again only if it reads differently for them."""
        self._why.take(why)

    def show(self, viewer: Viewer) -> None:
        """Show a viewer the scene."""
        viewer.seen_frame, viewer.seen_why = 0, None
        if viewer.exam:
            assert self._known.trainees is not None
            viewer.tell(self._known.trainees)
        else:
            viewer.tell_bytes(self._scene)
        viewer.refresh()

    def update_for(self, viewer: Viewer) -> bytes | None:
        """Return what has changed since a viewer looked last; None while that belongs to no scene he has."""
        frame, scene = self._known.frame, self._known.scene
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
        )
        viewer.seen_frame = self._poses.frame
        return self._encode(update)
