"""The Big and the Little A against the oracle, a slow and plain reading of its rules.

On random cards and whole hands by step, under any options, for every number of seats. A difference shows a fault in
either of them.
"""

from collections import Counter
from copy import deepcopy
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.big_little_a import BigLittleA
from bot.rules.big_little_a.play import BigLittleAGame
from tests.oracle import big_little_a as oracle
from tests.oracle.big_little_a_deal import Deal
from tests.rules.big_little_a_positions import (
    LATER,
    after,
    allowed,
    asking,
    between,
    can_name,
    counts,
    fact,
    held,
    lying,
    named,
    next_hand,
    offers,
    pile,
    rules,
    said,
    table,
    winners,
)
from tests.support.law_settings import is_thorough

CHOICES: dict[str, list[Any]] = {
    "joker_only_sets": ["fourteen", "declared", "single_only"],
    "round_mode": ["one_turn_each", "until_all_pass"],
    "auto_pass": ["public_only", "off"],
    "joker_in_hand_points": [14, 0, 20],
    "little_a_in_hand_points": [15, 3],
    "big_a_in_hand_points": [20, 0],
    "joker_in_pile_points": [1, 14],
}
SEATS = GAMES["big_little_a"].seats


def chosen(rng: Random) -> dict[str, Any]:
    """Return some options."""
    return {name: rng.choice(values) for name, values in CHOICES.items()}


# What cards are, and what beats what


def made(rng: Random) -> list[str]:
    """Return cards that make a set or nearly so: of one number, with jokers, jokers alone, one card more."""
    cards = [rng.choice(oracle.NUMBERS)] * rng.choice([0, 1, 1, 2, 2, 3, 5, 8]) + ["J"] * rng.choice(
        [0, 0, 0, 1, 1, 2, 4]
    )
    if rng.random() < 0.1:
        cards.append(rng.choice(oracle.WRITTEN[:13]))
    if rng.random() < 0.05:
        cards.append(rng.choice(oracle.A_CARDS))
    return cards if cards and Counter(cards) <= oracle.IN_PACK else made(rng)


def readings(cards: list[str], options: dict[str, Any]) -> set[oracle.Reading]:
    """Return what the reading has to say; an A card alone can be led, of which it speaks elsewhere."""
    return {(1, 0)} if cards in (["a"], ["A"]) else oracle.readings(cards, options)


@pytest.mark.parametrize("joker_only_sets", CHOICES["joker_only_sets"])
def test_sets_agree_with_the_oracle(joker_only_sets: str) -> None:
    rng, found = Random(joker_only_sets), Counter[bool]()
    game = asking(players=3, joker_only_sets=joker_only_sets)
    for cards in [made(rng) for _ in range(400)]:
        combo, read = named(" ".join(cards), game), readings(cards, {"joker_only_sets": joker_only_sets})
        found[bool(read)] += 1
        if combo is None or combo.kind in ("little_a", "big_a"):
            assert (combo is None) == (not read)
        else:
            assert (len(combo.cards), combo.strength) == max(read), cards
    assert min(found.values()) > 30


@pytest.mark.parametrize("joker_only_sets", CHOICES["joker_only_sets"])
def test_beating_agrees_with_the_oracle(joker_only_sets: str) -> None:
    rng, found = Random(joker_only_sets), Counter[bool]()
    game, options = asking(players=3, joker_only_sets=joker_only_sets), {"joker_only_sets": joker_only_sets}
    tried = [
        each for each in (made(rng) for _ in range(150 if is_thorough() else 100)) if oracle.readings(each, options)
    ]
    for one, other in product(tried, tried):
        top = max(oracle.readings(other, options))
        fits = bool(oracle.fitting(one, top, options))
        found[fits] += 1
        assert (game.compare(held(" ".join(one)), held(" ".join(other))) is None) == fits, (one, other)
    assert min(found.values()) > 200


@pytest.mark.parametrize("seed", range(30))
def test_the_plays_of_a_hand_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    options = chosen(rng)
    game = asking(players=3, joker_only_sets=options["joker_only_sets"])
    few = rng.sample(oracle.NUMBERS, rng.choice([2, 3, 6, 13]))
    rich = [card for card in oracle.PACK if card in few or card == "J"]
    hand = rng.sample(rich, rng.randrange(1, 14))
    for top in (None, *(each for each in (made(rng) for _ in range(8)) if oracle.readings(each, options))):
        if top is None:
            read, now = None, table(" ".join(hand), "1 2", "1 2", of=game)
        else:
            read = rng.choice(sorted(oracle.readings(top, options)))
            now = lying(" ".join(top) + name_of(read, top, options), " ".join(hand), game)
            hand_now = now.rules.sort(held(" ".join(hand)))
            now = now._replace(hands=(now.hands[0], hand_now, now.hands[2]))
        plays = {oracle.in_order(each.split()) for each in offers(now) if each != "-"}
        assert plays == oracle.plays(hand, read, options), (hand, top, read)


