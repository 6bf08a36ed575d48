"""Play and scoring of the standard game against the oracle, a slow and plain reading of its description.

On random hands. A difference shows a fault in either of them.
"""

import random

import pytest

from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import Pass
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from tests.oracle import big_two as oracle
from tests.oracle.big_two import PACK
from tests.oracle.big_two_combinations import beats, plays
from tests.rules.positions import action, after, nets, result, table

BYSTANDERS = ("3c 4c", "5c 6c")


def spelled(combo: Combo) -> list[str]:
    return [str(each) for each in combo.cards]


@pytest.mark.parametrize("seed", range(50))
def test_scoring_and_settling(seed: int) -> None:
    rng = random.Random(seed)
    counts = [0, *(rng.randrange(1, 14) for _ in range(3))]
    dealt = rng.sample(PACK, 1 + sum(counts))
    held = [[dealt.pop() for _ in range(count)] for count in counts]
    over = result(after(table(dealt[0], *map(" ".join, held[1:])), dealt[0]))
    assert over.order == (0,)
    assert list(over.points) == oracle.penalties(counts)
    assert list(nets(over)) == oracle.settle(over.points)


@pytest.mark.parametrize("seed", range(20))
def test_the_duty_to_pay_for_all_agrees_with_the_oracle(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        winning, lying, *hand = rng.sample(PACK, rng.randrange(4, 9))
        top = [lying] if rng.random() < 0.6 else None
        choices: list[list[str] | None] = [*(list(play) for play in plays(hand, top)), None]
        if (played := rng.choice(choices)) is None and top is None:
            continue
        for test in ("causal", "breach"):
            tried = charged(hand, top, played, winning, test)
            assert tried == oracle.liable(hand, top, played, 1, winning, test == "causal")


def charged(hand: list[str], top: list[str] | None, played: list[str] | None, winning: str, test: str) -> bool:
    """Tell whether seat 0 pays for all, having done this before seat 1, which tries its last card.

    A card too low to go on top wins by being led: seat 1 made that play unbeaten (8.7).
    """
    move = " ".join(played) if played else "-"
    if top is None:
        game = after(table(" ".join(hand), winning, *BYSTANDERS, pay_all_test=test), move)
    elif played is None and not beats([winning], top):
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
        offered = [spelled(combo) for combo in game.view(game.turn).plays]
        move = rng.choice([*offered, *([None] * (1 + len(offered) // 2) if game.trick.top else [])])
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
def test_refusals_agree_with_the_oracle(seed: int) -> None:
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
