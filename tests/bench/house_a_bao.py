"""How well the house plays Tàihé A Bāo: python -m tests.bench.house_a_bao [matches and hands] [preset]

One house player on a seat that rotates among players at random: whole matches, played as at a table; then single hands,
also against players who never bid, and with a house player who plays alone whatever was dealt; and a whole table of the
house. Players at random declare as often as not, so that few hands come to a call; those who declare seldom do so once
in twenty times. Intervals of 95 %.
"""

import random
import sys
from collections.abc import Sequence
from typing import NamedTuple

from bot.games import GAMES
from bot.rules.a_bao import ABao
from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.a_bao.play import ABaoGame
from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass, Play, PlayAsk, Ready
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import View
from bot.rules.matches.match import Match
from tests.bench.house_big_a import Clock, Player, mean

COUNT = 1000  # of matches, and of hands
DEALS = 5  # hands of a match
EVEN, SELDOM = 0.5, 0.05  # how likely a player at random declares: each answer as often, or so that calls matter
PASSES: Action = Pass()
OTHERS = {"house, others at random": EVEN, "others seldom declare": SELDOM}
ROLES = ("declared", "called last", "against a declarer")


class Won(NamedTuple):
    """What a match brought one seat. won: shared wins in part."""

    points: int
    won: float


class Ended(NamedTuple):
    """What came of a hand. callers: 0 where a player declared; thrown: how often it was dealt again."""

    points: tuple[int, ...]
    declarer: int
    callers: int
    thrown: int

    @property
    def won(self) -> bool:
        """Whether the declarer has won."""
        return self.points[self.declarer] > 0


class Mine(NamedTuple):
    """The same, seen from a seat."""

    seat: int
    ended: Ended

    @property
    def points(self) -> int:
        """What it brought the seat."""
        return self.ended.points[self.seat]

    @property
    def role(self) -> str:
        """What the seat was."""
        if self.ended.declarer != self.seat:
            return "against a declarer"
        return "called last" if self.ended.callers else "declared"


def at_random(rng: random.Random, *, bids: bool = True, declares: float = EVEN) -> Player:
    """Return a player with uniformly random actions. bids: or who passes as long as one bids."""

    def act(view: View) -> Action:
        match view.ask:
            case ChooseAsk(answers=(passing, declaring)):
                return Choose(((declaring if bids and rng.random() < declares else passing).code,))
            case GiveAsk() as ask:
                return Give((rng.choice(ask.givable(view.hand)),))
            case NameAsk() as ask:
                called: list[Action] = [Name(each) for each in ask.cards]
                return rng.choice([*called * (bids or not ask.may_pass), *[PASSES] * ask.may_pass])
        may_pass = isinstance(view.ask, PlayAsk) and view.ask.may_pass
        plays: list[Action] = [Play(combo.cards) for combo in view.plays]
        return rng.choice([*plays, *[PASSES] * may_pass])

    return act


