"""The hydraulic arm's controller: a position loop that asks for a velocity, and a valve that supplies it.

For each joint, with the position error e::

    s  = s + ki·e·dt, limited to ±range           an integrator of limited range
    w  = kp·e + s                                 proportional
    u  = q̇* + (1 + lead·p)/(1 + lag·p)·w          lead-lag compensator (p: differentiation)
    u  = u, limited to ± the top velocity
    τ  = kv·(u − q̇) + feed-forward                the valve: kv = Mᵢᵢ / valve

The valve's loop is MuJoCo's velocity actuator, integrated implicitly; the loop around it is explicit, so
`check_velocity` refuses gains with which it would diverge or oscillate for long.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.errors import DriveError
from farhand.world.blueprint import LoopGains, Placement
from farhand.world.drives.controls import velocity_control
from farhand.world.drives.drive import DriveArrays, Floats, instability, stable_share, top_velocities

__all__ = ["VelocityDrive", "VelocityGains", "check_velocity"]

FASTEST_VALVE_S = 0.002


class VelocityGains(Struct, frozen=True):
    """Gains of an arm's velocity drive.

    Args:
        loops: Of each joint.
        kv: Nm·s/rad (N·s/m) of each joint's valve.
        top: The velocity at which each joint's drive saturates.
    """

    loops: tuple[LoopGains, ...]
    kv: Floats
    top: Floats

    def stiffness(self) -> Floats:
        """Return Nm/rad (N/m) of each joint, without the integrator."""
        return np.asarray(self.kv * [loop.proportional for loop in self.loops])


class VelocityDrive:
    """Drives an arm by velocity actuators, whose gains are in the compiled model."""

    def __init__(self, gains: VelocityGains, arrays: DriveArrays) -> None:
        self._arrays = arrays
        rows = [
            (loop.proportional, loop.integral, loop.range, *_shares(loop, arrays.dt), kv, top)
            for loop, kv, top in zip(gains.loops, gains.kv.tolist(), gains.top.tolist(), strict=True)
        ]
        self._gains = np.array(rows, dtype=np.float64)

    def write(self, q: Floats, rates: Floats, forward: Floats) -> None:
        """Write the commands of the valves for this tick."""
        arrays = self._arrays
        velocity_control(
            arrays.ctrl, arrays.qpos, arrays.kept, arrays.actuators, arrays.at, arrays.dofs,
            self._gains, q, rates, forward, arrays.dt,
        )  # fmt: skip

    def hold(self) -> None:
        """Clear the integrators, and ask for no velocity."""
        self._arrays.kept[:] = 0.0
        self._arrays.ctrl[self._arrays.actuators] = 0.0


def check_velocity(placement: Placement, inertia: Floats, dt: float) -> VelocityGains:
    """Return the gains of an arm's velocity drive, refused if its loop would be unstable or oscillate for long.

    The loop around rest, with the offset d, the integrator s and the lagged value x: s' = s + dt·ki·d, w = −kp·d − s',
    x' = x + a·(w − x), y = r·w + (1 − r)·x', v' = (M + dt·kv)⁻¹·(M·v + dt·kv·y), d' = d + dt·v'; with the integrator at
    work and at its limit.

    Raises:
        DriveError: If there is not one set of gains for each joint, or the loop is not stable; gives stable gains.
    """
    joints, loops = placement.model.arm.joints, placement.drive.loops
    if not loops:
        loops = tuple(LoopGains() for _ in joints)
    if len(loops) != len(joints):
        raise DriveError(placement.name, f"drive.loops has {len(loops)} entries, the arm has {len(joints)} joints")
    for i, (loop, joint) in enumerate(zip(loops, joints, strict=True)):
        if loop.lead > 0.0 and loop.lag == 0.0:
            text = f"drive.loops[{i}] ({joint.label or joint.name}) has a lead but no lag; a lead needs a lag"
            raise DriveError(placement.name, text)
    problem = _instability(inertia, loops, dt)
    if problem:
        text = f"these gains of the velocity drive {problem} at a step of {dt * 1e3:g} ms"
        advice = _advice(inertia, loops, dt)
        raise DriveError(
            placement.name, f"{text}; stable with {advice}" if advice else f"{text}; no lower gains are stable"
        )
    return VelocityGains(loops, _valves(inertia, loops), top_velocities(joints))


def _shares(loop: LoopGains, dt: float) -> tuple[float, float]:
    """Return the share that passes the lead-lag at once, and the share of the rest that follows in one step."""
    return (loop.lead / loop.lag if loop.lag > 0.0 else 1.0), dt / (loop.lag + dt)


def _valves(inertia: Floats, loops: tuple[LoopGains, ...]) -> Floats:
    """Return kv of each joint's valve."""
    return np.asarray(np.diag(inertia) / np.array([loop.valve for loop in loops]))


def _instability(inertia: Floats, loops: tuple[LoopGains, ...], dt: float) -> str:
    """Return how an offset fails to settle, or an empty text."""
    kp = np.array([loop.proportional for loop in loops])
    ki = np.array([loop.integral if loop.range > 0.0 else 0.0 for loop in loops])
    shares, kv = np.array([_shares(loop, dt) for loop in loops]), _valves(inertia, loops)
    found = [instability(_step(inertia, (kp, some, shares, kv), dt)) for some in (ki, np.zeros_like(ki))]
    return found[0] or found[1]


def _step(inertia: Floats, gains: tuple[Floats, Floats, Floats, Floats], dt: float) -> Floats:
    """Return the map of one step, of the state (s, x, d, v)."""
    kp, ki, shares, kv = gains
    n = len(kp)
    s, x, d, v = (np.eye(n, 4 * n, k * n) for k in range(4))
    passed, caught = shares[:, :1], shares[:, 1:]
    s_next = s + (dt * ki)[:, None] * d
    raw = -kp[:, None] * d - s_next
    x_next = x + caught * (raw - x)
    y = passed * raw + (1.0 - passed) * x_next
    v_next = np.linalg.solve(inertia + np.diag(dt * kv), inertia @ v + (dt * kv)[:, None] * y)
    s_next[ki == 0.0] = 0.0  # an unused integrator has no dynamics
    return np.vstack([s_next, x_next, d + dt * v_next, v_next])


def _advice(inertia: Floats, loops: tuple[LoopGains, ...], dt: float) -> str:
    """Return stable alternatives, each tried by the same check; empty if there is none."""

    def weaker(share: float) -> str:
        return _instability(inertia, tuple(replace(loop, integral=share * loop.integral) for loop in loops), dt)

    def lower(share: float) -> str:
        scaled = (
            replace(loop, proportional=share * loop.proportional, integral=share * loop.integral) for loop in loops
        )
        return _instability(inertia, tuple(scaled), dt)

    remedies, usual = [], LoopGains().proportional
    if not _instability(
        inertia, tuple(replace(loop, proportional=max(loop.proportional, usual)) for loop in loops), dt
    ):
        remedies.append(f"proportional gains of {usual:g}")
    for restless, name in ((weaker, "integral gains"), (lower, "proportional and integral gains")):
        share = stable_share(restless)
        if share is not None:
            remedies.append(f"{100 * share:.2g} % of its {name}")
            break  # lowering the integral alone is enough
    if not _instability(inertia, tuple(replace(loop, valve=FASTEST_VALVE_S) for loop in loops), dt):
        remedies.append("a faster valve")
    if not _instability(inertia, tuple(replace(loop, lead=min(loop.lead, loop.lag)) for loop in loops), dt):
        remedies.append("a shorter lead")
    return ", or ".join(remedies)
