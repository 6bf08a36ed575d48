"""The ledger: debts between the players of a server, and their settlement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.ledger import Ledgers
from bot.delivery.notifications.direct_messages import DebtNotifier
from bot.delivery.table_delivery import TableDelivery
from bot.domain.debts import Debt, LedgerScope, LedgerView
from bot.domain.effects import DebtNotice, PendingEffect, pending_effect
from bot.domain.ids import PlayerId, UserId
from bot.domain.message_ids import N_
from bot.domain.rating import VISIBLE_CHANNELS
from bot.domain.refusals import Limit, Refused
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.members.presence import Presence
from bot.members.requests import DebtConfirmations
from bot.members.server_settings import Servers
from bot.show.kit.custom_ids import Browse
from bot.show.server.debts import AGREE, SAY, TAKE_BACK, ledger
from bot.store.store import Store
from cogs.common.table_lookup import Interaction

NO_STAKES = N_("Stakes are off on this server. Admins can turn them on in /bigger settings.")
NOTICE_LIMIT = Limit("debt notice", 1, timedelta(days=1))  # for each pair of players in each notebook
CHANGED = N_("That has changed in the meantime. This is how it stands now.")


@dataclass(kw_only=True, eq=False, repr=False)
class LedgerCog(commands.Cog):
    """Shows debts and records settlements."""

    now: Callable[[], datetime]
    store: Store
    dispatcher: Dispatcher
    servers: Servers
    presence: Presence
    delivery: TableDelivery
    ledgers: Ledgers
    debt_confirmations: DebtConfirmations
    debt_notifier: DebtNotifier

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, SAY, Handler(self.say, QUIETLY))
        self.dispatcher.register(Browse, AGREE, Handler(self.agree, QUIETLY))
        self.dispatcher.register(Browse, TAKE_BACK, Handler(self.take_back, QUIETLY))

    @in_command_group("matches", "ledger", locale_str("See who owes whom how many units"))
    async def ledger(self, interaction: Interaction) -> None:
        """Show the debts in this channel's notebook."""

        async def work(visit: Visit) -> Reply:
            return await self._show(visit, await self._book(visit))

        await self.dispatcher.reply(interaction, work)

    async def say(self, click: Visit) -> Reply:
        """Record that a debt of the user is settled.

        The other player has to agree, unless deleted.
        """
        book = await self._book(click)
        account = await self.ledgers.account(book, click.user)
        debt = _debt_of_button(account, *map(int, click.browse.args))
        if debt is None or account.me is None:
            return await self._show(click, book, done=False)
        other = account.people[next(iter(debt.pair - {account.me}))]
        notices = await self._notices(click.user, book, debt, account.me, other=other.user) if other.user else []
        other_deleted = other.user is None
        done = await self.store.debts.say_settled(
            book, debt, account.me, self.now(), other_deleted=other_deleted, effects=notices
        )
        if done:
            self.delivery.perform(notices)
        return await self._show(click, book, done=done)

    async def agree(self, click: Visit) -> Reply:
        """Confirm a settlement reported by the other player."""
        book, me = await self._book(click), await self._me(click)
        done = await self.store.debts.agree_settled(int(click.browse.args[0]), me, self.now())
        return await self._show(click, book, done=done)

    async def take_back(self, click: Visit) -> Reply:
        """Withdraw the user's own report of a settlement."""
        book, me = await self._book(click), await self._me(click)
        return await self._show(
            click, book, done=await self.store.debts.take_back_settled(int(click.browse.args[0]), me)
        )

    async def _notices(
        self, user: UserId, book: LedgerScope, debt: Debt, me: PlayerId, *, other: UserId
    ) -> list[PendingEffect]:
        """Return the notice of a settlement to the other player, if accepted: at most one a day."""
        if not await self.debt_confirmations.suits(book, other, user):
            return []
        about = f"{book.guild} {book.channel} {sorted(debt.pair)}"
        if await self.store.limits.take(NOTICE_LIMIT, about=about):
            return []
        notice = DebtNotice(book.channel, tuple(sorted(debt.pair)), me, other)
        return [pending_effect(notice, book.guild, None, self.now())]

    async def _me(self, click: Visit) -> PlayerId:
        """Return the user as a player of the ledger; player 0, who has no debts, if unknown."""
        return await self.store.debts.player_of(click.user) or PlayerId(0)

    async def _book(self, visit: Visit) -> LedgerScope:
        """Return the notebook of this channel: a hidden channel's own, else the server's."""
        assert visit.channel is not None
        place = await self.presence.place(visit.server, visit.channel)
        return LedgerScope(visit.server, place.channel if place.hidden else VISIBLE_CHANNELS)

    async def _show(self, visit: Visit, book: LedgerScope, *, done: bool = True) -> Reply:
        """Show a notebook.

        Raises Refused for an empty one on a server without stakes; existing debts stay readable.
        """
        account = await self.ledgers.account(book, visit.user)
        if account.empty and not self.servers.known(book.guild).stakes:
            raise Refused(NO_STAKES)
        notice = None if done else visit.w(CHANGED)
        return Reply(view=ledger(account, self.debt_notifier.where(book), visit.w, notice), at=visit.own)


def _debt_of_button(account: LedgerView, payer: int, payee: int, units: int) -> Debt | None:
    """Return the user's debt in a button's address; None if it has changed."""
    there = (debt for debt in account.debts if account.me in debt.pair)
    return next((one for one in there if (one.payer, one.payee, one.units) == (payer, payee, units)), None)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        LedgerCog(
            now=parts.now,
            store=parts.store,
            dispatcher=parts.dispatcher,
            servers=parts.servers,
            presence=parts.presence,
            delivery=parts.delivery,
            ledgers=parts.ledgers,
            debt_confirmations=parts.debt_confirmations,
            debt_notifier=parts.debt_notifier,
        )
    )
