"""``python -m bot``: sets up the process, then runs the command line.

Importing the whole program takes a second, so the first settings are made here: files are private to their user, and
a signal ends the program.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

from bot.ops.shutdown import SignalHandler


def main() -> int:
    """Run the command line and return the exit code."""
    os.umask(0o077)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="backslashreplace")  # the encoding may lack suits and Chinese
    stop = SignalHandler()
    stop.listen()
    from bot.ops.command_line import run  # noqa: PLC0415  # only now: it loads everything

    return run(sys.argv[1:], stop)


if __name__ == "__main__":
    sys.exit(main())
