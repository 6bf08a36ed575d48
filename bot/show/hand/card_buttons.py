"""The cards of a hand as buttons: to select the cards of a play, and to name a card."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.ids import TableId
from bot.rules.core.asks import NameAsk
from bot.rules.core.cards import SUITS, Card, Cards, Suit
from bot.scene import Scene
from bot.show.hand.selection import CardSelection, question
from bot.show.kit import card_symbols
from bot.show.kit.card_symbols import symbol, underlined
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Row, button, row
from bot.show.kit.words import Words


def card_rows(scene: Scene, choice: CardSelection, w: Words, in_row: int) -> list[Row | None]:
    """Return the hand in its owner's order, a button for each card.

    Buttons of selected cards are blue and framed. in_row: the number of cards in a row.
    """
    if choice.naming:
        return _naming_rows(scene, choice, choice.naming, w, in_row=in_row)
    placed = zip(_places(choice.view.rules.pack, choice.sorted), choice.sorted, strict=True)
    return rows_of(scene, placed, w, blue(choice), in_row=in_row)


def rows_of(
    scene: Scene,
    placed: Iterable[tuple[int, Card]],
    w: Words,
    picked: Collection[int],
    *,
    in_row: int,
    off: Collection[int] = (),
) -> list[Row | None]:
    """Return rows of buttons for these cards at these places of the pack.

    off: the places of disabled buttons.
    """
    shown, asked = list[ui.Button[Any]](), question(scene)
    for place, card in placed:
        up = place in picked
        picture = (w.faces.picked if up else w.faces.pictures).get(card)
        said = None if picture else underlined(symbol(card)) if up else symbol(card)
        target = _address(scene.where.table, scene.tally.deal, place, asked)
        style = ButtonStyle.primary if up else ButtonStyle.secondary
        shown.append(ui.Button(label=said, custom_id=target, style=style, emoji=picture, disabled=place in off))
    return [row(*shown[at : at + in_row]) for at in range(0, len(shown), in_row)]


@lru_cache(maxsize=16384)
def _address(table: TableId, deal: int, place: int, asked: int | None) -> str:
    """Return the custom id of a card, the same for a whole hand.

    asked: the question's moment, see ``question``.
    """
    return str(Press(table, Verb.CARD, at=deal, part=place, within=asked))


def blue(choice: CardSelection) -> frozenset[int]:
    """Return the places in the pack of the cards shown as selected.

    Of identical cards, the tapped ones.
    """
    if not choice.cards:
        return frozenset()
    wanted, held = defaultdict[Card, int](int), choice.sorted
    for card in choice.cards:
        wanted[card] += 1
    places = sorted(_places(choice.view.rules.pack, held), key=lambda place: place not in choice.tapped)
    found = set[int]()
    for place in places:
        card = choice.view.rules.pack[place]
        if wanted[card]:
            wanted[card] -= 1
            found.add(place)
    return frozenset(found)


def toggled(choice: CardSelection, place: int) -> frozenset[int]:
    """Return the selected places after a tap on this place."""
    return blue(choice) ^ {place}


def at_places(pack: Cards, places: frozenset[int]) -> Cards:
    """Return the cards at these places of the pack.

    Raises IndexError for a place outside the pack.
    """
    return tuple(pack[place] for place in sorted(places))


def _places(pack: Cards, held: Cards) -> Iterator[int]:
    """Yield the place of each card in the pack; identical cards get their places in order."""
    places = defaultdict[Card, list[int]](list)
    for place in range(len(pack) - 1, -1, -1):
        places[pack[place]].append(place)
    for card in held:
        yield places[card].pop()


def _naming_rows(scene: Scene, choice: CardSelection, ask: NameAsk, w: Words, *, in_row: int) -> list[Row | None]:
    """Return a row of suits, and below it the cards of one suit.

    Cards that cannot be named stay, disabled.
    """
    cards, suits = _looked_at(choice, ask), suits_of(ask)
    placed = {choice.view.rules.pack.index(card): card for card in cards}
    picked = [place for place, card in placed.items() if card in choice.cards]
    off = [place for place, card in placed.items() if card not in ask.cards]
    beside = row(*(_suit(scene, suit, chosen=suit is cards[0].suit) for suit in suits))
    return [beside, *rows_of(scene, placed.items(), w, picked, in_row=in_row, off=off)]


def suits_of(ask: NameAsk) -> tuple[Suit, ...]:
    """Return the suits to choose from; none if cards differ in rank alone."""
    there = {card.suit for card in ask.cards}
    suits = tuple(suit for suit in SUITS if suit in there)
    return suits if len(suits) > 1 else ()


def in_suit(choice: CardSelection, ask: NameAsk, place: int) -> Cards:
    """Return the selection after a tap on the suit at this place.

    The same rank, or the suit's highest card.
    """
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
