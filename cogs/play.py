"""Playing with clicks: the private hand, playing cards, passing."""

from __future__ import annotations

from functools import partial

from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.door.answer import QUIETLY
from bot.door.reply import Reply
from bot.door.visit import Handler, Visit
from bot.ground.refused import Refused
from bot.rules.actions import Choose, Give, Name, Play, Ready, Stop
from bot.show import asking
from bot.show.card_codes import split, valued
from bot.show.ids import Press, Verb
from bot.show.notices import last_trick, stopping
from bot.show.picking import Choice, repicked
from bot.table.chairs import own_seat
from cogs.acting import act_now, again, asked, declined, late, pick, picked, seen
from cogs.here import Interaction, find, hand_reply, offer_tables

NOT_DIRECTLY = "On this server hands do not come by direct message."
MIRRORED = "From now on your hand comes by direct message when it is your turn, if you allow messages from this server."


class Playing(commands.Cog):
    """What a player does at their turn."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        for verb, work in (
            (Verb.REFRESH, self.refresh), (Verb.PLAY, self.play), (Verb.PASS, self.give_pass), (Verb.HINT, self.hint),
            (Verb.BY_SUIT, self.sort), (Verb.BY_RANK, self.sort), (Verb.READY, self.ready), (Verb.GIVE, self.give),
            (Verb.STOP_NOW, self.stop),
        ):  # fmt: skip
            bot.handle(Press, verb, Handler(work, QUIETLY))
        bot.handle(Press, Verb.MIRROR, Handler(self.mirror, QUIETLY))
        bot.handle(Press, Verb.HAND, Handler(self.open))
        bot.handle(Press, Verb.STOP, Handler(self.ask_to_stop))
        bot.handle(Press, Verb.LAST, Handler(self.last))
        bot.handle(Press, Verb.PICK, Handler(self.pick, QUIETLY))
        bot.handle(Press, Verb.PLAYS, Handler(self.pick_play, QUIETLY))

    # Commands

    @app_commands.command(name="hand", description=locale_str("Show my cards, only to me"))
    @app_commands.describe(table=locale_str("Which of my tables"))
    @app_commands.autocomplete(table=offer_tables)
    async def hand(self, interaction: Interaction, table: int | None = None) -> None:
        """Show the private hand."""

        async def work() -> Reply:
            return await hand_reply(self.bot, interaction, await find(self.bot, interaction, table))

        await self.bot.reply(interaction, work())

    # Clicks

    async def open(self, click: Visit) -> Reply:
        """Open a fresh private hand."""
        return await hand_reply(self.bot, click.interaction, await self.bot.tables.get(click.button.table))

    async def refresh(self, click: Visit) -> Reply:
        """Draw the private hand again where it is."""
        await picked(self.bot, click)
        return await again(self.bot, click)

    async def play(self, click: Visit) -> Reply:
        """Play the chosen cards."""
        return await act_now(self.bot, click, Play(await picked(self.bot, click)))

    async def give_pass(self, click: Visit) -> Reply:
        """Pass."""
        table = await self.bot.tables.get(click.button.table)
        return await act_now(self.bot, click, declined(table, click.interaction.user.id))

    async def ready(self, click: Visit) -> Reply:
        """Be ready for the next hand."""
        if click.button.at not in (None, (await seen(self.bot, click)).tally.hand):
            return await late(self.bot, click)
        return await act_now(self.bot, click, Ready())

    async def give(self, click: Visit) -> Reply:
        """Give the chosen cards away."""
        return await act_now(self.bot, click, Give(await picked(self.bot, click)))

    async def ask_to_stop(self, click: Visit) -> Reply:
        """Ask first: it ends the match for everybody."""
        table = await self.bot.tables.get(click.button.table)
        own_seat(table.row.chairs, click.interaction.user.id)
        return Reply(view=stopping(table.scene(click.interaction.user.id), self.bot.private_words(click.interaction)))

    async def stop(self, click: Visit) -> Reply:
        """End the match after the question."""
        return await act_now(self.bot, click, Stop())

    async def hint(self, click: Visit) -> Reply:
        """Choose the cards that a house player would play."""
        table = await self.bot.tables.get(click.button.table)
        w = self.bot.private_words(click.interaction)
        advice = await table.hint(click.interaction.user.id)
        scene = table.scene(click.interaction.user.id)
        if advice is None:
            said = w("You have answered already.") if asking.asked(scene) else w("It is not your turn now.")
            await picked(self.bot, click)
            return await again(self.bot, click, said)
        if isinstance(advice, Choose):
            answer = asking.told(asked(scene).answers, advice.codes, w.at(scene))
            return await pick(self.bot, click, (), w("Hint: a house player would answer: {answer}.", answer=answer))
        if isinstance(advice, Play | Give):
            return await pick(self.bot, click, advice.cards, w("Hint: a house player would choose these cards."))
        if isinstance(advice, Name):
            return await pick(self.bot, click, (advice.card,), w("Hint: a house player would choose this card."))
        return await pick(self.bot, click, (), w("Hint: a house player would pass."))

    async def sort(self, click: Visit) -> Reply:
        """Sort by suit or by rank, now and from now on."""
        await self.bot.habits.change(click.interaction.user.id, by_suit=click.button.verb is Verb.BY_SUIT)
        await picked(self.bot, click)
        return await again(self.bot, click)

    async def mirror(self, click: Visit) -> Reply:
        """Begin or stop sending this person's hands by direct message."""
        user, w = click.interaction.user.id, self.bot.private_words(click.interaction)
        if not (await self.bot.tables.get(click.button.table)).scene(None).terms.server.mirror:
            raise Refused(NOT_DIRECTLY)
        wanted = not (await self.bot.habits.of(user)).mirror
        await self.bot.habits.change(user, mirror=wanted, locale=str(click.interaction.locale))
        notice = w(MIRRORED) if wanted else w("Your hands no longer come by direct message.")
        await picked(self.bot, click)
        return await again(self.bot, click, notice)

    async def pick(self, click: Visit) -> Reply:
        """Choose the cards that are selected now, with those chosen in other selects."""
        scene, button = await seen(self.bot, click), click.button
        if button.at not in (None, scene.tally.hand) or scene.view is None:
            return await late(self.bot, click)
        if button.cards is not None:
            return await pick(self.bot, click, (*button.cards, *click.all(valued)))
        habits = await self.bot.habits.of(click.interaction.user.id)
        shown = Choice.of(scene.view, await picked(self.bot, click), habits)
        return await pick(self.bot, click, click.all(partial(repicked, shown, button.part)))

    async def pick_play(self, click: Visit) -> Reply:
        """Choose the cards of a legal play."""
        if click.button.at not in (None, (await seen(self.bot, click)).tally.hand):
            return await late(self.bot, click)
        return await pick(self.bot, click, click.one(split))

    async def last(self, click: Visit) -> Reply:
        """Show the last finished trick."""
        table = await self.bot.tables.get(click.button.table)
        return Reply(view=last_trick(table.scene(None), self.bot.private_words(click.interaction)))


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Playing(bot))
