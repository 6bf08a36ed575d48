"""Premoves on screen: the ways to queue a play, the queued ones, and why one ended.

Describes premoves, and draws the buttons and menus that make and withdraw them. The effect of a premove is decided in
``bot/rules/core/premoves.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from discord import ButtonStyle, SelectOption, ui

from bot.domain.message_ids import N_
from bot.rules.core.asks import ChooseAsk, NameAsk
from bot.rules.core.cards import Cards, cards
from bot.rules.core.game import View
from bot.rules.core.premoves import (
    END_SENTENCES,
    ENDED_BY_EVENTS,
    TRICK_KINDS,
    Premove,
    PremoveContext,
    PremoveKind,
    can_create,
    end_reason,
    least_stake,
    new_premove,
    trick_fingerprint,
)
from bot.rules.core.sentences import Seat
from bot.scene import Scene
from bot.show.hand.selection import CardSelection
from bot.show.kit.card_symbols import symbols
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import MAX_OPTIONS, Row, brief, button, option, select
from bot.show.kit.play_names import plate_name
from bot.show.kit.row_width import label_width, room_beside
from bot.show.kit.words import MessageText, Words, join, sentences

# The kinds with buttons: custom ids contain the place of a kind.
KINDS: tuple[PremoveKind, ...] = ("pass", "beat", "list", "if", "until", "on", "lead", "call", "say")
PASS, LIST = KINDS.index("pass"), KINDS.index("list")
LIMIT = N_("Now pick the highest cards you'd use")
CHIP, NARROW_CHIP = 14, 6  # columns of the label of a chip, alone and beside others
MORE_STAKES, MOST_STAKE = 5, 99  # the number of stakes to choose from, and the highest stake
CHOICES = MAX_OPTIONS - 1  # of one menu: the option back needs room in each
OFF, OR_ELSE_OPTION, LIMIT_OPTION = "✕", "else", "most"
# A sentence for each queued kind.
SAID: dict[PremoveKind, str] = {
    "pass": N_("You'll pass until this trick ends."),
    "beat": N_("On your turn: the lowest play that beats it, up to {cards}, otherwise pass."),
    "list": N_("On your turn: {cards} if that still beats it, otherwise pass."),
    "if": N_("On your turn: {cards}, unless the play to beat is higher than {most}."),
    "until": N_("You'll pass until someone plays a bomb or a different number of cards."),
    "on": N_("Auto-pass is on."),
    "lead": N_("If you win the trick, you'll lead {cards}."),
}
# The options of the premove menu: each label with the selected cards, or without any.
WAYS: tuple[tuple[PremoveKind, str], ...] = (
    ("list", N_("Play {cards} when I can")),
    ("if", N_("Play {cards} if nobody plays before me")),
    ("beat", N_("The lowest that beats it, up to {cards}")),
    ("lead", N_("If I win this trick, lead {cards}")),
    ("pass", N_("Pass this trick")),
    ("until", N_("Pass until a bomb or another number of cards")),
    ("on", N_("Auto-pass")),
)


def can_queue(scene: Scene) -> bool:
    """Tell whether the viewer holds cards, is not to move, and can queue a premove."""
    view = scene.view if scene.stage == "playing" and not scene.wait.paused else None
    return bool(view and view.hand and not view.ask)


# In words


def queued_in_words(scene: Scene, w: Words) -> str | None:
    """Return the viewer's premoves, and why any of them ended; None without any."""
    off = (_ended(premove, w, asked=scene.wanted) for premove in scene.premoves if premove.kind == "off")
    stands = (_sentence(premove, scene, w) for premove in scene.premoves if premove.kind != "off")
    return sentences((*off, *stands)) or None


