"""The tables these tests set up, and the two questions they ask again and again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from bot.domain.chairs import Chair
from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.domain.pace import LIVE, Deadline
from bot.runtime.store_address import Address
from bot.store.engine.migration import SCRIPTS
from bot.store.errors import StoreError
from bot.store.rows import MatchStep, NewTable, TableRow
from bot.store.store import Store

NOON = datetime(2026, 3, 1, 12, 0, 0, 123457, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
GUILD, CHANNEL = GuildId(2**62 + 1), ChannelId(2**62 + 2)
ANN, BEN, CAT = map(UserId, range(1456074443980800101, 1456074443980800104))
CHAIRS = (Chair(0, ANN, "Ann ♦"), Chair(1, None, "Robo", house=True), Chair(2, BEN, "Ben", house=True, misses=3))
NEW_TABLE = NewTable(
    guild=GUILD,
    channel=CHANNEL,
    host=ANN,
    game="big_two",
    preset="standard",
    options={"hands": 3, "money": True, "name": "大老二", "list": [1, 2]},
    seats=3,
    seed="00ff",
    pace=LIVE,
    created=NOON,
)
STEP = MatchStep(ply=0, seat=0, action="3d", by="person", at=NOON)


def scripts_up_to(number: int, folder: Path) -> Path:
    """Return the migrations of an earlier version: all steps up to this one, copied into a folder."""
    newer = [path.name for path in (SCRIPTS / "versions").glob("r*.py") if int(path.stem[1:5]) > number]
    copytree(SCRIPTS, folder / "before", ignore=ignore_patterns("__pycache__", *newer))
    return folder / "before"


def now() -> datetime:
    return NOON


async def add_table(store: Store, deadline: Deadline | None = None, **changes: Any) -> TableId:
    return (await store.tables.add(replace(NEW_TABLE, **changes), CHAIRS, deadline)).id


async def load_table(store: Store, table: TableId) -> TableRow:
    row = await store.tables.load(table)
    assert row is not None
    return row


async def open_refusal(address: Address) -> str:
    with pytest.raises(StoreError) as refused:
        await Store.open(address, now)
    return str(refused.value)
