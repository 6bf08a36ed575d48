"""The stored data of a person: counted, or read page by page.

Combines the subject of each column (bot/store/schema/columns.py) with the sittings that tell whose moves a record
holds. A page is one short transaction, so other transactions run in between; a deletion of the person's data ends the
reading.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    CompoundSelect,
    Row,
    RowMapping,
    Select,
    String,
    Table,
    and_,
    bindparam,
    case,
    func,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.store.engine import erasures
from bot.store.engine.erasures import Erasure
from bot.store.engine.gate import Gate
from bot.store.erasure.deletions import Deletions
from bot.store.repositories.records import Pack, PackError, open_pack
from bot.store.schema import NAMED_IN, actions, metadata, packs, players, sittings, tables
from bot.store.schema.columns import holding, meanings

T = TypeVar("T")
RowData: TypeAlias = dict[str, Any]  # the values of a row by column name

ROWS = 200  # rows, or moves, per transaction
SOURCES = 6  # read in one transaction
SITTINGS = 20  # per transaction of moves
MOVES = "moves"
LAST_PLY = 2**31 - 1
NOT_OWN = ("house", "given")  # deciders of moves that belong to no person: house players, and the start position
MEANWHILE = N_("Your data was deleted in the meantime, so there's no file.")


class DataCount(NamedTuple):
    """The amount of a person's stored data: rows, and matches played."""

    rows: int
    matches: int


class DataPage(NamedTuple):
    """Rows of one table, or moves. Pages of the same name follow each other."""

    name: str
    rows: list[RowData]


class RowSource(NamedTuple):
    """The rows of a table that hold a person in one column, and in no earlier source's column."""

    table: Table
    which: ColumnElement[bool]


class RowPosition(NamedTuple):
    """The position of the next read. after: the key of the last row read from this source."""

    source: int = 0
    after: tuple[Any, ...] = ()


class MovePosition(NamedTuple):
    """The position of the next read: this sitting, or the one after it, from a ply on."""

    table: int = 0
    seat: int = 0
    sitting: int = 0
    ply: int = 0


@dataclass(frozen=True, slots=True)
class SittingMoves:
    """A person's moves on a seat during one sitting.

    loose: moves stored one by one. packed: the pack with the moves of an older match.
    """

    where: RowData
    seat: int
    first: int
    end: int
    loose: tuple[RowData, ...] = ()
    packed: Pack | None = None

    def moves(self) -> Iterator[RowData]:
        """Yield the person's moves; for a damaged record, one row that says so."""
        yield from (self.where | row for row in self.loose)
        if self.packed is None:
            return
        try:
            steps = open_pack(self.packed).steps(self.first, self.end)
        except PackError:
            yield self.where | {"ply": 0, "damaged": True}
            return
        for step in steps:
            if step.seat == self.seat and step.by not in NOT_OWN:
                did = {"ply": step.ply, "seat": step.seat, "action": step.action, "by": step.by, "at": step.at}
                yield self.where | did


@dataclass(frozen=True, slots=True)
class DataSubject:
    """The person whose data is read.

    began: the time of the person's latest deletion, at the start of the reading.
    """

    user: UserId
    mark: str
    began: datetime | None = None

    @property
    def values(self) -> RowData:
        """The parameters of the conditions."""
        return {"user": self.user, "mark": self.mark}


class OwnData:
    """The reader of a person's stored data. Every call may raise StoreError."""

    def __init__(self, gate: Gate, deletions: Deletions, user: UserId) -> None:
        self._gate = gate
        self._deletions = deletions
        self._user = user
        self._mark = deletions.ledger.mark("person", user)

    async def count(self) -> DataCount:
        """Return the number of rows and matches, without reading a row."""
        return await self._gate.read(_count, DataSubject(self._user, self._mark))

    async def pages(self) -> AsyncIterator[DataPage]:
        """Yield the pages. Raises Refused after a deletion of the data.

        The caller must then discard every page.
        """
        began = await self._gate.read(self._deletions.forgotten, self._user)
        person = DataSubject(self._user, self._mark, began)
        place: RowPosition | None = RowPosition()
        while place is not None:
            pages, place = await self._gate.read(self._read, person, _read_rows, place)
            for page in pages:
                yield page
        further: MovePosition | None = MovePosition()
        while further is not None:
            sat, further = await self._gate.read(self._read, person, _read_moves, further)
            if rows := await asyncio.to_thread(_moves, sat):
                yield DataPage(MOVES, rows)
        await self._gate.read(self._check, person)

    async def _read(
        self,
        connection: AsyncConnection,
        person: DataSubject,
        reading: Callable[[AsyncConnection, DataSubject, Any], Awaitable[T]],
        place: Any,
    ) -> T:
        await self._check(connection, person)
        return await reading(connection, person, place)

    async def _check(self, connection: AsyncConnection, person: DataSubject) -> None:
        """Raise Refused if the data was deleted since the start of the reading."""
        if await self._deletions.forgotten(connection, person.user) != person.began:
            raise Refused(MEANWHILE)
        if await erasures.is_ongoing(connection, Erasure("person", person.user)):
            raise Refused(MEANWHILE)


