"""Cutting the cards: before the deal each player may add a word to the committed seed.

The commitment is published first, so that the seed cannot depend on any word.
"""

from __future__ import annotations

import secrets
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.rules.matches.seal import Seal
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.forms import Field, form
from bot.show.kit.layout import Accent, PrivateScreen, button, lines, private, row, small
from bot.show.kit.words import MessageText, Words, escaped

CUTTING = "cut"  # the verb of the form
WORD = "word"  # the form's field
CUT_CARDS = N_("Cut the cards")
SAFEST = N_("A cut stops players from choosing the cards. It can't stop the bot's operator, who can read every word.")
OFFERED = 4  # at a time
# Pictures that serve as words in every language. Custom ids contain their places, from 1: never reorder them.
PICTURES = (
    "🐢",
    "🍋",
    "🚀",
    "🌵",
    "🎈",
    "🐙",
    "🍉",
    "🎸",
    "🦊",
    "🌈",
    "⚓",
    "🍩",
    "🦉",
    "🎁",
    "🐝",
    "🍄",
    "🚲",
    "🌻",
    "🐳",
    "🥑",
    "🪁",
    "🦔",
    "🍀",
    "🔔",
    "🐼",
    "🧀",
    "⛵",
    "🎩",
    "🦜",
    "🍒",
    "🐞",
    "🌙",
)


def cutting(scene: Scene, seal: Seal, word: str, w: Words) -> PrivateScreen:
    """Return the screen to cut the cards.

    seal: of the coming match. word: the viewer's word so far; "" for none.
    """
    table = scene.where.table
    return private(
        Accent.LOBBY,
        lines(f"**{w(CUT_CARDS)}** · {phrases.table(scene, w)}", f"`{seal.committed}`"),
        _given(word, w),
        row(*(_picture(table, number) for number in secrets.SystemRandom().sample(range(len(PICTURES)), OFFERED))),
        row(
            button(w("Type a word…"), Press(table, Verb.CUT_TYPED)),
            button(w("Withdraw"), Press(table, Verb.CUT, at=0)) if word else None,
        ),
        small(w(SAFEST)),
    )


def _given(word: str, w: Words) -> MessageText:
    if word:
        bold = MessageText(f"**{escaped(word)}**")
        return w("You cut with {word}. All words are shown when the cards are dealt.", word=bold)
    return w("The shuffle is locked in by this number. Add a word of your own to mix in (optional).")


def _picture(table: TableId, place: int) -> ui.Button[Any]:
    """Return the button that cuts with a picture."""
    return button(PICTURES[place], Press(table, Verb.CUT, at=place + 1), ButtonStyle.primary)


def word_form(scene: Scene, word: str, w: Words) -> ui.Modal:
    """Return the form for a typed word."""
    field = Field(
        WORD,
        w("Any word"),
        hint=w("No player sees it before the deal."),
        typed=word,
        longest=32,
        needed=False,
    )
    return form(Browse.to(CUTTING, scene.where.table), w(CUT_CARDS), field)
