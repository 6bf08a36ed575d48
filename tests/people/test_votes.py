"""What people at a table agree on together: a break, another deal, no match, a concession."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.domain.chairs import Vote
from bot.domain.ids import UserId
from bot.domain.pace import Pace
from bot.domain.refusals import Refused
from bot.rules.core.asks import Again, read_action
from bot.show.table.votes import KINDS, PACE, STOPS
from bot.table.core.commands import CastVote, OfferSeat, Substitute, Veto
from bot.table.table import Table
from tests.people.test_moderators import a_role, does, menu
from tests.people.test_presence import give
from tests.support.message_text import private
from tests.support.world import SHORT_HANDS, World


async def asks(here: World, table: Table, name: str, vote: Vote) -> InteractionResult:
    """Let a player choose behind the dots of the board what to ask every player for; return the question."""
    shown = await menu(here, table, name)
    assert shown.response is not None
    target = f"bg:{table.id}:propose"
    result = await here.people[name].select(shown.response.message, [str(KINDS.index(vote))], custom_id=target)
    await here.settle()
    return result


async def proposed(here: World, name: str, vote: Vote, *others: str, **options: Any) -> tuple[Table, InteractionResult]:
    """Let a player ask every player at a new table for this; return what they read then."""
    table = await here.start_table(*(others or ("ben", "cleo")), **options)
    return table, await here.press_on(name, await asks(here, table, name, vote), "Ask everyone")


async def test_a_break_takes_all_and_is_over_when_all_are_back(here: World) -> None:
    table, shown = await proposed(here, "ann", "pause")
    said = "ann would like a break. Waiting for ben and cleo to agree. Playing a card withdraws the request."
    assert said in private(shown).text
    assert said in here.read(table).text
    await here.press("ben", table, "I agree")
    assert not table.row.paused
    await here.press("cleo", table, "I agree")
    assert table.row.paused
    assert here.talk(table)[-1] == "Everyone agreed: Big Two, table 1 is paused. It resumes when everyone's back."
    said = here.read(table).text
    assert "On a break. Waiting for ann, ben, and cleo. Resumes <t:" in said
    assert "or sooner" in said
    await here.later(hours=8)
    table = await here.again(table)
    assert [step for step in table.row.steps if step.by == "clock"] == []
    for name in ("cleo", "ann"):
        await here.press(name, table, "I'm back")
    assert "On a break. Waiting for ben." in here.read(table).text
    await here.press("ben", table, "I'm back")
    assert not table.row.paused
    assert here.talk(table)[-1] == "Everyone's back, so Big Two, table 1 resumes."


async def test_what_is_asked_outlives_a_restart(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause")
    await here.press("ben", table, "I agree")
    await here.restart()
    table = await here.again(table)
    assert "ann and ben would like a break. Waiting for cleo to agree." in here.read(table).text
    await here.press("cleo", table, "I agree")
    assert table.row.paused
    assert len([said for said in here.talk(table) if "is paused" in said]) == 1


async def test_a_break_outlives_a_restart_and_is_over_after_a_week(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause", "ben")
    await here.restart()
    await here.press("ben", await here.again(table), "I agree")
    await here.restart()
    await here.press("ann", await here.again(table), "I'm back")
    assert (await here.again(table)).row.paused
    await here.later(days=7, seconds=1)
    table = await here.again(table)
    assert (table.row.paused, table.scene(None).wait.vote) == (False, "")


async def test_whoever_leaves_is_not_waited_for(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause")
    await here.press("ben", table, "I agree")
    await here.leave("cleo")
    assert table.row.paused
    await here.press("ann", table, "I'm back")
    await here.leave("ben")
    assert not table.row.paused


async def test_a_hand_is_dealt_again_in_place_of_the_old_one(here: World) -> None:
    table, _ = await proposed(here, "ann", "again")
    before = private(await here.open_hand("ann", table))
    await here.press("ben", table, "I agree")
    hers = await here.open_hand("cleo", table)
    await here.press_on("cleo", hers, "I agree")
    assert isinstance(read_action(table.row.steps[-1].action), Again)
    assert table.match is not None
    assert (table.match.number, table.match.deal) == (1, 2)
    assert here.talk(table)[-1] == "Everyone agreed: the cards of Big Two, table 1 are dealt again."
    after = private(await here.open_hand("ann", table))
    assert "Your 13 cards" in after.text
    assert before.text != after.text
    await here.restart()
    again = (await here.again(table)).match
    assert again is not None
    assert again.game == table.match.game


async def test_a_match_with_a_hand_thrown_in_can_be_watched_to_its_end(here: World) -> None:
    here.deal = SHORT_HANDS
    table, _ = await proposed(here, "ann", "again", "ben", hands=1)
    await here.press("ben", table, "I agree")
    await here.play_hand(table)
    assert (await here.again(table)).stage == "over"
    playback = private(await here.press("ann", table, "Replay"))
    assert "Hand 1 · move 0 " in playback.text
    (values,) = playback.selects.values()
    deals = [value for value in values if value.startswith("h")]
    assert len(deals) == 2, "the one that was thrown in, and the other"


async def test_a_match_that_is_called_off_together_counts_for_nothing(here: World) -> None:
    table, _ = await proposed(here, "ann", "cancel", "ben")
    await here.press("ben", table, "I agree")
    assert table.stage == "closed"
    assert here.talk(table)[-1] == "Everyone agreed: Big Two, table 1 is canceled. Nothing counts."


async def test_whoever_concedes_comes_last(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", hands=3)
    await here.play_hand(table)
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    await here.press_on("ann", await asks(here, table, "ann", "concede"), "Ask everyone")
    assert "ann wants to give up: the match would end here. Waiting for ben to agree." in here.read(table).text
    await here.press("ben", table, "I agree")
    assert (table.stage, table.row.ended) == ("over", "agreed")
    assert table.scene(None).tally.places[0] == 4
    assert here.talk(table)[-1] == (
        "ann gave up and everyone agreed, so Big Two, table 1 ends here. What was played counts."
    )


async def test_before_a_hand_is_over_there_is_nothing_to_concede(here: World) -> None:
    table = await here.start_table("ben", hands=3)
    shown = private(await menu(here, table, "ann"))
    assert shown.selects[f"bg:{table.id}:propose"] == (
        *(str(KINDS.index(vote)) for vote in STOPS if vote != "concede"),
        PACE,
    )


async def test_one_no_is_enough(here: World) -> None:
    table, _ = await proposed(here, "ann", "cancel")
    await here.press("cleo", table, "No")
    assert "would like" not in here.read(table).text
    assert table.stage == "playing"


async def test_who_asks_may_take_it_back(here: World) -> None:
    table, shown = await proposed(here, "ann", "cancel")
    await here.press_on("ann", shown, "Withdraw")
    assert "would like" not in here.read(table).text


UNWANTED = "Someone said no when you last asked"


@pytest.mark.parametrize("refuses", ["ben", "ann"])
async def test_what_was_not_wanted_is_not_asked_again_at_once(here: World, refuses: str) -> None:
    table, _ = await proposed(here, "ann", "pause")
    await here.press(refuses, table, "No")
    again = await here.press_on("ann", await asks(here, table, "ann", "pause"), "Ask everyone")
    assert UNWANTED in private(again).text
    assert table.scene(None).wait.vote == ""
    await here.press_on("ann", await asks(here, table, "ann", "cancel"), "Ask everyone")
    await here.press("cleo", table, "No")
    await here.press_on("cleo", await asks(here, table, "cleo", "pause"), "Ask everyone")
    assert "cleo would like a break." in here.read(table).text


async def test_whoever_agreed_does_not_ask_for_it_either(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause")
    await here.press("ben", table, "I agree")
    await here.press("cleo", table, "No")
    await here.restart()
    table = await here.again(table)
    for name in ("ann", "ben"):
        refused = await here.press_on(name, await asks(here, table, name, "pause"), "Ask everyone")
        assert UNWANTED in private(refused).text
    await here.later(minutes=10)
    table = await here.again(table)
    await here.press_on("ben", await asks(here, table, "ben", "pause"), "Ask everyone")
    assert "ben would like a break." in here.read(table).text


async def test_what_a_play_has_taken_back_may_be_asked_again(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause")
    turn = here.turn(table)
    assert turn is not None
    await here.act(turn, table)
    await here.press_on("ann", await asks(here, table, "ann", "pause"), "Ask everyone")
    assert "ann would like a break." in here.read(table).text


@pytest.mark.rotates(2)
@pytest.mark.parametrize("vote", ["again", "cancel"])
async def test_nothing_is_undone_for_whoever_has_left(here: World, vote: Vote) -> None:
    table = await here.start_table("ben")
    question = await asks(here, table, "ann", vote)
    await here.leave("ben")
    refused = await here.press_on("ann", question, "Ask everyone")
    assert "Someone left, and this match counts for them" in private(refused).text
    offered = private(await menu(here, table, "ann")).selects[f"bg:{table.id}:propose"]
    assert str(KINDS.index(vote)) not in offered
    assert table.stage == "playing"


async def test_whose_seat_a_house_player_keeps_is_asked_once_they_are_back(here: World) -> None:
    table = await here.start_table("ben", pace="live")
    late = here.turn(table)
    assert late is not None
    other = "ben" if late == "ann" else "ann"
    while not any(chair.away == "late" for chair in table.row.chairs):
        if here.turn(table) == other:
            await here.act(other, table)
        await here.later(minutes=1)
    await here.press_on(other, await asks(here, table, other, "cancel"), "Ask everyone")
    assert f"Waiting for {late} 🤖 to agree." in here.read(table).text
    refused = await here.press(late, table, "I agree")
    assert "A bot has your seat. Take it back first." in private(refused).text
    assert table.stage == "playing"


async def test_the_clock_goes_on_while_all_are_asked(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause", "ben", pace="live")
    before = table.row.deadline
    assert before is not None
    await here.press_on("ben", await here.open_hand("ben", table), "No")
    assert table.row.deadline == before
    await here.later(minutes=4)
    assert [step.by for step in (await here.again(table)).row.steps if step.by == "clock"]


async def test_the_next_play_takes_it_back(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause")
    seen = here.board(table)
    turn = here.turn(table)
    assert turn is not None
    await here.act(turn, table)
    assert "would like" not in here.read(table).text
    late = await here.click_stale("ben" if turn != "ben" else "cleo", seen, "I agree")
    assert table.scene(None).wait.vote == ""
    assert private(late).text


async def test_nothing_else_is_asked_meanwhile(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause")
    assert "Ask everyone for something" not in str(private(await menu(here, table, "ben")).selects)
    seen = await menu(here, table, "ben")
    assert f"bg:{table.id}:propose" not in private(seen).selects


async def test_whoever_plays_alone_need_not_ask(here: World) -> None:
    table = await here.start_table()
    question = await asks(here, table, "ann", "again")
    await here.press_on("ann", question, "Deal this hand again")
    assert table.match is not None
    assert table.match.deal == 2


@pytest.mark.parametrize("pace", ["relaxed 8h", "live"])
async def test_the_time_that_was_left_is_left_after_a_break(here: World, pace: str) -> None:
    table, _ = await proposed(here, "ann", "pause", "ben", pace=pace)
    assert table.row.deadline is not None
    before = table.row.deadline.at - here.clock()
    await here.press("ben", table, "I agree")
    await here.later(hours=30)
    table = await here.again(table)
    for name in ("ann", "ben"):
        await here.press(name, table, "I'm back")
    assert table.row.deadline is not None
    assert abs(table.row.deadline.at - here.clock() - before) < timedelta(seconds=20)


async def test_a_moderator_may_let_a_break_end(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause", "ben")
    await here.press("ben", table, "I agree")
    give(here, "dev", a_role(here, manage_messages=True))
    await does(here, table, "Continue")
    assert (table.row.paused, table.scene(None).wait.vote) == (False, "")


async def test_at_a_slow_table_those_who_have_yet_to_agree_are_told_when_it_suits_them(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause", "ben", pace="relaxed 8h")
    await here.later(minutes=31)
    (called,) = [line for line in here.talk(table) if "the clocks stop until everyone's back" in line]
    assert f"<@{here.people['ben'].id}>" in called
    await here.press("ben", await here.again(table), "I agree")
    await here.later(seconds=5)
    assert not [line for line in here.talk(table) if "the clocks stop until everyone's back" in line]


async def test_what_all_are_asked_waits_on_the_desk(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause", "ben")
    waiting = "ben" if here.turn(table) == "ann" else "ann"
    assert waiting == "ben"
    desk = await here.people["ben"].slash(here.channel, "desk")
    assert "1 table is waiting for you." in private(desk).text
    hand = await here.press_on("ben", desk, "Play them here")
    await here.press_on("ben", hand, "I agree")
    assert table.row.paused


async def asks_for_pace(here: World, table: Table, name: str, vote: Vote) -> InteractionResult:
    """Let a player choose behind the dots at which pace to go on, and ask every player."""
    shown = await menu(here, table, name)
    for value in (PACE, str(KINDS.index(vote))):
        assert shown.response is not None
        shown = await here.people[name].select(shown.response.message, [value], custom_id=f"bg:{table.id}:propose")
        await here.settle()
    return await here.press_on(name, shown, "Ask everyone")


async def test_all_agree_on_another_pace_and_nobody_has_less_time(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="relaxed 8h house seat12h")
    await here.later(hours=5)
    table = await here.again(table)
    await asks_for_pace(here, table, "ben", "to_daily")
    said = "ben would like another pace: A move a day. Waiting for ann and cleo to agree."
    assert said in here.read(table).text
    await here.press("cleo", table, "I agree")
    assert table.row.pace.kind == "relaxed"
    await here.press("ann", table, "I agree")
    assert table.row.pace == Pace("daily", late="house", away=timedelta(hours=12))
    assert here.talk(table)[-1] == "Everyone agreed: Big Two, table 1 continues at another pace."
    assert table.row.deadline is not None
    assert table.row.deadline.at - here.clock() == timedelta(days=2)
    await here.later(hours=1)
    table = await here.again(table)
    await asks_for_pace(here, table, "cleo", "to_relaxed_8h")
    for name in ("ann", "ben"):
        await here.press(name, table, "I agree")
    assert table.row.deadline is not None
    assert table.row.deadline.at - here.clock() == timedelta(hours=47), "it is what Ann had"
    await here.restart()
    table = await here.again(table)
    assert table.row.pace == Pace("relaxed", move=timedelta(hours=8), late="house", away=timedelta(hours=12))


async def test_live_and_no_clock_can_be_agreed_on(here: World) -> None:
    table = await here.start_table("ben", pace="relaxed")
    await asks_for_pace(here, table, "ann", "to_live")
    await here.press("ben", table, "I agree")
    assert table.row.times == ()
    assert table.row.deadline is not None
    assert table.row.deadline.at - here.clock() <= timedelta(minutes=3)
    await asks_for_pace(here, table, "ann", "to_none")
    await here.press("ben", table, "I agree")
    assert table.row.deadline is None
    await here.act(here.turn(table) or "", table)
    await asks_for_pace(here, table, "ann", "to_relaxed")
    await here.press("ben", table, "I agree")
    assert table.row.deadline is not None
    assert table.row.deadline.at - here.clock() == timedelta(days=1)


async def test_of_paces_there_is_not_one_question_after_the_other(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="relaxed")
    await asks_for_pace(here, table, "ann", "to_live")
    await here.press("ben", table, "No")
    again = await asks_for_pace(here, table, "ann", "to_none")
    assert "Someone said no when you last asked" in private(again).text
    assert table.scene(None).wait.vote == ""


async def test_only_paces_of_the_server_are_offered_and_not_the_own(here: World) -> None:
    table = await here.start_table("ben", pace="relaxed")
    shown = await menu(here, table, "ann")
    assert shown.response is not None
    chosen = await here.ann.select(shown.response.message, [PACE], custom_id=f"bg:{table.id}:propose")
    offered = private(chosen).selects[f"bg:{table.id}:propose"]
    assert [KINDS[int(at)] for at in offered] == ["to_live", "to_relaxed_8h", "to_daily", "to_daily_12h", "to_none"]


@pytest.mark.rotates(2)
@pytest.mark.parametrize("vote", ["again", "cancel"])
async def test_2_8_a_substitute_undoes_nothing_for_whom_they_sit_in(here: World, vote: Vote) -> None:
    table = await here.start_table("ben", seats=2, hands=2)
    await table.do(OfferSeat(UserId(here.people["ben"].id)))
    await table.do(Substitute(UserId(here.people["cleo"].id), "cleo", 1))
    offered = private(await menu(here, table, "ann")).selects[f"bg:{table.id}:propose"]
    assert str(KINDS.index(vote)) not in offered
    for first, second in (("ann", "cleo"), ("cleo", "ann")):
        with pytest.raises(Refused, match="Someone left, and this match counts for them"):
            await table.do(CastVote(UserId(here.people[first].id), vote, first=True))
        with pytest.raises(Refused):
            await table.do(CastVote(UserId(here.people[second].id), vote))
    assert (table.stage, table.row.steps) == ("playing", ())


@pytest.mark.rotates(2)
@pytest.mark.parametrize("vote", ["again", "cancel"])
async def test_2_8_nothing_is_undone_because_the_one_who_had_not_agreed_has_left(here: World, vote: Vote) -> None:
    table, _ = await proposed(here, "ann", vote, "ben", "cleo", hands=2)
    await here.press("ben", table, "I agree")
    await here.leave("cleo")
    assert table.stage == "playing"
    assert "Again" not in str([step.action for step in table.row.steps])
    assert table.match is not None
    assert table.match.deal == 1
    assert not table.scene(None).wait.vote, "nobody is asked any more for what cannot be"


@pytest.mark.rotates(2)
@pytest.mark.parametrize("vote", ["again", "cancel"])
async def test_2_8_nothing_is_undone_because_a_substitute_took_the_seat_of_who_had_not_agreed(
    here: World, vote: Vote
) -> None:
    table, _ = await proposed(here, "ann", vote, "ben", seats=2, hands=2)
    await table.do(OfferSeat(UserId(here.people["ben"].id)))
    await table.do(Substitute(UserId(here.people["cleo"].id), "cleo", 1))
    with pytest.raises(Refused):
        await table.do(CastVote(UserId(here.people["cleo"].id), vote))
    assert (table.stage, table.row.steps) == ("playing", ())


async def test_2_8_whoever_left_or_was_replaced_has_no_vote(here: World) -> None:
    table, _ = await proposed(here, "ann", "pause", "ben", "cleo", hands=2)
    await table.do(OfferSeat(UserId(here.people["ben"].id)))
    await table.do(Substitute(UserId(here.people["dev"].id), "dev", 1))
    await here.leave("cleo")
    for name in ("ben", "cleo"):
        with pytest.raises(Refused):
            await table.do(CastVote(UserId(here.people[name].id), "pause"))
        with pytest.raises(Refused):
            await table.do(Veto(UserId(here.people[name].id)))
    assert not table.row.paused, "who sits there now has not agreed"
