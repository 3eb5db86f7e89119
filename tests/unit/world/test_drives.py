"""Every drive holds, follows, saturates in torque and velocity, and is refused if it would be unstable."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from toys import still, toy_arm, toy_world

from farhand.errors import DriveError
from farhand.types import Setpoint
from farhand.world import DriveSpec, LoopGains, Placement, World, compile_world
from farhand.world.drives.position_drive import PositionGains

HOME = (0.0, -0.4, 0.9)
DRIVES = {
    "position": DriveSpec(),
    "pid": DriveSpec(kind="pid", gains=((2000.0, 100.0, 60.0),) * 3),
    "velocity": DriveSpec(kind="velocity"),
}


def world_with(drive: DriveSpec, **limits: float) -> World:
    """Return a world with the toy arm alone, with other joint limits if given."""
    model = toy_arm()
    joints = tuple(replace(joint, **limits) for joint in model.arm.joints)
    limited = replace(model, arm=replace(model.arm, joints=joints))
    return World.of(toy_world(robots=(Placement("arm", limited, drive=drive),), floor=False))


def rates_and_efforts(world: World, target: Setpoint, ticks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest rate and effort of each joint during a jump of the set-point."""
    rates, efforts = np.zeros(3), np.zeros(3)
    for _ in range(ticks):
        state, notes = world.step({"arm": {"arm": target}})
        assert notes == ()
        arm = state.robots["arm"].groups["arm"]
        rates, efforts = np.maximum(rates, np.abs(arm.rates)), np.maximum(efforts, np.abs(arm.efforts))
    return rates, efforts


def off(world: World, *there: float) -> float:
    arm = world.state.robots["arm"].groups["arm"].positions
    return max(abs(a - b) for a, b in zip(arm, there, strict=True))


@pytest.mark.parametrize("kind", DRIVES)
def test_velocity_saturates(kind: str) -> None:
    world = world_with(DRIVES[kind], velocity=0.8)
    rates, _ = rates_and_efforts(world, still(1.0, 0.2, 0.3), 1500)
    assert rates.max() < 1.1 * 0.8  # the coupling of the other joints adds a little in a step
    assert rates[0] > 0.7  # it did come up to it
    assert off(world, 1.0, 0.2, 0.3) < 0.02


@pytest.mark.parametrize("kind", DRIVES)
def test_torque_saturates(kind: str) -> None:
    world = world_with(DRIVES[kind], effort=14.0)
    _, efforts = rates_and_efforts(world, still(0.5, -0.4, 0.9), 400)
    assert efforts[0] == pytest.approx(14.0)
    assert efforts.max() <= 14.0
    assert off(world, 0.5, -0.4, 0.9) < 0.05


@pytest.mark.parametrize("kind", DRIVES)
def test_with_feedforward_the_arm_does_not_sag(kind: str) -> None:
    helped, alone = (world_with(replace(DRIVES[kind], feedforward=on)) for on in (True, False))
    for world in (helped, alone):
        for _ in range(50):
            world.step({"arm": {"arm": still(*HOME)}})
    assert off(helped, *HOME) < 1e-5
    assert off(alone, *HOME) > 10.0 * off(helped, *HOME)


@pytest.mark.parametrize("kind", ["pid", "velocity"])
def test_the_state_of_a_drive_is_part_of_the_physics(kind: str) -> None:
    world = world_with(DRIVES[kind])
    for _ in range(40):
        world.step({"arm": {"arm": still(0.05, -0.4, 0.9)}})
    saved = world.snapshot()
    first = [world.step({"arm": {"arm": still(*HOME)}})[0] for _ in range(30)]
    world.restore(saved)
    assert [world.step({"arm": {"arm": still(*HOME)}})[0] for _ in range(30)] == first
    assert np.abs(copy.copy(saved.data).userdata).max() > 0.0


# ── The position drive ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_damping_with_which_a_joint_would_not_settle_is_refused_and_the_advice_helps() -> None:
    for damping, why in ((1e9, "oscillate at every step"), (1e-9, "oscillate for long")):
        with pytest.raises(DriveError, match=rf"Nm·s/rad Turn would {why}; ") as caught:
            world_with(DriveSpec(damping=(damping,) * 3))
        least, most = (float(word) for word in str(caught.value).split("; ")[1].split(" is stable")[0].split(" to "))
        assert 0.0 < least < most < 1e9


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_an_arm_settles_after_an_impact_with_any_permitted_damping(share: float) -> None:
    bounds = []
    for joint in range(3):
        damping = [1e9 if k == joint else float(kd) for k, kd in enumerate(critical())]
        with pytest.raises(DriveError) as caught:
            world_with(DriveSpec(damping=tuple(damping)))
        words = str(caught.value).split("; ")[1].split(" is stable")[0].split(" to ")
        bounds.append((1.01 * float(words[0]), 0.99 * float(words[1])))
    world = world_with(DriveSpec(damping=tuple(low + share * (high - low) for low, high in bounds)))
    world._qvel[:3] = 1.0
    for _ in range(1500):
        state, _ = world.step({"arm": {"arm": still(*HOME)}})
    assert max(map(abs, state.robots["arm"].groups["arm"].rates)) < 0.01
    assert off(world, *HOME) < 0.01


