"""Drive a robot of a server on another machine with a master on this one.

::

    master.step(feedback, now) ─► Reading ─► connection ─► gateway ─► cell
             ▲                                                         │ every tick
             └──────────── Feedback ◄─ connection ◄─ gateway ◄─────────┘

Both directions are heartbeats, and a ping goes to the cell and back several times a second, even while nobody
drives. Without a message from the cell for 100 ms, the force feedback ends and the master is told that it does not
drive. After 1 s the link counts as lost, and is restored under a new lease: release the deadman and press it again. The
robot does not depend on this: its watchdog pauses it after 100 ms without a reading, and stops it after 1 s more.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable

from msgspec.structs import replace

from farhand.client.connection import POLL_S, TIMEOUT_S, LinkError, MasterConnection
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
    LogEntries,
    Ping,
    Release,
    RobotInfo,
    Scene,
    TakeOver,
    ToPage,
    Watch,
    Yield,
)
from farhand.types import Feedback, Reading, Reset, Stop

__all__ = ["LOST_S", "STALE_S", "JoinedMaster", "join"]

STALE_S = 0.1  # without feedback from the cell, after which its forces no longer count
LOST_S = 1.0  # without a message from the cell, after which the link is lost
PING_S = 0.1  # between two pings to the cell
WATCH_S = 1.0  # between two requests to watch the cell
ASK_S = 0.5  # between two requests for control
LEAVE_S = 0.5  # within which a server must confirm that we leave
RETRY_S = 0.3  # before a lost link is tried again
TOLD = ("stop", "fault")  # levels of log entries that the operator at the master gets


class JoinedMaster:
    """A master's control of one robot over one connection.

    Args:
        connection: The connection.
        cell: Name of the cell; empty: the only one.
        robot: Name of the robot; empty: the only one.
        say: Takes sentences for the user.
        reset: Reset a stopped robot once, as soon as we have control; the deadman counts as released until then.

    Raises:
        CommandError: If there is no such robot, or a script drives it.
        LinkError: If the cell does not answer.
    """

    def __init__(
        self, connection: MasterConnection, cell: str, robot: str, say: Callable[[str], None], *, reset: bool = False
    ) -> None:
        self._connection, self._say = connection, say
        self.resetting: Command | bool = reset
        self._pressed = False
        self._me = connection.welcome.viewer
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
        self._since = 0  # number of the newest log entry that was handled
        cell = _one("cell", cell, [info.name for info in connection.welcome.cells])
        self._robot = self._find(cell, robot).name
        self._lease = self._leases.get(self._robot)
        if self.holds:  # from an earlier connection: this one needs a new lease
            self._given_up = self.epoch

    def _find(self, cell: str, name: str) -> RobotInfo:
        """Watch the cell, and return the robot once its scene and leases have come."""
        begin, said = time.monotonic(), -1e9
        while self._scene is None or not self._leases:
            now = time.monotonic()
            if now - begin > TIMEOUT_S:
                raise LinkError("The cell does not answer.")
            if now - said > WATCH_S:
                said = now
                self._connection.send(Watch(cell=cell))
            self.listen()
            time.sleep(POLL_S)
        robots = {robot.name: robot for robot in self._scene.robots}
        robot = robots[_one("robot", name, list(robots))]
        if not robot.by_hand:
            raise CommandError(f"{robot.name} moves by itself: its master {robot.master!r} takes no readings")
        return robot

    # ── Incoming ─────────────────────────────────────────────────────────────────────────────────────────────────

    def listen(self) -> None:
        """Handle all messages that have come."""
        while (message := self._connection.next()) is not None:
            self._take(message)
        newest = self._connection.feedback
        if newest is not None:
            self._answered = max(self._answered, newest[0])

    def _take(self, message: ToPage) -> None:
        if isinstance(message, Scene):
            self._scene = message
        elif isinstance(message, Leases):
            self._leases = {lease.robot: lease for lease in message.robots}
            if self._robot in self._leases:
                self._take_lease(self._leases[self._robot])
        elif isinstance(message, LogEntries):
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
            self._say(f"{lease.name or 'Nobody'} controls {lease.robot} now. Press the deadman to ask for control.")
        elif not self.holds and lease.holder is not None and self._asking and self._told != lease.name:
            self._told = lease.name
            self._say(f"{lease.name} controls {lease.robot}. You have asked for control.")

    def _tell(self, said: LogEntries) -> None:
        for entry in said.entries:
            if self._said and entry.number > self._since and entry.level in TOLD:
                self._say(entry.text)
            self._since = max(self._since, entry.number)
        self._said = True

    # ── State ────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def holds(self) -> bool:
        """Whether we control the robot, under a lease of this connection."""
        return self._lease is not None and self._lease.holder == self._me and self._lease.epoch != self._given_up

    @property
    def epoch(self) -> int:
        """Epoch of the robot's lease; -1 before it is known."""
        return self._lease.epoch if self._lease else -1

    def feedback(self, now: float) -> Feedback:
        """Return the force feedback; without forces if it is older than `STALE_S` or we have no control."""
        newest = self._connection.feedback
        if newest is None:
            return Feedback(-1)
        when, feedback = newest
        return feedback if self.holds and now - when <= STALE_S else Feedback(feedback.tick)

    def lost(self, now: float) -> bool:
        """Return whether the cell has sent nothing for `LOST_S`."""
        return now - self._answered > LOST_S

    # ── Outgoing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def send_due(self, reading: Reading | None, tick: int, now: float) -> None:
        """Send the messages that are due: a reading if we have control, a ping, a request for control."""
        if now - self._beat >= PING_S:
            self._beat = now
            self._connection.send(self._stopping or Ping(id=self._next_id()))
        if reading is not None:
            self._press(reading)
        if not self.holds:
            self._ask(reading, now)
        elif reading is not None:
            self._sequence += 1
            reading = self._after_reset(reading)
            sent = replace(reading, epoch=self.epoch, sequence=self._sequence, tick=tick)
            self._connection.send(Hand(robot=self._robot, reading=sent))
            self._yield(sent)

    def _after_reset(self, reading: Reading) -> Reading:
        """Release the deadman until a requested reset is answered; otherwise tell the user that a stop needs one."""
        if self.resetting:
            if self.resetting is True and self._connection.feedback is not None:
                # a robot that is not stopped needs no reset; and it is sent once, so that it cannot clear a later stop
                self.resetting = False
                if self._is_stopped:
                    self.resetting = Command(id=self._next_id(), event=Reset(self._robot))
                    self._connection.send(self.resetting)
            reading = replace(reading, deadman=False)
        elif reading.deadman and not self._pressed and self._is_stopped:
            self._say(f"{self._robot} is stopped. Press reset first, or join with --reset.")
        self._pressed = reading.deadman
        return reading

    @property
    def _is_stopped(self) -> bool:
        newest = self._connection.feedback
        return newest is not None and newest[1].stopped

    def _press(self, reading: Reading) -> None:
        """Stop and reset with the master's own buttons; a stop is sent until it is answered, a reset once."""
        before, self._presses = self._presses, reading.presses
        if before is None:
            return  # presses before the connection do not count
        if reading.presses.get("stop", 0) > before.get("stop", 0):
            self._stopping = Command(id=self._next_id(), event=Stop())
            self._connection.send(self._stopping)
        if self.holds and reading.presses.get("reset", 0) > before.get("reset", 0):
            self._connection.send(Command(id=self._next_id(), event=Reset(self._robot)))

    def _next_id(self) -> int:
        self._id += 1
        return self._id

    def _ask(self, reading: Reading | None, now: float) -> None:
        """Ask for control: at the beginning, and whenever the deadman is pressed without control."""
        self._asking = self._asking or (reading is not None and reading.deadman)
        if not self._asking or now - self._asked < ASK_S:
            return
        self._asked = now
        lease, pressed = self._lease, reading is not None and reading.deadman
        if lease is not None and lease.holder == self._me:
            self._connection.send(Release(robot=self._robot))
        elif lease is not None and lease.may_take and (pressed or not lease.present):
            self._connection.send(TakeOver(robot=self._robot))
        else:
            self._connection.send(Ask(robot=self._robot))

    def _yield(self, reading: Reading) -> None:
        """Hand control over to a viewer who asks while the deadman is released: a master has no button to answer."""
        if self._lease and self._lease.askers and not reading.deadman:
            self._connection.send(Yield(robot=self._robot, viewer=self._lease.askers[0].viewer))

    def leave(self) -> None:
        """Release deadman and control, and wait up to `LEAVE_S` until the server confirms it."""
        self._leaving, end = True, time.monotonic() + LEAVE_S
        self.send_due(Reading(), self.feedback(-1e9).tick, time.monotonic())
        while self.holds and time.monotonic() < end:
            self._connection.send(Release(robot=self._robot))
            time.sleep(PING_S / 2)
            self.listen()


