"""How likely it is in Tàihé A Bāo that a rival can beat a combination, by the cards that are nowhere to be seen.

Knows one View: what is unseen, and how many cards each rival holds. Refuses to guess what a rival would rather do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import prod
from typing import NamedTuple, TypeAlias

from bot.ai.engine.odds import at_least
from bot.rules.a_bao.groups import Groups
from bot.rules.core.cards import Rank
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen
from bot.rules.core.trick import Combo

Needs: TypeAlias = tuple[tuple[Rank, int], ...]  # so many cards of each rank
Key: TypeAlias = tuple[str, int, int]


class Over(NamedTuple):
    """What beats a combination: places in the list of all. bombs: those that are of a higher level."""

    plain: tuple[int, ...]
    bombs: tuple[int, ...]


class Holder(NamedTuple):
    """What is known of a rival's hand. known: its cards that were seen, by rank; room: how many others it holds."""

    known: Mapping[Rank, int]
    room: int


class Chances:
    """What the rivals of the view's seat may hold: everybody who is not known as an ally."""

    def __init__(self, view: View) -> None:
        self._groups: Groups = view.rules.groups  # type: ignore[attr-defined]
        self._loose = Counter(held.rank for held in unseen(view).elements())
        self._total = self._loose.total()
        others = (seat for seat in range(len(view.counts)) if seat not in {view.seat, *view.allies})
        rivals = [_holder(view, seat) for seat in others]
        self._held = [[self._holds(rival, needs) for rival in rivals] for needs in shapes(self._groups)]

    def _holds(self, rival: Holder, needs: Needs) -> float:
        """Return the chance that this rival holds so many cards of each of these ranks, each taken for itself."""
        chance = 1.0
        for rank, count in needs:
            copies = self._loose[rank]
            chance *= at_least(count - rival.known.get(rank, 0), copies, rival.room, self._total)
            if not chance:
                break
        return chance

    def unbeaten(self, combo: Combo, share: float, bombs: float) -> float:
        """Return the chance that no rival beats it, if each does so with this share of what it may hold.

        bombs: the same for what is of a higher level.
        """
        over = above(self._groups)[key(combo)]
        plain = (1 - share * chance for at in over.plain for chance in self._held[at])
        return prod(plain) * prod(1 - bombs * chance for at in over.bombs for chance in self._held[at])


def _holder(view: View, seat: int) -> Holder:
    known = Counter(held.rank for owner, held in view.known if owner == seat)
    return Holder(known, view.counts[seat] - known.total())


def key(combo: Combo) -> Key:
    """Return what tells a combination from all others, suits aside."""
    return combo.kind, len(combo.cards), combo.strength


@lru_cache(maxsize=16)
def shapes(groups: Groups) -> tuple[Needs, ...]:
    """Return what each combination of a pack takes."""
    every = groups.over(groups.deck.cards, None)
    return tuple(tuple(Counter(held.rank for held in combo.cards).items()) for combo in every)


@lru_cache(maxsize=16)
def above(groups: Groups) -> Mapping[Key, Over]:
    """Return what beats each combination of a pack."""
    every = list(groups.over(groups.deck.cards, None))
    return {key(top): _over(groups, every, top) for top in every}


def _over(groups: Groups, every: list[Combo], top: Combo) -> Over:
    beating = [(at, combo.level > top.level) for at, combo in enumerate(every) if groups.goes_on(combo, top)]
    return Over(tuple(at for at, bomb in beating if not bomb), tuple(at for at, bomb in beating if bomb))
