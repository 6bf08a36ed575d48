"""The bot's card emoji: drawn by the bot, uploaded once, found again at each start.

Cards are shown as text until all emoji exist, so nothing waits for a picture and no hand mixes the two; emoji of the
two-colour deck are uploaded last. An interrupted upload resumes after a pause or at the next start. After Discord has
refused an emoji, the list is loaded again: a card without an emoji is text for everyone until its emoji is uploaded
again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

import discord

from bot.delivery.outbox.discord_limits import Rate
from bot.delivery.outbox.write_queue import LATER, SOME_DAY, WriteQueue
from bot.rules.core.cards import every_card
from bot.runtime.discord_requests import UNREACHED
from bot.runtime.tasks import start_task
from bot.show.kit.card_art import emoji_name, face, recoloured
from bot.show.kit.card_symbols import Faces

log = logging.getLogger(__name__)

UPLOAD_RATE = Rate(1, 2.0)  # uploads; Discord publishes no limit
RETRY_SECONDS = 900.0  # seconds between a failed upload and the retry
MIN_RELOAD_INTERVAL: Final = timedelta(minutes=5)  # the shortest time between two reloads after refused emoji


class CardStyle(NamedTuple):
    """A way to draw cards.

    picked: as picked cards; four: of the four-colour deck, with the cards alike in both.
    """

    picked: bool
    four: bool

    def names(self) -> dict[str, str]:
        """Return the emoji names of all cards with an emoji for this style."""
        cards = [str(card) for card in every_card() if self.four or recoloured(str(card))]
        return {card: emoji_name(card, picked=self.picked, four=self.four and recoloured(card)) for card in cards}


CARD_STYLES: Final = tuple(CardStyle(picked, four) for four in (True, False) for picked in (False, True))


class CardEmoji:
    """The faces of the cards: emoji, once all are uploaded."""

    def __init__(self, client: discord.Client, now: Callable[[], datetime] = discord.utils.utcnow) -> None:
        self.faces = Faces()
        self._client = client
        self._now = now
        self._queue: WriteQueue | None = None
        self._task: asyncio.Task[None] | None = None
        self._reloaded: datetime | None = None

    def fetch_soon(self, queue: WriteQueue) -> None:
        """Start loading the emoji and uploading the missing ones in a background task."""
        self._queue = queue
        self._task = start_task(self._fetch(queue), name="card emoji")

    def refused(self) -> None:
        """Reload the list of emoji after a refusal, at most once in five minutes.

        A running upload is restarted.
        """
        now = self._now()
        if self._queue is None or (self._reloaded is not None and now - self._reloaded < MIN_RELOAD_INTERVAL):
            return
        self._reloaded = now
        self.stop()
        self.fetch_soon(self._queue)

    async def wait_until_ready(self, patience: float) -> None:
        """Wait until all faces are emoji, at most for a number of seconds."""
        if self._task:
            await asyncio.wait({self._task}, timeout=patience)

    def stop(self) -> None:
        """Cancel the upload; the next start resumes the upload."""
        if self._task:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait for the end of a cancelled upload."""
        if self._task:
            await asyncio.wait({self._task})

    async def _fetch(self, queue: WriteQueue) -> None:
        while True:
            try:
                await self._complete(queue)
            except UNREACHED as error:
                log.warning("Cards are shown as text, for their pictures could not be uploaded: %s", error)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            return

    async def _complete(self, queue: WriteQueue) -> None:
        place = f"/applications/{self._client.application_id}/emojis"
        known = {emoji.name: emoji.id for emoji in await queue.do(place, self._client.fetch_application_emojis, LATER)}
        self.faces = _still_listed(self.faces, known)
        usual, picked, plain, both = CARD_STYLES
        drawn = partial(self._drawn, queue, place, known)
        self.faces = replace(self.faces, emoji=await drawn(usual), lifted=await drawn(picked))
        self.faces = replace(self.faces, plain=await drawn(plain), lifted_plain=await drawn(both))

    async def _drawn(
        self, queue: WriteQueue, place: str, known: dict[str, int], style: CardStyle
    ) -> dict[str, tuple[str, int]]:
        """Return the emoji of all cards with this style; upload the missing ones first."""
        names = style.names()
        for card, name in names.items():
            if name not in known:
                picture = await asyncio.to_thread(partial(face, card, picked=style.picked, four=style.four))
                upload = partial(self._client.create_application_emoji, name=name, image=picture)
                known[name] = (await queue.do(place, upload, SOME_DAY, rate=UPLOAD_RATE)).id
        return {card: (name, known[name]) for card, name in names.items()}


def _still_listed(faces: Faces, known: Mapping[str, int]) -> Faces:
    """Return the faces with current emoji ids, without the emoji that Discord no longer lists."""

    def kept(emoji: Mapping[str, tuple[str, int]]) -> Mapping[str, tuple[str, int]]:
        return {card: (name, known[name]) for card, (name, _) in emoji.items() if name in known}

    return replace(
        faces,
        emoji=kept(faces.emoji),
        lifted=kept(faces.lifted),
        plain=kept(faces.plain),
        lifted_plain=kept(faces.lifted_plain),
    )
