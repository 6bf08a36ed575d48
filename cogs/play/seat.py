"""My seats: leaving one, taking it back."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from discord.ext import commands

from bot.client import Bigger
from bot.interactions.answers import QUIETLY
from bot.interactions.flood_limits import RETURNS
from bot.interactions.replies import DONE, Reply
from bot.interactions.visit import Handler, Visit
from bot.show.kit.custom_ids import Press, Verb
from bot.show.table.notices import leaving, left, offered
from bot.table.core.commands import EndLiveSession, KeepSeat, Leave, OfferSeat, PlayLive, Substitute, TakeBack
from bot.table.table import Table
from cogs.common.table_lookup import aside, hand_reply


class Seats(commands.Cog):
    """Where a person sits."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Press, Verb.LEAVE, Handler(self.ask_or_leave))
        bot.handle(Press, Verb.LEAVE_NOW, Handler(self.leave_now, QUIETLY))
        bot.handle(Press, Verb.BACK, Handler(self.back, QUIETLY))
        bot.handle(Press, Verb.OFFER_SEAT, Handler(self.offer))
        bot.handle(Press, Verb.SIT_IN, Handler(self.sit_in))
        bot.handle(Press, Verb.QUICK, Handler(self.play_live, QUIETLY))
        bot.handle(Press, Verb.SLOWLY, Handler(self.play_slowly, QUIETLY))

    async def ask_or_leave(self, click: Visit) -> Reply:
        """Leave a lobby; ask first in the middle of a match."""
        reply = await ask_or_leave(self.bot, click, click.table)
        return replace(reply, at=click.own)

    async def leave_now(self, click: Visit) -> Reply:
        """Leave after the question."""
        table = click.table
        return replace(await leave_table(click, table), at=click.own)

    async def back(self, click: Visit) -> Reply:
        """Play again on a seat that a house player keeps."""
        table = click.table
        async with self._returning(click):
            await table.do(TakeBack(click.user))
        own = click.own
        return await hand_reply(self.bot, click, table, at=own) if own else DONE

    async def offer(self, click: Visit) -> Reply:
        """Offer one's seat to whoever wants it, or keep it."""
        table = click.table
        if click.button.at:
            async with self._returning(click):
                await table.do(OfferSeat(click.user))
        else:
            await table.do(KeepSeat(click.user))
        return aside(self.bot, click, table, offered(table.scene(click.user), click.w))

    def _returning(self, click: Visit) -> AbstractAsyncContextManager[None]:
        """Count what is done inside as a return to a seat. Raises Refused where that is too many."""
        return self.bot.store.limits.using(RETURNS, click.user, f"table {click.table.id}")

    async def play_live(self, click: Visit) -> Reply:
        """Play on live, as soon as all want that."""
        await click.table.do(PlayLive(click.user))
        return DONE

    async def play_slowly(self, click: Visit) -> Reply:
        """Go on at the table's own pace."""
        await click.table.do(EndLiveSession(click.user))
        return DONE

    async def sit_in(self, click: Visit) -> Reply:
        """Take a seat that is offered, and see its cards."""
        table = click.table
        await table.do(Substitute(click.user, click.interaction.user.display_name, click.button.at or 0))
        return await hand_reply(self.bot, click, table)


async def ask_or_leave(bot: Bigger, visit: Visit, table: Table) -> Reply:
    """Leave a lobby; ask first in the middle of a match."""
    scene = table.scene(visit.user)
    if scene.stage in ("playing", "between") and scene.seat is not None and not scene.chairs[scene.seat].house:
        return aside(bot, visit, table, leaving(scene, visit.w))
    return await leave_table(visit, table)


async def leave_table(visit: Visit, table: Table) -> Reply:
    """Leave a table, and say so."""
    await table.do(Leave(visit.user))
    return Reply(view=left(table.scene(visit.user), visit.w))


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Seats(bot))
