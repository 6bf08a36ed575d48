"""Answering with a click: what is asked in words, and which card is called for."""

from __future__ import annotations

from discord.ext import commands

from bot.client import Bigger
from bot.door.answer import QUIETLY
from bot.door.reply import DONE, Reply
from bot.door.visit import Handler, Visit
from bot.ground.refused import Refused
from bot.rules.actions import Choose, Name
from bot.rules.asks import ORDER
from bot.show import asking
from bot.show.ids import Press, Verb
from bot.table.chairs import own_seat
from cogs.acting import NAME_ONE, NOT_ASKED, act_at, act_now, asked, late, picked, seen

TICKS = 2  # of a hand that goes on by itself, for which a press may come late


class Answering(commands.Cog):
    """What a player says where they are asked for more than cards of their own."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Press, Verb.CHOOSE, Handler(self.choose, QUIETLY))
        bot.handle(Press, Verb.NAME, Handler(self.name, QUIETLY))
        bot.handle(Press, Verb.ORDER, Handler(self.order, QUIETLY))

    async def name(self, click: Visit) -> Reply:
        """Name the chosen card."""
        cards = await picked(self.bot, click)
        if len(cards) != 1:
            raise Refused(NAME_ONE, count=len(cards))
        return await act_now(self.bot, click, Name(cards[0]))

    async def choose(self, click: Visit) -> Reply:
        """Answer with what the button stands for."""
        button, user = click.button, click.interaction.user.id
        table = await self.bot.tables.get(button.table)
        own_seat(table.row.chairs, user)
        scene, w = table.scene(user), self.bot.private_words(click.interaction)
        if button.at is None or not 0 <= scene.moment - button.at <= TICKS * scene.wait.ticking:
            return await late(self.bot, click)
        chosen = next((each for each in asked(scene).answers if each.place == button.part), None)
        if chosen is None:
            raise Refused(NOT_ASKED)
        reply = await act_at(self.bot, click, Choose((chosen.code,)), scene.moment)
        if reply is not DONE:
            return reply
        after = table.scene(user)
        ask = asking.asked(after) if after.moment == scene.moment else None
        w = w.at(after)
        return Reply(text=asking.answered(ask, w) if ask and ask.given else asking.done(chosen, w))

    async def order(self, click: Visit) -> Reply:
        """Say beforehand what is selected now, and nothing else, wherever the hand has gone meanwhile."""
        if click.button.at != (await seen(self.bot, click)).tally.hand:
            return await late(self.bot, click)
        return await act_at(self.bot, click, Choose((ORDER, *click.values)), None)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Answering(bot))
