"""Duplicate: the same deals for several people, compared without luck, sealed to a player who has not played them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from simcord.results import InteractionResult

from bot.ai.plain import plain_action, timeout_action
from bot.club.duplicates import OPEN_FOR, comparison
from bot.domain.contests import DUPLICATE_HANDS, DuplicatePlayer, DuplicateTable
from bot.domain.ids import NO_GUILD, TableId, UserId
from bot.domain.preferences import Preferences
from bot.domain.results import HandScore
from bot.games import GAMES
from bot.rules.core.asks import Action, Ready
from bot.rules.core.game import View
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.people.test_day_deal import replay_and_export
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SETTLE_TIMEOUT, World

SAME = "Same deals for all"
SHORT_DEALS = "193"  # a seed of two: four hands take 33 steps where one passes whenever one may, and 36 otherwise


async def create_duplicate(here: World) -> int:
    """Create a duplicate from Ann's lobby; return its id."""
    here.deal = SHORT_DEALS
    table = await here.open_table(game="tien_len", seats=2)
    behind = await here.press("ann", table, "⋯")
    asked = await here.press_on("ann", behind, "Same deals…")
    await here.press_on("ann", asked, "Everyone alone")
    assert (await here.reload(table)).row.phase == "closed"
    target, _ = invitation_text(here).buttons["Deal the cards"]
    return int(target.rsplit(":", 1)[1])


def invitation_text(here: World) -> ParsedMessage:
    """Return the invitation in the channel."""
    return ParsedMessage.of(next(each for each in here.channel.history() if SAME in ParsedMessage.of(each).text))


async def press_invitation(here: World, name: str, label: str) -> InteractionResult:
    """Press a button of the invitation as a player."""
    message = next(each for each in here.channel.history() if SAME in ParsedMessage.of(each).text)
    result = await here.people[name].click(message, label=label)
    await here.settle()
    return result


async def read_sheet(here: World, name: str) -> ParsedMessage:
    """Open the scoresheet as a player."""
    return private_reply(await press_invitation(here, name, "Scoresheet"))


async def own_duplicate_table(here: World, number: int, name: str) -> Table:
    """Return the duplicate table of a player."""
    part = await here.parts.store.duplicates.part_of(number, here.people[name].id)
    assert part is not None
    return await here.parts.tables.get(part.table)


async def finish_duplicate(
    here: World, number: int, name: str, wish: Callable[[View], Action | None] = plain_action
) -> Table:
    """Play all hands of the duplicate as a player."""
    await press_invitation(here, name, "Deal the cards")
    table, user = await own_duplicate_table(here, number, name), here.people[name].id
    here.leave_screen(name)
    while table.row.open:
        view = table.scene(user).view
        assert view is not None
        action = Ready() if table.stage == "between" else wish(view) or timeout_action(view)
        with here.env._bot_scope():  # what follows is the bot's, as after a click
            await table.do(Act(user, action))
        await table.wait_until_idle(SETTLE_TIMEOUT)
    await here.settle()
    return table


async def test_duplicate_players_get_the_same_deals_on_different_seats_and_read_the_sheet(here: World) -> None:
    number = await create_duplicate(here)
    tables = [await finish_duplicate(here, number, name, timeout_action) for name in ("ann", "ben")]
    assert len({table.row.seed for table in tables}) == 1
    seats = [table.scene(here.people[name].id).seat for table, name in zip(tables, ("ann", "ben"), strict=True)]
    assert seats == [0, 1]
    for table in tables:
        finished = await here.parts.store.results.finished(table.id)
        assert finished is not None
        assert finished.outcome.hands == DUPLICATE_HANDS
        assert not finished.outcome.counts
        assert table.row.guild == NO_GUILD
    assert "No finished matches here yet." in (await here.slash("ann", "matches list")).text
    read = (await read_sheet(here, "ben")).text
    assert "2 have finished." in read
    assert "ann" in read
    assert "hand 1" in (await replay_and_export(here, "ben", tables[0])).lower()
    await here.parts.store.people.save_preferences(here.ann.id, Preferences(unlisted=True))
    assert "ann" not in (await read_sheet(here, "ben")).text
    assert "no such finished match" in await replay_and_export(here, "ben", tables[0])


async def test_a_duplicate_is_visible_on_its_server_only_and_played_once_a_user(here: World) -> None:
    number = await create_duplicate(here)
    known = await here.parts.store.duplicates.load(number)
    assert "seed" not in repr(known)
    with pytest.raises(Exception, match="Those deals are gone"):
        await here.parts.duplicates.scoresheet(number, here.ann.id, None)
    message = next(each for each in here.channel.history() if SAME in ParsedMessage.of(each).text)
    await here.click_at_once([("ann", "Deal the cards"), ("ann", "Deal the cards")], message)
    assert len(await here.parts.store.tables.seated(here.ann.id)) == 1
    table = await finish_duplicate(here, number, "ann", timeout_action)
    again = await press_invitation(here, "ann", "Deal the cards")
    assert "above the average" in private_reply(again).text
    assert (await own_duplicate_table(here, number, "ann")).id == table.id
    assert await here.parts.store.duplicates.begun(number) == 1


async def test_a_duplicate_is_sealed_to_users_who_have_not_finished_it(here: World) -> None:
    number = await create_duplicate(here)
    table = await finish_duplicate(here, number, "ann", timeout_action)
    read = await read_sheet(here, "ben")
    assert "1 has finished." in read.text
    assert "above" not in read.text
    assert not read.selects
    assert "no such finished match" in await replay_and_export(here, "ben", table)
    await press_invitation(here, "ben", "Deal the cards")
    assert "no such finished match" in await replay_and_export(here, "ben", table)
    await here.leave("ben", await own_duplicate_table(here, number, "ben"))
    assert "You left before the end" in (await read_sheet(here, "ben")).text
    assert "no such finished match" in await replay_and_export(here, "ben", table)
    await here.advance(days=20)
    assert "no such finished match" in await replay_and_export(here, "cleo", table)


