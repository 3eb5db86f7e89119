"""Messages between cell and gateway inside one server; pages never get these."""

from __future__ import annotations

from msgspec import Struct

from farhand.cell.checkpoint import Checkpoint
from farhand.cell.degraded_cameras import NONE_DEGRADED, Degraded
from farhand.server.protocol.messages import MasterUpdate, Playback, PlaybackUpdate, Recording, RobotUpdate
from farhand.types import Event, Note, Reading, Trajectory

__all__ = ["Done", "Entries", "Entry", "ForwardedReading", "Frame", "Greeting", "Listening", "Order", "RecorderNews"]


class Entry(Struct, frozen=True, kw_only=True):
    """An entry of a cell's log, as data; the gateway renders it in each viewer's language.

    Args:
        number: Counts up without gaps.
        time: Cell time, s.
        robot: Name of the robot; empty for the whole cell.
        note: The event or state to be logged.
    """

    number: int
    time: float
    robot: str
    note: Note


class Entries(Struct, frozen=True):
    """Entries of the log, in answer to a query of the gateway."""

    entries: tuple[Entry, ...]


class Frame(Struct, frozen=True, kw_only=True):
    """The complete state of a cell, sent about sixty times a second; only the newest frame matters.

    Args:
        run: Incarnation of the cell's process.
        scene: Number of the scene.
        tick: Number of the newest tick.
        time: Cell time, s.
        factor: Speed of cell time; 1 is real time.
        late: Number of ticks so far that began more than half a tick late.
        bodies: Poses of all moving bodies, `POSE_ROW` bytes each.
        asleep: A bit for each body, set while it rests.
        robots: State of each robot, in the scene's order.
        contacts: Rows of float32 x, y, z (world) and force (N).
        epochs: Newest lease epoch of which each robot's lane has had a reading.
        said: Number of the newest log entry; a gateway that lacks entries queries them.
        entries: Log entries since the last frame.
        why: Notes that alter each robot's motion now, by robot.
        signals: Names of the sampled signals.
        samples: float32: for each tick since the last frame one value of each signal.
        first: Number of the first sample's tick.
        masters: State of each master, in the scene's order.
        degraded: Degraded cameras.
        playback: State of the playback; None: the cell is live.
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
    degraded: Degraded = NONE_DEGRADED
    playback: PlaybackUpdate | None = None


class ForwardedReading(Struct, frozen=True):
    """A reading that the gateway forwards to the cell.

    Args:
        reading: The reading as received.
        at: Time of receipt, ms of the machine's monotonic clock.
        boot: Boot identifier of the machine whose clock that is; empty if unknown.
        steady: Milliseconds before `at` in which readings came without a gap.
    """

    reading: Reading
    at: int
    boot: str = ""
    steady: int = 0


class Listening(Struct, frozen=True, tag=True):
    """Order to sample these signals from now on."""

    signals: tuple[str, ...]


class Order(Struct, frozen=True, kw_only=True):
    """An order to the cell, carried out once, in sequence, and answered.

    Args:
        gateway: Incarnation of the gateway.
        number: Counts up; a repeated order is answered again but not carried out again.
        content: The event, the signals to sample, or how to play a record; None: only answer.
    """

    gateway: int
    number: int
    content: Event | Listening | Playback | None = None


class Done(Struct, frozen=True, kw_only=True):
    """The answer to an order.

    Args:
        gateway: As in the order.
        number: As in the order.
        ok: The order was carried out.
        refused: Notes with the reasons, if it was not.
        taught: The taught trajectory, if the order finished teaching one.
    """

    gateway: int
    number: int
    ok: bool = True
    refused: tuple[Note, ...] = ()
    taught: Trajectory | None = None


class RecorderNews(Struct, frozen=True):
    """News of the recorder for the gateway, twice a second and whenever something changes.

    Args:
        cells: State of the recording of each cell, by the cell's name.
    """

    cells: dict[str, Recording]


class Greeting(Struct, frozen=True, kw_only=True):
    """The gateway's answer to a cell that starts: the last checkpoint of its world, if there is one."""

    checkpoint: Checkpoint | None = None
