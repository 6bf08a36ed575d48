"""A hint in three degrees: the kind of play, the cards, and the reason.

One button leads from each degree to the next.

Its label never changes, so that no button beside it moves; each degree says what the next one tells.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

from discord import ui

from bot.games import GAMES
from bot.rules.core.asks import Action, Choose, Give, Name, Pass, Play
from bot.rules.core.cards import Cards
from bot.rules.core.sentences import Note, Phrase
from bot.scene import Scene
from bot.show.contests.coach import is_lesson
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import button
from bot.show.kit.words import MessageText, Words, sentences
from bot.show.table import questions


class HintDegree(IntEnum):
    """The degrees of a hint."""

    KIND = 0
    CARDS = 1
    WHY = 2


class Hint(NamedTuple):
    """A hint: its text, the cards it selects, and the next degree."""

    said: MessageText
    cards: Cards = ()
    then: HintDegree = HintDegree.KIND


def asked_for(press: Press, scene: Scene) -> HintDegree:
    """Return the requested degree; the first degree if the button is from an earlier moment."""
    known = press.at == scene.moment and press.part in list(HintDegree)
    return HintDegree(press.part) if known else HintDegree.KIND


def hint_button(scene: Scene, w: Words, then: HintDegree, *, disabled: bool) -> ui.Button[Any] | None:
    """Return the button for the next degree; None at a table without hints."""
    if not scene.terms.hints:
        return None
    if scene.coach is not None:
        return _coached(scene, scene.coach.action, w)
    press = (
        Press(scene.where.table, Verb.HINT, at=scene.moment, part=then) if then else Press(scene.where.table, Verb.HINT)
    )
    return button(w("Hint"), press, disabled=disabled)


def _coached(scene: Scene, action: Action, w: Words) -> ui.Button[Any] | None:
    """Return the button that selects the cards recommended by the coach."""
    if not isinstance(action, Play | Give | Name):
        return None
    return button(w("Show me"), Press(scene.where.table, Verb.HINT, at=scene.moment, part=HintDegree.CARDS))


def hint(scene: Scene, action: Action, why: Note | None, degree: HintDegree, *, w: Words) -> Hint:
    """Return a hint at a house player's choice. w: with the people and the game of the table."""
    why = None if is_lesson(scene) else why  # the coach has said it
    further = HintDegree.WHY if why else HintDegree.KIND
    match action:
        case Play(cards=cards):
            return _of_play(scene, cards, why, degree, w=w)
        case Pass():
            if why and degree is HintDegree.WHY:
                return Hint(_why(why, w))
            return Hint(_with_next(w("Hint: pass."), further, w), then=further)
    return _of_answer(scene, action, w)


def _of_play(scene: Scene, cards: Cards, why: Note | None, degree: HintDegree, *, w: Words) -> Hint:
    if why and degree is HintDegree.WHY:
        return Hint(_why(why, w), cards)
    if degree is HintDegree.KIND:
        return Hint(_with_next(_kind(scene, cards, w), HintDegree.CARDS, w), then=HintDegree.CARDS)
    further = HintDegree.WHY if why else HintDegree.KIND
    return Hint(_with_next(w("Hint: play these."), further, w), cards, further)


def _of_answer(scene: Scene, action: Action, w: Words) -> Hint:
    """Return a hint for a question other than a play, complete at once."""
    match action:
        case Give(cards=cards):
            return Hint(w("Hint: give this."), cards)
        case Name(card=card):
            return Hint(w("Hint: name this one."), (card,))
    ask, codes = questions.asked(scene), action.codes if isinstance(action, Choose) else ()
    told = questions.answer_sentences(ask.offered, codes, w) if ask else MessageText()
    return Hint(w("Hint: {answer}.", answer=told))


def _kind(scene: Scene, cards: Cards, w: Words) -> MessageText:
    combo = scene.terms.rules.classify(cards)
    if combo is None:
        return w.n("Hint: think of {n} card.", "Hint: think of {n} cards.", len(cards))
    return w("Hint: think of {kind}.", kind=Phrase(GAMES[scene.terms.rules.game].combinations[combo.kind].many))


def _with_next(text: MessageText, further: HintDegree, w: Words) -> MessageText:
    """Return the hint, and what another tap tells; KIND if there is no more to tell."""
    match further:
        case HintDegree.CARDS:
            return sentences((text, w("Tap Hint again to see the cards.")))
        case HintDegree.WHY:
            return sentences((text, w("Tap Hint again to see why.")))
    return text


def _why(why: Note, w: Words) -> MessageText:
    return w(why.sentence, **dict(why.values))
