"""The hydraulic arm's controller: a position loop that asks for a velocity, and a valve that lets it flow.

For each joint, with e the position error::

    s  = s + ki·e·dt, kept within ±range          an integrator of limited range
    w  = kp·e + s                                 proportional
    u  = q̇* + (1 + lead·p)/(1 + lag·p)·w          lead-lag compensator (p: differentiation)
    u  = u, kept within ± the top velocity
    τ  = kv·(u − q̇) + feed-forward                what the valve does: kv = Mᵢᵢ / valve

The valve's loop is MuJoCo's velocity actuator, integrated implicitly; the loop around it is explicit, so
`check_velocity` refuses gains with which it would diverge, or swing for long.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.errors import DriveError
from farhand.world.blueprint import LoopGains, Placement
from farhand.world.drives.controls import velocity_control
from farhand.world.drives.drive import Floats, Wires, restlessness, share_that_calms, tops

__all__ = ["VelocityDrive", "VelocityGains", "check_velocity"]

QUICKEST = 0.002  # s: no valve is quicker


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
        """Return Nm/rad (N/m) of each joint, the integrator aside."""
        return np.asarray(self.kv * [loop.proportional for loop in self.loops])


class VelocityDrive:
    """Drives an arm by velocity actuators whose gains the compiled model has."""

    def __init__(self, gains: VelocityGains, wires: Wires) -> None:
        self._wires = wires
        rows = [
            (loop.proportional, loop.integral, loop.range, *_shares(loop, wires.dt), kv, top)
            for loop, kv, top in zip(gains.loops, gains.kv.tolist(), gains.top.tolist(), strict=True)
        ]
        self._gains = np.array(rows, dtype=np.float64)

    def write(self, q: Floats, rates: Floats, forward: Floats) -> None:
        """Tell the valves what to do in this tick."""
        wires = self._wires
        velocity_control(
            wires.ctrl, wires.qpos, wires.kept, wires.actuators, wires.at, wires.dofs,
            self._gains, q, rates, forward, wires.dt,
        )  # fmt: skip

    def hold(self) -> None:
        """Forget what was integrated, and ask for no velocity."""
        self._wires.kept[:] = 0.0
        self._wires.ctrl[self._wires.actuators] = 0.0


def check_velocity(placement: Placement, inertia: Floats, dt: float) -> VelocityGains:
    """Return the gains of an arm's velocity drive, refused if its loop would be unstable or swing for long.

    The loop around rest, with d the offset, s the integrator and x the lagged value: s' = s + dt·ki·d,
    w = −kp·d − s', x' = x + a·(w − x), y = r·w + (1 − r)·x', v' = (M + dt·kv)⁻¹·(M·v + dt·kv·y), d' = d + dt·v';
    with the integrator at work and at its limit.

    Raises:
        DriveError: If there is not one set of gains for each joint, or it would not come to rest; says what would do.
    """
    joints, loops = placement.model.arm.joints, placement.drive.loops
    if not loops:
        loops = tuple(LoopGains() for _ in joints)
    if len(loops) != len(joints):
        raise DriveError(placement.name, f"drive.loops has {len(loops)} entries, the arm has {len(joints)} joints")
    for i, (loop, joint) in enumerate(zip(loops, joints, strict=True)):
        if loop.lead > 0.0 and loop.lag == 0.0:
            text = f"drive.loops[{i}] ({joint.label or joint.name}) has a lead but no lag, and nothing can lead alone"
            raise DriveError(placement.name, text)
    problem = _restlessness(inertia, loops, dt)
    if problem:
        text = f"these gains of the velocity drive {problem} at a step of {dt * 1e3:g} ms"
        raise DriveError(placement.name, f"{text}; {_advice(inertia, loops, dt)}")
    return VelocityGains(loops, _valves(inertia, loops), tops(joints))


def _shares(loop: LoopGains, dt: float) -> tuple[float, float]:
    """Return what passes the lead-lag at once, and which share of the rest follows in one step."""
    return (loop.lead / loop.lag if loop.lag > 0.0 else 1.0), dt / (loop.lag + dt)


def _valves(inertia: Floats, loops: tuple[LoopGains, ...]) -> Floats:
    """Return kv of each joint's valve."""
    return np.asarray(np.diag(inertia) / np.array([loop.valve for loop in loops]))


def _restlessness(inertia: Floats, loops: tuple[LoopGains, ...], dt: float) -> str:
    """Say what an offset does that does not go away."""
    kp = np.array([loop.proportional for loop in loops])
    ki = np.array([loop.integral if loop.range > 0.0 else 0.0 for loop in loops])
    shares, kv = np.array([_shares(loop, dt) for loop in loops]), _valves(inertia, loops)
    found = [restlessness(_step(inertia, (kp, some, shares, kv), dt)) for some in (ki, np.zeros_like(ki))]
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
    s_next[ki == 0.0] = 0.0  # an integrator that nothing feeds neither grows nor shrinks
    return np.vstack([s_next, x_next, d + dt * v_next, v_next])


def _advice(inertia: Floats, loops: tuple[LoopGains, ...], dt: float) -> str:
    """Return what would do, each tried by the same check."""

    def weaker(share: float) -> str:
        return _restlessness(inertia, tuple(replace(loop, integral=share * loop.integral) for loop in loops), dt)

    def lower(share: float) -> str:
        scaled = (
            replace(loop, proportional=share * loop.proportional, integral=share * loop.integral) for loop in loops
        )
        return _restlessness(inertia, tuple(scaled), dt)

    remedies, usual = [], LoopGains().proportional
    if not _restlessness(
        inertia, tuple(replace(loop, proportional=max(loop.proportional, usual)) for loop in loops), dt
    ):
        remedies.append(f"proportional gains of {usual:g} would do")
    for restless, name in ((weaker, "integral gains"), (lower, "proportional and integral gains")):
        share = share_that_calms(restless)
        if share is not None:
            remedies.append(f"{100 * share:.2g} % of its {name} would do")
            break  # lowering both is more than is needed
    if not _restlessness(inertia, tuple(replace(loop, valve=QUICKEST) for loop in loops), dt):
        remedies.append("a quicker valve would do")
    if not _restlessness(inertia, tuple(replace(loop, lead=min(loop.lead, loop.lag)) for loop in loops), dt):
        remedies.append("a shorter lead would do")
    return ", or ".join(remedies) or "no lower ones would do either"
