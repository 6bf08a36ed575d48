"""Bidding in Tàihé A Bāo: to declare in secret, to call for a card, to give one back, and its public traces."""

from __future__ import annotations

import re

import discord
from simcord.results import InteractionResult

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.core.asks import Choose
from bot.rules.core.cards import write
from bot.rules.matches.match import Match
from bot.show.kit.custom_ids import Press
from bot.show.kit.words import words
from bot.table.core.state import record_of
from bot.table.table import Table
from tests.people.a_bao import (
    NAMES,
    ROUND_1,
    ROUND_2,
    board_text,
    call_king,
    latest_actions,
    pass_on_board,
    plain_text,
    play_single_call,
    start_bidding,
    start_second_round,
)
from tests.people.positions import act_in_notation, play_until
from tests.support.message_text import private_reply, walk_components
from tests.support.replays import FullReplay
from tests.support.scenes import texts
from tests.support.world import World

CLOSING = "You can change it until the game moves on"
CALL = "Call K♣︎"


def offered(shown: InteractionResult) -> str:
    """The cards that can be named by a tap."""
    assert shown.response
    there = [part for part in walk_components(shown.response.message.components) if isinstance(part, discord.Button)]
    places = [
        Press.read(str(part.custom_id)).part for part in there if ":card:" in str(part.custom_id) and not part.disabled
    ]
    return write(tuple(GAMES["a_bao"].rules("standard").pack[place] for place in places))


# The first round


async def test_all_players_are_asked_at_once_and_a_declaration_stays_hidden_until_its_turn(here: World) -> None:
    table = await start_bidding(here)
    board = here.read_board(table)
    assert ROUND_1 in board.text
    assert "Everyone decides · ends <t:" in board.text
    assert "👉" not in board.text
    assert list(board.buttons) == ["My hand", "Pass", "Rules", "Leave", "⋯", "😀"]
    mine = await here.open_hand("ben", table)
    assert f"First to bid, with the four of hearts: ann.\n{ROUND_1}\n**Play solo with the hand you have?" in plain_text(
        mine
    )
    assert "Nobody else sees your answer. You can change it until the game moves on." in plain_text(mine)
    assert list(private_reply(mine).buttons)[:3] == ["Pass", "Declare: play solo", "⋯"]
    assert not private_reply(mine).selects
    declared = await here.press_on("cleo", await here.open_hand("cleo", table), "Declare: play solo")
    assert f"You answered: Declare: play solo. {CLOSING}" in plain_text(declared)
    assert f"You answered: Pass. {CLOSING}." in plain_text(await here.press("ben", table, "Pass"))
    assert here.read_board(table) == board
    assert (
        "eclare" not in plain_text(await here.open_hand("dev", table)).replace("Declare: play solo", "").split("**")[0]
    )
    last = await here.press("ann", table, "Pass")  # dev is not asked any more
    assert plain_text(last) == "You answered: Pass."
    assert "★\u00a0cleo alone against the rest\n**ann** · 10 cards" in board_text(here, table).replace("● ", "")
    assert "Stakes against each opponent: 5." in board_text(here, table)
    assert here.current_player(table) == "cleo"


async def test_a_late_player_passes_in_the_first_round(here: World) -> None:
    table = await start_bidding(here)
    await here.press_on("cleo", await here.open_hand("cleo", table), "Declare: play solo")
    await here.advance(seconds=61)
    assert latest_actions(table, 2) == [(0, "choose pass", "clock"), (1, "choose pass", "clock")]  # which was enough
    assert "★\u00a0cleo alone" in board_text(here, table)
    assert [chair.misses for chair in table.row.chairs] == [0] * 4


def declaring() -> tuple[str, int]:
    """Return a deal in which the starter is not Ann and declares like a house player, with the starter."""
    for seed in map(str, range(64, 3000)):  # the first of them, as house players are
        game = Match.start(GAMES["a_bao"].rules("standard"), seed).game
        if game.dealer and plain_action(game.view(game.dealer)) == Choose(("declare",)):
            return seed, game.dealer
    raise LookupError


