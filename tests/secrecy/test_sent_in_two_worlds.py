"""Whole requests in two worlds: while a viewer cannot tell them apart, the same requests are sent to them and to all.

Every message of the bot is compared, at its time: boards, pings, private hands, autocompletions, and public traces of
naming jokers.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.a_bao.play import ABaoGame
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.core.asks import Action, Play, PlayAsk
from bot.rules.core.game import View
from bot.rules.matches.match import Match
from bot.rules.variants.ruleset import Ruleset, read_code
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.laws.matches import offered
from tests.secrecy.play_through import Plan, Players
from tests.secrecy.request_watch import Watch
from tests.secrecy.two_worlds import side_by_side
from tests.support.world import World, world

Step = tuple[int, Action]
Sent = list[tuple[int | None, str, str, str]]

PEOPLE = ("ann", "ben", "cleo", "dev", "eve")
ONLOOKER = "zoe"
KINDS = {
    "B2:pagat": 2,
    "AB:std": 3,
    "AB:three+first=sequential": 5,
    "LA:std+players=3": 2,
    "TL:south+out_of_turn=true": 2,
    "BA:quick": 1,
    "LA:round+players=3": 2,
    "TL:south": 2,
}  # of steps that a walk shows
CODES = tuple(KINDS)[:-1]
SEEDS, LONGEST = 200, 12  # walks tried for each game, and how many steps one has
CURIOUS = 5  # steps between two looks around
MOMENTS = (0.0, *[0.2] * 5, *[1.0] * 5, *[4.0] * 20)  # seconds between two looks, less than two minutes in all


@dataclass(frozen=True)
class Walk:
    """The same steps in two worlds that seat 0 cannot tell apart."""

    seed: str
    other: Match
    steps: tuple[Step, ...]

    @property
    def kinds(self) -> int:
        """How many kinds of steps it shows."""
        return len({type(action) for _, action in self.steps})


def rules_of(code: str) -> Any:
    return Ruleset.of(*read_code(code, GAMES)).rules


@cache
def walk(code: str) -> Walk:
    """Return the first of some walks by chance that is long and shows enough."""
    rules = rules_of(code)
    walks = (_walk(Match.start(rules, f"{number:064x}"), number) for number in range(SEEDS))
    return next(each for each in walks if len(each.steps) == LONGEST and each.kinds >= KINDS[code])


def _walk(match: Match, number: int) -> Walk:
    worlds = list(side_by_side(match, 0, random.Random(number)))[: LONGEST + 1]
    if not worlds:  # others knew a card in seat 0's hand, and it does not know that they did
        return Walk(match.seed, match, ())
    return Walk(match.seed, worlds[0].other, tuple(each.step for each in worlds if each.step))


async def seated(here: World, code: str) -> Table:
    """Start a table with people only, and a player who looks on."""
    for name in (*PEOPLE[4:], ONLOOKER):
        here.arrive(name)
    return await here.start_table(*PEOPLE[1 : rules_of(code).players], rules=code)


async def sent(folder: Path, code: str, *, otherwise: bool, steps: int = LONGEST) -> Sent:
    """Play the first steps of a walk; return the output visible to Ann and to all."""
    walked = walk(code)
    async with world(folder, deal=walked.seed) as here:
        watch = Watch(here)
        table = await seated(here, code)
        assert table.match is not None
        if otherwise:
            table.adopt(replace(table.state, match=walked.other))
        players, found = Players(here, table, Plan(code)), list[tuple[int | None, str, str, str]]()
        watch.requests.clear()
        for at, (seat, action) in enumerate(walked.steps[:steps]):
            for name in () if at % CURIOUS else ("ann", ONLOOKER):
                await players.look_around(name)
            await table.do(Act(here.people[PEOPLE[seat]].id, action))
            await here.advance(seconds=2)
            found += public(watch, here.ann.id)
        return found


def public(watch: Watch, *users: int) -> Sent:
    """Return what these people and every player could see of what was sent since the last look."""
    fresh = [(watch.reader(each).user, each) for each in watch.requests]
    watch.requests.clear()
    # a nonce is drawn at random by discord.py
    return [
        (user, each.method, each.path, json.dumps({**(each.json or {}), "nonce": None}))
        for user, each in fresh
        if user in (None, *users)
    ]


@pytest.mark.rotates(3)
@pytest.mark.parametrize("code", CODES)
async def test_requests_are_the_same_in_indistinguishable_worlds(
    tmp_path_factory: pytest.TempPathFactory, code: str
) -> None:
    one, other = [await sent(tmp_path_factory.mktemp("deal"), code, otherwise=each) for each in (False, True)]
    assert one == other
    assert len({user for user, *_ in one if user is not None}) == 1, "Ann was shown something"
    assert len(one) > 30


@pytest.mark.rotates(2)
@pytest.mark.parametrize(
    ("code", "hand", "steps"),
    [("AB:three+first=sequential", ABaoGame, LONGEST), ("LA:std+players=3", BigLittleAGame, 2)],
)
async def test_a_view_dependent_on_another_hand_is_detected(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, code: str, hand: type, steps: int
) -> None:
    walk(code)
    view: Callable[[Any, int | None], View] = vars(hand)["view"]

    def telling(played: Any, seat: int | None) -> View:
        return replace(view(played, seat), counts=tuple(hash(str(held)) % 1000 for held in played.hands))

    monkeypatch.setattr(hand, "view", telling)
    one, other = [
        await sent(tmp_path_factory.mktemp("deal"), code, otherwise=each, steps=steps) for each in (False, True)
    ]
    assert one != other


# Jokers that wait for a name


NAMED = "LA:named+players=3"


@cache
def waiting() -> tuple[str, tuple[Step, ...]]:
    """Return a seed and steps, the last of which plays jokers alone that have to be named."""
    for number in range(2000):
        steps, match, rng = list[Step](), Match.start(rules_of(NAMED), f"{number:064x}"), random.Random(number)
        while not match.game.result and len(steps) < LONGEST:
            seat = min(match.awaited)
            action = bare(match.view(seat)) or rng.choice(offered(match.view(seat)))
            steps.append((seat, action))
            match = match.act(seat, action)
            assert isinstance(match.game, BigLittleAGame)
            if match.game.naming:
                return match.seed, tuple(steps)
    raise LookupError


def bare(view: View) -> Action | None:
    plays = view.plays if isinstance(view.ask, PlayAsk) else ()
    return next((Play(combo.cards) for combo in plays if combo.kind == "jokers"), None)


async def seen_by_others(folder: Path, *, thinking: bool) -> list[tuple[int, Sent]]:
    """Return what the others can see, each at its moment, while a player plays jokers and thinks, or only thinks."""
    seed, steps = waiting()
    async with world(folder, deal=seed) as here:
        watch = Watch(here)
        table = await seated(here, NAMED)
        users = [here.people[name].id for name in PEOPLE[: len(table.row.chairs)]]
        for seat, action in steps[:-1]:
            await table.do(Act(users[seat], action))
            await here.advance(seconds=2)
        for name in PEOPLE[: len(users)]:
            await here.open_hand(name, table)
        await here.advance(seconds=10)
        watch.requests.clear()
        seat, action = steps[-1]
        if thinking:
            await table.do(Act(users[seat], action))
        others = [user for user in users if user != users[seat]]
        found = []
        for at, seconds in enumerate(MOMENTS):
            await here.advance(seconds=seconds)
            found.append((at, public(watch, *others)))
        return found


async def test_pending_joker_names_cause_no_different_requests(tmp_path_factory: pytest.TempPathFactory) -> None:
    one, other = [await seen_by_others(tmp_path_factory.mktemp("deal"), thinking=each) for each in (True, False)]
    assert one == other
