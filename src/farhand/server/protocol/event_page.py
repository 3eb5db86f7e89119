"""Generate docs/events.md from the table of events; a test fails when the two differ.

`python -m farhand.server.protocol.event_page` prints the page, and `make events` writes it.
"""

from __future__ import annotations

import inspect
import sys
from itertools import groupby

from farhand.cell.cell import HANDLERS
from farhand.cell.event_checks import CHECKS
from farhand.lane.intake.choices import CHOICES
from farhand.lane.intake.requests import REQUESTS
from farhand.types.events.declaration import EVENTS, Declaration
from farhand.types.events.rights import GRANTS

__all__ = ["PAGE", "page"]

PAGE = "docs/events.md"
INTRO = """\
# Events
Besides readings, events are the only inputs of a tick. This page is generated from the table of events (`make events`).

Each event is a struct with its declaration, in a file of [`types/events`](../src/farhand/types/events). The columns:

- **scope**: the event concerns one *robot*, the whole *cell*, or only the *person* who sends it;
- **right**: the right that the sender needs, see [roles](#roles);
- **new world**: a worker compiles the physics again; the event enters the cell when the new world is ready;
- **time-out**: seconds after which the sender no longer expects an answer;
- **handled**: in the robot's lane, in the cell, or in both;
- **check**: made before anything changes, after the check of the robot's name.

To add an event, write its struct, its handler and its button. Register the check with `@CHECKS.register(MyEvent)`
([`cell/event_checks.py`](../src/farhand/cell/event_checks.py)). Register the handler with `@HANDLERS.register` in the
cell ([`cell/cell.py`](../src/farhand/cell/cell.py)), or with `@CHOICES.register` or `@REQUESTS.register` in the lane
([`lane/intake/choices.py`](../src/farhand/lane/intake/choices.py),
[`lane/intake/requests.py`](../src/farhand/lane/intake/requests.py)). A second handler for the same event is refused.

`run.send(event)` returns a `Sent` with the event's `number`. Once a tick has handled the event, `done` is true and `ok`
tells you whether it was carried out. If it was refused, `notes` give the reason; each carries the number of its event
(`Note.answers`). The numbers are part of the inputs (`Inputs.numbers`), so a re-simulation gives the same answers.
"""
ROLES = """\
## Roles
The link that opens a page decides its role. `farhand run` prints your own link first; it gives *owner*. The link for
others gives *user*, or *instructor* during an exam; the trainee's link gives *trainee*. No link gives the other roles
yet. Anyone may stop. One person drives a robot at a time, so even the owner must take control before driving.
"""
WORDS = {"always": "always", "control": "in control", "never": "no"}


def page() -> str:
    """Return the text of docs/events.md."""
    lines = [INTRO]
    for module, family in groupby(EVENTS.values(), key=lambda declared: declared.kind.__module__):
        heading = module.rpartition(".")[2].replace("_", " ").capitalize()
        lines += [f"## {heading}", inspect.getdoc(sys.modules[module]) or "", ""]
        lines += ["| event | does | scope | right | new world | time-out | handled | check |", "|---" * 8 + "|"]
        lines += [_row(declared) for declared in family]
        lines.append("")
    lines += [ROLES, f"| role | {' | '.join(GRANTS['user'])} |", "|---" * (1 + len(GRANTS["user"])) + "|"]
    lines += [
        f"| {role} | {' | '.join(WORDS[grant] for grant in rights.values())} |" for role, rights in GRANTS.items()
    ]
    return "\n".join(lines) + "\n"


def _row(declared: Declaration) -> str:
    kind = declared.kind
    does = (inspect.getdoc(kind) or "").splitlines()[0]
    scope = f"{declared.scope}, or every one" if declared.every else declared.scope
    lane, cell = kind in CHOICES or kind in REQUESTS, kind in HANDLERS
    where = "cell, lane" if lane and cell else "lane" if lane else "cell"
    check = (inspect.getdoc(CHECKS[kind]) or "").splitlines()[0].removeprefix("Check ").rstrip(".")
    new, out = _new_world(declared), f"{declared.time_out:g} s"
    return f"| `{declared.name}` | {does} | {scope} | {declared.right} | {new} | {out} | {where} | {check} |"


def _new_world(declared: Declaration) -> str:
    """Return when an event needs a new world: "yes", "no", or the condition in a function's docstring."""
    needs = declared.new_world
    if isinstance(needs, bool):
        return "yes" if needs else "no"
    return (inspect.getdoc(needs) or "").removeprefix("Return whether").strip(" .").replace("its", "if its", 1)


if __name__ == "__main__":
    sys.stdout.write(page())
