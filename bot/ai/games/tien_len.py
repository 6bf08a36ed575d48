"""Tiến Lên for house players: its packed hand with chops, and its strategy.

Chops out of turn (4.7) are left out, as if no player made them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Final, Self, TypeAlias

from bot.ai.engine.codes import FIELD, Codes, bits
from bot.ai.engine.hand import NOTHING, ClimbingHand
from bot.ai.engine.search import ClimbingPosition, Packing, seat_model
from bot.ai.engine.strategy import PlainPolicy, Strategy
from bot.ai.games.tien_len_reading import TASTE, TienLenReading
from bot.rules.core.cards import Cards
from bot.rules.core.trick import Combo, Trick
from bot.rules.tien_len.groups import LINE, Groups
from bot.rules.tien_len.hands import EACH
from bot.rules.tien_len.play import DutyStep, TienLenGame, charges, is_offence, steps
from bot.rules.tien_len.rules import TienLenRules
from bot.rules.tien_len.score import TienLenEnding, is_doubled, result, worth

PackedStep: TypeAlias = tuple[int, int, int, int]  # a seat, its hand before, the code to beat, and the code it plays
BELOW_TWOS: Final = (1 << FIELD * (LINE[-1] + 1)) - 1  # a hand of all cards but twos


class TienLenCodes(Codes):
    """The combinations of Tiến Lên.

    chops: whether each chops what it beats; worths: what each is worth chopped.
    """

    def __init__(self, groups: Groups) -> None:
        super().__init__(groups)
        samples = [sample for sample, _ in self.codes]
        if groups.options.same_look:  # 4.3: then suits count as well
            self.over = [self.where(partial(_beats, groups, top)) for top in samples]
        self.chops = [sample.kind in groups.chopping for sample in samples]
        self.worths = [worth(sample) for sample in samples]
        self._pays = groups.options.chop_pay

    def gained(self, code: int, top: int) -> int:
        """Return the units that are gained at once by playing this on that (8.2)."""
        return self.worths[top] if self._pays and self.chops[code] else 0


def _beats(groups: Groups, top: Combo, tried: Combo) -> bool:
    return groups.can_follow(tried, top)


class TienLenHand(ClimbingHand):
    """Tiến Lên.

    must: a card that the next play has to contain, as a hand, 0 for none. last: who is in the last places, the last one
    last. paid: what each seat was paid for chops; chopped: what the chops of this trick are worth, and payer: who pays
    for them. doubled: whether the winner is paid twice (O13.4). duty: whether a seat can pay for all; charged: by the
    seat that went out the seat that does (8.8); step: the last play or pass, before: the one before it.
    """

    __slots__ = ("before", "charged", "chopped", "doubled", "duty", "last", "must", "paid", "payer", "rules", "step")

    codes: TienLenCodes
    charged: dict[int, int]
    before: PackedStep | None
    step: PackedStep | None

    def __init__(self, game: TienLenGame) -> None:
        super().__init__(codes(game.rules), game)
        self.rules, self.gone, self.last = game.rules, [*game.out], [*game.last]
        self.able = sum(1 << seat for seat, held in enumerate(game.able) if held)
        self.must = self.codes.hand((game.must,)) if game.must else 0
        self.paid, self.chopped, self.payer = [0] * len(self.hands), 0, 0
        self.charged = charges(game.rules, game.hands, (*game.tricks, game.trick))
        self.doubled = is_doubled(game.rules.options, game.last_play(*game.out[:1]))
        self.duty, self.before, self.step = game.rules.pays_for_all, None, None
        if self.duty:
            *_, self.step = (None, *map(self._packed, steps(game.rules, game.hands, (*game.tricks, game.trick))))
        must, owner = self.must, self.owner
        for trick in game.tricks:
            self._look_back(trick)
            self._settle()
        self._look_back(game.trick)
        self.must, self.owner = must, owner

    def _look_back(self, trick: Trick) -> None:
        """Read the chops so far from a trick."""
        before = NOTHING
        for seat, combo, _ in trick.moves:
            if combo:
                code = self.codes.code_of(self.codes.hand(combo.cards))
                self._played(seat, code, before)
                before, self.owner = code, seat

    def copy(self) -> Self:
        """Return an independent copy."""
        other = super().copy()
        other.rules, other.must, other.last = self.rules, self.must, self.last[:]
        other.paid, other.chopped, other.payer = self.paid[:], self.chopped, self.payer
        other.charged, other.doubled = self.charged, self.doubled
        other.duty, other.before, other.step = self.duty, self.before, self.step
        return other

    def legal(self) -> int:
        """Return what the seat on turn may play, as bits (O2.1, 6.2)."""
        found = super().legal()
        if self.must:
            return self._where(found, lambda left: not left & self.must)
        if self._barred(self.hands[self.turn]):
            return self._where(found, bool)
        return found

    def _where(self, found: int, fits: Callable[[int], bool]) -> int:
        """Return those of the combinations whose remaining hand passes a test.

        found: the combinations, as bits. fits: tells whether a remaining hand passes.
        """
        return sum(1 << code for code in bits(found) if fits(self.codes.left(self.hands[self.turn], code)))

    def _barred(self, hand: int) -> bool:
        """Tell whether a hand is only twos under rules by which twos may not go out (6.2)."""
        return not self.rules.options.last_card_two and not hand & BELOW_TWOS

    # The duty before a player with one card

    def _packed(self, step: DutyStep) -> PackedStep:
        top, code = (self.codes.code_of(self.codes.hand(each.cards)) if each else NOTHING for each in step[2:])
        return step.seat, self.codes.hand(step.hand), top, code

    def _unpacked(self, step: PackedStep) -> DutyStep:
        top, combo = (None if code == NOTHING else self.codes.codes[code].sample for code in step[2:])
        return DutyStep(step[0], self.codes.unpacked(step[1]), top, combo)

    def _note(self, code: int) -> None:
        """Take note of a play or a pass before it is done."""
        if self.duty:
            self.before, self.step = self.step, (self.turn, self.hands[self.turn], self.top, code)

    def play(self, code: int) -> None:
        """Play what is legal for the seat on turn."""
        self._note(code)
        super().play(code)

    def play_cards(self, cards: Cards) -> int:
        """Play these very cards, and return their code."""
        self._note(self.codes.code_of(self.codes.hand(cards)))
        return super().play_cards(cards)

    def skip(self) -> None:
        """Pass, where the seat on turn may."""
        self._note(NOTHING)
        super().skip()

    def _charge(self, seat: int) -> None:
        """8.8: record the seat that pays in place of the others, after a seat went out."""
        if self.before and self.step and is_offence(self.rules, *map(self._unpacked, (self.before, self.step))):
            self.charged = {**self.charged, seat: self.before[0]}

    # What is paid, and how it ends

    def _played(self, seat: int, code: int, before: int) -> None:
        self.must = 0
        if before == NOTHING or not self.codes.chops[code]:
            return
        if self.rules.options.chop_chain == "each":
            self.paid[self.owner] -= self.codes.worths[before]
            self.paid[seat] += self.codes.worths[before]
        else:
            self.chopped += self.codes.worths[before]
            self.payer = self.owner

    def _settle(self) -> None:
        """Have the chops of the trick paid to its owner."""
        if self.chopped:
            self.paid[self.payer] -= self.chopped
            self.paid[self.owner] += self.chopped
            self.chopped = 0

    def _ends(self, seat: int) -> bool:
        """6.1, 8.4: tell whether the hand is over.

        A seat without a played card is frozen when the first player goes out.
        """
        options = self.rules.options
        self._charge(seat)
        if len(self.gone) == 1:
            self.doubled = is_doubled(options, self.codes.codes[self.top].sample)
        if len(self.gone) == 1 and options.frozen:
            idle = [other for other in self.after[seat] if self.counts[other] == EACH and self.able >> other & 1]
            self.last = [*idle, *self.last]
            self.able &= ~sum(1 << other for other in idle)
        if options.inherit == "all_asked_again":
            self.out = 0
        return options.play_on == "first" or self.able.bit_count() < 2

    def _lead(self, seat: int) -> None:
        """5.3, 6.2: let a seat lead, or the next one that can.

        Seats that cannot lead take the last places.
        """
        self._settle()
        while self.counts[seat] == 1 and self._barred(self.hands[seat]):
            self.last = [seat, *self.last]
            self.able &= ~(1 << seat)
            if self.able.bit_count() == 1:
                self.over = True
                return
            seat = self._heir(seat)
        self.turn = seat

    def points(self) -> Sequence[int]:
        """Return the points of each seat, once it is over (8)."""
        self._settle()
        first = (*self.gone, 0)[0]
        round_ = (first, *self.after[first][:-1])
        seats = sorted((seat for seat in round_ if self.able >> seat & 1), key=self.counts.__getitem__)
        idle = tuple(seat for seat in self.last if self.counts[seat] == EACH)
        hands = tuple(map(self.codes.unpacked, self.hands))
        end = TienLenEnding(hands, (*self.gone, *seats, *self.last), idle, self.charged, self.doubled)
        ended = result(self.rules.groups, end, ())
        if not self.rules.options.chop_pay:
            return ended.points
        return [points + paid for points, paid in zip(ended.points, self.paid, strict=True)]


def codes(rules: TienLenRules) -> TienLenCodes:
    """Return the combinations under these rules; the same object every time."""
    return _codes(rules.groups)


@lru_cache(maxsize=16)
def _codes(groups: Groups) -> TienLenCodes:
    return TienLenCodes(groups)


THINKING: Final = seat_model(TienLenReading.of, TASTE, keeping=1.0)
PACKING: Final = Packing(codes, TienLenHand, THINKING, THINKING)
STRATEGY: Final = Strategy(PlainPolicy(read=TienLenReading.of), position=partial(ClimbingPosition, packing=PACKING))
