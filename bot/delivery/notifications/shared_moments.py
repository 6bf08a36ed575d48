"""Posts what a player shares in a channel. The content and the right to share are decided elsewhere."""

from __future__ import annotations

import asyncio
from functools import partial

from bot.delivery.boards.boards import BoardContext
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.outbox import Outbox, screen_message
from bot.delivery.outbox.write_queue import WriteQueue
from bot.domain.ids import ChannelId, GuildId
from bot.show.kit.layout import PublicScreen
from bot.show.pictures.picture import Picture


class MomentPoster:
    """Posts shared screens."""

    def __init__(self, places: BoardContext, queue: WriteQueue, outbox: Outbox) -> None:
        self._places = places
        self._queue = queue
        self._outbox = outbox

    async def show(self, guild: GuildId, home: ChannelId, shown: PublicScreen, picture: Picture | None) -> None:
        """Post a screen with its picture. May raise the errors in UNREACHED, and StoreError."""
        files = [(picture.name, await asyncio.to_thread(picture.png))] if picture else []
        where = self._places.client.get_partial_messageable(home)
        message = screen_message("shared", guild, where, shown, self._places.delivery, *files)
        await self._queue.do(channel(home), partial(self._outbox.send_once, message), urgent=True, in_person=True)
