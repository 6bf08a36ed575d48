"""How well the house plays The Big and the Little A: python -m tests.bench.house_big_little_a [matches] [preset]

One house player on a seat that rotates among others who play at random, with four, three and nine players; then house
players only. Points are penalty points a hand, the fewest are best; intervals of 95 %. Then how long it thinks, with
hands as they come up and with hands of 60 cards.
"""

import random
import statistics
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.games import GAMES
from bot.rules.big_little_a import BigLittleA
from bot.rules.big_little_a.groups import BIG_A, DEAL, DEALT
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.big_little_a.state import ACardHolder, ACardState
from bot.rules.core.asks import Action, Ready
from bot.rules.core.cards import SeededRandom, shuffled
from bot.rules.core.game import View
from bot.rules.matches.match import Match
from tests.bench.house_big_a import Clock, Player, mean
from tests.laws.matches import offered

MATCHES = 1000
TABLES = {4: 1.0, 3: 0.2, 9: 0.2}  # numbers of players, and with which share of the matches each is measured
OWN = 0.1  # the share of matches among house players only
LARGE, LARGE_HANDS = 60, 100  # cards in a hand that has taken many Big-A tricks


class Ended(NamedTuple):
    """What a match brought one seat. points: a hand; others: the mean of the other seats; won: shared wins in part."""

    points: float
    others: float
    place: float
    won: float


class Hands(NamedTuple):
    """What hands were like. points: of each seat in each hand; rounds: of each hand."""

    points: list[float]
    rounds: list[float]


def at_random(rng: random.Random) -> Player:
    """Return a player with uniformly random actions."""

    def act(view: View) -> Action:
        return rng.choice(offered(view))

    return act


def rules(players: int, preset: str = "standard") -> BigLittleA:
    """Return the game for so many players."""
    found = GAMES["big_little_a"].rules(preset, players=players)
    assert isinstance(found, BigLittleA)
    return found


def play(of: BigLittleA, players: Sequence[Player], seed: int) -> tuple[Match, list[int]]:
    """Return the match of this number, played to its end, and how many rounds each hand took."""
    match, rounds = Match.start(of, f"house {seed}"), []
    while not match.over:
        seat = min(match.awaited)
        action = Ready() if match.game.result else players[seat](match.view(seat))
        assert action
        match = match.act(seat, action)
        if match.game.result and not match.ready:
            rounds.append(len(match.view(None).tricks))
    return match, rounds


def ended(match: Match, seat: int) -> Ended:
    """Return what a match brought a seat."""
    hands, totals = len(match.results), match.totals
    mine, others = totals[seat], [total for other, total in enumerate(totals) if other != seat]
    equal = others.count(mine)
    place = 1 + sum(total < mine for total in others) + equal / 2
    won = 1 / (1 + equal) if mine == min(totals) else 0.0
    return Ended(mine / hands, statistics.mean(others) / hands, place, won)


def against_chance(player: Player, matches: int, of: BigLittleA) -> list[Ended]:
    """Return what matches bring a player on a rotating seat among players at random."""
    found = []
    for seed in range(matches):
        mine, other = seed % of.players, at_random(random.Random(seed))
        match, _ = play(of, [player if seat == mine else other for seat in range(of.players)], seed)
        found.append(ended(match, mine))
    return found


def among_equals(player: Player, matches: int, of: BigLittleA) -> Hands:
    """Return what hands are like in matches of such players only."""
    found = Hands([], [])
    for seed in range(matches):
        match, rounds = play(of, [player] * of.players, seed)
        found.points.extend(points for result in match.results for points in result.points)
        found.rounds.extend(rounds)
    return found


def large(players: int = 4) -> list[View]:
    """Return views of hands with many cards: to lead, to follow, and in an A round."""
    of, found = rules(players), []
    small = DEAL[players][0]
    for seed in range(LARGE_HANDS):
        order = shuffled(DEALT, SeededRandom(f"large {seed}"))
        cut = [0, LARGE, *(min(len(order), LARGE + small * at) for at in range(1, players))]
        most, *rest = (of.sort(tuple(order[start:end])) for start, end in pairwise(cut))
        middle = ACardState((), None, ACardHolder(1, 1))
        leading = BigLittleAGame(of, (most, of.sort((*rest[0], BIG_A)), *rest[1:]), (), 0, 0, 9, middle)
        found.append(leading.view(0))
        for lead in (rest[0][0], BIG_A):
            after = leading._replace(turn=1)
            combo = of.classify((lead,))
            assert combo
            found.append(after.laid(1, combo)._replace(turn=0).view(0))
    return found


def tell(players: int, found: Sequence[Ended]) -> None:
    """Print what matches against chance brought."""
    less = [each.others - each.points for each in found]
    print(
        f"{players} players, one of the house, {len(found)} matches: "
        f"{mean([each.points for each in found], '.2f')} points a hand, at random "
        f"{mean([each.others for each in found], '.2f')}, "
        f"fewer by {mean(less, '.2f')}; place {mean([each.place for each in found], '.2f')}, "
        f"won {mean([each.won for each in found], '.1%')}"
    )


def tell_own(players: int, found: Hands) -> None:
    """Print what matches of the house alone were like."""
    print(
        f"{players} of the house, {len(found.rounds)} hands: {mean(found.points, '.2f')} points a hand, "
        f"{mean(found.rounds, '.1f')} rounds, at most {max(found.rounds):.0f}"
    )


def measure(matches: int = MATCHES, preset: str = "standard") -> None:
    """Print everything."""
    clock, many = Clock(), Clock()
    for players, share in TABLES.items():
        of = rules(players, preset)
        tell(players, against_chance(clock, max(2, int(matches * share)), of))
        tell_own(players, among_equals(clock, max(2, int(matches * share * OWN)), of))
    for view in large():
        many(view)
    print(f"thinking: {clock}\nwith {LARGE} cards: {many}")


if __name__ == "__main__":
    asked = sys.argv[1:]
    counts = [int(each) for each in asked if each.isdigit()]
    presets = [each for each in asked if each in GAMES["big_little_a"].presets]
    measure(counts[0] if counts else MATCHES, *presets[:1])
