"""The end of a deal of Big A read straight off the rules: the leader of the next hand, payments, the first to draw.

Covers the rules on going out, the tables of points as they are printed, and the options on them. Does not cover cards,
how a deal comes to its end, and the bot.

Seats are 0 to 4 in the direction of play. The Big Ace side is the declarer and the partner, who is None where the
declarer is alone.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

SEATS = range(5)
Row = tuple[int, int, int]  # the points of the declarer, of the partner and of each opponent

# By the places of declarer and partner; all other rows are nought for every player. BA-S01, S02, O05.
BASIC: Mapping[tuple[int, int], Row] = {
    (1, 2): (6, 3, -3),
    (2, 1): (6, 3, -3),
    (1, 3): (4, 2, -2),
    (3, 1): (4, 2, -2),
    (1, 4): (2, 1, -1),
    (4, 1): (2, 1, -1),
    (2, 5): (-2, -1, 1),
    (5, 2): (-4, -2, 2),
    (3, 5): (-2, -1, 1),
    (5, 3): (-4, -2, 2),
    (4, 5): (-6, -3, 3),
    (5, 4): (-6, -3, 3),
}
SHARED: Mapping[tuple[int, int], Row] = {
    (1, 2): (9, 9, -6),
    (2, 1): (9, 9, -6),
    (1, 3): (6, 6, -4),
    (3, 1): (6, 6, -4),
    (1, 4): (3, 3, -2),
    (4, 1): (3, 3, -2),
    (2, 5): (-3, -3, 2),
    (5, 2): (-6, -6, 4),
    (3, 5): (-3, -3, 2),
    (5, 3): (-6, -6, 4),
    (4, 5): (-9, -9, 6),
    (5, 4): (-9, -9, 6),
}
UNSHARED: Mapping[tuple[int, int], Row] = {
    (1, 2): (12, 6, -6),
    (2, 1): (12, 6, -6),
    (1, 3): (8, 4, -4),
    (3, 1): (8, 4, -4),
    (1, 4): (4, 2, -2),
    (4, 1): (4, 2, -2),
    (2, 5): (-4, -2, 2),
    (5, 2): (-8, -4, 4),
    (3, 5): (-4, -2, 2),
    (5, 3): (-8, -4, 4),
    (4, 5): (-12, -6, 6),
    (5, 4): (-12, -6, 6),
}
# By the place of a lone declarer: the points of the declarer and of each other. BA-S03.
LONE: Mapping[str, Mapping[int, tuple[int, int]]] = {
    "lone_one": {1: (32, -8), 5: (-32, 8)},
    "lone_both": {1: (64, -16), 5: (-64, 16)},
}


def side(seat: int, declarer: int, partner: int | None) -> str:
    """Tell on which side a seat really is."""
    return "big" if seat in (declarer, partner) else "other"


def has_ended(declarer: int, partner: int | None, out: Collection[int]) -> bool:
    """Tell whether every holder of cards is on the same side: BA-G10."""
    return len({side(seat, declarer, partner) for seat in SEATS if seat not in out}) <= 1


def known_side(seat: int, declarer: int, shown: Collection[int], out: Collection[int]) -> str | None:
    """Tell on which side every player knows a seat to be, None if that is not known: BA-G04.

    shown: those besides the declarer who have shown a Big Ace of their own.
    """
    if seat == declarer or seat in shown:
        return "big"
    if any(other != declarer for other in shown) or seat in out:  # the partner is another player; or went out without
        return "other"
    return None


def lead_after(
    finisher: int, declarer: int, partner: int | None, shown: Collection[int], out: Collection[int]
) -> int | None:
    """Tell who leads when the last play of a finisher stands; None where play is over. BA-G04 to G07.

    shown: those besides the declarer who have shown a Big Ace of their own. out: all who have gone out, the finisher
    too.
    """
    if finisher not in out:
        raise ValueError(f"seat {finisher} is not out")
    if has_ended(declarer, partner, out):
        return None
    his = side(finisher, declarer, partner)  # he is out, and so his side is known
    seen = {*shown, finisher} if finisher == partner else shown  # BA-G06
    for steps in range(1, 5):
        seat = (finisher + steps) % 5
        if seat not in out and known_side(seat, declarer, seen, out) in (his, None):
            return seat
    raise ValueError("nobody can lead")


def score(
    declarer: int, partner: int | None, table: str, finish: Sequence[int], options: Mapping[str, Any]
) -> list[int]:
    """Give the points by seat. finish: the seats in the order in which they went out until play was over."""
    if len(set(finish)) != len(finish) or not has_ended(declarer, partner, finish):
        raise ValueError(f"this is not how a deal ends: {finish}")
    order = [*finish, *(seat for seat in SEATS if seat not in finish)]  # BA-G12
    place = {seat: order.index(seat) + 1 for seat in SEATS}
    if partner is None:
        mine, theirs = LONE[table].get(place[declarer], (0, 0))
        return [mine if seat == declarer else theirs for seat in SEATS]
    rows = {"basic": BASIC, "revealed": _revealed(options)}[table]
    of_declarer, of_partner, of_others = rows.get((place[declarer], place[partner]), (0, 0, 0))
    return [{declarer: of_declarer, partner: of_partner}.get(seat, of_others) for seat in SEATS]


def _revealed(options: Mapping[str, Any]) -> Mapping[tuple[int, int], Row]:
    ways = {"doubled_shared": SHARED, "doubled_unshared": UNSHARED}
    return ways[options.get("revealed_scoring", "doubled_shared")]


def next_starter(starter: int, declarer: int, finish: Sequence[int], options: Mapping[str, Any]) -> int:
    """Tell who draws first in the next deal: BA-N02, O01."""
    return {
        "first_out": finish[0],
        "declarer": declarer,
        "rotate": (starter + 1) % 5,
        "same": starter,
    }[options.get("next_starter", "first_out")]
