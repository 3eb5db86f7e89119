"""The hand and the port it holds on to: stable in every step, and never given more energy than it put in."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.masters.modelled_hand import HANDS, HandState, ModelledHand, move_hand
from farhand.masters.passivity import Port, PortMemory
from farhand.poses import IDENTITY, Pose, from_rotation_vector, rotation_vector
from farhand.types import Twist

DT = 0.002
NONE = (0.0,) * 6
PRESETS = st.sampled_from(sorted(HANDS))
STEPS = st.sampled_from([1e-5, 1e-3, DT, 0.02])
SEEDS = st.integers(0, 2**32 - 1)


def run(
    hand: ModelledHand,
    seconds: float,
    wrench: tuple[float, ...] = NONE,
    state: HandState | None = None,
    aim: Pose = IDENTITY,
    dt: float = DT,
    mass: float = 0.0,
    friction: float = 0.0,
) -> HandState:
    """Return a hand that means to be at one place, after a while under a wrench."""
    state = state or HandState(IDENTITY)
    for _ in range(round(seconds / dt)):
        state = move_hand(hand, state, aim, Twist(), wrench, dt, mass=mass, friction=friction)
    return state


@pytest.mark.parametrize("name", sorted(HANDS))
def test_a_push_moves_it_by_force_over_stiffness(name: str) -> None:
    hand = HANDS[name]
    state = run(hand, 5.0, (2.0, 0.0, -1.0, 0.0, 0.1, 0.0), mass=0.1, friction=1.0)
    np.testing.assert_allclose(state.pose.position, np.array([2.0, 0.0, -1.0]) / hand.stiffness, rtol=1e-6)
    np.testing.assert_allclose(rotation_vector(state.pose.rotation), [0, 0.1 / hand.turn_stiffness, 0], rtol=1e-6)


def test_presets_match_measured_hands() -> None:
    assert sorted(HANDS, key=lambda name: HANDS[name].stiffness) == ["relaxed", "normal", "firm"]
    for hand in HANDS.values():
        assert 100.0 <= hand.stiffness <= 1000.0
        assert 0.3 < hand.damping / (2 * math.sqrt(hand.mass * hand.stiffness)) < 0.75
        assert 0.3 < hand.turn_damping / (2 * math.sqrt(hand.inertia * hand.turn_stiffness)) < 0.75


@pytest.mark.parametrize("name", sorted(HANDS))
def test_small_steps_are_the_equation_of_motion(name: str) -> None:
    """Released from rest x0 away, x'' = −ω²·x − 2ζω·x' has a closed form."""
    hand, x0, time = HANDS[name], 0.01, 0.1
    omega = math.sqrt(hand.stiffness / hand.mass)
    zeta = hand.damping / (2 * hand.mass * omega)
    damped = omega * math.sqrt(1 - zeta**2)
    wave = math.cos(damped * time) + zeta * omega / damped * math.sin(damped * time)
    state = run(hand, time, state=HandState(Pose((x0, 0.0, 0.0))), dt=1e-5)
    assert state.pose.position[0] == pytest.approx(x0 * math.exp(-zeta * omega * time) * wave, abs=2e-6)


@given(PRESETS, STEPS, SEEDS, st.floats(0.0, 1e4))
def test_it_is_stable_under_any_bounded_force(name: str, dt: float, seed: int, push: float) -> None:
    hand, rng, state = HANDS[name], np.random.default_rng(seed), HandState(IDENTITY)
    # no speed exceeds the one at which damping balances the push and the hand's strength
    fastest = (push + hand.strength) / hand.damping * (1 + 1e-9)
    for _ in range(200):
        force = (push * np.sign(rng.normal(size=3))).tolist()
        state = move_hand(hand, state, IDENTITY, Twist(), (*force, 0.0, 0.0, 0.0), dt, 0.05, 1e-4)
        assert max(map(abs, state.linear)) <= fastest
    # a push that the hand can bear leaves it near, and left alone it comes back
    near = HandState(IDENTITY)
    for _ in range(200):
        force = (0.5 * hand.strength * np.sign(rng.normal(size=3))).tolist()
        torque = (0.5 * hand.turn_strength * np.sign(rng.normal(size=3))).tolist()
        near = move_hand(hand, near, IDENTITY, Twist(), (*force, *torque), dt, 0.05, 1e-4)
        assert math.hypot(*near.pose.position) < 3.0 * hand.strength / hand.stiffness
    settled = run(hand, 3.0, state=near)
    np.testing.assert_allclose(settled.pose.position, 0.0, atol=1e-5)
    np.testing.assert_allclose(rotation_vector(settled.pose.rotation), 0.0, atol=1e-5)


