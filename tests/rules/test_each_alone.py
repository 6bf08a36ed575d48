"""Hands that stand on their own: dealt alike, to the same seats and by the same dealer, whatever came before them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.ai.plain import plain_action, timeout_action
from bot.games import GAMES
from bot.ops.verification import verify
from bot.rules.core.asks import Action, Play, PlayAsk, Ready
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import Rules, View
from bot.rules.matches.match import Match
from bot.rules.matches.match_file import ExportedMatch, export, faults
from bot.rules.matches.record import Record
from bot.rules.matches.seal import (
    chain_seed,
    cut_of,
    deal_seed,
    has_independent_hands,
    partly_opened,
    seal,
    with_cut,
    with_independent_hands,
)
from bot.rules.variants.ruleset import Ruleset
from bot.table.core.lobby_conditions import of_hands
from tests.laws.matches import PRESETS

MATCH = chain_seed("5a" * 32)
EACH = with_independent_hands(MATCH)


def played(record: Record, whim: int) -> tuple[Record, Match]:
    """Play a match to its end. whim: makes another game of it."""
    now, random = record.begin(), Random(whim)
    while not now.over:
        seat = min(now.awaited)
        view = now.view(seat)
        action = Ready() if now.game.result is not None else some_action(view, random)
        record, now = record.then(seat, action), now.act(seat, action)
    return record, now


def some_action(view: View, random: Random) -> Action:
    """Return what the house answers to a question; at a turn one of the weakest plays, or now and then a pass."""
    if not isinstance(view.ask, PlayAsk):
        return plain_action(view) or timeout_action(view)
    plays = view.plays.first(3)
    return Play(random.choice(plays).cards) if plays and random.random() < 0.8 else timeout_action(view)


def of(name: str, preset: str, seed: str, hands: int = 2) -> Record:
    """Return a match of a number of hands before its first action."""
    rules = of_hands(Ruleset.of(GAMES[name], preset, {}), hands)
    return Record(GAMES[name], preset, seed=seed, options=rules.plain_changes)


def dealt(record: Record) -> list[tuple[int, tuple[str, ...]]]:
    """Return who dealt each hand, and what each seat was dealt."""
    found: dict[int, tuple[int, tuple[str, ...]]] = {}
    for match in record.positions():
        seats = range(match.rules.players)
        found.setdefault(match.deal, (match.game.dealer, tuple(str(match.game.view(seat).hand) for seat in seats)))
    return list(found.values())


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_independent_hands_do_not_depend_on_earlier_hands(name: str, preset: str) -> None:
    one, _ = played(of(name, preset, EACH), 1)
    two, _ = played(of(name, preset, EACH), 2)
    assert one.steps != two.steps
    ways = dealt(one), dealt(two)
    assert len(ways[0]) >= 2
    assert all(this == that for this, that in zip(*ways, strict=False))
    assert all(first == alone(match.rules, match.deal, first.dealer) for match, first in beginnings(one))


def beginnings(record: Record) -> list[tuple[Match, Any]]:
    """Return each dealt hand with its match."""
    found: dict[int, tuple[Match, Any]] = {}
    for match in record.positions():
        found.setdefault(match.deal, (match, match.game))
    return list(found.values())


def alone(rules: Rules, deal: int, dealer: int) -> Any:
    """Return a dealt hand without previous hands."""
    return rules.deal(SeededRandom(deal_seed(EACH, deal)), dealer, ())


def test_dependent_hands_follow_from_the_previous_hand() -> None:
    ways = [dealt(played(of("big_two", "singapore", MATCH), whim)[0]) for whim in range(4)]
    assert all(way[0] == ways[0][0] for way in ways)
    assert any(way[1] != ways[0][1] for way in ways)


def test_commitment_and_revealed_seeds_are_of_the_same_chain() -> None:
    assert not has_independent_hands(MATCH)
    assert not has_independent_hands(with_cut(MATCH, "0" * 64))
    assert has_independent_hands(EACH)
    assert cut_of(EACH) == ""
    for hand in (1, 2, 7):
        assert deal_seed(EACH, hand) == deal_seed(MATCH, hand) == deal_seed(partly_opened(EACH, hand), hand)
        assert seal(EACH, hand, hand).committed == seal(MATCH, hand, hand).committed
    assert has_independent_hands(partly_opened(EACH, 2))


def test_a_match_of_independent_hands_is_exported_and_verified() -> None:
    record, last = played(of("big_two", "singapore", EACH, 3), 1)
    found = export(record, ("Ann", "Ben", "Cleo", "Dev"), last.places)
    assert found is not None
    assert '"format": 3' in found.to_json()
    assert ExportedMatch.from_json(found.to_json(), GAMES) == found
    assert list(faults(found)) == []
    shown = seal(EACH, 3, 3)
    assert shown.opened is not None
    told = verify(
        Ruleset.of(GAMES["big_two"], "singapore", record.options).code, 3, shown.opened, shown.committed, each=True
    )
    begun = next(match for match in record.positions() if match.deal == 3)
    assert [line.split(": ")[1] for line in told.splitlines()[1:5]] == [
        " ".join(map(str, begun.view(seat).hand)) for seat in range(4)
    ]
