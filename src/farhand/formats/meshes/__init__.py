"""Triangle meshes out of STL, OBJ and COLLADA files."""

from farhand.formats.meshes.load import load_mesh
from farhand.formats.meshes.mesh import Part, to_stl

__all__ = ["Part", "load_mesh", "to_stl"]
