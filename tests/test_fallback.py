"""A finished screen that Discord refuses, rewritten: with cards as text, and without files."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from discord import ButtonStyle, PartialEmoji, ui

from bot.domain.preferences import Preferences
from bot.games import GAMES
from bot.interactions.private_replies import in_text, is_a_file, plain, uploads
from bot.rules.core.cards import Card, cards, every_card
from bot.show.hand.card_buttons import rows_of
from bot.show.hand.hand import hand
from bot.show.hand.panel import hand_menu
from bot.show.kit.card_art import emoji_name
from bot.show.kit.card_symbols import Faces, symbol
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.fallback import public_in_text
from bot.show.kit.layout import (
    Accent,
    PrivateFile,
    PrivateScreen,
    attached,
    button,
    pictured,
    private,
    row,
    select,
    text_with_button,
)
from bot.show.kit.layout import option as chosen_from
from bot.show.kit.words import words
from bot.show.server.welcome import welcome
from bot.show.table.board import board
from tests.standin.components import emojis
from tests.support.languages import CODES
from tests.support.scenes import EMOJI, POSITIONS, scene

LOST = "It is lost."
THREE = PartialEmoji(name="bg1_3d", id=41)


def written(view: ui.LayoutView) -> Any:
    """Return what is sent of a view, but for how large a line of cards is."""
    made = json.dumps(view.to_components(), ensure_ascii=False)  # type: ignore[no-untyped-call]
    return json.loads(re.sub(r"(?<![^\"n])#+ (?=`)", "", made))


@pytest.mark.rotates(7)
@pytest.mark.parametrize(("locale", "part"), [(locale, part) for locale in CODES for part in range(7)])
def test_a_hand_rewritten_as_text_equals_a_hand_drawn_without_emoji(locale: str, part: int) -> None:
    for number, (match, steps) in islice(enumerate(POSITIONS), part, None, 7):
        here = scene(match, len(steps), number % 4)
        assert here.view is not None
        chosen = here.view.hand[: number % 3]
        preferences = Preferences(large=number % 5 == 0, by_suit=number % 2 == 0)
        emoji, text = (words(locale, replace(faces, larger=preferences.large)) for faces in (EMOJI, Faces()))
        drawn, text_only = (hand(here, w, where="Here", chosen=chosen, preferences=preferences) for w in (emoji, text))
        assert written(in_text(drawn).secret) == written(text_only.secret)
        drawn, text_only = (hand_menu(here, w, chosen=chosen) for w in (emoji, text))
        assert written(in_text(drawn).secret) == written(text_only.secret)


def test_the_welcome_as_text_has_no_custom_emoji() -> None:
    made = str(public_in_text(welcome(words("en-US", EMOJI))).drawn.to_components())  # type: ignore[no-untyped-call]
    assert "bg1_" not in made
    assert all(game.title in made for game in GAMES.values())


@pytest.mark.parametrize("picked", [False, True])
@pytest.mark.parametrize("four", [False, True])
def test_every_card_in_every_look_is_named(*, picked: bool, four: bool) -> None:
    for card in every_card():
        emoji = PartialEmoji(name=emoji_name(str(card), picked=picked, four=four), id=41)
        pressed: ui.Button[Any] = ui.Button(emoji=emoji, custom_id="x", style=ButtonStyle.primary)
        (made,) = buttons_of(private(Accent.YOURS, str(emoji), row(pressed)))
        assert made["label"].replace("\u0332", "") == symbol(card)
        assert ("\u0332" in made["label"]) is picked
        assert made["style"] == ButtonStyle.primary.value


def buttons_of(screen: PrivateScreen) -> list[dict[str, Any]]:
    """Return the buttons of a screen in text; nothing there has an emoji."""
    found: list[dict[str, Any]] = []

    def walk(part: Any) -> None:
        if isinstance(part, list):
            for one in part:
                walk(one)
        elif isinstance(part, dict):
            assert "emoji" not in part
            found.extend([part] if part.get("type") == 2 else [])
            walk(list(part.values()))

    walk(in_text(screen).secret.to_components())  # type: ignore[no-untyped-call]
    return found


def test_text_fallback_removes_emoji_from_components() -> None:
    target = Press(1, Verb.HAND)  # type: ignore[arg-type]
    screen = private(
        Accent.YOURS,
        text_with_button("text", button("Three", target, emoji=THREE)),
        select(target, "menu", [chosen_from("one", "1", emoji=THREE, default=True), chosen_from("two", "2")]),
        row(button("Search", target, emoji="🔎")),
    )
    before = written(screen.secret)
    three, search = buttons_of(screen)
    assert (three["label"], search["label"]) == ("Three", "Search")
    (options,) = [part["options"] for part in written(in_text(screen).secret)[0]["components"][1]["components"]]
    assert [each["default"] for each in options] == [True, False]
    assert written(screen.secret) == before, "the screen itself stays as it was drawn"


def test_adjacent_cards_are_one_code_span() -> None:
    side, apart = f"{THREE}{THREE}", f"{THREE} {THREE}"
    made = written(in_text(private(Accent.YOURS, f"{side} {apart} <:other:7>")).secret)
    assert made[0]["components"][0]["content"] == "`3♢ 3♢` `3♢` `3♢` `other`"


def test_pictures_and_files_are_replaced_by_text() -> None:
    shown = replace(private(Accent.YOURS, "text", pictured("a.png", "a king")), files=(("a.png", b""),))
    assert (uploads(shown), is_a_file(shown)) == (True, False)
    said = plain(shown, LOST)
    assert isinstance(said, PrivateScreen)
    assert said.files == ()
    assert [part["content"] for part in written(said.secret)[0]["components"]] == ["text", "a king"]
    data = replace(private(Accent.YOURS, "text", attached("a.txt")), files=(("a.txt", b""),))
    assert (uploads(data), is_a_file(data)) == (True, True)
    said = plain(data, LOST)
    assert isinstance(said, PrivateScreen)
    assert [part["content"] for part in written(said.secret)[0]["components"]] == ["text", LOST]
    private_file = PrivateFile("text", ("a.png", b""))
    assert (uploads(private_file), is_a_file(private_file)) == (True, True)
    assert plain(private_file, LOST) == f"text\n-# {LOST}"


def test_a_board_has_no_refusable_emoji_on_components() -> None:
    for match, steps in POSITIONS[::5]:
        made = written(board(scene(match, len(steps)), words("en-US", EMOJI)))
        assert not any(emojis(made))


def test_the_text_fallback_keeps_picked_cards() -> None:
    match, steps = POSITIONS[0]
    here = scene(match, len(steps), 0)
    held: tuple[Card, ...] = cards("3d 3c")
    rows = rows_of(here, enumerate(held), words("en-US", EMOJI), {1}, in_row=4)
    made = buttons_of(private(Accent.YOURS, *rows))
    assert [each["style"] for each in made] == [ButtonStyle.secondary.value, ButtonStyle.primary.value]
    assert len({each["custom_id"] for each in made}) == 2
