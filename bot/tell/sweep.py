"""After a stop: takes away what was sent in the last moment before it and could not be remembered any more.

Between sending a message and remembering it a process may die. Then a ping lies about that nobody would ever delete,
or a second board. Both are found by what is on them. Refuses to touch what this run has sent.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime

import discord

from bot.show.ids import Press, Unaddressed
from bot.show.phrases import table as table_name
from bot.show.words import Words
from bot.table.scene import Scene
from bot.unreached import UNREACHED

log = logging.getLogger(__name__)

LOOKED_AT = 50  # messages of a channel, the newest: what was sent last cannot be far up


async def sweep(client: discord.Client, scene: Scene, w: Words, known: Collection[int], before: datetime) -> None:
    """Delete boards and pings of a table that the bot sent before a moment and that are not known."""
    channel = client.get_partial_messageable(scene.home)
    try:
        async for message in channel.history(limit=LOOKED_AT, before=before):
            ours = client.user is not None and message.author.id == client.user.id
            if ours and message.id not in known and (_is_ping(message, scene, w) or _is_board(message, scene)):
                await message.delete()
    except UNREACHED as error:
        log.warning("The channel of table %s could not be tidied: %s", scene.table, error)


def _is_ping(message: discord.Message, scene: Scene, w: Words) -> bool:
    return bool(message.raw_mentions) and f"[{table_name(scene, w)}](" in message.content


def _is_board(message: discord.Message, scene: Scene) -> bool:
    return any(_table_of(address) == scene.table for address in _custom_ids(message))


def _custom_ids(message: discord.Message) -> list[str]:
    view = discord.ui.LayoutView.from_message(message, timeout=None)
    view.stop()
    return [part.custom_id for part in view.walk_children() if isinstance(part, discord.ui.Button) and part.custom_id]


def _table_of(custom_id: str) -> int | None:
    try:
        return Press.read(custom_id).table
    except Unaddressed:
        return None
