"""Hint and review speak with one voice: a player who follows the hints finds no better play in the review."""

from __future__ import annotations

from unittest.mock import AsyncMock

import pytest

from bot.club.practice import PracticePlayer
from bot.domain.chairs import Level
from bot.games import GAMES
from bot.history.reviews import HandReviews
from bot.rules.core.asks import Play
from bot.rules.core.trick import Combo
from bot.runtime.process_pool import CallFailed, ChildHung
from bot.runtime.workers import GIVEN_UP
from bot.show.matches.review import AS_WELL
from bot.table.core.commands import Act
from bot.table.hints import TOO_BUSY
from bot.table.table import Table
from tests.bench.replay import long_match, store_match
from tests.people.test_looking_back import moment_links, replay_of, review_match, worker_turn
from tests.support.message_text import private_reply
from tests.support.threads import ThreadWorkers
from tests.support.world import World

TURNS = 300  # far more than a hand has


async def play_by_hints(here: World, **options: str) -> Table:
    """Play a match of one hand in which Ann follows the hints."""
    table = await here.start_table(hands=1, pace="none hints", **options)
    for _ in range(TURNS):
        await table.wait_until_idle(60)
        if here.current_player(table) is None:
            assert table.stage == "over"
            return table
        advice = await table.hints.hint(here.ann.id)
        assert advice
        await table.do(Act(here.ann.id, advice.action))
    raise AssertionError("the hand does not end")


@pytest.mark.rotates(5)
@pytest.mark.parametrize("game", GAMES)
async def test_a_hand_played_by_hints_alone_loses_nothing(here: World, game: str) -> None:
    table = await play_by_hints(here, game=game)
    await here.restart()
    table = await here.reload(table)
    back = await here.press_in_menu("ann", await here.press("ann", table, "Replay"), "Review match")
    said = private_reply(back).text
    assert "### Review match" in said
    assert "was better" not in said
    closely = await here.forge(here.ann, back, f"bv:look_at_hand:{table.id}:1")
    assert AS_WELL in private_reply(closely).text
    assert not moment_links(closely)


async def test_queued_plays_are_not_criticised(here: World) -> None:
    record = long_match(1)
    chosen, queued = await store_match(here, record), await store_match(here, record, by="order")
    assert {finding.kind for finding in await review_match(here, chosen)} & {"better", "out"}
    assert {finding.kind for finding in await review_match(here, queued)} <= {"overtaken"}
    assert await HandReviews().of(await replay_of(here, queued), 1, 0, worker_turn(here)) == ()


async def test_a_hint_after_playing_on_from_a_moment_equals_the_review(here: World) -> None:
    """Also if the hand played alone is shorter than its match."""
    table = await store_match(here, long_match(2))
    match_replay = await replay_of(here, table)
    found = await HandReviews().of(match_replay, 1, 0, worker_turn(here))
    assert found
    who = PracticePlayer(here.ann.id, "ann", Level.MEDIUM)
    for finding in found:
        snapshot = await match_replay.snapshot(finding.step)
        practice = await here.parts.practice.from_moment(who, match_replay.row, snapshot, finding.seat)
        advice = await practice.hints.hint(here.ann.id)
        assert advice
        assert advice.action == (Play(finding.best.cards) if isinstance(finding.best, Combo) else finding.best)


async def test_a_hint_that_cannot_be_computed_is_refused_without_side_effects(
    here: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await here.start_table()
    hand = await here.open_hand("ann", table)
    for fault, said in ((ChildHung, GIVEN_UP), (CallFailed, TOO_BUSY)):
        monkeypatch.setattr(ThreadWorkers, "call", AsyncMock(side_effect=fault))
        shown = private_reply(await here.press_on("ann", hand, "Hint"))
        assert said in shown.text
        assert "Hint: " not in shown.text
    caplog.clear()
