"""Notices tell no secret: no card to a viewer without permission, and no personal hours in a channel."""

from __future__ import annotations

import pytest

from bot.ai.plain import plain_action
from bot.domain.ids import TableId
from tests.people.test_notices import direct_messages
from tests.people.test_slow_clocks import set_working_hours
from tests.secrecy.request_watch import Watch
from tests.secrecy.test_asleep_to_others import KOLKATA, TELLING
from tests.secrecy.test_sent_in_two_worlds import CODES
from tests.support.world import World

ROUNDS = 8


async def act(here: World, name: str, number: TableId) -> None:
    """Act for a player like a house player, at any question."""
    table = await here.parts.tables.get(number)
    scene = table.scene(here.people[name].id)
    if scene.wanted and scene.view and (action := plain_action(scene.view)):
        await here.act_directly(here.people[name].id, table, action)


@pytest.mark.rotates(3)
@pytest.mark.parametrize("code", CODES)
async def test_no_notice_reveals_a_secret_card_to_its_reader(here: World, code: str) -> None:
    here.deal = "a secret of this test"
    watch = Watch(here)
    for name in ("ann", "ben"):
        await here.parts.preferences.change(here.people[name].id, notices="both")
    table = await here.start_table("ben", rules=code, pace="relaxed 10h")
    called = set()
    for _ in range(ROUNDS):
        await here.advance(minutes=31)
        called |= {each.content for each in here.channel.history() if each.mentions}
        for name in ("ann", "ben"):
            await act(here, name, table.id)
    assert watch.leaks == []
    assert called, "somebody was called"
    assert watch.direct, "and written to"


async def test_a_public_notice_rounds_deadlines_to_the_hour(here: World) -> None:
    await here.advance(minutes=7)
    for name in ("ann", "ben"):
        await set_working_hours(here, name, KOLKATA)
    table = await here.start_table("ben", pace="relaxed 20h")
    read = []
    for _ in range(12):
        await here.advance(hours=3.3)
        read += [each for each in here.channel.history() if each.mentions]
        for name in ("ann", "ben"):
            await act(here, name, table.id)
    assert read
    for message in read:
        assert not TELLING.search(message.content)
        stamps = [int(part.split(":")[0]) for part in message.content.split("<t:")[1:]]
        assert all(stamp % 3600 == 0 for stamp in stamps)


async def test_direct_messages_reach_only_their_recipient(here: World) -> None:
    await here.parts.preferences.change(here.people["ben"].id, notices="direct")
    await here.start_table("ben", "cleo", pace="relaxed 10h")
    await here.advance(minutes=31)
    assert [len(direct_messages(here, name)) for name in ("ann", "cleo")] == [0, 0]


async def test_public_pings_do_not_reveal_secret_answers(here: World) -> None:
    for name in ("ann", "ben"):
        await here.parts.preferences.change(here.people[name].id, notices="both")
    table = await here.start_table("ben", rules="AB:std", pace="relaxed 10h")
    assert table.scene(None).together
    await act(here, "ann", table.id)
    assert not (await here.reload(table)).scene(here.ann.id).wanted
    await here.advance(minutes=31)
    aloud = {user.id for each in here.channel.history() for user in each.mentions}
    assert aloud == {here.people[name].id for name in ("ann", "ben")}
    assert (len(direct_messages(here, "ann")), len(direct_messages(here, "ben")) > 0) == (0, True)
