"""Matches won by the most points: open-ended, over a number of hands, or up to a number of points.

Refuses to know the scoring of a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.rules.core.dealing import Dealing
from bot.rules.core.game import Result
from bot.rules.core.totals import totals_of

# The option that a table changes for a stake, in units a point.
STAKE_WISHES: Mapping[str, Callable[[Any, Any], dict[str, Any]]] = {"stake": lambda units, _: {"stake": units}}
# The options that a table changes for a number of hands, or for a target score.
LENGTH_WISHES: Mapping[str, Callable[[Any, Any], dict[str, Any]]] = {
    "hands": lambda count, _: {"match_end": "deals", "deals": count},
    "target": lambda points, _: {"match_end": "points", "target": points},
}


class MostPointsWin(Dealing):
    """Rules with the options ``match_end`` ("open", "deals" or "points"), ``deals`` and ``target``."""

    @property
    def hands(self) -> int | None:
        """The number of hands in the match, None if the number of hands does not end the match."""
        return self.options.deals if self.options.match_end == "deals" else None

    @property
    def target(self) -> int | None:
        """The score that ends the match, or None."""
        return self.options.target if self.options.match_end == "points" else None

    def ranking(self, results: tuple[Result, ...]) -> tuple[int, ...]:
        """Return a number for each seat, lowest best: most points win."""
        return tuple(-total for total in totals_of(results, self.players))

    def is_over(self, results: tuple[Result, ...]) -> bool:
        """Tell whether the match ends with the last of these hands."""
        if self.hands is not None:
            return len(results) >= self.hands
        return self.target is not None and -min(self.ranking(results)) >= self.target
