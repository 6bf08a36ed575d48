"""What nobody can go on, whatever the others hold: what is certain, not what is likely.

Knows one View, and which cards may be in which hand. Refuses to guess: where a game leaves more ways to answer than to
go on what lies there, nothing is certain.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

from bot.rules.core.cards import Card
from bot.rules.core.game import View
from bot.rules.core.imagination import unseen
from bot.rules.core.legality import Combinations
from bot.rules.core.trick import Combo

MOST = 500  # ways to go on it that are looked at; of more, one will do
ANY = 1000  # cards: as many as there may be


def unbeaten(view: View, combo: Combo) -> bool:
    """Tell whether no other hand, as far as the view's seat can know, holds anything that goes on this."""
    groups = getattr(view.rules, "groups", None)
    if not isinstance(groups, Combinations) or not groups.steady:
        return False
    free, others = unseen(view), [seat for seat in range(len(view.counts)) if seat != view.seat]
    known = {seat: Counter(card for holder, card in view.known if holder == seat) for seat in others}
    rooms = {seat: view.counts[seat] - known[seat].total() for seat in others if view.counts[seat]}
    if not view.rules.counted or free.total() > sum(rooms.values()):  # what is in no hand yet may come into any
        rooms = dict.fromkeys(rooms, ANY)
    return not any(_may_beat(groups, combo, known[seat], free, room) for seat, room in rooms.items())


def _may_beat(groups: Combinations, combo: Combo, known: Counter[Card], free: Counter[Card], room: int) -> bool:
    """Tell whether a hand of known cards and so many of the free ones can go on this."""
    pool = groups.sort(tuple((known + free).elements()))
    most = room + known.total()
    ways = (found for found in groups.over(pool, combo) if len(found.cards) <= most)
    for at, found in enumerate(islice(ways, MOST)):
        if (Counter(found.cards) - known).total() <= room or at == MOST - 1:
            return True
    return False
