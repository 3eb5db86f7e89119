"""What cell and gateway say to each other inside one server; pages never see these."""

from __future__ import annotations

from msgspec import Struct

from farhand.cell.checkpoint import Checkpoint
from farhand.cell.degraded_cameras import UNHARMED, Degraded
from farhand.server.protocol.messages import MasterUpdate, RobotUpdate
from farhand.types import Event, Note, Reading, Trajectory

__all__ = ["Done", "Entries", "Entry", "Frame", "Greeting", "Handed", "Listening", "Order"]


class Entry(Struct, frozen=True, kw_only=True):
    """Something that happened in a cell, as data; the gateway words it for each viewer.

    Args:
        number: Counts up without gaps.
        time: Seconds of the cell's time.
        robot: Whom it concerns; empty for the cell.
        note: What happened.
    """

    number: int
    time: float
    robot: str
    note: Note


class Entries(Struct, frozen=True):
    """Entries of the log that a gateway has asked for."""

    entries: tuple[Entry, ...]


class Frame(Struct, frozen=True, kw_only=True):
    """The cell now, whole; sent about sixty times a second, the newest one wins.

    Args:
        run: Tells one life of the cell's process from the next.
        scene: Number of its scene.
        tick: Newest tick.
        time: Seconds of the cell's time.
        factor: How fast time runs.
        late: How many ticks so far began more than half a tick late.
        bodies: Poses of all moving bodies, `POSE_ROW` bytes each.
        asleep: A bit for each body that rests.
        robots: In the scene's order.
        contacts: Rows of four float32.
        epochs: The newest lease that each robot's master has been heard under.
        said: Number of the newest log entry; a gateway that has fewer asks for the rest.
        entries: New ones since the last frame.
        why: What alters each robot's motion, if that has changed.
        signals: Names of the signals that are sampled.
        samples: float32, for each tick since the last frame all signals.
        first: Number of the first sample's tick.
        masters: In the scene's order.
        degraded: Cameras whose pictures are worse on purpose.
    """

    run: int
    scene: int
    tick: int
    time: float
    factor: float
    late: int
    bodies: bytes
    asleep: bytes
    robots: tuple[RobotUpdate, ...]
    contacts: bytes
    epochs: tuple[int, ...]
    said: int
    entries: tuple[Entry, ...] = ()
    why: dict[str, tuple[Note, ...]] = {}
    signals: tuple[str, ...] = ()
    samples: bytes = b""
    first: int = 0
    masters: tuple[MasterUpdate, ...] = ()
    degraded: Degraded = UNHARMED


class Handed(Struct, frozen=True):
    """A reading on its way from the gateway to the cell.

    Args:
        reading: As it came from outside.
        at: When it came, in milliseconds of the gateway's monotonic clock.
        boot: Whose clock that is; empty where nobody can tell.
        steady: Milliseconds before that for which readings have come without a break.
    """

    reading: Reading
    at: int
    boot: str = ""
    steady: int = 0


class Listening(Struct, frozen=True, tag=True):
    """Sample these signals from now on."""

    signals: tuple[str, ...]


class Order(Struct, frozen=True, kw_only=True):
    """Something to be done once, in order, and answered; None only asks for the answer.

    Args:
        gateway: Tells one life of the gateway from the next.
        number: Counts up; one that was done already is answered again, not done again.
        what: The event.
    """

    gateway: int
    number: int
    what: Event | Listening | None = None


class Done(Struct, frozen=True, kw_only=True):
    """The answer to an order.

    Args:
        gateway: As in the order.
        number: As in the order.
        ok: It was done.
        refused: Why not.
        taught: The trajectory whose teaching it ended.
    """

    gateway: int
    number: int
    ok: bool = True
    refused: tuple[Note, ...] = ()
    taught: Trajectory | None = None


class Greeting(Struct, frozen=True, kw_only=True):
    """What the gateway tells a cell that starts: how its world was when it was last heard, if it was."""

    checkpoint: Checkpoint | None = None
