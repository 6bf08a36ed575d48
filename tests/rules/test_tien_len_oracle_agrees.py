"""Tiến Lên against the oracle, a slow and plain reading of its rules, under any options, by step.

On random hands, most of few ranks, rich in chops. A difference shows a fault in either of them.
"""

from collections import Counter
from dataclasses import asdict
from random import Random
from typing import Any

from bot.games import GAMES
from bot.rules.core.cards import cards
from bot.rules.tien_len import TienLen
from bot.rules.tien_len.hands import KINDS, MORE
from bot.rules.tien_len.play import TienLenGame
from tests.laws.matches import compatible
from tests.oracle import tien_len as oracle
from tests.oracle.tien_len_hand import Hand
from tests.rules.tien_len_positions import after, rules
from tests.support.law_settings import scaled

GAME = GAMES["tien_len"]
HANDS, TWOS = scaled(100), [["2s"], ["2c"], ["2d"], ["2h"]]


def chosen(rng: Random) -> TienLen:
    """Return the game under options at random; chopping out of turn as often as not."""
    free = {name: rng.choice(option.choices).value for name, option in GAME.sheet.options.items()}
    wished = dict(rng.sample(sorted(free.items()), rng.randrange(len(free))))
    fixed = rng.choice(
        [
            {"out_of_turn_four_pairs": True},
            {"last_card_two": False},
            {"chops": free["chops"]},
            {"one_card_rule": "pay_all", "players": rng.choice([3, 4])},
            {"last_three_doubles": True, "chop_chain": "each"},
        ]
    )
    return rules(**compatible(GAME, "south", wished, fixed))


def dealt(rng: Random, players: int) -> list[list[str]]:
    """Return hands of eight cards: any, or pairs of few ranks that are neighbours, and twos; or of three cards."""
    if rng.random() < 0.2:
        order = ["3s", *rng.sample(oracle.PACK[1:], 3 * players - 1)]
        return [order[seat::players] for seat in range(players)]
    if rng.random() < 0.3:  # any, or two and a two
        order, suits = rng.sample(oracle.PACK[:-4], 8 * players), oracle.SUITS
        few = [["2" + suits[seat], *order[seat : 2 * players : players]] for seat in range(players)]
        return [order[seat::players] if rng.random() < 0.5 else few[seat] for seat in range(players)]
    low, some = rng.randrange(6), {2: 3, 3: 5, 4: 7}[players]
    ranks = [*oracle.RANKS[low : low + some], "2"]
    pairs = rng.sample([(rank + one, rank + other) for rank in ranks for one, other in ("sc", "dh")], 4 * players)
    hands = [[each for pair in pairs[seat::players] for each in pair] for seat in range(players)]
    if rng.random() < 0.3:  # four pairs in a row on the last seat, and twos on others
        hands[-1] = [rank + suit for rank in oracle.RANKS[low : low + 4] for suit in "dh"]
        rest = rng.sample([each for each in oracle.PACK if each not in hands[-1]], 5 * players)
        return [
            [two, *rest[seat * 5 : seat * 5 + 5]] if two not in rest else rest[seat * 5 : seat * 5 + 5]
            for seat, two in zip(range(players - 1), ("2s", "2c", "2h"), strict=False)
        ] + hands[-1:]
    left = sorted({*oracle.PACK} - {each for hand in hands for each in hand})
    odd = rng.sample(left, players)
    return [hand if rng.random() < 0.5 else [*hand[1:], odd[seat]] for seat, hand in enumerate(hands)]


def agree(game: TienLenGame, hand: Hand) -> None:
    """Fail unless every visible part of two states agrees."""
    assert [Counter(map(str, each)) for each in game.hands] == [Counter(each) for each in hand.hands]
    assert (list(game.out), list(game.last)) == (hand.out, hand.last)
    assert next(iter(game.awaited), None) == hand.turn
    for seat in range(game.rules.players):
        may_act = game.result is None and (seat == hand.turn or hand.may_chop(seat))
        assert (seat in game.to_act) == may_act
        if may_act:
            assert {frozenset(map(str, each.cards)) for each in game.view(seat).plays} == hand.offers(seat)


def wished(game: TienLenGame, hand: Hand, rng: Random) -> tuple[int, list[str] | None]:
    """Return who does what: now and then a player out of turn, rather chops than others, and the 3 of spades late."""
    late = [seat for seat in game.to_act - game.awaited if hand.offers(seat)]
    [seat] = [rng.choice(late)] if late and rng.random() < 0.7 else game.awaited
    offers = sorted(map(sorted, hand.offers(seat)))
    if not offers or (seat == game.turn and hand.plays and rng.random() < 0.3):
        return seat, None
    late_three = [each for each in offers if "3s" not in each or rng.random() < 0.02] or offers
    return seat, rng.choice([each for each in offers if each in TWOS and rng.random() < 0.5] or late_three)


def test_whole_hands_agree_with_the_oracle_step_by_step() -> None:
    seen = Counter[str]()
    for at in range(HANDS):
        rng = Random(at)
        of = chosen(rng)
        hands = dealt(rng, of.players)
        game = TienLenGame(
            of, tuple(of.sort(cards(" ".join(each))) for each in hands), (), at % of.players, at % of.players
        )
        hand = Hand(hands, asdict(of.options), at % of.players)
        agree(game, hand)
        while hand.turn is not None:
            seat, played = wished(game, hand, rng)
            seen["out of turn"] += seat != game.turn
            game = after(game, f"{seat}: {' '.join(played) if played else '-'}")
            hand.act(seat, played)
            agree(game, hand)
        assert game.result
        assert (list(game.result.order), list(game.result.points)) == (hand.order(), hand.points())
        seen.update(note.article for note in game.result.notes)
    assert all(seen[rare] for rare in ("out of turn", "6.3", "8.2", "8.3", "8.4", "8.8", "O13.4", "O16.1")), seen


def is_red(card: str) -> bool:
    return card[1] in "dh"


def test_instant_wins_agree_with_the_oracle() -> None:
    rng, seen = Random("at once"), Counter[Any]()
    for _ in range(scaled(600)):
        some: dict[str, Any] = {name: rng.random() < 0.7 for name in MORE}
        of, first = rules(instant=rng.choice(["south", "few", "none"]), **some), rng.random() < 0.5
        ranks = rng.sample(range(13), 9) if rng.random() < 0.5 else [*range(rng.randrange(4), 9), 12]
        if few := rng.random() < 0.3:
            ranks = ranks[:7]
        rich = [each for each in oracle.PACK if oracle.rank(each) in ranks]
        order = rng.sample(rich if few or rng.random() < 0.8 else oracle.PACK, 26)
        if few:  # much of few ranks, or of one colour
            order.sort(key=oracle.rank if rng.random() < 0.5 else is_red)
            for one, other in rng.sample([(one, one + 13) for one in range(13)], rng.randrange(5)):
                order[one], order[other] = order[other], order[one]
        hands = [order[:13], order[13:]]
        game = of.begun(tuple(of.sort(cards(" ".join(each))) for each in hands), (), 0, first=first)
        winner = oracle.at_once(hands, asdict(of.options), first=first)
        assert (game.result and game.result.order[0]) == winner
        seen[winner] += 1
        said = {note.sentence for note in game.result.notes} if game.result else set()
        seen.update(kind for kind in MORE if KINDS[kind] in said)
    assert min(seen[winner] for winner in (None, 0, 1)) > 30
    assert seen.keys() >= {None, 0, 1, "two_fours", "triples_in_row", "one_colour", "four_triples"}, seen
