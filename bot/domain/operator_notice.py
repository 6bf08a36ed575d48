"""The operator's decisions for all users: a notice, open or closed tables, and bans.

Plain values, and their text form. A banned user or server appears as a keyed hash only, so that the list reveals
nobody, even after all other data about them was deleted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, Self, TypeAlias

BannedKind: TypeAlias = Literal["person", "server"]
OperatorVerb: TypeAlias = Literal["close", "open", "announce", "ban", "unban"]
BANNED_KINDS: tuple[BannedKind, ...] = ("person", "server")
STORED_KEY = "upkeep"  # the key of the stored text
MAX_NOTICE_LENGTH = 300  # characters of a notice
MAX_RECORDED_ACTIONS = 100  # the most deeds in the record
SHOWN_HASH_LENGTH = 8  # characters of a hash shown in the record


@dataclass(frozen=True, slots=True)
class OperatorNotice:
    """The operator's notice on every board. closed: whether no new tables may be opened."""

    text: str = ""
    closed: bool = False


NO_NOTICE = OperatorNotice()


@dataclass(frozen=True, slots=True)
class OperatorCommand:
    """A change ordered by the operator.

    text: the notice. who: the kind and the hash of a banned user or server.
    """

    verb: OperatorVerb
    text: str = ""
    who: tuple[BannedKind, str] | None = None

    def __str__(self) -> str:
        """Return the line for the record."""
        about = (self.who[0], self.who[1][:SHOWN_HASH_LENGTH]) if self.who else (self.text,)
        return " ".join(filter(None, (self.verb, *about)))


@dataclass(frozen=True, slots=True)
class OperatorAction:
    """A change made by the operator. where: the command line, or Discord."""

    at: datetime
    where: str
    what: str


@dataclass(frozen=True, slots=True)
class OperatorState:
    """All decisions of the operator.

    banned: kinds and hashes. done: the latest changes, oldest first.
    """

    notice: OperatorNotice = NO_NOTICE
    banned: frozenset[tuple[BannedKind, str]] = frozenset()
    done: tuple[OperatorAction, ...] = ()

    def ordered(self, order: OperatorCommand, at: datetime, where: str) -> Self:
        """Return the decisions after a change, with the change in the record.

        Raises ValueError for a long notice.
        """
        if len(order.text) > MAX_NOTICE_LENGTH:
            raise ValueError(f"A notice has {MAX_NOTICE_LENGTH} characters at most, and this one {len(order.text)}.")
        done = (*self.done, OperatorAction(at, where, str(order)))[-MAX_RECORDED_ACTIONS:]
        if order.who is None:
            closed = self.notice.closed if order.verb == "announce" else order.verb == "close"
            return replace(self, notice=OperatorNotice(" ".join(order.text.split()), closed), done=done)
        others = self.banned - {order.who}
        return replace(self, banned=others | {order.who} if order.verb == "ban" else others, done=done)

    @classmethod
    def read(cls, kept: str | None) -> Self:
        """Return the decisions from their text form; None for no decisions."""
        if kept is None:
            return cls()
        said: dict[str, Any] = json.loads(kept)
        done = tuple(OperatorAction(datetime.fromisoformat(at), where, what) for at, where, what in said["done"])
        return cls(
            OperatorNotice(said["text"], said["closed"]), frozenset((kind, mark) for kind, mark in said["banned"]), done
        )

    def __str__(self) -> str:
        """Return the text form."""
        return json.dumps(
            {
                "text": self.notice.text,
                "closed": self.notice.closed,
                "banned": sorted(self.banned),
                "done": [(deed.at.isoformat(timespec="seconds"), deed.where, deed.what) for deed in self.done],
            }
        )
