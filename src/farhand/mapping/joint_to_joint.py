"""Joint to joint: each joint of the robot follows one of the master, for masters of the same or a similar shape."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import ConfigError, convert
from farhand.mapping.mapping import MAPPINGS, BaseAxesMapping, DrivenRobot, LedBy, grip_motion
from farhand.types import JointTrack, Motion, Note, Quantity, Reading, RobotState, Subject, Vector

__all__ = ["CopyJoints", "Pair"]

FASTER = 1.5  # times its top rate: a joint of the master that turns faster than this has jumped
TOLD = 0.002  # rad or m: what is given up and is less than this is not worth a word
WAITS = 0.5  # of the lead: a joint that is further behind is not led on to make up for a difference
TAUT = 0.99  # of the lead: from here on the master counts as too far ahead, also while a measured joint trembles


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"source": "from"}):
    """Which joint of the master leads one of the robot, and how.

    Args:
        source: Name of the master's joint, or its number, counted from 1 (``from`` in the file).
        scale: Radians of the robot for each of the master; negative turns the other way.
        offset: Added after that, rad.
    """

    source: str | int
    scale: Annotated[float, Meta(ge=-100.0, le=100.0)] = 1.0
    offset: Annotated[float, Meta(ge=-100.0, le=100.0)] = 0.0


class JointSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a cell file may say of it.

    Args:
        pairs: By the robot's joint; left out: the first with the first, and so on.
        catch_up: Where both disagree at engagement, the robot is led to the master at this share of its top rates.
        lead: How far (rad; m where a joint slides) the master may run ahead of a measured joint.
    """

    pairs: dict[str, Pair] = {}
    catch_up: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1
    lead: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1


class _JointLatch(Struct, frozen=True):
    """What the master says, when it last said something new, and how the robot is led there.

    Args:
        said: Where the master has the robot's joints.
        sequence: Of its last reading.
        ticks: Since then.
        rates: How fast the master turns them.
        apart: What is still made up for.
        given: What the master ran too far ahead, and was given up until it is taken anew.
        slipped: The joint that is as far behind as it may be; -1 for none.
        side: On which side of the fingers the gripper's trigger is.
    """

    said: Vector
    sequence: int
    ticks: int
    rates: Vector
    apart: Vector
    given: Vector
    slipped: int = -1
    side: int | None = None