def name_of(read: oracle.Reading, cards: list[str], options: dict[str, Any]) -> str:
    """Return the declared rank for lone jokers, if asked."""
    bare = len(cards) > 1 and set(cards) == {"J"} and options["joker_only_sets"] == "declared"
    return f", as {rank(read[1])}" if bare else ""


def rank(number: int) -> str:
    """Return the card that names a rank."""
    return "J" if number == 14 else str(number)


# Whole hands, step for step


class Both:
    """A hand of the game and the same of the reading, side by side."""

    def __init__(self, game: BigLittleAGame, deal: Deal) -> None:
        self.game, self.deal = game, deal
        self.agree()

    def step(self, rng: Random) -> None:
        """Act for the awaited seat as the oracle offers; jokers alone, A cards and passes come last."""
        options = self.deal.offers()
        verb, argument = rng.choice(options if rng.random() < 0.6 else options[-3:])
        text = {"pass": "-", "name": f"as {rank(argument)}" if verb == "name" else ""}.get(verb) or " ".join(argument)
        self.game = after(self.game, text)
        assert self.deal.turn is not None
        self.deal.act(self.deal.turn, verb, argument)
        if self.deal.pending and [each for _, each in self.deal.offers()] == [14]:
            assert self.deal.act(self.deal.turn, "name", 14) != "illegal"  # of one answer nobody is asked for it
        self.agree()

    def agree(self) -> None:
        """Fail unless every visible part of two states agrees."""
        game, deal = self.game, self.deal
        assert [Counter(said(hand).split()) for hand in game.hands] == [Counter(hand) for hand in deal.hands]
        assert next(iter(game.awaited), None) == deal.turn
        assert (game.round, winners(game), game.result is not None) == (deal.number, deal.winners, deal.over)
        assert (fact(game, "little"), fact(game, "big")) == (deal.holder("a"), deal.holder("A"))
        lies = next(((seat, list(oracle.in_order(each))) for seat, each in enumerate(deal.piles) if each), None)
        assert pile(game) == (lies and (lies[0], " ".join(lies[1])))
        if game.result:
            assert list(game.result.points) == deal.penalties()
        else:
            self.agree_on_the_round()

    def agree_on_the_round(self) -> None:
        """Fail unless the same lies there, and the seat on turn is offered the same."""
        game, deal = self.game, self.deal
        lying_there = [(move.seat, said(move.combo.cards).split()) for move in game.trick.moves if move.combo]
        assert [(seat, Counter(cards)) for seat, cards in lying_there] == [
            (seat, Counter(cards)) for seat, cards in deal.played
        ]
        assert game.in_a_round == deal.is_a_round()
        if deal.top and not game.in_a_round:
            assert game.trick.top
            assert (len(game.trick.top.cards), game.trick.top.strength) == deal.top
        if deal.pending:
            assert can_name(game).split() == [rank(number) for _, number in deal.offers()]
        else:
            acts = {"-" if verb == "pass" else " ".join(cards) for verb, cards in deal.offers()}
            assert {in_words(each) for each in offers(game)} == acts
            assert len(offers(game)) == len(acts)

    def tries(self, rng: Random) -> None:
        """Try actions that are not offered: rules and oracle refuse the same ones."""
        seat = rng.randrange(self.game.rules.players) if rng.random() < 0.2 else self.game.turn
        hand = said(self.game.hands[self.game.turn]).split()
        cards = rng.sample(hand, min(len(hand), rng.choice([1, 1, 2, 2, 3])))
        trial = deepcopy(self.deal)
        for text in (" ".join(cards), "a", "A", "J J", "-", f"as {rng.randrange(1, 14)}"):
            verb = "pass" if text == "-" else "name" if text.startswith("as") else "play"
            argument: Any = int(text[3:]) if verb == "name" else text.split()
            mine = trial.act(seat, verb, argument) != "illegal"
            assert allowed(self.game, text, seat) == mine, (text, seat)
            trial = deepcopy(self.deal) if mine else trial  # what is illegal changes nothing


