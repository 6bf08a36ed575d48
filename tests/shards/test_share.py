"""The share of one process: only tables of its own shards."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.ids import ALL_SHARDS, NO_GUILD, GuildId, Share, TableId, shard_of
from bot.domain.pace import Deadline
from bot.sharding.interactions import table_of
from bot.show.kit.custom_ids import Press, Verb
from bot.store.store import Store
from tests.store.conftest import address, store  # noqa: F401  # fixtures
from tests.store.sample_tables import MINUTE, NOON, add_table, load_table

GUILDS = tuple(GuildId((1000 + number) << 22) for number in range(4))


def test_a_single_process_has_all_guilds_and_others_only_those_of_their_shards() -> None:
    assert ALL_SHARDS.whole
    assert all(map(ALL_SHARDS.has, (*GUILDS, NO_GUILD, None)))
    two = Share(4, frozenset({0, 3}), 2)
    assert not two.whole
    assert [two.has(guild) for guild in (*GUILDS, NO_GUILD)] == [True, False, False, True, True]
    assert [shard_of(guild, 4) for guild in (*GUILDS, None)] == [0, 1, 2, 3, 0]


async def test_a_process_finds_only_due_tables_of_its_own_shards(store: Store) -> None:  # noqa: F811
    tables = [await add_table(store, Deadline(NOON + MINUTE * at), guild=guild) for at, guild in enumerate(GUILDS)]
    later = NOON + timedelta(hours=1)
    assert await store.clock.due(later) == tuple(tables)
    store._gate.share = Share(4, frozenset({1, 3}), 2)
    assert await store.clock.due(later) == (tables[1], tables[3])
    assert await store.clock.next_due() == NOON + MINUTE
    assert await store.clock.touched_since(NOON - MINUTE) == (tables[1], tables[3])
    assert await store.clock.touched_since(NOON - MINUTE, Share(4, frozenset({2}))) == (tables[2],)
    assert {person.guild for person in await store.tables.seated_people()} <= {GUILDS[1], GUILDS[3]}
    assert await store.servers.known() == {GUILDS[1], GUILDS[3]}


async def test_tables_get_back_the_time_in_which_no_process_had_their_shard(store: Store) -> None:  # noqa: F811
    ours, theirs = [await add_table(store, Deadline(NOON + MINUTE), guild=guild) for guild in GUILDS[:2]]
    await store.clock.give_back(Share(4, frozenset({0})), MINUTE, NOON)
    assert (await load_table(store, ours)).deadline == Deadline(NOON + 2 * MINUTE)
    assert (await load_table(store, theirs)).deadline == Deadline(NOON + MINUTE)


def click(on: str) -> dict[str, object]:
    return {"type": 3, "data": {"custom_id": on}}


@pytest.mark.parametrize(
    ("data", "table"),
    [
        (click(str(Press(TableId(7), Verb.HAND))), 7),
        (click("bv:matches:1"), None),
        (click("nonsense"), None),
        ({"type": 2, "data": {"name": "turn", "options": [{"name": "table", "value": 8}]}}, 8),
        ({"type": 2, "data": {"options": [{"name": "move", "options": [{"name": "table", "value": 9}]}]}}, 9),
        ({"type": 4, "data": {"name": "turn", "options": [{"name": "table", "value": "half typ"}]}}, None),
        ({"type": 2, "data": {"name": "deal"}}, None),
        ({"type": 5, "data": {"custom_id": "bv:search"}}, None),
    ],
)
def test_the_table_is_read_from_the_data_of_an_interaction(data: dict[str, object], table: int | None) -> None:
    assert table_of(data) == table
