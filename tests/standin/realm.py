"""The state of the simulated Discord: guilds, channels, messages, interactions, commands, emojis.

Each change sends its gateway events. HTTP is in ``rest``, ``tokens`` and ``applications``.
"""

import asyncio
import base64
import secrets
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tests.standin.errors import ApiError
from tests.standin.faults import Faults, Log
from tests.standin.gateway import DIRECT_MESSAGES, GUILD_MESSAGES, Event, Gateway, Session
from tests.standin.interactions import FAILED, Interaction
from tests.standin.messages import MessageWriter
from tests.standin.models import DM, TEXT_CHANNEL, Channel, Guild, Message, Raw, Snowflakes, User, when
from tests.standin.rates import Rates
from tests.support.nonces import Nonces

T = TypeVar("T")
WAIT_LIMIT = 60.0  # seconds: timeout of every wait in a test, for events that take a second on a quiet machine
SEVERAL_WAITS = 10 * WAIT_LIMIT  # seconds: timeout of a whole test
DISCORD_TIMEOUT = 3.0  # seconds within which Discord wants an answer
POLL_INTERVAL = 0.02  # seconds between two checks of a condition


class Realm:
    """The state of Discord. ``answer_within``, ``token_lives``: seconds (on Discord DISCORD_TIMEOUT and 900)."""

    def __init__(
        self, *, answer_within: float = WAIT_LIMIT, token_lives: float = 900.0, rates: Rates | None = None
    ) -> None:
        self.rates = rates or Rates()
        self.answer_within = answer_within
        self.token_lives = token_lives
        self.address = ""
        self.snowflakes = Snowflakes()
        self.bot = User(self.snowflakes.next(), "bigger", bot=True)
        self.application_id = self.bot.id
        self.token = _bot_token(self.bot.id)
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.emojis: dict[int, Raw] = {}
        self.commands: dict[int | None, list[Raw]] = {None: []}
        self.interactions: dict[str, Interaction] = {}
        self.starts_left = 999  # remaining session starts of the day
        self.user_install = True  # whether people may install the app for themselves
        self.shards = 1  # number that Discord recommends
        self.nonces = Nonces()
        self.failures: list[str] = []  # errors of the stand-in itself
        self.removed_menus: list[str] = []  # selects removed without an action of their user
        self.log = Log()
        self.faults = Faults()
        self.gateway = Gateway(self._welcome, self._members)
        self.message_writer = MessageWriter(self.snowflakes, "")
        self.guild = self.add_guild("The Club")

    # Setup by tests

    def add_guild(self, name: str, *, locale: str = "en-US") -> Guild:
        """Add a server with the bot."""
        guild = Guild(self.snowflakes.next(), name, locale, {self.bot.id: self.bot})
        self.guilds[guild.id] = guild
        self.gateway.emit("GUILD_CREATE", guild.raw([]), guild.id)
        return guild

    def add_channel(self, name: str, guild: Guild | None = None) -> Channel:
        """Add a text channel, by default to the first server."""
        channel = Channel(self.snowflakes.next(), TEXT_CHANNEL, name, guild or self.guild)
        self.channels[channel.id] = channel
        self.send_event(channel, "CHANNEL_CREATE", channel.raw())
        return channel

    def add_user(self, name: str, *guilds: Guild, locale: str = "en-US", dms_open: bool = True) -> User:
        """Add a user, by default as a member of the first server."""
        user = User(self.snowflakes.next(), name, locale, dms_open=dms_open)
        self.users[user.id] = user
        for guild in guilds or (self.guild,):
            guild.members[user.id] = user
        return user

    def dm(self, user: User) -> Channel:
        """Return the direct message channel of this user."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        channel = Channel(self.snowflakes.next(), DM, "", recipient=user)
        self.channels[channel.id] = channel
        return channel

    async def until(self, condition: Callable[[], T], timeout: float = WAIT_LIMIT) -> T:  # noqa: ASYNC109 - as asyncio.wait_for
        """Wait until the condition is true (an error counts as false), and return its result."""
        try:
            async with asyncio.timeout(timeout):
                while not (found := _evaluate(condition)):  # noqa: ASYNC110
                    await asyncio.sleep(POLL_INTERVAL)  # no event: the condition may depend on anything
        except TimeoutError:
            recent = "\n".join(map(str, self.log[-10:]))
            raise TimeoutError(f"not within {timeout} s; the last requests were:\n{recent}") from None
        return found

    # Lookups by routes

    def channel(self, number: int) -> Channel:
        """Return the channel. Raises ApiError 10003 for an unknown one."""
        if number not in self.channels:
            raise ApiError(10003)
        return self.channels[number]

    def message(self, channel: Channel, number: int) -> Message:
        """Return a message of a channel. Raises ApiError 10008 for an unknown or ephemeral one."""
        found = channel.messages.get(number)
        if found is None or found.deleted or found.audience:
            raise ApiError(10008)
        return found

    # Changes

    def send_event(self, channel: Channel, name: str, data: Raw, *, intent: bool = False) -> None:
        """Send an event of this channel; ``intent``: only to sessions with the intent for messages."""
        guild = channel.guild.id if channel.guild else None
        wanted = (DIRECT_MESSAGES if guild is None else GUILD_MESSAGES) if intent else 0
        self.gateway.emit(name, {**data, "guild_id": str(guild)} if guild else data, guild, intent=wanted)

    def post(
        self, channel: Channel, author: User, body: Raw, files: dict[int, tuple[str, bytes]], **more: Any
    ) -> Message:
        """Add a message. ``audience``: the user who sees an ephemeral one."""
        message = Message(self.snowflakes.next(), channel, author, **more)
        self.message_writer.write(message, body, files)
        if channel.archived and not channel.locked:
            self.change_thread(channel, {"archived": False})
        channel.messages[message.id] = message
        if not message.audience:
            self.send_event(channel, "MESSAGE_CREATE", {**message.raw(), "member": author.member()}, intent=True)
        return message

    def edit(self, message: Message, body: Raw, files: dict[int, tuple[str, bytes]]) -> Message:
        """Edit a message and return it."""
        if message.channel.archived:
            raise ApiError(50083)
        self.message_writer.edit(message, body, files)
        if not message.audience:
            self.send_event(message.channel, "MESSAGE_UPDATE", message.raw(), intent=True)
        return message

    def delete_message(self, message: Message) -> None:
        """Delete a message, as the bot or a moderator."""
        message.deleted = True
        message.channel.messages.pop(message.id, None)
        data = {"id": str(message.id), "channel_id": str(message.channel.id)}
        if not message.audience:
            self.send_event(message.channel, "MESSAGE_DELETE", data, intent=True)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread, with its threads."""
        for thread in [other for other in self.channels.values() if other.parent is channel]:
            self.delete_channel(thread)
        for message in channel.messages.values():
            message.deleted = True
        del self.channels[channel.id]
        self.send_event(channel, "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel.raw())

    def open_thread(self, parent: Channel, owner: User, number: int, kind: int, body: Raw) -> Channel:
        """Add a thread with its owner as member."""
        thread = Channel(number, kind, body["name"], parent.guild, parent, owner_id=owner.id, members={owner.id})
        thread.auto_archive_duration = body.get("auto_archive_duration") or thread.auto_archive_duration
        thread.invitable = body.get("invitable", True)
        self.channels[number] = thread
        self.send_event(thread, "THREAD_CREATE", {**thread.raw(), "newly_created": True})
        return thread

    def change_thread(self, channel: Channel, body: Raw) -> None:
        """Change the name, archive state and alike of a thread or channel."""
        for key in ("name", "archived", "locked", "invitable", "auto_archive_duration", "rate_limit_per_user"):
            if body.get(key) is not None:
                setattr(channel, key, body[key])
        self.send_event(channel, "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE", channel.raw())

    def join(self, thread: Channel, user: User, *, leave: bool = False) -> None:
        """Add a user to a thread, or remove one."""
        (thread.members.discard if leave else thread.members.add)(user.id)
        data: Raw = {"id": str(thread.id), "member_count": len(thread.members)}
        data["removed_member_ids" if leave else "added_members"] = (
            [str(user.id)] if leave else [thread_member(thread, user)]
        )
        self.send_event(thread, "THREAD_MEMBERS_UPDATE", data)

    def unanswered(self, generation: int) -> list[Interaction]:
        """Return the unanswered interactions that only this bot process received."""
        return [
            each
            for each in self.interactions.values()
            if each.generations == {generation} and not each.is_acknowledged and each.id not in self.gateway.undelivered
        ]

    def fail_unanswered(self) -> None:
        """Let all unanswered interactions fail, as after Discord's timeout."""
        for interaction in self.interactions.values():
            interaction.fail(FAILED)

    def abandon(self, generation: int) -> None:
        """Drop the sessions of an ended bot process, and let its unanswered interactions fail."""
        self.gateway.drop_sessions(generation)
        for interaction in self.interactions.values():
            interaction.generations.discard(generation)
            if not interaction.is_acknowledged and not interaction.generations:
                interaction.fail(FAILED)

    # Events of a new session

    def _welcome(self, session: Session) -> Iterator[Event]:
        guilds = [guild for guild in self.guilds.values() if session.owns(guild.id)]
        ready: Raw = {
            "v": 10,
            "user": self.bot.raw(),
            "session_id": session.id,
            "shard": [session.shard, session.shards],
        }
        ready["resume_gateway_url"] = f"{self.address.replace('http', 'ws', 1)}/g{session.generation}/gateway"
        ready["guilds"] = [{"id": str(guild.id), "unavailable": True} for guild in guilds]
        yield "READY", {**ready, "application": {"id": str(self.application_id), "flags": 0}}
        for guild in guilds:
            inside = [channel for channel in self.channels.values() if channel.guild is guild]
            yield "GUILD_CREATE", guild.raw(inside)

    def _members(self, guild_id: int) -> Event:
        members = [user.member() for user in self.guilds[guild_id].members.values()]
        return "GUILD_MEMBERS_CHUNK", {
            "guild_id": str(guild_id),
            "members": members,
            "chunk_index": 0,
            "chunk_count": 1,
        }


def thread_member(thread: Channel, user: User) -> Raw:
    """Return a thread member in wire form."""
    return {"id": str(thread.id), "user_id": str(user.id), "join_timestamp": when(thread.id), "flags": 0}


def _bot_token(application_id: int) -> str:
    """Return a token in Discord's format: the application's id, a time and a signature."""
    named = base64.urlsafe_b64encode(str(application_id).encode()).decode().rstrip("=")
    return f"{named}.{secrets.token_urlsafe(5)[:6]}.{secrets.token_urlsafe(30)[:38]}"


def _evaluate(condition: Callable[[], T]) -> T | None:
    try:
        return condition()
    except (LookupError, StopIteration):
        return None
