"""Cell files: errors name the file, the field, the value found and the value expected."""

import math
import os
from pathlib import Path
from random import Random

import pytest

from farhand.cell import Cell
from farhand.errors import CellFileError, FarhandError, UnknownNameError

GOOD = """
name = "test"
speeds = [0.5, 1.0]
speed_level = 1

[robots.arm]
model = "irb120"
home = [0.0, 0.1, 0.2, 0.0, 0.5, 0.0]
mappings = { "tip" = { kind = "jog-tip", speed = 0.2 } }
attach = [{ link = "forearm", size = [0.04, 0.04, 0.04], position = [0.0, 0.0, 0.1], mass = 0.3 }]

[[robots.arm.filters]]
kind = "scale"

[[robots.arm.filters]]
kind = "workspace"
lower = [-1.0, -1.0, -0.5]
upper = [1.0, 1.0, 1.0]

[robots.arm.watchdog]
pause = 0.1

[masters.hand]
kind = "scripted"
steps = [{ seconds = 1.0, axes = [1.0] }]

[[world.objects]]
name = "box"
size = [0.1, 0.1, 0.1]
position = [0.5, 0.5, 0.05]

[[world.objects]]
name = "wedge"
shape = "mesh"
mesh = "wedge.stl"
position = [1.5, 0.5, 0.1]

[[world.objects]]
name = "lid"
size = [0.1, 0.1, 0.01]
position = [0.0, 0.0, 0.056]
mass = 0.02
parts = [{ shape = "cylinder", size = [0.005, 0.03], position = [0.0, 0.0, 0.02] }]
joint = { axis = [1.0, 0.0, 0.0], at = [0.0, 0.05, 0.0], range = [0.0, 1.5], friction = 0.01, on = "box" }

[[world.pieces]]
kind = "stairs"
name = "stair"
rise = 0.17
position = [3.0, 0.0, 0.0]
"""
WEDGE = """solid wedge
facet normal 0 0 -1 outer loop vertex 0 0 0 vertex 0 .1 0 vertex .1 0 0 endloop endfacet
facet normal 0 -1 0 outer loop vertex 0 0 0 vertex .1 0 0 vertex 0 0 .1 endloop endfacet
facet normal -1 0 0 outer loop vertex 0 0 0 vertex 0 0 .1 vertex 0 .1 0 endloop endfacet
facet normal 1 1 1 outer loop vertex .1 0 0 vertex 0 .1 0 vertex 0 0 .1 endloop endfacet
endsolid wedge
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "wedge.stl").write_text(WEDGE)
    return tmp_path


def write(folder: Path, text: str) -> Path:
    path = folder / "cell.toml"
    path.write_text(text)
    return path


def test_a_good_file_makes_a_cell(folder: Path) -> None:
    cell = Cell.load(write(folder, GOOD))
    assert set(cell.state.objects) == {"box", "wedge", "lid"}
    assert set(cell.state.joints) == {"lid"}
    assert "stair 5" in [item.name for item in cell.world.blueprint.objects]
    assert cell.lanes["arm"].home == (0.0, 0.1, 0.2, 0.0, 0.5, 0.0)
    assert set(cell.masters) == {"hand"}
    for _ in range(300):
        tick = cell.step()
    assert tick.notes == ()
    assert abs(tick.state.objects["wedge"].position[2]) < 1e-3


MISTAKES = [
    ('model = "irb120"', 'modle = "irb120"', "robots.arm: has no field 'modle'", "did you mean 'model'?"),
    ('model = "irb120"', 'model = "irb12"', "robots.arm.model", "did you mean 'irb120'?"),
    ('model = "irb120"', "model = 120", "robots.arm.model", "expected a text, not a whole number (found 120)"),
    ('model = "irb120"', 'model = "irb120"\ntool = "two-fingers"', "robots.arm.tool", "did you mean 'two-finger'?"),
    ("home = [0.0, 0.1", "home = [9.0, 0.1", "robots.arm.home[0]", "found 9, expected -2.879 to 2.879 (Turn)"),
    ("home = [0.0, 0.1", "home = [0.1", "robots.arm.home", "found 5 numbers, expected one for each of the 6 joints"),
    ("home = [0.0, 0.1", "home = [nan, 0.1", "robots.arm.home[0]", "found nan, expected a finite number"),
    ("speed_level = 1", "speed_level = 3", "speed_level", "found 3, but there are only 2 speeds"),
    ("speeds = [0.5, 1.0]", "speeds = [0.5, 1.5]", "speeds[1]", "expected a number of at most 1.0 (found 1.5)"),
    ('kind = "jog-tip"', 'kind = "jog-tpi"', "robots.arm.mappings.tip.kind", "did you mean 'jog-tip'?"),
    ("speed = 0.2", "sped = 0.2", "robots.arm.mappings.tip: has no field 'sped'", "did you mean 'speed'?"),
    ("speed = 0.2", "speed = -0.2", "robots.arm.mappings.tip.speed", "expected a number above 0.0 (found -0.2)"),
    ('kind = "scale"', 'kind = "scales"', "robots.arm.filters[0].kind", "did you mean 'scale'?"),
    ("upper = [1.0, 1.0", "upper = [1.0, -2.0", "robots.arm.filters[1].lower", "must be below upper y (-2.0)"),
    ("upper = [1.0, 1.0, 1.0]", "upper = [0.1, 1.0, 1.0]", "robots.arm.filters[1]", "the tip's x at home is 0."),
    (
        "[robots.arm.watchdog]",
        "[[robots.arm.filters]]\nkind = 'workspace'\nlower = [1.2, 0.0, 0.0]\nupper = [2.0, 1.0, 1.0]\n"
        "[robots.arm.watchdog]",
        "robots.arm.filters[2]",
        "leaves no room in x together with filters[1]: the two work areas do not overlap",
    ),
    *[
        (
            "[robots.arm.watchdog]",
            f"[[robots.arm.filters]]\nkind = 'fixture'\nname = 'z'\n{fixture}\n[robots.arm.watchdog]",
            "robots.arm.filters[2]: the tip at home is ",
            f"{words}; the robot could not start there",
        )
        for fixture, words in (
            ("act = 'keep-out'\nplane = [[1.2, 0, 0], [1, 0, 0]]", " mm beyond 'z', which keeps it out"),
            ("act = 'keep-in'\nplane = [[-1.2, 0, 0], [1, 0, 0]]", " mm beyond 'z', which keeps it in"),
            (
                "act = 'keep-out'\nline = [[0.4, 0, 0], [0.4, 0, 1]]\nmargin = 0.3",
                " mm inside 'z', margin included, which keeps it out",
            ),
            ("act = 'keep-in'\nline = [[0, 0, 0], [0, 0, 1]]\nmargin = 0.1", " mm outside 'z', which keeps it in"),
            ("act = 'keep-out'\nobject = 'box'\nmargin = 2", " mm inside 'z', margin included, which keeps it out"),
        )
    ],
    ("speeds = [0.5, 1.0]", "speeds = [1.0, 0.5]", "speeds", "expected rising values"),
    ("[robots.arm]", "[robots.arm]\nspeeds = [0.5, 0.5]", "robots.arm.speeds", "expected rising values"),
    ("[robots.arm]", "[robots.arm]\nscales = [1.0, 1.0]", "robots.arm.scales", "expected different values"),
    (
        "[robots.arm]",
        "[robots.arm]\nscales = [0.0]",
        "robots.arm.scales[0]",
        "expected a number of at least 0.02 (found 0.0)",
    ),
    (
        "[robots.arm.watchdog]",
        "[[robots.arm.filters]]\nkind = 'limits'\njerk = 0.0\n[robots.arm.watchdog]",
        "robots.arm.filters[2].jerk",
        "expected a number of at least 0.1 (found 0.0)",
    ),
    (
        "pause = 0.1",
        "pause = 0.1\nstop = 9.0",
        "robots.arm.watchdog.stop",
        "expected a number of at most 1.0 (found 9.0)",
    ),
    ("pause = 0.1", "pause = 0.5", "robots.arm.watchdog.pause", "expected a number of at most 0.2 (found 0.5)"),
    ('kind = "scripted"', 'kind = "script"', "masters.hand.kind", "did you mean 'scripted'?"),
    ("seconds = 1.0", "seconds = 0.0", "masters.hand.steps[0].seconds", "expected a number above 0.0"),
    ("axes = [1.0]", "axes = [2.0]", "masters.hand.steps[0].axes[0]", "expected a number of at most 1.0"),
    ("size = [0.1, 0.1, 0.1]", "size = [0.1]", "world.objects[0]", "a box needs three edge lengths as its size"),
    ('name = "box"', 'name = "arm"', "world.objects[0].name", "the name 'arm' is already taken"),
    ('name = "box"', 'name = "floor"', "world.objects[0].name", "the name 'floor' is already taken"),
    ('name = "box"', 'name = "world"', "world.objects[0].name", "the name 'world' is already taken"),
    ('name = "box"', 'name = "../x"', "world.objects[0].name", "is not a valid name"),
    ("wedge.stl", "wegde.stl", "world.objects[1].mesh", "'wegde.stl' cannot be read: No such file or directory"),
    ('shape = "mesh"', 'shape = "mash"', "world.objects[1].shape", "did you mean 'mesh'?"),
    ('link = "forearm"', 'link = "forarm"', "robots.arm.attach[0].link", "no link is called 'forarm'"),
    ("mass = 0.3", "mass = -1", "robots.arm.attach[0].mass", "expected a number of at least 0.0 (found -1)"),
    ("size = [0.04, 0.04, 0.04]", "size = [0.04]", "robots.arm.attach[0]", "a box needs three edge lengths"),
    ('on = "box"', 'on = "bax"', "world.objects[2]", "on names 'bax', but no object before it has that name"),
    ('on = "box"', 'follows = "box"', "world.objects[2]", "it follows 'box', which has no joint"),
    ("axis = [1.0, 0.0, 0.0]", "axis = [0, 0, 0]", "world.objects[2]", "joint: axis must have a direction"),
    ("range = [0.0, 1.5]", "range = [0.5, 1.5]", "world.objects[2]", "the first at most 0 and the second at least 0"),
    ("friction = 0.01", "friction = -1", "world.objects[2]", "joint: friction must be between 0 and 1e+06, found -1"),
    ("friction = 0.01", "spring = 1e4", "world", "object 'lid': its spring must be at most"),
    ("mass = 0.02", "mass = 0", "world.objects[2]", "needs a mass above 0"),
    ("mass = 0.02", "stiffness = 10.0", "world.objects[2]", "springs (stiffness) or a joint, not both"),
    ('shape = "cylinder"', 'shape = "mesh"', "world.objects[2]", "parts[0]: a part cannot be a mesh"),
    ("size = [0.005, 0.03]", "size = [0.005]", "world.objects[2]", "parts[0]: a cylinder needs radius and length"),
    ('kind = "stairs"', 'kind = "stair"', "world.pieces[0].kind", "did you mean 'stairs'?"),
    ("rise = 0.17", "rise = 0", "world.pieces[0].rise", "expected a number of at least 0.001 (found 0)"),
    ("rise = 0.17", "ryse = 0.17", "world.pieces[0]: has no field 'ryse'", "did you mean 'rise'?"),
    ('name = "stair"', 'name = "../x"', "world.pieces[0]", "is not a valid name"),
    ('name = "test"', 'name = "test"\nbased_on = "irb12"', "based_on", "did you mean 'irb120'?"),
    (
        'name = "test"',
        'name = "test"\nbased_on = "cell.toml"',
        "based_on",
        "more than 8 files are based",
    ),
    (
        'name = "test"',
        'name = "test"\nbased_on = 3',
        "based_on",
        "expected the name of a cell or the path",
    ),
    (
        "[masters.hand]",
        "[masters.left]\nkind = 'manual'\n[masters.hand]",
        "robots.arm.master",
        "expected one of left, hand",
    ),
    ('name = "test"', 'name = "test', "is not TOML", "line 2"),
]


@pytest.mark.parametrize(("right", "wrong", "field", "words"), MISTAKES)
def test_a_mistake_is_named(folder: Path, right: str, wrong: str, field: str, words: str) -> None:
    assert right in GOOD
    path = write(folder, GOOD.replace(right, wrong, 1))
    with pytest.raises(CellFileError) as caught:
        Cell.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert field in str(caught.value)
    assert words in str(caught.value)


def test_an_unstable_drive_is_refused(folder: Path) -> None:
    gains = ", ".join(["[9e5, 0, 9e4]"] * 6)
    drive = f'[robots.arm.drive]\nkind = "pid"\ngains = [{gains}]\n'
    with pytest.raises(CellFileError, match=r"robots.arm.drive: these PID gains diverge"):
        Cell.load(write(folder, GOOD + drive))


@pytest.mark.parametrize(
    ("drive", "joint", "needed"),
    [
        ("stiffness = [1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9]", "Turn", "a stiffness of at least 0"),
        ("stiffness = [1e4, 60, 1e4, 1e4, 1e4, 1e4]", "Shoulder", "a stiffness of at least 66.8"),
        ("stiffness = [1e4, 300, 1e4, 1e4, 1e4, 1e4]\nfeedforward = false", "Shoulder", "a stiffness of at least 334"),
        (f'kind = "pid"\ngains = [{", ".join(["[1, 0, 1]"] * 6)}]', "Shoulder", "a proportional gain of at least 66.8"),
    ],
)
def test_a_drive_that_is_too_soft_for_its_arm_is_refused(folder: Path, drive: str, joint: str, needed: str) -> None:
    words = rf"robots.arm.drive: too soft for {joint}, which carries up to .* of weight and .*; .*{needed}"
    with pytest.raises(CellFileError, match=words):
        Cell.load(write(folder, GOOD + f"[robots.arm.drive]\n{drive}\n"))


@pytest.mark.parametrize(
    ("limit", "least"),
    [("smooth", "acceleration"), ("smooth", "turn_braking"), ("limits", "jerk"), ("limits", "speed")],
)
def test_limits_with_which_nothing_would_move_are_refused(folder: Path, limit: str, least: str) -> None:
    path = write(folder, GOOD + f'[[robots.arm.filters]]\nkind = "{limit}"\n{least} = 1e-9\n')
    with pytest.raises(CellFileError, match=rf"robots.arm.filters\[\d\].{least}: expected a number of at least "):
        Cell.load(path)


SCALE = '{ kind = "scale" }'
WIDE = "lower = [-1, -1, 0], upper = [1, 1, 1]"
NOISY = "[robots.arm.wrist]\nforce_noise = 1\ntorque_noise = 0.1"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            f'filters = [{SCALE}, {{ kind = "workspace", {WIDE}, braking = 1e-9 }}]',
            "[1].braking: expected a number of at least 0.01",
        ),
        (
            f'filters = [{SCALE}, {{ kind = "compliance", threshold = 0.5 }}]\n{NOISY}',
            "filters[1].threshold: found 0.5 N, below the peaks of the wrist sensor's own noise "
            "(force_noise = 1 N): the arm would never stand still; expected 5 at least",
        ),
        (
            f'filters = [{SCALE}, {{ kind = "compliance", threshold = 20, torque = 0.2 }}]\n{NOISY}',
            "filters[1].torque: found 0.2 Nm, below",
        ),
        (
            "avoid = { keep = 0.2 }",
            "robots.arm.avoid.keep: found 0.2, but at home forearm is 187 mm from turret, which it must avoid",
        ),
    ],
)
def test_limits_that_contradict_each_other_or_home_are_refused(tmp_path: Path, more: str, said: str) -> None:
    path = tmp_path / "cell.toml"
    path.write_text(f'name = "test"\n[robots.arm]\nmodel = "irb120"\nposition = [0, 0, 0.6]\n{more}\n')
    with pytest.raises(CellFileError) as caught:
        Cell.load(path)
    assert said in str(caught.value)
    milder = (
        more.replace("1e-9", "0.01").replace("threshold = 0.5", "threshold = 5").replace("torque = 0.2", "torque = 0.5")
    )
    path.write_text(path.read_text().replace(more, milder.replace("keep = 0.2", "keep = 0.05")))
    Cell.load(path)


def test_the_papers_gains_drive_the_irb120(folder: Path) -> None:
    gains = "[[100, 0.01, 10], [100, 0.01, 10], [100, 0.01, 10], [500, 0.1, 1], [300, 0.1, 2], [700, 0.1, 1]]"
    cell = Cell.load(write(folder, GOOD + f'[robots.arm.drive]\nkind = "pid"\ngains = {gains}\n'))
    for _ in range(1000):
        tick = cell.step()
    there = tick.state.robots["arm"].groups["arm"].positions
    assert there == pytest.approx(cell.lanes["arm"].home, abs=math.radians(0.1))


def test_a_path_that_is_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"no cell is called 'irb12' \(did you mean 'irb120'\?\)"):
        Cell.load("irb12")
    with pytest.raises(CellFileError, match="cannot be read: No such file"):
        Cell.load(tmp_path / "none.toml")
    with pytest.raises(CellFileError, match="cannot be read: Is a directory"):
        Cell.load(tmp_path)
    (tmp_path / "large.toml").write_bytes(b"#" * (1 << 21))
    with pytest.raises(CellFileError, match="is larger than 1 MiB"):
        Cell.load(tmp_path / "large.toml")
    (tmp_path / "binary.toml").write_bytes(b"name = '\xff\xfe'")
    with pytest.raises(CellFileError, match="is not UTF-8 text"):
        Cell.load(tmp_path / "binary.toml")
    (tmp_path / "deep.toml").write_text("a = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(CellFileError, match="is not TOML"):
        Cell.load(tmp_path / "deep.toml")


@pytest.mark.parametrize("field", ["model", "mesh"])
@pytest.mark.parametrize("value", ["x" * 300, "a\\u0000b", "..", "/dev/null"])
def test_invalid_paths_are_refused(folder: Path, field: str, value: str) -> None:
    old = {"model": 'model = "irb120"', "mesh": 'mesh = "wedge.stl"'}[field]
    with pytest.raises(CellFileError):
        Cell.load(write(folder, GOOD.replace(old, f'{field} = "{value}"')))


def test_a_pipe_is_neither_a_mesh_nor_a_cell(folder: Path) -> None:
    os.mkfifo(folder / "pipe.stl")
    with pytest.raises(CellFileError, match="is not a regular file"):
        Cell.load(write(folder, GOOD.replace("wedge.stl", "pipe.stl")))
    os.mkfifo(folder / "pipe.toml")
    with pytest.raises(CellFileError, match="is not a regular file"):
        Cell.load(folder / "pipe.toml")


_VALUES = ["nan", "inf", "-1", "0", "1e308", "1e-308", "[]", "{}", "''", "true", "'x'", "[[1]]", "99999999999999999999"]


def mutated(random: Random, text: str) -> str:
    """Return the text with one thing wrong: a byte, a line, a value."""
    lines = text.splitlines()
    at = random.randrange(len(lines))
    kind = random.randrange(6)
    if kind == 0:
        lines.pop(at)
    elif kind == 1:
        lines.insert(at, lines[random.randrange(len(lines))])
    elif kind == 2 and "=" in lines[at]:
        lines[at] = lines[at].split("=")[0] + "= " + random.choice(_VALUES)
    elif kind == 3:
        place = random.randrange(len(text))
        return text[:place] + chr(random.randrange(1, 300)) + text[place + 1 :]
    elif kind == 4:
        return text[: random.randrange(len(text))]
    else:
        swap = random.randrange(len(lines))
        lines[at], lines[swap] = lines[swap], lines[at]
    return "\n".join(lines)


def loads_or_says_why(path: Path) -> bool:
    try:
        cell = Cell.load(path)
        cell.step()
    except FarhandError as error:
        said = str(error)
    else:
        return True
    assert len(said) > 10
    return False


@pytest.mark.parametrize("seed", range(4))
def test_a_mutated_file_never_ends_in_anything_but_a_clear_error(folder: Path, seed: int) -> None:
    random, outcomes = Random(seed), set()
    for _ in range(150):
        text = GOOD
        for _ in range(random.choice((1, 1, 2, 4))):
            text = mutated(random, text) or GOOD
        outcomes.add(loads_or_says_why(write(folder, text)))
    assert outcomes == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_mutated_files(folder: Path, seed: int) -> None:
    random = Random(seed)
    for _ in range(500):
        text = GOOD
        for _ in range(random.choice((1, 2, 4, 8))):
            text = mutated(random, text) or GOOD
        loads_or_says_why(write(folder, text))
