"""Honours out of turn: what every player can see, and when, is the same whether or not a player could come in."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import Play
from bot.rules.core.cards import cards
from bot.rules.matches.match import Match
from bot.scene import Wait
from bot.table.sight import ViewerScenes
from tests.secrecy.request_watch import Watch
from tests.support.world import World, world

MOMENTS = (0.0, *[0.2] * 10, *[1.0] * 10, *[4.0] * 24)  # seconds between two looks, less than ben's two minutes in all
SEEDS = 2550  # are tried from this one on
PEOPLE = {"people": ("ben", "cleo", "dev"), "house players": ("ben",)}


@cache
def two_bombs() -> str:
    """Return a seed of Da Lao Er: ann leads, seats 2 and 3 could come in, and no house player would there."""
    for seed in map(str, range(SEEDS, 20_000)):
        match = Match.start(GAMES["big_two"].rules("da_lao_er"), seed)
        if match.awaited == {0} and could_come_in(match) == {2, 3}:
            led = match.act(0, Play(cards("3d")))
            if not any(plain_action(led.view(seat)) for seat in (2, 3)):
                return seed
    raise LookupError


def could_come_in(match: Match) -> set[int]:
    """Return the seats that could play out of turn once ann has led the 3 of diamonds."""
    led = match.act(0, Play(cards("3d"))) if not match.view(None).trick.moves else match
    return {seat for seat in led.to_act - led.awaited if led.view(seat).plays}


def disarmed(match: Match) -> Match:
    """Return the match with the cards of seats 2 and 3 exchanged so that neither could interrupt."""
    rng, before = random.Random("elsewhere"), match
    while could_come_in(match):
        game = before.game
        assert isinstance(game, BigTwoGame)
        both = [*game.hands[2], *game.hands[3]]
        rng.shuffle(both)
        hands = (*game.hands[:2], match.rules.sort(tuple(both[:13])), match.rules.sort(tuple(both[13:])))
        match = replace(before, game=game._replace(hands=hands))
    assert all(match.view(seat) == before.view(seat) for seat in (None, 0, 1))
    return match


async def sent(folder: Path, who: str, *, armed: bool) -> list[tuple[int, str, str, str]]:
    """Lead as ann and wait two minutes for ben; return all public output with its times."""
    async with world(folder, deal=two_bombs()) as here:
        watch = Watch(here)
        table = await here.start_table(*PEOPLE[who], rules="B2:dle")
        assert table.match is not None
        if not armed:
            table.adopt(replace(table.state, match=disarmed(table.match)))
        for name in PEOPLE[who][1:]:
            await here.open_hand(name, table)  # there it says what they could do
        watch.requests.clear()
        await here.play("ann", table, cards("3d"))
        found = [
            entry for moment, seconds in enumerate(MOMENTS) for entry in await public(here, watch, moment, seconds)
        ]
        assert here.current_player(table) == "ben"
        assert could_come_in(table.match) == ({2, 3} if armed else set())
        return found


async def public(here: World, watch: Watch, moment: int, seconds: float) -> list[tuple[int, str, str, str]]:
    """Advance time; return the public output since the last call."""
    await here.advance(seconds=seconds)
    fresh = [each for each in watch.requests if each.method != "GET" and watch.reader(each).user is None]
    watch.requests.clear()
    bodies = [{**(each.json or {}), "nonce": None} for each in fresh]  # a nonce is drawn at random by discord.py
    return [(moment, each.method, each.path, json.dumps(body)) for each, body in zip(fresh, bodies, strict=True)]


@pytest.mark.rotates(2)
@pytest.mark.parametrize("who", list(PEOPLE))
async def test_possible_plays_out_of_turn_are_invisible(tmp_path_factory: pytest.TempPathFactory, who: str) -> None:
    one, other = [await sent(tmp_path_factory.mktemp("deal"), who, armed=armed) for armed in (True, False)]
    assert one == other
    assert {method for _, method, _, _ in one} == {
        "PATCH",
        "POST",
    }  # the board, and ben's ping, which becomes the reminder


async def test_a_board_naming_players_able_to_interrupt_is_detected(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = ViewerScenes._wait

    def telling(sight: ViewerScenes, match: Match | None) -> Wait:
        waiting = seen(sight, match)
        return replace(waiting, awaited=match.awaited | could_come_in(match)) if match else waiting

    one = await sent(tmp_path_factory.mktemp("deal"), "people", armed=True)
    monkeypatch.setattr(ViewerScenes, "_wait", telling)
    assert one != await sent(tmp_path_factory.mktemp("deal"), "people", armed=True)
