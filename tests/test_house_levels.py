"""House players of each level: common properties of every level, and their play in obvious positions."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.ai import plain
from bot.ai.engine.search import SearchRound
from bot.ai.games.big_two import strong
from bot.ai.levels import STRATEGIES, THREE, house_action, nearest_level
from bot.domain.chairs import Level
from bot.games import GAMES
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import write_action
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import Game
from tests.rules.positions import after, rules, table
from tests.support.short_searches import short_searches

AI = Path(__file__).parents[1] / "bot" / "ai"
MANY = "3c 4c 5c 7c 9c Tc Jc"
OTHERS = ("3h 4h 6h 7h 8h Th Qh", "3s 4s 6s 7s 8s Ts Qs")
every_level = pytest.mark.parametrize("level", THREE)


@pytest.fixture
def few_worlds() -> Iterator[None]:
    """Limit imagined worlds in tests that do not measure strength."""
    with short_searches():
        yield


def at_once() -> bool:
    """Have no time, so that a strong one tries fewer worlds still."""
    return True


def dealt(preset: str, seed: object) -> BigTwoGame:
    game = GAMES["big_two"].rules(preset).deal(SeededRandom(f"levels {preset} {seed}"), 0)
    assert isinstance(game, BigTwoGame)
    return game


def said(level: Level, game: BigTwoGame) -> str:
    action = house_action(level, game.view(game.turn), random.Random(1))
    assert action
    return write_action(action)


@pytest.mark.usefixtures("few_worlds")
@every_level
def test_every_level_depends_only_on_view_and_seed(level: Level) -> None:
    """With other hands behind the same view it does the same."""
    for seed in range(2):
        game, rng = dealt("pagat", seed), random.Random(seed)
        while game.result is None:
            view = game.view(game.turn)
            action = house_action(level, view, random.Random(seed), at_once)
            elsewhere = view.rules.imagine(view, rng).view(game.turn)
            assert house_action(level, elsewhere, random.Random(seed), at_once) == action
            other = plain.plain_action(view)
            game = game.act(game.turn, (action if rng.random() < 0.7 else other) or action)  # type: ignore[arg-type]


@pytest.mark.rotates(7)  # of 48 cases, so that each level has some
@pytest.mark.usefixtures("few_worlds")
@every_level
@pytest.mark.parametrize("preset", GAMES["big_two"].presets)
def test_every_level_finishes_every_preset(level: Level, preset: str) -> None:
    game: Game = dealt(preset, "all")
    rng = random.Random(preset)
    while game.result is None:
        seat = min(game.awaited)
        mine = level if seat == 0 else Level.EASY
        action = house_action(mine, game.view(seat), rng, at_once)
        assert action
        game = game.act(seat, action)


@pytest.mark.rotates(4)  # of 12 cases, so that each level has one
@pytest.mark.usefixtures("few_worlds")
@every_level
@pytest.mark.parametrize("name", sorted(set(GAMES) - {"big_two"}))
def test_every_level_finishes_the_other_games_from_its_view(level: Level, name: str) -> None:
    game: Game = GAMES[name].rules(next(iter(GAMES[name].presets))).deal(SeededRandom(name), 0)
    rng, ply = random.Random(name), 0
    while game.result is None:
        seat, ply = min(game.awaited), ply + 1
        view = game.view(seat)
        action = house_action(level, view, random.Random(ply), at_once)
        assert action
        if ply % 7 == 0:
            elsewhere = view.rules.imagine(view, rng).view(seat)
            assert house_action(level, elsewhere, random.Random(ply), at_once) == action
        game = game.act(seat, action)


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"big_two"}))
def test_the_easy_level_makes_mistakes_in_every_game(name: str) -> None:
    """And nothing without dice."""
    game: Game = GAMES[name].rules(next(iter(GAMES[name].presets))).deal(SeededRandom(name), 0)
    overlooked = 0
    while game.result is None:
        view = game.view(min(game.awaited))
        action = plain.plain_action(view)
        assert action
        assert house_action(Level.EASY, view) == action
        overlooked += overlooked < 3 and any(
            house_action(Level.EASY, view, random.Random(n)) != action for n in range(5)
        )
        game = game.act(min(game.awaited), action)
    assert overlooked == 3


def test_the_nearest_level_is_never_better_than_requested() -> None:
    one, other = GAMES["big_two"].rules("pagat"), GAMES["big_two"].rules("da_lao_er")
    assert [nearest_level(level, one) for level in Level] == list(Level)
    assert [nearest_level(level, other) for level in Level] == [Level.PLAIN, Level.EASY, Level.MEDIUM, Level.MEDIUM]


def test_a_game_is_named_by_its_own_modules_alone() -> None:
    """And the engine does not import any."""
    sources = {path.name: path.read_text("utf-8") for path in (*AI.glob("*.py"), *AI.glob("engine/*.py"))}
    assert [name for name, text in sources.items() if any(game in text for game in GAMES)] == []
    assert set(STRATEGIES) == set(GAMES)


@every_level
def test_every_level_goes_out_when_possible_and_passes_when_forced(level: Level) -> None:
    assert said(level, table("9d 9h", MANY, *OTHERS)) == "9d 9h"
    assert said(level, after(table(f"8c {MANY}", "2s", *OTHERS), "8c")) == "2s"
    assert said(level, after(table(f"Ad {MANY}", "4d 5d Kd", *OTHERS), "Ad")) == "pass"


@every_level
def test_no_level_lets_the_next_player_out_with_a_last_card(level: Level) -> None:
    assert said(level, after(table(f"7c {MANY}", "8d Jh Ks 2d", "9s", OTHERS[1]), "7c")) == "2d"
    assert said(level, table("4d 8d 8h Kd Ah", "9s", *OTHERS)) == "8d 8h"


@every_level
def test_passes_when_stuck(level: Level) -> None:
    assert said(level, table("2s", MANY, *OTHERS, of=rules("hong_kong"))) == "pass"


def test_medium_and_hard_lead_unbeatable_cards_when_that_wins() -> None:
    for level in (Level.MEDIUM, Level.HARD):
        assert said(level, table("4d 2s", MANY, *OTHERS)) == "2s"


def test_the_hard_level_stops_searching_at_the_deadline() -> None:
    game, asked = dealt("pagat", 1), list[bool]()

    def late() -> bool:
        asked.append(True)
        return True

    view = game.view(game.turn)
    action = strong(view, random.Random(1), (SearchRound(12, 10**9), SearchRound(3, 10**9)), late)
    assert asked
    assert game.act(game.turn, action) != game


@pytest.mark.soak
def test_levels_differ_noticeably_in_strength() -> None:
    """Over few deals only what is far apart can be told; the bench tells the rest."""
    gained = {Level.EASY: 0.0, Level.MEDIUM: 0.0}
    for level in gained:
        for seed in range(20):
            for mine in range(4):
                game: Game = dealt("pagat", seed)
                rng = random.Random(seed)
                while game.result is None:
                    seat = min(game.awaited)
                    action = (
                        house_action(level, game.view(seat), rng)
                        if seat == mine
                        else plain.plain_action(game.view(seat))
                    )
                    assert action
                    game = game.act(seat, action)
                gained[level] += sum(game.result.points) / 4 - game.result.points[mine]
    assert gained[Level.MEDIUM] > gained[Level.EASY] + 0.5 * 80
