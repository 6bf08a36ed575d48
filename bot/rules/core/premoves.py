"""An answer given in advance: an order and a View make an action, nothing yet, or the end of the order.

An order remembers of its making what its owner's View said then, and is looked at again after every step of the hand.
It ends by itself when something happens that its owner would want to know, and never acts after that. Refuses to know
any game, what nobody told its owner, when it is looked at, and in which words it is shown.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

from bot.rules.core.actions import Action, Choose, Name, Pass, Play
from bot.rules.core.asks import ChooseAsk, NameAsk, PlayAsk
from bot.rules.core.cards import NAMES, Cards, cards, lacking, write
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo, Move

# What can be said beforehand. Of this trick: "pass" it; "beat" what lies there with at most some cards, the lowest
# that do; "list", the first of some that can be played; "if" no more lies there than some cards, play others. "lead"
# some cards after winning it. "until" others play another number of cards or a bomb, pass. "on": pass as long as
# nothing else is possible. In a bidding: "call" a card up to a stake, or pass; "say" one of the answers to a question.
# "off" is what is left of an order that has ended by itself, until its owner has acted.
Kind: TypeAlias = Literal["pass", "beat", "list", "if", "until", "on", "lead", "call", "say", "off"]

TRICK: frozenset[Kind] = frozenset({"pass", "beat", "list", "if"})  # what ends with the trick it was made for
WATCHING = TRICK | {"until", "lead"}  # what ends when its owner would want to know of something, and is for a trick
# Which of them stand at the same time, and which is looked at first: one of each line.
LINES: tuple[frozenset[Kind], ...] = (
    TRICK,
    frozenset({"until", "on"}),
    frozenset({"lead"}),
    frozenset({"call", "say"}),
)
FEW = 2  # cards with which somebody is about to go out

REASONS = {
    "one": "{seat} has one card left.",
    "two": "{seat} has two cards left.",
    "out": "{seat} has gone out.",
    "bomb": "{seat} has played {cards}.",
    "sides": "It has come out who plays with whom.",
    "other": "Another number of cards is played now.",
    "higher": "More lies there now than you had in mind.",
    "illegal": "{cards} cannot be played now.",
    "uncalled": "{cards} cannot be called now.",
    "must": "You may not pass now.",
}


class Why(NamedTuple):
    """Why an order has ended: a key of REASONS, and what fills its sentence."""

    reason: str
    seat: int = 0
    cards: Cards = ()


class Void(NamedTuple):
    """An order that has ended. why: what its owner has to be told, None where it has done its work."""

    why: Why | None = None


class Made(NamedTuple):
    """What the owner's View said when an order was made.

    counts: the cards of each seat. moves: of the trick so far; led: the first of them. kind, size: of what lay on top.
    sided: of how many seats it was known with whom they play.
    """

    counts: tuple[int, ...] = ()
    moves: int = 0
    led: str = ""
    kind: str = ""
    size: int = 0
    sided: int = 0

    @classmethod
    def of(cls, view: View) -> Made:
        """Return what a view says."""
        moves, top = view.trick.moves, view.trick.top
        lying = (top.kind, len(top.cards)) if top else ("", 0)
        return cls(view.counts, len(moves), _led(moves), *lying, sided=_sided(view))


UNKNOWN = Made()


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done in place of its owner.

    plays: the cards it names, each time as many as are played together; "if" has first the most that may lie there.
    upto: the stake up to which a card is called. code: the answer that is given; of an order that is off, the reason.
    """

    kind: Kind
    plays: tuple[Cards, ...] = ()
    upto: int = 0
    code: str = ""
    made: Made = UNKNOWN


Orders: TypeAlias = tuple[Order, ...]
Found: TypeAlias = Action | Void | None  # what comes of an order now; None is nothing yet


