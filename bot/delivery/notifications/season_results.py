"""Tells a channel how a season of its server ended, once. Refuses to know when one ends, and where it is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.delivery.boards.boards import Places
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.outbox import Outbox, screen_message
from bot.delivery.outbox.write_queue import Queue
from bot.domain.effects import season_key
from bot.domain.ids import ChannelId, GuildId
from bot.domain.seasons import Podium
from bot.runtime.discord_failures import UNREACHED
from bot.show.contests.season import heading, podiums, season
from bot.show.kit.layout import begins_with
from bot.show.kit.words import Words

log = logging.getLogger(__name__)


class SeasonTeller:
    """words: of what all on a server read. pictured: whether pictures may stand in a channel of it."""

    def __init__(
        self,
        places: Places,
        queue: Queue,
        outbox: Outbox,
        words: Callable[[GuildId], Words],
        pictured: Callable[[GuildId, ChannelId], bool],
    ) -> None:
        self._places = places
        self._queue = queue
        self._outbox = outbox
        self._words = words
        self._pictured = pictured

    async def tell(self, guild: GuildId, home: ChannelId, podium: Podium) -> bool:
        """Post a podium, silently where it is late; return whether it stands there.

        Raises StoreError. Whoever notes that it stands there ends it in the outbox.
        """
        w, server = self._words(guild), self._places.server(guild)
        pictures = podiums(podium, server, w) if self._pictured(guild, home) else []
        drawn = [(one.name, await asyncio.to_thread(one.png)) for one in pictures]
        where = self._places.client.get_partial_messageable(home)
        shown, silent = season(podium, pictures, w), podium.late is not None
        made = screen_message("season", guild, where, shown, self._places.delivery, *drawn, silent=silent)
        head = heading(podium.season, w)  # all else may read otherwise at a later try
        message = replace(made, key=season_key(guild, podium.season.number), is_it=partial(begins_with, text=head))
        try:
            await self._queue.do(channel(home), partial(self._outbox.send, message))
        except UNREACHED as error:
            log.warning("Channel %s could not be told how a season ended: %s", home, error)
            return False
        return True
