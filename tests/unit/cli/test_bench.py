"""The machinery of benchmarks, with trivial measurements."""

import math
import xml.etree.ElementTree as ET

import mujoco
import numpy as np
import pytest

from farhand.cli import main
from farhand.kinematics import SerialChain
from farhand_bench.arms import ARMS, many_joints
from farhand_bench.claims import verdicts
from farhand_bench.growth import Growth, plot
from farhand_bench.peers import available
from farhand_bench.peers.distance import mujoco_checker
from farhand_bench.peers.robots import mjcf_of, urdf_of
from farhand_bench.report import markdown
from farhand_bench.rows import Row
from farhand_bench.sampling import in_turns
from farhand_bench.scenes import arm_among, boxes, queries, random_boxes
from farhand_bench.wall import rates


def test_all_take_turns_and_slow_ones_get_fewer() -> None:
    seen: list[str] = []
    spent = in_turns({"a": lambda k: seen.append(f"a{k}"), "b": lambda k: seen.append(f"b{k}")}, 20, 4, {"b": 8})
    assert len(spent["a"]) == 20
    assert len(spent["b"]) == 8
    warm = 4
    assert seen[warm : warm + 8] == ["a0", "a1", "a2", "a3", "a4", "b0", "b1", "a5"]


def test_a_picture_counts_in_the_second_whose_frame_shows_it_and_parts_of_seconds_are_left_out() -> None:
    frames = [(500.0 + 100.0 * k, ["front"] if k % 2 else [], True) for k in range(26)]
    assert rates(frames, "front") == [5.0, 5.0]
    assert rates(frames, "rear") == [0.0, 0.0]
    assert rates(frames, None) == [9.0, 10.0]


def test_peers_that_cannot_be_built_are_named() -> None:
    def missing() -> int:
        raise ImportError("no module named 'magic'")

    peers, lines = available({"one": lambda: 1, "magic": missing})
    assert peers == {"one": 1}
    assert lines == ["magic: ImportError: no module named 'magic'"]


def test_without_peers_the_command_says_how_to_get_them(
    capsys: pytest.CaptureFixture[str], tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    monkeypatch.setattr("farhand.cli.bench.find_spec", lambda _: None)
    assert main(["bench", "ik", "--peers"]) == 2
    assert "run `make bench-peers`, which installs them into .venv-peers" in capsys.readouterr().err


def test_results_are_a_page_with_machine_versions_and_rows() -> None:
    rows = {"ik": [Row("ours", 1.5, 2.0, "µs", "≤ 2"), Row("  peer", 3.0, 4.0, "µs"), Row("  gone", math.nan, 1, "")]}
    growth = [Growth("boxes", (10, 100), {"touches": (1.0, 5.0)})]
    page = markdown(rows, growth)
    assert "| **ours** | 1.5 | 2 | µs | ≤ 2 |" in page
    assert "| peer | 3 | 4 | µs |  |" in page
    assert "| gone |  | 1 |  |  |" in page
    assert "| touches, µs | 1 | 5 |" in page
    assert "numba" in page
    drawing = ET.fromstring(plot(growth))
    assert drawing.tag.endswith("svg")
    assert "touches" in plot(growth)


def test_verdicts_hold_ours_against_peers() -> None:
    rows = {
        "servo": [
            Row("servo step: position, velocity", 2.0, 3.0, "µs"), Row("  placo, limits", 3.0, 4.0, "µs"),
            Row("servo step that avoids", 10.0, 3.0, "µs"), Row("  mink (daqp), limits and", 200.0, 1.0, "µs"),
        ],
        "distance": [
            Row("collision check of the arm", 2.0, 3.0, "µs"), Row("  coal: different results", 1.0, 1.0, "", "0"),
        ],
    }  # fmt: skip
    assert verdicts(rows) == [
        "| servo step, than placo | ≥ 1.5 times | 2 µs | 3 µs | 1.5 | yes |",
        "| servo step avoiding 50 boxes, than mink | ≥ 25 times | 10 µs | 200 µs | 20 | **no** |",
        "| collision check, than MuJoCo | ≥ 2.5 times | 2 µs | not available | | |",
        "| collision check, than coal with broad phase | ≥ 7 times | 2 µs | not available | | |",
        "| results that differ from coal's in 10,000 | 0 | 1 | | | **no** |",
    ]


@pytest.mark.parametrize("name", ARMS)
def test_peers_get_the_same_arm(name: str) -> None:
    chain, rng = ARMS[name](), np.random.default_rng(1)
    twins = [
        SerialChain.from_model(mujoco.MjModel.from_xml_string(mjcf_of(chain)), "world", "tip"),
        SerialChain.from_model(mujoco.MjModel.from_xml_string(_urdf(chain)), "world", "tip"),
    ]
    for twin in twins:
        for _ in range(10):
            q = rng.uniform(chain.lower, chain.upper)
            np.testing.assert_allclose(twin.forward(q), chain.forward(q), atol=1e-6)


def _urdf(chain: SerialChain) -> str:
    flags = '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco></robot>'
    return urdf_of(chain).replace("</robot>", flags)


def test_mujoco_gives_the_same_answers_in_the_measured_scene() -> None:
    clearance = arm_among(boxes())
    touches, distance = mujoco_checker(clearance)
    Q = np.random.default_rng(5).uniform(clearance.chain.lower, clearance.chain.upper, (1000, 6))
    mine = clearance.distances(Q)
    assert [touches(q) for q in Q] == (mine <= 0.0).tolist()
    for k in np.flatnonzero(mine > 1e-3)[:20]:
        assert distance(Q[k]) == pytest.approx(min(mine[k], 1.0), abs=1e-5)


def test_scenes_are_as_dense_as_they_say() -> None:
    assert len(boxes(3, 50)) == 51
    assert len(random_boxes(200)) == 200
    clearance = arm_among(boxes())
    for a, b in queries(clearance, 2, seed=1):
        assert min(clearance.distance(a).distance, clearance.distance(b).distance) > 0.004
    assert many_joints(9).n == 9
