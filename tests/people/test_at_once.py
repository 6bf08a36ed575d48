"""Two who do the same at the same moment, and callers who stop waiting in the middle: everything is done once."""

from __future__ import annotations

import asyncio
import gc
import logging
from typing import Any

import pytest

from bot.domain.ids import ALL_SHARDS, ChannelId, GuildId, Share
from bot.domain.pace import LIVE
from bot.domain.rating import Leaderboard
from bot.games import GAMES
from bot.history.replays import ReplayCache
from bot.rules.core.cards import cards
from bot.rules.variants.ruleset import Ruleset
from bot.table.core.commands import RemoveAbsent, Start
from bot.table.registry import Host, TableRequest
from bot.table.table import Table
from tests.people.test_server_seasons import channel_posts, choose_seasons, finish_matches
from tests.support.message_text import private_reply
from tests.support.world import World


class HeldCalls:
    """A method that is held up each time until it is let go.

    of, name: whose method. command: the kind of command that is held up, None for every call. heard: how often it was
    called.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, of: Any, name: str, command: type | None = None) -> None:
        self.heard = 0
        self.let_go = asyncio.Event()
        inner = getattr(of, name)

        async def held(*args: Any, **more: Any) -> Any:
            if command is None or isinstance(args[-1], command):
                self.heard += 1
                await self.let_go.wait()
            return await inner(*args, **more)

        monkeypatch.setattr(of, name, held)


async def run_ready_tasks() -> None:
    """Run every task as far as possible."""
    for _ in range(20):
        await asyncio.sleep(0)


async def evicted_table(here: World, *others: str) -> Table:
    """Return a table dropped from memory; others: sit there as well."""
    table = await here.open_table()
    for name in others:
        await here.sit_down(name, table)
    here.parts.tables.drop(lambda row: row.id == table.id)
    table.moved_on = ""
    return table


async def test_a_table_is_loaded_once_even_if_the_first_caller_is_cancelled(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = (await evicted_table(here)).id
    held = HeldCalls(monkeypatch, here.parts.store.tables, "load")
    typing = asyncio.create_task(here.parts.tables.get(number))  # autocompletion that the next letter cancels
    await run_ready_tasks()
    typing.cancel()
    await run_ready_tasks()
    two = [asyncio.create_task(here.parts.tables.get(number)) for _ in range(2)]
    await run_ready_tasks()
    held.let_go.set()
    one, other = await asyncio.gather(*two)
    assert one is other
    assert one is await here.parts.tables.get(number)
    assert held.heard == 1
    assert typing.cancelled()


async def test_a_table_loaded_while_its_shard_is_released_is_not_cached(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = (await evicted_table(here)).id
    held = HeldCalls(monkeypatch, here.parts.store.tables, "load")
    typing = asyncio.create_task(here.parts.tables.get(number))
    await run_ready_tasks()
    typing.cancel()
    await run_ready_tasks()
    giving = asyncio.create_task(release_shards(here))
    await run_ready_tasks()
    assert not giving.done(), "the load could still bring the table back"
    held.let_go.set()
    await giving
    assert number not in here.parts.tables


async def release_shards(here: World) -> None:
    """Give the tables to another process, as Here does."""
    async with here.parts.tables.freeze(lambda _row: True):
        here.parts.tables.drop(lambda _row: True)


async def test_a_house_player_stops_when_its_shard_is_released(
    here: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await here.start_table()
    held = HeldCalls(monkeypatch, here.parts.tables._env.move_chooser, "choose")
    playing = asyncio.create_task(here.play("ann", table, cards("3d 3c")))
    while not held.heard:
        await run_ready_tasks()
    here.parts.tables.drop(lambda _row: True, "It is being brought up to date.")
    held.let_go.set()
    await playing
    while table.busy:
        await run_ready_tasks()
    gc.collect()
    await run_ready_tasks()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


NO_SHARE = Share(1, frozenset())


async def test_a_table_read_before_its_shard_was_acquired_is_reloaded(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, held, gate = (await evicted_table(here)).id, HeldCalls(monkeypatch, Table, "load"), here.parts.store._gate
    gate.own = NO_SHARE
    looking = asyncio.create_task(here.parts.tables.get(number))
    await run_ready_tasks()
    gate.own = ALL_SHARDS
    held.let_go.set()
    found = await looking
    assert held.heard == 2, "what the other process has done since the first time is not known"
    assert found is await here.parts.tables.get(number)


async def test_a_table_of_another_process_is_read_without_caching(here: World) -> None:
    number = (await here.start_table("ben")).id
    here.parts.tables.drop(lambda row: row.id == number)
    here.parts.store._gate.own = NO_SHARE
    one, other = [await here.parts.tables.get(number) for _ in range(2)]
    assert one is not other
    assert number not in here.parts.tables
    assert not one.busy, "house players of a table act in the process that has it"


async def test_a_click_before_an_acquired_shard_connects_leaves_one_table(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is loaded for the click, and again when its shard is connected."""
    table, gate = await here.open_table(), here.parts.store._gate
    await here.fill_up("ann", table)
    here.parts.tables.drop(lambda row: row.id == table.id)  # as the process that had it has ended
    gate.share = NO_SHARE
    held = HeldCalls(monkeypatch, here.parts.store.tables, "save")
    starting = asyncio.create_task(here.press("ann", table, "Start"))
    while not held.heard:
        await run_ready_tasks()
    gate.share = ALL_SHARDS
    one = await here.parts.tables.get(table.id)
    held.let_go.set()
    await starting
    assert one.match is not None
    assert "dealt yet" not in private_reply(await here.open_hand("ann", one)).text


