"""How people played, as it is kept: found for old matches out of their records, and rebuilt to the same bytes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.history.record_upkeep import MatchRescorer
from bot.rules.matches.achievements import VERSION
from bot.store.store import Store
from tests.store.released_databases import NEWER, copy_scored
from tests.store.sample_tables import now


async def counted(path: Path) -> list[tuple[object, ...]]:
    """Recount the matches counted by an older version; return the stored counts."""
    store = await Store.open(path, now)
    await MatchRescorer(store, pause=0).score()
    await store.close()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT DISTINCT deeds FROM results").fetchall() == [(VERSION,)]
        return database.execute("SELECT * FROM deeds ORDER BY table_id, seat, code").fetchall()


async def test_old_matches_are_counted_with_the_same_result_as_a_recount(path: Path) -> None:
    found = await counted(copy_scored(path, NEWER))
    assert {"hands", "left", "play", "take", "out"} <= {str(code).split(":")[0] for _, _, code, _ in found}
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE deeds SET times = 99 WHERE code LIKE 'play:%'")
        database.execute("DELETE FROM deeds WHERE code LIKE 'out:%'")
        database.execute("UPDATE results SET deeds = 1")
    assert await counted(path) == found
