"""Many live tables in a few channels, in the store and on Discord, as a stopped bot leaves them.

Boards are older than an hour and outdated. Creates both and counts the boards that a bot redraws.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ai.plain import plain_action
from bot.domain.ids import TableId
from bot.domain.pace import LIVE, RELAXED, Pace
from bot.games import GAMES
from bot.rules.core.asks import write_action
from bot.rules.matches.record import Record
from bot.runtime.store_address import Address
from bot.show.kit.custom_ids import Press, Verb
from bot.store.schema import actions, chairs, heartbeat, tables
from bot.store.store import Store
from tests.kill.trial import table_on
from tests.standin import Channel, Message, User, World
from tests.standin.faults import LoggedRequest
from tests.standin.limits import IS_COMPONENTS_V2
from tests.standin.models import EPOCH
from tests.support.blank_database import create_blank_database

PLIES = 24
BIG_TWO = "big_two", "pagat"
OLD_BOARD_AGE = 2 * 3600.0
MOVE_TIME = timedelta(seconds=90)  # until the deadline of a move at a live table


@dataclass
class LiveTables:
    """Tables by number. boards: their public messages. turns: the players on turn."""

    world: World
    channels: list[Channel] = field(default_factory=list)
    boards: dict[int, Message] = field(default_factory=dict)
    turns: dict[int, User] = field(default_factory=dict)

    def first_redraws(self, generation: int) -> dict[int, float]:
        """Return when a process first redrew each board, in seconds of the log's clock."""
        found = dict[int, float]()
        for entry in self.world.log.matching(path=r"/channels/\d+/messages(/\d+)?", generation=generation):
            if entry.status == 200 and (table := _shown(entry)) is not None:
                found.setdefault(table, entry.at)
        return found

    def orphaned_boards(self) -> list[Message]:
        """Return all boards except the newest board of each table."""
        boards_in_sight = [
            each for channel in self.channels for each in channel.seen_by(None) if table_on(each) is not None
        ]
        first = dict[int, Message]()
        return [each for each in reversed(boards_in_sight) if first.setdefault(table_on(each) or 0, each) is not each]


def _shown(entry: LoggedRequest) -> int | None:
    """Return the table whose board a request has sent, if any."""
    sent = entry.json or {}
    message = Message(0, None, None, sent.get("content") or "", components=sent.get("components") or [])  # type: ignore[arg-type]
    return table_on(message)


async def set_up_live_tables(
    world: World,
    database: Path,
    number: int,
    channel_count: int,
    late: int = 0,
    due: timedelta = timedelta(),
    live: Pace = LIVE,
    servers: int = 1,
    age: float = OLD_BOARD_AGE,
) -> LiveTables:
    """Set up live tables in several channels, and the store of a bot that has just stopped.

    number: of live tables. late: number of additional slow tables, whose deadline for all is in ``due``. live: the pace
    of the live tables. servers: number of servers with these channels. age: of the boards, in seconds.
    """
    made, now = LiveTables(world), datetime.now(UTC)
    guilds = [world.guild, *(world.add_guild(f"Club {number}") for number in range(1, servers))]
    made.channels = [
        world.add_channel(f"cards {channel_number}", guilds[channel_number % servers])
        for channel_number in range(channel_count)
    ]
    started, ids = StartedMatch.at("restart", now), count(old_snowflake(age))
    rows = TableRows()
    for table in range(1, number + late + 1):
        where = made.channels[table % channel_count]
        people = [world.add_user(f"p{table}-{seat}", *filter(None, [where.guild])) for seat in range(4)]
        made.turns[table], made.boards[table] = people[started.turn], add_board(world, where, table, next(ids))
        pace, span = (live, MOVE_TIME) if table <= number else (RELAXED, due)
        rows.add(started, made.boards[table], table, people, {"pace": pace, "deadline": now + span, "wake": now + span})
    await rows.save(database, now)
    return made


@dataclass(frozen=True)
class StartedMatch:
    """A match after some moves. turn: the first awaited seat."""

    record: Record
    steps: tuple[dict[str, Any], ...]
    turn: int
    now: datetime

    @classmethod
    def at(
        cls,
        seed: str,
        now: datetime,
        plies: int = PLIES,
        by: str = "person",
        played: tuple[str, str] = BIG_TWO,
    ) -> StartedMatch:
        """Play so many moves of the match with this seed. by: as recorded; played: game and preset."""
        game, preset = played
        record = Record(GAMES[game], preset, seed=seed)
        match, steps = record.begin(), list[dict[str, Any]]()
        for ply in range(plies):
            seat = min(match.awaited)
            action = plain_action(match.view(seat))
            assert action
            match = match.act(seat, action)
            steps.append({"ply": ply, "seat": seat, "action": write_action(action), "by": by, "at": now})
        return cls(record, tuple(steps), min(match.awaited), now)


@dataclass
class TableRows:
    """Rows of running tables, to be written into a store."""

    rows: dict[Any, list[dict[str, Any]]] = field(default_factory=lambda: {tables: [], chairs: [], actions: []})

    def add(
        self, started: StartedMatch, board: Message, table: int, people: Sequence[User], more: Mapping[str, Any]
    ) -> None:
        """Add a table with these players. more: further columns."""
        self.rows[tables].append(_table(started, board, table, people) | dict(more))
        self.rows[chairs] += [_chair(table, seat, person) for seat, person in enumerate(people)]
        self.rows[actions] += [{"table_id": table, **step} for step in started.steps]

    async def save(self, database: Address, now: datetime) -> None:
        """Write the rows, and a heartbeat of 30 seconds ago."""
        if isinstance(database, Path):
            create_blank_database(database)
        store = await Store.open(database, lambda: now)
        for kind, values in self.rows.items():
            if values:
                await store._gate.run(AsyncConnection.execute, insert(kind), values)
        await store._gate.run(AsyncConnection.execute, insert(heartbeat), {"id": 1, "at": now - timedelta(seconds=30)})
        await store.close()


def old_snowflake(age: float = OLD_BOARD_AGE) -> int:
    return (int((time.time() - age) * 1000) - EPOCH) << 22


def add_board(world: World, where: Channel, table: int, number: int) -> Message:
    """Add an outdated board of a table to a channel and return it."""
    button = {"type": 2, "style": 2, "label": "My hand", "custom_id": str(Press(TableId(table), Verb.HAND)), "id": 2}
    message = Message(number, where, world.bot, components=[{"type": 1, "id": 1, "components": [button]}])
    message.flags |= IS_COMPONENTS_V2
    where.messages[number] = message
    return message


def _table(started: StartedMatch, board: Message, table: int, people: Sequence[User]) -> dict[str, Any]:
    assert board.channel.guild
    now, record = started.now, started.record
    return {
        "id": table,
        "guild": board.channel.guild.id,
        "number": table,
        "channel": board.channel.id,
        "home": board.channel.id,
        "message": board.id,
        "host": people[0].id,
        "game": record.game,
        "preset": record.preset,
        "options": {},
        "seats": len(people),
        "seed": record.seed,
        "phase": "playing",
        "created": now - timedelta(hours=2),
        "reminded": True,
        "touched": now - timedelta(seconds=40),
    }


def _chair(table: int, seat: int, person: User) -> dict[str, Any]:
    return {"table_id": table, "seat": seat, "user": person.id, "name": person.name, "house": False, "misses": 0}
