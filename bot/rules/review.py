"""Looking back at a finished match: where it turned, who could have gone out, and what a house player would have done.

Pure: how hands were played goes in, what is worth another look comes out. Each finding is checked by the rules; what
somebody could have done follows from what they could see. Refuses to know how it is said, and what is shown to whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from bot.rules.actions import Action, Pass, Play
from bot.rules.asks import PlayAsk
from bot.rules.cards import Cards
from bot.rules.film import Done, Shot
from bot.rules.game import View
from bot.rules.marks import played
from bot.rules.match import Match
from bot.rules.sentences import Illegal
from bot.rules.trick import Combo

Kind: TypeAlias = Literal["ahead", "out", "play", "other", "pass"]
Advice: TypeAlias = Callable[[View], Action | None]  # what a house player does, who sees this and no more


class Finding(NamedTuple):
    """A moment worth another look.

    kind: somebody came ahead here for good; somebody could have gone out; where somebody passed a house player would
    have played, where they played something else, or would have passed. step: where the replay shows it. hand: its
    number. did: what they played. combo: what they could have gone out with, or a house player would have played.
    weight: the higher, the more it mattered, among findings of one kind.
    """

    kind: Kind
    step: int
    hand: int
    seat: int
    did: Combo | None = None
    combo: Combo | None = None
    weight: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """What is worth another look. first: at most one finding of a kind; more: what else there is, by weight."""

    first: tuple[Finding, ...]
    more: tuple[Finding, ...]


def review(found: Iterable[Finding]) -> Review:
    """Put findings in order: where it turned, who could have gone out, what a house player would have done."""
    ranked = sorted(found, key=lambda one: one.weight, reverse=True)
    sorts = [
        [one for one in ranked if one.kind in kinds] for kinds in (("ahead",), ("out",), ("play", "other", "pass"))
    ]
    return Review(tuple(sort[0] for sort in sorts if sort), tuple(one for sort in sorts for one in sort[1:]))


def deciding(ends: Sequence[Match]) -> int:
    """Return which hand, from 0, decided a match: whoever has won was first after it and after all that followed.

    ends: the match at the end of each of its hands, at least one.
    """
    won = _first(ends[-1])
    led = [bool(won & _first(end)) for end in ends]
    return max((at + 1 for at, leads in enumerate(led) if not leads), default=0)


def _first(match: Match) -> set[int]:
    return {seat for seat, place in enumerate(match.places) if place == 1}


def turned(shots: Iterable[Shot]) -> Finding | None:
    """Return where whoever held the fewest cards in the end of a hand overtook somebody for the last time.

    Who holds the fewest alone is ahead, and stays so until somebody else does. None where nobody was overtaken.
    """
    ahead, found = None, None
    for shot in shots:
        counts = shot.match.view(None).counts
        fewest = [seat for seat, count in enumerate(counts) if count == min(counts)]
        if played(shot) and len(fewest) == 1 and fewest[0] != ahead:
            if ahead is not None:
                found = Finding("ahead", shot.step, shot.match.number, fewest[0])
            ahead = fewest[0]
    return found


def missed(done: Iterable[Done], advice: Advice, *, decided: bool) -> Iterator[Finding]:
    """Give what somebody could have done at turns at which they were asked to play. decided: whether in that hand."""
    for turn in done:
        view = turn.before.view(turn.seat)
        if isinstance(view.ask, PlayAsk) and isinstance(turn.action, Play | Pass):
            found = _could_go_out(turn, view, decided) or _otherwise(turn, view, advice, decided)
            if found is not None:
                yield found


def _could_go_out(turn: Done, view: View, decided: bool) -> Finding | None:
    """Return that somebody could have got rid of all their cards at once, if they did not."""
    try:
        combo = view.plays.verify(view.hand)
        stays = _left(turn, Play(view.hand)) or not _left(turn, turn.action)
    except Illegal:
        return None
    return None if stays else _found("out", turn, combo, (decided, turn.before.moment))


def _left(turn: Done, action: Action) -> Cards:
    """Return what the seat of a turn holds after an action. Raises Illegal."""
    after = turn.before.act(turn.seat, action)
    return after.game.result.left[turn.seat] if after.game.result else after.view(turn.seat).hand


def _otherwise(turn: Done, view: View, advice: Advice, decided: bool) -> Finding | None:
    """Return what a house player would have done, if that is something else."""
    wanted, did = advice(view), turn.action
    if not isinstance(wanted, Play | Pass) or _same(view, wanted, did):
        return None
    nearest = min(count for seat, count in enumerate(view.counts) if seat != turn.seat)
    weight = decided, isinstance(did, Pass), -nearest, turn.before.moment
    if isinstance(wanted, Pass):
        return _found("pass", turn, None, weight)
    kind: Kind = "play" if isinstance(did, Pass) else "other"
    return _found(kind, turn, view.plays.verify(wanted.cards), weight)


def _same(view: View, wanted: Action, did: Action) -> bool:
    if isinstance(wanted, Play) and isinstance(did, Play):
        return view.rules.alike(wanted.cards) == view.rules.alike(did.cards)
    return type(wanted) is type(did)


def _found(kind: Kind, turn: Done, combo: Combo | None, weight: tuple[int, ...]) -> Finding:
    before, did = turn.before, turn.action
    laid = before.view(turn.seat).plays.verify(did.cards) if isinstance(did, Play) else None
    return Finding(kind, before.moment, before.number, turn.seat, laid, combo, weight)
