"""Paths of the project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]  # the checkout
DATA: Final = ROOT / "data"  # read-only: rules, options, catalogues, fonts


def in_project(named: str) -> Path:
    """Return the path that an operator wrote, relative to the project unless absolute.

    A leading ``~`` stands for the home directory.
    """
    return ROOT / os.path.expanduser(named)  # noqa: PTH111  # Path.expanduser raises for an unknown user
