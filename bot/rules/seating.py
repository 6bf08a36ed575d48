"""In which order the seats of a table have their turns.

Knows the numbers of seats alone. Refuses to know who sits there, and where a seat is drawn.
"""

from __future__ import annotations

from bot.rules.game import Rules


def order_of_turns(rules: Rules, hand: int) -> tuple[int, ...]:
    """Return all seats in the order of their turns in this hand, the first seat first. hand: its number, from 1."""
    return tuple(rules.step(hand) * ahead % rules.players for ahead in range(rules.players))
