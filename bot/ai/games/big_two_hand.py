"""A hand of Big Two in progress in small integers: quick to go on with and quick to copy, for whoever tries it out.

Says the same as ``bot/rules/big_two/play.py`` under the rules that it supports, and nothing that is not said there: who
is asked, what can be played, when it is over, what it comes to. Unlike that it changes in place. Refuses to know what
anybody may see: it holds all hands.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from typing import Self

from bot.ai.games.big_two_codes import CARDS, MOST, Codes, Plays, without
from bot.ai.games.big_two_law import Law, law
from bot.rules.big_two.dealers import STEPS
from bot.rules.big_two.play import SPECIALS, BigTwoGame
from bot.rules.big_two.precaution import Breach
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.big_two.score import Ended, score
from bot.rules.core.game import Result

NOBODY = -1


class PackedHand:
    """A hand in progress.

    hands: the cards of each seat, as bits; counts: how many; plays: all
    combinations in what each held when they were last asked for, which is listed. turn: who is asked. must:
    a card that the next play has to contain, 0 for none. top: the code that lies there, 0 in a lead; owner: whose it
    is. out: who has passed as far as that still holds, a bit for each seat. breach: of the precaution rule, by the last
    step. winner: who has gone out; over: whether the hand has ended, be it that nobody can go on.
    """

    __slots__ = (
        "after",
        "breach",
        "chips",
        "counts",
        "hands",
        "law",
        "listed",
        "must",
        "out",
        "over",
        "owner",
        "plays",
        "specials",
        "starter",
        "top",
        "turn",
        "winner",
    )

    law: Law
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
    def of(cls, game: BigTwoGame, known: dict[int, Plays] | None = None) -> Self:
        """Return a hand as it stands, in the play and not over. known: combinations of some hands, by their cards."""
        here = cls()
        here.law = law(game.rules)
        packed = here.law.codes
        here.after = here.law.following[game.dealt.step]
        here.hands = [packed.mask(held) for held in game.hands]
        here.counts = [len(held) for held in game.hands]
        here.plays = [(known or {}).get(hand) or packed.plays(hand) for hand in here.hands]
        here.listed = here.hands[:]
        here.turn, here.must = game.turn, packed.mask((game.must,)) if game.must else 0
        trick = game.trick
        here.top = packed.of[packed.mask(trick.top.cards)] if trick.top else 0
        here.owner = NOBODY if trick.owner is None else trick.owner
        here.out = sum(1 << seat for seat in game.turns.out(trick))
        here.breach = _packed_breach(packed, game.breach)
        here.winner, here.over = NOBODY, False
        here.specials = tuple((seat, packed.of[packed.mask(combo.cards)]) for seat, combo in game.progress.specials)
        here.starter, here.chips = game.progress.starter, game.dealt.chips
        return here

    @classmethod
    def dealt(cls, rules: BigTwoRules, rng: random.Random) -> Self:
        """Return a new hand whose holder of the lowest card begins, without an extra card or an exchange."""
        o, dice = rules.options, rng.random
        here = cls()
        here.law = law(rules)
        order = sorted(here.law.bits, key=lambda _: dice())
        here.after = here.law.following[STEPS.get(o.direction, 1)]
        here.hands = [sum(order[at : at + o.dealt]) for at in range(0, o.dealt * o.players, o.dealt)]
        here.counts = [o.dealt] * o.players
        here.plays = [here.law.codes.plays(hand) for hand in here.hands]
        here.listed = here.hands[:]
        lowest = min(hand & -hand for hand in here.hands)
        here.turn = here.starter = next(seat for seat, hand in enumerate(here.hands) if hand & lowest)
        here.must = lowest if o.low_card_in_first_play else 0
        here.top, here.owner, here.out, here.breach = 0, NOBODY, 0, None
        here.winner, here.over, here.specials, here.chips = NOBODY, False, (), ()
        return here

    def copy(self) -> PackedHand:
        """Return the same once more, to go on with from here."""
        return self.among(self.hands, self.plays, self.listed)

    def among(self, hands: list[int], plays: list[Plays], listed: list[int] | None = None) -> PackedHand:
        """Return the same once more, the seats holding these cards. plays: all combinations in what is listed."""
        other = PackedHand()
        other.law, other.after, other.counts = self.law, self.after, self.counts[:]
        other.hands, other.plays, other.listed = hands[:], plays[:], (listed or hands)[:]
        other.turn, other.must, other.top, other.owner, other.out = self.turn, self.must, self.top, self.owner, self.out
        other.breach, other.winner, other.over = self.breach, self.winner, self.over
        other.specials, other.starter, other.chips = self.specials, self.starter, self.chips
        return other

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
        if self.counts[seat] == 1 and self.law.stuck(self.hands[seat]):
            return []
        if not top:
            _, one, two, three, four, five = plays
            return one + two + three + four + five if len(one) > 1 else one
        size = (top & CARDS).bit_count()
        over = plays[size]
        found = over[bisect_right(over, top | CARDS) :]
        if self.law.any_honours and size < 4:
            found += [code for code in plays[MOST] if code >= self.law.codes.honours]
        return found

    @property
    def may_pass(self) -> bool:
        """Whether the seat on turn may pass: on a play always, else only where it can play nothing."""
        return self.top != 0 or self.law.stuck(self.hands[self.turn])

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
        if not self.law.locks:
            self.out = 0
        self._next(seat)
        if self.counts[self.turn] == 1 and self.turn != seat:
            self._check(seat, held, before, code)
        if self.law.barred:
            self._end_if_stuck()

    def skip(self) -> None:
        """Pass, where the seat on turn may."""
        seat, before = self.turn, self.top
        self.breach, self.must = None, 0
        if before:
            self.out |= 1 << seat
        self._next(seat)
        if self.counts[self.turn] == 1 and self.turn != seat:
            self._check(seat, self.hands[seat], before, 0)
        if self.law.barred:
            self._end_if_stuck()

    def _next(self, seat: int) -> None:
        """Find who is asked; where nobody is, the trick is over and its owner leads."""
        out, owner = self.out, NOBODY if self.law.beats_own else self.owner
        for other in self.after[seat]:
            if other != owner and not out >> other & 1:
                self.turn = other
                return
        self._keep_special()
        self.turn, self.top, self.owner, self.out = self.owner, 0, NOBODY, 0

    def _keep_special(self) -> None:
        if self.law.worth is None and self.law.codes.kind(self.top) in SPECIALS:
            self.specials = (*self.specials, (self.owner, self.top))

    def _check(self, seat: int, held: int, top: int, code: int) -> None:
        """8.2, 8.3: keep in mind what a seat left undone before one with a single card."""
        if not self.law.precaution or self.law.stuck(held):
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
        if all(map(self.law.stuck, self.hands)):
            self.over = True

    # What it comes to

    @property
    def charged(self) -> int:
        """Who pays for all once somebody has gone out, or NOBODY."""
        cards = self.top & CARDS
        if self.breach is None or cards & (cards - 1):
            return NOBODY
        seat, stopper = self.breach
        stopped = not stopper or stopper > cards or not self.law.causal
        return seat if stopped else NOBODY

    def points(self) -> tuple[int, ...]:
        """Return the points of each seat, once it is over."""
        worth = self.law.worth
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
        """Return what the readable rules make of it, once somebody has gone out."""
        packed, rules = self.law.codes, self.law.rules
        self._keep_special()
        return score(
            Ended(
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


def _packed_breach(packed: Codes, breach: Breach | None) -> tuple[int, int] | None:
    if breach is None:
        return None
    return breach.seat, packed.mask((breach.stopper,)) if breach.stopper else 0


def playout(hand: PackedHand, rng: random.Random) -> int:
    """Play a hand to its end at random, each thing that may be done being as likely; return the steps."""
    steps, dice, legal, play, skip = 0, rng.random, hand.legal, hand.play, hand.skip
    while not hand.over:
        choice = legal()
        at = int(dice() * (len(choice) + (hand.top != 0)))
        if at < len(choice):
            play(choice[at])
        else:
            skip()
        steps += 1
    return steps
