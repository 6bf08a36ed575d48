"""The replay of a match, one deal at a time, and the jump marks in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from bot.rules.core.asks import Action, Play
from bot.rules.core.game import Public
from bot.rules.core.sentences import Seat
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match, Opening
from bot.rules.matches.record import MIN_STORED_PLIES, Openings, Record
from bot.rules.matches.score import Score

Steps = Sequence[tuple[int, Action]]


class ReplayedAction(NamedTuple):
    """A seat's action and the match before it."""

    before: Match
    seat: Seat
    action: Action


class Snapshot(NamedTuple):
    """The match after a number of public changes.

    step: that number; before: the match one change earlier. done: the actions of this change; several actions if the
    answers were secret.
    """

    step: int
    match: Match
    before: Match | None = None
    done: tuple[ReplayedAction, ...] = ()

    @property
    def can_play_on(self) -> bool:
        """Whether a player could play on from here.

        That takes a hand in progress, with few enough actions to replay quickly.
        """
        return self.match.game.result is None and self.match.ply < MIN_STORED_PLIES


class Deal(NamedTuple):
    """A deal that can be replayed by itself.

    match: at its first card. last: the last public step of the match. done: the actions, possibly beyond that step.
    """

    match: Match
    done: Steps
    last: int

    def snapshots(self) -> tuple[Snapshot, ...]:
        """Return the public steps in order, up to the cards of the next deal."""
        played = (snapshot for snapshot in _shots(self.match, self.done) if snapshot.step <= self.last)
        return (Snapshot(self.match.moment, self.match), *played)


class Playback:
    """The known part of a match, finished or in progress; a hand in progress stays hidden.

    length: the number of actions. kept: the stored openings, if any, as a replacement for the pass over the actions.
    """

    def __init__(self, record: Record, length: int, kept: Openings | None = None) -> None:
        self.length = length
        self._now = record.begin()
        self._known = kept if kept and kept.ply == length else Openings.of(self._now)

    @classmethod
    def of(cls, record: Record, *, ended: bool = False) -> Playback:
        """Return the complete replay of a record.

        Raises ValueError for an unfinished match, unless ``ended``.
        """
        playback = cls(record, len(record.steps))
        playback.feed(record.steps)
        if not (ended or playback._now.over):
            raise ValueError("this match is not over")
        return playback

    @property
    def known(self) -> Openings:
        """The beginnings of the deals read so far; for a complete replay, the part to store."""
        return self._known

    @property
    def ply(self) -> int:
        """The number of actions read so far."""
        return self._known.ply

    @property
    def empty(self) -> bool:
        """Whether no hand is finished among the actions read: nothing may be shown."""
        return not self._known.results

    @property
    def openings(self) -> list[Opening]:
        """The beginnings of the visible deals, cancelled ones included."""
        return [opening for opening in self._known.begun if opening.step <= self.last]

    @property
    def leader(self) -> int:
        """The best seat after the finished hands read so far."""
        return Score(self._now.rules, self._known.results).places.index(1)

    @property
    def whole(self) -> bool:
        """Whether every action has been read."""
        return self.ply >= self.length

    @property
    def last(self) -> int:
        """The last public step read so far."""
        return self._known.last

    @property
    def end(self) -> int:
        """The last step; until every action is read, an upper bound."""
        return self.last if self.whole else self.length

    def feed(self, steps: Iterable[tuple[int, Action]]) -> None:
        """Read the next actions. Raises Illegal at a forbidden action."""
        for seat, action in steps:
            self._now = self._now.act(seat, action)
        self._known = Openings.of(self._now)

    def deal_of(self, step: int) -> int:
        """Return the index of the deal from which a step is replayed.

        It is the last deal that begins before the step.
        """
        return max(bisect_left(self._known.begun, step, key=lambda opening: opening.step) - 1, 0)

    def complete(self, deal: int) -> bool:
        """Tell whether a deal has been read completely."""
        return self.whole or deal + 1 < len(self._known.begun)

    def plies(self, deal: int) -> tuple[int, int]:
        """Return the first action of a deal and the first action after the deal."""
        later = self._known.begun[deal + 1 : deal + 2]
        return self._known.begun[deal].ply, later[0].ply if later else self.ply

    def deal(self, deal: int, steps: Steps) -> Deal:
        """Return a deal. steps: the actions in the range of :meth:`plies`."""
        opening, known = self._known.begun[deal], self._known
        past = known.results[: opening.number - 1]
        return Deal(Match.opened(self._now.rules, self._now.seed, opening, past), steps, known.last)

    def snapshots(self, deal: int, steps: Steps) -> tuple[Snapshot, ...]:
        """Return the public steps of a deal. steps: as for :meth:`deal`."""
        return self.deal(deal, steps).snapshots()


def _shots(match: Match, steps: Steps) -> Iterator[Snapshot]:
    """Yield one shot for each public change."""
    start, done = match, list[ReplayedAction]()
    for seat, action in steps:
        done.append(ReplayedAction(match, Seat(seat), action))
        match = match.act(seat, action)
        if match.moment != start.moment:
            yield Snapshot(match.moment, match, start, tuple(done))
            start, done = match, []


MarkKind: TypeAlias = Literal["trick", "bomb", "last"]
LAST_CARDS = 5  # cards


class Mark(NamedTuple):
    """A step to jump to.

    number: of the trick, of the remaining cards, or of the bomb's cards. combo: the play.
    """

    kind: MarkKind
    step: int
    seat: int
    number: int
    combo: Combo | None = None


def marks(snapshots: Iterable[Snapshot]) -> list[Mark]:
    """Return the marks in the steps of a hand, in order."""
    found, trick = list[Mark](), 0
    for snapshot in snapshots:
        if snapshot.before is None or snapshot.before.game.result:
            continue
        before, after = snapshot.before.view(None), snapshot.match.view(None)
        trick += begins_trick(snapshot)
        found += _played(snapshot, before, after, trick)
        found += _few(snapshot.step, before, after)
    return found


def begins_trick(snapshot: Snapshot) -> bool:
    """Tell whether this step is a lead."""
    if snapshot.before is None or not any(isinstance(done.action, Play) for done in snapshot.done):
        return False
    return snapshot.before.view(None).trick.top is None


def played(snapshot: Snapshot) -> tuple[int, Combo] | None:
    """Return the seat and the combination played at this step, None without a play."""
    seat = next((done.seat for done in snapshot.done if isinstance(done.action, Play)), None)
    if seat is None:
        return None
    view = snapshot.match.view(None)
    trick = view.trick if view.trick.moves or not view.tricks else view.tricks[-1]
    combo = next((move.combo for move in reversed(trick.moves) if move.seat == seat and move.combo), None)
    return (int(seat), combo) if combo else None


def _played(snapshot: Snapshot, before: Public, after: Public, trick: int) -> Iterator[Mark]:
    found = played(snapshot)
    if found is None:
        return
    seat, combo = found
    if before.trick.top is None:
        yield Mark("trick", snapshot.step, seat, trick, combo)
    elif after.rules.bomb(combo):
        yield Mark("bomb", snapshot.step, seat, len(combo.cards), combo)


def _few(step: int, before: Public, after: Public) -> Iterator[Mark]:
    counts = zip(before.counts, after.counts, strict=True)
    return (Mark("last", step, seat, now) for seat, (then, now) in enumerate(counts) if then > LAST_CARDS >= now > 0)
