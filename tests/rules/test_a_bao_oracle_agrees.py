"""Tàihé A Bāo against the oracle, a slow and plain reading of its rules: combinations, and whole matches by step.

On random cards, including illegal attempts. A difference shows a fault in either of them.
"""

from collections import Counter
from dataclasses import asdict
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.rules.a_bao import ABao
from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.a_bao.play import ABaoGame
from bot.rules.core.asks import Action, Choose, Give, GiveAsk, Name, NameAsk, Pass, Play, Ready
from bot.rules.core.cards import Cards, card, cards, every_card
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match
from tests.oracle import a_bao as oracle
from tests.oracle import a_bao_hand as oracle_hand
from tests.rules.a_bao_positions import Hand, asking, lying, rules, table, whose
from tests.rules.a_bao_random import KEEN, any_options, any_rules, hand_of, some_action

DECKS: list[dict[str, Any]] = [
    *({"players": players, "aces": aces} for players in (3, 4, 5) for aces in (True, False)),
    {"players": 5, "aces": False, "three_kings_top": True},
]
AS_READ = {"top_three": "four"}  # a kind that the reading does not tell apart
HANDS = 4

every_deck = pytest.mark.parametrize("options", DECKS, ids=str)


# Combinations


def with_ranks(game: ABao, ranks: oracle.Pattern) -> Cards:
    """Return cards of these ranks."""
    found: list[Any] = []
    for rank in ranks:
        found.append(next(each for each in game.pack if each.rank == rank and each not in found))
    return tuple(found)


def kind_of(combo: Combo | None) -> str | None:
    """Return how the reading calls a combination."""
    return AS_READ.get(combo.kind, combo.kind) if combo else None


def made(rng: Random, game: ABao) -> list[str]:
    """Return cards that make something or nearly so: equal ranks, sequences, one card more or less, of any pack."""
    start, copies, length = rng.randrange(9), rng.choice([1, 1, 1, 2, 2, 3, 4]), rng.randrange(1, 7)
    held = [f"{rank}{suit}" for rank in oracle.RANKS[start : start + length] for suit in rng.sample("dchs", copies)]
    held = [each for each in held if card(each) in game.pack]
    if rng.random() < 0.3:
        held = rng.choice([held[1:], list({*held, *rng.sample(oracle.pack(asdict(game.options)), 1)})])
    return held or made(rng, game)


@every_deck
def test_the_pack(options: dict[str, Any]) -> None:
    assert list(map(str, rules(**options).pack)) == oracle.pack(options)


@every_deck
def test_combinations_agree_with_the_oracle(options: dict[str, Any]) -> None:
    game, rng, found = rules(**options), Random(str(options)), Counter[str | None]()
    for _ in range(1500):
        held = made(rng, game)
        read_as = oracle.classify(held, options)
        kind = kind_of(game.classify(cards(" ".join(held))))
        assert kind == (read_as[0] if read_as else None), held
        found[kind] += 1
    assert len(found) == 7


@every_deck
def test_beating_agrees_with_the_oracle(options: dict[str, Any]) -> None:
    game = rules(**options)
    combos = {shape: game.classify(with_ranks(game, shape)) for shape in oracle.shapes(options)}
    for (one, first), (other, second) in product(combos.items(), repeat=2):
        assert first
        assert second
        beaten = oracle.answer(one, other, options) == "beat"
        assert game.groups.can_follow(first, second) == beaten, (one, other)
        assert (game.compare(first.cards, second.cards) is None) == beaten


@every_deck
def test_the_smallest_answer_agrees_with_the_oracle(options: dict[str, Any]) -> None:
    game = rules(**options)
    for shape in oracle.shapes(options):
        combo = game.classify(with_ranks(game, shape))
        assert combo
        assert game.groups.fewest_over(combo) == oracle.smallest_answer(shape, options), shape


