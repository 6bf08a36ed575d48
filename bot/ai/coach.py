"""The coach of a lesson.

A plain, explainable recommendation with its reason, and a concept at the right moment.

The coach recommends what a planning house player without a search does: a newcomer can follow each of its reasons.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from bot.ai.levels import by_plan
from bot.ai.reasons import reason
from bot.domain.message_ids import N_
from bot.rules.coaching.moments import A_CARDS, MOMENTS
from bot.rules.coaching.sheet import CoachSheet, CoachTurn
from bot.rules.core.asks import Action, Give, Name, Pass, Play, PlayAsk
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import View
from bot.rules.core.sentences import Note

LOOKED_AT = 300  # plays
BEYOND_BEGINNERS: Final = {"spend", "few", "low_of_kind"}  # reasons of hints
SIMPLER: Final = {  # reasons of hints, said in simpler words
    "low": N_("Lead low cards early: they beat hardly anything later."),
    "least": N_("It's the lowest you have that beats it. Save anything higher for later."),
    "whole": N_("It's the lowest that keeps your pairs together."),
    "split": N_("Beating it would break up a pair of yours."),
}
SAID: Final = {
    "stuck": N_("Nothing you have beats {top}."),
    "spare": N_("You could beat it with {play}, but keep that for when you need the lead."),
    "alone": N_("It goes with nothing else you have."),
    "several": N_("Gets rid of {n} cards at once."),
    "keeps": N_("That saves {card} for later."),
    "beats_and_keeps": N_("It beats {top} and saves {card} for later."),
    "strong": N_("It's strong, so you may well win the trick."),
    "give": N_("You need it least."),
}


def coach_turn(view: View, sheet: CoachSheet, said: Collection[str] = ()) -> CoachTurn | None:
    """Return the coach's turn for the seat of a view; None where the seat need not act.

    said: the concepts of earlier turns.
    """
    action = by_plan(view) if view.ask else None
    if action is None:
        return None
    return CoachTurn(action, _why(view, action, sheet), _concept(view, action, sheet, said))


def new_concept(view: View, sheet: CoachSheet, said: Collection[str]) -> str | None:
    """Return the concept of ``coach_turn`` alone, in less time."""
    action = by_plan(view) if view.ask else None
    return _concept(view, action, sheet, said) if action else None


def _concept(view: View, action: Action, sheet: CoachSheet, said: Collection[str]) -> str | None:
    """Return the first new concept that fits; none with the last play of a hand."""
    if MOMENTS["last_play"](view, action):
        return None
    return next((one.text for one in sheet.once if one.text not in said and one.fits(view, action)), None)


def _why(view: View, action: Action, sheet: CoachSheet) -> Note | None:
    """Return the reason for an action: from the lesson, a hint, or else a general one."""
    own = next((one.text for one in sheet.reasons if one.fits(view, action)), None)
    if own is not None and not MOMENTS["last_play"](view, action):
        return Note("", own)
    claim = reason(view, action)
    if claim is None or claim.name in BEYOND_BEGINNERS:
        return next(_general(view, action), claim.note if claim else None)
    return Note("", SIMPLER.get(claim.name, claim.note.sentence), claim.note.values)


def _general(view: View, action: Action) -> Iterator[Note]:
    """Yield reasons in any game, the most telling first."""
    match action:
        case Pass() if isinstance(view.ask, PlayAsk) and view.trick.top is not None:
            yield _reason_to_pass(view)
        case Play(cards=cards):
            yield from _of_lead(view, cards) if view.trick.top is None else _of_follow(view, cards)
        case Give() | Name():
            yield _note("give")


def _reason_to_pass(view: View) -> Note:
    lowest = view.plays.first(1)
    return _note("spare", play=lowest[0]) if lowest else _note("stuck", top=view.trick.top)


def _of_lead(view: View, cards: Cards) -> Iterator[Note]:
    best = _best(view)
    if len(cards) > 1:
        yield _note("several", n=len(cards))
    elif best not in cards and _goes_with_nothing(view, cards[0]):
        yield _note("alone")
    yield _note("keeps", card=best) if best not in cards else _note("strong")


def _of_follow(view: View, cards: Cards) -> Iterator[Note]:
    best, top = _best(view), view.trick.top
    assert top is not None
    if view.rules.compare(cards, top.cards) is None and best not in cards:
        yield _note("beats_and_keeps", top=top, card=best)
    yield _note("strong") if best in cards else _note("keeps", card=best)


def _best(view: View) -> Card:
    """Return the highest card of the hand.

    The A cards of The Big and the Little A are the lowest.
    """
    return next((card for card in reversed(view.hand) if card.rank not in A_CARDS), view.hand[-1])


def _goes_with_nothing(view: View, card: Card) -> bool:
    """Tell whether no play of several cards contains the card, among the first plays."""
    return not any(card in play.cards for play in view.plays.first(LOOKED_AT) if len(play.cards) > 1)


def _note(name: str, **values: object) -> Note:
    return Note("", SAID[name], tuple(values.items()))
