"""Whole matches of Tàihé A Bāo: no player learns the answers, the cards of other hands, or the returned card.

People sit on all seats, or among house players; they declare, call, give back and play in every way there is.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from bot.ai.plain import plain_action
from bot.rules.a_bao.bidding import DECLARE, PASS, ABaoBidding
from bot.rules.a_bao.play import ABaoGame
from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass
from bot.rules.core.game import View
from bot.rules.matches.record import Record
from tests.secrecy.play_through import Plan
from tests.secrecy.whole_matches import play_watched, with_special_deal

CHINESE = {"ann": "zh-CN", "cleo": "zh-TW"}


def plan(name: str, rules: str, *people: str, **how: Any) -> Plan:
    """A match of A Bao, people being curious now and then."""
    return Plan(name, people, options={"rules": f"AB:{rules}"}, curious=3, **how)


def found(record: Record) -> list[ABaoGame]:
    """Return the moments at which a player had just become the declarer."""
    games = [match.game for match in record.positions()]
    return [now for before, now in pairwise(games) if isinstance(before, ABaoBidding) and isinstance(now, ABaoGame)]


def given_back(record: Record) -> bool:
    """Whether several players called, and cards were returned repeatedly."""
    return any(len(game.bid.calls) > 1 for game in found(record))


def declared_too(record: Record) -> bool:
    """Whether a player declared in secret after the last question."""
    answers = [(seat, step) for seat, step in record.steps if isinstance(step, Choose)]
    declarers = {game.bid.declarer for game in found(record) if not game.bid.calls}
    return any(step.codes == (DECLARE.code,) and seat not in declarers for seat, step in answers)


def cancelled_deals(record: Record) -> bool:
    """Whether cards were thrown in and dealt again."""
    return any(match.game.bid.thrown for match in record.positions() if isinstance(match.game, ABaoBidding))


def not_played(record: Record) -> bool:
    """Whether the only caller won at once."""
    return any(game.result for game in found(record))


def handed_on(record: Record) -> bool:
    """Whether a card that was got in an exchange was given back in another."""
    gifts = [step.cards for _, step in record.steps if isinstance(step, Give)]
    called = {call.card for game in found(record) for call in game.bid.calls}
    return len(gifts) > len(set(gifts)) or any(set(each) & called for each in gifts)


# What people want


def silent(view: View) -> Action | None:
    """Say nothing before cards were thrown in."""
    if not view.phase_note or "thrown" in dict(view.facts):
        return plain_action(view)
    return None if isinstance(view.ask, ChooseAsk) and view.ask.given else declined(view)


def bold(view: View) -> Action | None:
    """Declare, whatever the hand."""
    return Choose((DECLARE.code,)) if isinstance(view.ask, ChooseAsk) and not view.ask.given else plain_action(view)


def alone(view: View) -> Action | None:
    """Call only from the first seat."""
    if view.phase_note and not isinstance(view.ask, GiveAsk) and not (view.seat == 0 and isinstance(view.ask, NameAsk)):
        return None if isinstance(view.ask, ChooseAsk) and view.ask.given else declined(view)
    return returning(view)


def declined(view: View) -> Action:
    """Say that one wants nothing."""
    return Choose((PASS.code,)) if isinstance(view.ask, ChooseAsk) else Pass()


def returning(view: View) -> Action | None:
    """Call for something, and give back the same card, or one that was got before."""
    match view.ask:
        case NameAsk(cards=offered):
            return Name(offered[-1])
        case GiveAsk() as ask:
            called = [card for each in dict(view.facts)["called"] for card in each.amount]
            fine = ask.givable(view.hand)
            return Give(next(((each,) for each in fine if each in called), fine[:1]))
    return plain_action(view)


FOUR = ("ben", "cleo", "dev")
MATCHES = (
    (plan("four people", "std", *FOUR, threads=True, emoji=True, locales=CHINESE, number=12), given_back),
    (plan("declared too late", "std", *FOUR, server="zh-CN", wish=bold, number=41), declared_too),
    (plan("thrown in", "std", *FOUR, emoji=True, wish=silent, number=38), cancelled_deals),
    (plan("one caller alone", "simple", *FOUR, wish=alone), not_played),
    (plan("one after the other, five", "five+first=sequential", *FOUR, "eve", number=19), given_back),
    (plan("a card given back at once", "std+return=true,recall=allowed", *FOUR, wish=returning, number=26), handed_on),
    (
        plan("three without aces", "three+aces=false", "ben", server="zh-CN", locales={"ann": "zh-CN"}, number=100),
        given_back,
    ),
)


@pytest.mark.rotates(7)
@pytest.mark.parametrize(("game", "special"), MATCHES, ids=[game.name for game, _ in MATCHES])
def test_whole_matches_leak_no_secret(game: Plan, special: Callable[[Record], bool]) -> None:
    play_watched(with_special_deal(game, special), special)
