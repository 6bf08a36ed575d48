"""What one person sees of a table: own cards only, the selection, and possible actions."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from itertools import islice
from typing import Any

import pytest
from discord import ButtonStyle, ui

from bot.domain.preferences import Preferences
from bot.games import GAMES
from bot.rules.big_two import BigTwo
from bot.rules.core.asks import Play
from bot.rules.core.cards import Cards, cards, pack
from bot.rules.core.premoves import END_SENTENCES, Premove, PremoveKind, new_premove
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.scene import Scene
from bot.show.hand.hand import STATUS_LINES, hand
from bot.show.hand.panel import hand_menu
from bot.show.hand.selection import CardSelection, repicked
from bot.show.kit.card_codes import join
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import EMPTY_LINE, wrapped
from bot.show.kit.play_names import THIN_SPACE
from bot.show.kit.row_width import NARROW
from bot.show.kit.small_print import small_lines, small_width
from bot.show.kit.words import MessageText, Words, words
from bot.show.table.board import board
from bot.show.table.notices import leaving
from tests.golden.play import golden_path
from tests.support.languages import CODES, ELLIPSIS
from tests.support.law_settings import is_thorough
from tests.support.scenes import (
    CHAIRS,
    EMOJI,
    EN,
    MESSAGE,
    NOW,
    POSITIONS,
    RULES,
    Screen,
    buttons,
    check_limits,
    drawn_view,
    is_mentioned,
    lobby,
    match_after,
    persons_on_seats,
    public_cards,
    scene,
    selects,
    texts,
    with_changes,
    words_of_every_language,
)


def seen(match: Match, seat: int, chosen: str = "", **more: object) -> str:
    return texts(hand(scene(match, 5, seat), EN, where="Home", chosen=cards(chosen), **more))  # type: ignore[arg-type]


def pressed(view: Screen, verb: Verb = Verb.CARD) -> list[ui.Button[Any]]:
    """Return the buttons of one kind."""
    there = (item for item in drawn_view(view).walk_children() if isinstance(item, ui.Button))
    return [item for item in there if Press.read(str(item.custom_id)).verb is verb]


def labels(view: Screen, verb: Verb) -> list[str]:
    """Return what the buttons of one kind say."""
    return [item.label or "" for item in pressed(view, verb)]


def blue(view: Screen) -> list[str]:
    """Return the cards that are shown as picked."""
    picked = (item for item in pressed(view) if item.style is ButtonStyle.primary)
    return [str(RULES.pack[Press.read(str(item.custom_id)).part]) for item in picked]


@pytest.mark.rotates(5)
@pytest.mark.parametrize("part", range(5))
def test_every_private_hand_of_a_match_keeps_within_limits(part: int) -> None:
    for number, (match, steps) in islice(enumerate(POSITIONS), part, None, 5):
        for seat in range(4):
            here = scene(match, len(steps), seat)
            assert here.view is not None
            picks = ((), here.view.hand[:1], here.view.hand)
            for voice, w in enumerate(words_of_every_language()):
                turn = (number + seat + voice) % 3  # so that every voice says each in turn, and with each seat
                for chosen in picks if is_thorough() else picks[turn : turn + 1]:
                    check_limits(
                        hand(here, w, where="A *server*", chosen=chosen, preferences=Preferences(by_suit=bool(chosen)))
                    )


def test_screens_of_users_without_cards_keep_within_limits() -> None:
    waiting = lobby(BigTwo(), CHAIRS)
    seated = Scene(**{field.name: getattr(waiting, field.name) for field in fields(Scene)} | {"viewer": 901, "seat": 1})
    for w in words_of_every_language():
        for here in (waiting, seated, scene(match_after(), 0)):
            check_limits(hand(here, w, where="Here"))
        check_limits(leaving(scene(match_after(), 0, 1), w))


@pytest.mark.rotates(3)
@pytest.mark.parametrize("part", range(3))
def test_a_private_hand_shows_own_cards_and_public_facts(part: int) -> None:
    for match, steps in POSITIONS[part::3]:
        for seat in range(4):
            mine = set(match.view(seat).hand)
            hidden = set(pack()) - public_cards(match) - mine
            read = texts(hand(scene(match, len(steps), seat), EN, where="Here"))
            assert [card for card in hidden if is_mentioned(read, card)] == []
            assert match.game.result or all(is_mentioned(read, card) for card in mine)


def test_a_hand_names_and_links_its_server_and_table() -> None:
    first = seen(match_after(), 0).splitlines()[0]
    assert first.startswith("-# [Big Two, table 3](https://discord.com/channels/")
    assert first.endswith(f"/{MESSAGE}) · Home")


def test_cards_are_sorted_by_the_owners_preference() -> None:
    by_rank = seen(match_after(), 0)
    by_suit = seen(match_after(), 0, preferences=Preferences(by_suit=True))
    assert "3♢\n3♣\ufe0e\n4♢\n4♣\ufe0e\n5♢\n" in by_rank
    assert "3♢\n4♢\n5♢\n6♢\n8♢\n3♣\ufe0e\n4♣\ufe0e\n9♡" in by_suit


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ("", "Pick the cards you want to play. Sorted from low to high."),
        ("3d 3c", "✓ You can lead a pair of 3s."),
        ("4d 4c", "✗ A pair of 4s: The first play of the hand must include 3♢."),
        ("3d 4d", "2 of 5 for a straight up to 6."),
        ("3d 9h", "✗ 3♢ 9♡ isn't a pair. A pair is two cards of the same rank."),
        ("3d 4d 5d 6d 8d", "✓ You can lead a flush of diamonds."),
    ],
)
def test_the_selection_is_named_and_judged_in_a_fixed_number_of_lines(chosen: str, said: str) -> None:
    told = status(seen(match_after(), 0, chosen))
    assert " ".join(told).rstrip("\u200b ") == said
    assert len(told) == STATUS_LINES, "nothing moves from the first tap to the play"
    assert all(small_width(line) <= NARROW for line in told)


def status(read: str) -> list[str]:
    """Return the lines between the cards and the controls."""
    return [line.removeprefix("-# ") for line in read.splitlines() if line.startswith("-# ")][-STATUS_LINES:]


def test_the_reason_why_a_selection_does_not_beat_is_shown() -> None:
    match = match_after("3d 4d 5d 6d 8d", "-", "3s 4s 5s 6s 8s")
    assert "✓ A straight flush up to king" in seen(match, 3, "9d Td Jd Qd Kd")
    flush = "✗ A flush of diamonds doesn't beat a flush of spades: suit comes first here, then the highest card."
    assert " ".join(status(seen(match, 3, "7d 9d Td Jd Qd"))).startswith(flush)
    lower = seen(match_after("3d", "4h", "-", "2d"), 0, "Kh")
    assert "✗ K♡ doesn't beat 2♢: rank decides, then suit." in " ".join(status(lower))


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_no_reason_is_truncated(name: str, language: str) -> None:
    """Whatever is picked, the verdict is whole, and on one's turn it keeps to the lines that are kept free."""
    record = Record.from_json(golden_path(name, next(iter(GAMES[name].presets))).read_text(), GAMES)
    rng, w = random.Random(name), words(language)
    seen = 0
    share = slice(None) if is_thorough() else slice(CODES.index(language), None, len(CODES))  # a third each
    for moment, match in list(enumerate(record.positions()))[share]:
        for seat in match.awaited if match.game.result is None else ():
            here = scene(match, moment, seat, chairs=persons_on_seats(match))
            assert here.view
            held = here.view.hand
            for chosen in (held[:1], *(tuple(rng.sample(held, min(size, len(held)))) for size in range(1, 7))):
                lines = judged(here, w, chosen)
                assert not any(line.endswith(ELLIPSIS) for line in lines), lines
                assert len(lines) <= STATUS_LINES, lines
                seen += 1
    assert seen


