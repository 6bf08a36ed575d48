"""What is kept of a table: all of a change or nothing, and all of it again after a new start."""

from __future__ import annotations

import asyncio
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.domain.chairs import Cut, Revision
from bot.domain.contests import Duplicate, DuplicateSeat
from bot.domain.ids import AccessChannel, ChannelId, GuildId, MessageId, TableId
from bot.domain.pace import DAILY, LIVE, NO_CLOCK, Deadline, SeatTime
from bot.domain.results import FinishedMatch, MatchOutcome, SeatResult
from bot.runtime.store_address import Address
from bot.store.errors import AlreadyWritten, StoreError
from bot.store.rows import NEVER, NO_MESSAGE, NewTable, TableChange, TableRow
from bot.store.store import Store
from tests.store.sample_tables import (
    ANN,
    BEN,
    CHAIRS,
    CHANNEL,
    GUILD,
    MINUTE,
    NEW_TABLE,
    NOON,
    STEP,
    add_table,
    load_table,
    now,
)


@pytest.mark.both_databases("JSON, moments and new numbers")
async def test_a_new_table_is_loaded_as_saved(store: Store) -> None:
    deadline = Deadline(NOON + MINUTE, NOON + MINUTE / 2)
    row = await store.tables.add(NEW_TABLE, CHAIRS, deadline)
    assert row == TableRow(
        id=row.id,
        number=1,
        guild=GUILD,
        channel=CHANNEL,
        home=CHANNEL,
        message=None,
        host=ANN,
        game="big_two",
        preset="standard",
        options=NEW_TABLE.options,
        seats=3,
        seed="00ff",
        pace=LIVE,
        phase="lobby",
        created=NOON,
        chairs=CHAIRS,
        deadline=deadline,
    )
    assert await store.tables.load(row.id) == row
    assert await store.tables.load(TableId(row.id + 1)) is None


async def test_a_change_writes_only_its_own_fields(store: Store) -> None:
    before = await load_table(store, await add_table(store, Deadline(NOON)))
    steps = (STEP, replace(STEP, ply=1, seat=2, by="house"), replace(STEP, ply=2, action="pass", by="clock"))
    await store.tables.save(before.id, TableChange())
    assert await store.tables.load(before.id) == before
    assert before.rules == 1  # the first version of the rules, where nobody says another
    await store.tables.save(
        before.id, TableChange(steps=steps[:2], phase="playing", rules=2, home=ChannelId(7), message=MessageId(8))
    )
    after = replace(before, steps=steps[:2], phase="playing", rules=2, home=ChannelId(7), message=MessageId(8))
    assert await store.tables.load(before.id) == after
    turn = Deadline(NOON + MINUTE, NOON, reminded=True)
    await store.tables.save(
        before.id, TableChange(steps=steps[2:], host=BEN, chairs=CHAIRS[1:], touch_deadline=True, deadline=turn)
    )
    after = replace(after, steps=steps, host=BEN, chairs=CHAIRS[1:], deadline=turn)
    assert await store.tables.load(before.id) == after
    await store.tables.save(before.id, TableChange(touch_deadline=True))
    assert await store.tables.load(before.id) == replace(after, deadline=None)


