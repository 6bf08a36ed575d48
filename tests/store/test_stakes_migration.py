"""What the step to stakes that stay gives a database.

Each match what the ledger said, each open one what holds now.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.ledger import Ledgers
from bot.domain.debts import LedgerScope
from bot.domain.ids import GuildId, UserId
from bot.runtime.store_address import Address, DatabaseServer
from bot.store.engine import migration
from bot.store.schema import results, sittings, tables
from bot.store.store import Store
from tests.store.released_databases import copy_older_schema
from tests.store.sample_tables import ANN, BEN, now, scripts_up_to
from tests.support.postgres import create_empty_database, drop_database

pytestmark = pytest.mark.usefixtures("in_place")
HOUR = 3_600_000_000
ALWAYS, NEVER, SWITCHED, LATE = 1, 2, 3, 4  # servers: with stakes, without, off and on again, on since the third hour


def a_table(number: int, guild: int, phase: str, options: dict[str, Any], **other: Any) -> tuple[str, dict[str, Any]]:
    row = {
        "id": number,
        "guild": guild,
        "number": number,
        "channel": 5,
        "home": 5,
        "host": ANN,
        "game": "big_two",
        "preset": "pagat",
        "options": json.dumps(options),
        "seats": 2,
        "seed": "00ff",
        "pace": "live",
        "phase": phase,
        "created": 0,
        "touched": 0,
        "reminded": False,
        "counts": True,
    }
    return "tables", row | other


def ended(number: int, guild: int, hour: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """A match of two that ended in this hour, after which Ben owes Ann as many units as its number says."""
    yield a_table(number, guild, "over", {"players": 2})
    result = {"table_id": number, "guild": guild, "game": "big_two", "hands": 1, "finished": hour * HOUR}
    yield "results", result | {"counts": True, "preset": "pagat", "options": "{}"}
    for seat, user in enumerate((ANN, BEN)):
        standing = {"table_id": number, "seat": seat, "user": user, "name": "P", "house": False, "place": seat + 1}
        yield "standings", standing | {"points": 0, "net": 0, "player": seat + 1}
    yield "payments", {"table_id": number, "payer": 1, "payee": 0, "units": 10**number}


def rows() -> Iterator[tuple[str, dict[str, Any]]]:
    for player, user in enumerate((ANN, BEN), 1):
        yield "players", {"id": player, "user": user}
    for guild, chosen in ((ALWAYS, {"stakes": True}), (SWITCHED, {"stakes": True}), (LATE, {"stakes": True})):
        yield "servers", {"guild": guild, "chosen": json.dumps(chosen)}
    yield "servers", {"guild": NEVER, "chosen": json.dumps({"slow": False})}
    for guild, hour, value in ((SWITCHED, 2, False), (SWITCHED, 4, True), (LATE, 3, True)):
        change = {"guild": guild, "name": "stakes", "value": json.dumps(value), "by": ANN, "at": hour * HOUR}
        yield "server_changes", change
    for number, guild, hour in (
        (1, ALWAYS, 1),
        (2, NEVER, 1),
        (3, SWITCHED, 1),
        (4, SWITCHED, 2),
        (5, SWITCHED, 3),
        (6, SWITCHED, 4),
        (7, LATE, 2),
        (8, LATE, 3),
    ):
        yield from ended(number, guild, hour)
    yield a_table(11, ALWAYS, "playing", {"players": 2})
    yield a_table(12, ALWAYS, "playing", {"players": 2, "stake": 0})
    yield a_table(13, NEVER, "playing", {"players": 2, "stake": 5})
    yield a_table(14, ALWAYS, "lobby", {"players": 2, "stake": 5})
    yield a_table(15, ALWAYS, "playing", {}, game="a_bao", preset="standard")
    yield a_table(16, ALWAYS, "closed", {"players": 2})
    duplicate = {"id": 1, "guild": ALWAYS, "channel": 5, "by": ANN, "game": "big_two", "preset": "pagat"}
    yield "duplicates", duplicate | {"options": "{}", "seats": 2, "seed": "00", "opened": 0}
    yield a_table(17, ALWAYS, "playing", {"players": 2}, duplicate_id=1)
    yield "habits", {"user": ANN, "by_suit": False, "mirror": False, "locale": "en", "everywhere": True}
    for seat, user in enumerate((ANN, BEN)):
        yield "sittings", {"table_id": 11, "seat": seat, "ply": 0, "user": user, "house": False}


STAKED = {1, 3, 6, 8}  # of those that ended: what the ledger added up


@pytest.fixture(params=["file", "server"])
async def migrated(request: pytest.FixtureRequest, tmp_path: Path, place: Path) -> AsyncIterator[Store]:
    """A database of the version before with these rows, opened by this one."""
    address: Address = copy_older_schema(place, 56) if request.param == "file" else create_empty_database()
    with pytest.MonkeyPatch.context() as older:
        older.setattr(migration, "SCRIPTS", scripts_up_to(56, tmp_path))
        before = await Store.open(address, now)
        await before._gate.run(fill)
        await before.close()
    store = await Store.open(address, now)
    yield store
    await store.close()
    if isinstance(address, DatabaseServer):
        drop_database(address)


async def fill(connection: AsyncConnection) -> None:
    for table, row in rows():
        names, marks = ", ".join(f'"{name}"' for name in row), ", ".join(f":{name}" for name in row)
        await connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), row)


async def read(store: Store, query: Any) -> set[Any]:
    async def work(connection: AsyncConnection) -> set[Any]:
        return set((await connection.execute(query)).scalars())

    return await store._gate.run(work)


async def test_2_2_the_migration_keeps_stakes_and_global_rating_choices(migrated: Store) -> None:
    """On both databases: the steps of a migration say much in SQL."""
    assert await read(migrated, select(results.c.table_id).where(results.c.stakes)) == STAKED
    for guild, units in ((ALWAYS, 10), (NEVER, None), (SWITCHED, 10**3 + 10**6), (LATE, 10**8)):
        account = await Ledgers(migrated).account(LedgerScope(GuildId(guild)), UserId(ANN))
        assert [debt.units for debt in account.debts] == [units or 0][: units is not None]
    open_ = select(tables.c.id).where(tables.c.stakes, tables.c.phase.in_(("lobby", "playing")))
    assert await read(migrated, open_) == {11, 14}, "of what is open: by its server and its rules"
    assert await read(migrated, select(tables.c.id).where(tables.c.stakes)) == {11, 14} | STAKED
    assert await read(migrated, select(sittings.c.user).where(sittings.c.everywhere)) == {ANN}
    assert await read(migrated, text("SELECT count(*) FROM sittings")) == {2}
