"""The address of the store: a file on this machine, or a database on a PostgreSQL server.

A password is shown only by `reveal` and `connection_string`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

from bot.runtime.connection_string import ConnectionString, parse

OTHER_FORM = re.compile(r"\b(host|dbname|user|password)\s*=")  # libpq's other form: parameters separated by spaces


class DatabaseServer:
    """A database on a PostgreSQL server. Its repr, str, format, asdict and log show name and host alone."""

    __slots__ = ("__text", "_parsed")

    def __init__(self, text: str) -> None:
        self._parsed = parse(text)
        self.__text = text

    @property
    def name(self) -> str:
        """The name of the database on the server."""
        return self._parsed.database

    @property
    def connection_string(self) -> ConnectionString:
        """The parsed address, password included."""
        return self._parsed

    def reveal(self) -> str:
        """Return the address itself, for connecting."""
        return self.__text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatabaseServer) and other.reveal() == self.__text

    def __hash__(self) -> int:
        return hash(self.__text)

    def __str__(self) -> str:
        hosts = ", ".join(host for host, _ in self._parsed.hosts if host and not host.startswith("/"))
        return f"{self.name} on {hosts}" if hosts else self.name

    def __repr__(self) -> str:
        return f"<Server {self}>"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


Address: TypeAlias = Path | DatabaseServer


def is_server(text: str) -> bool:
    """Tell whether a text looks like the address of a server, not the path of a file."""
    return "://" in text or bool(OTHER_FORM.search(text))
