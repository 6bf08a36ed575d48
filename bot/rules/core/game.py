"""The interface of every game: views for seats, actions, results, and the rules.

Independent of games and screens. A game in progress is an immutable value; a View contains permitted facts only.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from bot.rules.core.asks import Action, Answer, Ask, GiveAsk, NameAsk
from bot.rules.core.cards import Card, Cards
from bot.rules.core.sentences import CombinationName, Illegal, Note
from bot.rules.core.trick import Combo, Trick


class Plays(Protocol):
    """The legal plays of one seat at one moment, weakest first, lazily.

    Four queries of rising cost: ``bool(plays)``: any legal play? ``plays.verify(cards)``: is this play legal?
    ``first(n)``; iteration over every play.
    """

    def __iter__(self) -> Iterator[Combo]: ...

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def verify(self, played: Cards) -> Combo:
        """Return the combination that these cards make.

        Raises Illegal with the article that forbids the play.
        """
        ...

    def first(self, count: int) -> list[Combo]:
        """Return the weakest plays, at most ``count``, without generating the rest."""
        return list(islice(self, count))

    def ready(self, count: int) -> list[Combo]:
        """Return suggestions: the weakest play of each kind for a lead, else the weakest plays."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended; public from then on.

    order: the seats in finishing order, winner first; empty without a winner. left: the remaining cards of each seat.
    points: of this hand, a number a seat. payments: (payer, payee, amount), amounts above 0. declarer: the seat that
    played against the others, alone or with a partner, in games with a declarer. by_points: whether the order follows
    the points, with equal places for equal points; several players may have gone out together. apart: whether every
    seat in the order has its own place, seats with remaining cards included.
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
        """The place of each seat in this hand, from 1; ties share the better place.

        None for a seat without a place. If every seat has a place, all seats with remaining cards share the place after
        the seats that went out, unless ``apart``.
        """
        places = dict(zip(self.order, self._places_in_order(), strict=True))
        return tuple(places.get(seat) for seat in range(len(self.left)))

    def _places_in_order(self) -> tuple[int, ...]:
        """Return the place of each seat in the order; ties share the best place."""
        if self.by_points:
            points = [self.points[seat] for seat in self.order]
            return tuple(1 + points.index(mine) for mine in points)
        all_placed, out = len(self.order) == len(self.left), sum(not held for held in self.left)
        if self.apart or not all_placed:
            return tuple(range(1, len(self.order) + 1))
        return tuple(min(at, max(out, 1) + 1) for at in range(1, len(self.order) + 1))


class Teams(NamedTuple):
    """The known sides: the declarer's side and the opposing side.

    Seats in neither are unknown.
    """

    declaring: frozenset[int]
    against: frozenset[int]

    def of(self, seat: int | None) -> frozenset[int]:
        """Return the seats known to be on the side of this seat, itself included.

        Empty if its side is unknown.
        """
        return next((side for side in self if seat in side), _NOBODY)


_NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Public:
    """All public information about a hand in progress; the board is drawn from it.

    rules: of this hand, with its options settled. counts: the number of cards of each seat. to_act: the seats that may
    act; awaited: the seats that the hand waits for, or has waited for since all were last asked together. must: a card
    that the next play must contain. facts: further public facts, as (name, value). trick: the current trick; tricks:
    the finished ones, except those shuffled into the stock. phase_note: a note on the phase before the play, such as a
    draw or a bidding. declining: the answer that declines, if all seats are asked at the same time. teams: the public
    sides, in games with sides. progress: the steps done and the total of steps in the phase before the play.
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
    phase_note: Note | None = None
    declining: Answer | None = None
    teams: Teams | None = None
    progress: tuple[int, int] | None = None

    @property
    def ended_tricks(self) -> tuple[Trick, ...]:
        """The finished tricks, with the last trick of an ended hand, in which a player went out."""
        return (*self.tricks, self.trick) if self.result and self.trick.moves else self.tricks

    @property
    def endless(self) -> bool:
        """Whether the match has no end of its own: the players end the match."""
        return self.rules.hands is None and self.rules.target is None


@dataclass(frozen=True, slots=True, kw_only=True)
class View(Public):
    """The facts about a hand in progress known to one seat.

    The fields, with those of `Public`, are the complete list of what a seat may know. Each game builds its views from
    permitted facts (`Game.view`). `test_a_view_can_be_imagined_and_reveals_no_more` in `tests/laws/test_laws.py` fails
    for a view with more, in every game; further checks are in docs/secrets.md.

    seat: None for a spectator's view. rules: as the seat knows them. hand: its own cards, weakest first. known: cards
    known in other hands, as (seat, card). private_notes: the latest notes to this seat alone. own_teams: the sides
    known to the seat. next_ask: the question at the seat's next turn, as things stand; None if the trick determines the
    question. is_out_of_trick: whether the seat is not asked again in this trick.
    """

    seat: int | None
    hand: Cards = field(repr=False)
    ask: Ask | None = field(repr=False)
    known: tuple[tuple[int, Card], ...] = field(repr=False)
    private_notes: tuple[Note, ...] = field(repr=False)
    own_teams: Teams | None = None
    next_ask: Ask | None = field(default=None, repr=False)
    is_out_of_trick: bool = False

    @property
    def allies(self) -> frozenset[int]:
        """The other seats known to be on this seat's side."""
        return self.own_teams.of(self.seat) - {self.seat} if self.own_teams else _NOBODY

    def verify(self, chosen: Cards) -> Combo | None:
        """Return the combination that these cards make for the present question.

        None if none is required. Raises Illegal with the article that forbids the cards.
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
        """The legal plays of this seat, derived from this view alone.

        Empty without a question to the seat.
        """
        return self.rules.plays(self)


class Secrecy(NamedTuple):
    """The secrecy of the latest actions and of the present question.

    sealed: the number of latest actions known only to the players who made them. together: whether several seats are
    asked at the same time, each in secret. tick: the seconds after which the hand continues without the awaited seats;
    None for the pace of the table. quiet: whether some seats may have no decision, a fact hidden from the other
    players.
    """

    sealed: int = 0
    together: bool = False
    tick: int | None = None
    quiet: bool = False


NO_SECRECY = Secrecy()

LatePolicy: TypeAlias = Literal["least", "substitute", "abort"]


class Game(Protocol):
    """The state of one hand, from the deal to the result: an immutable value."""

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act now; empty when the hand is over."""
        ...

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that the hand waits for, a subset of ``to_act``."""
        ...

    @property
    def secrecy(self) -> Secrecy:
        """The secrecy of the latest actions and of the present question."""
        ...

    @property
    def dealer(self) -> int:
        """The first seat of the hand: the dealer, or else the first seat to draw, bid or lead."""
        ...

    @property
    def hidden_cards(self) -> Cards:
        """The cards neither in a hand nor played: secret."""
        ...

    @property
    def result(self) -> Result | None:
        """How the hand ended, None during the hand."""
        ...

    def ask(self, seat: int) -> Ask | None:
        """Return the question to this seat, None without one; equal to ``ask`` of the seat's view."""
        ...

    def view(self, seat: int | None) -> View:
        """Return the view of this seat; with None, of a spectator."""
        ...

    def act(self, seat: int, action: Action) -> Game:
        """Return the game after an action. Raises Illegal for a forbidden action."""
        ...


class DealRules(Protocol):
    """The prerequisites of a hand: seats, pack and dealer."""

    @property
    def players(self) -> int:
        """The number of seats."""
        ...

    @property
    def pack(self) -> Cards:
        """Every card of the game, with all its copies."""
        ...

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> Game:
        """Shuffle and deal the hand after the ``past`` ones. dealer: as ``next_dealer`` returns."""
        ...

    def first_dealer(self, rng: random.Random) -> int:
        """Return the dealer of the first hand."""
        ...

    def next_dealer(self, dealer: int, past: tuple[Result, ...]) -> int:
        """Return the dealer after these hands. dealer: of the last of them."""
        ...


