"""Duplicate tables: the same deals at several tables, compared, and played once a user."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import discord
import pytest
import pytest_asyncio
from simcord.results import InteractionResult

from bot.ai.plain import plain_action, timeout_action
from bot.club.duplicates import OPEN_FOR
from bot.domain.pace import RELAXED
from bot.domain.preferences import Preferences
from bot.domain.refusals import Refused
from bot.rules.core.asks import Action, Play, Ready
from bot.rules.core.game import View
from bot.rules.matches.seal import with_independent_hands
from bot.show.kit.phrases import signed
from bot.store.rows import TableChange
from bot.table.core.commands import (
    Act,
    CastVote,
    ChangePace,
    ChangeRules,
    CutCards,
    FollowStakes,
    Leave,
    OfferSeat,
    PlayDuplicate,
)
from bot.table.core.state import record_of
from bot.table.table import Table
from tests.people.test_moderators import create_role
from tests.people.test_presence import set_roles
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world

INVITED, SHEET = "🔁 Same deals for all", "🔁 Same deals: how you compare"
ANOTHER = "Open another table"


@pytest_asyncio.fixture
async def wide(tmp_path: Path) -> AsyncIterator[World]:
    """A server where the bot may open private threads, with one person more."""
    async with world(tmp_path, threads=True) as made:
        made.arrive("eve")
        yield made


async def open_shared_table(here: World, **options: Any) -> Table:
    """Open Ann's table for two with shared deals."""
    wanted: dict[str, Any] = {"game": "tien_len", "seats": 2, "hands": 1} | options
    table = await here.open_table(**wanted)
    with here.env._bot_scope():  # what follows is the bot's, as after a click
        await table.do(PlayDuplicate(here.ann.id))
    await here.settle()
    assert table.row.duplicate_id is not None
    return table


async def open_further_table(here: World, name: str) -> Table:
    """Open another table with the same deals."""
    before = set(await here.parts.store.tables.open_tables())
    await press_in_channel(here, name, ANOTHER)
    (new,) = set(await here.parts.store.tables.open_tables()) - before
    return await here.parts.tables.get(new)


async def press_in_channel(here: World, name: str, label: str, title: str = INVITED) -> InteractionResult:
    """Press a button of a message in the channel."""
    here.pulse.at += 100
    message = next(each for each in here.channel.history() if title in ParsedMessage.of(each).text)
    result = await here.people[name].click(message, label=label)
    await here.settle()
    return result


async def start_shared_table(here: World, table: Table, host: str, guest: str) -> Table:
    """Join as the guest and start as the host."""
    await here.advance(seconds=3)
    await here.sit_down(guest, table)
    await here.press(host, table, "Start")
    return table


async def start_both_tables(here: World, **options: Any) -> tuple[Table, Table]:
    """Begin two tables of two: Ann and Ben at the first, Cleo and Dev at the second."""
    one = await start_shared_table(here, await open_shared_table(here, **options), "ann", "ben")
    return one, await start_shared_table(here, await open_further_table(here, "cleo"), "cleo", "dev")


def play_most_cards(view: View) -> Action | None:
    """Return what gets rid of the most cards."""
    largest = max(view.plays.first(50), key=lambda combo: len(combo.cards), default=None)
    return Play(largest.cards) if largest else None


async def finish_table(here: World, table: Table, wish: Callable[[View], Action | None] = plain_action) -> None:
    """Play a table to its end."""
    with here.edits_held():
        while table.row.open:
            assert table.match is not None
            seat = min(table.match.awaited)
            user = table.row.chairs[seat].user
            assert user is not None
            view = table.scene(user).view
            assert view is not None
            action = Ready() if table.stage == "between" else wish(view) or timeout_action(view)
            with here.env._bot_scope():  # what follows is the bot's, as after a click
                await table.do(Act(user, action))
    await here.settle()


def messages_titled(here: World, title: str) -> list[ParsedMessage]:
    """Return the messages in the channel with this title."""
    return [ParsedMessage.of(each) for each in here.channel.history() if title in ParsedMessage.of(each).text]


