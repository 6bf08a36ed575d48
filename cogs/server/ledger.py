"""The ledger: who owes whom on a server, and what two people say of it."""

from __future__ import annotations

from datetime import timedelta

from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.debts import Account, Debt, Notebook
from bot.domain.effects import DebtNotice, Pending, pending
from bot.domain.ids import PlayerId, UserId
from bot.domain.message_ids import N_
from bot.domain.rating import OPEN
from bot.domain.refusals import Refused
from bot.domain.usage_limits import Limit
from bot.interactions.answers import QUIETLY
from bot.interactions.command_contexts import within
from bot.interactions.replies import Reply
from bot.interactions.visit import Handler, Visit
from bot.show.kit.custom_ids import Browse
from bot.show.server.debts import AGREE, SAY, TAKE_BACK, ledger
from cogs.common.table_lookup import Interaction

NO_STAKES = N_(
    "This server plays for no stakes, so nobody owes anybody anything. Whoever manages it can change that in "
    "/bigger settings."
)
TOLD = Limit("debt notice", 1, timedelta(days=1))  # of one pair in one notebook
CHANGED = N_("That has changed meanwhile. This is how it stands now.")


class Ledger(commands.Cog):
    """Who owes whom."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Browse, SAY, Handler(self.say, QUIETLY))
        bot.handle(Browse, AGREE, Handler(self.agree, QUIETLY))
        bot.handle(Browse, TAKE_BACK, Handler(self.take_back, QUIETLY))

    @within("matches", "ledger", locale_str("Read who owes whom how many units"))
    async def ledger(self, interaction: Interaction) -> None:
        """Show who owes whom."""

        async def work(visit: Visit) -> Reply:
            return await self._show(visit, await self._book(visit))

        await self.bot.reply(interaction, work)

    async def say(self, click: Visit) -> Reply:
        """Say that a debt of one's own is settled; where the other has been deleted that is enough."""
        book = await self._book(click)
        account = await self.bot.ledgers.account(book, click.user)
        debt = _named(account, *map(int, click.browse.args))
        if debt is None or account.me is None:
            return await self._show(click, book, done=False)
        other = account.people[next(iter(debt.pair - {account.me}))]
        notices = await self._notices(click.user, book, debt, account.me, other.user) if other.user else []
        alone = other.user is None
        done = await self.bot.store.debts.say_settled(
            book, debt, account.me, self.bot.now(), alone=alone, effects=notices
        )
        if done:
            self.bot.telling.perform(notices)
        return await self._show(click, book, done=done)

    async def agree(self, click: Visit) -> Reply:
        """Say so as well as the other."""
        book, me = await self._book(click), await self._me(click)
        done = await self.bot.store.debts.agree_settled(int(click.browse.args[0]), me, self.bot.now())
        return await self._show(click, book, done=done)

    async def take_back(self, click: Visit) -> Reply:
        """Take one's own word back."""
        book, me = await self._book(click), await self._me(click)
        return await self._show(
            click, book, done=await self.bot.store.debts.take_back_settled(int(click.browse.args[0]), me)
        )

    async def _notices(self, user: UserId, book: Notebook, debt: Debt, me: PlayerId, other: UserId) -> list[Pending]:
        """Return how the other is told what a player says, if that suits them: once a day, more of it is a nuisance."""
        if not await self.bot.answering.suits(book, other, user):
            return []
        about = f"{book.guild} {book.channel} {sorted(debt.pair)}"
        if await self.bot.store.limits.take(TOLD, about=about):
            return []
        notice = DebtNotice(book.channel, tuple(sorted(debt.pair)), me, other)
        return [pending(notice, book.guild, None, self.bot.now())]

    async def _me(self, click: Visit) -> PlayerId:
        """Return as which player somebody is kept; as nobody where there is none."""
        return await self.bot.store.debts.player_of(click.user) or PlayerId(0)

    async def _book(self, visit: Visit) -> Notebook:
        """Return the notebook that is read there: of a hidden channel its own."""
        assert visit.channel is not None
        place = await self.bot.presence.place(visit.server, visit.channel)
        return Notebook(visit.server, place.channel if place.hidden else OPEN)

    async def _show(self, visit: Visit, book: Notebook, *, done: bool = True) -> Reply:
        """Draw a notebook. Raises Refused for an empty one on a server without stakes: what is owed stays owed."""
        account = await self.bot.ledgers.account(book, visit.user)
        if account.empty and not self.bot.servers.known(book.guild).stakes:
            raise Refused(NO_STAKES)
        notice = None if done else visit.w(CHANGED)
        return Reply(view=ledger(account, self.bot.settled.where(book), visit.w, notice), at=visit.own)


def _named(account: Account, payer: int, payee: int, units: int) -> Debt | None:
    """Return the debt of somebody's own that a button names, as long as it stands like that."""
    there = (debt for debt in account.debts if account.me in debt.pair)
    return next((one for one in there if (one.payer, one.payee, one.units) == (payer, payee, units)), None)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Ledger(bot))
