"""Compiling MJCF with MuJoCo, with its messages turned into our errors."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from farhand.errors import RobotFileError
from farhand.processes.freed_memory import release_memory

__all__ = ["compiled", "forget_meshes", "quiet", "text_of"]

_LARGEST = 1e7
_CHECKED = (
    *("body_pos", "body_mass", "body_inertia", "body_ipos", "jnt_pos", "jnt_axis", "jnt_range", "jnt_stiffness"),
    *("dof_armature", "dof_damping", "dof_frictionloss", "geom_pos", "geom_size", "site_pos", "qpos0"),
)


def text_of(mjcf: ET.Element) -> str:
    """Return the MJCF document as text."""
    ET.indent(mjcf)
    return ET.tostring(mjcf, encoding="unicode")


@contextmanager
def quiet() -> Iterator[list[str]]:
    """Collect MuJoCo's warnings instead of letting it write them into a file in the working directory."""
    import mujoco  # loaded only when a robot is read

    collected: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda text: collected.append(str(text)))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield collected
    finally:
        mujoco.set_mju_user_warning(before)


def compiled(mjcf: ET.Element, assets: Mapping[str, bytes], path: Path) -> Any:
    """Return MuJoCo's model of an MJCF document.

    Raises:
        RobotFileError: If MuJoCo refuses it, or the result is not finite.
    """
    import mujoco  # loaded only when a robot is read

    text = text_of(mjcf)
    try:
        with quiet():
            model = mujoco.MjSpec.from_string(text, assets=dict(assets)).compile()
    except (ValueError, RuntimeError, TypeError, OverflowError, mujoco.FatalError, mujoco.UnexpectedError) as error:
        raise RobotFileError(path, f"MuJoCo refuses it: {_sentence(error)}") from None
    for name in _CHECKED:
        values = np.asarray(getattr(model, name))
        if values.size and not (np.abs(values) < _LARGEST).all():
            raise RobotFileError(path, f"some {name.replace('_', ' ')} is not finite or larger than {_LARGEST:g}")
    return model


def forget_meshes() -> None:
    """Release the memory of earlier compilations: MuJoCo keeps a copy of each mesh.

    For processes that compile a model once. Compiling the same robots again and again is faster without it.
    """
    import mujoco  # loaded only when a robot is read

    mujoco.mj_clearCache(mujoco.mj_getCache())
    release_memory()


def _sentence(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    # line numbers are those of our own text, not of the user's file
    return ", ".join(line.split(", line ")[0] for line in lines)[:300] or type(error).__name__
