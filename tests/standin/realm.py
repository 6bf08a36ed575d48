"""The state of the world and what changes it: guilds, channels, messages, interactions, commands, emojis.

Knows what the bot must hear of each change. Refuses to know HTTP; ``rest``, ``tokens`` and ``applications`` do.
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
from tests.standin.messages import Scribe
from tests.standin.models import DM, TEXT_CHANNEL, Channel, Guild, Message, Raw, Snowflakes, User, when
from tests.standin.rates import Rates
from tests.support.nonces import Nonces

T = TypeVar("T")
LIMIT = 60.0  # seconds for what happens within one on a quiet machine: the end of every wait in a test
SEVERAL_WAITS = 10 * LIMIT  # for a whole test
AT_DISCORD = 3.0  # seconds in which Discord wants an answer
LOOK = 0.02  # seconds from one look at a condition to the next


class Realm:
    """Everything Discord keeps. ``answer_within`` and ``token_lives`` are seconds (AT_DISCORD and 900 there)."""

    def __init__(self, *, answer_within: float = LIMIT, token_lives: float = 900.0, rates: Rates | None = None) -> None:
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
        self.starts_left = 999  # sessions that may still be begun today
        self.user_install = True  # whether people may install the app for themselves
        self.shards = 1  # how many Discord recommends
        self.nonces = Nonces()
        self.broken: list[str] = []  # what the stand-in itself failed to do
        self.taken_away: list[str] = []  # selects that went while their owners had pressed nothing
        self.log = Log()
        self.faults = Faults()
        self.gateway = Gateway(self._welcome, self._members)
        self.scribe = Scribe(self.snowflakes, "")
        self.guild = self.add_guild("The Club")

    # What a test sets up

    def add_guild(self, name: str, *, locale: str = "en-US") -> Guild:
        """A server with the bot in it."""
        guild = Guild(self.snowflakes.next(), name, locale, {self.bot.id: self.bot})
        self.guilds[guild.id] = guild
        self.gateway.emit("GUILD_CREATE", guild.raw([]), guild.id)
        return guild

    def add_channel(self, name: str, guild: Guild | None = None) -> Channel:
        """A text channel, in the first server unless told."""
        channel = Channel(self.snowflakes.next(), TEXT_CHANNEL, name, guild or self.guild)
        self.channels[channel.id] = channel
        self.tell(channel, "CHANNEL_CREATE", channel.raw())
        return channel

    def add_user(self, name: str, *guilds: Guild, locale: str = "en-US", dms_open: bool = True) -> User:
        """A person, member of the first server unless told."""
        user = User(self.snowflakes.next(), name, locale, dms_open=dms_open)
        self.users[user.id] = user
        for guild in guilds or (self.guild,):
            guild.members[user.id] = user
        return user

    def dm(self, user: User) -> Channel:
        """The direct messages between the bot and this user."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        channel = Channel(self.snowflakes.next(), DM, "", recipient=user)
        self.channels[channel.id] = channel
        return channel

    async def until(self, condition: Callable[[], T], timeout: float = LIMIT) -> T:  # noqa: ASYNC109 - as asyncio.wait_for
        """Wait until the condition is true (an error counts as false), and return its result."""
        try:
            async with asyncio.timeout(timeout):
                while not (found := _tried(condition)):  # noqa: ASYNC110
                    await asyncio.sleep(LOOK)  # the condition may hang on anything: nobody could set an event
        except TimeoutError:
            recent = "\n".join(map(str, self.log[-10:]))
            raise TimeoutError(f"not within {timeout} s; the last requests were:\n{recent}") from None
        return found

    # What the routes look up

    def channel(self, number: int) -> Channel:
        """The channel, or 10003."""
        if number not in self.channels:
            raise ApiError(10003)
        return self.channels[number]

    def message(self, channel: Channel, number: int) -> Message:
        """A message the channel endpoint knows, or 10008: an ephemeral one it does not."""
        found = channel.messages.get(number)
        if found is None or found.deleted or found.audience:
            raise ApiError(10008)
        return found

    # What happens

    def tell(self, channel: Channel, name: str, data: Raw, *, intent: bool = False) -> None:
        """Send an event of this channel; ``intent``: only to those who asked for messages."""
        guild = channel.guild.id if channel.guild else None
        wanted = (DIRECT_MESSAGES if guild is None else GUILD_MESSAGES) if intent else 0
        self.gateway.emit(name, {**data, "guild_id": str(guild)} if guild else data, guild, intent=wanted)

    def post(
        self, channel: Channel, author: User, body: Raw, files: dict[int, tuple[str, bytes]], **more: Any
    ) -> Message:
        """A new message; ``audience`` for an ephemeral one."""
        message = Message(self.snowflakes.next(), channel, author, **more)
        self.scribe.write(message, body, files)
        if channel.archived and not channel.locked:
            self.change_thread(channel, {"archived": False})
        channel.messages[message.id] = message
        if not message.audience:
            self.tell(channel, "MESSAGE_CREATE", {**message.raw(), "member": author.member()}, intent=True)
        return message

    def edit(self, message: Message, body: Raw, files: dict[int, tuple[str, bytes]]) -> Message:
        """A changed message."""
        if message.channel.archived:
            raise ApiError(50083)
        self.scribe.edit(message, body, files)
        if not message.audience:
            self.tell(message.channel, "MESSAGE_UPDATE", message.raw(), intent=True)
        return message

    def delete_message(self, message: Message) -> None:
        """A message that is gone, by the bot's hand or a moderator's."""
        message.deleted = True
        message.channel.messages.pop(message.id, None)
        data = {"id": str(message.id), "channel_id": str(message.channel.id)}
        if not message.audience:
            self.tell(message.channel, "MESSAGE_DELETE", data, intent=True)

    def delete_channel(self, channel: Channel) -> None:
        """A channel or thread that is gone, with its threads."""
        for thread in [other for other in self.channels.values() if other.parent is channel]:
            self.delete_channel(thread)
        for message in channel.messages.values():
            message.deleted = True
        del self.channels[channel.id]
        self.tell(channel, "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel.raw())

    def open_thread(self, parent: Channel, owner: User, number: int, kind: int, body: Raw) -> Channel:
        """A new thread, its owner in it."""
        thread = Channel(number, kind, body["name"], parent.guild, parent, owner_id=owner.id, members={owner.id})
        thread.auto_archive_duration = body.get("auto_archive_duration") or thread.auto_archive_duration
        thread.invitable = body.get("invitable", True)
        self.channels[number] = thread
        self.tell(thread, "THREAD_CREATE", {**thread.raw(), "newly_created": True})
        return thread

    def change_thread(self, channel: Channel, body: Raw) -> None:
        """A thread or channel renamed, archived, locked and so on."""
        for key in ("name", "archived", "locked", "invitable", "auto_archive_duration", "rate_limit_per_user"):
            if body.get(key) is not None:
                setattr(channel, key, body[key])
        self.tell(channel, "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE", channel.raw())

    def join(self, thread: Channel, user: User, *, leave: bool = False) -> None:
        """A player enters a thread, or leaves it."""
        (thread.members.discard if leave else thread.members.add)(user.id)
        data: Raw = {"id": str(thread.id), "member_count": len(thread.members)}
        data["removed_member_ids" if leave else "added_members"] = (
            [str(user.id)] if leave else [thread_member(thread, user)]
        )
        self.tell(thread, "THREAD_MEMBERS_UPDATE", data)

    def unanswered(self, generation: int) -> list[Interaction]:
        """What a bot process alone was asked and has not answered yet."""
        return [
            each
            for each in self.interactions.values()
            if each.generations == {generation} and not each.acked and each.id not in self.gateway.unsent
        ]

    def lose_patience(self) -> None:
        """Discord has waited long enough: what is not answered yet has failed."""
        for interaction in self.interactions.values():
            interaction.fail(FAILED)

    def abandon(self, generation: int) -> None:
        """A bot process is gone: its unanswered interactions have failed."""
        self.gateway.forget(generation)
        for interaction in self.interactions.values():
            interaction.generations.discard(generation)
            if not interaction.acked and not interaction.generations:
                interaction.fail(FAILED)

    # What a new session hears

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
    """A member of a thread as Discord writes it."""
    return {"id": str(thread.id), "user_id": str(user.id), "join_timestamp": when(thread.id), "flags": 0}


def _bot_token(application_id: int) -> str:
    """A token in the shape of Discord's: the application's id, a moment and a signature."""
    named = base64.urlsafe_b64encode(str(application_id).encode()).decode().rstrip("=")
    return f"{named}.{secrets.token_urlsafe(5)[:6]}.{secrets.token_urlsafe(30)[:38]}"


def _tried(condition: Callable[[], T]) -> T | None:
    try:
        return condition()
    except (LookupError, StopIteration):
        return None
