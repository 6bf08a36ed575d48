"""Review of a finished match: changes of the lead, missed chances, and better actions.

Each decision is judged only by the information its seat had at that time. The caller supplies the house player. Only
decisions of people count: no queued play, no turn without a choice. Independent of wording and players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from bot.rules.coaching.moments import is_a_round
from bot.rules.core.asks import ORDER, Action, Ask, Choose, ChooseAsk, GiveAsk, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal, Seat
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match
from bot.rules.matches.replay import ReplayedAction, Snapshot, played

FindingKind: TypeAlias = Literal["overtaken", "out", "better"]
HouseDecision: TypeAlias = Callable[[View], Action | None]
Chosen: TypeAlias = Combo | Action  # a play as its combination, any other action as it is

FINDING_KINDS: tuple[FindingKind, ...] = ("overtaken", "out", "better")
MAX_REVIEWED_HANDS = 8  # reviewed in a match; each hand takes 15 to 50 ms
MAX_FINDINGS = 12  # findings in a match


class Situation(NamedTuple):
    """The question to a seat. top, owner: the play to beat and its seat, None for a lead.

    is_a_round: whether the trick was led with an A card, so that the highest card takes it.
    """

    ask: Ask | None
    top: Combo | None = None
    owner: int | None = None
    is_a_round: bool = False

    @classmethod
    def of(cls, view: View) -> Situation:
        """Return the situation of the seat of a view."""
        return cls(view.ask, view.trick.top, view.trick.owner, is_a_round(view.trick))


class ReviewFinding(NamedTuple):
    """A moment of a match.

    step: where to show it. situation, done: what the seat was asked, and what it did; None for a change of the lead
    that no play caused. overtaken: from here on this seat had fewer cards than the seat ``other``. out: the seat could
    have gone out with ``best``. better: the strongest house player would have done ``best``. gain: the expected points
    between ``done`` and ``best``, None where no points can be counted. rank: lower ranks come first.
    """

    kind: FindingKind
    hand: int
    step: int
    seat: int
    situation: Situation | None = None
    done: Chosen | None = None
    best: Chosen | None = None
    other: int | None = None
    rank: tuple[float, ...] = ()
    gain: float | None = None


class ReviewedHand(NamedTuple):
    """A finished hand.

    persons: for each action, whether a person chose it. deciding: see :func:`deciding_hand`.

    seat: the reviewed seat, None for all. over: whether the match has ended, so that answers in secret may be told.
    """

    number: int
    snapshots: tuple[Snapshot, ...]
    persons: tuple[bool, ...]
    deciding: bool
    seat: int | None = None
    over: bool = True

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


def turning_points(hand: ReviewedHand) -> list[ReviewFinding]:
    """Return the findings of a hand that need no house player."""
    return list(_overtaken(hand))


class Candidate(NamedTuple):
    """A decision that may have been a mistake.

    done: the seat's action; planned: what a plain house player would do.

    view: the seat's information at this step. goes_out: whether the seat missed a chance to go out. early: whether
    another seat went out next. hand, deciding: as in `ReviewedHand`.
    """

    hand: int
    deciding: bool
    step: int
    seat: Seat
    view: View
    done: Action
    planned: Action | None
    goes_out: bool = False
    early: bool = False

    @property
    def is_doubtful(self) -> bool:
        """Whether the seat missed going out, or a plain house player would have acted otherwise."""
        return self.goes_out or not (self.planned is None or is_equivalent(self.view, self.planned, self.done))

    @property
    def rank(self) -> tuple[float, ...]:
        """The urgency of an evaluation.

        Lower ranks come first, missed chances to go out before all others.
        """
        if self.goes_out:
            return 0, int(not self.early), int(not self.deciding), -self.step
        ask = self.view.ask
        missed = not isinstance(ask, PlayAsk) or (isinstance(self.done, Pass) and isinstance(self.planned, Play))
        return 1, int(not self.deciding), int(not missed), fewest_opponent_cards(self.view), -self.step

    def finding(self, best: Action, gain: float | None) -> ReviewFinding:
        """Return the finding that another action was better. gain: as in `ReviewFinding`."""
        view, out = self.view, self.goes_out and isinstance(best, Play) and len(best.cards) == len(self.view.hand)
        return ReviewFinding(
            "out" if out else "better",
            self.hand,
            self.step,
            self.seat,
            situation=Situation.of(view),
            done=_chosen(view, self.done),
            best=_chosen(view, best),
            rank=self.rank,
            gain=gain,
        )


def _chosen(view: View, action: Action) -> Chosen:
    return view.plays.verify(action.cards) if isinstance(action, Play) else action


def candidates(hand: ReviewedHand, house: HouseDecision) -> Iterator[Candidate]:
    """Yield the decisions of people in a hand, each with the choice of this house player."""
    for done in _decisions(hand):
        view, step = done.before.view(done.seat), done.before.moment
        out = isinstance(view.ask, PlayAsk) and _misses_going_out(done, view)
        early = out and _goes_out_later(hand, done)
        yield Candidate(
            hand.number, hand.deciding, step, done.seat, view, done.action, house(view), goes_out=out, early=early
        )


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
            last = _overtaking(hand.number, snapshot, ahead, before)
        if gone := _out(snapshot.match):
            if last and last.seat in gone:
                yield last
            return


def _overtaking(number: int, snapshot: Snapshot, seat: int, other: int) -> ReviewFinding:
    laid = played(snapshot)
    own = snapshot.before.view(seat) if snapshot.before and laid and laid[0] == seat else None
    situation, done = (Situation.of(own), laid[1]) if own and laid else (None, None)
    return ReviewFinding("overtaken", number, snapshot.step, seat, situation=situation, done=done, other=other)


def _ahead(before: int | None, match: Match) -> int | None:
    """Return the seat with the fewest cards; in a tie the seat ahead before, or else None."""
    counts = match.view(None).counts
    first = [seat for seat, count in enumerate(counts) if count == min(counts)]
    return before if before in first else first[0] if len(first) == 1 else None


def _out(match: Match) -> set[int]:
    return {seat for seat, count in enumerate(match.view(None).counts) if not count}


# Alternatives


def _decisions(hand: ReviewedHand) -> Iterator[ReplayedAction]:
    """Yield the decisions of people that may be told; of a changed answer, the final one."""
    persons = iter(hand.persons)
    for snapshot in hand.snapshots:
        last = dict[object, ReplayedAction]()
        for done, person in zip(snapshot.done, persons, strict=False):  # the order takes no flag too many
            answer = done.seat if isinstance(done.action, Choose) else (done.seat, done.before.ply)
            first = last.pop(answer, done)
            if person and has_choice(done) and _may_be_shown(hand, done):
                last[answer] = first._replace(action=done.action)
        yield from last.values()


def _may_be_shown(hand: ReviewedHand, done: ReplayedAction) -> bool:
    """Tell whether a decision belongs to the review.

    An answer in secret is told to its seat alone.
    """
    if hand.seat is not None:
        return done.seat == hand.seat
    ask = done.before.view(done.seat).ask
    if not isinstance(ask, ChooseAsk):
        return True
    return not ask.stays_secret and (hand.over or not done.before.game.secrecy.together)


def has_choice(done: ReplayedAction) -> bool:
    """Tell whether a seat had a choice.

    Answers queued for later questions are no choice at this one.
    """
    view = done.before.view(done.seat)
    match view.ask:
        case PlayAsk(may_pass=may_pass):
            declines = may_pass or done.seat not in view.awaited
            return len(view.plays.first(2)) + declines > 1
        case NameAsk(cards=cards, may_pass=may_pass):
            return len(cards) + may_pass > 1
        case GiveAsk(count=count) as ask:
            return len(ask.givable(view.hand)) > count
        case ChooseAsk() as ask:
            return not ask.idle and isinstance(done.action, Choose) and done.action.codes[0] != ORDER
    return False


def _misses_going_out(done: ReplayedAction, view: View) -> bool:
    """Tell whether the seat could have gone out but did not."""
    if isinstance(done.action, Play) and len(done.action.cards) == len(view.hand):
        return False
    try:
        after = done.before.act(done.seat, Play(view.hand))
    except Illegal:
        return False
    return done.seat in _out(after)


def _goes_out_later(hand: ReviewedHand, done: ReplayedAction) -> bool:
    """Tell whether another seat was the next to go out."""
    later = (_out(snapshot.match) - _out(done.before) for snapshot in hand.steps if snapshot.step > done.before.moment)
    return done.seat not in next(filter(None, later), {done.seat})


def is_equivalent(view: View, one: Action, other: Action) -> bool:
    """Tell whether two actions are equivalent in the game."""
    if isinstance(one, Play) and isinstance(other, Play):
        return view.rules.alike(one.cards) == view.rules.alike(other.cards)
    return one == other


def fewest_opponent_cards(view: View) -> int:
    """Return the fewest cards of any opponent still in the hand; 0 without one."""
    apart = {view.seat, *view.allies}
    return min((count for seat, count in enumerate(view.counts) if count and seat not in apart), default=0)
