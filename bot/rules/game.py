"""What every game is to the rest of the house: actions, what is asked, what a seat may know, and refusals.

Knows no game and no screen. A game in progress is an immutable value; a View is built up from permitted facts.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from bot.rules.cards import Card, Cards, cards, write

if TYPE_CHECKING:
    from bot.rules.trick import Trick


@dataclass(frozen=True, slots=True)
class Play:
    """Play these cards. Their order does not matter."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Pass:
    """Play nothing."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Between two hands: deal the next one as far as I am concerned."""


Action: TypeAlias = Play | Pass | Ready


def write_action(action: Action) -> str:
    """Return the action as a record holds it: ``"3d 3c"``, ``"pass"`` or ``"ready"``."""
    return write(action.cards) if isinstance(action, Play) else type(action).__name__.lower()


def read_action(text: str) -> Action:
    """Return the action a record holds; the inverse of :func:`write_action`. Raises KeyError for an unknown one."""
    plain: dict[str, Action] = {"pass": Pass(), "ready": Ready()}
    return plain.get(text) or Play(cards(text))


class Seat(int):
    """A seat number inside the values of a sentence, to be shown as the name of who sits there."""


class Illegal(ValueError):
    """An action the rules forbid.

    article: the number in the game's rule page, such as ``"4.15"``.
    sentence: an English message id with named fields; values: what fills them (cards, combinations, numbers).
    """

    def __init__(self, article: str, sentence: str, **values: Any) -> None:
        super().__init__(article, sentence)
        self.article = article
        self.sentence = sentence
        self.values = values

    def __str__(self) -> str:
        return f"{self.sentence.format(**self.values)} ({self.article})"


@dataclass(frozen=True, slots=True)
class Combo:
    """A legal combination of cards: what it is and how high.

    kind: the game's name for it, a key of its ``names``. head: the card that tells it from others of its kind.
    cards: weakest first. level and strength: compared in this order between combinations that can meet.
    """

    kind: str
    head: Card
    cards: Cards
    level: int
    strength: int

    def __str__(self) -> str:
        return f"{self.kind} {write(self.cards)}"


@dataclass(frozen=True, slots=True)
class PlayAsk:
    """The seat is asked to play cards. may_pass: or to pass."""

    may_pass: bool


Ask: TypeAlias = PlayAsk


class Plays(Protocol):
    """The legal plays of one seat at one moment, weakest first, as four questions of rising price.

    ``bool(plays)``: is there one? ``plays.verify(cards)``: is this one? ``first(n)``; and iteration for all.
    """

    def __bool__(self) -> bool: ...

    def __iter__(self) -> Iterator[Combo]: ...

    def verify(self, played: Cards) -> Combo:
        """Return the combination these cards make here, or raise Illegal with the article that forbids it."""
        ...

    def first(self, count: int) -> list[Combo]:
        """Return the weakest plays, at most ``count`` of them, without making the others."""
        ...


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence about a finished hand, with the article it comes from (see Illegal for the fields)."""

    article: str
    sentence: str
    values: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended; public from then on.

    order: the seats that went out, first first. left: the cards each seat still held. points: for this hand, a
    number a seat. payments: (payer, payee, amount) in stakes, amounts above 0.
    """

    order: tuple[int, ...]
    left: tuple[Cards, ...]
    points: tuple[int, ...]
    payments: tuple[tuple[int, int, int], ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat (or, with seat None, any onlooker) may know about a hand in progress.

    hand: the seat's own cards, weakest first. counts: cards held by each seat. must: a card the next play has to
    contain. facts: what else is public, as (name, value). trick: the current one; tricks: the finished ones.
    """

    rules: Rules
    seat: int | None
    hand: Cards = field(repr=False)
    counts: tuple[int, ...]
    to_act: frozenset[int]
    ask: Ask | None
    must: Card | None
    facts: tuple[tuple[str, Any], ...]
    trick: Trick
    tricks: tuple[Trick, ...]
    result: Result | None

    @property
    def plays(self) -> Plays:
        """The legal plays of this seat, made from this view alone; none where nothing is asked."""
        return self.rules.plays(self)


class Game(Protocol):
    """A hand in progress: an immutable value."""

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act now; empty when the hand is over."""
        ...

    @property
    def result(self) -> Result | None:
        """How the hand ended, or None while it goes on."""
        ...

    def view(self, seat: int | None) -> View:
        """Return what this seat, or with None any onlooker, may know."""
        ...

    def act(self, seat: int, action: Action) -> Game:
        """Return the game that follows. Raises Illegal, and then nothing has changed."""
        ...


class Rules(Protocol):
    """One game under one set of options; equal where both are equal."""

    @property
    def game(self) -> str:
        """The key of the game in the registry and of its rule page."""
        ...

    @property
    def options(self) -> Any:
        """The frozen dataclass of options in force."""
        ...

    @property
    def players(self) -> int:
        """How many seats there are."""
        ...

    @property
    def end_article(self) -> str:
        """The article that says when a hand is over."""
        ...

    @property
    def hands(self) -> int | None:
        """How many hands the match has, or None where a score ends it."""
        ...

    @property
    def target(self) -> int | None:
        """The score that ends the match, or None where a number of hands does."""
        ...

    @property
    def names(self) -> Mapping[str, str]:
        """Message ids that name each kind of combination, with fields ``rank`` and ``suit`` of its head."""
        ...

    @property
    def facts(self) -> Mapping[str, str]:
        """Message ids for each fact of a View, with a field ``value``."""
        ...

    def deal(self, rng: random.Random, dealer: int) -> Game:
        """Shuffle and deal."""
        ...

    def imagine(self, view: View, rng: random.Random) -> Game:
        """Return some whole game in which the view's seat could be: its ``view(seat)`` equals the view."""
        ...

    def plays(self, view: View) -> Plays:
        """Return the legal plays of the view's seat."""
        ...

    def classify(self, played: Cards) -> Combo | None:
        """Return the combination these cards make, or None."""
        ...

    def sort(self, held: Cards, *, by_suit: bool = False) -> Cards:
        """Return the cards weakest first, or suit by suit."""
        ...

    def next_dealer(self, dealer: int, result: Result) -> int:
        """Return who deals after this hand."""
        ...

    def is_over(self, results: tuple[Result, ...]) -> bool:
        """Tell whether the match ends with the last of these hands."""
        ...

    def first_dealer(self, rng: random.Random) -> int:
        """Return who deals the first hand."""
        ...

    def ranking(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Return a number for each seat of a match, the lowest being the best."""
        ...
