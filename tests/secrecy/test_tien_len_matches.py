"""Whole matches of Tiến Lên: no player learns other hands, possible chops, or undealt cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.rules.matches.record import Record
from bot.rules.tien_len.play import TienLenGame
from tests.secrecy.play_through import Plan
from tests.secrecy.whole_matches import play_watched, with_special_deal

CHINESE = {"ann": "zh-CN", "cleo": "zh-TW"}


def plan(name: str, rules: str, *people: str, **how: Any) -> Plan:
    """A match of Tiến Lên of one hand, people being curious now and then."""
    return Plan(name, people, options={"rules": f"TL:{rules},match=deals,hands=1"}, curious=5, **how)


def games(record: Record) -> list[TienLenGame]:
    """Return the hand at each moment."""
    return [match.game for match in record.positions() if isinstance(match.game, TienLenGame)]


def chopped(record: Record) -> bool:
    """Whether twos were chopped, for which a player pays."""
    return any(
        note.article == "8.2" for match in record.positions() if match.game.result for note in match.game.result.notes
    )


def could_chop(record: Record) -> bool:
    """Whether seats out of turn were asked to chop."""
    return any(game.to_act > game.awaited for game in games(record))


def lowest_not_dealt(record: Record) -> bool:
    """Whether the required card was not the lowest of the pack, because some were undealt."""
    first = games(record)[0]
    return first.low is not None and str(first.low) != "3s"


def frozen(record: Record) -> bool:
    """Whether a player was frozen: without a play when the first was out, while others continued."""
    return any(game.last and not game.result for game in games(record))


def won_at_once(record: Record) -> bool:
    """Whether the cards alone decided the hand."""
    return not record.steps


FOUR = ("ben", "cleo", "dev")
MATCHES = (
    (plan("four people, a chop", "south+players=4", *FOUR, threads=True, locales=CHINESE, number=77), chopped),
    (
        plan("three people, cards not dealt", "south+players=3", "ben", "cleo", server="zh-CN", number=6),
        lowest_not_dealt,
    ),
    (plan("chops out of turn", "south+out_of_turn=true", "ben", emoji=True, number=57), could_chop),
    (plan("two people, north", "north+players=2", "ben", locales={"ann": "zh-CN"}, number=77), lowest_not_dealt),
    (plan("one frozen", "south+players=4", "ben", "cleo", number=80), frozen),
    (plan("won at once", "south+players=4", *FOUR, emoji=True), won_at_once),
)


@pytest.mark.rotates(6)
@pytest.mark.parametrize(("game", "special"), MATCHES, ids=[game.name for game, _ in MATCHES])
def test_whole_matches_leak_no_secret(game: Plan, special: Callable[[Record], bool]) -> None:
    play_watched(with_special_deal(game, special), special)