def in_words(offer: str) -> str:
    """Return an offer as the reading writes it."""
    return offer if offer == "-" else " ".join(oracle.in_order(offer.split()))


def play_out(both: Both, rng: Random) -> None:
    """Play a hand to its end."""
    while not both.deal.over:
        if rng.random() < 0.2:
            both.tries(rng)
        both.step(rng)
    assert both.game.awaited == frozenset()


@pytest.mark.rotates(5)
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("seed", range(6))
def test_whole_hands(players: int, seed: int) -> None:
    rng = Random(f"{players} {seed}")
    options = chosen(rng)
    game = rules(players=players, **options).deal(rng, rng.randrange(players))
    play_out(Both(game, Deal([said(hand).split() for hand in game.hands], game.turn, options)), rng)


@pytest.mark.rotates(4)
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("seed", range(20))
def test_short_hands_rich_in_jokers(players: int, seed: int) -> None:
    """Few cards of few numbers: here leads are handed on, several are out at once, and jokers are named."""
    rng = Random(f"short {players} {seed}")
    options, number = chosen(rng), rng.choice([1, 1, 2, 3, LATER])
    hands = few_cards(rng, players)
    taken = {}
    for name, least in (("a", 2), ("A", 3)):
        if number >= least:
            rng.choice(hands).append(name)
            taken[name] = least - 1
    starter = next(seat for seat in rng.sample(range(players), players) if set(hands[seat]) - {*oracle.A_CARDS})
    game = table(*map(" ".join, hands), of=rules(players=players, **options), turn=starter, number=number, taken=taken)
    play_out(Both(game, Deal(hands, starter, options, number, taken)), rng)


def few_cards(rng: Random, players: int) -> list[list[str]]:
    """Return hands of one to five cards, mostly of a few numbers, with all the jokers."""
    few = [*rng.sample(oracle.NUMBERS, 5), "13"]
    cards = [card for card in oracle.PACK if card in few] + ["J"] * 4
    rng.shuffle(cards)
    cards.sort(key=lambda card: card != "J" or rng.random() < 0.5)
    hands: list[list[str]] = [[] for _ in range(players)]
    for seat in rng.sample(range(players), players):
        hands[seat] = [cards.pop(0) for _ in range(min(rng.randrange(1, 6), len(cards) - players))]
    return hands


# The match


@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("next_starter", ["most_total", "most_last_hand"])
@pytest.mark.parametrize("starter_tie", ["last_deal_then_clockwise", "random"])
def test_the_first_leader_of_the_next_hand_agrees_with_the_oracle(
    players: int, next_starter: str, starter_tie: str
) -> None:
    rng, lots = Random(f"{players}{next_starter}"), 0
    options = {"next_starter": next_starter, "starter_tie": starter_tie}
    game: BigLittleA = rules(players=players, **options)
    for _ in range(60 if is_thorough() else 30):
        first, last = ([rng.choice([1, 2, 3]) for _ in range(players)] for _ in range(2))
        before = rng.randrange(players)
        totals = [sum(pair) for pair in zip(first, last, strict=True)]
        leads = next_hand(between(game, tuple(first), tuple(last), starter=before)).turn
        known = oracle.next_starter(totals, last, before, options)
        assert leads in ([known] if known is not None else oracle.can_begin(totals, last, options))
        lots += known is None
    assert (lots > 0) == (starter_tie == "random")


@pytest.mark.parametrize("hands_per_match", [1, 2, 5])
def test_standings(hands_per_match: int) -> None:
    rng = Random(hands_per_match)
    options: dict[str, Any] = {"hands_per_match": hands_per_match}
    game = rules(**options)
    for count in range(1, hands_per_match + 1):
        hands = [tuple(rng.choice([0, 5, 10]) for _ in range(4)) for _ in range(count)]
        match = between(game, *hands)
        over, totals, first = oracle.standing(hands, options)
        assert (match.over, list(match.totals)) == (over, totals)
        assert [seat for seat in range(4) if over and match.places[seat] == 1] == first


def test_counts_of_the_deal() -> None:
    for players in SEATS:
        dealt = rules(players=players).deal(Random(players), 0)
        assert (counts(dealt), len(dealt.unused)) == ([oracle.HAND_SIZES[players]] * players, oracle.UNUSED[players])
    assert sorted(said(rules().pack).split()) == sorted(oracle.PACK)
