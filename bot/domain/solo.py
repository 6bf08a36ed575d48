"""What somebody plays alone with house players, at a table that only they see, and how far they are. Plain values."""

from __future__ import annotations

from typing import Literal, TypeAlias

Alone: TypeAlias = Literal["", "day", "deals", "practice"]  # the deal of a day, a part in a duplicate; "" with others
State: TypeAlias = Literal["new", "begun", "over", "left"]  # of what somebody plays once
