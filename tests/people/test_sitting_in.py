"""A seat changes hands in a match: a seat is offered, another player takes it, and the previous owner loses access."""

from __future__ import annotations

from datetime import timedelta

import pytest
from simcord import UserHandle
from simcord.results import InteractionResult

from bot.rules.core.cards import cards
from bot.show.kit.custom_ids import Press, Verb
from bot.table.table import Table
from tests.people.test_moderators import create_role, open_moderator_tools
from tests.people.test_options import open_options
from tests.people.test_presence import set_roles
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

OFFERS = "ann offers their seat. Anyone not at the table can take it with the button on the board."
SITS_IN = "dev takes over for ann. The result still counts for ann."
TAKE = "Take over for ann"


async def start_with_offered_seat(here: World, pace: str = "relaxed 8h") -> Table:
    """Start a match in which Ann, awaited, offers her seat."""
    table = await here.start_table("ben", "cleo", pace=pace)
    await offer_own_seat(here, table, "ann")
    return table


async def offer_own_seat(here: World, table: Table, name: str) -> InteractionResult:
    """Offer the own seat in the leave dialog."""
    return await here.press_on(name, await here.press(name, table, "Leave"), "Offer my seat")


async def start_with_substitute(here: World, pace: str = "relaxed 8h") -> tuple[Table, InteractionResult]:
    """Have Dev take Ann's seat; return the table and the reply."""
    table = await start_with_offered_seat(here, pace)
    return table, await here.press("dev", table, TAKE)


def seated_names(table: Table) -> list[str]:
    """Who sits there."""
    return [chair.name for chair in table.row.chairs[:3]]


async def test_a_seat_is_offered_and_taken_with_one_tap(here: World) -> None:
    table = await start_with_offered_seat(here)
    hand = table.scene(here.ann.id).view
    assert hand is not None
    assert here.channel_texts(table)[-1] == OFFERS
    hers = private_reply(await here.open_hand("ann", table))
    assert "Your 13 cards" in hers.text, "until somebody takes it she plays on"
    his = await here.press("dev", table, TAKE)
    assert "Your 13 cards" in private_reply(his).text
    assert seated_names(table) == ["dev", "ben", "cleo"]
    assert here.channel_texts(table)[-1] == SITS_IN
    shown = here.read_board(table)
    assert TAKE not in shown.buttons
    assert "dev is playing for ann." in shown.text
    await here.play("dev", table, cards("3d"))
    assert table.row.steps[0].seat == 0
    view = table.scene(here.people["dev"].id).view
    assert view is not None
    assert set(view.hand) < set(hand.hand)


async def test_a_player_who_gave_the_seat_away_sees_and_does_nothing_there(here: World) -> None:
    table = await start_with_offered_seat(here)
    hers = await here.open_hand("ann", table)
    await here.pick("ann", hers, "3d")
    await here.press("dev", table, TAKE)
    said = "dev is playing for you. You can have the seat back when they leave."
    assert private_reply(hers).text.endswith(said), "what she has open shows nothing from then on"
    assert not private_reply(hers).cards
    for again in (await here.open_hand("ann", table), await here.people["ann"].slash(here.channel, "desk")):
        assert not private_reply(again).cards
    assert private_reply(await here.open_hand("ann", table)).text.endswith(said)
    ply = table.state.ply
    for typed in ("3d", "pass"):
        assert not private_reply(await here.people["ann"].slash(here.channel, "turn", move=typed, table=table.id)).cards
    back = await here.forge(here.people["ann"], hers, str(Press(table.id, Verb.BACK)))
    assert "dev is playing for you" in str(back.response and back.response.content)
    assert (table.state.ply, seated_names(table)) == (ply, ["dev", "ben", "cleo"])


@pytest.mark.rotates(2)
@pytest.mark.parametrize("mirror", [False, True])
async def test_pings_follow_the_seat_to_the_substitute(here: World, mirror: bool) -> None:
    table = await here.start_table("ben", "cleo", pace="relaxed 8h")
    await here.play("ann", table, cards("3d 3c"))
    called = here.current_player(table)
    assert called
    user = here.people[called].id
    await here.parts.preferences.change(user, mirror=mirror)
    await here.advance(minutes=20)
    direct = UserHandle(here.env, here.env.backend.users[user]).dm_channel
    assert [f"<@{user}>" in str(here.channel_texts(table)), bool(direct.history())] == [not mirror, mirror]
    await offer_own_seat(here, table, called)
    await here.press("dev", table, f"Take over for {called}")
    await here.advance(minutes=2)
    assert f"<@{user}>" not in str(here.channel_texts(table))
    assert direct.history() == []