# Another value for everything that a change can set of a table, with what is set together with it.
OTHERS: dict[str, dict[str, Any]] = {
    "steps": {"steps": (STEP,)},
    "phase": {"phase": "playing"},
    "host": {"host": BEN},
    "home": {"home": CHANNEL + 1},
    "message": {"message": 9},
    "preset": {"preset": "hong_kong"},
    "options": {"options": {}},
    "rules": {"rules": 2},
    "seats": {"seats": 4},
    "pace": {"pace": DAILY},
    "edition": {"edition": 2},
    "revised": {
        "revised": Revision(by=BEN, name="Ben", at=NOON, preset="standard", options={"hands": 3}, pace=NO_CLOCK)
    },
    "chairs": {"chairs": CHAIRS[:2]},
    "deadline": {"touch_deadline": True, "deadline": Deadline(NOON, NOON - MINUTE, reminded=True, shut_out=NOON)},
    "counts": {"counts": True},
    "stakes": {"stakes": True},
    "unrated": {"unrated": True},
    "ended": {"ended": "agreed"},
    "channel": {"channel": CHANNEL + 1},
    "paused": {"paused": True},
    "times": {"times": (SeatTime(0, MINUTE), SeatTime(2, -MINUTE, NOON))},
    "cuts": {"cuts": (Cut(BEN, 1, "river"),)},
    "seed": {"seed": "another"},
    "held": {"paused": True, "held": MINUTE},
    "suspended_since": {"paused": True, "suspended_since": NOON},
    "place": {"place": AccessChannel(CHANNEL, hidden=True)},
    "premove_at": {"premove_at": NOON},
    "own_pace": {"own_pace": DAILY},
    "duplicate_id": {"duplicate_id": 1},
    "votes": {"votes": 3},
}
DEALS = Duplicate(0, GUILD, CHANNEL, BEN, "big_two", "pagat", {}, 4, "secret", NOON, DAILY, together=True)
BESIDE = {
    "sent",
    "at",
    "touch_deadline",
    "sittings",
    "sits_in",
    "parts",
    "outcome",
    "score",
    "openings",
    "moderation",
    "effects",
}  # what is kept elsewhere, or says how


def names(kind: type[Any]) -> set[str]:
    """Return the fields of a type."""
    return {each.name for each in fields(kind)}


def test_every_table_field_is_set_at_creation_or_by_a_change() -> None:
    assert names(TableRow) == {"id", "number"} | names(NewTable) | names(TableChange) - BESIDE
    assert names(TableChange) - BESIDE == OTHERS.keys()


@pytest.mark.both_databases("types of all columns")
async def test_a_change_has_the_same_effect_in_memory_and_in_the_database(store: Store) -> None:
    await store.duplicates.add(DEALS)
    for name, values in OTHERS.items():
        before = await load_table(store, await add_table(store))
        change = TableChange(**values)
        after = change.after(before)
        assert getattr(after, name) == values[name] != getattr(before, name), name
        await store.tables.save(before.id, change)
        assert await load_table(store, before.id) == after, name


@pytest.mark.both_databases("types of all columns")
async def test_a_duplicate_is_loaded_as_saved(store: Store) -> None:
    number = await store.duplicates.add(DEALS)
    await store.duplicates.keep_sheet(number, MessageId(8))
    assert await store.duplicates.load(number) == replace(DEALS, number=number, sheet=MessageId(8))
    assert await store.duplicates.load(number + 1) is None


@pytest.mark.both_databases("constraint and its error")
async def test_a_user_has_one_seat_in_a_duplicate(store: Store) -> None:
    number, one, two = await store.duplicates.add(DEALS), await add_table(store), await add_table(store)
    await store.tables.save(
        one, TableChange(duplicate_id=number, phase="playing", parts=(DuplicateSeat(number, BEN, one, 1),))
    )
    with pytest.raises(AlreadyWritten):
        await store.tables.save(
            two, TableChange(duplicate_id=number, phase="playing", parts=(DuplicateSeat(number, BEN, two, 0),))
        )
    assert (await load_table(store, two)).phase == "lobby"
    assert await store.duplicates.elsewhere(number, [BEN], one) == frozenset()
    assert (
        await store.duplicates.elsewhere(number, [BEN], two) == await store.duplicates.elsewhere(number, [BEN]) == {BEN}
    )


async def test_a_deleted_board_message_is_stored_as_none(store: Store) -> None:
    table = await add_table(store)
    await store.tables.save(table, TableChange(message=MessageId(8)))
    await store.tables.save(table, TableChange(home=ChannelId(7), message=NO_MESSAGE))
    row = await load_table(store, table)
    assert (row.home, row.message) == (7, None)


async def test_a_cleared_premove_time_is_loaded_as_none(store: Store) -> None:
    table = await add_table(store)
    await store.tables.save(table, TableChange(premove_at=NOON))
    await store.tables.save(table, TableChange(premove_at=NEVER))
    assert (await load_table(store, table)).premove_at is None


async def test_all_rows_are_there_after_reopening(address: Address) -> None:
    store = await Store.open(address, now)
    table = await add_table(store)
    await store.tables.save(table, TableChange(steps=(STEP,)))
    kept = await store.tables.load(table)
    await store.close()
    store = await Store.open(address, now)
    assert await store.tables.load(table) == kept
    await store.close()
    if isinstance(address, Path):
        assert not (address.parent / "backups").exists()  # nothing was migrated, so nothing is copied


