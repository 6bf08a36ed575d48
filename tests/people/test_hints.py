"""Hints: how users get them step by step, and where they are unavailable."""

from __future__ import annotations

import re

import pytest

from bot.domain.pace import Pace
from bot.rules.core.cards import cards
from bot.show.hand.hand import hand
from tests.people.test_hand import play_label
from tests.people.test_options import open_lobby_menu, open_options
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.scenes import EN, texts
from tests.support.world import World
from tests.table.game import ANN, Game
from tests.table.screens import scene_of


def hand_text(shown: ParsedMessage) -> str:
    """The text of a hand with its small print joined to one line."""
    return shown.text.replace("\n-# ", " ")


async def test_a_hint_shows_the_kind_then_the_cards_then_the_reason(here: World) -> None:
    table = await here.start_table("ben", pace="live hints")
    opened = await here.open_hand("ann", table)
    kind = private_reply(await here.press_on("ann", opened, "Hint"))
    assert re.search(r"Hint: think of [a-z ]+s\.", kind.text)
    assert kind.buttons["Play"][1], "nothing is picked yet"
    which = private_reply(await here.press_on("ann", opened, "Hint"))
    assert "Tap Hint again to see the cards." in hand_text(kind)
    assert "Hint: play these. Tap Hint again to see why." in hand_text(which)
    assert not which.buttons[play_label(which)][1]
    why = private_reply(await here.press_on("ann", opened, "Hint"))
    assert "Gets rid of `3♢`, your lowest card." in why.text, "it has to contain the lowest card"
    assert play_label(why) == play_label(which), "it stays picked"
    assert "Hint" in why.buttons
    assert {shown.text.count("\n") for shown in (kind, which, why)} == {private_reply(opened).text.count("\n")}, (
        "nothing moves"
    )
    assert "Hint" not in private_reply(await here.open_hand("ben", table)).buttons, (
        "all that can be done is pass, or wait"
    )


async def test_a_hint_restarts_after_any_action(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="live hints")
    opened = await here.open_hand("ann", table)
    old = await here.press_on("ann", opened, "Hint")
    address = private_reply(old).buttons["Hint"][0]
    await here.play("ann", table, cards("3d 3c"))
    while (name := here.current_player(table)) != "ann":
        await here.pass_(name or "", table)
    opened = await here.open_hand("ann", table)
    assert "Hint" in private_reply(opened).buttons
    late = private_reply(await here.forge(here.ann, opened, address))
    assert "play these" not in late.text
    assert "Hint: " in late.text


async def test_the_host_enables_hints_and_the_lobby_says_so(here: World) -> None:
    lobby = await here.open_table()
    await here.press("ben", lobby, "Join")
    chosen = await open_options(here, lobby)
    await chosen.press("More…")
    for value, hints in (("live hints", True), ("live nohints", False)):
        await chosen.choose("rule_hints", value)
        assert lobby.row.pace.hints is hints
        said = "Everyone gets hints here." if hints else "No hints here."
        assert said in here.read_board(lobby).text
        assert lobby.row.edition > 1, "Ben is asked anew"
    await (await open_lobby_menu(here, lobby)).choose("pace", "daily")
    assert lobby.row.pace == Pace("daily", hints=False), "another time for a move changes nothing about that"


@pytest.mark.parametrize(
    "written", ["live hints chicken", "daily 8h+2d away nudge asked seat3d nohints noreact", "none", "relaxed nohints"]
)
def test_hints_are_stored_with_the_pace(written: str) -> None:
    pace = Pace.read(written)
    assert str(pace) == written
    assert pace.hints is (False if "nohints" in written else True if "hints" in written else None)
    assert pace.reactions == ("off" if "noreact" in written else "teasing" if "chicken" in written else "on")


async def test_a_single_player_has_hints_and_a_repeated_request_gives_the_same_hint(
    here: World,
) -> None:
    table, quiet = await here.start_table(), await here.start_table(pace="live nohints")
    assert "Hint" in private_reply(await here.open_hand("ann", table)).buttons
    assert "Hint" not in private_reply(await here.open_hand("ann", quiet)).buttons
    first = await table.hints.hint(here.ann.id)
    assert first
    assert await table.hints.hint(here.ann.id) is first
    await here.act("ann", table)
    while here.current_player(table) != "ann":
        await here.settle()
    assert await table.hints.hint(here.ann.id) is not first


def test_a_match_between_people_never_offers_hints() -> None:
    game = Game(players=3)
    while game.row.phase == "playing":
        assert "Hint" not in texts(hand(scene_of(game, game.awaited), EN, where="Here"))
        game.play_awaited()
    assert "Hint" not in texts(hand(scene_of(game, ANN), EN, where="Here"))
    alone = Game("live hints", players=2)
    assert "Hint" in texts(hand(scene_of(alone, alone.awaited), EN, where="Here"))


async def test_a_forged_request_for_a_hint_is_refused(here: World) -> None:
    table = await here.start_table("ben")
    forged = private_reply(await here.forge(here.ann, await here.open_hand("ann", table), f"bg:{table.id}:hint"))
    assert "There are no hints at this table." in forged.text
    assert "Hint: " not in forged.text
