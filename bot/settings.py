"""The settings: `.env` and the environment in, one frozen `Settings` out.

Contains the name, default and format of each setting, and reports all errors at once. The token is shown only by
`reveal`.
"""
# ruff: noqa: RUF009 (`_setting` makes a field of a frozen value)

from __future__ import annotations

import math
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Self

from babel import Locale, UnknownLocaleError
from dotenv.parser import Binding, parse_stream

from bot.paths import ROOT, in_project
from bot.runtime.store_address import Address, DatabaseServer, is_server

__all__ = ["Settings", "SettingsError", "Token"]

GAMES = ROOT / "data" / "games"  # a separate folder, so that its permissions can be restricted
SANDBOX_DATABASE = GAMES / "sandbox.db"
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS = ("text", "json")
DAY_SECONDS = 24 * 60 * 60
YEAR_HOURS = 366 * 24
MONTH_MINUTES = 31 * 24 * 60
PRINTABLE_NAME = re.compile(r"[A-Za-z_]\w{0,39}", re.ASCII)
LINK_SHAPE = re.compile(r"https://[!-~]+\.[!-~]+")
TOKEN_SHAPE = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
SOME_NAME = re.compile(r"(?:^|\s)(DISCORD_TOKEN|BIGGER_[A-Z_]+)\s*=")  # a setting within the value of another
SOME_TOKEN = re.compile(r"[\w-]{17,}\.[\w-]{5,8}\.[\w-]{25,}", re.ASCII)  # a token within other text
TOKEN_NAME = re.compile(r"(?i)(DISCORD_?)?((BOT|APP|CLIENT)_?)?TOKEN")
QUOTED = re.compile("[\"'`\u2018\u201c\u201e]")  # a container's --env-file leaves quotation marks in the value
VARIABLE = re.compile(r"(?:^|[/\\])(?:\$\w+|\$\{\w+\}|%\w+%)(?:[/\\]|$)")  # which only a shell replaces
LONGEST_LINE = 100
LONGEST_LINK = 400  # fits a link button, with room to spare
SHOWN_CHARACTERS = 32
"""Longer values are not repeated in messages: one might be the token, pasted into the wrong line."""


OTHERS = re.compile(r"POSTGRES_|COMPOSE_|DOCKER_|PG|PYTHON|TZ$")  # names of other software's settings
MISPLACED = (
    "{what} holds what looks like the bot's token. Write the token on a line of its own after DISCORD_TOKEN=, and "
    "choose Reset Token first if someone may have read it here."
)

TWO_IN_ONE = "{what} holds {other} too. Write each setting on a line of its own."


