"""Playing without a button: /turn, /hand, /desk, /table leave."""

from __future__ import annotations

from simcord import UserHandle

from bot.domain.pace import LIVE
from bot.games import GAMES
from bot.rules.core.cards import cards
from bot.rules.variants.ruleset import Ruleset
from bot.table.registry import Host, TableRequest
from tests.support.message_text import private_reply
from tests.support.world import MANY_PLAYS, NOT_SEATED_HINT, World


async def test_cards_are_typed_in_words_of_any_language_or_by_their_ranks(here: World) -> None:
    """Each spelling stands in laws/test_notation.py and laws/test_card_words.py."""
    table = await here.start_table("ben", "cleo")
    answer = await here.slash("ann", "turn", move="階磚3 :diamonds: 3")
    assert "There's only one `3♢` in the pack." in answer.text
    assert "Your 11 cards" in (await here.slash("ann", "turn", move="33")).text
    assert sorted(table.row.steps[0].action.split()) == ["3c", "3d"]
    assert "**ann** played a pair of 3s" in here.read_board(table).text
    assert "Your 13 cards" in (await here.slash("ben", "turn", move="pass")).text
    assert here.current_player(table) == "cleo"


async def test_typed_cards_that_cannot_be_played_are_explained(here: World) -> None:
    table = await here.start_table("ben")
    for typed, why in (
        ("zz", "I can't read zz as a card. Write cards like 3d 10h ks."),
        ("3d 11c", "I can't read 11c as a card. Write cards like 3d 10h ks."),
        ("3h", "You don't have `3♡`."),
        ("3d 3d", "There's only one `3♢` in the pack."),
        ("4d", "The first play of the hand must include `3♢`."),
        ("3d 4d", "`3♢` `4♢` isn't a pair. A pair is two cards of the same rank."),
        ("kk", "You don't have kk."),
        ("9", "9 could be several plays. Write the suits too, or choose one as you type."),
        ("3d 3c 9d 9c", "You can't play 4 cards at once here."),
        ("pass", "You lead, so you have to play something."),
    ):
        assert why in (await here.slash("ann", "turn", move=typed)).text, typed
    assert (await here.slash("ben", "turn", move="pass")).text == "It's ann's turn."
    assert table.state.ply == 0
    refused = await here.people["ben"].slash(here.channel, "turn", move="5d 5c")
    assert private_reply(refused).text == "It's ann's turn."
    await here.press_on("ben", refused, "Why?")
    assert private_reply(refused).text.startswith("**6.2 "), "the article alone, in the place of the refusal"
    assert private_reply(refused).text.count("**") == 2, "and no other"
    await here.press_on("ben", refused, "Open the rules")
    assert "### 6 " in private_reply(refused).text


async def test_autocompletion_offers_legal_plays(here: World) -> None:
    await here.start_table("ben")

    async def offered(name: str, typed: str) -> list[str]:
        choices = await here.people[name].autocomplete(here.channel, "turn", "move", typed)
        return [choice["value"] for choice in choices]

    full = "9d 9c 9h 3d 3c"
    assert await offered("ann", "") == ["3d", "3d 3c", full]
    assert await offered("ann", "3c") == ["3d 3c", full]
    assert await offered("ann", "9") == [full]  # a card half typed
    assert await offered("ann", "99933") == await offered("ann", "9 of clubs") == [full]
    assert await offered("ann", "3d 3") == ["3d 3c", full]
    assert await offered("ann", "♦3 ♣3") == ["3d 3c", full]
    assert await offered("ann", "方块3 梅花３") == ["3d 3c", full]
    assert await offered("ann", "方块3 梅") == ["3d 3c", full], "a suit half typed"
    assert await offered("ann", "As") == []  # nothing with the ace can be played first
    assert await offered("ben", "") == []  # it is not his turn
    assert await offered("dev", "") == []  # who sits nowhere
    names = await here.ann.autocomplete(here.channel, "turn", "move", "3c")
    assert names[0]["name"] == "3♢ 3♣︎ (a pair of 3s)"


async def test_autocompletion_offers_at_most_25_plays(here: World) -> None:
    here.deal = MANY_PLAYS
    await here.start_table()
    assert len(await here.ann.autocomplete(here.channel, "turn", "move", "")) == 25


async def test_hand(here: World) -> None:
    table = await here.open_table()
    assert "the host still has to press Start" in (await here.slash("ann", "hand")).text
    for _ in range(3):
        await here.press("ann", table, "Add a bot")
    await here.press("ann", table, "Start")
    assert "Your 13 cards" in (await here.slash("ann", "hand")).text
    assert (await here.slash("dev", "hand")).text == "You're not at any table. Open one with /deal."


