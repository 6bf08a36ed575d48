"""Rule codes carry any rules of a table from one person to another, and say what is wrong with them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games import GAMES
from bot.rules.variants.option_sheet import Option
from bot.rules.variants.registration import FIRST, VERSION
from bot.rules.variants.ruleset import BadCode, read_code, write_code
from bot.show.kit.words import words
from tests.support.law_settings import law_examples

GAME = GAMES["big_two"]
OPTIONS = GAME.sheet.options
FIELDS = {field.name: field for field in fields(GAME.defaults)}


def test_a_code_is_a_preset_with_its_differences() -> None:
    assert (
        write_code(GAME, "hong_kong", {"stake": 5, "straight_scheme": "ace_low"}) == "B2:hk+straights=ace_low,stake=5"
    )
    assert write_code(GAME, "pagat", {}) == "B2:std"


def test_values_equal_to_the_preset_are_omitted() -> None:
    assert write_code(GAME, "hong_kong", {"straight_scheme": "hong_kong", "stake": 1}) == "B2:hk"
    assert read_code("B2:hk+straights=hong_kong,stake=1", GAMES) == (GAME, "hong_kong", {})


@pytest.mark.parametrize(
    "text",
    [
        "B2:hk+straights=ace_low,stake=5",
        "b2 : HK + stake = 5 , Straights = Ace_Low",
        "big_two:hong_kong+straight_scheme=ace_low,stake=5",
        "Big Two: Hong Kong + straight scheme = ace low, stake = 5,",
        "`B2:hk+straights=ace_low,stake=5`",
        "Ｂ２：ｈｋ＋straights＝ace_low，stake＝５",
    ],
)
def test_codes_are_read_in_any_spelling(text: str) -> None:
    game, preset, changes = read_code(text, GAMES)
    assert (game, preset) == (GAME, "hong_kong")
    assert list(changes.items()) == [("straight_scheme", "ace_low"), ("stake", 5)]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("B2:std+announce=1.2", {"announce_at": (1, 2)}),
        ("B2:id+announce=none", {"announce_at": ()}),
        ("B2:std+places=9.4.0.0", {"places_points": (9, 4, 0, 0)}),
        ("B2:std+bands=1:1;10:2;13:3", {"bands": ((1, 1), (10, 2), (13, 3))}),
        ("B2:std+bands=harsh,diff_bands=1:2", {"bands": "harsh", "diff_bands": ((1, 2),)}),
        ("B2:std+values_double=none", {"value_double_at": None}),
        ("B2:std+values=0.1.2.3.4.5.6.7.8.9.50.98.99", {"value_scale": (*range(10), 50, 98, 99)}),
        ("B2:std+straights=wrap", {"straight_scheme": "wrap"}),
        ("B2:std+triples=no,out_of_turn=yes", {"triples": False, "honours_out_of_turn": True}),
        ("B2:std+players=3,hand=13", {"players": 3, "hand_size": 13}),
    ],
)
def test_every_kind_of_value_is_read(text: str, changes: dict[str, Any]) -> None:
    assert read_code(text, GAMES)[2] == changes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "A rule code looks like B2:hk+straights=ace_low,stake=5: the game, a preset, and what's different."),
        ("hk", "A rule code looks like B2:hk+straights=ace_low,stake=5: the game, a preset, and what's different."),
        (
            "B2:+stake=5",
            "A rule code looks like B2:hk+straights=ace_low,stake=5: the game, a preset, and what's different.",
        ),
        ("B3:hk", "There's no game B3. I know B2, BA, AB, LA, and TL."),
        ("B2:hk+stake", "stake should look like this: stake=5."),
        ("B2:hk+stake=5,stake=6", "stake is given twice."),
        ("B2:hk+stakes=5", "Big Two has no option stakes. Did you mean stake and starter?"),
        ("B2:hk+xyzzy=5", "Big Two has no option xyzzy."),
        ("B2:hk+stake=lots", "stake can't be lots. It's a whole number from 0 to 1000."),
        ("B2:hk+stake=-1", "stake can't be -1. It's a whole number from 0 to 1000."),
        ("B2:hk+flush=best", "flush can't be best. The choices are suit_first, top_card, and all_ranks."),
        ("B2:hk+announce=two", "announce can't be two. Examples: none, 1, and 1.2."),
    ],
)
def test_an_unreadable_part_of_a_code_is_named(text: str, said: str) -> None:
    """Formatted as a message, with a backslash before possible markup."""
    with pytest.raises(BadCode) as caught:
        read_code(text, GAMES)
    assert words("en")(caught.value.sentence, **caught.value.values).replace("\\", "") == said


@pytest.mark.parametrize("text", ["B2:macau", "B2:hk+xyzzy=5", "B2:hk+stakes=5"])
def test_an_unreadable_part_of_a_code_is_named_in_the_readers_language(text: str) -> None:
    with pytest.raises(BadCode) as caught:
        read_code(text, GAMES)
    assert words("zh-TW")(caught.value.sentence, **caught.value.values).startswith("大老二沒有")


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadCode, match="has no preset macau") as caught:
        read_code("B2:macau", GAMES)
    assert caught.value.values["known"][:3] == ["std", "denexa", "hk"]


def test_reading_a_code_does_not_check_conflicts() -> None:
    _, preset, changes = read_code("B2:std+scoring=places", GAMES)
    with pytest.raises(ValueError, match="Points for places"):
        GAME.rules(preset, **changes)


TABLES = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 99)), min_size=1, max_size=5).map(tuple)
LISTS = st.lists(st.integers(0, 99), max_size=5).map(tuple)


def values(option: Option) -> st.SearchStrategy[Any]:
    """Return whatever an option may be set to, sensible or not."""
    typed = {"number": st.integers(option.least, option.most), "list": LISTS, "table": TABLES}
    offered = st.sampled_from([choice.value for choice in option.choices])
    return st.one_of(offered, typed[option.kind]) if option.kind in typed else offered


@given(
    st.sampled_from(list(GAME.presets)), st.fixed_dictionaries({}, optional={n: values(o) for n, o in OPTIONS.items()})
)
@law_examples(60)
def test_codes_round_trip_for_any_changes(preset: str, changes: dict[str, Any]) -> None:
    code = write_code(GAME, preset, changes)
    plain = {**{name: field.default for name, field in FIELDS.items()}, **GAME.presets[preset]}
    assert read_code(code, GAMES) == (
        GAME,
        preset,
        {name: new for name, new in changes.items() if new != plain[name]},
    )
    assert read_code(code.upper(), GAMES) == read_code(code, GAMES)
    assert write_code(*(GAME, *read_code(code, GAMES)[1:])) == code


OFF = {
    "one_colour": False,
    "four_triples": False,
    "two_fours": False,
    "triples_in_row": False,
    "chop_chain": "last",
    "last_three_doubles": False,
    "one_card_rule": "none",
}


@pytest.mark.parametrize("game", GAMES)
def test_3_6_regional_house_rules_are_off_in_every_preset(game: str) -> None:
    for preset in GAMES[game].presets:
        options = GAMES[game].set_up(preset)
        if game == "tien_len":
            assert {name: getattr(options, name) for name in OFF} == OFF
            assert options.scoring != "winner"
        if game == "big_two":
            assert options.straight_scheme != "wrap"
            assert options.value_scale in {"court", "ladder"}


@pytest.mark.parametrize("game", [name for name in GAMES if name != "big_two"])
def test_3_4_a_code_from_before_stakes_has_none(game: str) -> None:
    known = GAMES[game]
    for preset in known.presets:
        for version in range(FIRST, VERSION + 1):
            _, name, changes = read_code(f"{known.sheet.code}:{known.sheet.presets[preset].code}", GAMES)
            assert known.rules_of(version, name, changes).options.stake == 0
