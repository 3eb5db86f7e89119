"""The physics world: accuracy, edits with state kept, sleep, divergence, snapshots, contact."""

import math
import re

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from toys import still, toy_arm, toy_world
from worded import worded

from farhand.errors import DriveError, UnknownNameError, WorldError
from farhand.formats.model import RobotModel
from farhand.poses import Pose
from farhand.types import AddObject, MoveObject, ObjectSpec, RemoveObject, Setpoint, State
from farhand.world import CellWorker, DriveSpec, Placement, Posture, World, compile_world, edited
from farhand.world.blueprint import Blueprint
from farhand.world.build import compile_model
from farhand.world.object_kinds import check_object
from farhand.world.runaway import bounds_of, keep_if_good

HOME = still(0.0, -0.4, 0.9)
BOX = ObjectSpec(name="box", size=(0.1, 0.1, 0.1), position=(1.0, 0.5, 0.05), mass=0.5)


def hold(world: World, seconds: float, setpoint: Setpoint = HOME, **loads: tuple[float, float, float]) -> State:
    for _ in range(round(seconds / world.dt)):
        state, notes = world.step({"arm": {"arm": setpoint}}, loads)
        assert notes == ()
    return state


def off_by(state: State, setpoint: Setpoint = HOME) -> float:
    there = state.robots["arm"].groups["arm"].positions
    return math.degrees(max(abs(a - b) for a, b in zip(there, setpoint.positions, strict=True)))


def test_the_drive_holds_exactly_against_gravity() -> None:
    assert off_by(hold(World.of(toy_world()), 1.0)) < 1e-3


def test_without_feedforward_the_drive_sags() -> None:
    placement = Placement("arm", toy_arm(), drive=DriveSpec(feedforward=False))
    assert off_by(hold(World.of(toy_world(robots=(placement,))), 1.0)) > 0.01


@pytest.mark.parametrize("drive", [DriveSpec(), DriveSpec(kind="pid", gains=((2000.0, 0.0, 60.0),) * 3)])
def test_one_robot_can_go_without_feedforward_for_a_while(drive: DriveSpec) -> None:
    robots = (Placement("arm", toy_arm(), drive=drive), Placement("other", toy_arm(), Pose((0.0, 2.0, 0.0)), drive))
    world, told = World.of(toy_world(robots=robots)), {"arm": {"arm": HOME}, "other": {"arm": HOME}}
    for _ in range(500):
        state, _ = world.step(told, without_feedforward=("arm",))
    assert off_by(state) > 0.01
    assert state.robots["other"].groups["arm"].positions == pytest.approx(HOME.positions, abs=1e-4)
    for _ in range(500):
        state, _ = world.step(told)
    assert off_by(state) < 0.01


# Springs, dampers and dry friction, as files give them to joints.
STIFF = 'damping="5" frictionloss="2" stiffness="3"'


@pytest.mark.parametrize("joints", ['damping=".1"', STIFF])
def test_a_fast_motion_is_followed(joints: str) -> None:
    arm = replace(toy_arm(), mjcf=toy_arm().mjcf.replace('damping=".1"', joints))
    world, worst = World.of(toy_world(robots=(Placement("arm", arm),))), 0.0
    for k in range(2000):
        t = k * world.dt
        q = [c + 0.5 * (1 - math.cos(3 * t)) * s for c, s in zip(HOME.positions, (1, -1, 1), strict=True)]
        v = [1.5 * math.sin(3 * t) * s for s in (1, -1, 1)]
        a = [4.5 * math.cos(3 * t) * s for s in (1, -1, 1)]
        target = Setpoint(tuple(q), tuple(v), tuple(a))
        state, _ = world.step({"arm": {"arm": target}})
        worst = max(worst, off_by(state, target) if k > 5 else 0.0)
    assert worst < (0.1 if joints != STIFF else 0.2)


