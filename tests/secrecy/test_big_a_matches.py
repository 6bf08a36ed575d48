"""Whole matches of Big A under every preset: no player learns the cards, answers or partner of another.

People sit on all five seats, or one among four house players; they answer in every way there is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from discord import ui

from bot.delivery.boards import boards
from bot.domain.ids import TableId
from bot.rules.big_a.declarations import NOTHING
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.score import Sides
from bot.rules.big_a.windows import BigADraw
from bot.rules.core.asks import Choose
from bot.rules.core.cards import Suit
from bot.rules.core.sentences import Note
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.scene import Wait
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.phrases import note, seats
from bot.show.kit.words import join
from bot.table.sight import ViewerScenes
from tests.secrecy.play_through import Plan, Players, open_planned_table
from tests.secrecy.request_watch import Watch
from tests.secrecy.whole_matches import play_watched, with_special_deal
from tests.support.world import world

drawing = sys.modules["bot.show.table.board"]
some_sides = Sides(0, Suit.SPADES, 1)

OTHERS = ("ben", "cleo", "dev", "eve")
SHORT = 125  # actions of a match
TICK = 6.5  # a little more than a round of a live draw
CHINESE = {"ann": "zh-CN", "cleo": "zh-TW"}


def plan(name: str, rules: str, *people: str, **how: Any) -> Plan:
    """A match of Big A, each of the people being curious now and then; the first to sit down is the host."""
    return Plan(name, people, options={"rules": f"BA:{rules}"}, curious=17 if people else 3, short=SHORT, **how)


def hidden_partner(record: Record) -> bool:
    """Whether the other Big Ace was asked for, not shown, and revealed in play."""
    games = [match.game for match in record.positions() if match.game.result is None]
    draws = [game for game in games if isinstance(game, BigADraw)]
    plays = [game for game in games if isinstance(game, BigAGame)]
    later = any(not one.sides.known and other.sides.known_partner is not None for one, other in pairwise(plays))
    return any(game.kind == "reveal" for game in draws) and later


def secretly_alone(record: Record) -> bool:
    """Whether the declarer was alone without any other player knowing it at the first lead."""
    return any(
        isinstance(match.game, BigAGame) and match.game.sides.partner is None and not match.game.sides.known
        for match in record.positions()
    )


def captured(record: Record) -> bool:
    """Whether a player captured anything."""
    return any(move.taken for match in record.positions() for move in match.view(None).trick.moves)


def asked(record: Record) -> bool:
    """Whether every player was asked round by round."""
    kinds = {match.game.kind for match in record.positions() if isinstance(match.game, BigADraw)}
    return {"round", "last"} <= kinds


def said_nothing(record: Record) -> bool:
    """Whether every player was asked round by round, and a player had nothing to say."""
    said = [step.codes for _, step in record.steps if isinstance(step, Choose)]
    return asked(record) and (NOTHING,) in said


MATCHES = (
    (plan("five people", "std", *OTHERS, threads=True, emoji=True, locales=CHINESE, number=128), hidden_partner),
    (plan("one among house players", "std", server="zh-CN", emoji=True, number=8), secretly_alone),
    (plan("five people, live", "evening", *OTHERS, tick=TICK, deal=f"{15:064x}"), said_nothing),
    (plan("one among house players, other bombs", "homygames", locales={"ann": "zh-CN"}, number=33), captured),
    (plan("five people, a sealed plan", "quick", *OTHERS, server="zh-CN", number=9), captured),
    (plan("one among house players, a sealed plan", "quick", number=9), secretly_alone),
    (plan("one among house players, live", "evening", deal=f"{15:064x}"), said_nothing),
)


@pytest.mark.rotates(7)
@pytest.mark.parametrize(("game", "special"), MATCHES, ids=[game.name for game, _ in MATCHES])
def test_whole_matches_leak_no_secret(game: Plan, special: Callable[[Record], bool]) -> None:
    play_watched(game if game.deal else with_special_deal(game, special), special)


# The test can fail


async def seen(folder: Path, turns: int, *, emoji: bool = False) -> Watch:
    """Play a number of turns with five people, or until a leak; return the observations."""
    game = plan("watched", "quick", *OTHERS)
    async with world(folder, deal=f"{2:064x}") as here:
        watch = Watch(here)
        if emoji:
            await here.restart(card_emoji=True)
        here.arrive("eve")
        players = Players(here, await open_planned_table(here, game), game, watch=watch)
        for players.turn in range(turns):
            if watch.leaks or players.noise:
                break
            await players.step()
        watch.leaks += players.noise
        return watch


@pytest.mark.rotates(2)
@pytest.mark.parametrize("emoji", [False, True])
async def test_five_players_leak_nothing_and_can_queue_the_same_answers(tmp_path: Path, *, emoji: bool) -> None:
    found = await seen(tmp_path, 6, emoji=emoji)
    assert found.leaks == []
    assert len(found.orders) == 1


async def test_a_board_naming_undecided_players_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wait = ViewerScenes._wait

    def telling(sight: ViewerScenes, match: Match | None) -> Wait:
        waiting = wait(sight, match)
        return replace(waiting, awaited=match.awaited) if match else waiting

    monkeypatch.setattr(ViewerScenes, "_wait", telling)
    monkeypatch.setattr(drawing.phrases, "awaited", lambda scene, w, **_: w("{seats}", seats=seats(scene.wait.awaited)))
    (leak, *_) = (await seen(tmp_path, 3)).leaks
    assert "sent to everybody after an answer" in leak


@pytest.mark.parametrize("role", [some_sides.role(1), some_sides._replace(partner=None).role(0)])
async def test_a_role_on_the_board_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: Note) -> None:
    monkeypatch.setattr(drawing, "_facts", lambda _scene, _view, w: note(role, w))
    (leak, *_) = (await seen(tmp_path, 3)).leaks
    assert "user None sees" in leak


async def test_a_board_naming_the_partner_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_facts", lambda _scene, _view, w: join((w.seat(1), w.seat(2)), " + "))
    (leak, *_) = (await seen(tmp_path, 3)).leaks
    assert " \\+ " in leak


@pytest.mark.parametrize("how", ["label", "place", "code"])
async def test_an_answer_on_the_board_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    place = Press(TableId(1), Verb.CHOOSE, at=0, part=1)
    extra, label = {
        "label": (Press(TableId(1), Verb.HINT), "Show my A♠"),
        "place": (place, "?"),
        "code": (Press(TableId(1), Verb.HINT), "expose:s"),
    }[how]
    monkeypatch.setattr(
        boards, "board", lambda scene, w, picture: _with_button(drawing.board(scene, w, picture), str(extra), label)
    )
    (leak, *_) = (await seen(tmp_path, 3)).leaks
    assert "None sees" in leak or "on a public screen" in leak


def _with_button(view: Any, address: str, label: str) -> Any:
    (frame,) = view.children
    frame.add_item(ui.ActionRow(ui.Button(label=label, custom_id=address)))
    return view
