"""The terminal as the command line writes to it: any text, whatever it can show, and until its reader leaves."""

from __future__ import annotations

import io
import os
import sys
import unicodedata
from contextlib import suppress

JOINERS = "\u200c\u200d"  # inside words of some scripts, and between emoji


def printable(line: str) -> str:
    """Return a line without characters that move the cursor, colour or turn text; they are written as codes."""
    return "".join(character if _is_printable(character) else _code(character) for character in line)


def _is_printable(character: str) -> bool:
    return character.isprintable() or character in JOINERS or unicodedata.category(character) == "Zs"


def _code(character: str) -> str:
    return character.encode("unicode_escape").decode()


def write_any_text() -> None:
    """Let characters that the terminal's encoding lacks be written as codes, not end the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with suppress(OSError):  # its file has been exchanged for a pipe
                stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Write to nowhere from now on: the reader of the pipe, such as `head`, has left."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