def _sentence(premove: Premove, scene: Scene, w: Words) -> MessageText:
    match premove.kind:
        case "call" if premove.plays:
            return w(
                "On your turn: call {cards} for up to {stake}, otherwise pass.",
                cards=premove.plays[0],
                stake=premove.upto,
            )
        case "call":
            return w("You'll pass in the bidding.")
        case "say":
            return w("You'll answer: {answer}.", answer=_answer(premove, scene, w))
        case "list" if len(premove.plays) > 1:
            several = join((w.faces.show(cards) for cards in premove.plays), ", ")
            return w("On your turn, the first of these that works, otherwise pass: {cards}.", cards=several)
    most, cards = (premove.plays[0], premove.plays[-1]) if premove.plays else ((), ())
    return w(SAID[premove.kind], cards=cards, most=most)


def _answer(premove: Premove, scene: Scene, w: Words) -> MessageText:
    asks = (scene.view.next_ask, scene.view.ask) if scene.view else ()
    offered = (answer for ask in asks if isinstance(ask, ChooseAsk) for answer in ask.answers)
    found = next((answer for answer in offered if answer.code == premove.code), None)
    return w(found.sentence, **dict(found.values)) if found else MessageText(premove.code)


def _ended(premove: Premove, w: Words, *, asked: bool) -> MessageText:
    why = end_reason(premove)
    text = w(END_SENTENCES[why.reason], seat=Seat(why.seat), cards=why.cards)
    return w("⏸ Your call after all: {why}", why=text) if asked else w("⏸ Your call: {why}", why=text)


# Under the hand


def explained(scene: Scene, view: View, w: Words) -> MessageText | None:
    """Return the meaning of the one-tap premoves, or why there are none now.

    Returns None on the viewer's turn, and before play.
    """
    if not can_queue(scene) or view.phase_note or scene.is_replaced or not view.rules.may_pass:
        return None
    if view.trick.top is None:
        return w("You can queue a play once someone leads.")
    if view.is_out_of_trick:
        return w("You're out of this trick.")
    own = next((move for move in reversed(view.trick.moves) if move.seat == view.seat), None)
    if own and own.combo is None:
        return w("You passed, but you're asked again if someone plays. Tap Queue pass to sit out this trick.")
    return w("Tap Queue pass to sit out this trick, or pick cards to queue a play.")


def buttons(scene: Scene, choice: CardSelection, w: Words) -> tuple[ui.Button[Any], ui.Button[Any]]:
    """Return the one-tap premoves, disabled if there are none.

    Pass this trick, or play the selected cards.
    """
    nothing = choice.view.trick.top is None or choice.view.is_out_of_trick
    passes = any(premove.kind == "pass" for premove in scene.premoves)
    fine = not nothing and choice.combo is not None and choice.refused is None
    press = Press(
        scene.where.table, Verb.QUEUE_PREMOVE, at=scene.tally.deal, part=PASS, within=trick_fingerprint(choice.view)
    )
    passing = button(w("Queue pass"), press, disabled=nothing or passes)
    named = [w("Queue {what}", what=plate_name(choice.combo, w))] if fine and choice.combo else []
    label = next((said for said in named if label_width(said) <= room_beside([passing])), w("Queue play"))
    return passing, button(label, replace(press, part=LIST), ButtonStyle.primary, disabled=not fine)


def fits_now(view: View, kind: PremoveKind, *plays: Cards) -> bool:
    """Tell whether this premove can be queued now."""
    return can_create(new_premove(view, kind, *plays), view)


def withdraw_buttons(scene: Scene, w: Words) -> Iterator[ui.Button[Any]]:
    """Yield a button for each queued premove, which withdraws it."""
    queued = [premove for premove in scene.premoves if premove.kind not in ("off", "on")]
    for premove in queued:
        within = trick_fingerprint(scene.view) if scene.view and premove.kind in TRICK_KINDS else None
        part = KINDS.index(premove.kind)
        target = Press(scene.where.table, Verb.WITHDRAW_PREMOVE, at=scene.tally.deal, part=part, within=within)
        alone = len(queued) == 1 and not scene.passing
        if alone and premove.kind == "pass":
            yield button(w("Cancel pass"), target)
        else:
            yield button(f"{OFF} {brief(_chip(premove, w.for_labels()), CHIP if alone else NARROW_CHIP)}", target)


