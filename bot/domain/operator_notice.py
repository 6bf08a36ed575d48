"""What whoever runs the bot has said to all who use it: a notice, whether new tables are opened, who is not served.

Plain values, and how they are written down. Whoever is not served stands there as a keyed hash, so that it tells nobody
who they are, also once all else about them is deleted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, Self, TypeAlias

Banned: TypeAlias = Literal["person", "server"]
Verb: TypeAlias = Literal["close", "open", "announce", "ban", "unban"]
BANNED: tuple[Banned, ...] = ("person", "server")
KEY = "upkeep"  # the note under which it is kept
LONGEST = 300  # characters of a notice
RECORDED = 100  # deeds
TOLD = 8  # letters of a mark in the record


@dataclass(frozen=True, slots=True)
class Notice:
    """What stands on every board: text, in the words of whoever runs the bot, and that no new tables are opened."""

    text: str = ""
    closed: bool = False


NO_NOTICE = Notice()


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be another way. text: the notice. who: of a ban, what it is about and its mark."""

    verb: Verb
    text: str = ""
    who: tuple[Banned, str] | None = None

    def __str__(self) -> str:
        """Write it for the record."""
        about = (self.who[0], self.who[1][:TOLD]) if self.who else (self.text,)
        return " ".join(filter(None, (self.verb, *about)))


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done, when, and from where: the command line, or Discord."""

    at: datetime
    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Upkeep:
    """All of it. banned: who is not served. done: the latest deeds, the last one last."""

    notice: Notice = NO_NOTICE
    banned: frozenset[tuple[Banned, str]] = frozenset()
    done: tuple[Deed, ...] = ()

    def ordered(self, order: Order, at: datetime, where: str) -> Self:
        """Return what holds once this is ordered, with that in the record. Raises ValueError for too long a notice."""
        if len(order.text) > LONGEST:
            raise ValueError(f"A notice has {LONGEST} characters at most, and this one {len(order.text)}.")
        done = (*self.done, Deed(at, where, str(order)))[-RECORDED:]
        if order.who is None:
            closed = self.notice.closed if order.verb == "announce" else order.verb == "close"
            return replace(self, notice=Notice(" ".join(order.text.split()), closed), done=done)
        others = self.banned - {order.who}
        return replace(self, banned=others | {order.who} if order.verb == "ban" else others, done=done)

    @classmethod
    def read(cls, kept: str | None) -> Self:
        """Return what is written so; None is nothing."""
        if kept is None:
            return cls()
        said: dict[str, Any] = json.loads(kept)
        done = tuple(Deed(datetime.fromisoformat(at), where, what) for at, where, what in said["done"])
        return cls(Notice(said["text"], said["closed"]), frozenset((kind, mark) for kind, mark in said["banned"]), done)

    def __str__(self) -> str:
        """Write it down."""
        return json.dumps(
            {
                "text": self.notice.text,
                "closed": self.notice.closed,
                "banned": sorted(self.banned),
                "done": [(deed.at.isoformat(timespec="seconds"), deed.where, deed.what) for deed in self.done],
            }
        )
