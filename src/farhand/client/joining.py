"""A master that is here drives a robot that is elsewhere.

::

    master.step(feedback, now) ─► Reading ─► way ─► door ─► gateway ─► cell
             ▲                                                          │ every tick
             └──────────── Feedback ◄─ way ◄─ door ◄────────────────────┘

Both directions are heartbeats, and a question to the cell itself goes there and back several times a second, whether
or not anybody drives. Without a word from the cell for 100 ms the hand feels nothing any more and is told that it does
not drive. After a second the link is lost, and is made anew under a new lease: the deadman must be let go and pressed
again. The robot depends on none of this: its watchdog pauses it after 100 ms without a reading, and stops it after 1 s.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable

from msgspec.structs import replace

from farhand.client.connection import PATIENCE, POLL, LinkError, MasterConnection
from farhand.errors import CommandError, UnknownNameError
from farhand.loop import WallClock
from farhand.masters import Master
from farhand.server.protocol.messages import (
    Answer,
    Ask,
    Command,
    Hand,
    LeaseInfo,
    Leases,
    Ping,
    Release,
    RobotInfo,
    Said,
    Scene,
    TakeOver,
    ToPage,
    Watch,
    Yield,
)
from farhand.types import Feedback, Reading, Reset, Stop

__all__ = ["LOST", "STALE", "JoinedMaster", "join"]

STALE = 0.1  # seconds without a word from the cell after which its forces no longer count
LOST = 1.0  # seconds without one after which the link is lost
BEAT = 0.1  # seconds between two questions to the cell
WATCH_AGAIN = 1.0  # seconds between two askings for the cell
ASK_AGAIN = 0.5  # seconds between two askings for control
GOODBYE = 0.5  # seconds in which a server must take it that we leave
RETRY = 0.3  # seconds before a lost link is tried again
TOLD = ("stop", "fault")  # levels of the log that the operator at the master is told of


class JoinedMaster:
    """A master's control of one robot over one connection.

    Args:
        way: The connection.
        cell: Name of the cell; empty: the only one.
        robot: Name of the robot; empty: the only one.
        say: Takes sentences for the user.
        reset: Reset a stopped robot once, as soon as it is controlled; the deadman counts as released until then.

    Raises:
        CommandError: If there is no such robot, or nobody can drive it.
        LinkError: If the cell does not tell of itself.
    """

    def __init__(
        self, way: MasterConnection, cell: str, robot: str, say: Callable[[str], None], *, reset: bool = False
    ) -> None:
        self._way, self._say = way, say
        self.resetting: Command | bool = reset
        self._pressed = False
        self._me = way.welcome.viewer
        self._robot = ""
        self._scene: Scene | None = None
        self._leases: dict[str, LeaseInfo] = {}
        self._lease: LeaseInfo | None = None
        self._answered = time.monotonic()
        self._asking, self._asked, self._beat, self._id = True, -1e9, -1e9, 0
        self._presses: dict[str, int] | None = None
        self._stopping: Command | None = None
        self._leaving, self._given_up = False, -1
        self._sequence, self._said, self._told = 0, False, ""
        self._since = 0  # log entries from before we came are no news
        cell = _one("cell", cell, [info.name for info in way.welcome.cells])
        self._robot = self._find(cell, robot).name
        self._lease = self._leases.get(self._robot)
        if self.holds:  # from a connection before this one: a new one drives under a new lease
            self._given_up = self.epoch

    def _find(self, cell: str, name: str) -> RobotInfo:
        """Watch the cell, and return the robot once the cell has told of itself."""
        begin, said = time.monotonic(), -1e9
        while self._scene is None or not self._leases:
            now = time.monotonic()
            if now - begin > PATIENCE:
                raise LinkError("The cell does not answer.")
            if now - said > WATCH_AGAIN:
                said = now
                self._way.send(Watch(cell=cell))
            self.listen()
            time.sleep(POLL)
        robots = {robot.name: robot for robot in self._scene.robots}
        robot = robots[_one("robot", name, list(robots))]
        if not robot.by_hand:
            raise CommandError(f"{robot.name} goes by itself: its master {robot.master!r} is led by nobody")
        return robot

    # ── What comes ───────────────────────────────────────────────────────────────────────────────────────────────

    def listen(self) -> None:
        """Take what has come."""
        while (message := self._way.next()) is not None:
            self._take(message)
        felt = self._way.felt
        if felt is not None:
            self._answered = max(self._answered, felt[0])

    def _take(self, message: ToPage) -> None:
        if isinstance(message, Scene):
            self._scene = message
        elif isinstance(message, Leases):
            self._leases = {lease.robot: lease for lease in message.robots}
            if self._robot in self._leases:
                self._take_lease(self._leases[self._robot])
        elif isinstance(message, Said):
            self._tell(message)
        elif isinstance(message, Answer):
            self._take_answer(message)

    def _take_answer(self, answer: Answer) -> None:
        if answer.ok:
            self._answered = time.monotonic()
        elif answer.text:
            self._say(answer.text)
        if self._stopping is not None and answer.ok and answer.id == self._stopping.id:
            self._stopping = None
        if isinstance(self.resetting, Command) and answer.id == self.resetting.id:
            self.resetting = False

    def _take_lease(self, lease: LeaseInfo) -> None:
        held, self._lease = self.holds, lease
        if self.holds and not held:
            self._asking, self._sequence = False, 0
            self._say(f"You control {lease.robot}. Press the deadman to drive.")
        elif held and not self.holds and not self._leaving:
            self._say(f"{lease.name or 'Nobody'} controls {lease.robot} now. Press the deadman to ask for it.")
        elif not self.holds and lease.holder is not None and self._asking and self._told != lease.name:
            self._told = lease.name
            self._say(f"{lease.name} controls {lease.robot}; it is asked for.")

    def _tell(self, said: Said) -> None:
        for entry in said.entries:
            if self._said and entry.number > self._since and entry.level in TOLD:
                self._say(entry.text)
            self._since = max(self._since, entry.number)
        self._said = True

    # ── What is so ───────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def holds(self) -> bool:
        """Whether we control the robot, and not from a connection before this one."""
        return self._lease is not None and self._lease.holder == self._me and self._lease.epoch != self._given_up

    @property
    def epoch(self) -> int:
        """The lease under which we do."""
        return self._lease.epoch if self._lease else -1

    def feedback(self, now: float) -> Feedback:
        """Return what the hand shall feel; nothing, if that is not from just now, or is not for us."""
        felt = self._way.felt
        if felt is None:
            return Feedback(-1)
        when, feedback = felt
        return feedback if self.holds and now - when <= STALE else Feedback(feedback.tick)

    def lost(self, now: float) -> bool:
        """Return whether the cell has not been heard for too long."""
        return now - self._answered > LOST

    # ── What goes ────────────────────────────────────────────────────────────────────────────────────────────────

    def go(self, reading: Reading | None, tick: int, now: float) -> None:
        """Send what is due: a reading if we control, a question to the cell, an asking for control."""
        if now - self._beat >= BEAT:
            self._beat = now
            self._way.send(self._stopping or Ping(id=self._next_id()))
        if reading is not None:
            self._press(reading)
        if not self.holds:
            self._ask(reading, now)
        elif reading is not None:
            self._sequence += 1
            reading = self._after_reset(reading)
            sent = replace(reading, epoch=self.epoch, sequence=self._sequence, tick=tick)
            self._way.send(Hand(robot=self._robot, reading=sent))
            self._yield(sent)

    def _after_reset(self, reading: Reading) -> Reading:
        """Release the deadman until a reset that was asked for is answered; else say that a stop needs one."""
        if self.resetting:
            if self.resetting is True and self._way.felt is not None:
                # a robot that is not stopped needs none, and a reset is sent once: it must not undo a later stop
                self.resetting = False
                if self._stands:
                    self.resetting = Command(id=self._next_id(), event=Reset(self._robot))
                    self._way.send(self.resetting)
            reading = replace(reading, deadman=False)
        elif reading.deadman and not self._pressed and self._stands:
            self._say(f"{self._robot} is stopped: reset first. Press reset, or join with --reset.")
        self._pressed = reading.deadman
        return reading

    @property
    def _stands(self) -> bool:
        felt = self._way.felt
        return felt is not None and felt[1].stopped

    def _press(self, reading: Reading) -> None:
        """Stop and reset by the master's own buttons; a stop is said until it is answered, a reset once."""
        before, self._presses = self._presses, reading.presses
        if before is None:
            return  # what was pressed before we came is past
        if reading.presses.get("stop", 0) > before.get("stop", 0):
            self._stopping = Command(id=self._next_id(), event=Stop())
            self._way.send(self._stopping)
        if self.holds and reading.presses.get("reset", 0) > before.get("reset", 0):
            self._way.send(Command(id=self._next_id(), event=Reset(self._robot)))

    def _next_id(self) -> int:
        self._id += 1
        return self._id

    def _ask(self, reading: Reading | None, now: float) -> None:
        """Ask for control: at the beginning, and whenever the deadman is pressed without it."""
        self._asking = self._asking or (reading is not None and reading.deadman)
        if not self._asking or now - self._asked < ASK_AGAIN:
            return
        self._asked = now
        lease, pressed = self._lease, reading is not None and reading.deadman
        if lease is not None and lease.holder == self._me:
            self._way.send(Release(robot=self._robot))
        elif lease is not None and lease.may_take and (pressed or not lease.present):
            self._way.send(TakeOver(robot=self._robot))
        else:
            self._way.send(Ask(robot=self._robot))

    def _yield(self, reading: Reading) -> None:
        """Hand control over to whoever asks, if the deadman is not held: there is nobody here to answer."""
        if self._lease and self._lease.askers and not reading.deadman:
            self._way.send(Yield(robot=self._robot, viewer=self._lease.askers[0].viewer))

    def leave(self) -> None:
        """Let go of everything, and wait a moment until that has been heard."""
        self._leaving, end = True, time.monotonic() + GOODBYE
        self.go(Reading(), self.feedback(-1e9).tick, time.monotonic())
        while self.holds and time.monotonic() < end:
            self._way.send(Release(robot=self._robot))
            time.sleep(BEAT / 2)
            self.listen()


