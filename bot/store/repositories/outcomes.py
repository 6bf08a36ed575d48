"""The outcome of a match: who sat where and when, results, scores and achievements."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Row, Select, bindparam, delete, func, insert, not_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import TableId, UserId
from bot.domain.rating import RELIABILITY_TURNS
from bot.domain.results import DetailedScore, MatchOutcome, Sitting
from bot.store.engine.erasures import visible_columns
from bot.store.errors import StoreError
from bot.store.repositories import debts, leaderboards
from bot.store.schema import (
    actions,
    chairs,
    deeds,
    habits,
    hands,
    payments,
    results,
    sat_in,
    sittings,
    standings,
    tables,
)

IN_TIME, LATE = "1", "0"
BETWEEN: Final = ("ready", "stop", "again")  # actions between two hands
ANSWER: Final = "choose %"
of_people = actions.c.by.in_(("person", "clock")), actions.c.action.not_in(BETWEEN), not_(actions.c.action.like(ANSWER))
OF_TABLE = ("guild", "game", "number", "preset", "options", "unrated", "stakes")  # the columns copied from the table


OWN = ("hands", "finished", "counts", "ended", "channel", "hidden")  # columns that are not copied
ADD_RESULT = insert(results).from_select(
    ["table_id", *OF_TABLE, *OWN],
    select(
        tables.c.id,
        *(tables.c[name] for name in OF_TABLE),
        *(bindparam(f"its_{name}", type_=results.c[name].type) for name in OWN),
    ).where(tables.c.id == bindparam("of_table")),
)


async def add(connection: AsyncConnection, table: TableId, outcome: MatchOutcome) -> None:
    """Write the outcome of a match, with a copy of the table's data."""
    own = {
        "its_hands": outcome.hands,
        "its_finished": outcome.finished,
        "its_counts": outcome.counts,
        "its_ended": outcome.ended,
        "its_channel": outcome.place.channel,
        "its_hidden": outcome.place.hidden,
    }
    written = await connection.execute(ADD_RESULT, own | {"of_table": table})
    if written.rowcount != 1:
        raise StoreError(f"There is no table {table}.")
    if outcome.standings:
        begun = await leaderboards.players_of(connection, table, outcome.standings)
        taken = await _turns_of(connection, table)
        rows = [
            {"table_id": table} | asdict(one) | begun[one.seat] | {"turns": taken.get(one.seat, "")}
            for one in outcome.standings
        ]
        await connection.execute(insert(standings), rows)
    await leaderboards.invalidate_from_match(connection, table)


async def add_score(connection: AsyncConnection, table: TableId, score: DetailedScore) -> None:
    """Write the result of each hand of a finished match, and the payments between seats."""
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
        await debts.unsettle(connection, table)


DROP_DEEDS = delete(deeds).where(deeds.c.table_id == bindparam("of_table"))
ADD_DEEDS = insert(deeds)
NOTE_DEEDS = update(results).where(results.c.table_id == bindparam("of_table"))


async def add_deeds(connection: AsyncConnection, table: TableId, found: DetailedScore) -> None:
    """Replace the achievements and style counts of a match, with their rules' version."""
    await connection.execute(DROP_DEEDS, {"of_table": table})
    rows = [dict(zip(deeds.c.keys(), (table, *deed), strict=True)) for deed in found.deeds]
    if rows:
        await connection.execute(ADD_DEEDS, rows)
    await connection.execute(NOTE_DEEDS, {"of_table": table, "deeds": found.version})


PACE = select(func.coalesce(tables.c.own_pace, tables.c.pace)).where(tables.c.id == bindparam("of_table"))


async def _turns_of(connection: AsyncConnection, table: TableId) -> dict[int, str]:
    """Read the latest turns of each seat at a slow table, oldest first.

    A table of another pace has none. A turn is an action by the first player of a seat in person, or an action of the
    clock for that player. Premoves and automatic actions are no turns; nor are answers to questions, because silence
    also answers a question in a draw; nor are actions between two hands.
    """
    pace = (await connection.execute(PACE, {"of_table": table})).scalar()
    if pace is None or not pace.slow:
        return {}
    query = select(actions.c.seat, actions.c.ply, actions.c.by).where(actions.c.table_id == table, *of_people)
    acted = (await connection.execute(query.order_by(actions.c.ply))).all()
    of_seat = dict[int, list[Sitting]]()
    for sitting in await sittings_of_table(connection, table):
        if sitting.ply >= 0:
            of_seat.setdefault(sitting.seat, []).append(sitting)
    found = {seat: _marks([row for row in acted if row.seat == seat], sat) for seat, sat in of_seat.items()}
    return {seat: marks for seat, marks in found.items() if marks}


