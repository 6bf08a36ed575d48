"""Ending a match by agreement of its players, in particular an open match."""

from __future__ import annotations

from typing import Any

from simcord.results import InteractionResult

from bot.rules.core.asks import Stop
from bot.table.core.commands import Act, Leave, TakeBack
from bot.table.table import Table
from tests.people.test_votes import ask_for_vote
from tests.support.message_text import private_reply
from tests.support.world import NOT_SEATED, SHORT_HANDS, World

END = "End the match"
DRAGON = "1895"  # a seed of Hong Kong: seat 2 is dealt thirteen ranks, which ends the hand at once


async def start_between_hands(here: World, *others: str, rules: str = "B2:hk") -> Table:
    """Start a match whose first hand ends with its deal."""
    here.deal = DRAGON
    table = await here.start_table(*others, rules=rules)
    assert table.stage == "between"
    return table


async def ask_to_end(here: World, table: Table, name: str = "ann") -> InteractionResult:
    """Press the button that ends the match; return the confirmation."""
    return await here.press(name, table, END)


async def agree_to_end(here: World, table: Table, *names: str) -> None:
    """Agree to end the match for these players."""
    for name in names:
        await here.press_on(name, await ask_to_end(here, table, name), END)


async def test_ending_a_match_needs_confirmation_and_the_board_says_how_it_ended(here: World) -> None:
    table = await start_between_hands(here, "ben")
    opened, asking = await here.open_hand("ben", table), await ask_to_end(here, table)
    assert private_reply(asking).text == (
        "End Big Two, table 1? It ends once everyone still playing agrees, or in a day if they say "
        "nothing. What's been played so far counts."
    )
    assert list(private_reply(asking).buttons) == [END, "Back to my cards"]
    assert table.stage == "between"
    await here.press_on("ann", asking, END)
    assert "ann would like to end the match here." in private_reply(opened).text
    ended = private_reply(await here.press_on("ben", await ask_to_end(here, table, "ben"), END))
    for seen in (ended.text, private_reply(asking).text):
        assert "# You won!" in seen or "## You came " in seen
    said = here.read_board(table)
    assert "wins the match\n🥇" in said.text
    assert list(said.buttons) == ["Rematch", "Replay", "Settle up", "Rules", "Check this deal"]
    assert "**ann** (you)" in (await here.slash("ann", "standings")).text
    playback = await here.people["dev"].slash(here.channel, "matches list", table="1")
    assert f"move 0 of {table.state.ply}" in private_reply(playback).text
    assert (
        f"move {table.state.ply} of {table.state.ply}" in private_reply(await here.press_on("dev", playback, "⏭")).text
    )