def dealt(rules: ABao, seed: int) -> ABaoBidding:
    """Return the hand of this number; whether it is the first of a match, and who starts, rotates."""
    game = rules.deal(SeededRandom(f"house {seed}"), 0)
    return game if seed % 2 else game._replace(bid=game.bid._replace(starter=seed // 2 % rules.players))


def play(game: ABaoBidding | ABaoGame, players: Sequence[Player]) -> Ended:
    """Return how the hand ends."""
    while game.result is None:
        seat = min(game.awaited)
        action = players[seat](game.view(seat))
        assert action
        game = game.act(seat, action)
    assert isinstance(game, ABaoGame)
    assert game.result.declarer is not None
    return Ended(game.result.points, game.result.declarer, len(game.bid.calls), game.bid.thrown)


def play_match(of: ABao, players: Sequence[Player], seed: int) -> Match:
    """Return the match of this number, played to its end as at a table."""
    match = Match.start(of, f"house {seed}")
    while not match.over:
        seat = min(match.awaited)
        action = Ready() if match.game.result else players[seat](match.view(seat))
        assert action
        match = match.act(seat, action)
    return match


# The tables


def in_matches(of: ABao, player: Player, matches: int, *, declares: float = EVEN) -> list[Won]:
    """Return what matches bring a player among players at random."""
    found = []
    for seed in range(matches):
        totals = play_match(of, seats(of, player, seed, declares=declares), seed).totals
        mine = totals[seed % of.players]
        found.append(Won(mine, (mine == max(totals)) / totals.count(mine)))
    return found


def among_chance(rules: ABao, player: Player, hands: int, *, bids: bool = True, declares: float = EVEN) -> list[Mine]:
    """Return how hands end in which a player bids and plays among players at random, who may just pass in bidding."""
    found = []
    for seed in range(hands):
        others = seats(rules, player, seed, bids=bids, declares=declares)
        found.append(Mine(seed % rules.players, play(dealt(rules, seed), others)))
    return found


def alone(rules: ABao, player: Player, hands: int) -> list[Mine]:
    """Return how hands end that a player has declared, whatever they are, against players at random."""
    return [
        Mine(mine, play(dealt(rules, seed).played(mine), seats(rules, player, seed)))
        for seed in range(hands)
        for mine in [seed % rules.players]
    ]


def seats(rules: ABao, player: Player, seed: int, *, bids: bool = True, declares: float = EVEN) -> list[Player]:
    """Return the player on a seat that rotates, and players at random on the others."""
    other = at_random(random.Random(seed), bids=bids, declares=declares)
    return [player if seat == seed % rules.players else other for seat in range(rules.players)]


def among_equals(rules: ABao, player: Player, hands: int) -> list[Ended]:
    """Return how hands end at a whole table of such players."""
    return [play(dealt(rules, seed), [player] * rules.players) for seed in range(hands)]


# What is printed


def tell_matches(name: str, found: Sequence[Won]) -> None:
    """Print what matches brought the player."""
    print(
        f"{name:32}{mean([each.points for each in found])} points a match, "
        f"{mean([each.won for each in found], '.1%')} of {len(found)} matches won"
    )


def tell_mine(name: str, found: Sequence[Mine]) -> None:
    """Print what hands brought the player: the total, and by role of the player."""
    print(f"{name:32}{mean([each.points for each in found])} points a hand")
    for role in ROLES:
        part = [each.points for each in found if each.role == role]
        won = sum(points > 0 for points in part) / max(1, len(part))
        print(f"  {role:22}{len(part) / len(found):6.1%}, won {won:4.0%}, {mean(part)}")


def tell_table(found: Sequence[Ended]) -> None:
    """Print how a table of the house bids, and how often its declarers win."""
    thrown = sum(each.thrown for each in found)
    print(
        f"{'all of the house':32}{share([each.won for each in found])}, "
        f"thrown in {thrown / (thrown + len(found)):.1%} of all deals"
    )
    for callers in range(max(each.callers for each in found) + 1):
        part = [each.won for each in found if each.callers == callers]
        words = f"{callers} called" if callers else "declared"
        print(f"  {words:22}{len(part) / len(found):6.1%}, {share(part)}")


def share(won: Sequence[bool]) -> str:
    """Say how often declarers win."""
    return f"declarer won {sum(won) / max(1, len(won)):.0%}"


def main(count: int, preset: str) -> None:
    """Print everything."""
    rules, clock = GAMES["a_bao"].rules(preset, match_end="deals", deals=DEALS), Clock()
    assert isinstance(rules, ABao)
    print(f"\n{GAMES['a_bao'].title}, {preset}; matches of {DEALS} hands")
    for name, declares in OTHERS.items():
        tell_matches(name, in_matches(rules, clock, count, declares=declares))
    for name, declares in OTHERS.items():
        tell_mine(name, among_chance(rules, clock, count, declares=declares))
    tell_mine("others never bid", among_chance(rules, clock, count, bids=False))
    tell_mine("it always declares", alone(rules, clock, count))
    tell_table(among_equals(rules, clock, count))
    print(f"thinking: {clock}")


if __name__ == "__main__":
    asked = sys.argv[1:]
    counts = [int(each) for each in asked if each.isdigit()]
    presets = [each for each in asked if each in GAMES["a_bao"].presets]
    main(counts[0] if counts else COUNT, presets[0] if presets else "standard")
