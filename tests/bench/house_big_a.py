"""How well the house plays Big A: python -m tests.bench.house_big_a [hands]

One house player on a rotating seat, against four random players; the same hands with a house player who never shows
an ace voluntarily; and five house players. Points are per hand, with 95 % intervals. Then the seconds per decision,
with dealt hands and with hands of 40 cards.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from bot.ai.plain import plain_action
from bot.rules.big_a import BigA
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.score import Sides
from bot.rules.core.asks import Action, Choose, ChooseAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import Cards, SeededRandom, Suit, shuffled
from bot.rules.core.game import Game, View

HANDS = 1000
Z_95 = 1.96  # standard errors on either side of a 95 % interval
RULES = BigA()
LARGE_HAND, LARGE_HAND_COUNT = 40, 200  # cards in a hand with many captured cards; number of hands
SEATS = range(RULES.players)

Player: TypeAlias = Callable[[View], Action | None]


class SeatOutcome(NamedTuple):
    """The outcome of a hand for one seat. declared: voluntarily; alone: without a partner."""

    points: int
    first: bool
    declared: bool
    alone: bool


class TimedPlayer:
    """A house player that records the seconds of each decision with a choice."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def __call__(self, view: View) -> Action | None:
        """Return the action of the house player."""
        start = time.perf_counter()
        action = plain_action(view)
        if isinstance(view.ask, ChooseAsk) or view.plays:
            self.times.append(time.perf_counter() - start)
        return action

    def __str__(self) -> str:
        """Format the median and the worst time, in milliseconds."""
        middle, worst = statistics.median(self.times) * 1e3, max(self.times) * 1e3
        return f"median {middle:.1f} ms, worst {worst:.0f} ms, of {len(self.times):,} decisions"


def random_player(rng: random.Random) -> Player:
    """Return a player with uniformly random actions."""

    def act(view: View) -> Action:
        if isinstance(view.ask, ChooseAsk):
            return Choose((rng.choice(view.ask.answers).code,))
        plays: list[Action] = [Play(combo.cards) for combo in view.plays]
        return rng.choice(plays + [Pass()] * (isinstance(view.ask, PlayAsk) and view.ask.may_pass))

    return act


def play_without_voluntary_aces(view: View) -> Action | None:
    """Play like the house, but never show an ace voluntarily."""
    return Choose((view.ask.answers[0].code,)) if isinstance(view.ask, ChooseAsk) else plain_action(view)


def play(players: Sequence[Player], seed: int) -> Game:
    """Play the hand with this number to its end."""
    game: Game = RULES.deal(SeededRandom(f"house {seed}"), seed % len(players))
    while game.result is None:
        seat = min(game.awaited)
        action = players[seat](game.view(seat))
        assert action
        game = game.act(seat, action)
    return game


def seat_outcome(game: Game, seat: int) -> SeatOutcome:
    """Return the outcome of a hand for a seat."""
    assert isinstance(game, BigAGame)
    assert game.result
    declared = game.sides.declarer == seat and "forced" not in dict(game.facts)
    first = game.result.order[0] == seat
    return SeatOutcome(game.result.points[seat], first, declared, declared and game.sides.partner is None)


def play_against_random(player: Player, hands: int) -> list[SeatOutcome]:
    """Return the outcomes of a player on a rotating seat among random players; the first drawer rotates."""
    found = []
    for seed in range(hands):
        mine, other = seed // len(SEATS) % len(SEATS), random_player(random.Random(seed))
        found.append(seat_outcome(play([player if seat == mine else other for seat in SEATS], seed), mine))
    return found


def play_equal_players(player: Player, hands: int) -> list[SeatOutcome]:
    """Return the outcomes of declarers in hands of five equal players."""
    games = [play([player] * len(SEATS), seed) for seed in range(hands)]
    return [each for game in games for seat in SEATS if (each := seat_outcome(game, seat)).declared]


def mean_with_interval(numbers: Sequence[float], form: str = "+6.2f") -> str:
    """Return the mean with its interval. form: format of the mean; the interval has as many digits."""
    if len(numbers) < 2:
        return "too few"
    wide = Z_95 * statistics.stdev(numbers) / len(numbers) ** 0.5
    return f"{statistics.mean(numbers):{form}} +- {wide:.{form.partition('.')[2]}}"


def print_outcomes(name: str, found: Sequence[SeatOutcome]) -> None:
    """Print the points: in total, and by role of the seat."""
    print(
        f"{name:34}{mean_with_interval([each.points for each in found])} points a hand, first out in "
        f"{sum(each.first for each in found) / len(found):.0%}"
    )
    alone = [each for each in found if each.alone]
    paired = [each for each in found if each.declared and not each.alone]
    rest = [each for each in found if not each.declared]
    for words, part in (
        ("declarer with a partner", paired),
        ("declarer alone", alone),
        ("anything else", rest),
    ):
        print(f"  {words:24}{len(part) / len(found):7.1%} {mean_with_interval([each.points for each in part])}")


def views_of_large_hands() -> list[View]:
    """Return views of hands with many cards: to lead, and to follow a random lead."""
    found = []
    for seed in range(LARGE_HAND_COUNT):
        rng = random.Random(seed)
        order = shuffled(RULES.pack, rng)
        rules = RULES.in_force(Suit.HEARTS)
        most = (len(order) - LARGE_HAND) // (len(SEATS) - 1)
        dealt: list[Cards] = [tuple(order[LARGE_HAND + at * most :][:most]) for at in range(len(SEATS) - 1)]
        hands = tuple(map(rules.sort, (*dealt[:1], tuple(order[:LARGE_HAND]), *dealt[1:])))
        game = BigAGame(rules, Sides(2, Suit.HEARTS, 3), (("starter", 0),), hands, 0)
        after = game.act(0, Play(rng.choice(list(game.view(0).plays)).cards))
        found += [game._replace(turn=1).view(1), after._replace(turn=1).view(1)]
    return found


def main() -> None:
    """Print all measurements."""
    hands = int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdigit() else HANDS
    clock, many = TimedPlayer(), TimedPlayer()
    mine, without = play_against_random(clock, hands), play_against_random(play_without_voluntary_aces, hands)
    print_outcomes("house, four at random", mine)
    print_outcomes("the same, showing nothing", without)
    pairs = [one.points - other.points for one, other in zip(mine, without, strict=True)]
    print(f"{'what showing aces brings':34}{mean_with_interval(pairs)} points a hand")
    equals = play_equal_players(clock, hands // len(SEATS))
    print_outcomes("five of the house, declarers", equals)
    for view in views_of_large_hands():
        many(view)
    print(f"thinking: {clock}\nwith {LARGE_HAND} cards: {many}")


if __name__ == "__main__":
    main()
