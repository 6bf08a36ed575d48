"""Users, guilds, channels and messages of the stand-in, and their wire form."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.standin.components import BUTTON, GALLERY, SELECTS, TEXT, Component, walk
from tests.standin.limits import EPHEMERAL, IS_COMPONENTS_V2, LOADING

EPOCH = 1420070400000  # Discord's first second, in milliseconds
EVERYTHING_BUT_ADMINISTRATOR = ((1 << 53) - 1) & ~8
TEXT_CHANNEL, DM, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12

Raw = dict[str, Any]


class Snowflakes:
    """Creates ids like Discord: the time in the upper bits, unique, always rising."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """Return a new id."""
        self._last = max(self._last + 1, (time.time_ns() // 1_000_000 - EPOCH) << 22)
        return self._last


def when(snowflake: int) -> str:
    """Return the time in a snowflake, in ISO format."""
    return datetime.fromtimestamp(((snowflake >> 22) + EPOCH) / 1000, UTC).isoformat()


@dataclass(eq=False, repr=False)
class User:
    """A person, or the bot itself. ``dms_open``: False refuses direct messages with 50007."""

    id: int
    name: str
    locale: str = "en-US"
    bot: bool = False
    dms_open: bool = True

    @property
    def mention(self) -> str:
        """The text that pings this user."""
        return f"<@{self.id}>"

    def raw(self) -> Raw:
        """Return the user in wire form."""
        found = {"id": str(self.id), "username": self.name, "global_name": self.name.title(), "discriminator": "0"}
        return {**found, "avatar": None, "bot": self.bot, "public_flags": 0, "flags": 0, "primary_guild": None}

    def member(self) -> Raw:
        """Return the user as a member of any guild, in wire form."""
        found: Raw = {"user": self.raw(), "roles": [], "joined_at": when(self.id), "flags": 0, "nick": None}
        found |= {"avatar": None, "banner": None, "communication_disabled_until": None, "premium_since": None}
        return {
            **found,
            "deaf": False,
            "mute": False,
            "pending": False,
            "permissions": str(EVERYTHING_BUT_ADMINISTRATOR),
        }


@dataclass(eq=False, repr=False)
class Guild:
    """A server. Permissions are unrestricted except by faults."""

    id: int
    name: str
    locale: str = "en-US"
    members: dict[int, User] = field(default_factory=dict)

    def raw(self, channels: list["Channel"]) -> Raw:
        """Return the guild in the wire form of GUILD_CREATE."""
        role: Raw = {"id": str(self.id), "name": "@everyone", "permissions": str(EVERYTHING_BUT_ADMINISTRATOR)}
        role |= {"color": 0, "hoist": False, "position": 0, "managed": False, "mentionable": False, "flags": 0}
        threads = [channel.raw() for channel in channels if channel.is_thread and not channel.archived]
        found: Raw = {
            "id": str(self.id),
            "name": self.name,
            "preferred_locale": self.locale,
            "roles": [role],
            "emojis": [],
        }
        found |= {"channels": [channel.raw() for channel in channels if not channel.is_thread], "threads": threads}
        found |= {"members": [user.member() for user in self.members.values()], "member_count": len(self.members)}
        owner = next(iter(self.members), self.id)
        return {**found, "owner_id": str(owner), "unavailable": False, "features": [], "stickers": [], "large": False}


@dataclass(eq=False, repr=False)
class Channel:
    """A text channel, a thread or a direct message. ``app_permissions``: permissions reported in interactions."""

    id: int
    type: int
    name: str
    guild: Guild | None = None
    parent: "Channel | None" = None
    recipient: User | None = None
    owner_id: int = 0
    members: set[int] = field(default_factory=set)
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    auto_archive_duration: int = 1440
    rate_limit_per_user: int = 0
    app_permissions: int = EVERYTHING_BUT_ADMINISTRATOR
    messages: dict[int, "Message"] = field(default_factory=dict)

    @property
    def is_thread(self) -> bool:
        """Whether the channel is a thread."""
        return self.type in {PUBLIC_THREAD, PRIVATE_THREAD}

    def is_visible_to(self, user: User) -> bool:
        """Whether the user can see the channel."""
        if self.recipient:
            return user is self.recipient
        inside = self.guild is not None and user.id in self.guild.members
        return inside and (self.type != PRIVATE_THREAD or user.id in self.members)

    def seen_by(self, user: User | None) -> list["Message"]:
        """Return the messages that a user sees, oldest first; None sees public messages only."""
        return [message for message in self.messages.values() if message.is_visible_to(user)]

    def raw(self) -> Raw:
        """Return the channel in wire form."""
        found: Raw = {"id": str(self.id), "type": self.type, "flags": 0, "last_message_id": None}
        if self.recipient:
            return {**found, "recipients": [self.recipient.raw()]}
        found |= {"name": self.name, "guild_id": str(self.guild.id) if self.guild else None}
        found["rate_limit_per_user"] = self.rate_limit_per_user
        if not self.is_thread:
            return {
                **found,
                "position": 0,
                "permission_overwrites": [],
                "parent_id": None,
                "topic": None,
                "nsfw": False,
            }
        return found | self._thread()

    def _thread(self) -> Raw:
        meta: Raw = {"archived": self.archived, "locked": self.locked, "invitable": self.invitable}
        meta |= {"auto_archive_duration": self.auto_archive_duration, "archive_timestamp": when(self.id)}
        found: Raw = {"thread_metadata": {**meta, "create_timestamp": when(self.id)}, "owner_id": str(self.owner_id)}
        found["parent_id"] = str(self.parent.id) if self.parent else None
        found |= {"message_count": len(self.messages), "total_message_sent": len(self.messages)}
        return {**found, "member_count": len(self.members), "bitrate": 0, "user_limit": 0, "rtc_region": None}


def _texts(part: Component) -> list[str]:
    if part["type"] == GALLERY:
        return [item.get("description") or "" for item in part["items"]]
    return [part["content"]] if part["type"] == TEXT else []


@dataclass(eq=False, repr=False)
class Message:
    """A message. ``audience``: the only user who sees an ephemeral message; ``pings``: the ids of pinged users."""

    id: int
    channel: Channel
    author: User
    content: str = ""
    embeds: list[Raw] = field(default_factory=list)
    components: list[Component] = field(default_factory=list)
    attachments: list[Raw] = field(default_factory=list)
    flags: int = 0
    audience: User | None = None
    pings: set[int] = field(default_factory=set)
    reference: Raw | None = None
    pinned: bool = False
    deleted: bool = False
    revision: int = 0
    edited_at: float | None = None

    @property
    def v2(self) -> bool:
        """Whether the message uses Components V2, which is irrevocable."""
        return bool(self.flags & IS_COMPONENTS_V2)

    @property
    def ephemeral(self) -> bool:
        """Whether only one user sees the message."""
        return bool(self.flags & EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether the bot still "is thinking"."""
        return bool(self.flags & LOADING)

    @property
    def text(self) -> str:
        """All visible text: content, text displays and descriptions of pictures, one line each."""
        return "\n".join([self.content, *(said for part in walk(self.components) for said in _texts(part))]).strip()

    @property
    def controls(self) -> list[Component]:
        """The buttons and selects, in reading order."""
        return [part for part in walk(self.components) if part["type"] == BUTTON or part["type"] in SELECTS]

    @property
    def menus(self) -> set[str]:
        """The custom_ids of the selects."""
        return {part["custom_id"] for part in self.controls if part["type"] in SELECTS}

    def control(self, key: str) -> Component:
        """Return the only button or select whose custom_id, label or placeholder equals or contains ``key``.

        Raises LookupError for none or several.
        """
        controls = self.controls
        for matches in (_exactly, _partly):
            found = [part for part in controls if matches(part, key)]
            if len(found) == 1:
                return found[0]
        names = [part.get("label") or part.get("placeholder") or part.get("custom_id") for part in controls]
        raise LookupError(f"no single control {key!r} among {names}")

    def has(self, key: str) -> bool:
        """Whether a button or select matches ``key``."""
        return any(matches(part, key) for part in self.controls for matches in (_exactly, _partly))

    def is_visible_to(self, user: User | None) -> bool:
        """Whether the user sees the message."""
        return not self.deleted and (self.audience is None or self.audience is user)

    def raw(self) -> Raw:
        """Return the message in wire form."""
        edited = None if self.edited_at is None else datetime.fromtimestamp(self.edited_at, UTC).isoformat()
        found: Raw = {"id": str(self.id), "channel_id": str(self.channel.id), "type": 19 if self.reference else 0}
        found |= {"author": self.author.raw(), "content": self.content, "embeds": self.embeds, "flags": self.flags}
        found |= {"components": self.components, "attachments": self.attachments, "pinned": self.pinned, "tts": False}
        found |= {"timestamp": when(self.id), "edited_timestamp": edited, "mention_everyone": False}
        found |= {"mentions": [], "mention_roles": []}
        return {**found, "message_reference": self.reference} if self.reference else found


def _exactly(part: Component, key: str) -> bool:
    return key in {part.get("custom_id"), part.get("label"), part.get("placeholder")}


def _partly(part: Component, key: str) -> bool:
    return any(key in text for text in _words(part))


def _words(part: Component) -> Iterator[str]:
    yield part.get("label") or ""
    yield part.get("placeholder") or ""
    yield part.get("custom_id") or ""
