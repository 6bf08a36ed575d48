"""Whatever options go together, a match can be played with them: by any player at random, and by house players.

The short trial is the same in every run: a match for each value that the ones before have not met.
``make soak`` goes on from there. SOAK_SECONDS says how long (300 where it is not set), SOAK_SETS after how many option
sets to stop at the latest, SOAK_SEED where to begin.
"""

import os
import random
import time
from collections import Counter
from itertools import islice

import pytest

from bot.games import GAMES
from bot.rules.core.asks import Give, Pass, Play, Ready
from bot.rules.matches.record import Record
from tests.laws.matches import offered
from tests.laws.option_sets import Aim, aims, by_chance, by_the_house, fitting, met, play, records
from tests.support.law_settings import is_thorough, sampled

EACH = 2 if is_thorough() else 1
HOUSE_EVERY = 20
DRAWN = 3
# What the house has to find its way in.
HOUSE = (
    "players",
    "exchange",
    "extra_card",
    "honours_out_of_turn",
    "quads_form",
    "sf_form",
    "pass_rule",
    "one_card_rule",
    "last_card_ban",
    "end",
    "draw_on_pass",
    "stock_exhausted",
)


@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_every_option_is_played(game: str) -> None:
    """With one count for the whole game, since each match meets a value of most of its options."""
    rng, owed = random.Random(game), Counter([*sampled([aim for aim in aims() if aim.game == game], 1)] * EACH)
    while owed:
        record, end = play(telling(owed, rng), by_chance, rng)
        assert end.results
        assert record.steps or end.results[0].notes, "a hand is played, or says why it is over at once"
        owed -= Counter(met(owed, record.game, end.rules.options))


@pytest.mark.parametrize("game", GAMES)
def test_house_players_finish_matches_under_any_options(game: str) -> None:
    rng = random.Random(game)
    owed = Counter(sampled([aim for aim in aims() if aim.game == game and aim.option in HOUSE], 1))
    while owed:
        record, end = play(telling(owed, rng), by_the_house, rng)
        owed -= Counter(met(owed, record.game, end.rules.options))


def telling(owed: Counter[Aim], rng: random.Random) -> Record:
    """Return of some matches with the next value that is owed the one that meets most of the others too."""
    some = [fitting(next(iter(owed)), rng) for _ in range(DRAWN)]
    return max(some, key=lambda each: len(met(owed, each.game, each.known.set_up(each.preset, **each.options))))


@pytest.mark.parametrize(
    ("act", "option", "code"),
    [
        ("give", "exchange", "loser_highest_for_any"),
        ("out of turn", "honours_out_of_turn", "true"),
        ("draw", "draw_on_pass", "one"),
    ],
)
def test_house_players_make_rare_plays(act: str, option: str, code: str) -> None:
    rng, aim = random.Random(act), Aim("big_two", option, code)
    assert any(act in rare(play(fitting(aim, rng), by_the_house, rng)[0]) for _ in range(30))


@pytest.mark.parametrize("preset", ["three_player", "three_player_draw"])
@pytest.mark.parametrize("seed", range(4))
def test_an_exchange_leaves_views_that_can_be_imagined(preset: str, seed: int) -> None:
    rng = random.Random(seed)
    match = Record(GAMES["big_two"], preset, seed=f"give {seed}", options={"exchange": "loser_highest_for_any"}).begin()
    while match.game.result is None:
        match = match.act(*by_chance(match, rng))
    for seat in range(match.rules.players):
        match = match.act(seat, Ready())
    [winner] = match.awaited
    for action in offered(match.view(winner)):
        after = match.act(winner, action)
        for seat in (None, *range(match.rules.players)):
            imagined = match.rules.imagine(after.view(seat), rng)
            assert imagined.view(seat) == after.view(seat)
            held = [each for other in range(match.rules.players) for each in imagined.view(other).hand]
            assert Counter([*held, *imagined.hidden_cards]) == Counter(match.rules.pack)


def rare(record: Record) -> list[str]:
    """Return the unusual events of a match."""
    found = []
    for match, (seat, action) in zip(record.positions(), record.steps, strict=False):
        stock = dict(match.view(None).facts).get("stock", 0)
        match action:
            case Give():
                found.append("give")
            case Play() if seat not in match.awaited:
                found.append("out of turn")
            case Pass() if stock > dict(match.act(seat, action).view(None).facts).get("stock", 0):
                found.append("draw")
    return found


@pytest.mark.soak
def test_random_matches_never_get_stuck() -> None:
    rng = random.Random(os.environ.get("SOAK_SEED", "soak"))
    sets = int(os.environ["SOAK_SETS"]) if "SOAK_SETS" in os.environ else None
    ends, steps, count = time.monotonic() + float(os.environ.get("SOAK_SECONDS", "300")), 0, 0
    for count, (_, record) in enumerate(islice(records(rng), sets), 1):
        steps += len(play(record, by_chance if count % HOUSE_EVERY else by_the_house, rng)[0].steps)
        if time.monotonic() > ends:
            break
    print(f"\n{count:,} option sets, {steps:,} steps")
    assert count >= min(sets or len(aims()), len(aims())), "too little time for every value of every option"
