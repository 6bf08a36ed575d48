"""Where the project lies on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]  # the checkout
DATA: Final = ROOT / "data"  # rules, options, catalogues, fonts: what is read and never written
