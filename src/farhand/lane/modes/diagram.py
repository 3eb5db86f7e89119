"""``python -m farhand.lane.modes.diagram``: the diagram of the modes, as the state machine itself has it.

Every mode is given every signal, and where it goes is drawn; nothing is drawn by hand. A test fails when docs/modes.md
is another one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import get_args

from msgspec.structs import replace

from farhand.lane.modes.mode_machine import HANDED_OVER, ModeMemory, ModeSignals, PowerSpec, WatchdogSpec, advance
from farhand.types import Mode

__all__ = ["PAGE", "edges", "main", "page"]

WATCHDOG, POWER, DT = WatchdogSpec(), PowerSpec(seconds=3.0), 0.002
NAMES: dict[Mode, str] = {
    "off": "Off",
    "powering": "Powering up",
    "idle": "Idle (holding)",
    "teleoperation": "Teleoperation",
    "autonomous": "Autonomous",
    "paused": "Paused",
    "stopped": "Protective stop",
    "fault": "Fault",
}
CALM = ModeSignals(held=False, pressed=False, age=0.0)
HELD = replace(CALM, held=True)
SIGNALS: dict[str, ModeSignals] = {
    "power on": replace(HELD, power=True),
    "power off": replace(HELD, power=False),
    "fresh press": replace(HELD, pressed=True),
    "still held, readings are there": HELD,
    "released": CALM,
    "no input for 0.1 s": replace(HELD, age=0.2),
    "move": replace(HELD, move=True),
    "continue": replace(HELD, go_on=True),
    "arrived": replace(HELD, arrived=True),
    "hold": replace(HELD, hold=True),
    "reset": replace(HELD, reset=True),
    "stop, bad reading": replace(HELD, stop="Stop was pressed."),
    "new lease": replace(HELD, stop="Control passed to someone else."),
    "the computer stood still for 0.1 s": replace(HELD, held_up=0.5),
    "the computer is too busy": replace(HELD, slow="Busy."),
    "something broke": replace(HELD, fault="Broken."),
}
LATER = {"powering": ("3 s later", POWER.seconds, CALM), "paused": ("1 s later", 1.0, SIGNALS["no input for 0.1 s"])}
INTRO = """# Modes
Who is in charge of a robot is one pure state machine,
[`lane/modes/mode_machine.py`](../src/farhand/lane/modes/mode_machine.py), shared by the cell, the tests and the page.
This page is made from it (`python -m farhand.lane.modes.diagram > docs/modes.md`).

- A stop is latched. Reset never starts a motion: after it the deadman must be pressed afresh.
- Only robots with a power switch (`[robots.NAME.power]`) know *Off* and *Powering up*; the others start in *Idle*.
- A pause remembers what it interrupted. Driving goes on when readings return while the deadman is held; a move goes on
  only on "continue".
- A press of the deadman takes over from a move at any tick. Moves are those to joint positions, along paths that were
  taught, and "free me", which backs out along the way in. One that was taken over is taken up again by "continue",
  but for "free me": driven on, the way in is another.
- What leads the robot (pose, joints or deflections, as the mapping in use has it) may be lost while the deadman is
  held: that counts as released. So does a pose that jumps, faster than 20 m/s. Driving needs a fresh press then.
- A move that is asked for in the very tick in which the hand lets go starts. One in the tick of a press, a stop or a
  loss is refused, and not kept.
- A change that may loosen anything (`Reconfigure`; a filter or the feed-forward switched off) lets go of what moves:
  driving needs a fresh press, a move "continue".
"""


def edges() -> Iterator[tuple[Mode, str, Mode]]:
    """Yield every change of mode: from where, by what, to where."""
    for mode in get_args(Mode):
        for memory in _memories(mode):
            for label, now in SIGNALS.items():
                if label == "new lease" and mode not in HANDED_OVER:
                    continue  # the lane asks for this stop in these modes only
                there = advance(memory, now, WATCHDOG, DT, POWER).mode
                alone = advance(memory, HELD, WATCHDOG, DT, POWER).mode  # without the signal
                if there != mode and (there != alone or now in (HELD, CALM)):
                    yield mode, label + _aside(memory), there
            if mode in LATER:
                label, seconds, now = LATER[mode]
                there = advance(replace(memory, since=seconds), now, WATCHDOG, DT, POWER).mode
                if there != mode:
                    yield mode, label, there


def _memories(mode: Mode) -> tuple[ModeMemory, ...]:
    """Return what a mode may remember that changes where it goes."""
    if mode == "paused":
        return (ModeMemory(mode, paused="teleoperation"), ModeMemory(mode, paused="autonomous"))
    if mode in ("stopped", "fault"):
        return (ModeMemory(mode), ModeMemory(mode, powered=False))
    return (ModeMemory(mode, powered=mode != "off"),)


def _aside(memory: ModeMemory) -> str:
    if memory.mode == "paused":
        return " (of driving)" if memory.paused == "teleoperation" else " (of a move)"
    return " (without power)" if memory.mode in ("stopped", "fault") and not memory.powered else ""


def _merged() -> dict[tuple[Mode, Mode], list[str]]:
    """Return the labels of each edge; where both memories of a mode do the same, without saying which."""
    found: dict[tuple[Mode, Mode], list[str]] = {}
    for here, label, there in edges():
        labels = found.setdefault((here, there), [])
        if label not in labels:
            labels.append(label)
    for labels in found.values():
        for label in list(labels):
            for one, other in ((" (of driving)", " (of a move)"),):
                plain = label.removesuffix(one)
                if label.endswith(one) and plain + other in labels:
                    labels[labels.index(label)] = plain
                    labels.remove(plain + other)
        for label in list(labels):
            if label.endswith(" (without power)") and label.removesuffix(" (without power)") in labels:
                labels.remove(label)
    return found


def page() -> str:
    """Return the whole of docs/modes.md."""
    merged = _merged()
    latched: tuple[Mode, ...] = ("stopped", "fault")
    anywhere = {mode: set.intersection(*_into(merged, mode)) for mode in latched}
    lines = [INTRO, "```mermaid", "stateDiagram-v2"]
    lines += [f'    state "{name}" as {mode}' for mode, name in NAMES.items()]
    lines += ["    [*] --> off: with a power switch", "    [*] --> idle"]
    for (here, there), labels in merged.items():
        left = [label for label in labels if label not in anywhere.get(there, ())]
        if left:
            lines.append(f"    {here} --> {there}: {', '.join(left)}")
    lines += ["```", ""]
    lines += [f"From everywhere to *{NAMES[mode]}*: {', '.join(sorted(by))}." for mode, by in anywhere.items()]
    lines += ["", "| from | by | to |", "|---|---|---|"]
    lines += [f"| {NAMES[a]} | {', '.join(labels)} | {NAMES[b]} |" for (a, b), labels in merged.items()]
    return "\n".join(lines) + "\n"


def _into(merged: dict[tuple[Mode, Mode], list[str]], there: str) -> list[set[str]]:
    return [set(labels) for (_, to), labels in merged.items() if to == there]


PAGE = "docs/modes.md"


def main() -> None:
    """Print the page."""
    sys.stdout.write(page())


if __name__ == "__main__":
    main()
