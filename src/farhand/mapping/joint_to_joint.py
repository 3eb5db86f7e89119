"""Joint to joint: each joint of the robot follows one of the master, for masters of the same or a similar shape."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import ConfigError, convert
from farhand.mapping.mapping import MAPPINGS, BaseAxesMapping, DrivenRobot, LedBy, grip_motion
from farhand.types import JointTrack, Motion, Note, Quantity, Reading, RobotState, Subject, Vector

__all__ = ["CopyJoints", "Pair"]

JUMP_SHARE = 1.5  # of the top rate: a joint of the master that turns faster than this has jumped
NOTED = 0.002  # rad or m: a smaller ignored lead makes no note
WAIT_SHARE = 0.5  # of the lead: a joint that is further behind first follows, before a difference is reduced
FULL_SHARE = 0.99  # of the lead: above this the master counts as too far ahead, though a measured joint may tremble


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"source": "from"}):
    """A pair of joints: q = scale·q_master + offset.

    Args:
        source: Name of the master's joint, or its number, counted from 1 (``from`` in the file).
        scale: Radians of the robot for each of the master; negative turns in the opposite direction.
        offset: rad.
    """

    source: str | int
    scale: Annotated[float, Meta(ge=-100.0, le=100.0)] = 1.0
    offset: Annotated[float, Meta(ge=-100.0, le=100.0)] = 0.0


class JointSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings in a cell file.

    Args:
        pairs: By the robot's joint; left out: the first with the first, and so on.
        catch_up: Share of the top rates at which the robot moves to the master if they differ at engagement.
        lead: Greatest difference (rad; m for a sliding joint) between the target and a measured joint.
    """

    pairs: dict[str, Pair] = {}
    catch_up: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1
    lead: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1


class _JointLatch(Struct, frozen=True):
    """The master's last joints and the offsets from them to the robot's targets.

    Args:
        wanted: Joints of the robot for the master's last reading, q = scale·q_master + offset.
        sequence: Number of that reading.
        ticks: Ticks since then.
        rates: Rates of `wanted`.
        difference: Rest of the difference at engagement and of jumps, being reduced.
        ignored: Excess of the master over the lead, ignored until the next engagement.
        slipped: The joint that is as far behind as permitted; -1 for none.
        side: Side of the fingers on which the gripper's trigger is.
    """

    wanted: Vector
    sequence: int
    ticks: int
    rates: Vector
    difference: Vector
    ignored: Vector
    slipped: int = -1
    side: int | None = None


