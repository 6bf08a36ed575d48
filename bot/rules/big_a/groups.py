"""3-5. The combinations of Big A, what beats what, what captures what, and where they are found in a hand.

Suits make no difference but for the Big Aces, so a play stands here for all plays of the same ranks. Knows the
combinations under one choice of the options and with one Big suit. Refuses to know whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, product
from typing import NamedTuple, TypeAlias

from bot.rules.big_a.tables import BIG, CHAINS, JOKER_BOMBS, JOKERS, KINDS_OF_SET, LADDERS, RUN, SETS, SINGLES
from bot.rules.cards import Card, Cards, Rank, Suit, double_pack
from bot.rules.combos import by_rank
from bot.rules.trick import Combo

Held: TypeAlias = Mapping[Rank, Cards]

SUITS = "dchs"
PLACE = {rank: at for at, rank in enumerate(SETS)} | {rank: len(SETS) + at for at, rank in enumerate(JOKERS)}
LOW = {rank: at for at, rank in enumerate(RUN[:-1])}  # places in a sequence with the ace at its lower end
HIGH = LOW | {Rank.ACE: len(RUN) - 1}
SHORTEST, ALL = 3, len(RUN) - 1  # ranks in a sequence: at least, and when it holds every rank there is
ORDINARY = {"pair": 0, "sequence": 0, "double_sequence": 1}  # levels below the bombs
FIRST_BOMB = 2
COPIES = {"sequence": 1, "double_sequence": 2}
ONLY_OVER_JOKERS, ONLY_OVER_BIG = "four", "five"  # 4.3, 4.4: the weakest bombs over a joker and over a Big Ace


class Shape(NamedTuple):
    """What decides which combinations there are. big: the Big suit, if any. paired: whether two Big Aces are a bomb."""

    ladder: str
    longest: int
    capture: int
    big: Suit | None
    paired: bool


class Groups:
    """Every combination there is under one shape; levels of bombs by their place on the ladder (O3)."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.level = ORDINARY | {kind: FIRST_BOMB + at for at, kind in enumerate(LADDERS[shape.ladder])}
        self._chain = {spec: kind for kind, spec in CHAINS.items() if kind in self.level}
        self._chain_lengths = {kind: spec for spec, kind in self._chain.items()}
        self.power = {each: self._power(each) for each in double_pack()}
        self.singles = {each: Combo(self._single(each), each, (each,), 0, self.power[each] // 4) for each in self.power}
        self.bombs = LADDERS[shape.ladder]
        self.classify = lru_cache(maxsize=1 << 14)(self._classify)

    def is_big(self, held: Card) -> bool:
        """Tell whether this is a Big Ace (1.5)."""
        return held.rank is Rank.ACE and held.suit is self.shape.big

    def _power(self, held: Card) -> int:
        """Return the place among single cards (1.6), suits keeping equals in order."""
        place = BIG if self.is_big(held) else PLACE[held.rank]
        return place * 4 + (SUITS.index(held.suit) if held.suit is not Suit.NONE else 0)

    def _single(self, held: Card) -> str:
        return "big_ace" if self.is_big(held) else "joker" if held.rank in JOKERS else "single"

    def sort(self, held: Cards) -> Cards:
        """Return the cards weakest first (1.6)."""
        return tuple(sorted(held, key=self.power.__getitem__))

    # What cards are

    def _classify(self, played: Cards) -> Combo | None:
        """Answer ``classify``: what these cards are, in any order, or None (3, 4)."""
        if len(played) < SHORTEST - 1:
            return self.singles[played[0]] if played else None
        held = by_rank(self.sort(played))
        if not held.keys().isdisjoint(JOKERS):
            return self._joker_bomb(self.sort(played)) if held.keys() <= set(JOKERS) else None
        if len(held) == 1:
            return self._set(next(iter(held.values())))
        return self._neighbours({rank: len(group) for rank, group in held.items()}, self.sort(played))

    def _set(self, group: Cards) -> Combo | None:
        size, head = len(group), group[-1]
        if size > len(SUITS) * 2:
            return None
        if size > 2:
            return self._made(KINDS_OF_SET[size - 3], group, PLACE[head.rank])
        if self.shape.paired and all(map(self.is_big, group)):
            return self._made("big_ace_pair", group, 0)
        return self._made("pair", group, PLACE[head.rank])

    def _joker_bomb(self, jokers: Cards) -> Combo | None:
        kind = JOKER_BOMBS.get(len(jokers))
        reds = sum(each.rank is Rank.RED_JOKER for each in jokers)
        return self._made(kind, jokers, reds if len(jokers) == 2 else 0) if kind else None

    def _neighbours(self, counts: dict[Rank, int], held: Cards) -> Combo | None:
        """Sequences of every kind: equally many of each of several neighbouring ranks (3.5-3.12, 4.9, 4.10, O3.3)."""
        least = min(counts.values())
        doubled = len(counts) == ALL and counts[Rank.ACE] == 2 * least
        if any(count != least for rank, count in counts.items() if not (doubled and rank is Rank.ACE)):
            return None
        top = self._top(frozenset(counts))
        kind = self._kind(least, len(counts) + doubled)
        return self._made(kind, self._in_order(held, least, top, doubled=doubled), top) if kind and top else None

    def _kind(self, copies: int, length: int) -> str | None:
        if SHORTEST <= length <= self.shape.longest:
            plain = next((kind for kind, each in COPIES.items() if each == copies), None)
            if plain:
                return plain
        return self._chain.get((copies, length))

    @staticmethod
    def _top(ranks: frozenset[Rank]) -> int:
        """Return the place of the highest rank where these are neighbours, the ace high if it can be; else 0."""
        for places in (HIGH, LOW):
            found = sorted(places[rank] for rank in ranks)
            if found[-1] - found[0] == len(ranks) - 1:
                return found[-1]
        return 0

    @staticmethod
    def _in_order(held: Cards, copies: int, top: int, *, doubled: bool) -> Cards:
        """Return the cards of a sequence from its lowest rank to its highest."""
        places = HIGH if top == len(RUN) - 1 else LOW
        ordered = tuple(sorted(held, key=lambda each: places[each.rank]))
        aces, middle = ordered[-2 * copies :], ordered[: -2 * copies]
        return (*aces[:copies], *middle, *aces[copies:]) if doubled else ordered

    def _made(self, kind: str, held: Cards, strength: int) -> Combo:
        return Combo(kind, held[-1], held, self.level[kind], strength)

    # What beats what

    def beats(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first may be put on the second and leaves it there (3.2, 4.1-4.17)."""
        if tried.level < FIRST_BOMB:
            return same(tried, top) and tried.strength > top.strength
        if top.level >= FIRST_BOMB:
            return (tried.level, tried.strength) > (top.level, top.strength)
        return tried.level >= self._least_bomb(top)

    def _least_bomb(self, top: Combo) -> int:
        """Return the level from which on bombs beat an ordinary combination (4.2-4.5)."""
        if top.kind == "big_ace":
            return self.level[ONLY_OVER_BIG]
        if top.kind in ("joker", "double_sequence"):
            return self.level[ONLY_OVER_JOKERS]
        return FIRST_BOMB

    def captures(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first is a set of fours that takes the second from the pile (5.1, O4)."""
        size = len(tried.cards)
        fours = size > 1 and tried.head.rank is Rank.FOUR and tried.kind in ("pair", *KINDS_OF_SET)
        return fours and top.kind in KINDS_OF_SET and len(top.cards) == size + 1 <= self.shape.capture

    def goes_on(self, tried: Combo, top: Combo) -> bool:
        """Tell whether the first may be put on the second, to stay on top or to take it."""
        return self.beats(tried, top) or self.captures(tried, top)

    # Where they are found in a hand; each yields weakest first

    def over(self, hand: Cards, top: Combo | None) -> Iterator[Combo]:
        """Yield all that a hand can put on top; with None all that it holds. Those of one size come weakest first."""
        groups = by_rank(hand)
        if top is None:
            return chain(self._singles(hand, -1), *(self._find(kind, groups, -1) for kind in self.level))
        if top.level >= FIRST_BOMB:
            return chain(self._capturing(groups, top), self._find(top.kind, groups, top.strength),
                         self._bombs(groups, top.level + 1))  # fmt: skip
        higher = (self._singles(hand, top.strength) if top.kind in SINGLES
                  else self._find(top.kind, groups, top.strength, len(top.cards)))  # fmt: skip
        return chain(higher, self._bombs(groups, self._least_bomb(top)))

    def _bombs(self, groups: Held, least: int) -> Iterator[Combo]:
        return chain.from_iterable(self._find(kind, groups, -1) for kind in self.bombs[least - FIRST_BOMB :])

    def _capturing(self, groups: Held, top: Combo) -> Iterator[Combo]:
        size = len(top.cards) - 1
        fours = groups.get(Rank.FOUR, ())
        if top.kind in KINDS_OF_SET and size < self.shape.capture and len(fours) >= size:
            combo = self.classify(fours[:size])
            if combo:
                yield combo

    def _singles(self, hand: Cards, above: int) -> Iterator[Combo]:
        last = above
        for each in hand:
            combo = self.singles[each]
            if combo.strength > last:
                last = combo.strength
                yield combo

    def _find(self, kind: str, groups: Held, above: int, size: int | None = None) -> Iterator[Combo]:
        """Yield the combinations of a kind over a strength; size: how many cards a sequence needs."""
        if kind in COPIES:
            return self._sequences(kind, groups, above, size)
        if kind in self._chain_lengths:
            copies, length = self._chain_lengths[kind]
            return self._chains(kind, groups, copies, length, above)
        if kind == "pair" or kind in KINDS_OF_SET:
            return self._sets(kind, groups, above)
        return self._specials(kind, groups, above)

    def _sets(self, kind: str, groups: Held, above: int) -> Iterator[Combo]:
        size = 2 if kind == "pair" else 3 + KINDS_OF_SET.index(kind)
        level = self.level[kind]
        for rank in SETS[above + 1 :]:
            if len(groups.get(rank, ())) >= size:
                for held in self._chosen(groups[rank], size):
                    if not (kind == "pair" and self.shape.paired and all(map(self.is_big, held))):
                        yield Combo(kind, held[-1], held, level, PLACE[rank])

    def _specials(self, kind: str, groups: Held, above: int) -> Iterator[Combo]:
        """The joker bombs and the pair of Big Aces (4.8, 4.12, 4.13)."""
        if kind == "big_ace_pair":
            bigs = tuple(filter(self.is_big, groups.get(Rank.ACE, ())))
            if self.shape.paired and len(bigs) == 2 and above < 0:
                yield self._made(kind, bigs, 0)
            return
        size = next(size for size, name in JOKER_BOMBS.items() if name == kind)
        black, red = (groups.get(rank, ()) for rank in JOKERS)
        for reds in range(max(0, size - len(black)), min(size, len(red)) + 1):
            strength = reds if size == 2 else 0
            if strength > above:
                yield self._made(kind, (*black[: size - reds], *red[:reds]), strength)

    def _sequences(self, kind: str, groups: Held, above: int, size: int | None) -> Iterator[Combo]:
        copies = COPIES[kind]
        longest = min(sum(len(group) >= copies for group in groups.values()) + 1, self.shape.longest)
        lengths = range(SHORTEST, longest + 1) if size is None else (size // copies,)
        return chain.from_iterable(self._chains(kind, groups, copies, length, above) for length in lengths)

    def _chains(self, kind: str, groups: Held, copies: int, length: int, above: int) -> Iterator[Combo]:
        """Yield so many neighbouring sets, the highest rank rising; every choice of Big Aces for plain ones."""
        level = self.level[kind]
        held = [len(groups.get(rank, ())) >= copies for rank in RUN]
        for top in range(max(above + 1, length - 1), len(RUN)):
            bottom = top - length + 1
            if all(held[bottom : top + 1]) and (length, top) != (ALL, len(RUN) - 2):
                for cards in self._filled(groups, RUN[bottom : top + 1], copies):
                    yield Combo(kind, cards[-1], cards, level, top)

    def _filled(self, groups: Held, ranks: tuple[Rank, ...], copies: int) -> Iterator[Cards]:
        """Yield the cards of these ranks; from ace to ace each end takes its share of the aces (O10.1)."""
        if len(ranks) <= ALL:
            choices = (self._chosen(groups[rank], copies) for rank in ranks)
            return (tuple(chain.from_iterable(each)) for each in product(*choices))
        aces, middle = groups[Rank.ACE], tuple(chain.from_iterable(groups[rank][:copies] for rank in ranks[1:-1]))
        if len(aces) < 2 * copies:
            return iter(())
        return ((*each[:copies], *middle, *each[copies:]) for each in self._chosen(aces, 2 * copies))

    def _chosen(self, group: Cards, size: int) -> tuple[Cards, ...]:
        """Return one choice of so many equal cards, for aces one for each number of Big Aces among them, fewest first.

        The group has its Big Aces last, as hands are sorted.
        """
        if group[-1].rank is not Rank.ACE or not self.is_big(group[-1]):
            return (group[:size],)
        plain = tuple(each for each in group if not self.is_big(each))
        bigs = group[len(plain) :]
        fewest, most = max(0, size - len(plain)), min(size, len(bigs))
        return tuple((*plain[: size - count], *bigs[:count]) for count in range(fewest, most + 1))


def same(one: Combo, other: Combo) -> bool:
    """Tell whether two ordinary combinations are of one class, sequences of equal length (3.9, 3.10)."""
    if one.kind in SINGLES:
        return other.kind in SINGLES
    return one.kind == other.kind and len(one.cards) == len(other.cards)


@lru_cache(maxsize=128)
def groups(shape: Shape) -> Groups:
    """Return the combinations under a shape; made once."""
    return Groups(shape)
