"""Reads many damaged robot files in one process with limits, and reports what was not a sentence.

Run as a script: ``fuzz_batch.py FOLDER SEED COUNT``. Prints each case's number before it starts, so that a crash shows
which one it was, and at the end a line ``done N worked M refused``; other outcomes are lines that begin with ``bad``.
"""

from __future__ import annotations

import random
import re
import resource
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

from farhand.errors import RobotFileError
from farhand.formats import read_robot

_NUMBERS = ("nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "", "text", "0", "-1", "9" * 400, "1e9", "0x10", "1,5")
_NUMBER = re.compile(rb"-?\d+\.?\d*(?:e-?\d+)?")
_TAG = re.compile(rb"<[^<>]*>")
_WORD = re.compile(rb"[A-Za-z_]{3,}")


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def damaged(data: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        data = dice.choice((_flip, _number, _number, _tag, _tag, _cut, _word, _splice))(data, dice)
    return data


def _flip(data: bytes, dice: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        if out:
            out[dice.randrange(len(out))] = dice.randrange(256)
    return bytes(out)


def _number(data: bytes, dice: random.Random) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    one = dice.choice(found)
    return data[: one.start()] + dice.choice(_NUMBERS).encode() + data[one.end() :]


def _tag(data: bytes, dice: random.Random) -> bytes:
    found = list(_TAG.finditer(data)) or list(re.finditer(rb"[^\n]*\n", data))
    one = dice.choice(found) if found else None
    if one is None:
        return data
    if dice.random() < 0.5:
        return data[: one.start()] + data[one.end() :]
    return data[: one.end()] + one.group() + data[one.end() :]


def _cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _word(data: bytes, dice: random.Random) -> bytes:
    found = list(_WORD.finditer(data))
    if len(found) < 2:
        return data
    one, other = dice.choice(found), dice.choice(found)
    return data[: one.start()] + other.group() + data[one.end() :]


def _splice(data: bytes, dice: random.Random) -> bytes:
    a, b = sorted(dice.randrange(len(data) + 1) for _ in range(2))
    at = dice.randrange(len(data) + 1)
    return data[:at] + data[a : min(b, a + 300)] + data[at:]


def main() -> None:
    folder, seed, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("error")
    dice = random.Random(seed)
    names = [p for p in sorted(folder.iterdir()) if p.suffix in {".urdf", ".xml", ".toml", ".stl", ".obj", ".dae"}]
    worked = refused = 0
    with tempfile.TemporaryDirectory() as scratch:
        for case in range(count):
            _say("case", case)
            place = Path(scratch) / "robot"
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(folder, place)
            name = dice.choice(names)
            (place / name.name).write_bytes(damaged(name.read_bytes(), dice))
            # A damaged mesh is read through the description that uses it.
            target = name.name if name.suffix in {".urdf", ".xml", ".toml"} else f"meshes_{name.suffix[1:]}.urdf"
            try:
                read_robot(place / target)
                worked += 1
            except RobotFileError as error:
                refused += 1
                if len(str(error)) < 20 or "\n" in str(error).strip():
                    _say("bad", case, name.name, "no sentence:", repr(str(error)))
            except BaseException as error:  # noqa: BLE001 - whatever comes is the finding
                _say("bad", case, name.name, type(error).__name__, repr(str(error))[:300])
                shutil.copy(place / name.name, Path(scratch).parent / f"farhand_fuzz_{seed}_{case}{name.suffix}")
    _say("done", worked, "worked", refused, "refused")


if __name__ == "__main__":
    main()
