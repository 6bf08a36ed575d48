"""The registered games, with their presets, option sheets and lessons from ``data``.

The rules themselves open no file: modules that make rules, read rule codes or replay records get the game from here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from bot.paths import DATA
from bot.rules import a_bao, big_a, big_little_a, big_two, tien_len
from bot.rules.coaching.sheet import CoachSheet, parse_lesson
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.registration import GameData, RegisteredGame


def _toml(folder: str, game: str) -> dict[str, Any]:
    return tomllib.loads((DATA / folder / f"{game}.toml").read_text(encoding="utf-8"))


def _data(game: str) -> GameData:
    presets = _toml("presets", game).items()
    return GameData(
        {preset: {name: with_tuples(value) for name, value in changes.items()} for preset, changes in presets},
        _toml("options", game),
    )


GAMES: Mapping[str, RegisteredGame] = {
    game.name: game
    for game in (
        big_two.registered(_data("big_two")),
        big_a.registered(_data("big_a")),
        a_bao.registered(_data("a_bao")),
        big_little_a.registered(_data("big_little_a")),
        tien_len.registered(_data("tien_len")),
    )
}

# The lessons, by game; a game needs none.
LESSONS: Mapping[str, CoachSheet] = {
    game: parse_lesson(_toml("lessons", game)) for game in GAMES if (DATA / "lessons" / f"{game}.toml").exists()
}
