"""The lines for a seat in the store: one place a person, each question asked once, and times that outlast an outage."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.effects import SeatCall
from bot.domain.ids import ALL_SHARDS, ChannelId, MessageId, Share, shard_of
from bot.store.rows import ANSWER_LIMIT, SEAT_PING, WAIT_LIMIT, Ping, Waiter
from bot.store.store import Store
from tests.store.sample_tables import ANN, BEN, CAT, GUILD, MINUTE, NOON, add_table


@pytest.mark.both_databases("times in conditions, and rows that are counted")
async def test_a_seat_queue_is_stored_from_its_first_place_to_its_end(store: Store) -> None:
    queue, first, second = store.seat_queue, await add_table(store), await add_table(store)
    assert [await queue.join(first, user, NOON + at * MINUTE) for at, user in enumerate((BEN, CAT, BEN))] == [1, 2, 1]
    assert await queue.join(second, CAT, NOON) == 1
    assert [waiter.user for waiter in await queue.of_table(first)] == [BEN], "one place a person"
    assert await queue.next_due() == NOON + WAIT_LIMIT
    for calls in (1, 0):
        made = await queue.ask(first, gone=(), waiting=(), asked={BEN: 2}, now=NOON + MINUTE)
        assert [one.effect for one in made] == [SeatCall(BEN, 2)] * calls, "nobody is asked twice"
    (asked,) = await queue.asked(first, NOON + MINUTE)
    assert asked == Waiter(BEN, first, NOON, NOON + MINUTE, 2)
    assert await queue.next_due() == NOON + MINUTE + ANSWER_LIMIT
    assert await queue.due(NOON + ANSWER_LIMIT) == ()
    assert await queue.due(NOON + MINUTE + ANSWER_LIMIT) == (first,)
    await queue.ask(first, gone=(), waiting=(BEN,), asked={}, now=NOON)
    await queue.ask(first, gone=(), waiting=(), asked={BEN: 2}, now=NOON + WAIT_LIMIT - MINUTE)
    assert set(await queue.due(NOON + WAIT_LIMIT)) == {second}, "who is asked has the whole time to answer"
    assert await queue.asked(first, NOON + WAIT_LIMIT - MINUTE + ANSWER_LIMIT) == ()
    await queue.ask(first, gone=(), waiting=(BEN,), asked={}, now=NOON)
    assert await queue.of_table(first) == (Waiter(BEN, first, NOON),)
    await queue.move(first, second)
    assert [waiter.user for waiter in await queue.of_table(second)] == sorted((BEN, CAT))
    await queue.ask(second, gone=(CAT,), waiting=(), asked={}, now=NOON)
    await queue.leave(second, BEN)
    assert await queue.of_table(second) == ()
    assert await queue.next_due() is None


@pytest.mark.both_databases("a union, and shards in a condition")
async def test_open_questions_and_lobbies_are_found_after_a_stop(store: Store) -> None:
    asked, answered, lobby = [await add_table(store) for _ in range(3)]
    await store.seat_queue.join(asked, ANN, NOON)
    await store.seat_queue.ask(asked, gone=(), waiting=(), asked={ANN: 0}, now=NOON)
    await store.seat_queue.join(lobby, BEN, NOON)
    await store.pings.add([Ping(answered, SEAT_PING, ChannelId(5), MessageId(6))], "")
    elsewhere = Share(2, frozenset({1 - shard_of(GUILD, 2)}), 2)
    for share, found in ((ALL_SHARDS, {asked, answered}), (elsewhere, set())):
        assert set(await store.seat_queue.open_questions(share)) == found
    assert set(await store.seat_queue.lobbies(ALL_SHARDS)) == {asked, answered, lobby}
    assert await store.seat_queue.lobbies(elsewhere) == ()


@pytest.mark.both_databases("arithmetic with times")
async def test_an_outage_is_added_to_all_times_of_a_line(store: Store) -> None:
    table = await add_table(store)
    for user in (ANN, BEN):
        await store.seat_queue.join(table, user, NOON)
    await store.seat_queue.ask(table, gone=(), waiting=(), asked={ANN: 0}, now=NOON)
    await store.clock.beat(NOON)
    away = timedelta(minutes=10)
    await store.clock.resume(NOON + away)
    later = NOON + away
    assert await store.seat_queue.of_table(table) == (
        Waiter(ANN, table, later, later, 0),
        Waiter(BEN, table, later),
    )
    await store.seat_queue.end(table)
    assert await store.seat_queue.of_table(table) == ()


@pytest.mark.both_databases("upserts")
async def test_a_refusal_is_stored_as_long_as_an_invitation(store: Store) -> None:
    first, second = await add_table(store), await add_table(store)
    await store.social.add_invited(first, [BEN], ANN, NOON)
    assert [await store.social.is_invited(first, user) for user in (BEN, CAT)] == [True, False]
    for _ in range(2):
        await store.social.decline(first, BEN, NOON)
    assert await store.social.declined(first) == {BEN}
    await store.social.decline(second, CAT, NOON + timedelta(days=15))
    assert [len(await store.social.declined(table)) for table in (first, second)] == [0, 1]
