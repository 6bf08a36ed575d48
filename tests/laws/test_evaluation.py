"""One evaluation for hints and reviews: the recommended play loses nothing, whatever the other hands hold."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice

import pytest

from bot.ai.levels import evaluate
from bot.games import GAMES
from bot.rules.core.asks import Action, write_action
from bot.rules.core.sentences import Seat
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.replay import ReplayedAction, Snapshot
from bot.rules.matches.review import ReviewedHand, candidates, has_choice
from tests.laws.matches import PRESETS, by_dice, offered, steps
from tests.support.law_settings import is_thorough, scaled
from tests.support.short_searches import short_searches

POSITIONS = 30 if is_thorough() else scaled(2)  # of each preset
ORDERS = ("1", "2") if is_thorough() else ("1",)  # of sets, in processes beside this one
MATCHES = 30  # that are tried at most to come by them
every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)


@pytest.fixture
def few_worlds() -> Iterator[None]:
    """Imagine few worlds, since some laws hold for any number; in the long trials as many as the bot does."""
    with ExitStack() as stack:
        if not is_thorough():
            stack.enter_context(short_searches())
        yield


def decisions(name: str, preset: str) -> Iterator[tuple[Record, Match, int]]:
    """Yield decisions at random moments of random matches, each with the record that leads there and the seat."""
    rng = random.Random(f"evaluation {name} {preset}")
    for _ in range(scaled(MATCHES, MATCHES)):
        record = by_dice(name, preset, rng)
        taken, found = list[tuple[int, Action]](), list[tuple[int, Match, int]]()
        for match, seat, action in steps(record.begin(), rng, hands=1):
            if has_choice(ReplayedAction(match, Seat(seat), action)):
                found.append((len(taken), match, seat))
            taken.append((seat, action))
        if found:
            ply, match, seat = rng.choice(found)
            yield replace(record, steps=tuple(taken[:ply])), match, seat


def some_decisions(name: str, preset: str) -> Iterator[tuple[Record, Match, int]]:
    return islice(decisions(name, preset), POSITIONS)


@pytest.mark.rotates(3)
@pytest.mark.usefixtures("few_worlds")
@every_preset
def test_a_hinted_play_is_never_a_mistake_in_a_review(name: str, preset: str) -> None:
    found = 0
    for _, match, seat in some_decisions(name, preset):
        view = match.view(seat)
        best = evaluate(view).best
        if best is None:
            continue
        assert evaluate(view, best) == (best, 0.0)
        done = ReplayedAction(match, Seat(seat), best)
        hand = ReviewedHand(1, (Snapshot(1, match.act(seat, best), match, (done,)),), (True,), deciding=False)
        told = [each for each in candidates(hand, lambda _, best=best: best) if each.is_doubtful]  # type: ignore[misc]
        assert not told, "nor could they have gone out"
        found += 1
    assert found, "somebody has something to decide"


@pytest.mark.rotates(3)
@pytest.mark.usefixtures("few_worlds")
@every_preset
def test_the_evaluation_depends_on_the_view_only(name: str, preset: str) -> None:
    """Whatever the other hands hold, and whichever action is measured."""
    rng = random.Random(preset)
    for record, match, seat in islice(some_decisions(name, preset), 1):
        view = match.view(seat)
        found, done = evaluate(view), offered(view)[0]
        assert evaluate(view.rules.imagine(view, rng).view(seat)) == found
        measured = evaluate(view, done)
        assert measured.best == found.best
        assert (measured.loss or 0.0) >= 0
        again = Record.from_json(record.to_json(), GAMES).replay()
        assert evaluate(again.view(seat)) == found, "and from the record, as a review reads it"


HERE = """
import sys
from contextlib import nullcontext
from bot.games import GAMES
from bot.ai.levels import evaluate
from bot.rules.core.asks import write_action
from bot.rules.matches.record import Record
from tests.support.short_searches import short_searches
with nullcontext() if sys.argv[1:] else short_searches():
    for line in sys.stdin:
        seat, record = line.split(" ", 1)
        view = Record.from_json(record, GAMES).replay().view(int(seat))
        best = evaluate(view).best
        print(best and write_action(best))
"""


@pytest.mark.usefixtures("few_worlds")
def test_the_evaluation_is_the_same_in_every_process() -> None:
    """Whatever order sets have there, and after every restart."""
    told, here = list[str](), list[str]()
    firsts = [(name, next(iter(game.presets))) for name, game in GAMES.items()]
    for record, match, seat in (one for first in firsts for one in islice(decisions(*first), scaled(1))):
        told.append(f"{seat} {record.to_json()}".replace("\n", " "))
        best = evaluate(match.view(seat)).best
        here.append(write_action(best) if best else "None")
    for order in ORDERS:
        process = subprocess.run(  # this Python
            [sys.executable, "-c", HERE, *["thorough"] * is_thorough()],
            input="\n".join(told),
            capture_output=True,
            check=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONHASHSEED": order},
        )
        assert process.stdout.splitlines() == here
