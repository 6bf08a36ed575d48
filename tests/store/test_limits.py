"""Limits that the store counts: shared by processes, not ended by a deletion, and gone when their time has passed."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from bot.domain.ids import UserId
from bot.domain.refusals import Limit, Refused
from bot.runtime.store_address import Address, DatabaseServer
from bot.store.repositories.limits import UseCounter, take
from bot.store.schema import uses
from bot.store.store import Store
from tests.store.sample_tables import ANN, BEN, NOON, now
from tests.support.occurrences import columns_containing

TWICE = Limit("try", 2, timedelta(hours=1))


async def used(store: Store, *users: UserId, about: str = "") -> list[bool]:
    """Use a limit as these users in turn; return which uses were accepted."""
    return [await store.limits.take(TWICE, user, about) is None for user in users]


async def test_a_use_over_the_limit_is_refused_with_the_next_possible_time(store: Store) -> None:
    assert await used(store, ANN, ANN) == [True, True]
    with pytest.raises(Refused) as refused:
        await store.limits.use(TWICE, ANN)
    assert refused.value.values == {"most": 2, "when": NOON + TWICE.within}
    assert "{when}" in refused.value.sentence
    assert await store.limits.next_use(TWICE, ANN) == NOON + TWICE.within
    assert await used(store, BEN) == [True]
    assert await used(store, ANN, about="another table") == [True]
    assert await store.limits.next_use(TWICE, BEN) is None


@pytest.mark.both_databases("moments and spans in conditions")
async def test_the_next_use_is_possible_when_the_oldest_has_passed(store: Store) -> None:
    counted = store.limits.counted(ANN)

    async def at(minutes: int) -> datetime | None:
        return await store._gate.run(take, TWICE, counted, NOON + timedelta(minutes=minutes))

    assert [await at(minutes) for minutes in (0, 20, 40)] == [None, None, NOON + TWICE.within]
    assert [await at(minutes) for minutes in (60, 61)] == [None, NOON + timedelta(minutes=20) + TWICE.within]


@pytest.mark.both_databases("isolation")
async def test_a_refused_attempt_does_not_count(store: Store) -> None:
    for _ in range(3):
        with pytest.raises(Refused, match="no way"):
            async with store.limits.using(TWICE, ANN):
                raise Refused("no way")
    async with store.limits.using(TWICE, ANN):
        pass
    assert await used(store, ANN, ANN) == [True, False]


async def test_a_cancelled_use_does_not_count(store: Store) -> None:
    async def for_ever() -> None:
        async with store.limits.using(TWICE, ANN):
            begun.set()
            await asyncio.Event().wait()

    for _ in range(2):
        begun = asyncio.Event()
        task = asyncio.create_task(for_ever())
        await begun.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert await used(store, ANN, ANN, ANN) == [True, True, False]


@pytest.mark.both_databases("isolation")
async def test_concurrent_uses_keep_the_limit(store: Store) -> None:
    found = await asyncio.gather(*(store.limits.take(TWICE, ANN) for _ in range(8)))
    assert sum(later is None for later in found) == TWICE.most


async def test_two_processes_with_one_database_share_their_limits(server: DatabaseServer) -> None:
    first, second = [await Store.open(server, now, shared=True) for _ in range(2)]
    found = await asyncio.gather(*(store.limits.take(TWICE, ANN) for store in (first, second) * 4))
    assert sum(later is None for later in found) == TWICE.most
    await first.close()
    await second.close()


async def test_a_deletion_resets_no_limit_and_keeps_only_a_hash(store: Store, address: Address) -> None:
    await used(store, ANN, ANN)
    await store.deletions.forget_person(ANN)
    assert await used(store, ANN) == [False]
    [row, _] = (await store.person_data(ANN))["uses"]
    assert (row["mark"], row["kind"], row["until"]) == (store.deletions.mark(ANN), "try", NOON + TWICE.within)
    if not isinstance(address, DatabaseServer):
        assert columns_containing(address, str(ANN)) == []


@pytest.mark.both_databases("deletes by subqueries")
async def test_a_use_is_deleted_when_it_expires(store: Store) -> None:
    old = NOON - timedelta(hours=2)
    for mark in ("one who comes back", "one who does not"):
        await store._gate.run(take, TWICE, UseCounter(mark, ""), old)
    await used(store, ANN)
    await store.limits.end()
    assert [len(await rows(store, mark)) for mark in ("one who comes back", store.deletions.mark(ANN))] == [0, 1]


async def rows(store: Store, mark: str) -> list[object]:
    """The uses under a mark."""
    return list(await store._gate.run(lambda connection: connection.execute(select(uses).filter_by(mark=mark))))
