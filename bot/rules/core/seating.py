"""The order of turns around a table, by seat number."""

from __future__ import annotations

from functools import cache

from bot.rules.core.game import Rules


def order_of_turns(rules: Rules, hand: int) -> tuple[int, ...]:
    """Return all seats in turn order, seat 0 first. hand: its number, from 1."""
    return _all_round(rules.step(hand), rules.players)


@cache
def _all_round(step: int, players: int) -> tuple[int, ...]:
    return tuple(step * ahead % players for ahead in range(players))
