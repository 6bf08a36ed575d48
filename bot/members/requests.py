"""Requests to users by message: invitations to a lobby, and confirmations of debts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta

import discord

from bot.domain.debts import LedgerScope
from bot.domain.effects import Invitation, PendingEffect, pending_effect
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.rating import VISIBLE_CHANNELS
from bot.domain.refusals import Limit, Refused
from bot.members.preferences import PreferenceCache
from bot.members.presence import DiscordUnavailable, Presence
from bot.members.server_settings import Servers
from bot.store.store import Store
from bot.table.core.chairs import FULL, own_seat, people
from bot.table.core.lobby import check_lobby
from bot.table.table import Table

MAX_INVITED = 5  # users in one invitation
NOBODY = UserId(0)  # instead of a user id, for an invitation of a role
DAY = timedelta(days=1)
CALLED = N_("This table has pinged people already, and it only does that once.")
CALLS = Limit(
    "call",
    3,
    DAY,
    "You've pinged people for {most} tables today, and that's the limit. You can do it again {when}.",
)
BEING_CALLED = Limit("called", 3, DAY)  # never shown
NONE_COMES = N_(
    "I didn't ping anyone: they're at the table already, can't see this channel, have had enough pings "
    "today, or don't want any."
)
NOT_THE_ROLE = N_("That role can't be mentioned here. Choose another, or pick people by name.")


class InvitationPolicy:
    """Decides who gets invitations. now: the current time."""

    def __init__(
        self, store: Store, preferences: PreferenceCache, presence: Presence, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._preferences = preferences
        self._presence = presence
        self._now = now

    async def check(self, table: Table, by: UserId) -> None:
        """Raise Refused unless a user sits at the lobby and may send an invitation now."""
        await table.check(check_lobby)
        own_seat(table.row.chairs, by)
        if len(table.row.chairs) == table.row.seats:
            raise Refused(FULL)
        if await self._store.social.invited(table.id):
            raise Refused(CALLED)
        if later := await self._store.limits.next_use(CALLS, by):
            raise Refused(CALLS.refusal, most=CALLS.most, when=later)

    async def invite_people(
        self, table: Table, by: UserId, wished: Sequence[UserId]
    ) -> tuple[list[PendingEffect], list[UserId]]:
        """Return the ping of the users who can be invited, and these users.

        Raises Refused if there are none, or as :meth:`check`.
        """
        await self.check(table, by)
        coming = [user for user in wished[:MAX_INVITED] if await self._may_be_invited(table, user)]
        if not coming:
            raise Refused(NONE_COMES)
        try:
            return await self._call(table, coming, Invitation(by, tuple(coming))), coming
        except BaseException:
            for user in coming:  # no ping was sent: the use does not count
                await self._store.limits.give_back(BEING_CALLED, user)
            raise

    async def invite_role(
        self, table: Table, by: UserId, role: discord.Role | None, *, anyone: bool
    ) -> tuple[list[PendingEffect], discord.Role]:
        """Return the ping of a role, and the role.

        anyone: whether the inviting user may mention any role. Raises Refused for @everyone, for a role the user may
        not mention, and as :meth:`check`.
        """
        await self.check(table, by)
        if role is None or role.is_default() or not (role.mentionable or anyone):
            raise Refused(NOT_THE_ROLE)
        return await self._call(table, [NOBODY], Invitation(by, role=role.id)), role

    async def _call(self, table: Table, users: Collection[UserId], call: Invitation) -> list[PendingEffect]:
        """Save an invitation. Raises Refused if another invitation to this lobby came first."""
        calls = [pending_effect(call, table.row.guild, table.id, self._now())]
        async with self._store.limits.using(CALLS, call.by):
            if not await self._store.social.add_invited(table.id, users, call.by, self._now(), calls):
                raise Refused(CALLED)
        return calls

    async def _may_be_invited(self, table: Table, user: UserId) -> bool:
        """Tell whether a user could sit down at the table and accepts invitations."""
        there = people(table.row.chairs)
        if user in there or (await self._preferences.of(user)).uninvited:
            return False
        if await self._store.social.block_between(user, there) != "no" or not await self._sees(table, user):
            return False
        return await self._store.limits.take(BEING_CALLED, user) is None

    async def _sees(self, table: Table, user: UserId) -> bool:
        try:
            member = await self._presence.member(table.row.guild, user)
        except DiscordUnavailable:
            return False
        if member is None or member.bot:
            return False
        return await self._presence.may_see(table.row.guild, table.row.home, user)


class DebtConfirmations:
    """The open requests to users. now: the current time."""

    def __init__(
        self,
        *,
        store: Store,
        preferences: PreferenceCache,
        presence: Presence,
        servers: Servers,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._preferences = preferences
        self._presence = presence
        self._servers = servers
        self._now = now

    async def answerable_ledgers(self, user: UserId, most: int) -> list[LedgerScope]:
        """Return the ledgers with a request that the user can answer now.

        most: their maximum number.
        """
        found = list[LedgerScope]()
        for book in await self._store.debts.unanswered(user):
            if len(found) < most and await self._may_read(book, user):
                found.append(book)
        return found

    async def suits(self, book: LedgerScope, user: UserId, other: UserId) -> bool:
        """Tell whether a message about the other user's statement suits a user now."""
        if (await self._preferences.of(user)).notice_channel not in ("direct", "both") or not self._servers.known(
            book.guild
        ).mirror:
            return False
        if (await self._store.people.work_schedules([user]))[user].end_of_rest(self._now()):
            return False
        return await self._store.social.block_between(user, [other]) == "no" and await self._may_read(book, user)

    async def _may_read(self, book: LedgerScope, user: UserId) -> bool:
        """Tell whether a user can open a ledger now."""
        if book.channel != VISIBLE_CHANNELS:
            return await self._presence.may_see(book.guild, book.channel, user)
        try:
            return await self._presence.member(book.guild, user) is not None
        except DiscordUnavailable:
            return False
