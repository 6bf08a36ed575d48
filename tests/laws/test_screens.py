"""Laws of the screens of every game: selections made on one screen are read for that screen."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from discord import ui

from bot.domain.chairs import Chair
from bot.games import GAMES
from bot.rules.core.asks import GiveAsk, NameAsk, Play
from bot.rules.core.cards import Cards
from bot.rules.core.premoves import ENDED_BY_EVENTS, can_create
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.scene import Scene
from bot.show.hand.hand import PLAIN_HABITS, expired_panel, hand
from bot.show.hand.panel import PanelTab, hand_menu, panel, visible_tab
from bot.show.hand.premoves import LIMIT_OPTION, OR_ELSE_OPTION, can_queue
from bot.show.kit.card_symbols import symbol
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.open_menus import NO_MENUS, Menus, menus_of_view
from bot.show.kit.words import Words, words
from bot.show.table.notices import last_trick
from tests.golden.play import golden_path
from tests.laws.matches import PlayedMatch, some
from tests.laws.premove_matches import some_order
from tests.support import scenes
from tests.support.scenes import (
    EMOJI,
    EN,
    NOW,
    check_limits,
    custom_ids,
    drawn_view,
    person,
    selects,
    texts,
    with_changes,
)

MANY = 150  # positions of a match
ASKED = 0.15  # of the seats in each, what can be said of its trick
OPEN = 0.03  # of the questions that are still open are looked at again
REDRAWS = 8  # of one panel, one after the other
PICKING = ("card", "pick", "suit")
OF_A_TRICK = (*ENDED_BY_EVENTS, OR_ELSE_OPTION, LIMIT_OPTION)
pytestmark = pytest.mark.rotates(3)


@pytest.fixture
def life(matches: list[PlayedMatch]) -> PlayedMatch:
    """A match of a preset in which some options are changed."""
    return matches[1]


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Dice of a law, for what it looks at."""
    return random.Random(request.node.name)


def seen(match: Match, seat: int) -> Scene:
    """Return a table of people from one viewer's perspective."""
    chairs = tuple(Chair(each, person(each), f"P{each}") for each in range(match.rules.players))
    return scenes.scene(match, match.moment, seat, chairs=chairs)


def test_no_custom_id_selects_a_card_for_two_questions(matches: list[PlayedMatch], rng: random.Random) -> None:
    for life in matches:
        check_questions(life.positions, rng)


@pytest.mark.rotates(1)
@pytest.mark.parametrize("name", ["a_bao.standard", "a_bao.three", "big_little_a.named_jokers", "big_two.three_player"])
def test_no_custom_id_is_shared_by_successive_questions(name: str, rng: random.Random) -> None:
    """Cards are called for and given, and jokers are named, which is rare by chance."""
    record = Record.from_json(golden_path(*name.split(".")).read_text(encoding="utf-8"), GAMES)
    assert check_questions(record.positions(), rng)


def check_questions(found: Iterable[Match], rng: random.Random) -> int:
    """Look at each new question, and now and then at one that is still open; return how many cards were asked for."""
    asked_for, latest = dict[tuple[int, int, str], object](), dict[tuple[int, int], object]()
    for match in found:
        for seat in range(match.rules.players if match.game.result is None else 0):
            ask = match.view(seat).ask
            question = ask if isinstance(ask, GiveAsk | NameAsk) else None
            if latest.get((match.deal, seat), ...) != question or rng.random() < OPEN:
                latest[match.deal, seat] = question
                for address in picking(match, seat):
                    assert asked_for.setdefault((match.deal, seat, address), question) == question, address
    return sum(question is not None for question in asked_for.values())


def picking(match: Match, seat: int) -> list[str]:
    """Return the addresses at which cards are picked in a hand."""
    addresses = custom_ids(hand(seen(match, seat), EN, where="Home"))
    return [address for address in addresses if address.split(":")[2] in PICKING]


# Orders for a trick


def said_of_a_trick(here: Scene, chosen: Cards) -> Iterator[str]:
    """Yield the addresses and the values by which something is said of the trick that is played."""
    for item in drawn_view(hand(here, EN, where="Home", chosen=chosen)).walk_children():
        if isinstance(item, ui.Button) and not item.disabled and f":{Verb.QUEUE_PREMOVE}:" in str(item.custom_id):
            yield str(item.custom_id)
    for menu in selects(hand_menu(here, EN, chosen=chosen)):
        if f":{Verb.PREMOVE_MENU}:" in menu.custom_id:
            yield from (each.value for each in menu.options if each.value.split()[0] in OF_A_TRICK)


