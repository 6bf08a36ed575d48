"""Direct messages, once per table, about a suspension because the bot may not write in the table's channel.

At a slow table they go to the host and the awaited players, if these chose direct messages; at a live table to the
players with hands by direct message. The other players see the suspension on their desk. A row per told player lets a
round resume after a stop. The reason for the missing permission is unknown here.
"""

from __future__ import annotations

import logging
from functools import partial

from bot.delivery.boards.boards import BoardContext
from bot.delivery.notifications.direct_messages import DirectMessages
from bot.delivery.outbox.outbox import key_of
from bot.domain.ids import UserId
from bot.domain.preferences import Preferences
from bot.members.preferences import PreferenceCache
from bot.runtime.discord_failures import UNREACHED, may_pass
from bot.scene import Scene
from bot.show.kit.layout import PrivateScreen
from bot.show.table.notices import suspended
from bot.store.repositories.notices import NoticeRepository
from bot.table.core.chairs import people
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

DIRECT = ("direct", "both", "digest")  # preferences for notices by direct message


class SuspensionNotifier:
    """Sends the direct messages about suspended tables."""

    def __init__(
        self, places: BoardContext, directs: DirectMessages, habits: PreferenceCache, notices: NoticeRepository
    ) -> None:
        self._places = places
        self._directs = directs
        self._habits = habits
        self._notices = notices

    async def update(self, table: ShownTable, scene: Scene) -> None:
        """Tell the players concerned who were not told yet. Raises StoreError, and temporary errors in UNREACHED."""
        if not (scene.open and scene.wait.asleep and scene.terms.server.mirror):
            return
        told = await self._notices.notified_of_suspension(table.id)
        for user in players_to_notify(scene):
            habits = await self._habits.of(user)
            if user not in told and wants_directly(scene, habits):
                await self._tell(scene, user, habits)

    async def _tell(self, scene: Scene, user: UserId, habits: Preferences) -> None:
        """Tell a player; later if no channel may be opened now, and never if direct messages are closed."""
        number, guild = scene.where.table, scene.where.guild
        key, draw = key_of("suspended", number, user), partial(self._drawn, scene, habits)
        try:
            sent = await self._directs.send(user, draw, of=guild, key=key)
        except UNREACHED as error:
            if may_pass(error):
                raise
            log.info("Somebody could not be told directly that table %s is suspended: %s", number, error)
        else:
            if sent is None:
                return
        await self._notices.note_suspension(number, user, key)

    def _drawn(self, scene: Scene, habits: Preferences) -> PrivateScreen:
        return suspended(scene, self._places.speaking(habits.locale), self._places.server(scene.where.guild))


def players_to_notify(scene: Scene) -> tuple[UserId, ...]:
    """Return the players to tell about a suspension: at a slow table the host and the awaited players, else all."""
    if not scene.terms.pace.slow:
        return people(scene.chairs)
    awaited = [chair.user for chair in scene.chairs if chair.seat in scene.wait.awaited]
    return tuple(user for user in people(scene.chairs) if user == scene.terms.host or user in awaited)


def wants_directly(scene: Scene, habits: Preferences) -> bool:
    """Tell whether a player chose direct messages for a table of this pace."""
    return habits.mirror or (scene.terms.pace.slow and habits.notices in DIRECT)