class SettingsError(Exception):
    """All errors in the settings, as one text to print. `problems`: a sentence for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        count = "one setting is" if len(self.problems) == 1 else f"{len(self.problems)} settings are"
        lines = "".join(f"\n  {problem}" for problem in self.problems)
        super().__init__(f"Bigger can't start: {count} wrong.{lines}\nEvery setting is explained in .env.example.")


class Token:
    """A bot token, hidden in repr, str, format, asdict and logs. False when empty."""

    __slots__ = ("__text",)

    def __init__(self, text: str = "") -> None:
        if text and not TOKEN_SHAPE.fullmatch(text):
            raise ValueError(
                'must be the token of the Bot tab alone: three parts joined by dots, without "Bot" or quotation marks'
                " (the client secret and the public key are something else)"
            )
        self.__text = text

    def reveal(self) -> str:
        """Return the token itself, for the login."""
        return self.__text

    def __bool__(self) -> bool:
        return bool(self.__text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and other.reveal() == self.__text

    def __hash__(self) -> int:
        return hash(self.__text)

    def __repr__(self) -> str:
        return f"<Token {'set' if self else 'empty'}>"

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def _number(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not low <= number <= high:
            raise ValueError(f"must be a number from {low:g} to {high:g}")
        return number

    return read


def _number_on_discord(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,20}", text):
        raise ValueError("must be a Discord ID: turn on Developer Mode there and choose Copy ID")
    return int(text)


def _address(text: str) -> Address:
    if is_server(text):
        return DatabaseServer(text)
    if QUOTED.match(text) or VARIABLE.search(text) or not text.isprintable():
        raise ValueError(
            "must be a path as it is, without quotation marks, variables such as $HOME, or invisible characters"
        )
    path = in_project(text)
    if _is_folder(path):
        raise ValueError("must be the path of a file, or an address that begins with postgresql://")
    return path


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise ValueError(f"must be a path that the bot's user can reach ({error.strerror})") from None


def _address_or_none(text: str) -> Address | None:
    return _address(text) if text else None


def _yes_or_no(text: str) -> bool:
    if text.lower() not in {"yes", "no"}:
        raise ValueError("must be yes or no")
    return text.lower() == "yes"


def _log_level(text: str) -> str:
    if text.upper() not in LOG_LEVELS:
        raise ValueError(f"must be one of {', '.join(LOG_LEVELS)}")
    return text.upper()


def _log_format(text: str) -> str:
    if text.lower() not in LOG_FORMATS:
        raise ValueError(f"must be {' or '.join(LOG_FORMATS)}")
    return text.lower()


def _locale(text: str) -> str:
    name = text.replace("-", "_")
    try:
        Locale.parse(name)
    except (UnknownLocaleError, ValueError) as wrong:
        raise ValueError("must be a language such as en or zh-CN") from wrong
    return name


def _line_of_text(text: str) -> str:
    if len(text) > LONGEST_LINE or not text.isprintable():
        raise ValueError(f"must be one line of at most {LONGEST_LINE} characters")
    return text


def _link(text: str) -> str:
    if text and (len(text) > LONGEST_LINK or not LINK_SHAPE.fullmatch(text)):
        raise ValueError("must be an address that begins with https://")
    return text


def _setting(name: str, default: str, read: Callable[[str], object]) -> Any:
    return field(default=read(default), metadata={"name": name, "default": default, "read": read})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of the bot, from the environment.

    The unit of a number is in its name. Paths are absolute. `default_locale` is written zh_CN.
    """

    token: Token = _setting("DISCORD_TOKEN", "", Token)
    database: Address = _setting("BIGGER_DATABASE", "data/games/bigger.db", _address)
    other_database: Address | None = _setting("BIGGER_OTHER_DATABASE", "", _address_or_none)
    backup_hours: int = _setting("BIGGER_BACKUP_HOURS", "0", _whole(0, YEAR_HOURS))
    backups_kept: int = _setting("BIGGER_BACKUPS_KEPT", "7", _whole(1, 1000))
    shards_a_process: int = _setting("BIGGER_SHARDS_A_PROCESS", "16", _whole(1, 1000))
    lease_seconds: float = _setting("BIGGER_LEASE_SECONDS", "15", _number(1, 600))
    sandbox_port: int = _setting("BIGGER_SANDBOX_PORT", "8080", _whole(0, 65535))
    log_level: str = _setting("BIGGER_LOG_LEVEL", "INFO", _log_level)
    log_format: str = _setting("BIGGER_LOG_FORMAT", "text", _log_format)
    metrics_port: int = _setting("BIGGER_METRICS_PORT", "0", _whole(0, 65535))
    live_seconds: float = _setting("BIGGER_LIVE_SECONDS", "120", _number(1, DAY_SECONDS))
    live_reserve_seconds: float = _setting("BIGGER_LIVE_RESERVE_SECONDS", "60", _number(0, DAY_SECONDS))
    slow_hours: float = _setting("BIGGER_SLOW_HOURS", "24", _number(0.01, YEAR_HOURS))
    between_hands_seconds: float = _setting("BIGGER_BETWEEN_HANDS_SECONDS", "60", _number(0, DAY_SECONDS))
    lobby_minutes: float = _setting("BIGGER_LOBBY_MINUTES", "30", _number(0.01, MONTH_MINUTES))
    house_delay_seconds: float = _setting("BIGGER_HOUSE_DELAY_SECONDS", "1.9", _number(0, 60))
    requests_per_second: float = _setting("BIGGER_REQUESTS_PER_SECOND", "30", _number(1, 45))
    card_emoji: bool = _setting("BIGGER_CARD_EMOJI", "yes", _yes_or_no)
    default_locale: str = _setting("BIGGER_DEFAULT_LOCALE", "en", _locale)
    owner_server: int = _setting("BIGGER_OWNER_SERVER", "0", _number_on_discord)
    operator: str = _setting("BIGGER_OPERATOR", "", _line_of_text)
    contact: str = _setting("BIGGER_CONTACT", "", _line_of_text)
    privacy_link: str = _setting("BIGGER_PRIVACY_LINK", "", _link)
    terms_link: str = _setting("BIGGER_TERMS_LINK", "", _link)
    source_link: str = _setting("BIGGER_SOURCE_LINK", "", _link)

    @property
    def sandbox(self) -> bool:
        """Whether the bot runs against a simulated Discord, because no token is set."""
        return not self.token

    @property
    def copied(self) -> Path:
        """The file beside the backups folder, after which the backups are named.

        This is the database file; for a database on a server, a path named after the database.
        """
        return self.database if isinstance(self.database, Path) else GAMES / f"{self.database.name}.db"

    @property
    def earlier_database(self) -> Path | None:
        """The database file of earlier versions, None if the operator has set a path."""
        if isinstance(self.database, Path) and self.database.parent == GAMES:
            return GAMES.parent / self.database.name
        return None

    def given(self) -> dict[str, bool]:
        """Return for each setting's name whether it differs from its default."""
        return {row.metadata["name"]: getattr(self, row.name) != row.default for row in fields(self)}

    @classmethod
    def defaults(cls) -> dict[str, str]:
        """Return each setting's name with its default, as written in `.env`."""
        return {row.metadata["name"]: row.metadata["default"] for row in fields(cls)}

    @classmethod
    def load(cls, environ: Mapping[str, str], env_file: Path | None) -> Self:
        """Read the settings; the environment overrides the file, an empty value means the default.

        env_file: need not exist. Raises SettingsError with all errors.
        """
        given, problems = _gather(environ, env_file)
        values: dict[str, object] = {}
        for row in fields(cls):
            one = given.get(row.metadata["name"])
            if one is None or not one.text:
                continue
            try:
                values[row.name] = row.metadata["read"](one.text)
            except ValueError as wrong:
                problems.append(f"{one.name} ({one.where}) {wrong}{_but_is(one)}.")
        if problems:
            raise SettingsError(problems)
        if not values.get("token"):
            values.setdefault("database", SANDBOX_DATABASE)  # sandbox games must not mix with real ones
        return cls(**values)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Given:
    name: str
    text: str = field(repr=False)
    where: str