def dealt_hands(table: Table) -> list[tuple[str, ...]]:
    """Return the cards dealt to each seat in each hand so far."""
    found: dict[int, tuple[str, ...]] = {}
    for match in record_of(table.row).positions():
        found.setdefault(match.deal, tuple(str(match.game.view(seat).hand) for seat in range(2)))
    return list(found.values())


async def test_two_duplicate_tables_play_in_their_own_private_threads(wide: World) -> None:
    one, two = await start_both_tables(wide, hands=2)
    for table, names in ((one, {"ann", "ben"}), (two, {"cleo", "dev"})):
        thread = wide.env.backend.channels[table.row.home]
        assert thread.type == 12
        assert thread.parent_id == wide.channel.id
        assert {wide.name_of(user) for user in thread.thread_members} - {""} == names
        assert table.row.phase == "playing"
    await finish_table(wide, one)
    await finish_table(wide, two, play_most_cards)
    assert one.row.steps != two.row.steps
    assert dealt_hands(one) == dealt_hands(two)
    assert len(dealt_hands(one)) == 2
    assert one.row.place is not None
    assert one.row.place.hidden
    finished = await wide.parts.store.results.finished(one.id)
    assert finished is not None
    assert not finished.outcome.counts


async def test_the_scoresheet_matches_a_calculation_by_hand(wide: World) -> None:
    one, two = await start_both_tables(wide, hands=2)
    await finish_table(wide, one)
    assert messages_titled(wide, SHEET) == [], "one table compares with nobody"
    await finish_table(wide, two, timeout_action)
    (sheet,) = messages_titled(wide, SHEET)
    assert one.match is not None
    assert two.match is not None
    points = [[result.points for result in table.match.results] for table in (one, two) if table.match]
    gains = {}
    for table, names in enumerate((("ann", "ben"), ("cleo", "dev"))):
        for seat, name in enumerate(names):
            means = [fmean((points[0][deal][seat], points[1][deal][seat])) for deal in range(2)]
            gains[name] = sum(points[table][deal][seat] - means[deal] for deal in range(2))
    told = {name: f"{gain:+.1f}".replace("-", "−") for name, gain in gains.items()}
    for name, gain in told.items():
        assert any(name in line and gain in line for line in sheet.text.splitlines()), (name, gain, sheet.text)
    assert gains["ann"] == -gains["cleo"]
    assert "2 tables have played." in sheet.text
    opened = await press_in_channel(wide, "ann", "Scoresheet", SHEET)
    mine = private_reply(opened).text
    total = sum(points[0][deal][0] for deal in range(2))
    assert f"**ann** · seat 1 · {told['ann']} ({signed(total)})" in mine
    assert mine.count("seat 1") == mine.count("seat 2") == 2
    assert "4 have finished." in mine
    assert signed(total) not in sheet.text.replace(told["ann"], ""), "what one holds on a seat is nobody's to read yet"
    for deal, hands in ((1, [0]), (2, [1]), (0, [0, 1])):
        won, lost = (sum(points[table][hand][0] for hand in hands) for table in range(2))
        half = f"{(won - lost) / 2 + 0.0:+.1f}".replace("-", "−")
        assert f"**ann** · seat 1 · {half} ({signed(won)})" in await read_sheet_of_hand(wide, deal)


async def read_sheet_of_hand(here: World, deal: int) -> str:
    """Select a hand of the scoresheet as Ann, 0 for all; return the text."""
    opened = await press_in_channel(here, "ann", "Scoresheet", SHEET)
    assert opened.response is not None
    await here.people["ann"].select(opened.response.message, [str(deal)], custom_id="bv:dup_deal:1")
    await here.settle()
    return private_reply(opened).text


