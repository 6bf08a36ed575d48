"""Debts: who owes whom on a server, with the fewest payments that settle it.

Knows which matches are played for units, and that two people have to agree that something is settled. Refuses to know
how it is drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Final

from bot.ground.debts import Account, Balance, Debt, Debtor, Notebook, Owed, Word
from bot.ground.ids import GuildId, PlayerId, TableId, UserId
from bot.ground.server_settings import PLAIN, ServerSettings
from bot.ratings.debts import balances
from bot.rules.settling import fewest, is_fewest
from bot.store.store import Store

STAKES: Final = "stakes"  # the setting of a server
LATEST: Final = 3  # of what has been settled, that is shown


class Debts:
    """The notebooks of all servers. chosen: what servers have chosen."""

    def __init__(self, store: Store, chosen: Mapping[GuildId, ServerSettings]) -> None:
        self._store = store
        self._chosen = chosen

    async def account(self, book: Notebook, user: UserId) -> Account:
        """Return what somebody may read of a notebook. May raise StoreError."""
        played, said = await self._played(book), await self._store.words(book)
        agreed = [word for word in said if word.agreed]
        now = balances([*played, *map(_settled, agreed)])
        debts, exact = payments(now)
        me = await self._store.player_of(user)
        mine = [word for word in said if me in word.pair]
        people = await self._people(played, debts, mine)
        latest = sorted((word for word in mine if word.agreed), key=lambda word: (word.agreed, word.id), reverse=True)
        open_ = tuple(word for word in mine if not word.agreed)
        return Account(me, debts, open_, tuple(latest[:LATEST]), people, exact)

    async def _played(self, book: Notebook) -> list[Owed]:
        """Return what is owed by the matches that ended while there were stakes here: before, they were for nothing."""
        switched = await self._store.switched(book.guild, STAKES)
        now = self._chosen.get(book.guild, PLAIN).stakes
        return [one for one in await self._store.owed(book) if on(switched, one.at, otherwise=now)]

    async def _people(
        self, played: Iterable[Owed], debts: Iterable[Debt], words: Iterable[Word]
    ) -> dict[PlayerId, Debtor]:
        """Return who those are that are named, as they were called in their last match."""
        shown = {player for debt in debts for player in debt.pair} | {player for word in words for player in word.pair}
        last = dict[PlayerId, TableId]()
        for one in played:
            assert one.table is not None
            last |= {one.payer: one.table, one.payee: one.table}
        return await self._store.debtors({player: last.get(player) for player in shown})


def on(switched: Sequence[tuple[datetime, bool]], at: datetime, *, otherwise: bool) -> bool:
    """Tell whether something was on at a moment. otherwise: whether it is, where it has never been changed."""
    if not switched:
        return otherwise
    before = bisect_right(switched, at, key=itemgetter(0))
    return switched[before - 1][1] if before else not switched[0][1]


def payments(now: Mapping[PlayerId, Balance]) -> tuple[tuple[Debt, ...], bool]:
    """Return who pays whom to settle everything, the most first, and whether there is surely no way with fewer."""
    order = sorted(now)
    nets = [now[player].units for player in order]
    debts = (Debt(order[payer], order[payee], units, now[order[payer]].since) for payer, payee, units in fewest(nets))
    return tuple(sorted(debts, key=lambda debt: (-debt.units, debt.payer, debt.payee))), is_fewest(nets)


def _settled(word: Word) -> Owed:
    """Return what was settled as a debt that goes the other way."""
    assert word.agreed is not None
    return Owed(word.agreed, word.payee, word.payer, word.units)
