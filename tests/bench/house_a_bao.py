"""How well the house plays Tàihé A Bāo: python -m tests.bench.house_a_bao [matches and hands] [preset]

One house player on a rotating seat among random players: whole matches, played as at a table; then single hands, also
against players who never bid, and with a house player who declares regardless of its cards; and a table of house
players only. Random players declare half of the time, so that few hands reach a call; the second kind of opponent
declares once in twenty times. Intervals are of 95 %.
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
from tests.bench.house_big_a import Player, TimedPlayer, mean_with_interval

COUNT = 1000  # of matches, and of hands
HANDS_PER_MATCH = 5  # hands of a match
EQUAL_CHANCE, RARE_CHANCE = (
    0.5,
    0.05,
)  # probability that a random player declares: as any answer, or so rarely that calls matter
PASSES: Action = Pass()
OPPONENTS = {"house, others at random": EQUAL_CHANCE, "others seldom declare": RARE_CHANCE}
ROLES = ("declared", "called last", "against a declarer")


class MatchGain(NamedTuple):
    """The gain of one seat in a match. won: shared wins count in part."""

    points: int
    won: float


class HandResult(NamedTuple):
    """The result of a hand. callers: 0 if a player declared; redeals: how often the hand was dealt again."""

    points: tuple[int, ...]
    declarer: int
    callers: int
    redeals: int

    @property
    def won(self) -> bool:
        """Whether the declarer won."""
        return self.points[self.declarer] > 0


class SeatResult(NamedTuple):
    """The result of a hand for one seat."""

    seat: int
    ended: HandResult

    @property
    def points(self) -> int:
        """The points of the seat."""
        return self.ended.points[self.seat]

    @property
    def role(self) -> str:
        """The role of the seat."""
        if self.ended.declarer != self.seat:
            return "against a declarer"
        return "called last" if self.ended.callers else "declared"


def random_player(rng: random.Random, *, bids: bool = True, declares: float = EQUAL_CHANCE) -> Player:
    """Return a player with uniformly random actions. bids: False to pass in bidding."""

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


def deal_hand(rules: ABao, seed: int) -> ABaoBidding:
    """Return the hand with this number; the first dealer rotates."""
    game = rules.deal(SeededRandom(f"house {seed}"), 0)
    return game if seed % 2 else game._replace(bid=game.bid._replace(starter=seed // 2 % rules.players))


def play(game: ABaoBidding | ABaoGame, players: Sequence[Player]) -> HandResult:
    """Play a hand; return its result."""
    while game.result is None:
        seat = min(game.awaited)
        action = players[seat](game.view(seat))
        assert action
        game = game.act(seat, action)
    assert isinstance(game, ABaoGame)
    assert game.result.declarer is not None
    return HandResult(game.result.points, game.result.declarer, len(game.bid.calls), game.bid.thrown)


def play_match(of: ABao, players: Sequence[Player], seed: int) -> Match:
    """Play the match with this number to its end, as at a table."""
    match = Match.start(of, f"house {seed}")
    while not match.over:
        seat = min(match.awaited)
        action = Ready() if match.game.result else players[seat](match.view(seat))
        assert action
        match = match.act(seat, action)
    return match


# The tables


def play_matches(of: ABao, player: Player, matches: int, *, declares: float = EQUAL_CHANCE) -> list[MatchGain]:
    """Return the gains of a player in matches among random players."""
    found = []
    for seed in range(matches):
        totals = play_match(of, seat_players(of, player, seed, declares=declares), seed).totals
        mine = totals[seed % of.players]
        found.append(MatchGain(mine, (mine == max(totals)) / totals.count(mine)))
    return found


def hands_among_random_players(
    rules: ABao, player: Player, hands: int, *, bids: bool = True, declares: float = EQUAL_CHANCE
) -> list[SeatResult]:
    """Return the results of a player's hands among random players. bids: whether the others bid."""
    found = []
    for seed in range(hands):
        others = seat_players(rules, player, seed, bids=bids, declares=declares)
        found.append(SeatResult(seed % rules.players, play(deal_hand(rules, seed), others)))
    return found


