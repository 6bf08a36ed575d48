"""For 30 days after a player deleted their own data no match that is dealt with them changes a rating."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.ids import UserId
from bot.domain.rating import Leaderboard
from bot.table.core.eligibility import UNRATED_FOR
from bot.table.table import Table
from tests.support.message_text import private
from tests.support.totals import won
from tests.support.world import SHORT_DUEL, World

DEAL = SHORT_DUEL  # whose cards do not matter

UNRATED = "Unrated match (it still counts)."
WHY = "Unrated, because you deleted your data: matches dealt with you don't affect ratings."


async def rated(here: World) -> dict[UserId, int]:
    """Who has a rating on the server, from how many matches."""
    ladder = Leaderboard(here.guild.id, "big_two")
    await here.parts.leaderboards.update(ladder)
    ranked_players = await here.parts.store.leaderboards.ranked_players(ladder)
    return {one.user: one.rating.matches for one in ranked_players if one.rating}


async def deletes(here: World, name: str) -> None:
    """Let a player delete their data."""
    await here.parts.retention.forget_person(here.people[name].id)
    await here.settle()


async def played(here: World, table: Table) -> None:
    """Let a match of one hand be played to its end."""
    while table.stage != "over":
        await here.play_hand(table)


async def test_2_1_a_match_with_a_recently_deleted_user_is_unrated(here: World) -> None:
    await played(here, await here.start_table("ben", seats=2, hands=1))
    assert await rated(here) == {here.ann.id: 1, here.people["ben"].id: 1}
    await deletes(here, "ben")
    await here.later(days=UNRATED_FOR.days - 1)
    lobby = await here.open_table(seats=2, hands=1)
    told = private(await here.press("ben", lobby, "Join")).text
    assert f"{WHY} You can play rated again <t:" in told
    assert UNRATED in here.read(lobby).text
    assert "deleted" not in here.read(lobby).text
    assert WHY in private(await here.press("ben", lobby, "⋯")).text
    assert "deleted" not in private(await here.press("ann", lobby, "⋯")).text
    await here.restart()
    lobby = await here.again(lobby)
    assert UNRATED in here.read(lobby).text
    await here.press("ann", lobby, "Start")
    await played(here, lobby)
    assert await rated(here) == {here.ann.id: 1}, "for nobody"
    assert (await won(here.parts.store, here.guild.id))[here.ann.id][0] == 2, "it counts all the same"


async def test_2_1_a_recently_deleted_hosts_lobby_says_unrated(here: World) -> None:
    await here.parts.store.people.save_preferences(here.ann.id, await here.parts.preferences.of(here.ann.id))
    await deletes(here, "ann")
    lobby = await here.open_table()
    assert "Unrated. It counts once two people are in." in here.read(lobby).text
    assert WHY in private(await here.press("ann", lobby, "⋯")).text


async def test_2_1_a_lobby_is_rated_again_when_the_deleted_user_leaves(here: World) -> None:
    await here.parts.store.people.save_preferences(here.people["ben"].id, await here.parts.preferences.of(here.ann.id))
    await deletes(here, "ben")
    lobby = await here.open_table("ben", seats=3)
    assert WHY in private(await here.press("ben", lobby, "⋯")).text
    for name in ("ann", "cleo"):
        await here.press(name, lobby, "Join")
    assert UNRATED in here.read(lobby).text
    await here.press("ben", lobby, "Leave")
    assert UNRATED not in here.read(lobby).text
    assert "Rated match." in here.read(lobby).text


async def test_2_1_a_lobby_is_rated_again_after_a_second_deletion(here: World) -> None:
    await here.parts.store.people.save_preferences(here.people["ben"].id, await here.parts.preferences.of(here.ann.id))
    await deletes(here, "ben")
    lobby = await here.open_table(seats=3)
    for name in ("ben", "cleo"):
        await here.press(name, lobby, "Join")
    assert UNRATED in here.read(lobby).text
    await deletes(here, "ben")
    assert "ben" not in here.read(lobby).text
    assert UNRATED not in here.read(lobby).text


async def test_2_1_a_rematch_with_a_recently_deleted_user_is_unrated(here: World) -> None:
    await deletes(here, "ben")
    table = await here.start_table("ben", seats=2, hands=1)
    await played(here, table)
    await here.press("ann", table, "Rematch")
    await here.press("ben", table, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    again = await here.parts.tables.get(number)
    assert (again.stage, again.row.unrated) == ("playing", True)
    assert await rated(here) == {}


async def test_2_1_deleting_a_server_does_not_mark_its_users(here: World) -> None:
    await here.open_table()
    await here.parts.store.deletions.forget_server(here.guild.id)
    for days in (0, 1):
        since = here.env.now() - timedelta(days=days)
        assert await here.parts.store.deletions.deleted_since([here.ann.id], since) == {}
