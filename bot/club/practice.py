"""Practice: somebody plays alone with house players, as often as they like. It counts for nothing.

A person has one such table at a time, and the store no rows of those before. Refuses to know how any of it is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol
from weakref import WeakValueDictionary

from bot.club.solo import begin_solo_table, new_solo_table, solo_chairs
from bot.ground.chair import Chair
from bot.ground.ids import TableId, UserId
from bot.ground.level import Level
from bot.ground.names import Reserved
from bot.ground.pace import Deadline
from bot.ground.refused import Refused
from bot.house import levels
from bot.rules.film import Shot
from bot.rules.ruleset import Ruleset
from bot.store.rows import NewTable, Step, TableRow
from bot.table.core.chairs import Chairs, own_house_players, own_seat
from bot.table.core.commands import Close
from bot.table.core.duplicate import of_hands
from bot.table.core.state import ruleset_of
from bot.table.registry import Tables
from bot.table.table import Table

NOTHING_DONE = "You have done nothing yet that could be taken back."
NOTHING_TO_PLAY = (
    "From this moment nobody can play on. Go to one in the middle of a hand, not too late in a long match."
)
CLOSED = "This table is closed."
EXPIRES_AFTER = timedelta(days=7)  # after which a hand that nobody has gone on with is closed


@dataclass(frozen=True, slots=True)
class PracticePlayer:
    """Who practises. level: at which they want house players, where the game knows it."""

    user: UserId
    name: str
    level: Level


@dataclass(frozen=True, slots=True)
class PracticeHand:
    """A hand that one plays alone.

    seed: of its cards. seat: on which one sits. steps: what has happened in it already. others: the house players who
    sit there; on seats that are left other ones sit down.
    """

    rules: Ruleset
    seed: str = field(repr=False)
    seat: int = 0
    steps: tuple[Step, ...] = field(default=(), repr=False)
    others: Chairs = ()

    @classmethod
    def of(cls, table: Table, user: UserId) -> PracticeHand:
        """Return the hand of somebody's table as it began there."""
        row, given = table.row, sum(step.by == "given" for step in table.row.steps)
        return cls(
            table.ruleset, row.seed, own_seat(row.chairs, user), row.steps[:given], own_house_players(row.chairs)
        )

    @classmethod
    def before(cls, table: Table, user: UserId) -> PracticeHand:
        """Return the hand of somebody's table as it was before what they did last. Raises Refused."""
        seat, steps = own_seat(table.row.chairs, user), table.row.steps
        last = next((step.ply for step in reversed(steps) if (step.seat, step.by) == (seat, "person")), None)
        if last is None:
            raise Refused(NOTHING_DONE)
        return cls(table.ruleset, table.row.seed, seat, steps[:last], own_house_players(table.row.chairs))


class PracticeStore(Protocol):
    """What this needs of a store."""

    async def new_table(self, new: NewTable, chairs: tuple[Chair, ...], deadline: Deadline | None) -> TableRow:
        """Write a new table."""
        ...

    async def steps(self, table: TableId, first: int, end: int) -> tuple[Step, ...]:
        """Return the steps from one ply up to another."""
        ...

    async def seated(self, user: UserId) -> tuple[TableRow, ...]:
        """Return the open tables where somebody sits."""
        ...

    async def forget_steps(self, table: TableId) -> None:
        """Delete what was done at a table that is closed."""
        ...

    async def delete_practice(self, user: UserId, kept: Collection[TableId]) -> None:
        """Delete the ended practice tables of a person. kept: tables that stay."""
        ...

    async def old_practice(self, before: datetime) -> tuple[TableId, ...]:
        """Return the tables at which somebody practises who has not gone on since then."""
        ...


