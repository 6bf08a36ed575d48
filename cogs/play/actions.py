"""Performs the actions of players, typed or clicked, and builds the replies.

Independent of the game that is played. A table (`bot/table/table.py`) decides, writes and publishes each action; `act`
in `bot/table/core/play.py` is its decision.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Self

from bot.delivery.table_delivery import TableDelivery
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused, TooLate
from bot.interactions.answers import DONE, Reply
from bot.interactions.guards import require_current_hand, require_current_question
from bot.interactions.visit import Guard, Visit, Work
from bot.rules.core.asks import Action, Ask, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass, Play
from bot.rules.core.cards import Cards, pack
from bot.rules.core.game import DealRules
from bot.rules.core.sentences import Illegal
from bot.scene import Scene
from bot.show.hand.hints import Hint, HintDegree
from bot.show.hand.selection import CardSelection
from bot.show.kit.custom_ids import DECISION_VERBS, UNREACHABLE_MOMENT, Verb
from bot.show.kit.phrases import examples, refusal
from bot.show.kit.words import MessageText, Words
from bot.show.rulebook.pages import refused as refused_screen
from bot.show.rulebook.ruleset import BookRules
from bot.show.table import questions
from bot.show.typed.cards import UnreadableCards, read
from bot.table.core.commands import Act
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies
from cogs.play.desk import DeskReplies

REPLY_WAIT = 0.5  # seconds that a reply waits for house players, to show the player's next turn at once
NOT_ASKED = N_("You're not being asked that right now.")
NAME_IT = N_("Name a card: pick it in your hand, or type it with /turn.")
NAME_ONE = N_("Name one card, not {count}.")
UNREADABLE = N_("I can't read {rest} as a card. Write cards like {cards}.")


def illegal_reply(scene: Scene, illegal: Illegal, w: Words) -> Reply:
    """Return the reply to an action that the rules forbid, with the article."""
    return Reply(view=refused_screen(BookRules.of_scene(scene), illegal, w.for_scene(scene)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerActions:
    """Performs the actions of players at their tables."""

    hands: HandReplies
    desk: DeskReplies
    delivery: TableDelivery

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the actions of a running bot."""
        return cls(hands=HandReplies.of(parts), desk=DeskReplies.of(parts), delivery=parts.delivery)

    async def act_typed(
        self,
        visit: Visit,
        table: Table,
        action: Action,
        *,
        make_notice: Callable[[Scene, Words], MessageText] | None = None,
    ) -> Reply:
        """Perform a typed action; reply with the hand, or with the rule that forbids the action.

        make_notice: for actions whose effect the hand does not show.
        """
        user = visit.user
        self.delivery.clicked(table.id, user)
        try:
            await table.do(Act(user, action))
        except Illegal as illegal:
            return illegal_reply(table.scene(user), illegal, visit.w)
        self.delivery.picks.forget(table.id, user)
        notice = make_notice(table.scene(user), visit.w) if make_notice else None
        if notice and not table.row.open:
            return Reply(text=notice)
        return await self.hands.hand(visit, table, notice=notice)

    def on_click(self, work: Callable[[PlayerClick], Awaitable[Reply]]) -> Work:
        """Return a handler of clicks that calls `work` with the click as a PlayerClick."""

        def handle(visit: Visit) -> Awaitable[Reply]:
            return work(PlayerClick(self, visit))

        return handle

    def hand_guard(self) -> Guard:
        """Return the guard that answers clicks of an earlier hand with the current hand."""
        return require_current_hand(self.on_click(PlayerClick.too_late))

    def question_guard(self) -> Guard:
        """Return the guard that answers picks for an earlier question with the current hand."""
        return require_current_question(self.on_click(PlayerClick.too_late))