async def test_a_rematch_of_an_ended_match_has_the_same_rules(here: World) -> None:
    table = await start_between_hands(here, rules="B2:hk+stake=3,bands=1:1;5:2")
    assert {"stake", "bands"} <= table.scene(None).terms.changes.keys()
    question = await ask_to_end(here, table)
    assert private_reply(question).text == "End Big Two, table 1 for everyone? What's been played so far counts."
    await here.press_on("ann", question, END)
    await here.press("ann", table, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    assert (await here.parts.tables.get(number)).scene(None).terms.rules == table.scene(None).terms.rules


async def test_only_players_still_at_the_table_can_end_a_match(here: World) -> None:
    table = await start_between_hands(here, "ben")
    assert private_reply(await ask_to_end(here, table, "dev")).text.startswith(NOT_SEATED)
    question = await ask_to_end(here, table)
    address = private_reply(question).buttons[END][0]
    shown = await here.people["dev"].slash(here.channel, "desk")
    assert "You're not at this table." in private_reply(await here.forge(here.people["dev"], shown, address)).text
    await table.do(Leave(here.ann.id))  # as by a player who deletes their data elsewhere
    leave = private_reply(await here.press_on("ann", question, END))
    assert "A bot has your seat. Take it back first." in leave.text
    assert table.stage == "between"


async def test_a_confirmation_still_works_after_a_restart(here: World) -> None:
    table = await start_between_hands(here, "ben")
    question = await ask_to_end(here, table)
    await here.restart()
    await here.press_on("ann", question, END)
    table = await here.reload(table)
    assert "ann would like to end the match here." in here.read_board(table).text
    await here.restart()
    table = await here.reload(table)
    assert "ann would like to end the match here." in here.read_board(table).text
    await agree_to_end(here, table, "ben")
    assert table.stage == "over"
    assert "wins the match" in here.read_board(table).text
    await here.restart()
    assert (await here.reload(table)).stage == "over"
    assert "**ann** (you)" in (await here.slash("ann", "standings")).text


async def test_a_click_after_the_next_deal_is_too_late(here: World) -> None:
    table = await start_between_hands(here, "ben")
    question = await ask_to_end(here, table)
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    late = private_reply(await here.press_on("ann", question, END))
    assert "The game has moved on since that button was shown. This is how it stands now." in late.text
    assert "Your 13 cards" in late.text
    assert END not in here.read_board(table).buttons


async def test_two_players_end_a_match_simultaneously(here: World) -> None:
    table = await start_between_hands(here, "ben")
    questions = [await ask_to_end(here, table, name) for name in ("ann", "ben")]
    messages = [question.response.message for question in questions if question.response]
    await here.click_each([("ann", messages[0], END), ("ben", messages[1], END)])
    assert table.stage == "over"
    assert [step.action for step in table.row.steps].count("stop") == 1
    seen = [private_reply(each).text for each in questions]
    assert all("# You won!" in said or "## You came " in said for said in seen)


# Agreement


WANTED = "ann would like to end the match here. It ends when ben and cleo agree too, or <t:"


async def test_the_board_shows_a_request_to_end_and_pings_the_others_until_one_refuses(here: World) -> None:
    table = await start_between_hands(here, "ben", "cleo")
    await here.press("ben", table, "Ready")
    await agree_to_end(here, table, "ann")
    said = here.read_board(table).text
    assert WANTED in said
    assert "if nobody objects. Press Ready to continue." in said
    assert "Next hand" not in said
    await here.advance(seconds=20)
    assert [each for each in here.channel_texts(table) if "would like to end the match here" in each and "<@" in each]
    await here.press_on("ben", await here.open_hand("ben", table), "Ready")
    assert "would like to end" not in here.read_board(table).text
    await here.advance(seconds=1)
    assert not [each for each in here.channel_texts(table) if "would like to end the match here" in each]
    assert table.stage == "between"


async def test_a_player_can_ask_for_the_end_by_command(here: World) -> None:
    table = await start_between_hands(here, "ben")
    asked = (await here.slash("ann", "table end")).text
    assert "You asked to end the match. It ends once everyone playing agrees." in asked
    assert "ann would like to end the match here." in here.read_board(table).text
    said = (await here.slash("ben", "table end", table=table.id)).text
    assert said == "Big Two, table 1 has ended: everyone agreed. The board shows the result."
    assert (table.stage, table.row.ended) == ("over", "agreed")
    here.deal = SHORT_HANDS
    other = await here.start_table("ben", hands=5)
    waiting, playing = ("ben", "ann") if here.current_player(other) == "ann" else ("ann", "ben")
    await here.slash(waiting, "table end", table=other.id)
    said = (await here.slash(playing, "table end", table=other.id)).text
    assert said == "Big Two, table 2 ended before any hand was finished, so there's no result."
    assert len(await here.parts.store.results.history(table.row.guild, 9, 0)) == 1


# A player deletes their data


async def delete_user(here: World, name: str) -> None:
    """Delete all stored data of a player."""
    await here.parts.retention.forget_person(here.people[name].id)
    await here.settle()


async def test_deleting_the_last_undecided_player_ends_the_match(here: World) -> None:
    table = await start_between_hands(here, "ben", "cleo")
    await agree_to_end(here, table, "ann", "cleo")
    await delete_user(here, "ben")
    assert ((await here.reload(table)).stage, table.row.ended) == ("over", "agreed")


async def test_a_table_left_by_deletion_waits_a_week_for_earlier_players(here: World) -> None:
    table = await here.start_table("ben", rules="B2:std")
    await here.leave("ben")
    await delete_user(here, "ann")
    await here.advance(days=6)
    assert (await here.reload(table)).stage == "playing"
    await table.do(TakeBack(here.people["ben"].id))
    assert not table.row.chairs[1].house


async def test_a_request_to_end_by_a_deleted_player_causes_no_timeout_without_a_clock(here: World) -> None:
    table = await here.start_table("ben", "cleo", rules="B2:std", pace="none")
    waiting = next(name for name in ("cleo", "ben") if name != here.current_player(table))
    await table.do(Act(here.people[waiting].id, Stop()))
    await here.parts.store.deletions.forget_person(
        here.people[waiting].id
    )  # as an old copy is told of it, before it is used
    await here.parts.tables.reread()
    await here.advance(days=2)
    table = await here.reload(table)
    assert table.stage == "playing"
    assert not any(chair.house for chair in table.row.chairs if chair.user is not None)


# A match that ends by itself


async def play_first_hand(here: World, *others: str, **options: Any) -> Table:
    """Play the first of five hands."""
    here.deal = SHORT_HANDS
    table = await here.start_table(*others, hands=5, **options)
    await here.play_hand(table)
    assert table.stage == "between"
    return table


async def test_a_match_of_a_set_number_of_hands_ends_early_when_all_agree(here: World) -> None:
    table = await play_first_hand(here, "ben", "cleo")
    assert END not in here.read_board(table).buttons  # it is in the menu, for it is rare
    question = await ask_for_vote(here, table, "ann", "end")
    assert private_reply(question).text == (
        "End Big Two, table 1? It ends once everyone still playing agrees. What's been played so far counts."
    )
    await here.press_on("ann", question, END)
    said = here.read_board(table)
    assert (
        "ann would like to end the match here. Waiting for ben and cleo to agree. Press Ready to continue."
    ) in said.text
    assert "Next hand <t:" in said.text  # and until all agree, it is
    totals = table.scene(None).tally.totals
    await agree_to_end(here, table, "ben")
    assert table.stage == "between"
    await agree_to_end(here, table, "cleo")
    assert (table.stage, table.row.ended, table.row.counts) == ("over", "agreed", True)
    assert "wins the match" in here.read_board(table).text
    (match,) = await here.parts.store.results.history(table.row.guild, 9, 0)
    assert (match.outcome.hands, match.outcome.counts, match.outcome.ended) == (1, True, "agreed")
    assert tuple(each.points for each in match.outcome.standings) == totals
    assert "**ann** (you)" in (await here.slash("ann", "standings")).text
    await here.restart()
    table = await here.reload(table)
    assert (table.stage, table.row.ended) == ("over", "agreed")
    await here.press("ann", table, "Rematch")
    assert len(await here.parts.store.tables.open_tables()) == 1


async def test_ending_during_a_hand_counts_only_finished_hands(here: World) -> None:
    table = await play_first_hand(here, "ben")
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    waiting, playing = ("ben", "ann") if here.current_player(table) == "ann" else ("ann", "ben")
    await here.slash(waiting, "table end")
    said = here.read_board(table)
    assert "If anyone plays a card first, the request is off." in said.text
    assert {"I agree", "No"} <= said.buttons.keys()
    await here.press(playing, table, "I agree")
    assert (table.stage, table.row.ended) == ("over", "agreed")
    (match,) = await here.parts.store.results.history(table.row.guild, 9, 0)
    assert match.outcome.hands == 1
