"""Shows a channel what somebody wants to share there. Refuses to know what it is, and who may."""

from __future__ import annotations

import asyncio
from functools import partial
from io import BytesIO

import discord

from bot.ground.ids import ChannelId
from bot.show.layout import PublicScreen
from bot.show.pictures.picture import Picture
from bot.tell.limits import channel
from bot.tell.queue import Queue


class MomentTeller:
    """Posts what is shown."""

    def __init__(self, client: discord.Client, queue: Queue) -> None:
        self._client = client
        self._queue = queue

    async def show(self, home: ChannelId, shown: PublicScreen, picture: Picture | None) -> None:
        """Post it. May raise what UNREACHED names."""
        files = [discord.File(BytesIO(await asyncio.to_thread(picture.png)), picture.name)] if picture else []
        where = self._client.get_partial_messageable(home)
        send = partial(where.send, view=shown.drawn, files=files, allowed_mentions=discord.AllowedMentions.none())
        await self._queue.do(channel(home), send)