@dataclass(frozen=True)
class PlayerClick:
    """A click of a player about a table, with the replies to it."""

    actions: PlayerActions
    visit: Visit

    @property
    def scene(self) -> Scene:
        """The table as the player sees it now."""
        return self.visit.table.scene(self.visit.user)

    async def redraw(
        self,
        notice: str | None = None,
        chosen: Cards | None = None,
        *,
        sure: bool = False,
        then: HintDegree = HintDegree.KIND,
    ) -> Reply:
        """Redraw the player's hand, with the current picks or with `chosen`.

        sure, then: as for HandReplies.hand.
        """
        visit = self.visit
        return await self.actions.hands.hand(
            visit, visit.table, notice=notice, at=visit.own, chosen=chosen, sure=sure, then=then
        )

    async def too_late(self) -> Reply:
        """Reply to a click that came too late, with the current hand."""
        return await self.redraw(self.visit.w(TooLate().sentence))

    def picked_cards(self) -> Cards:
        """Return the cards picked on the clicked screen.

        Buttons of earlier releases carry the picks in their address.
        """
        scene, message, picks = self.scene, self.visit.interaction.message, self.actions.delivery.picks
        if self.visit.button.cards is not None:
            picks.remember(scene, self.visit.button.cards, message)
        cards = picks.of(scene, message)
        choice = CardSelection(scene.view, asked=cards, by_suit=False) if scene.view else None
        return choice.cards if choice and not choice.naming else cards

    def remember_picks(self) -> None:
        """Remember the picks of the clicked screen before another screen replaces it."""
        picks = self.actions.delivery.picks
        picks.remember(self.scene, self.picked_cards(), self.visit.interaction.message, picks.tapped(self.scene))

    async def pick(self, cards: Cards, notice: str | None = None, tapped: frozenset[int] = frozenset()) -> Reply:
        """Redraw the hand with these cards picked.

        tapped: places in the pack of the cards picked by their own buttons.
        """
        self.actions.delivery.picks.remember(self.scene, cards, self.visit.interaction.message, tapped)
        return await self.redraw(notice)

    async def hint(self, scene: Scene, given: Hint) -> Reply:
        """Redraw the hand with a hint, and pick its cards.

        scene: the state that the hint was made for.
        """
        self.actions.delivery.picks.remember(scene, given.cards, self.visit.interaction.message)
        return await self.redraw(given.said, then=given.then)

    async def act_when_sure(self, action: Play | Give | Name) -> Reply:
        """Perform an action with the picked cards, after confirmation if the player wants it.

        An illegal or late action is refused at once, without the question.
        """
        if not self.visit.own or not self.visit.preferences.confirm:
            return await self.act(action)
        cards = (action.card,) if isinstance(action, Name) else action.cards
        scene, picks = self.scene, self.actions.delivery.picks
        if (
            not scene.view
            or self.visit.button.at != scene.moment
            or not CardSelection(scene.view, asked=cards, by_suit=False).legal
        ):
            return await self.act(action)
        picks.remember(scene, cards, self.visit.interaction.message, picks.tapped(scene))
        return await self.redraw(sure=True)

    async def act(self, action: Action, moment: int | None = None) -> Reply:
        """Perform an action for the player; reply in the hand, if the click came from one.

        A click on the board gets no reply, as the board shows the action by itself. moment: of the position for which
        the player decided, by default the one in the button's custom id; after any later event the table refuses the
        action as too late, but between hands no click is too late.
        """
        visit, table = self.visit, self.visit.table
        try:
            await table.do(Act(visit.user, action, self._moment_of_button() if moment is None else moment))
        except Illegal as illegal:
            if visit.own is None:
                return illegal_reply(self.scene, illegal, visit.w)
            return await self.redraw(refusal(illegal, visit.w.for_scene(self.scene)))
        except Refused as refused:
            sentence = visit.w(refused.sentence, **refused.values)
            return await self.redraw(sentence) if visit.own or isinstance(refused, TooLate) else Reply(text=sentence)
        return await self._reply_after_action(action)

    def _moment_of_button(self) -> int:
        """Return the moment for which the button was made.

        For a button without a moment, one that no match reaches.
        """
        button = self.visit.button
        if button.at is None or button.verb not in (*DECISION_VERBS, Verb.STOP_NOW):
            return UNREACHABLE_MOMENT
        return button.at

    async def _reply_after_action(self, action: Action) -> Reply:
        """Return the reply to a click whose action the table has written."""
        visit, table = self.visit, self.visit.table
        self.actions.delivery.picks.forget(table.id, visit.user)
        if visit.own is None:
            return DONE
        await table.wait_until_idle(REPLY_WAIT)
        if self.actions.delivery.desks.clicked(visit.interaction.message) and not self.scene.wanted:
            return await self.actions.desk.next_after(visit, table)
        return await self.redraw(
            chosen=() if isinstance(action, Play | Give | Name) else None
        )  # the picked cards are used up


def require_question(scene: Scene) -> ChooseAsk:
    """Return the question with answers in words that the viewer is asked. Raises Refused."""
    ask = questions.asked(scene)
    if ask is None:
        raise Refused(NAME_IT if scene.view and isinstance(scene.view.ask, NameAsk) else NOT_ASKED)
    return ask


def pass_or_decline(scene: Scene) -> Action:
    """Return the action of a pass: in a question with answers in words, its first answer."""
    ask = questions.asked(scene)
    return Choose((ask.answers[0].code,)) if ask else Pass()


def action_with_cards(cards: Cards, ask: Ask | None) -> Play | Give | Name:
    """Return the action for the picked cards: play, give, or name one. Raises Refused."""
    if isinstance(ask, GiveAsk):
        return Give(cards)
    if not isinstance(ask, NameAsk):
        return Play(cards)
    if len(cards) != 1:
        raise Refused(NAME_ONE, count=len(cards))
    return Name(cards[0])


def read_cards(typed: str, rules: DealRules) -> Cards:
    """Return the typed cards. Raises Refused.

    Any card of a French pack can be read, even if the game removes the card from its pack.
    """
    french = set(rules.pack) <= set(pack())
    try:
        return read(typed, pack() if french else rules.pack)
    except UnreadableCards as unreadable:
        raise Refused(UNREADABLE, rest=unreadable.rest, cards=examples(rules)) from None
