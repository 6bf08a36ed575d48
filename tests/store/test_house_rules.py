"""House rules under their names, and the defaults of channels."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.domain.house_rules import HOUSE_RULES_EACH, ChannelDefault, HouseRules, Owner
from bot.domain.ids import ChannelId, GuildId
from bot.runtime.store_address import Address
from bot.store.errors import LimitReached, NameTaken
from bot.store.store import Store
from tests.store.sample_tables import ANN, BEN, CHANNEL, GUILD, MINUTE, NOON, now

ANNS, BENS, SERVERS = Owner("person", ANN), Owner("person", BEN), Owner("server", GUILD)
FRIDAY = HouseRules(
    owner=ANNS,
    name="Friday",
    game="big_two",
    preset="hong_kong",
    options={"stake": 5, "bands": [[1, 1], [10, 2]]},
    by=ANN,
    at=NOON,
)
HERE = ChannelDefault(
    guild=GUILD,
    channel=CHANNEL,
    name="Friday",
    game="big_two",
    preset="hong_kong",
    options={"stake": 5},
    by=ANN,
    at=NOON,
)


async def names(store: Store, owner: Owner) -> list[str]:
    return [each.name for each in await store.house_rules.of_owner(owner)]


async def test_house_rules_come_back_as_they_were_given(address: Address) -> None:
    store = await Store.open(address, now)
    await store.house_rules.save(FRIDAY)
    await store.close()
    store = await Store.open(address, now)
    assert await store.house_rules.of_owner(ANNS) == (FRIDAY,)
    assert await store.house_rules.called(ANNS, "Friday") == FRIDAY
    await store.close()


async def test_each_owner_has_their_own_house_rules(store: Store) -> None:
    same_number = Owner("server", GuildId(ANN))
    for owner in (ANNS, BENS, SERVERS, same_number):
        await store.house_rules.save(replace(FRIDAY, owner=owner, options={"stake": owner.id % 7}))
    for owner in (ANNS, BENS, SERVERS, same_number):
        (kept,) = await store.house_rules.of_owner(owner)
        assert (kept.owner, kept.options) == (owner, {"stake": owner.id % 7})
    assert await store.house_rules.of_owner(Owner("server", GuildId(5))) == ()
    assert await store.house_rules.called(Owner("server", GuildId(5)), "Friday") is None


@pytest.mark.both_databases("collation")
async def test_house_rules_are_sorted_by_name(store: Store) -> None:
    for name in ("b", "C", "a", "大老二"):
        await store.house_rules.save(replace(FRIDAY, name=name))
    assert await names(store, ANNS) == ["a", "b", "C", "大老二"]


@pytest.mark.parametrize(("name", "again"), [("Friday", "fRIDAY"), ("Straße", "STRASSE"), ("Café", "CAFE\u0301")])
async def test_names_are_unique_regardless_of_case(store: Store, name: str, again: str) -> None:
    await store.house_rules.save(replace(FRIDAY, name=name))
    other = replace(FRIDAY, name=again, preset="taiwan", options={}, at=NOON + MINUTE)
    with pytest.raises(NameTaken):
        await store.house_rules.save(other)
    assert await store.house_rules.called(ANNS, again) == replace(FRIDAY, name=name)
    await store.house_rules.save(other, replace=True)
    assert await store.house_rules.of_owner(ANNS) == (other,)


async def test_replacing_missing_house_rules_saves_them(store: Store) -> None:
    await store.house_rules.save(FRIDAY, replace=True)
    assert await names(store, ANNS) == ["Friday"]


@pytest.mark.both_databases("isolation")
async def test_one_of_two_simultaneous_saves_gets_the_name(store: Store) -> None:
    saving = (store.house_rules.save(replace(FRIDAY, by=user)) for user in (ANN, BEN))
    came_of_it = {type(each) for each in await asyncio.gather(*saving, return_exceptions=True)}
    assert came_of_it == {type(None), NameTaken}, "on a server either may be first"


async def test_house_rules_are_limited_to_a_select(store: Store) -> None:
    for number in range(HOUSE_RULES_EACH):
        await store.house_rules.save(replace(FRIDAY, name=f"Rules {number}"))
    with pytest.raises(LimitReached):
        await store.house_rules.save(FRIDAY)
    with pytest.raises(LimitReached):
        await store.house_rules.save(FRIDAY, replace=True)
    await store.house_rules.save(replace(FRIDAY, name="Rules 7"), replace=True)
    await store.house_rules.save(replace(FRIDAY, owner=SERVERS))
    await store.house_rules.delete(ANNS, "rules 0")
    await store.house_rules.save(FRIDAY)
    assert len(await names(store, ANNS)) == HOUSE_RULES_EACH


@pytest.mark.both_databases("constraint and count of changed rows")
async def test_house_rules_can_be_renamed(store: Store) -> None:
    await store.house_rules.save(FRIDAY)
    await store.house_rules.save(replace(FRIDAY, name="Sunday"))
    assert await store.house_rules.rename(ANNS, "friday", "FRIDAY")
    assert await store.house_rules.rename(ANNS, "Friday", "Monday")
    assert await store.house_rules.called(ANNS, "monday") == replace(FRIDAY, name="Monday")
    with pytest.raises(NameTaken):
        await store.house_rules.rename(ANNS, "Monday", "sunday")
    assert not await store.house_rules.rename(ANNS, "Friday", "Tuesday")
    assert not await store.house_rules.rename(SERVERS, "Monday", "Tuesday")
    assert await names(store, ANNS) == ["Monday", "Sunday"]


@pytest.mark.both_databases("count of deleted rows")
async def test_house_rules_can_be_deleted(store: Store) -> None:
    await store.house_rules.save(FRIDAY)
    assert not await store.house_rules.delete(BENS, "Friday")
    assert await store.house_rules.delete(ANNS, "FRIDAY")
    assert not await store.house_rules.delete(ANNS, "Friday")
    assert await names(store, ANNS) == []


@pytest.mark.both_databases("upsert and JSON")
async def test_a_channel_default_is_stored_and_cleared(address: Address) -> None:
    store = await Store.open(address, now)
    assert await store.house_rules.channel_default(CHANNEL) is None
    await store.house_rules.set_channel_default(replace(HERE, preset="taiwan"))
    await store.house_rules.set_channel_default(HERE)
    await store.close()
    store = await Store.open(address, now)
    assert await store.house_rules.channel_default(CHANNEL) == HERE
    assert await store.house_rules.clear_channel_default(CHANNEL)
    assert not await store.house_rules.clear_channel_default(CHANNEL)
    assert await store.house_rules.channel_default(CHANNEL) is None
    await store.close()


async def test_each_channel_has_its_own_default(store: Store) -> None:
    other = replace(HERE, channel=ChannelId(7), name="", options={})
    await store.house_rules.set_channel_default(HERE)
    await store.house_rules.set_channel_default(other)
    assert (
        await store.house_rules.channel_default(CHANNEL),
        await store.house_rules.channel_default(ChannelId(7)),
    ) == (HERE, other)
    assert await store.house_rules.channel_default(ChannelId(8)) is None


async def test_a_channel_default_outlives_its_house_rules(store: Store) -> None:
    await store.house_rules.save(FRIDAY)
    await store.house_rules.set_channel_default(HERE)
    await store.house_rules.delete(ANNS, "Friday")
    assert await store.house_rules.channel_default(CHANNEL) == HERE