async def test_a_lookup_during_opening_returns_the_same_table(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    held = HeldCalls(monkeypatch, here.parts.store.results, "hand_duration")
    opening = asyncio.create_task(here.open_table())
    while not held.heard:
        await run_ready_tasks()
    (number,) = await here.parts.store.tables.open_tables()
    looking = asyncio.create_task(here.parts.tables.get(number))
    while held.heard < 2:
        await run_ready_tasks()
    held.let_go.set()
    assert await looking is await here.parts.tables.get(number)
    assert await opening is await here.parts.tables.get(number)


async def test_1_2_deleting_the_host_closes_a_lobby_that_is_being_opened(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben, held = here.people["ben"].id, HeldCalls(monkeypatch, here.parts.store.results, "hand_duration")
    wish, host = (
        TableRequest(Ruleset(GAMES["big_two"], "pagat"), LIVE),
        Host(here.guild.id, here.channel.id, ben, "ben"),
    )
    opening = asyncio.create_task(here.parts.tables.open(host, wish))
    while not held.heard:
        await run_ready_tasks()
    deleting = asyncio.create_task(here.parts.retention.forget_person(ben))
    await here.settle()
    held.let_go.set()
    await deleting
    assert ((await opening).row.phase, (await opening).row.host) == ("closed", 0)


async def test_lobbies_open_sequentially_per_server_and_concurrently_across_servers(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    abroad = here.env.create_guild(name="Abroad")
    place = abroad.create_text_channel("lair")
    await here.settle()
    held = HeldCalls(monkeypatch, here.parts.store.tables, "add")
    wish = TableRequest(Ruleset(GAMES["big_two"], "pagat"), LIVE)
    homes = [(here.guild.id, here.channel.id)] * 2 + [(GuildId(abroad.id), ChannelId(place.id))]
    opening = [
        asyncio.create_task(here.parts.tables.open(Host(guild, channel, here.ann.id, "ann"), wish))
        for guild, channel in homes
    ]
    await run_ready_tasks()
    assert held.heard == 2, "one on each server"
    held.let_go.set()
    assert len({table.id for table in await asyncio.gather(*opening)}) == 3


async def test_the_owning_process_is_notified_of_changes_by_another_process(here: World) -> None:
    table, told = await evicted_table(here, "ben"), list[tuple[int, int]]()
    here.parts.store._gate.own = NO_SHARE
    here.parts.tables.notify_owner = lambda number, guild: told.append((number, guild))
    stranger = await here.parts.tables.get(table.id)
    await stranger.do(RemoveAbsent(here.people["ben"].id))
    assert told == [(table.id, here.guild.id)]


async def test_simultaneous_requests_end_a_season_once(here: World) -> None:
    await choose_seasons(here, "hand")
    await here.advance(minutes=20)
    await finish_matches(here, (1, 2))
    guild = here.guild.id
    ended = await asyncio.gather(*(here.parts.seasons.end_now(guild) for _ in range(2)), here.parts.seasons.end_due())
    await here.settle()
    assert ended == [True, True, None]
    assert len([text for text in channel_posts(here) if "Season 1 is over" in text]) == 1
    begun, ended_one = await here.parts.seasons.known(guild)
    assert [(one.number, one.ends is None) for one in (begun, ended_one)] == [(2, True), (1, False)]
    over = type(begun)(begun.number, begun.begins, here.parts.now())
    store = here.parts.store
    await asyncio.gather(*(store.seasons.end(guild, over, ()) for _ in range(3)))  # as three processes would
    assert [one.number for one in await store.seasons.ended(guild)] == [2, 1]


async def test_a_leaderboard_is_computed_once_for_concurrent_viewers_and_never_from_stale_data(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await finish_matches(here, (1, 2))
    ladder = Leaderboard(GuildId(here.guild.id), "big_two", ChannelId(0))
    held = HeldCalls(monkeypatch, here.parts.store.leaderboards, "compute_entries")
    first = asyncio.create_task(here.parts.leaderboards.update(ladder))
    await run_ready_tasks()
    first.cancel()
    later = [asyncio.create_task(here.parts.leaderboards.update(ladder)) for _ in range(3)]
    await run_ready_tasks()
    assert held.heard == 1, "a caller who stops waiting ends nothing"
    held.let_go.set()
    await asyncio.gather(*later)
    assert held.heard == 2, "once more for all who have come meanwhile"


async def test_two_clicks_on_the_deal_of_the_day_start_one_table(here: World) -> None:
    ann = here.ann.id
    one, other = await asyncio.gather(*(here.parts.daily_deals.begin(ann, "ann", here.guild.id) for _ in range(2)))
    assert one is other


async def test_a_replay_requested_twice_is_computed_once(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await here.finish_instantly("ben")
    replays, held = (
        ReplayCache(lambda: here.parts.store, here.parts.workers),
        HeldCalls(monkeypatch, here.parts.store.tables, "head"),
    )
    first, *others = [asyncio.create_task(replays.of(table.id, here.guild.id)) for _ in range(3)]
    await run_ready_tasks()
    first.cancel()
    held.let_go.set()
    one, other = await asyncio.gather(*others)
    assert one is other
    assert held.heard == 1


async def test_a_start_completes_even_if_its_click_is_cancelled(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await here.open_table()
    held = HeldCalls(monkeypatch, table, "do", Start)
    here.send_clicks([("ann", here.board(table), "Play now"), ("ann", here.board(table), "Play now")])
    await run_ready_tasks()
    for task in [
        task for task, visit in here.parts.dispatcher._answering.items() if task and visit.user == here.ann.id
    ][:1]:
        task.cancel()
    await run_ready_tasks()
    held.let_go.set()
    await here.settle()
    assert (table.stage, held.heard) == ("playing", 1)
