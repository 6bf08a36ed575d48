"""How matches ended, and what each hand of them came to.

Knows the statements; refuses to know what finished matches add up to, and transactions, which are its caller's.
"""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby

from sqlalchemy import delete, exists, func, insert, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import TableId
from bot.domain.results import HandScore, Outcome, Score
from bot.store.errors import StoreError
from bot.store.repositories import balances, ladders, turns
from bot.store.schema import deeds, hands, packs, payments, results, standings, tables

OF_TABLE = ("guild", "game", "number", "preset", "options", "unrated", "stakes")  # what a result says of its table
is_gone = exists().where(packs.c.table_id == results.c.table_id, packs.c.body.is_(None))
has_hands = exists().where(hands.c.table_id == results.c.table_id)


async def add(connection: AsyncConnection, table: TableId, outcome: Outcome) -> None:
    """Write how a match ended, with what is said of its table."""
    own = {
        "hands": outcome.hands,
        "finished": outcome.finished,
        "counts": outcome.counts,
        "ended": outcome.ended,
        "channel": outcome.place.channel,
        "hidden": outcome.place.hidden,
    }
    values = [literal(value, results.c[name].type) for name, value in own.items()]
    row = select(tables.c.id, *(tables.c[name] for name in OF_TABLE), *values).where(tables.c.id == table)
    written = await connection.execute(insert(results).from_select(["table_id", *OF_TABLE, *own], row))
    if written.rowcount != 1:
        raise StoreError(f"There is no table {table}.")
    if outcome.standings:
        begun = await ladders.players_of(connection, table, outcome.standings)
        taken = await turns.of_table(connection, table)
        rows = [
            {"table_id": table} | asdict(one) | begun[one.seat] | {"turns": taken.get(one.seat, "")}
            for one in outcome.standings
        ]
        await connection.execute(insert(standings), rows)
    await ladders.unsettle(connection, table)


async def add_score(connection: AsyncConnection, table: TableId, score: Score) -> None:
    """Write what each hand of a finished match came to, and who owes whom."""
    rows = [
        {"table_id": table, "number": number, "seat": seat, "place": place, "points": points, "net": net}
        for number, hand in enumerate(score.hands, 1)
        for seat, (place, points, net) in enumerate(zip(hand.places, hand.points, hand.nets, strict=True))
    ]
    if rows:
        await connection.execute(insert(hands), rows)
    owed = [dict(zip(payments.c.keys(), (table, *payment), strict=True)) for payment in score.payments]
    if owed:
        await connection.execute(insert(payments), owed)
        await balances.unsettle(connection, table)


async def add_deeds(connection: AsyncConnection, table: TableId, found: Score) -> None:
    """Write what seats did and how they played, in place of what was known, and by which rules."""
    await connection.execute(delete(deeds).where(deeds.c.table_id == table))
    rows = [dict(zip(deeds.c.keys(), (table, *deed), strict=True)) for deed in found.deeds]
    if rows:
        await connection.execute(insert(deeds), rows)
    await connection.execute(update(results).filter_by(table_id=table).values(deeds=found.version))


async def score_of(connection: AsyncConnection, table: TableId) -> Score | None:
    """Read what the hands of a finished match came to, None where that is not known."""
    query = select(hands).where(hands.c.table_id == table).order_by(hands.c.number, hands.c.seat)
    rows = (await connection.execute(query)).all()
    owed = select(payments.c.payer, payments.c.payee, payments.c.units).where(payments.c.table_id == table)
    paid = (await connection.execute(owed.order_by(payments.c.payer, payments.c.payee))).all()
    played = [[(row.place, row.points, row.net) for row in hand] for _, hand in groupby(rows, lambda row: row.number)]
    scores = tuple(HandScore(*zip(*hand, strict=True)) for hand in played)
    return Score(scores, tuple((row.payer, row.payee, row.units) for row in paid)) if scores else None


async def unscored(connection: AsyncConnection, after: TableId, limit: int, version: int) -> tuple[TableId, ...]:
    """Read which finished matches do not say what each hand came to, or what was done in it, from one table on."""
    unknown = ~is_gone, or_(~has_hands, results.c.deeds < version)
    query = select(results.c.table_id).where(results.c.table_id > after, *unknown)
    return tuple((await connection.execute(query.order_by(results.c.table_id).limit(limit))).scalars())


async def after(connection: AsyncConnection, table: TableId, limit: int) -> tuple[TableId, ...]:
    """Read the next finished matches, by the numbers of their tables."""
    query = select(results.c.table_id).where(results.c.table_id > table).order_by(results.c.table_id).limit(limit)
    return tuple((await connection.execute(query)).scalars())


async def count(connection: AsyncConnection) -> int:
    """Count the finished matches."""
    return int((await connection.execute(select(func.count()).select_from(results))).scalar_one())


async def keep_score(connection: AsyncConnection, table: TableId, score: Score) -> None:
    """Write what the hands came to of a match that does not say it, and what was done; nothing where there is none."""
    known = (await connection.execute(select(has_hands).where(results.c.table_id == table))).first()
    if known is None:
        return
    if not known[0]:
        await add_score(connection, table, score)
    await add_deeds(connection, table, score)
