"""2. The draw: who draws which card when, and what shows an ace does.

Knows a shuffled stack and what has been shown. Refuses to know who is asked when: that is the windows' (see windows).
"""

from __future__ import annotations

from typing import NamedTuple

from bot.rules.big_a.options import PLAYERS
from bot.rules.core.cards import SUITS, Card, Cards, Rank, Suit, card
from bot.rules.core.sentences import Illegal, Seat

STACK = 108
UNSEEN = STACK - PLAYERS  # from this index on cards stay face down (2.4)
FEWEST, MOST = 1, 2  # aces shown
_ACES = {suit: card(f"{Rank.ACE}{suit}") for suit in SUITS}


class Stack(NamedTuple):
    """The shuffled cards in the order in which they are drawn, the first by the starter (2.2)."""

    order: Cards
    starter: int

    def __repr__(self) -> str:
        """Name no card, for this may stand in a log."""
        return f"<Stack starter={self.starter}>"

    def seat(self, index: int) -> int:
        """Return who draws the card of this index, from 0."""
        return (self.starter + index) % PLAYERS

    def indices(self, seat: int, drawn: int) -> range:
        """Return the indices of a seat's cards among so many drawn."""
        return range((seat - self.starter) % PLAYERS, drawn, PLAYERS)

    def visible(self, seat: int, drawn: int) -> Cards:
        """Return what a seat has looked at once so many cards are drawn, in the order of drawing (2.4)."""
        return self.order[(seat - self.starter) % PLAYERS : min(drawn, UNSEEN) : PLAYERS]

    def whole(self, seat: int) -> Cards:
        """Return all cards of a seat once it has picked up its last one (2.16)."""
        return self.order[(seat - self.starter) % PLAYERS :: PLAYERS]

    def aces(self, seat: int, suit: Suit, drawn: int) -> tuple[int, ...]:
        """Return at which indices a seat has drawn the aces of a suit that it has looked at."""
        wanted, own = ace(suit), self.visible(seat, drawn)
        if wanted not in own:
            return ()
        return tuple(index for index, held in zip(self.indices(seat, STACK), own, strict=False) if held is wanted)

    @property
    def face_down(self) -> Cards:
        """The cards that nobody looks at before picking up, by the order of drawing."""
        return self.order[UNSEEN:]


def ace(suit: Suit) -> Card:
    """Return the ace of a suit."""
    return _ACES[suit]


class Act(NamedTuple):
    """Something shown during the draw. aces: one or two; protecting shows the second to one shown before."""

    seat: int
    suit: Suit
    aces: int
    protect: bool = False


class Shown(NamedTuple):
    """An ace, or both of a suit, that somebody has shown. drawn: how many cards were drawn then."""

    seat: int
    suit: Suit
    aces: int
    drawn: int


class Declaration(NamedTuple):
    """Who declared and with how many aces shown; acts: all that was shown, the last one standing.

    forced: whether an ace of hearts had to be shown (2.15); late: only after picking up (O6.3).
    """

    acts: tuple[Shown, ...] = ()
    forced: bool = False
    late: bool = False

    @property
    def last(self) -> Shown | None:
        """What stands now."""
        return self.acts[-1] if self.acts else None

    @property
    def closed(self) -> bool:
        """Whether nothing can be shown any more: two aces were (2.11)."""
        return self.last is not None and self.last.aces == MOST


def refused(stack: Stack, now: Declaration, act: Act, drawn: int, *, self_overcall: bool) -> Illegal | None:
    """Return why somebody may not show this now, or None (2.5-2.14, O7)."""
    if now.closed:
        return Illegal("2.11", "Two aces have been shown, and that settles it.")
    if barred := _barred(now.last, act, self_overcall=self_overcall):
        return barred
    if len(stack.aces(act.seat, act.suit, drawn)) < act.aces:
        return Illegal("2.5" if drawn > UNSEEN else "2.6", "You have not seen that many aces of {suit}.", suit=act.suit)
    return None


def _barred(last: Shown | None, act: Act, *, self_overcall: bool) -> Illegal | None:
    """Return why this may not be shown after what was shown last, be it held or not, or None."""
    own = last is not None and last.seat == act.seat
    if act.protect:
        twin = own and last is not None and last.suit == act.suit
        return None if twin else Illegal("2.10", "Only who has shown an ace can show its twin.")
    if last is None:
        return None
    if own and last.suit == act.suit:
        return Illegal("2.10", "You have shown this ace; show its twin to play alone.")
    if act.aces == FEWEST:
        sentence = "{seat} has shown an ace already; only two equal aces go over that."
        return Illegal("2.7", sentence, seat=Seat(last.seat))
    if own and not self_overcall:
        return Illegal("O7.2", "You have shown an ace already, and nobody goes over themselves here.")
    return None


def shown(now: Declaration, act: Act, drawn: int) -> Declaration:
    """Return the declaration once this was shown."""
    return Declaration((*now.acts, Shown(act.seat, act.suit, act.aces, drawn)))


def possible_from(stack: Stack, act: Act, drawn: int) -> int:
    """Return the index of the card with which this became possible (O12.4)."""
    return stack.aces(act.seat, act.suit, drawn)[act.aces - 1]


def forced(stack: Stack, *, picked_up: bool = False) -> Declaration | None:
    """Return the declaration of the first in turn who has to show an ace of hearts, None where nobody has one (2.15).

    picked_up: whether the last cards count as well (O6.3).
    """
    for ahead in range(PLAYERS):
        seat = (stack.starter + ahead) % PLAYERS
        held = stack.whole(seat) if picked_up else stack.visible(seat, STACK)
        if ace(Suit.HEARTS) in held:
            return Declaration((Shown(seat, Suit.HEARTS, FEWEST, STACK),), forced=True, late=picked_up)
    return None
