"""A game consists of a package, its data and a line: nothing else in the sources names a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.games import GAMES

ROOT = Path(__file__).parents[1]
REGISTRY = "bot/games.py"
HISTORY = "bot/store/migrations/"  # a migration is about the rows of its own time
HOUSE = "bot/ai/"
SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for top in ("bot", "cogs")
    for path in sorted((ROOT / top).rglob("*.py"))
}
CARD = {  # called the Big A
    "big_a": (
        "bot/rules/big_little_a/",
        "bot/rules/coaching/moments.py",
        "bot/rules/core/cards.py",
        "bot/show/kit/card_symbols.py",
        "bot/show/typed/cards.py",
    )
}


def naming(game: str) -> re.Pattern[str]:
    """Return what names a game in an identifier, a string or a comment: its key, its class or its title."""
    camel = "".join(map(str.capitalize, game.split("_")))
    return re.compile(rf"(?<![a-zA-Z])(({game}|{game.upper()}|{GAMES[game].title})(?![a-zA-Z])|{camel}(?![a-z]))")


@pytest.mark.parametrize("game", GAMES)
def test_only_the_registry_names_a_game(game: str) -> None:
    own = (f"bot/rules/{game}/", HOUSE, HISTORY, *CARD.get(game, ()))
    named = naming(game)
    found = [
        f"{file}:{number}: {line.strip()}"
        for file, text in SOURCES.items()
        if file != REGISTRY and not file.startswith(own) and named.search(text)
        for number, line in enumerate(text.splitlines(), 1)
        if named.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("game", GAMES)
def test_the_registry_names_a_game_in_one_line(game: str) -> None:
    lines = [line for line in SOURCES[REGISTRY].splitlines() if naming(game).search(line)]
    imported, registered = lines
    assert imported.startswith("from bot.rules import ")
    assert registered.strip() == f'{game}.registered(_data("{game}")),'


def test_a_game_is_found_by_each_of_its_names() -> None:
    named = naming("tien_len")
    assert all(
        map(named.search, ("tien_len", "of_tien_len", "TIEN_LEN = 1", "class TienLenRules", "In Tiến Lên a two"))
    )
    assert not any(map(naming("big_a").search, ("big_ace", "BIG_ACES", "BigAce", "the Big Ace")))
