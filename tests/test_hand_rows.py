"""The private hand on a phone of 360 pixels: rows stay rows, and nothing moves from one moment to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any, NamedTuple

import pytest
from discord import ui

from bot.domain.chairs import Vote
from bot.games import GAMES
from bot.rules.core.asks import ChooseAsk, NameAsk
from bot.rules.core.cards import Cards, pack
from bot.rules.core.game import View
from bot.rules.core.premoves import new_premove
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.scene import Scene
from bot.show.hand.hand import STATUS_LINES, hand
from bot.show.hand.hints import HintDegree
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import DOTS, MAX_COMPONENTS, columns
from bot.show.kit.row_width import row_with_menu
from bot.show.kit.words import Words, words
from tests.golden.play import golden_path
from tests.support.languages import CODES
from tests.support.law_settings import is_thorough, sampled
from tests.support.scenes import (
    EMOJI,
    EN,
    check_limits,
    drawn_view,
    match_after,
    persons_on_seats,
    scene,
    texts,
    with_changes,
)
from tests.test_offered import EDGES, GAP, NARROW, PICTURE, SIGN, SIGNS
from tests.test_show_hand import big_hand

CARD = 44  # pixels of a button with a card's emoji
MANY = 5  # cards in a row of a hand that is too large for rows of four
WIDE = 265  # pixels inside a frame on a phone of 390
DECIDING = {Verb.PLAY, Verb.SURE, Verb.GIVE, Verb.NAME, Verb.WHY}  # one button, whatever it does now
WORDS = {Verb.CHOOSE, Verb.REMATCH}  # rows of answers, and after a match, have words and may wrap


def rows(here: Scene, w: Words, count: int = 0, then: HintDegree = HintDegree.KIND) -> list[list[ui.Button[Any]]]:
    """Return the rows of buttons of a hand. count: how many cards of it are picked. then: what the next hint tells."""
    assert here.view
    return rows_in(drawn_view(hand(here, w, where="Home", chosen=here.view.hand[:count], then=then)))


def rows_in(view: ui.LayoutView) -> list[list[ui.Button[Any]]]:
    """Return the rows of buttons of a screen."""
    found = (item.children for item in view.walk_children() if isinstance(item, ui.ActionRow))
    return [[each for each in row if isinstance(each, ui.Button)] for row in found]


def verbs(row: list[ui.Button[Any]]) -> set[Verb]:
    """Return what the buttons of a row are for."""
    return {Press.read(str(each.custom_id)).verb for each in row if str(each.custom_id).startswith("bg:")}


def wide(row: list[ui.Button[Any]]) -> float:
    """Return about how many pixels a row takes, as was measured in a browser."""
    return sum(map(_wide, row)) + GAP * (len(row) - 1)


def _wide(each: ui.Button[Any]) -> float:
    if not each.label:
        return CARD
    return EDGES + sum(SIGNS.get(sign) or SIGN * columns(sign) for sign in each.label) + (PICTURE if each.emoji else 0)


def moments(name: str) -> Iterator[tuple[Match, int, int]]:
    """Yield the positions of a kept match during play, each with its number and a seat."""
    record = Record.from_json(golden_path(name, next(iter(GAMES[name].presets))).read_text(), GAMES)
    for number, match in enumerate(record.positions()):
        if match.game.result is None and not match.view(None).phase_note:
            for seat in range(match.rules.players):
                yield match, number, seat


@pytest.mark.parametrize("name", GAMES)
def test_every_button_row_fits_a_line(name: str) -> None:
    seen = 0
    for place, (match, number, seat) in enumerate(sampled([*moments(name)], 3)):
        here = scene(match, number, seat, chairs=persons_on_seats(match))
        here = with_changes(here, solo="practice") if place % 2 else here
        w = words(CODES[place % len(CODES)], EMOJI)
        for row in (
            row for row in rows(here, w, place % 4, HintDegree(place % 5 % 3)) if row and not verbs(row) & WORDS
        ):
            if Verb.CARD not in verbs(row) or len(row) < MANY:
                seen += 1
                assert wide(row) <= NARROW, [each.label for each in row]
    assert seen


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_has_the_same_rows_and_lines_at_every_turn(name: str) -> None:
    shapes = {seat: list[tuple[int, int, int]]() for seat in range(9)}
    for match, number, seat in moments(name):
        here = scene(match, number, seat, chairs=persons_on_seats(match))
        assert here.view
        if here.view.hand and not here.wait.asked.startswith("name"):
            view = drawn_view(hand(here, words("en", EMOJI), where="Home"))
            status = [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)][-1]
            below = [row for row in rows_in(view) if Verb.CARD not in verbs(row)]
            shapes[seat].append((len(here.view.hand), len(below), len(status.splitlines())))
    for each in shapes.values():
        assert all(one == other for one, other in pairwise(each) if one[0] == other[0])
        assert {lines for _, _, lines in each} <= {STATUS_LINES}


@pytest.mark.parametrize("count", range(1, 25))
def test_cards_stand_in_fours_while_the_message_has_room(count: int) -> None:
    here = big_hand(pack()[:count], ())
    cards = [row for row in rows(here, words("en", EMOJI)) if Verb.CARD in verbs(row)]
    assert [len(row) for row in cards[:-1]] == [4 if count <= 23 else 5] * (len(cards) - 1)


def labels(*widths: str) -> list[str]:
    """Return the labels of a row of these buttons and the menu, in order."""
    (menu, *beside) = (ui.Button[Any](label=label) for label in (DOTS, *widths))
    row = row_with_menu(beside, menu)
    return [each.label or "" for each in row.children if isinstance(each, ui.Button)] if row else []


def test_the_menu_is_never_alone_on_a_line() -> None:
    assert labels() == [DOTS]
    assert labels("✕ Pass", "✕ 7♡") == ["✕ Pass", "✕ 7♡", DOTS]
    assert labels("✕ Pass", "✕ 7♡", "✕ 10♡") == ["✕ Pass", "✕ 7♡", DOTS, "✕ 10♡"], "it would be alone"
    assert labels("✕ Pass", "✕ 7♡", "Stop auto-pass") == ["✕ Pass", "✕ 7♡", "Stop auto-pass", DOTS], "it is in company"


# Within one turn


class Place(NamedTuple):
    """Where a control stands. line: of its row, which may wrap; left: about how many pixels are left of it."""

    row: int
    line: int
    left: float


def places(view: ui.LayoutView, room: float) -> dict[tuple[str, int], Place]:
    """Return where each button stands. Play and its replacements count as one button. room: pixels of a row."""
    found = dict[tuple[str, int], Place]()
    for number, row in enumerate(item for item in view.walk_children() if isinstance(item, ui.ActionRow)):
        line, left = 0, 0.0
        for each in (each for each in row.children if isinstance(each, ui.Button)):
            line, left = (line + 1, 0.0) if left and left + _wide(each) > room else (line, left)
            found[_which(each)] = Place(number, line, left)
            left += _wide(each) + GAP
    return found


def _which(each: ui.Button[Any]) -> tuple[str, int]:
    press = Press.read(str(each.custom_id))
    return ("play", 0) if press.verb in DECIDING else (press.verb, 0 if press.verb is Verb.HINT else press.part)


def texts_above(view: ui.LayoutView) -> list[str]:
    """Return the texts above the lowest row of buttons from top to bottom; the last one is the status."""
    items = list(view.walk_children())
    lowest = max(at for at, item in enumerate(items) if isinstance(item, ui.ActionRow))
    return [item.content for item in items[:lowest] if isinstance(item, ui.TextDisplay)]


def count_lines(text: str) -> int:
    """Return how many lines a text has."""
    return len(text.splitlines())


def status_lines(view: ui.LayoutView) -> int:
    """Return in how many lines the status stands."""
    return count_lines(texts_above(view)[-1])


def turns(name: str) -> Iterator[tuple[Scene, View]]:
    """Yield what a seat sees that is asked something, in every third position of a kept match."""
    record = Record.from_json(golden_path(name, next(iter(GAMES[name].presets))).read_text(), GAMES)
    for number, match in islice(enumerate(record.positions()), 0, None, 3):
        for seat in sorted(match.awaited) if match.game.result is None else ():
            here = scene(match, number, seat, chairs=persons_on_seats(match))
            assert here.view
            yield here, here.view


def picks(view: View) -> Iterator[Cards]:
    """Yield possible selections: none, combinations, and arbitrary cards."""
    yield ()
    if isinstance(view.ask, NameAsk):
        yield from ((card,) for card in view.ask.cards[::9])
        return
    yield from (play.cards for play in view.plays.ready(4))
    yield from (view.hand[:count] for count in range(1, 7))
    yield view.hand


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_no_button_moves_within_a_turn(name: str, language: str) -> None:
    w, seen = words(language, EMOJI), 0
    share = None if is_thorough() else CODES.index(language)  # a language looks at every third turn, each at others
    for here, view in islice(turns(name), share, None, len(CODES) if share is not None else 1):
        if isinstance(view.ask, ChooseAsk):
            continue
        before = drawn_view(hand(here, w, where="Home"))
        stood = {room: places(before, room) for room in (NARROW, WIDE)}
        for then in HintDegree:
            for picked in picks(view):
                after = drawn_view(hand(here, w, where="Home", chosen=picked, then=then, sure=then is HintDegree.WHY))
                for room, was in stood.items():
                    now = places(after, room)
                    shared = was.keys() & now.keys()
                    assert {each: now[each] for each in shared} == {each: was[each] for each in shared}, picked
                    assert len(now) == len(was)
                    seen += len(shared)
                assert status_lines(after) == STATUS_LINES
                assert texts_above(after)[:-1] == texts_above(before)[:-1] or isinstance(view.ask, NameAsk)
    assert seen


def voting(here: Scene, vote: Vote, agreeing: frozenset[int]) -> Scene:
    """Return the scene with this vote, which these seats ask for."""
    chairs = tuple(replace(chair, vote=vote if chair.seat in agreeing else "") for chair in here.chairs)
    return with_changes(here, vote=vote, agreeing=agreeing, undecided=frozenset(range(3)) - agreeing, chairs=chairs)


@pytest.mark.parametrize("vote", ["pause", "to_daily"])
@pytest.mark.parametrize("played", [(), ("3d",)], ids=["on turn", "not on turn"])
@pytest.mark.parametrize("count", range(1, 26))
def test_a_vote_does_not_shift_a_hand_of_any_size(count: int, played: tuple[str, ...], vote: Vote) -> None:
    here, w = scene(match_after(*played), 9, 0), words("en", EMOJI)
    assert here.view
    here = replace(here, view=replace(here.view, hand=pack()[-count:], counts=(count, 13, 13, 13)))
    before = drawn_view(hand(here, w, where="Home"))
    for agreeing in (frozenset({2}), frozenset({0, 2})):
        after = drawn_view(hand(voting(here, vote, agreeing), w, where="Home"))
        check_limits(after)
        was, now, said = places(before, NARROW), places(after, NARROW), texts(after)
        assert was.items() <= now.items()
        answers = now.keys() - was.keys()
        assert {verb for verb, _ in answers} <= {Verb.AYE, Verb.NAY}
        if count < 25:
            assert "to agree." in said
            assert bool(answers) != ("Answer on the board." in said) or 0 in agreeing
        assert count > 17 or answers


def test_a_vote_is_on_a_hand_that_has_no_room_for_it() -> None:
    here = scene(match_after("3d"), 9, 0)
    assert here.view
    view = replace(here.view, hand=pack()[-23:], counts=(23, 13, 13, 13))
    queued = (new_premove(view, "list", view.hand[:1]), new_premove(view, "lead", view.hand[-1:]))
    full = replace(here, view=view, premoves=(*queued, new_premove(view, "on")))
    before = drawn_view(hand(full, EN, where="Home"))
    assert len(list(before.walk_children())) == MAX_COMPONENTS
    after = drawn_view(hand(voting(full, "pause", frozenset({1})), EN, where="Home"))
    check_limits(after)
    assert places(after, NARROW) == places(before, NARROW)
    assert status_lines(after) == status_lines(before)
    assert "would like a break. Answer on the board." in texts(after).replace("\n-# ", " ")
    asked = drawn_view(hand(voting(full, "pause", frozenset({0})), EN, where="Home"))
    assert "You would like a break. Waiting for" in texts(asked).replace("\n-# ", " ")
    chosen = drawn_view(hand(voting(full, "pause", frozenset({1})), EN, where="Home", chosen=view.hand[:1]))
    assert "would like a break" not in texts(chosen), "what the chosen cards do is said there"


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", ["a_bao", "big_a"])
def test_answers_stay_in_place_when_one_is_given(name: str, language: str) -> None:
    w, seen = words(language, EMOJI), 0
    for here, view in turns(name):
        if not isinstance(view.ask, ChooseAsk):
            continue
        before = drawn_view(hand(here, w, where="Home"))
        for answer in view.ask.offered:
            given = replace(here, view=replace(view, ask=replace(view.ask, given=answer.codes)))
            after = drawn_view(hand(given, w, where="Home"))
            assert places(after, NARROW) == places(before, NARROW), answer
            above, were = (sum(map(count_lines, texts_above(screen)[:-1])) for screen in (after, before))
            assert above == were
            assert status_lines(after) == status_lines(before) == STATUS_LINES, answer
            seen += 1
    assert seen
