"""Cards left in losing hands, for tests about their number only.

Deals low cards; their cost is up to the tests.
"""

from bot.rules.big_two import BigTwo
from bot.rules.core.cards import Cards, cards, write
from tests.rules.positions import finished


def plain(game: BigTwo, *counts: int, but: Cards = ()) -> list[str]:
    """Return a number of the lowest cards for each seat, all different and without the given ones."""
    rest = [each for each in game.sort(game.pack) if each not in but]
    starts = [sum(counts[:at]) for at in range(len(counts))]
    return [write(rest[start : start + count]) for start, count in zip(starts, counts, strict=True)]


def points(game: BigTwo, *counts: int, last: str = "As") -> tuple[int, ...]:
    """Return the points where seat 0 goes out with this and the others have so many cards, no two or ace among them."""
    over = finished(game, "", *plain(game, *counts, but=cards(last)), last=last)
    assert (over.order, over.notes) == ((0,), ())
    assert [len(held) for held in over.left] == [0, *counts]
    return over.points
