"""Compiled functions: how they are declared, kept on disk, and compiled ahead of time.

Mark a function with `kernel` and the numba types it is called with from Python; call `compile_all` once before the
first tick. Nothing compiles at import, and nothing may compile in the middle of a tick.
"""

from farhand.kernels.declaring import CompileReport, Floats, Ints, Progress, compile_all, compiled, kernel, uncompiled
from farhand.kernels.folder import cache_folder, kernel_files, kernel_modules

__all__ = [
    "CompileReport",
    "Floats",
    "Ints",
    "Progress",
    "cache_folder",
    "compile_all",
    "compiled",
    "kernel",
    "kernel_files",
    "kernel_modules",
    "uncompiled",
]
