"""Debts from finished matches, and the claims of players about them.

Independent of the sums. Transactions belong to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Row,
    bindparam,
    case,
    delete,
    false,
    func,
    insert,
    not_,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.debts import Balance, Debt, DebtEntry, Debtor, LedgerScope, SettlementClaim
from bot.domain.effects import PendingEffect
from bot.domain.ids import PlayerId, TableId, UserId
from bot.domain.rating import VISIBLE_CHANNELS
from bot.store.engine.erasures import visible_columns
from bot.store.engine.repository import Repository, read, write
from bot.store.repositories import outbox
from bot.store.schema import balances, habits, ledgers, payments, players, results, settlements, standings

MATCHES_PER_BATCH: Final = 500  # the number of matches added in one transaction, while other work waits
Tabs: TypeAlias = Mapping[PlayerId, Balance]
Add: TypeAlias = Callable[[Tabs, Sequence[DebtEntry]], Tabs]  # adds new payments to the known balances


class LedgerMethod(NamedTuple):
    """The method of summing a ledger.

    by: the name of the method; a new name invalidates every sum.
    """

    by: str
    add: Add


payer, payee = standings.alias("payer"), standings.alias("payee")


async def owed(
    connection: AsyncConnection, book: LedgerScope, after: datetime | None, upto: datetime | None
) -> tuple[DebtEntry, ...]:
    """Read the payments between persons in matches that ended after ``after``, to ``upto``.

    Payments from and to house players are left out.
    """
    later = results.c.finished > after if after else true()
    sooner = results.c.finished <= upto if upto else true()
    query = (
        select(results.c.finished, payer.c.player, payee.c.player, payments.c.units, results.c.table_id)
        .join(payments, payments.c.table_id == results.c.table_id)
        .join(payer, (payer.c.table_id == results.c.table_id) & (payer.c.seat == payments.c.payer))
        .join(payee, (payee.c.table_id == results.c.table_id) & (payee.c.seat == payments.c.payee))
        .where(*of_book(book), later, sooner)
        .where(payer.c.player.is_not(None), payee.c.player.is_not(None))
        .order_by(results.c.finished, results.c.table_id, payments.c.payer, payments.c.payee)
    )
    return tuple(DebtEntry(*row) for row in await connection.execute(query))


def of_book(book: LedgerScope) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for the matches of a notebook: counted matches with stakes."""
    here = results.c.guild == book.guild, results.c.stakes, results.c.counts, not_(results.c.annulled)
    if book.channel == VISIBLE_CHANNELS:
        return *here, not_(results.c.hidden)
    return *here, results.c.hidden, results.c.channel == book.channel


async def _words(connection: AsyncConnection, book: LedgerScope) -> tuple[SettlementClaim, ...]:
    """Read the claims of players about settled debts, oldest first."""
    own = select(settlements).filter_by(guild=book.guild, channel=book.channel).order_by(settlements.c.id)
    return tuple(_word(row) for row in await connection.execute(own))


me = select(players.c.id).where(players.c.user == bindparam("of_user")).scalar_subquery()
UNANSWERED = (
    select(settlements.c.guild, settlements.c.channel)
    .where(or_(settlements.c.payer == me, settlements.c.payee == me), settlements.c.by != me)
    .where(settlements.c.agreed.is_(None))
    .order_by(settlements.c.id)
)


async def _unanswered(connection: AsyncConnection, user: UserId) -> tuple[LedgerScope, ...]:
    """Read the notebooks in which a claim awaits the answer of a user, oldest first."""
    rows = await connection.execute(UNANSWERED, {"of_user": user})
    return tuple(dict.fromkeys(LedgerScope(row.guild, row.channel) for row in rows))


def _word(row: Row[Any]) -> SettlementClaim:
    return SettlementClaim(
        id=row.id, payer=row.payer, payee=row.payee, units=row.units, by=row.by, said=row.said, agreed=row.agreed
    )