async def test_a_withdrawn_seat_offer_cannot_be_taken(here: World) -> None:
    table = await start_with_offered_seat(here)
    before = here.board(table)
    kept = await here.press_on("ann", await here.press("ann", table, "Leave"), "Keep my seat")
    assert "You're keeping your seat." in private_reply(kept).text
    assert here.channel_texts(table)[-1] == "ann keeps their seat."
    assert TAKE not in here.read_board(table).buttons
    late = await here.click_stale("dev", before, TAKE)
    assert private_reply(late).text == "This seat isn't free any more."
    for seat in (1, 3, 77):
        forged = await here.forge(here.people["dev"], late, str(Press(table.id, Verb.SIT_IN, at=seat)))
        assert "This seat isn't free any more" in private_reply(forged).text
    assert seated_names(table) == ["ann", "ben", "cleo"]


async def test_the_result_stays_with_the_original_player(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", "cleo", hands=1)
    await here.act("ann", table)
    await offer_own_seat(here, table, "ann")
    await here.press("dev", table, TAKE)
    await here.play_hand(table)
    (ended,) = await here.parts.store.results.history(here.guild.id, 9, 0)
    first = ended.outcome.standings[0]
    assert (first.user, first.name, first.left) == (here.ann.id, "ann", True)
    sat = [(one.ply, one.user) for one in await here.parts.store.results.sittings(table.id) if one.seat == 0]
    assert sat == [(0, here.ann.id), (1, here.people["dev"].id)]
    assert "dev is playing for ann." in here.read_board(table).text


async def test_seat_offers_and_substitutes_survive_a_restart(here: World) -> None:
    table = await start_with_offered_seat(here)
    await here.restart()
    table = await here.reload(table)
    await here.press("dev", table, TAKE)
    await here.restart()
    table = await here.reload(table)
    assert "Your 13 cards" in private_reply(await here.open_hand("dev", table)).text
    assert "dev is playing for you" in private_reply(await here.open_hand("ann", table)).text
    assert TAKE not in here.read_board(table).buttons


async def test_a_moderator_can_offer_the_seat_of_a_player_absent_for_the_tables_limit(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="relaxed 20h nudge seat12h")
    set_roles(here, "dev", create_role(here, manage_messages=True))
    await here.advance(hours=11)
    assert not offerable_seats(await open_moderator_tools(here, await here.reload(table)), table)
    await here.advance(hours=1.1)
    table = await here.reload(table)
    shown = await open_moderator_tools(here, table)
    assert offerable_seats(shown, table) == ("0:ann",)
    assert shown.response is not None
    await here.people["dev"].select(shown.response.message, ["0:ann"], custom_id=f"bg:{table.id}:offer_for")
    await here.settle()
    await here.restart()
    table = await here.reload(table)
    assert TAKE in here.read_board(table).buttons
    assert len([said for said in here.channel_texts(table) if said.startswith("dev offers ann's seat.")]) == 1


async def test_the_absence_limit_is_set_by_the_host_and_shown(here: World) -> None:
    lobby = await here.open_table(pace="relaxed")
    chosen = await open_options(here, lobby)
    await chosen.press("More…")
    await chosen.choose("rule_away", "relaxed seat12h")
    assert "A moderator can offer the seat of a player who hasn't moved for 12 hours." in here.read_board(lobby).text
    await chosen.fill("Other times…", kind="daily", move="12 h", reserve="3d", away="openly", late="house")
    assert lobby.row.pace.away == timedelta(hours=12), "that is not asked there"


def offerable_seats(shown: InteractionResult, table: Table) -> tuple[str, ...]:
    """The offerable seats in the menu."""
    return private_reply(shown).selects.get(f"bg:{table.id}:offer_for", ())


async def test_deletion_removes_substitutes_and_the_owners_of_their_seats(here: World) -> None:
    table, _ = await start_with_substitute(here)
    dev = here.people["dev"].id
    await here.act("dev", table)
    told = await here.parts.store.person_data(here.ann.id)
    assert [row["owner_name"] for row in told["chairs"]] == ["ann"]
    assert "orders" not in told["chairs"][0]
    assert "dev" not in str(told)
    await here.parts.retention.forget_person(dev)
    await here.settle()
    table = await here.reload(table)
    chair = table.row.chairs[0]
    assert (chair.user, chair.name, chair.house, chair.owner_name) == (here.ann.id, "ann", True, "")
    assert str(dev) not in str(await here.parts.store.person_data(here.ann.id))
