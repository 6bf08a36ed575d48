"""Answering: what is asked in words, and which card is called for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.answer import DONE, Reply
from bot.clicks import Clicked, Handler
from bot.rules.actions import Choose, Name
from bot.rules.asks import ORDER, NameAsk
from bot.rules.cards import write
from bot.show import asking
from bot.show.faces import symbols
from bot.show.ids import Pick, Press, Verb
from bot.table.chairs import own_seat
from bot.table.refused import Refused, TooLate
from cogs.acting import NOT_ASKED, act_at, act_now, act_typed, again, asked, fits, read_cards, typed_so_far
from cogs.here import Interaction, find, offer_tables

if TYPE_CHECKING:
    from bot.client import Bigger

TICKS = 2  # of a hand that goes on by itself, for which a press may come late
OFFER = 100  # characters of what is offered while somebody types, at most
NOT_OFFERED = "That is not among the answers there are. Those are offered while you type."
NAME_ONE = "Name one card, not {count}."


class Answering(commands.Cog):
    """What a player says where they are asked for more than cards of their own."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Press, Verb.CHOOSE, Handler(self.choose, update=True))
        bot.handle(Press, Verb.NAME, Handler(self.name, update=True))
        bot.handle(Pick, Verb.ORDER, Handler(self.order, update=True))

    # Commands

    @app_commands.command(name="call", description=locale_str("Name a card where I am asked for one, or call for it"))
    @app_commands.rename(typed="card")
    @app_commands.describe(
        typed=locale_str("One of the cards that are offered"), table=locale_str("Which of my tables")
    )
    @app_commands.autocomplete(table=offer_tables)
    async def call(self, interaction: Interaction, typed: str, table: int | None = None) -> None:
        """Name a card."""

        async def work() -> Reply:
            where = await find(self.bot, interaction, table)
            named = read_cards(typed, where.scene(None).rules)
            if len(named) != 1:
                raise Refused(NAME_ONE, count=len(named))
            return await act_typed(self.bot, interaction, where, Name(named[0]))

        await self.bot.reply(interaction, work())

    @call.autocomplete("typed")
    async def offer_cards(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Offer the cards that can be named and look like what has been typed."""
        try:
            table = await find(self.bot, interaction, interaction.namespace.table)
        except Refused:
            return []
        view = table.scene(interaction.user.id).view
        if view is None or not isinstance(view.ask, NameAsk):
            return []
        wanted, rest = typed_so_far(current, view.rules.pack)
        fitting = [each for each in view.ask.cards if fits((each,), wanted, rest)]
        return [Choice(name=symbols((each,)), value=write((each,))) for each in fitting[:25]]

    @app_commands.command(name="answer", description=locale_str("Answer what I am asked"))
    @app_commands.rename(typed="answer")
    @app_commands.describe(
        typed=locale_str("One of the answers that are offered"), table=locale_str("Which of my tables")
    )
    @app_commands.autocomplete(table=offer_tables)
    async def answer(self, interaction: Interaction, typed: str, table: int | None = None) -> None:
        """Answer what is asked."""

        async def work() -> Reply:
            where = await find(self.bot, interaction, table)
            scene = where.scene(interaction.user.id)
            meant = asking.meant(asked(scene), typed, self.bot.private_words(interaction).at(scene))
            if meant is None:
                raise Refused(NOT_OFFERED)
            return await act_typed(self.bot, interaction, where, Choose((meant.code,)))

        await self.bot.reply(interaction, work())

    @answer.autocomplete("typed")
    async def offer_answers(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Offer the answers there are, in the words of whoever types."""
        try:
            table = await find(self.bot, interaction, interaction.namespace.table)
            scene = table.scene(interaction.user.id)
            offered = asked(scene).answers
        except Refused:
            return []
        w = self.bot.private_words(interaction).at(scene)
        named = ((asking.label(each, w)[:OFFER], each.code) for each in offered)
        fitting = [Choice(name=name, value=code) for name, code in named if current.casefold() in name.casefold()]
        return fitting[:25]

    # Clicks

    async def name(self, click: Clicked) -> Reply:
        """Name the chosen card."""
        if len(click.button.cards) != 1:
            raise Refused(NAME_ONE, count=len(click.button.cards))
        return await act_now(self.bot, click, Name(click.button.cards[0]))

    async def choose(self, click: Clicked) -> Reply:
        """Answer with what the button stands for."""
        button, user = click.button, click.interaction.user.id
        table = await self.bot.tables.get(button.table)
        own_seat(table.row.chairs, user)
        scene, w = table.scene(user), self.bot.private_words(click.interaction)
        if not 0 <= scene.ply - button.ply <= TICKS * scene.ticking:
            return await again(self.bot, click, (), w(TooLate().sentence))
        chosen = next((each for each in asked(scene).answers if each.place == button.part), None)
        if chosen is None:
            raise Refused(NOT_ASKED)
        reply = await act_at(self.bot, click, Choose((chosen.code,)), scene.ply)
        if reply is not DONE:
            return reply
        after = table.scene(user)
        ask = asking.asked(after) if after.ply == scene.ply else None
        w = w.at(after)
        return Reply(text=asking.answered(ask, w) if ask and ask.given else asking.done(chosen, w))

    async def order(self, click: Clicked) -> Reply:
        """Say beforehand what is selected now, and nothing else."""
        scene = (await self.bot.tables.get(click.pick.table)).scene(click.interaction.user.id)
        in_time = scene.ticking and click.pick.part == asking.part_of(scene)  # wherever the hand has gone meanwhile
        return await act_at(self.bot, click, Choose((ORDER, *click.values)), None if in_time else click.pick.ply)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Answering(bot))
