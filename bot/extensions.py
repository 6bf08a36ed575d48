"""The extensions of the bot: the modules of ``cogs`` that discord.py loads."""

from __future__ import annotations

from bot.paths import ROOT


def extensions() -> tuple[str, ...]:
    """Return the names of all modules in ``cogs`` with a ``setup``, in the order of the alphabet."""
    paths = (path for path in (ROOT / "cogs").rglob("*.py") if "\nasync def setup(" in path.read_text("utf-8"))
    return tuple(sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths))
