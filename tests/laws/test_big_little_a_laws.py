"""What holds in every match of The Big and the Little A, under any options, for any play.

Covers what lies open and reckons from that alone who must hold what: how many cards each seat has, which A card it took
when, and which cards of a Big-A trick it still has for certain. Refuses to look into a hand but to check that.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise, permutations, product
from random import Random
from typing import TypeAlias

import pytest

from bot.games import GAMES
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.big_little_a.rules import BigLittleARules
from bot.rules.core.asks import Action, Pass, Play
from bot.rules.core.cards import Card, card
from bot.rules.core.game import View
from bot.rules.core.trick import Trick
from bot.rules.matches.match import Match
from tests.laws.matches import PlayedMatch, lives, offered, some

Policy: TypeAlias = Callable[[list[Action], Random], Action]

GAME = GAMES["big_little_a"]
LITTLE_A, BIG_A, JOKER = card("LA"), card("BA"), card("JK")
A_CARDS = (LITTLE_A, BIG_A)
MATCHES = 2  # of a preset by so many players
pytestmark = pytest.mark.rotates(3)
HAND_SIZES = {3: 13, 4: 13, 5: 13, 6: 13, 7: 13, 8: 13, 9: 12}

every_number = pytest.mark.parametrize("players", GAME.seats)


@pytest.fixture(scope="module", params=product(GAME.presets, GAME.seats), ids=lambda each: f"{each[0]}-{each[1]}")
def matches(request: pytest.FixtureRequest) -> list[PlayedMatch]:
    """Matches of each preset by each number of players in turn."""
    preset, players = request.param
    return lives(MATCHES, GAME.name, preset, players=players)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """Dice of a law, for what it looks at."""
    return Random(request.node.name)


# What can be reckoned from what lies open


@dataclass
class Reckoning:
    """The certain holdings after these rounds, by public reasoning.

    counts: cards in each hand. known: which are in a hand for certain, and how often at least. totals: cards in all
    hands after each round. taken: the round in which each held A card was taken. led: each A card that was led, with
    its round and the round of its taking. pile: before whom the little-a trick lies, and its cards.
    """

    counts: list[int]
    known: Counter[tuple[int, Card]] = field(default_factory=Counter)
    totals: list[int] = field(default_factory=list)
    taken: dict[Card, int] = field(default_factory=dict)
    led: list[tuple[Card, int, int]] = field(default_factory=list)
    pile: tuple[int, Counter[Card]] | None = None

    @classmethod
    def of(cls, view: View) -> "Reckoning":
        """Reckon from what lies open in a view."""
        now = cls([HAND_SIZES[view.rules.players]] * view.rules.players)
        for number, trick in enumerate(view.tricks, 1):
            now.watch(trick, number)
            now.hand_out(trick, number)
        now.watch(view.trick, len(view.tricks) + 1)
        return now

    def watch(self, trick: Trick, number: int) -> None:
        """Observe a round's play; equal cards may have been the publicly known one."""
        for seat, each in ((move.seat, each) for move in trick.moves if move.combo for each in move.combo.cards):
            self.counts[seat] -= 1
            self.known -= Counter({(seat, each): 1})
            if each in A_CARDS:
                self.led.append((each, number, self.taken.pop(each)))

    def hand_out(self, trick: Trick, number: int) -> None:
        """Distribute a finished round's cards."""
        winner, played = highest(trick), [each for move in trick.moves if move.combo for each in move.combo.cards]
        gained = played if BIG_A in played else list(A_CARDS[number - 1 : number])
        self.known += Counter((winner, each) for each in gained)
        self.counts[winner] += len(gained)
        self.totals.append(sum(self.counts))
        self.pile = (winner, Counter(played)) if LITTLE_A in played else self.pile
        self.taken |= {each: number for each in gained if each in A_CARDS}


def highest(trick: Trick) -> int:
    """Return who has won a round: who played last, or in an A round the first of the highest cards."""
    plays = [(move.seat, move.combo.cards) for move in trick.moves if move.combo]
    if plays[0][1][0] not in A_CARDS:
        return plays[-1][0]
    return max(plays, key=lambda play: worth(play[1][0]))[0]