# Rows

USER = bindparam("user", type_=BigInteger)
MARK = bindparam("mark", type_=String)
OWN_PLAYER = select(players.c.id).where(players.c.user == USER).scalar_subquery()


@cache
def sources() -> tuple[RowSource, ...]:
    """Return the sources of every table.

    Each column is a separate source, so that its index is used.
    """
    return tuple(source for table in metadata.sorted_tables for source in _sources_in(table))


def _sources_in(table: Table) -> Iterator[RowSource]:
    ways = [holding(column, meaning, USER) for column, meaning in meanings(table, "person")]
    ways += [column == MARK for column, _ in meanings(table, "mark")]
    ways += [column == OWN_PLAYER for column, _ in meanings(table, "player")]
    ways += [key.in_(select(NAMED_IN[table].c.key).where(NAMED_IN[table].c.user == USER)) for key in _text_key(table)]
    for at, way in enumerate(ways):
        yield RowSource(table, and_(way, *(case((earlier, 1), else_=0) == 0 for earlier in ways[:at])))


def _text_key(table: Table) -> tuple[Column[Any], ...]:
    """Return the primary key of a table whose texts may name people, else an empty tuple."""
    return tuple(table.primary_key.columns) if table in NAMED_IN else ()


@cache
def _counting() -> CompoundSelect[Any]:
    """Return the query that counts the rows of each source."""
    return union_all(*(select(func.count()).select_from(source.table).where(source.which) for source in sources()))


@cache
def _paging(at: int, *, further: bool) -> Select[Any]:
    """Return the query for rows of a source in key order.

    further: only rows after the key given by the parameters after_0, after_1 and so on.
    """
    table, which = sources()[at]
    key = tuple(table.primary_key.columns)
    if further:
        after = (bindparam(f"after_{number}", type_=column.type) for number, column in enumerate(key))
        which = and_(which, tuple_(*key) > tuple_(*after))
    return select(table).where(which).order_by(*key).limit(bindparam("room"))


async def _count(connection: AsyncConnection, person: DataSubject) -> DataCount:
    if await erasures.is_ongoing(connection, Erasure("person", person.user)):
        return DataCount(0, 0)
    rows = (await connection.execute(_counting(), person.values)).scalars().all()
    return DataCount(sum(rows), (await connection.execute(MATCHES, person.values)).scalar_one())


async def _read_rows(
    connection: AsyncConnection, person: DataSubject, place: RowPosition
) -> tuple[list[DataPage], RowPosition | None]:
    """Read rows from a position on; return them, and the next position, None at the end."""
    pages, room, end = list[DataPage](), ROWS, min(place.source + SOURCES, len(sources()))
    player = (await connection.execute(select(OWN_PLAYER), person.values)).scalar()
    for at in range(place.source, end):
        after = place.after if at == place.source else ()
        values = {f"after_{number}": value for number, value in enumerate(after)} | {"room": room}
        rows = (await connection.execute(_paging(at, further=bool(after)), person.values | values)).mappings().all()
        if rows:
            table = sources()[at].table
            pages.append(DataPage(table.name, [visible_row(table, row, person.user, player) for row in rows]))
        if len(rows) == room:
            return pages, RowPosition(at, tuple(rows[-1][column.name] for column in table.primary_key.columns))
        room -= len(rows)
    return pages, RowPosition(end) if end < len(sources()) else None


class HiddenColumns(NamedTuple):
    """The columns of a table that an export omits.

    always: hidden from every reader. own: pairs of a column, and the column with the person who may see it. players:
    the columns with a player. people: the columns with a person, each with the columns of that person's name.
    """

    always: frozenset[str]
    own: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    people: tuple[tuple[str, frozenset[str]], ...]


@cache
def _hiding(table: Table) -> HiddenColumns:
    names = [(name.name, meaning.of) for name, meaning in meanings(table, "name")]
    return HiddenColumns(
        frozenset(column.name for column, _ in meanings(table, "secret")),
        tuple((column.name, meaning.of) for column, meaning in meanings(table, "own")),
        tuple(column.name for column, _ in meanings(table, "player")),
        tuple(
            (column.name, frozenset({column.name, *(name for name, of in names if of == column.name)}))
            for column, _ in meanings(table, "person")
        ),
    )


