"""What the store or Discord does not do when asked: users stay welcome, actions happen once, clocks stay correct."""

from __future__ import annotations

import logging
from datetime import timedelta

import discord
import pytest

from bot.ai.games import big_two
from bot.delivery.boards import boards, recent_tables
from bot.domain.chairs import Level
from bot.domain.ids import TableId
from bot.rules.core.asks import Action
from bot.rules.core.cards import cards
from bot.rules.core.game import View
from bot.store.errors import AlreadyWritten, StoreError, WriteConflict
from bot.store.rows import TableChange
from bot.table import house_players
from bot.table.core.commands import AddHousePlayer
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import World

OPENING = cards("3d 3c")


@pytest.fixture
def nothing_fails() -> None:
    """Allow logged errors, which these tests provoke."""


@pytest.fixture(autouse=True)
def no_real_second_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the retry delays."""
    monkeypatch.setattr(boards, "RETRIES", (0.01, 0.01, 0.01))
    monkeypatch.setattr(house_players, "RETRY", 0.01)


class FailingStore:
    """A store whose next writes fail, before or after the commit, optionally unreadable afterwards."""

    def __init__(self, here: World, monkeypatch: pytest.MonkeyPatch, *, done: bool, error: Exception) -> None:
        self.times, self.unreadable = 1, 0
        store = here.parts.store
        save, load = store.tables.save, store.tables.load

        async def failing(table: TableId, change: TableChange) -> None:
            fails = bool(change.steps) and self.times > 0
            if not fails or done:
                await save(table, change)
            if fails:
                self.times -= 1
                raise error

        async def unread(table: TableId) -> object:
            self.unreadable -= 1
            if self.unreadable >= 0:
                raise StoreError("The disk refused to read.")
            return await load(table)

        monkeypatch.setattr(store.tables, "save", failing)
        monkeypatch.setattr(store.tables, "load", unread)


BROKEN, TAKEN = StoreError("The disk refused to write."), AlreadyWritten("Ply 0 is taken.")
BUSY = WriteConflict("Too many wrote at the same moment.")


@pytest.mark.rotates(2)
@pytest.mark.parametrize("error", [BROKEN, TAKEN])
async def test_a_write_that_succeeded_despite_an_error_counts(
    here: World, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    FailingStore(here, monkeypatch, done=True, error=error)
    told = private_reply(await here.play("ann", table, OPENING))
    assert "nothing has been done" not in told.text
    assert (table.state.ply, here.current_player(table)) == (1, "ben")
    assert "Your turn" not in told.text
    assert "`3♢`" in here.read_board(table).text
    await here.pass_("ben", table)
    assert table.state.ply == 2


async def test_an_uncertain_write_does_not_block_the_table(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    trouble = FailingStore(here, monkeypatch, done=True, error=BROKEN)
    trouble.unreadable = 1
    assert "I can't save anything right now, so nothing" in private_reply(await here.play("ann", table, OPENING)).text
    await here.pass_("ben", table)
    assert [step.action for step in table.row.steps] == ["3d 3c", "pass"]
    assert "Passed: ben" in here.read_board(table).text


async def test_a_failed_write_can_be_retried(
    here: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    nothing = "I can't save anything right now, so nothing has been done"
    for error, why in (
        (BUSY, "I was too busy just then, so nothing has been done. Please try again."),
        (TAKEN, "moved on"),
        (BROKEN, nothing),
    ):
        assert errors(caplog) == []
        FailingStore(here, monkeypatch, done=False, error=error)
        told = private_reply(await here.play("ann", table, OPENING)).text
        assert why in told
        assert (nothing in told) is (error is BROKEN)
        assert (table.state.ply, here.current_player(table)) == (0, "ann")
    await here.play("ann", table, OPENING)
    assert (table.state.ply, here.current_player(table)) == (1, "ben")


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was logged as an error."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.rotates(4)
@pytest.mark.parametrize("error", [BROKEN, TAKEN, BUSY])
@pytest.mark.parametrize("done", [True, False])
async def test_house_players_continue_after_a_failed_write_without_an_error(
    here: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, *, done: bool
) -> None:
    table = await here.start_table()
    trouble = FailingStore(here, monkeypatch, done=done, error=error)
    trouble.times = 0
    save = here.parts.store.tables.save

    async def first(number: TableId, change: TableChange) -> None:
        if change.steps and change.steps[0].by == "house" and not spoiled:
            spoiled.append(number)
            trouble.times = 1
        await save(number, change)

    spoiled: list[TableId] = []
    monkeypatch.setattr(here.parts.store.tables, "save", first)
    await here.play("ann", table, OPENING)
    await here.advance(seconds=6)
    assert spoiled
    assert here.current_player(table) == "ann"
    assert [step.ply for step in table.row.steps] == list(range(table.state.ply))
    assert errors(caplog) == []


# Boards


async def test_no_duplicate_boards_while_the_store_is_read_only(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await here.open_table()
    await here.board(table).delete()
    save = here.parts.store.tables.save

    async def no_message(number: TableId, change: TableChange) -> None:
        if change.message:
            raise BROKEN
        await save(number, change)

    monkeypatch.setattr(here.parts.store.tables, "save", no_message)
    await table.do(AddHousePlayer(here.ann.id, Level.EASY))
    await here.settle()
    assert len(boards_of(here, table)) == 1
    monkeypatch.setattr(here.parts.store.tables, "save", save)
    await table.do(AddHousePlayer(here.ann.id, Level.EASY))
    await here.settle()
    (board,) = boards_of(here, table)
    assert table.row.message == board.id


def boards_of(here: World, table: Table) -> list[discord.Message]:
    sent = here.channel_of(table).history()
    return [each for each in sent if f"'bg:{table.id}:" in str([part.to_dict() for part in each.components])]


async def test_board_contents_are_cached_for_the_latest_tables_only(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent_tables, "MAX_TABLES", 2)
    for name in here.people:
        table = await here.open_table(name)
        await here.press("ben" if name != "ben" else "ann", table, "Join")
        assert len(table.row.chairs) == 2
        assert "2 of" in here.read_board(table).text or "ben" in here.read_board(table).text
    noted = recent_tables.RecentTables[str]()
    for number in map(TableId, (1, 2, 1, 3)):
        noted[number] = "shown"
    assert list(noted) == [1, 3]


# Outages of a bot that runs


async def test_gateway_downtime_is_added_to_deadlines(here: World) -> None:
    table = await start_four_players(here)
    await here.advance(seconds=60)
    here.bot.dispatch("shard_disconnect", 0)
    await here.settle()
    await here.advance(minutes=6)
    assert here.current_player(table) == "ben", "nothing happens while nobody can click"
    here.env.backend.emit("RESUMED", {"__shard_id__": 0})
    await here.settle()
    await here.advance(seconds=1)
    await check_time_left(here, table)


async def test_the_sleep_time_of_the_machine_is_added_to_deadlines(here: World) -> None:
    table = await start_four_players(here)
    await here.advance(seconds=60)
    here.env.backend.advance_clock(timedelta(hours=6).total_seconds())
    await here.advance(seconds=2)
    await check_time_left(here, table)


async def test_a_short_disconnection_stops_no_clock(here: World) -> None:
    table = await start_four_players(here)
    await here.advance(seconds=60)
    here.bot.dispatch("shard_disconnect", 0)
    await here.settle()
    await here.advance(seconds=30)
    here.env.backend.emit("RESUMED", {"__shard_id__": 0})
    await here.settle()
    await here.advance(seconds=29)
    assert here.current_player(table) == "ben"
    await here.advance(seconds=2)
    assert here.current_player(table) == "cleo"


async def start_four_players(here: World) -> Table:
    table = await here.start_table("ben", "cleo", "dev")
    await here.play("ann", table, OPENING)
    return table


async def check_time_left(here: World, table: Table) -> None:
    """The player has what was left, or a little more, in memory as in the store and on the board."""
    table = await here.reload(table)
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    assert row.deadline == table.row.deadline
    assert row.deadline is not None
    assert f"<t:{int(row.deadline.at.timestamp())}:R>" in here.read_board(table).text
    left = row.deadline.at - here.env.now()
    assert timedelta(seconds=50) < left < timedelta(minutes=2)
    assert here.current_player(table) == "ben"
    await here.advance(seconds=left.total_seconds() - 1)
    assert here.current_player(table) == "ben"
    await here.advance(seconds=2)
    assert here.current_player(table) == "cleo"


# Channels that go


async def test_a_table_that_cannot_be_closed_does_not_block_others(
    here: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = await here.open_table("ann"), await here.open_table("ben")
    save = here.parts.store.tables.save

    async def not_the_first(number: TableId, change: TableChange) -> None:
        if number == first.id and change.phase == "closed":
            raise BROKEN
        await save(number, change)

    monkeypatch.setattr(here.parts.store.tables, "save", not_the_first)
    with caplog.at_level(logging.ERROR):
        here.env.backend.remove_guild(here.guild.id)
        await here.env.settle()
    assert second.stage == "closed"
    assert f"Table {first.id} stays open" in caplog.text


async def test_a_failing_house_player_plays_the_weakest_action(
    here: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, nothing_fails: None
) -> None:
    def lost(_view: View, _dice: object) -> Action:
        raise ValueError("what now?")

    monkeypatch.setattr(big_two, "kind", lost)
    table = await here.start_table()
    while here.current_player(table) == "ann" and len(table.row.steps) < 8:
        view = table.scene(here.ann.id).view
        assert view is not None
        await here.play("ann", table, view.plays.first(1)[0].cards)
        assert [(step.action, step.by) for step in table.row.steps[-3:]] == [("pass", "house")] * 3
    assert len(table.row.steps) == 8
    assert "does not know what to do" in caplog.text
