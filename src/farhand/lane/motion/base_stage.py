"""The base stage: set-points of belts and flippers, through the same guard as the arm's joints."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from farhand.formats.model import JointSpec, TracksSpec
from farhand.kernels import Floats
from farhand.lane.motion.guard_stage import FLIPPERS_LAG, GuardStage, at_rest
from farhand.lane.motion.vehicle_limits import Held
from farhand.types import DriveRate, JointRates, JointTrack, Motion, Note, RobotState, Setpoint, Vector

__all__ = ["BASE", "FLIPPERS", "BaseStage", "asks_to_drive", "belt_share", "belt_speeds"]

BASE, FLIPPERS = "base", "flippers"
GAIN_PER_S = 8.0  # towards demanded flipper angles
STANDING = (0.0, 0.0)
NOTE_SHARE = 0.99  # of the demanded speed; below it a note is made
AT_TOP = Note("base.top", "slow")


def asks_to_drive(motion: Motion | None) -> bool:
    """Return whether a motion moves the belts."""
    return isinstance(motion, DriveRate) and (motion.forward != 0.0 or motion.turn != 0.0)


def belt_speeds(motion: Motion | None, gauge: float, top: float) -> tuple[float, float]:
    """Return the speeds of the left and right belt, v ∓ ω·gauge/2; both scaled alike if one would be too fast."""
    if not isinstance(motion, DriveRate):
        return STANDING
    aside, share = 0.5 * gauge * motion.turn, belt_share(motion, gauge, top)
    return share * (motion.forward - aside), share * (motion.forward + aside)


def belt_share(motion: Motion | None, gauge: float, top: float) -> float:
    """Return the share of a motion that the belts can give: 1 unless the faster one would exceed its top speed."""
    if not isinstance(motion, DriveRate):
        return 1.0
    most = abs(motion.forward) + abs(0.5 * gauge * motion.turn)
    return top / most if most > top else 1.0


class BaseStage:
    """Computes the set-points of belts and flippers.

    Args:
        tracks: The tracks.
        leads: Largest lead of each flipper's set-point, rad.
        dt: Seconds per tick.
    """

    def __init__(self, tracks: TracksSpec, leads: Vector, dt: float) -> None:
        self.tracks, self.leads = tracks, leads
        self.belts = GuardStage((_belt(tracks, "left"), _belt(tracks, "right")), (math.inf, math.inf), dt)
        self.flippers = GuardStage(tracks.flippers, leads, dt, FLIPPERS_LAG)
        self._none = np.zeros(len(tracks.flippers))

    def __call__(
        self,
        base: Motion | None,
        flippers: Motion | None,
        last: dict[str, Setpoint],
        robot: RobotState,
        *,
        stop: bool = False,
        restrain: Callable[[tuple[float, float], Vector], Held] | None = None,
    ) -> tuple[dict[str, Setpoint], tuple[Note, ...]]:
        """Return the next set-points of both groups, and the notes on their limits.

        Args:
            base: Demanded motion of the belts.
            flippers: Demanded motion of the flippers.
            last: Set-points of the last tick.
            robot: The measured state.
            stop: Brake as hard as the accelerations allow, whatever is demanded; see `GuardStage`.
            restrain: Returns the allowed shares of the belts' speeds and the flippers' rates.
        """
        notes: tuple[Note, ...] = ()
        turned, speeds = last[FLIPPERS], belt_speeds(base, self.tracks.gauge, self.tracks.speed)
        if not stop and belt_share(base, self.tracks.gauge, self.tracks.speed) < NOTE_SHARE:
            notes = (AT_TOP,)
        turns = flippers is not None or not at_rest(turned)
        wanted = self._wanted(flippers, turned) if turns else self._none
        if restrain is not None and not stop:
            share, shares, held = restrain(speeds, tuple(wanted.tolist()))
            notes += held
            speeds, wanted = (share * speeds[0], share * speeds[1]), wanted * shares
        if turns:
            turned, stuck = self.flippers(wanted, None, turned, robot.groups[FLIPPERS].positions, stop=stop)
            notes += stuck
        return {BASE: self._run(speeds, last[BASE], stop=stop), FLIPPERS: turned}, notes

    def _run(self, speeds: tuple[float, float], last: Setpoint, *, stop: bool) -> Setpoint:
        if speeds == STANDING and at_rest(last):
            return last
        return self.belts(np.array(speeds), None, last, last.positions, stop=stop)[0]

    def _wanted(self, motion: Motion | None, last: Setpoint) -> Floats:
        """Return the flippers' rates that a motion demands."""
        if isinstance(motion, JointRates):
            return np.array(motion.rates)
        if isinstance(motion, JointTrack):
            tops = [joint.velocity for joint in self.tracks.flippers]
            rows = zip(motion.positions, motion.rates, last.positions, tops, strict=True)
            return np.array([min(max(rate + GAIN_PER_S * (to - at), -top), top) for to, rate, at, top in rows])
        return np.zeros(len(self.tracks.flippers))


def _belt(tracks: TracksSpec, side: str) -> JointSpec:
    return JointSpec(
        name=f"{side}_belt",
        kind="slide",
        lower=-math.inf,
        upper=math.inf,
        velocity=tracks.speed,
        acceleration=tracks.acceleration,
        jerk=tracks.jerk,
        effort=tracks.force,
        home=0.0,
        label=f"{side.capitalize()} belt",
    )
