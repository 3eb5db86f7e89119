"""Joint to joint: each joint of the robot follows one of the master, for masters of the same or a similar shape."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from farhand.config import ConfigError, convert
from farhand.mapping.base import MAPPINGS, Driven, Unturned, grip_motion
from farhand.types import JointTrack, Motion, Reading, RobotState, Vector

__all__ = ["CopyJoints", "Pair"]

FASTER = 1.5  # times its top rate: a joint of the master that turns faster than this has jumped


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


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a cell file may say of it.

    Args:
        pairs: By the robot's joint; left out: the first with the first, and so on.
        catch_up: Where both disagree at engagement, the robot is led to the master at this share of its top rates.
    """

    pairs: dict[str, Pair] = {}
    catch_up: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1


class _Latch(Struct, frozen=True):
    """What the master says, when it last said something new, how fast it turns, and how far the robot still is away."""

    said: Vector
    sequence: int
    ticks: int
    rates: Vector
    apart: Vector
    side: int | None


class CopyJoints(Unturned, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """q = scale·q_master + offset for each pair; joints without one stay.

    What the robot is away from there when it is taken, and what a master's joint jumps, is made up for slowly.

    Args:
        driven: The robot.
        pairs: For each joint of the robot: number of the master's joint counted from 0, scale, offset; None to stay.
        catch_up: Share of the top rates at which a difference is made up for.
    """

    kind: ClassVar[str] = "copy-joints"
    axes: ClassVar[tuple[str, ...]] = ()
    frame: ClassVar[Literal[""]] = ""
    feel: ClassVar[str] = "Each joint of the robot turns as the master's does."

    driven: Driven
    pairs: tuple[tuple[int, float, float] | None, ...]
    catch_up: float = 0.1

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
        latch = self._heard(memory, reading.sequence, said, here)
        there = tuple([a + b for a, b in zip(latch.said, latch.apart, strict=True)])
        grip, side = grip_motion(reading, 0.0, self.driven, robot, latch.side)
        kept = _Latch(latch.said, latch.sequence, latch.ticks, latch.rates, latch.apart, side)
        return {"arm": JointTrack(there, latch.rates), **grip}, kept

    def _heard(self, memory: _Latch | None, sequence: int, said: Vector, here: Vector) -> _Latch:
        """Return the latch after what the master says now."""
        if memory is None:
            apart = tuple([at - there for at, there in zip(here, said, strict=True)])
            return _Latch(said, sequence, 0, (0.0,) * len(said), apart, None)
        ticks, dt = memory.ticks + 1, self.driven.dt
        apart = tuple([self._closer(a, top) for a, top in zip(memory.apart, self.driven.velocity, strict=True)])
        if sequence == memory.sequence:
            return _Latch(memory.said, sequence, ticks, memory.rates, apart, memory.side)
        rates, jumps = [], []
        for now, last, top in zip(said, memory.said, self.driven.velocity, strict=True):
            rate = (now - last) / (ticks * dt)
            jumped = abs(rate) > FASTER * top
            rates.append(0.0 if jumped else rate)
            jumps.append(now - last if jumped else 0.0)
        apart = tuple([a - jump for a, jump in zip(apart, jumps, strict=True)])
        return _Latch(said, sequence, 0, tuple(rates), apart, memory.side)

    def _closer(self, apart: float, top: float) -> float:
        """Return a difference after another tick of making up for it."""
        step = self.catch_up * top * self.driven.dt
        return 0.0 if abs(apart) <= step else apart - step if apart > 0.0 else apart + step


@MAPPINGS.register("copy-joints")
def _make(table: dict[str, Any], driven: Driven) -> CopyJoints:
    """Each joint of the robot turns as one of the master does."""
    settings = convert(table, Settings)
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
    return CopyJoints(driven=driven, pairs=pairs, catch_up=settings.catch_up)


def _number(joint: str, pair: Pair, names: tuple[str, ...]) -> int:
    """Return which joint of the master is meant, counted from 0."""
    if pair.source in names:
        return names.index(str(pair.source))
    if isinstance(pair.source, int) and 1 <= pair.source <= (len(names) or 64):
        return pair.source - 1
    known = ", ".join(names) or "numbers from 1 on"
    raise ConfigError(f"pairs.{joint}.from", f"found {pair.source!r}; the master's joints are: {known}")
