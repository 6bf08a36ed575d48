"""Reviews of a finished hand during its match: permission, contents, and sealed parts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from simcord import UserHandle
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from simcord.results import InteractionResult

from bot.history import reviews
from bot.history.replays import ReplayCache
from bot.members.presence import CACHE_TIME
from bot.rules.core.asks import Ready
from bot.rules.matches.record import Openings
from bot.rules.matches.seal import link_of_hand
from bot.show.kit.layout import DOTS
from bot.show.matches.moment_codes import MomentCode
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.bench.replay import first_legal_action
from tests.interactions.slow_answers import delay_handlers
from tests.people.positions import play_weakly
from tests.people.test_looking_back import moment_links
from tests.people.test_presence import VIEW
from tests.people.test_same_deals import open_further_table, open_shared_table, start_shared_table
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world

DEAL = "2016"  # a seed: where people play weakly, the first hand of Ann, Ben and two house players has 19 steps
LOOK = "Review this hand"
NO_MATCH = "There's no such finished match here."


@pytest.fixture(autouse=True)
def limit_reviewed_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluate few turns of a hand: what is found is of no account here."""
    monkeypatch.setattr(reviews, "MAX_TURNS", 4)


async def play_weak_hand(here: World, table: Table, *names: str) -> None:
    """Play weak cards to the end of a hand; the named players are ready first."""
    for ready in names:
        await here.press(ready, table, "Ready")
    await here.play_hand(table, play_weakly)
    assert table.stage == "between"


async def play_first_hand(here: World, *others: str, hands: int = 3, pace: str = "live hints") -> Table:
    """Begin a match of several hands, and play the first."""
    table = await here.start_table(*others, hands=hands, pace=pace)
    await play_weak_hand(here, table)
    return table


async def open_hand_review(here: World, name: str, table: Table) -> InteractionResult:
    """Open the review of the finished hand from a player's own cards."""
    return await here.press_on(name, await here.open_hand(name, table), LOOK)


async def test_between_hands_a_private_review_shows_up_to_three_moments(here: World) -> None:
    table = await play_first_hand(here, "ben")
    board, mine = here.read_board(table), await here.open_hand("ann", table)
    before = private_reply(mine).text
    shown = await here.press_on("ann", mine, LOOK)
    told, there = private_reply(shown).text, moment_links(shown)
    assert "### Review of hand 1" in told
    assert len(there) == told.count(" was better") == len(re.findall(r"\byou (?:played|passed)\b", told)) <= 3
    assert there or "No mistakes found." in told
    assert not re.search(r"\bben (?:played|passed)\b", told)
    assert private_reply(mine).text == before, "the cards stay where they are"
    assert here.read_board(table) == board
    assert not {"Back", "Review match"} & private_reply(shown).buttons.keys(), "the match is not over"
    assert not private_reply(shown).selects, "there is no other hand"
    for way in there:
        step = int(way.split(":")[3])
        assert f"move {step} of" in private_reply(await here.forge(here.ann, shown, way)).text
    posts = len(here.channel.history())
    for address in ("look_back:{}", "look_on:{}:0", "play_on:{}:5:", "post_moment:{}:5", "match_file:{}"):
        assert private_reply(await here.forge(here.ann, shown, f"bv:{address.format(table.id)}")).text == NO_MATCH, (
            address
        )
    assert len(here.channel.history()) == posts
    await here.press("ann", table, "Ready")
    await here.press("ben", table, "Ready")
    assert (await here.reload(table)).stage == "playing"


async def test_the_expected_points_are_the_same_after_the_match(here: World) -> None:
    table = await play_first_hand(here, hands=2)
    shown = await open_hand_review(here, "ann", table)
    said = [line for line in private_reply(shown).text.splitlines() if " was better" in line]
    await here.press("ann", table, "Ready")
    await here.play_hand(table)
    assert table.stage == "over"
    again = await here.forge(here.ann, shown, f"bv:look_at_hand:{table.id}:1")
    assert [line for line in private_reply(again).text.splitlines() if " was better" in line] == said
    assert private_reply(again).selects[f"bv:look_closely:{table.id}"] == ("1", "2")
    assert "Review match" in private_reply(await here.press_on("ann", again, "Review match")).text


async def test_earlier_hands_can_be_reviewed_but_not_the_running_one(here: World) -> None:
    table = await play_first_hand(here, "ben")
    await play_weak_hand(here, table, "ann", "ben")
    shown = await open_hand_review(here, "ann", table)
    assert "### Review of hand 2" in private_reply(shown).text
    menu = f"bv:look_closely:{table.id}"
    assert private_reply(shown).selects[menu] == ("1", "2")
    assert shown.response
    await here.ann.select(shown.response.message, ["1"], custom_id=menu)
    await here.settle()
    assert "### Review of hand 1" in private_reply(shown).text
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    assert table.stage == "playing"
    assert (
        "### Review of hand 2" in private_reply(await here.forge(here.ann, shown, f"bv:look_at_hand:{table.id}:2")).text
    )
    for number in (0, 3, 4):
        no = private_reply(await here.forge(here.ann, shown, f"bv:look_at_hand:{table.id}:{number}")).text
        assert no == "You can only review a hand that's over."