def _chip(premove: Premove, w: Words) -> str:
    cards = MessageText(symbols(premove.plays[-1])) if premove.plays else MessageText()
    match premove.kind:
        case "lead":
            return w("Lead {cards}", cards=cards)
        case "beat":
            return w("Up to {cards}", cards=cards)
        case "call" if premove.plays:
            return w("Call {cards}", cards=cards)
        case "say":
            return w("Answer")
    return cards or w("Pass")


# Behind the dots


class PremoveOption(NamedTuple):
    """The meaning of a menu option.

    A kind of premove, or a change of a queued one, and its cards, stake or answer.

    number: of the state in which the option was offered, see ``state``; None in a menu of an earlier release.
    """

    kind: str
    card: Cards = ()
    upto: int = 0
    code: str = ""
    number: int | None = None


def state(kind: str, deal: int, number: int) -> PremoveContext:
    """Return the state for which an option is valid. number: the end of the option's value.

    "If it stays as it lies" is valid for a moment, other premoves about a trick for that trick, premoves in a bidding
    for its stake, and "until I can play" for the whole deal.
    """
    if kind == "if":
        return PremoveContext(deal, moment=number)
    if kind in (*ENDED_BY_EVENTS, OR_ELSE_OPTION, LIMIT_OPTION):
        return PremoveContext(deal, trick=number)
    return PremoveContext(deal) if kind == "on" else PremoveContext(deal, stake=number)


def premove_menus(scene: Scene, chosen: Cards, w: Words) -> list[Row | None]:
    """Return the menu of all premoves possible now; empty without any."""
    view = scene.view
    if view is None or not can_queue(scene):
        return []
    if view.next_ask is not None:
        return list(_bidding(scene, view, w))
    options = [
        _or_else(scene, view, chosen, w),
        _limit(scene, view, chosen, w),
        *(_way(kind, said, scene, view, chosen=chosen, w=w) for kind, said in WAYS),
    ]
    return [_menu(scene, 0, w("On my turn…"), [one for one in options if one])]


def _or_else(scene: Scene, view: View, chosen: Cards, w: Words) -> SelectOption | None:
    """Return the option to add another play in case the first ones do not fit."""
    plays = (*queued_plays(scene), chosen)
    if len(plays) == 1 or chosen in plays[:-1] or not fits_now(view, "list", *plays):
        return None
    return option(
        w.for_labels()(N_("Or else play {cards}"), cards=MessageText(symbols(chosen))),
        _value(OR_ELSE_OPTION, scene, view),
    )


def _limit(scene: Scene, view: View, chosen: Cards, w: Words) -> SelectOption | None:
    """Return the option to set the highest play on which a conditional play is still made."""
    plays = limited(scene, chosen)
    if not plays or not fits_now(view, "if", *plays):
        return None
    most, cards = (MessageText(symbols(one)) for one in plays)
    return option(
        w.for_labels()(N_("Play {cards} if the play to beat is {most} at most"), cards=cards, most=most),
        _value(LIMIT_OPTION, scene, view),
    )


def limited(scene: Scene, most: Cards) -> tuple[Cards, ...]:
    """Return the conditional play with this limit.

    Empty without a queued conditional play of other cards.
    """
    stands = next((premove.plays for premove in scene.premoves if premove.kind == "if"), ())
    return (most, stands[1]) if stands and most not in stands else ()


def queued_plays(scene: Scene) -> tuple[Cards, ...]:
    """Return the viewer's queued plays, by preference."""
    return next((premove.plays for premove in scene.premoves if premove.kind == "list"), ())


def _value(text: str, scene: Scene, view: View) -> str:
    """Return the value of an option.

    Its command, and the number of the state it is offered in.
    """
    there = state(text.split(maxsplit=1)[0], scene.tally.deal, 0)
    now = PremoveContext.of(scene.tally.deal, scene.moment, view)
    numbers = [mine for asked, mine in zip(there[1:], now[1:], strict=True) if asked is not None]
    return f"{text} {next(iter(numbers), 0)}"


