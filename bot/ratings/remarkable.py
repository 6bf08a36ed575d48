"""The remarkable moments of a season and their players, from the final standings.

Refuses to know wording. Without an outstanding player a moment has no names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from bot.domain.ids import UserId
from bot.domain.seasons import Finalist, SeasonHighlight

LONG_ROW, OFTEN, MANY_BOMBS, FAR_BEHIND = 3, 5, 3, 1  # minimum values for a mention
MAX_SHARING_PLAYERS: Final = 2  # the maximum number of players sharing a moment


def moments(last: Sequence[Finalist]) -> tuple[SeasonHighlight, ...]:
    """Return the moments of a season; bombs count over all games."""
    streaks, behind, often, bombs = Counter[UserId](), Counter[UserId](), Counter[UserId](), Counter[UserId]()
    for one in last:
        user, tally = one.climber.user, one.climber.tally
        streaks[user] = max(streaks[user], one.streak)
        behind[user] = max(behind[user], one.behind)
        often[user] = max(often[user], tally.matches if tally else 0)
        bombs[user] += one.bombs
    found = (
        SeasonHighlight("streak", *_first(streaks, LONG_ROW)),
        SeasonHighlight("bombs", *_first(bombs, MANY_BOMBS)),
        SeasonHighlight("comeback", *_first(behind, FAR_BEHIND)),
        SeasonHighlight("often", *_first(often, OFTEN)),
    )
    return tuple(moment for moment in found if moment.who)


def _first(found: Mapping[UserId, int], least: int) -> tuple[tuple[UserId, ...], int]:
    """Return the players with the highest number, and the number; no players if it is low or shared by many."""
    most = max(found.values(), default=0)
    first = tuple(sorted(user for user, number in found.items() if number == most))
    return (first if most >= least and len(first) <= MAX_SHARING_PLAYERS else ()), most
