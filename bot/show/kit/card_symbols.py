"""The look of a card in a message: as plain symbols, or as one of the bot's emoji.

The symbols work on every device and are readable without colour: red suits are outlines (♢ ♡), black suits are filled
(♠ ♣). Discord and phones like to draw ♥, ♦, ♣ and ♠ as emoji; the outlines have no emoji form, and U+FE0E keeps the
filled symbols text. Likewise the red joker has an outlined star and the black joker a filled star, both without an
emoji form. A card of the number pack is written as its number alone; the joker of that pack has the filled star too,
and its two A cards differ in case. In sentences each card stands in inline code, which looks like a small card and is
never turned into emoji.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from discord import PartialEmoji

from bot.domain.preferences import Preferences
from bot.rules.core.cards import Card, Rank, Suit, every_card

SUITS = {Suit.DIAMONDS: "♢", Suit.CLUBS: "♣\ufe0e", Suit.HEARTS: "♡", Suit.SPADES: "♠\ufe0e", Suit.NUMBER: ""}
SUITLESS = {
    Rank.BLACK_JOKER: "BJ★",
    Rank.RED_JOKER: "RJ☆",
    Rank.JOKER: "J★",
    Rank.LITTLE_A: "a",
    Rank.BIG_A: "A",
}
TEXT = "\ufe0e"  # keeps the preceding symbol text
LINE = "\u0332"  # underlines the preceding character


def rank(held: Rank) -> str:
    """Return the rank in players' notation: ``"10"``, ``"K"``, ``"BJ"``."""
    return "10" if held is Rank.TEN else held.value


@cache
def symbol(held: Card) -> str:
    """Return the card as text without any markup, for labels: ``"10♡"``, ``"RJ☆"``, ``"5"``."""
    return SUITLESS.get(held.rank) or f"{rank(held.rank)}{SUITS[held.suit]}"


def symbols(held: Iterable[Card]) -> str:
    """Return cards as text without any markup, for labels."""
    return " ".join(map(symbol, held))


def underlined(text: str) -> str:
    """Return text underlined at the same width.

    The line marks a selected card without relying on colour.
    """
    return "".join(f"{sign}{LINE}" if sign.isprintable() and sign != TEXT else sign for sign in text)


def _emoji_by_card(emoji: Mapping[str, tuple[str, int]]) -> Mapping[Card, PartialEmoji]:
    known = ((held, emoji.get(str(held), ("", 0))) for held in every_card())
    return {held: PartialEmoji(name=name, id=number) for held, (name, number) in known if number}


@dataclass(frozen=True, eq=False, kw_only=True)
class Faces:
    """The bot's own card emoji, as (name, id) by card notation.

    A card without an emoji is shown as text. lifted: emoji of selected cards. plain, lifted_plain: emoji that differ in
    the two-colour deck. larger: show the cards of a line of their own in the largest heading.
    """

    emoji: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    lifted: Mapping[str, tuple[str, int]] = field(default_factory=dict, repr=False)
    plain: Mapping[str, tuple[str, int]] = field(default_factory=dict, repr=False)
    lifted_plain: Mapping[str, tuple[str, int]] = field(default_factory=dict, repr=False)
    larger: bool = False

    def show(self, held: Iterable[Card]) -> str:
        """Return cards as message text."""
        return " ".join(map(self._texts.__getitem__, held))

    def large(self, held: Iterable[Card], sign: str = "") -> str:
        """Return cards as a heading of their own, larger than text.

        Emoji need a larger heading than code does. sign: text in front of the cards.
        """
        return f"{'#' * (3 - bool(self.emoji) - self.larger)} {sign}{self.show(held)}"

    @cached_property
    def pictures(self) -> Mapping[Card, PartialEmoji]:
        """The emoji by card, for buttons and select options; cards without an emoji are missing."""
        return _emoji_by_card(self.emoji)

    @cached_property
    def picked(self) -> Mapping[Card, PartialEmoji]:
        """The emoji of selected cards, for buttons."""
        return _emoji_by_card(self.lifted)

    @cached_property
    def _texts(self) -> Mapping[Card, str]:
        return {held: str(self.pictures.get(held) or f"`{symbol(held)}`") for held in every_card()}


def faces_for(faces: Faces, preferences: Preferences) -> Faces:
    """Return the faces in the style of these habits: as text, in two colours, or larger."""
    two = preferences.suit_colours == "two"
    return _liked(faces, text=preferences.text_only, two=two, larger=preferences.large)


@lru_cache(maxsize=32)
def _liked(faces: Faces, *, text: bool, two: bool, larger: bool) -> Faces:
    if not (text or two or larger):
        return faces
    if text:
        return Faces(larger=larger)
    emoji, lifted = (faces.plain, faces.lifted_plain) if two else ({}, {})
    return Faces(emoji={**faces.emoji, **emoji}, lifted={**faces.lifted, **lifted}, larger=larger)