def test_objects_fall_come_to_rest_and_sleep() -> None:
    shapes = (
        ObjectSpec(name="box", size=(0.1, 0.1, 0.1), position=(1, 0, 0.2)),
        ObjectSpec(name="can", shape="cylinder", size=(0.04, 0.1), position=(1, 0.3, 0.2)),
        ObjectSpec(name="ball", shape="sphere", size=(0.05,), position=(1, 0.6, 0.2)),
        ObjectSpec(name="pill", shape="capsule", size=(0.03, 0.1), position=(1, 0.9, 0.2)),
    )
    state = hold(World.of(toy_world(objects=shapes)), 6.0)
    assert state.asleep == {"box", "can", "ball", "pill"}
    assert state.objects["box"].position[2] == pytest.approx(0.05, abs=1e-3)
    assert state.objects["ball"].position[2] == pytest.approx(0.05, abs=1e-3)


def test_a_sleeping_object_wakes_when_touched() -> None:
    world = World.of(toy_world(objects=(BOX,)))
    assert hold(world, 2.0).asleep == {"box"}
    world.move_object(MoveObject("box", Pose((1.0, 0.5, 0.5))))
    falling, _ = world.step({})
    assert falling.asleep == frozenset()
    assert hold(world, 0.5).objects["box"].position[2] < 0.06


def test_edits_keep_the_state_of_everything_else() -> None:
    world = World.of(toy_world(objects=(replace(BOX, position=(1.0, 0.5, 1.0)),)))
    moving = Setpoint((0.3, -0.4, 0.9), (0.5, 0.0, 0.0), (0.0, 0.0, 0.0))
    hold(world, 0.1, moving)
    before, blueprint = world.state, world.blueprint
    velocity = world._qvel.copy()
    world.swap(compile_world(edited(blueprint, AddObject(replace(BOX, name="second", position=(2, 2, 0.05))))))
    assert world.state.robots["arm"].groups["arm"].positions == before.robots["arm"].groups["arm"].positions
    assert world.state.objects["box"] == before.objects["box"]
    assert "second" in world.state.objects
    np.testing.assert_array_equal(np.sort(world._qvel[world._qvel != 0]), np.sort(velocity[velocity != 0]))
    world.swap(compile_world(edited(world.blueprint, RemoveObject("box"))))
    assert set(world.state.objects) == {"second"}
    assert world.state.robots["arm"].groups["arm"].positions == before.robots["arm"].groups["arm"].positions
    assert off_by(hold(world, 1.0)) < 1e-3


def test_an_edit_compiled_aside_gives_the_same_physics() -> None:
    edit = AddObject(replace(BOX, name="second", position=(1.0, 0.45, 0.3)))
    here, aside = World.of(toy_world(objects=(BOX,))), World.of(toy_world(objects=(BOX,)))
    hold(here, 0.1)
    hold(aside, 0.1)
    with CellWorker.open() as shop:
        ready = shop.finished(shop.compile(edited(aside.blueprint, edit)))
    assert ready.blueprint == edited(here.blueprint, edit)
    aside.swap(ready)
    here.swap(compile_world(edited(here.blueprint, edit)))
    assert hold(here, 1.0) == hold(aside, 1.0)


def follower() -> RobotModel:
    """Return the toy arm with a second, undriven finger that follows the first."""
    twin = """<body name="twin" pos=".33 -.03 0">
        <joint name="twin" type="slide" axis="0 -1 0" armature=".01" damping="1"/>
        <geom type="box" size=".02 .005 .01" mass=".02" contype="0" conaffinity="0"/></body><body name="finger\""""
    tied = '</worldbody><equality><joint joint1="twin" joint2="finger" polycoef="0 1 0 0 0"/></equality>'
    mjcf = toy_arm().mjcf.replace('<body name="finger"', twin).replace("</worldbody>", tied)
    return replace(toy_arm(), mjcf=mjcf, rest={"twin": 0.05})


@pytest.mark.parametrize("change", ["edit", "put", "reset"])
def test_follower_joints_keep_their_state(change: str) -> None:
    world = World.of(toy_world(robots=(Placement("arm", follower()),)))
    start, arm = world.rig("arm").posture(), {"arm": HOME}
    assert start.others == (0.05,)
    for _ in range(1000):
        world.step({"arm": {**arm, "gripper": still(0.02)}})
    before = world.rig("arm").posture()
    assert before.others[0] == pytest.approx(0.02, abs=1e-3)
    if change == "edit":
        world.swap(compile_world(edited(world.blueprint, AddObject(BOX))))
    elif change == "put":
        world.reset_robot("arm")
        world.put({"arm": before}, {})
    else:
        world.reset_robot("arm")
        before = start
    assert world.rig("arm").posture() == before


