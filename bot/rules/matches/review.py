"""Review of a finished match.

Changes of the lead, missed chances to go out, and a house player's alternatives.

Each decision is judged only by the information its seat had at that time. The caller supplies the house player. Only
decisions of people count: no queued play, no turn without a choice. Refuses to know wording and players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from bot.rules.core.asks import Action, Pass, Play, PlayAsk
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal, Seat
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match
from bot.rules.matches.replay import ReplayedAction, Snapshot

FindingKind: TypeAlias = Literal["overtaken", "out", "house", "strong"]
HouseDecision: TypeAlias = Callable[[View], Action | None]

FINDING_KINDS: tuple[FindingKind, ...] = ("overtaken", "out", "house")
MAX_REVIEWED_HANDS = 8  # reviewed in a match; each hand takes 15 to 50 ms
MAX_FINDINGS = 12  # findings in a match


class ReviewFinding(NamedTuple):
    """A moment of a match.

    step: where to show it; rank: lower ranks come first within their kind. overtaken: from here on this seat had fewer
    cards than the seat ``other``. out: the seat could have gone out with ``combo``. house: a house player would have
    played ``combo`` in its place, or passed without one; strong: the strongest house player would have, expecting
    ``gain`` more points, if known.
    """

    kind: FindingKind
    hand: int
    step: int
    seat: int
    other: int | None = None
    combo: Combo | None = None
    rank: tuple[float, ...] = ()
    gain: float | None = None


class ReviewedHand(NamedTuple):
    """A finished hand. persons: for each action, whether a person chose it.

    deciding: see :func:`decided`.
    """

    number: int
    snapshots: tuple[Snapshot, ...]
    persons: tuple[bool, ...]
    deciding: bool

    @property
    def steps(self) -> list[Snapshot]:
        """The steps from the first played card to the end."""
        own = [snapshot for snapshot in self.snapshots if snapshot.before and snapshot.before.game.result is None]
        first = next(
            (at for at, snapshot in enumerate(own) if any(isinstance(done.action, Play) for done in snapshot.done)), 0
        )
        return own[first:]


def deciding_hand(match: Match) -> int:
    """Return the number, from 1, of the hand in which the winners took the lead for good."""
    ranks = (match.rules.ranking(match.results[:hands]) for hands in range(1, len(match.results) + 1))
    leading = [{seat for seat, rank in enumerate(each) if rank == min(each)} for each in ranks]
    return 2 + max((at for at, seats in enumerate(leading) if seats != leading[-1]), default=-1)


def hands_to_review(match: Match) -> list[int]:
    """Return the hands of a finished match to review: the deciding hand and the last ones."""
    first = deciding_hand(match)
    return [first, *(hand for hand in range(len(match.results), 0, -1) if hand != first)][:MAX_REVIEWED_HANDS]


def search(hand: ReviewedHand) -> list[ReviewFinding]:
    """Return the findings of a hand that need no house player."""
    return [*_overtaken(hand), *(_could_have(hand, done, combo) for done, combo in _turns(hand) if combo)]


class Candidate(NamedTuple):
    """A decision that a house player may have made differently.

    done: the seat's action; answer: the alternative. view: the seat's information at this step. hand, deciding: as in
    `Hand`.
    """

    hand: int
    deciding: bool
    step: int
    seat: Seat
    view: View
    done: Action
    answer: Play | Pass

    @property
    def finding(self) -> ReviewFinding:
        """The finding about this decision."""
        combo = self.view.plays.verify(self.answer.cards) if isinstance(self.answer, Play) else None
        beaten = isinstance(self.done, Pass) and combo is not None
        rank = int(not self.deciding), int(not beaten), fewest_opponent_cards(self.view), -self.step
        return ReviewFinding("house", self.hand, self.step, self.seat, combo=combo, rank=rank)


def candidates(hand: ReviewedHand, house: HouseDecision) -> Iterator[Candidate]:
    """Yield the decisions that this house player would make differently.

    Except missed chances to go out.
    """
    for done, combo in _turns(hand):
        if combo:
            continue
        view = done.before.view(done.seat)
        answer = house(view)
        if isinstance(answer, Play | Pass) and not is_equivalent(view, answer, done.action):
            yield Candidate(hand.number, hand.deciding, done.before.moment, done.seat, view, done.action, answer)


def best_findings(found: Iterable[ReviewFinding]) -> tuple[ReviewFinding, ...]:
    """Return the best finding of each kind, then further findings, up to MAX_FINDINGS."""
    ordered = sorted(found, key=lambda finding: finding.rank)
    kinds = [[each for each in ordered if each.kind == kind] for kind in FINDING_KINDS]
    first = [each for several in kinds for each in several[:1]]
    return (*first, *(each for several in kinds for each in several[1:]))[:MAX_FINDINGS]


# Overtaking


def _overtaken(hand: ReviewedHand) -> Iterator[ReviewFinding]:
    """Yield the last time that the player who went out first overtook another player."""
    steps = hand.steps
    if not (hand.deciding and steps and steps[0].before):
        return
    ahead, last = _ahead(None, steps[0].before), None
    for snapshot in steps:
        before, ahead = ahead, _ahead(ahead, snapshot.match)
        if None is not ahead != before is not None:
            last = ReviewFinding("overtaken", hand.number, snapshot.step, ahead, before)
        if gone := _out(snapshot.match):
            if last and last.seat in gone:
                yield last
            return


def _ahead(before: int | None, match: Match) -> int | None:
    """Return the seat with the fewest cards; in a tie the seat ahead before, or else None."""
    counts = match.view(None).counts
    first = [seat for seat, count in enumerate(counts) if count == min(counts)]
    return before if before in first else first[0] if len(first) == 1 else None


def _out(match: Match) -> set[int]:
    return {seat for seat, count in enumerate(match.view(None).counts) if not count}


# Alternatives


def _turns(hand: ReviewedHand) -> Iterator[tuple[ReplayedAction, Combo | None]]:
    """Yield the decisions of people, each with the missed combination for going out, if any."""
    every = (done for snapshot in hand.snapshots for done in snapshot.done)
    for done, person in zip(every, hand.persons, strict=False):
        if person and has_choice(done):
            yield done, _goes_out(done, done.before.view(done.seat))


def has_choice(done: ReplayedAction) -> bool:
    """Tell whether a seat asked to play had a choice."""
    view = done.before.view(done.seat)
    if not isinstance(view.ask, PlayAsk):
        return False
    declines = view.ask.may_pass or done.seat not in view.awaited
    return len(view.plays.first(2)) + declines > 1


def _goes_out(done: ReplayedAction, view: View) -> Combo | None:
    """Return the combination with which the seat could have gone out but did not."""
    if isinstance(done.action, Play) and len(done.action.cards) == len(view.hand):
        return None
    try:
        combo = view.plays.verify(view.hand)
        after = done.before.act(done.seat, Play(view.hand))
    except Illegal:
        return None
    return combo if done.seat in _out(after) else None


def _could_have(hand: ReviewedHand, done: ReplayedAction, combo: Combo) -> ReviewFinding:
    step, seat = done.before.moment, done.seat
    later = (_out(snapshot.match) - _out(done.before) for snapshot in hand.steps if snapshot.step > step)
    gone = next(filter(None, later), {seat})
    rank = int(seat in gone), int(not hand.deciding), -step
    return ReviewFinding("out", hand.number, step, seat, combo=combo, rank=rank)


def is_equivalent(view: View, one: Action, other: Action) -> bool:
    """Tell whether two actions are equivalent in the game."""
    if isinstance(one, Play) and isinstance(other, Play):
        return view.rules.alike(one.cards) == view.rules.alike(other.cards)
    return one == other


def fewest_opponent_cards(view: View) -> int:
    """Return the fewest cards of any opponent still in the hand; 0 without one."""
    apart = {view.seat, *view.allies}
    return min((count for seat, count in enumerate(view.counts) if count and seat not in apart), default=0)
