"""What is owed by finished matches, and what people say of it.

Knows the statements; refuses to know what it comes to, and transactions, which are its caller's.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, false, func, insert, not_, or_, select, true, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.debts import Debt, Debtor, Notebook, Owed, Word
from bot.domain.ids import PlayerId, TableId, UserId
from bot.domain.rating import OPEN
from bot.store.engine.erasures import shown
from bot.store.schema import habits, payments, players, results, settlements, standings

payer, payee = standings.alias("payer"), standings.alias("payee")


async def owed(
    connection: AsyncConnection, book: Notebook, after: datetime | None, upto: datetime | None
) -> tuple[Owed, ...]:
    """Read what persons owe each other by the matches that ended then and count, but for house players."""
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
    return tuple(Owed(*row) for row in await connection.execute(query))


def of_book(book: Notebook) -> tuple[ColumnElement[bool], ...]:
    """Return which matches a notebook is about: those that were dealt with stakes, and count."""
    here = results.c.guild == book.guild, results.c.stakes, results.c.counts, not_(results.c.annulled)
    if book.channel == OPEN:
        return *here, not_(results.c.hidden)
    return *here, results.c.hidden, results.c.channel == book.channel


async def words(connection: AsyncConnection, book: Notebook) -> tuple[Word, ...]:
    """Read what people have said of what they owe, oldest first."""
    own = select(settlements).filter_by(guild=book.guild, channel=book.channel).order_by(settlements.c.id)
    return tuple(_word(row) for row in await connection.execute(own))


async def unanswered(connection: AsyncConnection, user: UserId) -> tuple[Notebook, ...]:
    """Read where another says that something is settled with somebody who has not answered yet, oldest first."""
    me = select(players.c.id).filter_by(user=user).scalar_subquery()
    asked = or_(settlements.c.payer == me, settlements.c.payee == me), settlements.c.by != me
    query = select(settlements.c.guild, settlements.c.channel).where(*asked, settlements.c.agreed.is_(None))
    rows = await connection.execute(query.order_by(settlements.c.id))
    return tuple(dict.fromkeys(Notebook(row.guild, row.channel) for row in rows))


def _word(row: Row[Any]) -> Word:
    return Word(row.id, row.payer, row.payee, row.units, row.by, row.said, row.agreed)


async def say(
    connection: AsyncConnection, book: Notebook, debt: Debt, by: PlayerId, now: datetime, *, alone: bool
) -> bool:
    """Write that a debt is settled; tell whether nothing was still open between these two. alone: the other is gone."""
    pair = [debt.payer, debt.payee]
    between = settlements.c.payer.in_(pair), settlements.c.payee.in_(pair), settlements.c.agreed.is_(None)
    open_ = select(settlements.c.id).filter_by(guild=book.guild, channel=book.channel).where(*between)
    if (await connection.execute(open_.limit(1))).first() is not None:
        return False
    values = {"payer": debt.payer, "payee": debt.payee, "units": debt.units, "by": by, "said": now}
    where = {"guild": book.guild, "channel": book.channel, "agreed": now if alone else None}
    await connection.execute(insert(settlements).values(values | where))
    return True


async def agree(connection: AsyncConnection, word: int, who: PlayerId, now: datetime) -> bool:
    """Write that the other of two people has said so as well; tell whether there was something to agree to."""
    theirs = or_(settlements.c.payer == who, settlements.c.payee == who), settlements.c.by != who
    said = update(settlements).where(settlements.c.id == word, settlements.c.agreed.is_(None), *theirs)
    return (await connection.execute(said.values(agreed=now))).rowcount == 1


async def take_back(connection: AsyncConnection, word: int, who: PlayerId) -> bool:
    """Delete what somebody has said, unless the other has agreed; tell whether it was still there."""
    own = delete(settlements).where(settlements.c.id == word, settlements.c.by == who, settlements.c.agreed.is_(None))
    return (await connection.execute(own)).rowcount == 1


async def player_of(connection: AsyncConnection, user: UserId) -> PlayerId | None:
    """Read as which player a person's results are kept, None where they have none."""
    return (await connection.execute(select(players.c.id).filter_by(user=user))).scalar()


async def debtors(connection: AsyncConnection, last: Mapping[PlayerId, TableId | None]) -> dict[PlayerId, Debtor]:
    """Read who these players are, as they were called in the match that is given for each."""
    keys = [(table, player) for player, table in last.items() if table is not None]
    told = select(*shown(standings)).where(tuple_(standings.c.table_id, standings.c.player).in_(keys))
    names = {row.player: row.name for row in await connection.execute(told)}
    hidden = func.coalesce(habits.c.unlisted, false()).label("hidden")
    query = select(players, hidden).outerjoin(habits, habits.c.user == players.c.user).where(players.c.id.in_(last))
    rows = (await connection.execute(query)).all()
    return {row.id: Debtor(row.id, row.user, names.get(row.id, ""), bool(row.hidden)) for row in rows}
