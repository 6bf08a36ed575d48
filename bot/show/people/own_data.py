"""The stored data of a person: summary, export file, and confirmation of deletion."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import IO, Any, Final, Protocol

from discord import ButtonStyle

from bot.domain.message_ids import N_
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PrivateScreen, attached, button, line, lines, private, row, small
from bot.show.kit.words import Words
from bot.show.server.about import policy_buttons

SHOW, ASK, DELETE = "my_data_show", "my_data_ask", "my_data_delete"  # the verbs
MATCHES = "my_matches"  # the verb: export all of a person's matches, of all servers
KEPT = N_(
    "Your seats, moves and results, your settings, your saved rules, and what you changed on servers. "
    "Never what you write. Nobody else sees your cards."
)
CONSEQUENCES = N_(
    "Bots take your seats right away. In matches you played with others, you become a player without a "
    "name, and their results stay. Your own results, settings and saved rules are deleted. This can't "
    "be undone."
)
REMAINS = N_(
    "What stays: those matches, without your name, and a keyed hash of your Discord ID, so you're also "
    "removed if an old backup is restored. It keeps bans in force, keeps matches dealt with you "
    "unrated for 30 days, and keeps counting daily limits (tables, invitations, files) for up to a "
    "day. What I posted in channels stays on Discord."
)
DELETED = N_("There's nothing about you here any more. Thanks for playing. Come back any time!")
TRACES = N_("I'm still deleting the last of it. Until that's done, in a few minutes at most, I won't answer you.")


class StoredDataCount(Protocol):
    """The amount of data stored about a person."""

    @property
    def rows(self) -> int:
        """Rows of tables."""
        ...

    @property
    def matches(self) -> int:
        """Matches with moves of the person."""
        ...


@dataclass(frozen=True, slots=True)
class ExportQuota:
    """The person's export files.

    most: per day. writing: one is in progress. next: the earliest time for another.
    """

    most: int
    writing: bool
    next: datetime | None


def summary(count: StoredDataCount, files: ExportQuota, w: Words) -> PrivateScreen:
    """Return the amount of data stored about a person, with export and delete buttons."""
    much = [w.n("{n} entry", "{n} entries", count.rows)]
    if count.matches:
        much.append(w.n("Your moves in {n} match", "Your moves in {n} matches", count.matches))
    return private(
        Accent.YOURS,
        lines(f"## {w('What I store about you')}", *much, small(w(KEPT)), *map(small, _when(files, w))),
        row(
            button(w("Show me everything"), Browse.to(SHOW), ButtonStyle.primary),
            button(w("Delete everything"), Browse.to(ASK), ButtonStyle.danger),
            *policy_buttons(w),
        ),
        row(button(w("All my matches on all servers"), Browse.to(MATCHES))),
    )


def _when(files: ExportQuota, w: Words) -> Iterator[str]:
    """Yield why no export is possible now, and the time of the next one."""
    if files.writing:
        yield w("Writing your file...")
    if files.next:
        yield w("You've had {most} files today. Next one: {when}.", most=files.most, when=files.next)


def everything(files: tuple[tuple[str, bytes], ...], w: Words) -> PrivateScreen:
    """Return all data stored about a person, as files."""
    text = w("Here's everything I store about you. Only you can see this.")
    shown = private(Accent.YOURS, text, *(attached(name) for name, _ in files))
    return replace(shown, files=files)


def question(w: Words) -> PrivateScreen:
    """Return the confirmation before everything is deleted."""
    return private(
        Accent.YOURS,
        lines(f"## {w('Delete everything about you?')}", w(CONSEQUENCES)),
        small(w(REMAINS)),
        line(),
        row(button(w("Yes, delete everything"), Browse.to(DELETE), ButtonStyle.danger)),
    )


def deleted(w: Words) -> PrivateScreen:
    """Return the notice of the deletion; the last traces follow."""
    return private(Accent.CLOSED, lines(f"## {w('Deleted')}", w(DELETED), small(w(TRACES))))


def no_data(w: Words) -> PrivateScreen:
    """Return the notice that no data is left to delete."""
    return private(Accent.CLOSED, w("There's nothing left about you to delete."))


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