def worth(each: Card) -> int:
    """Return the worth of a card in an A round."""
    return 0 if each in A_CARDS else 1 if each is JOKER else int(each.rank)


def hand_of(match: Match) -> BigLittleAGame:
    """Return the hand of a match."""
    assert isinstance(match.game, BigLittleAGame)
    return match.game


def everywhere(game: BigLittleAGame) -> Counter[Card]:
    """Return every card, wherever it is: in hands, on the table, played, in the middle, or not dealt."""
    lying = [each for trick in (*game.tricks, game.trick) for each in trick.cards]
    return Counter([*(each for hand in game.hands for each in hand), *lying, *game.middle.lying, *game.unused])


# The laws


def test_every_card_has_exactly_one_place(matches: list[PlayedMatch], rng: Random) -> None:
    for now in some((each for life in matches for each in life.positions), rng, 0.1):
        game, seen = hand_of(now), Reckoning.of(now.view(None))
        assert everywhere(game) == Counter(game.rules.pack)
        assert list(now.view(None).counts) == seen.counts
        pile = game.middle.pile
        assert (pile and (pile.seat, Counter(pile.cards))) == seen.pile


def test_publicly_known_cards_are_correct(matches: list[PlayedMatch], rng: Random) -> None:
    for now in some((each for life in matches for each in life.positions), rng, 0.1):
        game, view, players = hand_of(now), now.view(None), now.rules.players
        held = Counter((seat, each) for seat, hand in enumerate(game.hands) for each in hand)
        seen = Reckoning.of(view)
        assert Counter(view.known) <= held
        if now.game.result is None:
            assert Counter(view.known) == seen.known
        for seat in range(players):
            assert now.view(seat).known == tuple(each for each in view.known if each[0] != seat)
        holders = {name: dict(view.facts).get(name) for name in ("little", "big")}
        assert holders == {"little": holder(seen, LITTLE_A), "big": holder(seen, BIG_A)}
        assert_bars(view, seen)


def holder(seen: Reckoning, each: Card) -> int | None:
    """Return who must hold an A card."""
    return next((seat for seat, known in seen.known if known is each), None)


def assert_bars(view: View, seen: Reckoning) -> None:
    """Fail unless every player is told of each A card that cannot be led yet, and of no other."""
    facts = dict(view.facts)
    for name, each in zip(("little_from", "big_from"), A_CARDS, strict=True):
        free = seen.taken.get(each, -9) + 2
        assert facts.get(name) == (free if free > facts["round"] else None)


def test_an_unfinished_hand_always_awaits_a_player(matches: list[PlayedMatch]) -> None:
    for now in (each for life in matches for each in life.hands(1)):
        game = hand_of(now)
        for seat in game.awaited:
            actions = offered(now.view(seat))
            assert actions
            if not game.naming:
                assert (Pass() in actions) == may_pass(game, seat)


def may_pass(game: BigLittleAGame, seat: int) -> bool:
    """Tell whether a seat may pass: never as a leader, and in an A round only with nothing but A cards."""
    if not game.trick.moves:
        return False
    led = game.trick.moves[0].combo
    return not (led and led.head in A_CARDS) or set(game.hands[seat]) <= {*A_CARDS}


def test_automatic_plays_follow_from_public_cards(matches: list[PlayedMatch], rng: Random) -> None:
    """In a normal round: in an A round a last card that plays itself is seen, and decides."""
    for now in some((each for life in matches for each in life.hands(1)), rng):
        game = hand_of(now)
        viewer = rng.randrange(now.rules.players)
        if game.result or game.in_a_round:
            continue
        imagined = game.rules.imagine(game.view(viewer), rng)
        for action in seen_by(game, viewer, rng):
            one, other = (each.act(game.turn, action) for each in (game, imagined))
            assert (one.result is None) == (other.result is None)
            assert one.result or one.view(viewer) == other.view(viewer)


def seen_by(game: BigLittleAGame, viewer: int, rng: Random) -> list[Action]:
    """Return possible next actions for any unseen cards, except leads of an A card."""
    actions = offered(game.view(game.turn))
    if game.turn != viewer:
        return [each for each in actions if isinstance(each, Pass)]
    normal = [each for each in actions if not isinstance(each, Play) or each.cards[0] not in A_CARDS]
    return rng.sample(normal, min(3, len(normal)))


