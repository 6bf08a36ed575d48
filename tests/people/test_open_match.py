"""A match ends when all who play agree; one without an end of its own goes on hand after hand until then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.domain.refusals import Refused
from bot.rules.core.asks import Stop
from bot.table.core.commands import Act, Leave, TakeBack
from bot.table.table import Table
from tests.people.positions import play_till
from tests.people.test_votes import asks
from tests.support.message_text import private
from tests.support.world import OUTSIDE, SHORT_HANDS, World, world

END = "End the match"
DRAGON = "1895"  # a seed of Hong Kong: seat 2 is dealt thirteen ranks, which ends the hand at once


async def between(here: World, *others: str, rules: str = "B2:hk") -> Table:
    """Let ann, others and house players begin a match whose first hand is over as it is dealt."""
    here.deal = DRAGON
    table = await here.start_table(*others, rules=rules)
    assert table.stage == "between"
    return table


async def asked(here: World, table: Table, name: str = "ann") -> InteractionResult:
    """Let a player press the button that ends the match; return the question."""
    return await here.press(name, table, END)


async def end(here: World, table: Table, *names: str) -> None:
    """Let these people want the match to end."""
    for name in names:
        await here.press_on(name, await asked(here, table, name), END)


async def test_whoever_ends_a_match_is_asked_first(here: World) -> None:
    table = await between(here, "ben")
    assert "Hand 1\n" in here.read(table).text
    question = private(await asked(here, table))
    assert question.text == (
        "End Big Two, table 1? It ends once everyone still playing agrees, or in a day if they say "
        "nothing. What's been played so far counts."
    )
    assert list(question.buttons) == [END, "Back to my cards"]
    assert table.stage == "between"
    assert "wins the match" not in here.read(table).text


async def test_everybody_sees_how_it_ended(here: World) -> None:
    table = await between(here, "ben")
    opened = await here.open_hand("ben", table)
    asking = await asked(here, table)
    await here.press_on("ann", asking, END)
    assert "ann would like to end the match here." in private(opened).text
    ended = private(await here.press_on("ben", await asked(here, table, "ben"), END))
    for seen in (ended.text, private(asking).text):
        assert "# You won!" in seen or "## You came " in seen
    said = here.read(table)
    assert "wins the match\n🥇" in said.text
    assert list(said.buttons) == ["Rematch", "Replay", "Settle up", "Rules", "Check this deal"]


async def test_an_ended_match_counts(here: World) -> None:
    table = await between(here, "ben")
    await end(here, table, "ben", "ann")
    mine = (await here.slash("ann", "standings")).text
    assert "**ann** (you)" in mine
    listing = await here.people["dev"].slash(here.channel, "matches list")
    assert "Big Two, table 1" in private(listing).text
    ((target, matches),) = private(listing).selects.items()
    assert listing.response is not None
    playback = await here.people["dev"].select(listing.response.message, [matches[0]], custom_id=target)
    assert f"move 0 of {table.state.ply}" in private(playback).text
    assert f"move {table.state.ply} of {table.state.ply}" in private(await here.press_on("dev", playback, "⏭")).text


async def test_after_several_hands_all_of_them_count(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", rules="B2:std")
    for number in (1, 2):
        await play_till(here, table, lambda match: match.game.result is not None)
        assert f"Hand {number}\n" in here.read(table).text
        if number == 1:
            for name in here.people:
                await here.press(name, table, "Ready")
    totals = table.scene(None).tally.totals
    await end(here, table, "cleo", *(name for name in here.people if name != "cleo"))
    assert table.match is not None
    assert table.match.totals == totals
    assert len(table.match.results) == 2
    assert (await here.parts.store.results.history(table.row.guild, 1, 0))[0].outcome.hands == 2


async def test_a_rematch_of_an_ended_match_is_open_as_well(here: World) -> None:
    table = await between(here)
    question = await asked(here, table)
    assert private(question).text == "End Big Two, table 1 for everyone? What's been played so far counts."
    await here.press_on("ann", question, END)
    await here.press("ann", table, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    assert (await here.parts.tables.get(number)).scene(None).terms.rules == table.scene(None).terms.rules


async def test_who_does_not_sit_there_cannot_end_it(here: World) -> None:
    table = await between(here, "ben")
    assert private(await asked(here, table, "dev")).text.startswith(OUTSIDE)
    question = await asked(here, table)
    address = private(question).buttons[END][0]
    shown = await here.people["dev"].slash(here.channel, "learn rules")
    assert "You're not at this table." in private(await here.forge(here.people["dev"], shown, address)).text
    assert table.stage == "between"


async def test_who_has_left_cannot_end_it(here: World) -> None:
    table = await between(here, "ben")
    question = await asked(here, table)
    await table.do(Leave(here.ann.id))  # as by a player who deletes their data elsewhere
    leave = private(await here.press_on("ann", question, END))
    assert "A bot has your seat. Take it back first." in leave.text
    assert table.stage == "between"


@pytest.mark.rotates(3)
@pytest.mark.parametrize("how", ["deals,deals=3", "target,target=500", "chips_or_deals"])
async def test_a_match_that_ends_by_itself_is_not_ended_by_one(here: World, how: str) -> None:
    table = await between(here, "ben", rules=f"B2:hk+match={how}")
    assert END not in here.read(table).buttons
    shown = await here.people["ann"].slash(here.channel, "learn rules")
    await here.forge(here.ann, shown, f"bg:{table.id}:{table.state.ply}:stop_now")
    assert table.stage == "between"
    assert "ann would like to end the match here. Waiting for ben to agree." in here.read(table).text


async def test_a_restart_between_question_and_click_changes_nothing(here: World) -> None:
    table = await between(here, "ben")
    question = await asked(here, table)
    await here.restart()
    await here.press_on("ann", question, END)
    table = await here.again(table)
    assert "ann would like to end the match here." in here.read(table).text
    await here.restart()
    table = await here.again(table)
    assert "ann would like to end the match here." in here.read(table).text
    await end(here, table, "ben")
    assert table.stage == "over"
    assert "wins the match" in here.read(table).text
    await here.restart()
    assert (await here.again(table)).stage == "over"
    assert "**ann** (you)" in (await here.slash("ann", "standings")).text


async def test_somebody_is_ready_between_question_and_click(here: World) -> None:
    table = await between(here, "ben")
    question = await asked(here, table)
    await here.press("ben", table, "Ready")
    await here.press_on("ann", question, END)
    assert table.row.phase == "playing"
    await end(here, table, "ben")  # who is ready may change their mind
    assert (await here.again(table)).stage == "over"


async def test_a_click_that_comes_when_the_next_hand_is_dealt_is_too_late(here: World) -> None:
    table = await between(here, "ben")
    question = await asked(here, table)
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    late = private(await here.press_on("ann", question, END))
    assert "The game has moved on since that button was shown. This is how it stands now." in late.text
    assert "Your 13 cards" in late.text
    assert END not in here.read(table).buttons


async def test_two_end_it_at_once(here: World) -> None:
    table = await between(here, "ben")
    questions = [await asked(here, table, name) for name in ("ann", "ben")]
    messages = [question.response.message for question in questions if question.response]
    await here.click_each([("ann", messages[0], END), ("ben", messages[1], END)])
    assert table.stage == "over"
    assert [step.action for step in table.row.steps].count("stop") == 1
    seen = [private(each).text for each in questions]
    assert all("# You won!" in said or "## You came " in said for said in seen)


async def test_a_match_that_nobody_ends_goes_on(tmp_path: Path) -> None:
    async with world(tmp_path, between_hands_seconds=30) as here:
        table = await between(here)
        await here.later(seconds=31)
        assert (await here.again(table)).stage == "playing"  # nobody has ended it, so it goes on
        assert "Hand 2\n" in here.read(table).text


# Agreement


WANTED = "ann would like to end the match here. It ends when ben and cleo agree too, or <t:"
ENDED_BY_SILENCE = "Nobody objected for a day, so Big Two, table 1 ends here. What was played counts."


async def test_how_it_ends_is_said_beforehand(here: World) -> None:
    said = "It ends when everyone still playing agrees, or when someone asks and nobody objects for a day."
    assert said in here.read(await here.open_table(rules="B2:hk")).text
    assert said not in here.read(await here.open_table("ben", hands=3)).text


async def test_one_alone_ends_nothing(here: World) -> None:
    table = await between(here, "ben", "cleo")
    await end(here, table, "ann")
    assert table.stage == "between"
    said = here.read(table).text
    assert WANTED in said
    assert "if nobody objects. Press Ready to continue." in said
    assert "Next hand" not in said
    await end(here, table, "ann", "ben")
    assert table.stage == "between"
    await end(here, table, "cleo")
    assert (table.stage, table.row.ended) == ("over", "agreed")
    assert [(step.action, step.by) for step in table.row.steps][-1] == ("stop", "person")
    assert table.row.counts


async def test_the_others_are_called_to_say_something(here: World) -> None:
    table = await between(here, "ben")
    await end(here, table, "ann")
    await here.later(seconds=20)
    assert [each for each in here.talk(table) if "would like to end the match here" in each and "<@" in each]
    await here.press("ben", table, "Ready")
    await here.later(seconds=1)
    assert not [each for each in here.talk(table) if "would like to end the match here" in each]


@pytest.mark.parametrize("name", ["ann", "ben"])
async def test_whoever_is_ready_goes_on(here: World, name: str) -> None:
    table = await between(here, "ben", "cleo")
    await end(here, table, "ann")
    await here.press(name, table, "Ready")
    assert "would like to end" not in here.read(table).text
    await here.later(minutes=1, seconds=1)
    assert (await here.again(table)).stage == "playing"  # the next hand is dealt as ever


async def test_who_was_ready_before_may_say_so_again(here: World) -> None:
    table = await between(here, "ben", "cleo")
    await here.press("ben", table, "Ready")
    await end(here, table, "ann")
    opened = await here.open_hand("ben", table)
    await here.press_on("ben", opened, "Ready")
    assert "would like to end" not in here.read(table).text
    assert table.stage == "between"


async def test_nobody_keeps_the_next_hand_from_coming_by_asking_again(here: World) -> None:
    table = await between(here, "ben", "cleo")
    for name in ("ben", "cleo"):
        await here.slash(name, "turn", move="ready", table=table.id)
    await end(here, table, "ann")
    assert table.scene(None).wait.vote
    await here.slash("ben", "turn", move="ready", table=table.id)
    assert table.match is not None
    assert table.match.number == 2
    assert not table.scene(None).wait.vote


async def test_a_day_of_silence_ends_it(here: World) -> None:
    table = await between(here, "ben", "cleo")
    await end(here, table, "ann")
    await here.later(hours=20)
    await end(here, await here.again(table), "ben")  # begins no other day
    await here.later(hours=3, minutes=50)
    assert (await here.again(table)).stage == "between"
    await here.later(minutes=11)
    table = await here.again(table)
    assert (table.stage, table.row.ended, table.row.counts) == ("over", "silence", True)
    assert table.row.steps[-1].by == "clock"
    assert here.talk(table)[-1] == ENDED_BY_SILENCE


async def test_who_has_left_has_no_say_and_who_was_late_has_a_day(here: World) -> None:
    table = await between(here, "ben", "cleo")
    await end(here, table, "ann")
    await here.leave("ben")
    assert table.stage == "between"
    await here.leave("cleo")  # all who stay have agreed
    assert (table.stage, table.row.ended) == ("over", "agreed")


async def test_one_who_stays_cannot_end_it_at_once_while_another_was_only_late(here: World) -> None:
    table = await here.start_table("ben", rules="B2:std")
    while not table.row.chairs[1].house:
        if here.turn(table) == "ann":
            await here.act("ann", table)
        else:
            await here.later(minutes=2, seconds=1)
    await play_till_between(here, table)
    await end(here, table, "ann")
    assert table.stage == "between"
    await here.later(days=1, seconds=1)
    table = await here.again(table)
    assert (table.stage, table.row.ended) == ("over", "silence")
    assert [each.left for each in (await here.parts.store.results.history(table.row.guild, 1, 0))[0].outcome.standings][
        :2
    ] == [
        False,
        True,
    ]


async def play_till_between(here: World, table: Table) -> None:
    """Let ann play on until the hand is over."""
    while table.stage == "playing":
        await here.act("ann", table)


async def test_the_others_agree_in_the_middle_of_a_hand_with_the_button(here: World) -> None:
    table = await between(here, "ben")
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    assert table.stage == "playing"
    waiting, playing = ("ben", "ann") if here.turn(table) == "ann" else ("ann", "ben")
    await here.slash(waiting, "table end")
    await here.press(playing, table, "I agree")
    table = await here.again(table)
    assert (table.stage, table.row.ended) == ("over", "agreed")


async def test_without_a_clock_one_who_waits_may_ask_in_the_middle_of_a_hand(here: World) -> None:
    table = await here.start_table("ben", rules="B2:std", pace="none")
    await here.play_hand(table)
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    assert table.stage == "playing"
    waiting = "ben" if here.turn(table) == "ann" else "ann"
    with pytest.raises(Refused, match="You can ask to end the match while you wait"):
        await table.do(Act(here.people[str(here.turn(table))].id, Stop()))
    await table.do(Act(here.people[waiting].id, Stop()))
    await here.settle()
    said = here.read(table)
    assert f"{waiting} would like to end the match here." in said.text
    assert "Playing a card withdraws the request." in said.text
    assert {"I agree", "No"} <= said.buttons.keys()
    await here.act(str(here.turn(table)), table)
    assert "would like to end" not in here.read(table).text
    waiting = "ben" if here.turn(table) == "ann" else "ann"
    await table.do(Act(here.people[waiting].id, Stop()))
    await here.later(days=1, seconds=1)
    table = await here.again(table)
    assert (table.stage, table.row.ended) == ("over", "silence")
    (match,) = await here.parts.store.results.history(table.row.guild, 9, 0)
    assert match.outcome.hands == 1  # the hand that was not played to its end does not count


async def test_a_player_asks_for_the_end_by_command_as_well(here: World) -> None:
    table = await between(here, "ben")
    asked = (await here.slash("ann", "table end")).text
    assert "You asked to end the match. It ends once everyone playing agrees." in asked
    assert "ann would like to end the match here." in here.read(table).text
    said = (await here.slash("ben", "table end", table=table.id)).text
    assert said == "Big Two, table 1 has ended: everyone agreed. The board shows the result."
    assert (table.stage, table.row.ended) == ("over", "agreed")


# A player deletes their data


async def deleted(here: World, name: str) -> None:
    """Let a user delete all stored data."""
    shown = await here.people[name].slash(here.channel, "my data")
    for label in ("Delete everything", "Yes, delete everything"):
        shown = await here.press_on(name, shown, label)
    await here.settle()


async def test_a_wish_to_end_it_goes_with_whoever_had_it(here: World) -> None:
    table = await between(here, "ben", "cleo")
    await end(here, table, "ben")
    await deleted(here, "ben")
    table = await here.again(table)
    assert "would like to end" not in here.read(table).text
    await here.later(minutes=1, seconds=1)
    assert (await here.again(table)).stage == "playing"  # the next hand is dealt as ever


async def test_all_who_stay_have_agreed_once_the_last_who_had_not_is_deleted(here: World) -> None:
    table = await between(here, "ben", "cleo")
    await end(here, table, "ann", "cleo")
    await deleted(here, "ben")
    assert ((await here.again(table)).stage, table.row.ended) == ("over", "agreed")


async def test_a_table_that_the_last_leave_by_deletion_waits_a_week_for_who_had_left(here: World) -> None:
    table = await here.start_table("ben", rules="B2:std")
    await here.leave("ben")
    await deleted(here, "ann")
    await here.later(days=6)
    assert (await here.again(table)).stage == "playing"
    await table.do(TakeBack(here.people["ben"].id))
    assert not table.row.chairs[1].house


async def test_nobody_is_late_without_a_clock_when_the_end_was_wanted_by_somebody_long_deleted(here: World) -> None:
    table = await here.start_table("ben", "cleo", rules="B2:std", pace="none")
    waiting = next(name for name in ("cleo", "ben") if name != here.turn(table))
    await table.do(Act(here.people[waiting].id, Stop()))
    await here.parts.store.deletions.forget_person(
        here.people[waiting].id
    )  # as an old copy is told of it, before it is used
    await here.parts.tables.reread()
    await here.later(days=2)
    table = await here.again(table)
    assert table.stage == "playing"
    assert not any(chair.house for chair in table.row.chairs if chair.user is not None)


# A match that ends by itself


async def after_a_hand(here: World, *others: str, **options: Any) -> Table:
    """Let ann, others and house players play the first of five hands."""
    here.deal = SHORT_HANDS
    table = await here.start_table(*others, hands=5, **options)
    await here.play_hand(table)
    assert table.stage == "between"
    return table


async def test_a_match_of_a_set_number_of_hands_ends_early_when_all_agree(here: World) -> None:
    table = await after_a_hand(here, "ben", "cleo")
    assert END not in here.read(table).buttons  # it is in the menu, for it is rare
    question = await asks(here, table, "ann", "end")
    assert private(question).text == (
        "End Big Two, table 1? It ends once everyone still playing agrees. What's been played so far counts."
    )
    await here.press_on("ann", question, END)
    said = here.read(table)
    assert (
        "ann would like to end the match here. Waiting for ben and cleo to agree. Press Ready to continue."
    ) in said.text
    assert "Next hand <t:" in said.text  # and until all agree, it is
    totals = table.scene(None).tally.totals
    await end(here, table, "ben")
    assert table.stage == "between"
    await end(here, table, "cleo")
    assert (table.stage, table.row.ended, table.row.counts) == ("over", "agreed", True)
    assert "wins the match" in here.read(table).text
    (match,) = await here.parts.store.results.history(table.row.guild, 9, 0)
    assert (match.outcome.hands, match.outcome.counts, match.outcome.ended) == (1, True, "agreed")
    assert tuple(each.points for each in match.outcome.standings) == totals
    assert "**ann** (you)" in (await here.slash("ann", "standings")).text
    await here.restart()
    table = await here.again(table)
    assert (table.stage, table.row.ended) == ("over", "agreed")
    await here.press("ann", table, "Rematch")
    assert len(await here.parts.store.tables.open_tables()) == 1


async def test_nobody_ends_such_a_match_by_the_silence_of_the_others(here: World) -> None:
    table = await after_a_hand(here, "ben", pace="none")
    await here.slash("ann", "table end")
    await here.later(days=8)
    table = await here.again(table)
    assert table.row.phase == "playing"
    assert "if nobody objects" not in here.read(table).text
    assert not await here.parts.store.results.history(table.row.guild, 9, 0)


async def test_such_a_match_goes_on_by_its_clock_and_the_next_play_takes_the_wish_back(here: World) -> None:
    table = await after_a_hand(here, "ben")
    await here.slash("ann", "table end")
    await here.later(minutes=2)
    table = await here.again(table)
    assert table.stage == "playing"
    assert "ann would like to end the match here. Waiting for ben to agree." in here.read(table).text
    await here.act(str(here.turn(table)), table)
    assert "would like to end" not in here.read(table).text


async def test_in_the_middle_of_a_hand_only_the_finished_ones_count(here: World) -> None:
    table = await after_a_hand(here, "ben")
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    waiting, playing = ("ben", "ann") if here.turn(table) == "ann" else ("ann", "ben")
    await here.slash(waiting, "table end")
    await here.press(playing, table, "I agree")
    assert (table.stage, table.row.ended) == ("over", "agreed")
    (match,) = await here.parts.store.results.history(table.row.guild, 9, 0)
    assert match.outcome.hands == 1


async def test_before_a_hand_is_finished_there_is_nothing_to_count(here: World) -> None:
    table = await here.start_table("ben", hands=5)
    waiting, playing = ("ben", "ann") if here.turn(table) == "ann" else ("ann", "ben")
    await here.slash(waiting, "table end")
    said = (await here.slash(playing, "table end")).text
    assert said == "Big Two, table 1 ended before any hand was finished, so there's no result."
    assert (table.row.phase, await here.parts.store.results.history(table.row.guild, 9, 0)) == ("closed", ())


async def test_who_was_late_has_to_agree_as_well(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", "cleo", hands=5)
    while not table.row.chairs[1].house:
        if (name := here.turn(table)) not in (None, "ben"):
            await here.act(str(name), table)
        else:
            await here.later(minutes=2, seconds=1)
            table = await here.again(table)
    await here.play_hand(table)
    await end_by_command(here, table, "ann", "cleo")
    assert table.row.phase == "playing"
    await table.do(TakeBack(here.people["ben"].id))
    await end_by_command(here, table, "ben")
    assert (table.row.phase, table.row.ended) == ("over", "agreed")


async def test_who_has_left_a_match_that_ends_by_itself_has_no_say(here: World) -> None:
    table = await after_a_hand(here, "ben", "cleo")
    await end_by_command(here, table, "ann", "cleo")
    assert table.stage == "between"
    await here.leave("ben")
    assert (table.stage, table.row.ended) == ("over", "agreed")


async def end_by_command(here: World, table: Table, *names: str) -> None:
    """Let these people type that they want the match to end."""
    for name in names:
        await here.slash(name, "table end", table=table.id)
