"""Moments for work on screens: each is reachable, and unknown names are refused."""

from __future__ import annotations

import pytest

from bot.games import GAMES
from bot.ops.shutdown import SignalHandler
from bot.rules.core.asks import ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.core.game import View
from bot.rules.variants.registration import RegisteredGame
from bot.sandbox.live import World as Sandbox
from bot.table.table import Table
from tests.moments import search
from tests.moments.__main__ import main
from tests.moments.arrival import bring_to_moment
from tests.moments.moments import MOMENTS
from tests.moments.opening import UnknownMoment, parse_request
from tests.support.world import World

IN_EVERY_GAME = (
    "first-play",
    "lead",
    "follow",
    "stuck",
    "bomb",
    "few-left",
    "last-play",
    "end-of-hand",
    "end-of-match",
    "lesson",
    "lesson-middle",
    "lesson-end",
)
COMES = [
    *((game.sheet.code, name) for game in GAMES.values() for name in IN_EVERY_GAME),
    *(("ba", name) for name in ("draw", "expose", "capture")),
    *(("ab", name) for name in ("bid", "call", "give")),
]


async def at(here: World, game: str, name: str, people: int = 1) -> Table:
    """Bring a table of this server to a moment."""
    wanted = parse_request(game, name, people=people)
    here.deal = wanted.seed
    sandbox = Sandbox(here.channel, tuple(here.people.values()))
    return await bring_to_moment(here.bot, sandbox, wanted.moment, wanted.code, wanted.hands, people)


def anns_view(here: World, table: Table) -> View:
    """What Ann may know."""
    view = table.scene(here.ann.id).view
    assert view is not None
    return view


@pytest.mark.parametrize(("code", "name"), COMES)
def test_a_seed_is_found_for_every_moment(code: str, name: str) -> None:
    assert parse_request(code, name).seed


async def test_a_lobby_is_empty_or_full(here: World) -> None:
    table = await at(here, "b2", "lobby")
    assert [chair.user for chair in table.row.chairs] == [here.ann.id]
    full = await at(here, "b2", "full", people=2)
    assert [chair.house for chair in full.row.chairs] == [False, False, True, True]
    assert full.stage == "lobby"


async def test_ann_is_asked_the_question_of_the_moment(here: World) -> None:
    assert isinstance(anns_view(here, await at(here, "ba", "draw")).ask, ChooseAsk)
    assert isinstance(anns_view(here, await at(here, "ab", "call")).ask, NameAsk)
    assert isinstance(anns_view(here, await at(here, "ab", "give")).ask, GiveAsk)
    follow = anns_view(here, await at(here, "la", "follow"))
    assert isinstance(follow.ask, PlayAsk)
    assert follow.trick.top
    assert follow.plays


async def test_ann_is_asked_about_a_bomb_without_automatic_pass(here: World) -> None:
    view = anns_view(here, await at(here, "tl", "bomb"))
    assert isinstance(view.ask, PlayAsk)
    assert len({move.combo.kind for move in view.trick.moves if move.combo}) > 1


async def test_the_hand_of_ann_is_open(here: World) -> None:
    table = await at(here, "b2", "first-play")
    open_hands = [message for message in here.channel.history(viewer=here.ann) if message.flags.ephemeral]
    assert any(f"bg:{table.id}:play" in str(message.components) for message in open_hands)


@pytest.mark.rotates(5)
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
async def test_a_lesson_can_be_opened_at_its_beginning_middle_and_end(here: World, game: RegisteredGame) -> None:
    for name, stage in (("lesson", "playing"), ("lesson-middle", "playing"), ("lesson-end", "over")):
        table = await at(here, game.sheet.code, name)
        assert (table.row.solo, table.stage) == ("lesson", stage)
        open_hands = [message for message in here.channel.history(viewer=here.ann) if message.flags.ephemeral]
        assert f"Lesson: {game.title}" in str(open_hands[-1].components)


async def test_a_moment_is_played_on_like_any_table(here: World) -> None:
    table = await at(here, "b2", "end-of-match", people=2)
    assert table.stage == "over"
    playback = await here.slash("ann", "matches list")
    assert "Big Two, table 1" in playback.text
    assert {step.by for step in table.row.steps if step.action != "pass"} == {"person", "house"}


def test_an_unknown_moment_is_refused_with_the_known_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_SEEDS", 2)
    with pytest.raises(UnknownMoment, match=r"There is no game 'b3'. There are b2 \(Big Two\), ba"):
        parse_request("b3", "bomb")
    with pytest.raises(UnknownMoment, match=r"There is no moment 'bombe'. There are lobby, full, first-play"):
        parse_request("b2", "bombe")
    with pytest.raises(UnknownMoment, match=r"By the rules B2:two\S* no match comes to call \(Ann may name a card"):
        _ = parse_request("B2:two", "call", hands=1).seed


def test_the_command_line_reports_errors_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["B2:nope"], SignalHandler()) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("Big Two has no preset nope. It has std, ")


def test_every_moment_is_tried_here() -> None:
    assert {name for _, name in COMES} | {"lobby", "full"} == set(MOMENTS)