async def test_duplicate_tables_show_no_stake_on_a_server_with_stakes(wide: World) -> None:
    usual = await wide.open_table("eve", game="big_two", seats=4)
    assert "stake" in ParsedMessage.of(wide.board(usual)).text
    table = await open_shared_table(wide, game="big_two", seats=4)
    assert "stake" not in ParsedMessage.of(wide.board(table)).text
    edition = table.row.edition
    for stakes in (False, True):
        await wide.parts.servers.change(wide.guild.id, wide.owner, "stakes", stakes)
        await table.do(FollowStakes(""))
    assert table.row.edition == edition, "nobody is asked anew for what does not concern this table"


async def test_a_user_plays_the_same_deals_once(wide: World) -> None:
    one = await open_shared_table(wide)
    two = await open_further_table(wide, "cleo")
    await wide.advance(seconds=3)
    await wide.press("ben", one, "Join")
    refused = "You have or had a seat at another table with"
    assert refused in private_reply(await wide.press("ben", two, "Join")).text
    assert refused in private_reply(await press_in_channel(wide, "ben", ANOTHER)).text
    await wide.press("ann", one, "Start")
    assert refused in private_reply(await wide.press("ann", two, "Join")).text
    await finish_table(wide, one)
    for name in ("ann", "ben"):
        assert refused in private_reply(await wide.press(name, two, "Join")).text
        assert refused in private_reply(await press_in_channel(wide, name, ANOTHER)).text
    assert [chair.name for chair in two.row.chairs] == ["cleo"]


async def test_of_two_tables_sharing_a_player_only_one_starts(wide: World) -> None:
    one, two = await open_shared_table(wide), await open_further_table(wide, "cleo")
    await wide.advance(seconds=3)
    await wide.press("ben", one, "Join")
    both_came = (*two.row.chairs, replace(one.row.chairs[1], agreed=two.row.edition))
    await wide.parts.store.tables.save(two.id, TableChange(chairs=both_came))  # as if both had come first
    await two.reread()
    await wide.settle()
    await wide.click_each([("ann", wide.board(one), "Start"), ("cleo", wide.board(two), "Start")])
    assert sorted(table.row.phase for table in (one, two)) == ["lobby", "lobby"]
    refused = private_reply(await wide.press("ann", one, "Start")).text
    assert refused == (
        "ben joined another table with the same deals. Nobody plays them twice: someone else has to sit here."
    )
    await two.do(Leave(wide.people["ben"].id))
    await wide.press("ann", one, "Start")
    assert one.row.phase == "playing"


async def test_a_stop_in_the_middle_or_before_the_sheet_is_posted_loses_nothing(wide: World) -> None:
    one, two = await start_both_tables(wide)
    await wide.act(wide.current_player(one) or "", one)
    await wide.restart()
    one, two = await wide.reload(one), await wide.reload(two)
    await finish_table(wide, one)
    wide.env.inject_error("POST", f"/channels/{wide.channel.id}/messages", status=500, code=0, times=None)
    await finish_table(wide, two, play_most_cards)
    assert dealt_hands(one) == dealt_hands(two)
    assert messages_titled(wide, SHEET) == []
    wide.env.backend.faults.clear()
    await wide.restart()
    assert len(messages_titled(wide, SHEET)) == 1


async def test_a_third_table_updates_the_scoresheet_without_unlisted_players(wide: World) -> None:
    wide.arrive("fay")
    one, two = await start_both_tables(wide)
    await wide.parts.store.people.save_preferences(wide.ann.id, Preferences(unlisted=True))
    await finish_table(wide, one)
    await finish_table(wide, two, play_most_cards)
    (sheet,) = messages_titled(wide, SHEET)
    assert "ben" in sheet.text
    assert "ann" not in sheet.text + private_reply(await press_in_channel(wide, "cleo", "Scoresheet")).text
    assert "**ann**" in private_reply(await press_in_channel(wide, "ann", "Scoresheet")).text
    three = await start_shared_table(wide, await open_further_table(wide, "eve"), "eve", "fay")
    await finish_table(wide, three)
    (sheet,) = messages_titled(wide, SHEET)
    assert "3 tables have played." in sheet.text
    assert all(name in sheet.text for name in ("ben", "cleo", "dev", "eve", "fay"))
    assert "ann" not in sheet.text