def hand_for(rng: Random, game: ABao, size: int) -> list[str]:
    """Return a hand, as often as not of few ranks."""
    few = rng.sample(oracle.RANKS, rng.choice([3, 4, 6]))
    rich = [each for each in game.pack if each.rank in few]
    pool = rng.choice([rich, list(game.pack)])
    return list(map(str, rng.sample(pool, min(size, len(pool)))))


@pytest.mark.rotates(2)
@every_deck
@pytest.mark.parametrize("seed", range(3))
def test_the_plays_of_a_hand_agree_with_the_oracle(options: dict[str, Any], seed: int) -> None:
    rng, game = Random(seed), asking(**options)
    for size in (1, 4, 7, 10, 13):
        for _ in range(5):
            hand, top = hand_for(rng, game, size), made(rng, game)
            agree_on_plays(rng, game, hand, top if oracle.classify(top, options) else None)


def agree_on_plays(rng: Random, game: ABao, hand: list[str], top: list[str] | None) -> None:
    """Check that a seat is offered the plays of the reading, each once, and no other."""
    held, options = game.sort(cards(" ".join(hand))), asdict(game.options)
    now = lying(" ".join(top), of=game) if top else table(of=game, turn=1)
    now = now._replace(hands=(now.hands[0], held, *now.hands[2:]))
    plays = now.view(1).plays
    offers = Counter(oracle.in_order(game.alike(combo.cards)) for combo in plays)
    assert offers == Counter(oracle.plays(hand, top, options)), (hand, top)
    assert bool(plays) == bool(offers)
    wanted = tuple(rng.sample(held, rng.randrange(1, len(held) + 1)))
    assert allowed(now, 1, Play(wanted)) == (oracle.pattern(wanted, options) in offers)


def allowed(hand: Hand | Match, seat: int, action: Action) -> bool:
    """Tell whether a seat may do this."""
    try:
        hand.act(seat, action)
    except Illegal:
        return False
    return True


# Whole matches


def begin(hand: ABaoBidding, prev: dict[str, Any] | None) -> oracle_hand.Hand:
    """Return the oracle's hand after the deal, having checked its starter."""
    options = asdict(hand.rules.options)
    starter, four_used = oracle_hand.deal_starter(hand.hands, prev, options)
    assert (whose(hand), hand.bid.bound) == (starter, four_used)
    assert {len(each) for each in hand.hands} == {oracle.hand_size(options)}
    return oracle_hand.start(hand.hands, starter, four_used, options)


def words(action: Action) -> tuple[str, Any]:
    """Return an action as the reading has it."""
    match action:
        case Choose(codes=(code,)):
            return code, None
        case Name(card=named):
            return "call", str(named)
        case Give(cards=(given,)):
            return "give", str(given)
        case Play(cards=played):
            return "play", list(map(str, played))
    return "pass", None


def agree(hand: Hand, read: oracle_hand.Hand) -> None:
    """Check that both stand at the same point."""
    assert [sorted(map(str, each)) for each in hand.hands] == [sorted(each) for each in read.hands]
    if isinstance(hand, ABaoBidding):
        assert (phase(hand), whose(hand), hand.bid.declarer) == (read.phase, read.turn, None)
        agree_on_offer(hand, read)
    else:
        assert (hand.turn if hand.result is None else None, hand.bid.declarer) == (read.turn, read.declarer)
        assert (hand.result is not None) == (read.phase in ("over", "auto_win"))
        assert list(map(str, hand.trick.top.cards)) == sorted_as(hand, read.top) if hand.trick.top else not read.top
    assert [(call.caller, str(call.card)) for call in hand.bid.calls] == list(
        zip(read.callers, read.called, strict=True)
    )


def sorted_as(hand: ABaoGame, names: list[str] | None) -> list[str]:
    """Return the names of cards in the order of the game."""
    return list(map(str, hand.rules.sort(cards(" ".join(names or ())))))


def phase(hand: ABaoBidding) -> str:
    """Return how far the bidding has come."""
    return "give" if hand.giving else "second" if hand.second else "first"


