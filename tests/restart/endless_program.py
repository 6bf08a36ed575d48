"""``python -m tests.restart.endless_program``: a program that hears a signal and does not end. BOT_LIMIT: seconds."""

import asyncio
import os

from bot.ops import shutdown


async def go_on_for_ever() -> None:
    """Refuse to be cancelled."""
    print("It runs.", flush=True)
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            print("It heard that.", flush=True)


if __name__ == "__main__":
    shutdown.MAX_SHUTDOWN_SECONDS = float(os.environ["BOT_LIMIT"])
    stop = shutdown.SignalHandler()
    stop.listen()
    stop.run(go_on_for_ever())