def join(
    address: str,
    master: Master,
    *,
    cell: str = "",
    robot: str = "",
    name: str = "",
    rate: float = 500.0,
    master_address: tuple[str, int] | None = None,
    reset: bool = False,
    ended: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = print,
    language: str = "en",
) -> None:
    """Drive a robot of a running server with a master on this machine, until `ended` returns True.

    The master's readings need no sequence, epoch or tick: this function fills them in. Its buttons "stop" and "reset"
    in `Reading.presses` stop and reset the robot. A lost link is restored.

    Args:
        address: Link that Farhand printed, with its token.
        master: The master, which is read `rate` times a second.
        cell: Name of the cell; empty: the only one.
        robot: Name of the robot; empty: the only one.
        name: Name that others see; empty: the name of this host.
        rate: Readings per second.
        master_address: Host and port for masters, if they differ from those that the server gives.
        reset: Reset the robot once if it is stopped; then a fresh press drives it. A restored link never resets.
        ended: Called before every reading; True ends the function.
        say: Takes sentences for the user.
        language: Language of notes.

    Raises:
        CommandError: If the server refuses the connection for good, or there is no such robot.
    """
    client, clock, begin, said = secrets.token_urlsafe(18), WallClock(1.0 / rate), time.monotonic(), ""
    while not ended():
        try:
            with MasterConnection(
                address, client, name or f"A master on {socket.gethostname()}", master_address, language
            ) as connection:
                joined = JoinedMaster(connection, cell, robot, say, reset=reset)
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
            time.sleep(RETRY_S)


def _drive(joined: JoinedMaster, master: Master, clock: WallClock, begin: float, ended: Callable[[], bool]) -> None:
    """Read the master and send its readings, until `ended` returns True.

    Raises:
        LinkError: If the link is lost.
    """
    while not ended():
        clock.wait()
        joined.listen()
        now = time.monotonic()
        if joined.lost(now):
            raise LinkError("The connection is lost.")
        feedback = joined.feedback(now)
        joined.send_due(master.step(feedback, now - begin), feedback.tick, now)


def _one(kind: str, name: str, known: list[str]) -> str:
    """Return the named one, or the only one."""
    if not name and len(known) == 1:
        return known[0]
    if not name:
        raise CommandError(f"there are several {kind}s; choose one with --{kind}: {', '.join(known)}")
    if name not in known:
        raise UnknownNameError(kind, name, known)
    return name
