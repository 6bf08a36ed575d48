"""The cards that players have picked on their screens and not yet played.

A click names only its button, and a select only its own options, so all picks are remembered here; after a restart they
are read from the message, whose picked cards are marked. Each message is a separate screen: the picks of the clicked
screen count. The rules check picked cards elsewhere.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from typing import TypeAlias

import discord

from bot.domain.ids import MessageId, TableId, UserId
from bot.rules.core.cards import Cards
from bot.scene import Scene
from bot.show.hand.selection import question
from bot.show.kit.card_codes import valued
from bot.show.kit.custom_ids import InvalidCustomId, Press, Verb, parse_custom_id
from bot.show.kit.layout import walk_components

PickComponent: TypeAlias = discord.SelectMenu | discord.Button

MAX_PICKS = 10_000  # remembered picks, one per player and table; older ones are read from the messages


@dataclass(frozen=True, slots=True)
class PlayerPicks:
    """The cards picked by one player.

    hand, question: the hand and the question of the picks, see show/hand/selection.py. message: the screen with the
    picks, None before the first screen. tapped: positions in the pack of cards picked by button, to tell equal cards
    apart.
    """

    hand: int
    question: int | None
    message: MessageId | None
    _: KW_ONLY
    cards: Cards = field(repr=False)
    tapped: frozenset[int] = field(default=frozenset(), repr=False)


class Picks:
    """The picks of each player at each table."""

    def __init__(self) -> None:
        self._picked: OrderedDict[tuple[TableId, UserId | None], PlayerPicks] = OrderedDict()

    def of(self, scene: Scene, message: discord.Message | None = None) -> Cards:
        """Return the cards picked by the viewer. message: the clicked screen, if any."""
        known = self._known(scene)
        if message is not None and (known is None or known.message != message.id):
            marked = _marked(message, scene)
            if marked is not None:
                return marked
        return known.cards if known else ()

    def tapped(self, scene: Scene) -> frozenset[int]:
        """Return the positions in the pack of the cards that the viewer has tapped."""
        known = self._known(scene)
        return known.tapped if known else frozenset()

    def remember(
        self, scene: Scene, cards: Cards, message: discord.Message | None, tapped: frozenset[int] = frozenset()
    ) -> None:
        """Remember the viewer's picks and their screen."""
        key, screen = (scene.where.table, scene.viewer), MessageId(message.id) if message else None
        self._picked[key] = PlayerPicks(scene.tally.deal, question(scene), screen, cards=cards, tapped=tapped)
        self._picked.move_to_end(key)
        while len(self._picked) > MAX_PICKS:
            self._picked.popitem(last=False)

    def _known(self, scene: Scene) -> PlayerPicks | None:
        """Return the viewer's remembered picks if they are for the current hand and question."""
        known = self._picked.get((scene.where.table, scene.viewer))
        if known is None or known.hand != scene.tally.deal or known.question != question(scene):
            return None
        return known

    def forget(self, table: TableId, user: UserId) -> None:
        """Forget a player's picks at a table: the cards are played."""
        self._picked.pop((table, user), None)

    def forget_person(self, user: UserId) -> None:
        """Forget all picks of a user."""
        for key in [key for key in self._picked if key[1] == user]:
            del self._picked[key]


def _marked(message: discord.Message, scene: Scene) -> Cards | None:
    """Return the cards marked on a screen for the current question.

    Returns None if the screen offers no picks for the question.
    """
    asked = question(scene)
    picking = [part for part in parts(message) if _is_pick_for(part, scene, asked)]
    return tuple(card for part in picking for card in _chosen(part, scene)) if picking else None


def parts(message: discord.Message) -> list[PickComponent]:
    """Return the buttons and menus of a message."""
    return [
        part for part in walk_components(message.components) if isinstance(part, discord.SelectMenu | discord.Button)
    ]


def has_button(message: discord.Message, verb: Verb) -> bool:
    """Tell whether a message has a button with this verb."""
    return any(address is not None and address.verb is verb for address in map(_address, parts(message)))


def _is_pick_for(part: PickComponent, scene: Scene, asked: int | None) -> bool:
    """Tell whether a button or menu picks cards of this hand for the current question."""
    return (address := _address(part)) is not None and (
        address.verb in (Verb.PICK, Verb.CARD)
        and address.table == scene.where.table
        and address.at in (None, scene.tally.deal)
        and address.within == asked
    )


def _chosen(part: PickComponent, scene: Scene) -> Cards:
    """Return the cards marked in a select, or the card of a marked button."""
    if isinstance(part, discord.SelectMenu):
        return valued(option.value for option in part.options if option.default)
    address, pack = _address(part), scene.terms.rules.pack
    marked = part.style is discord.ButtonStyle.primary and address is not None and address.part < len(pack)
    return (pack[address.part],) if marked and address else ()


def _address(part: PickComponent) -> Press | None:
    with suppress(InvalidCustomId):
        address = parse_custom_id(part.custom_id or "")
        return address if isinstance(address, Press) else None
    return None