def test_robots_and_objects_are_placed_at_rest() -> None:
    world = World.of(toy_world(objects=(BOX, replace(BOX, name="other", position=(1.0, 1.0, 1.0)))))
    moving = Setpoint((0.3, -0.4, 0.9), (0.5, 0.0, 0.0), (0.0, 0.0, 0.0))
    hold(world, 0.1, moving)
    falling = world.state.objects["other"]
    posture, pose = Posture((0.3, 0.2, -0.1), (0.01,)), Pose((1.5, 0.5, 0.05))
    world.put({"arm": posture}, {"box": pose})
    assert world.rig("arm").posture() == posture
    assert world.state.objects == {"box": pose, "other": falling}
    assert not any(world.state.robots["arm"].groups["arm"].rates)
    world.step({})
    assert off_by(world.state, still(0.3, 0.2, -0.1)) < 0.1


def test_contacts_of_a_robot_are_known_by_name() -> None:
    lying = replace(BOX, name="lying", position=(2.0, 0.0, 0.05))
    leaning = replace(BOX, name="leaning", position=(-0.0999, 0.0, 0.05))
    on_top = replace(BOX, name="on top", position=(0.55, 0.0, 0.579))
    flat = tuple(replace(j, home=0.0) for j in toy_arm().arm.joints)
    model = replace(toy_arm(), arm=replace(toy_arm().arm, joints=flat))
    world = World.of(toy_world(robots=(Placement("arm", model),), objects=(lying, leaning, on_top)))
    hold(world, 0.01, still(0.0, 0.0, 0.0))  # not for longer: sleeping objects have no contacts
    touching = {frozenset((c.first, c.second)) for c in world.contacts()}
    assert {frozenset(("floor", "lying")), frozenset(("arm/base", "leaning"))} <= touching
    assert world.touched_by("arm") == ("on top",)


def test_impossible_edits_are_refused() -> None:
    blueprint = toy_world(objects=(BOX,))
    with pytest.raises(UnknownNameError, match=r"no object is called 'bax' \(did you mean 'box'\?\)"):
        edited(blueprint, RemoveObject("bax"))
    with pytest.raises(WorldError, match="the name 'box' is taken"):
        edited(blueprint, AddObject(BOX))
    with pytest.raises(WorldError, match="a sphere needs the radius as its size, found 3 numbers"):
        edited(blueprint, AddObject(replace(BOX, name="ball", shape="sphere")))


BAD_OBJECTS = [
    replace(BOX, name=""),
    replace(BOX, name="a/b"),
    replace(BOX, size=(0.1, 0.1, -0.1)),
    replace(BOX, size=(0.1, math.nan, 0.1)),
    replace(BOX, mass=-1.0),
    replace(BOX, mass=math.nan),
    replace(BOX, friction=math.inf),
    replace(BOX, position=(math.nan, 0.0, 0.0)),
    replace(BOX, rotation=(0.0, 0.0, 0.0, 0.0)),
    replace(BOX, colour=(2.0, 0.0, 0.0, 1.0)),
    replace(BOX, shape="mesh"),
]


@pytest.mark.parametrize("bad", BAD_OBJECTS)
def test_invalid_objects_are_refused(bad: ObjectSpec) -> None:
    assert check_object(bad)


def test_divergence_freezes_at_the_last_good_state() -> None:
    world = World.of(toy_world(objects=(BOX,)))
    good = hold(world, 0.5)
    world._qvel[world.compiled.index.objects[0].dof + 5] = 1e12
    state, notes = world.step({"arm": {"arm": HOME}})
    arm, last = state.robots["arm"].groups["arm"], good.robots["arm"].groups["arm"]
    assert (state.objects, arm.positions) == (good.objects, last.positions)
    assert not any(arm.rates)
    assert notes[0].level == "fault"
    assert "the box" in worded(notes[0])
    assert world.step({"arm": {"arm": HOME}}) == (state, (notes_of(world),))
    world.reset_objects()
    assert off_by(hold(world, 0.5)) < 1e-3
    assert world.state.objects["box"].position[2] == pytest.approx(0.05, abs=1e-3)


