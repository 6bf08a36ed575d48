"""The game plays as the slow, plain reading of its description does, on hands and tables at random.

Knows both. Refuses to know which of them is right: where they differ, one of them is not.
"""

import random
from functools import cache

import pytest

from bot.rules.big_two import BigTwo
from bot.rules.big_two.groups import RANKS, SUITS
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.score import score
from bot.rules.cards import cards, pack
from bot.rules.game import Combo, Illegal, Pass
from tests.oracle import big_two as oracle
from tests.rules.positions import action, after, beats, kind, nets, result, table

RULES = BigTwo()
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)
ABSENT = [["3c"], ["3h"], ["3s"]]
BYSTANDERS = ("3c 4c", "5c 6c")


def some(rng: random.Random, count: int) -> list[str]:
    """Return so many cards; half of the time close together, so that they make something."""
    near = [each for each in PACK if each[0] in rng.sample(RANKS, 5) or each[1] == rng.choice(SUITS)]
    return rng.sample(near if rng.random() < 0.5 and len(near) >= count else PACK, count)


def something(rng: random.Random, size: int | None = None) -> list[str]:
    """Return a combination, of any kind that has so many cards."""
    kinds = [found for found in everything().values() if size is None or len(found[0].cards) == size]
    return spelled(rng.choice(rng.choice(kinds)))


@cache
def everything() -> dict[str, list[Combo]]:
    """Return all there is in a pack, by its kind."""
    kinds: dict[str, list[Combo]] = {}
    for combo in table(" ".join(PACK)).view(0).plays:
        kinds.setdefault(combo.kind, []).append(combo)
    return kinds


def spelled(combo: Combo) -> list[str]:
    return [str(each) for each in combo.cards]


def on_table(hand: list[str], top: list[str] | None, rng: random.Random) -> BigTwoGame:
    """Return the game in which seat 0 holds the hand and has to beat what lies there, if anything."""
    others = [*ABSENT[:2], [*(top or []), *rng.sample(PACK, 2)]]
    game = table(*map(" ".join, [hand, *others]), turn=3 if top else 0)
    return after(game, " ".join(top)) if top else game


