"""Records of matches: moves, openings, and the packed form of ended matches."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate, count, pairwise
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Row, Select, bindparam, delete, func, insert, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import GuildId, TableId
from bot.store.engine.repository import Repository, read, write
from bot.store.errors import RecordDamaged, RecordDeleted
from bot.store.rows import ENDED_PHASES, Decider, MatchStep
from bot.store.schema import actions, cuts, openings, packs, results, tables
from bot.store.schema.columns import EPOCH, MICROSECOND

here = bindparam("here", type_=BigInteger)
PACK = select(packs).where(packs.c.table_id == here)
ended_before = tables.c.phase.in_(ENDED_PHASES), tables.c.touched <= bindparam("since", type_=tables.c.touched.type)
NEXT_TO_GO = (
    select(packs.c.table_id)
    .join(tables, tables.c.id == packs.c.table_id)
    .outerjoin(results, results.c.table_id == packs.c.table_id)
    .where(packs.c.table_id > here, packs.c.body.is_not(None), *ended_before)
    .where(tables.c.guild.in_(bindparam("guilds", expanding=True)))
    .where(or_(results.c.table_id.is_(None), results.c.deeds >= bindparam("version")))
    .order_by(packs.c.table_id)
    .limit(1)
)
STEPS = (
    select(actions)
    .where(actions.c.table_id == here, actions.c.ply >= bindparam("first"), actions.c.ply < bindparam("end"))
    .order_by(actions.c.ply)
)
LENGTH = select(
    func.coalesce(
        select(func.max(actions.c.ply) + 1).where(actions.c.table_id == here).scalar_subquery(),
        select(packs.c.length).where(packs.c.table_id == here).scalar_subquery(),
        0,
    )
)
STEPS_PER_PAGE = 250  # the number of steps built in one go, which blocks the event loop
OPENINGS = select(openings.c.checksum, openings.c.body).where(openings.c.table_id == here)
PLAYED = (
    select(tables.c.id)
    .outerjoin(packs, packs.c.table_id == tables.c.id)
    .where(tables.c.id == here, or_(packs.c.table_id.is_(None), packs.c.body.is_not(None)))
)
CLOSED = select(literal(1)).where(tables.c.id == actions.c.table_id, tables.c.phase == "closed").exists()
DROP_STEPS = delete(actions).where(actions.c.table_id == bindparam("of_table"), CLOSED)
MAX_CACHED_PACKS = 8  # the number of recently read matches cached: a reader steps through a match page by page


def _next_to_pack_query() -> Select[Any]:
    """Return the query for the next match to pack.

    It jumps from table to table by the key of the steps, so many steps cost no more.
    """
    later = select(func.min(actions.c.table_id).label("id"))
    unpacked = later.where(actions.c.table_id > here).cte("unpacked", recursive=True)
    another = later.where(actions.c.table_id > unpacked.c.id).scalar_subquery()
    unpacked = unpacked.union_all(select(another).where(unpacked.c.id > 0))
    return select(unpacked.c.id).join(tables, tables.c.id == unpacked.c.id).where(*ended_before).limit(1)


NEXT = _next_to_pack_query()


async def _next_to_pack(connection: AsyncConnection, after: TableId, since: datetime) -> TableId | None:
    """Find the next unpacked match that ended before ``since``, in order of table ids."""
    found: TableId | None = (await connection.execute(NEXT, {"here": after, "since": since})).scalar()
    return found


async def replace_by_pack(connection: AsyncConnection, table: TableId, steps: tuple[MatchStep, ...]) -> None:
    """Replace all steps of a match by a pack.

    Raises PackError if the pack would not reproduce the steps.
    """
    made = await asyncio.to_thread(pack, steps)
    values = {"length": made.length, "version": made.version, "checksum": made.checksum, "body": made.body}
    await connection.execute(insert(packs).values(table_id=table, began=steps[0].at, **values))
    kept = (await connection.execute(PACK, {"here": table})).one()
    if await asyncio.to_thread(unpack, _of(kept)) != steps:
        raise PackError("It is not kept as it was made.")
    await connection.execute(delete(actions).where(actions.c.table_id == table))


async def _forget_plays(
    connection: AsyncConnection, after: TableId, guilds: Collection[GuildId], since: datetime, version: int
) -> TableId | None:
    """Delete the plays of the next match of these servers that ended before ``since``.

    Returns the match, or None after the last one. version: of the rules for achievements; matches scored by an older
    version stay.
    """
    values = {"here": after, "guilds": list(guilds), "since": since, "version": version}
    found: TableId | None = (await connection.execute(NEXT_TO_GO, values)).scalar()
    if found is not None:
        await connection.execute(update(packs).where(packs.c.table_id == found).values(body=None))
        for table in (cuts, openings):
            await connection.execute(delete(table).where(table.c.table_id == found))
    return found


async def packed(connection: AsyncConnection, table: TableId, first: int, end: int) -> tuple[MatchStep, ...]:
    """Read the steps of a packed match from ``first`` to before ``end``.

    Raises RecordDamaged, RecordDeleted. Returns no steps for a match without a pack.
    """
    kept = (await connection.execute(PACK, {"here": table})).first()
    return () if kept is None else await unpacked(kept, first, end)


async def unpacked(kept: Row[*tuple[object, ...]], first: int = 0, end: int | None = None) -> tuple[MatchStep, ...]:
    """Return the steps in a row of packs, ``first`` to before ``end``.

    Raises RecordDamaged, RecordDeleted.
    """
    if kept.body is None:
        raise RecordDeleted(f"What was played at table {kept.table_id} is no longer kept.")
    try:
        return await asyncio.to_thread(lambda: open_cached(_of(kept)).steps(first, end))
    except PackError as torn:
        raise RecordDamaged(f"The packed record of table {kept.table_id} is damaged. {torn}") from torn


@lru_cache(maxsize=MAX_CACHED_PACKS)
def open_cached(kept: Pack) -> OpenPack:
    """Open a pack; cached for the last matches read. Raises PackError."""
    return open_pack(kept)


def _of(kept: Row[*tuple[object, ...]]) -> Pack:
    return Pack(kept.length, kept.version, kept.checksum, kept.body)


async def read_steps(connection: AsyncConnection, table: TableId, first: int, end: int) -> tuple[MatchStep, ...]:
    """Read the steps from ply ``first`` up to, not including, ply ``end``."""
    found: list[MatchStep] = []
    for at in range(first, end, STEPS_PER_PAGE):
        page = {"here": table, "first": at, "end": min(at + STEPS_PER_PAGE, end)}
        found += map(_step, await connection.execute(STEPS, page))
        if not found:
            return await packed(connection, table, first, end)
    return tuple(found)


def _step(row: Row[Any]) -> MatchStep:
    """Return the step of a row."""
    return MatchStep(**{field.name: getattr(row, field.name) for field in fields(MatchStep)})


async def _pack(connection: AsyncConnection, table: TableId) -> bool:
    """Pack the steps of a finished match; return False if a pack would not reproduce them."""
    length = (await connection.execute(LENGTH, {"here": table})).scalar_one()
    try:
        await replace_by_pack(connection, table, await read_steps(connection, table, 0, length))
    except PackError:
        await connection.rollback()
        return False
    return True


async def _openings(connection: AsyncConnection, table: TableId) -> str | None:
    """Read the openings of a match; None for missing or damaged ones."""
    row = (await connection.execute(OPENINGS, {"here": table})).first()
    if row is None:
        return None
    try:
        return await asyncio.to_thread(decompress_text, row.checksum, row.body)
    except PackError:
        return None


async def add_openings(connection: AsyncConnection, table: TableId, text: str) -> None:
    """Write the openings of a match, replacing earlier ones.

    A match with deleted plays gets none.
    """
    if (await connection.execute(PLAYED, {"here": table})).first() is None:
        return
    checksum, body = await asyncio.to_thread(compress_text, text)
    await connection.execute(delete(openings).filter_by(table_id=table))
    await connection.execute(insert(openings).values(table_id=table, checksum=checksum, body=body))


async def _forget_steps(connection: AsyncConnection, table: TableId) -> None:
    """Delete the steps of a closed table."""
    await connection.execute(DROP_STEPS, {"of_table": table})


class RecordRepository(Repository):
    """The records of matches: steps, packs, and the openings of long matches."""

    steps = read(read_steps)
    openings = read(_openings)
    keep_openings = write(add_openings)
    next_to_pack = read(_next_to_pack)
    pack = write(_pack)
    forget_plays = write(_forget_plays)
    forget_steps = write(_forget_steps)

    async def purge_deleted(self) -> None:
        """Purge deleted data from the files of the database."""
        await self._gate.empty()


VERSION = 1  # the current format of new packs


class PackError(Exception):
    """A pack is corrupt, or steps cannot be packed without loss."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The packed steps of a match.

    length: the number of steps. checksum: of the uncompressed body.
    """

    length: int
    version: int
    checksum: str
    body: bytes = field(repr=False)


def pack(steps: Sequence[MatchStep]) -> Pack:
    """Pack the steps of a match, from the first.

    Raises PackError if unpacking would not restore them exactly.
    """
    moments = [0, *((step.at - EPOCH) // MICROSECOND for step in steps)]
    written = [
        [step.seat for step in steps],
        [step.action for step in steps],
        [step.by for step in steps],
        [later - earlier for earlier, later in pairwise(moments)],
    ]
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    packed = Pack(len(steps), VERSION, *compress_text(text))
    if unpack(packed) != tuple(steps):
        raise PackError("A step is missing, or more is kept of one than a pack has room for.")
    return packed


def unpack(packed: Pack) -> tuple[MatchStep, ...]:
    """Return the steps of a pack. Raises PackError."""
    return open_pack(packed).steps()


class OpenPack(NamedTuple):
    """A pack with random access to its steps. waited: the microseconds from 1970 to each step."""

    seats: list[int]
    actions: list[str]
    deciders: list[Decider]
    waited: list[int]

    def steps(self, first: int = 0, end: int | None = None) -> tuple[MatchStep, ...]:
        """Return the steps from a ply up to, not including, ``end``.

        Without ``end``, returns the steps up to the last.
        """
        part = slice(first, end)
        moments = (EPOCH + passed * MICROSECOND for passed in self.waited[part])
        return tuple(map(MatchStep, count(first), self.seats[part], self.actions[part], self.deciders[part], moments))


def open_pack(packed: Pack) -> OpenPack:
    """Open a pack for random access. Raises PackError."""
    if packed.version != VERSION:
        raise PackError(f"It is of version {packed.version}, which is not known here.")
    seats, actions, deciders, waits = json.loads(decompress_text(packed.checksum, packed.body))
    if len(seats) != packed.length:
        raise PackError(f"It has {len(seats)} steps, and should have {packed.length}.")
    return OpenPack(seats, actions, deciders, list(accumulate(waits)))


def compress_text(text: str) -> tuple[str, bytes]:
    """Return the checksum of a text, and the compressed text."""
    plain = text.encode()
    return sha256(plain).hexdigest(), zlib.compress(plain, 9)


def decompress_text(checksum: str, body: bytes) -> str:
    """Return the text of a compressed body. Raises PackError."""
    try:
        plain = zlib.decompress(body)
    except zlib.error as error:
        raise PackError("It cannot be unpacked.") from error
    if sha256(plain).hexdigest() != checksum:
        raise PackError("Its checksum is another one.")
    return plain.decode()
