"""Premoves: from a premove and a View follow an action, no action yet, or the end of the premove.

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
from bot.rules.core.actions import Action, Choose, Name, Pass, Play
from bot.rules.core.asks import ChooseAsk, NameAsk, PlayAsk
from bot.rules.core.cards import NAMES, Cards, cards, lacking, write
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo, Move

# Premoves for this trick: "pass"; "beat" the top with the lowest cards up to a limit; "list": play the first legal
# of several plays; "if" the top is no higher than some cards, play others; "lead" some cards after winning the
# trick; "until": pass until another player plays a bomb or another number of cards. "on": pass whenever no play
# is legal. In a bidding: "call" a card up to a stake, or pass; "say" one of the answers to a question.
# "off": the remainder of a premove that ended by itself, until its owner acts.
Kind: TypeAlias = Literal["pass", "beat", "list", "if", "until", "on", "lead", "call", "say", "off"]

TRICK: frozenset[Kind] = frozenset({"pass", "beat", "list", "if"})  # kinds that end with their trick
WATCHING = TRICK | {"until", "lead"}  # kinds for a trick that end after a notable event
# Compatible premoves: one of each line, evaluated in this order.
LINES: tuple[frozenset[Kind], ...] = (
    TRICK,
    frozenset({"until", "on"}),
    frozenset({"lead"}),
    frozenset({"call", "say"}),
)
FEW = 2  # remaining cards of an opponent about to go out

REASONS = {
    "one": N_("{seat} has one card left."),
    "two": N_("{seat} has two cards left."),
    "out": N_("{seat} has gone out."),
    "bomb": N_("{seat} has played {cards}."),
    "sides": N_("It has come out who plays with whom."),
    "other": N_("Another number of cards is played now."),
    "higher": N_("More lies there now than you had in mind."),
    "illegal": N_("{cards} cannot be played now."),
    "uncalled": N_("{cards} cannot be called now."),
    "must": N_("You may not pass now."),
}


class Why(NamedTuple):
    """Why a premove ended: a key of REASONS and the values of its sentence."""

    reason: str
    seat: int = 0
    cards: Cards = ()


class Void(NamedTuple):
    """A premove that ended. why: the notice to its owner; None after the premove did its work."""

    why: Why | None = None


class Made(NamedTuple):
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
    def of(cls, view: View) -> Made:
        """Return the remembered parts of a view."""
        moves, top = view.trick.moves, view.trick.top
        lying = (top.kind, len(top.cards)) if top else ("", 0)
        return cls(view.counts, len(moves), _led(moves), *lying, sided=_sided(view))


UNKNOWN = Made()


@dataclass(frozen=True, slots=True)
class Order:
    """A premove: the action to take for its owner.

    plays: the named cards, each entry one play; the first entry of "if" is the limit on the top. upto: the highest
    stake for a call. code: the answer to a question; with "off", the reason.
    """

    kind: Kind
    _: KW_ONLY
    plays: tuple[Cards, ...] = ()
    upto: int = 0
    code: str = ""
    made: Made = UNKNOWN


Orders: TypeAlias = tuple[Order, ...]
Found: TypeAlias = Action | Void | None  # the outcome of evaluating a premove; None: no action yet


def trick_number(view: View) -> int:
    """Return a number for the current trick of a deal and for every event that ends a premove for the trick.

    The number changes with the trick, with an interrupting play and with a player's last cards, so that a click made
    before any of these is recognized as stale. Finished tricks may have been shuffled into the stock, so their count
    alone does not identify a trick.
    """
    moves, top = view.trick.moves, view.trick.top
    led = (moves[0].seat, [NAMES[card] for card in moves[0].combo.cards]) if moves and moves[0].combo else ()
    few = [(seat, left) for seat, left in enumerate(view.counts) if left <= FEW and seat != view.seat]
    watched = few if view.rules.counted else [(seat, left) for seat, left in few if not left]
    bomb = top.kind if top and top is not moves[0].combo and view.rules.bomb(top) else ""
    lies = len(top.cards) if top else 0
    sided = [len(side) for side in view.own_teams or ()]
    return zlib.crc32(repr((len(view.tricks), led, watched, sided, lies, bomb)).encode())


class State(NamedTuple):
    """The state for which a premove is meant: its deal and, if relevant, the trick, the moment and the stake."""

    deal: int
    trick: int | None = None
    moment: int | None = None
    stake: int | None = None

    @classmethod
    def of(cls, deal: int, moment: int, view: View) -> State:
        """Return the present state."""
        return cls(deal, trick_number(view), moment, least_stake(view))

    def holds(self, now: State) -> bool:
        """Tell whether this state is unchanged."""
        return all(mine in (None, current) for mine, current in zip(self, now, strict=True))


def ordered(view: View, kind: Kind, *plays: Cards, upto: int = 0, code: str = "") -> Order:
    """Return a premove created now."""
    return Order(kind, plays=plays, upto=upto, code=code, made=Made.of(view))


def fits(order: Order, view: View) -> bool:
    """Tell whether a premove can be created with its named cards and would not end immediately."""
    named = order.plays[1:] if order.kind == "if" else order.plays
    plays = order.kind in {"beat", "list", "if", "lead"}
    if plays and (not named or any(lacking(view.hand, one) or not view.rules.classify(one) for one in named)):
        return False
    if order.kind in WATCHING and (view.trick.top is None or view.out):
        return False
    if order.kind == "if" and _more_than(order.plays[0], view):
        return False
    return order.kind != "off" and view.result is None and not isinstance(look(order, view), Void)


def added(orders: Orders, new: Order) -> Orders:
    """Return the premoves with a new one in place of the old one in its line; notices of ended premoves are dropped."""
    line = next(line for line in LINES if new.kind in line)
    kept = (order for order in orders if order.kind not in line and order.kind != "off")
    return tuple(sorted((*kept, new), key=_line))


def _line(order: Order) -> int:
    return next((at for at, line in enumerate(LINES) if order.kind in line), len(LINES))


def after_own_move(orders: Orders) -> Orders:
    """Return the premoves that survive a move of their owner: the planned leads."""
    return tuple(order for order in orders if order.kind == "lead")


def answer(orders: Iterable[Order], view: View) -> Action | None:
    """Return the action of the first premove that acts now, None if none does."""
    return next((found for order in orders if (found := look(order, view)) and not isinstance(found, Void)), None)


def standing(orders: Orders, view: View) -> Orders:
    """Return the active premoves, and an "off" premove for each that ended with a notice to its owner."""
    kept = []
    for order in orders:
        found = look(order, view)
        if not isinstance(found, Void):
            kept.append(order)
        elif found.why:
            reason, seat, lying = found.why
            kept.append(Order("off", plays=(lying,), upto=seat, code=reason))
    return tuple(kept)


def told(order: Order) -> Why:
    """Return why an "off" premove ended."""
    return Why(order.code, order.upto, *order.plays)


def look(order: Order, view: View) -> Found:
    """Return the outcome of a premove now: an action, no action yet, or its end."""
    if view.result is not None:
        return Void()
    if order.kind in TRICK and not _same_trick(order.made, view):
        return Void()
    if order.kind in WATCHING and (why := _news(order, view)):
        return Void(why)
    asked = view.seat in view.awaited and view.ask is not None
    return _DOING[order.kind](order, view) if asked else _WAITING.get(order.kind, _not_yet)(order, view)


# Events that the owner would want to know of


def _led(moves: tuple[Move, ...]) -> str:
    first = moves[0].combo if moves else None
    return f"{moves[0].seat} {write(first.cards)}" if first else ""


def _sided(view: View) -> int:
    return sum(map(len, view.own_teams or ()))


def _same_trick(made: Made, view: View) -> bool:
    moves = view.trick.moves
    return 0 < made.moves <= len(moves) and _led(moves) == made.led


def _news(order: Order, view: View) -> Why | None:
    """Return the notable event since the creation of a premove, or None."""
    made = order.made
    for seat, (before, now) in enumerate(zip(made.counts, view.counts, strict=True)):
        if seat != view.seat and now < before and now <= FEW and (view.rules.counted or not now):
            return Why(("out", "one", "two")[now], seat)
    if _sided(view) != made.sided:
        return Why("sides")
    return _unlike(order, view)


def _unlike(order: Order, view: View) -> Why | None:
    """Return the event if another player played a bomb or another number of cards than at the premove's creation."""
    top, owner, made = view.trick.top, view.trick.owner, order.made
    if top is None or owner is None or owner == view.seat:
        return None
    if top.kind != made.kind and view.rules.bomb(top):
        return Why("bomb", owner, top.cards)
    return Why("other") if len(top.cards) != made.size or _beaten(made, view) else None