@pytest.mark.both_databases("time zones")
async def test_a_moment_comes_back_in_utc_from_any_zone(store: Store) -> None:
    far = datetime.fromisoformat("2026-03-01T20:00:00.000001+08:00")
    row = await load_table(store, await add_table(store, created=far))
    assert row.created == far
    assert row.created.tzinfo is UTC


@pytest.mark.both_databases("isolation")
async def test_tables_are_numbered_per_guild_under_concurrency(store: Store) -> None:
    rows = await asyncio.gather(
        *(store.tables.add(replace(NEW_TABLE, guild=GuildId(n % 2 + 1)), (), None) for n in range(20))
    )
    for guild in (1, 2):
        assert sorted(row.number for row in rows if row.guild == guild) == list(range(1, 11))


@pytest.mark.both_databases("constraint and its error")
async def test_a_conflicting_ply_leaves_no_partial_write(store: Store) -> None:
    table = await add_table(store, Deadline(NOON))
    await store.tables.save(table, TableChange(steps=(replace(STEP, ply=1),)))
    before = await store.tables.load(table)
    late = TableChange(
        steps=(STEP, replace(STEP, ply=1, action="pass")),
        phase="over",
        chairs=CHAIRS[:1],
        touch_deadline=True,
        outcome=MatchOutcome(1, NOON, ()),
    )
    with pytest.raises(AlreadyWritten, match="Ply 1"):
        await store.tables.save(table, late)
    assert await store.tables.load(table) == before
    assert await store.results.count(GUILD) == 0


@pytest.mark.both_databases("isolation")
async def test_one_of_two_simultaneous_actions_is_saved(store: Store) -> None:
    table = await add_table(store)
    clicks = (store.tables.save(table, TableChange(steps=(replace(STEP, action=card),))) for card in ("3d", "4d", "5d"))
    answers = await asyncio.gather(*clicks, return_exceptions=True)
    assert [type(answer) for answer in answers].count(AlreadyWritten) == 2
    assert [type(answer) for answer in answers].count(type(None)) == 1
    assert len((await load_table(store, table)).steps) == 1


@pytest.mark.both_databases("constraint and its error")
async def test_a_result_is_written_once(store: Store) -> None:
    table = await add_table(store)
    won = MatchOutcome(2, NOON, (SeatResult(seat=0, user=ANN, name="Ann", house=False, place=1, points=3, net=9),))
    await store.tables.save(table, TableChange(outcome=won))
    with pytest.raises(AlreadyWritten, match="result"):
        await store.tables.save(table, TableChange(steps=(STEP,), outcome=replace(won, hands=5)))
    assert (await load_table(store, table)).steps == ()
    assert await store.results.history(GUILD, 10, 0) == (
        FinishedMatch(table=table, number=1, game="big_two", preset="standard", outcome=won, options=NEW_TABLE.options),
    )


@pytest.mark.both_databases("foreign key and its error")
@pytest.mark.parametrize(
    "change",
    [
        TableChange(steps=(STEP,)),
        TableChange(phase="over"),
        TableChange(chairs=CHAIRS),
        TableChange(outcome=MatchOutcome(1, NOON, ())),
    ],
)
async def test_a_change_of_a_missing_table_is_refused(store: Store, change: TableChange) -> None:
    with pytest.raises(StoreError, match="There is no table 99"):
        await store.tables.save(TableId(99), change)


@pytest.mark.both_databases("a transaction of a caller who has gone")
async def test_a_cancelled_caller_leaves_no_partial_write(address: Address) -> None:
    store = await Store.open(address, now)
    table = await add_table(store)
    click = asyncio.ensure_future(store.tables.save(table, TableChange(steps=(STEP,), phase="playing")))
    await asyncio.sleep(0)
    click.cancel()
    with pytest.raises(asyncio.CancelledError):
        await click
    await store.close()  # which lets those inside finish
    store = await Store.open(address, now)
    row = await load_table(store, table)
    await store.close()
    assert (row.steps, row.phase) == ((STEP,), "playing")
