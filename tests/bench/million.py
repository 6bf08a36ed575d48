"""How long pages take after a million hands: python -m tests.bench.million [--full] [--store FILE]

By default 2,000 matches of ten hands; with --full 100,000 among 20,000 people on 500 servers; or as given by --matches
and --servers, such as 3000 and 1 for one server with all matches. House players have really played some of the matches
(24, with --full 200; stored in .bench), which are written again with other people in their seats
(tests/bench/reseated_matches.py), over a year: those older than thirty days are packed. With --store the database is
built once and reused.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bot.club.leaderboards import Leaderboards
from bot.club.ledger import Ledgers
from bot.domain.debts import LedgerScope
from bot.domain.ids import GuildId, UserId
from bot.domain.pace import LIVE
from bot.domain.rating import LEADERBOARD_CRITERIA, VISIBLE_CHANNELS, Leaderboard, LeaderboardCriterion
from bot.games import GAMES
from bot.history.record_upkeep import PACK_AFTER
from bot.history.replays import ReplayCache
from bot.ratings.pairs import DEFAULT_THRESHOLDS
from bot.ratings.pairs import find_suspicious_pairs as stand_out
from bot.ratings.player_summary import reliability, summarize
from bot.rules.matches.record import Record
from bot.rules.matches.style import Style
from bot.runtime.workers import Workers
from bot.show.kit.words import words
from bot.show.people.profile import Profile, card, profile
from bot.show.server.debts import ledger
from bot.show.server.reports import pairs
from bot.show.server.standings import StandingsMenu, leaderboard_picture, standings
from bot.show.table.match_list import MATCHES_PER_PAGE, history
from bot.store.repositories import records as packing
from bot.store.store import Store
from tests.bench.replay import draw_step
from tests.bench.reseated_matches import (
    HANDS,
    SeatedMatch,
    Seating,
    WrittenMatch,
    add_people,
    add_rows,
    records,
    reseated_rows,
    seat_people,
    write_matches,
)
from tests.store.sample_tables import NOON, now
from tests.support.blank_database import create_blank_database

MATCHES, FULL_MATCHES = 2_000, 100_000
PLAYED_MATCHES, FULL_PLAYED_MATCHES = 24, 200  # matches to be reseated
PEOPLE_PER_MATCH, SERVERS_PER_MATCH = 1 / 5, 1 / 200
BATCH_SIZE, REQUESTS_PER_PAGE, FINISHED_MATCHES = 1_000, 40, 120
PAGE_GOAL, FINISH_GOAL = 100, 1.2  # milliseconds; ratio to an empty store
YEAR = timedelta(days=365)
END = NOON + YEAR + timedelta(minutes=1)
PLAYED_FILE = Path(".bench") / "played.jsonl"
BUILT_NOTE = "built"
ENGLISH = words("en")


@dataclass(frozen=True)
class FilledStore:
    """A filled store. people: by server. played: a match to be finished."""

    store: Store
    people: dict[GuildId, list[int]]
    played: Record


def people_by_server(matches: int, servers: int, rng: random.Random) -> dict[GuildId, list[int]]:
    """Return the people of each server: each person is on one or two servers."""
    guilds = [GuildId(1_000_000 + 10 * number) for number in range(servers)]
    people: dict[GuildId, list[int]] = {guild: [] for guild in guilds}
    for user in range(1, people_count(matches) + 1):
        for guild in rng.sample(guilds, min(servers, rng.choice((1, 1, 2)))):
            people[guild].append(user)
    for guild in guilds:
        people[guild] += [user for user in range(1, 9) if user not in people[guild]]
    return people


def people_count(matches: int) -> int:
    """Return the number of people for so many matches."""
    return max(40, round(matches * PEOPLE_PER_MATCH))


def seatings(
    matches: int, people: dict[GuildId, list[int]], played: Sequence[WrittenMatch], rng: random.Random
) -> Iterator[tuple[WrittenMatch, Seating]]:
    """Yield matches over a year, each with people of its server, stronger ones mostly ahead."""
    guilds, numbers = list(people), Counter[GuildId]()
    for number in range(1, matches + 1):
        guild, match = rng.choice(guilds), rng.choice(played)
        users = sorted(rng.sample(people[guild], len(match.places)), key=lambda user: user % 100 + rng.gauss(0, 40))
        ahead = sorted(match.places, key=lambda one: match.places[one])
        numbers[guild] += 1
        sat = dict(zip(ahead, users, strict=True))
        yield match, Seating(number, guild, numbers[guild], sat, NOON + YEAR * (number / matches))


async def build_store(path: Path, matches: int, servers: int, played: Sequence[Record]) -> FilledStore:
    """Fill a store, unless it is already full. Raises ValueError for a store with other content."""
    rng = random.Random("million")
    people, what = (
        people_by_server(matches, servers, rng),
        f"{matches} matches, {servers} servers, {len(played)} played",
    )
    create_blank_database(path)
    store = await Store.open(path, now)
    if (known := await store.notes.recall(BUILT_NOTE)) is None:
        await store.close()
        fill_store(path, matches, people, await write_matches(played), rng)
        store = await Store.open(path, now)
        await store.notes.remember(BUILT_NOTE, what)
    elif known != what:
        await store.close()
        raise ValueError(f"{path} has {known}")
    return FilledStore(store, people, played[0])


def fill_store(
    path: Path, matches: int, people: dict[GuildId, list[int]], played: Sequence[WrittenMatch], rng: random.Random
) -> None:
    """Write all matches into a closed store, in batches of one transaction."""
    with closing(sqlite3.connect(path)) as database:
        with database:
            add_people(database, people_count(matches))
        queue = seatings(matches, people, played, rng)
        while part := tuple(islice(queue, BATCH_SIZE)):
            rows: dict[str, list[Any]] = {}
            for match, seating in part:
                for name, more in reseated_rows(match, seating, packed=seating.finished < END - PACK_AFTER):
                    rows.setdefault(name, []).extend(more)
            with database:
                for name, more in rows.items():
                    add_rows(database, name, more)


async def milliseconds_of(work: Callable[[], Awaitable[object]]) -> float:
    """Return the milliseconds of an awaited call."""
    began = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - began)


async def time_pages(made: FilledStore, times: int) -> dict[str, list[float]]:
    """Return the milliseconds of each page, for random people and servers."""
    rng, ladders = random.Random("asked"), Leaderboards(made.store, {})
    found: dict[str, list[float]] = {}
    await time_first_screen(made, next(iter(made.people)), rng, older=True)  # fills caches of the process
    for _ in range(times):
        guild = rng.choice(list(made.people))
        me, other = (UserId(user) for user in rng.sample(made.people[guild], 2))
        by: LeaderboardCriterion = rng.choice([by for by in LEADERBOARD_CRITERIA if by != "everywhere"])
        await ladders.player_entries(guild, VISIBLE_CHANNELS, me)  # updates the leaderboard, as each view does
        game = rng.choice(list(GAMES))
        for name, work in _page_requests(made, ladders, Leaderboard(guild, game), me, other, by):
            found.setdefault(name, []).append(await milliseconds_of(work))
        for name, older in (("of the last days", False), ("packed", True)):
            took = await time_first_screen(made, guild, rng, older=older)
            found.setdefault(f"first replay screen, {name}, picture and all", []).append(took)
    return found


async def time_first_screen(made: FilledStore, guild: GuildId, rng: random.Random, *, older: bool) -> float:
    """Return the milliseconds until the first card of an uncached match."""
    count = await made.store.results.count(guild)
    (match,) = await made.store.results.history(guild, 1, rng.randrange(count // 2, count) if older else 0)
    packing.open_cached.cache_clear()

    async def opened() -> None:
        match_replay = await ReplayCache(lambda: made.store, Workers()).of(match.table, guild)
        assert match_replay
        await draw_step(match_replay, 0)

    return await milliseconds_of(opened)


def _page_requests(
    made: FilledStore, ladders: Leaderboards, on: Leaderboard, me: UserId, other: UserId, by: LeaderboardCriterion
) -> Iterator[tuple[str, Callable[[], Awaitable[object]]]]:
    guild = on.guild

    async def board() -> None:
        shown = await ladders.standings(on, by, 0, me, now=END)
        shelf = StandingsMenu(LEADERBOARD_CRITERIA, "The Deck")
        picture = leaderboard_picture(shown, shelf, ENGLISH)
        standings(shown, shelf, picture, ENGLISH)
        if picture:
            await asyncio.to_thread(picture.png)

    async def own() -> None:
        found = await ladders.player_entries(guild, VISIBLE_CHANNELS, me)
        if found is None:
            return
        records = {game: summarize(entries) for game, entries in found.by_game.items()}
        game = next(iter(records))
        ratings = records[game].ratings
        shown = Profile(
            user=me,
            name=found.name,
            where="The Deck",
            records=records,
            game=game,
            rating=ratings[-1] if ratings else None,
            mine=True,
            reliability=reliability(found.by_game),
            style=Style(await made.store.leaderboards.played(guild, VISIBLE_CHANNELS, me, game)),
        )
        picture = card(shown, ENGLISH)
        profile(shown, picture, None, ENGLISH)
        await asyncio.to_thread(picture.png)

    async def listing() -> None:
        count = await made.store.results.count(guild)
        history(await made.store.results.history(guild, MATCHES_PER_PAGE, 0), 0, count, ENGLISH, where="The Deck")

    async def heads() -> None:
        await made.store.leaderboards.met(guild, VISIBLE_CHANNELS, me, other)

    async def debts() -> None:
        shown = await Ledgers(made.store).account(LedgerScope(guild), me)
        ledger(shown, "The Deck", ENGLISH)

    async def leaving() -> None:
        matches, users = await made.store.results.meetings(guild, END - DEFAULT_THRESHOLDS.span)
        pairs(stand_out(matches), users, ENGLISH)

    yield "/matches ledger", debts
    yield "who always leaves", leaving
    yield "a page of /standings, picture and all", board
    yield "/my profile, picture and all", own
    yield "/matches list", listing
    yield "head to head", heads


async def time_finishing(stores: Sequence[FilledStore]) -> list[list[float]]:
    """Return the milliseconds of the last write of a match in each of these stores, alternating."""
    took: list[list[float]] = [[] for _ in stores]
    for number in range(FINISHED_MATCHES):
        for made, times in zip(stores, took, strict=True):
            times.append(await time_last_write(made, number))
    return took


async def time_last_write(made: FilledStore, number: int) -> float:
    """Return the milliseconds of the last write of a match."""
    guild, match = next(iter(made.people)), made.played.replay()
    users = random.Random(number).sample(made.people[guild], match.rules.players)
    sat = SeatedMatch(made.played, match, seat_people(users), LIVE, random.Random(number))
    table, end = await sat.play(made.store, guild), sat.end(guild, END + timedelta(minutes=number))
    return await milliseconds_of(lambda: made.store.tables.save(table, end))


async def time_recount(made: FilledStore) -> float:
    """Return the milliseconds of recomputing the books of one server."""
    guild = max(made.people, key=lambda one: len(made.people[one]))
    return await milliseconds_of(lambda: _recount(Leaderboards(made.store, {}), guild))


async def _recount(ladders: Leaderboards, guild: GuildId) -> None:
    for game in GAMES:
        await ladders._store.leaderboards.compute_entries(
            Leaderboard(guild, game), replacement(ladders._rating_method(Leaderboard(guild, game)))
        )


def replacement(columns: Any) -> Any:
    """Return a new computation of ratings, so that leaderboards are recomputed."""
    return columns._replace(by=f"{columns.by} {time.time_ns()}")


async def measure_all(path: Path, matches: int, servers: int, count: int) -> None:
    """Print all measurements."""
    began = time.perf_counter()
    played = records(count, PLAYED_FILE)
    print(f"{len(played)} matches played or found in {time.perf_counter() - began:.0f} s", flush=True)
    made = await build_store(path, matches, servers, played)
    with tempfile.TemporaryDirectory() as folder:
        empty = await Store.open(Path(folder) / "empty.db", now)
        try:
            print(
                f"{matches} matches, {matches * HANDS} hands, {servers} servers; "
                f"made or found in {time.perf_counter() - began:.0f} s",
                flush=True,
            )
            first = await time_pages(made, REQUESTS_PER_PAGE)
            alone, there = await time_finishing([FilledStore(empty, made.people, made.played), made])
            again = await time_recount(made)
        finally:
            await empty.close()
            await made.store.close()
    for name, took in first.items():
        print(f"{name}: {spread(took)} (goal: median {PAGE_GOAL} ms)")
    more = median(there) / median(alone)
    print(f"finishing a match: {spread(there)}, {more:.2f} times that in an empty store (goal {FINISH_GOAL})")
    print(f"recount of one server: {again:.0f} ms")


def spread(took: list[float]) -> str:
    """Describe these times."""
    return f"{median(took):.1f} ms, p99 {quantiles(took, n=100)[98]:.1f} ms"


def main() -> None:
    """Run the measurements."""
    reader = argparse.ArgumentParser(prog="python -m tests.bench.million")
    reader.add_argument("--full", action="store_true", help=f"{FULL_MATCHES} matches")
    reader.add_argument("--matches", type=int, help="so many matches")
    reader.add_argument("--servers", type=int, help="on so many servers")
    reader.add_argument("--store", type=Path, help="a file to keep the store in")
    said = reader.parse_args()
    matches = said.matches or (FULL_MATCHES if said.full else MATCHES)
    servers = said.servers or max(2, round(matches * SERVERS_PER_MATCH))
    with tempfile.TemporaryDirectory() as folder:
        path = said.store or Path(folder) / "million.db"
        asyncio.run(measure_all(path, matches, servers, FULL_PLAYED_MATCHES if said.full else PLAYED_MATCHES))
        print(f"the file: {path.stat().st_size / matches:.0f} bytes a match, with all its actions")


if __name__ == "__main__":
    main()
