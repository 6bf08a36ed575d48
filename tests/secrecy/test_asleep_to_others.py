"""Public output of a slow table reveals only shared working hours."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from bot.domain.working_hours import Hours
from bot.rules.core.cards import cards
from tests.people.test_slow_clocks import LONG_AGO, set_working_hours
from tests.people.test_votes import ask_for_vote
from tests.support.world import World

KOLKATA = Hours(LONG_AGO, "Asia/Kolkata", bed=22, night=9, off=(5, 6))  # half an hour beside the others
TELLING = re.compile(r"Kolkata|India|22:00|7:00|sleep|asleep|Saturday|Sunday|vacation", re.IGNORECASE)
STAMP = re.compile(r"<t:(\d+):")


async def public(here: World, table_id: int) -> str:
    """All that stands for every player in the channel."""
    texts = [
        str(component)
        for message in here.channel.history()
        if not message.flags.ephemeral
        for component in (message.content, *(part.to_dict() for part in message.components))
    ]
    return f"{table_id}" + "\n".join(texts)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("pace", ["relaxed 20h", "daily 1d+6h"])
async def test_a_board_rounds_deadlines_to_the_hour(here: World, pace: str) -> None:
    await here.advance(minutes=7)
    for name in ("ann", "ben"):
        await set_working_hours(here, name, KOLKATA)
    table = await here.start_table("ben", pace=pace)
    for _ in range(9):
        table = await here.reload(table)
        said = await public(here, table.id)
        assert not TELLING.search(said)
        due = table.row.deadline
        assert due is not None
        if table.stage == "playing":
            stamps = {int(stamp) for stamp in STAMP.findall(here.read_board(table).text)}
            assert stamps
            assert all(stamp % 3600 == 0 for stamp in stamps)
            assert 0 <= min(stamps) - due.at.timestamp() < timedelta(hours=1).total_seconds()
        await here.advance(hours=3.3)
        if whose := here.current_player(await here.reload(table)):
            await here.act(whose, await here.reload(table))


async def test_time_grants_votes_and_offers_reveal_no_working_hours(here: World) -> None:
    for name in ("ann", "ben"):
        await set_working_hours(here, name, KOLKATA)
    table = await here.start_table("ben", "cleo", pace="relaxed 8h")
    await here.play("ann", table, cards("3d"))

    async def nothing_is_told() -> None:
        assert not TELLING.search(await public(here, table.id))

    await here.press_in_menu("cleo", await here.open_hand("cleo", table), "+12 hours for ben")
    assert "cleo gives ben 12 hours more." in here.channel_texts(table)
    await nothing_is_told()
    await here.press_on("cleo", await ask_for_vote(here, table, "cleo", "pause"), "Ask everyone")
    await nothing_is_told()
    for name in ("ann", "ben"):
        await here.press(name, table, "I agree")
    await nothing_is_told()
    for name in ("ann", "ben", "cleo"):
        await here.press(name, table, "I'm back")
    await here.press_on("ben", await here.press("ben", table, "Leave"), "Offer my seat")
    await nothing_is_told()
    await here.press("dev", table, "Take over for ben")
    await nothing_is_told()
