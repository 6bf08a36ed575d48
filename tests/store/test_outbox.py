"""The outbox: a message being sent has one nonce until its row is settled."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.effects import OutboxRow, board_key, scoresheet_key, season_key
from bot.domain.ids import MessageId, TableId, UserId
from bot.store.rows import Ping, TableChange, TurnNotice
from bot.store.store import Store
from tests.store.sample_tables import ANN, BEN, CHANNEL, GUILD, NOON, add_table

NOBODY = UserId(0)
FIRST = OutboxRow("call 1", GUILD, NOBODY, CHANNEL, 2**62 + 1, NOON)


@pytest.mark.both_databases("insert that may find a row")
async def test_every_attempt_to_send_a_message_has_the_same_nonce(store: Store) -> None:
    assert await store.outbox.begin_message(FIRST) == FIRST
    assert await store.outbox.begin_message(replace(FIRST, nonce=7, at=NOON + timedelta(minutes=3))) == FIRST
    later = NOON + timedelta(minutes=4)
    await store.outbox.renew_message(FIRST.key, CHANNEL, 9, later)
    assert await store.outbox.begin_message(FIRST) == replace(FIRST, nonce=9, at=later)
    await store.outbox.finish(FIRST.key)
    assert await store.outbox.keys() == frozenset()
    assert (await store.outbox.begin_message(replace(FIRST, nonce=11))).nonce == 11


@pytest.mark.both_databases("upsert")
async def test_storing_a_message_settles_its_outbox_row_in_one_transaction(store: Store) -> None:
    table = await add_table(store)
    for key in ("call 1", "notice 1", board_key(table), "other"):
        await store.outbox.begin_message(replace(FIRST, key=key))
    await store.pings.add([Ping(table, ANN, CHANNEL, MessageId(1)), Ping(table, BEN, CHANNEL, MessageId(1))], "call 1")
    await store.notices.note_notified(
        ANN, NOON, [], [], TurnNotice(ANN, GUILD, CHANNEL, MessageId(2), "turn", NOON), "notice 1"
    )
    await store.tables.save(table, TableChange(message=MessageId(3), sent=board_key(table)))
    assert await store.outbox.keys() == {"other", f"lobby {table}"}
    assert len(await store.pings.of_table(table)) == 2


@pytest.mark.both_databases("moments and texts in conditions")
async def test_an_abandoned_outbox_row_is_deleted_after_a_day(store: Store) -> None:
    await store.outbox.begin_message(FIRST)
    await store.outbox.begin_message(replace(FIRST, key="call 2", at=NOON + timedelta(hours=2)))
    await store.outbox.delete_old(NOON + timedelta(days=1, hours=1))
    assert await store.outbox.keys() == {"call 2"}


async def test_a_retried_outbox_row_is_kept_for_a_month(store: Store) -> None:
    for key in (board_key(TableId(1)), scoresheet_key(1), season_key(GUILD, 1)):
        await store.outbox.begin_message(replace(FIRST, key=key))
    await store.outbox.delete_old(NOON + timedelta(days=31))
    assert len(await store.outbox.keys()) == 3
    await store.outbox.delete_old(NOON + timedelta(days=33))
    assert await store.outbox.keys() == frozenset()


@pytest.mark.both_databases("deletes by subqueries")
async def test_outbox_rows_are_deleted_with_user_or_server(store: Store) -> None:
    await store.outbox.begin_message(replace(FIRST, user=ANN))
    await store.outbox.begin_message(replace(FIRST, key="call 2"))
    await store.deletions.forget_person(ANN)
    assert await store.outbox.keys() == {"call 2"}
    await store.deletions.forget_server(GUILD)
    assert await store.outbox.keys() == frozenset()
