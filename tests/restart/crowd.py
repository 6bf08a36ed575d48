"""Many live tables in a few channels, in the bot's store and on Discord, as they stand when the bot is stopped.

Their boards are older than an hour, and no longer show how the tables stand. Knows how to fill both and what to count.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.ground.ids import TableId
from bot.ground.pace import LIVE, RELAXED
from bot.house.plain import choose
from bot.rules.actions import write_action
from bot.rules.record import Record
from bot.show.ids import Press, Verb
from bot.store.schema import actions, chairs, heartbeat, tables
from bot.store.store import Store
from tests.kill.trial import table_on
from tests.standin import Channel, Message, User, World
from tests.standin.faults import Logged
from tests.standin.limits import IS_COMPONENTS_V2
from tests.standin.things import EPOCH

PLIES = 24
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
    components = (entry.json or {}).get("components") or []
    message = Message(0, None, None, components=components)  # type: ignore[arg-type]
    return table_on(message)


async def crowd(
    world: World, database: Path, number: int, rooms: int, late: int = 0, due: timedelta = timedelta()
) -> Crowd:
    """Set up so many live tables in so many channels, and their store as a bot leaves it that has just been stopped.

    late: so many slow tables beside them, at which somebody's time runs out, for all in the same moment, when due.
    """
    made, now = Crowd(world), datetime.now(UTC)
    made.channels = [world.add_channel(f"cards {room}") for room in range(rooms)]
    record, ids = Record(GAMES["big_two"], "pagat", "restart"), count(_long_ago())
    match, steps = record.begin(), list[dict[str, Any]]()
    for ply in range(PLIES):
        (seat,) = match.awaited
        action = choose(match.view(seat))
        assert action
        match = match.act(seat, action)
        steps.append({"ply": ply, "seat": seat, "action": write_action(action), "by": "person", "at": now})
    (turn,) = match.awaited
    rows: dict[Any, list[dict[str, Any]]] = {tables: [], chairs: [], actions: []}
    for table in range(1, number + late + 1):
        where = made.channels[table % rooms]
        people = [world.add_user(f"p{table}-{seat}") for seat in range(4)]
        made.turns[table], made.boards[table] = people[turn], _board(world, where, table, next(ids))
        pace, span = (LIVE, OWN_TIME) if table <= number else (RELAXED, due)
        row = _table(record, world, made.boards[table], table, now, people[0])
        rows[tables].append(row | {"pace": pace, "deadline": now + span, "wake": now + span})
        rows[chairs] += [_chair(table, seat, person) for seat, person in enumerate(people)]
        rows[actions] += [{"table_id": table, **step} for step in steps]
    store = await Store.open(database, lambda: now)
    for kind, values in rows.items():
        await store._gate.run(AsyncConnection.execute, insert(kind), values)
    await store._gate.run(AsyncConnection.execute, insert(heartbeat), {"id": 1, "at": now - timedelta(seconds=30)})
    await store.close()
    return made


def _long_ago() -> int:
    return (int((time.time() - HOURS_AGO) * 1000) - EPOCH) << 22


def _board(world: World, where: Channel, table: int, number: int) -> Message:
    """A board that shows how the table stood some moves ago."""
    button = {"type": 2, "style": 2, "label": "My hand", "custom_id": str(Press(TableId(table), Verb.HAND)), "id": 2}
    message = Message(number, where, world.bot, components=[{"type": 1, "id": 1, "components": [button]}])
    message.flags |= IS_COMPONENTS_V2
    where.messages[number] = message
    return message


def _table(record: Record, world: World, board: Message, table: int, now: datetime, host: User) -> dict[str, Any]:
    return {
        "id": table, "guild": world.guild.id, "number": table, "channel": board.channel.id, "home": board.channel.id,
        "message": board.id, "host": host.id, "game": record.game, "preset": record.preset, "options": {}, "seats": 4,
        "seed": record.seed, "phase": "playing", "created": now - timedelta(hours=2), "reminded": True,
        "touched": now - timedelta(seconds=40),
    }  # fmt: skip


def _chair(table: int, seat: int, person: User) -> dict[str, Any]:
    return {"table_id": table, "seat": seat, "user": person.id, "name": person.name, "house": False, "misses": 0}