async def test_a_declaring_house_player_ends_the_bidding_round(here: World) -> None:
    here.deal, starter = declaring()
    table = await here.start_table(rules="AB:std")
    asked = [step.seat for step in table.row.steps if step.action.startswith("choose")]
    assert asked[-1] == starter
    assert 0 not in asked
    name = table.row.chairs[starter].name
    assert f"★\u00a0{name} alone against the rest" in here.read_board(table).text


async def test_sequential_bidding_asks_players_openly_one_by_one(here: World) -> None:
    table = await start_bidding(here, "AB:std+first=sequential", stake=1)
    board = here.read_board(table)
    assert "**ann** to answer · ends <t:" in board.text
    assert "'s turn" not in board.text
    assert (list(board.buttons)[1], board.buttons["Pass"][1]) == ("Pass", False)
    asked = await here.open_hand("ann", table)
    assert "Play solo with the hand you have" in plain_text(asked)
    assert "Nobody else sees your answer" not in plain_text(asked)
    await pass_on_board(here, table, "ann")
    assert "Passed: ann." in here.read_board(table).text
    assert private_reply(await here.press("ann", table, "Pass")).text == "It's ben's turn to bid."
    assert "Passed: ann." in plain_text(await here.open_hand("ben", table))
    await here.slash("ben", "turn", move="pass")
    await here.advance(seconds=121)
    assert latest_actions(table, 2) == [(1, "choose pass", "person"), (2, "choose pass", "clock")]
    await here.press_on("dev", await here.open_hand("dev", table), "Declare: play solo")
    assert "★\u00a0dev alone against the rest" in board_text(here, table)


# Calling


async def test_a_card_is_called_for_by_its_suit_and_its_rank(here: World) -> None:
    table = await start_second_round(here)
    board = here.read_board(table)
    assert "**ann** to call for a card or pass · ends <t:" in board.text
    assert "'s turn" not in board.text
    assert not board.buttons["Pass"][1]
    opened = await here.open_hand("ann", table)
    question = "**Call for a card you want? Its owner gives it to you, and you give one back.**"
    assert f"First to bid, with the four of hearts: you.\n{ROUND_2}\n{question}" in plain_text(opened)
    assert "4♣︎ 4♡ 5♡ 7♣︎ 9♠︎ 10♢ Q♡ K♢ K♠︎ A♠︎" in plain_text(opened)
    assert list(private_reply(opened).buttons)[:6] == ["♢", "♣", "♡", "♠", "Pass", "Call …"]
    assert private_reply(opened).buttons["Call …"][1]
    assert offered(opened) == "4d 5d 6d 7d 9d Jd Qd"  # and not her own ones, nor the ace
    await here.pick("ann", opened, "6d")
    assert "✓ Call 6♢" in plain_text(opened)
    await here.press_on("ann", opened, "♣︎")
    assert "✓ Call 6♣" in plain_text(opened)
    assert offered(opened) == "5c 6c 9c Tc Jc Qc Kc"
    await here.pick("ann", opened, "Kc")  # in place of the other
    assert "✓ Call K♣︎" in plain_text(opened)
    await here.press_on("ann", opened, "♡")  # of which the four is bound
    assert "✓ Call K♡" in plain_text(opened)
    assert offered(opened) == "6h 7h 9h Th Jh Kh"
    await here.press_on("ann", opened, "♣︎")
    await here.press_on("ann", opened, CALL)
    assert latest_actions(table, 1) == [(0, "name Kc", "person")]
    giving = "Called: you got K♣︎ from cleo.\n**Choose 1 card to give to cleo.**"
    assert giving in plain_text(opened)


