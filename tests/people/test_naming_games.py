"""Which game is meant: the offered choices for a typed text, and the lobby it opens."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.rules.variants.ruleset import write_code
from bot.show.kit.words import words
from bot.show.typed.games import fitting, matching_games
from bot.show.typed.games import game_option as label
from tests.support.world import World


async def offered_games(here: World, typed: str) -> list[str]:
    """The games offered to Ann for a typed text."""
    return [each["value"] for each in await here.ann.autocomplete(here.channel, "deal", "game", typed)]


OFFERED = [
    ("Big Two: get rid of your cards first, twos are high; 2 to 5 players, about 5 minutes a hand", "big_two"),
    ("Big A: hidden partners, two packs and bombs; 5 players, about half an hour a hand", "big_a"),
    ("Tàihé A Bāo: one against the rest, with calls for cards; 3 to 5 players, about 5 minutes a hand", "a_bao"),
    (
        "The Big and the Little A: a party game with two mean cards; 3 to 9 players, about 10 minutes a hand",
        "big_little_a",
    ),
    ("Tiến Lên: be first out, 2s are high but can be chopped; 2 to 4 players, about 5 minutes a hand", "tien_len"),
]
FOUND = {
    "party": ["big_little_a"],
    "mean": ["big_little_a"],
    "  LITTLE ": ["big_little_a"],
    "taihe": ["a_bao"],
    "TÀIHÉ": ["a_bao"],
    "A Bao": ["a_bao"],
    "a_bao": ["a_bao"],
    "泰和A包": ["a_bao"],
    "泰和ａ": ["a_bao"],
    "half an hour": ["big_a"],
    "big": ["big_two", "big_a", "big_little_a"],
    "two": ["big_two", "big_a", "big_little_a", "tien_len"],  # the one with that name first
    "chess": [],
}
MEANT = {
    "Taihe A Bao": "a_bao",
    "Tàihé A Bāo": "a_bao",
    " a bao ": "a_bao",
    "泰和A包": "a_bao",
    "big a": "big_a",
    "Big Two": "big_two",
    "大A和小a": "big_little_a",
    "the big and the LITTLE a": "big_little_a",
    "party": "big_little_a",
}


def test_a_game_is_found_by_its_names_and_its_description() -> None:
    for typed, found in FOUND.items():
        assert [game.name for game in fitting(typed)] == found, typed
    for typed, game in MEANT.items():
        assert [each.name for each in matching_games(typed)] == [game], typed


async def test_games_are_offered_with_a_description_and_typed_in_any_language(here: World) -> None:
    offered = await here.ann.autocomplete(here.channel, "deal", "game", "")
    assert [(each["name"], each["value"]) for each in offered] == OFFERED
    assert await offered_games(here, "party") == ["big_little_a"]
    for typed, shown in (("Chess", "Chess"), ("big", "big"), ("_", "\\_")):
        refused = await here.slash("ann", "deal", game=typed)
        assert refused.text == f"There's no game called {shown}. The games appear as you type."
        assert not await here.parts.store.tables.open_tables()
    here.locales["ann"] = "zh-CN"
    (first, *_) = await here.ann.autocomplete(here.channel, "deal", "game", "")
    assert first["name"] == label(GAMES["big_two"], words("zh-CN"))
    assert first["name"].startswith("锄大地")
    assert (await here.open_table(game="Taihe A Bao")).row.game == "a_bao"


async def test_presets_of_a_game_are_offered_for_each_of_its_names(here: World) -> None:
    for typed in ("a_bao", "Tàihé A Bāo", "taihe a bao", "A Bao", "泰和A包"):
        offered = await here.ann.autocomplete(here.channel, "deal", "preset", "", game=typed)
        assert [each["value"] for each in offered] == [
            write_code(GAMES["a_bao"], preset, {}) for preset in GAMES["a_bao"].presets
        ]
        sharp = await here.ann.autocomplete(here.channel, "deal", "preset", "SHARP", game=typed)
        assert [each["value"] for each in sharp] == ["AB:sharp@3"]
    several = await here.ann.autocomplete(here.channel, "deal", "preset", "standard", game="big")
    assert [each["value"] for each in several] == ["B2:std", "BA:std@3", "LA:std"]
    assert not await here.ann.autocomplete(here.channel, "deal", "preset", "", game="chess")
    offered = await here.ann.autocomplete(here.channel, "deal", "preset", "stand")
    assert [(each["name"], each["value"]) for each in offered] == [
        ("Big Two · Standard", "B2:std"),
        ("Big A · Standard", "BA:std@3"),
        ("Tàihé A Bāo · Standard", "AB:std@3"),
        ("The Big and the Little A · Standard", "LA:std"),
    ]
    assert not await here.ann.autocomplete(here.channel, "deal", "preset", "no such")


async def test_presets_of_all_games_fit_and_house_rules_are_offered_for_their_game_only(
    here: World,
) -> None:
    values = [each["value"] for each in await here.ann.autocomplete(here.channel, "deal", "preset", "")]
    assert len(values) == 25
    for game in GAMES.values():
        first = write_code(game, next(iter(game.presets)), {})
        assert first in values
        own = await here.ann.autocomplete(here.channel, "deal", "preset", "", game=game.name)
        assert len(own) == len(game.presets)
    await here.ann.slash(here.channel, "houserules save", name="Friday", rules="AB:sharp")
    for typed, saved in (("Taihe A Bao", ["me:Friday"]), ("big two", []), ("", ["me:Friday"])):
        offered = await here.ann.autocomplete(here.channel, "deal", "preset", "friday", game=typed)
        assert [each["value"] for each in offered] == saved


@pytest.mark.parametrize("typed", ["\u200bB2:pagat", "“B2：pagat”", "`b2:pagat`\u2060", " B2: pagat "])
async def test_a_pasted_rule_code_is_the_code(here: World, typed: str) -> None:
    await here.slash("ann", "deal", rules=typed)
    (lobby,) = await here.parts.store.tables.open_tables()
    assert (await here.parts.tables.get(lobby)).row.preset == "pagat"


async def test_a_table_number_may_have_its_sign(here: World) -> None:
    table = await here.start_table(hands=1)
    await here.play_hand(table)
    for typed in ("1", "#1", "\u200e#１"):
        assert "The cards are dealt." in (await here.slash("ann", "matches list", table=typed)).text
