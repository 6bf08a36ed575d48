"""A lesson is offered once, privately, to a player whose first game of this kind begins on this server."""

from __future__ import annotations

from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World


async def test_a_newcomer_is_offered_a_lesson_once_on_joining(here: World) -> None:
    table = await here.open_table()
    offered = await here.press("ben", table, "Join")
    assert "You're in: seat 2 of 4." in private_reply(offered).text
    assert (
        "**New to Big Two?**\nPlay a first hand with a coach, or learn it in one minute" in private_reply(offered).text
    )
    assert list(private_reply(offered).buttons) == ["Play a lesson", "How to play"]
    assert "New to" not in str(here.channel_texts(table)) + here.read_board(table).text
    taken = await here.press_on("ben", offered, "How to play")
    assert "Big Two · 1 of 5" in private_reply(taken).text
    await here.press_on("ben", offered, "Next")
    assert "Big Two · 2 of 5" in private_reply(offered).text, "all in one message"
    for label in ("Leave", "Join"):
        again = await here.press("ben", table, label)
    assert "New to" not in private_reply(again).text
    await here.restart()
    other = await here.open_table("cleo")
    assert "New to" not in private_reply(await here.press("ben", other, "Join")).text
    big_a = await here.open_table("ben", game="big_a")
    assert "New to Big A?" in private_reply(await here.press("cleo", big_a, "Join")).text


async def test_a_host_is_offered_a_lesson_unless_they_have_learnt_or_played(here: World) -> None:
    here.deal = SHORT_HANDS
    assert "New to Big Two?" in (await here.slash("ann", "deal")).text
    assert "1 of 5" in (await here.slash("ben", "learn how", game="big_two")).text
    table = await here.start_table("ben", "cleo", by="dev", hands=1)
    assert "New to" not in private_reply(await here.press("ann", await here.open_table("cleo"), "Join")).text
    await here.play_hand(table)
    rows = (await here.parts.store.person_data(here.people["ben"].id))["lessons"]
    assert [row["game"] for row in rows] == ["big_two"]


async def test_the_offer_uses_the_language_of_the_new_player(here: World) -> None:
    here.locales |= {"ben": "zh-CN", "cleo": "zh-TW"}
    table = await here.open_table()
    for name, said in (("ben", "第一次玩锄大地？"), ("cleo", "第一次玩大老二？")):
        assert said in private_reply(await here.press(name, table, "Join")).text
