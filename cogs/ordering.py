"""Saying beforehand what is to be done at one's turn, and taking it back: buttons and menus of a private hand."""

from __future__ import annotations

from collections.abc import Mapping

from discord.ext import commands

from bot.client import Bigger
from bot.door.answer import QUIETLY
from bot.door.reply import Reply
from bot.door.visit import Handler
from bot.ground.refused import Refused
from bot.rules.orders import Kind, stake
from bot.show.ids import Press, Verb
from bot.show.ordered import ELSE, KINDS, MOST, WAYS, called, limited, listed, plays_of, read
from bot.table.ordering import NOT_NOW
from cogs.acting import Acting, acting, in_time

IN_PLACE: Mapping[str, Kind] = {ELSE: "list", MOST: "if"}  # what changes an order that stands


class Ordering(commands.Cog):
    """What a player says while others are asked."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        for verb, work in (
            (Verb.PASS_ON, self.pass_on), (Verb.BEFORE, self.say), (Verb.ORDERS, self.choose), (Verb.UNSAY, self.unsay),
        ):  # fmt: skip
            bot.handle(Press, verb, Handler(acting(bot, work), QUIETLY, (in_time(bot),)))

    async def pass_on(self, here: Acting) -> Reply:
        """Pass until they can play, or no more."""
        table, user = here.click.table, here.click.user
        await (table.unsay(user, "on") if here.click.button.part else table.order(user, "on"))
        return await here.again()

    async def say(self, here: Acting) -> Reply:
        """Say what a button stands for of the cards that are picked."""
        place = here.click.button.part
        return await self._order_play(here, KINDS[place] if place < len(KINDS) else "")

    async def choose(self, here: Acting) -> Reply:
        """Say what was chosen in a menu."""
        kind, named, upto, code = here.click.one(read)
        table, user, view = here.click.table, here.click.user, here.scene.view
        if kind == "call" and view:
            plays = (named,) if named else called(here.scene) if upto else ()
            await table.order(user, "call", *plays, upto=upto or max(stake(view), 1))
        elif kind == "say":
            await table.order(user, "say", code=code)
        else:
            return await self._order_play(here, kind)
        return await here.again()

    async def unsay(self, here: Acting) -> Reply:
        """Take back what a chip stands for."""
        place = here.click.button.part
        await here.click.table.unsay(here.click.user, *KINDS[place : place + 1])
        return await here.again()

    async def _order_play(self, here: Acting, said: str) -> Reply:
        """Remember what is said of the trick; what was picked for it is picked no more. Raises Refused."""
        view, picked = here.scene.view, here.picked()
        kind = IN_PLACE.get(said) or next((one for one, _ in WAYS if one == said), None)
        plays = plays_of(kind, view, picked) if kind and view else None
        if said == ELSE and plays:
            plays = (*listed(here.scene), *plays)
        elif said == MOST:
            plays = limited(here.scene, picked) or None
        if kind is None or plays is None:
            raise Refused(NOT_NOW)
        await here.click.table.order(here.click.user, kind, *plays)
        if plays:
            self.bot.telling.picks.forget(here.click.table.id, here.click.user)
        return await here.again(chosen=() if plays else None)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Ordering(bot))
