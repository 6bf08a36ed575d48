"""How seasons ended before ratings were a mean: the numbers stay, and what runs is reckoned again of results."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.club.leaderboards import Leaderboards
from bot.domain.rating import Leaderboard
from bot.store.store import Store
from tests.store.released_databases import copy_older_schema
from tests.store.sample_tables import ANN, GUILD, NOON, now

LAST = round(NOON.timestamp())
FINALIST = f"""
    INSERT INTO finalists (guild, season, game, player, place, mu, sigma, last, matches, wins, hands, gain, units,
                           streak, table_id)
    VALUES ({GUILD}, 1, 'big_two', 1, 1, 27.25, 2.5, {LAST}, 30, 9, 90, 1.5, 0, 2, 1)
"""
REMAINS = f"""
    INSERT INTO ratings (guild, channel, game, player, mu, sigma, matches, last, table_id)
    VALUES ({GUILD}, 0, 'big_two', 1, 27.25, 2.5, 30, {LAST}, 1);
    INSERT INTO books (guild, channel, game, finished, table_id, "by")
    VALUES ({GUILD}, 0, 'big_two', {LAST}, 1, '3.3.0');
"""


async def test_final_standings_of_a_season_stay_and_old_ratings_are_deleted(place: Path) -> None:
    with closing(sqlite3.connect(copy_older_schema(place, 46))) as database:
        database.execute(f'INSERT INTO players (id, "user") VALUES (1, {ANN})')
        database.execute(FINALIST)
        database.executescript(REMAINS)
        database.commit()
    store = await Store.open(place, now)
    [found] = await store.seasons.finalists(GUILD, 1)
    assert found.player.rating is not None
    assert found.player.rating.shown == 1500 + 20 * (27.25 - 25 - 3 * (2.5 - 25 / 3))
    assert found.player.rating.settled
    assert not await store.leaderboards.ranked_players(Leaderboard(GUILD, "big_two"))
    assert not (await Leaderboards(store, {}).standings(Leaderboard(GUILD, "big_two"), "rating", 0, ANN, now=NOON)).rows
    await store.close()
