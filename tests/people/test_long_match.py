"""The replay of a match of very many hands, without blocking other users."""

from __future__ import annotations

import pytest

from bot.domain.ids import TableId
from bot.history import replays
from tests.bench.replay import long_match, store_match
from tests.support.loop_gaps import MAX_BUSY_SECONDS, record_busy_seconds
from tests.support.message_text import private_reply
from tests.support.world import World


async def browse_replay(here: World, table: TableId, steps: int) -> None:
    """Open a replay, its end and one of its hands."""
    listing = await here.people["dev"].slash(here.channel, "matches list")
    assert listing.response
    ((target, _),) = private_reply(listing).selects.items()
    shown = await here.people["dev"].select(listing.response.message, [str(table)], custom_id=target)
    assert "Hand 1 · move 0" in private_reply(shown).text
    last = private_reply(await here.press_on("dev", shown, "⏭"))
    assert f"move {steps} of {steps}" in last.text
    ((target, values),) = last.selects.items()
    hands = [value for value in values if value.startswith("h")]
    assert shown.response
    await here.people["dev"].select(shown.response.message, [hands[-2]], custom_id=target)
    await here.settle()
    assert f"move {hands[-2][1:]} of {steps}" in private_reply(shown).text


async def test_browsing_a_replay_of_many_hands_does_not_block_the_loop(here: World) -> None:
    record = long_match(40)
    table = await store_match(here, record)
    with record_busy_seconds() as made:
        await browse_replay(here, table, len(record.steps))
    assert max(made) < MAX_BUSY_SECONDS


async def test_the_first_screen_does_not_wait_for_the_whole_match(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "PREPARATION_SECONDS", 0.0)
    record = long_match(12)
    table = await store_match(here, record)
    match_replay = await replays.ReplayCache(lambda: here.parts.store, here.parts.workers).of(table, here.guild.id)
    assert match_replay
    assert (await match_replay.snapshot(0)).match == record.begin()
    assert not match_replay.playback.whole
    assert (await match_replay.snapshot(match_replay.playback.end)).match == record.replay()
    assert match_replay.playback.whole


@pytest.mark.soak
async def test_the_first_replay_screen_of_a_thousand_hands_is_immediate(here: World) -> None:
    """How soon is measured by tests/bench/replay.py."""
    record = long_match(1000)
    table = await store_match(here, record)
    with record_busy_seconds() as made:
        for step in (0, len(record.steps) // 2, len(record.steps)):
            match_replay = await replays.ReplayCache(lambda: here.parts.store, here.parts.workers).of(
                table, here.guild.id
            )
            assert match_replay
            await match_replay.snapshot(step)
        await browse_replay(here, table, len(record.steps))
    print(f"\n{len(record.steps):,} steps, at most {max(made):,} calls in one go")
    assert max(made) < MAX_BUSY_SECONDS
