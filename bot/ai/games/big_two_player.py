"""How somebody plays a packed hand of Big Two from a plan and a style, without looking ahead; and hands played out so.

Knows what the seat on turn holds, what lies there and how many cards the others have. Refuses to look at their cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from bot.ai.games.big_two_codes import CARDS, MOST, RANK, SUITS
from bot.ai.games.big_two_costs import Costs
from bot.ai.games.big_two_hand import PackedHand

PASS = 0  # what stands for a code where somebody passes
FEW = 4  # cards
WORTHLESS = 0.0  # what a play has to be worth more than
LEADS = 0.25  # a misjudged lead is misjudged by so much of what another play is

Parts: TypeAlias = list[int]  # the codes in which somebody means to lay down what they hold
Error: TypeAlias = Callable[[], float]


class Mood(NamedTuple):
    """What the seat on turn would give for a play. wish: turns; stop: more turns for what is surely not beaten."""

    wish: float
    stop: float


def exact() -> float:
    """Misjudge nothing."""
    return 0.0


def ponder(
    hand: PackedHand, parts: Parts, costs: Costs, error: Error = exact, left: dict[int, float] | None = None
) -> int:
    """Return what the seat on turn plays, or PASS: of all it could play what leaves the best plan, if that is worth it.

    parts: its plan. error: by how much a play is misjudged. left: what was found of what is left of its hand; is added
    to.
    """
    if not hand.top:
        return _lead(hand, parts, costs, error)
    if _has_to_stop(hand):
        return _highest(hand)
    plays = hand.legal()
    if not plays:
        return PASS
    mood = _mood(hand, costs)
    if _goes_out(hand, parts):
        return parts[0]
    return _worthiest(hand, plays, costs.turns(parts), costs, mood, error, {} if left is None else left)


# To go on


def _nearest(hand: PackedHand) -> int:
    """Return the smallest number of cards that another seat holds."""
    return min([hand.counts[other] for other in hand.after[hand.turn][:-1]])


def _has_to_stop(hand: PackedHand) -> bool:
    """Tell whether a single card lies there and somebody has only one left."""
    cards = hand.top & CARDS
    return not cards & (cards - 1) and _nearest(hand) == 1


def _highest(hand: PackedHand) -> int:
    """Return the highest card where it can be played: before a last card that is a duty, and wise."""
    held = hand.hands[hand.turn]
    code = hand.law.codes.of[1 << (held.bit_length() - 1)]
    return code if code > hand.top | CARDS and not hand.law.stuck(held) else PASS


def _mood(hand: PackedHand, costs: Costs) -> Mood:
    style, mine, nearest = costs.style, hand.counts[hand.turn], _nearest(hand)
    wish = style.patience * (style.calm - nearest)
    wish += (0.0, 0.0, style.twos, style.threes, 0.0, style.fives)[(hand.top & CARDS).bit_count()]
    if nearest <= len(style.alarm):
        wish += style.alarm[nearest - 1]
    dear = hand.law.dear[mine]
    if dear > 1:
        wish += style.dear + (style.dearest if dear > 2 else 0.0)
    elif mine <= FEW:
        wish += style.few
    return Mood(wish, style.stop if nearest <= style.near else 0.0)


def _goes_out(hand: PackedHand, parts: Parts) -> bool:
    """Tell whether the plan is one play that goes on what lies there."""
    size = (hand.top & CARDS).bit_count()
    return len(parts) == 1 and parts[0] > hand.top | CARDS and (parts[0] & CARDS).bit_count() == size


def _worthiest(
    hand: PackedHand, plays: list[int], now: float, costs: Costs, mood: Mood, error: Error, left: dict[int, float]
) -> int:
    """Return the play that is worth most, be it part of the plan or not; PASS where none is worth anything."""
    held, fives = hand.hands[hand.turn], hand.plays_of(hand.turn)[MOST]
    best, most, standing, (wish, stop) = PASS, WORTHLESS, costs.standing, mood
    now += wish
    for code in plays:
        rest = held & ~code
        cost = left.get(rest)
        if cost is None:
            cost = left[rest] = costs.planned(rest, fives)
        worth = now - cost + error()
        if stop:
            worth += stop * standing[code]
        if worth > most or (worth == most and code > best):
            best, most = code, worth
    return best


# To lead


def _lead(hand: PackedHand, parts: Parts, costs: Costs, error: Error) -> int:
    """Return what to lead: the weakest part, long before short, but what nobody beats where that is as good as won."""
    if hand.must:
        parts = [code for code in parts if code & hand.must]
    if len(parts) == 1:
        return PASS if hand.law.stuck(hand.hands[hand.turn]) else parts[0]
    nearest, standing, sure = _nearest(hand), costs.standing, costs.style.sure
    if nearest == 1:
        return _lead_before_a_last_card(hand, parts, costs)
    if sum([standing[code] < sure for code in parts]) <= 1:
        return max(parts, key=standing.__getitem__)
    return min(parts, key=lambda code: _early(code, costs, nearest) + LEADS * error())


def _early(code: int, costs: Costs, nearest: int) -> float:
    """Return what is least for what to lead first."""
    style, size = costs.style, (code & CARDS).bit_count()
    high = code & RANK << SUITS * (costs.codes.ranks - 1)
    early = costs.standing[code] - style.longer * size + (style.meet if size == nearest else 0.0)
    return early + style.hoard * high.bit_count() if high else early


def _lead_before_a_last_card(hand: PackedHand, parts: Parts, costs: Costs) -> int:
    """Return several cards, be they of the plan or not, or the highest card."""
    several = [code for code in parts if (code & CARDS).bit_count() > 1]
    if several:
        return min(several, key=lambda code: _early(code, costs, 1))
    pairs = [code for plays in hand.plays_of(hand.turn)[2:] for code in plays if not hand.must or code & hand.must]
    return pairs[0] if pairs else max(parts)


# To the end


def play_out(hand: PackedHand, plans: list[Parts], costs: Sequence[Costs], left: Sequence[dict[int, float]]) -> None:
    """Play a hand to its end, each seat by its plan and its costs.

    plans: as they stand; they change. left: for each seat what was found of what is left of its hand; is added to.
    """
    while not hand.over:
        seat = hand.turn
        parts = plans[seat]
        code = ponder(hand, parts, costs[seat], exact, left[seat])
        if not code:
            hand.skip()
            continue
        hand.play(code)
        if code in parts:
            plans[seat] = [part for part in parts if part != code]
        else:
            plans[seat] = costs[seat].plan(hand.hands[seat], hand.plays_of(seat)[MOST])