async def test_the_desk_lists_tables_of_all_servers_awaiting_ones_first(here: World) -> None:
    waits_for_ann = await here.start_table("ben", pace="none")
    elsewhere = here.env.create_guild("Elsewhere")
    lounge = elsewhere.create_text_channel("lounge")
    ann_there = elsewhere.add_member(here.ann.user)
    await ann_there.slash(lounge, "deal")
    await here.settle()
    desk = await here.ann.slash(here.channel, "desk")
    mine = private_reply(desk).text
    assert "Your 13 cards" in private_reply(await here.press_on("ann", desk, "My hand")).text
    assert mine.index("The Deck") < mine.index("Elsewhere")
    assert mine.index("**Your turn!**") < mine.index("waiting for players")
    await here.play("ann", waits_for_ann, cards("3d 3c"))
    assert "**ben**'s turn" in (await here.slash("ann", "desk")).text
    assert "The Deck" in private_reply(await ann_there.slash(lounge, "desk")).text
    assert "Elsewhere" not in (await here.slash("ben", "desk")).text


async def test_commands_in_direct_messages(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    ann = UserHandle(here.env, here.env.backend.users[here.ann.id])
    await ann.send_dm("Hello")
    mine = await ann.slash("desk")
    assert "Big Two, table 1" in private_reply(mine).text
    assert mine.response is not None
    hand = await ann.click(mine.response.message, label="My hand")
    assert "Your 13 cards" in private_reply(hand).text
    assert "Your 11 cards" in private_reply(await ann.slash("turn", move="3d 3c")).text
    await here.settle()
    assert here.current_player(table) == "ben"


async def test_an_ambiguous_command_asks_for_the_table(here: World) -> None:
    first = await here.start_table("ben", pace="none")
    second = await here.start_table("ben", pace="none", by="cleo")
    other = here.guild.create_text_channel("other")
    assert "table 1" in (await here.slash("ann", "hand", other)).text  # the only one she sits at
    assert "table 1" not in (await here.slash("ben", "hand", other)).text
    assert "Choose one with the option `table`" in (await here.slash("ben", "hand", other)).text
    assert "Big Two, table 2" in (await here.slash("ben", "hand", other, table=second.id)).text
    offered = await here.people["ben"].autocomplete(other, "hand", "table", "")
    assert [choice["value"] for choice in offered] == [second.id, first.id]
    assert all("The Deck" in choice["name"] for choice in offered)
    only = await here.people["ben"].autocomplete(other, "hand", "table", "table 1")
    assert [choice["value"] for choice in only] == [first.id]
    await here.play("ann", first, cards("3d 3c"))
    assert "Big Two, table 1" in (await here.slash("ben", "hand", other)).text  # the only one that waits for him
    assert "That table is gone." in (await here.slash("ann", "hand", table=999)).text
    assert (await here.slash("dev", "hand", table=first.id)).text == NOT_SEATED_HINT
    assert (await here.slash("dev", "turn", move="3d", table=first.id)).text == "You're not at this table."


async def test_a_command_means_the_table_of_its_channel(here: World) -> None:
    other = here.guild.create_text_channel("other")
    await here.start_table("ben")
    await here.open_table("ben", channel=other)
    assert "Big Two, table 1" in (await here.slash("ben", "hand")).text
    assert "the host still has to press Start" in (await here.slash("ben", "hand", other)).text


async def test_leave(here: World) -> None:
    table = await here.start_table("ben")
    asked = (await here.slash("ben", "table leave")).text
    assert asked.startswith("Leave Big Two, table 1? A bot takes your seat right away.")
    assert not table.row.chairs[1].house, "nothing happens before the answer"
    assert (await here.leave("ben")).text == "You left Big Two, table 1."
    assert table.row.chairs[1].house
    assert (await here.leave("dev")).text == "You're not at any table. Open one with /deal."


async def test_a_command_prefers_a_held_seat_to_one_that_was_left(here: World) -> None:
    left, stayed = await here.start_table("ben"), await here.start_table("ben", by="ann")
    assert "Choose one with the option" in (await here.slash("ben", "table leave")).text
    await here.leave("ben", left)
    assert (await here.leave("ben")).text == "You left Big Two, table 2."
    assert stayed.row.chairs[1].away == "left"


async def test_awaiting_tables_come_first_however_many_tables_there_are(here: World) -> None:
    waiting = await here.start_table()
    while here.current_player(waiting) != "ann":
        await here.settle()
    await here.parts.servers.change(here.guild.id, here.ann.id, "lobbies_each", 11)
    wanted = TableRequest(Ruleset(GAMES["big_two"], "pagat"), LIVE)
    for _ in range(11):
        await here.parts.tables.open(Host(here.guild.id, here.channel.id, here.ann.id, "ann"), wanted)
    said = (await here.slash("ann", "desk")).text
    assert said.index("Your turn") < said.index("waiting for players")
    assert "and 2 more" in said