async def test_a_card_is_called_for_by_command_and_not_by_a_forged_click(here: World) -> None:
    table = await start_second_round(here)
    for typed, answer in (
        ("Kd", "You have K♢ yourself."),
        ("ad", "You can't call an ace."),
        ("2d", "2♢ isn't in this pack."),
        ("zz", "I can't read zz as a card. Write cards like 10h ks."),
        ("Kc Kh", "Name one card, not 2."),
    ):
        assert (await here.slash("ann", "turn", move=typed)).text.replace("`", "") == answer
    assert (await here.slash("ben", "turn", move="Kc")).text == "It's ann's turn to bid."
    offered = await here.ann.autocomplete(here.channel, "turn", "move", "k")
    assert [choice["value"] for choice in offered] == ["Kc", "Kh"]
    assert len(await here.ann.autocomplete(here.channel, "turn", "move", "")) == 25
    assert await here.people["ben"].autocomplete(here.channel, "turn", "move", "") == []
    await forged_calls_are_refused(here, table)
    assert "Choose 1 card to give to cleo." in (await here.slash("ann", "turn", move="♣K")).text
    assert "**ann** to give ·" in board_text(here, table)


async def forged_calls_are_refused(here: World, table: Table) -> None:
    """Send calls as Ann that her hand does not offer."""
    opened = await here.open_hand("ann", table)
    forged = await here.forge(here.ann, opened, f"bg:{table.id}:1:name:Kd")
    assert "You have K♢ yourself." in plain_text(forged)
    empty = await here.forge(here.ann, opened, f"bg:{table.id}:1:name")
    assert private_reply(empty).text == "Name one card, not 0."
    late = await here.forge(here.ann, opened, f"bg:{table.id}:0:name:Kc")
    assert "The game has moved on since that button was shown." in plain_text(late)
    assert len(table.row.steps) == 4


async def test_a_player_who_must_call_cannot_pass(here: World) -> None:
    table = await start_second_round(here, "AB:std+must_call=true", stake=1)
    assert "**ann** to name a card ·" in here.read_board(table).text
    assert here.read_board(table).buttons["Pass"][1]
    opened = await here.open_hand("ann", table)
    assert "Pick a card to name." in plain_text(opened)
    assert "Pass" not in private_reply(opened).buttons
    assert (await here.slash("ann", "turn", move="pass")).text == "You start, so you must call for a card."
    await here.advance(seconds=121)
    assert latest_actions(table, 1) == [(0, "name 4d", "clock")]


# Giving back


async def test_the_called_card_is_public_and_the_returned_card_secret_even_after_a_restart(here: World) -> None:
    table = await call_king(here)
    board = board_text(here, table)
    assert "### ann gives cleo a card back, face down. Stake 1." in board
    assert "**ann** · 11 cards" in board
    assert "**cleo** · 9 cards" in board
    assert here.read_board(table).buttons["Pass"][1]
    assert "Called: ann got K♣︎ from cleo." in board
    waiting = private_reply(await here.open_hand("ben", table))  # there is nothing to play yet
    assert (list(waiting.buttons)[:2], waiting.selects) == (["⋯"], {})
    await here.restart()
    table = await here.reload(table)
    assert board_text(here, table) == board
    opened = await here.open_hand("ann", table)
    await here.pick("ann", opened, "4c")
    await here.press_on("ann", opened, "Give 4♣︎")
    assert latest_actions(table, 1) == [(0, "give 4c", "person")]
    assert "ann gave you 4♣︎ for K♣︎." in plain_text(await here.open_hand("cleo", table))
    for name in ("ben", "dev"):
        assert "4♣︎" not in plain_text(await here.open_hand(name, table))
    assert "4♣︎" not in board_text(here, table)
    assert here.current_player(table) == "ben"


async def test_the_reason_is_shown_for_each_card_that_may_not_be_given_back(here: World) -> None:
    table = await call_king(here)
    opened = await here.open_hand("ann", table)
    assert len(private_reply(opened).cards) == 11  # those as well
    for card, why in (
        ("4h", "The four of hearts decided who starts, so you can't give it back."),
        ("As", "You can't give back an ace."),
        ("Kc", "You can't give back the card you just got."),
    ):
        picked = await here.pick("ann", opened, card)
        assert "✗" in plain_text(picked)
        assert why in plain_text(await here.press_on("ann", picked, "Why not?"))
        await here.press_on("ann", picked, "Back to my cards")
    refused = await here.slash("ann", "turn", move="As")
    assert refused.text == "You can't give back an ace."
    assert "✓ You're giving 5♡." in plain_text(await here.pick("ann", opened, "5h"))
    await here.slash("ann", "turn", move="5h")
    assert latest_actions(table, 1) == [(0, "give 5h", "person")]


