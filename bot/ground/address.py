"""Where everything is kept: a file on this machine, or a database on a PostgreSQL server.

Knows how both are written. Refuses to show a password to anybody who does not ask for the address by `reveal`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

SCHEMES = ("postgresql", "postgres")
NAME = re.compile(r"/[\w.-]{1,63}", re.ASCII)


class Server:
    """A database on a PostgreSQL server. It shows its name and host alone in repr, str, format, asdict or a log."""

    __slots__ = ("__text", "_shown")

    def __init__(self, text: str) -> None:
        parts = _parts(text)
        if parts is None:
            raise ValueError("must be written postgresql://USER:PASSWORD@HOST/DATABASE")
        self.__text = text
        self._shown = _shown(parts)

    @property
    def name(self) -> str:
        """The name of the database on the server."""
        return urlsplit(self.__text).path[1:]

    def reveal(self) -> str:
        """Return the address itself, to connect with."""
        return self.__text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Server) and other.reveal() == self.__text

    def __hash__(self) -> int:
        return hash(self.__text)

    def __str__(self) -> str:
        return self._shown

    def __repr__(self) -> str:
        return f"<Server {self._shown}>"

    def __format__(self, spec: str) -> str:
        return format(self._shown, spec)


Address: TypeAlias = Path | Server


def is_server(text: str) -> bool:
    """Tell whether a text is meant as an address of a server and not as the path of a file."""
    return "://" in text


def _parts(text: str) -> SplitResult | None:
    """Take an address apart; None where it is not written as one."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme in SCHEMES and NAME.fullmatch(parts.path) else None


def _shown(parts: SplitResult) -> str:
    """Name a database without whoever may use it."""
    return f"{parts.path[1:]} on {parts.hostname}" if parts.hostname else parts.path[1:]
