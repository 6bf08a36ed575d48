"""The stored data of a person: a summary, the export, and the confirmation before deletion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from discord import ButtonStyle

from bot.domain.message_ids import N_
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PrivateScreen, attached, button, line, lines, private, row, small
from bot.show.kit.words import Words
from bot.show.server.policies import policy_buttons

SHOW, ASK, DELETE = "my_data_show", "my_data_ask", "my_data_delete"  # the verbs
MATCHES = "my_matches"  # the verb: export all of a person's matches, of all servers
KEPT = N_(
    "Your seats, moves and results, what you chose, the rules you saved, and what you changed on servers. Never what "
    "you write, and your cards are shown to nobody else."
)
CONSEQUENCES = N_(
    "House players take your seats, at once. In matches that others played with you, you become a player without a "
    "name; their results stay as they are. Your results, choices and saved rules are gone. Nobody can undo this."
)
REMAINS = N_(
    "What stays: those matches, without you, and a keyed hash of your number, so that an old copy would forget you "
    "again. By it a ban stays, matches dealt with you are unrated for 30 days, and what you may do only so often "
    "(tables, invitations, files) still counts, for a day at most. What I wrote in channels are messages on Discord."
)
DELETED = N_("Nobody finds anything about you here any more. Thank you for playing. Come back any time.")
TRACES = N_("I am still clearing out the last of it. Until that is done, a few minutes at most, I do not answer you.")


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
    """The person's export files. most: per day. writing: one is in progress. next: the earliest time for another."""

    most: int
    writing: bool
    next: datetime | None


def summary(count: StoredDataCount, files: ExportQuota, w: Words) -> PrivateScreen:
    """Return the amount of data stored about a person, with the buttons to export and delete it."""
    much = [w.n("{n} entry", "{n} entries", count.rows)]
    if count.matches:
        much.append(w.n("Your moves in {n} match", "Your moves in {n} matches", count.matches))
    return private(
        Accent.YOURS,
        lines(f"## {w('What I keep about you')}", *much, small(w(KEPT)), *map(small, _when(files, w))),
        row(
            button(w("Show me all of it"), Browse.to(SHOW), ButtonStyle.primary),
            button(w("Delete all of it"), Browse.to(ASK), ButtonStyle.danger),
            *policy_buttons(w),
        ),
        row(button(w("All my matches on all servers"), Browse.to(MATCHES))),
    )


def _when(files: ExportQuota, w: Words) -> Iterator[str]:
    """Yield why no export is possible now, and the time of the next one."""
    if files.writing:
        yield w("Your file is being written.")
    if files.next:
        yield w("You have had {most} files in a day. The next one: {when}.", most=files.most, when=files.next)


def everything(files: tuple[tuple[str, bytes], ...], w: Words) -> PrivateScreen:
    """Return all data stored about a person, as files."""
    said = w("Here is all that I keep about you. Only you see this.")
    shown = private(Accent.YOURS, said, *(attached(name) for name, _ in files))
    return replace(shown, files=files)


def question(w: Words) -> PrivateScreen:
    """Return the confirmation before everything is deleted."""
    return private(
        Accent.YOURS,
        lines(f"## {w('Delete everything about you?')}", w(CONSEQUENCES)),
        small(w(REMAINS)),
        line(),
        row(button(w("Yes, delete all of it"), Browse.to(DELETE), ButtonStyle.danger)),
    )


def deleted(w: Words) -> PrivateScreen:
    """Return the notice of the deletion; the last traces follow."""
    return private(Accent.CLOSED, lines(f"## {w('It is deleted')}", w(DELETED), small(w(TRACES))))


def nothing_kept(w: Words) -> PrivateScreen:
    """Return the notice that no data is left to delete."""
    return private(Accent.CLOSED, w("There is nothing about you left to delete."))