def judged(here: Scene, w: Words, chosen: Cards) -> list[str]:
    """Return the lines of the verdict on picked cards, without those kept free."""
    items = list(drawn_view(hand(here, w, where="", chosen=chosen)).walk_children())
    texts = [item.content for item in items if isinstance(item, ui.TextDisplay)]
    return [line.removeprefix("-# ") for line in texts[-1].splitlines() if EMPTY_LINE not in line]


def test_a_hand_with_all_premoves_keeps_within_limits() -> None:
    for number, (match, steps) in enumerate(POSITIONS[::9]):
        view = match.view(number % 4)
        several = (
            new_premove(view, "list", view.hand[:1], view.hand[:5]),
            new_premove(view, "until"),
            new_premove(view, "lead", view.hand[:5]),
            Premove("off", plays=((),), upto=1, code="two"),
        )
        here = replace(scene(match, len(steps), number % 4), premoves=several)
        for w in words_of_every_language():
            check_limits(hand(here, w, where="A *server*"))
            check_limits(hand_menu(here, w, chosen=view.hand[:1]))


@pytest.mark.parametrize("language", CODES)
def test_the_reason_for_an_ended_premove_is_shown_in_full(language: str) -> None:
    w = words(language).for_narrow_lines()
    for reason in END_SENTENCES.values():
        why = w(reason, seat=MessageText("W" * 12), cards=cards("5d 5c 5h 5s"))
        for head in ("⏸ Your call after all: {why}", "⏸ Your call: {why}"):
            assert len(small_lines(w(head, why=why))) <= STATUS_LINES, reason


