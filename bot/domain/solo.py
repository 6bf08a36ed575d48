"""The kinds of solo tables, where one player plays alone with house players, and their states. Plain values."""

from __future__ import annotations

from typing import Literal, TypeAlias

SoloKind: TypeAlias = Literal["", "day", "deals", "practice"]  # "" for shared tables
TryState: TypeAlias = Literal["new", "begun", "over", "left"]  # of a deal that each user may play once
