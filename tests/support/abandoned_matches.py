"""Abandoned matches, played to their end by house players."""

from __future__ import annotations

from bot.ai_pool.moves import SeatAction, play_out_hand
from bot.rules.matches.match import Match


def play_to_the_end(match: Match) -> tuple[Match, tuple[SeatAction, ...]]:
    """Return a match at its end, and the actions of every seat."""
    done: tuple[SeatAction, ...] = ()
    while not match.over:
        match, more = play_out_hand(match)
        done += more
    return match, done
