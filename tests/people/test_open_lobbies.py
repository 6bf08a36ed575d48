"""Lobbies with room: users who ask for a table are sent to waiting ones before a new one opens."""

from __future__ import annotations

from tests.support.message_text import private_reply
from tests.support.world import OPEN_NEW_TABLE, World


async def count_open_tables(here: World) -> int:
    """Count the open tables."""
    return len(await here.parts.store.tables.open_tables())


async def test_deal_points_to_a_waiting_lobby_and_opens_another_on_demand(here: World) -> None:
    table = await here.open_table()
    answer = await here.people["ben"].slash(here.channel, "deal")
    shown = private_reply(answer)
    assert shown.text == "**A table is waiting here.**\nBig Two, table 1 · Standard · 1 of 4 seats taken"
    assert list(shown.buttons) == ["Join", OPEN_NEW_TABLE]
    terms = await here.press_on("ben", answer, "Join")
    await here.press_on("ben", terms, "Agree and join")
    assert [chair.name for chair in table.row.chairs] == ["ann", "ben"]
    cleo = await here.people["cleo"].slash(here.channel, "deal", game="big_two")
    await here.press_on("cleo", cleo, OPEN_NEW_TABLE)
    assert await count_open_tables(here) == 2
    dev = private_reply(await here.people["dev"].slash(here.channel, "deal"))
    assert dev.text.startswith("**2 tables are waiting here.**")


async def test_a_request_with_options_opens_a_table_at_once(here: World) -> None:
    await here.open_table()
    wishes: tuple[dict[str, object], ...] = ({"hands": 3}, {"game": "tien_len"}, {"pace": "none"})
    for count, (name, wish) in enumerate(zip(("ben", "cleo", "dev"), wishes, strict=True), 2):
        await here.people[name].slash(here.channel, "deal", **wish)
        assert await count_open_tables(here) == count, wish


async def test_no_user_is_pointed_to_a_lobby_they_cannot_join(here: World) -> None:
    await here.open_table()
    await here.parts.store.social.toggle_block(here.ann.id, here.people["ben"].id)
    await here.people["ben"].slash(here.channel, "deal")
    assert await count_open_tables(here) == 2, "ann would rather not play with ben"
    await here.people["cleo"].slash(here.guild.create_text_channel("elsewhere"), "deal")
    assert await count_open_tables(here) == 3, "the others wait in another channel"


async def test_a_user_without_a_table_is_pointed_to_a_waiting_lobby(here: World) -> None:
    without, commands = "You're not at any table. Open one with /deal.", ("hand", "desk")
    for command in commands:
        assert (await here.slash("ben", command)).text == without
    table = await here.open_table()
    for command in commands:
        shown = await here.slash("ben", command)
        assert shown.text.startswith("You're not at a table yet.\n**A table is waiting here.**")
        assert list(shown.buttons) == ["Join"]
    await here.fill_up("ann", table)
    for command in commands:
        assert (await here.slash("ben", command)).text == without
