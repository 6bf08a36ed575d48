"""A hand of Big Two in small integers, quick to play and to copy.

It changes in place and holds all hands. The readable rules stay the authority: tests/laws/test_packed.py plays hands in
both, step by step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from operator import attrgetter

from bot.ai.games.big_two_codes import CARDS, MAX_COMBO_CARDS, Plays, codes, without
from bot.rules.big_two.options import BANDS
from bot.rules.big_two.play import SPECIALS, BigTwoGame
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.big_two.score import BigTwoEnding, of_band, score
from bot.rules.core.cards import Cards
from bot.rules.core.game import Result, Rules

NOBODY = -1


def supports(rules: Rules) -> bool:
    """Tell whether hands under these rules can be packed for the search.

    Hands under other rules are played by the readable rules alone. Unsupported are straight flushes of seven cards,
    plays out of turn, kinds of five cards that do not beat each other, drawing on a pass, being forced to play the
    highest card, and going on after a seat is out.
    """
    if not isinstance(rules, BigTwoRules):
        return False
    o = rules.options
    plain = o.full_house_beats_straight and not o.honours_out_of_turn and o.one_card_rule != "forced"
    return plain and (o.sf_form, o.draw_on_pass, o.end) == ("five", "none", "first_out")


class PackedRules:
    """The rules as a packed hand needs them.

    bits: each card. following: by direction and seat, the seats after it, itself last. worth: the cost of a number of
    cards left, None if their number does not tell; dear: the cost of each card of so many. barred: cards that may not
    be played last alone. any_honours: whether honour hands go on any number of cards. locks: whether a pass holds till
    the next lead. beats_own: whether the owner of the top may play again. penalties: whether points are bad.
    """

    def __init__(self, rules: BigTwoRules) -> None:
        seats, turns = range(rules.options.players), rules.turns[1]
        self.rules = rules
        self.codes = codes(rules.groups)
        self.bits = tuple(1 << at for at in range(len(rules.pack)))
        self.following = {
            step: tuple(tuple((seat + step * ahead) % len(seats) for ahead in (*seats[1:], 0)) for seat in seats)
            for step in (1, -1)
        }
        self.worth = _worth(rules)
        self.dear = [1.0, *(worth / count for count, worth in enumerate(self.worth or ()) if count)]
        self.dear += [1.0] * (len(rules.pack) - len(self.dear))
        self.barred = sum(self.bits[rules.barred :])
        self.any_honours = rules.options.honours_beat == "any"
        self.locks, self.beats_own = turns.holds == "trick", turns.beats_own
        self.penalties = not rules.options.positive
        self.precaution, self.causal = rules.precaution, rules.options.pay_all_test == "causal"

    def stuck(self, hand: int) -> bool:
        """Tell whether a hand is a single card that may not be played last."""
        return not hand & (hand - 1) and hand & self.barred != 0


def _worth(rules: BigTwoRules) -> tuple[int, ...] | None:
    o = rules.options
    if o.scoring != "cards" or o.two_in_hand_doubles or o.final_twos_double or o.bands_for != "all":
        return None
    bands = BANDS[o.bands] if isinstance(o.bands, str) else o.bands
    if o.settlement == "difference_banded":  # C32.1: only the difference has bands
        bands = BANDS["flat"]
    return tuple(count * of_band(bands, count) for count in range(len(rules.pack)))


@lru_cache(maxsize=64)
def packed_rules(rules: BigTwoRules) -> PackedRules:
    """Return the packed form of these rules, made once."""
    return PackedRules(rules)


@dataclass(slots=True)
class BigTwoHand:
    """A hand in progress.

    hands: the cards of each seat, as bits; counts: their number; plays: all combinations in the cards of listed, the
    hand when they were last needed. turn: the seat on turn. must: a card that the next play has to contain, 0 for none.
    top: the code that lies there, 0 in a lead; owner: its seat. out: the seats whose pass still holds, as bits. breach:
    of the precaution rule, by the last step. winner: the seat that has gone out; over: whether the hand has ended.
    """

    packed_rules: PackedRules
    after: tuple[tuple[int, ...], ...]
    hands: list[int]
    counts: list[int]
    plays: list[Plays]
    listed: list[int]
    turn: int
    must: int
    top: int
    owner: int
    out: int
    breach: tuple[int, int] | None
    winner: int
    over: bool
    specials: tuple[tuple[int, int], ...]
    starter: int
    chips: tuple[int, ...]

    @classmethod
    def of(cls, game: BigTwoGame) -> BigTwoHand:
        """Return a hand of the rules as it stands, in the play and not over."""
        known, trick, breach, progress = packed_rules(game.rules), game.trick, game.breach, game.progress
        packed = known.codes
        hands = [packed.mask(held) for held in game.hands]
        return cls(
            packed_rules=known,
            after=known.following[game.dealt.step],
            hands=hands,
            counts=[len(held) for held in game.hands],
            plays=[packed.plays(hand) for hand in hands],
            listed=hands[:],
            turn=game.turn,
            must=packed.mask((game.must,)) if game.must else 0,
            top=packed.code_of(trick.top.cards) if trick.top else 0,
            owner=NOBODY if trick.owner is None else trick.owner,
            out=sum(1 << seat for seat in game.turns.out(trick)),
            breach=(breach.seat, packed.mask((breach.stopper,)) if breach.stopper else 0) if breach else None,
            winner=NOBODY,
            over=False,
            specials=tuple((seat, packed.code_of(combo.cards)) for seat, combo in progress.specials),
            starter=progress.starter,
            chips=game.dealt.chips,
        )

    def copy(self) -> BigTwoHand:
        """Return an independent copy."""
        other = BigTwoHand(*_values(self))
        other.hands, other.counts = self.hands[:], self.counts[:]
        other.plays, other.listed = self.plays[:], self.listed[:]
        return other

    def with_hands(self, hands: list[int], plays: list[Plays]) -> BigTwoHand:
        """Return a copy in which the seats hold these cards. plays: all combinations in each hand."""
        other = self.copy()
        other.hands, other.plays, other.listed = hands[:], plays[:], hands[:]
        return other

    @property
    def penalties(self) -> bool:
        """Whether points are bad."""
        return self.packed_rules.penalties

    @property
    def position(self) -> Hashable:
        """All that the rest of the hand depends on."""
        return (*self.hands, self.turn, self.top, self.owner, self.out, self.breach)

    def choices(self) -> Sequence[int | None]:
        """Return the codes that the seat on turn may play, None to pass.

        A code that goes out is returned alone.
        """
        plays, held = self.legal(), self.hands[self.turn]
        for code in plays:
            if code & CARDS == held:
                return [code]
        return [*plays, None] if self.may_pass else plays

    # What may be done

    def plays_of(self, seat: int) -> Plays:
        """Return every combination that a seat holds."""
        held = self.hands[seat]
        if gone := self.listed[seat] ^ held:
            self.plays[seat], self.listed[seat] = without(self.plays[seat], gone), held
        return self.plays[seat]

    def legal(self) -> list[int]:
        """Return the codes that the seat on turn may play, weakest first among those of one size."""
        seat, top = self.turn, self.top
        plays = self.plays_of(seat)
        if self.must:
            return [code for several in plays for code in several if code & self.must]
        if self.counts[seat] == 1 and self.packed_rules.stuck(self.hands[seat]):
            return []
        if not top:
            _, one, two, three, four, five = plays
            return one + two + three + four + five if len(one) > 1 else one
        size = (top & CARDS).bit_count()
        over = plays[size]
        found = over[bisect_right(over, top | CARDS) :]
        if self.packed_rules.any_honours and size < 4:
            found += [code for code in plays[MAX_COMBO_CARDS] if code >= self.packed_rules.codes.honours]
        return found

    @property
    def may_pass(self) -> bool:
        """Whether the seat on turn may pass: on a play always, in a lead only with no legal play."""
        return self.top != 0 or self.packed_rules.stuck(self.hands[self.turn])

    def play(self, code: int) -> None:
        """Play what is legal for the seat on turn."""
        seat, cards, before = self.turn, code & CARDS, self.top
        held = self.hands[seat]
        self.hands[seat] = rest = held ^ cards
        self.counts[seat] = rest.bit_count()
        last, self.breach, self.must = self.breach, None, 0
        self.top, self.owner = code, seat
        if not rest:
            self.winner, self.over, self.breach = seat, True, last
            return
        if not self.packed_rules.locks:
            self.out = 0
        self._next(seat)
        if self.counts[self.turn] == 1 and self.turn != seat:
            self._check(seat, held, before, code)
        if self.packed_rules.barred:
            self._end_if_stuck()

    def play_cards(self, cards: Cards) -> int:
        """Play these very cards, and return their code."""
        code = self.packed_rules.codes.code_of(cards)
        self.play(code)
        return code

    def skip(self) -> None:
        """Pass, where the seat on turn may."""
        seat, before = self.turn, self.top
        self.breach, self.must = None, 0
        if before:
            self.out |= 1 << seat
        self._next(seat)
        if self.counts[self.turn] == 1 and self.turn != seat:
            self._check(seat, self.hands[seat], before, 0)
        if self.packed_rules.barred:
            self._end_if_stuck()

    def _next(self, seat: int) -> None:
        """Find the next seat on turn; without one the trick ends and its owner leads."""
        out, owner = self.out, NOBODY if self.packed_rules.beats_own else self.owner
        for other in self.after[seat]:
            if other != owner and not out >> other & 1:
                self.turn = other
                return
        self._keep_special()
        self.turn, self.top, self.owner, self.out = self.owner, 0, NOBODY, 0

    def _keep_special(self) -> None:
        if self.packed_rules.worth is None and self.packed_rules.codes.kind(self.top) in SPECIALS:
            self.specials = (*self.specials, (self.owner, self.top))

    def _check(self, seat: int, held: int, top: int, code: int) -> None:
        """8.2, 8.3: keep in mind what a seat left undone before one with a single card."""
        if not self.packed_rules.precaution or self.packed_rules.stuck(held):
            return
        highest, cards = 1 << (held.bit_length() - 1), code & CARDS
        if cards & (cards - 1) or (cards == highest and top):
            return
        if top:
            lying = top & CARDS
            if not lying & (lying - 1) and highest > lying:
                self.breach = seat, highest
        elif code:
            several = any(without(self.plays[seat], self.listed[seat] ^ held)[2:])
            if several or cards != highest:
                self.breach = seat, 0 if several else highest

    def _end_if_stuck(self) -> None:
        """C23.6: nobody can play any more."""
        if all(map(self.packed_rules.stuck, self.hands)):
            self.over = True

    # What it comes to

    @property
    def charged(self) -> int:
        """The seat that pays for all once a seat has gone out, or NOBODY."""
        cards = self.top & CARDS
        if self.breach is None or cards & (cards - 1):
            return NOBODY
        seat, stopper = self.breach
        stopped = not stopper or stopper > cards or not self.packed_rules.causal
        return seat if stopped else NOBODY

    def points(self) -> tuple[int, ...]:
        """Return the points of each seat, once it is over."""
        worth = self.packed_rules.worth
        if self.winner == NOBODY:
            return (0,) * len(self.hands)
        if worth is None:
            return self.result().points
        points = [worth[count] for count in self.counts]
        if (charged := self.charged) != NOBODY:
            total, points = sum(points), [0] * len(points)
            points[charged] = total
        return tuple(points)

    def result(self) -> Result:
        """Return the readable rules' result, after a seat has gone out."""
        packed, rules = self.packed_rules.codes, self.packed_rules.rules
        self._keep_special()
        return score(
            BigTwoEnding(
                rules.options,
                rules.groups,
                tuple(map(packed.cards, self.hands)),
                (self.winner,),
                self.starter,
                packed.combo(self.top),
                tuple((seat, packed.combo(code)) for seat, code in self.specials),
                None if self.charged == NOBODY else self.charged,
                self.chips,
            )
        )


_values = attrgetter(*(field.name for field in fields(BigTwoHand)))