def test_a_line_of_chinese_is_filled_and_begins_with_no_full_stop() -> None:
    assert wrapped("⏸ 還是要你自己決定：張數變了。", 20, 2) == ["⏸ 還是要你自己決定：", "張數變了。"]
    assert wrapped("⏸ 還是要你自己決定。張數變了。", 18, 2) == ["⏸ 還是要你自己決", "定。張數變了。"]


def test_a_selection_is_judged_before_the_turn() -> None:
    match = match_after("3d")
    assert "3♠\ufe0e beats this. Waiting for\n-# Ben" in seen(match, 2, "3s")
    assert "✗ A pair of 7s doesn't beat 3♢:\n-# this trick takes 1 card, not 2." in seen(match, 3, "7h 7d")
    ahead = hand(scene(match, 1, 2), EN, where="", chosen=cards("3s"))
    assert labels(ahead, Verb.QUEUE_PREMOVE) == ["Queue pass", "Queue 3♠\ufe0e"]


@pytest.mark.parametrize("language", CODES)
def test_before_the_turn_the_buttons_are_explained(language: str) -> None:
    w = words(language)
    explained = "Tap Queue pass to sit out this trick, or pick cards to queue a play."
    again = "You passed, but you're asked again if someone plays. Tap Queue pass to sit out this trick."
    passed = scene(match_after("3d", "-"), 1, 1)
    assert passed.view
    for here, said in (
        (scene(match_after("3d"), 1, 2), w(explained)),
        (passed, w(again)),
        (replace(passed, view=replace(passed.view, is_out_of_trick=True)), w("You're out of this trick.")),
        (scene(match_after(), 1, 2), w("You can queue a play once someone leads.")),
    ):
        lines = judged(here, w, ())
        assert lines == small_lines(said)
        assert len(lines) <= STATUS_LINES
    label = labels(hand(scene(match_after("3d"), 1, 2), w, where=""), Verb.QUEUE_PREMOVE)[0]
    assert label == w("Queue pass")
    assert label in w(explained)
    assert label in w(again)


def test_the_play_button_is_enabled_only_for_legal_selections() -> None:
    def play(chosen: str) -> tuple[str | None, bool]:
        shown = buttons(hand(scene(match_after(), 0, 0), EN, where="", chosen=cards(chosen)))
        button = shown.get(Verb.PLAY) or shown[Verb.WHY]
        return button.label, button.disabled

    assert play("3d 3c") == (f"Play 3{THIN_SPACE}3", False)
    assert play("3d") == ("Play 3♢", False)
    assert play("3d 4d 5d 6d 8d") == ("Play", False), "the name does not fit beside the other buttons"
    assert play("4d 4c") == ("Why not?", False), "the same button tells why"
    assert play("3d 4d") == ("Play", True), "half-way is not wrong"
    assert play("") == ("Play", True)


def test_only_deciding_buttons_carry_the_moment_and_none_the_selection() -> None:
    for chosen in ("3c 3d", ""):
        view = hand(scene(match_after(), 9, 0), EN, where="", chosen=cards(chosen))
        addresses = [Press.read(str(button.custom_id)) for button in buttons(view).values()]
        assert {(each.table, each.cards) for each in addresses} == {(7, None)}
        assert {each.verb for each in addresses if each.at == 9} == {Verb.PLAY, Verb.OFFER, Verb.PASS}
        assert {each.verb for each in addresses if each.at is None} == {Verb.HINT, Verb.MORE}
        assert {each.at for each in addresses if each.verb is Verb.CARD} == {1}


