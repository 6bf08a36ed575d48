"""What the owner of a server chooses: one screen for managers, and applied everywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import UserHandle
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.pace import LIVE, RELAXED, Pace
from bot.domain.refusals import Refused
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings, SettingChange
from bot.games import GAMES
from bot.show.kit.words import Words
from bot.show.server.setting_choices import read
from bot.show.server.settings import server
from bot.store.errors import StoreError
from bot.store.repositories.outbox import OutboxRepository
from bot.table.core.commands import ChangePace, ChangeRules
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.scenes import check_limits, words_of_every_language
from tests.support.world import SHORT_HANDS, Person, World, world

CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture
def boss(here: World) -> Person:
    """A player who may manage the server."""
    role = here.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True))
    return here.arrive("boss", role)


class Menu:
    """The screen of the settings, opened by a player."""

    def __init__(self, here: World, who: MemberActor, opened: InteractionResult) -> None:
        self.here, self.who, self.opened = here, who, opened

    @property
    def shown(self) -> ParsedMessage:
        return private_reply(self.opened)

    async def choose(self, name: str, *values: Any) -> InteractionResult:
        assert self.opened.response is not None
        result = await self.who.select(self.opened.response.message, values, custom_id=f"bv:server_set:{name}")
        await self.here.settle()
        return result


async def open_settings(here: World, who: MemberActor) -> Menu:
    return Menu(here, who, await who.slash(here.channel, "bigger settings"))


def settings(here: World) -> ServerSettings:
    return here.parts.servers.known(here.guild.id)


async def change_settings(here: World, **chosen: Any) -> None:
    """Change server settings without the screen."""
    for name, value in chosen.items():
        await here.parts.servers.change(here.guild.id, here.ann.id, name, value)


async def refused_deal(here: World, who: str = "ann", **options: Any) -> str:
    said = (await here.slash(who, "deal", **options)).text
    assert await here.parts.store.tables.open_tables() == ()
    return said


# The screen


async def test_only_server_admins_see_the_settings(here: World, boss: Person) -> None:
    kind = "Settings are for members who can manage this server. Ask one of them; they'll find them here."
    assert (await here.slash("ann", "bigger settings")).text == kind
    assert "## Settings for The Deck" in (await open_settings(here, boss)).shown.text


async def test_each_setting_is_stored_applied_and_logged(here: World, boss: Person) -> None:
    await change_settings(here, stakes=False)
    role, opened = here.guild.create_role("Dealers"), await open_settings(here, boss)
    chosen: dict[str, tuple[Sequence[Any], Any]] = {
        "language": (["zh-CN"], "zh-CN"),
        "games": (["big_a", "big_two"], ("big_two", "big_a")),
        "channels": ([here.channel], (here.channel.id,)),
        "pace": (["daily"], "daily"),
        "opener": ([role], role.id),
        "moderator": ([role], role.id),
        "lobbies": (["50"], 50),
        "lobbies_each": (["1"], 1),
    }
    for name, (values, value) in chosen.items():
        await opened.choose(name, *values)
        assert getattr(settings(here), name) == value
    await opened.choose("switches", "stakes", "hidden_count")
    assert settings(here).chosen == {name: value for name, (_, value) in chosen.items()} | {
        "slow": False,
        "stakes": True,
        "leaderboard": False,
        "hidden_count": True,
        "mirror": False,
        "threads": False,
        "pictures": False,
        "reactions": False,
    }
    await here.restart()
    again = await open_settings(here, boss)
    assert f"<@{boss.id}> chose Hidden channels count: on, <t:" in again.shown.text
    for name in ("channels", "opener", "moderator"):
        await again.choose(name)
    await again.choose("games", *GAMES)
    await again.choose("language", "own")
    await again.choose("switches", "slow", "leaderboard", "mirror", "threads", "pictures", "reactions")
    assert settings(here) == ServerSettings(pace="daily", lobbies=50, lobbies_each=1)


async def test_setting_quiet_hours_asks_once_for_the_time_zone(here: World, boss: Person) -> None:
    opened = await open_settings(here, boss)
    form = await opened.choose("quiet", "22-8")
    assert settings(here).quiet is None, "not before it is known by whose clock"
    await boss.submit_modal(form, {"where": "atlantis"})
    assert "I don't know a time zone called atlantis." in opened.shown.text
    await boss.submit_modal(await opened.choose("quiet", "22-8"), {"where": " taipei "})
    assert (settings(here).quiet, settings(here).zone) == ((22, 8), "Asia/Taipei")
    assert "Time zone: Asia/Taipei" in opened.shown.buttons
    await opened.choose("quiet", "23-7")
    assert settings(here).quiet == (23, 7)
    assert opened.opened.response is not None
    form = await boss.click(opened.opened.response.message, label="Time zone: Asia/Taipei")
    await boss.submit_modal(form, {"where": "UTC-3"})
    assert settings(here).zone == "Etc/GMT+3"
    await opened.choose("quiet", "never")
    assert settings(here).quiet is None


async def test_an_admin_who_lost_the_permission_changes_nothing(here: World, boss: Person) -> None:
    await change_settings(here, stakes=False)
    opened = await open_settings(here, boss)
    (role,) = (each for each in here.env.backend.guilds[here.guild.id].roles.values() if each.name == "Boss")
    role.permissions = 0
    answer = await opened.choose("switches", "stakes")
    assert "Settings are for members who can manage this" in private_reply(answer).text
    assert not settings(here).stakes


async def test_settings_work_only_on_a_server(here: World) -> None:
    ann = UserHandle(here.env, here.env.backend.users[here.ann.id])
    await ann.send_dm("Hello")
    assert private_reply(await ann.slash("bigger settings")).text == "This only works on a server."


@pytest.mark.parametrize("name", ["language", "pace", "lobbies", "quiet"])
@pytest.mark.parametrize("values", [[], ["nonsense"], ["1-2"], ["en", "en"]])
def test_forged_choices_are_refused(name: str, values: list[str]) -> None:
    with pytest.raises((KeyError, ValueError)):
        read(name, values)


@pytest.mark.parametrize("w", words_of_every_language())
def test_the_screen_keeps_within_discord_limits(w: Words) -> None:
    many, at = tuple(map(ChannelId, range(10**18, 10**18 + 25))), datetime(2026, 1, 1, tzinfo=UTC)
    full = ServerSettings(
        language="zh-CN", games=("big_a",), channels=many, moderator=1, opener=1, quiet=(22, 8), zone="America/New_York"
    )
    changes = [
        SettingChange(guild=GuildId(1), name=name, value=value, by=UserId(10**18), at=at)
        for name, value in full.chosen.items()
    ]
    changes += [SettingChange(guild=GuildId(1), name="channels", value=list(many), by=UserId(10**18), at=at)] * 5
    for now in (DEFAULT_SETTINGS, full):
        check_limits(server(now, changes[-5:], w, where="W" * 32, notice="x" * 200).secret)
        assert all(server(now, [each], w, where="Home") for each in changes)


# Obeyed


async def test_boards_switch_to_the_chosen_language_at_once(here: World, boss: Person) -> None:
    table = await here.open_table()
    assert not CHINESE.search(here.read_board(table).text)
    await (await open_settings(here, boss)).choose("language", "zh-CN")
    assert CHINESE.search(here.read_board(table).text)
    await here.restart()
    assert CHINESE.search(here.read_board(await here.open_table()).text)


async def test_only_allowed_games_and_channels_are_offered(here: World) -> None:
    await change_settings(here, games=("big_a",))
    offered = await here.ann.autocomplete(here.channel, "deal", "game", "")
    assert [each["value"] for each in offered] == ["big_a"]
    presets = await here.ann.autocomplete(here.channel, "deal", "preset", "")
    assert presets
    assert all(each["value"].startswith("BA:") for each in presets)
    sentence = "This server doesn't play Big Two. It has: Big A."
    for options in ({"game": "big_two"}, {"rules": "B2:hk"}, {}):
        assert await refused_deal(here, **options) == sentence
    other = here.guild.create_text_channel("other")
    await change_settings(here, channels=(other.id,))
    assert await refused_deal(here, game="big_a") == f"On this server, tables open in <#{other.id}>."
    assert await here.open_table(channel=other, game="big_a")
    await change_settings(here, leaderboard=False)
    assert "has no leaderboard" in (await here.slash("ann", "standings")).text
    assert "has no leaderboard" not in (await here.slash("ann", "matches list")).text


async def test_only_the_chosen_role_opens_tables(here: World, boss: Person) -> None:
    role = here.guild.create_role("Dealers")
    dealer = here.arrive("dealer", role)
    await change_settings(here, opener=role.id)
    no = f"On this server, members with the role <@&{role.id}> open the tables. Anyone can join them."
    assert await refused_deal(here) == no
    for who in (dealer, boss):
        here.people["somebody"] = who
        table = await here.open_table("somebody")
        await here.press("ben", table, "Join")
        assert len(table.row.chairs) == 2
    await change_settings(here, opener=404)  # deleted meanwhile
    assert await here.open_table("ann")


async def test_slow_tables_can_be_disabled_and_the_default_pace_changed(here: World) -> None:
    await change_settings(here, pace="relaxed")
    assert (await here.open_table()).row.pace == RELAXED
    await change_settings(here, slow=False)
    table = await here.open_table()
    assert table.row.pace == LIVE
    said = (await here.slash("ann", "deal", pace="none")).text
    assert said == "All tables on this server are live."
    with pytest.raises(Refused):
        await table.do(ChangePace(here.ann.id, RELAXED))


async def test_stakes_are_off_until_the_owner_enables_them(tmp_path: Path) -> None:
    async with world(tmp_path, stakes=False, deal=SHORT_HANDS) as here:
        off = "Stakes are off on this server. Admins can turn them on in /bigger settings."
        assert await refused_deal(here, stake=5) == off
        table = await here.open_table(rules="B2:hk+stake=5", hands=2)
        assert "stake" not in here.read_board(table).text
        assert table.row.pace == Pace("live", on_timeout="house"), "without stakes a house player acts at once"
        with pytest.raises(Refused):
            await table.do(ChangeRules(here.ann.id, lambda rules: rules.but(stake=7)))
        await change_settings(here, stakes=True)
        table = await here.start_table("ben", hands=2)
        await here.play_hand(table)
        settled = private_reply(await here.press("ann", table, "Settle up")).text
        assert settled.startswith("### To settle so far\n")
        assert "In units: just a tally, nobody pays." in settled


async def test_seated_players_agree_again_when_stakes_are_switched(here: World, boss: Person) -> None:
    table, free = await here.open_table("ann", stake=5), await here.open_table("cleo", stake=0)
    await here.press("ben", table, "Join")
    others = ("slow", "leaderboard", "mirror", "threads", "pictures", "reactions")
    for said, switches in (
        ("This server doesn't play for stakes any more", others),
        ("This server plays for stakes now", (*others, "stakes")),
    ):
        edition = table.row.edition
        await (await open_settings(here, boss)).choose("switches", *switches)
        assert table.row.edition == edition + 1
        assert table.scene(None).wait.awaited == {0, 1}
        assert said in here.channel_texts(table)[-1]
    assert free.row.edition == 1


async def test_1_1_a_lobby_is_asked_once_if_the_outbox_cannot_be_settled(
    here: World, boss: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await here.open_table("ann", stake=5)
    edition = table.row.edition

    async def full(*_: Any) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as failing:
        failing.setattr(OutboxRepository, "finish", full)
        await (await open_settings(here, boss)).choose(
            "switches", "slow", "leaderboard", "mirror", "threads", "pictures", "reactions"
        )
    await here.advance(minutes=2)
    assert table.row.edition == edition + 1
    assert sum("This server doesn't play for stakes any more" in said for said in here.channel_texts(table)) == 1
    assert not await here.parts.store.outbox.keys()


async def test_hands_by_dm_need_the_server_setting(here: World) -> None:
    table = await here.start_table("ben")
    opened = await here.open_hand("ann", table)
    await here.press_in_menu("ann", opened, "Settings", "☐ Hand by DM")
    await change_settings(here, mirror=False)
    assert await here.parts.delivery.pings._send_hand(table, here.ann.id, "") is None
    late = await here.press_on("ann", opened, "☑\ufe0e Hand by DM")
    assert private_reply(late).text == "On this server, hands aren't sent by direct message."
    again = await here.press_in_menu("ann", await here.open_hand("ann", table), "Settings")
    assert "☑\ufe0e Hand by DM" not in private_reply(again).buttons


async def test_a_match_stays_in_its_channel_without_threads(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True) as here:
        await change_settings(here, threads=False)
        table = await here.start_table("ben")
        assert table.row.home == here.channel.id


async def test_lobbies_over_the_limit_are_refused_with_a_reason(here: World) -> None:
    await change_settings(here, lobbies=3, lobbies_each=2)
    await here.open_table()
    mine = await here.open_table()
    yours = "2 of your tables are already waiting for players. Start or close one first."
    assert (await here.slash("ann", "deal")).text == yours
    await here.open_table("ben")
    full = "3 tables are already waiting for players here. Join one, or come back when one has started."
    assert (await here.slash("ben", "deal", pace="live")).text == full
    await here.press("ann", mine, "Close this table")
    assert await here.open_table("ben")


async def test_slow_lobbies_have_their_own_limit(here: World) -> None:
    await change_settings(here, lobbies_each=2)
    for _ in range(2):
        await here.open_table(pace="daily")
    no_more = "2 of your slow tables are already waiting for players. Start or close one first."
    assert (await here.slash("ann", "deal", pace="none")).text == no_more
    live = [await here.open_table() for _ in range(2)]
    assert "2 of your tables" in (await here.slash("ann", "deal")).text
    with here.env._bot_scope(), pytest.raises(Refused, match="your slow tables"):
        await live[0].do(ChangePace(here.ann.id, RELAXED))


def test_default_limits_are_five_lobbies_a_user_and_twenty_a_server() -> None:
    assert (DEFAULT_SETTINGS.lobbies, DEFAULT_SETTINGS.lobbies_each) == (20, 5)
