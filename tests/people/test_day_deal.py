"""The deal of the day: the same for every player, one try each, sealed to a player who has not played it."""

from __future__ import annotations

import hashlib
import json
from datetime import date

import pytest
from simcord import UserHandle
from simcord.results import InteractionResult

from bot.ai.plain import VERSION, plain_action
from bot.club.daily_deals import daily_rules, daily_seed
from bot.domain.ids import NO_CHANNEL, NO_GUILD
from bot.domain.preferences import Preferences
from bot.rules.core.asks import Pass, Play, write_action
from bot.rules.core.cards import write
from bot.rules.matches.match import Match
from bot.show.kit.card_symbols import symbols
from bot.store.engine.deletion_ledger import ledger_path
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.support.abandoned_matches import play_to_the_end
from tests.support.message_text import private_reply
from tests.support.world import SETTLE_TIMEOUT, World

BEGIN = "Deal the cards"
SHORT_DEALS = (
    "f3" * 32
)  # a secret: played as the house does, 1 and 9 January 2026 take 10 and 12 steps, 3 and 2 one's own


@pytest.fixture
def daily(here: World) -> World:
    """A server whose installation has a secret that is always the same."""
    ledger_path(here.database_file).write_text(json.dumps({"key": SHORT_DEALS}) + "\n", "utf-8")
    return here


async def open_daily_screen(here: World, name: str) -> InteractionResult:
    """Open the screen of the deal of the day."""
    result = await here.people[name].slash(here.channel, "learn daily")
    await here.settle()
    return result


async def begin_try(here: World, name: str) -> tuple[InteractionResult, Table]:
    """Start or resume a player's try of today; return the hand and the table."""
    shown = await open_daily_screen(here, name)
    hand = await here.press_on(name, shown, BEGIN if BEGIN in private_reply(shown).buttons else "Keep playing")
    return hand, await own_try(here, name)


async def own_try(here: World, name: str) -> Table:
    """Return the table of a player's try of today."""
    tried = await here.parts.store.daily_deals.try_of(here.people[name].id, here.parts.daily_deals.today)
    assert tried is not None
    return await here.parts.tables.get(tried.table)


async def finish_try(here: World, name: str) -> Table:
    """Play a player's try of today to its end."""
    _, table = await begin_try(here, name)
    return await finish_deal(here, name, table)


async def finish_deal(here: World, name: str, table: Table) -> Table:
    """Play a deal to its end at the table of a player."""
    table, user = await here.reload(table), here.people[name].id
    here.leave_screen(name)
    while table.row.open:
        view = table.scene(user).view
        assert view is not None
        with here.env._bot_scope():  # what follows is the bot's, as after a click
            await table.do(Act(user, plain_action(view) or Pass()))
        await table.wait_until_idle(SETTLE_TIMEOUT)
    await here.settle()
    return table


def cards_of(table: Table) -> tuple[str, ...]:
    """Return the steps of a match, as they are kept."""
    return tuple(step.action for step in table.row.steps)


async def test_the_deal_of_the_day_is_the_same_hand_for_everyone_and_unrated(daily: World) -> None:
    ann, ben = await finish_try(daily, "ann"), await finish_try(daily, "ben")
    assert ann.id != ben.id
    assert ann.row.seed == ben.row.seed
    assert ann.row.steps
    assert cards_of(ann) == cards_of(ben)
    _, cleo = await begin_try(daily, "cleo")
    assert cleo.row.seed == ann.row.seed
    assert ann.row.guild == NO_GUILD
    assert not ann.row.counts
    finished = await daily.parts.store.results.finished(ann.id)
    assert finished is not None
    assert finished.outcome.hands == 1
    assert "No finished matches here yet." in (await daily.slash("ann", "matches list")).text
    assert "You haven't finished a rated match here yet" in (await daily.slash("ann", "my profile")).text


async def test_each_player_has_one_try_and_the_shared_line_reveals_no_card(daily: World) -> None:
    shown = await open_daily_screen(daily, "ann")
    table = await finish_try(daily, "ann")
    again = private_reply(await daily.press_on("ann", shown, BEGIN))
    assert "You: place" in again.text
    assert BEGIN not in private_reply(await open_daily_screen(daily, "ann")).buttons
    assert (await own_try(daily, "ann")).id == table.id
    line, day = again.text.split("```")[1], daily.parts.daily_deals.today
    assert day.isoformat() in line
    assert table.match is not None
    assert line.count("🟩") + line.count("⬜") == len(table.match.view(None).ended_tricks), "the one that ended it, too"
    for card in daily_rules(day).rules.pack:
        assert symbols((card,)) not in line
    _, bens = await begin_try(daily, "ben")
    await daily.leave("ben", bens)
    left = private_reply(await open_daily_screen(daily, "ben"))
    assert "You had your try and didn't finish it" in left.text
    assert BEGIN not in left.buttons