async def test_a_rematch_has_cards_of_its_own(wide: World) -> None:
    one = await start_shared_table(wide, await open_shared_table(wide), "ann", "ben")
    await finish_table(wide, one)
    wide.deal = "7"
    wide.pulse.at += 100
    await wide.press("ann", one, "Rematch")
    (lobby,) = await wide.parts.store.tables.open_tables()
    again = await wide.parts.tables.get(lobby)
    assert again.row.duplicate_id is None
    assert again.row.seed == "7"
    assert again.row.home == wide.channel.id


async def test_duplicate_tables_cannot_change_rules_deals_or_channel(wide: World) -> None:
    one = await open_shared_table(wide)
    assert "Other tables play the same deals" in wide.read_board(one).text
    behind = private_reply(await wide.press("ann", one, "⋯"))
    assert not {"Cut the cards", "Same deals…"} & set(behind.buttons)
    with pytest.raises(Refused, match="Several tables play the same deals by the"):
        await one.do(ChangeRules(wide.ann.id, lambda rules: rules.with_wishes(hands=5)))
    await one.do(ChangePace(wide.ann.id, RELAXED))
    with pytest.raises(Refused, match="nobody cuts"):
        await one.do(CutCards(wide.ann.id, "river"))
    elsewhere = wide.guild.create_text_channel("elsewhere")
    moved = await wide.slash("ann", "table move", elsewhere, table=one.id)
    assert "this one stays" in moved.text
    await start_shared_table(wide, one, "ann", "ben")
    assert "this one stays" in (await wide.slash("ann", "table move", elsewhere, table=one.id)).text
    with pytest.raises(Refused, match="Other tables play the same deals, so none of"):
        await one.do(CastVote(wide.ann.id, "again", first=True))


async def test_sharing_the_deals_discards_cut_words(wide: World) -> None:
    table = await wide.open_table(game="tien_len", seats=2, hands=1)
    await table.do(CutCards(wide.ann.id, "river"))
    await table.do(PlayDuplicate(wide.ann.id))
    assert table.row.cuts == ()
    assert table.row.seed == with_independent_hands(wide.deal)


async def test_missing_permission_for_private_threads_is_reported_without_loss(wide: World) -> None:
    table = await wide.open_table(game="tien_len", seats=2, hands=1)
    behind = await wide.press("ann", table, "⋯")
    asked = await wide.press_on("ann", behind, "Same deals…")
    await wide.set_bot_permissions(wide.channel, create_private_threads=False)
    told = private_reply(await wide.press_on("ann", asked, "At several tables")).text
    assert "private threads, which aren't possible here" in told
    assert table.row.duplicate_id is None
    await wide.set_bot_permissions(wide.channel, create_private_threads=True)
    await wide.press_on("ann", asked, "At several tables")
    await wide.advance(seconds=3)
    await wide.press("ben", table, "Join")
    await wide.set_bot_permissions(wide.channel, create_private_threads=False)
    assert "Tables with the same deals are played in" in private_reply(await wide.press("ann", table, "Start")).text
    assert table.row.phase == "lobby"
    await wide.set_bot_permissions(wide.channel, create_private_threads=True)
    wide.env.inject_error("PUT", "/channels/*/thread-members/*", status=500, code=0)
    assert "Discord didn't let me open a private thread" in private_reply(await wide.press("ann", table, "Start")).text
    assert [each for each in wide.env.backend.channels.values() if each.type == 12] == []
    await wide.press("ann", table, "Start")
    assert (await wide.reload(table)).row.phase == "playing"


async def test_an_unused_thread_is_archived_if_the_bot_may_not_delete_it(wide: World) -> None:
    await wide.set_bot_permissions(wide.channel, create_private_threads=True, manage_threads=False)
    table = await fill_shared_lobby(wide)
    wide.env.inject_error("PUT", "/channels/*/thread-members/*", status=500, code=0)
    assert "Discord didn't let me open a private thread" in private_reply(await wide.press("ann", table, "Start")).text
    (thread,) = [each for each in wide.env.backend.channels.values() if each.type == 12]
    assert thread.thread_metadata is not None
    assert thread.thread_metadata.archived
    await wide.press("ann", table, "Start")
    assert table.row.phase == "playing"
    assert table.row.home != thread.id


