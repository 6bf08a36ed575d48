"""Parsing of typed cards.

Cards are typed in notation, with signs and emoji, or in the words of several languages. The words are in
data/typed_words.toml.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final, TypeAlias, TypeVar

from bot.domain.typed_text import readable
from bot.rules.core.cards import Card, Cards, Rank, Suit
from bot.show.kit.card_art import emoji_name
from bot.show.typed.word_table import listed, named

DRAWN: Final = "\ufe0e\ufe0f\u20e3"  # variation selectors and the keycap mark, which may follow a sign
BETWEEN: Final = f"+|=~>`{DRAWN}"  # between cards, with any blank or punctuation; a colon may begin a word, such as :a:
BEFORE: Final = "\"'`(*_"  # before the first card, with any opening quotation mark or bracket
# The Latin, general, supplemental, Chinese, small and wide punctuation marks are in these blocks.
MARKS: Final = ((0, 0x2FF), (0x2000, 0x206F), (0x2E00, 0x2E7F), (0x3000, 0x303F), (0xFE10, 0xFE6F), (0xFF00, 0xFFEF))
LETTERLESS: Final = {"đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O"}  # letters that do not decompose
ONLY_BY_CASE: Final = {"a": Rank.LITTLE_A, "A": Rank.BIG_A}  # cards of the number pack that differ only in case
SIGN_NAMES: Final[Mapping[str, str]] = {
    "A": "ACE",
    "2": "TWO",
    "3": "THREE",
    "4": "FOUR",
    "5": "FIVE",
    "6": "SIX",
    "7": "SEVEN",
    "8": "EIGHT",
    "9": "NINE",
    "T": "TEN",
    "J": "JACK",
    "Q": "QUEEN",
    "K": "KING",
    "d": "DIAMONDS",
    "c": "CLUBS",
    "h": "HEARTS",
    "s": "SPADES",
}
FOURTEEN: Final = "14"  # the joker of the number pack, in its players' words

Held: TypeAlias = Mapping[tuple[Rank, Suit], Card]
T = TypeVar("T")


class UnreadableCards(ValueError):
    """Typed text that is not a list of cards; ``rest`` is the unreadable part."""

    def __init__(self, rest: str) -> None:
        super().__init__(rest)
        self.rest = rest


@dataclass(frozen=True, slots=True)
class CardWords:
    """All words of the table by folded spelling: for suits, ranks, and cards without a suit."""

    suits: Mapping[str, Suit]
    ranks: Mapping[str, Rank]
    cards: Mapping[str, Rank]
    between: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardParser:
    """The patterns and words to read the cards of one deck.

    pattern: finds one card, with the groups alone, number, rank and suit, or suit_before and rank_after. rank: finds a
    rank alone.
    """

    pattern: re.Pattern[str]
    rank: re.Pattern[str]
    alone: Mapping[str, Card]
    ranks: Mapping[str, Rank]
    suits: Mapping[str, Suit]
    held: Held = field(repr=False)

    def meant(self, match: re.Match[str], written: str) -> Card | None:
        """Return the found card; None if the deck has no such card.

        written: the text with its case.
        """
        if match["emoji"] or match["alone"]:
            word = _unspaced(match["emoji"] or match["alone"])
            return self.alone.get(unicodedata.normalize("NFKC", written)) or self.alone[word]
        if match["number"]:
            return self.held[Rank(match["number"]), Suit.NUMBER]
        rank, suit = match["rank"] or match["rank_after"], match["suit"] or match["suit_before"]
        return self.held.get((self.ranks[rank], self.suits[suit]))


def read(typed: str, known: Cards) -> Cards:
    """Return the typed cards. known: the deck, which every card must belong to.

    Accepts ``3D 3C``, ``D3 C3``, ``3♦3♣``, ``10h``, ``th``, ``红桃K``, ``ace of spades``, ``red joker``, with commas or
    without spaces. ``10h`` is the tile in a deck with tiles, else the ten of a pack. In the number pack a number is a
    card: ``5 5 J``, ``1010j``, ``11`` for the eleven, ``a`` and ``A``. Raises UnreadableCards at the first part that is
    no card, for more cards than the deck has, and for empty text.
    """
    reader = _reader(known)
    return tuple(_each(typed, len(known), reader.pattern, reader.meant))


def read_ranks(typed: str, known: Cards) -> tuple[Rank, ...]:
    """Return the typed ranks without any suit, ``qqqaa``.

    Raises as :func:`read`, and for a list of cards: ``as`` is the ace of spades, not two words for an ace.
    """
    if _are_cards(typed, known):
        raise UnreadableCards(typed)
    reader = _reader(known)
    return tuple(_each(typed, len(known), reader.rank, lambda match, _: reader.ranks[match["rank"]]))


def _are_cards(typed: str, known: Cards) -> bool:
    try:
        read(typed, known)
    except UnreadableCards:
        return False
    return True


def _each(
    typed: str, most: int, pattern: re.Pattern[str], meant: Callable[[re.Match[str], str], T | None]
) -> Iterator[T]:
    """Yield the meaning of each part of a typed text. Raises UnreadableCards."""
    text = readable(typed)
    folded, count = _folded(text), 0
    at = _after(_opening(), folded, 0)
    if at == len(text):
        raise UnreadableCards(typed)
    while at < len(text):
        match = pattern.match(folded, at)
        found = meant(match, text[at : match.end()]) if match else None
        if match is None or found is None or count == most:
            raise UnreadableCards(text[at:])
        yield found
        count += 1
        at = _after(_gap(), folded, match.end())


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


@cache
def _gap() -> re.Pattern[str]:
    """Return the pattern of the text between two cards: punctuation, or a word for "and"."""
    joined = _any_of(map(_folded, listed("together")))
    return re.compile(rf"(?:[\s{re.escape(BETWEEN)}{_marks('PZ', ':')}]|:(?![a-z])|{joined})*")


@cache
def _opening() -> re.Pattern[str]:
    """Return the pattern of what may stand before the first card."""
    return re.compile(rf"[\s{re.escape(BEFORE)}{_marks(('Ps', 'Pi'))}]*")


def _marks(categories: Iterable[str], but: str = "") -> str:
    """Return the characters of Unicode categories, escaped for a set in a pattern."""
    every = (chr(number) for first, last in MARKS for number in range(first, last + 1))
    return "".join(
        re.escape(one) for one in every if one not in but and unicodedata.category(one).startswith(tuple(categories))
    )


def suits_begin(typed: str, held: Iterable[Card]) -> bool:
    """Tell whether a word for the suit of one of these cards begins with this text.

    One ASCII letter is too short.
    """
    suits, begun = {card.suit for card in held}, _folded(readable(typed))
    enough = len(begun) > 1 or not begun.isascii()
    return enough and any(word.startswith(begun) for word, suit in words().suits.items() if suit in suits)


@cache
def words() -> CardWords:
    """Return the table of words."""
    return CardWords(
        {word: Suit(key) for key, word in _entries("suits")},
        {word: Rank(key) for key, word in _entries("ranks")},
        {word: Rank(key) for key, word in _entries("cards")},
        listed("between"),
    )


def _entries(kind: str) -> Iterator[tuple[str, str]]:
    """Yield the notation of a suit, a rank or a card with each of its words, folded."""
    return ((key, _folded(unicodedata.normalize("NFC", word))) for key, word in named(kind))


def _folded(text: str) -> str:
    """Return text without case, accents and wide forms, at the same length."""
    return "".join(map(_plain, text))


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    first, *rest = list(unicodedata.normalize("NFKD", LETTERLESS.get(character, character)))
    bare = first if all(map(unicodedata.combining, rest)) else character
    return low if len(low := bare.lower()) == 1 else bare


def _unspaced(text: str) -> str:
    return "".join(text.split())


# What a deck makes of the table


@lru_cache(maxsize=16)
def _reader(known: Cards) -> CardParser:
    held = {(card.rank, card.suit): card for card in known}
    ranks, suits, alone, emoji = _ranks(held), _suits(held), _alone(held), _emoji(known)
    numbers = [rank for rank, suit in held if suit is Suit.NUMBER]
    rank, suit, between, drawn = _any_of(ranks), _any_of(suits), _any_of(words().between), f"[{DRAWN}]*"
    pattern = (
        rf"<a?:(?P<emoji>{_any_of(emoji)}):\d+>|(?P<alone>{_any_of(alone)})"
        rf"|(?P<rank>{rank}){drawn}\s*(?:(?:{between})\s*)?(?P<suit>{suit}){drawn}"
        rf"|(?P<suit_before>{suit}){drawn}\s*(?P<rank_after>{_whole_words(ranks)}){drawn}"
        rf"|(?P<number>{_any_of(numbers)}){drawn}\s*n?"
    )
    return CardParser(
        pattern=re.compile(pattern),
        rank=re.compile(f"(?P<rank>{rank})"),
        alone=_by_word(alone | emoji),
        ranks=ranks,
        suits=suits,
        held=held,
    )


def _ranks(held: Held) -> Mapping[str, Rank]:
    """Return the ranks by word for these cards; "ten" means the tile in a deck with tiles."""
    there = {rank for rank, suit in held if suit not in (Suit.NONE, Suit.NUMBER)}
    ten = Rank.TILE_TEN if Rank.TILE_TEN in there else Rank.TEN
    spelt = {word: ten if rank is Rank.TEN else rank for word, rank in words().ranks.items()}
    spelt |= {rank.lower(): rank for rank in there} | {Rank.TILE_TEN.value: ten}
    return {word: rank for word, rank in spelt.items() if rank in there}


def _suits(held: Held) -> Mapping[str, Suit]:
    there = {suit for _, suit in held if suit not in (Suit.NONE, Suit.NUMBER)}
    spelt = {**words().suits, **{suit.value: suit for suit in there}}
    return {word: suit for word, suit in spelt.items() if suit in there}


def _alone(held: Held) -> dict[str, Card]:
    """Return the cards by the single words and signs for them."""
    suitless = {rank: card for (rank, suit), card in held.items() if suit is Suit.NONE}
    spelt = {**words().cards, **{rank.lower(): rank for rank in suitless}, "j": Rank.JOKER, FOURTEEN: Rank.JOKER}
    named = {word: suitless[rank] for word, rank in {**spelt, **ONLY_BY_CASE}.items() if rank in suitless}
    numbers = {word: Rank.TILE_TEN if rank is Rank.TEN else rank for word, rank in words().ranks.items()}
    named |= {word: held[rank, Suit.NUMBER] for word, rank in numbers.items() if (rank, Suit.NUMBER) in held}
    return named | {sign: card for card in held.values() if (sign := _sign(card))}


def _by_word(spelt: Mapping[str, Card]) -> Mapping[str, Card]:
    return {_unspaced(word): card for word, card in spelt.items()}


def _emoji(known: Cards) -> dict[str, Card]:
    """Return the cards by the names of the bot's emoji."""
    looks = [(picked, four) for picked in (False, True) for four in (False, True)]
    return {emoji_name(str(card), picked=picked, four=four): card for card in known for picked, four in looks}


def _sign(card: Card) -> str | None:
    """Return the Unicode character of a card, such as 🂡; None for a card without one."""
    if card.rank not in SIGN_NAMES or card.suit not in SIGN_NAMES:
        return None
    return unicodedata.lookup(f"PLAYING CARD {SIGN_NAMES[card.rank]} OF {SIGN_NAMES[card.suit]}")


def _any_of(spelt: Iterable[str]) -> str:
    """Return a pattern for any of these words, the longest first, with any spacing.

    Without words it never matches.
    """
    longest_first = sorted(spelt, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"\s*") for word in longest_first) or r"(?!)"


def _whole_words(spelt: Iterable[str]) -> str:
    """Return a pattern for whole words, not followed by a letter or digit.

    So ``sas2`` is two cards, not ``s as``.
    """
    long = {word for word in spelt if len(word) > 1 and word.isascii() and word.isalpha()}
    return rf"(?:{_any_of(long)})(?![^\W_])|{_any_of({*spelt} - long)}"
