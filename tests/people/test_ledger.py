"""Who owes whom: the page, and that two people must confirm a settlement."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import discord
import pytest
from simcord import UserHandle
from simcord.results import InteractionResult

from bot.domain.debts import LedgerScope
from bot.domain.ids import AccessChannel, ChannelId, UserId
from bot.show.kit.custom_ids import Browse
from bot.show.server.debts import AGREE, SAY, TAKE_BACK
from tests.interactions.clicks import send_click
from tests.people.test_judging import annul
from tests.people.test_moderators import create_role
from tests.people.test_notices import choose_notices, direct_messages
from tests.people.test_presence import create_hidden_channel, set_roles
from tests.people.test_slow_clocks import BERLIN, set_working_hours
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.store.sample_tables import NOON
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SHORT_HANDS, World

NOBODY_OWES = "Nobody owes anything."


@pytest.fixture
def staked(here: World) -> World:
    """A server with stakes, as all are here."""
    return here


async def finish_with_debts(here: World, *payments: tuple[str, str, int], house: bool = False, **how: object) -> int:
    """Store a match with these debts; return its table."""
    people = ("ann", "ben", "cleo", "dev")
    seated = [None if house and name == "dev" else here.people[name].user.id for name in people]
    owed = tuple(sorted((people.index(payer), people.index(payee), units) for payer, payee, units in payments))
    match = FinishedMatch(tuple(seated), (1, 2, 3, 4), guild=here.guild.id, payments=owed)
    match = replace(match, stakes=here.parts.servers.known(here.guild.id).stakes)
    minutes = (here.parts.now() - NOON) / timedelta(minutes=1)
    (table,) = await store_matches(here.parts.store, [replace(match, minutes=minutes, **how)])  # type: ignore[arg-type]
    return table


async def open_ledger(here: World, name: str) -> InteractionResult:
    """Open the ledger as a player."""
    return await here.people[name].slash(here.channel, "matches ledger")


async def read_ledger(here: World, name: str) -> str:
    """Return the text of the ledger."""
    return private_reply(await open_ledger(here, name)).text


async def test_the_result_of_a_match_is_owed_unless_annulled(staked: World) -> None:
    staked.deal = SHORT_HANDS
    set_roles(staked, "dev", create_role(staked, manage_guild=True))
    table = await staked.start_table("ben", seats=2, hands=1)
    await staked.play_hand(table)
    score = await staked.parts.store.results.score(table.id)
    assert score is not None
    ((payer, _, units),) = score.payments
    owes, other = ("ann", "ben") if payer == 0 else ("ben", "ann")
    assert f"You owe {other} **{units}**\n-# since <t:" in await read_ledger(staked, owes)
    assert f"{owes} owes you **{units}**\n-# since <t:" in await read_ledger(staked, other)
    await annul(staked, "dev", table, "Annul it…", "a slip")
    assert NOBODY_OWES in await read_ledger(staked, "ann")


async def test_a_ledger_starts_with_own_debts_and_omits_unlisted_players(staked: World) -> None:
    await finish_with_debts(staked, ("ann", "ben", 12), ("ann", "cleo", 3))
    ann, ben, dev = [await read_ledger(staked, name) for name in ("ann", "ben", "dev")]
    assert f"You owe P{staked.ann.id} **12**" not in ann
    assert "**12**" in ann.split("You owe")[1]
    assert " owes you **12**" in ben
    assert "You're all square: you owe nothing, and nobody owes you." in dev
    assert dev.count("**\n-# since") == 2
    await staked.parts.preferences.change(UserId(staked.ann.id), unlisted=True)
    assert "**12**" not in await read_ledger(staked, "cleo")
    assert "owes you **12**" in await read_ledger(staked, "ben")


async def test_mutual_debts_are_netted_and_house_players_have_none(staked: World) -> None:
    assert NOBODY_OWES in await read_ledger(staked, "ann")
    await finish_with_debts(staked, ("ann", "dev", 7), ("dev", "ben", 5), house=True)
    assert NOBODY_OWES in await read_ledger(staked, "ann")
    await staked.advance(minutes=1)
    await finish_with_debts(staked, ("ann", "ben", 12))
    await staked.advance(days=1)
    await finish_with_debts(staked, ("ben", "cleo", 12))
    assert "You're all square: you owe nothing, and nobody owes you." in await read_ledger(staked, "ben")
    assert "You owe P" in await read_ledger(staked, "ann")
    await finish_with_debts(staked, ("cleo", "ann", 12))
    assert NOBODY_OWES in await read_ledger(staked, "ann")


async def test_matches_without_stakes_create_no_debt(here: World) -> None:
    await here.parts.servers.change(here.guild.id, here.ann.id, "stakes", False)
    assert "Admins can turn them on in /bigger settings" in await read_ledger(here, "ann")
    await here.advance(minutes=1)
    await finish_with_debts(here, ("ann", "ben", 12))
    await here.advance(minutes=1)
    await here.parts.servers.change(here.guild.id, here.ann.id, "stakes", True)
    assert NOBODY_OWES in await read_ledger(here, "ann")
    await here.advance(minutes=1)
    await finish_with_debts(here, ("ann", "ben", 5))
    assert "**5**" in await read_ledger(here, "ann")


async def test_a_debt_is_settled_when_both_sides_confirm(staked: World) -> None:
    await finish_with_debts(staked, ("ann", "ben", 12))
    told = private_reply(await staked.press_on("ann", await open_ledger(staked, "ann"), "Settled"))
    assert "It counts once" in told.text
    assert "Settled" not in told.buttons
    await staked.restart()
    (own,), (other,) = [
        (await staked.parts.store.person_data(staked.people[name].id))["settlements"] for name in ("ann", "ben")
    ]
    assert own["payer"] == own["by"]
    assert "payee" not in own
    assert set(other) & {"payer", "by"} == set()
    assert json.dumps(own["units"]) == "12"
    assert " says they've settled the **12** they owed you." in await read_ledger(staked, "ben")
    done = private_reply(await staked.press_on("ben", await open_ledger(staked, "ben"), "Yes, settled"))
    assert NOBODY_OWES in done.text
    assert " owed you 12, settled on" in done.text
    assert "✓ You owed " in await read_ledger(staked, "ann")


async def test_the_creditor_may_confirm_first(staked: World) -> None:
    await finish_with_debts(staked, ("ann", "ben", 12))
    await staked.press_on("ben", await open_ledger(staked, "ben"), "Settled")
    assert " says you've settled the **12** you owed." in await read_ledger(staked, "ann")
    await staked.press_on("ann", await open_ledger(staked, "ann"), "Yes, settled")
    assert NOBODY_OWES in await read_ledger(staked, "ben")


async def test_a_confirmation_can_be_withdrawn_until_the_other_side_agrees(staked: World) -> None:
    await finish_with_debts(staked, ("ann", "ben", 12))
    shown = await staked.press_on("ann", await open_ledger(staked, "ann"), "Settled")
    stale = await open_ledger(staked, "ben")
    await staked.press_on("ann", shown, "Withdraw")
    late = private_reply(await staked.press_on("ben", stale, "Yes, settled"))
    assert "That has changed in the meantime" in late.text
    assert "owes you **12**" in late.text
    again = await staked.press_on("ben", await open_ledger(staked, "ben"), "Settled")
    await staked.press_on("ann", await open_ledger(staked, "ann"), "Yes, settled")
    assert "That has changed in the meantime" in private_reply(await staked.press_on("ben", again, "Withdraw")).text
    assert NOBODY_OWES in await read_ledger(staked, "ben")


async def test_debts_from_later_matches_stay_after_a_settlement(staked: World) -> None:
    await finish_with_debts(staked, ("ann", "ben", 12))
    stale = await open_ledger(staked, "ann")
    await staked.advance(minutes=1)
    await finish_with_debts(staked, ("ann", "ben", 3))
    assert "That has changed in the meantime" in private_reply(await staked.press_on("ann", stale, "Settled")).text
    await staked.press_on("ann", await open_ledger(staked, "ann"), "Settled")
    await finish_with_debts(staked, ("ann", "ben", 5))
    await staked.press_on("ben", await open_ledger(staked, "ben"), "Yes, settled")
    assert "**5**" in await read_ledger(staked, "ann")


async def settle_first_debt(here: World, name: str) -> InteractionResult:
    """Confirm the first debt of the ledger as settled."""
    told = await here.press_on(name, await open_ledger(here, name), "Settled")
    await here.settle()
    return told


async def test_the_other_side_gets_one_direct_message_if_they_opted_in(staked: World) -> None:
    await choose_notices(staked, "ben", "direct")
    await finish_with_debts(staked, ("ann", "ben", 12))
    told = await settle_first_debt(staked, "ann")
    (message,) = direct_messages(staked, "ben")
    assert " says they've settled the **12** they owed you." in ParsedMessage.of(message).text
    assert "`/matches ledger`" in ParsedMessage.of(message).text
    await staked.press_on("ann", told, "Withdraw")
    await settle_first_debt(staked, "ann")
    assert len(direct_messages(staked, "ben")) == 1, "who says it again and again is no nuisance"
    assert direct_messages(staked, "ann") == []


async def test_no_direct_message_is_sent_in_quiet_hours_or_to_opted_out_users(staked: World) -> None:
    ann, ben = UserId(staked.ann.id), UserId(staked.people["ben"].user.id)
    await finish_with_debts(staked, ("ann", "ben", 12))

    async def asks(why: str, written: int = 0) -> None:
        told = await settle_first_debt(staked, "ann")
        assert len(direct_messages(staked, "ben")) == written, why
        said = "The Deck: someone says your debt is settled. Answer there with `/matches ledger`."
        assert private_reply(await staked.people["ben"].slash(staked.channel, "desk")).text.splitlines()[1] == said, why
        assert said not in private_reply(await staked.people["ann"].slash(staked.channel, "desk")).text
        await staked.press_on("ann", told, "Withdraw")
        assert said not in private_reply(await staked.people["ben"].slash(staked.channel, "desk")).text

    for wish in ("here", "digest"):
        await choose_notices(staked, "ben", wish)
        await asks(wish)
    await choose_notices(staked, "ben", "direct")
    await set_working_hours(staked, "ben", BERLIN)
    await asks("where it is one at night")
    await set_working_hours(staked, "ben")
    await staked.parts.servers.change(staked.guild.id, staked.ann.id, "mirror", False)
    await asks("the server wants no direct messages")
    await staked.parts.servers.change(staked.guild.id, staked.ann.id, "mirror", True)
    await staked.parts.store.social.toggle_block(ben, ann)
    await asks("they do not play together")
    await staked.parts.store.social.toggle_block(ben, ann)
    await asks("nothing stands in the way", written=1)


async def test_nobody_else_can_confirm_for_two_users(staked: World) -> None:
    await finish_with_debts(staked, ("ann", "ben", 12))
    await staked.press_on("ann", await open_ledger(staked, "ann"), "Settled")
    (word,) = await staked.parts.store.debts.words(LedgerScope(staked.guild.id))
    for name, verb in (("ann", AGREE), ("cleo", AGREE), ("cleo", TAKE_BACK), ("ben", TAKE_BACK)):
        answer = await staked.forge(staked.people[name], await open_ledger(staked, name), str(Browse.to(verb, word.id)))
        assert "That has changed in the meantime" in private_reply(answer).text
    sly = await staked.forge(staked.people["cleo"], await open_ledger(staked, "cleo"), str(Browse.to(SAY, 1, 2, 12)))
    assert "That has changed in the meantime" in private_reply(sly).text
    assert "It counts once" in await read_ledger(staked, "ann")


async def test_a_hidden_channel_has_its_own_secret_ledger(staked: World) -> None:
    await choose_notices(staked, "ben", "direct")
    role = create_role(staked)
    set_roles(staked, "ann", role)
    backroom = create_hidden_channel(staked, role)
    await finish_with_debts(staked, ("ann", "ben", 12), place=AccessChannel(ChannelId(backroom.id), hidden=True))
    await finish_with_debts(staked, ("cleo", "ben", 4))
    assert "**12**" not in await read_ledger(staked, "ann")
    shown = await staked.people["ann"].slash(backroom, "matches ledger")
    assert "**12**" in private_reply(shown).text
    assert "**4**" not in private_reply(shown).text
    await staked.press_on("ann", shown, "Settled")
    await staked.settle()
    assert direct_messages(staked, "ben") == []
    assert "settled" not in private_reply(await staked.people["ben"].slash(staked.channel, "desk")).text


async def test_a_deleted_user_stays_nameless_in_the_ledger_and_other_figures_are_unchanged(staked: World) -> None:
    await finish_with_debts(staked, ("ann", "ben", 12), ("cleo", "dev", 4))
    book, cleo = LedgerScope(staked.guild.id), UserId(staked.people["cleo"].user.id)
    before = await staked.parts.ledgers.account(book, cleo)
    await staked.parts.store.deletions.forget_person(UserId(staked.ann.id))
    assert "👤 1 owes you **12**" in await read_ledger(staked, "ben")
    assert (await staked.parts.ledgers.account(book, cleo)).debts == before.debts
    done = await staked.press_on("ben", await open_ledger(staked, "ben"), "Settled")
    assert "👤 1 owed you " in private_reply(done).text


async def test_2_8_a_debt_cannot_be_confirmed_for_another_user_even_from_another_server(
    staked: World,
) -> None:
    await finish_with_debts(staked, ("ann", "ben", 12))
    await staked.press_on("ann", await open_ledger(staked, "ann"), "Settled")
    book = LedgerScope(staked.guild.id)
    (word,) = await staked.parts.store.debts.words(book)
    abroad = staked.env.create_guild(name="Abroad")
    lair = abroad.create_text_channel("lair")
    owner = discord.Permissions(administrator=True)
    for name, verb in (("cleo", AGREE), ("cleo", TAKE_BACK), ("ann", AGREE), ("ben", TAKE_BACK)):
        person = abroad.add_member(UserHandle(staked.env, staked.env.backend.users[staked.people[name].user.id]))
        abroad.create_role("Owner", permissions=owner)
        await staked.settle()
        shown = await person.slash(lair, "matches list")
        assert shown.response is not None
        await send_click(staked, person, shown.response.message, str(Browse.to(verb, word.id)))
    assert await staked.parts.store.debts.words(book) == (word,)
    await staked.parts.retention.forget_person(UserId(staked.people["ben"].user.id))
    shown = await open_ledger(staked, "ben")
    await send_click(staked, staked.people["ben"], _message(shown), str(Browse.to(AGREE, word.id)))
    assert await staked.parts.store.debts.words(book) == (word,), "who comes back after a deletion is somebody new"


def _message(shown: InteractionResult) -> discord.Message:
    assert shown.response is not None
    return shown.response.message
