"""For 30 days after a player deleted their own data no match that is dealt with them changes a rating."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.ids import UserId
from bot.domain.rating import Leaderboard
from bot.table.core.eligibility import UNRATED_FOR
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_DUEL, World

DEAL = SHORT_DUEL  # whose cards do not matter

UNRATED = "Unrated match (it still counts)."
DELETED_DATA_REASON = "Unrated, because you deleted your data: matches dealt with you don't affect ratings."


async def rated_matches(here: World) -> dict[UserId, int]:
    """Who has a rating on the server, from how many matches."""
    ladder = Leaderboard(here.guild.id, "big_two")
    await here.parts.leaderboards.update(ladder)
    ranked_players = await here.parts.store.leaderboards.ranked_players(ladder)
    return {one.user: one.rating.matches for one in ranked_players if one.rating}


async def delete_own_data(here: World, name: str) -> None:
    """Delete a player's own data."""
    await here.parts.retention.forget_person(here.people[name].id)
    await here.settle()


async def finish_match(here: World, table: Table) -> None:
    """Play a match of one hand to its end."""
    while table.stage != "over":
        await here.play_hand(table)


async def test_2_1_a_match_with_a_recently_deleted_user_is_unrated(here: World) -> None:
    await finish_match(here, await here.start_table("ben", seats=2, hands=1))
    assert await rated_matches(here) == {here.ann.id: 1, here.people["ben"].id: 1}
    await delete_own_data(here, "ben")
    await here.advance(days=UNRATED_FOR.days - 1)
    lobby = await here.open_table(seats=2, hands=1)
    told = private_reply(await here.press("ben", lobby, "Join")).text
    assert f"{DELETED_DATA_REASON} You can play rated again <t:" in told
    assert UNRATED in here.read_board(lobby).text
    assert "deleted" not in here.read_board(lobby).text
    assert DELETED_DATA_REASON in private_reply(await here.press("ben", lobby, "⋯")).text
    assert "deleted" not in private_reply(await here.press("ann", lobby, "⋯")).text
    await here.restart()
    lobby = await here.reload(lobby)
    assert UNRATED in here.read_board(lobby).text
    await here.press("ann", lobby, "Start")
    await finish_match(here, lobby)
    assert await rated_matches(here) == {here.ann.id: 1}, "for nobody"
    assert (await matches_and_wins(here.parts.store, here.guild.id))[here.ann.id][0] == 2, "it counts all the same"


async def test_2_1_a_recently_deleted_hosts_lobby_says_unrated(here: World) -> None:
    await here.parts.store.people.save_preferences(here.ann.id, await here.parts.preferences.of(here.ann.id))
    await delete_own_data(here, "ann")
    lobby = await here.open_table()
    assert "Unrated. It counts once two people are in." in here.read_board(lobby).text
    assert DELETED_DATA_REASON in private_reply(await here.press("ann", lobby, "⋯")).text


async def test_2_1_a_lobby_is_rated_again_when_the_deleted_user_leaves(here: World) -> None:
    await here.parts.store.people.save_preferences(here.people["ben"].id, await here.parts.preferences.of(here.ann.id))
    await delete_own_data(here, "ben")
    lobby = await here.open_table("ben", seats=3)
    assert DELETED_DATA_REASON in private_reply(await here.press("ben", lobby, "⋯")).text
    for name in ("ann", "cleo"):
        await here.press(name, lobby, "Join")
    assert UNRATED in here.read_board(lobby).text
    await here.press("ben", lobby, "Leave")
    assert UNRATED not in here.read_board(lobby).text
    assert "Rated match." in here.read_board(lobby).text


async def test_2_1_a_lobby_is_rated_again_after_a_second_deletion(here: World) -> None:
    await here.parts.store.people.save_preferences(here.people["ben"].id, await here.parts.preferences.of(here.ann.id))
    await delete_own_data(here, "ben")
    lobby = await here.open_table(seats=3)
    for name in ("ben", "cleo"):
        await here.press(name, lobby, "Join")
    assert UNRATED in here.read_board(lobby).text
    await delete_own_data(here, "ben")
    assert "ben" not in here.read_board(lobby).text
    assert UNRATED not in here.read_board(lobby).text


async def test_2_1_a_rematch_with_a_recently_deleted_user_is_unrated(here: World) -> None:
    await delete_own_data(here, "ben")
    table = await here.start_table("ben", seats=2, hands=1)
    await finish_match(here, table)
    await here.press("ann", table, "Rematch")
    await here.press("ben", table, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    again = await here.parts.tables.get(number)
    assert (again.stage, again.row.unrated) == ("playing", True)
    assert await rated_matches(here) == {}


async def test_2_1_deleting_a_server_does_not_mark_its_users(here: World) -> None:
    await here.open_table()
    await here.parts.store.deletions.forget_server(here.guild.id)
    for days in (0, 1):
        since = here.env.now() - timedelta(days=days)
        assert await here.parts.store.deletions.deleted_since([here.ann.id], since) == {}
