"""Questions answered with words: the question, its answers' buttons, and queued answers.

A ChooseAsk is drawn for the asked player only. Buttons contain the place of an answer, never its code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from discord import ButtonStyle, PartialEmoji, ui

from bot.domain.message_ids import N_
from bot.rules.core.asks import Answer, ChooseAsk
from bot.rules.core.cards import Card, pack
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import MAX_OPTIONS, Row, button, lines, option, row, select
from bot.show.kit.words import MessageText, Words
from bot.show.typed.cards import UnreadableCards
from bot.show.typed.cards import read as read_cards

UNANSWERED = N_("Nobody else sees your answer. You can change it until the game moves on.")
IDLE = N_("There's nothing for you to decide right now.")
IN_ROW = 5
OPEN, GIVEN = "▫️", "✅"  # in front of an answer, as wide as the emoji of a card, so that no answer moves


def asked(scene: Scene) -> ChooseAsk | None:
    """Return the viewer's question to answer with words; None without one."""
    ask = scene.view.ask if scene.view and scene.stage == "playing" else None
    return ask if isinstance(ask, ChooseAsk) else None


def label(answer: Answer, w: Words) -> MessageText:
    """Return an answer as the label of a button."""
    return w.for_labels()(answer.sentence, **dict(answer.values))


def answer_sentences(offered: Iterable[Answer], codes: Iterable[str], w: Words) -> list[MessageText]:
    """Return the sentences of the answers with these codes."""
    known = {answer.code: answer for answer in offered}
    return [w(known[code].sentence, **dict(known[code].values)) for code in codes if code in known]


def is_idle(scene: Scene, ask: ChooseAsk) -> bool:
    """Tell whether the viewer has nothing to decide, and the table answers instead."""
    return ask.idle and scene.wait.has_auto_answers and not scene.wait.ticking


def question(scene: Scene, ask: ChooseAsk, w: Words, *, explained: bool = True) -> Iterator[str]:
    """Yield the question, and the meaning of answers that do not explain themselves.

    An idle viewer gets no question. explained: whether to yield the meanings.
    """
    if not is_idle(scene, ask):
        yield f"**{phrases.note(ask.question, w)}**"
    for answer in listed(ask) if explained else ():
        if answer.meaning:
            yield w("**{answer}**: {meaning}", answer=said(answer, w), meaning=w(answer.meaning))


def so_far(scene: Scene, ask: ChooseAsk, w: Words) -> MessageText:
    """Return the viewer's answer so far, or who sees an answer."""
    if is_idle(scene, ask) and not ask.standing:
        return w(IDLE)
    if ask.given:
        return answered(ask, w)
    return w(UNANSWERED) if scene.together else MessageText()


def queued(ask: ChooseAsk, w: Words) -> str | None:
    """Return the answers queued in advance, a line each.

    Returns None without any, or if a plan is the answer.
    """
    planned = any(answer.codes == ask.given for answer in ask.offered if answer.orders)
    if planned or not ask.standing:
        return None
    return lines(w("You queued:"), *(f"- {sentence}" for sentence in answer_sentences(ask.orders, ask.standing, w)))


def answered(ask: ChooseAsk, w: Words) -> MessageText:
    """Return the confirmation of an answer."""
    answer = next((offered for offered in ask.offered if offered.codes == ask.given), None)
    if answer is None:
        return w("Your queued answer applies. Another answer replaces it.")
    if answer.orders:
        return w("You answered: {answer}. It stays until you change it.", answer=said(answer, w))
    return w("You answered: {answer}. You can change it until the game moves on.", answer=said(answer, w))


def done(answer: Answer, w: Words) -> MessageText:
    """Return the confirmation of the last missing answer."""
    return w("You answered: {answer}.", answer=said(answer, w))


def listed(ask: ChooseAsk) -> tuple[Answer, ...]:
    """Return the answers in display order.

    Of plans, the one that leaves everything open comes last.
    """
    return (
        (*ask.offered[1 : len(ask.plans)], *ask.offered[:1], *ask.offered[len(ask.plans) :])
        if ask.plans
        else ask.offered
    )


def said(answer: Answer, w: Words) -> MessageText:
    """Return an answer as the text of a message."""
    return w(answer.sentence, **dict(answer.values))


def answers(scene: Scene, ask: ChooseAsk, w: Words) -> list[Row | None]:
    """Return a button for each answer; empty for an idle viewer."""
    buttons = [] if is_idle(scene, ask) else [_button(scene, ask, offered, w) for offered in listed(ask)]
    return [row(*buttons[at : at + IN_ROW]) for at in range(0, len(buttons), IN_ROW)]


def _button(scene: Scene, ask: ChooseAsk, answer: Answer, w: Words) -> ui.Button[Any]:
    style = ButtonStyle.secondary if answer.place and not answer.orders else ButtonStyle.primary  # this answer is final
    target = Press(scene.where.table, Verb.CHOOSE, at=scene.moment, part=answer.place)
    if ask.given == answer.codes:
        return button(label(answer, w), target, ButtonStyle.success, emoji=GIVEN)
    return button(label(answer, w), target, style, emoji=_picture(answer, w) or OPEN)


def beforehand(scene: Scene, ask: ChooseAsk, w: Words) -> Row | None:
    """Return a select of all answers that can be queued in advance.

    Each option is valid for the moment of its offer, or for the whole draw if the hand advances by itself.
    """
    made_for = "" if scene.wait.ticking else f" {scene.moment}"
    options = [
        option(
            label(offered, w),
            f"{offered.code}{made_for}",
            emoji=_picture(offered, w),
            default=offered.code in ask.standing,
        )
        for offered in ask.orders[: MAX_OPTIONS - 1]
    ]
    target = Press(scene.where.table, Verb.QUEUED_ANSWERS, at=scene.tally.deal)
    return select(target, w("Queue an answer"), options, least=0, most=len(options))


def read(value: str) -> tuple[str, int | None]:
    """Return the code and the moment of an option of that select.

    The moment is None in an option without one.
    """
    code, _, moment = value.rpartition(" ")
    return (code, int(moment)) if code and moment.isdecimal() else (value, None)


def _picture(answer: Answer, w: Words) -> PartialEmoji | None:
    """Return the emoji of the first card in an answer."""
    shown = (w.faces.pictures.get(value) for _, value in answer.values if isinstance(value, Card))
    return next(shown, None)


def parse_answer(ask: ChooseAsk, typed: str, w: Words) -> Answer | None:
    """Return the answer that matches a typed text.

    The text is the answer's code or words, its card, or an unambiguous part of its words. The part begins a word. A
    card is never such a part: "As" is the ace of spades, not the beginning of "Ask".
    """
    wanted, named = typed.strip().casefold(), _named_card(typed)
    part = re.compile(rf"(?<![a-z]){re.escape(wanted)}")
    exact = [offered for offered in ask.offered if wanted in (offered.code.casefold(), label(offered, w).casefold())]
    found = exact or [
        offered
        for offered in ask.offered
        if (named in dict(offered.values).values() if named else wanted and part.search(label(offered, w).casefold()))
    ]
    return found[0] if len(found) == 1 else None


def _named_card(typed: str) -> Card | None:
    """Return the card that a text names; None for any other text."""
    try:
        named, *more = read_cards(typed, pack())
    except UnreadableCards:
        return None
    return None if more else named
