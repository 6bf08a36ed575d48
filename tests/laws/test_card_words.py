"""Each card, written in each way of each language of the table, is read as that card, and nothing else is one."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import pytest

from bot.rules.core.cards import Card, Rank, cards, double_pack, number_pack, pack, tiles
from bot.show.kit.card_art import emoji_name
from bot.show.typed.cards import UnreadableCards, read, read_ranks, suits_begin
from bot.show.typed.word_table import WORDS

TABLE: Mapping[str, Mapping[str, Any]] = tomllib.loads(WORDS.read_text("utf-8"))
OTHERWISE: tuple[Callable[[str], str], ...] = (
    str,
    lambda text: text.upper(),
    lambda text: text.title(),
    lambda text: unicodedata.normalize("NFD", text),
)
DECKS = {"pack": pack(), "double": tuple(dict.fromkeys(double_pack())), "tiles": tiles()}
NUMBERS = tuple(dict.fromkeys(number_pack()))


def words(language: str, kind: str, key: str) -> list[str]:
    """Return what a language of the table has for a suit, a rank or a card without suit."""
    known: Mapping[str, list[str]] = TABLE[language].get(kind, {})
    return known.get(key, [])


def ranks(held: Card, language: str) -> list[str]:
    """Return how a rank is written: in notation, and with the words of a language."""
    ten = held.rank in (Rank.TEN, Rank.TILE_TEN)
    shared = {"T"} if ten else {str(held.rank)}
    written = {"10", *({"T"} if held.rank is Rank.TEN else ())} if ten else {str(held.rank)}
    return [*written, *(word for key in shared for word in words(language, "ranks", key))]


def ways(held: Card, language: str) -> Iterator[str]:
    """Yield each way in which a card with a suit is written."""
    suits = [str(held.suit), *words(language, "suits", held.suit), *words("signs", "suits", held.suit)]
    between = ["", " ", *(f" {word} " for word in TABLE[language].get("between", ()))]
    for rank, suit, gap, otherwise in product(ranks(held, language), suits, between, OTHERWISE):
        yield otherwise(f"{rank}{gap}{suit}")
        if gap.strip() == "":
            yield otherwise(f"{suit}{gap}{rank}")


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("language", TABLE)
def test_each_spelling_of_each_card_is_read_in_each_language(language: str, deck: str) -> None:
    known = DECKS[deck]
    written = [(held, way) for held in known if held.suit for way in ways(held, language)]
    assert [(way, held) for held, way in written if read(way, known) != (held,)] == []
    assert len({held for held, _ in written}) == 4 * (15 if deck == "tiles" else 13)


@pytest.mark.parametrize("language", TABLE)
def test_a_whole_pack_is_read_at_once_in_each_language(language: str) -> None:
    for between in (", ", "\n", "、"):
        last = [[*ways(held, language)][-1] for held in pack()]
        assert read(between.join(last), pack()) == pack()


@pytest.mark.parametrize(
    ("deck", "joker"), [("double", "BJ"), ("double", "RJ"), *(("n", one) for one in ("JK", "LA", "BA"))]
)
def test_each_spelling_of_each_joker_is_read_in_each_language(deck: str, joker: str) -> None:
    known, (meant,) = DECKS.get(deck, NUMBERS), cards(joker)
    written = [word for language in TABLE for word in words(language, "cards", joker)]
    assert len(written) >= 2
    for word, otherwise in product([joker, joker.lower(), *written], OTHERWISE):
        assert read(otherwise(word), known) == (meant,)
        assert read(otherwise(word).replace(" ", ""), known) == (meant,)


def test_each_card_word_has_one_meaning() -> None:
    meant: dict[str, set[str]] = {}
    for language, kind in product(TABLE, ("suits", "ranks", "cards")):
        for key, known in TABLE[language].get(kind, {}).items():
            for word in known:
                bare = "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))
                meant.setdefault(bare.casefold(), set()).add(key)
    assert {word: keys for word, keys in meant.items() if len(keys) > 1} == {}
    assert {*meant} & {"a", "t", "j", "q", "k", "d", "c", "h", "s", *map(str, range(1, 16))} == set()


def test_card_emoji_and_unicode_symbols_are_read() -> None:
    for known in (*DECKS.values(), NUMBERS):
        for held, picked, four in product(known, (False, True), (False, True)):
            assert read(f"<:{emoji_name(str(held), picked=picked, four=four)}:123456789>", known) == (held,)
    assert read("🂡🂺 🃛", pack()) == cards("As Th Jc")
    assert read("🂿", double_pack()) == cards("RJ")
    assert read("🃏", number_pack()) == cards("JK")
    assert read("3️⃣♠️ 🔟♥️ 🅰️♣️", pack()) == cards("3s Th Ac")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("D3 SA", "3d As"),
        ("d3s4", "3d 4s"),
        ("SASKSQ", "As Ks Qs"),
        ("H10, h9", "Th 9h"),
        ("3d D4", "3d 4d"),
        ("3 of diamonds", "3d"),
        ("ace of spades", "As"),
        ("Ace of Spades, King of hearts", "As Kh"),
        ("ac", "Ac"),
        ("葵扇A 階磚2 紅心3 梅花4", "As 2d 3h 4c"),
        ("黑A红2梅3方4", "As 2h 3c 4d"),
        ("黑桃三", "3s"),
        ("紅心十", "Th"),
        ("as sekop", "As"),
        ("as hati", "Ah"),
        ("as", "As"),
        ("3 bích, 4 rô, 5 cơ, 6 chuồn", "3s 4d 5h 6c"),
        ("3 BICH", "3s"),
        ("３♦ ＳＡ", "3d As"),
        ("2 heart jack club", "2h Jc"),
    ],
)
def test_observed_user_input_is_read(typed: str, meant: str) -> None:
    assert read(typed, pack()) == cards(meant)


@pytest.mark.parametrize(
    ("typed", "rest"),
    [
        ("-3d", "-3d"),
        ("3d joker", "joker"),
        ("½d", "½d"),
        ("3d" * 53, "3d"),
        ("9" * 5000, "9" * 5000),
        ("♦", "♦"),
        ("\ud800", "\ud800"),
        ("\u202e3d", "\u202e3d"),
        ("🂿", "🂿"),
        ("<:bg1_bj:1>", "<:bg1_bj:1>"),
        ("5 of", "5 of"),
    ],
)
def test_an_unreadable_card_is_named_in_the_error(typed: str, rest: str) -> None:
    with pytest.raises(UnreadableCards) as caught:
        read(typed, pack())
    assert caught.value.rest == rest


def test_no_text_yields_more_cards_than_the_deck_has() -> None:
    with pytest.raises(UnreadableCards):
        read("1" * 5000, number_pack())
    assert len(read("1" * 220, number_pack())) == 110


def test_ranks_without_suits() -> None:
    assert read_ranks("qqqaa", pack()) == tuple(map(Rank, "QQQAA"))
    assert read_ranks("10 10 T jack 二", pack()) == tuple(map(Rank, "TTTJ2"))
    for typed in ("", "3d", "qqx", "1", "2" * 53):
        with pytest.raises(UnreadableCards):
            read_ranks(typed, pack())


def test_words_for_cards_are_not_read_as_ranks() -> None:
    """`as` is a word for the ace, and the ace of spades."""
    for typed in ("As", "as", "3d", "ace of spades"):
        with pytest.raises(UnreadableCards):
            read_ranks(typed, pack())


def test_suits_are_found_by_word_prefixes() -> None:
    for typed in ("diam", "Diamonds", "di", "方", "階"):
        assert suits_begin(typed, cards("3d 4d")), typed
    for typed in ("", "k", "d", "spad", "amond"):
        assert not suits_begin(typed, cards("3d 4d")), typed
    assert not suits_begin("diamonds", cards("BJ"))
