"""What each arm keeps clear of, as shapes: from the compiled world to arenas, and the free space in them."""

from farhand.surroundings.arenas import Arenas
from farhand.surroundings.avoid_spec import AvoidSpec
from farhand.surroundings.free_space import FreeSpace

__all__ = ["Arenas", "AvoidSpec", "FreeSpace"]
