"""Paths of the project."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]  # the checkout
DATA: Final = ROOT / "data"  # read-only: rules, options, catalogues, fonts
