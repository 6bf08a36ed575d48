"""Every way in which a card can stand in a message: code, symbol, emoji by name or id, and words in both languages.

Knows how cards and tiles are written and nothing of who may see them, nor of which deck a message speaks: a 10 may be a
ten of a pack or a tile, so both are reported, of which at most one can be a secret. A joker is found by its colour
alone: the word "joker" tells nothing. A card of the number pack is found in its code, as an emoji and in inline code,
as every sentence shows it; a bare number is none, and so two worlds have to be compared (two_worlds.py). The two A
cards are not looked for: every player always knows where they are.
"""

from __future__ import annotations

import re
import traceback
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, TypeAlias

from babel.messages.pofile import read_po

from bot.domain.languages import LANGUAGES
from bot.games import GAMES
from bot.rules.core.cards import JOKERS, Card, Rank, card, jokers, number_pack, pack, read_unspaced, tiles
from bot.show.kit.card_codes import split
from bot.show.kit.card_symbols import LINE, Faces, symbol
from bot.show.kit.phrases import examples
from bot.show.kit.words import LOCALES, PLAIN_FACES, words
from bot.show.rulebook.articles import book

Deck: TypeAlias = frozenset[tuple[str, tuple[str, int]]]  # the emoji of cards
SUITS = {"♦": "d", "♢": "d", "♣": "c", "♧": "c", "♥": "h", "♡": "h", "♠": "s", "♤": "s"}
SIGNS = "".join(SUITS)
SMALL = "\n-# "  # goes on in small print, on the next line
RANK = "1[0-5]?|[2-9TJQKA]"  # "1[0-5]?" takes what it can get: "15", not "1"
NUMBER = "1[0-3]|[1-9]"
# Also "3d.1", a second copy in a select.
CODES = re.compile(rf"(?<![0-9A-Za-z])((?:(?:{RANK})[dchs]|(?:{NUMBER})n|[BR]J|JK)+)(?![0-9A-Za-z])")
TYPED = re.compile(r"(?<![0-9A-Za-z])(1[0-5]?|[2-9])([dchs])(?![0-9A-Za-z])", re.IGNORECASE)
JOKER = re.compile(r"(?<![0-9A-Za-z])(?:bg\d+_)?([br]j)(?![0-9A-Za-z])", re.IGNORECASE)  # typed, or an emoji
RANK_FIRST = re.compile(rf"({RANK})\s*([{SIGNS}])")
SUIT_FIRST = re.compile(rf"(?<![0-9TJQKA])([{SIGNS}])\ufe0e?({RANK})")
EMOJI = re.compile(r"bg\d+_(1[0-5]?|[2-9tjqka])([dchs])(?![a-z])")
NUMBERED = re.compile(r"(?<![0-9A-Za-z])bg\d+_(\d{1,2}n|jk)(?![a-z])")  # an emoji of the number pack
INLINE = re.compile(rf"`((?:{NUMBER}|J★|a|A)(?: (?:{NUMBER}|J★|a|A))*)`")  # cards of the number pack, in sentences
SETS = re.compile(r"\b(?:of|two|three|four|house) (?:1[0-5]|[2-9TJQKA])s\b")  # "a pair of Ks" is no king of spades
PACKED = re.compile(r"\bb[gp]:\d+:\d+:[a-z_]+\d?:(=[^\s:\"]+)")  # an address with cards as a number

SYMBOLS = {symbol(held): held for held in number_pack()}
TYPED_NAMES = {
    "black joker": "BJ",
    "joker black": "BJ",
    "小王": "BJ",
    "小鬼": "BJ",
    "red joker": "RJ",
    "joker red": "RJ",
    "大王": "RJ",
    "大鬼": "RJ",
}


def _named() -> dict[str, set[Card]]:
    """Return what each name means in any language: "the ace of spades", "the 10 of diamonds", card or tile, a joker."""
    found = {name: {card(code)} for name, code in TYPED_NAMES.items()}
    for w in (words(language.code) for language in LANGUAGES):
        for held in (*pack(), *tiles(), *jokers()):
            name = w("the {rank} of {suit}", rank=held.rank, suit=held.suit) if held.suit else w.show(held.rank)
            found.setdefault(name.casefold(), set()).add(held)
    return found


