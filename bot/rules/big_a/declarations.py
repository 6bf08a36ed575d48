"""2 and O12.5. The order of drawing, the aces shown in it, and standing orders to show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.rules.big_a.options import PLAYERS, Options
from bot.rules.core.asks import Answer
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
    """An exposure, overcall or protection.

    aces: one or two. protect: the second ace joins the first one.
    """

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
        return Illegal("2.11", "Two aces have been shown: that's final.")
    if barred := _barred(now.last, act, self_overcall=self_overcall):
        return barred
    if len(stack.aces(act.seat, act.suit, drawn)) < act.aces:
        return Illegal(
            "2.5" if drawn > FIRST_FACE_DOWN else "2.6", "You haven't seen that many aces of {suit}.", suit=act.suit
        )
    return None


def _barred(last: ShownAces | None, act: AceAct, *, self_overcall: bool) -> Illegal | None:
    """Return why the last act forbids an act, whatever cards the seat holds, or None."""
    own = last is not None and last.seat == act.seat
    if act.protect:
        twin = own and last is not None and last.suit == act.suit
        return None if twin else Illegal("2.10", "You can only show the twin of an ace you've shown.")
    if last is None:
        return None
    if own and last.suit == act.suit:
        return Illegal("2.10", "You've shown this ace. Show its twin to play solo.")
    if act.aces == MIN_SHOWN_ACES:
        sentence = N_("{seat} has already shown an ace; only a pair of equal aces beats that.")
        return Illegal("2.7", sentence, seat=Seat(last.seat))
    if own and not self_overcall:
        return Illegal("O7.2", "You've already shown an ace, and you can't outbid yourself here.")
    return None


def declare(now: Declaration, act: AceAct, drawn: int) -> Declaration:
    """Return the declaration after an act."""
    return Declaration((*now.acts, ShownAces(act.seat, act.suit, act.aces, drawn)))


def possible_from(stack: Stack, act: AceAct, drawn: int) -> int:
    """Return the index of the card that made an act possible (O12.4)."""
    return stack.aces(act.seat, act.suit, drawn)[act.aces - 1]


def forced(stack: Stack, *, picked_up: bool = False) -> Declaration | None:
    """Return the forced declaration of the first seat in turn with an ace of hearts (2.15).

    None if no seat has one to show. picked_up: whether the last cards count as well (O6.3).
    """
    for ahead in range(PLAYERS):
        seat = (stack.starter + ahead) % PLAYERS
        held = stack.whole(seat) if picked_up else stack.visible(seat, STACK_SIZE)
        if ace(Suit.HEARTS) in held:
            return Declaration((ShownAces(seat, Suit.HEARTS, MIN_SHOWN_ACES, STACK_SIZE),), forced=True, late=picked_up)
    return None


NOTHING, EXPOSE, PAIR, PROTECT, REVEAL = "nothing", "expose", "pair", "protect", "reveal"
LATE, SILENT, FROM = "protect_late", "silent", "from"
FROM_ROUNDS = (5, 10, 15)

NO = Answer(NOTHING, "Don't show")


def on(kind: str, suit: Suit) -> str:
    """Return the code of showing one ace of a suit, or both."""
    return f"{kind}:{suit}"


def planning(now: Declaration, *, ask_again: bool) -> tuple[Answer, ...]:
    """Return the plans for the whole draw. ask_again: whether the seat could be asked again."""
    at_once = () if now.last else (AT_ONCE,)
    return (ASK_ME if ask_again else NO, *at_once, ONLY_TWO, NEVER)


def answers(stack: Stack, now: Declaration, seat: int, drawn: int, *, options: Options) -> tuple[Answer, ...]:
    """Return the possible answers of a seat in a window of the draw, showing nothing first."""
    found = [NO]
    for suit in SUITS:
        own = now.last is not None and (now.last.seat, now.last.suit) == (seat, suit)
        for answer in _showing(suit)[2:] if own else _showing(suit)[:2]:
            act = act_of(answer.code, seat, now)
            if act and not act_refusal(stack, now, act, drawn, self_overcall=options.self_overcall):
                found.append(answer)
    return tuple(found)


@cache
def _showing(suit: Suit) -> tuple[Answer, Answer, Answer]:
    """Return the answers of showing one ace of a suit, both, and the second after the first."""
    card, at = (("card", ace(suit)),), SUITS.index(suit)
    return (
        Answer(on(EXPOSE, suit), "Show {card}", values=card, place=1 + at),
        Answer(on(PAIR, suit), "Show both {card} and play solo", values=card, place=5 + at),
        Answer(PROTECT, "Show my second {card} and play solo", values=card, place=9),
    )


def act_of(code: str, seat: int, now: Declaration) -> AceAct | None:
    """Return the act of an answer, None for showing nothing."""
    kind, _, suit = code.partition(":")
    if kind == PROTECT and now.last is not None:
        return AceAct(seat, now.last.suit, MAX_SHOWN_ACES, protect=True)
    if kind in (EXPOSE, PAIR) and suit in SUITS:
        return AceAct(seat, Suit(suit), MAX_SHOWN_ACES if kind == PAIR else MIN_SHOWN_ACES)
    return None


ORDERS = (
    *(Answer(on(EXPOSE, suit), "Show {card} as soon as I can", values=(("card", ace(suit)),)) for suit in SUITS),
    *(
        Answer(on(PAIR, suit), "Show both {card} and play solo as soon as I can", values=(("card", ace(suit)),))
        for suit in SUITS
    ),
    *(
        Answer(f"{FROM}:{first}", "A single ace only from round {round} on", values=(("round", first),))
        for first in FROM_ROUNDS
    ),
    Answer(PROTECT, "Show the second ace right away to play solo"),
    Answer(LATE, "Show the second ace at the last call to play solo"),
    Answer(REVEAL, "After the draw, show the other Big Ace if I have it"),
    Answer(SILENT, "After the draw, never show the other Big Ace"),
)
CODES = frozenset(order.code for order in ORDERS)

MEANINGS = {
    "once": N_("my first ace: its twin's holder is my secret partner"),
    "two": N_("to play solo"),
    "never": N_("not a Big Ace either"),
    "ask": N_("whenever I could show one"),
}
# Plans for the whole draw.
AT_ONCE = Answer(
    "at_once", "Right away", place=10, meaning=MEANINGS["once"], orders=tuple(on(EXPOSE, suit) for suit in SUITS)
)
ONLY_TWO = Answer(
    "only_two", "Only a pair", place=11, meaning=MEANINGS["two"], orders=tuple(on(PAIR, suit) for suit in SUITS)
)
NEVER = Answer(
    "never", "Never show one", place=12, meaning=MEANINGS["never"], orders=(f"{FROM}:{FROM_ROUNDS[-1]}", SILENT)
)
ASK_ME = Answer(NOTHING, "Ask me each time", meaning=MEANINGS["ask"])
OF_THE_TWIN = frozenset({REVEAL, SILENT})


def answering(codes: Iterable[str]) -> bool:
    """Tell whether standing orders answer windows of the draw, not only the reveal window."""
    return not OF_THE_TWIN.issuperset(codes)


def moments(stack: Stack, before: int, drawn: int) -> Iterator[int]:
    """Yield the numbers of drawn cards at which an order may newly apply.

    These are every ace, the first card of each round that an order can wait for, and the last card.
    """
    rounds = {(first - 1) * PLAYERS + 1 for first in FROM_ROUNDS}
    for count, drawn_card in enumerate(stack.order[before:drawn], before + 1):
        if drawn_card.rank is Rank.ACE or count in rounds or count == STACK_SIZE:
            yield count


def sealed_order(
    stack: Stack, now: Declaration, orders: dict[int, tuple[str, ...]], drawn: int, *, options: Options
) -> Iterator[AceAct]:
    """Yield the acts that standing orders cause now.

    Protection comes first, then the seats in turn from the starter.
    """
    seats = [seat for ahead in range(PLAYERS) if (seat := (stack.starter + ahead) % PLAYERS) in orders]
    wished = [act for seat in seats for act in _wished(stack, now, seat, orders[seat], drawn=drawn)]
    fine = (act for act in wished if not act_refusal(stack, now, act, drawn, self_overcall=options.self_overcall))
    return iter(sorted(fine, key=lambda act: not act.protect))


def _wished(stack: Stack, now: Declaration, seat: int, codes: tuple[str, ...], *, drawn: int) -> Iterator[AceAct]:
    """Yield the acts that one seat's orders want now, earlier aces first."""
    last = now.last
    if last is not None and last.seat == seat:
        at_once = PROTECT in codes or on(PAIR, last.suit) in codes
        if at_once or (LATE in codes and drawn == STACK_SIZE):
            yield AceAct(seat, last.suit, MAX_SHOWN_ACES, protect=True)
    if drawn == STACK_SIZE or (drawn - 1) // PLAYERS + 1 >= _earliest(codes):  # the last call counts too (O12.3)
        singles = [suit for suit in SUITS if on(EXPOSE, suit) in codes and stack.aces(seat, suit, drawn)]
        yield from (
            AceAct(seat, suit, MIN_SHOWN_ACES)
            for suit in sorted(singles, key=lambda suit: stack.aces(seat, suit, drawn))
        )
    own = last.suit if last is not None and last.seat == seat else None
    yield from (AceAct(seat, suit, MAX_SHOWN_ACES) for suit in SUITS if on(PAIR, suit) in codes and suit is not own)


def _earliest(codes: tuple[str, ...]) -> int:
    """Return the first round in which single aces are shown."""
    return max((int(code.partition(":")[2]) for code in codes if code.startswith(FROM)), default=0)
