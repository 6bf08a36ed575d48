"""Tiến Lên is that of the slow, plain reading of its rules: which hands win at once.

Knows both, and hands at random. What beats what is held against that reading with the table of shapes. Refuses to know
which of them is right: where they differ, one of them is not.
"""

from collections import Counter
from dataclasses import asdict
from random import Random
from typing import Any

from bot.rules.cards import cards
from tests.oracle import tien_len as oracle
from tests.rules.tien_len_positions import rules


def test_what_wins_at_once() -> None:
    rng, seen = Random("at once"), Counter[Any]()
    for _ in range(1000):
        of, first = rules(instant=rng.choice(["south", "few", "none"])), rng.random() < 0.5
        ranks = rng.sample(range(13), 9) if rng.random() < 0.5 else [*range(rng.randrange(4), 9), 12]
        rich = [each for each in oracle.PACK if oracle.rank(each) in ranks]
        order = rng.sample(rich if rng.random() < 0.8 else oracle.PACK, 26)
        hands = [order[:13], order[13:]]
        game = of.begun(tuple(of.sort(cards(" ".join(each))) for each in hands), (), 0, first=first)
        winner = oracle.at_once(hands, asdict(of.options), first=first)
        assert (game.result and game.result.order[0]) == winner
        seen[winner] += 1
    assert min(seen.values()) > 30
