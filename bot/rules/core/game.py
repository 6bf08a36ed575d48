"""What every game is to the rest of the house: what it tells a seat, what it takes from it, and how it ends.

Knows no game and no screen. A game in progress is an immutable value; a View is built up from permitted facts.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from bot.rules.core.actions import Action
from bot.rules.core.asks import Answer, Ask, GiveAsk, NameAsk
from bot.rules.core.cards import Card, Cards
from bot.rules.core.sentences import Illegal, Note
from bot.rules.core.trick import Combo, Trick


class Plays(Protocol):
    """The legal plays of one seat at one moment, weakest first, lazily, as four questions of rising price.

    ``bool(plays)``: is there one? ``plays.verify(cards)``: is this one? ``first(n)``; and iteration for all.
    """

    def __iter__(self) -> Iterator[Combo]: ...

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def verify(self, played: Cards) -> Combo:
        """Return the combination these cards make here, or raise Illegal with the article that forbids it."""
        ...

    def first(self, count: int) -> list[Combo]:
        """Return the weakest plays, at most ``count`` of them, without making the others."""
        return list(islice(self, count))

    def ready(self, count: int) -> list[Combo]:
        """Return what to choose from at a glance: in a lead the weakest play of each kind, else the weakest plays."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended; public from then on.

    order: the seats by how they ended it, the winner first; empty where nobody has won. left: the cards each seat
    still held. points: for this hand, a number a seat. payments: (payer, payee, amount), amounts above 0. declarer:
    who played alone or with a partner against the others, where a game has one. by_points: whether the order is that of
    the points, those with equally many being equal, and several may have gone out together. apart: whether everybody in
    the order has a place of their own, also those who still held cards.
    """

    order: tuple[int, ...]
    left: tuple[Cards, ...]
    points: tuple[int, ...]
    payments: tuple[tuple[int, int, int], ...] = ()
    notes: tuple[Note, ...] = ()
    declarer: int | None = None
    by_points: bool = False
    apart: bool = False

    @property
    def places(self) -> tuple[int | None, ...]:
        """The place of each seat in this hand, from 1; equals share the better one. None for a seat without a place.

        Where everybody has a place, all who still held cards share the one after those who went out, unless they are
        apart.
        """
        places = dict(zip(self.order, self._places_in_order(), strict=True))
        return tuple(places.get(seat) for seat in range(len(self.left)))

    def _places_in_order(self) -> tuple[int, ...]:
        """Return the place of each seat in the order: that of the first of those who are its equals."""
        if self.by_points:
            points = [self.points[seat] for seat in self.order]
            return tuple(1 + points.index(mine) for mine in points)
        all_placed, out = len(self.order) == len(self.left), sum(not held for held in self.left)
        if self.apart or not all_placed:
            return tuple(range(1, len(self.order) + 1))
        return tuple(min(at, max(out, 1) + 1) for at in range(1, len(self.order) + 1))


class Teams(NamedTuple):
    """Who plays with whom, as far as that is known: the declarer's side and the other. Seats in neither are unknown."""

    declaring: frozenset[int]
    against: frozenset[int]

    def of(self, seat: int | None) -> frozenset[int]:
        """Return those of whom it is known that they are on one side with this seat, which is one of them."""
        return next((side for side in self if seat in side), _NOBODY)


_NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Public:
    """All that everybody may know about a hand in progress: what the board is drawn of.

    rules: of this hand, with all that is settled in it. counts: cards held by each seat. to_act: who may act; awaited:
    for whom the hand waits, or has waited since they were last asked together. must: a card the next play has to
    contain. facts: what else is public, as (name, value). trick: the current one; tricks: the finished ones, as far as
    they have not been shuffled into the stock. doing: what goes on while no trick is played. declining: how whoever
    wants nothing answers what everybody is asked at the same time. teams: who plays with whom, where
    there are sides. progress: how far that has come which goes on before the play, of how much.
    """

    rules: Rules
    counts: tuple[int, ...]
    to_act: frozenset[int]
    awaited: frozenset[int]
    must: Card | None
    facts: tuple[tuple[str, Any], ...]
    trick: Trick
    tricks: tuple[Trick, ...]
    result: Result | None
    doing: Note | None = None
    declining: Answer | None = None
    teams: Teams | None = None
    progress: tuple[int, int] | None = None

    @property
    def ended_tricks(self) -> tuple[Trick, ...]:
        """The tricks that are over; in a hand that has ended also the one in which a player went out."""
        return (*self.tricks, self.trick) if self.result and self.trick.moves else self.tricks

    @property
    def endless(self) -> bool:
        """Whether the match has no end of its own, so that players end it."""
        return self.rules.hands is None and self.rules.target is None


@dataclass(frozen=True, slots=True, kw_only=True)
class View(Public):
    """All that one seat (or, with seat None, any onlooker) may know about a hand in progress.

    rules: as the seat knows them. hand: its own cards, weakest first. known: cards in other hands of which it knows, as
    (seat, card). told: what it alone was told last. own_teams: who plays with whom, as far as the seat knows it.
    coming: what it will be asked when its turn comes, as things stand; None where that follows from the trick. out:
    whether it is not asked again before the next trick.
    """

    seat: int | None
    hand: Cards = field(repr=False)
    ask: Ask | None = field(repr=False)
    known: tuple[tuple[int, Card], ...] = field(repr=False)
    told: tuple[Note, ...] = field(repr=False)
    own_teams: Teams | None = None
    coming: Ask | None = field(default=None, repr=False)
    out: bool = False

    @property
    def allies(self) -> frozenset[int]:
        """The other seats of which this one knows that they are on its side."""
        return self.own_teams.of(self.seat) - {self.seat} if self.own_teams else _NOBODY

    def verify(self, chosen: Cards) -> Combo | None:
        """Return what these cards make if they are what is asked for, None where they need not make anything.

        Raises Illegal with the article that forbids it.
        """
        match self.ask:
            case GiveAsk():
                self.ask.verify(self.hand, chosen)
            case NameAsk():
                self.ask.verify(chosen)
            case _:
                return self.plays.verify(chosen)
        return None

    @property
    def plays(self) -> Plays:
        """The legal plays of this seat, made from this view alone; none where nothing is asked."""
        return self.rules.plays(self)


class Secrecy(NamedTuple):
    """How a hand in progress is kept from those whom it does not concern.

    sealed: how many of the latest actions only those know of who did them. together: whether several are asked at the
    same time, each in secret. tick: after how many seconds the hand goes on without those it waits for; None where the
    table says that. quiet: whether some may have nothing to decide, which nobody may notice.
    """

    sealed: int = 0
    together: bool = False
    tick: int | None = None
    quiet: bool = False


IN_THE_OPEN = Secrecy()

Late: TypeAlias = Literal["least", "substitute", "abort"]


