"""What people at a table agree on together: a break, another deal, no match, a concession."""

from __future__ import annotations

from typing import Any

from simcord.results import InteractionResult

from bot.domain.chairs import Vote
from bot.domain.pace import Pace
from bot.show.table.votes import KINDS, PACE
from bot.table.table import Table
from tests.people.test_moderators import open_menu
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World


async def ask_for_vote(here: World, table: Table, name: str, vote: Vote) -> InteractionResult:
    """Select a vote in the menu of the board; return the confirmation."""
    shown = await open_menu(here, table, name)
    assert shown.response is not None
    target = f"bg:{table.id}:propose"
    result = await here.people[name].select(shown.response.message, [str(KINDS.index(vote))], custom_id=target)
    await here.settle()
    return result


async def start_vote(
    here: World, name: str, vote: Vote, *others: str, **options: Any
) -> tuple[Table, InteractionResult]:
    """Start a vote at a new table; return the table and the reply."""
    table = await here.start_table(*(others or ("ben", "cleo")), **options)
    return table, await here.press_on(name, await ask_for_vote(here, table, name, vote), "Ask everyone")


async def test_a_break_needs_all_players_and_ends_when_all_are_back(here: World) -> None:
    table, shown = await start_vote(here, "ann", "pause")
    said = "would like a break. Waiting for ben and cleo to agree. If anyone plays a card first, the request is off."
    assert f"You {said}" in private_reply(shown).text
    assert f"ann {said}" in here.read_board(table).text
    await here.press("ben", table, "I agree")
    assert not table.row.paused
    await here.press("cleo", table, "I agree")
    assert table.row.paused
    assert (
        here.channel_texts(table)[-1] == "Everyone agreed: Big Two, table 1 is paused. It resumes when everyone's back."
    )
    said = here.read_board(table).text
    assert "On a break. Waiting for ann, ben, and cleo. Resumes <t:" in said
    assert "or sooner" in said
    await here.advance(hours=8)
    table = await here.reload(table)
    assert [step for step in table.row.steps if step.by == "clock"] == []
    for name in ("cleo", "ann"):
        await here.press(name, table, "I'm back")
    assert "On a break. Waiting for ben." in here.read_board(table).text
    await here.press("ben", table, "I'm back")
    assert not table.row.paused
    assert here.channel_texts(table)[-1] == "Everyone's back, so Big Two, table 1 resumes."


async def test_votes_and_breaks_survive_restarts_and_a_break_ends_after_a_week(here: World) -> None:
    table, _ = await start_vote(here, "ann", "pause")
    await here.press("ben", table, "I agree")
    await here.restart()
    table = await here.reload(table)
    assert "ann and ben would like a break. Waiting for cleo to agree." in here.read_board(table).text
    await here.press("cleo", table, "I agree")
    assert table.row.paused
    assert len([said for said in here.channel_texts(table) if "is paused" in said]) == 1
    await here.restart()
    await here.press("ann", await here.reload(table), "I'm back")
    assert (await here.reload(table)).row.paused
    await here.advance(days=7, seconds=1)
    table = await here.reload(table)
    assert (table.row.paused, table.scene(None).wait.vote) == (False, "")


async def test_a_redealt_hand_is_shown_in_the_replay_with_the_old_one(here: World) -> None:
    here.deal = SHORT_HANDS
    table, _ = await start_vote(here, "ann", "again", "ben", hands=1)
    before = private_reply(await here.open_hand("ann", table))
    await here.press_on("ben", await here.open_hand("ben", table), "I agree")
    assert table.match is not None
    assert (table.match.number, table.match.deal) == (1, 2)
    assert here.channel_texts(table)[-1] == "Everyone agreed: the cards of Big Two, table 1 are dealt again."
    after = private_reply(await here.open_hand("ann", table))
    assert "Your 13 cards" in after.text
    assert before.text != after.text
    await here.restart()
    again = await here.reload(table)
    assert again.match is not None
    assert again.match.game == table.match.game
    await here.play_hand(again)
    playback = private_reply(await here.press("ann", await here.reload(table), "Replay"))
    assert "Hand 1 · move 0 " in playback.text
    (values,) = playback.selects.values()
    deals = [value for value in values if value.startswith("h")]
    assert len(deals) == 2, "the one that was thrown in, and the other"


async def test_one_refusal_ends_a_vote_and_delays_the_next_one(here: World) -> None:
    table, shown = await start_vote(here, "ann", "pause")
    await here.press_on("ann", shown, "Withdraw")
    assert "would like" not in here.read_board(table).text
    await here.press_on("ben", await ask_for_vote(here, table, "ben", "cancel"), "Ask everyone")
    seen = here.board(table)
    await here.press("cleo", table, "No")
    assert (table.stage, table.scene(None).wait.vote) == ("playing", "")
    late = await here.click_stale("ann", seen, "I agree")
    assert "Nobody's asking for that any more" in private_reply(late).text
    await here.restart()
    table = await here.reload(table)
    wishes: tuple[tuple[str, Vote], ...] = (("ann", "pause"), ("ben", "cancel"))
    for name, vote in wishes:
        refused = await here.press_on(name, await ask_for_vote(here, table, name, vote), "Ask everyone")
        assert "Someone said no when you last asked" in private_reply(refused).text


async def test_a_single_player_needs_no_vote(here: World) -> None:
    table = await here.start_table()
    question = await ask_for_vote(here, table, "ann", "again")
    await here.press_on("ann", question, "Deal this hand again")
    assert table.match is not None
    assert table.match.deal == 2


async def test_at_a_slow_table_undecided_players_get_a_notice_at_a_suitable_time(here: World) -> None:
    table, _ = await start_vote(here, "ann", "pause", "ben", pace="relaxed 8h")
    await here.advance(minutes=31)
    (called,) = [line for line in here.channel_texts(table) if "the clocks stop until everyone's back" in line]
    assert f"<@{here.people['ben'].id}>" in called
    await here.press("ben", await here.reload(table), "I agree")
    await here.advance(seconds=5)
    assert not [line for line in here.channel_texts(table) if "the clocks stop until everyone's back" in line]


async def test_an_open_vote_is_listed_on_the_desk(here: World) -> None:
    table, _ = await start_vote(here, "ann", "pause", "ben")
    waiting = "ben" if here.current_player(table) == "ann" else "ann"
    assert waiting == "ben"
    desk = await here.people["ben"].slash(here.channel, "desk")
    assert "1 table is waiting for you." in private_reply(desk).text
    hand = await here.press_on("ben", desk, "Play them here")
    await here.press_on("ben", hand, "I agree")
    assert table.row.paused


async def ask_for_pace(here: World, table: Table, name: str, vote: Vote) -> InteractionResult:
    """Start a vote on a pace from the menu."""
    shown = await open_menu(here, table, name)
    for value in (PACE, str(KINDS.index(vote))):
        assert shown.response is not None
        shown = await here.people[name].select(shown.response.message, [value], custom_id=f"bg:{table.id}:propose")
        await here.settle()
    return await here.press_on(name, shown, "Ask everyone")


async def test_players_agree_on_another_pace(here: World) -> None:
    table = await here.start_table("ben", pace="relaxed 8h")
    await ask_for_pace(here, table, "ben", "to_daily")
    assert "ben would like another pace: A move a day. Waiting for ann to agree." in here.read_board(table).text
    await here.press("ann", table, "I agree")
    assert here.channel_texts(table)[-1] == "Everyone agreed: Big Two, table 1 continues at another pace."
    await here.restart()
    assert (await here.reload(table)).row.pace == Pace("daily")
