"""How well the house plays Big A: python -m tests.bench.house_big_a [hands]

One house player on a seat that rotates, against four who play at random; the same hands once more with a house player
who never shows an ace of its own accord; and five house players. Points are those of one hand, with intervals of 95 %.
Then how long it thinks, with hands as they are dealt and with hands of 40 cards.
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
WIDE = 1.96  # standard errors of a mean on either side make up 95 %
RULES = BigA()
MANY, LARGE_HANDS = 40, 200  # cards in a hand that has captured a lot
SEATS = range(RULES.players)

Player: TypeAlias = Callable[[View], Action | None]


class Ended(NamedTuple):
    """What a hand brought one seat. declared: of its own accord; alone: without a partner."""

    points: int
    first: bool
    declared: bool
    alone: bool


class Clock:
    """A house player, and how long each decision took where there was anything to decide, in seconds."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def __call__(self, view: View) -> Action | None:
        """Return what the house does."""
        start = time.perf_counter()
        action = plain_action(view)
        if isinstance(view.ask, ChooseAsk) or view.plays:
            self.times.append(time.perf_counter() - start)
        return action

    def __str__(self) -> str:
        """Format the usual and the worst time, in milliseconds."""
        middle, worst = statistics.median(self.times) * 1e3, max(self.times) * 1e3
        return f"median {middle:.1f} ms, worst {worst:.0f} ms, of {len(self.times):,} decisions"


def at_random(rng: random.Random) -> Player:
    """Return a player with uniformly random actions."""

    def act(view: View) -> Action:
        if isinstance(view.ask, ChooseAsk):
            return Choose((rng.choice(view.ask.answers).code,))
        plays: list[Action] = [Play(combo.cards) for combo in view.plays]
        return rng.choice(plays + [Pass()] * (isinstance(view.ask, PlayAsk) and view.ask.may_pass))

    return act


def silent(view: View) -> Action | None:
    """Do as the house does, but show nothing."""
    return Choose((view.ask.answers[0].code,)) if isinstance(view.ask, ChooseAsk) else plain_action(view)


def play(players: Sequence[Player], seed: int) -> Game:
    """Return the hand of this number, played to its end."""
    game: Game = RULES.deal(SeededRandom(f"house {seed}"), seed % len(players))
    while game.result is None:
        seat = min(game.awaited)
        action = players[seat](game.view(seat))
        assert action
        game = game.act(seat, action)
    return game


def ended(game: Game, seat: int) -> Ended:
    """Return what a hand brought a seat."""
    assert isinstance(game, BigAGame)
    assert game.result
    declared = game.sides.declarer == seat and "forced" not in dict(game.facts)
    first = game.result.order[0] == seat
    return Ended(game.result.points[seat], first, declared, declared and game.sides.partner is None)


def against_chance(player: Player, hands: int) -> list[Ended]:
    """Return what hands bring a player on a rotating seat among players at random; who draws first rotates as well."""
    found = []
    for seed in range(hands):
        mine, other = seed // len(SEATS) % len(SEATS), at_random(random.Random(seed))
        found.append(ended(play([player if seat == mine else other for seat in SEATS], seed), mine))
    return found


def among_equals(player: Player, hands: int) -> list[Ended]:
    """Return what hands of five such players bring their declarers."""
    games = [play([player] * len(SEATS), seed) for seed in range(hands)]
    return [each for game in games for seat in SEATS if (each := ended(game, seat)).declared]


def mean(numbers: Sequence[float], form: str = "+6.2f") -> str:
    """Return a mean with its interval. form: of the mean; the interval has as many digits."""
    if len(numbers) < 2:
        return "too few"
    wide = WIDE * statistics.stdev(numbers) / len(numbers) ** 0.5
    return f"{statistics.mean(numbers):{form}} +- {wide:.{form.partition('.')[2]}}"


def tell(name: str, found: Sequence[Ended]) -> None:
    """Print what hands brought: the total, and by role of the seat."""
    print(
        f"{name:34}{mean([each.points for each in found])} points a hand, first out in "
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
        print(f"  {words:24}{len(part) / len(found):7.1%} {mean([each.points for each in part])}")


def large() -> list[View]:
    """Return views of hands with many cards: to lead, and to follow a random lead."""
    found = []
    for seed in range(LARGE_HANDS):
        rng = random.Random(seed)
        order = shuffled(RULES.pack, rng)
        rules = RULES.in_force(Suit.HEARTS)
        most = (len(order) - MANY) // (len(SEATS) - 1)
        dealt: list[Cards] = [tuple(order[MANY + at * most :][:most]) for at in range(len(SEATS) - 1)]
        hands = tuple(map(rules.sort, (*dealt[:1], tuple(order[:MANY]), *dealt[1:])))
        game = BigAGame(rules, Sides(2, Suit.HEARTS, 3), (("starter", 0),), hands, 0)
        after = game.act(0, Play(rng.choice(list(game.view(0).plays)).cards))
        found += [game._replace(turn=1).view(1), after._replace(turn=1).view(1)]
    return found


def main() -> None:
    """Print everything."""
    hands = int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdigit() else HANDS
    clock, many = Clock(), Clock()
    mine, without = against_chance(clock, hands), against_chance(silent, hands)
    tell("house, four at random", mine)
    tell("the same, showing nothing", without)
    pairs = [one.points - other.points for one, other in zip(mine, without, strict=True)]
    print(f"{'what showing aces brings':34}{mean(pairs)} points a hand")
    equals = among_equals(clock, hands // len(SEATS))
    tell("five of the house, declarers", equals)
    for view in large():
        many(view)
    print(f"thinking: {clock}\nwith {MANY} cards: {many}")


if __name__ == "__main__":
    main()
