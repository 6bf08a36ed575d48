"""How cards look in a message: as text that every device shows, or as the bot's own emoji."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.rules.big_two import BigTwo
from bot.rules.core.cards import Card, card, cards, jokers, number_pack, pack, tiles
from bot.rules.core.sentences import Seat
from bot.rules.core.trick import Combo
from bot.show.kit.card_codes import values
from bot.show.kit.card_symbols import Faces, symbol, symbols
from bot.show.kit.custom_ids import Verb
from bot.show.kit.words import sentences, words
from tests.secrecy.card_search import cards_in, printed
from tests.support.former_custom_ids import former_custom_id
from tests.support.languages import CODES

SOME = Faces(emoji={"1d": ("bg1_1d", 41), "15s": ("bg1_15s", 42), "Td": ("bg1_td", 43), "RJ": ("bg1_rj", 44)})
JOKER_FACES = Faces(emoji={"BJ": ("bg1_bj", 45), "RJ": ("bg1_rj", 44)})


@pytest.mark.parametrize(
    ("held", "shown"),
    [
        ("3d", "3♢"),
        ("Th", "10♡"),
        ("10h", "10♡"),
        ("1d", "1♢"),
        ("15s", "15♠\ufe0e"),
        ("BJ", "BJ★"),
        ("RJ", "RJ☆"),
        ("5n", "5"),
        ("10n", "10"),
        ("JK", "J★"),
        ("LA", "a"),
        ("BA", "A"),
    ],
)
def test_a_card_is_shown_as_text(held: str, shown: str) -> None:
    assert symbol(card(held)) == shown


def test_within_a_deck_no_two_cards_look_alike() -> None:
    for deck in ((*pack(), *jokers()), tiles(), number_pack()):
        assert len({symbol(each) for each in deck}) == len(set(deck))


def test_tiles_are_shown_as_text() -> None:
    assert symbols(cards("1d 10h 15h")) == "1♢ 10♡ 15♡"
    assert Faces().large(cards("1d 15h")) == "### `1♢` `15♡`"


def test_number_cards_are_shown_as_text() -> None:
    assert symbols(cards("5n 5n JK")) == "5 5 J★"
    assert Faces().show(cards("12n JK LA BA")) == "`12` `J★` `a` `A`"


def test_a_tile_has_its_own_emoji() -> None:
    assert SOME.show(cards("1d 15s 10d Td")) == "<:bg1_1d:41> <:bg1_15s:42> `10♢` <:bg1_td:43>"
    assert SOME.large(cards("15s")) == "## <:bg1_15s:42>"
    emoji = SOME.pictures[card("15s")]
    assert emoji is not None
    assert (emoji.name, emoji.id) == ("bg1_15s", 42)
    assert card("10d") not in SOME.pictures


def test_a_joker_has_its_own_emoji() -> None:
    assert SOME.show(cards("RJ BJ RJ")) == "<:bg1_rj:44> `BJ★` <:bg1_rj:44>"
    assert str(SOME.pictures[card("RJ")]) == "<:bg1_rj:44>"
    assert card("BJ") not in SOME.pictures


@pytest.mark.parametrize("joker", jokers())
@pytest.mark.parametrize("locale", CODES)
def test_a_joker_is_found_in_any_form_in_a_message(joker: Card, locale: str) -> None:
    w, four_more = words(locale), cards("10d 11c 12h 13s")
    for shown in (
        str(joker),
        f"play {str(joker).lower()}, please",
        values((joker, joker))[1],
        w("{seat} {what}", seat=Seat(0), what=joker),
        w("{seat} {what}", seat=Seat(0), what=joker.rank),
        f"Ann has {words('en-US').show(joker.rank)}s.",
        former_custom_id(1, 2, Verb.PICK, (*four_more, joker), select=True),
        former_custom_id(1, 2, Verb.PICK, four_more * 8 + (joker,), select=True),
    ):
        assert joker in cards_in({"content": shown}, JOKER_FACES) <= {joker, *four_more}, shown
    for emoji in (JOKER_FACES.show((joker,)), JOKER_FACES.emoji[str(joker)][1], JOKER_FACES.emoji[str(joker)][0]):
        assert cards_in([emoji], JOKER_FACES) == {joker}


def test_the_bare_name_of_a_joker_is_not_counted_as_fixed_text() -> None:
    assert not {"red joker", "black joker", "大王", "小王"}.intersection(printed(frozenset()))


@pytest.mark.parametrize(
    "text", ["Two packs with jokers.", "four jokers", "a joker", "打大A", "王", "RJones", "OBJ", "🃏"]
)
def test_the_word_joker_alone_is_not_a_card(text: str) -> None:
    assert not cards_in(text, JOKER_FACES)


@pytest.mark.parametrize(("joker", "named"), [(card("BJ"), "the black joker"), (card("RJ"), "the red joker")])
def test_a_joker_is_named_without_a_suit(joker: Card, named: str) -> None:
    w = replace(words("en-US"), kinds=BigTwo.names)
    assert w.name(Combo("single", joker, (joker,), 0, 0)) == named
    assert w.name(Combo("pair", joker, (joker, joker), 0, 0)) == f"a pair of {named.removeprefix('the ')}s"


@pytest.mark.parametrize(("locale", "end"), [("en-US", "."), ("zh-TW", "。")])
def test_no_full_stop_stands_alone_after_the_emoji_of_a_card(locale: str, end: str) -> None:
    w = words(locale, Faces(emoji={"3d": ("bg1_3d", 42)}))
    drawn, written = (w("The cut showed {value}.", value=card(each)) for each in ("3d", "4d"))
    assert drawn.endswith("<:bg1_3d:42>")
    assert written.endswith(f"`4♢`{end}")
    after = w("No clock.")
    assert sentences([drawn, "", after]) == f"{drawn} · {after}"
    assert sentences([written, after]) == f"{written}{' ' * (end == '.')}{after}"
    assert sentences([after, drawn]).endswith(drawn)
    assert not sentences([])