def agree_on_offer(hand: ABaoBidding, read: oracle_hand.Hand) -> None:
    """Check that just the same cards can be called or given."""
    view = hand.view(whose(hand))
    match view.ask:
        case NameAsk(cards=named, may_pass=may_pass):
            assert set(map(str, named)) == read.may_call()
            assert may_pass != (hand.rules.options.starter_must_call and whose(hand) == hand.bid.starter)
        case GiveAsk():
            assert set(map(str, view.ask.givable(view.hand))) == read.may_give()


def attempts(hand: Hand, rng: Random) -> list[Action]:
    """Return what a player might try."""
    held = hand.hands[whose(hand)]
    some: list[Action] = [Play(tuple(rng.sample(held, min(len(held), size)))) for size in (1, 2, 3, 4)]
    named: list[Action] = [Name(each) for each in rng.sample(every_card(), 3)]
    given: list[Action] = [Give((each,)) for each in (*rng.sample(held, 1), *rng.sample(hand.rules.pack, 1))]
    return [Pass(), Choose(("declare",)), Choose(("pass",)), *some, *named, *given]


def agree_on_attempts(hand: Hand, read: oracle_hand.Hand, rng: Random) -> None:
    """Check that the same is refused, also out of turn."""
    spoken = isinstance(hand, ABaoBidding) and not hand.second  # then passing is an answer of its own
    for tried in rng.sample(attempts(hand, rng), 4):
        if isinstance(tried, Pass if spoken else Choose):
            continue
        seat = whose(hand) if rng.random() < 0.8 else rng.randrange(hand.rules.players)
        if spoken and seat != whose(hand):
            continue  # where all are asked at once there is no turn
        assert allowed(hand, seat, tried) == (copied(read).act(seat, *words(tried)) != oracle_hand.ILLEGAL), tried


def copied(read: oracle_hand.Hand) -> oracle_hand.Hand:
    """Return the same moment of the reading, to be tried out."""
    twin = oracle_hand.Hand(read.hands, read.starter, read.four_used, read.options)
    twin.__dict__ |= {name: list(held) if isinstance(held, list) else held for name, held in vars(read).items()}
    twin.hands = [list(each) for each in read.hands]
    return twin


@pytest.mark.rotates(3)
@pytest.mark.parametrize("seed", range(40))
def test_whole_matches(seed: int) -> None:
    rng = Random(seed)
    match, prev, keen = Match.start(any_rules(rng, match_end="open"), f"{seed}"), None, rng.choice(KEEN)
    for _ in range(HANDS):
        match, read = agree_on_hand(match, prev, rng, keen)
        assert match.game.result
        assert list(match.game.result.points) == read.points
        prev = {"declarer": read.declarer, "won": read.won()}
        for ready in range(match.rules.players):
            match = match.act(ready, Ready())


def agree_on_hand(
    match: Match, prev: dict[str, Any] | None, rng: Random, keen: float
) -> tuple[Match, oracle_hand.Hand]:
    """Play a hand to its end, step for step beside the reading; return both."""
    hand = hand_of(match.game)
    assert isinstance(hand, ABaoBidding)
    read = begin(hand, prev)
    while hand.result is None:
        agree(hand, read)
        agree_on_attempts(hand, read, rng)
        seat, thrown = whose(hand), hand.bid.thrown
        action = some_action(hand.view(seat), rng, keen)
        match = match.act(seat, action)
        hand = hand_of(match.game)
        assert read.act(seat, *words(action)) != oracle_hand.ILLEGAL
        assert (read.phase == "redeal") == (hand.bid.thrown > thrown)
        if isinstance(hand, ABaoBidding) and hand.bid.thrown > thrown:
            read = begin(hand, {"redeal_starter": read.starter})
    agree(hand, read)
    return match, read


def test_random_options_reach_every_value() -> None:
    rng = Random("options")
    drawn = [any_options(rng) for _ in range(60)]
    assert {each.get("recall") for each in drawn} >= {"forbidden", "allowed", "complete_four"}
    assert {each.get("players") for each in drawn} >= {3, 4, 5}
