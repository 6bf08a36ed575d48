"""The extensions of the bot: every module of ``cogs`` with a ``setup``."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from discord.ext import commands

from bot.interactions.commands import CommandNames, gather
from bot.paths import ROOT


@cache
def extensions() -> tuple[str, ...]:
    """Return the names of all modules in ``cogs`` with a ``setup``, in alphabetical order."""
    paths = (path for path in (ROOT / "cogs").rglob("*.py") if "\nasync def setup(" in path.read_text("utf-8"))
    return tuple(sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths))


async def load_extensions(bot: commands.AutoShardedBot) -> None:
    """Add all cogs to the bot, and move their commands into groups."""
    await bot.tree.set_translator(CommandNames())
    waiting: list[str] = []
    for name in extensions():
        await import_module(name).setup(bot)
        waiting = gather(bot.tree)
    assert not waiting, f"commands of no group: {waiting}"
