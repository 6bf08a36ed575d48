"""Big A after the draw: turns, captures, places, and the replay of a match."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.rules.core.cards import write
from bot.rules.matches.match import Match
from bot.show.kit.phrases import signed
from bot.show.table.board import board
from bot.table.table import Table
from tests.people.big_a import CAPTURE_SEED, NAMES, plain_text, show_nothing, start_draw
from tests.people.positions import chairs_named, play_until, record_until
from tests.support.message_text import private_reply
from tests.support.replays import FullReplay
from tests.support.scenes import EN, scene, texts
from tests.support.world import World


def is_turn_before(seat: int, top: str) -> Callable[[Match], bool]:
    """Tell of a match whether it is the turn of this seat with these cards before it."""

    def wanted(match: Match) -> bool:
        lies = match.view(None).trick.top
        return seat in match.awaited and lies is not None and write(lies.cards) == top

    return wanted


async def start_play(here: World, rules: str = "BA:quick", seed: str = CAPTURE_SEED) -> Table:
    """Start a hand of five persons at its first lead, after a draw without exposures."""
    table = await start_draw(here, rules, seed)
    await show_nothing(here, table, *NAMES)
    assert "Everyone decides" not in here.read_board(table).text
    return table


async def test_fours_capture_the_play_that_they_beat(here: World) -> None:
    table = await start_play(here)
    leader = here.current_player(table)
    assert leader
    assert list(here.read_board(table).buttons) == ["My hand", "Pass", "Last trick", "Rules", "Leave", "⋯", "😀"]
    assert "**Show" not in private_reply(await here.open_hand(leader, table)).text
    here.leave_screen(leader)
    await play_until(here, table, is_turn_before(0, "6c 6h 6s"))
    opened = await here.open_hand("ann", table)
    assert "**eve** beat the 3 of spades with a bomb, three 6s:\n## 6♣︎ 6♡ 6♠︎" in plain_text(opened)
    picked = await here.pick("ann", opened, "4c", "4s")
    assert "✓ A pair of 4s picks up 6♣︎ 6♡ 6♠︎." in plain_text(picked)
    held = len(table.match.view(0).hand) if table.match else 0
    await here.press_on("ann", picked, "Play 4\u20094")
    board = here.read_board(table).text.replace("`", "")
    assert "**ann** takes 6♣︎ 6♡ 6♠︎ with a pair of 4s:\n## 4♣︎ 4♠︎" in board
    assert f"**ann** · {held + 1} cards" in board
    assert f"Your {held + 1} cards" in plain_text(picked)
    await play_until(here, table, lambda match: match.view(None).trick.owner != 0)
    shown = "→ eve 6♣︎ 6♡ 6♠︎ → ann 4♣︎ 4♠︎ (takes 6♣︎ 6♡ 6♠︎)"
    assert shown in here.read_board(table).text.replace("`", "")
    await play_until(here, table, lambda match: match.view(None).trick.top is None)
    told = plain_text(await here.press("ben", table, "Last trick"))
    assert "eve: three 6s 6♣︎ 6♡ 6♠︎\nann takes 6♣︎ 6♡ 6♠︎ with a pair of 4s 4♣︎ 4♠︎" in told


def is_ended(match: Match) -> bool:
    """Tell whether a hand is over."""
    return match.game.result is not None


ALL_SILENT = tuple((seat, "choose nothing") for seat in range(5))


def test_card_counts_are_hidden_if_the_rules_keep_them_secret() -> None:
    match = record_until(lambda _: True, "BA:std+counts=false,auto_pass=off", CAPTURE_SEED).replay()
    said = texts(board(scene(match, chairs=chairs_named(*NAMES)), EN))
    assert "**ann** · 0 points" in said
    assert "7 cards" not in said


def test_the_side_that_gains_points_wins_the_hand() -> None:
    match = record_until(is_ended, "BA:quick+match=deals,hands=2", CAPTURE_SEED, ALL_SILENT).replay()
    result, said = match.game.result, texts(board(scene(match, chairs=chairs_named(*NAMES)), EN))
    assert result
    (headline,) = re.findall("### (.*) wins? the hand", said)
    for name, points, left in zip(NAMES, result.points, result.left, strict=True):
        assert (name in headline) is (points > 0)
        assert f"**{name}** · {signed(points)}\n" in said
        assert (f"-# **{name}** · " in said) is bool(left)


def test_a_replay_shows_the_answers_of_the_draw() -> None:
    only_two = "choose order pair:d pair:c pair:h pair:s"
    first = ((1, "choose order silent"), (1, "choose order"), (2, only_two), *ALL_SILENT)
    record = record_until(is_ended, "BA:quick+match=deals,hands=1", CAPTURE_SEED, first)
    assert record.replay().over
    playback = FullReplay.of(1, 1, record, chairs_named(*NAMES))
    dealt, asked, last = (texts(playback.screen(step, EN)) for step in (0, 1, playback.last))
    assert "The cards are dealt." in dealt
    assert "ben queues: After the draw, never show the other Big Ace." in asked  # all of a window in one step
    assert "ben queues: nothing." in asked
    assert "cleo answers: Only a pair." in asked
    assert asked.count("answers") == 1  # who wants nothing is not worth a line
    assert "The Big Aces are" in asked
    assert "Each opponent" in last


async def test_only_the_next_player_is_pinged(here: World) -> None:
    table = await start_play(here)
    await here.advance(minutes=1)
    leader = here.current_player(table)
    assert leader
    (call,) = here.channel_texts(table)
    assert call.startswith(f"<@{here.people[leader].id}>, your turn: ")