def test_cards_no_longer_held_leave_the_selection() -> None:
    assert blue(hand(scene(match_after(), 9, 0), EN, where="", chosen=cards("As 3d 3d"))) == ["3d"]


def test_the_chosen_cards_are_blue_and_underlined() -> None:
    view = hand(scene(match_after(), 9, 0), EN, where="", chosen=cards("3c 9h"))
    assert blue(view) == ["3c", "9h"]
    assert [label.count("\u0332") for label in labels(view, Verb.CARD)].count(0) == 11


def test_the_chosen_cards_have_faces_of_their_own() -> None:
    view = hand(scene(match_after(), 9, 0), words("en", EMOJI), where="", chosen=cards("3c 9h"))
    faces = [item.emoji.name for item in pressed(view) if item.emoji]
    assert [name for name in faces if name.endswith("_up")] == ["bg1_3c_up", "bg1_9h_up"]
    assert len(faces) == 13


def big_hand(held: Cards, chosen: Cards) -> Scene:
    """A hand as large as the larger games deal."""
    here = scene(match_after(), 9, 0)
    assert here.view is not None
    return replace(here, view=replace(here.view, hand=held, counts=(len(held), 13, 13, 13)))


def test_a_hand_over_25_cards_has_several_linked_selects() -> None:
    held = RULES.sort(pack()[:30])
    chosen = (held[0], held[29])
    view = hand(big_hand(held, chosen), words("en", EMOJI), where="", chosen=chosen)
    check_limits(view)
    first, second = selects(view)[:2]
    assert (len(first.options), len(second.options)) == (22, 8)
    assert [first.custom_id, second.custom_id] == ["bg:7:pick:1", "bg:7:pick:1.1"]
    here = big_hand(held, chosen)
    assert here.view
    choice = CardSelection.of(here.view, chosen, Preferences())
    assert repicked(choice, 0, [str(held[1])]) == (held[29], held[1])
    assert repicked(choice, 1, []) == (held[0],)


def test_a_few_legal_plays_are_listed_weakest_first() -> None:
    assert labels(hand(scene(match_after("3d", "4h", "-", "Ad"), 4, 0), EN, where=""), Verb.OFFER) == ["2♠︎"]
    listed, *_ = selects(hand_menu(scene(match_after("3d"), 4, 1), EN))
    assert listed.options[0].value == "3h"
    assert listed.options[0].description == "the 3 of hearts"


def test_listed_plays_hold_the_cards_of_each_play() -> None:
    here = scene(match_after(), 0, 0)
    assert here.view is not None
    options = selects(hand_menu(here, EN))[0].options
    assert [each.value for each in options] == [join(play.cards) for play in here.view.plays]


def test_a_player_who_can_only_pass_is_told_so() -> None:
    match = match_after("3d", "4h", "-", "2d")
    read = seen(match.act(0, Play(cards("2s"))), 1)
    assert "Pass (can't beat it)" in read


def test_the_pass_button_knows_who_leads() -> None:
    lead, follow = (
        buttons(hand(scene(match, 0, seat), EN, where=""))
        for match, seat in ((match_after(), 0), (match_after("3d"), 1))
    )
    assert lead[Verb.PASS].disabled
    assert not follow[Verb.PASS].disabled


def test_a_notice_replaces_the_verdict_on_the_selection() -> None:
    assert "-# Too late, sorry." in seen(match_after(), 0, notice="Too late, sorry.").splitlines()


def test_a_notice_takes_as_many_lines_as_a_verdict_and_keeps_its_emoji() -> None:
    w = words("en-US", EMOJI)
    held = cards("3d 3c 4d 4c 5d")
    for notice in ("Hint.", w("Hint: {cards} or {more}, which beats all that they may hold.", cards=held, more=held)):
        lines = status(texts(hand(scene(match_after(), 5, 0), w, where="", notice=notice)))
        assert len(lines) == STATUS_LINES
        assert " ".join(lines).rstrip("\u200b ") == notice


