"""Golden matches: how they are played, written as text and digested; and counts of plays by depth.

Uses records and public views. The expected results are files beside this module, written by write.py.
"""

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.core.asks import write_action
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import Game, Result, View
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from tests.laws.matches import offered, steps

DATA_FOLDER = Path(__file__).parent
HOUSE_FILE = DATA_FOLDER / "house.txt"
PERFT_SEEDS = ("one", "two", "three")
DEPTHS = (1, 2, 3)
POSITION_STRIDE = 3  # every so many positions the house is asked
THREE_HANDS = {"match_end": "deals", "deals": 3}  # of Tàihé A Bāo: cards are called in one of them
# Seed and changed options, for presets whose peculiarities two hands with the default seed would not show.
SEEDS_AND_OPTIONS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "big_two.pagat": ("golden", {"match_end": "deals"}),  # recorded when five hands were the default
    "big_two.denexa": ("golden", {"target": 9}),
    "big_two.indonesia": ("golden", {"match_end": "deals", "deals": 3, "round_deals": 2}),  # a draw for the deal
    "big_two.singapore": ("golden", {}),  # a player ends it
    "big_two.da_lao_er": ("golden 13", {"match_end": "deals", "deals": 1}),  # honour hands out of turn
    "big_two.lectio_tiles": ("golden", {"deals": 2}),
    "big_two.three_player": ("golden", {"match_end": "deals", "deals": 2, "exchange": "loser_highest_for_any"}),
    "big_two.three_player_draw": ("golden 200", {"match_end": "deals", "deals": 1, "stock_exhausted": "reshuffle"}),
    "a_bao.standard": ("golden 4", THREE_HANDS),
    "a_bao.three": ("golden 3", THREE_HANDS),
    "a_bao.five": ("golden 2", THREE_HANDS),
    "a_bao.without_aces": ("golden 5", THREE_HANDS),
    "a_bao.sharp": ("golden 32", THREE_HANDS),
    "a_bao.simple": ("golden 3", THREE_HANDS),
    "big_little_a.named_jokers": ("golden 329", {"hands_per_match": 2}),  # bare jokers get their ranks
    "tien_len.south": ("golden 43", {"match_end": "deals", "deals": 2}),  # a chop, and six pairs
}


def golden_path(name: str, preset: str) -> Path:
    """Return the path of the record of a preset; its story as text is beside it."""
    return DATA_FOLDER / f"{name}.{preset}.json"


def play_random_match(name: str, preset: str) -> Record:
    """Play a whole random match under the preset, with the seed and options of SEEDS_AND_OPTIONS."""
    game = GAMES[name]
    seed, changes = SEEDS_AND_OPTIONS.get(f"{name}.{preset}", ("golden", game.wish(preset, {}, hands=2)))
    record = Record(GAMES[name], preset, seed=seed, options=changes)
    match, rng = record.begin(), random.Random(f"{name} {preset}")  # text seeds are stable across releases
    for now, seat, action in steps(match, rng):
        record, match = record.then(seat, action), now.act(seat, action)
    assert match.over
    return record


def story(record: Record, positions: Iterable[Match]) -> Iterator[str]:
    """Yield a match as lines of text: moves, points, and after each a digest of the public state."""
    match, *others = positions
    yield f"{record.game} {record.preset}, seed {record.seed}"
    yield from dealt_hands(match)
    for (seat, action), now in zip(record.steps, others, strict=True):
        yield f"{seat} {write_action(action)}  {digest(now)}"
        if now.game.result is not None and match.game.result is None:
            yield f"hand {now.number} over: points {now.game.result.points} totals {now.totals} nets {now.nets}"
            yield from (f"  {note.article} {note.sentence}" for note in now.game.result.notes)
        if now.number != match.number and now.game.result is None:
            yield from dealt_hands(now)
        match = now
    yield f"match over: places {match.places} payments {match.payments}"


def house_actions(name: str, preset: str, positions: Iterable[Match]) -> Iterator[str]:
    """Yield the action of the house for each awaited seat, in some positions of the match."""
    for at, match in islice(enumerate(positions), 0, None, POSITION_STRIDE):
        for seat in sorted(match.awaited):
            action = plain_action(match.view(seat))
            yield f"{name}.{preset} {at}: {seat} {write_action(action) if action else 'nothing'}"


def dealt_hands(match: Match) -> Iterator[str]:
    """Yield the dealt hands as lines of text."""
    yield f"hand {match.number}, dealt by {match.game.dealer}"
    for seat in range(match.rules.players):
        yield f"  {seat}: {' '.join(map(str, match.view(seat).hand))}"


def digest(match: Match) -> str:
    """Return 12 hex digits that depend on everything a spectator can know."""
    return hashlib.sha256(repr(view_values(match.view(None))).encode()).hexdigest()[:12]


def view_values(view: View) -> tuple[Any, ...]:
    """Return the content of a view as texts and numbers, independently of class names."""
    tricks = [[(move.seat, str(move.combo)) for move in trick.moves] for trick in (*view.tricks, view.trick)]
    facts = [(name, str(value)) for name, value in view.facts]
    result = view.result
    ended = (
        (result.order, [list(map(str, held)) for held in result.left], result.points, payment_pairs(result))
        if result
        else None
    )
    return view.counts, sorted(view.to_act), str(view.must), facts, tricks, ended


def payment_pairs(result: Result) -> tuple[tuple[int, int, int], ...]:
    """Return the payments as sorted pairs: their order in a result is irrelevant."""
    return tuple(sorted(result.payments, key=lambda payment: sorted(payment[:2])))


def perft(game: Game, depth: int) -> int:
    """Return the number of ways to continue the hand for so many steps; an ended hand is one way."""
    if depth == 0 or game.result is not None:
        return 1
    return sum(
        perft(game.act(seat, action), depth - 1) if depth > 1 else 1
        for seat in sorted(game.to_act)
        for action in offered(game.view(seat))
    )


def undeclared(game: Game) -> Game:
    """Return a hand after every seat declined to declare, with cards to play."""
    while game.secrecy.together:
        seat = min(game.awaited)
        game = game.act(seat, offered(game.view(seat))[0])
    return game


def perft_counts(name: str, preset: str) -> dict[str, list[int]]:
    """Return the counts for depth 1, 2 and 3 from each of the fixed deals."""
    rules = GAMES[name].rules(preset)
    games = {seed: undeclared(rules.deal(SeededRandom(seed), 0)) for seed in PERFT_SEEDS}
    return {seed: [perft(game, depth) for depth in DEPTHS] for seed, game in games.items()}