def notes_of(world: World) -> object:
    return world.step({})[1][0]


def test_a_snapshot_goes_on_to_the_bit() -> None:
    world = World.of(toy_world(objects=(replace(BOX, position=(0.5, 0.0, 1.5)), replace(BOX, name="other"))))
    hold(world, 0.3)
    snapshot = world.snapshot()
    first = [hold(world, 0.02) for _ in range(50)]
    world.restore(snapshot)
    assert [hold(world, 0.02) for _ in range(50)] == first


def test_contacts_have_their_own_forces() -> None:
    """A rocking slab: contacts come and go, and their present forces are those that accelerate it in the next step."""
    tilt, g, mass = (math.cos(0.05), math.sin(0.05), 0.0, 0.0), 9.81, 5.0
    slab = ObjectSpec(name="slab", size=(0.3, 0.3, 0.05), position=(2.0, 0.0, 0.06), rotation=tilt, mass=mass)
    world, counts = World.of(toy_world(objects=(slab,))), set()
    up = world.compiled.index.objects[0].rates.start + 2
    for _ in range(250):
        forces = [contact.force for contact in world.contacts() if "slab" in (contact.first, contact.second)]
        assert world.contact_marks()[:, 3].sum() == pytest.approx(sum(forces))
        speed = float(world._qvel[up])
        world.step({})
        pushed = mass * ((float(world._qvel[up]) - speed) / world.dt + g)
        assert sum(forces) == pytest.approx(pushed, rel=0.05, abs=0.5)
        counts.add(len(forces))
        if world.state.asleep:
            break
    assert len(counts) > 2


def test_a_diverging_robot_freezes_in_its_last_good_state() -> None:
    world = World.of(toy_world())
    hold(world, 0.2)
    sane = world.state.robots["arm"].groups["arm"].positions
    for _ in range(500):
        state, notes = world.step({"arm": {"arm": HOME}}, {"arm": (0.0, 2e4, 1e5)})
        if notes:
            break
    assert "became unstable" in worded(notes[0])
    arm = state.robots["arm"].groups["arm"]
    assert arm.positions == pytest.approx(sane, abs=0.3)
    assert not any(arm.rates)
    assert state is world.state


def test_an_impossible_state_is_not_kept_as_good() -> None:
    joint = replace(toy_arm().arm.joints[0], lower=-1.0, upper=1.0, velocity=2.0)
    at, bounds = np.zeros(1, np.int64), bounds_of([joint])
    kept = np.zeros(1), np.zeros(1)
    for q, rate, fine, keeps in (
        (0.5, 1.0, True, True),
        (1.05, 6.9, True, True),
        (1.2, 0.0, True, False),
        (0.0, 7.1, True, False),
        (0.0, -70.0, False, False),
        (math.nan, 0.0, False, False),
    ):
        for good in kept:
            good[:] = 9.0
        assert keep_if_good(np.array([q]), np.array([rate]), at, at, bounds, *kept) is fine
        assert (float(kept[0][0]), float(kept[1][0])) == ((q, rate) if keeps else (9.0, 9.0))


def test_the_tip_measures_contact_force() -> None:
    # A block of 2 kg let down on the outstretched forearm: the surroundings push the tip down with its weight.
    block = ObjectSpec(name="block", size=(0.1, 0.1, 0.05), position=(0.55, 0.0, 0.57), mass=2.0)
    flat = still(0.0, 0.0, 0.0)
    model = replace(
        toy_arm(), arm=replace(toy_arm().arm, joints=tuple(replace(j, home=0.0) for j in toy_arm().arm.joints))
    )
    world = World.of(toy_world(robots=(Placement("arm", model),), objects=(block,)))
    state = hold(world, 1.5, flat)
    robot = state.robots["arm"]
    assert robot.touching
    assert robot.contact.force[2] == pytest.approx(-2.0 * 9.81, rel=0.05)
    # The block lies behind the tip, so its weight turns about the y axis.
    lever = robot.T_base_tip.position[0] - state.objects["block"].position[0]
    assert robot.contact.torque[1] == pytest.approx(-lever * 2.0 * 9.81, rel=0.1)
    assert any({"arm/fore", "block"} == {c.first, c.second} for c in world.contacts())


