"""Practice: unlimited unrated hands for one person against house players, and the lessons.

A lesson is a practice hand of its own kind, with a prepared deal and a coach. A person has one practice table and one
lesson at a time; the store deletes the rows of earlier ones. This module never renders a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime, timedelta
from typing import cast
from weakref import WeakValueDictionary

from bot.ai import levels
from bot.club.saved_rules import first_preset
from bot.club.solo import begin_solo_table, deal_if_new, new_solo_table, solo_chairs
from bot.domain.chairs import Level
from bot.domain.contests import PRACTICE_KINDS, PracticeKind
from bot.domain.ids import TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.names import Reserved
from bot.domain.refusals import Refused
from bot.games import LESSONS
from bot.rules.matches.replay import Snapshot
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import MatchStep, TableRow
from bot.store.store import Store
from bot.table.core.chairs import Chairs, own_house_players, own_seat
from bot.table.core.commands import Close
from bot.table.core.lobby_conditions import of_hands
from bot.table.core.state import ruleset_of
from bot.table.registry import TableRegistry
from bot.table.table import Table

NOTHING_DONE = N_("There's nothing to take back yet.")
NOTHING_TO_PLAY = N_(
    "You can't play on from here. Pick a moment in the middle of a hand, not too late in a long match."
)
CLOSED = N_("This table is closed.")
NO_LESSON = N_("There's no lesson in this game yet. /learn how explains it in five steps.")
LESSON_LEVEL = Level.EASY
AUTO_PASS = "auto_pass"  # the option of some games by which obvious moves are made without asking
EXPIRES_AFTER = timedelta(days=7)  # without an action, before the table closes


@dataclass(frozen=True, slots=True)
class PracticePlayer:
    """A person at practice. level: the preferred house level in games with levels."""

    user: UserId
    name: str
    level: Level


@dataclass(frozen=True, slots=True)
class PracticeHand:
    """A hand for one person. kind: of the solo table.

    seed: of the cards. seat: the person's seat. steps: the actions taken over from an earlier table. others: house
    players taken over from an earlier table; new house players fill the free seats.
    """

    rules: Ruleset
    _: KW_ONLY
    seed: str = field(repr=False)
    seat: int = 0
    steps: tuple[MatchStep, ...] = field(default=(), repr=False)
    others: Chairs = ()
    kind: PracticeKind = "practice"

    @classmethod
    def of(cls, table: Table, user: UserId) -> PracticeHand:
        """Return the hand of the user's table from its beginning."""
        row, given = table.row, sum(step.by == "given" for step in table.row.steps)
        return cls(
            table.ruleset,
            seed=row.seed,
            seat=own_seat(row.chairs, user),
            steps=row.steps[:given],
            others=own_house_players(row.chairs),
            kind=_kind(row),
        )

    @classmethod
    def before(cls, table: Table, user: UserId) -> PracticeHand:
        """Return the hand of the user's table before the user's latest action. Raises Refused."""
        seat, steps = own_seat(table.row.chairs, user), table.row.steps
        last = next((step.ply for step in reversed(steps) if (step.seat, step.by) == (seat, "person")), None)
        if last is None:
            raise Refused(NOTHING_DONE)
        return cls(
            table.ruleset,
            seed=table.row.seed,
            seat=seat,
            steps=steps[:last],
            others=own_house_players(table.row.chairs),
            kind=_kind(table.row),
        )


