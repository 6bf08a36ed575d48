"""Matches that were really played, each written again and again with other people in its seats, as other tables.

A hand is dealt from the seed and its actions follow, so a record stays lawful for any players. What the bot writes
of a match is read back row by row; whose id, name, server, place and moment a row holds is known of each column
(bot/store/schema/columns.py), so a copy is what the bot would have written. Refuses to know what is measured.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Table

from bot.domain.chairs import Chair
from bot.domain.ids import AccessChannel, ChannelId, GuildId, TableId, UserId
from bot.domain.pace import DAILY, LIVE, Pace
from bot.domain.results import MatchOutcome, Sitting
from bot.games import GAMES
from bot.rules.core.asks import write_action
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record, stored_openings
from bot.rules.matches.seal import chain_seed
from bot.store.repositories.records import compress_text, decompress_text
from bot.store.rows import Decider, MatchStep, NewTable, TableChange
from bot.store.schema import metadata, packs, tables
from bot.store.schema.columns import EPOCH, MICROSECOND, Kind, TimestampType, meanings
from bot.store.store import Store
from bot.table.core.eligibility import score_of, standings_of
from tests.store.sample_tables import NOON, now
from tests.support.abandoned_matches import play_to_the_end
from tests.support.blank_database import create_blank_database

HANDS, MOST = 10, 10  # of a match; people at a table, of whom there are fewer
SLOW, HOUSE, LATE = 0.3, 0.2, 0.03  # of the matches: at a slow table, with a house player; of the turns there: too late
SECONDS = 8  # from one step to the next
GUILD = GuildId(1)
Row = tuple[Any, ...]
Rows = dict[str, list[Row]]


# Played once


def records(count: int, kept: Path) -> list[Record]:
    """Return so many matches of ten hands, of all games and presets in turn. kept: a file of those played before."""
    kept.parent.mkdir(exist_ok=True)
    found = [Record.from_json(line, GAMES) for line in kept.read_text("utf-8").splitlines()] if kept.exists() else []
    with kept.open("a", encoding="utf-8") as file:
        for number in range(len(found), count):
            found.append(played(number))
            file.write(json.dumps(json.loads(found[-1].to_json())) + "\n")
    return found[:count]


def played(number: int) -> Record:
    """Let house players play a match."""
    game = GAMES[list(GAMES)[number % len(GAMES)]]
    preset = list(game.presets)[number // len(GAMES) % len(game.presets)]
    begun = Record(game, preset, seed=chain_seed(f"{number:064x}"), options=game.wish(preset, {}, hands=HANDS))
    return replace(begun, steps=play_to_the_end(begun.begin())[1])


# Written once, by the bot


@dataclass(frozen=True)
class Written:
    """A match as the bot has written it, row by row, by the names of the tables.

    places: of the persons 1, 2, 3 ... seats of persons; other seats are house players. finished: in microseconds since
    1970. loose, packed: its actions stepwise, and in one row.
    """

    places: Mapping[int, int]
    finished: int
    loose: Rows
    packed: Rows


async def written(found: Iterable[Record]) -> list[Written]:
    """Let the bot write each of these matches, and pack it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "written.db"
        create_blank_database(path)
        store = await Store.open(path, now)
        with closing(sqlite3.connect(path)) as database, database:
            add_people(database, MOST)
        try:
            return [await _written(store, path, number, record) for number, record in enumerate(found)]
        finally:
            await store.close()


async def _written(store: Store, path: Path, number: int, record: Record) -> Written:
    rng, match = random.Random(number), record.replay()
    house = rng.randrange(match.rules.players) if rng.random() < HOUSE else None
    users = [None if seat == house else seat + 1 for seat in range(match.rules.players)]
    sat = Sat(record, match, seated(users), DAILY if rng.random() < SLOW else LIVE, rng)
    table = await sat.play(store)
    await store.tables.save(table, sat.end())
    with closing(sqlite3.connect(path)) as database:
        loose = rows_of(database, table)
        assert await store.records.pack(table)
        packed = rows_of(database, table)
    (finished,) = (row[columns("results").index("finished")] for row in loose["results"])
    seats = zip(sat.chairs, match.places, strict=True)
    places: dict[int, int] = {chair.user: place for chair, place in seats if chair.user}
    return Written(places, finished, loose, packed)


def seated(users: Sequence[int | None]) -> tuple[Chair, ...]:
    """Return who sits there: these persons, and house players."""
    named = [(UserId(user), f"P{user}") if user else (None, "House") for user in users]
    return tuple(Chair(seat, user, name, house=user is None) for seat, (user, name) in enumerate(named))


