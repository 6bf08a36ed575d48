"""Databases played on by older versions, as left then and as migrated today.

`kept/played_0003.sql` is what the version with schema 0003 left after an evening of four people: matches that are over,
that go on in every game, a lobby whose rules were changed, house rules, a channel's default, a player's habits.
`kept/played_0012.sql` is of schema 0012, see evening.py: people have left, come back, been late and been removed.
`kept/played_0049.sql` is of schema 0049 and of the second version of the rules: besides, all that is kept as a change
of a preset of A Bao and Big A, in which a default has changed since.

Steps of migrations are taken once in a process: a test that is not about them begins with a copy.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

import pytest

from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.history.record_upkeep import MatchRescorer
from bot.store.engine import migration
from bot.store.store import Store
from tests.store.sample_tables import now, scripts_up_to

KEPT = Path(__file__).parent / "kept" / "played_0003.sql"
NEWER = KEPT.with_name("played_0012.sql")
DEFAULTS = KEPT.with_name("played_0049.sql")
GUILD, CHANNEL = GuildId(1456074443980800002), ChannelId(1456074443980800019)
ANN, BEN, CLEO, DEV = map(UserId, range(1456074443980800020, 1456074443980800024))
PHASES = {
    TableId(1): "over",
    TableId(2): "playing",
    TableId(3): "playing",
    TableId(4): "over",
    TableId(5): "playing",
    TableId(6): "over",
    TableId(7): "playing",
    TableId(8): "lobby",
    TableId(9): "closed",
}
IDS = {  # the channel, and the four people
    KEPT: (CHANNEL, ANN, BEN, CLEO, DEV),
    NEWER: tuple(range(1456074443980800016, 1456074443980800021)),
    DEFAULTS: tuple(range(1456074443980800016, 1456074443980800021)),
}
DESERTED, LOBBY = TableId(1), TableId(15)  # in the newer one
RUNNING_TABLES = {
    KEPT: [number for number, phase in PHASES.items() if phase == "playing"],
    NEWER: [TableId(number) for number in range(9, 14)],
    DEFAULTS: [TableId(number) for number in (*range(9, 14), *range(17, 21))],
}
_made = dict[int, bytes]()  # blank databases of earlier schemas, each made of the one before it
STEPS = {1: 83, 2: 24, 3: 56, 4: 23, 5: 41, 6: 76, 7: 118}


def copy_released(path: Path, moved: Mapping[int, int] = MappingProxyType({}), kept: Path = KEPT) -> Path:
    """Put that database at a path, in place of what was there; moved: people and places that have other ids now."""
    _clear(path)
    with closing(sqlite3.connect(path)) as made:
        script = kept.read_text(encoding="utf-8")
        made.executescript(re.sub(r"\b\d{19}\b", lambda found: str(moved.get(int(found[0]), found[0])), script))
    return path


def copy_migrated(path: Path, kept: Path = KEPT) -> Path:
    """Copy the released database to a path, migrated."""
    return _put_bytes(path, _migrated(kept))


def copy_scored(path: Path, kept: Path = KEPT) -> Path:
    """Copy the released database to a path, migrated and with the scores of its hands."""
    return _put_bytes(path, _scored(kept))


def copy_older_schema(path: Path, number: int) -> Path:
    """Create a blank database of an earlier schema."""
    return _put_bytes(path, _older(number))


def _put_bytes(path: Path, content: bytes) -> Path:
    _clear(path)
    path.write_bytes(content)
    return path


def _clear(path: Path) -> None:
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()


@cache
def _migrated(kept: Path) -> bytes:
    with TemporaryDirectory() as folder:
        return _opened(copy_released(Path(folder) / "bigger.db", kept=kept))


@cache
def _scored(kept: Path) -> bytes:
    with TemporaryDirectory() as folder:
        return _opened(copy_migrated(Path(folder) / "bigger.db", kept), score=True)


def _older(number: int) -> bytes:
    if number not in _made:
        before = max((other for other in _made if other < number), default=None)
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as older:
            older.setattr(migration, "SCRIPTS", scripts_up_to(number, Path(folder)))
            path = Path(folder) / "bigger.db"
            _made[number] = _opened(copy_older_schema(path, before) if before else path)
    return _made[number]


def _opened(path: Path, *, score: bool = False) -> bytes:
    """Return a database after the bot has opened it, on a loop of its own beside the one that may run here."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(_open(path, score=score))).result()
    return path.read_bytes()


async def _open(path: Path, *, score: bool) -> None:
    store = await Store.open(path, now)
    if score:
        await MatchRescorer(store, pause=0).score()
    await store.close()
