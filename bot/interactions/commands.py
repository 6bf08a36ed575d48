"""The commands at Discord: groups, contexts, translations, and their registration."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import discord
from discord import Locale
from discord.abc import Snowflake
from discord.app_commands import (
    AppCommandContext,
    AppInstallationType,
    Command,
    CommandTree,
    Group,
    TranslationContextLocation,
    TranslationContextTypes,
    Translator,
    allowed_contexts,
    allowed_installs,
    command,
    locale_str,
)

from bot.domain.languages import ENGLISH, language_of
from bot.show.kit.words import words

ON_SERVER = AppCommandContext(guild=True, dm_channel=False, private_channel=False)
WITH_BOT = AppCommandContext(guild=True, dm_channel=True, private_channel=False)
INSTALLED = AppInstallationType(guild=True, user=False)
GROUP = "group"  # the key in a command's extras for its group

on_server = allowed_contexts(guilds=True, dms=False, private_channels=False)  # for single commands


def anywhere(made: Command[Any, ..., Any]) -> Command[Any, ..., Any]:
    """Make a command available without the bot on the server, for users who installed it."""
    installed = allowed_installs(guilds=True, users=True)
    return allowed_contexts(guilds=True, dms=True, private_channels=True)(installed(made))


def in_command_group(group: str, name: str, description: locale_str) -> Callable[[Any], Any]:
    """Return the decorator for a command in a group that another cog defines."""
    return command(name=name, description=description, extras={GROUP: group})


def gather(tree: CommandTree[Any]) -> list[str]:
    """Move the commands of loaded cogs into their groups.

    Return the names of commands without a group so far.
    """
    waiting = []
    for loaded in tree.get_commands():
        if GROUP in loaded.extras:
            group = tree.get_command(loaded.extras[GROUP])
            if isinstance(group, Group):
                tree.remove_command(loaded.name)
                group.add_command(loaded)  # type: ignore[arg-type]  # no menu has a group
            else:
                waiting.append(loaded.name)
    return waiting


async def commands_payload(tree: CommandTree[Any], server: Snowflake | None = None) -> list[dict[str, Any]]:
    """Return the payload for Discord of all global or one server's commands, in all languages."""
    translator = tree.translator
    assert translator is not None
    return [await loaded.get_translated_payload(tree, translator) for loaded in tree.get_commands(guild=server)]


READ = (
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
    TranslationContextLocation.choice_name,
)


class CommandNames(Translator):
    """Translates descriptions with the message catalogue."""

    async def translate(self, string: locale_str, locale: Locale, context: TranslationContextTypes) -> str | None:
        """Return a description in a language, or None without a translation."""
        foreign = language_of(str(locale)) not in (None, ENGLISH)  # what is not translated is shown in English
        return words(str(locale))(string.message) if foreign and context.location in READ else None


log = logging.getLogger(__name__)
COMMANDS_ROUTE = "/applications/commands"
OWNERS = "owner_server"  # the key of the server where the operator's commands were registered last


class Notes(Protocol):
    """The storage of hashes. Each call may raise StoreError."""

    async def recall(self, key: str) -> str | None:
        """Return the text saved under a key."""
        ...

    async def remember(self, key: str, value: str) -> None:
        """Save a text under a key."""
        ...


async def register_now_or_later(
    tree: CommandTree[Any],
    notes: Notes,
    owners: int,
    postpone: Callable[[str, Callable[[], Awaitable[object]], float], None],
) -> None:
    """Register the commands; under a long rate limit, later in the background.

    owners: as for `register`. postpone: queues work at a route after a number of seconds.
    """
    application = tree.client.application_id
    assert application is not None
    work = partial(register, tree, notes, application, owners)
    try:
        await work()
    except discord.RateLimited as error:
        log.warning("Commands are registered later: %s", error)
        postpone(COMMANDS_ROUTE, work, error.retry_after)


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
    payload = await commands_payload(tree, server)
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
