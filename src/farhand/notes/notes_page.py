"""The docs page about notes, with the table of codes."""

from __future__ import annotations

import sys

from farhand.notes.codes import CODES
from farhand.notes.english import ENGLISH
from farhand.notes.note_spec import CodeSpec

__all__ = ["PAGE", "page"]

PAGE = "docs/notes.md"

INTRO = """# Notes
Every stage that slows, alters, stops or refuses a command reports it in a `Note`. A note is data. Farhand renders the
sentence at the edge, in the language of the person who reads it.

| part | holds |
|---|---|
| `code` | the meaning, declared in [`notes/codes.py`](../src/farhand/notes/codes.py) |
| `level` | `info` changes nothing, `slow` slows or bends a motion, `stop` ends it, `fault` reports a failure |
| `about` | the things it is about, as `Subject(kind, name)`: robot, joint, link, body, filter, person, … |
| `quantities` | numbers as `Quantity(name, value, unit)`, SI and radians |
| `free` | codes of the ways out: free directions (`along`, `back`, …) or actions (`reset`, `hold-on`) |
| `cause` | another note: the reason of a pause, a stop, a fault or a refusal |

A note has no text, so no code can depend on its wording. Two notes are the same if code, subjects and causes are the
same; quantities may differ.

```python
from farhand.notes import GERMAN, Reader, render
from farhand.types import Note, Quantity, Subject

about = (Subject("link", "gripper"), Subject("body", "crate"))
note = Note("avoid.near", "slow", about, (Quantity("clearance", 0.012, "m"),), free=("along", "back"))
print(render(note).text)  # The gripper is 12 mm from the crate and must not touch it.
print(render(note, Reader(GERMAN)).free)  # Sie können daran entlangfahren oder zurückfahren.
```

## Languages
The cell process sends notes to the gateway as data. The gateway renders each note once per language and kind of
reader. Choose a language on the page with `?lang=de` (the page remembers it), in a client with `Hello.language`, and
on the command line with `farhand join --language de`; other commands print English. Nothing else imports a language,
and a test checks that. The page's own labels are in `web/src/language`, one file per language.

There are [English](../src/farhand/notes/english.py), [German](../src/farhand/notes/german.py), and `en-XA`, a
pseudo-language that puts each English text in brackets and makes it 40 % longer. Open the page with `?lang=en-XA` to
find clipped layout. A test drives a whole session with it, to show that no sentence is made elsewhere.

## Exams
A trainee reads no lengths, no directions, and no names of things around the robot. Each code lists the placeholders
that a trainee may read. A code without this list, such as a new one, is hidden: the trainee reads a general sentence
for its level.

## Plain sentences
Some errors are English sentences made where they are raised. A note carries such a sentence unchanged, as one subject
of the kind `detail`; trainees do not read it. These are

- errors of files and settings (`refused.detail`, `refused.object`),
- assumptions of the robot file readers (`robot.…`),
- exceptions (`stage.broke`, `refused.broken`),
- the reason that a program gives with a `Stop`,
- messages about the server itself (`gateway.detail`, `gateway.ended`).

The gateway also answers questions of permission in English.

## Adding a note
1. Declare the code in `codes.py`: level, subjects, quantities with units, and the parts that a trainee may read.
2. Word it in every language: cause, effect, way out. Add `exam` if `text` names a part hidden from trainees.
3. Make the `Note`. To refuse a command, raise `RefusedError(note)`.
4. Write the table below: `make notes`.

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
