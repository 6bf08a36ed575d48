"""Rule codes: the rules of a table in one line to share, ``B2:hk+straights=ace_low,stake=5``.

A code consists of game, preset and differing options. If a default of the game has changed, the code contains the
version of the rules since the last change, ``AB:std@3``: a code without a version, or with an earlier one, retains its
meaning. Refuses to know which options contradict each other: the game checks that at set-up.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from bot.rules.core.sentences import Phrase
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.option_sheet import Option, PresetName
from bot.rules.variants.registration import RegisteredGame
from bot.rules.variants.versions import FIRST, VERSION

MAX_COMPARED_LENGTH = 40  # characters of an unknown name compared with known names
VERSION_MARK = "@"  # precedes the version
EXAMPLE = "B2:hk+straights=ace_low,stake=5"  # no message id: it has no space


class BadCode(ValueError):
    """An invalid rule code.

    sentence: an English message id with named fields that names the invalid part; values: of the fields.
    """

    def __init__(self, sentence: str, **values: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.values = values

    def __str__(self) -> str:
        return self.sentence.format(**self.values)


def write_code(game: RegisteredGame, preset: str, changes: Mapping[str, Any]) -> str:
    """Return the code of today's preset with changes, in the order of the sheet.

    Raises KeyError for an unknown preset.
    """
    since = game.defaults_since
    version = f"{VERSION_MARK}{since}" if since > FIRST else ""
    start = f"{game.sheet.code}:{game.sheet.presets[preset].code}{version}"
    changed = _differing(game, preset, changes)
    parts = [
        f"{option.code}={option.write(changed[name])}" for name, option in game.sheet.options.items() if name in changed
    ]
    return f"{start}+{','.join(parts)}" if parts else start


def _differing(game: RegisteredGame, preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes that differ from the preset, in the order of the sheet."""
    plain = game.set_up(preset)
    order = [name for name in game.sheet.options if name in changes]
    return {name: with_tuples(changes[name]) for name in order if with_tuples(changes[name]) != getattr(plain, name)}


def read_code(text: str, games: Mapping[str, RegisteredGame]) -> tuple[RegisteredGame, str, dict[str, Any]]:
    """Parse a code into one of these games, a preset, and changes from today's preset.

    Case and spaces do not matter; long names work as well as short ones.

    Raises BadCode for an invalid code, naming the unreadable part.
    """
    plain = unicodedata.normalize("NFKC", text).strip().strip("`")
    start, _, rest = plain.partition("+")
    before, colon, after = start.partition(":")
    if not colon or not after.strip():
        raise BadCode(
            "A rule code looks like {example}: the game, a preset, and what differs from it.", example=EXAMPLE
        )
    game = _game(before.strip(), games.values())
    name, at, version = after.partition(VERSION_MARK)
    preset = _preset(game, name.strip())
    since = _version(version.strip()) if at else FIRST
    changes: dict[str, Any] = {}
    for part in (part.strip() for part in rest.split(",") if part.strip()):
        option, value = _change(game, part)
        if option.name in changes:
            raise BadCode("{option} is given twice.", option=option.code)
        changes[option.name] = value
    return game, preset.name, _differing(game, preset.name, game.changes_since(since, preset.name, changes))


def _version(text: str) -> int:
    known = {str(version): version for version in range(FIRST, VERSION + 1)}
    if text not in known:
        raise BadCode("This code has rules of version {part}, but I know only 1 to {most}.", part=text, most=VERSION)
    return known[text]


def _game(text: str, games: Iterable[RegisteredGame]) -> RegisteredGame:
    names = {name: game for game in games for name in (game.name, game.sheet.code.casefold())}
    found = names.get("_".join(text.casefold().split()))
    if found is None:
        known = [game.sheet.code for game in games]
        raise BadCode("There is no game {part}: known are {known}.", part=text, known=known)
    return found


def _preset(game: RegisteredGame, text: str) -> PresetName:
    found = game.sheet.preset(text)
    if found is None:
        known = [preset.code for preset in game.sheet.presets.values()]
        raise BadCode("{game} has no preset {part}. It has {known}.", game=Phrase(game.title), part=text, known=known)
    return found


def _change(game: RegisteredGame, text: str) -> tuple[Option, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadCode("{part} is not written like {example}.", part=text, example="stake=5")
    option = game.sheet.option(name)
    if option is None:
        raise _no_option(game, name.strip())
    try:
        return option, option.read(value)
    except ValueError:
        raise _no_value(option, value.strip()) from None


def _no_option(game: RegisteredGame, text: str) -> BadCode:
    codes = {name: option.code for option in game.sheet.options.values() for name in (option.name, option.code)}
    near = list(dict.fromkeys(codes[name] for name in get_close_matches(text.casefold()[:MAX_COMPARED_LENGTH], codes)))
    if not near:
        return BadCode("{game} has no option {part}.", game=Phrase(game.title), part=text)
    return BadCode("{game} has no option {part}. Did you mean {near}?", game=Phrase(game.title), part=text, near=near)


def _no_value(option: Option, text: str) -> BadCode:
    sentence, known = option.refusal
    return BadCode(sentence, option=option.code, part=text, known=known, least=option.least, most=option.most)
