"""Whole matches as they are played: messages, leaks, logs, and sealed deals.

Each is played once and checked for all at once: secrets of each reader, the log, what Discord
would refuse, whether the seals open. Remarkable matches are found among house players.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import logging
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from simcord.types import HttpLogEntry

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.ops.logs import OURS, write_log
from bot.rules.core.asks import Action, Ready, Stop
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.seal import CHAIN_PREFIX, chain_seed, earlier_link
from bot.rules.variants.ruleset import read_code
from bot.settings import Token
from bot.table.core.state import record_of
from bot.table.table import Table
from tests.secrecy.card_search import cards_in_text
from tests.secrecy.play_through import Plan, Players, open_planned_table
from tests.secrecy.request_watch import Watch
from tests.standin import limits, openapi
from tests.support.world import NAMES, World, world

TOKEN = "secret.bot.token"
VERBS = re.compile(r"\bb[gpv]:(?:\d+:\d+:)?([a-z_]+)")
MIN_REQUESTS_READ = 3  # requests that every player gets to read at least


@dataclass(frozen=True)
class Seen:
    """The outcome of a plan.

    users: how many requests each person, or None for every player, got to read; direct: by DM. records: of the matches.
    """

    requests: tuple[HttpLogEntry, ...]
    leaks: tuple[str, ...]
    users: dict[int | None, int]
    direct: int
    log: str
    secrets: frozenset[str]
    errors: tuple[BaseException, ...]
    records: tuple[Record, ...]

    @property
    def checks(self) -> list[tuple[str, ...]]:
        """Every time a player checked the deals: the commitment and the opened seeds, in order."""
        found = (tuple(re.findall(r"`([0-9a-f]{64})`", json.dumps(each.json))) for each in self.requests)
        return [each for each in found if each]

    @property
    def public(self) -> str:
        """Everything that stood where all could see it."""
        sent = (each.json for each in self.requests if each.path.startswith("/channels"))
        return "\n".join(json.dumps(each, ensure_ascii=False) for each in sent)


def play(plan: Plan) -> Seen:
    """Play a plan to its end."""
    with logged() as log, tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_play(plan, Path(folder), log))


async def _play(plan: Plan, folder: Path, log: io.StringIO) -> Seen:
    async with world(folder, threads=plan.threads, locale=plan.server, token=Token(TOKEN)) as here:
        watch = Watch(here)
        await here.restart(card_emoji=plan.emoji)
        here.locales.update(plan.locales)
        for name in plan.people:
            if name not in here.people:
                here.arrive(name)
        tables = await _tables(here, plan)
        secrets = {TOKEN, *(table.row.seed.removeprefix(CHAIN_PREFIX) for table in tables)}
        await asyncio.sleep(0)
        everybody = [Players(here, table, plan, watch=watch) for table in tables]
        for players in everybody:
            await players.to_the_end()
            await check_finished_match(players)
        await here.settle()
        noise = (each for players in everybody for each in players.noise)
        return Seen(
            tuple(watch.requests),
            (*watch.leaks, *noise),
            watch.seen,
            watch.direct,
            log.getvalue(),
            frozenset(secrets),
            tuple(here.env.errors),
            tuple(record_of(table.row) for table in tables),
        )


async def _tables(here: World, plan: Plan) -> list[Table]:
    """Open the tables of a plan, each in a channel of its own and with a seed of its own."""
    tables = []
    for number in range(plan.tables):
        here.deal = plan.deal or chain_seed(hashlib.sha256(f"{plan.name} {number}".encode()).hexdigest())
        channel = here.guild.create_text_channel(f"more cards {number}") if number else here.channel
        tables.append(await open_planned_table(here, plan, channel))
    return tables


async def check_finished_match(players: Players) -> None:
    """Step through the finished match and open the next lobby, as every player who sat there may."""
    await players.check("dev")
    shown = await players.command("ann", "matches list")
    await players.step_through("ann", shown)
    await players.command("dev", "standings")


@contextmanager
def logged(level: str = "DEBUG", formatter: logging.Formatter | None = None) -> Iterator[io.StringIO]:
    """Collect the log as the program writes it at this level, but, without its formatter, with nothing blotted out."""
    text, loggers = io.StringIO(), [logging.getLogger(name) for name in ("", *OURS)]
    handler, before = logging.StreamHandler(text), [each.level for each in loggers]
    handler.setFormatter(formatter)
    loggers[0].addHandler(handler)
    write_log(level)
    try:
        yield text
    finally:
        loggers[0].removeHandler(handler)
        logging.captureWarnings(False)
        for each, was in zip(loggers, before, strict=True):
            each.setLevel(was)


# Matches that are special


def with_special_deal(game: Plan, special: Callable[[Record], bool]) -> Plan:
    """Return the plan with the first seed from its number on by which house players make a match that is special."""
    for number in count(game.number):
        record = among_house_players(game, chain_seed(f"{number:064x}"))  # too long to stand in a message by chance
        if len(record.steps) <= game.short and special(record):
            return replace(game, deal=record.seed)
    raise AssertionError


def among_house_players(game: Plan, deal: str) -> Record:
    """Return what would become of a deal, those first that come in out of turn: people sit before house players."""
    known, preset, changes = read_code(game.options["rules"], GAMES)
    record = Record(known, preset, seed=deal, options=changes)
    match = record.begin()
    while not match.over:
        seat, action = _next_step(match, game)
        match, record = match.act(seat, action), record.then(seat, action)
    return record


def _next_step(match: Match, game: Plan) -> tuple[int, Action]:
    if match.game.result:
        return min(match.awaited), Stop() if match.endless and match.number >= game.hands else Ready()
    seats, people = (*sorted(match.to_act - match.awaited), *match.awaited), 1 + len(game.people)
    wishes = ((seat, (game.wish if seat < people else plain_action)(match.view(seat))) for seat in seats)
    return next((seat, action) for seat, action in wishes if action is not None)


# What has to hold


def play_watched(plan: Plan, special: Callable[[Record], bool]) -> Seen:
    """Play a plan; fail if the match is ordinary, or a watched rule is broken."""
    seen = play(plan)
    assert special(seen.records[0]), "this match does not show what it is for"
    check_clean(seen)
    assert len(seen.users) == 1 + len({*NAMES, *plan.people}), "all people and the public"
    assert min(seen.users.values()) > MIN_REQUESTS_READ or not seen.records[0].steps
    return seen


def check_clean(seen: Seen) -> None:
    """Fail where a player learnt something, the log tells anything, or Discord would refuse a request."""
    assert seen.leaks == ()
    assert seen.errors == ()
    assert not [secret for secret in seen.secrets if secret in seen.log]
    assert not set(cards_in_text(seen.log))
    assert limits.complaints_of_all((each.method, each.path, each.json) for each in seen.requests) == []
    assert list(refused(seen)) == []
    assert "Registered" in seen.log, "all is logged"
    check_commitments(seen)
    assert "🔒" in seen.public or not seen.records[0].steps, "it stands under a board as long as cards are played"
    assert not re.search(r"(?<![0-9a-f])[0-9a-f]{32}", seen.public), "no more than a word of a seal"


def refused(seen: Seen) -> Iterator[str]:
    """Yield the errors of Discord's schema for each kind of request; nothing without the schema."""
    kinds: dict[Any, HttpLogEntry] = {}
    for each in seen.requests:
        kinds.setdefault((each.method, re.sub(r"\d+", "", each.path)[:30], tuple(VERBS.findall(str(each.json)))), each)
    for each in kinds.values() if openapi.available() else ():
        yield from openapi.document_complaints(each.method, each.path, each.json)


def check_commitments(seen: Seen) -> None:
    """Compare the commitment at the deal with the later opening."""
    promises = {committed for committed, *_ in seen.checks}
    assert len(promises) == len(seen.records), "one for each match, told again and again"
    opened = {(committed, later[0]) for committed, *later in seen.checks if later}
    assert {committed for committed, _ in opened} == promises
    assert all(committed in {earlier_link(link, hand) for hand in range(1, 9)} for committed, link in opened)
