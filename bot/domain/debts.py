"""Debts: who owes whom how many units, and what two people say of it. It is a notebook: nobody pays here.

Refuses to know how they are added up, and where they are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.domain.ids import ChannelId, GuildId, PlayerId, TableId, UserId
from bot.domain.rating import OPEN


@dataclass(frozen=True, slots=True)
class Notebook:
    """Where units are added up: in all channels of a server that everybody sees, or in one that is hidden."""

    guild: GuildId
    channel: ChannelId = OPEN


@dataclass(frozen=True, slots=True)
class Owed:
    """That somebody owes somebody units from a moment on. table: of the match; None where it was settled."""

    at: datetime
    payer: PlayerId
    payee: PlayerId
    units: int
    table: TableId | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """That one of two people, by, says that units are settled. agreed: when the other has said so too."""

    id: int
    payer: PlayerId
    payee: PlayerId
    units: int
    by: PlayerId
    said: datetime
    agreed: datetime | None = None

    @property
    def pair(self) -> frozenset[PlayerId]:
        """Whom it is about."""
        return frozenset((self.payer, self.payee))


@dataclass(frozen=True, slots=True)
class Tab:
    """What somebody is to get, below 0 what they owe. since: from when on; where it is 0, since when they are even.

    table: of their last match there; None where they have only settled something.
    """

    units: int
    since: datetime
    table: TableId | None = None


@dataclass(frozen=True, slots=True)
class Debt:
    """What somebody is to pay somebody, all in all, so that as few payments as possible settle everything."""

    payer: PlayerId
    payee: PlayerId
    units: int
    since: datetime

    @property
    def pair(self) -> frozenset[PlayerId]:
        """Whom it is about."""
        return frozenset((self.payer, self.payee))


@dataclass(frozen=True, slots=True)
class Debtor:
    """Somebody in a notebook. user: None where they were deleted; hidden: whether they show nobody how they play."""

    player: PlayerId
    user: UserId | None
    name: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """What somebody may read of a notebook. me: whose it is, None for whoever has not played there.

    debts: all of them; words: of theirs, which nobody has agreed to yet; agreed: of theirs, the latest first. exact:
    whether there cannot be a way with fewer payments.
    """

    me: PlayerId | None
    debts: tuple[Debt, ...]
    words: tuple[Word, ...]
    agreed: tuple[Word, ...]
    people: dict[PlayerId, Debtor]
    exact: bool = True

    @property
    def empty(self) -> bool:
        """Whether nobody owes anything there, and nothing is or was to be settled with the reader."""
        return not (self.debts or self.words or self.agreed)
