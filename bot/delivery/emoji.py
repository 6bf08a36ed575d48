"""The bot's own card emoji: drawn by our own code, uploaded once, found again at every start.

Cards are shown as text until every emoji is there, so nothing ever waits for a picture and no hand mixes the two; those
of a deck in four colours come last. An upload that was cut short goes on where it was, after a while or at the next
start. Where Discord refuses an emoji the list is loaded again: a card whose emoji is missing is text for all until the
emoji has been uploaded again.
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
from bot.delivery.outbox.write_queue import LATER, SOME_DAY, Queue
from bot.rules.core.cards import every_card
from bot.runtime.discord_failures import UNREACHED
from bot.runtime.tasks import start_task
from bot.show.kit.card_art import emoji_name, face, recoloured
from bot.show.kit.card_symbols import Faces

log = logging.getLogger(__name__)

PACE = Rate(1, 2.0)  # uploads; what Discord lets pass is not published
AGAIN = 900.0  # seconds after an upload that failed
RELOADS_APART: Final = timedelta(minutes=5)  # at least, after emoji were refused


class Look(NamedTuple):
    """In which way cards are drawn. picked: as they look then; four: of a deck in four colours."""

    picked: bool
    four: bool

    def names(self) -> dict[str, str]:
        """Return the names of the emoji of all cards that are drawn for this look."""
        cards = [str(card) for card in every_card() if not self.four or recoloured(str(card))]
        return {card: emoji_name(card, picked=self.picked, four=self.four) for card in cards}


LOOKS: Final = tuple(Look(picked, four) for four in (False, True) for picked in (False, True))


class CardEmoji:
    """The faces of the cards: emoji once Discord has them all."""

    def __init__(self, client: discord.Client, now: Callable[[], datetime] = discord.utils.utcnow) -> None:
        self.faces = Faces()
        self._client = client
        self._now = now
        self._queue: Queue | None = None
        self._task: asyncio.Task[None] | None = None
        self._reloaded: datetime | None = None

    def fetch_soon(self, queue: Queue) -> None:
        """Find the emoji, and upload those that are missing, while the bot already serves."""
        self._queue = queue
        self._task = start_task(self._fetch(queue), name="card emoji")

    def refused(self) -> None:
        """Reload the list of emoji after a refusal, at most once in five minutes; a running upload starts again."""
        now = self._now()
        if self._queue is None or (self._reloaded is not None and now - self._reloaded < RELOADS_APART):
            return
        self._reloaded = now
        self.stop()
        self.fetch_soon(self._queue)

    async def there(self, patience: float) -> None:
        """Wait until the faces are emoji, at most so many seconds."""
        if self._task:
            await asyncio.wait({self._task}, timeout=patience)

    def stop(self) -> None:
        """Upload no more; the next start goes on."""
        if self._task:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until the upload that was stopped has ended."""
        if self._task:
            await asyncio.wait({self._task})

    async def _fetch(self, queue: Queue) -> None:
        while True:
            try:
                await self._complete(queue)
            except UNREACHED as error:
                log.warning("Cards are shown as text, for their pictures could not be uploaded: %s", error)
                await asyncio.sleep(AGAIN)
                continue
            return

    async def _complete(self, queue: Queue) -> None:
        place = f"/applications/{self._client.application_id}/emojis"
        known = {emoji.name: emoji.id for emoji in await queue.do(place, self._client.fetch_application_emojis, LATER)}
        self.faces = _among(self.faces, known)
        usual, picked, coloured, both = LOOKS
        drawn = partial(self._drawn, queue, place, known)
        self.faces = replace(self.faces, emoji=await drawn(usual), lifted=await drawn(picked))
        self.faces = replace(self.faces, coloured=await drawn(coloured), lifted_coloured=await drawn(both))

    async def _drawn(self, queue: Queue, place: str, known: dict[str, int], look: Look) -> dict[str, tuple[str, int]]:
        """Return the emoji of all cards that look so, once those that are missing have been uploaded."""
        names = look.names()
        for card, name in names.items():
            if name not in known:
                picture = await asyncio.to_thread(partial(face, card, picked=look.picked, four=look.four))
                upload = partial(self._client.create_application_emoji, name=name, image=picture)
                known[name] = (await queue.do(place, upload, SOME_DAY, rate=PACE)).id
        return {card: (name, known[name]) for card, name in names.items()}


def _among(faces: Faces, known: Mapping[str, int]) -> Faces:
    """Return the faces without the emoji that Discord no longer lists, and with the current ids of the others."""

    def kept(emoji: Mapping[str, tuple[str, int]]) -> Mapping[str, tuple[str, int]]:
        return {card: (name, known[name]) for card, (name, _) in emoji.items() if name in known}

    return replace(
        faces,
        emoji=kept(faces.emoji),
        lifted=kept(faces.lifted),
        coloured=kept(faces.coloured),
        lifted_coloured=kept(faces.lifted_coloured),
    )
