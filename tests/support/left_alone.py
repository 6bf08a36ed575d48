"""Matches that all have left, as house players play them to their end."""

from __future__ import annotations

from bot.ai_pool.moves import SeatAction, play_out_hand
from bot.rules.matches.match import Match


def to_the_end(match: Match) -> tuple[Match, tuple[SeatAction, ...]]:
    """Return a match at its end, and what was done on all seats."""
    done: tuple[SeatAction, ...] = ()
    while not match.over:
        match, more = play_out_hand(match)
        done += more
    return match, done
