"""Debts: what players owe each other, statements about settling, and balances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from bot.domain.ids import ChannelId, GuildId, PlayerId, TableId, UserId
from bot.domain.rating import VISIBLE_CHANNELS


@dataclass(frozen=True, slots=True)
class LedgerScope:
    """A ledger: of all channels of a server visible to everyone, or of one hidden channel."""

    guild: GuildId
    channel: ChannelId = VISIBLE_CHANNELS


@dataclass(frozen=True, slots=True)
class DebtEntry:
    """A debt from a moment on. table: the table of the match; None for a settlement."""

    at: datetime
    payer: PlayerId
    payee: PlayerId
    units: int
    table: TableId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementClaim:
    """A statement by one of two players that units are settled.

    agreed: the time of the other's agreement.
    """

    id: int
    payer: PlayerId
    payee: PlayerId
    units: int
    by: PlayerId
    said: datetime
    agreed: datetime | None = None

    @property
    def pair(self) -> frozenset[PlayerId]:
        """The two players."""
        return frozenset((self.payer, self.payee))


@dataclass(frozen=True, slots=True)
class Balance:
    """A player's balance; below 0 for a debtor.

    since: the start of the debt, or of being even. table: the table of the player's last match; None for a player with
    settlements only.
    """

    units: int
    since: datetime
    table: TableId | None = None


@dataclass(frozen=True, slots=True)
class Debt:
    """One player's total debt to another, chosen so that few payments settle all debts."""

    payer: PlayerId
    payee: PlayerId
    units: int
    since: datetime

    @property
    def pair(self) -> frozenset[PlayerId]:
        """The two players."""
        return frozenset((self.payer, self.payee))


@dataclass(frozen=True, slots=True)
class Debtor:
    """A player in a ledger.

    user: None after deletion; hidden: whether the player hides results from others.
    """

    player: PlayerId
    user: UserId | None
    name: str
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerView:
    """A ledger as one viewer may read it.

    me: the viewer's player id, None for a viewer without matches there. debts: all debts; words: statements about the
    viewer without agreement yet; agreed: the viewer's agreed settlements, latest first. exact: whether no solution with
    fewer payments exists.
    """

    me: PlayerId | None
    debts: tuple[Debt, ...]
    words: tuple[SettlementClaim, ...]
    agreed: tuple[SettlementClaim, ...]
    people: dict[PlayerId, Debtor]
    exact: bool = True

    @property
    def empty(self) -> bool:
        """Whether the ledger has no debts, and the viewer no statements and settlements."""
        return not (self.debts or self.words or self.agreed)


def add_debts(known: Mapping[PlayerId, Balance], owed: Iterable[DebtEntry]) -> Mapping[PlayerId, Balance]:
    """Return the balance of each player with new debts added to the known balances.

    owed: in any order.
    """
    found = dict(known)
    for moment, together in groupby(sorted(owed, key=_order), key=lambda one: one.at):
        for player, (change, table) in _changes(together).items():
            found[player] = _changed(found.get(player), change, moment, table)
    return found


def _order(one: DebtEntry) -> tuple[datetime, int]:
    return one.at, one.table or 0


def _changes(together: Iterable[DebtEntry]) -> Mapping[PlayerId, tuple[int, TableId | None]]:
    """Return the change of each player's balance, and the latest match involved."""
    changes = defaultdict[PlayerId, tuple[int, TableId | None]](lambda: (0, None))
    for one in together:
        for player, units in ((one.payer, -one.units), (one.payee, one.units)):
            before, table = changes[player]
            changes[player] = before + units, one.table or table
    return changes


def _changed(before: Balance | None, change: int, moment: datetime, table: TableId | None) -> Balance:
    """Return the balance after a change.

    A change of sign passes through zero, so ``since`` restarts.
    """
    if before is None:
        return Balance(change, moment, table)
    units = before.units + change
    stays = (before.units > 0, before.units < 0) == (units > 0, units < 0)
    return Balance(units, before.since if stays else moment, table or before.table)
