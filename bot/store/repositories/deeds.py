"""What was done in the matches of a server within some time that its season's end may tell.

Knows the statements; refuses to know what is remarkable.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, not_, select
from sqlalchemy import true as always
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import PlayerId
from bot.domain.rating import Ladder
from bot.domain.seasons import Season
from bot.store.schema import deeds, hands, results, standings


async def done(
    connection: AsyncConnection, ladder: Ladder, over: Season, code: str, hidden_too: bool
) -> dict[PlayerId, int]:
    """Add up how often each person did something."""
    query = of_season(select(standings.c.player, func.sum(deeds.c.times)), ladder, over, code, hidden_too)
    return {PlayerId(row[0]): int(row[1]) for row in await connection.execute(query.group_by(standings.c.player))}


async def behind(
    connection: AsyncConnection, ladder: Ladder, over: Season, code: str, hidden_too: bool
) -> dict[PlayerId, int]:
    """Give how many points lay between last and first at half time where somebody did this; of each the most."""
    done = of_season(select(standings.c.player, deeds.c.table_id, results.c.hands), ladder, over, code, hidden_too)
    matches = done.subquery()
    half = and_(hands.c.table_id == matches.c.table_id, 2 * hands.c.number <= matches.c.hands)
    points = func.sum(hands.c.points).label("points")
    each = select(matches.c.player, matches.c.table_id, hands.c.seat, points).join(hands, half)
    totals = each.group_by(matches.c.player, matches.c.table_id, hands.c.seat).subquery()
    gap = func.max(totals.c.points) - func.min(totals.c.points)
    query = select(totals.c.player, gap.label("gap")).group_by(totals.c.player, totals.c.table_id)
    found = dict[PlayerId, int]()
    for player, points_behind in await connection.execute(query):
        found[PlayerId(player)] = max(found.get(PlayerId(player), 0), int(points_behind))
    return found


def of_season(query: Select[Any], ladder: Ladder, over: Season, code: str, hidden_too: bool) -> Select[Any]:
    """Return the query for those who did something in matches of a season that count."""
    seat = and_(standings.c.table_id == deeds.c.table_id, standings.c.seat == deeds.c.seat)
    joined = query.select_from(results).join(deeds, deeds.c.table_id == results.c.table_id).join(standings, seat)
    within = results.c.finished >= over.begins, results.c.finished < over.ends
    seen: ColumnElement[bool] = always() if hidden_too else not_(results.c.hidden)
    there = results.c.guild == ladder.guild, results.c.game == ladder.game
    counts = results.c.counts, not_(results.c.annulled), seen
    return joined.where(*there, *within, *counts, deeds.c.code == code, standings.c.player.is_not(None))