def critical() -> np.ndarray:
    """Return the default damping of the toy arm."""
    gains = compile_world(toy_world(robots=(Placement("arm", toy_arm()),))).drives["arm"]
    assert isinstance(gains, PositionGains)
    return gains.kd


# ── The velocity drive ───────────────────────────────────────────────────────────────────────────────────────────────


def loaded(loop: LoopGains) -> float:
    """Return the final error under an unknown load of 5 N."""
    world = world_with(DriveSpec(kind="velocity", loops=(loop,) * 3))
    for _ in range(2000):
        world.step({"arm": {"arm": still(*HOME)}}, {"arm": (0.0, 0.0, -5.0)})
    return off(world, *HOME)


def test_the_integrator_takes_up_a_load_within_its_range_and_no_further() -> None:
    gains = LoopGains(range=1.0)
    without, within = loaded(replace(gains, integral=0.0)), loaded(gains)
    assert within < 0.02 * without
    assert 0.3 * without < loaded(replace(gains, range=0.02)) < 0.98 * without


def test_the_lead_lag_compensates_the_valves_delay() -> None:
    """With a slow valve the loop rings; a lead that compensates the valve damps it."""
    slow = LoopGains(proportional=25.0, integral=0.0, valve=0.05, lead=0.0, lag=0.0)
    peaks = []
    for loop in (slow, replace(slow, lead=0.05, lag=0.005)):
        world = world_with(DriveSpec(kind="velocity", loops=(loop,) * 3))
        turned = []
        for _ in range(500):
            state, _ = world.step({"arm": {"arm": still(0.02, -0.4, 0.9)}})
            turned.append(state.robots["arm"].groups["arm"].positions[0])
        peaks.append(max(turned) / 0.02 - 1.0)
    assert peaks[0] > 0.15
    assert peaks[1] < 0.02


def test_the_integrator_waits_while_the_velocity_saturates() -> None:
    world = world_with(DriveSpec(kind="velocity", loops=(LoopGains(integral=200.0, range=1.0),) * 3), velocity=0.3)
    turned = []
    for _ in range(2500):
        state, _ = world.step({"arm": {"arm": still(0.6, -0.4, 0.9)}})
        turned.append(state.robots["arm"].groups["arm"].positions[0])
    assert max(turned) < 0.6 * 1.05
    assert turned[-1] == pytest.approx(0.6, abs=1e-3)


def test_impossible_gains_are_refused_and_the_advice_helps() -> None:
    wild = LoopGains(proportional=9000.0, integral=400.0)
    with pytest.raises(DriveError, match="velocity drive diverge at a step of 2 ms") as caught:
        world_with(DriveSpec(kind="velocity", loops=(wild,) * 3))
    share = float(str(caught.value).split("stable with ")[1].split(" ")[0]) / 100.0
    tame = replace(wild, proportional=share * 9000.0, integral=share * 400.0)
    world_with(DriveSpec(kind="velocity", loops=(tame,) * 3))


def test_the_error_of_a_loop_with_too_much_integral_says_so() -> None:
    overrun = LoopGains(proportional=0.5, integral=200.0)
    with pytest.raises(
        DriveError, match=r"; stable with proportional gains of 15, or .* % of its integral gains"
    ) as caught:
        world_with(DriveSpec(kind="velocity", loops=(overrun,) * 3))
    share = float(str(caught.value).split(" % of its integral")[0].split(" ")[-1]) / 100.0
    world_with(DriveSpec(kind="velocity", loops=(replace(overrun, integral=share * overrun.integral),) * 3))


@pytest.mark.parametrize(
    ("loops", "words"),
    [
        ((LoopGains(),), r"drive.loops has 1 entries, the arm has 3 joints"),
        ((LoopGains(lag=0.0),) * 3, r"drive.loops\[0\] \(Turn\) has a lead but no lag"),
    ],
)
def test_loops_must_fit(loops: tuple[LoopGains, ...], words: str) -> None:
    with pytest.raises(DriveError, match=words):
        compile_world(toy_world(robots=(Placement("arm", toy_arm(), drive=DriveSpec(kind="velocity", loops=loops)),)))


@settings(max_examples=25, deadline=None)
@given(st.floats(1, 5000), st.floats(0, 3000), st.floats(0, 0.05), st.floats(0.001, 0.05), st.floats(0.002, 0.1))
def test_the_stability_check_agrees_with_the_simulation(
    proportional: float, integral: float, lead: float, lag: float, valve: float
) -> None:
    loop = LoopGains(proportional=proportional, integral=integral, range=0.5, lead=lead, lag=lag, valve=valve)
    try:
        world = world_with(DriveSpec(kind="velocity", loops=(loop,) * 3))
    except DriveError:
        return
    # Accepted: a small disturbance must not grow.
    world._qvel[:3] = 1e-3
    for _ in range(1000):
        _, notes = world.step({"arm": {"arm": still(*HOME)}})
        assert notes == ()
    assert off(world, *HOME) < 0.02
