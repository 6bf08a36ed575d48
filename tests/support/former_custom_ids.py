"""Custom ids in the format of earlier releases.

They contain the ply and the picked cards.
"""

from __future__ import annotations

from bot.rules.core.cards import Cards
from bot.show.kit.card_codes import LIMIT, join
from bot.show.kit.custom_ids import Verb


def former_custom_id(
    table: int, ply: int, verb: Verb | str, cards: Cards = (), *, part: int = 0, select: bool = False
) -> str:
    """Return the custom_id of a button, or of a select, of an earlier release."""
    head = f"{'bp' if select else 'bg'}:{table}:{ply}:{verb}{part or ''}"
    return f"{head}:{join(cards, LIMIT - len(head) - 1)}" if cards else head
