"""What debts add up to, as far as it has been added up: of each ledger what everybody in it is to get or owes.

All of it can be deleted and is made again of results and of what people have said. Knows up to which moment that is
done, and what makes it void. Refuses to know what a match is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, case, delete, insert, select
from sqlalchemy import true as always
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.debts import Debt, Notebook, Owed, Tab
from bot.domain.ids import PlayerId, TableId
from bot.domain.rating import OPEN
from bot.store.repositories import debts
from bot.store.schema import balances, ledgers, payments, results

AT_ONCE: Final = 500  # matches that are added up while everybody else waits
Tabs: TypeAlias = Mapping[PlayerId, Tab]
Add: TypeAlias = Callable[[Tabs, Sequence[Owed]], Tabs]  # to what is known, what came after


class Sum(NamedTuple):
    """How a ledger is added up. by: in which way; where it was another one, all is added up anew."""

    by: str
    add: Add


async def bring_up(connection: AsyncConnection, book: Notebook, way: Sum) -> bool:
    """Add up what came after all that is added up already, for some matches; tell whether there may be more.

    What ended at the same moment stays together, so that it is the same whenever somebody looks.
    """
    until = (
        await connection.execute(select(ledgers.c.until).where(*at(ledgers, book), ledgers.c.by == way.by))
    ).scalar()
    if until is None:
        await clear(connection, book)
    ended = await _ended(connection, book, until)
    more = len(ended) > AT_ONCE
    upto = ended[-1] if more else None
    settled = await _settled(connection, book, until, upto)
    if new := [*await debts.owed(connection, book, until, upto), *settled]:
        await _keep(connection, book, way.add(await tabs(connection, book), new))
    if moments := [*ended[-1:], *(one.at for one in settled)]:
        await connection.execute(delete(ledgers).where(*at(ledgers, book)))
        await connection.execute(insert(ledgers).values(key(book) | {"until": max(moments), "by": way.by}))
    return more


async def _ended(connection: AsyncConnection, book: Notebook, after: datetime | None) -> Sequence[datetime]:
    """Read when the next matches of a ledger ended, in order."""
    later = results.c.finished > after if after else always()
    query = select(results.c.finished).where(*debts.of_book(book), later).order_by(results.c.finished)
    return (await connection.execute(query.limit(AT_ONCE + 1))).scalars().all()


async def _settled(
    connection: AsyncConnection, book: Notebook, after: datetime | None, upto: datetime | None
) -> list[Owed]:
    """Read what was settled then: debts that go the other way."""
    said = [word for word in await debts.words(connection, book) if word.agreed]
    return [
        Owed(word.agreed, word.payee, word.payer, word.units)
        for word in said
        if word.agreed and (after is None or word.agreed > after) and (upto is None or word.agreed <= upto)
    ]


async def _keep(connection: AsyncConnection, book: Notebook, found: Tabs) -> None:
    await connection.execute(delete(balances).where(*at(balances, book)))
    rows = [
        key(book) | {"player": player, "units": tab.units, "since": tab.since, "table_id": tab.table}
        for player, tab in sorted(found.items())
    ]
    if rows:
        await connection.execute(insert(balances), rows)


async def tabs(connection: AsyncConnection, book: Notebook) -> dict[PlayerId, Tab]:
    """Read what each is to get or owes, as far as it has been added up."""
    rows = await connection.execute(select(balances).where(*at(balances, book)))
    return {row.player: Tab(row.units, row.since, row.table_id) for row in rows}


async def clear(connection: AsyncConnection, book: Notebook) -> None:
    """Delete what has been added up of a ledger."""
    for table in (ledgers, balances):
        await connection.execute(delete(table).where(*at(table, book)))


async def clear_all(connection: AsyncConnection) -> tuple[Notebook, ...]:
    """Delete whatever has been added up; return all the ledgers that there are."""
    for table in (ledgers, balances):
        await connection.execute(delete(table))
    channel = case((results.c.hidden, results.c.channel), else_=OPEN).label("channel")
    query = select(results.c.guild, channel).join(payments, payments.c.table_id == results.c.table_id).distinct()
    rows = await connection.execute(query.order_by(results.c.guild, channel))
    return tuple(Notebook(row.guild, row.channel) for row in rows)


async def unsettle(connection: AsyncConnection, table: TableId) -> None:
    """Have ledgers added up anew that hold what ended when this match did, or later: it is there only now, or not."""
    of_match = select(results.c.guild, results.c.finished).where(results.c.table_id == table)
    row = (await connection.execute(of_match)).one()
    await connection.execute(delete(ledgers).where(ledgers.c.guild == row.guild, ledgers.c.until >= row.finished))


async def say(
    connection: AsyncConnection, book: Notebook, debt: Debt, by: PlayerId, now: datetime, *, alone: bool
) -> bool:
    """Write that a debt is settled; tell whether nothing was still open between these two. alone: the other is gone."""
    if alone:
        await _unsettle_since(connection, now)
    return await debts.say(connection, book, debt, by, now, alone=alone)


async def agree(connection: AsyncConnection, word: int, who: PlayerId, now: datetime) -> bool:
    """Write that the other of two people has said so as well; tell whether there was something to agree to."""
    await _unsettle_since(connection, now)
    return await debts.agree(connection, word, who, now)


async def _unsettle_since(connection: AsyncConnection, now: datetime) -> None:
    """Have ledgers added up anew in which there is something of this moment or, if clocks were changed, a later one."""
    await connection.execute(delete(ledgers).where(ledgers.c.until >= now))


def key(book: Notebook) -> dict[str, Any]:
    """Lay a notebook out in columns."""
    return {"guild": book.guild, "channel": book.channel}


def at(table: Any, book: Notebook) -> tuple[ColumnElement[bool], ...]:
    """Return the condition that a row is of this ledger."""
    return table.c.guild == book.guild, table.c.channel == book.channel
