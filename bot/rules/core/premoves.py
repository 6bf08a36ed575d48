"""Premoves: a premove and a View yield an action, no action yet, or the premove's end.

A premove remembers parts of its owner's View at its creation and is evaluated after every step of the hand. It ends
after any event that its owner would want to know of, and never acts afterwards. It knows only its owner's views, no
particular game, no time of evaluation, and no words on screens.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

from bot.domain.message_ids import N_
from bot.rules.core.asks import Action, Choose, ChooseAsk, Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import CARD_NAMES, Cards, cards, missing_cards, write
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo, Move

# Premoves for this trick: "pass"; "beat" the top with the lowest cards up to a limit; "list": play the first legal
# of several plays; "if" the top is no higher than some cards, play others; "lead" some cards after winning the
# trick; "until": pass until another player plays a bomb or another number of cards. "on": pass whenever no play
# is legal. In a bidding: "call" a card up to a stake, or pass; "say" one of the answers to a question.
# "off": the remainder of a premove that ended by itself, until its owner acts.
PremoveKind: TypeAlias = Literal["pass", "beat", "list", "if", "until", "on", "lead", "call", "say", "off"]

TRICK_KINDS: frozenset[PremoveKind] = frozenset({"pass", "beat", "list", "if"})  # kinds that end with their trick
ENDED_BY_EVENTS = TRICK_KINDS | {"until", "lead"}  # kinds for a trick that end after a notable event
# Compatible premoves: one of each line, evaluated in this order.
LINES: tuple[frozenset[PremoveKind], ...] = (
    TRICK_KINDS,
    frozenset({"until", "on"}),
    frozenset({"lead"}),
    frozenset({"call", "say"}),
)
FEW_CARDS_LEFT = 2  # remaining cards of an opponent about to go out

END_SENTENCES = {
    "one": N_("{seat} has one card left."),
    "two": N_("{seat} has two cards left."),
    "out": N_("{seat} has gone out."),
    "bomb": N_("{seat} has played {cards}."),
    "sides": N_("The teams are known now."),
    "other": N_("The trick has a different number of cards now."),
    "higher": N_("The play to beat is higher than your limit."),
    "illegal": N_("You can't play {cards} now."),
    "uncalled": N_("You can't call {cards} now."),
    "must": N_("You can't pass now."),
}


class PremoveEnd(NamedTuple):
    """Why a premove ended: a key of END_SENTENCES and the values of its sentence."""

    reason: str
    seat: int = 0
    cards: Cards = ()


class EndedPremove(NamedTuple):
    """A premove that ended. why: the notice to its owner; None after the premove did its work."""

    why: PremoveEnd | None = None


class PremoveOrigin(NamedTuple):
    """The owner's View at the creation of a premove.

    counts: the number of cards of each seat. moves: the number of moves in the trick; led: the first move. kind, size:
    of the top play. sided: the number of seats with a known side.
    """

    counts: tuple[int, ...] = ()
    moves: int = 0
    led: str = ""
    kind: str = ""
    size: int = 0
    sided: int = 0

    @classmethod
    def of(cls, view: View) -> PremoveOrigin:
        """Return the remembered parts of a view."""
        moves, top = view.trick.moves, view.trick.top
        lying = (top.kind, len(top.cards)) if top else ("", 0)
        return cls(view.counts, len(moves), _led(moves), *lying, sided=_sided(view))


UNKNOWN_ORIGIN = PremoveOrigin()


@dataclass(frozen=True, slots=True)
class Premove:
    """A premove: the action to take for its owner.

    plays: the named cards, each entry one play; the first entry of "if" is the limit on the top. upto: the highest
    stake for a call. code: the answer to a question; with "off", the reason.
    """

    kind: PremoveKind
    _: KW_ONLY
    plays: tuple[Cards, ...] = ()
    upto: int = 0
    code: str = ""
    made: PremoveOrigin = UNKNOWN_ORIGIN


Premoves: TypeAlias = tuple[Premove, ...]
PremoveOutcome: TypeAlias = Action | EndedPremove | None  # the outcome of evaluating a premove; None: no action yet


def trick_fingerprint(view: View) -> int:
    """Return a number for the current trick of a deal and all events that end its premoves.

    The number changes with the trick, with an interrupting play and with a player's last cards, so that a click made
    before any of these is recognized as stale. Finished tricks may have been shuffled into the stock, so their count
    alone does not identify a trick.
    """
    moves, top = view.trick.moves, view.trick.top
    led = (moves[0].seat, [CARD_NAMES[card] for card in moves[0].combo.cards]) if moves and moves[0].combo else ()
    few = [(seat, left) for seat, left in enumerate(view.counts) if left <= FEW_CARDS_LEFT and seat != view.seat]
    watched = few if view.rules.counted else [(seat, left) for seat, left in few if not left]
    bomb = top.kind if top and top is not moves[0].combo and view.rules.bomb(top) else ""
    lies = len(top.cards) if top else 0
    sided = [len(side) for side in view.own_teams or ()]
    return zlib.crc32(repr((len(view.tricks), led, watched, sided, lies, bomb)).encode())


class PremoveContext(NamedTuple):
    """The state for which a premove is meant: its deal and, if relevant, more.

    Relevant may be the trick, the moment and the stake.
    """

    deal: int
    trick: int | None = None
    moment: int | None = None
    stake: int | None = None

    @classmethod
    def of(cls, deal: int, moment: int, view: View) -> PremoveContext:
        """Return the present state."""
        return cls(deal, trick_fingerprint(view), moment, least_stake(view))

    def holds(self, now: PremoveContext) -> bool:
        """Tell whether this state is unchanged."""
        return all(mine in (None, current) for mine, current in zip(self, now, strict=True))


def new_premove(view: View, kind: PremoveKind, *plays: Cards, upto: int = 0, code: str = "") -> Premove:
    """Return a premove created now."""
    return Premove(kind, plays=plays, upto=upto, code=code, made=PremoveOrigin.of(view))


def can_create(premove: Premove, view: View) -> bool:
    """Tell whether a premove can be created with its cards and would not end immediately."""
    named = premove.plays[1:] if premove.kind == "if" else premove.plays
    plays = premove.kind in {"beat", "list", "if", "lead"}
    if plays and (not named or any(missing_cards(view.hand, one) or not view.rules.classify(one) for one in named)):
        return False
    if premove.kind in ENDED_BY_EVENTS and (view.trick.top is None or view.is_out_of_trick):
        return False
    if premove.kind == "if" and _more_than(premove.plays[0], view):
        return False
    return premove.kind != "off" and view.result is None and not isinstance(evaluate(premove, view), EndedPremove)


def add_premove(premoves: Premoves, new: Premove) -> Premoves:
    """Return the premoves with a new one in place of the old one in its line.

    Notices of ended premoves are dropped.
    """
    line = next(line for line in LINES if new.kind in line)
    kept = (premove for premove in premoves if premove.kind not in line and premove.kind != "off")
    return tuple(sorted((*kept, new), key=_line))


def _line(premove: Premove) -> int:
    return next((at for at, line in enumerate(LINES) if premove.kind in line), len(LINES))


def after_own_move(premoves: Premoves) -> Premoves:
    """Return the premoves that survive a move of their owner: the planned leads."""
    return tuple(premove for premove in premoves if premove.kind == "lead")


def due_action(premoves: Iterable[Premove], view: View) -> Action | None:
    """Return the action of the first premove that acts now, None if none does."""
    return next(
        (found for premove in premoves if (found := evaluate(premove, view)) and not isinstance(found, EndedPremove)),
        None,
    )


def refresh_premoves(premoves: Premoves, view: View) -> Premoves:
    """Return the active premoves, and "off" premoves for those that ended with a notice."""
    kept = []
    for premove in premoves:
        found = evaluate(premove, view)
        if not isinstance(found, EndedPremove):
            kept.append(premove)
        elif found.why:
            reason, seat, lying = found.why
            kept.append(Premove("off", plays=(lying,), upto=seat, code=reason))
    return tuple(kept)


def end_reason(premove: Premove) -> PremoveEnd:
    """Return why an "off" premove ended."""
    return PremoveEnd(premove.code, premove.upto, *premove.plays)


def evaluate(premove: Premove, view: View) -> PremoveOutcome:
    """Return the outcome of a premove now: an action, no action yet, or its end."""
    if view.result is not None:
        return EndedPremove()
    if premove.kind in TRICK_KINDS and not _same_trick(premove.made, view):
        return EndedPremove()
    if premove.kind in ENDED_BY_EVENTS and (why := _news(premove, view)):
        return EndedPremove(why)
    asked = view.seat in view.awaited and view.ask is not None
    return _DOING[premove.kind](premove, view) if asked else _WAITING.get(premove.kind, _not_yet)(premove, view)


# Events that the owner would want to know of


def _led(moves: tuple[Move, ...]) -> str:
    first = moves[0].combo if moves else None
    return f"{moves[0].seat} {write(first.cards)}" if first else ""


def _sided(view: View) -> int:
    return sum(map(len, view.own_teams or ()))


def _same_trick(made: PremoveOrigin, view: View) -> bool:
    moves = view.trick.moves
    return 0 < made.moves <= len(moves) and _led(moves) == made.led


def _news(premove: Premove, view: View) -> PremoveEnd | None:
    """Return the notable event since the creation of a premove, or None."""
    made = premove.made
    for seat, (before, now) in enumerate(zip(made.counts, view.counts, strict=True)):
        if seat != view.seat and now < before and now <= FEW_CARDS_LEFT and (view.rules.counted or not now):
            return PremoveEnd(("out", "one", "two")[now], seat)
    if _sided(view) != made.sided:
        return PremoveEnd("sides")
    return _unlike(premove, view)


def _unlike(premove: Premove, view: View) -> PremoveEnd | None:
    """Return the event if another player played a bomb, or another size than at creation."""
    top, owner, made = view.trick.top, view.trick.owner, premove.made
    if top is None or owner is None or owner == view.seat:
        return None
    later = _differs_in_later_trick(made, view)
    if view.rules.bomb(top) and (top.kind != made.kind or later):
        return PremoveEnd("bomb", owner, top.cards)
    return PremoveEnd("other") if len(top.cards) != made.size or later or _beaten(made, view) else None


def _differs_in_later_trick(made: PremoveOrigin, view: View) -> bool:
    """Tell whether, in a later trick, the top has another size than what it lies on.

    The trick is later than that of the premove's creation.
    """
    sizes = [len(move.combo.cards) for move in view.trick.moves if move.combo]
    return not _same_trick(made, view) and len(set(sizes[-2:])) > 1


def _beaten(made: PremoveOrigin, view: View) -> bool:
    """Tell whether the owner's last play by a premove was just beaten.

    Only a play with another number of cards than at the premove's creation counts.
    """
    since = [move for move in view.trick.moves[made.moves :] if move.combo] if _same_trick(made, view) else []
    return any(move.seat == view.seat and move.combo and len(move.combo.cards) != made.size for move in since[-2:-1])


# Actions at the owner's turn


def _not_yet(premove: Premove, view: View) -> PremoveOutcome:  # for every kind
    return None


def _passed(view: View) -> PremoveOutcome:
    if not isinstance(view.ask, PlayAsk):
        return None
    return Pass() if view.ask.may_pass else EndedPremove(PremoveEnd("must"))


def _pass(premove: Premove, view: View) -> PremoveOutcome:
    if premove.kind == "until" and view.trick.top is None:
        return None
    return _passed(view)


def _beat(premove: Premove, view: View) -> PremoveOutcome:
    """Play the lowest combination of as many cards as the limit, up to the limit.

    A bomb is above the limit.
    """
    most = view.rules.classify(premove.plays[0])
    if not isinstance(view.ask, PlayAsk) or most is None:
        return None
    fine = (combo for combo in view.plays if len(combo.cards) == len(most.cards) and _height(combo) <= _height(most))
    lowest = next(fine, None)
    return Play(lowest.cards) if lowest else _passed(view)


def _height(combo: Combo) -> tuple[int, int]:
    return combo.level, combo.strength


def _first(premove: Premove, view: View) -> PremoveOutcome:
    if not isinstance(view.ask, PlayAsk):
        return None
    found = next((wanted for wanted in premove.plays if _legal(wanted, view)), None)
    return Play(found) if found else _passed(view)


def _legal(wanted: Cards, view: View) -> bool:
    try:
        view.plays.verify(wanted)
    except Illegal:
        return False
    return True


def _if(premove: Premove, view: View) -> PremoveOutcome:
    limit, wanted = premove.plays
    if missing_cards(view.hand, wanted):
        return EndedPremove()  # already played
    if _more_than(limit, view):
        return EndedPremove(PremoveEnd("higher"))
    return _played(wanted, view)


def _more_than(limit: Cards, view: View) -> bool:
    """Tell whether the top is higher than the limit, or cannot be compared with the limit."""
    top, most = view.trick.top, view.rules.classify(limit)
    return top is None or most is None or len(limit) != len(top.cards) or _height(top) > _height(most)


def _played(wanted: Cards, view: View) -> PremoveOutcome:
    if not isinstance(view.ask, PlayAsk):
        return None
    return Play(wanted) if _legal(wanted, view) else EndedPremove(PremoveEnd("illegal", cards=wanted))


def _on(premove: Premove, view: View) -> PremoveOutcome:  # names no cards
    return Pass() if isinstance(view.ask, PlayAsk) and view.ask.may_pass and not view.plays else None


def _lead(premove: Premove, view: View) -> PremoveOutcome:
    """Lead the named cards after winning the trick of this premove."""
    if view.trick.moves:
        return None if _same_trick(premove.made, view) else EndedPremove()
    return _played(premove.plays[0], view)


def _lead_later(premove: Premove, view: View) -> PremoveOutcome:
    return None if _same_trick(premove.made, view) else EndedPremove()


def _call(premove: Premove, view: View) -> PremoveOutcome:
    match view.ask:
        case NameAsk() as ask if not premove.plays or stake(view) > premove.upto:
            return Pass() if ask.may_pass else EndedPremove(PremoveEnd("must"))
        case NameAsk() as ask:
            [wanted] = premove.plays
            return Name(wanted[0]) if wanted[0] in ask.cards else EndedPremove(PremoveEnd("uncalled", cards=wanted))
    return EndedPremove()


def stake(view: View) -> int:
    """Return the stake of a call now, from the public state of the bidding."""
    said = dict(view.phase_note.values) if view.phase_note else {}
    return int(said.get("more", said.get("stake", 0)))


def _call_later(premove: Premove, view: View) -> PremoveOutcome:
    """End with the bidding, with the owner's own bid, and with the call of the named card."""
    if not isinstance(view.next_ask, NameAsk):
        return EndedPremove()
    gone = any(wanted[0] not in view.next_ask.cards for wanted in premove.plays)
    return EndedPremove(PremoveEnd("uncalled", cards=premove.plays[0])) if gone else None


