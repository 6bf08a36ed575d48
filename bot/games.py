"""The games there are: one line each, with their presets and option sheets out of ``data``.

Knows names, and where else a game stands; refuses to know how any of them is played. The rules open no file: whoever
makes rules, reads a code or replays a record is given a game from here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from bot.paths import DATA
from bot.rules import a_bao, big_a, big_little_a, big_two, tien_len
from bot.rules.variants import option_sheet
from bot.rules.variants.conditions import frozen
from bot.rules.variants.registration import Registered


def _presets(game: str) -> Mapping[str, Mapping[str, Any]]:
    raw = tomllib.loads((DATA / "presets" / f"{game}.toml").read_text(encoding="utf-8"))
    return {preset: {name: frozen(value) for name, value in changes.items()} for preset, changes in raw.items()}


def _sheet(game: str, options: type[Any]) -> option_sheet.Sheet:
    return option_sheet.of(
        game, options, tomllib.loads((DATA / "options" / f"{game}.toml").read_text(encoding="utf-8"))
    )


GAMES: Mapping[str, Registered] = {
    game.name: game
    for game in (
        Registered(
            "big_two",
            "Big Two",
            "be first to get rid of your cards, twos are high; 2 to 5 players, about 5 minutes a hand",
            "Be the first to get rid of your cards. The two is the highest. "
            "Two to five players, best with four; about five minutes a hand.",
            (2, 3, 4, 5),
            5,
            big_two.Options,
            big_two.new,
            big_two.WISHES,
            _presets("big_two"),
            _sheet("big_two", big_two.Options),
            big_two.former,
        ),
        Registered(
            "big_a",
            "Big A",
            "hidden partners, two packs and bombs; 5 players, about half an hour a hand",
            "Hidden partners, two packs, and bombs: who shows an ace plays with whoever holds the same one. "
            "Five players; about half an hour a hand.",
            (5,),
            30,
            big_a.Options,
            big_a.BigA,
            big_a.WISHES,
            _presets("big_a"),
            _sheet("big_a", big_a.Options),
            big_a.former,
        ),
        Registered(
            "a_bao",
            "Tàihé A Bāo",
            "one against the rest, and calls for cards; 3 to 5 players, about 5 minutes a hand",
            "One against the rest: declare, or call for the card you need, and be out before anybody else. "
            "Three to five players, best with four; about five minutes a hand.",
            (3, 4, 5),
            5,
            a_bao.Options,
            a_bao.ABao,
            a_bao.WISHES,
            _presets("a_bao"),
            _sheet("a_bao", a_bao.Options),
        ),
        Registered(
            "big_little_a",
            "The Big and the Little A",
            "a party game with two mean cards; 3 to 9 players, about 10 minutes a hand",
            "A party game: get rid of your cards, and of two mean ones that nobody wants to take. "
            "Three to nine players; about ten minutes a hand.",
            (3, 4, 5, 6, 7, 8, 9),
            10,
            big_little_a.Options,
            big_little_a.BigLittleA,
            big_little_a.WISHES,
            _presets("big_little_a"),
            _sheet("big_little_a", big_little_a.Options),
        ),
        Registered(
            "tien_len",
            "Tiến Lên",
            "be first out, 2s are high but can be chopped; 2 to 4 players, about 5 minutes a hand",
            "The game of Vietnam, also called Thirteen: be first to get rid of your cards, and mind your 2s. "
            "Two to four players, best with four; about five minutes a hand.",
            (2, 3, 4),
            5,
            tien_len.Options,
            tien_len.TienLen,
            tien_len.WISHES,
            _presets("tien_len"),
            _sheet("tien_len", tien_len.Options),
        ),
    )
}
