"""``python -m bot``: what comes before anything else, and then the command line.

Loading the whole program takes a second, so what must hold from the first moment on is settled here: what the program
writes is for its user alone, and a signal ends it.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

from bot.ops.shutdown import Stop


def main() -> int:
    """Do what the command line says; return the exit code."""
    os.umask(0o077)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="backslashreplace")  # it may have no suits and no Chinese
    stop = Stop()
    stop.listen()
    from bot.ops.command_line import run  # noqa: PLC0415  # only now: it loads everything

    return run(sys.argv[1:], stop)


if __name__ == "__main__":
    sys.exit(main())
