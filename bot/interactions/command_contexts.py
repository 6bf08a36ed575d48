"""Where a command stands and where it appears: in which group, on servers, in direct messages, anywhere.

Knows what Discord is told of it beside its name. Refuses to know what a command does; docs/commands.md says which there
are, and why.
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
GROUP = "group"  # under which an extra of a command says where it belongs

on_server = allowed_contexts(guilds=True, dms=False, private_channels=False)  # for single commands


def anywhere(made: Command[Any, ..., Any]) -> Command[Any, ..., Any]:
    """Let a single command appear also where the bot is not, for whoever has installed it for themselves."""
    installed = allowed_installs(guilds=True, users=True)
    return allowed_contexts(guilds=True, dms=True, private_channels=True)(installed(made))


def within(group: str, name: str, description: locale_str) -> Callable[[Any], Any]:
    """Make a command of a cog that belongs to the group of another cog."""
    return command(name=name, description=description, extras={GROUP: group})


def gather(tree: CommandTree[Any]) -> list[str]:
    """Put the commands of the cogs loaded so far into their groups; return the names of those with no group yet."""
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


async def told(tree: CommandTree[Any], server: Snowflake | None = None) -> list[dict[str, Any]]:
    """Return what Discord is told of all commands, or of those of one server alone, in every language there is."""
    translator = tree.translator
    assert translator is not None
    return [await loaded.get_translated_payload(tree, translator) for loaded in tree.get_commands(guild=server)]
