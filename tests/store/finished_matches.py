"""Finished matches, written as the bot writes them but many at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.chairs import Chair
from bot.domain.ids import UNKNOWN_ACCESS_CHANNEL, AccessChannel, GuildId, TableId, UserId
from bot.domain.results import DetailedScore, MatchEnding, MatchOutcome, SeatResult, Sitting
from bot.store.repositories import outcomes, table_changes
from bot.store.schema import standings as rows
from bot.store.store import Store
from tests.store.sample_tables import GUILD, NEW_TABLE, NOON

USUAL_PLAYERS = 4  # players, by the presets used here


@dataclass(frozen=True)
class FinishedMatch:
    """A match: who came in at which place, None for a house player; after how many minutes it ended."""

    users: tuple[int | None, ...]
    places: tuple[int, ...]
    minutes: int = 0
    game: str = "big_two"
    guild: int = GUILD
    preset: str = "pagat"
    options: Any = None
    ended: MatchEnding = "itself"
    counts: bool = True
    place: AccessChannel = UNKNOWN_ACCESS_CHANNEL
    left: tuple[int, ...] = ()
    nets: tuple[int, ...] = ()
    hands: int = 5
    payments: tuple[tuple[int, int, int], ...] = ()
    turns: tuple[str, ...] = ()
    stakes: bool = True


async def store_matches(store: Store, matches: Iterable[FinishedMatch]) -> list[TableId]:
    """Write these matches in one transaction."""

    async def work(connection: AsyncConnection) -> list[TableId]:
        return [await write(connection, match) for match in matches]

    return await store._gate.run(work)


async def write(connection: AsyncConnection, match: FinishedMatch) -> TableId:
    """Write a match as the bot does when it ends."""
    seated = [user if user is None else UserId(user) for user in match.users]
    chairs = [Chair(seat, user, f"P{user}", house=user is None) for seat, user in enumerate(seated)]
    players = {} if len(chairs) == USUAL_PLAYERS else {"players": len(chairs)}
    options = {**players, **(match.options or {})}
    new = replace(
        NEW_TABLE,
        guild=GuildId(match.guild),
        game=match.game,
        preset=match.preset,
        options=options,
        seats=len(chairs),
        stakes=match.stakes,
    )
    table = await table_changes.new_table(connection, new, tuple(chairs), None)
    began = [Sitting(chair.seat, 0, chair.user, chair.house) for chair in chairs]
    await outcomes.add_sittings(connection, table, began)
    standings = tuple(
        SeatResult(
            seat=chair.seat,
            user=chair.user,
            name=chair.name,
            house=chair.house or seat in match.left,
            place=place,
            points=10 * place,
            net=(match.nets or (0,) * len(chairs))[seat],
            left=seat in match.left,
        )
        for seat, (chair, place) in enumerate(zip(chairs, match.places, strict=True))
    )
    ends = NOON + timedelta(minutes=match.minutes)
    outcome = MatchOutcome(match.hands, ends, standings, counts=match.counts, ended=match.ended, place=match.place)
    await outcomes.add(connection, table, outcome)
    await outcomes.add_score(connection, table, DetailedScore((), match.payments))
    for seat, turns in enumerate(match.turns):
        await connection.execute(update(rows).filter_by(table_id=table, seat=seat).values(turns=turns))
    return table
