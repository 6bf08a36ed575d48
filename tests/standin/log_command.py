"""``python -m tests.standin.log_command <words>``: the command line, whose ``serve`` only logs a line."""

import logging
import sys

from bot.ops import command_line, serving
from bot.ops.shutdown import SignalHandler
from bot.settings import Settings


async def serve(settings: Settings) -> None:
    """Log a line."""
    logging.getLogger("bot").info("Table %s", 3)


if __name__ == "__main__":
    serving.serve = serve
    sys.exit(command_line.run(sys.argv[1:], SignalHandler()))