def _marks(acted: Sequence[Row[int, int, str]], sat: Sequence[Sitting]) -> str:
    """Return the turns of the first player of a seat.

    Losing the seat for lateness is a turn of its own, unless the clock acted right before.
    """
    owner, marks = sat[0].user, list[str]()
    for sitting, end in zip(sat, [*(later.ply for later in sat[1:]), None], strict=True):
        own = [row for row in acted if row.ply >= sitting.ply and (end is None or row.ply < end)]
        if sitting.user == owner and not sitting.house:
            marks += [LATE if row.by == "clock" else IN_TIME for row in own]
        elif sitting.away == "late" and marks[-1:] != [LATE]:
            marks.append(LATE)
    return "".join(marks[-RELIABILITY_TURNS:])


OF_SEAT = (sittings.c.table_id == bindparam("sittings_of_table"), sittings.c.seat == bindparam("of_seat"))
ADD_SITTINGS = insert(sittings)
DROP_SITTING = delete(sittings).where(*OF_SEAT, sittings.c.ply == bindparam("of_ply"))


async def add_sittings(connection: AsyncConnection, table: TableId, new: Iterable[Sitting]) -> None:
    """Write sittings; one without an action yields to a new one of the same seat and ply."""
    new = tuple(new)
    await _keep_idle(connection, table, new)
    everywhere = await _everywhere(connection, table, [one for one in new if one.ply == 0])
    rows = [{"table_id": table} | asdict(one) | {"everywhere": one in everywhere} for one in new]
    keys = [{"sittings_of_table": table, "of_seat": row["seat"], "of_ply": row["ply"]} for row in rows]
    await connection.execute(DROP_SITTING, keys)
    await connection.execute(ADD_SITTINGS, rows)


SAT = select(sittings.c.seat, sittings.c.ply, sittings.c.user).where(sittings.c.table_id == bindparam("of_table"))


async def _keep_idle(connection: AsyncConnection, table: TableId, new: Collection[Sitting]) -> None:
    """Move the only sitting of a substitute who returned the seat unused to a ply below 0.

    The substitute has still seen the cards, see bot/history/judges.py. A user with a chair there needs no such row.
    """
    known = (await connection.execute(SAT, {"of_table": table})).all()
    lowest, replaced = min((0, *(row.ply for row in known))), {(one.seat, one.ply) for one in new}
    idle = [row for row in known if row.user is not None and (row.seat, row.ply) in replaced]
    if not idle:
        return
    seats = (await connection.execute(select(chairs.c.user, chairs.c.owner).filter_by(table_id=table))).all()
    there = {user for seat in seats for user in seat}
    for row in idle:
        if row.user not in there and [one.user for one in known].count(row.user) == 1:
            lowest -= 1
            own = update(sittings).filter_by(table_id=table, seat=row.seat, ply=row.ply)
            await connection.execute(own.values(ply=lowest))


async def forget_idle(connection: AsyncConnection, user: UserId) -> None:
    """Remove a person from sittings without an action."""
    idle = update(sittings).where(sittings.c.user == user, sittings.c.ply < 0)
    await connection.execute(idle.values(user=None))


FIRST_EVERYWHERE = select(sittings.c.seat, sittings.c.everywhere).where(
    sittings.c.table_id == bindparam("of_table"), sittings.c.ply == 0
)
WANTING_EVERYWHERE = select(habits.c.user).where(
    habits.c.user.in_(bindparam("users", expanding=True)), habits.c.everywhere
)


async def _everywhere(connection: AsyncConnection, table: TableId, first: Collection[Sitting]) -> list[Sitting]:
    """Return the sittings whose player wants the match to count beyond its server.

    The player's preference at the deal decides.
    """
    if not first:
        return []
    begun = {row.seat: row.everywhere for row in await connection.execute(FIRST_EVERYWHERE, {"of_table": table})}
    users = [one.user for one in first if one.user is not None]
    wanting = set((await connection.execute(WANTING_EVERYWHERE, {"users": users})).scalars())
    return [one for one in first if begun.get(one.seat, one.user in wanting)]


async def sittings_of_table(connection: AsyncConnection, table: TableId) -> tuple[Sitting, ...]:
    """Read the sittings of a table, by seat and ply."""
    query = (
        select(*visible_columns(sittings)).where(sittings.c.table_id == table).order_by(sittings.c.seat, sittings.c.ply)
    )
    rows = (await connection.execute(query)).all()
    return tuple(Sitting(row.seat, row.ply, row.user, row.house, away=row.away) for row in rows)


async def note_substitute(connection: AsyncConnection, table: TableId, mark: str | None) -> None:
    """Write the mark of a substitute at a table, unless known."""
    if mark is not None and not await has_sat_in(connection, table, mark):
        await connection.execute(insert(sat_in).values(table_id=table, mark=mark))


async def has_sat_in(connection: AsyncConnection, table: TableId, mark: str) -> bool:
    """Return whether a user is or was a substitute at a table."""
    return (await connection.execute(select(sat_in).filter_by(table_id=table, mark=mark))).first() is not None


async def forget_marks(connection: AsyncConnection, tables: Collection[TableId] | Select[Any]) -> None:
    """Delete the marks of substitutes at ended tables."""
    await connection.execute(delete(sat_in).where(sat_in.c.table_id.in_(tables)))
