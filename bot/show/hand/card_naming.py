"""Buttons for naming a card: a row of suits, if there are several, and the ranks of one suit.

The shown suit is the suit of the selected card, by default the first one.
"""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.rules.core.asks import NameAsk
from bot.rules.core.cards import SUITS, Card, Cards, Suit
from bot.scene import Scene
from bot.show.hand.card_buttons import rows_of
from bot.show.hand.selection import CardSelection, question
from bot.show.kit import card_symbols
from bot.show.kit.card_symbols import underlined
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Row, button, row
from bot.show.kit.words import Words


def naming_rows(scene: Scene, choice: CardSelection, ask: NameAsk, w: Words) -> list[Row | None]:
    """Return a row of suits, and below it the cards of one suit; cards that cannot be named stay, disabled."""
    cards, suits = _looked_at(choice, ask), suits_of(ask)
    placed = {choice.view.rules.pack.index(card): card for card in cards}
    picked = [place for place, card in placed.items() if card in choice.cards]
    off = [place for place, card in placed.items() if card not in ask.cards]
    beside = row(*(_suit(scene, suit, chosen=suit is cards[0].suit) for suit in suits))
    return [beside, *rows_of(scene, placed.items(), w, picked, off=off)]


def suits_of(ask: NameAsk) -> tuple[Suit, ...]:
    """Return the suits to choose from; none if cards differ in rank alone."""
    there = {card.suit for card in ask.cards}
    suits = tuple(suit for suit in SUITS if suit in there)
    return suits if len(suits) > 1 else ()


def in_suit(choice: CardSelection, ask: NameAsk, place: int) -> Cards:
    """Return the selection after a tap on the suit at this place: the same rank, or the suit's highest card."""
    suits = suits_of(ask)
    named = [card for card in ask.cards if card.suit in suits and SUITS.index(card.suit) == place]
    alike = [card for card in named if choice.cards and card.rank is choice.cards[0].rank]
    return tuple((alike or named)[-1:])


def other(choice: CardSelection, tapped: Card) -> Cards:
    """Return the selection after a tap on a card: that card, or nothing if it was selected."""
    return () if tapped in choice.cards else (tapped,)


def _looked_at(choice: CardSelection, ask: NameAsk) -> list[Card]:
    """Return the shown cards: all cards to name, or all ranks of the shown suit."""
    if not (suits := suits_of(ask)):
        return list(ask.cards)
    suit = choice.cards[0].suit if choice.cards else suits[0]
    ranks = {card.rank for card in ask.cards}
    return [card for card in choice.view.rules.pack if card.suit is suit and card.rank in ranks]


def _suit(scene: Scene, suit: Suit, *, chosen: bool) -> ui.Button[Any]:
    target = Press(scene.where.table, Verb.SUIT, at=scene.tally.deal, part=SUITS.index(suit), within=question(scene))
    sign = card_symbols.SUITS[suit]
    return button(
        underlined(sign) if chosen else sign, target, ButtonStyle.primary if chosen else ButtonStyle.secondary
    )
