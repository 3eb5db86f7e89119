"""Triangle meshes out of STL, OBJ and COLLADA files."""

from farhand.formats.meshes.mesh import MeshPart, to_stl
from farhand.formats.meshes.mesh_files import load_mesh

__all__ = ["MeshPart", "load_mesh", "to_stl"]