async def fill_shared_lobby(here: World) -> Table:
    """Fill Ann's lobby with shared deals, ready to start."""
    table = await open_shared_table(here)
    await here.advance(seconds=3)
    await here.press("ben", table, "Join")
    return table


async def test_after_two_weeks_no_table_is_added_and_running_ones_continue(wide: World) -> None:
    one = await start_shared_table(wide, await open_shared_table(wide, pace="none"), "ann", "ben")
    await wide.advance(days=OPEN_FOR.days, hours=2)
    assert (await wide.reload(one)).row.phase == "playing"
    assert "two weeks" in private_reply(await press_in_channel(wide, "cleo", ANOTHER)).text


async def test_a_substitute_takes_part_unless_they_play_the_deals_elsewhere(wide: World) -> None:
    mods = wide.guild.create_role("mods", permissions=discord.Permissions(manage_threads=True))
    for name in ("cleo", "eve"):
        set_roles(wide, name, mods)
    one, two = await start_both_tables(wide)
    assert one.row.duplicate_id is not None
    await one.do(OfferSeat(wide.ann.id))
    await wide.settle()
    assert (
        "You have or had a seat at another table with"
        in private_reply(await wide.press("cleo", one, "Take over for ann")).text
    )
    await wide.press("eve", one, "Take over for ann")
    part = await wide.parts.store.duplicates.part_of(one.row.duplicate_id, wide.people["eve"].id)
    assert part is not None
    assert (part.table, part.seat) == (one.id, 0)
    assert (
        "You have or had a seat at another table with"
        in private_reply(await press_in_channel(wide, "eve", ANOTHER)).text
    )
    assert "eve is playing for you" in private_reply(await wide.open_hand("ann", one)).text
    await finish_table(wide, one)
    await finish_table(wide, two, play_most_cards)
    (sheet,) = messages_titled(wide, SHEET)
    assert "ann" in sheet.text
    assert "eve" not in sheet.text, "what it comes to stays with whoever began"


async def test_a_duplicate_is_deleted_with_its_server(wide: World) -> None:
    one = await start_shared_table(wide, await open_shared_table(wide), "ann", "ben")
    await open_further_table(wide, "cleo")
    await finish_table(wide, one)
    await wide.parts.store.deletions.forget_server(wide.guild.id)
    for name in ("ann", "cleo"):
        assert (await wide.parts.store.person_data(wide.people[name].id)).keys() <= {"players", "uses"}
    assert await wide.parts.store.duplicates.load(1) is None


async def test_the_sheet_command_finds_the_latest_duplicate_of_a_channel_or_thread(wide: World) -> None:
    assert "Nobody's playing the same deals" in (await wide.slash("ann", "matches sheet")).text
    one = await start_shared_table(wide, await open_shared_table(wide, hands=2), "ann", "ben")
    for where in (wide.channel, wide.channel_of(one)):
        assert "The same 2 hands at every table." in (await wide.slash("ann", "matches sheet", where)).text


async def test_2_3_a_moderator_who_plays_the_deals_cannot_moderate_their_other_tables(wide: World) -> None:
    one, two = await start_both_tables(wide)
    set_roles(wide, "cleo", create_role(wide, manage_messages=True, manage_threads=True))
    set_roles(wide, "eve", create_role(wide, manage_messages=True, manage_threads=True))
    await wide.advance(minutes=2)
    room = wide.channel_of(one)
    for command in ("cancel", "end", "pause"):
        said = (await wide.slash("cleo", f"table {command}", room, table=one.id)).text
        assert said == "You're playing the same deals at another table, so another moderator has to do that."
    asked = private_reply(await wide.people["eve"].slash(room, "table cancel", table=one.id))
    assert "Cancel match" in asked.buttons
    assert (one.stage, two.stage) == ("playing", "playing")