@pytest.mark.parametrize("seed", range(12))
def test_classification(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(300):
        held = some(rng, rng.choice([1, 2, 2, 3, 3, 4, 5, 5, 5, 5, 5, 6, 7]))
        assert kind(" ".join(held)) == oracle.classify(held)


@pytest.mark.parametrize("seed", range(12))
def test_what_beats_what(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(30):
        size = rng.choice([1, 2, 3, 5, 5, 5])
        one, other = something(rng, size), something(rng, rng.choice([size, size, size, None]))
        assert beats(" ".join(one), " ".join(other)) == oracle.beats(one, other)


@pytest.mark.parametrize("seed", range(40))
def test_legal_plays(seed: int) -> None:
    rng = random.Random(seed)
    for size, top in ((13, None), (13, something(rng, 5)), (rng.randrange(1, 10), something(rng)), (8, None)):
        hand = some(rng, size)
        found = [frozenset(spelled(combo)) for combo in on_table(hand, top, rng).view(0).plays]
        assert len(found) == len(set(found))
        assert set(found) == oracle.legal_plays(hand, top)


@pytest.mark.parametrize("seed", range(10))
def test_legal_first_plays(seed: int) -> None:
    rng = random.Random(seed)
    hand = ["3d", *(each for each in some(rng, 10) if each != "3d")]
    game = table(" ".join(hand), *map(" ".join, ABSENT), must="3d")
    assert {frozenset(spelled(combo)) for combo in game.view(0).plays} == oracle.legal_plays(hand, None, "3d")


@pytest.mark.parametrize("seed", range(50))
def test_scoring_and_settling(seed: int) -> None:
    rng = random.Random(seed)
    counts = [rng.randrange(1, 14) for _ in range(4)]
    counts[winner := rng.randrange(4)] = 0
    over = score(RULES.options, winner, tuple(pack()[:count] for count in counts), None)
    assert list(over.points) == oracle.penalties(counts)
    assert list(nets(over)) == oracle.settle(over.points)


@pytest.mark.parametrize("seed", range(20))
def test_who_pays_for_all(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        winning, lying, *hand = rng.sample(PACK, rng.randrange(4, 9))
        top = [lying] if rng.random() < 0.6 else None
        choices: list[list[str] | None] = [*(list(play) for play in oracle.legal_plays(hand, top)), None]
        if (played := rng.choice(choices)) is None and top is None:
            continue
        for test in ("causal", "breach"):
            tried = charged(hand, top, played, winning, test)
            assert tried == oracle.liable(hand, top, played, 1, winning, test == "causal")


def charged(hand: list[str], top: list[str] | None, played: list[str] | None, winning: str, test: str) -> bool:
    """Tell whether seat 0 pays for all, having done this before seat 1, which tries its last card.

    A card too low to go on top wins by being led: seat 1 made that play itself and nobody beat it (8.7).
    """
    move = " ".join(played) if played else "-"
    if top is None:
        game = after(table(" ".join(hand), winning, *BYSTANDERS, pay_all_test=test), move)
    elif played is None and not oracle.beats([winning], top):
        game = table(" ".join(hand), f"{winning} {top[0]}", *BYSTANDERS, turn=1, pay_all_test=test)
        game = after(game, top[0], "-", "-", "-")
    else:
        holder = f"{top[0]} {BYSTANDERS[1]}"
        game = table(" ".join(hand), winning, BYSTANDERS[0], holder, turn=3, pay_all_test=test)
        game = after(game, top[0], move)
    try:
        over = result(after(game, winning))
    except Illegal:
        return False
    return over.notes != () and over.order == (1,)


@pytest.mark.parametrize(("seed", "size"), [*((seed, 3 + seed % 5) for seed in range(40)), (40, 13)])
def test_whole_deals(seed: int, size: int) -> None:
    rng = random.Random(seed)
    dealt = rng.sample(PACK, 4 * size)
    hands = [dealt[seat::4] for seat in range(4)]
    starter = next((seat for seat in range(4) if "3d" in hands[seat]), 0)
    game = table(*map(" ".join, hands), turn=starter, must="3d" if "3d" in dealt else None)
    script: list[list[str] | None] = []
    while game.result is None:
        plays = [spelled(combo) for combo in game.view(game.turn).plays]
        move = rng.choice([*plays, *([None] * (1 + len(plays) // 2) if game.trick.top else [])])
        game = game.act(game.turn, action(" ".join(move) if move else "-"))
        script.append(move)
        if rng.random() < 0.1 and size < 13:
            assert standing(game) == oracle.simulate(hands, starter, script)
    assert standing(game) == oracle.simulate(hands, starter, script)


def standing(game: BigTwoGame) -> oracle.Standing:
    """Return where the game stands, in the words of the plain reading."""
    over, top = game.result, game.trick.top
    return {
        "turn": None if over else game.turn,
        "leading": game.trick.owner,
        "table": frozenset(spelled(top)) if top else None,
        "counts": list(game.view(None).counts),
        "winner": over.order[0] if over else None,
    }


@pytest.mark.parametrize("seed", range(30))
def test_what_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    dealt = rng.sample(PACK[1:], 20)
    hands = [dealt[seat::4] for seat in range(4)]
    game = table(*map(" ".join, hands))
    script: list[list[str] | None] = []
    for _ in range(60):
        move = rng.choice([None, *(rng.sample(dealt, size) for size in (1, 2, 3)), rng.sample(hands[game.turn], 1)])
        try:
            follows = game.act(game.turn, Pass() if move is None else action(" ".join(move)))
        except Illegal:
            with pytest.raises(ValueError, match="step"):
                oracle.simulate(hands, 0, [*script, move])
            continue
        game, script = follows, [*script, move]
        assert standing(game) == oracle.simulate(hands, 0, script)
        if game.result:
            break
    assert len(cards(" ".join(dealt))) == 20
