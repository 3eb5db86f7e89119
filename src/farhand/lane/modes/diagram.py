"""Write the diagram of the modes from the state machine itself: `make notes` writes docs/modes.md.

The program sends every signal to every mode and draws the result; nothing is drawn by hand. A test fails when
docs/modes.md differs.
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
    "readings return while held": HELD,
    "released": CALM,
    "no input for 0.1 s": replace(HELD, age=0.2),
    "move": replace(HELD, move=True),
    "continue": replace(HELD, resume=True),
    "arrived": replace(HELD, arrived=True),
    "hold": replace(HELD, hold=True),
    "reset": replace(HELD, reset=True),
    "stop, bad reading": replace(HELD, stop="Stop was pressed."),
    "new lease": replace(HELD, stop="Control passed to someone else."),
    "computer too busy for 0.1 s": replace(HELD, held_up=0.5),
    "computer cannot keep up": replace(HELD, slow="Busy."),
    "a stage fails": replace(HELD, fault="Broken."),
}
LATER = {"powering": ("3 s later", POWER.seconds, CALM), "paused": ("1 s later", 1.0, SIGNALS["no input for 0.1 s"])}
INTRO = """# Modes
Each robot is in one of eight modes, which decide who moves it. One pure state machine,
[`lane/modes/mode_machine.py`](../src/farhand/lane/modes/mode_machine.py), serves the cell, the tests and the page.
This docs page is generated from it (`make notes`).

- **Stop.** A stop is latched. Reset never starts a motion: press the deadman again to drive.
- **Power.** Only robots with a power switch (`[robots.NAME.power]`) have *Off* and *Powering up*; the others start in
  *Idle*.
- **Pause.** A pause keeps the interrupted motion. Driving resumes when readings return while you hold the deadman. A
  move resumes only when you press *Continue*.
- **Taking over.** Press the deadman to take over from a move at any tick: a move to joint positions, along a recorded
  path, or out of a corner. *Continue* resumes the move, except for backing out, since driving changes the path back.
- **Lost input.** If the master loses the pose, joints or stick axes that the control mode needs, the robot holds as if
  you had let go. It also holds if the pose jumps faster than 20 m/s. Press the deadman again to drive.
- **Moves.** A move starts if its command arrives in the tick in which you let go. In the tick of a press, a stop or a
  loss it is refused.
- **Changes.** A change that may relax a limit (`Reconfigure`, or switching off a filter or the feed-forward) interrupts
  the motion: press the deadman again to drive, or *Continue* to resume a move.
"""


def edges() -> Iterator[tuple[Mode, str, Mode]]:
    """Yield every change of mode: the mode before, the signal, the mode after."""
    for mode in get_args(Mode):
        for memory in _memories(mode):
            for label, now in SIGNALS.items():
                if label == "new lease" and mode not in HANDED_OVER:
                    continue  # the lane requests this stop in these modes only
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
    """Return the memories of a mode that lead to different changes."""
    if mode == "paused":
        return (ModeMemory(mode, paused="teleoperation"), ModeMemory(mode, paused="autonomous"))
    if mode in ("stopped", "fault"):
        return (ModeMemory(mode), ModeMemory(mode, powered=False))
    return (ModeMemory(mode, powered=mode != "off"),)


def _aside(memory: ModeMemory) -> str:
    if memory.mode == "paused":
        return " (after driving)" if memory.paused == "teleoperation" else " (after a move)"
    return " (without power)" if memory.mode in ("stopped", "fault") and not memory.powered else ""


def _merged() -> dict[tuple[Mode, Mode], list[str]]:
    """Return the labels of each edge, without the memory where both memories lead to the same mode."""
    found: dict[tuple[Mode, Mode], list[str]] = {}
    for here, label, there in edges():
        labels = found.setdefault((here, there), [])
        if label not in labels:
            labels.append(label)
    for labels in found.values():
        for label in list(labels):
            for one, other in ((" (after driving)", " (after a move)"),):
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
    lines += [f"From every mode to *{NAMES[mode]}*: {', '.join(sorted(by))}." for mode, by in anywhere.items()]
    lines += ["", "| from | signal | to |", "|---|---|---|"]
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
