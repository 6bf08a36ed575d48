"""What debts add up to: always the same, in whatever order matches come and whenever a player looks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.ledger import Ledgers
from bot.domain.debts import LedgerScope, LedgerView
from bot.domain.ids import AccessChannel, ChannelId, UserId
from bot.domain.server_settings import SettingChange
from bot.ops.store_commands import recounting
from bot.store import schema
from bot.store.rows import Moderation
from bot.store.store import Store
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.store.sample_tables import ANN, BEN, CAT, GUILD, NOON, now

pytestmark = pytest.mark.usefixtures("in_place")
BOOK = LedgerScope(GUILD)
BACKROOM = ChannelId(7)


def debts(store: Store) -> Ledgers:
    """Return the ledgers of a server with stakes."""
    return Ledgers(store)


async def read(store: Store, user: int = ANN, book: LedgerScope = BOOK) -> LedgerView:
    """Return what a player reads."""
    return await debts(store).account(book, UserId(user))


async def kept(store: Store) -> list[Any]:
    """Return all that has been added up."""

    async def work(connection: AsyncConnection) -> list[Any]:
        both = schema.ledgers, schema.balances
        return [tuple(row) for table in both for row in await connection.execute(select(table))]

    return sorted(await store._gate.run(work), key=repr)


async def anew(store: Store) -> list[Any]:
    """Return the same added up from nothing."""
    await debts(store).recount()
    return await kept(store)


def evenings(count: int, rng: random.Random) -> Iterator[FinishedMatch]:
    """Yield matches of four of all kinds, some ending at the same moment."""
    for number in range(count):
        users: list[int | None] = rng.sample(range(1000, 1012), 4)
        if rng.random() < 0.2:
            users[rng.randrange(4)] = None
        owed = tuple((payer, 3, rng.randint(1, 9)) for payer in range(3)) if rng.random() < 0.9 else ()
        place = AccessChannel(BACKROOM, hidden=True) if rng.random() < 0.2 else AccessChannel(ChannelId(8))
        counts = rng.random() < 0.9
        yield FinishedMatch(tuple(users), (1, 2, 3, 4), number // 2, payments=owed, place=place, counts=counts)


async def settle(store: Store, account: LedgerView, minutes: float) -> None:
    """Settle the first debt at a time."""
    debt = account.debts[0]
    assert await store.debts.say_settled(BOOK, debt, debt.payer, NOON, other_deleted=False)
    (word,) = [word for word in await store.debts.words(BOOK) if word.agreed is None]
    assert await store.debts.agree_settled(word.id, debt.payee, NOON + timedelta(minutes=minutes))


@pytest.mark.both_databases("sums and order")
@pytest.mark.rotates(5)
@pytest.mark.parametrize("seed", range(5))
async def test_ledgers_do_not_depend_on_when_they_are_viewed(store: Store, seed: int) -> None:
    rng = random.Random(seed)
    matches = list(evenings(40, rng))
    rng.shuffle(matches)  # so many come late
    for number, match in enumerate(matches):
        (table,) = await store_matches(store, [match])
        if rng.random() < 0.3:
            shown = await read(store)
            await read(store, book=LedgerScope(GUILD, BACKROOM))
            if shown.debts and rng.random() < 0.4:
                await settle(store, shown, rng.choice((match.minutes, 100 + number)))
        if rng.random() < 0.2:
            await store.moderations.judge(table, Moderation(NOON, UserId(ANN), "annul"), annulled=True)
    told = await read(store), await read(store, book=LedgerScope(GUILD, BACKROOM))
    before = await kept(store)
    assert before == await anew(store)
    assert told == (await read(store), await read(store, book=LedgerScope(GUILD, BACKROOM)))


async def test_ledgers_are_summed_in_batches(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = 10
    monkeypatch.setattr("bot.store.repositories.debts.MATCHES_PER_BATCH", at_once)
    one = FinishedMatch((ANN, BEN), (1, 2), payments=((1, 0, 1),))
    free = replace(one, payments=())
    count = at_once + 5
    await store_matches(store, [replace(free, minutes=minute) for minute in range(count)])
    assert (await read(store)).debts == ()
    await store_matches(store, [replace(one, minutes=minute) for minute in range(count)])
    (debt,) = (await read(store)).debts
    assert (debt.units, debt.since) == (count, NOON)
    assert await kept(store) == await anew(store)


async def test_annulling_or_restoring_a_match_updates_the_ledger(store: Store) -> None:
    tables = await store_matches(
        store, [FinishedMatch((ANN, BEN), (1, 2), at, payments=((1, 0, at),)) for at in (1, 2, 3)]
    )
    assert [debt.units for debt in (await read(store)).debts] == [6]
    await store.moderations.judge(tables[1], Moderation(NOON, UserId(ANN), "annul"), annulled=True)
    assert [debt.units for debt in (await read(store)).debts] == [4]
    await store.moderations.judge(tables[1], Moderation(NOON, UserId(ANN), "restore"), annulled=False)
    assert [debt.units for debt in (await read(store)).debts] == [6]


@pytest.mark.both_databases("sums and JSON")
async def test_switching_stakes_later_changes_no_debt(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), 1, payments=((1, 0, 5),))])
    before = (await read(store)).debts
    off = SettingChange(guild=GUILD, name="stakes", value=False, by=UserId(CAT), at=NOON + timedelta(minutes=2))
    await store.servers.change(off, {"stakes": False})
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), 3, payments=((1, 0, 7),), stakes=False)])
    assert [debt.units for debt in before] == [5]
    assert (await read(store)).debts == before


async def test_a_recount_includes_ledgers(tmp_path: Path) -> None:
    path, told = tmp_path / "games.db", list[str]()
    store = await Store.open(path, now)
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), 1, payments=((1, 0, 5),))])
    await store.close()
    await recounting(path, told.append)
    assert told[1] == "Added up again: 1 ledgers."