def test_no_premove_custom_id_is_valid_for_two_tricks(life: PlayedMatch, rng: random.Random) -> None:
    tricks = dict[tuple[int, int, str], int]()
    number, lay, said = 0, False, 0
    for match in life.hands(2)[:MANY]:
        lies = match.view(None).trick.top is not None
        number, lay = number + (lies and not lay), lies
        for seat in some(range(match.rules.players if match.game.result is None else 0), rng, ASKED):
            here = seen(match, seat)
            for what in said_of_a_trick(here, here.view.hand[:1] if here.view else ()):
                said += lies
                assert tricks.setdefault((match.deal, seat, what), number) == number or not lies, what
            assert not (here.view and here.view.is_out_of_trick and [*said_of_a_trick(here, here.view.hand[:1])])
    assert said


# The last trick


def test_2_1_the_last_trick_shown_at_the_end_is_the_final_one(life: PlayedMatch) -> None:
    ended = 0
    laid: Cards = ()
    for (match, after), (seat, action) in zip(pairwise(life.hands(2)), life.record.steps, strict=False):
        laid = action.cards if isinstance(action, Play) else laid
        if after.game.result and not match.game.result:
            ended += 1
            here = seen(after, seat)
            for screen in (last_trick(here, EN), hand_menu(here, EN)):
                assert all(symbol(card) in texts(screen) for card in laid)
    assert ended


def test_2_1_a_hand_that_ended_without_a_trick_says_so() -> None:
    """Seat 2 is dealt thirteen ranks, which ends the hand at once."""
    match = Match.start(GAMES["big_two"].rules("hong_kong"), "1895")
    assert match.game.result
    assert not match.view(None).ended_tricks
    assert "This hand ended before any trick was played." in texts(last_trick(seen(match, 0), EN))


# Menus that may be open


def redrawn(tab: PanelTab, here: Scene, before: Menus, w: Words) -> PrivateScreen:
    """Return a panel as the bot redraws it by itself."""
    view = here.view
    return panel(
        tab,
        here,
        w,
        where="A *server*",
        preferences=PLAIN_HABITS,
        chosen=view.hand[:1] if view else (),
        tapped=frozenset(),
        desk=False,
        menus=before,
    )


def menus_of(screen: PrivateScreen) -> Menus:
    return menus_of_view(screen.secret)


def check_kept(screen: PrivateScreen, before: Menus, here: Scene) -> None:
    """Fail where a menu has gone, or does not lead back last of all; or where Discord would refuse the message."""
    check_limits(screen)
    assert before.keys() <= menus_of(screen).keys()
    way_back = str(Press(here.where.table, Verb.REFRESH))
    for menu in selects(screen):
        if menu.custom_id in before:
            assert menu.options[-1].value == way_back
            assert [each.value for each in menu.options].count(way_back) == 1


def test_no_redraw_removes_an_open_menu(life: PlayedMatch, rng: random.Random) -> None:
    matches = life.hands(2)[:MANY]
    for w in (EN, words("zh-TW", EMOJI)):
        for first in (PanelTab.HAND, PanelTab.MENU):
            tab = first
            begin, seat = rng.randrange(len(matches)), rng.randrange(matches[0].rules.players)
            screen = redrawn(tab, seen(matches[begin], seat), NO_MENUS, w)
            for number in sorted(rng.choices(range(begin, len(matches)), k=REDRAWS)):
                here, before = ordering(seen(matches[number], seat), rng), menus_of(screen)
                for halted in (with_changes(here, paused=NOW), with_changes(here, stage="over")):
                    check_kept(redrawn(tab, halted, before, w), before, here)
                check_kept(expired_panel(here, w, where="Home", menus=before), before, here)
                screen, tab = redrawn(tab, here, before, w), visible_tab(tab, here)
                check_kept(screen, before, here)


def ordering(here: Scene, rng: random.Random) -> Scene:
    """Return a scene in which its viewer has queued a premove, if possible."""
    view = here.view
    if view is None or here.stage != "playing":
        return here
    order = some_order(view, rng)
    return replace(here, premoves=(order,)) if order and can_queue(here) and can_create(order, view) else here
