"""Played matches, each written many times with other people in its seats, as other tables.

A hand is dealt from the seed and its actions follow, so a record is valid for any players. The rows that the bot writes
for a match are read back; bot/store/schema/columns.py says which columns hold ids, names, servers, places and times, so
that each copy equals what the bot would have written.
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

HANDS, MAX_PEOPLE = 10, 10  # per match; at most so many people at a table
SLOW_SHARE, HOUSE_SHARE, TIMEOUT_SHARE = (
    0.3,
    0.2,
    0.03,
)  # of matches: slow, with a house player; of slow turns: timeouts
STEP_SECONDS = 8  # between two steps
GUILD = GuildId(1)
Row = tuple[Any, ...]
Rows = dict[str, list[Row]]


# Played once


def records(count: int, kept: Path) -> list[Record]:
    """Return so many matches of ten hands, of all games and presets in turn. kept: a file of played matches."""
    kept.parent.mkdir(exist_ok=True)
    found = [Record.from_json(line, GAMES) for line in kept.read_text("utf-8").splitlines()] if kept.exists() else []
    with kept.open("a", encoding="utf-8") as file:
        for number in range(len(found), count):
            found.append(play_match(number))
            file.write(json.dumps(json.loads(found[-1].to_json())) + "\n")
    return found[:count]


def play_match(number: int) -> Record:
    """Let house players play a match."""
    game = GAMES[list(GAMES)[number % len(GAMES)]]
    preset = list(game.presets)[number // len(GAMES) % len(game.presets)]
    begun = Record(game, preset, seed=chain_seed(f"{number:064x}"), options=game.wish(preset, {}, hands=HANDS))
    return replace(begun, steps=play_to_the_end(begun.begin())[1])


# Written once, by the bot


@dataclass(frozen=True)
class WrittenMatch:
    """A match as rows by table, as the bot has written them.

    places: by the persons 1, 2, 3 ...; the other seats are house players. finished: microseconds since 1970. loose,
    packed: actions one per row, and in one row.
    """

    places: Mapping[int, int]
    finished: int
    loose: Rows
    packed: Rows


async def write_matches(found: Iterable[Record]) -> list[WrittenMatch]:
    """Let the bot write and pack each of these matches."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "written.db"
        create_blank_database(path)
        store = await Store.open(path, now)
        with closing(sqlite3.connect(path)) as database, database:
            add_people(database, MAX_PEOPLE)
        try:
            return [await _write_match(store, path, number, record) for number, record in enumerate(found)]
        finally:
            await store.close()


async def _write_match(store: Store, path: Path, number: int, record: Record) -> WrittenMatch:
    rng, match = random.Random(number), record.replay()
    house = rng.randrange(match.rules.players) if rng.random() < HOUSE_SHARE else None
    users = [None if seat == house else seat + 1 for seat in range(match.rules.players)]
    sat = SeatedMatch(record, match, seat_people(users), DAILY if rng.random() < SLOW_SHARE else LIVE, rng)
    table = await sat.play(store)
    await store.tables.save(table, sat.end())
    with closing(sqlite3.connect(path)) as database:
        loose = rows_of(database, table)
        assert await store.records.pack(table)
        packed = rows_of(database, table)
    (finished,) = (row[columns("results").index("finished")] for row in loose["results"])
    seats = zip(sat.chairs, match.places, strict=True)
    places: dict[int, int] = {chair.user: place for chair, place in seats if chair.user}
    return WrittenMatch(places, finished, loose, packed)


def seat_people(users: Sequence[int | None]) -> tuple[Chair, ...]:
    """Return chairs for these people, and house players for the other seats."""
    named = [(UserId(user), f"P{user}") if user else (None, "House") for user in users]
    return tuple(Chair(seat, user, name, house=user is None) for seat, (user, name) in enumerate(named))


class SeatedMatch:
    """A match with people in its seats."""

    def __init__(self, record: Record, match: Match, chairs: tuple[Chair, ...], pace: Pace, rng: random.Random) -> None:
        self.record, self.match, self.chairs, self.pace = record, match, chairs, pace
        self._steps = tuple(steps_of(record, chairs, rng))

    async def play(self, store: Store, guild: GuildId = GUILD) -> TableId:
        """Write the match from its lobby to the action before the last one."""
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
        """Return the last action, with everything that is written at the end. ends: when, if not by its steps."""
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
    """Yield the steps of a match, some seconds apart, with microseconds."""
    at = NOON
    for ply, (seat, action) in enumerate(record.steps):
        by: Decider = "house" if chairs[seat].house else "clock" if rng.random() < TIMEOUT_SHARE else "person"
        yield MatchStep(ply, seat, write_action(action), by, at)
        at += timedelta(seconds=rng.expovariate(1 / STEP_SECONDS))