def test_an_unknown_load_bends_the_drive_only_a_little() -> None:
    world = World.of(toy_world())
    loaded = off_by(hold(world, 1.0, HOME, arm=(0.0, 0.0, -20.0)))
    assert 0.005 < loaded < 0.1
    assert off_by(hold(world, 1.0, HOME, arm=(0.0, 0.0, 0.0))) < 1e-3


def test_the_gripper_opens_to_its_target() -> None:
    world = World.of(toy_world())
    for _ in range(1000):
        state, _ = world.step({"arm": {"arm": HOME, "gripper": still(0.02)}})
    assert state.robots["arm"].groups["gripper"].positions[0] == pytest.approx(0.02, abs=5e-4)


def test_two_robots_share_a_world() -> None:
    robots = (Placement("left", toy_arm()), Placement("right", toy_arm(), Pose((0.0, 2.0, 0.0))))
    world = World.of(toy_world(robots=robots))
    elsewhere = still(0.5, -0.2, 0.4)
    for _ in range(500):
        state, _ = world.step({"left": {"arm": HOME}, "right": {"arm": elsewhere}})
    assert state.robots["left"].groups["arm"].positions == pytest.approx(HOME.positions, abs=1e-4)
    assert state.robots["right"].groups["arm"].positions == pytest.approx(elsewhere.positions, abs=0.01)
    assert world.rig("right").T_world_base.position == (0.0, 2.0, 0.0)


# ── The papers' PID ──────────────────────────────────────────────────────────────────────────────────────────────


def with_armature(model: RobotModel, armature: float) -> RobotModel:
    return replace(model, mjcf=model.mjcf.replace('armature=".1"', f'armature="{armature}"'))


def pid(*gains: float, armature: float = 0.1) -> Placement:
    p, i, d = gains
    return Placement("arm", with_armature(toy_arm(), armature), drive=DriveSpec(kind="pid", gains=((p, i, d),) * 3))


def test_pid_holds_and_its_integral_takes_up_an_unknown_load() -> None:
    world = World.of(toy_world(robots=(pid(2000.0, 0.0, 60.0),)))
    assert off_by(hold(world, 1.0)) < 0.01
    without = off_by(hold(world, 2.0, HOME, arm=(0.0, 0.0, -20.0)))
    world = World.of(toy_world(robots=(pid(2000.0, 3000.0, 60.0),)))
    assert off_by(hold(world, 4.0, HOME, arm=(0.0, 0.0, -20.0))) < 0.2 * without


def test_gains_that_would_diverge_are_refused_and_the_advice_helps() -> None:
    with pytest.raises(DriveError, match="diverge at a step of 2 ms") as caught:
        compile_world(toy_world(robots=(pid(300.0, 0.1, 60.0, armature=0.0001),)))
    advice = float(str(caught.value).split(" kg·m² more rotor")[0].split(", or ")[-1])
    compile_world(toy_world(robots=(pid(300.0, 0.1, 60.0, armature=advice + 0.0002),)))