NAMES = _named()
NAMED = re.compile("|".join(map(re.escape, sorted(NAMES, key=len, reverse=True))))  # "方块15" before "方块1"


def leaves(payload: Any) -> Iterator[str]:
    """Yield every text and number anywhere in a payload, as text, and as it is read: not underlined, on one line."""
    rest = [payload]
    while rest:
        thing = rest.pop()
        if isinstance(thing, str):
            yield thing.replace(LINE, "").replace(SMALL, " ")
        elif isinstance(thing, dict):
            rest += list(thing.values())[::-1]
        elif isinstance(thing, list | tuple):
            rest += thing[::-1]
        elif isinstance(thing, int) and not isinstance(thing, bool):
            yield str(thing)


def cards_in_text(text: str) -> Iterator[Card]:
    """Yield the cards that stand in a text, however they are written."""
    for packed in PACKED.findall(text):
        yield from split(packed)
    text = SETS.sub("", PACKED.sub("", text))  # whose characters could look like a code
    for run in CODES.findall(text):
        yield from read_unspaced(run)
    for pattern in (TYPED, RANK_FIRST, EMOJI):
        for rank, suit in pattern.findall(text):
            yield from _cards(rank, suit)
    yield from (card(joker.upper()) for joker in JOKER.findall(text))
    for suit, rank in SUIT_FIRST.findall(text):
        yield from _cards(rank, suit)
    yield from _numbered(text)
    for name in NAMED.findall(text.casefold()):
        yield from sorted(NAMES[name], key=str)


def _numbered(text: str) -> Iterator[Card]:
    """Yield the cards of the number pack, but for its A cards, as emoji and in inline code."""
    yield from (card(code if code[0].isdigit() else code.upper()) for code in NUMBERED.findall(text))
    for inline in INLINE.findall(text):
        yield from (SYMBOLS[sign] for sign in inline.split() if sign not in "aA")


def _cards(rank: str, suit: str) -> Iterator[Card]:
    """Yield what a rank and a suit mean as people write them: one card, or for a 10 the tile and the card."""
    letter = SUITS.get(suit, suit.lower())
    yield card(rank.upper() + letter)
    if rank == "10":
        yield card("T" + letter)


def cards_in(payload: Any, faces: Faces) -> set[Card]:
    """Return the cards anywhere in a payload, but for those in print. faces: the emoji of the cards."""
    return cards_among(set(leaves(payload)), faces)


def cards_among(texts: Iterable[str], faces: Faces) -> set[Card]:
    """Return the cards in some texts of a payload, but for those in print. faces: the emoji of the cards."""
    ids = _pictured(faces)
    found: set[Card] = set()
    for leaf in texts:
        if cards_of(leaf):
            found.update(cards_of(unprinted(leaf, faces)))
        if leaf in ids:
            found.add(ids[leaf])
    return found


@lru_cache(maxsize=32)
def _pictured(faces: Faces) -> dict[str, Card]:
    """Return the card that each emoji shows, by its id."""
    kinds = faces.emoji, faces.lifted, faces.plain, faces.lifted_plain
    return {str(number): card(code) for known in kinds for code, (_, number) in known.items()}


@lru_cache(maxsize=20_000)  # most of what is sent was sent before
def cards_of(leaf: str) -> frozenset[Card]:
    """Return the cards that stand in a text which may come again."""
    return frozenset(cards_in_text(leaf))


def cards_in_error(error: BaseException) -> frozenset[Card]:
    """Return the cards in what a log says of an error, but for the lines of code that it shows beside."""
    return cards_of("".join(traceback.format_exception(type(error), error, None)))


def typed_in(payload: Any) -> set[Card]:
    """Return the cards of the number pack that a player typed into a command, where a bare number is a card."""
    match payload:
        case {"name": "move", "value": str(text)}:
            return {SYMBOLS[sign] for sign in re.findall(rf"(?<!\d)(?:{NUMBER})(?!\d)", text)} | {SYMBOLS["J★"]}
        case dict() | list() | tuple():
            inner = payload.values() if isinstance(payload, dict) else payload
            return {held for value in inner for held in typed_in(value)}
    return set()


