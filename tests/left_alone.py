"""Matches that all have left, as house players play them to their end."""

from __future__ import annotations

from bot.ai_pool.moves import Done, hand_to_the_end
from bot.rules.match import Match


def to_the_end(match: Match) -> tuple[Match, tuple[Done, ...]]:
    """Return a match at its end, and what was done on all seats."""
    done: tuple[Done, ...] = ()
    while not match.over:
        match, more = hand_to_the_end(match)
        done += more
    return match, done
