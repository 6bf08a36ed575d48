"""Golden matches: how they are made, told and digested; and counts of plays in depth.

Knows records and the public view. Expected results are data files beside this file; write.py rewrites them.
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

HERE = Path(__file__).parent
HOUSE = HERE / "house.txt"
PERFT_SEEDS = ("one", "two", "three")
DEPTHS = (1, 2, 3)
STRIDE = 3  # of the positions in which the house is asked
CALLED = {"match_end": "deals", "deals": 3}  # hands of Tàihé A Bāo, in one of which cards are called for
# The seed and what differs from the preset, where two hands of it would not show what is its own.
MADE: Mapping[str, tuple[str, dict[str, Any]]] = {
    "big_two.pagat": ("golden", {"match_end": "deals"}),  # recorded when five hands were the rule
    "big_two.denexa": ("golden", {"target": 9}),
    "big_two.indonesia": ("golden", {"match_end": "deals", "deals": 3, "round_deals": 2}),  # a draw for the deal
    "big_two.singapore": ("golden", {}),  # a player ends it
    "big_two.da_lao_er": ("golden 13", {"match_end": "deals", "deals": 1}),  # honour hands out of turn
    "big_two.lectio_tiles": ("golden", {"deals": 2}),
    "big_two.three_player": ("golden", {"match_end": "deals", "deals": 2, "exchange": "loser_highest_for_any"}),
    "big_two.three_player_draw": ("golden 200", {"match_end": "deals", "deals": 1, "stock_exhausted": "reshuffle"}),
    "a_bao.standard": ("golden 4", CALLED),
    "a_bao.three": ("golden 3", CALLED),
    "a_bao.five": ("golden 2", CALLED),
    "a_bao.without_aces": ("golden 5", CALLED),
    "a_bao.sharp": ("golden 32", CALLED),
    "a_bao.simple": ("golden 3", CALLED),
    "big_little_a.named_jokers": ("golden 329", {"hands_per_match": 2}),  # bare jokers get their ranks
    "tien_len.south": ("golden 43", {"match_end": "deals", "deals": 2}),  # a chop, and six pairs
}


def golden_path(name: str, preset: str) -> Path:
    """Return where the record of a preset is kept; its story lies beside it as text."""
    return HERE / f"{name}.{preset}.json"


def make(name: str, preset: str) -> Record:
    """Return a whole match played at random, under the preset and what is written down for it beside."""
    game = GAMES[name]
    seed, changes = MADE.get(f"{name}.{preset}", ("golden", game.wish(preset, {}, hands=2)))
    record = Record(GAMES[name], preset, seed=seed, options=changes)
    match, rng = record.begin(), random.Random(f"{name} {preset}")  # text seeds are stable across releases
    for now, seat, action in steps(match, rng):
        record, match = record.then(seat, action), now.act(seat, action)
    assert match.over
    return record


def told(record: Record, positions: Iterable[Match]) -> Iterator[str]:
    """Yield the match as lines to read: moves, points, and after each a digest of all that is public."""
    match, *others = positions
    yield f"{record.game} {record.preset}, seed {record.seed}"
    yield from dealt(match)
    for (seat, action), now in zip(record.steps, others, strict=True):
        yield f"{seat} {write_action(action)}  {digest(now)}"
        if now.game.result is not None and match.game.result is None:
            yield f"hand {now.number} over: points {now.game.result.points} totals {now.totals} nets {now.nets}"
            yield from (f"  {note.article} {note.sentence}" for note in now.game.result.notes)
        if now.number != match.number and now.game.result is None:
            yield from dealt(now)
        match = now
    yield f"match over: places {match.places} payments {match.payments}"


def advice(name: str, preset: str, positions: Iterable[Match]) -> Iterator[str]:
    """Yield what the house would do in some positions of the match, for each seat that is waited for."""
    for at, match in islice(enumerate(positions), 0, None, STRIDE):
        for seat in sorted(match.awaited):
            action = plain_action(match.view(seat))
            yield f"{name}.{preset} {at}: {seat} {write_action(action) if action else 'nothing'}"


def dealt(match: Match) -> Iterator[str]:
    """Yield the hands as they were dealt."""
    yield f"hand {match.number}, dealt by {match.game.dealer}"
    for seat in range(match.rules.players):
        yield f"  {seat}: {' '.join(map(str, match.view(seat).hand))}"


def digest(match: Match) -> str:
    """Return 12 hex digits that depend on all an onlooker can know."""
    return hashlib.sha256(repr(plain(match.view(None))).encode()).hexdigest()[:12]


def plain(view: View) -> tuple[Any, ...]:
    """Return the view as text and numbers, by what it says and not by how its classes are named."""
    tricks = [[(move.seat, str(move.combo)) for move in trick.moves] for trick in (*view.tricks, view.trick)]
    facts = [(name, str(value)) for name, value in view.facts]
    result = view.result
    ended = (
        (result.order, [list(map(str, held)) for held in result.left], result.points, paid(result)) if result else None
    )
    return view.counts, sorted(view.to_act), str(view.must), facts, tricks, ended


def paid(result: Result) -> tuple[tuple[int, int, int], ...]:
    """Return the payments pair by pair: their order in a result is irrelevant."""
    return tuple(sorted(result.payments, key=lambda payment: sorted(payment[:2])))


def perft(game: Game, depth: int) -> int:
    """Return in how many ways the hand can go on for so many steps; a pass counts, an ended hand is one way."""
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


def counts(name: str, preset: str) -> dict[str, list[int]]:
    """Return the counts for depth 1, 2 and 3 from each of the fixed deals."""
    rules = GAMES[name].rules(preset)
    games = {seed: undeclared(rules.deal(SeededRandom(seed), 0)) for seed in PERFT_SEEDS}
    return {seed: [perft(game, depth) for depth in DEPTHS] for seed, game in games.items()}
