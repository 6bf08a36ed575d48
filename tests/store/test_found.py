"""What is found: tables by person, channel and guild, pings, habits; and sleeping tables cost nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from bot.domain.chairs import Chair
from bot.domain.effects import MessageDeletion
from bot.domain.ids import AccessChannel, ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.preferences import Preferences
from bot.store.rows import NewTable, Ping, TableChange, TableHome
from bot.store.schema import tables
from bot.store.store import Store
from tests.store.plans import fully_scanned_tables, record_statements
from tests.store.sample_tables import (
    ANN,
    BEN,
    CAT,
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


@pytest.mark.both_databases("order of what is found")
async def test_open_tables_are_found_by_person_channel_and_guild(store: Store) -> None:
    lobby, playing, over, closed, other = [await add_table(store) for _ in range(4)] + [await add_table(store, guild=5)]
    await store.tables.save(playing, TableChange(phase="playing", home=ChannelId(7), steps=(STEP,)))
    await store.tables.save(over, TableChange(phase="over"))
    await store.tables.save(closed, TableChange(phase="closed"))
    await store.tables.save(other, TableChange(chairs=(CHAIRS[1], Chair(0, CAT, "Cat"))))
    assert await store.tables.open_tables() == (lobby, playing, other)
    assert await store.tables.seated(ANN) == tuple(
        [replace(await load_table(store, n), steps=()) for n in (playing, lobby)]
    )
    assert [row.id for row in await store.tables.seated(BEN)] == [playing, lobby]  # a house player sits in for Ben
    assert [row.id for row in await store.tables.seated(CAT)] == [other]
    assert await store.tables.seated(UserId(999)) == ()
    assert (await store.tables.seated(CAT))[0].chairs == (Chair(0, CAT, "Cat"), CHAIRS[1])
    assert await store.tables.in_channel(ChannelId(7)) == (playing,)
    assert sorted(await store.tables.in_channel(CHANNEL)) == [lobby, playing, other]
    assert await store.tables.in_guild(GUILD) == (lobby, playing)
    assert await store.tables.in_guild(GuildId(5)) == (other,)
    assert await store.tables.within(ChannelId(9)) == ()
    await store.tables.save(
        playing, TableChange(paused=True, suspended_since=NOON, place=AccessChannel(ChannelId(9), hidden=True))
    )
    assert (await store.tables.within(ChannelId(9)), (await load_table(store, playing)).place) == (
        (playing,),
        AccessChannel(ChannelId(9), hidden=True),
    )
    assert await store.tables.homes(GUILD) == (
        TableHome(lobby, CHANNEL, suspended=False),
        TableHome(playing, ChannelId(7), suspended=True),
    )


@pytest.mark.both_databases("deletes by subqueries")
async def test_pings_are_taken_once(store: Store) -> None:
    table, other = await add_table(store), await add_table(store)
    first, second, third = (
        Ping(table, user, CHANNEL, MessageId(message)) for user, message in ((ANN, 1), (BEN, 2), (ANN, 3))
    )
    for ping in (third, second, first, Ping(other, ANN, CHANNEL, MessageId(4))):
        await store.pings.add([ping])
    assert set(await store.pings.of_table(table)) == {first, second, third}
    assert await deleted_messages(store, table, ANN) == [1, 3]
    assert await store.pings.of_table(table) == (second,)
    assert await deleted_messages(store, table, ANN) == []
    assert await deleted_messages(store, table, BEN) == [2]
    assert await deleted_messages(store, other, ANN) == [4]


async def deleted_messages(store: Store, table: TableId, user: UserId) -> list[int]:
    """Take the pings of a person, and return the messages that are to be deleted, each of which is a row now."""
    effects = await store.pings.delete_for_user(table, user, NOON)
    assert set(effects) <= set(await store.outbox.effects())
    return [one.effect.message for one in effects if isinstance(one.effect, MessageDeletion)]


async def test_a_shared_ping_stays_until_all_its_users_have_acted(store: Store) -> None:
    table = await add_table(store)
    await store.pings.add([Ping(table, user, CHANNEL, MessageId(1)) for user in (ANN, BEN)])
    assert await deleted_messages(store, table, ANN) == []
    assert await deleted_messages(store, table, BEN) == [1]


@pytest.mark.both_databases("upsert")
async def test_preferences_and_notes_are_stored(store: Store) -> None:
    assert await store.people.preferences(ANN) == Preferences()
    await store.people.save_preferences(ANN, Preferences(by_suit=True))
    chosen = Preferences(
        by_suit=True, mirror=True, locale="zh-CN", suit_colours="two", text_only=True, large=True, confirm=True
    )
    await store.people.save_preferences(ANN, chosen)
    assert await store.people.preferences(ANN) == chosen
    assert await store.people.preferences(BEN) == Preferences()
    assert await store.notes.recall("commands") is None
    await store.notes.remember("commands", "one")
    await store.notes.remember("commands", "two")
    assert await store.notes.recall("commands") == "two"


async def test_idle_tables_cost_no_queries(path: Path) -> None:
    """Repeated queries find their tables without reading others."""
    store = await Store.open(path, now)
    await fill(store, 1000)
    with record_statements(store) as sent:
        assert len(await store.clock.due(NOON + timedelta(days=365))) == 500
        assert await store.clock.next_due() == NOON + timedelta(seconds=1)
        assert await store.clock.due(NOON + timedelta(seconds=2)) == (1, 2)
        assert len(await store.tables.seated(ANN)) == 0
        assert await store.tables.in_channel(ChannelId(777)) == (777,)
        await store.clock.beat(NOON)
    assert len(sent) >= 6
    assert await fully_scanned_tables(store, sent) == []
    assert await store.clock.resume(NOON + MINUTE) == MINUTE
    assert await store.clock.next_due() == NOON + MINUTE + timedelta(seconds=1)
    await store.close()


async def fill(store: Store, count: int) -> None:
    one: dict[str, Any] = {
        **{name: getattr(NEW_TABLE, name) for name in NewTable.__dataclass_fields__},
        "phase": "playing",
        "message": 1,
        "touched": NOON,
    }
    rows = [{**one, "id": n, "number": n, "channel": n, "home": n} for n in range(1, count + 1)]
    for n, row in enumerate(rows, 1):
        row["deadline"] = row["wake"] = NOON + timedelta(seconds=n)
    await store._gate.run(lambda connection: connection.execute(insert(tables), rows))
