"""Files that an MJCF document refers to: find, check, read, and rename them to flat names."""

from __future__ import annotations

import struct
from pathlib import Path, PurePosixPath

from farhand.errors import RobotFileError
from farhand.formats.draft import Draft
from farhand.formats.file_access import Files
from farhand.formats.meshes import load_mesh, to_stl
from farhand.formats.meshes.mesh import thinned
from farhand.formats.meshes.stl import face_count, is_binary
from farhand.formats.xmltext import Element

__all__ = ["take_assets"]

_FACES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
_FOLDERS = {"mesh": "meshdir", "skin": "meshdir", "texture": "texturedir", "hfield": ""}
_MOST_STL_FACES = 200_000
_LARGEST_PICTURE = 8192


def take_assets(draft: Draft, files: Files) -> None:
    """Read every file of the asset sections into the draft and rename the references in the document."""
    folders = _folders(draft.mjcf)
    strip = any(c.get("strippath") == "true" for c in draft.mjcf.findall("compiler"))
    taken: dict[Path, str] = {}
    faces = 0
    for asset in draft.mjcf.findall("asset"):
        for element in list(asset):
            _refuse(element, files)
            if element.get("file") and not element.get("name"):
                element.set("name", PurePosixPath(element.get("file", "").replace("\\", "/")).stem)
            for attribute in ("file", *_FACES):
                if reference := element.get(attribute):
                    path = _find(reference, folders.get(element.tag, ""), strip, files, element)
                    if path not in taken:
                        data, count = _checked(files.read(path), path, element.tag, files)
                        faces += count
                        taken[path] = f"{path.stem}_{len(taken)}{path.suffix.lower()}"
                        draft.assets[taken[path]] = data
                    element.set(attribute, taken[path])
            if faces > files.limits.robot_faces:
                raise RobotFileError(files.path, f"its meshes have more than {files.limits.robot_faces} faces together")


def _folders(mjcf: Element) -> dict[str, str]:
    given: dict[str, str] = {}
    for compiler in mjcf.findall("compiler"):
        for attribute in ("assetdir", "meshdir", "texturedir"):
            if (value := compiler.attrib.pop(attribute, None)) is not None:
                given[attribute] = value
    both = given.get("assetdir", "")
    return {tag: given.get(attribute, both) if attribute else both for tag, attribute in _FOLDERS.items()}


def _find(reference: str, folder: str, strip: bool, files: Files, element: Element) -> Path:
    reference = reference.replace("\\", "/")
    if strip:
        reference = PurePosixPath(reference).name
    joined = reference if reference.startswith("/") else str(PurePosixPath(folder) / reference)
    field = f"{element.tag} {element.get('name', '')}".strip()
    return files.find(joined, files.path.parent, field)


def _refuse(element: Element, files: Files) -> None:
    field = f"{element.tag} {element.get('name', '')}".strip()
    if element.tag == "model":
        raise RobotFileError(files.path, "<model> assets are not read; save the model as one file first", field=field)
    for attribute in ("width", "height", "nrow", "ncol"):
        try:
            size = float(element.get(attribute, "0"))
        except ValueError:
            size = 0.0
        if size > _LARGEST_PICTURE:
            problem = f"{attribute}= must be at most {_LARGEST_PICTURE}, found {element.get(attribute)!r}"
            raise RobotFileError(files.path, problem, field=field)


def _checked(data: bytes, path: Path, tag: str, files: Files) -> tuple[bytes, int]:
    """Return the data for MuJoCo, and the number of faces."""
    if tag != "mesh":
        return data, 0
    suffix = path.suffix.lower()
    if suffix == ".stl":
        if is_binary(data) and face_count(data) <= _MOST_STL_FACES:
            return data, face_count(data)
        part = load_mesh(data, path, files.limits)[0]
        part = thinned(part, _MOST_STL_FACES - 1)
        return to_stl(part), len(part.faces)
    count = _msh_faces(data) if suffix == ".msh" else data.count(b"\nf ")
    if not 0 <= count <= files.limits.mesh_faces:
        raise RobotFileError(path, f"has {count} faces; the limit is {files.limits.mesh_faces}")
    return data, count


def _msh_faces(data: bytes) -> int:
    return int(struct.unpack_from("<4i", data)[3]) if len(data) >= 16 else 0