class Practice:
    """The practice tables of all users.

    now: the current time; seed: makes the seed of a match.
    """

    def __init__(
        self,
        *,
        store: Store,
        tables: TableRegistry,
        now: Callable[[], datetime],
        seed: Callable[[], str],
        reserved: Reserved,
    ) -> None:
        self._store = store
        self._tables = tables
        self._now = now
        self._seed = seed
        self._reserved = reserved
        self._beginning: WeakValueDictionary[UserId, asyncio.Lock] = WeakValueDictionary()  # holds locks in use only

    async def begin(self, who: PracticePlayer, rules: Ruleset, *, at_preferred_level: bool = False) -> Table:
        """Return the user's practice table with these rules, or a new one in place of any other.

        at_preferred_level: reuse only a table with the preferred house level.
        """
        rules = of_hands(rules, 1)
        async with self._one_click(who):
            for table in await self._open(who.user, "practice"):
                if table.ruleset == rules and not (
                    at_preferred_level and _house_level(table) != levels.nearest_level(who.level, rules.rules)
                ):
                    return table
            return await self._deal(who, PracticeHand(rules, seed=self._seed()))

    async def begin_lesson(self, who: PracticePlayer, game: str) -> Table:
        """Return the user's open lesson in this game, or a new one in place of any other lesson.

        Raises Refused.
        """
        if game not in LESSONS:
            raise Refused(NO_LESSON)
        async with self._one_click(who):
            for table in await self._open(who.user, "lesson"):
                if table.row.game == game:
                    return table
            sheet = LESSONS[game]
            return await self._deal(
                who, PracticeHand(lesson_rules(game), seed=sheet.seed, seat=sheet.seat, kind="lesson")
            )

    async def other_cards(self, table: Table, who: PracticePlayer) -> Table:
        """Return a table with new cards and the same rules, in place of this one.

        A second click deals nothing.
        """
        async with self._one_click(who):
            if table.row.open:
                return await self._deal(who, PracticeHand(of_hands(table.ruleset, 1), seed=self._seed()))
        return await self.begin(who, table.ruleset)

    async def same_cards(self, table: Table, who: PracticePlayer) -> Table:
        """Return a table with the same cards from the beginning, instead of the practice table."""
        return await self._instead(table, who, PracticeHand.of)

    async def take_back(self, table: Table, who: PracticePlayer) -> Table:
        """Return a table with the position before the user's latest action, in place of this one.

        Raises Refused without an action to take back. A new table, because records only grow.
        """
        return await self._instead(table, replace(who, level=_house_level(table)), PracticeHand.before)

    async def from_moment(self, who: PracticePlayer, row: TableRow, snapshot: Snapshot, seat: int | None) -> Table:
        """Return a practice table with a position of a finished match.

        The user plays to the end of the hand. The table replaces the current practice table. row: of the finished
        match. seat: of the user; None for the seat of the next player to act. Raises Refused without anything left to
        play, Illegal for old rules no longer offered.
        """
        if not snapshot.can_play_on:
            raise Refused(NOTHING_TO_PLAY)
        match, steps = snapshot.match, await self._store.records.steps(row.id, 0, snapshot.match.ply)
        if seat is None or seat >= row.seats:
            seat = min(match.awaited or match.to_act, default=0)
        given = tuple(replace(step, by="given") for step in steps)
        others = tuple(chair for chair in own_house_players(row.chairs) if chair.seat != seat)
        hand = PracticeHand(
            rules_up_to(ruleset_of(row), match.number), seed=row.seed, seat=seat, steps=given, others=others
        )
        async with self._one_click(who):
            return await self._deal(who, hand, row.id)

    async def current(self, user: UserId) -> Table | None:
        """Return the user's current practice table."""
        return next(iter(await self._open(user, "practice")), None)

    async def current_lesson(self, user: UserId) -> Table | None:
        """Return the user's open lesson."""
        return next(iter(await self._open(user, "lesson")), None)

    def _one_click(self, who: PracticePlayer) -> asyncio.Lock:
        """Return the user's lock, for one new hand per click."""
        return self._beginning.setdefault(who.user, asyncio.Lock())

    async def _instead(
        self, table: Table, who: PracticePlayer, begin: Callable[[Table, UserId], PracticeHand]
    ) -> Table:
        """Return a table with a hand of this table, instead of the user's practice table.

        For a replaced table, return the replacement. Raises Refused for a table closed for good. begin: makes the hand.
        """
        async with self._one_click(who):
            if table.row.phase != "closed":
                return await self._deal(who, begin(table, who.user))
            if now := await self._open(who.user, _kind(table.row)):
                return now[0]
            raise Refused(CLOSED)

    async def _deal(self, who: PracticePlayer, hand: PracticeHand, *kept: TableId) -> Table:
        """Deal a hand in place of the current practice tables. kept: a table to retain.

        Earlier tables get deleted after the new row exists, because SQLite reuses the highest freed number. Their
        objects stay in memory for a while, so a second click on an old table finds the new hand.
        """
        before = await self._open(who.user, hand.kind)
        dealt = await begin_solo_table(self._tables, who.user, self._new(who, hand))
        for table in before:
            await table.do(Close())
        await self._store.leftovers.delete_practice(who.user, hand.kind, (dealt.id, *kept))
        return dealt

    async def _open(self, user: UserId, kind: PracticeKind) -> list[Table]:
        """Return the user's practice tables of this kind, newest first, with the cards dealt."""
        rows = [row for row in await self._store.tables.seated(user) if row.solo == kind]
        found = [await self._tables.get(row.id) for row in rows]
        for table in found:
            await deal_if_new(table, user)
        return found

    async def _new(self, who: PracticePlayer, hand: PracticeHand) -> TableId:
        rules = hand.rules.rules
        level = levels.nearest_level(LESSON_LEVEL if hand.kind == "lesson" else who.level, rules)
        chairs = solo_chairs(
            who.user, who.name, hand.seat, rules.players, reserved=self._reserved, level=level, others=hand.others
        )
        new = new_solo_table(who.user, hand.rules, hand.seed, self._now(), solo=hand.kind, steps=hand.steps)
        return (await self._store.tables.add(new, chairs, None)).id

    async def close_expired(self) -> None:
        """Close the practice tables without a recent action."""
        for number in await self._store.tables.old_practice(self._now() - EXPIRES_AFTER):
            await (await self._tables.get(number)).do(Close())
            await self._store.records.forget_steps(number)  # the steps may come from another match


def lesson_rules(game: str) -> Ruleset:
    """Return the rules of a lesson: one hand of the game's first preset.

    No move is automatic, so that the learner makes each one.
    """
    rules = first_preset(game)
    return of_hands(rules.but(**{AUTO_PASS: "off"}) if AUTO_PASS in rules.known.sheet.options else rules, 1)


def _kind(row: TableRow) -> PracticeKind:
    """Return the kind of a practice table. Raises ValueError for any other table."""
    return PRACTICE_KINDS[PRACTICE_KINDS.index(cast("PracticeKind", row.solo))]


def rules_up_to(rules: Ruleset, hand: int) -> Ruleset:
    """Return the rules of a match, shortened to end with this hand.

    Raises the errors of ``of_hands``.
    """
    return replace(of_hands(rules, hand), version=rules.version)


def offered_levels(rules: Ruleset) -> tuple[Level, ...]:
    """Return the house levels available with these rules, easiest first."""
    return levels.offered(rules.rules)


def _house_level(table: Table) -> Level:
    """Return the level of a table's house players."""
    return next(chair.level for chair in table.row.chairs if chair.user is None)
