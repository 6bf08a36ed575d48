"""Output on the terminal: any text, whatever the encoding, until the reader of a pipe leaves."""

from __future__ import annotations

import io
import os
import sys
import unicodedata
from contextlib import suppress

JOINERS = "\u200c\u200d"  # valid inside words of some scripts, and between emoji


def printable(line: str) -> str:
    """Return a line with escape codes for characters that move the cursor or change colour or direction."""
    return "".join(character if _is_printable(character) else _code(character) for character in line)


def _is_printable(character: str) -> bool:
    return character.isprintable() or character in JOINERS or unicodedata.category(character) == "Zs"


def _code(character: str) -> str:
    return character.encode("unicode_escape").decode()


def write_any_text() -> None:
    """Write characters outside of the terminal's encoding as codes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with suppress(OSError):  # the stream was replaced by a pipe
                stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Discard all further output: the reader of the pipe, such as `head`, has left."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
