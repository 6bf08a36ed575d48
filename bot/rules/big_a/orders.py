"""O12.5. Standing orders for the rest of the draw, and the acts that they cause at any moment.

Refuses to know which of several acts comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from bot.domain.message_ids import N_
from bot.rules.big_a.draw import (
    MAX_SHOWN_ACES,
    MIN_SHOWN_ACES,
    STACK_SIZE,
    AceAct,
    Declaration,
    Stack,
    ace,
    act_refusal,
)
from bot.rules.big_a.options import PLAYERS, Options
from bot.rules.core.asks import Answer
from bot.rules.core.cards import SUITS, Rank, Suit

NOTHING, EXPOSE, PAIR, PROTECT, REVEAL = "nothing", "expose", "pair", "protect", "reveal"
LATE, SILENT, FROM = "protect_late", "silent", "from"
FROM_ROUNDS = (5, 10, 15)

NO = Answer(NOTHING, "Nothing")
NOBODY = Answer(NOTHING, "No ace")  # the same answer, on a button for all seats


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
        Answer(on(PAIR, suit), "Show both {card} and play alone", values=card, place=5 + at),
        Answer(PROTECT, "Show my second {card} and play alone", values=card, place=9),
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
        Answer(on(PAIR, suit), "Show both {card} and play alone as soon as I can", values=(("card", ace(suit)),))
        for suit in SUITS
    ),
    *(
        Answer(f"{FROM}:{first}", "A single ace only from round {round} on", values=(("round", first),))
        for first in FROM_ROUNDS
    ),
    Answer(PROTECT, "Show the second ace at once to play alone"),
    Answer(LATE, "Show the second ace at the last call to play alone"),
    Answer(REVEAL, "After the draw show the other Big Ace if I have it"),
    Answer(SILENT, "After the draw never show the other Big Ace"),
)
CODES = frozenset(order.code for order in ORDERS)

MEANINGS = {
    "once": N_("my first ace; who has its twin is my partner"),
    "two": N_("to play alone"),
    "never": N_("no Big Ace either"),
    "ask": N_("when I could show one"),
}
# Plans for the whole draw.
AT_ONCE = Answer(
    "at_once", "At once", place=10, meaning=MEANINGS["once"], orders=tuple(on(EXPOSE, suit) for suit in SUITS)
)
ONLY_TWO = Answer(
    "only_two", "Only with two", place=11, meaning=MEANINGS["two"], orders=tuple(on(PAIR, suit) for suit in SUITS)
)
NEVER = Answer("never", "Show none", place=12, meaning=MEANINGS["never"], orders=(f"{FROM}:{FROM_ROUNDS[-1]}", SILENT))
ASK_ME = Answer(NOTHING, "Ask me", meaning=MEANINGS["ask"])
OF_THE_TWIN = frozenset({REVEAL, SILENT})


def answering(codes: Iterable[str]) -> bool:
    """Tell whether standing orders answer the windows of the draw, not only the reveal window after it."""
    return not OF_THE_TWIN.issuperset(codes)


def moments(stack: Stack, before: int, drawn: int) -> Iterator[int]:
    """Yield the numbers of drawn cards at which an order may newly apply.

    These are every ace, the first card of each round that an order can wait for, and the last card.
    """
    rounds = {(first - 1) * PLAYERS + 1 for first in FROM_ROUNDS}
    for count, card in enumerate(stack.order[before:drawn], before + 1):
        if card.rank is Rank.ACE or count in rounds or count == STACK_SIZE:
            yield count


def acts_ordered(
    stack: Stack, now: Declaration, orders: dict[int, tuple[str, ...]], drawn: int, *, options: Options
) -> Iterator[AceAct]:
    """Yield the acts that standing orders cause now: protection first, then in turn from the starter."""
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
