"""Whole matches as they are played: what was sent, what leaked, what was logged, which deals were sealed."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import logging
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from simcord.types import HttpLogEntry

from bot.rules.record import Record
from bot.rules.seal import CHAIN, sealed
from bot.running.logs import OURS, write_log
from bot.settings import Token
from bot.table.core.state import record_of
from bot.table.table import Table
from tests.secrecy.play_through import Plan, Players, sit_down
from tests.secrecy.watch import Watch
from tests.world import World, world

TOKEN = "secret.bot.token"
CHINESE = {"ben": "zh-CN", "dev": "zh-TW"}
PLANS = (
    Plan("alone among house players, two hands, plain", options={"hands": 2, "stake": 5}, curious=3),
    Plan("four people in a Chinese thread, card emoji", ("ben", "cleo", "dev"), "zh-CN", CHINESE, emoji=True,
         threads=True, options={"hands": 1, "pace": "slow", "stake": 0}, pause=125.0, curious=5),
    Plan("two tables at once, mixed languages, no clock", ("cleo",), "en-US", {"ann": "zh-CN", "dev": "zh-CN"},
         emoji=True, options={"hands": 1, "pace": "none"}, tables=2, curious=6),
)  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """What came of a plan.

    users: how many requests each person, or None for everybody, got to read; direct: by DM. records: of the matches.
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
        """Every time somebody checked the deals: the commitment, and what was opened by then, in their order."""
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
        secrets = {TOKEN, *(table.row.seed.removeprefix(CHAIN) for table in tables)}
        await asyncio.sleep(0)
        everybody = [Players(here, table, plan, watch=watch) for table in tables]
        for players in everybody:
            await players.to_the_end()
            await look_back(players)
        await here.settle()
        noise = (each for players in everybody for each in players.noise)
        return Seen(
            tuple(watch.requests), (*watch.leaks, *noise), watch.seen, watch.direct, log.getvalue(), frozenset(secrets),
            tuple(here.env.errors), tuple(record_of(table.row) for table in tables),
        )  # fmt: skip


async def _tables(here: World, plan: Plan) -> list[Table]:
    """Open the tables of a plan, each in a channel of its own and with a seed of its own."""
    tables = []
    for number in range(plan.tables):
        here.deal = plan.deal or sealed(hashlib.sha256(f"{plan.name} {number}".encode()).hexdigest())
        channel = here.guild.create_text_channel(f"more cards {number}") if number else here.channel
        tables.append(await sit_down(here, plan, channel))
    return tables


async def look_back(players: Players) -> None:
    """Step through the finished match and open the next lobby, as everybody who sat there may."""
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
