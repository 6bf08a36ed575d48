"""The play of basic Big Two read straight off its description: slow, plain, and meant to be right.

Covers the basic game of John McLeod's description of Big Two (The Play and Scoring, with the precautions for money
play) and the three-player hand of more than thirteen cards where penalties are counted. Does not cover the
variations, what is a combination, the deal, and the bot.

A card is a rank and a suit, "3d" the lowest and "2s" the highest.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import TypedDict

from tests.oracle.big_two_combinations import STANDARD, beats, classify, pack, plays

PACK = pack(STANDARD)  # low to high as single cards


class Standing(TypedDict):
    """Where a deal stands after a script.

    turn: the seat to act, None once a player has won. leading: the seat whose play lies highest on the table, None when
    the seat to act leads (at the start and after all others passed). table: that play, None likewise.
    counts: the cards left by seat. winner: the seat that played its last card.
    """

    turn: int | None
    leading: int | None
    table: frozenset[str] | None
    counts: list[int]
    winner: int | None


def penalties(cards_left: Sequence[int]) -> list[int]:
    """Count each seat's penalty points from its cards left: one a card, two from ten cards, three from thirteen."""
    points = []
    for count in cards_left:
        if count < 0:
            raise ValueError(f"cards left cannot be {count}")
        if count <= 9:
            points.append(count)
        elif count <= 12:
            points.append(2 * count)
        else:  # with three players a hand has more than 13 cards; they are paid like 13
            points.append(3 * count)
    return points


def settle(totals: Sequence[int]) -> list[int]:
    """Settle the difference of penalties for each pair of seats; return the net of each seat."""
    net = [0] * len(totals)
    for one, other in combinations(range(len(totals)), 2):
        difference = abs(totals[one] - totals[other])
        payer, taker = (one, other) if totals[one] > totals[other] else (other, one)
        net[payer] -= difference
        net[taker] += difference
    return net


def liable(
    hand_before: Collection[str],
    table: Collection[str] | None,
    played: Collection[str] | None,
    next_count: int,
    winning_card: str,
    causal: bool,
) -> bool:
    """Tell whether a player pays for every player, having let the next player win with the last card.

    hand_before, table, played: what the player held, had before him (None: he led) and did (None: he passed).
    next_count: the next player's cards at that moment. winning_card: the single with which the next player then won at
    once. causal: he pays only where obeying the precautions would have kept that card from winning.
    An act the rules forbid raises ValueError.
    """
    legal = table is not None if played is None else _may_play(hand_before, table, played)
    if not legal:
        raise ValueError(f"{played!r} cannot be played from {hand_before!r} on {table!r}")
    if next_count != 1 or (table is not None and classify(table) != "single"):
        return False  # the precautions are for singles and leads before a player with one card
    if played is not None and not beats([winning_card], played):
        return False  # the next player did not win at once over this play
    highest = max(hand_before, key=PACK.index)
    if table is None and any(len(cards) > 1 for cards in plays(hand_before, None)):
        return True  # he led a single (it was just beaten by one) and a group would have been safe
    if played is not None and set(played) == {highest}:
        return False
    if table is not None and not beats([highest], table):
        return False  # nothing he could have done
    return beats([highest], [winning_card]) if causal else True


def simulate(hands: Sequence[Collection[str]], starter: int, script: Sequence[Collection[str] | None]) -> Standing:
    """Play a script (None: a pass) from the starter round the table, each seat followed by the next higher.

    The starter who holds 3d must play it in the first act. An illegal step raises ValueError.
    """
    if len({card for hand in hands for card in hand}) != sum(len(hand) for hand in hands):
        raise ValueError("a card was dealt twice")
    if starter not in range(len(hands)):
        raise ValueError(f"no seat {starter}")
    left = [set(hand) for hand in hands]
    turn, leading, winner, passes = starter, None, None, 0
    table: frozenset[str] | None = None
    for number, cards in enumerate(script):
        if winner is not None:
            raise ValueError(f"step {number}: the deal is over")
        if cards is None:
            if table is None:
                raise ValueError(f"step {number}: the leader must play")
            passes += 1
        else:
            opening = "3d" if number == 0 and "3d" in left[turn] else None
            if not _may_play(left[turn], table, cards, opening):
                raise ValueError(f"step {number}: {cards!r} is not a legal play")
            left[turn] -= set(cards)
            table, leading, passes = frozenset(cards), turn, 0
            if not left[turn]:
                winner = turn
        turn = (turn + 1) % len(hands)
        if passes == len(hands) - 1:  # all others passed: the turn is back at the one who played highest
            table, leading, passes = None, None, 0
    return {
        "turn": turn if winner is None else None,
        "leading": leading,
        "table": table,
        "counts": [len(hand) for hand in left],
        "winner": winner,
    }


def _may_play(
    hand: Collection[str], table: Collection[str] | None, cards: Collection[str], must_contain: str | None = None
) -> bool:
    """Tell whether the cards, no one of them twice, are a legal play of the hand."""
    return classify(cards) is not None and frozenset(cards) in plays(hand, table, must=must_contain)