async def _say(
    connection: AsyncConnection,
    book: LedgerScope,
    debt: Debt,
    by: PlayerId,
    now: datetime,
    *,
    other_deleted: bool,
    effects: Iterable[PendingEffect] = (),
) -> bool:
    """Write one player's claim that a debt is settled.

    Return False if an earlier claim between the two is still open. other_deleted: the other player was deleted, and
    cannot answer. effects: the notification of the other player.
    """
    if other_deleted:
        await _unsettle_since(connection, now)
    pair = [debt.payer, debt.payee]
    between = settlements.c.payer.in_(pair), settlements.c.payee.in_(pair), settlements.c.agreed.is_(None)
    open_ = select(settlements.c.id).filter_by(guild=book.guild, channel=book.channel).where(*between)
    if (await connection.execute(open_.limit(1))).first() is not None:
        return False
    values = {"payer": debt.payer, "payee": debt.payee, "units": debt.units, "by": by, "said": now}
    where = {"guild": book.guild, "channel": book.channel, "agreed": now if other_deleted else None}
    await connection.execute(insert(settlements).values(values | where))
    await outbox.add(connection, effects)
    return True


async def _agree(connection: AsyncConnection, word: int, who: PlayerId, now: datetime) -> bool:
    """Write that the other player agrees with a claim.

    Return False for an unknown or answered claim.
    """
    await _unsettle_since(connection, now)
    theirs = or_(settlements.c.payer == who, settlements.c.payee == who), settlements.c.by != who
    said = update(settlements).where(settlements.c.id == word, settlements.c.agreed.is_(None), *theirs)
    return (await connection.execute(said.values(agreed=now))).rowcount == 1


async def _take_back_settled(connection: AsyncConnection, word: int, who: PlayerId) -> bool:
    """Delete a claim of one player, unless the other player has agreed.

    Return False if none was deleted.
    """
    own = delete(settlements).where(settlements.c.id == word, settlements.c.by == who, settlements.c.agreed.is_(None))
    return (await connection.execute(own)).rowcount == 1


async def _player_of(connection: AsyncConnection, user: UserId) -> PlayerId | None:
    """Read the player id of a user, None without results."""
    return (await connection.execute(select(players.c.id).filter_by(user=user))).scalar()


async def _debtors(connection: AsyncConnection, last: Mapping[PlayerId, TableId | None]) -> dict[PlayerId, Debtor]:
    """Read the user and the name of each player; the name is from the given match."""
    keys = [(table, player) for player, table in last.items() if table is not None]
    told = select(*visible_columns(standings)).where(tuple_(standings.c.table_id, standings.c.player).in_(keys))
    names = {row.player: row.name for row in await connection.execute(told)}
    hidden = func.coalesce(habits.c.unlisted, false()).label("hidden")
    query = select(players, hidden).outerjoin(habits, habits.c.user == players.c.user).where(players.c.id.in_(last))
    rows = (await connection.execute(query)).all()
    return {row.id: Debtor(row.id, row.user, names.get(row.id, ""), bool(row.hidden)) for row in rows}


# Ledgers: sums of debts, computed as far as needed. Every row may be deleted, and is computed again.


async def _add_next_batch(connection: AsyncConnection, book: LedgerScope, way: LedgerMethod) -> bool:
    """Add the next matches and settlements to a ledger; return whether more may follow.

    Matches with the same end time are added together, so the sums never depend on the time of the request.
    """
    until = (
        await connection.execute(select(ledgers.c.until).where(*in_ledger(ledgers, book), ledgers.c.by == way.by))
    ).scalar()
    if until is None:
        await clear(connection, book)
    ended = await _ended(connection, book, until)
    more = len(ended) > MATCHES_PER_BATCH
    upto = ended[-1] if more else None
    settled = await _settled(connection, book, until, upto)
    if new := [*await owed(connection, book, until, upto), *settled]:
        await _keep(connection, book, way.add(await _tabs(connection, book), new))
    if moments := [*ended[-1:], *(one.at for one in settled)]:
        await connection.execute(delete(ledgers).where(*in_ledger(ledgers, book)))
        await connection.execute(insert(ledgers).values(key(book) | {"until": max(moments), "by": way.by}))
    return more


