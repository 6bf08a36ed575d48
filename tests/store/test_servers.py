"""What is chosen on servers: kept, counted, looked back upon."""

from __future__ import annotations

import pytest

from bot.domain.ids import GuildId, TableId
from bot.domain.pace import DAILY, LIVE, MINUTE, NO_CLOCK, RELAXED, Pace
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings, SettingChange
from bot.members.server_settings import Servers
from bot.store.rows import TableChange
from bot.store.store import Store
from tests.store.sample_tables import ANN, BEN, GUILD, NOON, add_table, now

OTHER = GuildId(GUILD + 1)


@pytest.mark.both_databases("upsert and JSON")
async def test_server_settings_survive_a_restart_with_their_author(store: Store) -> None:
    servers = Servers(store.servers, now)
    await servers.load()
    assert await servers.of(GUILD) == DEFAULT_SETTINGS
    await servers.change(GUILD, ANN, "games", ("big_two", "big_a"))
    await servers.change(GUILD, ANN, "quiet", (23, 7))
    await servers.change(GUILD, ANN, "stakes", True)
    await servers.change(GUILD, ANN, "stakes", True)  # nothing new
    again = Servers(store.servers, now)
    await again.load()
    assert await again.of(GUILD) == ServerSettings(games=("big_two", "big_a"), quiet=(23, 7), stakes=True)
    assert (again.known(OTHER), again.known(None)) == (DEFAULT_SETTINGS, DEFAULT_SETTINGS)
    assert await again.changes(GUILD) == (
        SettingChange(guild=GUILD, name="stakes", value=True, by=ANN, at=now()),
        SettingChange(guild=GUILD, name="quiet", value=[23, 7], by=ANN, at=now()),
        SettingChange(guild=GUILD, name="games", value=["big_two", "big_a"], by=ANN, at=now()),
    )
    assert await again.changes(OTHER) == ()


def test_settings_of_a_later_version_are_ignored() -> None:
    assert ServerSettings.read({"stakes": True, "weather": "fine"}) == ServerSettings(stakes=True)
    assert ServerSettings(stakes=True, lobbies=20).chosen == {"stakes": True}


@pytest.mark.parametrize(
    ("hours", "zone", "quiet"),
    [
        ((22, 8), "Asia/Taipei", range(14, 24)),  # eight hours ahead of the clock
        ((0, 8), "UTC", range(8)),
        ((22, 2), "Atlantis/Lost", (22, 23, 0, 1)),
        (None, "Asia/Taipei", ()),
        ((22, 8), None, ()),
    ],
)
def test_quiet_hours_use_the_time_zone_of_the_server(
    hours: tuple[int, int] | None, zone: str | None, quiet: range
) -> None:
    settings = ServerSettings(quiet=hours, zone=zone)
    assert {hour for hour in range(24) if settings.is_quiet_at(NOON.replace(hour=hour))} == set(quiet)


async def test_open_lobbies_are_counted(store: Store) -> None:
    for guild, host in ((GUILD, ANN), (GUILD, BEN), (OTHER, BEN)):
        table = await add_table(store, guild=guild, host=host)
    await add_table(store)
    assert await store.tables.lobbies(GUILD, ANN, live=True) == (3, 2)
    await store.tables.save(TableId(table - 2), TableChange(phase="playing"))
    assert await store.tables.lobbies(GUILD, ANN, live=True) == (2, 1)
    assert await store.tables.lobbies(OTHER, BEN, live=True) == (1, 1)
    assert await store.tables.lobbies(OTHER, BEN, live=False) == (0, 0)


async def test_live_and_slow_lobbies_are_counted_separately(store: Store) -> None:
    for pace in (LIVE, Pace("live", move=MINUTE), RELAXED, DAILY, NO_CLOCK):
        await add_table(store, guild=GUILD, host=ANN, pace=pace)
    assert await store.tables.lobbies(GUILD, ANN, live=True) == (2, 2)
    assert await store.tables.lobbies(GUILD, BEN, live=False) == (3, 0)
