"""Debts: who owes whom on a server, with the fewest payments that settle it.

Knows which matches are played for units, and that two people have to agree that something is settled. Refuses to know
how it is drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from operator import itemgetter
from typing import Final

from bot.ground.debts import Account, Debt, Debtor, Notebook, Owed, Tab, Word
from bot.ground.ids import GuildId, PlayerId, UserId
from bot.ground.server_settings import PLAIN, ServerSettings
from bot.ground.single_flight import SingleFlight
from bot.ratings.debts import added
from bot.rules.settling import fewest, is_fewest
from bot.store.store import Store
from bot.store.tabs import Sum

STAKES: Final = "stakes"  # the setting of a server
VERSION: Final = 1  # of the way in which ledgers are added up: another one, and they are added up anew
LATEST: Final = 3  # of what has been settled, that is shown


class Debts:
    """The notebooks of all servers. chosen: what servers have chosen."""

    def __init__(self, store: Store, chosen: Mapping[GuildId, ServerSettings]) -> None:
        self._store = store
        self._chosen = chosen
        self._adding = SingleFlight[Mapping[PlayerId, Tab]]("sum of notebook")

    async def account(self, book: Notebook, user: UserId) -> Account:
        """Return what somebody may read of a notebook. May raise StoreError."""
        tabs, said = await self._tabs(book), await self._store.words(book)
        debts, exact = payments({player: tab for player, tab in tabs.items() if tab.units})
        me = await self._store.player_of(user)
        mine = [word for word in said if me in word.pair]
        people = await self._people(tabs, debts, mine)
        latest = sorted((word for word in mine if word.agreed), key=lambda word: (word.agreed, word.id), reverse=True)
        open_ = tuple(word for word in mine if not word.agreed)
        return Account(me, debts, open_, tuple(latest[:LATEST]), people, exact)

    async def recount(self) -> int:
        """Add up all ledgers anew; return how many there are. May raise StoreError."""
        books = await self._store.clear_ledgers()
        for book in books:
            await self._tabs(book)
        return len(books)

    async def _tabs(self, book: Notebook) -> Mapping[PlayerId, Tab]:
        """Return what each is to get or owes by the matches that ended while there were stakes here."""
        return await self._adding.do_anew(book, partial(self._added_up, book))

    async def _added_up(self, book: Notebook) -> Mapping[PlayerId, Tab]:
        switched = await self._store.switched(book.guild, STAKES)
        now = self._chosen.get(book.guild, PLAIN).stakes

        def add(known: Mapping[PlayerId, Tab], new: Iterable[Owed]) -> Mapping[PlayerId, Tab]:
            """Add what counts of what is new: what was settled, and was not played for nothing."""
            counts = (one for one in new if one.table is None or on(switched, one.at, otherwise=now))
            return added(known, counts)

        return await self._store.tabs(book, Sum(f"{VERSION} {len(switched)} {now:d}", add))

    async def _people(
        self, tabs: Mapping[PlayerId, Tab], debts: Iterable[Debt], words: Iterable[Word]
    ) -> dict[PlayerId, Debtor]:
        """Return who those are that are named, as they were called in their last match."""
        shown = {player for debt in debts for player in debt.pair} | {player for word in words for player in word.pair}
        return await self._store.debtors({player: tabs[player].table if player in tabs else None for player in shown})


def on(switched: Sequence[tuple[datetime, bool]], at: datetime, *, otherwise: bool) -> bool:
    """Tell whether something was on at a moment. otherwise: whether it is, where it has never been changed."""
    if not switched:
        return otherwise
    before = bisect_right(switched, at, key=itemgetter(0))
    return switched[before - 1][1] if before else not switched[0][1]


def payments(now: Mapping[PlayerId, Tab]) -> tuple[tuple[Debt, ...], bool]:
    """Return who pays whom to settle everything, the most first, and whether there is surely no way with fewer."""
    order = sorted(now)
    nets = [now[player].units for player in order]
    debts = (Debt(order[payer], order[payee], units, now[order[payer]].since) for payer, payee, units in fewest(nets))
    return tuple(sorted(debts, key=lambda debt: (-debt.units, debt.payer, debt.payee))), is_fewest(nets)
