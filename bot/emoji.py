"""The bot's own card emoji: drawn by our own code, uploaded once, found again at every start.

Until an emoji is there the card is shown as text, so nothing ever waits for a picture.
"""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.rules.cards import every_card
from bot.show.art import emoji_name, face
from bot.show.faces import Faces
from bot.unreached import UNREACHED

log = logging.getLogger(__name__)


class CardEmoji:
    """The faces of the cards as far as Discord has them."""

    def __init__(self, client: discord.Client) -> None:
        self.faces = Faces()
        self._client = client
        self._task: asyncio.Task[None] | None = None

    def fetch_soon(self) -> None:
        """Find the emoji, and upload those that are missing, while the bot already serves."""
        self._task = asyncio.create_task(self._fetch(), name="card emoji")

    async def _fetch(self) -> None:
        try:
            known = {emoji.name: emoji.id for emoji in await self._client.fetch_application_emojis()}
            cards = {str(card): emoji_name(str(card)) for card in every_card()}
            self._show(cards, known)
            for card, name in cards.items():
                if name not in known:
                    picture = await asyncio.to_thread(face, card)
                    known[name] = (await self._client.create_application_emoji(name=name, image=picture)).id
                    self._show(cards, known)
        except UNREACHED as error:
            log.warning("Cards are shown as text, for their pictures could not be uploaded: %s", error)

    def _show(self, cards: dict[str, str], known: dict[str, int]) -> None:
        self.faces = Faces({card: (name, known[name]) for card, name in cards.items() if name in known})