async def test_the_deal_of_the_day_can_be_played_in_a_direct_message_without_scores(daily: World) -> None:
    alone = UserHandle(daily.env, daily.env.backend.users[daily.ann.id])
    shown = await alone.slash("learn daily")
    await daily.settle()
    assert shown.response is not None
    hand = await alone.click(shown.response.message, label=BEGIN)
    assert "Deal of the day: " in private_reply(hand).text
    table = await finish_try(daily, "ann")
    assert (await daily.parts.store.daily_deals.try_of(daily.ann.id, daily.parts.daily_deals.today)).guild is None  # type: ignore[union-attr]
    sheet = await alone.slash("learn daily")
    await daily.settle()
    assert sheet.response is not None
    watched = await alone.click(sheet.response.message, label="Replay")
    assert "hand 1" in private_reply(watched).text.lower()
    await finish_try(daily, "ben")
    read = private_reply(await open_daily_screen(daily, "ben")).text
    assert "2 people have played it." in read
    assert "ann" not in read
    assert "no such finished match" in await replay_and_export(daily, "ben", table)


async def test_two_clicks_begin_one_try(daily: World) -> None:
    shown = await open_daily_screen(daily, "ann")
    assert shown.response is not None
    await daily.click_at_once([("ann", BEGIN), ("ann", BEGIN)], shown.response.message)
    assert len(await daily.parts.store.tables.seated(daily.ann.id)) == 1


async def test_a_try_posts_nothing_in_public(daily: World) -> None:
    before = daily.requests("POST", "/channels/*/messages")
    hand, table = await begin_try(daily, "ann")
    assert "-# Deal of the day: " in private_reply(hand).text
    assert await daily.parts.store.tables.lobbies(daily.guild.id, daily.ann.id, live=True) == (0, 0)
    await finish_try(daily, "ann")
    await daily.advance(minutes=20)
    assert daily.requests("POST", "/channels/*/messages") == before
    assert daily.requests("GET", "/channels/0*") == 0
    for verb in ("hand", "check", "watch", "menu", "leave", "share"):
        shown = await open_daily_screen(daily, "ben")
        refused = await daily.forge(daily.people["ben"], shown, f"bg:{table.id}:{verb}")
        said = private_reply(refused).text
        assert "There's no such table here." in said or "You didn't play at **" in said


async def test_results_are_sealed_to_other_players_until_the_day_is_over(daily: World) -> None:
    table = await finish_try(daily, "ann")
    ben = private_reply(await open_daily_screen(daily, "ben"))
    assert "1 person has played it." in ben.text
    assert "ann" not in ben.text
    assert not ben.selects
    assert "no such finished match" in await replay_and_export(daily, "ben", table)
    await begin_try(daily, "ben")
    assert "ann" not in private_reply(await open_daily_screen(daily, "ben")).text
    assert "no such finished match" in await replay_and_export(daily, "ben", table)
    await finish_try(daily, "ben")
    assert "ann" in private_reply(await open_daily_screen(daily, "ben")).text
    assert "hand 1" in (await replay_and_export(daily, "ben", table)).lower()
    assert "no such finished match" in await replay_and_export(daily, "cleo", table)
    await daily.advance(days=1)
    assert "hand 1" in (await replay_and_export(daily, "cleo", table)).lower()
    shown = await open_daily_screen(daily, "cleo")
    assert "ann" not in private_reply(shown).text
    before = private_reply(await daily.press_on("cleo", shown, "Day before"))
    assert "ann" in before.text
    assert "You didn't finish this one." in before.text
    assert BEGIN not in before.buttons


async def replay_and_export(here: World, name: str, table: Table) -> str:
    """Step through a match and export it as a player; return the texts."""
    read = ""
    for address in (f"bv:replay:{table.id}:0", f"bv:match_file:{table.id}"):
        read += private_reply(await here.forge(here.people[name], await open_daily_screen(here, name), address)).text
    assert ("no such finished match" in read) is (read.count("no such finished match") == 2), "the one, not the other"
    return read


async def test_an_unlisted_player_is_not_on_the_sheet(daily: World) -> None:
    table = await finish_try(daily, "ann")
    await daily.parts.store.people.save_preferences(daily.ann.id, Preferences(unlisted=True))
    await finish_try(daily, "ben")
    shown = private_reply(await open_daily_screen(daily, "ben"))
    assert "2 people have played it." in shown.text
    assert "ann" not in shown.text
    assert "no such finished match" in await replay_and_export(daily, "ben", table)
    assert "ann" in private_reply(await open_daily_screen(daily, "ann")).text


