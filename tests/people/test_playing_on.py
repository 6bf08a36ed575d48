"""Playing on alone from a moment of a match that is over, on any seat: the position as it was, without counting."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.ai.plain import timeout_action
from bot.club.practice import rules_up_to
from bot.domain.chairs import Level
from bot.games import GAMES
from bot.rules.core.asks import Ready
from bot.rules.matches.record import MIN_STORED_PLIES, Record
from bot.rules.matches.replay import Playback
from bot.rules.variants.ruleset import Ruleset
from bot.table.core.commands import Act
from bot.table.core.state import record_of
from bot.table.table import Table
from tests.bench.replay import long_match
from tests.golden.play import golden_path
from tests.laws.matches import PRESETS
from tests.people.test_practice import open_practice, play_to_hand_end, practice_table, steps_taken
from tests.support.message_text import private_reply
from tests.support.world import SETTLE_TIMEOUT, SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter
PLAY_ON = "Play on from here"
NOTHING = "Pick a moment in the middle of a hand, not"


async def play_weak_match(here: World, **options: Any) -> Table:
    """Play a match of two hands in which Ann does the least there is."""
    table = await here.start_table(hands=2, **options)
    while table.row.open:
        view = table.scene(here.ann.id).view
        assert view is not None
        with here.env._bot_scope():  # what follows is the bot's, as after a click
            await table.do(Act(here.ann.id, Ready() if table.stage == "between" else timeout_action(view)))
        await table.wait_until_idle(SETTLE_TIMEOUT)
    await here.settle()
    return table


def playback(table: Table) -> Playback:
    return Playback.of(record_of(table.row))


async def open_replay_step(here: World, name: str, table: Table, step: int, seat: str = "") -> InteractionResult:
    """Open a step of a match, with all hands or from one seat."""
    shown = await here.people[name].slash(here.channel, "matches list", table=str(table.row.number))
    return await here.forge(here.people[name], shown, f"bv:replay:{table.id}:{step}:on:{seat}")


def middle_step(table: Table) -> int:
    """Return a step in the middle of the second hand in which one seat is to act."""
    whole = playback(table)
    first, end = whole.plies(1)
    snapshots = whole.snapshots(1, record_of(table.row).steps[first:end])
    going = [
        snapshot
        for snapshot in snapshots[len(snapshots) // 2 :]
        if snapshot.can_play_on and len(snapshot.match.awaited) == 1
    ]
    return going[0].step


@pytest.mark.rotates(5)
@pytest.mark.parametrize("game", GAMES)
async def test_playing_on_restores_the_position_in_every_game(here: World, game: str) -> None:
    table = await play_weak_match(here, game=game)
    await here.parts.preferences.change(here.ann.id, level=Level.MEDIUM)
    step = middle_step(table)
    whole = playback(table)
    first, end = whole.plies(1)
    snapshot = next(
        snapshot for snapshot in whole.snapshots(1, record_of(table.row).steps[first:end]) if snapshot.step == step
    )
    shown = await here.press_in_menu("ann", await open_replay_step(here, "ann", table, step), PLAY_ON)
    on = await practice_table(here, "ann")
    assert on.match
    (seat,) = snapshot.match.awaited
    assert on.scene(here.ann.id).seat == seat
    assert on.match.view(seat) == snapshot.match.view(seat)
    assert on.match.game == snapshot.match.game
    assert steps_taken(on) == steps_taken(table)[: snapshot.match.ply]
    assert {step.by for step in on.row.steps} == {"given"}
    assert {chair.level for chair in on.row.chairs if chair.user is None} == {Level.MEDIUM}
    assert "Practice: " in private_reply(shown).text
    refused = await here.forge(here.ann, shown, f"bg:{on.id}:undo")
    assert "There's nothing to take back yet" in private_reply(refused).text
    await play_to_hand_end(here, on)
    assert on.match.number == 2
    assert not on.row.counts
    back = await here.forge(here.ann, shown, f"bg:{on.id}:same_cards")
    again = await practice_table(here, "ann")
    assert steps_taken(again) == steps_taken(table)[: snapshot.match.ply], "what was there already is there again"
    assert "Practice: " in private_reply(back).text
    await here.restart()
    again = await practice_table(here, "ann")
    assert again.match
    assert again.match.game == snapshot.match.game


async def test_playing_on_uses_the_viewed_seat_and_is_offered_during_hands_only(here: World) -> None:
    table = await play_weak_match(here)
    whole = playback(table)
    for step in [*(opening.step - 1 for opening in whole.openings[1:]), whole.last]:
        shown = await open_replay_step(here, "ann", table, step)
        assert PLAY_ON not in private_reply(await here.press_in_menu("ann", shown)).buttons
        forged = await here.forge(here.ann, shown, f"bv:play_on:{table.id}:{step}:")
        assert NOTHING in private_reply(forged).text
    assert (
        PLAY_ON in private_reply(await here.press_in_menu("ann", await open_replay_step(here, "ann", table, 0))).buttons
    )
    assert await here.parts.store.tables.seated(here.ann.id) == ()
    for seat in (2, 0):
        shown = await here.press_in_menu(
            "ann", await open_replay_step(here, "ann", table, middle_step(table), str(seat)), PLAY_ON
        )
        assert (await practice_table(here, "ann")).scene(here.ann.id).seat == seat
        assert "Practice: Big Two" in private_reply(shown).text
        there = (await practice_table(here, "ann")).row.chairs
        same = {one.seat for one, other in zip(there, table.row.chairs, strict=True) if one.name == other.name}
        assert same == {1, 2, 3} - {seat} | ({0} if seat == 0 else set()), "house players are called as they were"
    forged = await here.forge(here.ann, shown, f"bv:play_on:{table.id}:{middle_step(table)}:9")
    assert "Practice: Big Two" in private_reply(forged).text
    assert len(await here.parts.store.tables.seated(here.ann.id)) == 1


async def test_playing_on_is_private_and_limited_to_viewers_of_finished_matches(here: World) -> None:
    table, running = await play_weak_match(here), await here.start_table("ben")
    before = len(here.channel.history())
    shown = await here.press_in_menu("dev", await open_replay_step(here, "dev", table, middle_step(table)), PLAY_ON)
    on = await practice_table(here, "dev")
    assert [chair.name for chair in on.row.chairs if chair.user is not None] == ["dev"]
    assert "ann" not in {chair.name for chair in on.row.chairs}
    refused = await here.forge(here.people["ben"], (await open_practice(here, "ben"))[0], f"bg:{on.id}:hand")
    assert private_reply(refused).text == "There's no such table here."
    assert len(here.channel.history()) == before
    assert "Practice: Big Two" in private_reply(shown).text
    mine = await here.forge(here.ann, await open_replay_step(here, "ann", table, 1), f"bv:play_on:{running.id}:1:")
    elsewhere = here.env.create_guild("Elsewhere")
    dev = elsewhere.add_member(here.people["dev"].user)
    abroad = await dev.slash(elsewhere.create_text_channel("lounge"), "desk")
    theirs = await here.forge(dev, abroad, f"bv:play_on:{table.id}:1:")
    assert {private_reply(mine).text, private_reply(theirs).text} == {"There's no such finished match here."}


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_playing_on_keeps_the_rules_of_the_match(name: str, preset: str) -> None:
    record = Record.from_json(golden_path(name, preset).read_text(encoding="utf-8"), GAMES)
    rules = Ruleset.of(record.known, record.preset, record.options, record.version)
    played = list(record.positions())
    for hand in range(1, len(played[-1].results) + 1):
        here = rules_up_to(rules, hand)
        again = Record(
            here.known, here.preset, seed=record.seed, options=here.changes, steps=record.steps, version=here.version
        ).positions()
        for before, now in zip(played, again, strict=False):
            assert now.game.to_act == before.game.to_act
            if now.over:
                assert now.number == hand
                break
        else:
            raise AssertionError(f"hand {hand} does not end it")


def test_playing_on_from_a_late_hand_does_not_replay_the_whole_match() -> None:
    record = long_match(80)
    assert len(record.steps) > MIN_STORED_PLIES
    whole = Playback.of(record, ended=True)

    def some_go_on(deal: int) -> bool:
        first, end = whole.plies(deal)
        return any(snapshot.can_play_on for snapshot in whole.snapshots(deal, record.steps[first:end]))

    assert some_go_on(0)
    assert not some_go_on(len(whole.openings) - 1)
