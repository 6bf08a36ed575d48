"""A hint in three degrees: the kind of play, the cards, and the reason.

A button leads from each degree to the next.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, NamedTuple

from discord import ui

from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.core.asks import Action, Choose, Give, Name, Pass, Play
from bot.rules.core.cards import Cards
from bot.rules.core.sentences import Note, Phrase
from bot.scene import Scene
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import button
from bot.show.kit.words import MessageText, Words
from bot.show.table import questions


class HintDegree(IntEnum):
    """The degrees of a hint."""

    KIND = 0
    CARDS = 1
    WHY = 2


LABELS: Final = {HintDegree.KIND: N_("Hint"), HintDegree.CARDS: N_("Cards?"), HintDegree.WHY: N_("Why?")}


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
    press = (
        Press(scene.where.table, Verb.HINT, at=scene.moment, part=then) if then else Press(scene.where.table, Verb.HINT)
    )
    return button(w(LABELS[then]), press, disabled=disabled)


def hint(scene: Scene, action: Action, why: Note | None, degree: HintDegree, *, w: Words) -> Hint:
    """Return a hint at a house player's choice. w: with the people and the game of the table."""
    further = HintDegree.WHY if why else HintDegree.KIND
    match action:
        case Play(cards=cards):
            return _of_play(scene, cards, why, degree, w=w)
        case Pass():
            said = _why(why, w) if why and degree is HintDegree.WHY else w("Hint: pass.")
            return Hint(said, then=HintDegree.KIND if degree is HintDegree.WHY else further)
    return _of_answer(scene, action, w)


def _of_play(scene: Scene, cards: Cards, why: Note | None, degree: HintDegree, *, w: Words) -> Hint:
    if why and degree is HintDegree.WHY:
        return Hint(_why(why, w), cards)
    if degree is HintDegree.KIND:
        return Hint(_kind(scene, cards, w), then=HintDegree.CARDS)
    return Hint(w("Hint: play these."), cards, HintDegree.WHY if why else HintDegree.KIND)


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


def _why(why: Note, w: Words) -> MessageText:
    return w(why.sentence, **dict(why.values))
