"""Where everything is kept: a file on this machine, or a database on a PostgreSQL server.

Refuses to show a password to anybody who does not ask for the address by `reveal` or `connection_string`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

from bot.runtime.connection_string import ConnectionString, parse

OTHER_FORM = re.compile(r"\b(host|dbname|user|password)\s*=")  # of a text with spaces between its parameters


class Server:
    """A database on a PostgreSQL server. It shows its name and host alone in repr, str, format, asdict or a log."""

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
        """What the address says, the password too."""
        return self._parsed

    def reveal(self) -> str:
        """Return the address itself, to connect with."""
        return self.__text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Server) and other.reveal() == self.__text

    def __hash__(self) -> int:
        return hash(self.__text)

    def __str__(self) -> str:
        hosts = ", ".join(host for host, _ in self._parsed.hosts if host and not host.startswith("/"))
        return f"{self.name} on {hosts}" if hosts else self.name

    def __repr__(self) -> str:
        return f"<Server {self}>"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


Address: TypeAlias = Path | Server


def is_server(text: str) -> bool:
    """Tell whether a text is meant as an address of a server and not as the path of a file."""
    return "://" in text or bool(OTHER_FORM.search(text))
