"""What people have picked on their screens and not played yet.

Discord tells of a select what is chosen in that one, so what was picked in the others is remembered; after a restart it
is read from the message itself, which marks it. Each message is a screen of its own: what counts is what was picked on
the one that is clicked. Refuses to know what can be played.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field

import discord

from bot.ground.ids import MessageId, TableId, UserId
from bot.rules.asks import NameAsk
from bot.rules.cards import Cards
from bot.scene.scene import Scene
from bot.show.card_codes import valued
from bot.show.ids import Press, Unaddressed, Verb
from bot.show.old_ids import read

MOST = 10_000  # people at tables whose picks are remembered; those of others are read from their messages


@dataclass(frozen=True, slots=True)
class Picked:
    """What one person has picked. hand, naming: what from. message: on which screen, None where on none yet."""

    hand: int
    naming: bool
    message: MessageId | None
    cards: Cards = field(repr=False)


class Picks:
    """The picks of each person at each table."""

    def __init__(self) -> None:
        self._picked: OrderedDict[tuple[TableId, UserId | None], Picked] = OrderedDict()

    def of(self, scene: Scene, message: discord.Message | None = None) -> Cards:
        """Return what the viewer has picked. message: the screen that was clicked on, where it was one."""
        known = self._picked.get(_whose(scene))
        if known is not None and (known.hand, known.naming) != (scene.tally.hand, _naming(scene)):
            known = None
        if message is not None and (known is None or known.message != message.id):
            marked = _marked(message, scene)
            if marked is not None:
                return marked
        return known.cards if known else ()

    def remember(self, scene: Scene, cards: Cards, message: discord.Message | None) -> None:
        """Take note of what the viewer has picked, and on which screen."""
        key = _whose(scene)
        self._picked[key] = Picked(scene.tally.hand, _naming(scene), MessageId(message.id) if message else None, cards)
        self._picked.move_to_end(key)
        while len(self._picked) > MOST:
            self._picked.popitem(last=False)

    def forget(self, table: TableId, user: UserId) -> None:
        """Let go of what somebody has picked: it is played."""
        self._picked.pop((table, user), None)

    def forget_person(self, user: UserId) -> None:
        """Let go of whatever a person has picked anywhere."""
        for key in [key for key in self._picked if key[1] == user]:
            del self._picked[key]


def _whose(scene: Scene) -> tuple[TableId, UserId | None]:
    return scene.where.table, scene.viewer


def _naming(scene: Scene) -> bool:
    return scene.view is not None and isinstance(scene.view.ask, NameAsk)


def _marked(message: discord.Message, scene: Scene) -> Cards | None:
    """Return the cards that are marked on a screen of this hand, None where nothing can be picked there."""
    selects = [part for part in _selects(message) if _picking(part, scene)]
    chosen = (option.value for part in selects for option in part.options if option.default)
    return valued(chosen) if selects else None


def _selects(message: discord.Message) -> list[discord.ui.Select[discord.ui.LayoutView]]:
    view = discord.ui.LayoutView.from_message(message, timeout=None)
    view.stop()
    return [part for part in view.walk_children() if isinstance(part, discord.ui.Select)]


def _picking(select: discord.ui.Select[discord.ui.LayoutView], scene: Scene) -> bool:
    with suppress(Unaddressed):
        address = read(select.custom_id)
        if isinstance(address, Press) and address.verb is Verb.PICK and address.table == scene.where.table:
            return address.at in (None, scene.tally.hand)
    return False