@pytest.mark.parametrize(
    ("gains", "lacking"),
    [
        ((2000.0, 0.0, 0.0), r"; stable with derivative gains of ([\d.e+]+, )+([\d.e+]+), or the position drive$"),
        ((2000.0, 9e5, 60.0), r"; stable with ([\d.e-]+) % of the integral gains, or the position drive$"),
        ((2000.0, 0.0, 9e4), r"; stable with ([\d.e-]+) % of the derivative gains, or [\d.e+]+ kg·m² more"),
        ((9e7, 0.0, 60.0), r"; stable with ([\d.e-]+) % of the proportional gains, or the position drive$"),
        ((9e7, 0.0, 9e4), r"; stable with ([\d.e-]+) % of all gains, or [\d.e+]+ kg·m² more"),
        (
            (1000.0, 0.0, 0.01),
            r"oscillate for long at .*; stable with derivative gains of ([\d.]+, )+([\d.]+)",
        ),
    ],
)
def test_the_suggested_gains_are_stable(gains: tuple[float, float, float], lacking: str) -> None:
    with pytest.raises(DriveError) as caught:
        compile_world(toy_world(robots=(pid(*gains),)))
    found = re.search(lacking, str(caught.value))
    assert found, str(caught.value)
    p, i, d = gains
    better: tuple[tuple[float, float, float], ...]
    if "derivative gains of" in found[0]:
        words = str(caught.value).split("gains of ")[1].split(", or")[0].split(", ")
        better = tuple((p, i, float(word)) for word in words)
    else:
        share, every = float(found[1]) / 100.0, "all" in found[0]
        k = (every or "proportional" in found[0], every or "integral" in found[0], every or "derivative" in found[0])
        p, i, d = (share * gain if low else gain for gain, low in zip(gains, k, strict=True))
        better = ((p, i, d),) * 3
    world = World.of(toy_world(robots=(replace(pid(*gains), drive=DriveSpec(kind="pid", gains=better)),)))
    assert off_by(hold(world, 1.0)) < 0.01


def test_gains_without_a_proportional_part_are_refused() -> None:
    with pytest.raises(DriveError, match=r"Turn has no proportional gain, so it would not reach its target"):
        compile_world(toy_world(robots=(pid(0.0, 0.0, 0.0),)))


@settings(max_examples=25)
@given(st.floats(10, 5000), st.floats(0, 50), st.floats(0.5, 200), st.sampled_from([0.001, 0.01, 0.1]))
def test_the_stability_check_agrees_with_the_simulation(p: float, i: float, d: float, armature: float) -> None:
    blueprint = toy_world(robots=(pid(p, i, d, armature=armature),))
    try:
        world = World.of(blueprint)
    except DriveError:
        return
    # Accepted: a small disturbance must not grow.
    world._qvel[:3] = 1e-3
    for _ in range(1500):
        state, notes = world.step({"arm": {"arm": HOME}})
        assert notes == ()
    assert off_by(state) < 2.0


def test_pid_needs_gains_for_every_joint() -> None:
    wrong = Placement("arm", toy_arm(), drive=DriveSpec(kind="pid", gains=((1.0, 0.0, 0.1),)))
    with pytest.raises(DriveError, match="for each of its 3 joints, found 1 sets"):
        compile_world(toy_world(robots=(wrong,)))


# ── Springs ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("stiffness", "mass"), [(1e3, 0.5), (1e4, 2.0), (1e5, 2.0), (1e6, 20.0)])
def test_springs_deflect_by_their_stiffness_and_return(stiffness: float, mass: float) -> None:
    spec = ObjectSpec(name="wall", size=(0.1, 0.3, 0.3), position=(0.2, 0.0, 0.5), mass=mass, stiffness=stiffness)
    model = compile_model(Blueprint((spec,)))
    data = mujoco.MjData(model)
    for axis in range(3):
        data.xfrc_applied[1] = 0.0
        data.xfrc_applied[1, axis] = 50.0
        for _ in range(3000):
            mujoco.mj_step(model, data)
        assert data.qpos[axis] == pytest.approx(50.0 / stiffness, rel=1e-3)
    data.xfrc_applied[1] = 0.0
    for _ in range(3000):
        mujoco.mj_step(model, data)
    assert data.xpos[1] == pytest.approx([0.2, 0.0, 0.5], abs=1e-4)  # such a slow motion puts it to sleep


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"stiffness": -1.0}, "stiffness must be 0"),
        ({"stiffness": 2e6}, "stiffness must be 0"),
        ({"stiffness": math.nan}, "stiffness must be 0"),
        ({"stiffness": 1e3, "damping": 3.0}, "damping must be 0 to 2"),
        ({"stiffness": 1e5, "mass": 0.1}, "springs of 100000 N/m need a mass of at least 1.7 kg, found 0.1"),
        ({"stiffness": 1e3, "mass": 0.0}, "need a mass of at least 0.017 kg, found 0"),
    ],
)
def test_invalid_springs_are_refused(changes: dict[str, float], problem: str) -> None:
    assert problem in check_object(replace(ObjectSpec(name="wall", size=(0.1, 0.3, 0.3)), **changes))
