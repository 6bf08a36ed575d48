"""How well the house plays The Big and the Little A: python -m tests.bench.house_big_little_a [matches] [preset]

One house player on a rotating seat among random players, with four, three and nine players; then house players only.
Points are penalty points a hand, the fewest are best; intervals are of 95 %. Then the seconds per decision, with usual
hands and with hands of 60 cards.
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
from tests.bench.house_big_a import Player, TimedPlayer, mean_with_interval
from tests.laws.matches import offered

MATCHES = 1000
SHARES_BY_PLAYERS = {4: 1.0, 3: 0.2, 9: 0.2}  # number of players -> share of the matches
HOUSE_SHARE = 0.1  # share of the matches among house players only
LARGE_HAND, LARGE_HAND_COUNT = 60, 100  # cards in a hand with many Big-A tricks; number of hands


class MatchOutcome(NamedTuple):
    """The outcome of a match for one seat. points: a hand; others: mean of the other seats; won: ties in part."""

    points: float
    others: float
    place: float
    won: float


class HandStatistics(NamedTuple):
    """Statistics of hands. points: of each seat in each hand; rounds: of each hand."""

    points: list[float]
    rounds: list[float]


def random_player(rng: random.Random) -> Player:
    """Return a player with uniformly random actions."""

    def act(view: View) -> Action:
        return rng.choice(offered(view))

    return act


def rules_for(players: int, preset: str = "standard") -> BigLittleA:
    """Return the game for so many players."""
    found = GAMES["big_little_a"].rules(preset, players=players)
    assert isinstance(found, BigLittleA)
    return found


def play(of: BigLittleA, players: Sequence[Player], seed: int) -> tuple[Match, list[int]]:
    """Play the match with this number to its end; return the match, and the number of rounds of each hand."""
    match, rounds = Match.start(of, f"house {seed}"), []
    while not match.over:
        seat = min(match.awaited)
        action = Ready() if match.game.result else players[seat](match.view(seat))
        assert action
        match = match.act(seat, action)
        if match.game.result and not match.ready:
            rounds.append(len(match.view(None).tricks))
    return match, rounds


def match_outcome(match: Match, seat: int) -> MatchOutcome:
    """Return the outcome of a match for a seat."""
    hands, totals = len(match.results), match.totals
    mine, others = totals[seat], [total for other, total in enumerate(totals) if other != seat]
    equal = others.count(mine)
    place = 1 + sum(total < mine for total in others) + equal / 2
    won = 1 / (1 + equal) if mine == min(totals) else 0.0
    return MatchOutcome(mine / hands, statistics.mean(others) / hands, place, won)


def play_against_random(player: Player, matches: int, of: BigLittleA) -> list[MatchOutcome]:
    """Return the outcomes of a player on a rotating seat among random players."""
    found = []
    for seed in range(matches):
        mine, other = seed % of.players, random_player(random.Random(seed))
        match, _ = play(of, [player if seat == mine else other for seat in range(of.players)], seed)
        found.append(match_outcome(match, mine))
    return found


def play_equal_players(player: Player, matches: int, of: BigLittleA) -> HandStatistics:
    """Return the statistics of hands in matches of equal players."""
    found = HandStatistics([], [])
    for seed in range(matches):
        match, rounds = play(of, [player] * of.players, seed)
        found.points.extend(points for result in match.results for points in result.points)
        found.rounds.extend(rounds)
    return found


def views_of_large_hands(players: int = 4) -> list[View]:
    """Return views of hands with many cards: to lead, to follow, and in an A round."""
    of, found = rules_for(players), []
    small = DEAL[players][0]
    for seed in range(LARGE_HAND_COUNT):
        order = shuffled(DEALT, SeededRandom(f"large {seed}"))
        cut = [0, LARGE_HAND, *(min(len(order), LARGE_HAND + small * at) for at in range(1, players))]
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


def print_against_random(players: int, found: Sequence[MatchOutcome]) -> None:
    """Print the outcomes against random players."""
    less = [each.others - each.points for each in found]
    print(
        f"{players} players, one of the house, {len(found)} matches: "
        f"{mean_with_interval([each.points for each in found], '.2f')} points a hand, at random "
        f"{mean_with_interval([each.others for each in found], '.2f')}, "
        f"fewer by {mean_with_interval(less, '.2f')}; "
        f"place {mean_with_interval([each.place for each in found], '.2f')}, "
        f"won {mean_with_interval([each.won for each in found], '.1%')}"
    )


def print_house_only(players: int, found: HandStatistics) -> None:
    """Print the statistics of house players only."""
    print(
        f"{players} of the house, {len(found.rounds)} hands: {mean_with_interval(found.points, '.2f')} points a hand, "
        f"{mean_with_interval(found.rounds, '.1f')} rounds, at most {max(found.rounds):.0f}"
    )


def measure(matches: int = MATCHES, preset: str = "standard") -> None:
    """Print all measurements."""
    clock, many = TimedPlayer(), TimedPlayer()
    for players, share in SHARES_BY_PLAYERS.items():
        of = rules_for(players, preset)
        print_against_random(players, play_against_random(clock, max(2, int(matches * share)), of))
        print_house_only(players, play_equal_players(clock, max(2, int(matches * share * HOUSE_SHARE)), of))
    for view in views_of_large_hands():
        many(view)
    print(f"thinking: {clock}\nwith {LARGE_HAND} cards: {many}")


if __name__ == "__main__":
    asked = sys.argv[1:]
    counts = [int(each) for each in asked if each.isdigit()]
    presets = [each for each in asked if each in GAMES["big_little_a"].presets]
    measure(counts[0] if counts else MATCHES, *presets[:1])
