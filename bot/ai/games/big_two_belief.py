"""The opponent model of Big Two: what a seat believes about the hidden cards, and hands drawn from that belief.

A card that a player would have played is less likely in that player's hand; by how much was counted in hands between
house players.
"""

from __future__ import annotations

import random

from bot.ai.games.big_two_codes import CARDS, SUITS
from bot.ai.games.big_two_hand import BigTwoHand
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.game import View

PASSED = ((10, 0.92), (5, 0.8), (0, 0.5))  # that passed, holding so many: a card that would have gone on, by itself
PASSED_PAIR = 0.9  # or of a rank of which two would have gone on
SKIPPED, SKIPPED_HIGH = 0.75, 0.6  # that played higher than need be: a card between, and one of the highest ranks
HIGH = 3  # ranks
LEAST = 0.1  # anything stays so likely
# How often a careful and an eager player pass while all their cards cost double: by the number of cards that lie there,
# and whether these are of the lower half, of a middle rank, or high. And whom one takes for eager to begin with.
PASSING = {1: ((0.06, 0.01), (0.26, 0.03), (0.75, 0.50)), 2: ((0.38, 0.08), (0.60, 0.26), (0.87, 0.79))}
EAGER = 0.4


class Belief:
    """What a seat knows and believes.

    hand: the hand as it stands, with cards for the opponents that they could hold. hidden: cards that any opponent may
    hold. known: the cards that were seen, by their seat. eager: the chance that each seat plays whenever it can.
    doubts: for hidden cards with uneven chances, the weight of each seat, and last of no seat.
    """

    def __init__(self, view: View, *, doubting: bool = True) -> None:
        imagined = view.rules.imagine(view, random.Random(0))
        assert isinstance(imagined, BigTwoGame)
        self.hand = BigTwoHand.of(imagined)
        self.seat = view.seat or 0
        mask = self.hand.packed_rules.codes.mask
        self.known = [mask(tuple(card for holder, card in view.known if holder == seat)) for seat in self._seats]
        low = dict(view.facts).get("low")
        away = (sum(self.hand.hands) | mask(imagined.stock)) & ~sum(self.known) & ~self.hand.hands[self.seat]
        least = mask((low,)) if low else 0
        self.hidden = [bit for bit in self.hand.packed_rules.bits if bit & away and bit >= least]
        self.eager = [EAGER for _ in self._seats]
        self.doubts: dict[int, list[float]] = {}
        if doubting:
            self._doubt(view)

    @property
    def _seats(self) -> range:
        return range(len(self.hand.hands))

    @property
    def about(self) -> int:
        """The cards that may be in any hand."""
        return sum(self.hidden) | sum(self.known) | self.hand.hands[self.seat]

    # What moves tell

    def _doubt(self, view: View) -> None:
        """Go through what was played and passed."""
        codes, tricks = self.hand.packed_rules.codes, (*view.tricks, view.trick)
        counts = list(view.counts)
        for trick in tricks:
            for seat, combo, _ in trick.moves:
                counts[seat] += len(combo.cards) if combo else 0
        for trick in tricks:
            top = 0
            for seat, combo, _ in trick.moves:
                code = codes.code_of(combo.cards) if combo else 0
                if top and seat != self.seat:
                    self._note(seat, counts[seat], top, code)
                counts[seat] -= len(combo.cards) if combo else 0
                top = code or top

    def _note(self, seat: int, count: int, top: int, code: int) -> None:
        """Note what it tells that somebody with so many cards played this on the top, or passed."""
        lying, size = top & CARDS, (top & CARDS).bit_count()
        if self.hand.packed_rules.dear[count] > 1 and size in PASSING:
            self._take_for(seat, PASSING[size][self._third(lying)], passed=not code)
        if size == 1 and not code:
            factor = next(factor for least, factor in PASSED if count >= least)
            self._less(seat, lying, 1 << len(self.hand.packed_rules.bits), factor, factor)
        elif size == 1 and (code & CARDS).bit_count() == 1:
            self._less(seat, lying, code & CARDS, SKIPPED, SKIPPED_HIGH)
        elif size == 2 and not code:
            above = 1 << (lying.bit_length() + SUITS - 1) // SUITS * SUITS - 1
            self._less(seat, above, 1 << len(self.hand.packed_rules.bits), PASSED_PAIR, PASSED_PAIR)

    def _third(self, lying: int) -> int:
        """Return 0 for cards of the lower half of the ranks, 1 for those in the middle, 2 for high ones."""
        rank, ranks = (lying.bit_length() - 1) // SUITS, self.hand.packed_rules.codes.ranks
        return (rank >= ranks // 2) + (rank >= 9 * ranks // 13)

    def _take_for(self, seat: int, passing: tuple[float, float], *, passed: bool) -> None:
        """Take a seat for careful or for eager by what it did just now."""
        careful, eager = (rate if passed else 1 - rate for rate in passing)
        before = self.eager[seat]
        self.eager[seat] = before * eager / (before * eager + (1 - before) * careful)

    def _less(self, seat: int, over: int, under: int, factor: float, high: float) -> None:
        """Have a seat hold the hidden cards between two of them less likely."""
        highest = self.hand.packed_rules.bits[-HIGH * SUITS]
        for bit in self.hidden:
            if over < bit < under:
                likely = self.doubts.setdefault(bit, [1.0] * (len(self._seats) + 1))
                likely[seat] = max(LEAST, likely[seat] * (high if bit >= highest else factor))

    # Worlds

    def world(self, rng: random.Random) -> list[int]:
        """Return hands for all seats, drawn from this belief."""
        hands = [*self.known]
        hands[self.seat] = self.hand.hands[self.seat]
        rooms = [self.hand.counts[seat] - hands[seat].bit_count() for seat in self._seats]
        rooms.append(len(self.hidden) - sum(rooms))
        hands.append(0)  # what is in no hand
        uneven = [*self.doubts]
        rng.shuffle(uneven)
        for bit in uneven:
            [holder] = rng.choices(
                range(len(rooms)), [one * room for one, room in zip(self.doubts[bit], rooms, strict=True)]
            )
            hands[holder] |= bit
            rooms[holder] -= 1
        even = [bit for bit in self.hidden if bit not in self.doubts]
        rng.shuffle(even)
        at = 0
        for holder, room in enumerate(rooms):
            hands[holder] |= sum(even[at : at + room])
            at += room
        return hands[:-1]
