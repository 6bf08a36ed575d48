"""How cards look in a message: as text that every device shows, or as the bot's own emoji."""

from __future__ import annotations

import pytest

from bot.rules.cards import card, cards, pack, tiles
from bot.show.faces import Faces, symbol, symbols

SOME = Faces({"1d": ("bg1_1d", 41), "15s": ("bg1_15s", 42), "Td": ("bg1_td", 43)})


@pytest.mark.parametrize(
    ("held", "shown"), [("3d", "3♢"), ("Th", "10♡"), ("10h", "10♡"), ("1d", "1♢"), ("15s", "15♠\ufe0e")]
)
def test_a_card_as_text(held: str, shown: str) -> None:
    assert symbol(card(held)) == shown


def test_within_a_deck_no_two_cards_look_alike() -> None:
    for deck in (pack(), tiles()):
        assert len({symbol(each) for each in deck}) == len(deck)


def test_several_tiles_as_text() -> None:
    assert symbols(cards("1d 10h 15h")) == "1♢ 10♡ 15♡"
    assert Faces().large(cards("1d 15h")) == "### `1♢` `15♡`"


def test_a_tile_has_an_emoji_of_its_own() -> None:
    assert SOME.show(cards("1d 15s 10d Td")) == "<:bg1_1d:41> <:bg1_15s:42> `10♢` <:bg1_td:43>"
    assert SOME.large(cards("15s")) == "## <:bg1_15s:42>"
    emoji = SOME.of(card("15s"))
    assert emoji is not None
    assert (emoji.name, emoji.id) == ("bg1_15s", 42)
    assert SOME.of(card("10d")) is None