def trick_number(view: View) -> int:
    """Return a number for the current trick of a deal, and for all that ends an order which is made for it.

    The number is another one in another trick, and where a play or a player's last cards would end the order by
    themselves: a click that was made before would not have known of them. Finished tricks may have been shuffled into
    the stock, so their count alone tells no trick from another.
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
    """The state of a hand for which an order is meant: its deal, and the trick, the moment or the stake, if any."""

    deal: int
    trick: int | None = None
    moment: int | None = None
    stake: int | None = None

    @classmethod
    def of(cls, deal: int, moment: int, view: View) -> State:
        """Return the state as it is now."""
        return cls(deal, trick_number(view), moment, least_stake(view))

    def holds(self, now: State) -> bool:
        """Tell whether nothing of this state has changed."""
        return all(mine in (None, current) for mine, current in zip(self, now, strict=True))


def ordered(view: View, kind: Kind, *plays: Cards, upto: int = 0, code: str = "") -> Order:
    """Return an order that is made now."""
    return Order(kind, plays, upto, code, Made.of(view))


def fits(order: Order, view: View) -> bool:
    """Tell whether an order can be made of what it names, and would not be at an end at once."""
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
    """Return the orders with one more, in the place of what stood in its line; nothing is told any more of old ones."""
    line = next(line for line in LINES if new.kind in line)
    kept = (order for order in orders if order.kind not in line and order.kind != "off")
    return tuple(sorted((*kept, new), key=_line))


def _line(order: Order) -> int:
    return next((at for at, line in enumerate(LINES) if order.kind in line), len(LINES))


def after_own_move(orders: Orders) -> Orders:
    """Return what is left of the orders once their owner has acted themselves: what they lead if they win."""
    return tuple(order for order in orders if order.kind == "lead")


def answer(orders: Iterable[Order], view: View) -> Action | None:
    """Return what the first of the orders that says something does now, None where none does."""
    return next((found for order in orders if (found := look(order, view)) and not isinstance(found, Void)), None)


def standing(orders: Orders, view: View) -> Orders:
    """Return the orders that still stand; of what has ended by itself there is left what its owner has to be told."""
    kept = []
    for order in orders:
        found = look(order, view)
        if not isinstance(found, Void):
            kept.append(order)
        elif found.why:
            reason, seat, lying = found.why
            kept.append(Order("off", (lying,), seat, reason))
    return tuple(kept)


def told(order: Order) -> Why:
    """Return why an order that is off has ended."""
    return Why(order.code, order.upto, *order.plays)


def look(order: Order, view: View) -> Found:
    """Return what comes of an order now: an action, nothing yet, or its end."""
    if view.result is not None:
        return Void()
    if order.kind in TRICK and not _same_trick(order.made, view):
        return Void()
    if order.kind in WATCHING and (why := _news(order, view)):
        return Void(why)
    asked = view.seat in view.awaited and view.ask is not None
    return _DOING[order.kind](order, view) if asked else _WAITING.get(order.kind, _not_yet)(order, view)


# What its owner would want to know


def _led(moves: tuple[Move, ...]) -> str:
    first = moves[0].combo if moves else None
    return f"{moves[0].seat} {write(first.cards)}" if first else ""


def _sided(view: View) -> int:
    return sum(map(len, view.own_teams or ()))


def _same_trick(made: Made, view: View) -> bool:
    moves = view.trick.moves
    return 0 < made.moves <= len(moves) and _led(moves) == made.led


def _news(order: Order, view: View) -> Why | None:
    """Return what has happened since an order was made that its owner would want to know, None where nothing has."""
    made = order.made
    for seat, (before, now) in enumerate(zip(made.counts, view.counts, strict=True)):
        if seat != view.seat and now < before and now <= FEW and (view.rules.counted or not now):
            return Why(("out", "one", "two")[now], seat)
    if _sided(view) != made.sided:
        return Why("sides")
    return _unlike(order, view)


def _unlike(order: Order, view: View) -> Why | None:
    """Return whether another has played a bomb, or another number of cards than an order was made for."""
    top, owner, made = view.trick.top, view.trick.owner, order.made
    if top is None or owner is None or owner == view.seat:
        return None
    if top.kind != made.kind and view.rules.bomb(top):
        return Why("bomb", owner, top.cards)
    return Why("other") if len(top.cards) != made.size or _beaten(made, view) else None


def _beaten(made: Made, view: View) -> bool:
    """Tell whether its owner has played another number of cards by an order, and that has just been beaten."""
    since = [move for move in view.trick.moves[made.moves :] if move.combo] if _same_trick(made, view) else []
    return any(move.seat == view.seat and move.combo and len(move.combo.cards) != made.size for move in since[-2:-1])


# What is done at one's turn


def _not_yet(order: Order, view: View) -> Found:  # whatever it is
    return None


def _passed(view: View) -> Found:
    """Pass, where that is allowed."""
    if not isinstance(view.ask, PlayAsk):
        return None
    return Pass() if view.ask.may_pass else Void(Why("must"))


def _pass(order: Order, view: View) -> Found:
    if order.kind == "until" and view.trick.top is None:
        return None
    return _passed(view)


def _beat(order: Order, view: View) -> Found:
    """Play the lowest of as many cards that is not above those named; where the view has a bomb, it is above them."""
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
        return Void()  # it is played already
    if _more_than(limit, view):
        return Void(Why("higher"))
    return _played(wanted, view)


def _more_than(limit: Cards, view: View) -> bool:
    """Tell whether more lies there than these cards, or they are none of what can lie there."""
    top, most = view.trick.top, view.rules.classify(limit)
    return top is None or most is None or len(limit) != len(top.cards) or _height(top) > _height(most)


def _played(wanted: Cards, view: View) -> Found:
    if not isinstance(view.ask, PlayAsk):
        return None
    return Play(wanted) if _legal(wanted, view) else Void(Why("illegal", cards=wanted))


def _on(order: Order, view: View) -> Found:  # it names nothing
    return Pass() if isinstance(view.ask, PlayAsk) and view.ask.may_pass and not view.plays else None


def _lead(order: Order, view: View) -> Found:
    """Lead the cards that are named where the trick has been won for which this was said."""
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
    """Return for how much somebody would play who called a card now, as everybody has heard."""
    said = dict(view.doing.values) if view.doing else {}
    return int(said.get("more", said.get("stake", 0)))


def _call_later(order: Order, view: View) -> Found:
    """End with this bidding, with one's own word in it, and with the card that is called."""
    if not isinstance(view.coming, NameAsk):
        return Void()
    gone = any(wanted[0] not in view.coming.cards for wanted in order.plays)
    return Void(Why("uncalled", cards=order.plays[0])) if gone else None


def least_stake(view: View) -> int:
    """Return the lowest stake up to which a card can be called beforehand."""
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


# As it is kept


def write_order(order: Order) -> str:
    """Return an order as it is kept, such as ``"beat;2d 2c;0;;13.9.7;4;0 3d 3c;pair;2;0"``."""
    plays, made = ",".join(map(write, order.plays)), order.made
    counts = ".".join(map(str, made.counts))
    return ";".join(map(str, (order.kind, plays, order.upto, order.code, counts, *made[1:])))


def read_order(text: str) -> Order:
    """Return the order that is kept so, the inverse of :func:`write_order`. Raises ValueError for anything else."""
    kind, plays, upto, code, counts, moves, led, lay, size, sided = text.split(";")
    if kind not in get_args(Kind):
        raise ValueError(kind)
    numbers = tuple(map(int, counts.split("."))) if counts else ()
    made = Made(numbers, int(moves), led, lay, int(size), int(sided))
    named = tuple(map(cards, plays.split(","))) if plays or kind == "off" else ()
    return Order(next(known for known in get_args(Kind) if known == kind), named, int(upto), code, made)
