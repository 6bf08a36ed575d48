"""Direct messages that ask a user to confirm a debt as settled.

Who gets the message, the amount, and the message's layout are decided elsewhere.
"""

from __future__ import annotations

from bot.club.ledger import Ledgers
from bot.delivery.boards.boards import BoardContext
from bot.delivery.notifications.direct_messages import DirectMessages
from bot.domain.debts import LedgerScope
from bot.domain.effects import DebtNotice, Pending
from bot.domain.rating import VISIBLE_CHANNELS
from bot.members.preferences import PreferenceCache
from bot.show.kit.words import mention
from bot.show.server.debts import settlement_request

FULL = "No further direct messages may be begun now."


class DebtNotifier:
    """Tells one of two users that the other reported a debt as settled."""

    def __init__(self, places: BoardContext, directs: DirectMessages, habits: PreferenceCache, debts: Ledgers) -> None:
        self._places = places
        self._directs = directs
        self._habits = habits
        self._debts = debts

    def where(self, book: LedgerScope) -> str:
        """Return the name of a ledger: its server, or its hidden channel."""
        return mention(book.channel) if book.channel != VISIBLE_CHANNELS else self._places.server(book.guild)

    async def tell(self, effect: DebtNotice, one: Pending) -> None:
        """Tell a user about the other's report of a settled debt, unless the report was withdrawn.

        Raises the errors in UNREACHED, and StoreError.
        """
        book, user = LedgerScope(one.guild, effect.channel), effect.user
        account = await self._debts.account(book, user)
        said = (word for word in account.words if word.pair == frozenset(effect.pair) and word.by == effect.by)
        word = next(said, None)
        if word is None:
            return
        screen = settlement_request(
            word, account, self.where(book), self._places.speaking((await self._habits.of(user)).locale)
        )
        if await self._directs.send(user, lambda: screen, of=book.guild, key=one.key) is None:
            raise OSError(FULL)  # an error in UNREACHED leads to a retry
