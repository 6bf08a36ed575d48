"""The bot, printing at each connection how many objects the garbage collector ignores and how many it tracks."""

from __future__ import annotations

import gc
import runpy

from bot.client import Bigger


async def report(_bot: Bigger) -> None:
    """Print both counts."""
    print("collector", gc.get_freeze_count(), len(gc.get_objects()), flush=True)


if __name__ == "__main__":
    gc.unfreeze()  # as in a process that was not forked from a preloaded one
    Bigger.on_connect = report  # type: ignore[attr-defined]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