def add_people(database: sqlite3.Connection, count: int) -> None:
    """Add the persons 1, 2, 3 ... with these ids."""
    database.executemany('INSERT INTO players (id, "user") VALUES (?, ?)', ((one, one) for one in range(1, count + 1)))


def rows_of(database: sqlite3.Connection, table: TableId) -> Rows:
    """Return all rows of a table number, as stored."""
    found = Rows()
    for each in TABLES_WITH_MATCH:
        query = f'SELECT {column_names(each.name)} FROM "{each.name}" WHERE {key_of(each)} = ?'
        if rows := database.execute(query, (table,)).fetchall():
            found[each.name] = rows
    return found


def add_rows(database: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
    """Write rows."""
    signs = ", ".join("?" * len(rows[0]))
    database.executemany(f'INSERT INTO "{table}" ({column_names(table)}) VALUES ({signs})', rows)


def column_names(table: str) -> str:
    """Return the column names of a table in SQL."""
    return ", ".join(f'"{name}"' for name in columns(table))


def columns(table: str) -> list[str]:
    """Return the column names of a table."""
    return [column.name for column in metadata.tables[table].columns]


def key_of(table: Table) -> str:
    """Return the column with the table number."""
    return "id" if table is tables else "table_id"


TABLES_WITH_MATCH = [
    each
    for each in metadata.sorted_tables
    if each is tables or any(foreign.parent.name == "table_id" for foreign in each.foreign_keys)
]


# Written again


@dataclass(frozen=True)
class Seating:
    """A copy of a match. users: in place of the persons 1, 2, 3 ...; finished: end of the match."""

    table: int
    guild: int
    number: int
    users: Mapping[int, int]
    finished: datetime


ColumnChange = Callable[[Seating, int, Any], Any]  # the seating, the delay in microseconds, and the old value
COLUMN_CHANGES: dict[Kind, ColumnChange] = {
    "person": lambda seating, _, user: seating.users.get(user, user),
    "player": lambda seating, _, player: seating.users.get(player, player),
    "name": lambda seating, _, name: f"P{seating.users[int(name[1:])]}" if name and name[1:].isdecimal() else name,
    "server": lambda seating, _, __: seating.guild,
    "place": lambda seating, _, place: place and seating.guild + 1,
}


def _changed_columns(table: Table) -> list[tuple[int, ColumnChange]]:
    """Return the columns of a table that differ in a copy, with their changes."""
    found: dict[str, ColumnChange] = {key_of(table): lambda seating, _, __: seating.table}
    if "number" in table.c and "guild" in table.c:
        found["number"] = lambda seating, _, __: seating.number
    found |= {
        each.name: lambda _, later, at: at and at + later for each in table.c if isinstance(each.type, TimestampType)
    }
    for kind, way in COLUMN_CHANGES.items():
        found |= {column.name: way for column, _ in meanings(table, kind)}
    return [(columns(table.name).index(name), way) for name, way in found.items()]


CHANGES_BY_TABLE = {table.name: _changed_columns(table) for table in TABLES_WITH_MATCH}


def reseated_rows(match: WrittenMatch, seating: Seating, *, packed: bool) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of a match with other people and another time."""
    later = (seating.finished - EPOCH) // MICROSECOND - match.finished
    for name, rows in (match.packed if packed else match.loose).items():
        made = [_reseated_row(row, CHANGES_BY_TABLE[name], seating, later) for row in rows]
        yield name, [_shifted_pack(row, later) for row in made] if name == packs.name else made


def _reseated_row(row: Row, changes: Iterable[tuple[int, ColumnChange]], seating: Seating, later: int) -> Row:
    made = list(row)
    for at, way in changes:
        made[at] = way(seating, later, made[at])
    return tuple(made)


def _shifted_pack(row: Row, later: int) -> Row:
    """Return a row of packs shifted by so many microseconds, by its first number."""
    packed = dict(zip(columns(packs.name), row, strict=True))
    head, _, waits = decompress_text(packed["checksum"], packed["body"]).rpartition("[")
    first, _, rest = waits.partition(",")
    packed["checksum"], packed["body"] = compress_text(f"{head}[{int(first) + later},{rest}")
    return tuple(packed.values())
