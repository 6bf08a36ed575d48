"""How a seat plays a packed hand of Big Two: costs, the cheapest plan, and a style."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from bot.ai.games.big_two_codes import BITS, CARDS, MAX_COMBO_CARDS, RANK, SUITS, BigTwoCodes
from bot.ai.games.big_two_hand import BigTwoHand

Parts: TypeAlias = list[int]  # the codes in which a player means to play its hand

CHUNKS = tuple(0xFFFF << at for at in range(0, BITS, 16))  # cards of four ranks, whose cost is remembered together
SURELY = 0.99  # the stay chance of a kind that is seldom beaten


class PlayingStyle(NamedTuple):
    """The style of a player, in numbers found by playing.

    weak, strong: the turns that a combination with a stay chance of 0 and of 1 costs. straight, flush, full_house:
    their stay chance. pair, triple: by what factor a pair and a triple are beaten less often than a single card.
    patience, calm: a play has to save ``patience`` turns for each card above ``calm`` of the nearest rival. Discounts
    from these turns: alarm, with a rival at one card, two or three; dear, dearest, if the own cards count double, and
    treble; few, with at most four cards; twos, threes, fives, by the size of the play. stop: the turns that a safe play
    is worth more with a rival at ``near`` cards. longer: the stay chance that one more card outweighs in a lead. sure:
    a stay chance that is hardly ever beaten. meet: the stay chance that it costs to lead as many cards as a rival
    holds. hoard: the same to lead a two.
    """

    weak: float = 1.6
    strong: float = 0.1
    straight: float = 0.7
    flush: float = 0.8
    full_house: float = 0.9
    pair: float = 2.0
    triple: float = 3.0
    patience: float = 0.1
    calm: float = 7.0
    alarm: tuple[float, float, float] = (3.0, 3.0, 0.0)
    dear: float = 0.0
    dearest: float = 0.0
    few: float = 0.0
    twos: float = 0.0
    threes: float = 0.0
    fives: float = 0.0
    stop: float = 0.0
    near: float = 3.0
    longer: float = 0.3
    sure: float = 0.999
    meet: float = 1.0
    hoard: float = 0.0


CAREFUL = PlayingStyle()  # passes much, as the plain house player does
EAGER = PlayingStyle(
    weak=1.5127,
    strong=0.1254,
    straight=0.6382,
    pair=0.9267,
    triple=2.3118,
    patience=0.0635,
    calm=8.3253,
    alarm=(3.0, 2.715, 1.012),
    dear=1.1848,
    dearest=0.4,
    few=0.2705,
    twos=0.3046,
    threes=0.1825,
    fives=0.5,
    stop=1.1527,
    longer=0.2875,
    sure=0.9589,
    hoard=0.1121,
)


class Remembered(dict[int, float]):
    """A number for each code, or for some cards, found when it is first asked for."""

    def __init__(self, find: Callable[[int], float]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: int) -> float:
        self[key] = found = self._find(key)
        return found


class Costs:
    """What combinations and hands cost.

    about: the cards that are still in any hand. stay_chance: from 0 to 1 how likely a combination is to stay on top.
    cost: what it costs, in turns.
    """

    def __init__(self, codes: BigTwoCodes, about: int, style: PlayingStyle) -> None:
        self.codes, self.style, self._about = codes, style, about
        self._total = max(1, about.bit_count())
        self._shares = (1.0, 1 / style.pair, 1 / style.triple, 0.0)
        kinds = {"straight": style.straight, "flush": style.flush, "full_house": style.full_house}
        self._fives = [kinds.get(kind, SURELY) for kind in codes.kinds(MAX_COMBO_CARDS)]
        self._ranks: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
        self._plans: dict[int, Parts] = {}
        self._chunks = Remembered(lambda held: sum(self._of_rank(part)[0] for part in by_rank(held)))
        self.stay_chance = Remembered(self._stay_chance)
        self.cost = Remembered(lambda code: style.weak + (style.strong - style.weak) * self.stay_chance[code])

    def _stay_chance(self, code: int) -> float:
        cards = code & CARDS
        size = cards.bit_count()
        if size == MAX_COMBO_CARDS:
            return self._fives[code >> BITS]
        above = (self._about >> cards.bit_length()).bit_count() / self._total
        return 1 - above * self._shares[size - 1]

    # Sets

    def _of_rank(self, held: int) -> tuple[float, tuple[int, ...]]:
        """Return the cost of one rank's cards as sets, and these sets."""
        found = self._ranks.get(held)
        if found is None:
            lowest = held & -held
            ways = ((code, self._of_rank(held & ~code)) for code in self.codes.sets(held) if code & lowest)
            found = min((self.cost[code] + cost, (code, *sets)) for code, (cost, sets) in ways)
            self._ranks[held] = found
        return found

    def sets(self, hand: int) -> float:
        """Return what a hand costs if it is laid down in sets alone."""
        (one, two, three, four), cost = CHUNKS, self._chunks
        return cost[hand & one] + cost[hand & two] + cost[hand & three] + cost[hand & four]

    # Plans

    def best(self, hand: int, fives: list[int]) -> float:
        """Return the cost of a hand with the best of the given five-card plays, or without any."""
        least = self.sets(hand)
        for code in fives:
            if not code & CARDS & ~hand:
                least = min(least, self.cost[code] + self.sets(hand & ~code))
        return least

    def planned_cost(self, hand: int, fives: list[int]) -> float:
        """Return what a hand costs by its plan, with as many of the five cards given as it holds."""
        fives = [code for code in fives if not code & CARDS & ~hand]
        parts, rest = self._fives_of(hand, fives) if fives else ([], hand)
        return self.turns(parts) + self.sets(rest)

    def plan(self, hand: int, fives: list[int]) -> Parts:
        """Return the plan of a hand: the five-card combinations that save most, and sets.

        The five-card combinations are chosen one by one.
        """
        found = self._plans.get(hand)
        if found is None:
            parts, rest = self._fives_of(hand, fives)
            found = self._plans[hand] = parts + [code for part in by_rank(rest) for code in self._of_rank(part)[1]]
        return found

    def _fives_of(self, hand: int, fives: list[int]) -> tuple[list[int], int]:
        """Return the five-card combinations that save most, one by one, and the other cards."""
        parts, rest = list[int](), hand
        while fives:
            least, code = min([(self.cost[code] + self.sets(rest & ~code), code) for code in fives])
            if least >= self.sets(rest):
                break
            parts.append(code)
            rest &= ~code
            fives = [other for other in fives if not other & code & CARDS]
        return parts, rest

    def turns(self, parts: Iterable[int]) -> float:
        """Return what these combinations cost together."""
        return sum(map(self.cost.__getitem__, parts))


