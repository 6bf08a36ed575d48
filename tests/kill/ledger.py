"""Confirmations to users, compared with the file.

Knows what counts as told. Refuses to know how any player plays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, TypeAlias

from bot.interactions.answers import ACKNOWLEDGE_AFTER
from tests.kill.database_file import Kept, KeptTable
from tests.standin import Interaction
from tests.standin.components import TEXT, Component, walk
from tests.standin.faults import Log, Logged
from tests.standin.interactions import DEFERRED_UPDATE

REFUSALS = (
    "moved on",
    "Something went wrong",
    "nothing has been done",
    "trouble reaching Discord",
    "too long",
    "no match at this table",
)
REFUSED = re.compile("|".join(REFUSALS))

WHY = "Why?"  # a button beside each refusal
OPENED = "New to "  # the answer to the host of a first table
SEATED = "You're in: seat"  # the answer to a person who joined

Key: TypeAlias = tuple[int, int, str]  # table, person, what


@dataclass(frozen=True)
class Attempt:
    """Something a person has tried at a table.

    what: as a record writes it. ply: the moment the button was made for, None where it was typed.
    """

    table: int
    user: int
    what: str
    ply: int | None
    done: bool

    @property
    def key(self) -> Key:
        return self.table, self.user, self.what


def told_done(interaction: Interaction, log: Log) -> bool:
    """Whether a person received a confirmation: by the answers themselves, as they were sent."""
    answers = [
        entry
        for entry in _since(log, interaction.born)
        if interaction.token in entry.path and entry.status in (200, 204)
    ]
    if interaction.kind == DEFERRED_UPDATE and len(answers) == 1:
        return interaction.seconds is not None and interaction.seconds < ACKNOWLEDGE_AFTER
    shown = [part for entry in answers for part in walk(_components(entry.json))]
    if any(part.get("label") == WHY for part in shown):
        return False
    text = "\n".join(part["content"] for part in shown if part["type"] == TEXT)
    return bool(text) and not REFUSED.search(text)


def told_beside(interaction: Interaction, log: Log, words: str) -> bool:
    """Whether a person received a confirmation.

    By these words in private, or by the loading message being gone.
    """
    return bool(interaction.ephemeral and words in interaction.ephemeral.text) or any(
        (entry.method, entry.status) == ("DELETE", 204) and interaction.token in entry.path
        for entry in _since(log, interaction.born)
    )


def _since(log: Log, born: float) -> Iterator[Logged]:
    return takewhile(lambda entry: entry.at >= born, reversed(log))


def _components(body: Any) -> list[Component]:
    return (body.get("data") or body).get("components") or []


@dataclass(repr=False)
class Ledger:
    """All attempts. opened and seated: what was told about lobbies, (host, channel) and (table, user)."""

    attempts: list[Attempt] = field(default_factory=list)
    opened: Counter[tuple[int, int]] = field(default_factory=Counter)
    seated: set[tuple[int, int]] = field(default_factory=set)
    started: set[int] = field(default_factory=set)

    @property
    def acknowledged(self) -> int:
        """How many actions people were told are done."""
        played = sum(attempt.done for attempt in self.attempts)
        return played + self.opened.total() + len(self.seated) + len(self.started)

    def lost(self, kept: Kept) -> list[str]:
        """Confirmed actions missing from the file."""
        tables = {table.id: table for table in kept.tables()}
        opened = Counter((table.host, table.channel) for table in tables.values())
        missing = [f"{attempt}" for attempt in self.attempts if attempt.done and not _in(tables, attempt)]
        stored, told = _stored(tables.values()), Counter(each.key for each in self.attempts if each.done)
        missing += [
            f"{what} of {user} at {number}"
            for (number, user, what), count in told.items()
            if stored[number, user, what] < count
        ]
        missing += [f"a table of {key} that was opened" for key in self.opened if opened[key] < self.opened[key]]
        missing += [
            f"the seat of {user} at {number}" for number, user in self.seated if tables[number].seat_of(user) is None
        ]
        return missing + [f"the start of {number}" for number in self.started if tables[number].phase == "lobby"]

    def doubled(self, kept: Kept) -> list[str]:
        """Actions stored more often than requested."""
        wanted = Counter(attempt.key for attempt in self.attempts)
        found = [f"{key}" for key, count in _stored(kept.tables()).items() if count > wanted[key]]
        for table in kept.tables():
            plies = [ply for ply, *_ in table.steps]
            found += [f"plies of table {table.id}"] if plies != list(range(len(plies))) else []
        told = Counter(
            (attempt.table, attempt.ply)
            for attempt in self.attempts
            if attempt.done and attempt.ply is not None and attempt.what != "ready"
        )
        return found + [f"ply {ply} of table {number} told twice" for (number, ply), count in told.items() if count > 1]


def _stored(tables: Iterable[KeptTable]) -> Counter[Key]:
    """Count what people have done."""
    found: Counter[Key] = Counter()
    for table in tables:
        users = {seat: user or 0 for seat, user, _ in table.chairs}
        found.update((table.id, users[seat], what) for _, seat, what, by in table.steps if by == "person")
    return found


def _in(tables: dict[int, KeptTable], attempt: Attempt) -> bool:
    """Whether an action is in the file: at its very ply.

    Being ready, as the next thing its seat did.
    """
    table = tables[attempt.table]
    if attempt.ply is None:
        return True  # counted with the others of its kind
    seat = table.seat_of(attempt.user)
    if attempt.what == "ready":
        later = (step for step in table.steps[attempt.ply :] if step[1] == seat)
        return next((step[2] for step in later), "") == "ready"
    return attempt.ply < table.ply and table.steps[attempt.ply][1:] == (seat, attempt.what, "person")
