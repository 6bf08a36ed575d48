"""Run by Python itself as a process begins that has this folder in PYTHONPATH: hands it other code for some modules.

MUTANTS_CODE: a folder with the code, one file a module. MUTANTS_REACHED: a file in which modules mark what is reached;
a process and those that it starts share it, so that it is whole whatever becomes of them.
"""

import builtins
import marshal
import mmap
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

CODE, REACHED = (os.environ.get(name) for name in ("MUTANTS_CODE", "MUTANTS_REACHED"))


class Loader(SourceFileLoader):
    """Loads a module whose code has been compiled elsewhere."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of a module."""
        found: CodeType = marshal.loads(_file(fullname).read_bytes())  # written by who started us
        return found


class Finder:
    """Finds the modules for which there is other code."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, _: ModuleType | None = None, /) -> ModuleSpec | None:
        """Find a module where Python would, and let it be loaded otherwise."""
        if not _file(name).exists() or not (spec := PathFinder.find_spec(name, path)) or not spec.origin:
            return None
        spec.loader = Loader(name, spec.origin)
        return spec


def _file(name: str) -> Path:
    return Path(CODE or "", f"{name}.code")


def share(path: str) -> None:
    """Let what is reached from now on be marked in this file."""
    with Path(path).open("r+b") as file:
        builtins.__reached__ = mmap.mmap(file.fileno(), 0)  # type: ignore[attr-defined]


if CODE:
    sys.meta_path.insert(0, Finder)
if REACHED:
    share(REACHED)
