"""Leaving a seat, returning, offering a seat to a substitute."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from discord.ext import commands

from bot.client import Bigger
from bot.interactions.answers import DONE, QUIETLY, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.flood_limits import RETURNS
from bot.interactions.visit import Handler, Visit
from bot.show.kit.custom_ids import Press, Verb
from bot.show.table.notices import leaving, left, offered
from bot.store.store import Store
from bot.table.core.commands import EndLiveSession, KeepSeat, Leave, OfferSeat, PlayLive, Substitute, TakeBack
from bot.table.table import Table
from cogs.common.hand_replies import HandReplies


@dataclass(kw_only=True, eq=False, repr=False)
class SeatsCog(commands.Cog):
    """The buttons of a player's seat."""

    hands: HandReplies
    store: Store
    dispatcher: Dispatcher

    def __post_init__(self) -> None:
        self.dispatcher.register(Press, Verb.LEAVE, Handler(self.ask_or_leave))
        self.dispatcher.register(Press, Verb.LEAVE_NOW, Handler(self.leave_now, QUIETLY))
        self.dispatcher.register(Press, Verb.BACK, Handler(self.back, QUIETLY))
        self.dispatcher.register(Press, Verb.OFFER_SEAT, Handler(self.offer))
        self.dispatcher.register(Press, Verb.SIT_IN, Handler(self.sit_in))
        self.dispatcher.register(Press, Verb.LIVE_PLAY, Handler(self.play_live, QUIETLY))
        self.dispatcher.register(Press, Verb.OWN_PACE, Handler(self.play_slowly, QUIETLY))

    async def ask_or_leave(self, click: Visit) -> Reply:
        """Leave a lobby; in a match, ask for confirmation first."""
        reply = await ask_or_leave(self.hands, click, click.table)
        return replace(reply, at=click.own)

    async def leave_now(self, click: Visit) -> Reply:
        """Leave after confirmation."""
        table = click.table
        return replace(await leave_table(click, table), at=click.own)

    async def back(self, click: Visit) -> Reply:
        """Return to a seat that a house player holds."""
        table = click.table
        async with self._returning(click):
            await table.do(TakeBack(click.user))
        return await self.hands.hand(click, table, at=click.own)

    async def offer(self, click: Visit) -> Reply:
        """Offer the player's seat to a substitute, or withdraw the offer."""
        table = click.table
        if click.button.at:
            async with self._returning(click):
                await table.do(OfferSeat(click.user))
        else:
            await table.do(KeepSeat(click.user))
        return self.hands.show_screen(click, table, offered(table.scene(click.user), click.w))

    def _returning(self, click: Visit) -> AbstractAsyncContextManager[None]:
        """Count the work inside as a return to a seat. Raises Refused beyond the limit."""
        return self.store.limits.using(RETURNS, click.user, f"table {click.table.id}")

    async def play_live(self, click: Visit) -> Reply:
        """Agree to a live session; the session begins when all players agree."""
        await click.table.do(PlayLive(click.user))
        return DONE

    async def play_slowly(self, click: Visit) -> Reply:
        """End the live session and resume the table's own pace."""
        await click.table.do(EndLiveSession(click.user))
        return DONE

    async def sit_in(self, click: Visit) -> Reply:
        """Take an offered seat as a substitute, and show its hand."""
        table = click.table
        await table.do(Substitute(click.user, click.interaction.user.display_name, click.button.at or 0))
        return await self.hands.hand(click, table)


async def ask_or_leave(hands: HandReplies, visit: Visit, table: Table) -> Reply:
    """Leave a lobby; in a match, ask for confirmation first."""
    scene = table.scene(visit.user)
    if scene.stage in ("playing", "between") and scene.seat is not None and not scene.chairs[scene.seat].house:
        return hands.show_screen(visit, table, leaving(scene, visit.w))
    return await leave_table(visit, table)


async def leave_table(visit: Visit, table: Table) -> Reply:
    """Leave a table and confirm the departure."""
    await table.do(Leave(visit.user))
    return Reply(view=left(table.scene(visit.user), visit.w))


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(SeatsCog(hands=HandReplies.of(parts), store=parts.store, dispatcher=parts.dispatcher))
