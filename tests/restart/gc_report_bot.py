"""The bot, saying at each connection how many objects the garbage collector passes over, and how many it looks at."""

from __future__ import annotations

import gc
import runpy

from bot.client import Bigger


async def said(_bot: Bigger) -> None:
    """Say it."""
    print("collector", gc.get_freeze_count(), len(gc.get_objects()), flush=True)


if __name__ == "__main__":
    gc.unfreeze()  # as in a process that has loaded all by itself
    Bigger.on_connect = said  # type: ignore[attr-defined]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
