"""The button back to the private hand, for every screen opened over or beside it."""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import button
from bot.show.kit.words import Words


def back_to_hand(table: TableId, w: Words) -> ui.Button[Any]:
    """Return the button that shows the private hand of a table again."""
    return button(w("Back to my cards"), Press(table, Verb.REFRESH), ButtonStyle.primary)
