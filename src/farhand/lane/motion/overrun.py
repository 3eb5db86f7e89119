"""The speed limit over distant links: the robot overruns only a short distance until the operator's release arrives.

v ≤ overrun / age, above an age of 100 ms.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec.structs import replace

from farhand.filters.scale import scaled
from farhand.kernels import Floats
from farhand.kinematics import Mechanism
from farhand.lane.intake.ages import DISTANT_S
from farhand.lane.memory import LaneMemory
from farhand.lane.modes.mode_machine import WatchdogSpec
from farhand.lane.motion.base_stage import BASE
from farhand.types import Demand, DriveRate, Motion, Note, Quantity, Subject, TipTwist, Vector

__all__ = ["bound_demand", "bound_rates", "is_bounded", "overrun_note"]


def is_bounded(memory: LaneMemory, watchdog: WatchdogSpec) -> bool:
    """Return whether the robot is driven over a distant link and its speed is bounded for that reason."""
    return memory.link.lag > DISTANT_S and watchdog.bounded and memory.mode.mode == "teleoperation"


def bound_demand(demand: Demand, lag: float, watchdog: WatchdogSpec, gauge: float) -> tuple[Demand, tuple[Note, ...]]:
    """Return the demand with jogs of tip and base slowed to the limit, and the notes on that.

    Args:
        demand: The demand after the filters.
        lag: Age of the readings, s.
        watchdog: The watchdog's settings, with the overruns.
        gauge: Distance between the belts of a robot on tracks, m.
    """
    arm, base = demand.motions.get("arm"), demand.motions.get(BASE)
    motions: dict[str, Motion] = {}
    notes: tuple[Note, ...] = ()
    if isinstance(arm, TipTwist):
        limit, speed = watchdog.tip_overrun / lag, math.hypot(*arm.linear)
        if speed > limit:
            motions["arm"], notes = scaled(arm, limit / speed), (_note("tip", limit, lag, watchdog.tip_overrun),)
    if isinstance(base, DriveRate):
        limit, speed = watchdog.base_overrun / lag, abs(base.forward) + abs(0.5 * gauge * base.turn)
        if speed > limit:
            motions[BASE] = scaled(base, limit / speed)
            notes += (_note("base", limit, lag, watchdog.base_overrun),)
    return (replace(demand, motions=demand.motions | motions), notes) if notes else (demand, ())


def bound_rates(
    rates: Floats, chain: Mechanism, q: Vector, lag: float, watchdog: WatchdogSpec
) -> tuple[Floats, tuple[Note, ...]]:
    """Return joint rates that keep the tip's speed within the limit, and a note if they are slowed.

    Args:
        rates: Joint rates that the servo wants.
        chain: Kinematics of the arm.
        q: Set-point of the joints.
        lag: Age of the readings, s.
        watchdog: The watchdog's settings, with the overrun.
    """
    limit = watchdog.tip_overrun / lag
    speed = float(np.linalg.norm(chain.jacobian(np.array(q))[:3] @ rates))
    if speed <= limit * (1.0 + 1e-6):
        return rates, ()
    return rates * (limit / speed), (_note("tip", limit, lag, watchdog.tip_overrun),)


def overrun_note(memory: LaneMemory, watchdog: WatchdogSpec) -> tuple[Note, ...]:
    """Return the note on a distant link that is driven with the speed limit switched off."""
    if watchdog.bounded or memory.link.lag <= DISTANT_S or memory.mode.mode != "teleoperation":
        return ()
    return (Note("link.unbounded", quantities=(Quantity("age", memory.link.lag, "s"),)),)


def _note(part: str, limit: float, lag: float, overrun: float) -> Note:
    quantities = (Quantity("speed", limit, "m/s"), Quantity("age", lag, "s"), Quantity("overrun", overrun, "m"))
    return Note("link.slow", "slow", (Subject("part", part),), quantities)