def _but_is(one: _Given) -> str:
    if one.name == "DISCORD_TOKEN" or is_server(one.text):
        return ""
    if len(one.text) > SHOWN_CHARACTERS:
        return f", not a text of {len(one.text)} characters"
    return f", not {one.text!r}"


def _gather(environ: Mapping[str, str], env_file: Path | None) -> tuple[dict[str, _Given], list[str]]:
    """Return the values of known names, and a sentence on each invalid line and name."""
    given: dict[str, _Given] = {}
    problems: list[str] = []
    for binding in _bindings(env_file):
        where = f".env, line {_line(binding)}"
        if binding.error or (binding.key and binding.value is None):
            problems.append(f"{where} isn't written as NAME=value.")
        elif binding.key in given:
            problems.append(f"{binding.key} ({where}) is already set on {given[binding.key].where}.")
        elif binding.key:
            given[binding.key] = _Given(binding.key, (binding.value or "").strip(), where)
    outside = [_Given(name, text.strip(), "environment") for name, text in environ.items()]
    problems += _slips(given, {one.name: one for one in outside})
    return given | {one.name: one for one in outside}, problems


def _slips(given: Mapping[str, _Given], outside: Mapping[str, _Given]) -> Iterator[str]:
    """Yield a sentence on each misspelt name and misplaced token."""
    token = outside.get("DISCORD_TOKEN") or given.get("DISCORD_TOKEN")
    has_token = token is not None and bool(token.text)
    ours = [one for one in outside.values() if one.name.startswith("BIGGER_")]
    for one in (*given.values(), *ours):
        known = one.name in Settings.defaults()
        if one.name != "DISCORD_TOKEN" and (known or not has_token) and SOME_TOKEN.search(one.text):
            yield MISPLACED.format(what=_named(one))
        elif other := SOME_NAME.search(one.text) if known else None:
            yield TWO_IN_ONE.format(what=_named(one), other=other[1])
        elif not known and (one in ours or _meant_for_us(one.name, has_token=has_token)):
            yield _no_such(one)


def _bindings(env_file: Path | None) -> list[Binding]:
    if env_file is None:
        return []
    try:
        with env_file.open(encoding="utf-8-sig") as stream:
            return list(parse_stream(stream))
    except FileNotFoundError:
        return []
    except UnicodeDecodeError as wrong:
        raise SettingsError([f"The file {env_file.name} isn't text in UTF-8."]) from wrong
    except OSError as wrong:
        raise SettingsError([f"The file {env_file.name} can't be read: {wrong.strerror}."]) from wrong


def _line(binding: Binding) -> int:
    text = binding.original.string
    return binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")


def unknown_names(env_file: Path) -> tuple[str, ...]:
    """Return a sentence on each unknown name in the file. Raises SettingsError."""
    given, _ = _gather({}, env_file)
    unknown = [one for one in given.values() if one.name not in Settings.defaults() and not OTHERS.match(one.name)]
    return tuple(f"{_named(one)} isn't a setting of Bigger and has no effect: remove or correct it" for one in unknown)


def _meant_for_us(name: str, *, has_token: bool) -> bool:
    """Tell whether a name in a shared file belongs to Bigger or resembles one of its settings."""
    if TOKEN_NAME.fullmatch(name):
        return not has_token
    return name.startswith(("BIGGER_", "DISCORD_")) or bool(_nearest(name, cutoff=0.8))


def _nearest(name: str, cutoff: float) -> list[str]:
    """Return the setting with the most similar name, with or without the common prefix.

    The list is empty if none is similar.
    """
    if TOKEN_NAME.fullmatch(name):
        return ["DISCORD_TOKEN"]
    return [
        *get_close_matches(name.upper(), Settings.defaults(), n=1, cutoff=cutoff),
        *get_close_matches(f"BIGGER_{name.upper()}", Settings.defaults(), n=1, cutoff=0.9),
    ][:1]


def _named(one: _Given) -> str:
    """Return a name and its position; an invalid name is not repeated."""
    return f"{one.name if PRINTABLE_NAME.fullmatch(one.name) else 'A name'} ({one.where})"


def _no_such(one: _Given) -> str:
    hint = "".join(f" Did you mean {known}?" for known in _nearest(one.name, cutoff=0.5))
    return f"{_named(one)} isn't a setting of Bigger.{hint}"
