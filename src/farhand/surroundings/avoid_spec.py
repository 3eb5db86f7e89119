"""The settings of collision avoidance in a cell file."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

__all__ = ["AvoidSpec"]


class AvoidSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The collision avoidance of an arm, with itself and its surroundings; each object has its own `touch`.

    Args:
        keep: Clearance (m) from bodies that must never be touched.
        contact_speed: Top speed (m/s) of approach to bodies that may be touched; by default the speed that the
            compliance filter can absorb, or without one, from which the arm stops within a millimetre.
        never: Names of links, objects (also "floor") and robots that must never be touched.
        may: Names of links, objects and robots that may be touched; by default the gripper or tool may touch, other
            links never.
        force: Largest force (N) on the hand as the clearance runs out.
        surroundings: Whether it avoids its surroundings, or only its own robot.
    """

    keep: Annotated[float, Meta(ge=0.002, le=0.2)] = 0.01
    contact_speed: Annotated[float, Meta(gt=0.0, le=0.25)] | None = None
    never: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    force: Annotated[float, Meta(ge=0.0, le=50.0)] = 3.0
    surroundings: bool = True

    def tightens(self, before: AvoidSpec) -> bool:
        """Return whether these settings allow no motion, and no speed, that the settings before did not.

        A body removed from `may` must be in `never` now: by its own `touch` an object could be free.
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
    """Return whether a contact speed is no higher; the default depends on the filters."""
    return speed == before if speed is None or before is None else speed <= before
