"""The screens of a table: within Discord's limits, in both languages, and nothing on them that must not be seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.rules.big_two import BigTwo, Options
from bot.rules.cards import Card, Cards, cards, pack
from bot.rules.game import Note, Pass, Play, Seat
from bot.rules.match import Match
from bot.show.board import board
from bot.show.faces import symbol
from bot.show.hand import hand
from bot.show.ids import Pick, Press, Verb, join
from bot.show.lobby import remove
from bot.show.notices import last_trick, leaving, ping, ready_ping, reminder, said
from bot.show.words import words
from bot.store.rows import Chair, Habits
from bot.table.scene import Scene
from tests.scenes import (
    CHAIRS,
    EMOJI,
    MESSAGE,
    NOW,
    NineHands,
    buttons,
    check_limits,
    custom_ids,
    every_voice,
    lobby,
    matches,
    scene,
    selects,
    texts,
)

POSITIONS = list(matches())
EN = words("en-US")
RULES = BigTwo(Options(deals=1, stake=1))
HANDS = (
    cards("3d 3c 4d 4c 5d 6d 8d 9h Th Jh Qh Kh 2s"),
    cards("3h 4h 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2c"),
    cards("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2h"),
    cards("5h 6h 7h 7d 8h 9d Td Jd Qd Kd Ad Ah 2d"),
)


def at(*actions: str) -> Match:
    """Return the match of HANDS after these plays, "-" for a pass; seat 0 begins."""
    match = Match(RULES, "seed", RULES.resume(HANDS, 3, cards("7h")[0]), 3)
    for each in actions:
        match = match.act(min(match.to_act), Pass() if each == "-" else Play(cards(each)))
    return match


def seen(match: Match, seat: int, chosen: str = "", **more: object) -> str:
    return texts(hand(scene(match, 5, seat), EN, where="Home", chosen=cards(chosen), **more))  # type: ignore[arg-type]


# Discord's limits


def test_every_board_of_a_match_keeps_to_the_limits() -> None:
    for match, steps in POSITIONS:
        for w in every_voice():
            check_limits(board(scene(match, len(steps)), w))
            check_limits(last_trick(scene(match, len(steps)), w))


def test_every_private_hand_of_a_match_keeps_to_the_limits() -> None:
    for match, steps in POSITIONS:
        for seat in range(4):
            here = scene(match, len(steps), seat)
            assert here.view is not None
            for w in every_voice():
                for chosen in ((), here.view.hand[:1], here.view.hand):
                    check_limits(hand(here, w, where="A *server*", chosen=chosen, habits=Habits(by_suit=bool(chosen))))


def test_lobbies_keep_to_the_limits() -> None:
    people = tuple(Chair(seat, 900 + seat, "W" * 100, house=False) for seat in range(9))
    for w in every_voice():
        for size in (0, 1, 8, 9):
            for here in (lobby(NineHands(), people[:size], stake=0, one_card_rule="none", deals=3),):
                check_limits(board(here, w))
                check_limits(remove(here, w))
        check_limits(board(replace(lobby(BigTwo(), ()), stage="closed", deadline=None), w))


def test_screens_of_those_who_have_no_cards_keep_to_the_limits() -> None:
    for w in every_voice():
        for here in (lobby(BigTwo(), CHAIRS), replace(lobby(BigTwo(), CHAIRS), seat=1), scene(at(), 0)):
            check_limits(hand(here, w, where="Here"))
        check_limits(leaving(scene(at(), 0, 1), w))
        check_limits(said("A sentence."))


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


def mentioned(text: str, card: Card) -> bool:
    """Whether a card can be read from the text, as a symbol, as an emoji or as a code."""
    name, number = EMOJI.emoji[str(card)]
    return f"`{symbol(card)}`" in text or f"<:{name}:{number}>" in text or f" {symbol(card)} " in text


def public(match: Match) -> set[Card]:
    """The cards everybody has seen: played, cut, and after the hand those left."""
    view = match.view(None)
    played = {
        card for trick in (*view.tricks, view.trick) for move in trick.moves if move.combo for card in move.combo.cards
    }
    left = {card for held in (view.result.left if view.result else ()) for card in held}
    return played | left | {dict(view.facts)["cut"]} | ({view.must} if view.must else set())


def test_the_board_shows_no_card_that_is_not_public() -> None:
    for match, steps in POSITIONS:
        hidden = set(pack()) - public(match)
        for w in every_voice():
            for view in (board(scene(match, len(steps)), w), last_trick(scene(match, len(steps)), w)):
                assert [card for card in hidden if mentioned(texts(view), card)] == []


def test_the_board_is_the_same_whoever_it_is_drawn_for() -> None:
    for match, steps in POSITIONS:
        drawn = {texts(board(scene(match, len(steps), seat), EN)) for seat in (None, 0, 1, 2, 3)}
        assert len(drawn) == 1


def test_no_button_of_the_board_carries_a_card() -> None:
    for match, steps in POSITIONS:
        for seat in (None, 2):
            addresses = [Press.read(each) for each in custom_ids(board(scene(match, len(steps), seat), EN))]
            assert addresses
            assert all((each.table, each.ply, each.cards) == (7, len(steps), ()) for each in addresses)


def test_a_private_hand_shows_the_cards_of_its_owner_and_what_is_public() -> None:
    for match, steps in POSITIONS:
        for seat in range(4):
            mine = set(match.view(seat).hand)
            hidden = set(pack()) - public(match) - mine
            read = texts(hand(scene(match, len(steps), seat), EN, where="Here"))
            assert [card for card in hidden if mentioned(read, card)] == []
            assert match.game.result or all(mentioned(read, card) for card in mine)


# The board


def test_the_board_tells_what_lies_there_and_whose_turn_it_is() -> None:
    read = texts(board(scene(at("3d", "4h", "-"), 3), EN))
    assert "## Big Two, table 3" in read
    assert "Hand 1 of 1" in read
    assert "**Ben\\_\\*the\\*\\_\\`Great\\`** played the 4 of hearts:\n## `4♡`" in read
    assert "Before that: Ann `3♢`" in read
    assert "Passed: 陈小姐" in read
    assert "👉 **House Dora 🤖** · 13 cards · 0 points" in read
    assert "**House Dora 🤖** to play; time is up <t:" in read
    assert "House Dora 🤖 dealt this hand. The cut showed `7♡`." in read


def test_a_last_card_is_shouted() -> None:
    match = at()
    one = replace(match.view(None), counts=(13, 1, 13, 13))
    read = texts(board(replace(scene(match, 0), view=one), EN))
    assert "· **1 card!** ·" in read


def test_what_cannot_be_done_on_the_board_is_greyed_out() -> None:
    fresh, later = (buttons(board(scene(match, 1), EN)) for match in (at(), at("3d", "-", "-", "-", "4d", "6c")))
    assert fresh[Verb.PASS].disabled
    assert fresh[Verb.LAST].disabled
    assert not later[Verb.PASS].disabled
    assert not later[Verb.LAST].disabled
    assert list(later) == [Verb.HAND, Verb.PASS, Verb.LAST, Verb.RULES, Verb.LEAVE]


def test_the_last_trick_is_told_move_by_move() -> None:
    read = texts(last_trick(scene(at("3d 3c", "-", "-", "-"), 4), EN))
    assert "Ann: a pair of 3s `3♢` `3♣\ufe0e`" in read
    assert "House Dora 🤖 passes" in read


def test_between_hands_everything_is_laid_open() -> None:
    match, steps = next((match, steps) for match, steps in POSITIONS if match.game.result and not match.over)
    view = board(scene(match, len(steps)), EN)
    read = texts(view)
    assert match.game.result is not None
    assert all(mentioned(read, card) for held in match.game.result.left for card in held)
    assert "**Cards left and points** (7.1)" in read
    assert "**Score so far**" in read
    assert "Waiting for Ann" in read
    assert match.number == 1
    assert list(buttons(view)) == [Verb.READY, Verb.HAND, Verb.RULES, Verb.LEAVE]


def test_the_settle_up_names_each_pair() -> None:
    match, steps = POSITIONS[-1]
    here = replace(scene(match, len(steps)), payments=((1, 0, 9), (2, 0, 20), (2, 1, 11)))
    read = texts(board(here, EN))
    assert "Ben\\_\\*the\\*\\_\\`Great\\` pays Ann 9\n陈小姐 pays Ann 20 and Ben\\_\\*the\\*\\_\\`Great\\` 11" in read


def test_the_end_names_the_winners() -> None:
    match, steps = POSITIONS[-1]
    here = scene(match, len(steps))
    one = texts(board(replace(here, places=(2, 1, 3, 3)), EN))
    two = texts(board(replace(here, places=(1, 1, 3, 3)), EN))
    assert "🥇 Ben\\_\\*the\\*\\_\\`Great\\` wins the match!" in one
    assert "🥇 Ann and Ben\\_\\*the\\*\\_\\`Great\\` share the match!" in two
    assert list(buttons(board(here, EN))) == [Verb.REMATCH, Verb.RULES]


def test_a_remark_about_the_hand_cites_its_article() -> None:
    match, steps = next((match, steps) for match, steps in POSITIONS if match.game.result)
    here = scene(match, len(steps))
    assert here.view is not None
    assert here.view.result is not None
    sentence = "{seat} could have stopped the last card and did not, and pays for all."
    noted = replace(here.view.result, notes=(Note("8.4", sentence, (("seat", Seat(0)),)),))
    read = texts(board(replace(here, view=replace(here.view, result=noted)), EN))
    assert "Ann could have stopped the last card and did not, and pays for all. (8.4)" in read


# The lobby


def test_the_lobby_says_what_is_played_and_who_sits_there() -> None:
    read = texts(board(lobby(BigTwo(Options(deals=3, stake=0)), CHAIRS[:2], stake=0, deals=3), EN))
    assert "Standard game · 3 hands · Live: 2 minutes a move\nno stake, for points only" in read
    assert "1\\. **Ann** (host)" in read
    assert "3\\. free\n4\\. free" in read
    assert "2 seats are still free." in read


def test_a_match_can_start_when_all_seats_are_taken() -> None:
    waiting, full = (buttons(board(lobby(BigTwo(), chairs), EN)) for chairs in (CHAIRS[:3], CHAIRS))
    assert waiting[Verb.START].disabled
    assert not full[Verb.START].disabled
    assert full[Verb.JOIN].disabled
    assert full[Verb.ADD].disabled


def test_the_host_can_send_anybody_away_but_themselves() -> None:
    view = remove(lobby(BigTwo(), CHAIRS), EN)
    assert [each.value for each in selects(view)[0].options] == ["1", "2", "3"]


# The private hand


def test_a_hand_names_its_server_and_table_and_leads_back() -> None:
    first = seen(at(), 0).splitlines()[0]
    assert first.startswith("-# **Home** · Big Two, table 3 · [to the table](https://discord.com/channels/")
    assert first.endswith(f"/{MESSAGE})")


def test_the_cards_are_sorted_as_their_owner_likes() -> None:
    by_rank = seen(at(), 0)
    by_suit = seen(at(), 0, habits=Habits(by_suit=True))
    assert "### `3♢` `3♣\ufe0e` `4♢` `4♣\ufe0e` `5♢`" in by_rank
    assert "### `3♢` `4♢` `5♢` `6♢` `8♢`\n### `3♣\ufe0e` `4♣\ufe0e`\n### `9♡`" in by_suit


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ("", "Pick the cards you want to play."),
        ("3d 3c", "✓ A pair of 3s `3♢` `3♣\ufe0e` can lead."),
        ("4d 4c", "✗ The first play of the hand has to contain `3♢`. (6.1)"),
        ("3d 4d", "✗ `3♢` `4♢` is no pair: a pair is two cards of one rank. (4.3)"),
        ("3d 4d 5d 6d 8d", "✓ A flush of diamonds `3♢` `4♢` `5♢` `6♢` `8♢` can lead."),
    ],
)
def test_the_choice_is_named_and_judged(chosen: str, said: str) -> None:
    assert said in seen(at(), 0, chosen)


def test_why_a_choice_does_not_beat_the_pile() -> None:
    match = at("3d 4d 5d 6d 8d", "-", "3s 4s 5s 6s 8s")
    assert "✓ A straight flush up to king" in seen(match, 3, "9d Td Jd Qd Kd")
    flush = "✗ A flush of diamonds `7♢` `9♢` `10♢` `J♢` `Q♢` does not beat a flush of spades"
    assert flush in (read := seen(match, 3, "7d 9d Td Jd Qd"))
    assert "the suit decides first, then the highest card. (4.10)" in read
    lower = seen(at("3d", "4h", "-", "2d"), 0, "Kh")
    assert "✗ `K♡` does not beat `2♢`: the rank decides, then the suit. (4.2)" in lower


def test_what_could_be_played_is_said_before_ones_turn() -> None:
    match = at("3d")
    assert "`3♠\ufe0e` would go on this pile. Wait for Ben" in seen(match, 2, "3s")
    assert "✗ `3♢` lies there, so it takes as many cards: 1, not 2. (4.15)" in seen(match, 3, "7h 7d")
    assert buttons(hand(scene(match, 1, 2), EN, where="", chosen=cards("3s")))[Verb.PLAY].disabled


def test_play_is_offered_only_for_what_can_be_played_now() -> None:
    def play(chosen: str) -> tuple[str | None, bool]:
        button = buttons(hand(scene(at(), 0, 0), EN, where="", chosen=cards(chosen)))[Verb.PLAY]
        return button.label, button.disabled

    assert play("3d 3c") == ("Play a pair of 3s", False)
    assert play("4d 4c") == ("Play", True)
    assert play("") == ("Play", True)


def test_the_buttons_of_a_hand_carry_the_choice() -> None:
    view = hand(scene(at(), 9, 0), EN, where="", chosen=cards("3c 3d"))
    for button in buttons(view).values():
        address = Press.read(str(button.custom_id))
        assert (address.table, address.ply, address.cards) == (7, 9, cards("3d 3c"))


def test_cards_that_are_no_longer_held_drop_out_of_the_choice() -> None:
    view = hand(scene(at(), 9, 0), EN, where="", chosen=cards("As 3d 3d"))
    assert Press.read(str(buttons(view)[Verb.PLAY].custom_id)).cards == cards("3d")


def test_the_chosen_cards_are_marked_in_the_select() -> None:
    pick = selects(hand(scene(at(), 9, 0), EN, where="", chosen=cards("3c 9h")))[0]
    assert [each.value for each in pick.options if each.default] == ["3c", "9h"]
    assert (pick.min_values, pick.max_values, len(pick.options)) == (0, 13, 13)


def big_hand(held: Cards, chosen: Cards) -> Scene:
    """A hand as large as the larger games deal."""
    here = scene(at(), 9, 0)
    assert here.view is not None
    return replace(here, view=replace(here.view, hand=held, counts=(len(held), 13, 13, 13)))


def test_a_hand_over_25_cards_has_several_selects_that_know_of_each_other() -> None:
    held = RULES.sort(pack()[:30])
    chosen = (held[0], held[29])
    view = hand(big_hand(held, chosen), words("en", EMOJI), where="", chosen=chosen)
    check_limits(view)
    first, second = selects(view)[:2]
    assert (len(first.options), len(second.options)) == (25, 5)
    assert Pick.read(str(first.custom_id)).chosen([str(held[1])]) == (held[29], held[1])
    assert Pick.read(str(second.custom_id)).chosen([]) == (held[0],)


def test_a_few_legal_plays_are_listed_weakest_first() -> None:
    match = at("3d", "4h", "-", "Ad")
    listed = selects(hand(scene(match, 4, 0), EN, where=""))[1]
    assert [each.value for each in listed.options] == ["2s"]
    assert listed.options[0].description == "the 2 of spades"
    many = selects(hand(scene(at("3d", "-", "-", "-"), 4, 0), EN, where=""))
    assert len(many) == 1 or len(many[1].options) <= 25


def test_listed_plays_hold_the_cards_of_each_play() -> None:
    here = scene(at(), 0, 0)
    assert here.view is not None
    options = selects(hand(here, EN, where=""))[1].options
    assert [each.value for each in options] == [join(play.cards) for play in here.view.plays]


def test_whoever_can_only_pass_is_told_so() -> None:
    match = at("3d", "4h", "-", "2d")
    read = seen(match.act(0, Play(cards("2s"))), 1)
    assert "Nothing you hold beats this, so all you can do is pass." in read


def test_the_pass_button_knows_who_leads() -> None:
    lead, follow = (buttons(hand(scene(match, 0, seat), EN, where="")) for match, seat in ((at(), 0), (at("3d"), 1)))
    assert lead[Verb.PASS].disabled
    assert not follow[Verb.PASS].disabled


def test_a_notice_comes_before_the_hand() -> None:
    assert seen(at(), 0, notice="Too late, sorry.").splitlines()[1] == "Too late, sorry."


def test_between_hands_the_private_hand_asks_whether_one_is_ready() -> None:
    match, steps = next((match, steps) for match, steps in POSITIONS if match.game.result and not match.over)
    here = scene(match, len(steps), 1)
    assert not buttons(hand(here, EN, where=""))[Verb.READY].disabled
    waiting = hand(replace(here, awaited=frozenset({0, 2})), EN, where="")
    assert buttons(waiting)[Verb.READY].disabled
    assert "You are ready. Waiting for Ann and 陈小姐." in texts(waiting)


def test_whoever_has_left_can_take_the_seat_back() -> None:
    here = replace(scene(at(), 0, 0), chairs=(replace(CHAIRS[0], house=True), *CHAIRS[1:]))
    assert Verb.BACK in buttons(hand(here, EN, where=""))
    assert Verb.BACK not in buttons(hand(scene(at(), 0, 0), EN, where=""))


# Short messages


def test_a_ping_says_which_game_and_leads_there() -> None:
    here = scene(at(), 0)
    assert ping(here, EN, [901]).startswith("<@901>, it is your turn: [Big Two, table 3](https://discord.com/channels/")
    assert ping(here, words("zh-CN"), [901, 902]).startswith("<@901>和<@902>，轮到你了：[锄大地 · 3 号桌](")
    assert ready_ping(here, EN, [901]).startswith("<@901>, the next hand waits for you: [Big Two, table 3](")


def test_a_reminder_says_when_the_time_is_up() -> None:
    here = scene(at(), 0)
    assert f"your time is up <t:{int(NOW.timestamp()) + 1800}:R>: [Big Two, table 3](" in reminder(here, EN, [901])
    assert reminder(replace(here, deadline=None), EN, [901]) == ping(here, EN, [901])
