"""Annulling a finished match: the permission, the public report, and the consequences."""

from __future__ import annotations

import pytest
from simcord.results import InteractionResult

from bot.domain.ids import UserId
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import DOTS
from bot.show.matches.replay_menu import JUDGE
from bot.table.core.commands import Leave, OfferSeat, Substitute, TakeBack
from bot.table.table import Table
from tests.people.test_moderators import create_role
from tests.people.test_my_data import reply_text
from tests.people.test_presence import set_roles
from tests.support.message_text import private_reply
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter


async def open_replay(here: World, name: str, table: Table) -> InteractionResult:
    """Open the replay of a finished match."""
    listing = await here.people[name].slash(here.channel, "matches list")
    ((target, _),) = private_reply(listing).selects.items()
    assert listing.response is not None
    shown = await here.people[name].select(listing.response.message, [str(table.id)], custom_id=target)
    await here.settle()
    return shown


async def open_replay_menu(here: World, name: str, table: Table) -> InteractionResult:
    """Open the menu of a replay."""
    return await here.press_on(name, await open_replay(here, name, table), DOTS)


async def annul(here: World, name: str, table: Table, label: str, reason: str) -> InteractionResult:
    """Press a button of the replay menu and give a reason."""
    form = await here.press_on(name, await open_replay_menu(here, name, table), label)
    return await here.people[name].submit_modal(form, {"reason": reason})


@pytest.fixture
async def finished(here: World) -> Table:
    """A match that Ann and Ben have played, on a server that Dev manages."""
    set_roles(here, "dev", create_role(here, manage_guild=True))
    table = await here.start_table("ben", seats=2, hands=1)
    await here.play_hand(table)
    return table


async def test_an_annulment_has_a_public_reason_and_can_be_reversed(here: World, finished: Table) -> None:
    store, guild = here.parts.store, here.guild.id
    before = await matches_and_wins(store, guild)
    assert before
    await annul(here, "dev", finished, "Annul it…", "somebody saw *two* hands @everyone")
    assert here.channel_texts(finished)[-1].startswith("dev annulled the match of")
    assert "somebody saw \\*two\\* hands" in here.channel_texts(finished)[-1]
    assert await matches_and_wins(store, guild) == {}
    assert "This match is annulled." in (await here.slash("ann", "matches list")).text
    seen = await open_replay(here, "ann", finished)
    assert "Annulled: somebody saw" in private_reply(seen).text
    assert "Make it count again…" not in private_reply(await here.press_on("ann", seen, DOTS)).buttons
    await here.restart()
    await annul(here, "dev", finished, "Make it count again…", "it was a joke")
    assert "made the match of" in here.channel_texts(finished)[-1]
    assert await matches_and_wins(here.parts.store, guild) == before
    assert "annulled" not in (await here.slash("ann", "matches list")).text
    kept = [(done.what, done.reason) for done in await here.parts.store.moderations.of_table(finished.id)]
    assert kept == [("annul", "somebody saw *two* hands @everyone"), ("restore", "it was a joke")]


async def test_a_match_is_annulled_once_with_a_reason_and_not_by_its_players(here: World, finished: Table) -> None:
    set_roles(here, "ann", create_role(here, manage_guild=True))
    assert "Annul it…" not in private_reply(await open_replay_menu(here, "ann", finished)).buttons
    assert "Annul it…" not in private_reply(await open_replay_menu(here, "cleo", finished)).buttons
    menu = await open_replay_menu(here, "dev", finished)
    empty, form = [await here.press_on("dev", menu, "Annul it…") for _ in range(2)]
    assert "Say why" in reply_text(await here.people["dev"].submit_modal(empty, {"reason": "  "}))
    assert await matches_and_wins(here.parts.store, here.guild.id)
    await annul(here, "dev", finished, "Annul it…", "first")
    assert "That's already the case." in reply_text(await here.people["dev"].submit_modal(form, {"reason": "second"}))
    assert len(await here.parts.store.moderations.of_table(finished.id)) == 1


NOT_YOURS = "You played in this match, so someone else who manages this server has to do that."
UNKNOWN = "Your data was deleted after this match"


async def forge_annulment(here: World, name: str, table: Table) -> str:
    """Forge a click on a button hidden from a manager; return the reply."""
    set_roles(here, name, create_role(here, manage_guild=True))
    shown = await here.people[name].slash(here.channel, "desk")
    return reply_text(await here.forge(here.people[name], shown, str(Browse.to(JUDGE, table.id, 1))))


async def test_2_3_a_substitute_cannot_annul_a_match_in_which_they_briefly_sat(
    here: World,
) -> None:
    here.arrive("eve")
    table = await here.start_table("ben", seats=2, hands=1)
    await substitute_for_ben(here, table, "dev", acts=False)  # before the first card
    for name in ("ann", "ben"):
        await here.act(name, table)
    await substitute_for_ben(here, table, "eve", acts=False)
    await here.act("ann", table)
    await substitute_for_ben(here, table, "cleo", acts=True)
    await here.play_hand(table)
    for name in ("ann", "ben", "cleo", "dev", "eve"):
        assert await forge_annulment(here, name, table) == NOT_YOURS
    assert await matches_and_wins(here.parts.store, here.guild.id)


async def substitute_for_ben(here: World, table: Table, name: str, *, acts: bool) -> None:
    """Take Ben's seat and return it, with or without a move."""
    ben, substitute = UserId(here.people["ben"].id), UserId(here.people[name].id)
    await table.do(OfferSeat(ben))
    await table.do(Substitute(substitute, name, 1))
    if acts:
        await here.act(name, table)
    await table.do(Leave(substitute))
    await table.do(TakeBack(ben))


async def test_2_3_a_deleted_substitute_who_never_acted_cannot_annul_the_match(here: World) -> None:
    table = await here.start_table("ben", seats=2, hands=1)
    await table.do(OfferSeat(UserId(here.people["ben"].id)))
    await table.do(Substitute(UserId(here.people["cleo"].id), "cleo", 1))
    await here.parts.retention.forget_person(UserId(here.people["cleo"].id))
    await here.settle()
    await table.do(TakeBack(UserId(here.people["ben"].id)))
    await here.play_hand(table)
    assert UNKNOWN in await forge_annulment(here, "cleo", table)


@pytest.mark.parametrize("when", ["while it is played", "after it"])
async def test_2_3_a_deleted_user_cannot_annul_a_match_that_may_be_theirs(here: World, when: str) -> None:
    table = await here.start_table("ben", seats=2, hands=1)
    if when == "after it":
        await here.play_hand(table)
    await here.parts.retention.forget_person(UserId(here.people["ben"].id))
    await here.settle()
    if when != "after it":
        await here.play_hand(table)
    await here.restart()
    assert UNKNOWN in await forge_annulment(here, "ben", table)
    assert "Annul it…" not in private_reply(await open_replay_menu(here, "ben", table)).buttons
    set_roles(here, "dev", create_role(here, manage_guild=True))
    assert "Annul it…" in private_reply(await open_replay_menu(here, "dev", table)).buttons
    if when != "after it":
        return
    fresh = await here.start_table("cleo", by="dev", seats=2, hands=1)
    await here.play_hand(fresh)
    assert "Annul it…" in private_reply(await open_replay_menu(here, "ben", fresh)).buttons, (
        "it began after that, and was not theirs"
    )
