"""Who may be called to a lobby, and how often: at most a few people, once a lobby, and nobody who would rather not.

Knows the limits and asks whom it has to; refuses to know how anybody is called. Why somebody is not called is told to
nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

import discord

from bot.domain.effects import Invitation, Pending, pending
from bot.domain.ids import TableId, UserId
from bot.domain.preferences import Apart, Habits
from bot.domain.refusals import Refused
from bot.domain.usage_limits import Limit
from bot.members.presence import Presence, Unasked
from bot.store.limits import StoredLimits
from bot.table.core.chairs import own_seat, people
from bot.table.core.lobby import check_lobby
from bot.table.table import Table

MOST = 5  # people in one call
NOBODY = UserId(0)  # in place of a person where a role is called
DAY = timedelta(days=1)
CALLED = "People have been called to this table already, and that is done once."
CALLS = Limit(
    "call",
    3,
    DAY,
    "You have called people to {most} tables in a day. More of that would be a nuisance: you can do it again {when}.",
)
BEING_CALLED = Limit("called", 3, DAY)  # said to nobody
FULL = "All seats of this table are taken."
NONE_COMES = (
    "I have called nobody: they sit here already, do not see this channel, have been called often enough today, or "
    "would rather not be called."
)
NOT_THE_ROLE = "That role is not to be mentioned here. Choose another, or call people by name."


class InvitingStore(Protocol):
    """What this needs of a store. Every call may raise StoreError."""

    async def invited(self, table: TableId) -> bool:
        """Tell whether people have been called to this lobby."""
        ...

    @property
    def limits(self) -> StoredLimits:
        """How often something may be done."""
        ...

    async def add_invited(
        self, table: TableId, users: Collection[UserId], by: UserId, at: datetime, effects: Iterable[Pending] = ()
    ) -> bool:
        """Remember who is called to a lobby, by whom; tell whether nobody had been called there before.

        effects: the call.
        """
        ...

    async def apart_from(self, user: UserId, others: Collection[UserId]) -> Apart:
        """Tell whether a person would rather not play with any of these, or one of these with them."""
        ...


class Choosing(Protocol):
    """Who knows what people have chosen for themselves."""

    async def of(self, user: UserId) -> Habits:
        """Return what a person has chosen."""
        ...


class Inviting:
    """Says who is called. now: the time."""

    def __init__(self, store: InvitingStore, habits: Choosing, presence: Presence, now: Any) -> None:
        self._store = store
        self._habits = habits
        self._presence = presence
        self._now = now

    async def check(self, table: Table, by: UserId) -> None:
        """Raise Refused unless this person sits at the lobby and may call others to it now."""
        await table.check(check_lobby)
        own_seat(table.row.chairs, by)
        if len(table.row.chairs) == table.row.seats:
            raise Refused(FULL)
        if await self._store.invited(table.id):
            raise Refused(CALLED)
        if later := await self._store.limits.next_use(CALLS, by):
            raise Refused(CALLS.refusal, most=CALLS.most, when=later)

    async def people(self, table: Table, by: UserId, wished: Sequence[UserId]) -> tuple[list[Pending], list[UserId]]:
        """Return the call of those of these who are called, and who they are.

        Raises Refused where that is nobody, or as :meth:`check`.
        """
        await self.check(table, by)
        coming = [user for user in wished[:MOST] if await self._comes(table, user)]
        if not coming:
            raise Refused(NONE_COMES)
        try:
            return await self._call(table, coming, Invitation(by, tuple(coming))), coming
        except BaseException:
            for user in coming:  # nobody has been called after all, so others may still call them today
                await self._store.limits.give_back(BEING_CALLED, user)
            raise

    async def role(
        self, table: Table, by: UserId, role: discord.Role | None, *, anyone: bool
    ) -> tuple[list[Pending], discord.Role]:
        """Return the call of a role, and the role. anyone: whether the caller may mention any role.

        Raises Refused for everybody, for a role that the caller may not mention, and as :meth:`check`.
        """
        await self.check(table, by)
        if role is None or role.is_default() or not (role.mentionable or anyone):
            raise Refused(NOT_THE_ROLE)
        return await self._call(table, [NOBODY], Invitation(by, role=role.id)), role

    async def _call(self, table: Table, users: Collection[UserId], call: Invitation) -> list[Pending]:
        """Remember who is called. Raises Refused where another call to this lobby came first."""
        calls = [pending(call, table.row.guild, table.id, self._now())]
        async with self._store.limits.using(CALLS, call.by):
            if not await self._store.add_invited(table.id, users, call.by, self._now(), calls):
                raise Refused(CALLED)
        return calls

    async def _comes(self, table: Table, user: UserId) -> bool:
        """Tell whether somebody could sit down there and has nothing against being called."""
        there = people(table.row.chairs)
        if user in there or (await self._habits.of(user)).uninvited:
            return False
        if await self._store.apart_from(user, there) != "no" or not await self._sees(table, user):
            return False
        return await self._store.limits.take(BEING_CALLED, user) is None

    async def _sees(self, table: Table, user: UserId) -> bool:
        try:
            member = await self._presence.member(table.row.guild, user)
        except Unasked:
            return False
        if member is None or member.bot:
            return False
        return await self._presence.may_see(table.row.guild, table.row.home, user)
