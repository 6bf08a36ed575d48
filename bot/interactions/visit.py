"""Somebody at the door, with a click, a form, a command or the beginning of one: who, on what, and in which words.

Knows how a click finds its handler. Refuses to know what any handler does.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, TypeVar, cast

from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.domain.preferences import Habits
from bot.domain.refusals import Refused
from bot.interactions import private_replies
from bot.interactions.answers import PLAINLY, Manner
from bot.interactions.private_replies import Interaction, PrivateMessage
from bot.interactions.replies import Reply
from bot.runtime.visited_server import server_of
from bot.runtime.workers import Turn
from bot.show.kit.custom_ids import Browse, Press
from bot.show.kit.words import Words
from bot.table.table import Table

Address: TypeAlias = Press | Browse
T = TypeVar("T")
SERVER_ONLY = "This works only on a server."
STALE = "That choice is of no use any more. Please open the menu again, and choose from it."
ACKNOWLEDGED = 3.0  # seconds after which Discord takes no first answer, so that a visit is answered or lost
ANSWERED = 15 * 60.0  # seconds after which it takes no further one
Key: TypeAlias = tuple[type[Address], str]


@dataclass(eq=False)
class Visit:
    """A click on something the bot has sent, a form sent off, a command, or what is typed of one; made once for each.

    w: the words for what only this person sees. address: of what was clicked on or filled in; None for a command.
    values: what is chosen now in a select. filled: what stands in the form, by field.
    typed: what stands so far where choices are offered; options: what else the command has been given by then.
    table: what a click is about, once a guard has found it. habits: what whoever comes has chosen for themselves.
    came: when, by the monotonic clock. turn: the work of this person that the visit has begun (expensive_work.py).
    """

    interaction: Interaction
    w: Words
    address: Address | None = None
    values: tuple[str, ...] = ()
    filled: Mapping[str, str] = field(default_factory=dict)
    typed: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    table: Table = field(init=False, repr=False)
    habits: Habits = field(default_factory=Habits)
    refused: Refused | None = field(default=None, init=False, repr=False)
    turn: Turn | None = field(default=None, init=False, repr=False)
    came: float = field(default_factory=lambda: time.monotonic(), init=False, repr=False)  # looked up late

    def is_awaited(self) -> bool:
        """Whether Discord still takes an answer."""
        limit = ANSWERED if self.interaction.response.is_done() else ACKNOWLEDGED
        return time.monotonic() - self.came < limit

    @cached_property
    def user(self) -> UserId:
        """Who comes."""
        return UserId(self.interaction.user.id)

    @cached_property
    def guild(self) -> GuildId | None:
        """The server they come from, None from elsewhere: also from one on which the bot is not."""
        return server_of(self.interaction)

    @cached_property
    def channel(self) -> ChannelId | None:
        """The channel or thread in which they come."""
        channel = self.interaction.channel_id
        return None if channel is None else ChannelId(channel)

    @property
    def server(self) -> GuildId:
        """The server where they come. Raises Refused elsewhere."""
        if self.guild is None:
            raise Refused(SERVER_ONLY)
        return self.guild

    @property
    def named_table(self) -> TableId | None:
        """The number of the table that a command has been given so far; Discord checks it only when all is sent."""
        given = self.options.get("table")
        return TableId(given) if isinstance(given, int) else None

    @cached_property
    def own(self) -> PrivateMessage | None:
        """What was clicked on, where only the person who clicked sees it: the only place an answer may stand in."""
        return private_replies.clicked(self.interaction)

    def one(self, read: Callable[[str], T]) -> T:
        """Return what the one value stands for that is chosen; raises as :meth:`all`."""

        def only(values: tuple[str, ...]) -> T:
            (value,) = values
            return read(value)

        return self.all(only)

    def all(self, read: Callable[[tuple[str, ...]], T]) -> T:
        """Return what all chosen values stand for.

        Raises Refused for those that no menu offers now: read raises KeyError or ValueError.
        """
        try:
            return read(self.values)
        except (KeyError, ValueError):
            raise Refused(STALE) from None

    def among(self, offered: Container[str]) -> str:
        """Return the one value that is chosen. Raises Refused for one that is not among those offered now."""
        value = self.one(str)
        if value not in offered:
            raise Refused(STALE)
        return value

    @cached_property
    def button(self) -> Press:
        """The address of a component about a table."""
        return cast(Press, self.address)

    @cached_property
    def browse(self) -> Browse:
        """The address of a component that is not about a running table."""
        return cast(Browse, self.address)


Work: TypeAlias = Callable[[Visit], Awaitable[Reply]]
Guard: TypeAlias = Callable[[Visit], Awaitable[Reply | None]]  # see bot.interactions.guards


@dataclass(frozen=True, slots=True)
class Handler:
    """What answers a click, a form or a command, and in which manner. guards: those that only this one is behind."""

    work: Work
    manner: Manner = PLAINLY
    guards: tuple[Guard, ...] = ()