async def test_the_replay_of_a_running_match_ends_before_the_running_hand(here: World) -> None:
    table = await play_first_hand(here, "ben")
    shown = await open_hand_review(here, "ann", table)
    assert table.match
    assert (
        f"move {table.match.moment} of {table.match.moment}"
        in private_reply(await open_step(here, shown, table, 999)).text
    )
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    assert table.match.number == 2
    ended = table.match.openings[-1].step - 1
    for at in (ended, ended + 1, ended + 2, 999):
        playback = private_reply(await open_step(here, shown, table, at))
        assert f"move {ended} of {ended}" in playback.text
        assert playback.buttons["Move ▶"][1]
        assert playback.buttons["⏭"][1]
        menu = private_reply(await here.press_in_menu("ann", await open_step(here, shown, table, at)))
        assert list(menu.buttons) == ["Review this hand", "Check", "Back"]
    seeds = [link_of_hand(table.row.seed, number) for number in (1, 2, 3)]
    checked = private_reply(await here.press_in_menu("ann", await open_step(here, shown, table, 999), "Check")).text
    assert [seed in checked for seed in seeds] == [True, False, False]


async def open_step(here: World, shown: InteractionResult, table: Table, at: int) -> InteractionResult:
    """Open a step of a match as Ann."""
    return await here.forge(here.ann, shown, f"bv:moment:{table.id}:{at}")


@pytest.mark.parametrize("pictures", [False, True])
async def test_without_hints_no_screen_offers_the_hand_review(tmp_path: Path, *, pictures: bool) -> None:
    async with world(tmp_path, pictures=pictures, deal=DEAL) as here:
        table = await play_first_hand(here, "ben", pace="live nohints")
        mine = await here.open_hand("ann", table)
        menu = await here.press("ben", table, DOTS)
        screens = [
            here.read_board(table),
            private_reply(mine),
            private_reply(menu),
            private_reply(await here.press_on("ann", mine, DOTS)),
        ]
        assert not any(LOOK in shown.buttons for shown in screens)
        for address in ("look_at_hand:{}:1", "replay:{}:1:on", "moment:{}:1", "verify:{}:1"):
            assert private_reply(await here.forge(here.ann, mine, f"bv:{address.format(table.id)}")).text == NO_MATCH


@pytest.mark.parametrize("pictures", [False, True])
async def test_the_hand_review_is_offered_in_hand_and_menu_between_hands_only(
    tmp_path: Path, *, pictures: bool
) -> None:
    async with world(tmp_path, pictures=pictures, deal=DEAL) as here:
        table = await here.start_table("ben", hands=2, pace="live hints")

        async def screens() -> list[ParsedMessage]:
            return [
                private_reply(await here.open_hand("ann", table)),
                private_reply(await here.press("ben", table, DOTS)),
            ]

        assert not any(LOOK in shown.buttons for shown in await screens())
        mine = await here.open_hand("ann", table)
        for address in ("look_at_hand:{}:1", "replay:{}:0:on", "moment:{}:9", "verify:{}:0"):
            assert private_reply(await here.forge(here.ann, mine, f"bv:{address.format(table.id)}")).text == NO_MATCH
        await play_weak_hand(here, table)
        assert all(shown.buttons[LOOK][0] == f"bv:look_at_hand:{table.id}:1" for shown in await screens())
        assert LOOK not in here.read_board(table).buttons
        for name in ("ann", "ben"):
            await here.press(name, table, "Ready")
        assert not any(LOOK in shown.buttons for shown in await screens())


async def test_the_hand_review_works_after_a_restart_and_in_a_direct_message(here: World) -> None:
    table, alone = await play_first_hand(here, "ben"), UserHandle(here.env, here.env.backend.users[here.ann.id])
    mine = await here.open_hand("ann", table)
    await here.restart()
    shown = await here.press_on("ann", mine, LOOK)
    assert "### Review of hand 1" in private_reply(shown).text
    await here.restart()
    playback = await here.forge(here.ann, shown, f"bv:moment:{table.id}:3")
    assert "move 3 of" in private_reply(playback).text
    await here.restart()
    assert "move 4 of" in private_reply(await here.press_on("ann", playback, "Move ▶")).text
    mine = await alone.slash("hand", table=table.id)
    await here.settle()
    assert mine.response
    shown = await alone.click(mine.response.message, label=LOOK)
    await here.settle()
    assert "### Review of hand 1" in private_reply(shown).text
    assert shown.response
    for way in moment_links(shown):
        playback = await alone.click(shown.response.message, custom_id=way)
        await here.settle()
        assert "Hand 1 ·" in private_reply(playback).text
        await alone.click(shown.response.message, label="To the review")
        await here.settle()


