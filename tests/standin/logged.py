"""``python -m tests.standin.logged <words>``: the command line, where to serve is to write a line into the log."""

import logging
import sys

from bot.running import command_line, serving
from bot.running.stopping import Stop


async def serve(_: object) -> None:
    """Serve nobody."""
    logging.getLogger("bot").info("Table %s", 3)


if __name__ == "__main__":
    serving.serve = serve
    sys.exit(command_line.run(sys.argv[1:], Stop()))
