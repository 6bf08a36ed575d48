"""Names people choose: harmless on every screen, told apart, and whole in every script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest
from discord import ui
from hypothesis import example, given
from hypothesis import strategies as st

from bot.club.saved_rules import current_rules
from bot.domain.chairs import Chair, Revision
from bot.domain.house_rules import ChannelDefault, HouseRules, Owner
from bot.domain.ids import TableId, UserId
from bot.domain.names import MAX_NAME_LENGTH, NAMELESS, clean, distinct_name, lookalike_keys
from bot.domain.pace import RELAXED
from bot.domain.preferences import Preferences
from bot.domain.results import FinishedMatch, MatchOutcome, SeatResult
from bot.domain.server_settings import ServerSettings
from bot.games import GAMES
from bot.rules.big_two import BigTwo, Options
from bot.rules.matches.record import Record
from bot.show.hand.desk import desk
from bot.show.hand.hand import hand
from bot.show.kit.layout import Accent, screen
from bot.show.kit.words import Words, escaped, unmarked, words
from bot.show.lobby import options
from bot.show.lobby.menu import remove
from bot.show.rulebook.house_rules import default, listed, shown
from bot.show.server.settings import server
from bot.show.table.board import board
from bot.show.table.match_list import history
from bot.show.table.notices import last_trick, leaving, left, ping, reminder, stopping
from bot.show.table.rule_card import terms
from bot.show.translation.reserved import reserved
from bot.table.core.chairs import HOUSE_NAMES, unique_name, with_house_player
from bot.table.core.clock_rules import KEPT_WARM
from bot.table.core.seats import BACK, LEFT
from tests.support.languages import CODES
from tests.support.law_settings import law_examples
from tests.support.leaderboards import leaderboard_screen
from tests.support.replays import FullReplay
from tests.support.scenes import (
    GUILD,
    HOME,
    NOW,
    POSITIONS,
    Screen,
    lobby,
    matches,
    person,
    scene,
    scene_for_seat,
    with_changes,
)
from tests.support.scenes import drawn_view as drawn_of

EN, *OTHERS = map(words, CODES)
INNOCENT = ("Qann", "Qben", "Qcleo", "Qdora")
HOSTILE = (
    "**", "__", "~~", "||", "`", "```", "\\", "*", "_", "# ", "-# ", "> ", ">>> ", "- ", "1. ", "[x](http://evil.com)",
    "https://evil.com/a_b", "evil.com", "discord.gg/abc", "www.evil.com", "<@900>", "<@!900>", "<@&1>", "<#1>", "@here",
    "@everyone", "<t:0:R>", "</play:1>", "<:x:1>", "<a:x:1>", ":x:", "<id:customize>", "\n", "\r", "\u2028", "\u200b",
    "\u200d", "\u202e", "\u2066", "\u2069", "\u0301" * 9, "\u0336", "\u20dd", "\u034f", "\u3164", "\U000e0041",
    "\ufe0f",
    "👉", "🤖", "{seat}", "{0}", "אב", "مح", "Ann", "x", " ", "W" * 40, "(", ")", "host", "<", "[", "]", "+", "=",
)  # fmt: skip
names = (
    st.lists(st.sampled_from(HOSTILE) | st.text(max_size=4), min_size=1, max_size=8)
    .map("".join)
    .map(lambda name: name or "x")
)
# What Discord makes something of, as its clients find it.
LIVE = re.compile(
    r"<@[!&]?\d+>|<#\d+>|<t:-?\d+(?::\w)?>|</[^:>]+:\d+>|<a?:\w+:\d+>|<id:\w+>|@everyone|@here"
    r"|https?://|www\.(?=\w)|discord\.gg|evil\.com|(?<!\\)\]\("
)
MARKS = re.compile(r"[*_~`|<>\[\]\n]|(?m:^(?:#{1,3} |-# |- |\d+\. ))")
UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u2028\u2029\u0000-\u0009\u000b-\u001f]")

TWO_HANDS = {"match_end": "deals", "deals": 2}
REPLAYED = list(matches("film"))[-1][1]
REPLAY = FullReplay.of(5, 3, Record(GAMES["big_two"], "pagat", seed="film", options=TWO_HANDS, steps=REPLAYED), ())
PLAYED = [match for match, _ in POSITIONS]
SHOWN = (PLAYED[9], next(each for each in PLAYED if each.game.result), PLAYED[-1])
SOMEBODY = UserId(123456789)
PUBLIC, MINE = [scene(match, 1) for match in SHOWN], [scene(match, 1, 0) for match in SHOWN]


def screens(called: Sequence[str], w: Words) -> Iterator[Screen]:
    """Yield every screen there is with people, servers and rules of these names."""
    chairs = tuple(
        Chair(seat, None if seat == 3 else person(seat), name, house=seat > 1) for seat, name in enumerate(called)
    )
    waiting = lobby(BigTwo(Options()), chairs)
    public, mine = [replace(each, chairs=chairs) for each in PUBLIC], [replace(each, chairs=chairs) for each in MINE]
    yield from (board(each, w) for each in (waiting, *public))
    yield from (last_trick(each, w) for each in (*public, *mine))
    yield from (hand(each, w, where=called[0], preferences=Preferences()) for each in mine)
    yield from (draw(mine[0], w) for draw in (leaving, stopping, left))
    yield remove(waiting, w)
    anew = with_changes(
        waiting, revised=Revision(by=person(0), name=called[3], at=NOW, preset="pagat", options={}, pace=RELAXED)
    )
    yield from (board(anew, w), terms(scene_for_seat(1, anew), w))
    yield from (options.menu(waiting, w), server(ServerSettings(), (), w, where=called[0]))
    yield desk(mine, {GUILD: called[0]}, w)
    yield from (
        FullReplay.of(5, 3, REPLAY.record, chairs).screen(step, w) for step in (0, REPLAY.last // 2, REPLAY.last)
    )
    ended = MatchOutcome(
        5,
        NOW,
        tuple(
            SeatResult(seat=c.seat, user=c.user, name=c.name, house=c.house, place=c.seat + 1, points=7, net=0)
            for c in chairs
        ),
    )
    yield history(
        [FinishedMatch(table=TableId(1), number=1, game="big_two", preset="pagat", outcome=ended)],
        0,
        1,
        w,
        where=called[0],
    )
    yield leaderboard_screen(called, w, where=called[1])
    kept = HouseRules(
        owner=Owner("person", person(1)),
        name=called[0],
        game="big_two",
        preset="pagat",
        options={},
        by=person(1),
        at=NOW,
    )
    yield listed({"person": [(kept, current_rules(kept))], "server": [(kept, None)]}, w, where=called[1])
    yield shown(kept, current_rules(kept), w, where=called[1])
    yield default(
        ChannelDefault(
            guild=GUILD, channel=HOME, name=called[0], game="big_two", preset="pagat", options={}, by=person(1), at=NOW
        ),
        None,
        w,
    )
    told = w.for_scene(public[0])
    yield screen(Accent.CLOSED, "\n".join(told(news, name=called[2], table="T") for news in (LEFT, BACK, KEPT_WARM[2])))
    yield screen(Accent.CLOSED, ping(public[0], told, [person(0)]) + reminder(public[0], told, [person(0)]))


def read(view: Screen) -> Iterator[str]:
    """Yield the texts of a screen in which Discord reads markup."""
    yield from (item.content for item in drawn_of(view).walk_children() if isinstance(item, ui.TextDisplay))


def labels(view: Screen) -> Iterator[str]:
    """Yield the texts of a screen that are shown as they stand."""
    for item in drawn_of(view).walk_children():
        if isinstance(item, ui.Button):
            yield item.label or ""
        if isinstance(item, ui.Select):
            yield from (text or "" for each in item.options for text in (each.label, each.description))


def live(text: str) -> list[str]:
    """Return all in a text that Discord makes something of, in order; names that are told apart are left out."""
    unescaped = re.sub(r"\\[^0-9A-Za-z\s]", "x", text)
    return [*LIVE.findall(text), *MARKS.findall(unescaped)]


@cache
def known(locale: str) -> tuple[list[list[str]], int, list[list[str]]]:
    """Return what is live on each screen with innocent names, how long all of them are, and their labels."""
    drawn = list(screens(INNOCENT, words(locale)))
    texts = [text for view in drawn for text in read(view)]
    return [live(text) for text in texts], sum(map(len, texts)), [list(labels(view)) for view in drawn]


@law_examples(6)
@given(st.tuples(names, names, names, names), st.sampled_from((EN, *OTHERS)))
@example(tuple(HOSTILE[18:22]), EN)
def test_no_name_has_an_effect_on_any_screen(called: tuple[str, ...], w: Words) -> None:
    there, length, _ = known(w.locale)
    texts = [text for view in screens(called, w) for text in read(view)]
    assert [live(text) for text in texts] == there
    assert sum(map(len, texts)) <= length + 2 * MAX_NAME_LENGTH * len(texts)


@law_examples(6)
@given(st.tuples(names, names, names, names))
def test_labels_show_names_unchanged(called: tuple[str, ...]) -> None:
    for view, innocent in zip(screens(called, EN), known("en")[2], strict=True):
        for text, before in zip(labels(view), innocent, strict=True):
            assert text == with_names(before, called)


def with_names(text: str, called: Sequence[str]) -> str:
    """Return text with these names in place of the innocent ones."""
    shown = {known: unmarked(name) for known, name in zip(INNOCENT, called, strict=True)}
    return re.sub("|".join(INNOCENT), lambda found: shown[found[0]], text)


@given(names)
def test_cleaned_names_are_short_visible_and_stable(name: str) -> None:
    shown = clean(name)
    assert 0 < len(shown) <= MAX_NAME_LENGTH
    assert not UNSEEN.search(shown.replace("\u200c", "").replace("\u200d", ""))
    assert shown == unicodedata.normalize("NFC", shown) == clean(shown)
    assert not unicodedata.category(shown[0]).startswith("M")
    assert not re.search(r"[\u0300-\u036f]{3}", shown)
    assert len(escaped(name)) <= 2 * MAX_NAME_LENGTH + 2


@pytest.mark.parametrize(
    "name",
    ["Ann", "陈小姐", "Nguyễn Thị", "José", "สวัสดีครับ", "שָׁלוֹם", "مُحَمَّد", "می‌خواهم", "क्‍ष", "བསྒྲུབས་", "葛󠄀城",
     "👨‍👩‍👧‍👦 fam", "❤️‍🔥", "1️⃣", "🏳️‍🌈", "👩🏽‍🚀", "🫨", "O'Neil-Smith 3", "¯\\_(ツ)_/¯", "김철수", "Ωmega"],
)  # fmt: skip
def test_characters_needed_by_a_script_are_kept(name: str) -> None:
    assert clean(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Ann\n\tB ", "Ann B"),
        ("\u202eevil\u202c", "evil"),
        ("a\u200bb\u200dc", "abc"),
        ("\u3164", NAMELESS),
        ("", NAMELESS),
        ("\u0301x", "x"),
        ("Z" + "\u0301\u0302\u0303\u0304" * 5, "Ź\u0302\u0303"),
        ("🤖 Mei", "Mei"),
        ("A\u0336n\u0336n\u0336", "Ann"),
        ("x" * 40, "x" * 31 + "…"),
        ("e\u0301" * 40, "é" * 31 + "…"),
        ("👨‍👩‍👧" * 12, "👨‍👩‍👧" * 6 + "…"),
    ],
)
def test_deceptive_characters_are_removed(name: str, shown: str) -> None:
    assert clean(name) == shown


@pytest.mark.parametrize(
    "name", ["mei", "Ｍei", "Mеi", "rnei", "M.e.i", "Méi", "𝓜𝓮𝓲", "M\u200bei", "Mei 🤖", "0tt0", "IGGY"]
)
def test_a_name_like_a_house_player_gets_a_suffix(name: str) -> None:
    shown = unique_name((), SOMEBODY, name)
    assert shown == f"{clean(name)} #6789"
    assert lookalike_keys(shown).isdisjoint(frozenset().union(*map(lookalike_keys, HOUSE_NAMES)))


@pytest.mark.parametrize(
    "name",
    [
        "Your turn",
        "YOUR TURN!",
        "host",
        "(host)",
        "Ηοst",
        "ready",
        "轮到你了",
        "桌主",
        "passes",
        "A moderator",
        "a Mоderator",
        "The host",
        "a house player",
        "Bigger",
        "管理员",
        "電腦",
    ],
)
def test_a_name_like_a_phrase_gets_a_suffix(name: str) -> None:
    assert distinct_name(name, SOMEBODY, (), reserved()) == f"{clean(name)} #6789"


@pytest.mark.parametrize(
    "name", ["Ann", "Jack", "Will", "Grace", "Mark", "Hope", "May", "王小明", "陈小姐", "J", "Max"]
)
def test_ordinary_names_stay_unchanged(name: str) -> None:
    assert distinct_name(name, SOMEBODY, HOUSE_NAMES, reserved()) == name


def test_equal_names_are_distinguished_on_the_leaderboard() -> None:
    (text,) = (text for text in read(leaderboard_screen(["Ann", "Аnn", "Dev"], EN, where="X")) if "Аnn" in text)
    assert "**Ann** " in text
    assert "**Аnn #0002** " in text


def test_equal_names_are_distinguished_at_a_table() -> None:
    ann = Chair(0, UserId(1), "Ann")
    chairs = (ann, Chair(1, UserId(2), unique_name((ann,), UserId(20004), "Аnn")))
    assert chairs[1].name == "Аnn #0004"
    assert unique_name(chairs, UserId(30004), "ann #0004") == "ann #0004 #0004"
    assert unique_name(chairs, UserId(1), "Ann") == "Ann", "nobody is told apart from themselves"
    assert len(unique_name((Chair(0, UserId(1), clean("W" * 40)),), UserId(5555), "W" * 40)) == MAX_NAME_LENGTH


def test_a_house_player_never_has_the_name_of_a_player() -> None:
    assert with_house_player((Chair(0, UserId(1), "Mеi"),), range(4))[1].name == "Otto"


def test_right_to_left_names_are_isolated() -> None:
    assert EN("{a} {b}", a="אבג", b=3) == "\u2068אבג\u2069 3"
