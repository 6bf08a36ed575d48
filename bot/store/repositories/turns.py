"""Who acted in time at a slow table, and for whom the clock had to.

Knows how a record says so; refuses to know what anybody did, and transactions, which are its caller's.

A turn is an action of whoever began on a seat, as long as they sat there themselves, or what the clock did for them.
What somebody said beforehand, and what follows by itself, is none; nor is an answer to a question, for in a draw
silence is an answer as well, nor what is said between two hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Row, func, not_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import TableId
from bot.domain.rating import TURNS
from bot.domain.results import Sitting
from bot.store.repositories import sittings
from bot.store.schema import actions, tables

IN_TIME, LATE = "1", "0"
BETWEEN: Final = ("ready", "stop", "again")  # what is said between two hands
ANSWER: Final = "choose %"
of_people = actions.c.by.in_(("person", "clock")), actions.c.action.not_in(BETWEEN), not_(actions.c.action.like(ANSWER))


async def of_table(connection: AsyncConnection, table: TableId) -> dict[int, str]:
    """Read the latest turns of each seat, oldest first; nothing of a table that is not slow."""
    own = func.coalesce(tables.c.own_pace, tables.c.pace)
    pace = (await connection.execute(select(own).where(tables.c.id == table))).scalar()
    if pace is None or not pace.slow:
        return {}
    query = select(actions.c.seat, actions.c.ply, actions.c.by).where(actions.c.table_id == table, *of_people)
    acted = (await connection.execute(query.order_by(actions.c.ply))).all()
    of_seat = dict[int, list[Sitting]]()
    for sitting in await sittings.of_table(connection, table):
        if sitting.ply >= 0:
            of_seat.setdefault(sitting.seat, []).append(sitting)
    found = {seat: _marks([row for row in acted if row.seat == seat], sat) for seat, sat in of_seat.items()}
    return {seat: marks for seat, marks in found.items() if marks}


def _marks(acted: Sequence[Row[int, int, str]], sat: Sequence[Sitting]) -> str:
    """Return the turns of whoever began on a seat.

    To lose it for being late is a turn of its own, unless the clock had acted there before.
    """
    owner, marks = sat[0].user, list[str]()
    for sitting, end in zip(sat, [*(later.ply for later in sat[1:]), None], strict=True):
        own = [row for row in acted if row.ply >= sitting.ply and (end is None or row.ply < end)]
        if sitting.user == owner and not sitting.house:
            marks += [LATE if row.by == "clock" else IN_TIME for row in own]
        elif sitting.away == "late" and marks[-1:] != [LATE]:
            marks.append(LATE)
    return "".join(marks[-TURNS:])