@given(PRESETS, st.floats(1e-4, 0.1), st.tuples(*[st.floats(-0.2, 0.2)] * 3))
def test_left_alone_it_never_gains_energy(name: str, dt: float, away: tuple[float, float, float]) -> None:
    hand, state = HANDS[name], HandState(Pose(away), linear=(0.5, 0.0, -0.5))

    def energy(state: HandState) -> float:
        # beyond its strength the spring pulls steadily
        stretch, longest = math.hypot(*state.pose.position), hand.strength / hand.stiffness
        spring = 0.5 * min(stretch, longest) ** 2 + longest * max(stretch - longest, 0.0)
        return 0.5 * hand.mass * math.hypot(*state.linear) ** 2 + hand.stiffness * spring

    for _ in range(100):
        moved = move_hand(hand, state, IDENTITY, Twist(), NONE, dt)
        assert energy(moved) <= energy(state) + 1e-12
        state = moved


def test_it_follows_a_steady_motion_without_lagging_but_for_friction() -> None:
    hand, state, pace = HANDS["normal"], HandState(IDENTITY), Twist(linear=(0.1, 0.0, 0.0))
    for n in range(2000):
        aim = Pose((0.1 * DT * (n + 1), 0.0, 0.0))
        state = move_hand(hand, state, aim, pace, NONE, DT, friction=2.0)
    assert 0.1 * DT * 2000 - state.pose.position[0] == pytest.approx(2.0 * 0.1 / hand.stiffness, rel=1e-6)


def test_its_force_is_at_most_its_strength() -> None:
    hand = HANDS["relaxed"]
    held = move_hand(hand, HandState(IDENTITY), Pose((5.0, 0.0, 0.0)), Twist(), (-hand.strength, *NONE[1:]), DT)
    assert held.linear[0] == pytest.approx(0.0, abs=1e-12)


def test_it_turns_by_the_shorter_angle() -> None:
    aim = Pose(rotation=from_rotation_vector((0.0, 0.0, 3.0)))
    state = run(HANDS["firm"], 3.0, aim=aim, state=HandState(Pose(rotation=from_rotation_vector((0.0, 0.0, -3.0)))))
    np.testing.assert_allclose(np.abs(state.pose.rotation), np.abs(aim.rotation), atol=1e-6)


# ── the port ─────────────────────────────────────────────────────────────────────────────────────────────────────────

MASSES, AGILITY = (0.05, 0.05, 0.05, 1e-4, 1e-4, 1e-4), (60.0, 60.0, 60.0, 300.0, 300.0, 300.0)
PORT = Port(masses=MASSES, agility=AGILITY)


def bounded_motion(rng: np.random.Generator, velocity: Any, force: Any) -> Any:
    """Return the worst displacement within the port's bound, or a milder one."""
    m, a = np.array(MASSES), np.array(AGILITY)
    eager = rng.choice([1.0, 1.0, rng.uniform(-1, 1)])
    speeding = eager * np.sign(force) * (np.abs(force) / m + a)
    return velocity * DT + speeding * DT**2


@given(SEEDS, st.floats(0.1, 100.0))
def test_energy_never_sinks_below_the_slack_while_the_hand_keeps_to_the_bound(seed: int, strong: float) -> None:
    rng, memory = np.random.default_rng(seed), PortMemory()
    force, moved = np.zeros(6), np.zeros(6)
    for _ in range(400):
        wanted = rng.normal(size=6) * strong * [1, 1, 1, 0.01, 0.01, 0.01]
        exerted, memory = PORT.step(tuple(wanted.tolist()), tuple(moved.tolist()), DT, memory)
        assert memory.energy >= -PORT.slack * (1 + 1e-9)
        assert memory.store <= memory.energy + 1e-12
        # now and then an outside force changes the hand's speed before the tick, which the port measures
        velocity = np.array(memory.velocity)
        force = np.array(exerted)
        moved = bounded_motion(rng, velocity, force)
        if rng.uniform() < 0.05:
            moved = -np.sign(force) * np.abs(moved)  # pushing against it is always allowed


@given(SEEDS, st.floats(1.0, 100.0), st.floats(0.0, 1.0))
def test_a_hand_that_breaks_the_bound_takes_no_more_than_force_times_the_excess(
    seed: int, strong: float, wild: float
) -> None:
    rng, memory, moved, owed = np.random.default_rng(seed), PortMemory(), np.zeros(6), 0.0
    for _ in range(200):
        wanted = rng.normal(size=6) * strong
        exerted, memory = PORT.step(tuple(wanted.tolist()), tuple(moved.tolist()), DT, memory)
        assert memory.energy >= -PORT.slack - owed - 1e-9
        force, velocity = np.array(exerted), np.array(memory.velocity)
        moved = rng.normal(size=6) * wild * 0.01
        most = np.sign(force) * velocity * DT + (np.abs(force) / MASSES + np.array(AGILITY)) * DT**2
        owed += float(np.sum(np.abs(force) * np.maximum(np.sign(force) * moved - most, 0.0)))