async def test_a_restart_in_the_middle_loses_nothing(daily: World) -> None:
    _, table = await begin_try(daily, "ann")
    view = table.scene(daily.ann.id).view
    assert view is not None
    action = plain_action(view)
    move = write(action.cards) if isinstance(action, Play) else "pass"
    await daily.slash("ann", "turn", move=move)
    steps = (await own_try(daily, "ann")).row.steps
    assert steps
    await daily.restart()
    again = await finish_try(daily, "ann")
    assert again.id == table.id
    assert again.row.steps[: len(steps)] == steps
    assert again.row.phase == "over"


async def test_commands_prefer_a_table_in_a_channel_to_the_deal_of_the_day(daily: World) -> None:
    shared = await daily.start_table("ben")
    hand, table = await begin_try(daily, "ann")
    assert "Big Two, table 1" in (await daily.slash("ann", "hand")).text
    listed = await daily.slash("ann", "desk")
    assert "Deal of the day: " in listed.text
    assert shared.row.open
    assert not any(":propose" in address for address in private_reply(await daily.press_on("ann", hand, "⋯")).selects)
    assert table.row.home == NO_CHANNEL
    moved = await daily.slash("ann", "table move", table=table.id)
    assert "Deal of the day" not in moved.text
    assert (await daily.reload(table)).row.home == NO_CHANNEL
    await daily.parts.retention.record_servers()
    assert await daily.parts.store.servers.departures() == (), "nobody's server is none that is gone"


async def test_a_deleted_player_loses_their_try_and_cannot_play_that_day_again(daily: World) -> None:
    await finish_try(daily, "ann")
    store = daily.parts.store
    assert "tries" in await store.person_data(daily.ann.id)
    await daily.parts.retention.forget_person(daily.ann.id)
    await daily.settle()
    assert await store.daily_deals.tried(daily.parts.daily_deals.today) == ()
    assert await store.person_data(daily.ann.id) == {}
    shown = await open_daily_screen(daily, "ann")
    assert "was deleted today" in private_reply(await daily.press_on("ann", shown, BEGIN)).text
    assert await store.daily_deals.try_of(daily.ann.id, daily.parts.daily_deals.today) is None
    await daily.restart()
    assert (
        "was deleted today"
        in private_reply(await daily.press_on("ann", await open_daily_screen(daily, "ann"), BEGIN)).text
    )
    await begin_try(daily, "ben")
    await daily.advance(days=1)
    await begin_try(daily, "ann")


def test_no_deal_is_decided_by_the_cards_alone() -> None:
    for day in range(60):
        at = date.fromordinal(740_000 + day)
        seed = daily_seed(at, lambda purpose: hashlib.sha256(purpose.encode()).hexdigest())
        assert Match.start(daily_rules(at).rules, seed).game.result is None


def test_the_house_players_of_the_day_are_of_a_fixed_version() -> None:
    """Where this fails, house players play otherwise: raise VERSION in bot/ai/plain.py, and write down the new."""
    played = hashlib.sha256()
    for number in range(8):
        day = date.fromordinal(740_000 + number)
        seed = daily_seed(day, lambda purpose: hashlib.sha256(purpose.encode()).hexdigest())
        _, done = play_to_the_end(Match.start(daily_rules(day).rules, seed))
        played.update(" ".join(write_action(action) for _, action in done).encode())
    assert (VERSION, played.hexdigest()[:16]) == (1, "4f7ce97b52be362e")


async def test_only_players_of_a_deal_can_play_on_from_it_and_no_sheet_changes(daily: World) -> None:
    table = await finish_try(daily, "ann")
    sheet = private_reply(await open_daily_screen(daily, "ann")).text
    address = f"bv:play_on:{table.id}:1:"
    refused = await daily.forge(daily.people["ben"], await open_daily_screen(daily, "ben"), address)
    assert private_reply(refused).text == "There's no such finished match here."
    assert await daily.parts.store.tables.seated(daily.people["ben"].id) == ()
    shown = await daily.forge(daily.ann, await open_daily_screen(daily, "ann"), address)
    assert "Practice: " in private_reply(shown).text
    (row,) = await daily.parts.store.tables.seated(daily.ann.id)
    practised = await daily.parts.tables.get(row.id)
    await finish_deal(daily, "ann", practised)
    assert private_reply(await open_daily_screen(daily, "ann")).text == sheet
    post = await daily.forge(daily.ann, shown, f"bv:post_moment:{practised.id}:1")
    assert "Others may still play these cards, so you" in private_reply(post).text
