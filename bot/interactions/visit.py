"""A visit: one click, form, command or autocompletion with its user, address and language."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, TypeVar, cast

from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.preferences import Preferences
from bot.domain.refusals import Outdated, Refused
from bot.interactions import private_replies
from bot.interactions.answers import PLAINLY, AnswerMode, Reply
from bot.interactions.private_replies import Interaction, PrivateMessage
from bot.runtime.discord_requests import server_of
from bot.runtime.workers import WorkerTurn
from bot.show.kit.custom_ids import Browse, Press
from bot.show.kit.words import Words
from bot.table.table import Table

Address: TypeAlias = Press | Browse
T = TypeVar("T")
SERVER_ONLY = N_("This only works on a server.")
STALE = N_("That choice has expired. Please open the menu again and choose there.")
CHANGED = N_("That choice is gone. Here's the table now.")
FIRST_RESPONSE_LIMIT = 3.0  # seconds during which Discord accepts a first response; afterwards the visit is lost
ANSWERED = 15 * 60.0  # seconds during which Discord accepts further responses
Key: TypeAlias = tuple[type[Address], str]


@dataclass(eq=False)
class Visit:
    """One click, submitted form, command or autocompletion; made once for each interaction.

    w: the user's language, for private content. address: of the clicked component or the form; None for a command.
    values: the chosen values of a select. filled: the fields of the form. typed: the text typed so far in an
    autocompletion; options: the command's other options so far. table: the table of a click, once found by a guard, or
    the solo table that a command shows.
    preferences: of the user. arrived_at: the time of arrival by the monotonic clock. turn: the user's turn for
    expensive work, if the visit has entered it (`enter_expensive_turn` in flood_limits.py).
    """

    interaction: Interaction
    w: Words
    _: KW_ONLY
    address: Address | None = None
    values: tuple[str, ...] = ()
    filled: Mapping[str, str] = field(default_factory=dict)
    typed: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    table: Table = field(init=False, repr=False)
    preferences: Preferences = field(default_factory=Preferences)
    refused: Refused | None = field(default=None, init=False, repr=False)
    turn: WorkerTurn | None = field(default=None, init=False, repr=False)
    arrived_at: float = field(
        default_factory=lambda: time.monotonic(), init=False, repr=False
    )  # looked up at each call

    def is_awaited(self) -> bool:
        """Tell whether Discord still accepts a response."""
        limit = ANSWERED if self.interaction.response.is_done() else FIRST_RESPONSE_LIMIT
        return time.monotonic() - self.arrived_at < limit

    @cached_property
    def user(self) -> UserId:
        """The user."""
        return UserId(self.interaction.user.id)

    @cached_property
    def guild(self) -> GuildId | None:
        """The server of the interaction; None in direct messages, and on servers without the bot."""
        return server_of(self.interaction)

    @cached_property
    def channel(self) -> ChannelId | None:
        """The channel or thread of the interaction."""
        channel = self.interaction.channel_id
        return None if channel is None else ChannelId(channel)

    @property
    def server(self) -> GuildId:
        """The server of the interaction. Raises Refused outside of servers."""
        if self.guild is None:
            raise Refused(SERVER_ONLY)
        return self.guild

    @property
    def named_table(self) -> TableId | None:
        """The id of the table in a command's options so far.

        Discord validates options only on submission.
        """
        number = self.options.get("table")
        return TableId(number) if isinstance(number, int) else None

    @property
    def is_solo(self) -> bool:
        """Whether the visit concerns a solo table, which is in no channel."""
        table: Table | None = getattr(self, "table", None)
        return table is not None and bool(table.row.solo)

    @cached_property
    def own(self) -> PrivateMessage | None:
        """The clicked message if private: the only message that an answer may replace."""
        return private_replies.clicked_message(self.interaction)

    def one(self, read: Callable[[str], T]) -> T:
        """Return the parsed single chosen value; raises as :meth:`all`."""

        def only(values: tuple[str, ...]) -> T:
            (value,) = values
            return read(value)

        return self.all(only)

    def all(self, read: Callable[[tuple[str, ...]], T]) -> T:
        """Return the parsed chosen values.

        Raises Outdated for values that no current menu offers: `read` raises KeyError or ValueError.
        """
        try:
            return read(self.values)
        except (KeyError, ValueError):
            raise Outdated(STALE, CHANGED) from None

    def chosen_from(self, offered: Container[str]) -> str:
        """Return the single chosen value. Raises Outdated for a value not among those offered."""
        value = self.one(str)
        if value not in offered:
            raise Outdated(STALE, CHANGED)
        return value

    @cached_property
    def button(self) -> Press:
        """The address of a component of a table."""
        return cast(Press, self.address)

    @cached_property
    def browse(self) -> Browse:
        """The address of a component unrelated to a running table."""
        return cast(Browse, self.address)


Work: TypeAlias = Callable[[Visit], Awaitable[Reply]]
Guard: TypeAlias = Callable[[Visit], Awaitable[Reply | None]]  # see bot.interactions.guards


@dataclass(frozen=True, slots=True)
class Handler:
    """The work that answers an interaction, and the mode of the answer.

    guards: the handler's additional guards.
    """

    work: Work
    mode: AnswerMode = PLAINLY
    guards: tuple[Guard, ...] = ()
