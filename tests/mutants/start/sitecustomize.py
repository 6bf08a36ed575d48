"""Imported by Python at the start of each process with this folder in PYTHONPATH: replaces the code of modules.

MUTANTS_CODE: a folder with code, one file a module. MUTANTS_REACHED: a file of marks, memory-mapped by a process and
its children, so that it is complete even after a crash.
"""

import builtins
import marshal
import mmap
import os
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).parents[3]
CODE, REACHED = (os.environ.get(name) for name in ("MUTANTS_CODE", "MUTANTS_REACHED"))
original_get_code = SourceFileLoader.get_code


def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
    """Return the replaced code of a module, if its file has some, under any module name.

    Migration steps are loaded by file, under other names.
    """
    path = Path(loader.path)
    if path.is_relative_to(ROOT) and (file := _file(path.relative_to(ROOT))).exists():
        found: CodeType = marshal.loads(file.read_bytes())  # written by the parent process
        return found
    return original_get_code(loader, fullname)


def _file(path: Path) -> Path:
    used_names = path.parent if path.name == "__init__.py" else path.with_suffix("")
    return Path(CODE or "", f"{'.'.join(used_names.parts)}.code")


def map_marks(path: str) -> None:
    """Write marks into this file from now on."""
    with Path(path).open("r+b") as file:
        builtins.__reached__ = mmap.mmap(file.fileno(), 0)  # type: ignore[attr-defined]


if CODE:
    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
if REACHED:
    map_marks(REACHED)
