"""Scoring never changes play: two tables offer the same, step by step."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.core.asks import Action, ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.core.game import View
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.variants.registration import PLAYERS
from tests.laws.matches import chosen, is_playable, offered, values
from tests.laws.option_sets import Aim, aims, fitting
from tests.support.law_settings import scaled

SCORES = ("scoring", "match")  # groups of options
AIMS = [aim for aim in aims() if GAMES[aim.game].sheet.options[aim.option].group in SCORES and aim.option != PLAYERS]
PAIRS = 2  # of tables, for each way to score
PLAYS = 30  # looked at of each seat


@pytest.mark.rotates(5)
@pytest.mark.parametrize("aim", AIMS, ids="-".join)
def test_scoring_options_do_not_change_play(aim: Aim) -> None:
    rng = random.Random("-".join(aim))
    for at in range(scaled(PAIRS)):
        record = fitting(aim, rng)
        now, twin = record.begin(), scored_otherwise(record, rng).begin()
        while not now.results:
            assert offered_to_all(now) == offered_to_all(twin)
            seat, action = chosen(now, rng) if at % 2 else weakest(now)
            now, twin = now.act(seat, action), twin.act(seat, action)
        assert twin.results


def weakest(match: Match) -> tuple[int, Action]:
    """Return the first that a seat is offered, so that high cards are kept till the end."""
    seat = min(match.awaited)
    return seat, offered(match.view(seat))[0]


def scored_otherwise(record: Record, rng: random.Random) -> Record:
    """Return the match with other scoring options, if compatible."""
    game, options = record.known, record.begin().rules.options
    changes = {name: getattr(options, name) for name in game.options}
    for option in rng.sample(list(game.sheet.options.values()), len(game.options)):
        if option.group in SCORES and option.name != PLAYERS:
            tried = changes | {option.name: rng.choice(values(option))}
            changes = tried if is_playable(game, record.preset, tried) else changes
    return replace(record, options=changes)


def offered_to_all(match: Match) -> list[tuple[Any, ...]]:
    """Return each seat's cards, question and is_playable actions."""
    return [
        (view.to_act, view.awaited, view.hand, view.counts, view.trick, type(view.ask), may_do(view))
        for view in map(match.view, range(match.rules.players))
    ]


def may_do(view: View) -> tuple[Any, ...]:
    """Return what a view offers: plays and passes, cards to call or to give, answers."""
    match view.ask:
        case PlayAsk(may_pass=may_pass):
            return (may_pass, tuple(play.cards for play in islice(view.plays, PLAYS)))
        case NameAsk(cards=cards, may_pass=may_pass):
            return (may_pass, cards)
        case GiveAsk():
            return (view.ask.count, tuple(view.ask.givable(view.hand)))
        case ChooseAsk(answers=answers, orders=orders):
            return (answers, orders)
    return ()