class Sat:
    """A match with people in its seats."""

    def __init__(self, record: Record, match: Match, chairs: tuple[Chair, ...], pace: Pace, rng: random.Random) -> None:
        self.record, self.match, self.chairs, self.pace = record, match, chairs, pace
        self._steps = tuple(steps_of(record, chairs, rng))

    async def play(self, store: Store, guild: GuildId = GUILD) -> TableId:
        """Write it from its lobby to the action before the last one."""
        record, place = self.record, AccessChannel(ChannelId(guild + 1))
        host = next(chair.user for chair in self.chairs if chair.user)
        new = NewTable(
            guild,
            place.channel,
            host,
            record.game,
            record.preset,
            record.options,
            len(self.chairs),
            record.seed,
            self.pace,
            NOON,
            record.version,
        )
        table = (await store.tables.add(new, self.chairs, None)).id
        sittings = tuple(Sitting(chair.seat, 0, chair.user, chair.house) for chair in self.chairs)
        began = TableChange(NOON, self._steps[:-1], "playing", counts=True, stakes=True, sittings=sittings, place=place)
        await store.tables.save(table, began)
        return table

    def end(self, guild: GuildId = GUILD, ends: datetime | None = None) -> TableChange:
        """Return the last action, with all that is written when a match ends. ends: when, if not by its steps."""
        match, ends = self.match, ends or self._steps[-1].at
        outcome = MatchOutcome(
            len(match.results), ends, standings_of(match, self.chairs), place=AccessChannel(ChannelId(guild + 1))
        )
        return TableChange(
            at=ends,
            phase="over",
            ended="itself",
            steps=self._steps[-1:],
            outcome=outcome,
            score=score_of(match),
            openings=stored_openings(match),
        )


def steps_of(record: Record, chairs: Sequence[Chair], rng: random.Random) -> Iterator[MatchStep]:
    """Yield its steps, each a while after the one before: to the microsecond, as a clock tells it."""
    at = NOON
    for ply, (seat, action) in enumerate(record.steps):
        by: Decider = "house" if chairs[seat].house else "clock" if rng.random() < LATE else "person"
        yield MatchStep(ply, seat, write_action(action), by, at)
        at += timedelta(seconds=rng.expovariate(1 / SECONDS))


def add_people(database: sqlite3.Connection, count: int) -> None:
    """Let the persons 1, 2, 3 ... be known, each with that number."""
    database.executemany('INSERT INTO players (id, "user") VALUES (?, ?)', ((one, one) for one in range(1, count + 1)))


def rows_of(database: sqlite3.Connection, table: TableId) -> Rows:
    """Return all rows that belong to a table, as they lie in the file."""
    found = Rows()
    for each in OF_TABLE:
        query = f'SELECT {names_of(each.name)} FROM "{each.name}" WHERE {key_of(each)} = ?'
        if rows := database.execute(query, (table,)).fetchall():
            found[each.name] = rows
    return found


def add_rows(database: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
    """Write such rows."""
    signs = ", ".join("?" * len(rows[0]))
    database.executemany(f'INSERT INTO "{table}" ({names_of(table)}) VALUES ({signs})', rows)


def names_of(table: str) -> str:
    """Return the names of the columns of a table as SQL has them."""
    return ", ".join(f'"{name}"' for name in columns(table))


def columns(table: str) -> list[str]:
    """Return the names of the columns of a table."""
    return list(metadata.tables[table].columns.keys())


def key_of(table: Table) -> str:
    """Return the column that says of which table a row is."""
    return "id" if table is tables else "table_id"


OF_TABLE = [
    each
    for each in metadata.sorted_tables
    if each is tables or any(foreign.parent.name == "table_id" for foreign in each.foreign_keys)
]


# Written again


@dataclass(frozen=True)
class Seating:
    """A table that a match is written as. users: who sits in the place of the persons 1, 2, 3 ...; till when."""

    table: int
    guild: int
    number: int
    users: Mapping[int, int]
    finished: datetime


Way = Callable[[Seating, int, Any], Any]  # the seating, by how many microseconds it is later, and what stood there
WAYS: dict[Kind, Way] = {
    "person": lambda seating, _, user: seating.users.get(user, user),
    "player": lambda seating, _, player: seating.users.get(player, player),
    "name": lambda seating, _, name: f"P{seating.users[int(name[1:])]}" if name and name[1:].isdecimal() else name,
    "server": lambda seating, _, __: seating.guild,
    "place": lambda seating, _, place: place and seating.guild + 1,
}


def _ways(table: Table) -> list[tuple[int, Way]]:
    """Return which columns of a table are another in another seating, and how."""
    found: dict[str, Way] = {key_of(table): lambda seating, _, __: seating.table}
    if "number" in table.c and "guild" in table.c:
        found["number"] = lambda seating, _, __: seating.number
    found |= {
        each.name: lambda _, later, at: at and at + later for each in table.c if isinstance(each.type, TimestampType)
    }
    for kind, way in WAYS.items():
        found |= {column.name: way for column, _ in meanings(table, kind)}
    return [(columns(table.name).index(name), way) for name, way in found.items()]


WAYS_OF = {table.name: _ways(table) for table in OF_TABLE}


def again(match: Written, seating: Seating, *, packed: bool) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of a match with other people at another time."""
    later = (seating.finished - EPOCH) // MICROSECOND - match.finished
    for name, rows in (match.packed if packed else match.loose).items():
        made = [_reseated(row, WAYS_OF[name], seating, later) for row in rows]
        yield name, [_repacked(row, later) for row in made] if name == packs.name else made


def _reseated(row: Row, ways: Iterable[tuple[int, Way]], seating: Seating, later: int) -> Row:
    made = list(row)
    for at, way in ways:
        made[at] = way(seating, later, made[at])
    return tuple(made)


def _repacked(row: Row, later: int) -> Row:
    """Return a row of packs with its moments so many microseconds later: what comes first says when it began."""
    packed = dict(zip(columns(packs.name), row, strict=True))
    head, _, waits = decompress_text(packed["checksum"], packed["body"]).rpartition("[")
    first, _, rest = waits.partition(",")
    packed["checksum"], packed["body"] = compress_text(f"{head}[{int(first) + later},{rest}")
    return tuple(packed.values())
