"""Hands by direct message: whoever has asked for it finds their hand there when it is their turn.

The message is deleted like any ping once they have acted, so it never goes stale. Where somebody's direct messages
are closed the wish is forgotten, and they are pinged at the table like everybody else.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial

import discord

from bot.door.private import send_directly
from bot.habits import RememberedHabits
from bot.show.hand import hand
from bot.store.rows import Ping
from bot.table.around import Told
from bot.table.scene import Scene
from bot.tell.boards import Places
from bot.tell.limits import channel
from bot.tell.queue import Queue
from bot.unreached import UNREACHED

log = logging.getLogger(__name__)

OPENING = "/users/@me/channels"
CLOSED = (50007, 50278)  # direct messages are closed to us, or no server is shared any more


class Mirror:
    """Sends hands by direct message. allowed: tells whether somebody may see what happens there now."""

    def __init__(
        self,
        places: Places,
        queue: Queue,
        habits: RememberedHabits,
        allowed: Callable[[Scene, int], Awaitable[bool]],
    ) -> None:
        self._places = places
        self._queue = queue
        self._habits = habits
        self._allowed = allowed

    async def send(self, table: Told, user: int) -> Ping | None:
        """Send somebody their hand if they want that; return the message as a ping, None where there is none."""
        habits, scene = await self._habits.of(user), table.scene(user)
        if not (habits.mirror and scene.server.mirror):
            return None
        if not await self._allowed(scene, user):
            return None
        w = self._places.speaking(habits.locale)
        view = hand(scene, w, where=self._places.server(scene.guild), habits=habits)
        try:
            direct = await self._queue.do(OPENING, partial(self._places.client.create_dm, discord.Object(user)))
            sent = await self._queue.do(channel(direct.id), partial(send_directly, direct, view))
        except UNREACHED as error:
            log.info("A hand of table %s could not be sent directly: %s", scene.table, error)
            if isinstance(error, discord.HTTPException) and error.code in CLOSED:
                await self._habits.change(user, mirror=False)
            return None
        return Ping(scene.table, user, direct.id, sent.id)
