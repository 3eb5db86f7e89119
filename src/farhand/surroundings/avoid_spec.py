"""How an arm keeps clear, as a cell file says it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

__all__ = ["AvoidSpec"]


class AvoidSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How an arm keeps clear of itself and of everything around it. Objects say themselves how they may be touched.

    Args:
        keep: Metres that stay between the arm and what it must never touch.
        contact_speed: m/s at which what may be touched is approached at most; left out: what the compliance filter
            can take up, or without one, what the arm stops from within a millimetre.
        never: Names of links, objects ("floor" among them) and robots that must never be touched.
        may: Names of links, objects and robots that may be touched. Left out: the gripper or tool may touch, the other
            links never.
        force: N at most by which the hand feels that the arm comes too near.
        surroundings: Without, it keeps clear of its own robot only.
    """

    keep: Annotated[float, Meta(ge=0.002, le=0.2)] = 0.01
    contact_speed: Annotated[float, Meta(gt=0.0, le=0.25)] | None = None
    never: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    force: Annotated[float, Meta(ge=0.0, le=50.0)] = 3.0
    surroundings: bool = True

    def tightens(self, before: AvoidSpec) -> bool:
        """Return whether an arm that keeps clear so goes nowhere, and nowhere faster, than one that did so before.

        What may be touched no longer must be never touched now: left to itself, an object may be free.
        """
        fewer = set(before.may) - set(self.may)
        return (
            self.keep >= before.keep
            and _slower(self.contact_speed, before.contact_speed)
            and set(before.never) <= set(self.never)
            and set(self.may) <= set(before.may)
            and fewer <= set(self.never)
            and self.force == before.force
            and self.surroundings >= before.surroundings
        )


def _slower(speed: float | None, before: float | None) -> bool:
    """Return whether a contact speed is no higher; one that is left out depends on the filters."""
    return speed == before if speed is None or before is None else speed <= before
