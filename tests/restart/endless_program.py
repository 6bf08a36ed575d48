"""``python -m tests.restart.endless_program``: a program that ignores its cancellation.

BOT_LIMIT: seconds until the forced exit.
"""

import asyncio
import os

from bot.ops import shutdown


async def run_forever() -> None:
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
    stop.run(run_forever())
