"""A match in which most points win: open, for so many hands, or to so many points.

Knows how such a match ends. Refuses to know where the points come from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.rules.core.dealing import Dealing
from bot.rules.core.game import Result
from bot.rules.core.totals import totals_of

# What a table that asks for so many units a point changes.
STAKE: Mapping[str, Callable[[Any, Any], dict[str, Any]]] = {"stake": lambda units, _: {"stake": units}}
# What a table that asks for so many hands, or for so many points, changes in such a game.
LENGTHS: Mapping[str, Callable[[Any, Any], dict[str, Any]]] = {
    "hands": lambda count, _: {"match_end": "deals", "deals": count},
    "target": lambda points, _: {"match_end": "points", "target": points},
}


class MostPointsWin(Dealing):
    """Rules whose options have ``match_end`` ("open", "deals" or "points"), ``deals`` and ``target``."""

    @property
    def hands(self) -> int | None:
        """How many hands the match has, or None where their number does not end it."""
        return self.options.deals if self.options.match_end == "deals" else None

    @property
    def target(self) -> int | None:
        """The score that ends the match, or None."""
        return self.options.target if self.options.match_end == "points" else None

    def ranking(self, results: tuple[Result, ...]) -> tuple[int, ...]:
        """Return a number for each seat, the lowest being the best: most points win."""
        return tuple(-total for total in totals_of(results, self.players))

    def is_over(self, results: tuple[Result, ...]) -> bool:
        """Tell whether the match ends with the last of these hands."""
        if self.hands is not None:
            return len(results) >= self.hands
        return self.target is not None and -min(self.ranking(results)) >= self.target
