"""In which order the seats of a table have their turns.

Knows the numbers of seats alone. Refuses to know who sits there, and where a seat is drawn.
"""

from __future__ import annotations

from functools import cache

from bot.rules.core.game import Rules


def order_of_turns(rules: Rules, hand: int) -> tuple[int, ...]:
    """Return all seats in the order of their turns in this hand, the first seat first. hand: its number, from 1."""
    return _all_round(rules.step(hand), rules.players)


@cache
def _all_round(step: int, players: int) -> tuple[int, ...]:
    return tuple(step * ahead % players for ahead in range(players))
