"""Hands by direct message: a player with this preference gets the hand by direct message on each turn.

The message is deleted after the player's action, like a ping, so its buttons never go stale. If the player's direct
messages are closed, the preference is switched off, and the player is pinged at the table like other players.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial

import discord

from bot.delivery.boards.boards import BoardContext, is_screen_of
from bot.delivery.notifications.direct_messages import DirectMessages, SentDirectMessage
from bot.delivery.notifications.notice_messages import CLOSED_CODES
from bot.delivery.outbox.outbox import ResponseLost, key_of
from bot.domain.ids import UserId
from bot.domain.preferences import Preferences
from bot.members.preferences import PreferenceCache
from bot.runtime.discord_failures import UNREACHED
from bot.scene import Scene
from bot.show.hand.hand import hand
from bot.show.kit.layout import PrivateScreen
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)


class HandSender:
    """Sends hands by direct message. allowed: tells whether a user may see the table's channel now."""

    def __init__(
        self,
        places: BoardContext,
        directs: DirectMessages,
        habits: PreferenceCache,
        allowed: Callable[[Scene, UserId], Awaitable[bool]],
    ) -> None:
        self._places = places
        self._directs = directs
        self._habits = habits
        self._allowed = allowed

    async def send(self, table: ShownTable, user: UserId, asked: str) -> SentDirectMessage | None:
        """Send a player the hand, if the player and the server want hands by direct message; None if not sent.

        asked: a key of the current question. Raises ResponseLost.
        """
        habits, scene = await self._habits.of(user), table.scene(user)
        if not (habits.mirror and scene.terms.server.mirror):
            return None
        if not await self._allowed(scene, user):
            return None
        try:
            return await self._directs.send(
                user,
                partial(self._drawn, table, user, habits),
                of=scene.where.guild,
                key=key_of("hand", scene.where.table, user, asked),
                is_it=partial(is_screen_of, table=scene.where.table),
                urgent=True,
            )
        except ResponseLost:
            raise
        except UNREACHED as error:
            log.info("A hand of table %s could not be sent directly: %s", scene.where.table, error)
            if isinstance(error, discord.HTTPException) and error.code in CLOSED_CODES:
                await self._habits.change(user, mirror=False)
            return None

    def _drawn(self, table: ShownTable, user: UserId, habits: Preferences) -> PrivateScreen:
        scene = table.scene(user)
        w = self._places.speaking(habits.locale).with_preferences(habits)
        return hand(scene, w, where=self._places.server(scene.where.guild), habits=habits)