# How the bidding ends


async def test_the_last_caller_plays_alone_and_each_public_step_is_one_edit(here: World) -> None:
    table = await start_second_round(here)
    before = here.requests("PATCH", "/channels/*/messages/*")
    await here.slash("ann", "turn", move="Kc")
    await here.slash("ann", "turn", move="4c")
    await here.slash("ben", "turn", move="pass")
    assert here.requests("PATCH", "/channels/*/messages/*") == before + 3
    await pass_on_board(here, table, "cleo", "dev")
    board = board_text(here, table)
    assert "★\u00a0ann alone against the rest\n★ 👉 **ann** · 10 cards" in board
    assert "● **ben** · 10 cards" in board
    assert "Stakes against each opponent: 1. Called: ann got K♣︎ from cleo." in board
    assert "**ann**'s turn · " in board
    assert here.read_board(table).buttons["Pass"][1]
    assert "You + cleo + dev against ★\u00a0ann" in plain_text(await here.open_hand("ben", table))
    assert "★\u00a0You alone against the rest" in plain_text(await here.open_hand("ann", table))
    here.leave_screen("ann")
    here.leave_screen("ben")
    await play_until(here, table, lambda match: match.game.result is not None)
    assert re.search(r"### (ann wins|ben, cleo, and dev win) the hand\n", here.read_board(table).text)
    assert all(re.search(rf"\*\*{name}\*\* · [+−]\d\n", here.read_board(table).text) for name in NAMES)


async def test_cards_are_dealt_again_if_nobody_calls(here: World) -> None:
    table = await start_second_round(here)
    opened = await here.open_hand("dev", table)
    before = plain_text(opened)
    await pass_on_board(here, table, *NAMES)
    board = here.read_board(table).text
    assert ROUND_1 in board
    assert "Redeals because everyone passed: 1." in board
    assert plain_text(opened) != before  # the open hand has followed
    assert "Play solo with the hand you have" in plain_text(opened)


async def test_a_single_caller_wins_without_play_and_the_replay_shows_the_bidding(here: World) -> None:
    table = await play_single_call(here)
    assert table.stage == "over"
    assert "### ann wins the match\n🥇 **ann** · +3\n" in board_text(here, table)
    playback = FullReplay.of(table.id, 1, record_of(table.row), table.row.chairs)
    steps = [texts(playback.screen(step, words("en-US"))).replace("`", "") for step in range(playback.last + 1)]
    assert "Round 1: playing solo now is worth 2." in steps[0]
    assert ROUND_2 in steps[1]
    assert "answers" not in steps[1]  # all have passed
    assert "ann names K♣︎." in steps[2]
    assert "ann gives 4♣︎ back." in steps[3]
    assert "ben passes." in steps[4]
    assert "New trick" not in steps[-1]


async def test_players_without_an_answer_are_pinged_and_reminded(here: World) -> None:
    table = await start_bidding(here)
    await act_in_notation(here, table, "choose pass", "ben")
    await here.advance(seconds=49)
    reminders = [said for said in here.channel_texts(table) if "your time runs out <t:" in said]
    ann, cleo, dev = (f"<@{here.people[name].id}>" for name in ("ann", "cleo", "dev"))
    assert [said.split(", your")[0] for said in reminders] == [f"{ann}, {cleo}, and {dev}"]
    await act_in_notation(here, table, "choose pass", "ann", "cleo", "dev")
    await here.advance(minutes=1)
    (call,) = here.channel_texts(table)
    assert call.startswith(f"<@{here.ann.id}>, your turn: [Tàihé A Bāo, table 1](")
