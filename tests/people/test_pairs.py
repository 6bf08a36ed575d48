"""Who always leaves against the same person: visible to server managers only."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.ids import UserId
from bot.show.kit.custom_ids import Browse
from bot.show.server.reports import OPEN_IT, PAIRS
from tests.people.test_moderators import create_role
from tests.people.test_my_data import reply_text
from tests.people.test_presence import set_roles
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.store.sample_tables import NOON
from tests.support.message_text import private_reply
from tests.support.world import World


async def leave_matches(here: World, count: int, *, days: int = 0) -> None:
    """Store matches with Ann that Ben left. count: matches; days: their age."""
    ann, ben = (here.people[name].user.id for name in ("ann", "ben"))
    minutes = (here.parts.now() - timedelta(days=days) - NOON) // timedelta(minutes=1)
    one = FinishedMatch((ann, ben), (1, 2), minutes, guild=here.guild.id, left=(1,))
    await store_matches(here.parts.store, [one] * count)


async def read_as_admin(here: World, name: str = "dev") -> str:
    """Return what a player reads who manages the server."""
    settings = await here.people[name].slash(here.channel, "bigger settings")
    return private_reply(await here.press_on(name, settings, OPEN_IT)).text


async def test_server_admins_see_frequent_leavers_and_the_measure(here: World) -> None:
    set_roles(here, "dev", create_role(here, manage_guild=True))
    assert "No frequent leavers." in await read_as_admin(here)
    await leave_matches(here, 5)
    ann, ben = (here.people[name].user.id for name in ("ann", "ben"))
    shown = await read_as_admin(here)
    assert f"<@{ben}> left 5 of 5 matches with <@{ann}>." in shown
    assert "in 80\u00a0% or more of at least 5 matches with someone who stayed" in shown
    await here.parts.store.deletions.forget_person(UserId(ben))
    assert "No frequent leavers." in await read_as_admin(here)


async def test_old_matches_do_not_mark_a_pair(here: World) -> None:
    set_roles(here, "dev", create_role(here, manage_guild=True))
    await leave_matches(here, 5, days=91)
    assert "No frequent leavers." in await read_as_admin(here)


async def test_users_without_permission_cannot_see_frequent_leavers(here: World) -> None:
    await leave_matches(here, 5)
    opened = await here.people["cleo"].slash(here.channel, "my choices")
    answer = reply_text(await here.forge(here.people["cleo"], opened, str(Browse.to(PAIRS))))
    assert "Settings are for members who can manage this" in answer
    assert "left 5 of" not in answer
