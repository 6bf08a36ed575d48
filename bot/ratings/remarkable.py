"""What was remarkable in a season, and who did it: pure, out of how it ended and what was done in it.

Refuses to know how it is said, and to name anybody where nobody stands out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from bot.domain.ids import UserId
from bot.domain.seasons import Finalist, Moment

LONG_ROW, OFTEN, MANY_BOMBS, FAR_BEHIND = 3, 5, 3, 1  # from which on it is worth telling
AT_MOST: Final = 2  # people who share it; among more nobody stands out


def moments(last: Sequence[Finalist]) -> tuple[Moment, ...]:
    """Return what is told of a season; bombs are those of all games."""
    streaks, behind, often, bombs = Counter[UserId](), Counter[UserId](), Counter[UserId](), Counter[UserId]()
    for one in last:
        user, tally = one.climber.user, one.climber.tally
        streaks[user] = max(streaks[user], one.streak)
        behind[user] = max(behind[user], one.behind)
        often[user] = max(often[user], tally.matches if tally else 0)
        bombs[user] += one.bombs
    found = (
        Moment("streak", *_first(streaks, LONG_ROW)),
        Moment("bombs", *_first(bombs, MANY_BOMBS)),
        Moment("comeback", *_first(behind, FAR_BEHIND)),
        Moment("often", *_first(often, OFTEN)),
    )
    return tuple(moment for moment in found if moment.who)


def _first(found: Mapping[UserId, int], least: int) -> tuple[tuple[UserId, ...], int]:
    """Return who has the highest number, and the number; nobody where it is low, or many have it."""
    most = max(found.values(), default=0)
    first = tuple(sorted(user for user, number in found.items() if number == most))
    return (first if most >= least and len(first) <= AT_MOST else ()), most