def _way(kind: PremoveKind, sentence: str, scene: Scene, view: View, *, chosen: Cards, w: Words) -> SelectOption | None:
    plays = plays_of(kind, view, chosen)
    if plays is None or not fits_now(view, kind, *plays):
        return None
    text = w.for_labels()(sentence, cards=MessageText(symbols(plays[-1])) if plays else MessageText())
    return option(text, _value(kind, scene, view), w.for_labels()(LIMIT) if kind == "if" else "")


def plays_of(kind: PremoveKind, view: View, chosen: Cards) -> tuple[Cards, ...] | None:
    """Return the plays of a premove of this kind, given the selected cards.

    None if it needs other cards.
    """
    top = view.trick.top
    match kind:
        case "pass" | "until" | "on":
            return ()
        case "if" if top and chosen:
            return top.cards, chosen
        case "beat" | "list" | "lead" if chosen:
            return (chosen,)
    return None


def read(value: str) -> PremoveOption:
    """Return the meaning of a menu option. Raises KeyError or ValueError."""
    said, _, number = value.rpartition(" ")
    if number.isdecimal():
        with suppress(KeyError, ValueError):
            return _named(said)._replace(number=int(number))
    return _named(value)


def _named(text: str) -> PremoveOption:
    """Return the kind of an option, and its card, stake or answer.

    Raises KeyError or ValueError.
    """
    kind, _, about = text.partition(" ")
    match kind:
        case "say":
            return PremoveOption(kind, code=about)
        case "call":
            return PremoveOption(kind, cards(about))
        case "upto" if 0 < int(about) <= MOST_STAKE:
            return PremoveOption(kind, upto=int(about))
    if about or kind not in {OR_ELSE_OPTION, LIMIT_OPTION, *(one for one, _ in WAYS)}:
        raise ValueError(text)
    return PremoveOption(kind)


def _menu(scene: Scene, number: int, text: str, options: list[SelectOption]) -> Row | None:
    target = Press(scene.where.table, Verb.PREMOVE_MENU, at=scene.tally.deal, part=number)
    return select(target, text, options) if options else None


def queued_call(scene: Scene) -> tuple[Cards, ...]:
    """Return the card that the viewer's queued call names."""
    return next((premove.plays for premove in scene.premoves if premove.kind == "call"), ())


def _bidding(scene: Scene, view: View, w: Words) -> Iterator[Row | None]:
    """Yield the menus of premoves in a bidding."""
    bare = w.for_labels()
    if isinstance(view.next_ask, ChooseAsk):
        answers = [
            option(bare(one.sentence, **dict(one.values)), _value(f"say {one.code}", scene, view))
            for one in view.next_ask.answers
        ]
        yield _menu(scene, 0, w("On my turn…"), answers)
    if isinstance(view.next_ask, NameAsk):
        calls = [
            option(bare(view.next_ask.sentence, card=card), _value(f"call {card}", scene, view))
            for card in view.next_ask.cards
        ]
        options = [option(w("Pass in the bidding"), _value("call", scene, view)), *calls]
        for number, at in enumerate(range(0, len(options), CHOICES)):
            yield _menu(scene, number, w("On my turn…"), options[at : at + CHOICES])
        yield _stakes(scene, view, w)


def _stakes(scene: Scene, view: View, w: Words) -> Row | None:
    """Return the menu of the highest stake for the queued call; None without one."""
    upto = next((premove.upto for premove in scene.premoves if premove.kind == "call" and premove.plays), None)
    if upto is None:
        return None
    first = least_stake(view)
    stakes = range(first, first + MORE_STAKES)
    options = [
        option(w("Up to {stake}", stake=most), _value(f"upto {most}", scene, view), default=most == upto)
        for most in stakes
    ]
    return _menu(scene, len(view.rules.pack), w("Up to what stake"), options)
