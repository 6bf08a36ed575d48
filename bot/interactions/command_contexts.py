"""Groups and contexts of commands: on servers, in direct messages, anywhere.

Contains all that Discord is told about a command besides its name. The commands, with reasons, are listed in
docs/commands.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discord.abc import Snowflake
from discord.app_commands import (
    AppCommandContext,
    AppInstallationType,
    Command,
    CommandTree,
    Group,
    allowed_contexts,
    allowed_installs,
    command,
    locale_str,
)

ON_SERVER = AppCommandContext(guild=True, dm_channel=False, private_channel=False)
WITH_BOT = AppCommandContext(guild=True, dm_channel=True, private_channel=False)
INSTALLED = AppInstallationType(guild=True, user=False)
GROUP = "group"  # the key in a command's extras for its group

on_server = allowed_contexts(guilds=True, dms=False, private_channels=False)  # for single commands


def anywhere(made: Command[Any, ..., Any]) -> Command[Any, ..., Any]:
    """Make a single command available without the bot on the server, for users who installed the bot themselves."""
    installed = allowed_installs(guilds=True, users=True)
    return allowed_contexts(guilds=True, dms=True, private_channels=True)(installed(made))


def in_command_group(group: str, name: str, description: locale_str) -> Callable[[Any], Any]:
    """Return the decorator for a command in a group that another cog defines."""
    return command(name=name, description=description, extras={GROUP: group})


def gather(tree: CommandTree[Any]) -> list[str]:
    """Move the commands of loaded cogs into their groups; return the names of commands without a group so far."""
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
    """Return the payload for Discord of all global commands, or of one server's, in every language."""
    translator = tree.translator
    assert translator is not None
    return [await loaded.get_translated_payload(tree, translator) for loaded in tree.get_commands(guild=server)]
