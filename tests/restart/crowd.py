"""Many live tables in a few channels, in the bot's store and on Discord, as they stand when the bot is stopped.

Their boards are older than an hour, and no longer show how the tables stand. Knows how to fill both and what to count.
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
from tests.standin.faults import Logged
from tests.standin.limits import IS_COMPONENTS_V2
from tests.standin.models import EPOCH
from tests.support.blank_database import create_blank_database

PLIES = 24
BIG_TWO = "big_two", "pagat"
HOURS_AGO = 2 * 3600.0
OWN_TIME = timedelta(seconds=90)  # for a move at a live table


@dataclass
class Crowd:
    """The tables by number: the board of each, and who is to act there."""

    world: World
    channels: list[Channel] = field(default_factory=list)
    boards: dict[int, Message] = field(default_factory=dict)
    turns: dict[int, User] = field(default_factory=dict)

    def redrawn(self, generation: int) -> dict[int, float]:
        """When each board was first brought up to date by a process, in seconds of the log's clock."""
        found = dict[int, float]()
        for entry in self.world.log.matching(path=r"/channels/\d+/messages(/\d+)?", generation=generation):
            if entry.status == 200 and (table := _shown(entry)) is not None:
                found.setdefault(table, entry.at)
        return found

    def orphans(self) -> list[Message]:
        """Boards beside the one that a table has."""
        lying = [each for channel in self.channels for each in channel.seen_by(None) if table_on(each) is not None]
        first = dict[int, Message]()
        return [each for each in reversed(lying) if first.setdefault(table_on(each) or 0, each) is not each]


def _shown(entry: Logged) -> int | None:
    """The table whose board a request has sent."""
    sent = entry.json or {}
    message = Message(0, None, None, sent.get("content") or "", components=sent.get("components") or [])  # type: ignore[arg-type]
    return table_on(message)


async def crowd(
    world: World,
    database: Path,
    number: int,
    rooms: int,
    late: int = 0,
    due: timedelta = timedelta(),
    live: Pace = LIVE,
    servers: int = 1,
    age: float = HOURS_AGO,
) -> Crowd:
    """Set up so many live tables in so many channels, and their store as a bot leaves it that has just been stopped.

    late: so many slow tables beside them, at which a player's time runs out, for all in the same moment, when due.
    live: the pace of the others. servers: on which these channels are. age: of the boards, in seconds.
    """
    made, now = Crowd(world), datetime.now(UTC)
    guilds = [world.guild, *(world.add_guild(f"Club {number}") for number in range(1, servers))]
    made.channels = [world.add_channel(f"cards {room}", guilds[room % servers]) for room in range(rooms)]
    begun, ids = Begun.at("restart", now), count(long_ago(age))
    rows = Rows()
    for table in range(1, number + late + 1):
        where = made.channels[table % rooms]
        people = [world.add_user(f"p{table}-{seat}", *filter(None, [where.guild])) for seat in range(4)]
        made.turns[table], made.boards[table] = people[begun.turn], add_board(world, where, table, next(ids))
        pace, span = (live, OWN_TIME) if table <= number else (RELAXED, due)
        rows.add(begun, made.boards[table], table, people, {"pace": pace, "deadline": now + span, "wake": now + span})
    await rows.keep(database, now)
    return made


@dataclass(frozen=True)
class Begun:
    """A match of which some moves have been made. turn: the first seat that is to act."""

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
    ) -> Begun:
        """Play so many moves of the match with this seed. by: who made them; played: the game and its preset."""
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
class Rows:
    """The rows of tables that have begun."""

    rows: dict[Any, list[dict[str, Any]]] = field(default_factory=lambda: {tables: [], chairs: [], actions: []})

    def add(self, begun: Begun, board: Message, table: int, people: Sequence[User], more: Mapping[str, Any]) -> None:
        """Add a table at which these people sit."""
        self.rows[tables].append(_table(begun, board, table, people) | dict(more))
        self.rows[chairs] += [_chair(table, seat, person) for seat, person in enumerate(people)]
        self.rows[actions] += [{"table_id": table, **step} for step in begun.steps]

    async def keep(self, database: Address, now: datetime) -> None:
        """Write rows, and record the bot's latest heartbeat."""
        if isinstance(database, Path):
            create_blank_database(database)
        store = await Store.open(database, lambda: now)
        for kind, values in self.rows.items():
            if values:
                await store._gate.run(AsyncConnection.execute, insert(kind), values)
        await store._gate.run(AsyncConnection.execute, insert(heartbeat), {"id": 1, "at": now - timedelta(seconds=30)})
        await store.close()


def long_ago(age: float = HOURS_AGO) -> int:
    return (int((time.time() - age) * 1000) - EPOCH) << 22


def add_board(world: World, where: Channel, table: int, number: int) -> Message:
    """A board that shows how the table stood some moves ago."""
    button = {"type": 2, "style": 2, "label": "My hand", "custom_id": str(Press(TableId(table), Verb.HAND)), "id": 2}
    message = Message(number, where, world.bot, components=[{"type": 1, "id": 1, "components": [button]}])
    message.flags |= IS_COMPONENTS_V2
    where.messages[number] = message
    return message


def _table(begun: Begun, board: Message, table: int, people: Sequence[User]) -> dict[str, Any]:
    assert board.channel.guild
    now, record = begun.now, begun.record
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