def addressed(payload: Any) -> set[Card]:
    """Return the cards in the addresses of components and in what their selects send."""
    match payload:
        case dict():
            found = [cards_in_text(str(payload.get(name))) for name in ("custom_id", "value")]
            deeper = [addressed(value) for value in payload.values()]
            return {held for each in (*found, *deeper) for held in each}
        case list() | tuple():
            return {held for value in payload for held in addressed(value)}
    return set()


def unprinted(text: str, faces: Faces = PLAIN_FACES) -> str:
    """Return the text without what stands in the rule book or, as an example, in a sentence of the catalogue."""
    return _unprinted(text, _decks(faces))


@lru_cache(maxsize=32)
def _decks(faces: Faces) -> frozenset[Deck]:
    return frozenset({frozenset(faces.emoji.items()), frozenset({**faces.emoji, **faces.plain}.items())})


@lru_cache(maxsize=20_000)
def _unprinted(text: str, decks: frozenset[Deck]) -> str:
    text = text.replace("\n> ", "\n")  # an article that is quoted
    pieces = _printed(decks)
    for piece in pieces[bisect_left(pieces, -len(text), key=lambda each: -len(each)) :]:  # no longer than the text
        text = text.replace(piece, "")
    return text


@cache
def _printed(decks: frozenset[Deck]) -> tuple[str, ...]:
    """Return the passages with the cards of any of these decks, the longest first: none is cut by a shorter one."""
    return tuple(sorted({piece for deck in decks for piece in printed(deck)}, key=len, reverse=True))


@cache
def printed(emoji: Deck) -> frozenset[str]:
    """Return all passages with cards that are the same for every player and always."""
    return _always_printed() | _with_cards(_articles(Faces(emoji=dict(emoji))))


@cache
def _always_printed() -> frozenset[str]:
    """Return the passages that are the same whatever the emoji."""
    return _with_cards((*_articles(PLAIN_FACES), *_sentences(), *_plurals(), *_examples()))


def _with_cards(texts: Iterable[str]) -> frozenset[str]:
    """Return the passages of texts, between their fields, in which cards stand."""
    pieces = {piece for text in texts for piece in re.split(r"\{\w+\}", text)}
    return frozenset(piece for piece in pieces if any(cards_in_text(piece)) and not _only_a_name(piece))


def _only_a_name(piece: str) -> bool:
    """Tell whether a piece is the bare name of a card, as a sentence is filled with: it may stand anywhere."""
    return re.fullmatch(rf"\W*(?:the )?(?:{NAMED.pattern})\W*", piece.casefold()) is not None


def _articles(faces: Faces) -> Iterator[str]:
    for game in GAMES:
        for w in (words(language.code, faces) for language in LANGUAGES):
            for section in book(game, w.locale).sections:
                yield from (article.show(w) for article in section.articles)


def _plurals() -> Iterator[str]:
    """Yield names of combinations that look like a card: "a pair of 5s"."""
    w = words("en-US")
    rules = (game.rules(next(iter(game.presets))) for game in GAMES.values())
    names = (name for of in rules for kind in of.names.values() for name in (kind.one, kind.button, kind.plate))
    for name in dict.fromkeys(name for name in names if "{rank}s" in name):
        for rank in set(Rank).difference(JOKERS):  # with a joker the name tells the very cards
            said = w(name, rank=rank)
            yield from (said, said[:1].upper() + said[1:])  # where a sentence begins with it


def _examples() -> Iterator[str]:
    """Yield the cards that tell a player how to write cards, under every preset."""
    for game in GAMES.values():
        yield from (examples(game.rules(preset)) for preset in game.presets)


def _sentences() -> Iterator[str]:
    for path in LOCALES.glob("*/LC_MESSAGES/bigger.po"):
        with path.open("rb") as source:
            for message in read_po(source):
                for text in (message.id, message.string or ""):
                    yield from (text,) if isinstance(text, str) else text
