"""Feats and achievements in a hand or a match, found from public information."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from bot.rules.core.game import Public
from bot.rules.core.trick import Combo, Move, Trick

MIN_TAKEN, MIN_WON = 8, 6  # cards taken at once; consecutive tricks


class Feat(NamedTuple):
    """A rare event.

    kind: a key of FEAT_RULES. number: of cards or tricks; seats: the other seats involved.
    """

    kind: str
    hand: int
    seat: int
    number: int = 0
    combo: Combo | None = None
    seats: tuple[int, ...] = ()


@dataclass(frozen=True)
class FinishedHand:
    """A finished hand as public information. first: the first-placed seat, or None."""

    view: Public
    hand: int
    first: int | None

    @cached_property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks, each with its lead first; without those shuffled back into the stock."""
        return tuple(trick for trick in (*self.view.tricks, self.view.trick) if trick.moves)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of every trick."""
        return tuple(move for trick in self.tricks for move in trick.moves)

    @cached_property
    def plays(self) -> tuple[Move, ...]:
        """The moves that are plays."""
        return tuple(move for move in self.moves if move.combo)


def feats(view: Public, hand: int) -> tuple[Feat, ...]:
    """Return the greatest feat of each kind in a finished hand, in the order of FEAT_RULES."""
    order = view.result.order if view.result else ()
    ended = FinishedHand(view, hand, order[0] if order else None)
    best = (max(found(ended), key=_greatness, default=None) for found in FEAT_RULES.values())
    return tuple(feat for feat in best if feat)


def rarest(found: Iterable[Feat]) -> list[Feat]:
    """Return the greatest feat of each kind in a match, rarest kind first, each play once.

    Of equal feats the later one counts.
    """
    kinds = tuple(FEAT_RULES)
    order = sorted(found, key=lambda feat: (*_greatness(feat), feat.hand))
    greatest = {feat.kind: feat for feat in order}
    told = sorted(greatest.values(), key=lambda feat: kinds.index(feat.kind))
    return [feat for at, feat in enumerate(told) if not any(_same_play(feat, other) for other in told[:at])]


def _same_play(feat: Feat, other: Feat) -> bool:
    return feat.combo is not None and (feat.hand, feat.seat, feat.combo) == (other.hand, other.seat, other.combo)


def _greatness(feat: Feat) -> tuple[int, int, int]:
    level, strength = (feat.combo.level, feat.combo.strength) if feat.combo else (0, 0)
    return feat.number, level, strength


def _bomb_feats(ended: FinishedHand) -> Iterator[Feat]:
    """Bombs played on another combination."""
    for trick in (*ended.view.tricks, ended.view.trick):
        plays = [move for move in trick.moves if move.combo]
        for move in plays[1:]:
            if move.combo and ended.view.rules.bomb(move.combo):
                yield Feat("bomb", ended.hand, move.seat, len(move.combo.cards), move.combo)


def _shut_out(ended: FinishedHand) -> Iterator[Feat]:
    """Seats without a single play before the first player went out."""
    result, played = ended.view.result, {move.seat for move in ended.plays}
    if result is None or ended.first not in played or result.left[ended.first]:
        return
    never = tuple(seat for seat in range(len(result.left)) if seat not in played)
    if never:
        yield Feat("alone" if len(played) == 1 else "never", ended.hand, ended.first, len(never), None, never)


def _alone_feats(ended: FinishedHand) -> Iterator[Feat]:
    return (feat for feat in _shut_out(ended) if feat.kind == "alone")


def _never(ended: FinishedHand) -> Iterator[Feat]:
    return (feat for feat in _shut_out(ended) if feat.kind == "never")


def _long(ended: FinishedHand) -> Iterator[Feat]:
    """Plays of at least half of a dealt hand."""
    rules = ended.view.rules
    return (
        Feat("long", ended.hand, seat, len(combo.cards))
        for seat, combo, _ in ended.plays
        if combo and 2 * len(combo.cards) >= len(rules.pack) // rules.players
    )


def _taken(ended: FinishedHand) -> Iterator[Feat]:
    return (Feat("taken", ended.hand, seat, len(took)) for seat, _, took in ended.moves if len(took) >= MIN_TAKEN)


def _row(ended: FinishedHand) -> Iterator[Feat]:
    """The winner of the last tricks in a row."""
    owners = [trick.owner for trick in (*ended.view.tricks, ended.view.trick) if trick.owner is not None]
    if ended.first is not None:
        last = sum(1 for _ in takewhile(lambda owner: owner == ended.first, reversed(owners)))
        if last >= MIN_WON:
            yield Feat("row", ended.hand, ended.first, last)


FEAT_RULES: dict[str, Callable[[FinishedHand], Iterator[Feat]]] = {
    "bomb": _bomb_feats,
    "alone": _alone_feats,
    "never": _never,
    "long": _long,
    "taken": _taken,
    "row": _row,
}


VERSION: Final = 2  # of these rules: a new version evaluates all matches again
FEW, FULL_HAND, SIX_CARDS, DRAGON_CARDS, MIN_LAST_TRICKS, MAX_BLITZ_TRICKS, MIN_PATIENT_PASSES, MIN_LEADS = (
    5,
    13,
    6,
    12,
    5,
    3,
    5,
    3,
)
MIN_HANDS, MARATHON_HANDS, STEADY_HANDS = 3, 20, 5


class Achievement(NamedTuple):
    """An achievement of a seat. code: a key of IN_A_HAND or IN_A_MATCH."""

    code: str
    seat: int


def achievements_of_hand(view: Public) -> tuple[Achievement, ...]:
    """Return the achievements in a finished hand, each once for a seat."""
    order = view.result.order if view.result else ()
    ended = FinishedHand(view, 0, order[0] if order else None)
    return tuple(Achievement(code, seat) for code, found in IN_A_HAND.items() for seat in sorted(set(found(ended))))


class MatchCourse(NamedTuple):
    """A finished match. ranks: after each hand, a number for each seat, lowest best."""

    ranks: Sequence[Sequence[int]]
    winners: Sequence[Sequence[int]]  # the first-placed seats of each hand
    places: Sequence[int]

    @property
    def winner(self) -> int | None:
        """The single winner, None for shared first places."""
        first = [seat for seat, place in enumerate(self.places) if place == 1]
        return first[0] if len(first) == 1 else None


def achievements_of_match(course: MatchCourse) -> tuple[Achievement, ...]:
    """Return the achievements in a match as a whole."""
    return tuple(Achievement(code, seat) for code, found in IN_A_MATCH.items() for seat in sorted(set(found(course))))


# In a hand


def _plays(ended: FinishedHand, seat: int) -> list[Combo]:
    return [move.combo for move in ended.plays if move.seat == seat and move.combo]


def _winner(wanted: Callable[[FinishedHand, int], bool]) -> Callable[[FinishedHand], Iterator[int]]:
    """Return a rule for the first-placed seat, if it got rid of all cards."""

    def found(ended: FinishedHand) -> Iterator[int]:
        result = ended.view.result
        if (
            ended.first is not None
            and result is not None
            and not result.left[ended.first]
            and wanted(ended, ended.first)
        ):
            yield ended.first

    return found


def _sprint(ended: FinishedHand, seat: int) -> bool:
    plays = _plays(ended, seat)
    return 0 < len(plays) <= FEW and sum(len(combo.cards) for combo in plays) >= FULL_HAND


def _alone(ended: FinishedHand, seat: int) -> bool:
    return {move.seat for move in ended.plays} == {seat}


def _never_passed(ended: FinishedHand, seat: int) -> bool:
    mine = [move for move in ended.moves if move.seat == seat]
    return len(mine) >= FEW and all(move.combo for move in mine)


def _patient(ended: FinishedHand, seat: int) -> bool:
    return sum(move.seat == seat and not move.combo and not move.taken for move in ended.moves) >= MIN_PATIENT_PASSES


def _last_tricks(ended: FinishedHand, seat: int) -> bool:
    owners = [trick.owner for trick in ended.tricks]
    return sum(1 for _ in takewhile(lambda owner: owner == seat, reversed(owners))) >= MIN_LAST_TRICKS


def _conductor(ended: FinishedHand, seat: int) -> bool:
    leads = [trick.moves[0].seat for trick in ended.tricks]
    return len(leads) >= MIN_LEADS and set(leads) == {seat}


def _blitz(ended: FinishedHand, seat: int) -> bool:
    return len(ended.tricks) <= MAX_BLITZ_TRICKS and sum(len(combo.cards) for combo in _plays(ended, seat)) >= FULL_HAND


def _grand_exit(ended: FinishedHand, seat: int) -> bool:
    return len(_plays(ended, seat)[-1].cards) >= FEW if _plays(ended, seat) else False


def _late_riser(ended: FinishedHand, seat: int) -> bool:
    return all(move.seat != seat or not move.combo for trick in ended.tricks[:2] for move in trick.moves)


def _bombs(ended: FinishedHand) -> Iterator[int]:
    return (move.seat for move, _ in bombs_on_plays(ended))


def _counter(ended: FinishedHand) -> Iterator[int]:
    return (move.seat for move, under in bombs_on_plays(ended) if under.combo and ended.view.rules.bomb(under.combo))


def bombs_on_plays(ended: FinishedHand) -> Iterator[tuple[Move, Move]]:
    """Yield each bomb played on another combination, with the move beaten."""
    for trick in ended.tricks:
        plays = [move for move in trick.moves if move.combo]
        for under, move in pairwise(plays):
            if move.combo and ended.view.rules.bomb(move.combo):
                yield move, under


def _at_once(least: int) -> Callable[[FinishedHand], Iterator[int]]:
    return lambda ended: (move.seat for move in ended.plays if move.combo and len(move.combo.cards) >= least)


def _hoarder(ended: FinishedHand) -> Iterator[int]:
    return (move.seat for move in ended.moves if len(move.taken) >= FEW)


def _so_close(ended: FinishedHand) -> Iterator[int]:
    left = ended.view.result.left if ended.view.result else ()
    return (seat for seat, held in enumerate(left) if len(held) == 1)


def _spectator(ended: FinishedHand) -> Iterator[int]:
    played, result = {move.seat for move in ended.plays}, ended.view.result
    seats = range(len(result.left)) if result and played else ()
    return (seat for seat in seats if seat not in played)


# In a match


def _perfect(course: MatchCourse) -> Iterator[int]:
    if course.winner is not None and len(course.winners) >= MIN_HANDS:
        yield from [course.winner] if all(list(first) == [course.winner] for first in course.winners) else []


def _wire(course: MatchCourse) -> Iterator[int]:
    if (
        course.winner is not None
        and len(course.ranks) >= MIN_HANDS
        and all(_alone_at(ranks, course.winner, min) for ranks in course.ranks)
    ):
        yield course.winner


def _comeback(course: MatchCourse) -> Iterator[int]:
    half = len(course.ranks) // 2
    if course.winner is not None and half >= 2 and _alone_at(course.ranks[half - 1], course.winner, max):
        yield course.winner


def _photo(course: MatchCourse) -> Iterator[int]:
    if course.winner is not None and course.ranks:
        best, second, *_ = sorted(course.ranks[-1])
        yield from [course.winner] if second - best == 1 and course.ranks[-1][course.winner] == best else []


def _marathon(course: MatchCourse) -> Iterable[int]:
    return range(len(course.places)) if len(course.ranks) >= MARATHON_HANDS else ()


def _steady(course: MatchCourse) -> Iterator[int]:
    if len(course.ranks) >= STEADY_HANDS:
        yield from (
            seat for seat in range(len(course.places)) if not any(ranks[seat] == max(ranks) for ranks in course.ranks)
        )


def _alone_at(ranks: Sequence[int], seat: int, end: Callable[[Sequence[int]], int]) -> bool:
    return ranks[seat] == end(ranks) and list(ranks).count(ranks[seat]) == 1


IN_A_HAND: Mapping[str, Callable[[FinishedHand], Iterable[int]]] = {
    "sprint": _winner(_sprint),
    "alone": _winner(_alone),
    "never_passed": _winner(_never_passed),
    "patient": _winner(_patient),
    "last_tricks": _winner(_last_tricks),
    "conductor": _winner(_conductor),
    "blitz": _winner(_blitz),
    "grand_exit": _winner(_grand_exit),
    "late_riser": _winner(_late_riser),
    "bomb": _bombs,
    "counter": _counter,
    "six": _at_once(SIX_CARDS),
    "dragon": _at_once(DRAGON_CARDS),
    "hoarder": _hoarder,
    "so_close": _so_close,
    "spectator": _spectator,
}
IN_A_MATCH: Mapping[str, Callable[[MatchCourse], Iterable[int]]] = {
    "perfect": _perfect,
    "wire": _wire,
    "comeback": _comeback,
    "photo": _photo,
    "marathon": _marathon,
    "steady": _steady,
}
