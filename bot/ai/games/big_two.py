"""Big Two for house players: belief in hidden cards, levels, positions and strategy."""

from __future__ import annotations

import random
from functools import cached_property
from typing import Final

from bot.ai.engine.rollout import EndingSolver, Rollout, TooLong, advantage
from bot.ai.engine.search import Rounds, Search, SearchRound, TimeCheck, no_time_limit
from bot.ai.engine.strategy import Dice, Effort, Strategy
from bot.ai.games.big_two_codes import CARDS, MAX_COMBO_CARDS, SUITS
from bot.ai.games.big_two_hand import BigTwoHand, supports
from bot.ai.games.big_two_player import CAREFUL, EAGER, BigTwoPlayer, Costs, Error, PlayingStyle, exact
from bot.domain.chairs import Level
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import Action, Pass, Play
from bot.rules.core.game import View

# Factors by which a hidden card becomes less likely in the hand of a seat.
PASSED = ((10, 0.92), (5, 0.8), (0, 0.5))  # (at least so many cards in hand, factor): passed on a lower single card
PASSED_PAIR = 0.9  # passed on a lower pair
SKIPPED, SKIPPED_HIGH = 0.75, 0.6  # played a higher single card than needed: a card between; of the highest ranks
HIGH_RANKS = 3
MIN_LIKELIHOOD = 0.1  # the least that all factors together leave
# How often a careful and an eager player pass while all their cards cost double: by the number of cards that lie there,
# and whether these are of the lower half, of a middle rank, or high. And whom one takes for eager to begin with.
PASSING = {1: ((0.06, 0.01), (0.26, 0.03), (0.75, 0.50)), 2: ((0.38, 0.08), (0.60, 0.26), (0.87, 0.79))}
EAGER_SHARE = 0.4