class CopyJoints(BaseAxesMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """q = scale·q_master + offset for each pair; joints without one stay.

    A difference at engagement, and a jump of a master's joint, are reduced slowly. Motion of the master beyond the lead
    is ignored: no error builds up against an obstacle, and moving back responds at once.

    Args:
        driven: The robot.
        pairs: For each joint of the robot: number of the master's joint counted from 0, scale, offset; None to stay.
        catch_up: Share of the top rates at which a difference is reduced.
        lead: Greatest difference (rad or m) between the target and a measured joint.
    """

    kind: ClassVar[str] = "copy-joints"
    axes: ClassVar[tuple[str, ...]] = ()
    frame: ClassVar[Literal[""]] = ""
    led_by: ClassVar[LedBy] = "joints"
    feel: ClassVar[str] = "Each joint of the robot follows a joint of the master."

    driven: DrivenRobot
    pairs: tuple[tuple[int, float, float] | None, ...]
    catch_up: float = 0.1
    lead: float = 0.1

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return the joints' targets and their rates."""
        del scale
        here = robot.groups["arm"].positions
        if len(reading.joints) <= max((pair[0] for pair in self.pairs if pair), default=-1):
            still = (0.0,) * len(here)
            return {"arm": JointTrack(here, still)}, memory
        pairs = zip(self.pairs, here, strict=True)
        wanted = tuple([p[1] * reading.joints[p[0]] + p[2] if p else at for p, at in pairs])
        latch, there = self._limited(self._updated(memory, reading.sequence, wanted, here), here)
        grip, side = grip_motion(reading, 0.0, self.driven, robot, latch.side)
        kept = replace(latch, side=side) if side != latch.side else latch
        return {"arm": JointTrack(there, latch.rates), **grip}, kept

    def notes(self, memory: Any) -> tuple[Note, ...]:
        """Return a note if the master is too far ahead, or on the joint that differs most from the master since."""
        if memory is None or max(map(abs, memory.ignored)) < NOTED:
            return ()
        if memory.slipped >= 0:
            slipped = Subject("joint", self._name(memory.slipped))
            lead = self._quantity("lead", memory.slipped, self.lead)
            return (Note("mapping.slip.joint", "slow", (slipped,), (lead,)),)
        worst = max(range(len(memory.ignored)), key=lambda i: abs(memory.ignored[i]))
        offset = self._quantity("offset", worst, abs(memory.ignored[worst]))
        return (Note("mapping.apart", about=(Subject("joint", self._name(worst)),), quantities=(offset,)),)

    def _updated(self, memory: _JointLatch | None, sequence: int, wanted: Vector, here: Vector) -> _JointLatch:
        """Return the latch after this tick's reading."""
        if memory is None:
            difference = tuple([at - there for at, there in zip(here, wanted, strict=True)])
            still = (0.0,) * len(wanted)
            return _JointLatch(wanted, sequence, 0, still, difference, still)
        ticks, dt = memory.ticks + 1, self.driven.dt
        difference = self._reduced(memory, here)
        if sequence == memory.sequence:
            return replace(memory, ticks=ticks, difference=difference)
        rates, jumps = [], []
        for now, last, top in zip(wanted, memory.wanted, self.driven.velocity, strict=True):
            rate = (now - last) / (ticks * dt)
            jumped = abs(rate) > JUMP_SHARE * top
            rates.append(0.0 if jumped else rate)
            jumps.append(now - last if jumped else 0.0)
        difference = tuple([rest - jump for rest, jump in zip(difference, jumps, strict=True)])
        return replace(memory, wanted=wanted, sequence=sequence, ticks=0, rates=tuple(rates), difference=difference)

    def _limited(self, latch: _JointLatch, here: Vector) -> tuple[_JointLatch, Vector]:
        """Return the latch and the joints' targets, none further from its measured joint than the lead."""
        there = [a + b + c for a, b, c in zip(latch.wanted, latch.difference, latch.ignored, strict=True)]
        near = [min(max(to, at - self.lead), at + self.lead) for to, at in zip(there, here, strict=True)]
        ignored = latch.ignored
        if near != there:
            ignored = tuple([i + to - too_far for i, to, too_far in zip(ignored, near, there, strict=True)])
        full = [abs(to - at) > FULL_SHARE * self.lead for to, at in zip(near, here, strict=True)]
        slipped = full.index(True) if True in full else -1
        if ignored is latch.ignored and slipped == latch.slipped:
            return latch, tuple(near)
        return replace(latch, ignored=ignored, slipped=slipped), tuple(near)

    def _name(self, joint: int) -> str:
        return self.driven.joints[joint] if self.driven.joints else f"joint {joint + 1}"

    def _quantity(self, name: str, joint: int, value: float) -> Quantity:
        return Quantity(name, value, "m" if self._name(joint) in self.driven.slides else "rad")

    def _reduced(self, latch: _JointLatch, here: Vector) -> Vector:
        """Return the differences after one more tick; that of a joint far behind its target waits."""
        if not any(latch.difference):
            return latch.difference
        share, reduced = self.catch_up * self.driven.dt, []
        for wanted, difference, ignored, at, top in zip(
            latch.wanted, latch.difference, latch.ignored, here, self.driven.velocity, strict=True
        ):
            step = share * top if abs(wanted + difference + ignored - at) <= WAIT_SHARE * self.lead else 0.0
            reduced.append(difference - min(max(difference, -step), step))
        return tuple(reduced)


@MAPPINGS.register("copy-joints")
def _make(table: dict[str, Any], driven: DrivenRobot) -> CopyJoints:
    """Each joint of the robot follows a joint of the master."""
    settings = convert(table, JointSettings)
    names = driven.device.kinematics.names if driven.device else ()
    for joint in settings.pairs:
        if joint not in driven.joints:
            raise ConfigError(f"pairs.{joint}", f"is not a joint of the robot; its joints: {', '.join(driven.joints)}")
    if not settings.pairs:
        count = len(names) or len(driven.velocity)
        pairs = tuple((i, 1.0, 0.0) if i < count else None for i in range(len(driven.velocity)))
    else:
        found = {joint: _number(joint, pair, names) for joint, pair in settings.pairs.items()}
        pairs = tuple(
            (found[joint], settings.pairs[joint].scale, settings.pairs[joint].offset) if joint in found else None
            for joint in driven.joints
        )
    return CopyJoints(driven=driven, pairs=pairs, catch_up=settings.catch_up, lead=settings.lead)


def _number(joint: str, pair: Pair, names: tuple[str, ...]) -> int:
    """Return the number of the master's joint, counted from 0."""
    if pair.source in names:
        return names.index(str(pair.source))
    if isinstance(pair.source, int) and 1 <= pair.source <= (len(names) or 64):
        return pair.source - 1
    known = ", ".join(names) or "numbers from 1"
    raise ConfigError(f"pairs.{joint}.from", f"found {pair.source!r}, expected a joint of the master: {known}")
