"""Reads the bot's database file with plain sqlite3, while the bot runs or after its death.

Read-only, so that the file of a killed process stays unchanged.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeAlias

from bot.games import GAMES
from bot.rules.core.asks import read_action
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record

COLUMNS = "id, number, host, channel, home, message, phase, game, preset, options, seed"
TABLES = f"SELECT {COLUMNS} FROM tables ORDER BY id"
NEWEST = f"SELECT {COLUMNS} FROM tables WHERE host = ? AND channel = ? ORDER BY id DESC LIMIT 1"
CHAIRS = 'SELECT seat, "user", house FROM chairs WHERE table_id = ? ORDER BY seat'
STEPS = 'SELECT ply, seat, action, "by" FROM actions WHERE table_id = ? ORDER BY ply'
RESULTS = "SELECT count(*) FROM results WHERE table_id = ?"
STANDINGS = "SELECT place, points, net FROM standings WHERE table_id = ? ORDER BY seat"
OPEN = "SELECT count(*) FROM tables WHERE phase IN ('lobby', 'playing')"
PINGS = 'SELECT message, "user" FROM pings WHERE table_id = ?'

Step: TypeAlias = tuple[int, int, str, str]  # ply, seat, action, by


@dataclass(frozen=True)
class StoredTable:
    """A table in the database. chairs: (seat, user, house). steps: (ply, seat, action, by)."""

    id: int
    number: int
    host: int
    channel: int
    home: int
    message: int | None
    phase: str
    game: str
    preset: str
    options: str
    seed: str
    chairs: tuple[tuple[int, int | None, int], ...]
    steps: tuple[Step, ...]

    @property
    def ply(self) -> int:
        return len(self.steps)

    @property
    def open(self) -> bool:
        return self.phase in ("lobby", "playing")

    @cached_property
    def match(self) -> Match:
        """The match, replayed from the record alone."""
        return _replayed(self.game, self.preset, self.seed, self.options, self.steps)

    def seat_of(self, user: int) -> int | None:
        return next((seat for seat, sitting, _ in self.chairs if sitting == user), None)

    @property
    def awaited(self) -> set[int]:
        """The persons for whom the match waits; empty while it is a house player's turn."""
        waiting = [(user, house) for seat, user, house in self.chairs if seat in self.match.awaited]
        return set() if any(house for _, house in waiting) else {user for user, _ in waiting if user is not None}


@lru_cache(maxsize=512)  # a table is read repeatedly, mostly one step later
def _replayed(game: str, preset: str, seed: str, options: str, steps: tuple[Step, ...]) -> Match:
    if not steps:
        return Record(GAMES[game], preset, seed=seed, options=json.loads(options)).begin()
    *_, (_, seat, action, _) = steps
    return _replayed(game, preset, seed, options, steps[:-1]).act(seat, read_action(action))


class DatabaseFile:
    """The database file of a bot, read-only."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def tables(self) -> tuple[StoredTable, ...]:
        with closing(self._connect()) as connection:
            return tuple(_tables(connection, TABLES))

    def newest(self, host: int, channel: int) -> StoredTable | None:
        """Return the last table that a player opened in a channel."""
        with closing(self._connect()) as connection:
            return next(_tables(connection, NEWEST, host, channel), None)

    @property
    def open(self) -> int:
        """The number of open tables."""
        with closing(self._connect()) as connection:
            return int(connection.execute(OPEN).fetchone()[0])

    def count_results(self, table: int) -> int:
        """Return the number of stored results of a table."""
        with closing(self._connect()) as connection:
            return int(connection.execute(RESULTS, (table,)).fetchone()[0])

    def standings(self, table: int) -> list[tuple[int, int, int]]:
        """Return (place, points, net) by seat."""
        with closing(self._connect()) as connection:
            return connection.execute(STANDINGS, (table,)).fetchall()

    def pings(self, table: int) -> dict[int, int]:
        """Return the stored pings of a table: message -> person."""
        with closing(self._connect()) as connection:
            return dict(connection.execute(PINGS, (table,)).fetchall())

    def is_sound(self) -> bool:
        """Whether SQLite finds nothing wrong with the file."""
        with closing(self._connect()) as connection:
            return bool(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)])

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)


def _tables(connection: sqlite3.Connection, asked: str, *about: int) -> Iterator[StoredTable]:
    found = connection.execute(asked, about)
    names = [column for column, *_ in found.description]
    for row in found.fetchall():
        chairs = tuple(connection.execute(CHAIRS, row[:1]).fetchall())
        steps = tuple(connection.execute(STEPS, row[:1]).fetchall())
        yield StoredTable(**dict(zip(names, row, strict=True)), chairs=chairs, steps=steps)