@pytest.mark.parametrize("count", range(1, 27))
def test_a_hand_of_any_size_keeps_to_the_40_components(count: int) -> None:
    """What gives way first are plays that stand ready, then the buttons of the cards."""
    here = big_hand(pack()[:count], ())
    view = hand(here, EN, where="Home")
    check_limits(view)
    tapped, ready = len(labels(view, Verb.CARD)), len(labels(view, Verb.OFFER))
    assert tapped == (count if count <= 25 else 0)
    assert ready <= (25 - count if tapped in (22, 23) else 1 if tapped == 25 else 4)
    assert bool(selects(view)) == (not tapped)


def test_between_hands_the_private_hand_offers_ready() -> None:
    match, steps = next((match, steps) for match, steps in POSITIONS if match.game.result and not match.over)
    here = scene(match, len(steps), 1)
    assert not buttons(hand(here, EN, where=""))[Verb.READY].disabled
    waiting = hand(with_changes(here, awaited=frozenset({0, 2})), EN, where="")
    assert buttons(waiting)[Verb.READY].disabled
    assert "You're ready. Waiting for Ann and 陈小姐." in texts(waiting)


def test_a_player_who_left_can_take_the_seat_back() -> None:
    here = replace(scene(match_after(), 0, 0), chairs=(replace(CHAIRS[0], house=True), *CHAIRS[1:]))
    assert Verb.BACK in buttons(hand(here, EN, where=""))
    assert Verb.BACK not in buttons(hand(scene(match_after(), 0, 0), EN, where=""))


def test_a_deserted_table_announces_no_turn_or_deal() -> None:
    gone = tuple(replace(chair, house=True, away="left") for chair in CHAIRS)
    between = next(match for match, _ in POSITIONS if match.game.result and not match.over)
    for match in (match_after("3d"), between):
        for screen in (
            board(with_changes(scene(match, 1, chairs=gone), deadline=NOW), EN),
            hand(with_changes(scene(match, 1, 1, chairs=gone), deadline=NOW), EN, where=""),
        ):
            read = texts(screen)
            assert "If nobody comes back, it ends" in read
            assert not any(promise in read for promise in ("'s turn · ", "Your turn", "Next hand", "Waiting for"))


def test_between_hands_a_paused_table_awaits_no_player() -> None:
    match = next(match for match, _ in POSITIONS if match.game.result and not match.over)
    read = texts(hand(with_changes(scene(match, 1, 1), paused=NOW), EN, where=""))
    assert "⏸ Paused by a moderator" in read
    assert "Waiting for" not in read


@pytest.mark.parametrize(
    ("kind", "plays", "said"),
    [
        ("pass", (), "You'll pass until this trick ends."),
        ("list", ("7h",), "On your turn: 7♡ if that still beats it, otherwise pass."),
        ("list", ("4h", "Jc"), "On your turn, the first of these that works, otherwise pass: 4♡, J♣︎."),
        ("beat", ("8h",), "On your turn: the lowest play that beats it, up to 8♡, otherwise pass."),
        ("if", ("3d", "4h"), "On your turn: 4♡, unless the play to beat is higher than 3♢."),
        ("until", (), "You'll pass until someone plays a bomb or a different number of cards."),
        ("lead", ("Jc Jh",), "If you win the trick, you'll lead J♣︎ J♡."),
    ],
)
def test_a_queued_play_is_shown_in_the_hand(kind: PremoveKind, plays: tuple[str, ...], said: str) -> None:
    match = match_after("3d")
    queued = new_premove(match.view(2), kind, *map(cards, plays))
    read = texts(hand(replace(scene(match, 1, 2), premoves=(queued,)), EN, where=""))
    assert said in read.replace("`", "").replace("\n-# ", " ")


def test_the_reason_for_an_ended_premove_is_shown_in_the_hand() -> None:
    ended = Premove("off", plays=((),), code="higher")
    for match, head in ((match_after("3d"), "⏸ Your call: "), (match_after("3d", "4h"), "⏸ Your call after all: ")):
        read = texts(hand(replace(scene(match, 1, 2), premoves=(ended,)), EN, where=""))
        assert f"{head}The play to beat is higher than your limit." in read.replace("\n-# ", " ")