@given(SEEDS)
def test_apart_from_damping_it_only_reduces_the_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    port = Port(masses=MASSES, agility=AGILITY, damping=0.0)
    store = float(rng.uniform(0, 0.1))
    memory = PortMemory(store, store, NONE, tuple(rng.normal(size=6).tolist()))
    wanted = tuple((10 * rng.normal(size=6)).tolist())
    exerted = port.allow(port.resist(wanted, DT, memory), DT, memory).force
    share = exerted[0] / wanted[0]
    assert 0.0 <= share <= 1.0
    np.testing.assert_allclose(exerted, share * np.array(wanted))


def test_a_passive_spring_is_not_changed() -> None:
    memory, x, most = PortMemory(), 0.0, 0.0
    way = 0.02 * np.sin(np.linspace(0, math.pi, 1000))
    for new in way:
        wanted = -200.0 * x
        exerted, memory = PORT.step((wanted, *NONE[1:]), (new - x, *NONE[1:]), DT, memory)
        x = new
        most = max(most, abs(exerted[0] - wanted))
    assert most < 0.05  # local damping of 1.25 N·s/m at up to 0.03 m/s
    assert memory.energy >= 0.0


def test_damping_restores_a_negative_store_and_never_reverses_the_motion() -> None:
    memory = PortMemory(-1e-3, -1e-3, NONE, (0.1, *NONE[1:]))
    resisted = PORT.resist((0.01, *NONE[1:]), DT, memory)
    assert resisted[0] == pytest.approx(0.01 - 0.05 * 0.1 / DT)  # all of it: m·v/dt stops the mass within the tick
    mild = PORT.resist((0.01, *NONE[1:]), DT, PortMemory(-1e-5, -1e-5, NONE, (0.1, *NONE[1:])))
    assert resisted[0] < mild[0] < 0.01
    assert PORT.resist(NONE, DT, memory) == NONE  # without a force there is no damping


def test_the_store_is_bounded() -> None:
    port, memory = Port(masses=(1.0,), agility=(1.0,), max_store=0.01), PortMemory(force=(-10.0,))
    memory = port.observe((0.1,), DT, memory)
    assert memory.energy == pytest.approx(1.0)
    assert memory.store == 0.01


def test_energy_put_into_the_robot_may_be_returned_to_the_hand_by_weight() -> None:
    port = Port(masses=(1.0,), agility=(1.0,), weight=10.0)
    memory = port.observe((0.0,), DT, PortMemory(), supplied=0.5)
    assert memory.energy == pytest.approx(0.05)  # at the hand a tenth of the motion or of the force
    assert port.robot_energy(memory) == pytest.approx(0.5)
    poor, rich = port.allow((50.0,), DT, PortMemory()), port.allow((50.0,), DT, memory)
    assert rich.force[0] == 50.0
    assert poor.force[0] < 20.0


@pytest.mark.parametrize("stiffness", [1e3, 1e4, 1e5, math.inf])
@pytest.mark.parametrize("name", sorted(HANDS))
@pytest.mark.parametrize("controlled", [True, False])
def test_a_wall_with_a_delay(name: str, stiffness: float, controlled: bool) -> None:
    """A hand hits a wall with one tick of delay: the port keeps it passive; without it a hard wall creates energy."""
    hand, port, state = HANDS[name], Port(masses=(0.05,), agility=(60.0,), damping=0.05), HandState(IDENTITY)
    memory, wanted, moved, least = PortMemory(), 0.0, 0.0, 0.0
    for _ in range(2000):
        force, memory = port.step((wanted,), (moved,), DT, memory)
        if not controlled:
            force = (wanted,)
            memory = PortMemory(memory.energy, memory.store, force, memory.velocity)
        least = min(least, memory.energy)
        after = move_hand(hand, state, Pose((0.01, 0.0, 0.0)), Twist(), (force[0], *NONE[1:]), DT, 0.05)
        moved, state = after.pose.position[0] - state.pose.position[0], after
        deep = max(state.pose.position[0] - 0.003, 0.0)
        wanted = -min(stiffness * deep, 1e3) if deep else 0.0
    if controlled:
        assert least >= -1e-3
        assert state.pose.position[0] < 0.003 + 0.007 * hand.stiffness / min(stiffness, 1e4) + 1e-3
        assert abs(state.linear[0]) < 1e-4
    elif stiffness > 1e4:
        assert least < -1e-3