class CopyJoints(BaseAxesMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """q = scale·q_master + offset for each pair; joints without one stay.

    What the robot is away from there when it is taken, and what a master's joint jumps, is made up for slowly. What the
    master runs further ahead of a measured joint than the lead is given up: no spring is stretched against what is in
    the way, and the way back begins at once.

    Args:
        driven: The robot.
        pairs: For each joint of the robot: number of the master's joint counted from 0, scale, offset; None to stay.
        catch_up: Share of the top rates at which a difference is made up for.
        lead: How far (rad or m) the master may run ahead.
    """

    kind: ClassVar[str] = "copy-joints"
    axes: ClassVar[tuple[str, ...]] = ()
    frame: ClassVar[Literal[""]] = ""
    led_by: ClassVar[LedBy] = "joints"
    feel: ClassVar[str] = "Each joint of the robot turns as the master's does."

    driven: DrivenRobot
    pairs: tuple[tuple[int, float, float] | None, ...]
    catch_up: float = 0.1
    lead: float = 0.1

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return where the joints shall be, and how they turn there."""
        del scale
        here = robot.groups["arm"].positions
        if len(reading.joints) <= max((pair[0] for pair in self.pairs if pair), default=-1):
            still = (0.0,) * len(here)
            return {"arm": JointTrack(here, still)}, memory
        said = tuple([p[1] * reading.joints[p[0]] + p[2] if p else at for p, at in zip(self.pairs, here, strict=True)])
        latch, there = self._leashed(self._heard(memory, reading.sequence, said, here), here)
        grip, side = grip_motion(reading, 0.0, self.driven, robot, latch.side)
        kept = replace(latch, side=side) if side != latch.side else latch
        return {"arm": JointTrack(there, latch.rates), **grip}, kept

    def notes(self, memory: Any) -> tuple[Note, ...]:
        """Say that the master ran too far ahead, and which joint does not stand where the master has it since."""
        if memory is None or max(map(abs, memory.given)) < TOLD:
            return ()
        if memory.slipped >= 0:
            slipped = Subject("joint", self._name(memory.slipped))
            lead = self._quantity("lead", memory.slipped, self.lead)
            return (Note("mapping.slip.joint", "slow", (slipped,), (lead,)),)
        worst = max(range(len(memory.given)), key=lambda i: abs(memory.given[i]))
        offset = self._quantity("offset", worst, abs(memory.given[worst]))
        return (Note("mapping.apart", about=(Subject("joint", self._name(worst)),), quantities=(offset,)),)

    def _heard(self, memory: _JointLatch | None, sequence: int, said: Vector, here: Vector) -> _JointLatch:
        """Return the latch after what the master says now."""
        if memory is None:
            apart = tuple([at - there for at, there in zip(here, said, strict=True)])
            still = (0.0,) * len(said)
            return _JointLatch(said, sequence, 0, still, apart, still)
        ticks, dt = memory.ticks + 1, self.driven.dt
        apart = self._closer(memory, here)
        if sequence == memory.sequence:
            return replace(memory, ticks=ticks, apart=apart)
        rates, jumps = [], []
        for now, last, top in zip(said, memory.said, self.driven.velocity, strict=True):
            rate = (now - last) / (ticks * dt)
            jumped = abs(rate) > FASTER * top
            rates.append(0.0 if jumped else rate)
            jumps.append(now - last if jumped else 0.0)
        apart = tuple([a - jump for a, jump in zip(apart, jumps, strict=True)])
        return replace(memory, said=said, sequence=sequence, ticks=0, rates=tuple(rates), apart=apart)

    def _leashed(self, latch: _JointLatch, here: Vector) -> tuple[_JointLatch, Vector]:
        """Return the latch, and where the joints shall be: none further from where it is measured than the lead."""
        there = [a + b + c for a, b, c in zip(latch.said, latch.apart, latch.given, strict=True)]
        near = [min(max(to, at - self.lead), at + self.lead) for to, at in zip(there, here, strict=True)]
        given = latch.given
        if near != there:
            given = tuple([g + to - too_far for g, to, too_far in zip(given, near, there, strict=True)])
        full = [abs(to - at) > TAUT * self.lead for to, at in zip(near, here, strict=True)]
        slipped = full.index(True) if True in full else -1
        if given is latch.given and slipped == latch.slipped:
            return latch, tuple(near)
        return replace(latch, given=given, slipped=slipped), tuple(near)

    def _name(self, joint: int) -> str:
        return self.driven.joints[joint] if self.driven.joints else f"joint {joint + 1}"

    def _quantity(self, name: str, joint: int, way: float) -> Quantity:
        return Quantity(name, way, "m" if self._name(joint) in self.driven.slides else "rad")

    def _closer(self, latch: _JointLatch, here: Vector) -> Vector:
        """Return the differences after another tick of making up for them; one waits for a joint that is behind."""
        if not any(latch.apart):
            return latch.apart
        share, closer = self.catch_up * self.driven.dt, []
        for said, apart, given, at, top in zip(
            latch.said, latch.apart, latch.given, here, self.driven.velocity, strict=True
        ):
            step = share * top if abs(said + apart + given - at) <= WAITS * self.lead else 0.0
            closer.append(apart - min(max(apart, -step), step))
        return tuple(closer)


@MAPPINGS.register("copy-joints")
def _make(table: dict[str, Any], driven: DrivenRobot) -> CopyJoints:
    """Each joint of the robot turns as one of the master does."""
    settings = convert(table, JointSettings)
    names = driven.device.kinematics.names if driven.device else ()
    for joint in settings.pairs:
        if joint not in driven.joints:
            raise ConfigError(f"pairs.{joint}", f"is no joint of the robot; there are: {', '.join(driven.joints)}")
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
    """Return which joint of the master is meant, counted from 0."""
    if pair.source in names:
        return names.index(str(pair.source))
    if isinstance(pair.source, int) and 1 <= pair.source <= (len(names) or 64):
        return pair.source - 1
    known = ", ".join(names) or "numbers from 1 on"
    raise ConfigError(f"pairs.{joint}.from", f"found {pair.source!r}; the master's joints are: {known}")