class MatchRules(Protocol):
    """The course and end of a match, and the treatment of late players."""

    @property
    def hands(self) -> int | None:
        """The maximum number of hands in the match, None if the number does not end the match."""
        ...

    @property
    def target(self) -> int | None:
        """The score that ends the match, or None.

        Without ``hands`` and ``target``, the players end the match.
        """
        ...

    @property
    def late_policy(self) -> LatePolicy:
        """The treatment of a late seat.

        The table takes the least legal action, seats a house player as substitute, or ends the match.
        """
        ...

    @property
    def end_article(self) -> str:
        """The article about the end of a hand."""
        ...

    def is_over(self, results: tuple[Result, ...]) -> bool:
        """Tell whether the match ends with the last of these hands."""
        ...

    def ranking(self, results: tuple[Result, ...]) -> tuple[int, ...]:
        """Return a number for each seat after these hands, lowest best."""
        ...


class CardRules(Protocol):
    """Questions about cards: combinations, and which combination beats which."""

    def plays(self, view: View) -> Plays:
        """Return the legal plays of the view's seat."""
        ...

    def classify(self, played: Cards) -> Combo | None:
        """Return the combination that these cards make, or None."""
        ...

    def compare(self, tried: Cards, top: Cards) -> Illegal | None:
        """Return the reason why one set of cards does not beat another, None if it does."""
        ...

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article about playing one combination on another."""
        ...

    def bomb(self, combo: Combo) -> bool:
        """Tell whether a combination's kind also beats combinations with another number of cards."""
        ...

    def captures(self, tried: Combo, top: Combo) -> bool:
        """Tell whether a combination takes the top without beating it."""
        ...

    def is_provably_unbeatable(self, count: int, top: Combo) -> bool:
        """Tell whether public information proves that ``count`` cards cannot beat the top.

        Always False in rules with automatic passes, which skip such a hand themselves.
        """
        ...

    def alike(self, played: Cards) -> Hashable:
        """Return a key, equal for two choices of cards that the game treats as equal."""
        ...

    def sort(self, held: Cards, *, by_suit: bool = False) -> Cards:
        """Return the cards weakest first, or suit by suit."""
        ...

    def imagine(self, view: View, rng: random.Random) -> Game:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        ...


# How a picture shows a fact: its cards beside the pile; its seat as the declarer's; a card on its seat's plate; or, for
# a detail, not at all.
Drawn: TypeAlias = Literal["lying", "declarer", "detail"] | Card


class Presentation(Protocol):
    """The parts of the rules for screens: names, public facts, visibility, direction of play."""

    @property
    def names(self) -> Mapping[str, CombinationName]:
        """The names of each kind of combination."""
        ...

    @property
    def facts(self) -> Mapping[str, str]:
        """Message ids for each fact of a View, with a field ``value``."""
        ...

    @property
    def opening(self) -> frozenset[str]:
        """The facts about the deal and the first lead, no longer useful after the first trick."""
        ...

    @property
    def drawn(self) -> Mapping[str, Drawn]:
        """How a picture of the table shows facts of a View, by name.

        It leaves all other facts to the text.
        """
        ...

    @property
    def may_pass(self) -> bool:
        """Whether a seat with any other choice may pass in this trick."""
        ...

    @property
    def calls_tricks_rounds(self) -> bool:
        """Whether the rules of the game call a trick a round, so that its screens do, too."""
        ...

    @property
    def counted(self) -> bool:
        """Whether the number of cards in each hand is public."""
        ...

    @property
    def open_pile(self) -> bool:
        """Whether players may look through all finished tricks, or only the last one."""
        ...

    @property
    def clockwise(self) -> bool:
        """Whether seat numbers rise clockwise around the table; otherwise anticlockwise."""
        ...

    def step(self, hand: int) -> int:
        """Return 1 if turns pass to the next number in this hand, -1 if to the previous number."""
        ...


class Rules(DealRules, MatchRules, CardRules, Presentation, Protocol):
    """A game with one set of options; equal if game and options are equal."""

    @property
    def game(self) -> str:
        """The key of the game in the registry and of its rule page."""
        ...

    @property
    def options(self) -> Any:
        """The frozen dataclass of options in force."""
        ...
