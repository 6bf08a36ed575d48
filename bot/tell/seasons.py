"""Tells a channel how a season of its server ended, once. Refuses to know when one ends, and where it is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import BytesIO

import discord

from bot.ground.ids import ChannelId, GuildId, UserId
from bot.ground.season import Finalist, Moment, Season
from bot.ground.unreached import UNREACHED
from bot.show.season import Ended, podiums, season
from bot.show.words import Words
from bot.tell.boards import Places
from bot.tell.letters import hashed
from bot.tell.limits import channel
from bot.tell.queue import Queue

log = logging.getLogger(__name__)


class SeasonTeller:
    """words: of what all on a server read. pictured: whether pictures may stand in a channel of it."""

    def __init__(
        self,
        places: Places,
        queue: Queue,
        words: Callable[[GuildId], Words],
        pictured: Callable[[GuildId, ChannelId], bool],
    ) -> None:
        self._places = places
        self._queue = queue
        self._words = words
        self._pictured = pictured

    async def tell(
        self,
        guild: GuildId,
        home: ChannelId,
        over: Season,
        last: Sequence[Finalist],
        names: Mapping[UserId, str],
        moments: Sequence[Moment],
    ) -> bool:
        """Tell it; return whether it stands there. A second time within minutes shows nothing twice."""
        ended, w = Ended(over, last, names, self._places.server(guild), moments), self._words(guild)
        pictures = podiums(ended, w) if self._pictured(guild, home) else []
        files = [discord.File(BytesIO(await asyncio.to_thread(one.png)), one.name) for one in pictures]
        where = self._places.client.get_partial_messageable(home)
        send = partial(
            where.send, view=season(ended, pictures, w).drawn, files=files,
            nonce=hashed(f"{guild} season {over.number}"), allowed_mentions=discord.AllowedMentions.none(),
        )  # fmt: skip
        try:
            await self._queue.do(channel(home), send)
        except UNREACHED as error:
            log.warning("Channel %s could not be told how a season ended: %s", home, error)
            return False
        return True
