"""A match made ready for stepping, in one pass over its actions and a hand at a time.

Knows where each hand begins; any position is played out anew from there when it is asked for. Refuses to keep the
actions, which are many, and to know what may be shown of a match.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.rules.core.actions import Action
from bot.rules.core.sentences import Seat
from bot.rules.matches.match import Match, Opening
from bot.rules.matches.openings import LONG, Openings
from bot.rules.matches.record import Record

Steps = Sequence[tuple[int, Action]]


class Done(NamedTuple):
    """What a seat did, and the match before that."""

    before: Match
    seat: Seat
    action: Action


class Shot(NamedTuple):
    """The match after so many changes that everybody could see. step: how many; before: after one less.

    done: what led there; several answers where they were given in secret.
    """

    step: int
    match: Match
    before: Match | None = None
    done: tuple[Done, ...] = ()

    @property
    def goes_on(self) -> bool:
        """Whether somebody could play on from here: in a hand, to which all that led is soon played out again."""
        return self.match.game.result is None and self.match.ply < LONG


class Deal(NamedTuple):
    """A deal that can be played out by itself. match: at its first card. last: the last step that everybody can see.

    done: what the seats did, maybe beyond that step.
    """

    match: Match
    done: Steps
    last: int

    def shots(self) -> tuple[Shot, ...]:
        """Return the steps that can be seen, one after the other, up to the cards of the next deal."""
        played = (shot for shot in _shots(self.match, self.done) if shot.step <= self.last)
        return (Shot(self.match.moment, self.match), *played)


class Film:
    """What is known so far of a match that has ended or goes on, be it in a hand, which is nobody's to see.

    length: how many actions it has. kept: where its hands begin, if that is known before any has been played out.
    """

    def __init__(self, record: Record, length: int, kept: Openings | None = None) -> None:
        self.length = length
        self._now = record.begin()
        self._known = kept if kept and kept.ply == length else Openings.of(self._now)

    @classmethod
    def of(cls, record: Record, *, ended: bool = False) -> Film:
        """Return the whole film of a record. Raises ValueError for a match that is not over, unless it was ended."""
        film = cls(record, len(record.steps))
        film.take(record.steps)
        if not (ended or film._now.over):
            raise ValueError("this match is not over")
        return film

    @property
    def known(self) -> Openings:
        """Where the hands begin that have been looked at; of the whole film to be kept."""
        return self._known

    @property
    def ply(self) -> int:
        """How many of the actions are known."""
        return self._known.ply

    @property
    def empty(self) -> bool:
        """Whether no hand is over yet of those that have been looked at: then there is nothing to see."""
        return not self._known.results

    @property
    def openings(self) -> list[Opening]:
        """The beginnings of the hands that can be seen, also of those that were thrown in: one for each deal."""
        return [opening for opening in self._known.begun if opening.step <= self.last]

    @property
    def whole(self) -> bool:
        """Whether every action is known."""
        return self.ply >= self.length

    @property
    def last(self) -> int:
        """The last step that is known and can be seen."""
        return self._known.last

    @property
    def end(self) -> int:
        """The last step, or as long as that is not known a number that is not less."""
        return self.last if self.whole else self.length

    def take(self, steps: Iterable[tuple[int, Action]]) -> None:
        """Take the next actions. Raises Illegal where one of them is not legal."""
        for seat, action in steps:
            self._now = self._now.act(seat, action)
        self._known = Openings.of(self._now)

    def deal_of(self, step: int) -> int:
        """Return which deal, from 0, a step is played out from: the last that begins before it."""
        return max(bisect_left(self._known.begun, step, key=lambda opening: opening.step) - 1, 0)

    def complete(self, deal: int) -> bool:
        """Whether all of a deal has been looked at."""
        return self.whole or deal + 1 < len(self._known.begun)

    def plies(self, deal: int) -> tuple[int, int]:
        """Return from which action and up to which, which is not needed any more, a deal is played out."""
        later = self._known.begun[deal + 1 : deal + 2]
        return self._known.begun[deal].ply, later[0].ply if later else self.ply

    def deal(self, deal: int, steps: Steps) -> Deal:
        """Return a deal. steps: the actions that :meth:`plies` tells of."""
        opening, known = self._known.begun[deal], self._known
        past = known.results[: opening.number - 1]
        return Deal(Match.opened(self._now.rules, self._now.seed, opening, past), steps, known.last)

    def shots(self, deal: int, steps: Steps) -> tuple[Shot, ...]:
        """Return the steps of a deal that can be seen. steps: as :meth:`deal` has them."""
        return self.deal(deal, steps).shots()


def _shots(match: Match, steps: Steps) -> Iterator[Shot]:
    """Yield what follows, step by step."""
    start, done = match, list[Done]()
    for seat, action in steps:
        done.append(Done(match, Seat(seat), action))
        match = match.act(seat, action)
        if match.moment != start.moment:
            yield Shot(match.moment, match, start, tuple(done))
            start, done = match, []