class Game(Protocol):
    """A hand in progress: an immutable value."""

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act now; empty when the hand is over."""
        ...

    @property
    def awaited(self) -> frozenset[int]:
        """Those of them for whom the hand waits."""
        ...

    @property
    def secrecy(self) -> Secrecy:
        """What of the latest actions and of those asked for now is secret."""
        ...

    @property
    def dealer(self) -> int:
        """The seat with which the hand began: who dealt or, where nobody does, who draws, bids or leads first."""
        ...

    @property
    def aside(self) -> Cards:
        """The cards in no hand that have not been played: secret."""
        ...

    @property
    def result(self) -> Result | None:
        """How the hand ended, or None while it goes on."""
        ...

    def ask(self, seat: int) -> Ask | None:
        """Return what this seat is asked now, None where it is nothing; its view says the same."""
        ...

    def view(self, seat: int | None) -> View:
        """Return what this seat, or with None any onlooker, may know."""
        ...

    def act(self, seat: int, action: Action) -> Game:
        """Return the game that follows. Raises Illegal, and then nothing has changed."""
        ...


class Deals(Protocol):
    """What a hand needs before its first card: seats, the cards there are, and who deals them."""

    @property
    def players(self) -> int:
        """How many seats there are."""
        ...

    @property
    def pack(self) -> Cards:
        """Every card there is, each as often as there is one."""
        ...

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> Game:
        """Shuffle and deal the hand after the ``past`` ones; the dealer is the one of ``next_dealer``."""
        ...

    def first_dealer(self, rng: random.Random) -> int:
        """Return who deals the first hand."""
        ...

    def next_dealer(self, dealer: int, past: tuple[Result, ...]) -> int:
        """Return who deals after these hands, the last of which ``dealer`` dealt."""
        ...


class Course(Protocol):
    """What a match needs to go on and to end, and a table when somebody is late."""

    @property
    def hands(self) -> int | None:
        """How many hands the match has at most, or None where their number does not end it."""
        ...

    @property
    def target(self) -> int | None:
        """The score that ends the match, or None where none does. Without ``hands`` too, players end it."""
        ...

    @property
    def late(self) -> Late:
        """What becomes of a seat that is late: the least is done for it, a house player takes it, or all ends."""
        ...

    @property
    def end_article(self) -> str:
        """The article that says when a hand is over."""
        ...

    def is_over(self, results: tuple[Result, ...]) -> bool:
        """Tell whether the match ends with the last of these hands."""
        ...

    def ranking(self, results: tuple[Result, ...]) -> tuple[int, ...]:
        """Return a number for each seat after these hands, the lowest being the best."""
        ...


class Judging(Protocol):
    """What a seat asks about cards: which go together, and on what."""

    def plays(self, view: View) -> Plays:
        """Return the legal plays of the view's seat."""
        ...

    def classify(self, played: Cards) -> Combo | None:
        """Return the combination these cards make, or None."""
        ...

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return why the one may not be put on the other, or None where it may."""
        ...

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article that says whether one of two combinations may be put on the other."""
        ...

    def bomb(self, combo: Combo) -> bool:
        """Tell whether it is of a kind that also goes on another number of cards."""
        ...

    def beyond(self, count: int, top: Combo) -> bool:
        """Tell whether all can see that no hand of so many cards goes on this, and the rules leave it at that."""
        ...

    def alike(self, played: Cards) -> Hashable:
        """Return what is equal for two choices of cards between which the game makes no difference."""
        ...

    def sort(self, held: Cards, *, by_suit: bool = False) -> Cards:
        """Return the cards weakest first, or suit by suit."""
        ...

    def imagine(self, view: View, rng: random.Random) -> Game:
        """Return some whole game in which the view's seat could be: its ``view(seat)`` equals the view."""
        ...


class Shown(Protocol):
    """What a screen asks: how things are called, and what is open to all."""

    @property
    def names(self) -> Mapping[str, str]:
        """Message ids that name each kind of combination, with fields ``rank`` and ``suit`` of its head."""
        ...

    @property
    def facts(self) -> Mapping[str, str]:
        """Message ids for each fact of a View, with a field ``value``."""
        ...

    @property
    def opening(self) -> frozenset[str]:
        """The facts that are of no more use once a trick is over: how the cards were dealt, and who begins."""
        ...

    @property
    def counted(self) -> bool:
        """Whether everybody is shown how many cards each seat holds."""
        ...

    @property
    def open_pile(self) -> bool:
        """Whether all finished tricks may be looked through, or only the last one."""
        ...

    @property
    def clockwise(self) -> bool:
        """Whether the numbers of the seats rise clockwise round the table, or else anticlockwise."""
        ...

    def step(self, hand: int) -> int:
        """Return 1 where turns go to the next number in this hand, -1 where they go to the one before."""
        ...


class Rules(Deals, Course, Judging, Shown, Protocol):
    """One game under one set of options; equal where both are equal."""

    @property
    def game(self) -> str:
        """The key of the game in the registry and of its rule page."""
        ...

    @property
    def options(self) -> Any:
        """The frozen dataclass of options in force."""
        ...