def visible_row(table: Table, row: RowMapping, user: UserId, player: int | None) -> RowData:
    """Return a row without the data of other people."""
    hiding = _hiding(table)
    hidden = set(hiding.always)
    hidden.update(name for name, of in hiding.own if row[of] != user)
    hidden.update(name for name in hiding.players if row[name] != player)
    hidden.update(*(names for name, names in hiding.people if row[name] != user))
    return {name: value for name, value in row.items() if name not in hidden}


# Moves

OWN_SITTINGS = and_(sittings.c.user == USER, ~sittings.c.house, sittings.c.ply >= 0)
MATCHES = select(func.count(sittings.c.table_id.distinct())).where(OWN_SITTINGS)
later = sittings.alias("later")
END = (
    select(func.min(later.c.ply))
    .where(later.c.table_id == sittings.c.table_id, later.c.seat == sittings.c.seat, later.c.ply > sittings.c.ply)
    .scalar_subquery()
)
FROM = tuple_(*(bindparam(name, type_=BigInteger) for name in ("table", "seat", "sitting")))
SITTINGS_FROM = (
    select(sittings.c.table_id, sittings.c.seat, sittings.c.ply, func.coalesce(END, LAST_PLY).label("end"))
    .add_columns(tables.c.guild, tables.c.number, tables.c.game, tables.c.phase)
    .add_columns(packs.c.length, packs.c.version, packs.c.checksum, packs.c.body)
    .join(tables, tables.c.id == sittings.c.table_id)
    .outerjoin(packs, packs.c.table_id == sittings.c.table_id)
    .where(OWN_SITTINGS, tuple_(sittings.c.table_id, sittings.c.seat, sittings.c.ply) >= FROM)
    .order_by(sittings.c.table_id, sittings.c.seat, sittings.c.ply)
    .limit(SITTINGS)
)
OWN_MOVES = (
    select(actions.c.ply, actions.c.seat, actions.c.action, actions.c.by, actions.c.at)
    .where(actions.c.table_id == bindparam("table"), actions.c.seat == bindparam("seat"))
    .where(actions.c.ply >= bindparam("first"), actions.c.ply < bindparam("end"), actions.c.by.not_in(NOT_OWN))
    .order_by(actions.c.ply)
    .limit(bindparam("room"))
)


async def _read_moves(
    connection: AsyncConnection, person: DataSubject, place: MovePosition
) -> tuple[list[SittingMoves], MovePosition | None]:
    """Read moves from a position on; return them, and the next position, None at the end."""
    found, room = list[SittingMoves](), ROWS
    at = {"table": place.table, "seat": place.seat, "sitting": place.sitting}
    rows = (await connection.execute(SITTINGS_FROM, person.values | at)).all()
    for row in rows:
        first = max(row.ply, place.ply) if row[:3] == place[:3] else row.ply
        sat = _sat(row, first)
        if sat.packed is None:
            values = {"table": row.table_id, "seat": row.seat, "first": first, "end": row.end, "room": room}
            moves = (await connection.execute(OWN_MOVES, values)).mappings().all()
            found.append(
                SittingMoves(
                    sat.where, row.seat, first, row.end, tuple(visible_move(row.phase, dict(move)) for move in moves)
                )
            )
            if len(moves) == room:
                return found, MovePosition(row.table_id, row.seat, row.ply, moves[-1]["ply"] + 1)
            room -= len(moves)
        else:
            found.append(sat)
    if len(rows) < SITTINGS:
        return found, None
    table, seat, ply = rows[-1][:3]
    return found, MovePosition(table, seat, ply + 1)


def _sat(row: Row[Any], first: int) -> SittingMoves:
    where = {"guild": row.guild, "number": row.number, "game": row.game, "table_id": row.table_id}
    packed = None if row.body is None else Pack(row.length, row.version, row.checksum, row.body)
    return SittingMoves(where, row.seat, first, row.end, (), packed)


def _moves(sat: list[SittingMoves]) -> list[RowData]:
    return [move for one in sat for move in one.moves()]


def visible_move(phase: str, move: Mapping[str, Any]) -> RowData:
    """Return a move for its player: without the ply while the match runs.

    The plies of one's own moves would tell how many opponents have answered in secret meanwhile.
    """
    return {name: value for name, value in move.items() if name != "ply" or phase != "playing"}
