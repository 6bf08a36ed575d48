"""Clicks that answer a question in words or name a card."""

from __future__ import annotations

from dataclasses import dataclass

from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.refusals import Refused
from bot.interactions.answers import DONE, QUIETLY, QUIETLY_FIRST, Reply, reach
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler
from bot.rules.core.asks import ORDER, Answer, Choose, Name
from bot.scene import Scene
from bot.show.kit.custom_ids import Press, Verb
from bot.show.table import questions
from bot.table.core.chairs import own_seat
from cogs.common.hand_replies import HandReplies
from cogs.play.actions import NAME_ONE, NOT_ASKED, PlayerActions, PlayerClick, require_question

MAX_LATE_STEPS = 2  # steps that a click may be late in a hand that continues by itself


@dataclass(kw_only=True, eq=False, repr=False)
class AnswersCog(commands.Cog):
    """Answers to questions, except plays."""

    hands: HandReplies
    actions: PlayerActions
    dispatcher: Dispatcher
    delivery: TableDelivery

    def __post_init__(self) -> None:
        for verb, work in ((Verb.CHOOSE, self.choose), (Verb.NAME, self.name)):
            self.dispatcher.register(Press, verb, Handler(self.actions.on_click(work), QUIETLY))
        self.dispatcher.register(
            Press,
            Verb.QUEUED_ANSWERS,
            Handler(self.actions.on_click(self.set_premoves), QUIETLY_FIRST, (self.actions.hand_guard(),)),
        )

    async def name(self, click: PlayerClick) -> Reply:
        """Name the picked card."""
        cards = click.picked_cards()
        if len(cards) != 1:
            raise Refused(NAME_ONE, count=len(cards))
        return await click.act_when_sure(Name(cards[0]))

    async def choose(self, click: PlayerClick) -> Reply:
        """Give the answer of the clicked button."""
        button, scene = click.visit.button, click.scene
        own_seat(scene.chairs, click.visit.user)
        if button.at is None or not 0 <= scene.moment - button.at <= MAX_LATE_STEPS * scene.wait.ticking:
            return await click.too_late()
        chosen = next((offered for offered in require_question(scene).offered if offered.place == button.part), None)
        if chosen is None:
            raise Refused(NOT_ASKED)
        if chosen.orders:  # a premove for later questions too: see cogs/play/premoves.py
            await reach(click.visit.interaction)
        reply = await click.act(Choose(chosen.codes), scene.moment)
        return await self._confirm(chosen, scene, click) if reply is DONE else reply

    async def set_premoves(self, click: PlayerClick) -> Reply:
        """Replace the player's premoves by the selected ones.

        In a hand that continues by itself the click is never late. An empty selection withdraws the premoves, at any
        moment of the deal.
        """
        scene, read = click.scene, [questions.read(value) for value in click.visit.values]
        too_late = not scene.wait.ticking and any(moment != scene.moment for _, moment in read)
        if click.visit.button.at is None or too_late:
            return await click.too_late()
        return await click.act(Choose((ORDER, *(code for code, _ in read))), scene.moment)

    async def _confirm(self, chosen: Answer, before: Scene, click: PlayerClick) -> Reply:
        """Confirm an answer clicked on the board: by a new hand, if one is open, else by a text.

        The open hand may be scrolled out of sight or dismissed, and Discord reports neither, so an edit in place is
        not enough.
        """
        if click.visit.user in self.delivery.hands.editable(click.visit.table.id):
            return await self.hands.hand(click.visit, click.visit.table)
        return _confirmation(chosen, before, click)


def _confirmation(chosen: Answer, before: Scene, click: PlayerClick) -> Reply:
    """Return a text with the given answer.

    While other players still answer, the text says that the answer can be changed.
    """
    after = click.scene
    ask, w = questions.asked(after) if after.moment == before.moment else None, click.visit.w.for_scene(after)
    return Reply(text=questions.answered(ask, w) if ask and ask.given else questions.done(chosen, w))


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        AnswersCog(
            hands=HandReplies.of(parts),
            actions=PlayerActions.of(parts),
            dispatcher=parts.dispatcher,
            delivery=parts.delivery,
        )
    )
