"""What every player sees of a table: within Discord's limits, in both languages, and nothing that must not be seen."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.chairs import Chair
from bot.domain.pace import RELAXED, Pace
from bot.games import GAMES
from bot.rules.big_two import BigTwo, Options
from bot.rules.core.cards import pack
from bot.rules.core.game import Rules
from bot.rules.core.sentences import Note, Seat
from bot.rules.matches.seal import CHAIN_LENGTH, chain_seed
from bot.rules.variants.ruleset import Ruleset
from bot.scene import PublicScene
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.words import words
from bot.show.lobby.menu import lobby_menu, remove
from bot.show.lobby.table_menu import menu
from bot.show.table.board import board
from bot.show.table.notices import last_trick, lobby_reminder, lobby_row, ping, reminder
from bot.show.table.rule_card import terms
from bot.show.table.scores import settling
from bot.show.table.table_picture import picture
from tests.support.scenes import (
    CHAIRS,
    EMOJI,
    EN,
    NOW,
    POSITIONS,
    NineHands,
    buttons,
    check_limits,
    custom_ids,
    is_mentioned,
    lobby,
    match_after,
    person,
    public_cards,
    scene,
    scene_for_seat,
    selects,
    texts,
    with_changes,
    words_of_every_language,
)

# Discord's limits


def test_lobbies_keep_to_the_limits() -> None:
    people = tuple(Chair(seat, person(seat), "W" * 100, house=False) for seat in range(9))
    for w in words_of_every_language():
        for size in (0, 1, 8, 9):
            for here in (lobby(NineHands(), people[:size], stake=0, one_card_rule="none", deals=3),):
                check_limits(board(here, w))
                check_limits(remove(here, w))
        check_limits(board(with_changes(lobby(BigTwo(), ()), stage="closed", deadline=None), w))


def test_a_board_too_long_with_emoji_falls_back_to_symbols() -> None:
    match, steps = next((match, steps) for match, steps in POSITIONS if match.game.result)
    assert match.game.result is not None
    every = replace(match.game.result, left=(pack(), pack(), pack(), ()))
    here = scene(match, len(steps))
    assert here.view is not None
    view = board(replace(here, view=replace(here.view, result=every)), words("en", EMOJI))
    check_limits(view)
    assert "`3♢`" in texts(view)


# Secrecy


@pytest.mark.rotates(3)
@pytest.mark.parametrize("part", range(3))
def test_a_board_keeps_to_the_limits_and_shows_no_card_that_is_not_public(part: int) -> None:
    for match, steps in POSITIONS[part::3]:
        here, hidden = scene(match, len(steps)), set(pack()) - public_cards(match)
        for w in words_of_every_language():
            for view in (board(here, w), last_trick(here, w)):
                check_limits(view)
                read = texts(view)
                assert [card for card in hidden if is_mentioned(read, card)] == []


@pytest.mark.rotates(3)
@pytest.mark.parametrize("part", range(3))
def test_the_board_does_not_depend_on_the_viewer(part: int) -> None:
    for match, steps in POSITIONS[part::3]:
        shown = board(scene(match, len(steps)), EN).to_components()  # type: ignore[no-untyped-call]
        for seat in range(4):  # the types forbid it; were it done all the same, it would tell nothing
            mine = board(scene(match, len(steps), seat), EN)  # type: ignore[arg-type]
            assert mine.to_components() == shown  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("mine", ["viewer", "seat", "view"])
def test_a_private_scene_is_never_public(mine: str) -> None:
    match, steps = POSITIONS[-1]
    hers, everybodys = scene(match, len(steps), 0), scene(match, len(steps))
    with pytest.raises(ValueError, match="one person's scene"):
        replace(everybodys, **{mine: getattr(hers, mine)})


def test_no_button_of_the_board_carries_a_card() -> None:
    for match, steps in POSITIONS:
        addresses = [Press.read(each) for each in custom_ids(board(scene(match, len(steps)), EN))]
        assert addresses
        assert all((each.table, each.cards) == (7, None) for each in addresses)


def test_no_button_of_the_board_but_pass_holds_a_ply() -> None:
    for match, steps in POSITIONS:
        addresses = [Press.read(each) for each in custom_ids(board(scene(match, len(steps)), EN))]
        depending = {each.verb: each.at for each in addresses if each.at is not None}
        assert depending in ({Verb.PASS: len(steps)}, {Verb.READY: match.number}, {})


# The board


def test_a_slow_table_explains_playing_live_and_counts_agreements() -> None:
    offered = with_changes(scene(match_after("3d"), 1), live_offer=(1, 3))
    live = with_changes(scene(match_after("3d"), 1), in_live_session=True)
    for w in words_of_every_language():
        for here in (offered, live):
            for shown in (None, picture(here, w)):
                check_limits(board(here, w, shown))
    said = texts(board(offered, EN))
    assert "Play live? 1 of 3 agree" in said
    assert "If you all agree, you play on live: a few minutes a move, with no penalty for being late." in said
    assert "-# Live for now, with no penalty for being late." in texts(board(live, EN))
    assert "costs nothing" not in texts(board(scene(match_after("3d"), 1), EN))


def test_the_board_shows_the_top_and_the_turn() -> None:
    read = texts(board(scene(match_after("3d", "4h", "-"), 3), EN))
    assert "## Big Two, table 3" in read
    assert "Hand 1 of 1" in read
    assert "**Ben\\_\\*the\\*\\_\\`Great\\`** played the 4 of hearts:\n## `4♡`" in read
    assert "Before: Ann `3♢`" in read
    assert "Passed: 陈小姐" in read
    assert "👉 **House Dora 🤖** · 13 cards · 0 points" in read
    assert "**House Dora 🤖**'s turn · ends <t:" in read
    assert "House Dora 🤖 dealt this hand. The cut showed `7♡`." in read


def test_text_below_a_picture_adds_only_missing_facts() -> None:
    here = scene(match_after("3d", "4h", "-"), 3)
    read = texts(board(here, EN, picture(here, EN)))
    assert read.endswith("\n-# Big Two, table 3 · Hand 1/1")
    for hidden in ("dealt this hand", "The cut showed", "sealed", "4♡"):
        assert hidden not in read
    behind = texts(menu(scene_for_seat(1, here), EN, moderator=False, watching=False))
    assert "-# House Dora 🤖 dealt this hand. The cut showed `7♡`.\n-# 🔒 sealed" in behind
    assert Verb.CHECK in buttons(menu(scene_for_seat(1, here), EN, moderator=False, watching=False))


def test_the_board_warns_of_the_last_two_cards() -> None:
    match = match_after()
    few = replace(match.view(None), counts=(13, 1, 2, 3))
    read = texts(board(replace(scene(match, 0), view=few), EN))
    assert "· **1 card** ⚠ ·" in read
    assert "· **2 cards** ⚠ ·" in read
    assert "· 3 cards ·" in read


def test_impossible_actions_are_disabled_on_the_board() -> None:
    fresh, later = (
        buttons(board(scene(match, 1), EN)) for match in (match_after(), match_after("3d", "-", "-", "-", "4d", "6c"))
    )
    assert fresh[Verb.PASS].disabled
    assert fresh[Verb.LAST].disabled
    assert not later[Verb.PASS].disabled
    assert not later[Verb.LAST].disabled
    assert list(later) == [Verb.HAND, Verb.PASS, Verb.LAST, Verb.RULES, Verb.LEAVE, Verb.MENU, Verb.REACT]


def test_the_last_trick_lists_its_moves() -> None:
    read = texts(last_trick(scene(match_after("3d 3c", "-", "-", "-"), 4), EN))
    assert "Ann: a pair of 3s `3♢` `3♣\ufe0e`" in read
    assert "House Dora 🤖 passes" in read


def test_between_hands_all_cards_are_shown() -> None:
    match, steps = next((match, steps) for match, steps in POSITIONS if match.game.result and not match.over)
    view = board(scene(match, len(steps)), EN)
    read = texts(view)
    assert match.game.result is not None
    assert all(is_mentioned(read, card) for held in match.game.result.left for card in held)
    assert "wins the hand\n🥇 **" in read
    assert "this hand" not in read, "the first hand is the match so far"
    assert "Waiting for Ann" in read
    assert match.number == 1
    assert list(buttons(view)) == [Verb.READY, Verb.HAND, Verb.RULES, Verb.LEAVE, Verb.CHECK, Verb.SETTLE, Verb.MENU]


def test_the_settle_up_names_each_pair() -> None:
    match, steps = POSITIONS[-1]
    here = with_changes(scene(match, len(steps)), payments=((1, 0, 9), (2, 0, 20), (2, 1, 11)), nets=(29, 2, -31, 0))
    assert Verb.SETTLE in buttons(board(here, EN))
    read = texts(settling(here, EN))
    assert "陈小姐 owes Ann 29 and Ben\\_\\*the\\*\\_\\`Great\\` 2\n" in read, "two payments do it"


def test_the_end_names_the_winners() -> None:
    match, steps = POSITIONS[-1]
    here = scene(match, len(steps))
    one = texts(board(with_changes(here, places=(2, 1, 3, 3)), EN))
    two = texts(board(with_changes(here, places=(1, 1, 3, 3)), EN))
    assert "### Ben\\_\\*the\\*\\_\\`Great\\` wins the match" in one
    assert "### Ann and Ben\\_\\*the\\*\\_\\`Great\\` share the match" in two
    assert list(buttons(board(here, EN))) == [Verb.REMATCH, Verb.WATCH, Verb.SETTLE, Verb.RULES, Verb.CHECK]


def test_a_finished_match_offers_no_moderation() -> None:
    match, steps = POSITIONS[-1]
    assert "moderator" not in texts(menu(scene(match, len(steps), 1), EN, moderator=True)).lower()
    assert "moderator" in texts(menu(scene(match_after("3d"), 1, 1), EN, moderator=True)).lower()


def test_remarks_about_a_hand_omit_article_numbers() -> None:
    match, steps = next((match, steps) for match, steps in POSITIONS if match.game.result)
    here = scene(match, len(steps))
    assert here.view is not None
    assert here.view.result is not None
    sentence = "{seat} let the last card through and pays for everyone!"
    noted = replace(here.view.result, notes=(Note("8.4", sentence, (("seat", Seat(0)),)),))
    read = texts(board(replace(here, view=replace(here.view, result=noted)), EN))
    assert "Ann let the last card through and pays for everyone!\n" in read


# The lobby


def test_2_2_a_lobby_lists_its_seats_in_the_order_of_turns() -> None:
    here = lobby(BigTwo(Options(direction="clockwise")), CHAIRS, direction="clockwise")
    read = texts(board(here, EN))
    found = [
        read.index(f"{number}\\. **{name}") for number, name in enumerate(("Ann", "House Dora", "陈小姐", "Ben"), 1)
    ]
    assert found == sorted(found)
    shown = picture(here, EN)
    assert shown is not None
    assert [line[:6] for line in shown.alt_text.splitlines()[-4:]] == ["1. Ann", "2. Hou", "3. 陈小姐", "4. Ben"]
    assert "seat 4 of 4" in texts(lobby_menu(scene_for_seat(1, here), EN))


def test_the_lobby_shows_rules_and_players() -> None:
    changes: dict[str, Any] = {"stake": 0, "match_end": "deals", "deals": 3}
    read = texts(board(lobby(BigTwo(Options(**changes)), CHAIRS[:2], **changes), EN))
    assert (
        "**Standard**, but no stake\n4 players · 3 hands · Live: 2 minutes a move\n"
        "`B2:std+stake=0,match=deals,hands=3`\n" in read
    )
    assert "1\\. **Ann** (host)" in read
    assert "3\\. free\n4\\. free" in read
    assert "2 seats are still free." in read


def test_the_lobby_explains_how_an_open_match_ends() -> None:
    said = "It ends when everyone still playing agrees, or when someone asks and nobody objects for a day."
    assert said in texts(board(lobby(BigTwo(), CHAIRS[:2]), EN))
    hands: dict[str, Any] = {"match_end": "deals", "deals": 3}
    assert said not in texts(board(lobby(BigTwo(Options(**hands)), CHAIRS[:2], **hands), EN))


@pytest.mark.parametrize("preset", GAMES["big_two"].presets)
def test_the_lobby_names_presets_with_code_and_without_warning(preset: str) -> None:
    rules = Ruleset.of(GAMES["big_two"], preset).rules
    shown, read = GAMES["big_two"].sheet.presets[preset], texts(board(presented(rules, preset), EN))
    assert f"**{shown.title}**\n-# {shown.text}\n{rules.players} player" in read
    for w in words_of_every_language():
        assert f"`B2:{shown.code}`" in texts(board(presented(rules, preset), w))
    assert "⚠" not in read
    assert read.count("free") == rules.players  # one is taken, and one stands in the sentence about them


def presented(rules: Rules, preset: str) -> PublicScene:
    """Return a lobby of one player with the rules of a preset."""
    return with_changes(lobby(rules, CHAIRS[:1]), preset=preset)


def test_a_slow_lobby_has_a_card_as_short_as_a_live_one() -> None:
    live = lobby(BigTwo(), CHAIRS[:2])
    slow = with_changes(live, pace=RELAXED, move=timedelta(days=1))
    for w in words_of_every_language():
        shown = picture(slow, w)
        short = [texts(board(here, w, shown)) for here in (live, slow)]
        assert short[0] == short[1]
        assert "Play whenever" not in short[1]
    assert "Your clock stops while you sleep" in texts(board(slow, EN)), "the text says all of it"
    assert "Your clock stops while you sleep" in texts(terms(slow, EN))


def test_the_lobby_names_unusual_pace_settings() -> None:
    pace = Pace("daily", on_timeout="nudge", openly=False, away=timedelta(days=2), hints=True, vacations=False)
    here = with_changes(lobby(BigTwo(), CHAIRS[:2]), pace=pace, move=timedelta(hours=8), reserve=timedelta(days=2))
    (line,) = (line for line in texts(board(here, EN, picture(here, EN))).splitlines() if "too late" in line)
    assert line == (
        "-# Nobody's ever too late here; I just remind them. Vacations don't stop the clock here. "
        "Players with too few cards to beat a play are asked, too. A moderator can offer the seat "
        "of a player who hasn't moved for 2 days. Everyone gets hints here."
    )


def test_the_host_is_reminded_of_missing_players_or_to_start() -> None:
    waits, almost, full = (
        with_changes(lobby(BigTwo(), CHAIRS[:seats]), deadline=NOW + timedelta(days=1)) for seats in (1, 3, 4)
    )
    for here, said in (
        (waits, "still waits for 3 more players. It closes <t:"),
        (almost, "still waits for 1 more player. It closes <t:"),
        (full, "is full: press Start. It closes <t:"),
    ):
        assert lobby_reminder(here, EN).startswith(f"<@{person(0)}>, [Big Two, table 3](https://")
        assert said in lobby_reminder(here, EN)
    rows = [lobby_row(here, EN).drawn.to_components() for here in (almost, full)]
    assert [each["components"][0]["label"] for (each,) in rows] == ["Join", "Start"]


def test_a_match_can_start_when_all_seats_are_taken() -> None:
    waiting, full = (buttons(board(lobby(BigTwo(), chairs), EN)) for chairs in (CHAIRS[:3], CHAIRS))
    assert Verb.START not in waiting
    assert not waiting[Verb.PLAY_NOW].disabled
    assert not full[Verb.START].disabled
    assert Verb.PLAY_NOW not in full
    assert (full[Verb.JOIN].disabled, full[Verb.JOIN].style.name) == (False, "secondary"), "it offers the line"


def test_the_host_can_remove_every_other_player() -> None:
    view = remove(lobby(BigTwo(), CHAIRS), EN)
    assert [each.value for each in selects(view)[0].options] == ["1:Ben_*the*_`Great`", "2:陈小姐", "3:House Dora"]


# Short messages


def test_a_ping_names_its_game_and_links_to_it() -> None:
    here = scene(match_after(), 0)
    assert ping(here, EN, [person(1)]).startswith("<@901>, your turn: [Big Two, table 3](https://discord.com/channels/")
    assert ping(here, words("zh-CN"), [person(1), person(2)]).startswith(
        "<@901> 和 <@902>，轮到你了：[锄大地 · 3 号桌]("
    )


def test_a_reminder_shows_the_deadline() -> None:
    here = scene(match_after(), 0)
    assert f"your time runs out <t:{int(NOW.timestamp()) + 1800}:R>: [Big Two, table 3](" in reminder(
        here, EN, [person(1)]
    )
    assert reminder(with_changes(here, deadline=None), EN, [person(1)]) == ping(here, EN, [person(1)])


def test_2_7_a_reminder_shows_the_reserve() -> None:
    here = with_changes(scene(match_after("3d"), 1), deadline=NOW, reserve_left=timedelta(minutes=1))
    assert "<@901>, your time and your reserve run out <t:" in (said := reminder(here, EN, [person(1)]))
    assert ":R>: [Big Two, table 3](" in said


def test_the_last_possible_hands_are_announced() -> None:
    match = replace(match_after(), seed=chain_seed("00" * 32))
    for hand, said in (
        (CHAIN_LENGTH - 10, "Hand 990"),
        (CHAIN_LENGTH - 9, "Hand 991 of 1000 at most"),
        (CHAIN_LENGTH, "Hand 1000 of 1000"),
    ):
        here = with_changes(scene(match, 1), hand=hand, rules=BigTwo())
        assert said in texts(board(here, EN))
    old = with_changes(scene(match_after(), 1), hand=CHAIN_LENGTH, rules=BigTwo())
    assert "at most" not in texts(board(old, EN))
