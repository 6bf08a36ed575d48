"""The way back to one's cards, from whatever stands in their place or beside them."""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import button
from bot.show.kit.words import Words


def back(table: TableId, w: Words) -> ui.Button[Any]:
    """Return the button that puts the hand at a table where it stands."""
    return button(w("Back to my cards"), Press(table, Verb.REFRESH), ButtonStyle.primary)
