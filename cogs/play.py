"""Playing: the private hand, playing cards, passing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.answer import DONE, Reply
from bot.clicks import Clicked, Handler
from bot.rules.actions import Action, Choose, Give, Pass, Play, Ready, Stop
from bot.rules.cards import Cards, Unreadable, lacking, read, without, write
from bot.rules.game import ORDER, ChooseAsk, GiveAsk, Illegal
from bot.show import asking
from bot.show.faces import symbols
from bot.show.ids import Browse, Pick, Press, Verb, split
from bot.show.notices import last_trick, stopping
from bot.show.phrases import refusal
from bot.table.chairs import own_seat
from bot.table.refused import Refused, TooLate
from bot.table.scene import Scene
from bot.table.table import Table
from cogs.here import Interaction, find, hand_reply, offer_tables

if TYPE_CHECKING:
    from bot.client import Bigger

MIRRORED = "From now on your hand comes by direct message when it is your turn, if you allow messages from this server."
PATIENCE = 0.5  # seconds that an answer waits for house players, so that it shows one's next turn at once
TICKS = 2  # of a hand that goes on by itself, for which a press may come late
OFFER = 100  # characters of what is offered while somebody types, at most
NOT_ASKED = "Nothing of the kind is asked of you now."
NOT_OFFERED = "That is not among the answers there are. Those are offered while you type."
UNREADABLE = "I cannot read {rest} as a card. Write cards like 3d 10h ks."


class Playing(commands.Cog):
    """What a player does at their turn."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        for verb, work in (
            (Verb.REFRESH, self.refresh), (Verb.PLAY, self.play), (Verb.PASS, self.give_pass), (Verb.HINT, self.hint),
            (Verb.BY_SUIT, self.sort), (Verb.BY_RANK, self.sort), (Verb.READY, self.ready), (Verb.GIVE, self.give),
            (Verb.STOP_NOW, self.stop), (Verb.CHOOSE, self.choose),
        ):  # fmt: skip
            bot.handle(Press, verb, Handler(work, update=True))
        bot.handle(Press, Verb.MIRROR, Handler(self.mirror, update=True))
        bot.handle(Press, Verb.HAND, Handler(self.open))
        bot.handle(Press, Verb.STOP, Handler(self.ask_to_stop))
        bot.handle(Press, Verb.LAST, Handler(self.last))
        bot.handle(Pick, Verb.PICK, Handler(self.pick, update=True))
        bot.handle(Pick, Verb.PLAY, Handler(self.pick_play, update=True))
        bot.handle(Pick, Verb.ORDER, Handler(self.order, update=True))

    # Commands

    @app_commands.command(name="hand", description=locale_str("Show my cards, only to me"))
    @app_commands.describe(table=locale_str("Which of my tables"))
    @app_commands.autocomplete(table=offer_tables)
    async def hand(self, interaction: Interaction, table: int | None = None) -> None:
        """Show the private hand."""

        async def work() -> Reply:
            return await hand_reply(self.bot, interaction, await find(self.bot, interaction, table))

        await self.bot.reply(interaction, work())

    @app_commands.command(name="cards", description=locale_str("Play these cards"))
    @app_commands.rename(typed="cards")
    @app_commands.describe(
        typed=locale_str("Such as 3d 3c or 10h; legal plays are offered"), table=locale_str("Which of my tables")
    )
    @app_commands.autocomplete(table=offer_tables)
    async def cards(self, interaction: Interaction, typed: str, table: int | None = None) -> None:
        """Play typed cards."""

        async def work() -> Reply:
            where = await find(self.bot, interaction, table)
            known = where.scene(None).rules.pack
            try:
                chosen = read(typed, known) if typed.strip() else ()
                return await self._act(interaction, where, _meant(where, interaction.user.id, chosen))
            except Unreadable as unreadable:
                raise Refused(UNREADABLE, rest=unreadable.rest) from None

        await self.bot.reply(interaction, work())

    @cards.autocomplete("typed")
    async def offer_plays(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Offer the legal plays that begin with, or hold, what has been typed."""
        try:
            table = await find(self.bot, interaction, interaction.namespace.table)
        except Refused:
            return []
        view = table.scene(interaction.user.id).view
        if view is None or view.ask is None or isinstance(view.ask, ChooseAsk):
            return []
        wanted, rest = _typed_so_far(current, view.rules.pack)
        w = self.bot.private_words(interaction).at(table.scene(interaction.user.id))
        plays = (play for play in view.plays if _fits(play.cards, wanted, rest))
        offered = (Choice(name=f"{symbols(play.cards)} ({w.name(play)})"[:OFFER], value=write(play.cards))
                   for play in plays if len(write(play.cards)) <= OFFER)  # fmt: skip
        return [choice for _, choice in zip(range(25), offered, strict=False)]

    @app_commands.command(name="pass", description=locale_str("Pass in this trick"))
    @app_commands.describe(table=locale_str("Which of my tables"))
    @app_commands.autocomplete(table=offer_tables)
    async def pass_(self, interaction: Interaction, table: int | None = None) -> None:
        """Pass."""

        async def work() -> Reply:
            return await self._act(interaction, await find(self.bot, interaction, table), Pass())

        await self.bot.reply(interaction, work())

    @app_commands.command(name="answer", description=locale_str("Answer what I am asked, unseen by the others"))
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
            meant = asking.meant(_asked(scene), typed, self.bot.private_words(interaction).at(scene))
            if meant is None:
                raise Refused(NOT_OFFERED)
            return await self._act(interaction, where, Choose((meant.code,)))

        await self.bot.reply(interaction, work())

    @answer.autocomplete("typed")
    async def offer_answers(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Offer the answers there are, in the words of whoever types."""
        try:
            table = await find(self.bot, interaction, interaction.namespace.table)
            scene = table.scene(interaction.user.id)
            offered = _asked(scene).answers
        except Refused:
            return []
        w = self.bot.private_words(interaction).at(scene)
        named = ((asking.label(each, w)[:OFFER], each.code) for each in offered)
        fitting = [Choice(name=name, value=code) for name, code in named if current.casefold() in name.casefold()]
        return fitting[:25]

    async def _act(self, interaction: Interaction, table: Table, action: Action) -> Reply:
        user = interaction.user.id
        try:
            await table.act(user, action)
        except Illegal as illegal:
            return Reply(text=refusal(illegal, self.bot.private_words(interaction).at(table.scene(user))))
        self.bot.telling.pings.acted(table.id, user)
        return await hand_reply(self.bot, interaction, table)

    # Clicks

    async def open(self, click: Clicked) -> Reply:
        """Open a fresh private hand."""
        return await hand_reply(self.bot, click.interaction, await self.bot.tables.get(click.button.table))

    async def refresh(self, click: Clicked) -> Reply:
        """Draw the private hand again where it is."""
        return await self._again(click, click.button.cards)

    async def play(self, click: Clicked) -> Reply:
        """Play the chosen cards."""
        return await self._act_now(click, Play(click.button.cards))

    async def give_pass(self, click: Clicked) -> Reply:
        """Pass."""
        return await self._act_now(click, Pass())

    async def ready(self, click: Clicked) -> Reply:
        """Be ready for the next hand."""
        return await self._act_now(click, Ready())

    async def give(self, click: Clicked) -> Reply:
        """Give the chosen cards away."""
        return await self._act_now(click, Give(click.button.cards))

    async def choose(self, click: Clicked) -> Reply:
        """Answer with what the button stands for."""
        button, user = click.button, click.interaction.user.id
        table = await self.bot.tables.get(button.table)
        own_seat(table.row.chairs, user)
        scene, w = table.scene(user), self.bot.private_words(click.interaction)
        if not 0 <= scene.ply - button.ply <= TICKS * scene.ticking:
            return await self._again(click, (), w(TooLate().sentence))
        chosen = next((each for each in _asked(scene).answers if each.place == button.part), None)
        if chosen is None:
            raise Refused(NOT_ASKED)
        reply = await self._do(click, Choose((chosen.code,)), scene.ply)
        if reply is not DONE:
            return reply
        after = table.scene(user)
        ask = asking.asked(after) if after.ply == scene.ply else None
        w = w.at(after)
        return Reply(text=asking.answered(after, ask, w) if ask and ask.given else asking.done(chosen, w))

    async def order(self, click: Clicked) -> Reply:
        """Say beforehand what is selected now, and nothing else."""
        scene = (await self.bot.tables.get(click.pick.table)).scene(click.interaction.user.id)
        in_time = scene.ticking and click.pick.part == asking.part_of(scene)  # wherever the hand has gone meanwhile
        return await self._do(click, Choose((ORDER, *click.values)), None if in_time else click.pick.ply)

    async def ask_to_stop(self, click: Clicked) -> Reply:
        """Ask first: it ends the match for everybody."""
        table = await self.bot.tables.get(click.button.table)
        own_seat(table.row.chairs, click.interaction.user.id)
        return Reply(view=stopping(table.scene(click.interaction.user.id), self.bot.private_words(click.interaction)))

    async def stop(self, click: Clicked) -> Reply:
        """End the match after the question."""
        return await self._act_now(click, Stop())

    async def hint(self, click: Clicked) -> Reply:
        """Choose the cards that a house player would play."""
        table = await self.bot.tables.get(click.button.table)
        w = self.bot.private_words(click.interaction)
        advice = await table.hint(click.interaction.user.id)
        scene = table.scene(click.interaction.user.id)
        if advice is None:
            said = w("You have answered already.") if asking.asked(scene) else w("It is not your turn now.")
            return await self._again(click, click.button.cards, said)
        if isinstance(advice, Choose):
            answer = asking.told(_asked(scene).answers, advice.codes, w.at(scene))
            return await self._again(click, (), w("Hint: a house player would answer: {answer}.", answer=answer))
        if isinstance(advice, Play | Give):
            return await self._again(click, advice.cards, w("Hint: a house player would choose these cards."))
        return await self._again(click, (), w("Hint: a house player would pass."))

    async def sort(self, click: Clicked) -> Reply:
        """Sort by suit or by rank, now and from now on."""
        await self.bot.habits.change(click.interaction.user.id, by_suit=click.button.verb is Verb.BY_SUIT)
        return await self._again(click, click.button.cards)

    async def mirror(self, click: Clicked) -> Reply:
        """Begin or stop sending this person's hands by direct message."""
        user, w = click.interaction.user.id, self.bot.private_words(click.interaction)
        wanted = not (await self.bot.habits.of(user)).mirror
        await self.bot.habits.change(user, mirror=wanted, locale=str(click.interaction.locale))
        notice = w(MIRRORED) if wanted else w("Your hands no longer come by direct message.")
        return await self._again(click, click.button.cards, notice)

    async def pick(self, click: Clicked) -> Reply:
        """Choose the cards that are selected now."""
        return await self._again(click, click.pick.chosen(click.values))

    async def pick_play(self, click: Clicked) -> Reply:
        """Choose the cards of a legal play."""
        return await self._again(click, split(click.values[0]))

    async def last(self, click: Clicked) -> Reply:
        """Show the last finished trick."""
        table = await self.bot.tables.get(click.button.table)
        return Reply(view=last_trick(table.scene(None), self.bot.private_words(click.interaction)))

    async def _again(self, click: Clicked, chosen: Cards, notice: str | None = None) -> Reply:
        table = await self.bot.tables.get(click.address.table)  # type: ignore[union-attr]  # only tables come here
        return await hand_reply(self.bot, click.interaction, table, chosen=chosen, notice=notice, update=click.private)

    async def _act_now(self, click: Clicked, action: Action) -> Reply:
        """Do what a button stands for, if nothing has happened since."""
        return await self._do(click, action, click.button.ply)

    async def _do(self, click: Clicked, action: Action, ply: int | None) -> Reply:
        """Act for the person who clicked; in their hand say what came of it, on the board let the board say it."""
        button, user = click.address, click.interaction.user.id
        assert not isinstance(button, Browse)  # only tables come here
        table = await self.bot.tables.get(button.table)
        w = self.bot.private_words(click.interaction)
        try:
            await table.act(user, action, ply)
        except (Illegal, Refused) as no:
            said = refusal(no, w.at(table.scene(user))) if isinstance(no, Illegal) else w(no.sentence, **no.values)
            shown = click.private or isinstance(no, TooLate)
            return await self._again(click, button.cards, said) if shown else Reply(text=said)
        if not click.private:
            return DONE
        await table.at_rest(PATIENCE)
        return await self._again(click, ())


def _asked(scene: Scene) -> ChooseAsk:
    """Return what the viewer is asked in words. Raises Refused where it is nothing."""
    ask = asking.asked(scene)
    if ask is None:
        raise Refused(NOT_ASKED)
    return ask


def _meant(table: Table, user: int, chosen: Cards) -> Action:
    """Return what somebody wants who names cards: to play them, or to give them where that is asked."""
    view = table.scene(user).view
    return Give(chosen) if view and isinstance(view.ask, GiveAsk) else Play(chosen)


def _typed_so_far(current: str, known: Cards) -> tuple[Cards, str]:
    """Return the cards typed so far, and what cannot be read as a card yet."""
    text = current.strip()
    try:
        return (read(text, known) if text else ()), ""
    except Unreadable as unreadable:
        before = text.removesuffix(unreadable.rest).strip()
        return (read(before, known) if before else ()), unreadable.rest


def _fits(played: Cards, wanted: Cards, rest: str) -> bool:
    """Tell whether a play holds the wanted cards, and further ones that look like the rest."""
    if lacking(played, wanted):
        return False
    left = without(played, wanted)
    return rest.casefold() in f"{write(left)} {symbols(left)}".casefold()


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Playing(bot))
