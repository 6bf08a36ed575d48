"""Parsing of typed names of games.

Makes the text of each autocomplete option, and finds the games that a typed text may mean.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import filterfalse

from bot.domain.languages import LANGUAGES
from bot.domain.typed_text import readable
from bot.games import GAMES
from bot.rules.variants.registration import RegisteredGame
from bot.show.kit.layout import OPTION, cut
from bot.show.kit.words import Words, words


def plain(text: str) -> str:
    """Return a text for comparison.

    It has no case, accents or other marks, spaces, underscores or invisible characters.
    """
    if not text.isascii():
        text = "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", readable(text))))
    return "".join(text.casefold().replace("_", " ").split())


def game_option(game: RegisteredGame, w: Words) -> str:
    """Return the option of a game: its title, and its line with players and duration."""
    return cut(w("{game}: {line}", game=w(game.title), line=w(game.line)), OPTION)


def named(game: RegisteredGame, typed: str) -> bool:
    """Tell whether a typed text is part of a name of the game in any language."""
    wanted = plain(typed)
    return any(wanted in name for name in _names(game.name))


def fitting(typed: str) -> list[RegisteredGame]:
    """Return the games to offer.

    Games with a matching name come first, then games with a matching description.
    """
    called = [game for game in GAMES.values() if named(game, typed)]
    return [*called, *(game for game in GAMES.values() if game not in called and _described(game, typed))]


def matching_games(typed: str | None) -> list[RegisteredGame]:
    """Return the games that a typed text may mean: one if unambiguous, all for empty text."""
    said = typed or ""
    wanted = plain(said)
    exact = [game for game in GAMES.values() if wanted in _names(game.name)]
    called = [game for game in GAMES.values() if named(game, said)]
    return exact or called or fitting(said)


def _described(game: RegisteredGame, typed: str) -> bool:
    wanted = plain(typed)
    return any(wanted in text for text in _descriptions(game.name))


@cache
def _names(key: str) -> tuple[str, ...]:
    """Return the title in every language, the key, and the letters that begin rule codes."""
    game = GAMES[key]
    titles = (words(language.code)(game.title) for language in LANGUAGES)
    return tuple(plain(name) for name in (*titles, key, game.sheet.code))


@cache
def _descriptions(key: str) -> tuple[str, ...]:
    """Return the descriptions, from the options and the lobby, in every language."""
    game = GAMES[key]
    spoken = [words(language.code) for language in LANGUAGES]
    return tuple(plain(text) for w in spoken for text in (game_option(game, w), w(game.blurb)))