def test_hands_shrink_until_they_end(matches: list[PlayedMatch]) -> None:
    for over in ends(matches):
        game, seen = hand_of(over), Reckoning.of(over.view(None))
        assert seen.totals[-1] == sum(map(len, game.hands))
        assert all(later < total for total, later in zip(seen.totals[2:], seen.totals[4:], strict=False))
        assert all(number >= taken + 2 for _, number, taken in seen.led)
        assert len(game.tricks) == game.round <= 2 + 2 * seen.totals[0]
        assert 0 in map(len, game.hands)
        assert sum(each is LITTLE_A for each, _, _ in seen.led) <= 1


def ends(matches: list[PlayedMatch]) -> Iterator[Match]:
    """Yield the end of each hand of each match."""
    for life in matches:
        for before, now in pairwise(life.positions):
            if len(now.results) > len(before.results):
                yield now


def test_each_player_pays_for_their_remaining_cards(matches: list[PlayedMatch]) -> None:
    for over in ends(matches):
        game, paid = hand_of(over), over.results[-1]
        pile = [
            game.middle.pile.cards if game.middle.pile and game.middle.pile.seat == seat else ()
            for seat in range(over.rules.players)
        ]
        assert paid.left == game.hands
        assert list(paid.points) == [
            price(game.rules, hand, lying) for hand, lying in zip(game.hands, pile, strict=True)
        ]
        assert all(
            points == 0
            for points, hand, lying in zip(paid.points, game.hands, pile, strict=True)
            if not hand and not lying
        )
        owed = {
            (payer, payee, (more - less) * game.rules.options.stake)
            for (payer, more), (payee, less) in permutations(enumerate(paid.points), 2)
            if more > less and game.rules.options.stake
        }
        assert set(paid.payments) == owed


def price(game: BigLittleARules, hand: tuple[Card, ...], pile: tuple[Card, ...]) -> int:
    """Return what a seat pays for its hand and the little-a trick."""
    options = game.options
    in_hand = {
        JOKER: options.joker_in_hand_points,
        LITTLE_A: options.little_a_in_hand_points,
        BIG_A: options.big_a_in_hand_points,
    }
    penalty_in_pile = {JOKER: options.joker_in_pile_points, LITTLE_A: 0}
    paid = sum(in_hand[each] if each in in_hand else int(each.rank) for each in hand)
    return paid + sum(penalty_in_pile[each] if each in penalty_in_pile else int(each.rank) for each in pile)


def by_chance(actions: list[Action], rng: Random) -> Action:
    """Do anything, with many a needless pass."""
    return rng.choice(actions)


def slowly(actions: list[Action], _: Random) -> Action:
    """Pass whenever that is allowed, lead an A card whenever that is, and else play the lowest card."""
    led = [each for each in actions if isinstance(each, Play) and each.cards[0] in A_CARDS]
    return Pass() if Pass() in actions else next(iter(led), actions[0])


def grudgingly(actions: list[Action], rng: Random) -> Action:
    """Play one card, the highest there is or an A card; half of the time pass."""
    single = [each for each in actions if isinstance(each, Play) and len(each.cards) == 1]
    return Pass() if Pass() in actions and (not single or rng.random() < 0.5) else (single or actions)[-1]


@every_number
@pytest.mark.parametrize(("policy", "most"), [(by_chance, 40), (slowly, 15), (grudgingly, 80)])
@pytest.mark.parametrize("round_mode", ["one_turn_each", "until_all_pass"])
def test_hands_have_a_bounded_number_of_rounds(players: int, policy: Policy, most: int, round_mode: str) -> None:
    """Where all pass, a leader goes out alone: thirteen cards, and two A cards."""
    rng = Random(players)
    for number in range(6):
        match = Match.start(GAME.rules("standard", players=players, round_mode=round_mode), f"{number}")
        while match.game.result is None:
            [seat] = match.awaited
            match = match.act(seat, policy(offered(match.view(seat)), rng))
        assert 4 <= len(hand_of(match).tricks) <= most