def join(
    address: str,
    master: Master,
    *,
    cell: str = "",
    robot: str = "",
    name: str = "",
    rate: float = 500.0,
    door: tuple[str, int] | None = None,
    reset: bool = False,
    ended: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = print,
    language: str = "en",
) -> None:
    """Drive a robot of a running server with a master that is here, until `ended` says so.

    The master's readings need no sequence, epoch or tick: those are given here. Buttons of it that are called "stop"
    and "reset" in `Reading.presses` do so. A lost link is made anew.

    Args:
        address: As Farhand printed it, with its token.
        master: What is read, `rate` times a second.
        cell: Name of the cell; empty: the only one.
        robot: Name of the robot; empty: the only one.
        name: What others see; empty: this host's name.
        rate: Readings a second.
        door: Host and port where the server's door is reached, if not where the server says.
        reset: Reset the robot once if it is stopped; then a fresh press drives it. A link that is made anew never does.
        ended: Asked before every reading.
        say: Takes sentences for the user.
        language: The language of notes.

    Raises:
        CommandError: If the server refuses for good, or there is no such robot.
    """
    client, clock, begin, said = secrets.token_urlsafe(18), WallClock(1.0 / rate), time.monotonic(), ""
    while not ended():
        try:
            with MasterConnection(
                address, client, name or f"A master on {socket.gethostname()}", door, language
            ) as way:
                joined = JoinedMaster(way, cell, robot, say, reset=reset)
                said = ""
                try:
                    _drive(joined, master, clock, begin, ended)
                finally:
                    reset = joined.resetting is True
                joined.leave()
        except LinkError as error:
            if str(error) != said:
                said = str(error)
                say(f"{said} Trying again.")
            time.sleep(RETRY)


def _drive(joined: JoinedMaster, master: Master, clock: WallClock, begin: float, ended: Callable[[], bool]) -> None:
    """Read the master and send, until told to end.

    Raises:
        LinkError: If the link is lost.
    """
    while not ended():
        clock.wait()
        joined.listen()
        now = time.monotonic()
        if joined.lost(now):
            raise LinkError("The link is lost.")
        feedback = joined.feedback(now)
        joined.go(master.step(feedback, now - begin), feedback.tick, now)


def _one(kind: str, name: str, known: list[str]) -> str:
    """Return the one that is named, or the only one there is."""
    if not name and len(known) == 1:
        return known[0]
    if not name:
        raise CommandError(f"there are several {kind}s, name one with --{kind}: {', '.join(known)}")
    if name not in known:
        raise UnknownNameError(kind, name, known)
    return name
