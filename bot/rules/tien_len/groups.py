"""1, 3, 4. The cards of Tiến Lên, its combinations, and which one beats which.

Also the words of refusals. Depends on the options of sequences, of the same look and of chops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby

from bot.domain.message_ids import N_
from bot.rules.core.cards import Cards, Suit, pack
from bot.rules.core.legality import Combinations
from bot.rules.core.patterns import CombinationRow, Suits, runs, sets
from bot.rules.core.sentences import CombinationName, Illegal
from bot.rules.core.shapes import CombinationTable
from bot.rules.core.trick import Combo
from bot.rules.tien_len.options import Options

RANKS, SUITS = "3456789TJQKA2", tuple(map(Suit, "scdh"))  # 1.2, 1.3: from low to high
POWER = {held: RANKS.index(held.rank) * 4 + SUITS.index(held.suit) for held in pack()}
PACK: Cards = tuple(sorted(POWER, key=POWER.__getitem__))
ALL, LINE = tuple(range(13)), tuple(range(12))  # 3.2, 3.3: a two is in no sequence
TWOS = POWER[PACK[-4]]  # the least power of a two, and the least strength of a combination of twos
RED = SUITS[2:]
COMBINATIONS: Mapping[str, CombinationName] = {
    "single": CombinationName(N_("the {rank} of {suit}"), N_("singles")),
    "pair": CombinationName(N_("a pair of {rank}s"), N_("pairs"), N_("pair of {rank}s")),
    "triple": CombinationName(N_("three {rank}s"), N_("triples"), N_("three {rank}s")),
    "four": CombinationName(N_("four {rank}s"), N_("fours of a kind"), N_("four {rank}s")),
    "sequence": CombinationName(N_("a sequence up to {rank}"), N_("sequences"), N_("{low}–{high} sequence")),
    "double_sequence": CombinationName(
        N_("a double sequence up to {rank}"), N_("double sequences"), N_("{low}–{high} double run")
    ),
}
NO_CHOP = N_("{tried} doesn't chop {top}.")
APART = N_("{tried} doesn't beat {top}: you need the same kind and number of cards.")
UNLIKE = N_("{tried} doesn't beat {top}: here you need the same suit, or as many red cards in a pair, unless it's 2s.")
HIGHER = N_("{tried} doesn't beat {top}, which is higher.")
CHOPPING = {"full": ("four", "double_sequence"), "four_of_a_kind": ("four",), "none": ()}  # 4.4, 4.5
ON_TURN, OUT_OF_TURN = 6, 8  # the length in cards of the shortest double sequence that chops (4.4, 4.7)


def rows(options: Options) -> Iterator[CombinationRow]:
    """Yield every kind of play, in the order of suggested leads (3)."""
    suits = Suits.SAME if options.sequence_suit == "same" else Suits.ANY
    of_a_rank = partial(sets, ALL, scale=4)
    for size, kind in enumerate(("single", "pair", "triple"), 1):
        yield CombinationRow(kind, 0, of_a_rank(size), step=size < 3)
    for length in range(3, len(LINE) + 1):
        yield CombinationRow("sequence", 1, runs(LINE, length, scale=4), suits=suits, step=1)
    for length in range(3, 7) if options.double_sequences else ():
        yield CombinationRow("double_sequence", 2, runs(LINE, length, 2, scale=4), step=1)
    yield CombinationRow("four", 3, of_a_rank(4))


class Groups(Combinations):
    """Every combination under these options.

    chopping: the kinds that chop whenever they beat a play (4.8).
    """

    def __init__(self, options: Options) -> None:
        slots = {held: power // 4 for held, power in POWER.items()}
        super().__init__(CombinationTable(rows(options), POWER, slots, suits=SUITS, alike=False))
        self.options, self.chopping = options, CHOPPING[options.chops]
        self._full = options.chops == "full"
        self._fours_on = bool(self.chopping) + (self._full and options.quads_on_two_pair)

    # Which combination beats which

    def above(self, row: CombinationRow, top: Combo) -> int | None:
        """Return the strength that a row must exceed to beat the top (4.1, 4.4, 4.5)."""
        if row.key == (top.kind, len(top.cards)):
            return top.strength
        return -1 if self._chops(row.kind, row.size, top) else None

    def _chops(self, kind: str, size: int, top: Combo) -> bool:
        """4.4, 4.5: tell whether ``size`` cards of a kind beat a top of another kind or size."""
        lying, double = len(top.cards), self._full and kind == "double_sequence"
        match top.kind:
            case "double_sequence":
                return (double and size > lying) or (self._full and kind == "four" and lying == ON_TURN)
            case "four":
                return double and size >= OUT_OF_TURN
            case "single" | "pair" | "triple" if top.strength >= TWOS:
                return (double and size >= 2 * lying + 4) or (kind == "four" and lying <= self._fours_on)
        return False

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:
        """Yield the plays of a sorted hand on the top, weakest first within each size.

        top: None for the leads.
        """
        found = super().over(hand, top)
        return (
            (combo for combo in found if self._has_required_look(combo, top))
            if top and self.options.same_look
            else found
        )

    def can_follow(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first combination may be played on the second."""
        return super().can_follow(tried, top) and self._has_required_look(tried, top)

    def _has_required_look(self, tried: Combo, top: Combo) -> bool:
        """4.3: tell whether a single or a pair without twos has the look of the top, if required."""
        bound = self.options.same_look and tried.kind in ("single", "pair") and tried.strength < TWOS
        return not bound or _look_of(tried) == _look_of(top)

    def barred(self, hand: Cards) -> bool:
        """Tell whether a hand, weakest first, consists of twos that may not go out (6.2)."""
        return bool(hand) and not self.options.last_card_two and POWER[hand[0]] >= TWOS

    def least_out_of_turn(self, top: Combo | None) -> int:
        """Return the fewest cards for a chop out of turn (4.7).

        If no such chop is possible, more cards than a hand can have: the size of the pack.
        """
        ways = self.reach(top) if top and self.options.out_of_turn_four_pairs else ()
        sizes = (size for kind, size in ways if kind == "double_sequence" and size >= OUT_OF_TURN)
        return min(sizes, default=len(PACK))

    # Refusals

    def article(self, tried: Combo, top: Combo) -> str:
        """Return the article about playing one combination on another."""
        return self._why(tried, top)[0]

    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        """Return the refusal of a combination that does not beat the top."""
        return Illegal(*self._why(tried, top), tried=tried, top=top)

    def _why(self, tried: Combo, top: Combo) -> tuple[str, str]:
        if (tried.kind, len(tried.cards)) != (top.kind, len(top.cards)):
            chops = tried.kind in self.chopping
            return ("4.4" if self._full else "4.5", NO_CHOP) if chops else ("4.1", APART)
        if tried.strength > top.strength and not self._has_required_look(tried, top):
            return "4.3", UNLIKE
        return "4.2" if tried.kind == "pair" and tried.strength // 4 == top.strength // 4 else "4.1", HIGHER

    def not_held(self, missing: Cards) -> Illegal:
        """Return the refusal of cards missing from the hand."""
        return Illegal("5.1", "You don't have {cards}.", cards=missing)

    def no_combination(self, tried: Cards) -> Illegal:
        """Return the refusal of cards, weakest first, that make no combination."""
        if not tried:
            return Illegal("5.1", "Pick the cards you want to play.")
        counts = Counter(POWER[held] // 4 for held in tried if held in POWER)
        if len(counts) < 3 or set(counts.values()) not in ({1}, {2}):
            return Illegal("3.1", "{cards} can't be played together.", cards=tried)
        number = "3.2" if counts.total() == len(counts) else "3.3"
        if number == "3.3" and not self.options.double_sequences:
            return Illegal("O6.1", "{cards} can't be played together: no double sequences here.", cards=tried)
        if max(counts) not in LINE:
            return Illegal(number, "{cards} can't be played together: no 2s in sequences.", cards=tried)
        if max(counts) - min(counts) >= len(counts):
            return Illegal(number, "{cards} can't be played together: the ranks don't follow each other.", cards=tried)
        return Illegal("O5.2", "{cards} can't be played together: here, a sequence has one suit.", cards=tried)


def in_a_row(ranks: Sequence[int]) -> list[list[int]]:
    """Return ranks, lowest first, grouped into unbroken runs without twos (3.3)."""
    placed = enumerate(rank for rank in ranks if rank in LINE)
    return [[rank for _, rank in part] for _, part in groupby(placed, lambda pair: pair[1] - pair[0])]


def _look_of(combo: Combo) -> object:
    return combo.head.suit if combo.kind == "single" else sum(held.suit in RED for held in combo.cards)


groups = lru_cache(maxsize=32)(Groups)  # one object for each set of options
