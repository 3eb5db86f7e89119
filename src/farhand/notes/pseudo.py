"""A pseudo-language for tests: it reveals sentences made outside `notes`, and layouts that clip longer ones."""

from __future__ import annotations

from msgspec.structs import replace

from farhand.notes.language import Language

__all__ = ["CLOSES", "OPENS", "PSEUDO_CODE", "is_pseudo", "pseudo"]

PSEUDO_CODE = "en-XA"
OPENS, CLOSES = "⟦", "⟧"
LONGER = 0.4  # share of a text that is added to it
FILLER = "one two three four five six seven eight nine ten "


def pseudo(language: Language) -> Language:
    """Return a language whose texts are those of another language in brackets, 40 % longer."""
    return replace(language, code=PSEUDO_CODE, title=f"Pseudo-{language.title}", finish=_longer)


def is_pseudo(text: str) -> bool:
    """Return whether a whole text was made in a pseudo-language."""
    return text.startswith(OPENS) and text.endswith(CLOSES) and text.count(OPENS) == 1


def _longer(text: str) -> str:
    more = max(1, round(LONGER * len(text)))
    filler = FILLER * (1 + more // len(FILLER))
    return f"{OPENS}{text} {filler[: more - 1].strip()}{CLOSES}"
