"""Invented leaderboard pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bot.domain.ids import PlayerId, TableId, UserId
from bot.domain.rating import (
    LEADERBOARD_CRITERIA,
    LeaderboardCriterion,
    PlayerTotals,
    RankedPlayer,
    RankedRow,
    Rating,
    Reliability,
    Standings,
)
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.words import Words
from bot.show.server.standings import StandingsMenu, leaderboard_picture, standings

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def ranked_row(
    at: int, name: str, by: LeaderboardCriterion = "rating", *, mine: bool = False, settled: bool = True
) -> RankedRow:
    """Return a player's rank from 0, with every tie-breaker."""
    number = 1800 - 20 * at
    rating = Rating(elo=number, mean=number, weight=50 if settled else 23, matches=30 if settled else 3, last=NOW)
    tally = PlayerTotals(matches=at + 1, wins=20 - at, hands=10, gain=12.0 - at, units=5 - at)
    rated = by in {"rating", "everywhere"}
    who = PlayerId(at + 1), UserId(10_001 + 10_001 * at), TableId(1)
    player = RankedPlayer(*who, rating=rating if rated else None, tally=None if rated else tally)
    if by == "reliability":
        player = RankedPlayer(*who, reliability=Reliability(50, 50 - at))
    course = tuple(range(1500, 1500 + 20 * (10 - at), 20)) if rated else ()
    return RankedRow(at + 1, player, name=name, course=course, moved=(3 - at) * 4 if rated else 0, mine=mine)


def leaderboard_page(
    names: Sequence[str],
    by: LeaderboardCriterion = "rating",
    own: RankedRow | None = None,
    page: int = 0,
    last: int = 0,
) -> Standings:
    """Return a leaderboard page with these names."""
    return Standings(
        by=by,
        game="big_two",
        rows=tuple(ranked_row(at, name, by) for at, name in enumerate(names)),
        own=own,
        page=page,
        last=last,
    )


def leaderboard_screen(
    names: Sequence[str], w: Words, *, where: str, by: LeaderboardCriterion = "rating"
) -> PrivateScreen:
    """Return the screen of a leaderboard page with its picture."""
    found, shelf = leaderboard_page(names, by), StandingsMenu(LEADERBOARD_CRITERIA, where)
    return standings(found, shelf, leaderboard_picture(found, shelf, w), w)