async def test_a_pending_hand_review_shows_a_progress_message(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await play_first_hand(here)
    mine = await here.open_hand("ann", table)
    before = private_reply(mine).text
    delay_handlers(here, monkeypatch)
    shown = await here.press_on("ann", mine, LOOK)
    assert here.requests("PATCH", f"/webhooks/*/{shown._interaction.token}/messages/@original") == 1
    assert not shown.followups, "what has been loading is filled"
    assert "### Review of hand 1" in private_reply(shown).text
    assert private_reply(mine).text == before


async def test_only_users_who_see_the_table_can_open_the_hand_review(here: World) -> None:
    table = await play_first_hand(here, "ben")
    code = str(MomentCode(table.id, 3))
    theirs = await here.press_on("dev", await here.press("dev", table, DOTS), LOOK)
    assert "### Review of hand 1" in private_reply(theirs).text, "they see it on the board, all of it"
    assert "move 3 of" in (await here.slash("dev", "matches list", table=code)).text
    blind = Overwrite(target_id=here.people["dev"].id, type=OverwriteType.MEMBER, deny=VIEW)
    here.env.backend.set_overwrite(here.channel.id, blind)
    await here.advance(seconds=CACHE_TIME.total_seconds() + 1)
    elsewhere = here.guild.create_text_channel("elsewhere")
    there = await here.people["dev"].slash(elsewhere, "desk")
    for address in (f"look_at_hand:{table.id}:1", f"moment:{table.id}:1"):
        assert private_reply(await here.forge(here.people["dev"], there, f"bv:{address}")).text == NO_MATCH
    assert (
        "Its match was on another server, was deleted"
        in (await here.slash("dev", "matches list", elsewhere, table=code)).text
    )


async def test_duplicate_deals_are_reviewed_only_by_their_players(tmp_path: Path) -> None:
    async with world(tmp_path, threads=True) as here:
        one = await start_shared_table(here, await open_shared_table(here, pace="live hints", hands=2), "ann", "ben")
        two = await start_shared_table(here, await open_further_table(here, "cleo"), "cleo", "dev")
        await play_a_hand(here, one)
        assert one.stage == "between"
        mine = await open_hand_review(here, "ann", one)
        assert "### Review of hand 1" in private_reply(mine).text
        theirs = await here.open_hand("cleo", two)
        here.env.backend.add_thread_member(one.row.home, here.people["cleo"].id)
        for address in ("look_at_hand:{}:1", "moment:{}:1", "replay:{}:1:on", "verify:{}:1"):
            no = await here.forge(here.people["cleo"], theirs, f"bv:{address.format(one.id)}")
            assert private_reply(no).text == NO_MATCH, address
        while two.row.open:
            await play_a_hand(here, two)
            for name in ("cleo", "dev"):
                if two.stage == "between":
                    await two.do(Act(here.people[name].id, Ready()))
        seen = await here.forge(here.people["cleo"], theirs, f"bv:look_at_hand:{one.id}:1")
        assert "### Review of hand 1" in private_reply(seen).text, "they have played all of it"


async def play_a_hand(here: World, table: Table) -> None:
    """Play for every seated person to the end of the hand."""
    with here.edits_held():
        while table.stage == "playing":
            assert table.match
            seat, action = first_legal_action(table.match)
            user = table.row.chairs[seat].user
            assert user is not None
            await table.do(Act(user, action))
    await here.settle()


async def test_the_replay_of_a_match_is_prepared_once_a_hand_and_once_at_its_end(here: World) -> None:
    table = await play_first_hand(here, "ben", hands=2)
    replays = ReplayCache(lambda: here.parts.store, here.parts.workers)
    assert table.match
    match_replay = await replays.so_far(table.row, Openings.of(table.match))
    assert match_replay.is_running
    assert await replays.of(table.id, here.guild.id) is None
    await here.press("ann", table, "Ready")
    same = await replays.so_far(table.row, Openings.of(table.match))
    assert same is not match_replay, "all see that she is ready"
    await here.press("ben", table, "Ready")
    assert table.stage == "playing"
    await here.act(here.current_player(table) or "", table)
    assert await replays.so_far(table.row, Openings.of(table.match)) is same
    await here.play_hand(table)
    whole = await replays.of(table.id, here.guild.id)
    assert whole
    assert not whole.is_running
    assert await replays.of(table.id, here.guild.id) is whole
