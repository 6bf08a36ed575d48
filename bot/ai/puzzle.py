"""Puzzles: decisions at which one action is clearly the best, and the search for them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from itertools import islice
from math import sqrt
from statistics import fmean, pstdev
from typing import NamedTuple, TypeAlias

from bot.ai.levels import evaluate, house_action, planned_action, strategy
from bot.ai.reasons import Reason, distinctive_reason
from bot.domain.chairs import Level
from bot.rules.core.asks import Action, Pass, Play, PlayAsk, read_action, write_action
from bot.rules.core.game import Game, View
from bot.rules.matches.record import Record
from bot.rules.matches.review import is_equivalent
from bot.rules.variants.registration import RegisteredGame


@dataclass(frozen=True)
class Puzzle:
    """A position and its solution.

    record: the hand up to the moment at which the seat is asked: its seed is as secret as the rivals' cards. worths:
    the possible actions in display order, each with the seat's points above the table's average.
    """

    record: Record = field(repr=False)
    seat: int
    worths: Mapping[Action, float] = field(repr=False)

    @property
    def choices(self) -> tuple[Action, ...]:
        """What can be done."""
        return tuple(self.worths)

    @cached_property
    def best(self) -> Action:
        """What comes out best."""
        return max(self.worths, key=self.worths.__getitem__)

    @property
    def right(self) -> int:
        """The place of the best among the choices."""
        return self.choices.index(self.best)

    def behind(self, choice: int) -> float:
        """Return by how many points a choice comes out worse than the best."""
        return self.worths[self.best] - self.worths[self.choices[choice]]

    @property
    def margin(self) -> float:
        """By how many points the best comes out better than the second best."""
        return min(self.behind(choice) for choice in range(len(self.worths)) if choice != self.right)

    @cached_property
    def view(self) -> View:
        """What the seat saw."""
        return self.record.replay().view(self.seat)

    @cached_property
    def why(self) -> Reason | None:
        """The claim that holds for the best action alone; None without one."""
        return distinctive_reason(self.view, self.best, self.choices)

    def to_json(self) -> str:
        """Return it as JSON on one line."""
        worths = {write_action(action): round(worth, 2) for action, worth in self.worths.items()}
        return json.dumps({"seat": self.seat, "worths": worths, "record": json.loads(self.record.to_json())})

    @classmethod
    def from_json(cls, text: str, games: Mapping[str, RegisteredGame]) -> Puzzle:
        """Return the puzzle that :meth:`to_json` has written.

        Raises KeyError or ValueError for anything else.
        """
        plain = json.loads(text)
        worths = {read_action(action): worth for action, worth in plain["worths"].items()}
        return cls(Record.from_json(json.dumps(plain["record"]), games), plain["seat"], worths)


Player: TypeAlias = Callable[[View, random.Random], Action | None]

LEAST_CHOICES, MOST_CHOICES = 3, 10  # things to do: all of them are shown
MOST_CARDS, MOST_IN_ALL = 9, 40  # in the hand, and in all hands: more are hard to read at a glance
SURE = 4.0  # standard errors by which the best is better than all else
AGREEING = 60  # imagined hands in which the best is held against others by the rules themselves
PLAYERS = (planned_action, partial(house_action, Level.EASY))  # of hands that are played by the rules, in turn


class Sieve(NamedTuple):
    """A filter: the number of actions to keep and of imagined hands, and the certainty."""

    actions: int
    hands: int
    sure: float


SIEVES = (Sieve(MOST_CHOICES, 10, 0.5), Sieve(4, 30, 1.5), Sieve(3, 60, 2.5), Sieve(3, 240, SURE))


def puzzle(known: RegisteredGame, week: str, number: int) -> Puzzle | None:
    """Return the puzzle in one of the hands of a week; None where there is none in it.

    week: any text. number: which hand. Takes seconds.
    """
    seed = sha256(f"puzzle {known.name} {week} {number}".encode()).hexdigest()
    dice = random.Random(seed)  # it is to come again
    record = Record(known, next(iter(known.sheet.presets)), seed=seed)
    found = (_clear(moment, dice) for moment in _moments(record, dice))
    return next((one for one in found if one), None)


class PuzzleMoment(NamedTuple):
    """Where a seat is asked to play. view: what it sees there."""

    record: Record
    view: View


def _moments(record: Record, dice: random.Random) -> Iterator[PuzzleMoment]:
    """Yield the moments of a hand, played by house players, that hold a choice."""
    match = record.begin()
    while match.game.result is None:
        views = (match.view(seat) for seat in sorted(match.game.awaited))
        yield from (PuzzleMoment(record, view) for view in views if _fit(view))
        seat, action = stepped(match.game, partial(house_action, Level.EASY), dice)
        record, match = record.then(seat, action), match.act(seat, action)


def _fit(view: View) -> bool:
    """Tell whether there is enough to choose from, and not more than fits on a screen."""
    if not isinstance(view.ask, PlayAsk) or len(view.hand) > MOST_CARDS or sum(view.counts) > MOST_IN_ALL:
        return False
    return LEAST_CHOICES <= len(choices(view)) <= MOST_CHOICES


def choices(view: View) -> tuple[Action, ...]:
    """Return the actions of a seat asked to play: one of equal plays, and a pass if allowed.

    In a position with more than MOST_CHOICES actions, the list may lack some of them.
    """
    plays = {view.rules.alike(combo.cards): combo.cards for combo in view.plays.first(4 * MOST_CHOICES)}
    passing = (Pass(),) if isinstance(view.ask, PlayAsk) and view.ask.may_pass else ()
    return (*(Play(cards) for cards in plays.values()), *passing)


def _clear(moment: PuzzleMoment, dice: random.Random) -> Puzzle | None:
    """Return the puzzle of a moment, or None if the best action is uncertain or obvious.

    The worst actions are given up on the way, and the moment if no action stands out.
    """
    record, view = moment
    clear = record.known.puzzle_margin
    worths, left = dict.fromkeys(choices(view), 0.0), choices(view)
    for count, hands, sure in SIEVES:
        left = left[:count]
        tried = list(islice(trials(view, left, dice), hands))
        left = tuple(sorted(left, key=lambda action: -sum(outcome[action] for outcome in tried)))
        more = [outcome[left[0]] - outcome[left[1]] for outcome in tried]
        if fmean(more) < max(clear / 2 if sure < SURE else clear, sure * pstdev(more) / sqrt(hands)):
            return None
        if not _hidden(moment, left[0]):
            return None
        worths |= _held_against(left[0], tried)
    if not _agreed(view, left, clear, dice):
        return None
    second = worths[left[1]]
    return Puzzle(
        record,
        view.seat or 0,
        {action: worth if action in left else min(worth, second) for action, worth in worths.items()},
    )


def _agreed(view: View, left: Sequence[Action], clear: float, dice: random.Random) -> bool:
    """Tell whether a hint and a house player without trials agree on the first of these.

    House players without trials must find the first action best by half the margin of a clear answer. In games with
    ``Strategy.custom_chooser``, such as Big Two, the hint alone decides.
    """
    recommended = evaluate(view).best
    if recommended is None or not is_equivalent(view, recommended, left[0]):
        return False
    if strategy(view.rules.game).custom_chooser:
        return True
    tried = list(islice(readable(view, left, dice), AGREEING))
    return all(fmean(outcome[left[0]] - outcome[other] for outcome in tried) >= clear / 2 for other in left[1:])


def _held_against(best: Action, tried: Sequence[Mapping[Action, float]]) -> dict[Action, float]:
    """Return the points by which each choice beats the best one, at most 0."""
    return {action: fmean(outcome[action] - outcome[best] for outcome in tried) for action in tried[0]}


def _hidden(moment: PuzzleMoment, best: Action) -> bool:
    """Tell whether a kind player misses the action, and a reason supports it alone.

    The reason may be missing in games with few checkable reasons; going out at once is no puzzle.
    """
    record, view = moment
    usual, why = house_action(Level.EASY, view), distinctive_reason(view, best, choices(view))
    if usual is None or is_equivalent(view, usual, best) or (why and why.name == "out"):
        return False
    return why is not None or not record.known.puzzles_explained


# Trials


def trials(view: View, actions: Sequence[Action], rng: random.Random) -> Iterator[Mapping[Action, float]]:
    """Yield the points of the seat above the table's average, one imagined hand at a time.

    Each trial plays on like a strong player.
    """
    _, search = strategy(view.rules.game).search(view, rng)
    return search.trials(actions)


def readable(view: View, actions: Sequence[Action], rng: random.Random) -> Iterator[Mapping[Action, float]]:
    """Yield the same as :func:`trials`, by the readable rules and players without trials.

    This takes far longer.
    """
    assert view.seat is not None
    number = 0
    while True:
        hand, thrown = view.rules.imagine(view, rng), rng.random()
        player: Player = PLAYERS[number % len(PLAYERS)]
        yield {action: _outcome(hand.act(view.seat, action), view.seat, player, thrown) for action in actions}
        number += 1


def _outcome(game: Game, seat: int, player: Player, thrown: float) -> float:
    """Play a hand to its end, and return by how much a seat comes out better than the table."""
    rng = random.Random(thrown)  # the same for every choice
    while game.result is None:
        game = game.act(*stepped(game, player, rng))
    stands = game.view(None).rules.ranking((game.result,))
    return sum(stands) / len(stands) - stands[seat]


def stepped(game: Game, player: Player, rng: random.Random) -> tuple[int, Action]:
    """Return the next seat and its action if all seats play alike.

    Seats out of turn are asked first.
    """
    for seat in sorted(game.to_act, key=lambda seat: (seat in game.awaited, seat)):
        action = player(game.view(seat), rng)
        if action is not None:
            return seat, action
    raise RuntimeError(f"Nobody goes on in {game.view(None).rules.game}.")
