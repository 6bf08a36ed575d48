"""What people have said beforehand: as it stands on their chairs, and what comes of it in a match.

Pure: from chairs and a match to what a chair keeps, and to actions. Refuses to know when anything is done.
"""

from __future__ import annotations

from functools import lru_cache

from bot.ground.chair import Chair
from bot.rules.actions import Action
from bot.rules.match import Match
from bot.rules.orders import Orders, after_own_move, answer, read_order, standing, write_order


def orders_of(chair: Chair) -> Orders:
    """Return what the owner of a chair has said beforehand."""
    return _read(chair.orders) if chair.orders else ()


@lru_cache(maxsize=1 << 10)
def _read(text: str) -> Orders:
    return tuple(map(read_order, text.splitlines()))


def written(orders: Orders) -> str:
    """Return orders as a chair keeps them."""
    return "\n".join(map(write_order, orders))


def thought_again(chair: Chair) -> str:
    """Return what a chair keeps once its owner has acted themselves."""
    return written(after_own_move(orders_of(chair)))


def kept(chair: Chair, match: Match) -> str:
    """Return what a chair keeps in this position: what still stands."""
    return written(standing(orders_of(chair), match.view(chair.seat)))


def said(chair: Chair, match: Match) -> Action | None:
    """Return what somebody whose turn it is has said beforehand, None where they have to be asked."""
    if not chair.orders or chair.house or match.game.result or match.game.secrecy.together:
        return None
    return answer(orders_of(chair), match.view(chair.seat))
