"""Registers the commands at Discord, only after a change.

Compares a hash of the commands with the hash registered last.
"""

from __future__ import annotations

import hashlib
import json
import logging
from contextlib import suppress
from typing import Any, Protocol

import discord
from discord.app_commands import CommandTree

from bot.interactions import command_contexts

log = logging.getLogger(__name__)
OWNERS = "owner_server"  # the key of the server where the operator's commands were registered last


class Notes(Protocol):
    """The storage of hashes. Each call may raise StoreError."""

    async def recall(self, key: str) -> str | None:
        """Return the text saved under a key."""
        ...

    async def remember(self, key: str, value: str) -> None:
        """Save a text under a key."""
        ...


async def register(tree: CommandTree[Any], notes: Notes, application: int, owners: int) -> None:
    """Register the global commands, and the operator's commands on the operator's server.

    owners: the id of that server; 0 for none.
    """
    await _register(tree, notes, application, None)
    before = int(await notes.recall(OWNERS) or 0)
    if before not in (0, owners):
        with suppress(discord.Forbidden, discord.NotFound):  # the bot has lost its access there
            await tree.client.http.bulk_upsert_guild_commands(application, before, payload=[])
    if owners:
        await _register(tree, notes, application, discord.Object(owners))
    if before != owners:
        await notes.remember(OWNERS, str(owners))


async def _register(tree: CommandTree[Any], notes: Notes, application: int, server: discord.Object | None) -> None:
    payload = await command_contexts.commands_payload(tree, server)
    digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
    remembered = f"commands of {application}{f' on {server.id}' if server else ''}"
    known = await tree.fetch_commands(guild=server)
    if await notes.recall(remembered) == digest and len(known) == len(payload):
        return
    if server:
        await tree.client.http.bulk_upsert_guild_commands(application, server.id, payload=payload)
    else:
        await tree.client.http.bulk_upsert_global_commands(application, payload=payload)
    await notes.remember(remembered, digest)
    log.info("Registered %d commands", len(payload))
