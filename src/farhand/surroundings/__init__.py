"""The surroundings of each arm as shapes, made from the compiled world: arenas, and the free space in them."""

from farhand.surroundings.arenas import Arenas
from farhand.surroundings.avoid_spec import AvoidSpec
from farhand.surroundings.free_space import FreeSpace

__all__ = ["Arenas", "AvoidSpec", "FreeSpace"]
