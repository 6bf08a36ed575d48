"""Confirmations to players, compared with the database.

Decides which answers confirm an action.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, TypeAlias

from bot.interactions.answers import ACKNOWLEDGE_AFTER
from tests.kill.database_file import DatabaseFile, StoredTable
from tests.standin import Interaction
from tests.standin.components import TEXT, Component, walk
from tests.standin.faults import Log, LoggedRequest
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

WHY_BUTTON = "Why?"  # the button of a refusal
FIRST_TABLE_TEXT = "New to "  # the answer to the host of a first table
SEATED_TEXT = "You're in: seat"  # the answer to a person who joined

Key: TypeAlias = tuple[int, int, str]  # table, person, action


@dataclass(frozen=True)
class Attempt:
    """An action that a player tried at a table.

    action: as in a record. ply: for which the button was drawn; None for a typed action. confirmed: by the answer.
    """

    table: int
    user: int
    action: str
    ply: int | None
    confirmed: bool

    @property
    def key(self) -> Key:
        return self.table, self.user, self.action


def is_confirmed(interaction: Interaction, log: Log) -> bool:
    """Whether the answers, as they were sent, confirm the action."""
    sent = [
        entry
        for entry in _since(log, interaction.born)
        if interaction.token in entry.path and entry.status in (200, 204)
    ]
    if interaction.kind == DEFERRED_UPDATE and len(sent) == 1:
        return interaction.seconds is not None and interaction.seconds < ACKNOWLEDGE_AFTER
    shown = [part for entry in sent for part in walk(_components(entry.json))]
    if any(part.get("label") == WHY_BUTTON for part in shown):
        return False
    text = "\n".join(part["content"] for part in shown if part["type"] == TEXT)
    return bool(text) and not REFUSED.search(text)


def is_confirmed_privately(interaction: Interaction, log: Log, words: str) -> bool:
    """Whether a private message contains these words, or the loading message was deleted."""
    return bool(interaction.ephemeral and words in interaction.ephemeral.text) or any(
        (entry.method, entry.status) == ("DELETE", 204) and interaction.token in entry.path
        for entry in _since(log, interaction.born)
    )


def _since(log: Log, born: float) -> Iterator[LoggedRequest]:
    return takewhile(lambda entry: entry.at >= born, reversed(log))


def _components(body: Any) -> list[Component]:
    return (body.get("data") or body).get("components") or []


@dataclass(repr=False)
class Ledger:
    """All attempts. opened, seated: confirmed lobbies by (host, channel) and seats by (table, user)."""

    attempts: list[Attempt] = field(default_factory=list)
    opened: Counter[tuple[int, int]] = field(default_factory=Counter)
    seated: set[tuple[int, int]] = field(default_factory=set)
    started: set[int] = field(default_factory=set)

    @property
    def acknowledged(self) -> int:
        """The number of confirmed actions."""
        played = sum(attempt.confirmed for attempt in self.attempts)
        return played + self.opened.total() + len(self.seated) + len(self.started)

    def lost(self, database: DatabaseFile) -> list[str]:
        """Return the confirmed actions that are missing from the database."""
        tables = {table.id: table for table in database.tables()}
        opened = Counter((table.host, table.channel) for table in tables.values())
        missing = [f"{attempt}" for attempt in self.attempts if attempt.confirmed and not _in(tables, attempt)]
        stored, confirmed = _stored(tables.values()), Counter(each.key for each in self.attempts if each.confirmed)
        missing += [
            f"{what} of {user} at {number}"
            for (number, user, what), count in confirmed.items()
            if stored[number, user, what] < count
        ]
        missing += [f"a table of {key} that was opened" for key in self.opened if opened[key] < self.opened[key]]
        missing += [
            f"the seat of {user} at {number}" for number, user in self.seated if tables[number].seat_of(user) is None
        ]
        return missing + [f"the start of {number}" for number in self.started if tables[number].phase == "lobby"]

    def duplicated(self, database: DatabaseFile) -> list[str]:
        """Return the actions that are stored more often than requested."""
        wanted = Counter(attempt.key for attempt in self.attempts)
        actions = [f"{key}" for key, count in _stored(database.tables()).items() if count > wanted[key]]
        for table in database.tables():
            plies = [ply for ply, *_ in table.steps]
            actions += [f"plies of table {table.id}"] if plies != list(range(len(plies))) else []
        confirmed = Counter(
            (attempt.table, attempt.ply)
            for attempt in self.attempts
            if attempt.confirmed and attempt.ply is not None and attempt.action != "ready"
        )
        return actions + [
            f"ply {ply} of table {number} confirmed twice" for (number, ply), count in confirmed.items() if count > 1
        ]


def _stored(tables: Iterable[StoredTable]) -> Counter[Key]:
    """Count the stored actions of people."""
    actions: Counter[Key] = Counter()
    for table in tables:
        users = {seat: user or 0 for seat, user, _ in table.chairs}
        actions.update((table.id, users[seat], what) for _, seat, what, by in table.steps if by == "person")
    return actions


def _in(tables: dict[int, StoredTable], attempt: Attempt) -> bool:
    """Whether a confirmed action is stored at its ply; Ready, as the next action of its seat."""
    table = tables[attempt.table]
    if attempt.ply is None:
        return True  # typed actions are compared by their counts
    seat = table.seat_of(attempt.user)
    if attempt.action == "ready":
        later = (step for step in table.steps[attempt.ply :] if step[1] == seat)
        return next((step[2] for step in later), "") == "ready"
    return attempt.ply < table.ply and table.steps[attempt.ply][1:] == (seat, attempt.action, "person")
