"""The file of a person's stored data, written page by page, as JSON or as a zip archive."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import IO, Any, Final

NAME: Final = "what-bigger-keeps-about-me"
PLAIN: Final = 1_000_000  # bytes; a larger file becomes an archive
SLACK: Final = 200_000  # bytes of a file left free for another page
MAX_FILES: Final = 10  # in one message


class TooLarge(Exception):
    """The data does not fit into one message."""


class OwnFile:
    """A JSON object with a list of rows for each table; a large one is archived.

    limit: the greatest size of a file in bytes. Larger data is split into several files, each with an object of its
    own.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit - SLACK
        self._finished = list[bytes]()
        self._bytes = io.BytesIO()
        self._archive: zipfile.ZipFile | None = None
        self._text: IO[bytes] = self._bytes
        self._name = ""  # of the table whose list is open
        self._written = 0  # tables in this file

    def add(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write rows of a table; all pages of one table must be consecutive. Raises TooLarge."""
        if self._bytes.tell() > self._limit:
            self._finish()
        lines = ",\n".join(json.dumps(row, ensure_ascii=False, default=_plain) for row in rows)
        self._text.write(f"{self._opening(name)}{lines}".encode())
        if self._archive is None and self._bytes.tell() > min(PLAIN, self._limit):
            written = self._bytes.getvalue()
            self._begin_archive()
            self._text.write(written)

    def close(self) -> tuple[tuple[str, bytes], ...]:
        """Finish, and return the files by name. Raises TooLarge."""
        if self._archive is None:
            self._text.write(self._ending())
            return ((f"{NAME}.json", self._bytes.getvalue()),)
        self._finish()
        if len(self._finished) == 1:
            return ((f"{NAME}.zip", self._finished[0]),)
        return tuple((f"{NAME}-{number}.zip", body) for number, body in enumerate(self._finished, 1))

    def _opening(self, name: str) -> str:
        """Return the JSON text before further rows of a table."""
        if name == self._name:
            return ",\n"
        before = "]" if self._name else ""
        before += ",\n" if self._written else "{"
        self._name = name
        self._written += 1
        return f"{before}{json.dumps(name)}: [\n"

    def _ending(self) -> bytes:
        ending = ("" if self._written else "{") + ("]" if self._name else "") + "}\n"
        self._name, self._written = "", 0
        return ending.encode()

    def _begin_archive(self) -> None:
        self._bytes = io.BytesIO()
        self._archive = zipfile.ZipFile(self._bytes, "w", zipfile.ZIP_DEFLATED)
        self._text = self._archive.open(f"{NAME}.json", "w", force_zip64=True)

    def _finish(self) -> None:
        """Finish the archive, and begin another one."""
        assert self._archive is not None
        self._text.write(self._ending())
        self._text.close()
        self._archive.close()
        self._finished.append(self._bytes.getvalue())
        if len(self._finished) > MAX_FILES:
            raise TooLarge
        self._begin_archive()


def _plain(value: object) -> str:
    """Return a datetime in ISO format, which JSON lacks; any other value as text."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