async def _ended(connection: AsyncConnection, book: LedgerScope, after: datetime | None) -> Sequence[datetime]:
    """Read the end times of the next matches of a ledger, in order."""
    later = results.c.finished > after if after else true()
    query = select(results.c.finished).where(*of_book(book), later).order_by(results.c.finished)
    return (await connection.execute(query.limit(MATCHES_PER_BATCH + 1))).scalars().all()


async def _settled(
    connection: AsyncConnection, book: LedgerScope, after: datetime | None, upto: datetime | None
) -> list[DebtEntry]:
    """Read settlements in a period, as debts in the opposite direction."""
    said = [word for word in await _words(connection, book) if word.agreed]
    return [
        DebtEntry(word.agreed, word.payee, word.payer, word.units)
        for word in said
        if word.agreed and (after is None or word.agreed > after) and (upto is None or word.agreed <= upto)
    ]


async def _keep(connection: AsyncConnection, book: LedgerScope, found: Tabs) -> None:
    await connection.execute(delete(balances).where(*in_ledger(balances, book)))
    rows = [
        key(book) | {"player": player, "units": tab.units, "since": tab.since, "table_id": tab.table}
        for player, tab in sorted(found.items())
    ]
    if rows:
        await connection.execute(insert(balances), rows)


async def _tabs(connection: AsyncConnection, book: LedgerScope) -> dict[PlayerId, Balance]:
    """Read the balance of each player, as last added up."""
    rows = await connection.execute(select(balances).where(*in_ledger(balances, book)))
    return {row.player: Balance(row.units, row.since, row.table_id) for row in rows}


async def clear(connection: AsyncConnection, book: LedgerScope) -> None:
    """Delete the sums of a ledger."""
    for table in (ledgers, balances):
        await connection.execute(delete(table).where(*in_ledger(table, book)))


async def _clear_all(connection: AsyncConnection) -> tuple[LedgerScope, ...]:
    """Delete all sums; return the existing ledgers."""
    for table in (ledgers, balances):
        await connection.execute(delete(table))
    channel = case((results.c.hidden, results.c.channel), else_=VISIBLE_CHANNELS).label("channel")
    query = select(results.c.guild, channel).join(payments, payments.c.table_id == results.c.table_id).distinct()
    rows = await connection.execute(query.order_by(results.c.guild, channel))
    return tuple(LedgerScope(row.guild, row.channel) for row in rows)


END_OF_MATCH = select(results.c.guild, results.c.finished).where(results.c.table_id == bindparam("of_table"))
DROP_LEDGERS = delete(ledgers).where(ledgers.c.guild == bindparam("of_guild"), ledgers.c.until >= bindparam("since"))


async def unsettle(connection: AsyncConnection, table: TableId) -> None:
    """Invalidate the ledgers with entries from the end of this match on.

    The match was added or removed.
    """
    row = (await connection.execute(END_OF_MATCH, {"of_table": table})).one()
    await connection.execute(DROP_LEDGERS, {"of_guild": row.guild, "since": row.finished})


async def _unsettle_since(connection: AsyncConnection, now: datetime) -> None:
    """Invalidate the ledgers with entries at this time or, after a clock change, later."""
    await connection.execute(delete(ledgers).where(ledgers.c.until >= now))


def key(book: LedgerScope) -> dict[str, Any]:
    """Return the key columns of a notebook."""
    return {"guild": book.guild, "channel": book.channel}


def in_ledger(table: Any, book: LedgerScope) -> tuple[ColumnElement[bool], ...]:
    """Return the condition for the rows of a notebook's ledger."""
    return table.c.guild == book.guild, table.c.channel == book.channel


class DebtRepository(Repository):
    """Debts from finished matches, and the claims of players about debts."""

    clear_ledgers = write(_clear_all)
    debtors = read(_debtors)
    words = read(_words)
    say_settled = write(_say)
    agree_settled = write(_agree)
    take_back_settled = write(_take_back_settled)
    unanswered = read(_unanswered)
    player_of = read(_player_of)

    async def tabs(self, book: LedgerScope, way: LedgerMethod) -> Mapping[PlayerId, Balance]:
        """Return the current balance of each player in a ledger.

        Brings the ledger up to date first.
        """
        while await self._gate.run(_add_next_batch, book, way):
            pass
        return await self._gate.read(_tabs, book)