def least_stake(view: View) -> int:
    """Return the lowest possible limit for a call in a premove."""
    return max(stake(view), 1)


def _say(premove: Premove, view: View) -> PremoveOutcome:
    offered = {one.code for one in view.ask.answers} if isinstance(view.ask, ChooseAsk) else ()
    return Choose((premove.code,)) if premove.code in offered else EndedPremove()


def _say_later(premove: Premove, view: View) -> PremoveOutcome:
    offered = {one.code for one in view.next_ask.answers} if isinstance(view.next_ask, ChooseAsk) else ()
    return None if premove.code in offered else EndedPremove()


_DOING: Mapping[PremoveKind, Callable[[Premove, View], PremoveOutcome]] = {
    "pass": _pass,
    "beat": _beat,
    "list": _first,
    "if": _if,
    "until": _pass,
    "on": _on,
    "lead": _lead,
    "call": _call,
    "say": _say,
    "off": _not_yet,
}
_WAITING: Mapping[PremoveKind, Callable[[Premove, View], PremoveOutcome]] = {
    "lead": _lead_later,
    "call": _call_later,
    "say": _say_later,
}


# Storage


def write_premove(premove: Premove) -> str:
    """Return the stored text of a premove, as ``"beat;2d 2c;0;;13.9.7;4;0 3d 3c;pair;2;0"``."""
    plays, made = ",".join(map(write, premove.plays)), premove.made
    counts = ".".join(map(str, made.counts))
    return ";".join(map(str, (premove.kind, plays, premove.upto, premove.code, counts, *made[1:])))


def read_premove(text: str) -> Premove:
    """Return the premove of a stored text, the inverse of :func:`write_premove`.

    Raises ValueError for invalid text.
    """
    kind, plays, upto, code, counts, moves, led, lay, size, sided = text.split(";")
    if kind not in get_args(PremoveKind):
        raise ValueError(kind)
    numbers = tuple(map(int, counts.split("."))) if counts else ()
    made = PremoveOrigin(numbers, int(moves), led, lay, int(size), int(sided))
    named = tuple(map(cards, plays.split(","))) if plays or kind == "off" else ()
    return Premove(
        next(known for known in get_args(PremoveKind) if known == kind),
        plays=named,
        upto=int(upto),
        code=code,
        made=made,
    )
