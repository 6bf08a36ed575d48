"""Pings: short new messages that mention exactly who must act, deleted when they have acted.

Edits never ping, so a board cannot. Rows in the store remember the pings, so a restart deletes them as well. Where
everybody is asked at the same time, all who are not there are called in one message, which goes when the answers are
known: nothing here shows who has answered, but for the one reminder of those who have not.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Protocol

import discord

from bot.show.notices import ping as turn_ping
from bot.show.notices import reminder
from bot.show.phrases import together
from bot.show.words import Words
from bot.store.rows import Ping, StoreError
from bot.table.around import Told
from bot.table.scene import Scene
from bot.unreached import UNREACHED

log = logging.getLogger(__name__)

JUST_ACTED = timedelta(seconds=30)


class PingStore(Protocol):
    """What pings need of a store."""

    async def add_ping(self, ping: Ping) -> None:
        """Remember a ping."""
        ...

    async def take_pings(self, table: int, user: int | None) -> tuple[Ping, ...]:
        """Forget and return the pings of a person at a table, or with None of everybody there."""
        ...

    async def pings(self, table: int) -> tuple[Ping, ...]:
        """Return the pings of a table that have not been deleted."""
        ...


def awaited_people(scene: Scene) -> frozenset[int]:
    """Return the persons who must act now, or in a lobby agree to its rules."""
    if scene.stage not in ("playing", "lobby"):
        return frozenset()
    chairs = (chair for chair in scene.chairs if chair.seat in scene.awaited and not chair.house)
    return frozenset(chair.user for chair in chairs if chair.user is not None)


def _moment(scene: Scene) -> tuple[int, int] | None:
    """Return what stays while everybody is asked the same: a window, or a draw that goes on by itself; else None."""
    if not together(scene):
        return None
    return scene.hand, -1 if scene.ticking else scene.ply


class Pings:
    """Says whose turn it is, and takes it back."""

    def __init__(
        self,
        client: discord.Client,
        store: PingStore,
        now: Callable[[], datetime],
        looking_until: Callable[[int, int], datetime | None],
        mirror: Callable[[Told, int], Awaitable[Ping | None]],
    ) -> None:
        self._client = client
        self._store = store
        self._now = now
        self._looking_until = looking_until
        self._mirror = mirror
        self._standing: dict[int, tuple[Ping, ...]] = {}
        self._acted: dict[tuple[int, int], datetime] = {}
        self._asked: dict[int, tuple[int, int] | None] = {}  # since which moment everybody is asked at a table

    def acted(self, table: int, user: int) -> None:
        """Remember that this person is there: they have just done something at this table."""
        since = self._now() - JUST_ACTED
        self._acted = {key: at for key, at in self._acted.items() if at > since}
        self._acted[table, user] = self._now()

    async def update(self, table: Told, w: Words) -> datetime | None:
        """Delete the pings of those who have acted and ping those who are awaited, each once.

        Whoever is there anyway is spared; returned is when that may have changed, so that it is time to look again.
        """
        scene = table.scene(None)
        awaited, called = awaited_people(scene), {ping.user for ping in await self._of(scene.table)}
        known, before = scene.table in self._asked, self._asked.get(scene.table)
        now = self._asked[scene.table] = _moment(scene)
        for user in called - awaited if before in (None, now) else called:
            await self._take(scene.table, user)
        new = awaited - {ping.user for ping in await self._of(scene.table)}
        spared = {user: until for user in new if (until := self._there_until(scene.table, user))}
        if now is not None:
            if now != before and (known or not table.sealed):  # later it would tell that somebody has answered
                await self._call_all(table, scene, new, spared.keys(), w)
            return None
        for user in sorted(new - spared.keys()):
            await self._call(table, scene, user, w)
        return min(spared.values(), default=None)

    async def _call(self, table: Told, scene: Scene, user: int, w: Words) -> None:
        if scene.stage == "playing" and (direct := await self._mirror(table, user)):
            await self._remember(direct)
        else:
            await self._send(scene, [user], turn_ping(scene, w, [user]))

    async def _call_all(
        self, table: Told, scene: Scene, users: Iterable[int], there: Collection[int], w: Words
    ) -> None:
        """Call people in one message, but for those who are there and those who get their hand by direct message."""
        here = list[int]()
        for user in sorted(users):
            if direct := await self._mirror(table, user):
                await self._remember(direct)
            elif user not in there:
                here.append(user)
        if here:
            await self._send(scene, here, turn_ping(scene, w, here))

    async def remind(self, table: Told, w: Words) -> None:
        """Remind everybody who is still to act, in place of the ping they had."""
        scene = table.scene(None)
        for user in sorted(awaited_people(scene) & table.missing):
            await self._take(scene.table, user)
            await self._send(scene, [user], reminder(scene, w, [user]))

    def _there_until(self, table: int, user: int) -> datetime | None:
        """Return until when this person is taken to be at the table, None for somebody who is not."""
        acted = self._acted.get((table, user))
        signs = (self._looking_until(table, user), acted + JUST_ACTED if acted else None)
        return max((until for until in signs if until and until > self._now()), default=None)

    async def _send(self, scene: Scene, users: list[int], text: str) -> None:
        people = [discord.Object(user) for user in users]
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=people)
        channel = self._client.get_partial_messageable(scene.home)
        try:
            sent = await channel.send(text, allowed_mentions=mentions)
        except UNREACHED as error:
            log.warning("Nobody could be pinged at table %s: %s", scene.table, error)
            return
        for user in users:
            await self._remember(Ping(scene.table, user, scene.home, sent.id))

    async def _of(self, table: int) -> tuple[Ping, ...]:
        """Return the pings of a table, from the store only the first time: nobody else writes them."""
        if table not in self._standing:
            self._standing[table] = await self._store.pings(table)
        return self._standing[table]

    async def _take(self, table: int, user: int) -> None:
        """Delete the pings of a person at a table, but for a message that calls others as well."""
        taken = await self._store.take_pings(table, user)
        left = tuple(ping for ping in await self._of(table) if ping.user != user)
        self._standing[table] = left
        others = {ping.message for ping in left}
        await self._delete(tuple(ping for ping in taken if ping.message not in others))

    async def _remember(self, ping: Ping) -> None:
        """Write a ping down, or take it back: what is not remembered would never be deleted."""
        try:
            standing = await self._of(ping.table)
            await self._store.add_ping(ping)
        except StoreError:
            await self._delete((ping,))
            raise
        self._standing[ping.table] = (*standing, ping)

    def forget(self, table: int) -> None:
        """Drop from memory what the store has; for a table that has ended."""
        self._standing.pop(table, None)
        self._asked.pop(table, None)

    async def _delete(self, pings: tuple[Ping, ...]) -> None:
        for ping in pings:
            try:
                await self._client.get_partial_messageable(ping.channel).get_partial_message(ping.message).delete()
            except UNREACHED as error:
                log.info("A ping at table %s was gone already: %s", ping.table, error)