class Practice:
    """Who practises. now: the time; seed: makes the seed of a match."""

    def __init__(
        self,
        store: PracticeStore,
        tables: Tables,
        now: Callable[[], datetime],
        seed: Callable[[], str],
        reserved: Reserved,
    ) -> None:
        self._store = store
        self._tables = tables
        self._now = now
        self._seed = seed
        self._reserved = reserved
        self._beginning: WeakValueDictionary[UserId, asyncio.Lock] = WeakValueDictionary()  # one is held while used

    async def begin(self, who: PracticePlayer, rules: Ruleset, *, just_so: bool = False) -> Table:
        """Return a table with a hand dealt: the one they have by these rules, or a new one in place of any other.

        just_so: whether they go on only with one at which house players play at the level they want.
        """
        rules = of_hands(rules, 1)
        async with self._one_click(who):
            for table in await self._open(who.user):
                if table.ruleset == rules and not (
                    just_so and _house_level(table) != levels.at(who.level, rules.rules)
                ):
                    return table
            return await self._deal(who, PracticeHand(rules, self._seed()))

    async def other_cards(self, table: Table, who: PracticePlayer) -> Table:
        """Return a table with other cards by the same rules, in place of this one: one click deals once."""
        async with self._one_click(who):
            if table.row.open:
                return await self._deal(who, PracticeHand(of_hands(table.ruleset, 1), self._seed()))
        return await self.begin(who, table.ruleset)

    async def same_cards(self, table: Table, who: PracticePlayer) -> Table:
        """Return a table with the cards of this one as they were dealt, in place of what they practise now."""
        return await self._instead(table, who, PracticeHand.of)

    async def take_back(self, table: Table, who: PracticePlayer) -> Table:
        """Return a table as this one was before what they did last, with the same house players, in its place.

        Raises Refused where they have done nothing yet. The record of a table only grows, so it is another table.
        """
        return await self._instead(table, replace(who, level=_house_level(table)), PracticeHand.before)

    async def from_moment(self, who: PracticePlayer, row: TableRow, shot: Shot, seat: int | None) -> Table:
        """Return a table at which a match that is over goes on from one of its moments, to the end of that hand.

        It takes the place of whatever they practise. row: of that match. seat: on which they sit; without, on that of
        whoever was to act. Raises Refused where there is nothing to play, Illegal for rules of old that nobody may have
        any more.
        """
        if not shot.goes_on:
            raise Refused(NOTHING_TO_PLAY)
        match, steps = shot.match, await self._store.steps(row.id, 0, shot.match.ply)
        if seat is None or seat >= row.seats:
            seat = min(match.awaited or match.to_act, default=0)
        given = tuple(replace(step, by="given") for step in steps)
        others = tuple(chair for chair in own_house_players(row.chairs) if chair.seat != seat)
        hand = PracticeHand(rules_up_to(ruleset_of(row), match.number), row.seed, seat, given, others)
        async with self._one_click(who):
            return await self._deal(who, hand, row.id)

    async def current(self, user: UserId) -> Table | None:
        """Return the table at which somebody practises now."""
        return next(iter(await self._open(user)), None)

    def _one_click(self, who: PracticePlayer) -> asyncio.Lock:
        """Return the lock with which one of two clicks of a person begins a hand."""
        return self._beginning.setdefault(who.user, asyncio.Lock())

    async def _instead(
        self, table: Table, who: PracticePlayer, begin: Callable[[Table, UserId], PracticeHand]
    ) -> Table:
        """Return a table with a hand made of this table's, in place of what they practise now.

        Of one that another took the place of, that other one. Raises Refused where it is closed for good. begin: finds
        the hand.
        """
        async with self._one_click(who):
            if table.row.phase != "closed":
                return await self._deal(who, begin(table, who.user))
            if now := await self.current(who.user):
                return now
            raise Refused(CLOSED)

    async def _deal(self, who: PracticePlayer, hand: PracticeHand, *kept: TableId) -> Table:
        """Deal a hand in place of whatever they practise. kept: a table that stays, also where they practised there.

        The tables before are deleted, after the new one is written: SQLite gives the highest number again once it is
        free. In memory they stay for a while, so that a second click there finds the hand that took their place.
        """
        before = await self._open(who.user)
        dealt = await begin_solo_table(self._tables, who.user, self._new(who, hand))
        for table in before:
            await table.do(Close())
        await self._store.delete_practice(who.user, (dealt.id, *kept))
        return dealt

    async def _open(self, user: UserId) -> list[Table]:
        """Return the tables at which somebody practises, the newest first."""
        return [await self._tables.get(row.id) for row in await self._store.seated(user) if row.alone == "practice"]

    async def _new(self, who: PracticePlayer, hand: PracticeHand) -> TableId:
        rules = hand.rules.rules
        level = levels.at(who.level, rules)
        chairs = solo_chairs(who.user, who.name, hand.seat, rules.players, self._reserved, level, hand.others)
        new = new_solo_table(who.user, hand.rules, hand.seed, self._now(), "practice", steps=hand.steps)
        return (await self._store.new_table(new, chairs, None)).id

    async def close_expired(self) -> None:
        """Close what nobody has gone on with for long."""
        for number in await self._store.old_practice(self._now() - EXPIRES_AFTER):
            await (await self._tables.get(number)).do(Close())
            await self._store.forget_steps(number)  # some of them may be another match's


def rules_up_to(rules: Ruleset, hand: int) -> Ruleset:
    """Return rules as a match was played by them, but ending with this hand. Raises as ``of_hands``."""
    return replace(of_hands(rules, hand), version=rules.version)


def offered_levels(rules: Ruleset) -> tuple[Level, ...]:
    """Return the levels at which house players can be met by these rules, the easiest first."""
    return levels.offered(rules.rules)


def _house_level(table: Table) -> Level:
    """Return at which level house players play there."""
    return next(chair.level for chair in table.row.chairs if chair.user is None)
