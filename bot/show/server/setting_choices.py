"""The choices in the menus of a server's settings, and the parsing of a click's values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bot.domain.ids import ChannelId
from bot.domain.languages import LANGUAGES
from bot.domain.message_ids import N_
from bot.domain.pace import PACE_KINDS
from bot.domain.seasons import SEASON_KINDS as SEASONS
from bot.games import GAMES

OWN, NEVER = "own", "never"  # the values that mean None
# What a switch does.
SWITCHES: Final[Mapping[str, str]] = {
    "slow": N_("Tables where a match takes days, or that have no clock. Default: on."),
    "stakes": N_("From the next match on, points count in units: just a tally, nobody pays. Default: off."),
    "leaderboard": N_("Who wins most here, in /standings. Default: on."),
    "hidden_count": N_("Matches in hidden channels count in /standings. Default: off."),
    "mirror": N_("People who want it get their hand in private on their turn. Default: on."),
    "threads": N_("Each match gets its own thread. Default: on."),
    "reactions": N_("Players can show a 👏 or a 😱 on the board, three times a hand. Default: on."),
    "pictures": N_("Boards show the table as a picture; otherwise as text. Default: on."),
    "forget_plays": N_(
        "Older moves are deleted: nobody can replay or check them any more. Results stay. Default: off."
    ),
}
LOBBIES, LOBBIES_EACH = (5, 10, 20, 30, 50, 100), (1, 2, 3, 5, 10, 20)
HOURS: Final = ((21, 7), (22, 7), (22, 8), (22, 9), (23, 7), (23, 8), (23, 9), (0, 7), (0, 8), (0, 9), (1, 9), (1, 10))


def read(name: str, values: Sequence[str]) -> dict[str, Any]:
    """Return the settings chosen with these menu values.

    Raises ValueError or KeyError for forged values.
    """
    if name == "switches":
        return {switch: switch in values for switch in SWITCHES}
    return {name: READERS[name](values)}


def _language(values: Sequence[str]) -> str | None:
    return {OWN: None, **{each.tag: each.tag for each in LANGUAGES}}[_only(values)]


def _games(values: Sequence[str]) -> tuple[str, ...]:
    """Return the chosen games; empty for all games, so that a game added later is included."""
    games = tuple(game for game in GAMES if game in values)
    return () if len(games) in (0, len(GAMES)) else games


def _channels(values: Sequence[str]) -> tuple[ChannelId, ...]:
    return tuple(ChannelId(int(value)) for value in values)


def _role(values: Sequence[str]) -> int | None:
    return int(_only(values)) if values else None


def _pace(values: Sequence[str]) -> str:
    return {str(kind): kind for kind in PACE_KINDS}[_only(values)]


def _season(values: Sequence[str]) -> str:
    return {str(kind): kind for kind in SEASONS}[_only(values)]


def _among(numbers: Sequence[int]) -> Callable[[Sequence[str]], int]:
    return lambda values: {str(number): number for number in numbers}[_only(values)]


def _hours(values: Sequence[str]) -> tuple[int, int] | None:
    return None if _only(values) == NEVER else hours(_only(values).split("-"))


def hours(written: Sequence[str]) -> tuple[int, int]:
    """Return the quiet hours of a menu value.

    Raises KeyError for other hours, ValueError for a malformed value.
    """
    begin, end = map(int, written)
    return {span: span for span in HOURS}[begin, end]


def _only(values: Sequence[str]) -> str:
    (value,) = values
    return value


READERS: Final[Mapping[str, Callable[[Sequence[str]], Any]]] = {
    "language": _language,
    "games": _games,
    "channels": _channels,
    "opener": _role,
    "moderator": _role,
    "pace": _pace,
    "lobbies": _among(LOBBIES),
    "lobbies_each": _among(LOBBIES_EACH),
    "quiet": _hours,
    "season": _season,
}
