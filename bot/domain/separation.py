"""Whether two people have chosen not to play with each other."""

from __future__ import annotations

from typing import Literal, TypeAlias

Apart: TypeAlias = Literal["no", "own", "theirs"]  # by nobody's choice, by one's own, only by that of the other