async def test_only_the_host_of_a_lobby_can_create_a_duplicate(here: World) -> None:
    table = await here.open_table()
    behind = await here.press("ben", table, "⋯")
    assert "Same deals…" not in private_reply(behind).buttons
    for verb in ("dup_ask", "dup_make"):
        forged = await here.forge(here.people["ben"], behind, f"bv:{verb}:{table.id}")
        assert "host" in private_reply(forged).text
    assert table.row.open


async def test_after_two_weeks_a_duplicate_is_closed_to_new_and_running_tries(here: World) -> None:
    number = await create_duplicate(here)
    await press_invitation(here, "ann", "Deal the cards")
    await here.advance(days=OPEN_FOR.days, hours=2)
    assert (await own_duplicate_table(here, number, "ann")).row.phase == "closed"
    assert "two weeks" in private_reply(await press_invitation(here, "ben", "Deal the cards")).text


async def test_2_9_a_stop_at_the_end_of_a_duplicate_leaves_an_hour_to_finish(here: World) -> None:
    number = await create_duplicate(here)
    await press_invitation(here, "ann", "Deal the cards")
    await here.stop()
    await here.pass_time_without_bot(days=OPEN_FOR.days, hours=2)
    await here.start()
    await here.advance(minutes=59)
    assert (await own_duplicate_table(here, number, "ann")).row.open
    await here.advance(hours=2)
    assert (await own_duplicate_table(here, number, "ann")).row.phase == "closed"


async def test_a_deleted_player_loses_their_tries_and_cannot_replay_older_duplicates(here: World) -> None:
    number, store = await create_duplicate(here), here.parts.store
    await finish_duplicate(here, number, "ann", timeout_action)
    assert {"parts", "duplicates"} <= set(await store.person_data(here.ann.id))
    await here.advance(seconds=5)
    await here.parts.retention.forget_person(here.ann.id)
    await here.settle()
    assert [one.sat for one in await store.duplicates.played(number)] == [()], "what was played compares others"
    assert (await store.person_data(here.ann.id)).keys() == {"uses"}, "what she opened of late, under a mark"
    assert (
        "Your data was deleted after these deals were"
        in private_reply(await press_invitation(here, "ann", "Deal the cards")).text
    )
    assert await store.duplicates.part_of(number, here.ann.id) is None
    await press_invitation(here, "ben", "Deal the cards")
    assert await store.duplicates.part_of(number, here.people["ben"].id) is not None
    await here.advance(seconds=5)
    await create_duplicate(here)
    newer = await store.duplicates.latest(here.guild.id, here.channel.id)
    assert newer is not None
    assert newer != number
    table = await here.parts.duplicates.begin(newer, here.ann.id, "ann", here.guild.id)
    assert table.row.duplicate_id == newer


def solo_duplicate_table(user: int, seat: int, *points: Sequence[int], listed: bool = True) -> DuplicateTable:
    """Return a finished solo table of a player. points: of each hand, by seat."""
    sat = DuplicatePlayer(UserId(user), f"p{user}", seat, listed)
    hands = (HandScore((None,) * len(each), tuple(each), (0,) * len(each)) for each in points)
    return DuplicateTable(TableId(user), user, (sat,), tuple(hands))


def test_the_sheet_compares_with_the_average_of_that_seat_and_deal() -> None:
    rules = GAMES["tien_len"].rules("south")
    one = solo_duplicate_table(1, 0, (12, -4, -4, -4), (-4, 12, -4, -4))
    two = solo_duplicate_table(2, 1, (-4, 12, -4, -4), (-4, 4, 4, -4))
    three = solo_duplicate_table(3, 0, (4, 4, -4, -4), (8, -4, 0, -4), listed=False)
    lines = comparison(rules, (one, two, three), UserId(2))
    assert [(line.user, line.place) for line in lines] == [(2, 1), (1, 2)]
    assert [line.gain for line in lines] == [pytest.approx(12 - 4 + 4 - 4), pytest.approx(12 - 4 + -4 - 0)]
    assert [line.score for line in lines] == [16, 8]


def test_a_table_that_ended_early_is_compared_by_its_finished_hands() -> None:
    rules = GAMES["tien_len"].rules("south")
    whole = solo_duplicate_table(1, 0, (12, -4, -4, -4), (6, -2, -2, -2))
    early = solo_duplicate_table(2, 0, (-4, 12, -4, -4))
    lines = comparison(rules, (whole, early), UserId(1))
    assert [(line.user, round(line.gain, 6)) for line in lines] == [(1, 8), (2, -8)]
    assert [line.deals for line in lines] == [((8, 12), (0, 6)), ((-8, -4),)]


def test_2_3_hands_for_chips_are_worded_as_on_the_end_card() -> None:
    rules = GAMES["big_two"].rules("lectio_tiles")
    sat, hands = DuplicatePlayer(UserId(1), "p1", 1), [HandScore((1, 2, 2, 2), (0, 3, 4, 5), (12, -3, -4, -5))] * 2
    (line,) = comparison(rules, [DuplicateTable(TableId(1), 1, (sat,), tuple(hands))], UserId(1))
    assert line.score == rules.options.chips - 6
    assert [stand for _, stand in line.deals] == [-3, -3]
