"""Ledgers: the debts between players of a server, with the fewest payments to settle them.

A payment counts as settled after both players agree. This module never renders a ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from bot.domain.debts import Balance, Debt, Debtor, LedgerScope, LedgerView, SettlementClaim, add_debts
from bot.domain.ids import PlayerId, UserId
from bot.rules.matches.score import fewest_payments, is_fewest
from bot.runtime.progress import stage
from bot.runtime.tasks import SingleFlight
from bot.store.repositories.debts import LedgerMethod
from bot.store.store import Store

VERSION: Final = 2  # of the computation; a new version recomputes every ledger
MAX_SETTLED_SHOWN: Final = 3  # settled payments shown


class Ledgers:
    """The ledgers of all servers."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._adding = SingleFlight[Mapping[PlayerId, Balance]]("sum of notebook")

    async def account(self, book: LedgerScope, user: UserId) -> LedgerView:
        """Return the part of a ledger open to a user. May raise StoreError."""
        tabs, statements = await self._tabs(book), await self._store.debts.words(book)
        debts, exact = payments({player: tab for player, tab in tabs.items() if tab.units})
        me = await self._store.debts.player_of(user)
        mine = [word for word in statements if me in word.pair]
        people = await self._people(tabs, debts, mine)
        latest = sorted((word for word in mine if word.agreed), key=lambda word: (word.agreed, word.id), reverse=True)
        open_ = tuple(word for word in mine if not word.agreed)
        return LedgerView(
            me=me, debts=debts, words=open_, agreed=tuple(latest[:MAX_SETTLED_SHOWN]), people=people, exact=exact
        )

    async def recount(self) -> int:
        """Recompute every ledger; return the number of ledgers. May raise StoreError."""
        books = await self._store.debts.clear_ledgers()
        with stage("adding up ledgers", len(books), "ledgers") as reach:
            for number, book in enumerate(books, 1):
                await self._tabs(book)
                reach(number)
        return len(books)

    async def _tabs(self, book: LedgerScope) -> Mapping[PlayerId, Balance]:
        """Return each player's balance over the matches played for stakes."""
        return await self._adding.do_anew(
            book, partial(self._store.debts.tabs, book, LedgerMethod(str(VERSION), add_debts))
        )

    async def _people(
        self, tabs: Mapping[PlayerId, Balance], debts: Iterable[Debt], words: Iterable[SettlementClaim]
    ) -> dict[PlayerId, Debtor]:
        """Return the named players, each with the name from the latest match."""
        shown = {player for debt in debts for player in debt.pair} | {player for word in words for player in word.pair}
        return await self._store.debts.debtors(
            {player: tabs[player].table if player in tabs else None for player in shown}
        )


def payments(now: Mapping[PlayerId, Balance]) -> tuple[tuple[Debt, ...], bool]:
    """Return the payments to settle every balance, largest first, and whether they are fewest."""
    order = sorted(now)
    nets = [now[player].units for player in order]
    debts = (
        Debt(order[payer], order[payee], units, now[order[payer]].since)
        for payer, payee, units in fewest_payments(nets)
    )
    return tuple(sorted(debts, key=lambda debt: (-debt.units, debt.payer, debt.payee))), is_fewest(nets)
