"""Writes to somebody that another says what they owe each other is settled.

Refuses to know whom that suits, what is owed, and how it is drawn.
"""

from __future__ import annotations

from functools import partial

from bot.ground.debts import Debt, Notebook
from bot.ground.ids import PlayerId, UserId
from bot.ground.rating import OPEN
from bot.people.habits import RememberedHabits
from bot.show.debts import asked
from bot.show.words import mention
from bot.table.debts import Debts
from bot.tell.boards import Places
from bot.tell.directs import Directs
from bot.tell.outbox import key_of
from bot.tell.posts import Posts


class SettledTeller:
    """Tells one of two people what the other says."""

    def __init__(self, places: Places, directs: Directs, posts: Posts, habits: RememberedHabits, debts: Debts) -> None:
        self._places = places
        self._directs = directs
        self._posts = posts
        self._habits = habits
        self._debts = debts

    def where(self, book: Notebook) -> str:
        """Return what a ledger is called: after its server, or the channel that is hidden."""
        return mention(book.channel) if book.channel != OPEN else self._places.server(book.guild)

    async def tell(self, book: Notebook, debt: Debt, by: PlayerId, user: UserId) -> None:
        """Tell a person that the other, by, says a debt is settled, unless that is taken back by now."""
        account = await self._debts.account(book, user)
        word = next((word for word in account.words if word.pair == debt.pair and word.by == by), None)
        if word is None:
            return
        screen = asked(word, account, self.where(book), self._places.speaking((await self._habits.of(user)).locale))
        key = key_of("settled", book.guild, book.channel, debt.pair, by, word)
        send = partial(self._directs.send_once, user, lambda: screen, of=book.guild, key=key)
        await self._posts.attempt(send, "A direct message about a debt")
