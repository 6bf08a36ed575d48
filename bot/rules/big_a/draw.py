"""2. The draw: the order of drawing, and the effect of showing an ace.

Refuses to know the times of questions, which belong to windows.py.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.rules.big_a.options import PLAYERS
from bot.rules.core.cards import SUITS, Card, Cards, Rank, Suit, card
from bot.rules.core.sentences import Illegal, Seat

STACK_SIZE = 108
FIRST_FACE_DOWN = STACK_SIZE - PLAYERS  # cards from this index on stay face down (2.4)
MIN_SHOWN_ACES, MAX_SHOWN_ACES = 1, 2  # aces shown
_ACES = {suit: card(f"{Rank.ACE}{suit}") for suit in SUITS}


class Stack(NamedTuple):
    """The shuffled cards in drawing order; the starter draws the first (2.2)."""

    order: Cards
    starter: int

    def __repr__(self) -> str:
        """Return the starter only, to keep the cards out of logs."""
        return f"<Stack starter={self.starter}>"

    def seat(self, index: int) -> int:
        """Return the seat that draws the card of this index, from 0."""
        return (self.starter + index) % PLAYERS

    def indices(self, seat: int, drawn: int) -> range:
        """Return the indices of a seat's cards among the first ``drawn`` cards."""
        return range((seat - self.starter) % PLAYERS, drawn, PLAYERS)

    def visible(self, seat: int, drawn: int) -> Cards:
        """Return the cards that a seat has looked at, in drawing order (2.4)."""
        return self.order[(seat - self.starter) % PLAYERS : min(drawn, FIRST_FACE_DOWN) : PLAYERS]

    def whole(self, seat: int) -> Cards:
        """Return all cards of a seat after picking up the last one (2.16)."""
        return self.order[(seat - self.starter) % PLAYERS :: PLAYERS]

    def aces(self, seat: int, suit: Suit, drawn: int) -> tuple[int, ...]:
        """Return the indices of the aces of a suit that a seat has looked at."""
        wanted, own = ace(suit), self.visible(seat, drawn)
        if wanted not in own:
            return ()
        return tuple(index for index, held in zip(self.indices(seat, STACK_SIZE), own, strict=False) if held is wanted)

    @property
    def face_down(self) -> Cards:
        """The cards face down until they are picked up, in drawing order."""
        return self.order[FIRST_FACE_DOWN:]


def ace(suit: Suit) -> Card:
    """Return the ace of a suit."""
    return _ACES[suit]


class AceAct(NamedTuple):
    """An exposure, overcall or protection. aces: one or two. protect: the second ace joins the first one."""

    seat: int
    suit: Suit
    aces: int
    protect: bool = False


class ShownAces(NamedTuple):
    """An ace, or both of a suit, shown by a seat. drawn: the number of cards drawn by then."""

    seat: int
    suit: Suit
    aces: int
    drawn: int


class Declaration(NamedTuple):
    """The acts so far; the last one determines the declarer.

    forced: whether an ace of hearts had to be shown (2.15); late: only after picking up (O6.3).
    """

    acts: tuple[ShownAces, ...] = ()
    forced: bool = False
    late: bool = False

    @property
    def last(self) -> ShownAces | None:
        """The act in force, None before the first."""
        return self.acts[-1] if self.acts else None

    @property
    def closed(self) -> bool:
        """Whether no further act is possible: two aces were shown (2.11)."""
        return self.last is not None and self.last.aces == MAX_SHOWN_ACES


def act_refusal(stack: Stack, now: Declaration, act: AceAct, drawn: int, *, self_overcall: bool) -> Illegal | None:
    """Return the refusal of an act, or None (2.5-2.14, O7)."""
    if now.closed:
        return Illegal("2.11", "Two aces have been shown, and that settles it.")
    if barred := _barred(now.last, act, self_overcall=self_overcall):
        return barred
    if len(stack.aces(act.seat, act.suit, drawn)) < act.aces:
        return Illegal(
            "2.5" if drawn > FIRST_FACE_DOWN else "2.6", "You have not seen that many aces of {suit}.", suit=act.suit
        )
    return None


def _barred(last: ShownAces | None, act: AceAct, *, self_overcall: bool) -> Illegal | None:
    """Return the refusal of an act because of the last one, regardless of the cards held, or None."""
    own = last is not None and last.seat == act.seat
    if act.protect:
        twin = own and last is not None and last.suit == act.suit
        return None if twin else Illegal("2.10", "Only who has shown an ace can show its twin.")
    if last is None:
        return None
    if own and last.suit == act.suit:
        return Illegal("2.10", "You have shown this ace; show its twin to play alone.")
    if act.aces == MIN_SHOWN_ACES:
        sentence = N_("{seat} has shown an ace already; only two equal aces go over that.")
        return Illegal("2.7", sentence, seat=Seat(last.seat))
    if own and not self_overcall:
        return Illegal("O7.2", "You have shown an ace already, and nobody goes over themselves here.")
    return None


def declare(now: Declaration, act: AceAct, drawn: int) -> Declaration:
    """Return the declaration after an act."""
    return Declaration((*now.acts, ShownAces(act.seat, act.suit, act.aces, drawn)))


def possible_from(stack: Stack, act: AceAct, drawn: int) -> int:
    """Return the index of the card that made an act possible (O12.4)."""
    return stack.aces(act.seat, act.suit, drawn)[act.aces - 1]


def forced(stack: Stack, *, picked_up: bool = False) -> Declaration | None:
    """Return the declaration of the first seat in turn that has to show an ace of hearts, or None (2.15).

    picked_up: whether the last cards count as well (O6.3).
    """
    for ahead in range(PLAYERS):
        seat = (stack.starter + ahead) % PLAYERS
        held = stack.whole(seat) if picked_up else stack.visible(seat, STACK_SIZE)
        if ace(Suit.HEARTS) in held:
            return Declaration((ShownAces(seat, Suit.HEARTS, MIN_SHOWN_ACES, STACK_SIZE),), forced=True, late=picked_up)
    return None
