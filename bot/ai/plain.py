"""Actions without search: the plain house player, timeouts, and seats without a choice."""

from __future__ import annotations

from bot.ai.engine.strategy import Dice
from bot.ai.levels import strategy
from bot.rules.core.asks import Action, Ask, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.game import View
from bot.rules.matches.match import Match

VERSION = 1  # rises when plain house players play otherwise: the deal of a day compares those who met the same


def plain_action(view: View, rng: Dice = None, overlooked: float = 0.0) -> Action | None:
    """Return the action of the seat; see ``PlainPolicy.plan_action``."""
    return strategy(view.rules.game).plain.plan_action(view, rng, overlooked)


def timeout_action(view: View) -> Action:
    """Return the timeout action: pass if legal, else the weakest legal play."""
    match view.ask:
        case GiveAsk(count=count) as ask:
            return Give(ask.givable(view.hand)[:count])
        case ChooseAsk(answers=answers):
            return Choose((answers[0].code,))
        case NameAsk(cards=cards, may_pass=may_pass):
            return Pass() if may_pass else Name(cards[0])
    passing = not isinstance(view.ask, PlayAsk) or view.ask.may_pass
    return Pass() if passing else Play(view.plays.first(1)[0].cards)


def passes_openly(match: Match) -> int | None:
    """Return the only seat that may act, if its number of cards publicly forces a pass.

    None otherwise. Passing for its player tells nothing of the hand.
    """
    view = match.view(None)
    if view.result or view.trick.top is None or len(view.to_act) > 1 or not view.rules.counted:
        return None
    [seat] = view.to_act
    if not view.rules.is_provably_unbeatable(view.counts[seat], view.trick.top):
        return None
    ask = match.game.ask(seat)
    return seat if isinstance(ask, PlayAsk) and ask.may_pass and not ask.draws else None


def has_no_choice(ask: Ask | None) -> bool:
    """Tell whether a question has a single possible answer, so that the bot can give it."""
    return isinstance(ask, ChooseAsk) and ask.idle and not ask.given
