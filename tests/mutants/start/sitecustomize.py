"""Run by Python itself as a process begins that has this folder in PYTHONPATH: hands it other code for some modules.

MUTANTS_CODE: a folder with the code, one file a module. MUTANTS_REACHED: a file for marks, shared by a process and its
children, so that it is complete even after a crash.
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
usual = SourceFileLoader.get_code


def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
    """Return the code of a module: replacement code, if its file has some, under any module name.

    Steps of migration are loaded by their file, under names of their own.
    """
    path = Path(loader.path)
    if path.is_relative_to(ROOT) and (file := _file(path.relative_to(ROOT))).exists():
        found: CodeType = marshal.loads(file.read_bytes())  # written by who started us
        return found
    return usual(loader, fullname)


def _file(path: Path) -> Path:
    named = path.parent if path.name == "__init__.py" else path.with_suffix("")
    return Path(CODE or "", f"{'.'.join(named.parts)}.code")


def share(path: str) -> None:
    """Write reached blocks to this file from now on."""
    with Path(path).open("r+b") as file:
        builtins.__reached__ = mmap.mmap(file.fileno(), 0)  # type: ignore[attr-defined]


if CODE:
    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
if REACHED:
    share(REACHED)
