"""Whole matches of the games in which more is asked than to play at one's turn: nobody learns what is not theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from simcord.types import HttpLogEntry

from bot.games import GAMES
from bot.house.plain import choose
from bot.rules.actions import Action, Give, Ready, Stop
from bot.rules.code import read_code
from bot.rules.match import Match
from bot.rules.record import Record
from bot.rules.seal import sealed
from tests.secrecy.cards_in import cards_in_text
from tests.secrecy.play_through import Plan
from tests.secrecy.whole_matches import Seen, play
from tests.standin import limits, openapi

VERBS = re.compile(r"\bb[gpv]:(?:\d+:\d+:)?([a-z_]+)")


SHORT = 45  # actions of a match


def plan(name: str, rules: str, *people: str, **how: Any) -> Plan:
    """A match under rules of its own, people being curious now and then."""
    return Plan(name, people, options={"rules": rules}, curious=3, **how)


def dealt(game: Plan, special: Callable[[Record], bool], short: int = SHORT) -> Plan:
    """Return the plan with the first seed under which house players among themselves make a short and special match."""
    for number in count():
        record = among_house_players(
            game, sealed(f"{number:064x}")
        )  # so long that it is not found in a message by chance
        if len(record.steps) <= short and special(record):
            return replace(game, deal=record.seed)
    raise AssertionError


def among_house_players(game: Plan, deal: str) -> Record:
    """Return what would become of a deal, those first that come in out of turn: people sit before house players."""
    known, preset, changes = read_code(game.options["rules"], GAMES)
    record = Record(known, preset, deal, changes)
    match = record.begin()
    while not match.over:
        seat, action = _next_step(match, game)
        match, record = match.act(seat, action), record.then(seat, action)
    return record


def _next_step(match: Match, game: Plan) -> tuple[int, Action]:
    if match.game.result:
        return min(match.awaited), Stop() if match.endless and match.number >= game.hands else Ready()
    seats, people = (*sorted(match.to_act - match.awaited), *match.awaited), 1 + len(game.people)
    wishes = ((seat, (game.wish if seat < people else choose)(match.view(seat))) for seat in seats)
    return next((seat, action) for seat, action in wishes if action is not None)


def out_of_turn(record: Record) -> bool:
    """Whether somebody came in out of turn."""
    moments = zip(record.positions(), record.steps, strict=False)
    return any(seat not in match.awaited for match, (seat, _) in moments)


def exchanged(record: Record) -> bool:
    """Whether a card was given, and somebody ended the match."""
    actions = [action for _, action in record.steps]
    return any(isinstance(action, Give) for action in actions) and actions[-1] == Stop()


def reshuffled(record: Record) -> bool:
    """Whether the stock was used up and made anew."""
    return "reshuffles" in facts(record)


def announced(record: Record) -> bool:
    """Whether somebody's last cards were announced."""
    return "announced" in facts(record)


def with_chips(record: Record) -> bool:
    """Whether chips were on the table."""
    return "chips" in facts(record)


def facts(record: Record) -> set[str]:
    """The names of all that was public at any moment."""
    return {name for match in record.positions() for name, _ in match.view(None).facts}


EXCHANGE = "B2:three+extra=face_down,exchange=loser_highest_for_any"
PLANS = (
    (plan("honours out of turn", "B2:dle", "ben", "cleo", "dev"), out_of_turn),
    (plan("exchange, and an extra card face down", EXCHANGE, "ben", hands=2), exchanged),
    (plan("drawing", "B2:draw+stock=reshuffle,match=deals,deals=1", "ben", "cleo"), reshuffled),
    (plan("tiles", "B2:tiles+deals=1", "ben", "cleo", emoji=True), with_chips),
    (plan("locked passes", "B2:id", "ben", server="zh-CN", locales={"ann": "zh-CN"}), announced),
)


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("game", "special"), PLANS, ids=[game.name for game, _ in PLANS])
def test_nobody_learns_what_is_not_theirs(game: Plan, special: Callable[[Record], bool]) -> None:
    seen = play(dealt(game, special))
    (record,) = seen.records
    assert special(record), "this match does not show what it is for"
    assert len(seen.users) == 5, "four people and the public"
    clean(seen)


def clean(seen: Seen) -> None:
    """Fail where somebody learnt something, the log tells anything, or Discord would refuse a request."""
    assert seen.leaks == ()
    assert seen.errors == ()
    assert not [secret for secret in seen.secrets if secret in seen.log]
    assert not set(cards_in_text(seen.log))
    assert limits.complaints_of_all((each.method, each.path, each.json) for each in seen.requests) == []
    assert list(refused(seen)) == []


def refused(seen: Seen) -> Iterator[str]:
    """Yield what Discord's document says against one of each kind of request; nothing where it is not here."""
    kinds: dict[Any, HttpLogEntry] = {}
    for each in seen.requests:
        kinds.setdefault((each.method, re.sub(r"\d+", "", each.path)[:30], tuple(VERBS.findall(str(each.json)))), each)
    for each in kinds.values() if openapi.available() else ():
        yield from openapi.document_complaints(each.method, each.path, each.json)
