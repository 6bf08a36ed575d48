"""How a seat plays a packed hand of Big Two: by a plan and a style, without looking ahead.

A player looks at its own hand, at what lies there and at the number of cards of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from bot.ai.games.big_two_codes import CARDS, MAX_COMBO_CARDS, RANK, SUITS
from bot.ai.games.big_two_costs import Costs, Parts
from bot.ai.games.big_two_hand import BigTwoHand

FEW = 4  # cards
LEADS = 0.25  # the share of a misjudgement that counts in a lead

Error: TypeAlias = Callable[[], float]


def exact() -> float:
    """Misjudge nothing."""
    return 0.0


class BigTwoPlayer:
    """A seat with its plan.

    parts: the codes of the plan. left: known costs of rests of the hand, which grow. error: draws the misjudgement of a
    play.
    """

    __slots__ = ("costs", "error", "left", "parts", "seat")

    def __init__(self, seat: int, costs: Costs, parts: Parts, left: dict[int, float], error: Error = exact) -> None:
        self.seat, self.costs, self.parts, self.left, self.error = seat, costs, parts, left, error

    def copy(self) -> BigTwoPlayer:
        """Return a player with the same plan; what is found of costs is shared."""
        return BigTwoPlayer(self.seat, self.costs, self.parts, self.left, self.error)

    def played(self, hand: BigTwoHand, code: int) -> None:
        """Take a play out of the plan, or plan anew."""
        if code in self.parts:
            self.parts = [part for part in self.parts if part != code]
        else:
            self.parts = self.costs.plan(hand.hands[self.seat], hand.plays_of(self.seat)[MAX_COMBO_CARDS])

    replan = played

    def chosen(self, hand: BigTwoHand) -> int | None:
        """Return the play of the seat on turn that leaves the best plan, if it is worth that; None to pass."""
        nearest = min([hand.counts[other] for other in hand.after[hand.turn][:-1]])
        top = hand.top & CARDS
        if not top:
            return self._lead(hand, nearest)
        if nearest == 1 and not top & (top - 1):
            return _highest(hand)
        plays = hand.legal()
        if not plays:
            return None
        if self._goes_out(hand):
            return self.parts[0]
        return self._worthiest(hand, plays, nearest)

    # To go on

    def _wish(self, hand: BigTwoHand, nearest: int) -> float:
        """Return the turns that the seat on turn would give for a play."""
        style, mine = self.costs.style, hand.counts[hand.turn]
        wish = style.patience * (style.calm - nearest)
        wish += (0.0, 0.0, style.twos, style.threes, 0.0, style.fives)[(hand.top & CARDS).bit_count()]
        if nearest <= len(style.alarm):
            wish += style.alarm[nearest - 1]
        dear = hand.packed_rules.dear[mine]
        if dear > 1:
            wish += style.dear + (style.dearest if dear > 2 else 0.0)
        elif mine <= FEW:
            wish += style.few
        return wish

    def _goes_out(self, hand: BigTwoHand) -> bool:
        """Tell whether the plan is a single play that beats the top."""
        parts, size = self.parts, (hand.top & CARDS).bit_count()
        return len(parts) == 1 and parts[0] > hand.top | CARDS and (parts[0] & CARDS).bit_count() == size

    def _worthiest(self, hand: BigTwoHand, plays: list[int], nearest: int) -> int | None:
        """Return the play that is worth most, be it part of the plan or not; None where none is worth a turn."""
        held, fives = hand.hands[self.seat], hand.plays_of(self.seat)[MAX_COMBO_CARDS]
        costs, error, left, style = self.costs, self.error, self.left, self.costs.style
        stop = style.stop if nearest <= style.near else 0.0
        best, most, standing, now = 0, 0.0, costs.standing, costs.turns(self.parts) + self._wish(hand, nearest)
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
        return best or None

    # To lead

    def _lead(self, hand: BigTwoHand, nearest: int) -> int | None:
        """Return the weakest part of the plan, long before short; the strongest where the others are hardly beaten."""
        costs, error = self.costs, self.error
        parts = [code for code in self.parts if code & hand.must] if hand.must else self.parts
        if len(parts) == 1:
            return None if hand.packed_rules.stuck(hand.hands[hand.turn]) else parts[0]
        standing, sure = costs.standing, costs.style.sure
        if nearest == 1:
            return self._lead_before_a_last_card(hand, parts)
        if sum([standing[code] < sure for code in parts]) <= 1:
            return max(parts, key=standing.__getitem__)
        return min(parts, key=lambda code: self._early(code, nearest) + LEADS * error())

    def _early(self, code: int, nearest: int) -> float:
        """Return what is least for what to lead first."""
        costs, style, size = self.costs, self.costs.style, (code & CARDS).bit_count()
        high = code & RANK << SUITS * (costs.codes.ranks - 1)
        early = costs.standing[code] - style.longer * size + (style.meet if size == nearest else 0.0)
        return early + style.hoard * high.bit_count() if high else early

    def _lead_before_a_last_card(self, hand: BigTwoHand, parts: Parts) -> int:
        """Return several cards, be they of the plan or not, or the highest card."""
        several = [code for code in parts if (code & CARDS).bit_count() > 1]
        if several:
            return min(several, key=lambda code: self._early(code, 1))
        pairs = [code for plays in hand.plays_of(hand.turn)[2:] for code in plays if not hand.must or code & hand.must]
        return pairs[0] if pairs else max(parts)


def _highest(hand: BigTwoHand) -> int | None:
    """Return the highest card if it is legal: a duty before an opponent's last card, and wise."""
    held = hand.hands[hand.turn]
    code = hand.packed_rules.codes.of[1 << (held.bit_length() - 1)]
    return code if code > hand.top | CARDS and not hand.packed_rules.stuck(held) else None