def _beaten(made: Made, view: View) -> bool:
    """Tell whether the owner's last play by a premove had another number of cards and was just beaten."""
    since = [move for move in view.trick.moves[made.moves :] if move.combo] if _same_trick(made, view) else []
    return any(move.seat == view.seat and move.combo and len(move.combo.cards) != made.size for move in since[-2:-1])


# Actions at the owner's turn


def _not_yet(order: Order, view: View) -> Found:  # for every kind
    return None


def _passed(view: View) -> Found:
    if not isinstance(view.ask, PlayAsk):
        return None
    return Pass() if view.ask.may_pass else Void(Why("must"))


def _pass(order: Order, view: View) -> Found:
    if order.kind == "until" and view.trick.top is None:
        return None
    return _passed(view)


def _beat(order: Order, view: View) -> Found:
    """Play the lowest combination of as many cards as the limit, up to the limit; a bomb is above the limit."""
    most = view.rules.classify(order.plays[0])
    if not isinstance(view.ask, PlayAsk) or most is None:
        return None
    fine = (combo for combo in view.plays if len(combo.cards) == len(most.cards) and _height(combo) <= _height(most))
    lowest = next(fine, None)
    return Play(lowest.cards) if lowest else _passed(view)


def _height(combo: Combo) -> tuple[int, int]:
    return combo.level, combo.strength