class Belief:
    """What a seat knows and believes.

    hand: the hand as it stands, with cards for the opponents that they could hold. hidden: cards that any opponent may
    hold. known: the cards that were seen, by their seat. eager: the chance that a seat plays whenever possible. doubts:
    for hidden cards with uneven chances, the weight of each seat, and last of no seat.
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
        self.eager = [EAGER_SHARE for _ in self._seats]
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
        """Update the estimates after a seat with so many cards played on the top, or passed."""
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
        """Return 0 for cards of the lower half of the ranks, 1 for middle ranks, 2 for high ranks."""
        rank, ranks = (lying.bit_length() - 1) // SUITS, self.hand.packed_rules.codes.ranks
        return (rank >= ranks // 2) + (rank >= 9 * ranks // 13)

    def _take_for(self, seat: int, passing: tuple[float, float], *, passed: bool) -> None:
        """Take a seat for careful or for eager by what it did just now."""
        careful, eager = (rate if passed else 1 - rate for rate in passing)
        before = self.eager[seat]
        self.eager[seat] = before * eager / (before * eager + (1 - before) * careful)

    def _less(self, seat: int, over: int, under: int, factor: float, high: float) -> None:
        """Have a seat hold the hidden cards between two of them less likely."""
        highest = self.hand.packed_rules.bits[-HIGH_RANKS * SUITS]
        for bit in self.hidden:
            if over < bit < under:
                likely = self.doubts.setdefault(bit, [1.0] * (len(self._seats) + 1))
                likely[seat] = max(MIN_LIKELIHOOD, likely[seat] * (high if bit >= highest else factor))

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


RELAXED = CAREFUL._replace(patience=0.09, dear=0.3, fives=0.3, twos=0.2, pair=1.7)
OVERLOOKED, MISJUDGED = 0.2, 0.5  # the share of plays that kind misses; by how many turns it misjudges the others
UNSEEN = -9.0  # turns: nobody plays what is misjudged by so much
MEDIUM_ROUNDS: Rounds = (SearchRound(6, 10), SearchRound(3, 20))
HARD_ROUNDS: Rounds = (SearchRound(12, 24), SearchRound(6, 80), SearchRound(3, 200))
MAX_CARDS_TO_SOLVE = 16  # in all hands: a medium player then solves the end exactly
SOLVED_HANDS, MAX_SOLVER_STEPS = 10, 6000  # imagined hands to solve; steps for all of them
MAX_OWN_CARDS_TO_SEARCH = 9  # a medium player with more cards only plans


class BigTwoPosition:
    """A decision of a seat that is asked to play.

    doubting: whether imagined hands depend on the seats' past actions.
    """

    def __init__(self, view: View, *, doubting: bool = True) -> None:
        self.belief = Belief(view, doubting=doubting)
        self.hand, self.seat = self.belief.hand, self.belief.seat
        self._fives = self.hand.plays_of(self.seat)[MAX_COMBO_CARDS]
        self._left = dict[int, float]()  # the costs of what is left of its hand, in all imagined hands

    @cached_property
    def eager(self) -> Costs:
        """The costs of a player who plays whatever it can."""
        return self._costs(EAGER)

    @cached_property
    def careful(self) -> Costs:
        """The costs of a player who waits."""
        return self._costs(CAREFUL)

    def _costs(self, style: PlayingStyle) -> Costs:
        return Costs(self.hand.packed_rules.codes, self.belief.about, style)

    def planned(self, style: PlayingStyle = EAGER, error: Error = exact) -> Action:
        """Return the action of a player who plans and tries nothing out."""
        costs = self.eager if style is EAGER else self._costs(style)
        plan = costs.plan(self.hand.hands[self.seat], self._fives)
        return self.action(BigTwoPlayer(self.seat, costs, plan, {}, error).chosen(self.hand))

    def action(self, code: int | None) -> Action:
        """Return a code as an action."""
        return Pass() if code is None else Play(self.hand.packed_rules.codes.cards(code))

    def candidates(self, planned: Action) -> list[Action]:
        """Return the actions to try: the planned one, a pass, and the plays.

        Among the plays, the one that leaves the best hand comes first.
        """
        held, passing = self.hand.hands[self.seat], [None] if self.hand.may_pass else []
        plays = sorted(self.hand.legal(), key=lambda code: self.eager.best(held & ~code, self._fives))
        return list(dict.fromkeys([planned, *map(self.action, (*passing, *plays))]))

    def imagine(self, rng: random.Random) -> Rollout:
        """Return a whole hand that the seat can imagine, with a style for each other seat."""
        hands, codes, seat = self.belief.world(rng), self.hand.packed_rules.codes, self.seat
        plays = [codes.plays(held) for held in hands]
        costs = [self.eager if rng.random() < likely else self.careful for likely in self.belief.eager]
        costs[seat] = self.eager
        plans = [each.plan(held, own[MAX_COMBO_CARDS]) for each, held, own in zip(costs, hands, plays, strict=True)]
        left = [self._left if other == seat else {} for other in range(len(hands))]
        players = map(BigTwoPlayer, range(len(hands)), costs, plans, left)
        return Rollout(self.hand.with_hands(hands, plays), players)


def play_at_level(level: Level, view: View, rng: Dice, rounds: Rounds, is_time_up: TimeCheck) -> Action:
    """Return the action of a player of this level."""
    if level == Level.EASY:
        return kind(view, rng)
    return good(view, rng, rounds) if level == Level.MEDIUM else strong(view, rng, rounds, is_time_up)


def kind(view: View, rng: Dice) -> Action:
    """Return the play of a relaxed friend, who overlooks and misjudges plays.

    Without dice the player makes no such mistakes.
    """

    def error() -> float:
        assert rng is not None
        return UNSEEN if rng.random() < OVERLOOKED else rng.gauss(0, MISJUDGED)

    return BigTwoPosition(view, doubting=False).planned(RELAXED, error if rng else exact)


def good(view: View, rng: Dice, rounds: Rounds = MEDIUM_ROUNDS) -> Action:
    """Return the play of a house player that plans, counts cards, and solves the end."""
    position, rng = BigTwoPosition(view, doubting=False), rng or random.Random(0)
    solved = _solved(position, rng) if sum(view.counts) <= MAX_CARDS_TO_SOLVE else None
    if solved is not None:
        return solved
    return _searched(position, rng, rounds) if len(view.hand) <= MAX_OWN_CARDS_TO_SEARCH else position.planned()


def strong(
    view: View, rng: Dice, rounds: Rounds = HARD_ROUNDS, is_time_up: TimeCheck = no_time_limit, *, doubting: bool = True
) -> Action:
    """Return the action that comes out best in many imagined hands.

    is_time_up: tells when the time is over. doubting: whether hands are imagined by what was done.
    """
    return _searched(BigTwoPosition(view, doubting=doubting), rng or random.Random(0), rounds, is_time_up)


def _searched(
    position: BigTwoPosition, rng: random.Random, rounds: Rounds, is_time_up: TimeCheck = no_time_limit
) -> Action:
    search = Search(position.seat, position.imagine, rng, cautious=False)
    return search.best(position.candidates(position.planned()), rounds, is_time_up)


def _solved(position: BigTwoPosition, rng: random.Random) -> Action | None:
    """Return the action that is best on average if all seats know all cards.

    None if the solution takes too many steps.
    """
    hand, seat, solver = position.hand, position.seat, EndingSolver(MAX_SOLVER_STEPS)
    choices = [*hand.legal(), *[None] * hand.may_pass]
    gains, solved = dict.fromkeys(choices, 0.0), 0
    try:
        while solved < SOLVED_HANDS:
            hands = position.belief.world(rng)
            world = hand.with_hands(hands, [*map(hand.packed_rules.codes.plays, hands)])
            found = {code: solver.after(world, code) for code in choices}
            for code, points in found.items():
                gains[code] += advantage(points, seat, penalties=hand.penalties)
            solved += 1
    except TooLong:
        if solved < SOLVED_HANDS / 2:
            return None
    return position.action(max(choices, key=gains.__getitem__))


STRATEGY: Final = Strategy(
    position=BigTwoPosition,
    searches=supports,
    cautious=False,
    medium_effort=Effort(MEDIUM_ROUNDS),
    hard_effort=Effort(HARD_ROUNDS),
    custom_chooser=play_at_level,
)
