"""What pages cost once a million hands have been finished: python -m tests.bench.million [--full] [--store FILE]

By default 2,000 matches of ten hands, the whole with --full: 100,000 among 20,000 people on 500 servers; --matches and
--servers say otherwise, as 3000 and 1 for what is read of one server with all of them. House players have really played
some, 24 or, with --full, 200, which are kept in .bench; they are written again and again with other people in their
seats (tests/bench/reseated_matches.py), over a year: what is older than thirty days is packed. The store is built once
where a file is named, and kept there.
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
from tests.bench.replay import look
from tests.bench.reseated_matches import (
    HANDS,
    Sat,
    Seating,
    Written,
    add_people,
    add_rows,
    again,
    records,
    seated,
    written,
)
from tests.store.sample_tables import NOON, now
from tests.support.blank_database import create_blank_database

MATCHES, WHOLE = 2_000, 100_000
PLAYED, WHOLE_PLAYED = 24, 200  # matches that are written again and again
PEOPLE_A_MATCH, SERVERS_A_MATCH = 1 / 5, 1 / 200
AT_ONCE, ASKED, FINISHED = 1_000, 40, 120
PAGE_GOAL, FINISH_GOAL = 100, 1.2  # milliseconds; times what it costs in an empty store
YEAR = timedelta(days=365)
END = NOON + YEAR + timedelta(minutes=1)
KEPT = Path(".bench") / "played.jsonl"
BUILT = "built"
EN = words("en")


@dataclass(frozen=True)
class Made:
    """What was built. people: those of each server. played: a match that a player is about to finish."""

    store: Store
    people: dict[GuildId, list[int]]
    played: Record


def servers_of(matches: int, servers: int, rng: random.Random) -> dict[GuildId, list[int]]:
    """Return who plays on which server: each person on one or two."""
    guilds = [GuildId(1_000_000 + 10 * number) for number in range(servers)]
    people: dict[GuildId, list[int]] = {guild: [] for guild in guilds}
    for user in range(1, people_of(matches) + 1):
        for guild in rng.sample(guilds, min(servers, rng.choice((1, 1, 2)))):
            people[guild].append(user)
    for guild in guilds:
        people[guild] += [user for user in range(1, 9) if user not in people[guild]]
    return people


def people_of(matches: int) -> int:
    """Return how many people there are."""
    return max(40, round(matches * PEOPLE_A_MATCH))


def seatings(
    matches: int, people: dict[GuildId, list[int]], played: Sequence[Written], rng: random.Random
) -> Iterator[tuple[Written, Seating]]:
    """Yield matches over a year, each on some server with people of it, the stronger mostly ahead."""
    guilds, numbers = list(people), Counter[GuildId]()
    for number in range(1, matches + 1):
        guild, match = rng.choice(guilds), rng.choice(played)
        users = sorted(rng.sample(people[guild], len(match.places)), key=lambda user: user % 100 + rng.gauss(0, 40))
        ahead = sorted(match.places, key=lambda one: match.places[one])
        numbers[guild] += 1
        sat = dict(zip(ahead, users, strict=True))
        yield match, Seating(number, guild, numbers[guild], sat, NOON + YEAR * (number / matches))


async def built(path: Path, matches: int, servers: int, played: Sequence[Record]) -> Made:
    """Fill a store, unless it is full already. Raises ValueError for a store with other content."""
    rng = random.Random("million")
    people, what = servers_of(matches, servers, rng), f"{matches} matches, {servers} servers, {len(played)} played"
    create_blank_database(path)
    store = await Store.open(path, now)
    if (known := await store.notes.recall(BUILT)) is None:
        await store.close()
        fill(path, matches, people, await written(played), rng)
        store = await Store.open(path, now)
        await store.notes.remember(BUILT, what)
    elif known != what:
        await store.close()
        raise ValueError(f"{path} has {known}")
    return Made(store, people, played[0])


def fill(
    path: Path, matches: int, people: dict[GuildId, list[int]], played: Sequence[Written], rng: random.Random
) -> None:
    """Write every match into a closed store, in batches of one transaction."""
    with closing(sqlite3.connect(path)) as database:
        with database:
            add_people(database, people_of(matches))
        queue = seatings(matches, people, played, rng)
        while part := tuple(islice(queue, AT_ONCE)):
            rows: dict[str, list[Any]] = {}
            for match, seating in part:
                for name, more in again(match, seating, packed=seating.finished < END - PACK_AFTER):
                    rows.setdefault(name, []).extend(more)
            with database:
                for name, more in rows.items():
                    add_rows(database, name, more)


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """Return how many milliseconds something takes."""
    began = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - began)


async def pages(made: Made, times: int) -> dict[str, list[float]]:
    """Return how long each page takes, for people and servers drawn at random."""
    rng, ladders = random.Random("asked"), Leaderboards(made.store, {})
    found: dict[str, list[float]] = {}
    await first_screen(made, next(iter(made.people)), rng, older=True)  # whatever is made once in the life of the bot
    for _ in range(times):
        guild = rng.choice(list(made.people))
        me, other = (UserId(user) for user in rng.sample(made.people[guild], 2))
        by: LeaderboardCriterion = rng.choice([by for by in LEADERBOARD_CRITERIA if by != "everywhere"])
        await ladders.player_entries(guild, VISIBLE_CHANNELS, me)  # brought up, as after every look
        game = rng.choice(list(GAMES))
        for name, work in _asked(made, ladders, Leaderboard(guild, game), me, other, by):
            found.setdefault(name, []).append(await timed(work))
        for name, older in (("of the last days", False), ("packed", True)):
            took = await first_screen(made, guild, rng, older=older)
            found.setdefault(f"first replay screen, {name}, picture and all", []).append(took)
    return found


async def first_screen(made: Made, guild: GuildId, rng: random.Random, *, older: bool) -> float:
    """Return how long the first card of a match takes that nobody has looked at."""
    count = await made.store.results.count(guild)
    (match,) = await made.store.results.history(guild, 1, rng.randrange(count // 2, count) if older else 0)
    packing.open_cached.cache_clear()

    async def opened() -> None:
        match_replay = await ReplayCache(lambda: made.store, Workers()).of(match.table, guild)
        assert match_replay
        await look(match_replay, 0)

    return await timed(opened)


def _asked(
    made: Made, ladders: Leaderboards, on: Leaderboard, me: UserId, other: UserId, by: LeaderboardCriterion
) -> Iterator[tuple[str, Callable[[], Awaitable[object]]]]:
    guild = on.guild

    async def board() -> None:
        shown = await ladders.standings(on, by, 0, me, now=END)
        shelf = StandingsMenu(LEADERBOARD_CRITERIA, "The Deck")
        picture = leaderboard_picture(shown, shelf, EN)
        standings(shown, shelf, picture, EN)
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
        picture = card(shown, EN)
        profile(shown, picture, None, EN)
        await asyncio.to_thread(picture.png)

    async def listing() -> None:
        count = await made.store.results.count(guild)
        history(await made.store.results.history(guild, MATCHES_PER_PAGE, 0), 0, count, EN, where="The Deck")

    async def heads() -> None:
        await made.store.leaderboards.met(guild, VISIBLE_CHANNELS, me, other)

    async def debts() -> None:
        shown = await Ledgers(made.store).account(LedgerScope(guild), me)
        ledger(shown, "The Deck", EN)

    async def leaving() -> None:
        matches, users = await made.store.results.meetings(guild, END - DEFAULT_THRESHOLDS.span)
        pairs(stand_out(matches), users, EN)

    yield "/matches ledger", debts
    yield "who always leaves", leaving
    yield "a page of /standings, picture and all", board
    yield "/my profile, picture and all", own
    yield "/matches list", listing
    yield "head to head", heads


async def finishing(stores: Sequence[Made]) -> list[list[float]]:
    """Return how long the last write of a match takes in each of these stores, by turns."""
    took: list[list[float]] = [[] for _ in stores]
    for number in range(FINISHED):
        for made, times in zip(stores, took, strict=True):
            times.append(await finished(made, number))
    return took


async def finished(made: Made, number: int) -> float:
    """Return how long the last write of a match takes."""
    guild, match = next(iter(made.people)), made.played.replay()
    users = random.Random(number).sample(made.people[guild], match.rules.players)
    sat = Sat(made.played, match, seated(users), LIVE, random.Random(number))
    table, end = await sat.play(made.store, guild), sat.end(guild, END + timedelta(minutes=number))
    return await timed(lambda: made.store.tables.save(table, end))


async def recounted(made: Made) -> float:
    """Return how many milliseconds it takes to write the books of one server again."""
    guild = max(made.people, key=lambda one: len(made.people[one]))
    return await timed(lambda: _anew(Leaderboards(made.store, {}), guild))


async def _anew(ladders: Leaderboards, guild: GuildId) -> None:
    for game in GAMES:
        await ladders._store.leaderboards.compute_entries(
            Leaderboard(guild, game), replace_by(ladders._rating_method(Leaderboard(guild, game)))
        )


def replace_by(way: Any) -> Any:
    """Return a new computation of ratings, so that the ladder is rebuilt."""
    return way._replace(by=f"{way.by} {time.time_ns()}")


async def measure(path: Path, matches: int, servers: int, count: int) -> None:
    """Print all of it."""
    began = time.perf_counter()
    played = records(count, KEPT)
    print(f"{len(played)} matches played or found in {time.perf_counter() - began:.0f} s", flush=True)
    made = await built(path, matches, servers, played)
    with tempfile.TemporaryDirectory() as folder:
        empty = await Store.open(Path(folder) / "empty.db", now)
        try:
            print(
                f"{matches} matches, {matches * HANDS} hands, {servers} servers; "
                f"made or found in {time.perf_counter() - began:.0f} s",
                flush=True,
            )
            first = await pages(made, ASKED)
            alone, there = await finishing([Made(empty, made.people, made.played), made])
            again = await recounted(made)
        finally:
            await empty.close()
            await made.store.close()
    for name, took in first.items():
        print(f"{name}: {spread(took)} (goal: median {PAGE_GOAL} ms)")
    more = median(there) / median(alone)
    print(f"finishing a match: {spread(there)}, {more:.2f} times that in an empty store (goal {FINISH_GOAL})")
    print(f"recount of one server: {again:.0f} ms")


def spread(took: list[float]) -> str:
    """Return what is said of these times."""
    return f"{median(took):.1f} ms, p99 {quantiles(took, n=100)[98]:.1f} ms"


def main() -> None:
    """Measure it."""
    reader = argparse.ArgumentParser(prog="python -m tests.bench.million")
    reader.add_argument("--full", action="store_true", help=f"{WHOLE} matches")
    reader.add_argument("--matches", type=int, help="so many matches")
    reader.add_argument("--servers", type=int, help="on so many servers")
    reader.add_argument("--store", type=Path, help="a file to keep the store in")
    said = reader.parse_args()
    matches = said.matches or (WHOLE if said.full else MATCHES)
    servers = said.servers or max(2, round(matches * SERVERS_A_MATCH))
    with tempfile.TemporaryDirectory() as folder:
        path = said.store or Path(folder) / "million.db"
        asyncio.run(measure(path, matches, servers, WHOLE_PLAYED if said.full else PLAYED))
        print(f"the file: {path.stat().st_size / matches:.0f} bytes a match, with all its actions")


if __name__ == "__main__":
    main()
