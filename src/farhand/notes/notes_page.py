"""The page of the docs about notes, with the table of their codes."""

from __future__ import annotations

import sys

from farhand.notes.codes import CODES
from farhand.notes.english import ENGLISH
from farhand.notes.note_spec import CodeSpec

__all__ = ["PAGE", "page"]

PAGE = "docs/notes.md"

INTRO = """# Notes
Whatever slows, alters, stops or refuses a command says so in a `Note`. A note is data; the sentence is made of it
where a person reads it, in that person's language.

| part | holds |
|---|---|
| `code` | the meaning, declared in [`notes/codes.py`](../src/farhand/notes/codes.py) |
| `level` | `info` changes nothing, `slow` slows or bends a motion, `stop` ends it, `fault` is broken |
| `about` | the things it is about, as `Subject(kind, name)`: robot, joint, link, body, filter, person, … |
| `quantities` | numbers as `Quantity(name, value, unit)`, SI and radians |
| `free` | codes of the ways out: directions that are free (`along`, `back`, …), or what to do (`reset`, `hold-on`) |
| `cause` | another note: the reason of a pause, a stop, a fault or a refusal |

A note has no text, so no code can read it. Two notes are the same if code, subjects and causes are; quantities may
differ.

```python
from farhand.notes import GERMAN, Reader, render
from farhand.types import Note, Quantity, Subject

about = (Subject("link", "gripper"), Subject("body", "crate"))
note = Note("avoid.near", "slow", about, (Quantity("clearance", 0.012, "m"),), free=("along", "back"))
print(render(note).text)  # The gripper is 12 mm from the crate and must not touch it.
print(render(note, Reader(GERMAN)).free)  # Sie können daran entlangfahren oder zurückfahren.
```

## Where sentences are made
The cell's process sends notes to the gateway as data. The gateway renders them for each viewer (`Hello.language`; the
page takes it from `?lang=de` and keeps it), once for all who read the same.
The command line prints English; `farhand join --language de` asks for German. Nothing
else imports a language; a test checks that. The page's own labels are English.

Languages: [English](../src/farhand/notes/english.py), [German](../src/farhand/notes/german.py), and `en-XA`, made
from English by a function: every text in brackets and 40 % longer. A story that is driven with it shows that no
sentence is made elsewhere; open the page with `?lang=en-XA` to find clipped layout.

## Exams
A trainee reads no lengths, no names of things around the robot and no directions. Each code lists the placeholders
that a trainee may read; a code that lists none, as a new one, is hidden: a trainee reads a general sentence of its
level.

## Plain sentences
Some errors are still sentences made where they are raised. They stand in a note as one subject of the kind `detail`,
as they are, in English; a trainee does not read them. Those are errors of files and settings (`refused.detail`,
`refused.object`), assumptions of the readers of robots' files (`robot.…`), exceptions (`stage.broke`,
`refused.broken`), the reason that a program gives a `Stop`, and words about the server itself (`gateway.detail`,
`gateway.ended`). Answers of the gateway about permissions are English sentences too.

## Adding a note
1. Declare the code in `codes.py`: level, subjects, quantities with units, and what a trainee may read.
2. Say it in every language: cause, effect, way out. Where `text` names what a trainee may not read, add `exam`.
3. Make the `Note`. Refuse a command by raising `RefusedError(note)`.
4. Write the table below: `python -m farhand.notes.notes_page > docs/notes.md`.

## Codes
| code | level | subjects | quantities | in an exam | in English |
|---|---|---|---|---|---|
"""


def page() -> str:
    """Return the whole of docs/notes.md."""
    return INTRO + "".join([_row(code, spec) for code, spec in CODES.items()])


def _row(code: str, spec: CodeSpec) -> str:
    about = ", ".join([f"{place.name}{' …' if place.many else ''}" for place in spec.about])
    measures = ", ".join([f"{m.name} ({' or '.join(m.units) or '1'})" for m in spec.measures])
    shown = "hidden" if spec.exam is None else ", ".join(spec.exam)
    text = ENGLISH.sentences[code].text.replace("|", "\\|")
    return f"| `{code}` | {spec.level} | {about} | {measures} | {shown} | {text} |\n"


def main() -> None:
    """Print the page."""
    sys.stdout.write(page())


if __name__ == "__main__":
    main()
