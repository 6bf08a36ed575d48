"""Whole matches of The Big and the Little A: no player learns the other hands, the undealt cards, or the naming player.

A bare number is no card to look for, so what is found here are cards in codes, as emoji and in inline code; that the
screens say no more is told in test_two_worlds.py.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from bot.ai.plain import plain_action
from bot.rules.core.asks import Action, Name, Play, PlayAsk
from bot.rules.core.game import View
from bot.rules.matches.record import Record
from tests.secrecy.play_through import Plan
from tests.secrecy.whole_matches import play_watched, with_special_deal

CHINESE = {"ann": "zh-CN", "cleo": "zh-TW"}


def plan(name: str, rules: str, *people: str, **how: Any) -> Plan:
    """A match of one hand, people being curious now and then."""
    return Plan(name, people, options={"rules": f"LA:{rules}"}, curious=5, **how)


def taken_up(record: Record) -> bool:
    """Whether a player took a Big-A trick into their hand."""
    return any(move.taken for trick in record.replay().view(None).tricks for move in trick.moves)


def named(record: Record) -> bool:
    """Whether a player named jokers and the hand continued for a while."""
    return any(isinstance(step, Name) for _, step in record.steps[:-4])


def by_itself(record: Record) -> bool:
    """Whether a player passed or played a last card by itself."""
    views = [match.view(None) for match in record.positions()]
    moves = [sum(not move.taken for trick in (*view.tricks, view.trick) for move in trick.moves) for view in views]
    return any(after - before > 1 for before, after in pairwise(moves))


def bare(view: View) -> Action | None:
    """Play jokers alone as soon as possible."""
    plays = view.plays if isinstance(view.ask, PlayAsk) else ()
    return next((Play(combo.cards) for combo in plays if combo.kind == "jokers"), None) or plain_action(view)


MATCHES = (
    (
        plan(
            "three people", "std+players=3,hands=1", "ben", "cleo", threads=True, emoji=True, locales=CHINESE, number=2
        ),
        taken_up,
    ),
    (plan("jokers waiting for a name", "named+hands=1", "ben", "cleo", server="zh-CN", wish=bare, number=7), named),
    (
        plan("jokers waiting for a name, emoji", "named+hands=1,players=3", "ben", emoji=True, wish=bare, number=19),
        named,
    ),
    (plan("round and round, all shown", "round+players=3,hands=1,unused=shown_after_deal", "ben", number=6), by_itself),
    (plan("nine", "party+players=9,hands=1", "ben", locales={"ann": "zh-CN"}, number=8, short=110), by_itself),
)


@pytest.mark.rotates(5)
@pytest.mark.parametrize(("game", "special"), MATCHES, ids=[game.name for game, _ in MATCHES])
def test_whole_matches_leak_no_secret(game: Plan, special: Callable[[Record], bool]) -> None:
    play_watched(with_special_deal(game, special), special)