def _first(order: Order, view: View) -> Found:
    if not isinstance(view.ask, PlayAsk):
        return None
    found = next((wanted for wanted in order.plays if _legal(wanted, view)), None)
    return Play(found) if found else _passed(view)


def _legal(wanted: Cards, view: View) -> bool:
    try:
        view.plays.verify(wanted)
    except Illegal:
        return False
    return True


def _if(order: Order, view: View) -> Found:
    limit, wanted = order.plays
    if lacking(view.hand, wanted):
        return Void()  # already played
    if _more_than(limit, view):
        return Void(Why("higher"))
    return _played(wanted, view)


def _more_than(limit: Cards, view: View) -> bool:
    """Tell whether the top is higher than the limit, or the limit cannot be compared with the top."""
    top, most = view.trick.top, view.rules.classify(limit)
    return top is None or most is None or len(limit) != len(top.cards) or _height(top) > _height(most)


def _played(wanted: Cards, view: View) -> Found:
    if not isinstance(view.ask, PlayAsk):
        return None
    return Play(wanted) if _legal(wanted, view) else Void(Why("illegal", cards=wanted))


def _on(order: Order, view: View) -> Found:  # names no cards
    return Pass() if isinstance(view.ask, PlayAsk) and view.ask.may_pass and not view.plays else None


def _lead(order: Order, view: View) -> Found:
    """Lead the named cards after winning the trick of this premove."""
    if view.trick.moves:
        return None if _same_trick(order.made, view) else Void()
    return _played(order.plays[0], view)


def _lead_later(order: Order, view: View) -> Found:
    return None if _same_trick(order.made, view) else Void()


def _call(order: Order, view: View) -> Found:
    match view.ask:
        case NameAsk() as ask if not order.plays or stake(view) > order.upto:
            return Pass() if ask.may_pass else Void(Why("must"))
        case NameAsk() as ask:
            [wanted] = order.plays
            return Name(wanted[0]) if wanted[0] in ask.cards else Void(Why("uncalled", cards=wanted))
    return Void()


def stake(view: View) -> int:
    """Return the stake of a call now, from the public state of the bidding."""
    said = dict(view.doing.values) if view.doing else {}
    return int(said.get("more", said.get("stake", 0)))


def _call_later(order: Order, view: View) -> Found:
    """End with the bidding, with the owner's own bid, and with the call of the named card."""
    if not isinstance(view.coming, NameAsk):
        return Void()
    gone = any(wanted[0] not in view.coming.cards for wanted in order.plays)
    return Void(Why("uncalled", cards=order.plays[0])) if gone else None


def least_stake(view: View) -> int:
    """Return the lowest possible limit for a call in a premove."""
    return max(stake(view), 1)


def _say(order: Order, view: View) -> Found:
    offered = {one.code for one in view.ask.answers} if isinstance(view.ask, ChooseAsk) else ()
    return Choose((order.code,)) if order.code in offered else Void()


def _say_later(order: Order, view: View) -> Found:
    offered = {one.code for one in view.coming.answers} if isinstance(view.coming, ChooseAsk) else ()
    return None if order.code in offered else Void()


_DOING: Mapping[Kind, Callable[[Order, View], Found]] = {
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
_WAITING: Mapping[Kind, Callable[[Order, View], Found]] = {
    "lead": _lead_later,
    "call": _call_later,
    "say": _say_later,
}


# Storage


def write_order(order: Order) -> str:
    """Return the stored text of a premove, such as ``"beat;2d 2c;0;;13.9.7;4;0 3d 3c;pair;2;0"``."""
    plays, made = ",".join(map(write, order.plays)), order.made
    counts = ".".join(map(str, made.counts))
    return ";".join(map(str, (order.kind, plays, order.upto, order.code, counts, *made[1:])))


def read_order(text: str) -> Order:
    """Return the premove of a stored text, the inverse of :func:`write_order`. Raises ValueError for invalid text."""
    kind, plays, upto, code, counts, moves, led, lay, size, sided = text.split(";")
    if kind not in get_args(Kind):
        raise ValueError(kind)
    numbers = tuple(map(int, counts.split("."))) if counts else ()
    made = Made(numbers, int(moves), led, lay, int(size), int(sided))
    named = tuple(map(cards, plays.split(","))) if plays or kind == "off" else ()
    return Order(
        next(known for known in get_args(Kind) if known == kind), plays=named, upto=int(upto), code=code, made=made
    )
