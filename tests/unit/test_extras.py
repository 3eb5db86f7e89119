"""The engine runs without the packages of any extra; where one is missing, a sentence says how to install it."""

import json
import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest
from paths import ROOT

import farhand
from farhand.cli import main
from farhand.extras import EXTRAS, MissingExtraError, has_extra, require_extra

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# Distributions by import name, where the two differ.
DISTRIBUTIONS = {"zenoh": "eclipse-zenoh", "OpenGL": "pyopengl", "farhand_bench": "farhand-bench"}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^a-z0-9-]", requirement, maxsplit=1)[0] for requirement in requirements}


def without(*extras: str) -> str:
    """Return code that hides the packages of some extras from the imports that follow it."""
    hidden = [package for extra in extras for package in EXTRAS[extra]]
    return f"import sys; sys.modules.update(dict.fromkeys({hidden!r})); "


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, errors="replace", check=False)


def test_the_project_file_lists_the_packages_of_every_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(extras) == {*EXTRAS, "all"}
    for extra, packages in EXTRAS.items():
        listed = names(extras[extra]) - {"uvloop"}
        assert {DISTRIBUTIONS.get(package, package) for package in packages} <= listed
        assert not listed & names(PROJECT["dependencies"])


def test_the_lock_files_agree_and_name_no_download_address() -> None:
    versions: dict[str, dict[str, set[str]]] = {}
    for lock in ("engine", "run", "dev"):
        text = (ROOT / f"requirements/{lock}.txt").read_text()
        assert "://" not in text
        versions[lock] = {}
        for name, version in re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE):
            versions[lock].setdefault(name, set()).add(version)
    assert versions["engine"].items() <= versions["run"].items() <= versions["dev"].items()
    assert names(PROJECT["dependencies"]) <= versions["engine"].keys()
    optional = [name for extra in ("server", "voice", "cameras") for name in PROJECT["optional-dependencies"][extra]]
    assert names(optional) <= versions["run"].keys() - versions["engine"].keys()


def test_the_classifiers_name_the_versions_of_python_that_are_allowed() -> None:
    assert PROJECT["requires-python"] == ">=3.11"
    assert PROJECT["version"] == farhand.__version__
    found = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line]
    assert found == ["3.11", "3.12", "3.13"]


def test_a_missing_extra_is_an_import_error_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "server", ("no_such_package",))
    assert not has_extra("server")
    with pytest.raises(
        MissingExtraError, match=r"^the page needs the server: pip install 'farhand\[server\]'$"
    ) as caught:
        require_extra("server", "the page needs the server")
    assert isinstance(caught.value, ImportError)


@pytest.mark.parametrize(
    ("arguments", "extra", "sentence"),
    [
        (["run"], "server", "driving in the browser needs the server"),
        (["run", "--exam"], "cameras", "an exam shows camera pictures, which need the cameras' packages"),
        (
            ["join", "http://127.0.0.1:1/#token=x", "--master", "touch"],
            "server",
            "joining a running server needs the server's packages",
        ),
        (["bench", "ik"], "bench", "the benchmarks are a package of their own"),
    ],
)
def test_a_verb_says_what_it_misses(
    arguments: list[str],
    extra: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(EXTRAS, extra, ("no_such_package",))
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"farhand: {sentence}: pip install 'farhand[{extra}]'\n"


def test_the_engine_needs_no_extra() -> None:
    code = "import farhand.cell, farhand.cli.headless, farhand.distances, farhand.experiments, farhand.formats.read; "
    code += "import farhand.kinematics, farhand.loop, farhand.planning, farhand.tuning, farhand.voice.vocabulary; "
    code += "import json; print(json.dumps(sorted({m.partition('.')[0] for m in sys.modules if sys.modules[m]})))"
    done = run(without("server", "voice", "cameras", "bench") + code)
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout))
    assert not loaded & {package for packages in EXTRAS.values() for package in packages}


@pytest.mark.parametrize("module", ["farhand.client", "farhand.server.gateway.app"])
def test_a_program_that_imports_the_server_is_told_too(module: str) -> None:
    done = run(without("server") + f"import {module}")
    last = done.stderr.splitlines()[-1]
    package = ".".join(module.split(".")[:2])
    assert (
        last
        == f"farhand.extras.MissingExtraError: {package} needs the server's packages: pip install 'farhand[server]'"
    )


def test_the_picture_process_says_that_cameras_are_not_installed() -> None:
    code = "from farhand.server.pictures import picture_process; sys.exit(picture_process.main())"
    done = run(without("cameras") + code)
    assert "Camera pictures are not installed on the server: pip install 'farhand[cameras]'" in done.stdout
    assert done.returncode == 1
