"""What pages cost once a million hands have been finished: python -m tests.bench.million [--full] [--store FILE]

By default 2,000 matches of ten hands, the whole with --full: 100,000 among 20,000 people on 500 servers; --matches and
--servers say otherwise, as 3000 and 1 for what is read of one server with all of them. The store is built once where a
file is named, and kept there. Results are made up, as the bot writes them, of people of known strength; their records
are not written, so what replays cost is measured elsewhere (make bench ARGS=pictures, and
tests/people/test_long_match.py).
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES
from bot.ground.debts import Notebook
from bot.ground.ids import ChannelId, GuildId, UserId
from bot.ground.place import Place
from bot.ground.rating import BYS, OPEN, By, Ladder
from bot.ground.results import HandScore, Outcome, Score, Standing
from bot.ground.server_settings import ServerSettings
from bot.ratings.pairs import SIGNS
from bot.ratings.pairs import pairs as stand_out
from bot.ratings.record import record, reliability
from bot.rules.style import Style
from bot.show.debts import ledger
from bot.show.matches import PAGE, history
from bot.show.pairs import pairs
from bot.show.profile import Profile, card, profile
from bot.show.standings import Shelf, ladder, standings
from bot.show.words import words
from bot.store import outcomes
from bot.store.rows import Change
from bot.store.store import Store
from bot.table.debts import Debts
from bot.table.ladders import Ladders
from tests.store.ended import Played, write
from tests.store.given import NOON, a_table, now

HANDS, MATCHES, WHOLE = 10, 2_000, 100_000
PEOPLE_A_MATCH, SERVERS_A_MATCH = 1 / 5, 1 / 200
AT_ONCE, ASKED = 500, 40
PAGE_GOAL, FINISH_GOAL = 100, 1.2  # milliseconds; times what it costs in an empty store
SLOW = 0.3  # of the matches, at a slow table
PRESETS = {"big_two": "pagat", "tien_len": "south"}
EN = words("en")


@dataclass(frozen=True)
class Made:
    """What was built. people: those of each server."""

    store: Store
    matches: int
    people: dict[GuildId, list[int]]

    @property
    def end(self) -> Any:
        """The moment after the last match."""
        return NOON + timedelta(minutes=self.matches + 1)


def played(matches: int, people: dict[GuildId, list[int]], rng: random.Random) -> Iterator[Played]:
    """Yield matches of four on some server, the stronger mostly ahead."""
    guilds = list(people)
    for number in range(matches):
        guild = rng.choice(guilds)
        users: list[int | None] = list(rng.sample(people[guild], 4))
        order = sorted(range(4), key=lambda seat: (users[seat] or 0) % 100 + rng.gauss(0, 40))
        places = tuple(order.index(seat) + 1 for seat in range(4))
        if rng.random() < 0.2:
            users[rng.randrange(4)] = None
        game = rng.choice(list(PRESETS))
        owed = tuple((payer, payee, rng.randint(1, 30)) for payer, payee in combinations(range(4), 2))
        turns = ("1" * rng.randint(10, 50) + "0" * rng.randint(0, 2),) * 4 if rng.random() < SLOW else ()
        yield Played(tuple(users), places, number, game, guild, PRESETS[game], place=Place(ChannelId(guild + 1)),
                     hands=HANDS, payments=owed, turns=turns)  # fmt: skip


def servers_of(matches: int, servers: int, rng: random.Random) -> dict[GuildId, list[int]]:
    """Return who plays on which server: each person on one or two."""
    guilds = [GuildId(1_000_000 + 10 * number) for number in range(servers)]
    people: dict[GuildId, list[int]] = {guild: [] for guild in guilds}
    for user in range(1, max(40, round(matches * PEOPLE_A_MATCH)) + 1):
        for guild in rng.sample(guilds, min(servers, rng.choice((1, 1, 2)))):
            people[guild].append(user)
    for guild in guilds:
        people[guild] += [user for user in range(1, 9) if user not in people[guild]]
    return people


async def build(store: Store, matches: int, servers: int) -> Made:
    """Fill a store, unless it is full already."""
    rng = random.Random("million")
    people = servers_of(matches, servers, rng)
    made = Made(store, matches, people)
    if await store.history_count(next(iter(people))):
        return made
    queue = list(played(matches, people, rng))
    for at in range(0, matches, AT_ONCE):

        async def work(connection: AsyncConnection, part: list[Played]) -> None:
            for match in part:
                table = await write(connection, match)
                await outcomes.add_score(connection, table, score(match, rng))

        await store._gate.run(work, queue[at : at + AT_ONCE])
    return made


def score(match: Played, rng: random.Random) -> Score:
    """Return what the hands came to."""
    seats = len(match.users)
    hands = tuple(HandScore(tuple(rng.sample(range(1, seats + 1), seats)), (1,) * seats, (0,) * seats)
                  for _ in range(match.hands))  # fmt: skip
    return Score(hands)


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """Return how many milliseconds something takes."""
    began = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - began)


async def pages(made: Made) -> dict[str, list[float]]:
    """Return how long each page takes, for people and servers drawn at random."""
    rng, ladders = random.Random("asked"), Ladders(made.store, {})
    found: dict[str, list[float]] = {}
    for _ in range(ASKED):
        guild = rng.choice(list(made.people))
        me, other = (UserId(user) for user in rng.sample(made.people[guild], 2))
        by: By = rng.choice([by for by in BYS if by != "everywhere"])
        await ladders.entered(guild, OPEN, me)  # brought up, as after every look
        for name, work in _asked(made, ladders, guild, me, other, by):
            found.setdefault(name, []).append(await timed(work))
    return found


def _asked(
    made: Made, ladders: Ladders, guild: GuildId, me: UserId, other: UserId, by: By
) -> Iterator[tuple[str, Callable[[], Awaitable[object]]]]:
    async def board() -> None:
        shown = await ladders.standings(Ladder(guild, "big_two"), by, 0, me, made.end)
        shelf = Shelf(BYS, "The Deck")
        picture = ladder(shown, shelf, EN)
        standings(shown, shelf, picture, EN)
        if picture:
            await asyncio.to_thread(picture.png)

    async def own() -> None:
        found = await ladders.entered(guild, OPEN, me)
        if found is None:
            return
        records = {game: record(entries) for game, entries in found.by_game.items()}
        game = next(iter(records))
        ratings = records[game].ratings
        shown = Profile(
            me,
            found.name,
            "The Deck",
            records,
            game,
            ratings[-1] if ratings else None,
            mine=True,
            reliability=reliability(found.by_game),
            style=Style(await made.store.played(guild, OPEN, me, game)),
        )
        picture = card(shown, EN)
        profile(shown, picture, None, EN)
        await asyncio.to_thread(picture.png)

    async def listing() -> None:
        count = await made.store.history_count(guild)
        history(await made.store.history(guild, PAGE, 0), 0, count, EN, where="The Deck")

    async def heads() -> None:
        await made.store.met(guild, OPEN, me, other)

    async def debts() -> None:
        shown = await Debts(made.store, {guild: ServerSettings(stakes=True)}).account(Notebook(guild), me)
        ledger(shown, "The Deck", EN)

    async def leaving() -> None:
        matches, users = await made.store.meetings(guild, made.end - SIGNS.span)
        pairs(stand_out(matches), users, EN)

    yield "/matches ledger", debts
    yield "who always leaves", leaving
    yield "a page of /standings, picture and all", board
    yield "/my profile, picture and all", own
    yield "/matches list", listing
    yield "head to head", heads


async def finishing(made: Made) -> list[float]:
    """Return how long the last write of a match takes."""
    guild = next(iter(made.people))
    standing = tuple(Standing(seat, UserId(seat + 1), f"P{seat}", False, seat + 1, 0, 0) for seat in range(4))
    took = []
    for number in range(ASKED):
        table = await a_table(made.store, guild=guild, game="big_two", preset="pagat", options={}, seats=4)
        outcome = Outcome(HANDS, made.end + timedelta(minutes=number), standing)
        ended = Change(
            phase="over", outcome=outcome, score=Score((HandScore((1, 2, 3, 4), (1,) * 4, (0,) * 4),) * HANDS)
        )
        took.append(await timed(lambda table=table, ended=ended: made.store.save(table, ended)))  # type: ignore[misc]
    return took


async def recounted(made: Made) -> float:
    """Return how many milliseconds it takes to write the books of one server anew."""
    guild = max(made.people, key=lambda one: len(made.people[one]))
    return await timed(lambda: _anew(Ladders(made.store, {}), guild))


async def _anew(ladders: Ladders, guild: GuildId) -> None:
    for game in GAMES:
        await ladders._results.reckon(Ladder(guild, game), replace_by(ladders._way(Ladder(guild, game))))


def replace_by(way: Any) -> Any:
    """Return another way of reckoning, so that all is reckoned anew."""
    return way._replace(by=f"{way.by} anew")


async def measure(path: Path, matches: int, servers: int) -> None:
    """Print all of it."""
    began = time.perf_counter()
    store = await Store.open(path, now)
    with tempfile.TemporaryDirectory() as folder:
        empty = await Store.open(Path(folder) / "empty.db", now)
        few = Made(empty, 0, {GuildId(1): [1, 2]})
        try:
            made = await build(store, matches, servers)
            print(f"{matches} matches, {matches * HANDS} hands, {len(made.people)} servers; "
                  f"made or found in {time.perf_counter() - began:.0f} s")  # fmt: skip
            first = await pages(made)
            alone, there = await finishing(few), await finishing(made)
            again = await recounted(made)
        finally:
            await empty.close()
            await store.close()
    for name, took in first.items():
        print(f"{name}: {median(took):.1f} ms, p99 {quantiles(took, n=100)[98]:.1f} ms (goal: median {PAGE_GOAL} ms)")
    more = median(there) / median(alone)
    print(f"finishing a match: {median(there):.1f} ms, {more:.2f} times that in an empty store (goal {FINISH_GOAL})")
    print(f"recount of one server: {again:.0f} ms")


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
        asyncio.run(measure(path, matches, servers))
        print(f"the file: {path.stat().st_size / matches:.0f} bytes a match, without its record")


if __name__ == "__main__":
    main()