def by_rank(hand: int) -> list[int]:
    """Return the cards of a hand, those of each rank together."""
    parts = []
    while hand:
        part = hand & (RANK << ((hand & -hand).bit_length() - 1) // SUITS * SUITS)
        parts.append(part)
        hand ^= part
    return parts


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
        """Take a play out of the plan, or plan again."""
        if code in self.parts:
            self.parts = [part for part in self.parts if part != code]
        else:
            self.parts = self.costs.plan(hand.hands[self.seat], hand.plays_of(self.seat)[MAX_COMBO_CARDS])

    replan = played

    def chosen(self, hand: BigTwoHand) -> int | None:
        """Return the play that leaves the best plan for the seat on turn, or None to pass.

        A play must be worth the loss.
        """
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
        """Return the play that is worth most, be it part of the plan or not.

        None if no play is worth a turn.
        """
        held, fives = hand.hands[self.seat], hand.plays_of(self.seat)[MAX_COMBO_CARDS]
        costs, error, left, style = self.costs, self.error, self.left, self.costs.style
        stop = style.stop if nearest <= style.near else 0.0
        best, most, stay_chance, now = 0, 0.0, costs.stay_chance, costs.turns(self.parts) + self._wish(hand, nearest)
        for code in plays:
            rest = held & ~code
            cost = left.get(rest)
            if cost is None:
                cost = left[rest] = costs.planned_cost(rest, fives)
            worth = now - cost + error()
            if stop:
                worth += stop * stay_chance[code]
            if worth > most or (worth == most and code > best):
                best, most = code, worth
        return best or None

    # To lead

    def _lead(self, hand: BigTwoHand, nearest: int) -> int | None:
        """Return the lead: the weakest part of the plan, long before short.

        If all parts but one are hardly ever beaten, the strongest part.
        """
        costs, error = self.costs, self.error
        parts = [code for code in self.parts if code & hand.must] if hand.must else self.parts
        if len(parts) == 1:
            return None if hand.packed_rules.stuck(hand.hands[hand.turn]) else parts[0]
        stay_chance, sure = costs.stay_chance, costs.style.sure
        if nearest == 1:
            return self._lead_before_a_last_card(hand, parts)
        if sum([stay_chance[code] < sure for code in parts]) <= 1:
            return max(parts, key=stay_chance.__getitem__)
        return min(parts, key=lambda code: self._lead_key(code, nearest) + LEADS * error())

    def _lead_key(self, code: int, nearest: int) -> float:
        """Return a sort key of a lead: the play with the lowest key is led first."""
        costs, style, size = self.costs, self.costs.style, (code & CARDS).bit_count()
        high = code & RANK << SUITS * (costs.codes.ranks - 1)
        early = costs.stay_chance[code] - style.longer * size + (style.meet if size == nearest else 0.0)
        return early + style.hoard * high.bit_count() if high else early

    def _lead_before_a_last_card(self, hand: BigTwoHand, parts: Parts) -> int:
        """Return several cards, be they of the plan or not, or the highest card."""
        several = [code for code in parts if (code & CARDS).bit_count() > 1]
        if several:
            return min(several, key=lambda code: self._lead_key(code, 1))
        pairs = [code for plays in hand.plays_of(hand.turn)[2:] for code in plays if not hand.must or code & hand.must]
        return pairs[0] if pairs else max(parts)


def _highest(hand: BigTwoHand) -> int | None:
    """Return the highest card if it is legal: a duty before an opponent's last card, and wise."""
    held = hand.hands[hand.turn]
    code = hand.packed_rules.codes.of[1 << (held.bit_length() - 1)]
    return code if code > hand.top | CARDS and not hand.packed_rules.stuck(held) else None
