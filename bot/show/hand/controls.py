"""The controls under a private hand: Pass, Hint, Play, offered plays, and the menu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.chairs import Level
from bot.domain.contests import PRACTICE_KINDS
from bot.rules.core.asks import ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.core.game import View
from bot.scene import Scene
from bot.show.contests.coach import is_lesson, lesson_ended_rows
from bot.show.contests.practice import BACK, next_hand, once_more, undo
from bot.show.hand import premoves
from bot.show.hand.card_buttons import card_rows
from bot.show.hand.hints import hint_button
from bot.show.hand.offered_plays import MAX_OFFERS, offer_buttons
from bot.show.hand.selection import CardSelection, selects
from bot.show.kit.card_symbols import symbols
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import DOTS, MAX_COMPONENTS, Block, Row, button, count_components, row, watch_button
from bot.show.kit.play_names import plate_name
from bot.show.kit.row_width import label_width, room_beside, row_with_menu
from bot.show.kit.words import MessageText, Words
from bot.show.matches.replay import look_back, look_closely
from bot.show.table import questions
from bot.show.table.duplicates import OF_TABLE, scoresheet_button

AROUND = 3  # the frame, and a text above and below the cards
FEW_IN_ROW, MANY_IN_ROW = 4, 5  # cards in a row: as many as a phone of 360 pixels shows side by side, and at most
A_VOTE = 1  # component of a vote where there is no room for its buttons
LEAST_CONTROLS = 8  # components of the two rows below the cards, where one play is offered and one can be taken back


def can_select_cards(scene: Scene, choice: CardSelection) -> bool:
    """Tell whether the viewer can select cards of the hand now.

    Not while this or another seat is asked a question.
    """
    return not questions.asked(scene) and not (choice.view.phase_note and not choice.view.ask)


def hand_controls(
    scene: Scene, choice: CardSelection, text: str | None, w: Words, *, below: Sequence[Block] = (), spare: int = 0
) -> list[Block]:
    """Return the cards as buttons, the verdict on the selected cards, and the controls.

    If a message is too small, fewer plays are offered, then rows of cards become longer, and at last selects replace
    the card buttons. A vote changes none of that: its line has room kept free. text: the verdict. below: blocks that
    need room under the controls; spare: the number of further components to leave room for.
    """
    room = MAX_COMPONENTS - AROUND - spare - count_components(below)
    cards = card_rows(scene, choice, w, FEW_IN_ROW)
    if (
        used := count_components(cards)
    ) + LEAST_CONTROLS > room:  # not the present controls: no card may move with them
        cards = card_rows(scene, choice, w, MANY_IN_ROW)
        used = count_components(cards)
    votes = 0 if scene.where.solo else A_VOTE
    for most, kept_free in ((most, free) for free in (votes, 0) for most in range(MAX_OFFERS, 0, -1)):
        rows = _rows(scene, choice, w, most)
        if used + count_components(rows) <= room - kept_free:
            return [*cards, text, *rows]
    return [*selects(scene, choice, w), text, *_rows(scene, choice, w, 1)]


def answer_row(scene: Scene, choice: CardSelection, w: Words) -> Row | None:
    """Return the row under the answers to a question, or under a hand while others answer."""
    ask = choice.view.ask
    answered = isinstance(ask, ChooseAsk) and bool(ask.given or questions.is_idle(scene, ask))
    if premoves.can_queue(scene):
        return row(_more(scene), *premoves.withdraw_buttons(scene, w))
    hint = hint_button(scene, w, choice.then, disabled=not ask or answered)
    return row(hint, _step_back(scene), _more(scene))


def ended_rows(scene: Scene, w: Words, level: Level) -> list[Block]:
    """Return the rows under an ended hand.

    Ready, or after the match the ways to another match.

    level: the viewer's preferred level of house players.
    """
    if scene.stage == "over":
        watch = watch_button(scene.where.table, w)
        number = scene.where.duplicate if not scene.where.solo else None
        scoresheet = scoresheet_button(number, w) if number is not None else None
        review = row(look_back(scene.where.table, w, own=True), scoresheet)
        if is_lesson(scene):
            return lesson_ended_rows(scene, w)
        if scene.where.solo == "practice":
            return [row(*once_more(scene, w)), row(watch), review, *next_hand(scene, w, level)]
        return [row(_onward(scene, w), watch), review]
    wanted = scene.seat in scene.wait.awaited or scene.wait.vote == "end"  # Ready also means to go on
    press = Press(scene.where.table, Verb.READY, at=scene.tally.deal)
    ready = button(w("Ready"), press, ButtonStyle.success, disabled=not wanted)
    closely = look_closely(scene.where.table, scene.tally.hand, w) if scene.terms.hints else None
    return [row_with_menu([ready, _back(scene, w), closely], _more(scene))]


def _onward(scene: Scene, w: Words) -> ui.Button[Any]:
    """Return the button for the likeliest next step after the end of a match."""
    table = scene.where.table
    if scene.where.solo:
        return button(w("Scoresheet"), Browse.to(OF_TABLE, table), ButtonStyle.success)
    return button(w("Rematch"), Press(table, Verb.REMATCH), ButtonStyle.success)


def _rows(scene: Scene, choice: CardSelection, w: Words, most: int) -> list[Row | None]:
    """Return the two rows below the cards."""
    menu, step_back = _more(scene), _step_back(scene)
    if back := _back(scene, w):
        return [row(back, menu)]
    if can_only_pass(scene, choice.view) and is_lesson(scene):
        return [row(passing(scene, choice.view, w), step_back, menu)]
    if can_only_pass(scene, choice.view):
        return [row(passing(scene, choice.view, w), step_back), row(menu, pass_on(scene, w))]
    if premoves.can_queue(scene):
        stop = [pass_on(scene, w)] if scene.passing else []
        queued = row(menu, *premoves.withdraw_buttons(scene, w), *stop)  # what comes and goes stands behind the menu
        return [row(*premoves.buttons(scene, choice, w)), queued]
    ready = offer_buttons(scene, choice.view, w, most, beside=(step_back, menu))
    return [_deciding(scene, choice, w), row(*ready, step_back, menu)]


def _step_back(scene: Scene) -> ui.Button[Any] | None:
    """Return the button that takes back the latest action.

    Returns None outside of practice and lessons.
    """
    return undo(scene, BACK) if scene.where.solo in PRACTICE_KINDS else None


def _deciding(scene: Scene, choice: CardSelection, w: Words) -> Row | None:
    """Return Pass and Hint, if available, and Play last because its label changes."""
    ask = choice.view.ask
    may_pass = isinstance(ask, PlayAsk | NameAsk) and ask.may_pass
    beside = (
        None if choice.naming and not may_pass else _pass(scene, w, disabled=not may_pass),
        hint_button(scene, w, choice.then, disabled=not ask),
    )
    return row(*beside, _main(scene, choice, w, room_beside(beside)))


def _main(scene: Scene, choice: CardSelection, w: Words, room: float) -> ui.Button[Any]:
    """Return the button that plays, gives or names the selected cards, or explains why not.

    room: the pixels for it.
    """
    verb, said = _purpose(choice, w, room)
    if choice.is_explained:
        return button(w("Why not?"), Press(scene.where.table, Verb.WHY))
    if choice.sure and choice.legal:
        return button(w("Sure?"), Press(scene.where.table, Verb.SURE, at=scene.moment), ButtonStyle.success)
    return button(said, Press(scene.where.table, verb, at=scene.moment), ButtonStyle.success, disabled=not choice.legal)


def _purpose(choice: CardSelection, w: Words, room: float) -> tuple[Verb, str]:
    if isinstance(choice.view.ask, GiveAsk):
        named = [w("Give {what}", what=MessageText(symbols(choice.cards)))] if choice.legal else []
        return Verb.GIVE, _fitting(named, w("Give"), room)
    if choice.naming:
        return Verb.NAME, w.for_labels()(
            choice.naming.sentence, card=choice.cards[0] if choice.legal else MessageText("…")
        )
    named = [w("Play {what}", what=plate_name(choice.combo, w))] if choice.combo and choice.legal else []
    return Verb.PLAY, _fitting(named, w("Play"), room)


def _fitting(labels: Iterable[str], otherwise: str, room: float) -> str:
    """Return the first label that fits into this many pixels."""
    return next((label for label in labels if label_width(label) <= room), otherwise)


def _pass(scene: Scene, w: Words, *, disabled: bool) -> ui.Button[Any]:
    return button(w("Pass"), Press(scene.where.table, Verb.PASS, at=scene.moment), disabled=disabled)


def _more(scene: Scene) -> ui.Button[Any]:
    return button(DOTS, Press(scene.where.table, Verb.MORE))


def _back(scene: Scene, w: Words) -> ui.Button[Any] | None:
    """Return the button that takes the seat back from a house player.

    None while the viewer plays.
    """
    if not scene.is_replaced:
        return None
    return button(w("Take my seat back"), Press(scene.where.table, Verb.BACK), ButtonStyle.primary)


def can_only_pass(scene: Scene, view: View) -> bool:
    """Tell whether passing is the viewer's only option."""
    ask = view.ask
    return isinstance(ask, PlayAsk) and ask.may_pass and scene.seat in scene.wait.awaited and not view.plays


def passing(scene: Scene, view: View, w: Words) -> ui.Button[Any]:
    """Return the button of a viewer who can only pass."""
    text = w("Pass (can't beat it)") if view.trick.top else w("Pass (nothing to play)")
    return button(text, Press(scene.where.table, Verb.PASS, at=scene.moment), ButtonStyle.primary)


def pass_on(scene: Scene, w: Words) -> ui.Button[Any]:
    """Return the button that starts or stops passing until able to play."""
    text = w("Stop auto-pass") if scene.passing else w("Auto-pass")
    return button(text, Press(scene.where.table, Verb.PASS_ON, at=scene.tally.deal, part=int(scene.passing)))