def always_declared_hands(rules: ABao, player: Player, hands: int) -> list[SeatResult]:
    """Return the results of hands that the player declares with any cards, against random players."""
    return [
        SeatResult(mine, play(deal_hand(rules, seed).played(mine), seat_players(rules, player, seed)))
        for seed in range(hands)
        for mine in [seed % rules.players]
    ]


def seat_players(
    rules: ABao, player: Player, seed: int, *, bids: bool = True, declares: float = EQUAL_CHANCE
) -> list[Player]:
    """Return the player on a rotating seat, and random players on the others."""
    other = random_player(random.Random(seed), bids=bids, declares=declares)
    return [player if seat == seed % rules.players else other for seat in range(rules.players)]


def hands_of_equal_players(rules: ABao, player: Player, hands: int) -> list[HandResult]:
    """Return the results of hands at a table of equal players."""
    return [play(deal_hand(rules, seed), [player] * rules.players) for seed in range(hands)]


# What is printed


def print_matches(name: str, found: Sequence[MatchGain]) -> None:
    """Print the gains in matches."""
    print(
        f"{name:32}{mean_with_interval([each.points for each in found])} points a match, "
        f"{mean_with_interval([each.won for each in found], '.1%')} of {len(found)} matches won"
    )


def print_hands(name: str, found: Sequence[SeatResult]) -> None:
    """Print the points in hands: in total, and by role."""
    print(f"{name:32}{mean_with_interval([each.points for each in found])} points a hand")
    for role in ROLES:
        part = [each.points for each in found if each.role == role]
        won = sum(points > 0 for points in part) / max(1, len(part))
        print(f"  {role:22}{len(part) / len(found):6.1%}, won {won:4.0%}, {mean_with_interval(part)}")


def print_table(found: Sequence[HandResult]) -> None:
    """Print how a table of house players bids, and how often declarers win."""
    redeals = sum(each.redeals for each in found)
    print(
        f"{'all of the house':32}{declarer_win_rate([each.won for each in found])}, "
        f"thrown in {redeals / (redeals + len(found)):.1%} of all deals"
    )
    for callers in range(max(each.callers for each in found) + 1):
        part = [each.won for each in found if each.callers == callers]
        words = f"{callers} called" if callers else "declared"
        print(f"  {words:22}{len(part) / len(found):6.1%}, {declarer_win_rate(part)}")


def declarer_win_rate(won: Sequence[bool]) -> str:
    """Describe how often declarers win."""
    return f"declarer won {sum(won) / max(1, len(won)):.0%}"


def main(count: int, preset: str) -> None:
    """Print all measurements."""
    rules, clock = GAMES["a_bao"].rules(preset, match_end="deals", deals=HANDS_PER_MATCH), TimedPlayer()
    assert isinstance(rules, ABao)
    print(f"\n{GAMES['a_bao'].title}, {preset}; matches of {HANDS_PER_MATCH} hands")
    for name, declares in OPPONENTS.items():
        print_matches(name, play_matches(rules, clock, count, declares=declares))
    for name, declares in OPPONENTS.items():
        print_hands(name, hands_among_random_players(rules, clock, count, declares=declares))
    print_hands("others never bid", hands_among_random_players(rules, clock, count, bids=False))
    print_hands("it always declares", always_declared_hands(rules, clock, count))
    print_table(hands_of_equal_players(rules, clock, count))
    print(f"thinking: {clock}")


if __name__ == "__main__":
    asked = sys.argv[1:]
    counts = [int(each) for each in asked if each.isdigit()]
    presets = [each for each in asked if each in GAMES["a_bao"].presets]
    main(counts[0] if counts else COUNT, presets[0] if presets else "standard")
