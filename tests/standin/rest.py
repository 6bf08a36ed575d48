"""Discord's routes for users, guilds, channels, threads and messages.

HTTP itself is in ``server``, the routes with interaction tokens are in ``tokens``.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any

from tests.standin.calls import Call
from tests.standin.errors import ApiError
from tests.standin.limits import EPHEMERAL
from tests.standin.messages import pinged
from tests.standin.models import PRIVATE_THREAD, PUBLIC_THREAD, Message, Raw, User
from tests.standin.realm import Realm, thread_member
from tests.support.nonces import NonceTooLong

Handler = Callable[[Realm, Call], Any]


def _me(realm: Realm, call: Call) -> Raw:
    return {**realm.bot.raw(), "verified": True, "mfa_enabled": True, "email": None, "locale": "en-US"}


def _user(realm: Realm, call: Call) -> Raw:
    return _person(realm, call).raw()


def _person(realm: Realm, call: Call) -> User:
    name = call.params["user"]
    found = realm.bot if name == "@me" else realm.users.get(int(name))
    if found is None:
        raise ApiError(10013)
    return found


def _open_dm(realm: Realm, call: Call) -> Raw:
    user = realm.users.get(int(call.body["recipient_id"]))
    if user is None or user.bot:
        raise ApiError(50007)
    return realm.dm(user).raw()


def _gateway(realm: Realm, call: Call) -> Raw:
    url = f"{realm.address.replace('http', 'ws', 1)}/g{call.generation}/gateway"
    limit = {"total": 1000, "remaining": realm.starts_left, "reset_after": 86400000, "max_concurrency": 1}
    return {"url": url, "shards": realm.shards, "session_start_limit": limit}


def _guild(realm: Realm, call: Call) -> Raw:
    guild = realm.guilds.get(call.number("guild"))
    if guild is None:
        raise ApiError(10004)
    return guild.raw([])


def _guild_channels(realm: Realm, call: Call) -> list[Raw]:
    inside = [c for c in realm.channels.values() if c.guild and c.guild.id == call.number("guild")]
    return [channel.raw() for channel in inside if not channel.is_thread]


def _member(realm: Realm, call: Call) -> Raw:
    guild = realm.guilds.get(call.number("guild"))
    user = guild.members.get(_person(realm, call).id) if guild else None
    if user is None:
        raise ApiError(10004 if guild is None else 10007)
    return user.member()


def _channel(realm: Realm, call: Call) -> Raw:
    return realm.channel(call.number("channel")).raw()


def _delete_channel(realm: Realm, call: Call) -> Raw:
    channel = realm.channel(call.number("channel"))
    if channel.recipient is None:
        realm.delete_channel(channel)
    return channel.raw()


def _change_channel(realm: Realm, call: Call) -> Raw:
    channel = realm.channel(call.number("channel"))
    realm.change_thread(channel, call.body)
    return channel.raw()


def _thread(realm: Realm, call: Call) -> Raw:
    parent = realm.channel(call.number("channel"))
    # Discord's default is a private thread.
    kind = call.body.get("type") or PRIVATE_THREAD
    if parent.is_thread or parent.recipient or kind not in {PUBLIC_THREAD, PRIVATE_THREAD}:
        raise ApiError(50024, message="Cannot execute action on this channel type")
    return realm.open_thread(parent, realm.bot, realm.snowflakes.next(), kind, call.body).raw()


def _thread_of_message(realm: Realm, call: Call) -> Raw:
    message = _message_of(realm, call)
    if message.id in realm.channels:
        raise ApiError(160004)
    return realm.open_thread(message.channel, realm.bot, message.id, PUBLIC_THREAD, call.body).raw()


def _join(realm: Realm, call: Call) -> None:
    thread = realm.channel(call.number("channel"))
    realm.join(thread, _person(realm, call), leave=call.method == "DELETE")


def _thread_members(realm: Realm, call: Call) -> list[Raw]:
    thread = realm.channel(call.number("channel"))
    return [thread_member(thread, realm.users[number]) for number in thread.members]


def _thread_member(realm: Realm, call: Call) -> Raw:
    thread, user = realm.channel(call.number("channel")), _person(realm, call)
    if user.id not in thread.members:
        raise ApiError(10007)
    return thread_member(thread, user)


def _history(realm: Realm, call: Call) -> list[Raw]:
    seen = realm.channel(call.number("channel")).seen_by(None)
    before, after = int(call.query.get("before", 1 << 63)), int(call.query.get("after", 0))
    fitting = [message for message in seen if after < message.id < before]
    most = int(call.query.get("limit", 50))
    # Newest first; with "after" the page is the oldest ones.
    page = fitting[:most] if "after" in call.query else fitting[-most:]
    return [message.raw() for message in reversed(page)]


def _send(realm: Realm, call: Call) -> Raw:
    channel = realm.channel(call.number("channel"))
    if channel.recipient and not channel.recipient.dms_open:
        raise ApiError(50007)
    if channel.archived and channel.locked:
        raise ApiError(50083)
    if (call.body.get("flags") or 0) & EPHEMERAL:
        raise ApiError(50035, "EPHEMERAL is only for interactions")
    _replied(realm, call)
    if known := _sent_before(realm, call):
        return known.raw()
    message = realm.post(channel, realm.bot, call.body, call.files)
    realm.nonces.sent(call.body, message.id, monotonic())
    _add_mentioned(realm, message, message.pings)
    return message.raw()


def _sent_before(realm: Realm, call: Call) -> Message | None:
    """Return the message sent before with this nonce, if any. Raises ApiError 10008 after its deletion."""
    try:
        number = realm.nonces.first(call.body, monotonic())
    except NonceTooLong as error:
        raise ApiError(50035, str(error)) from error
    if number is None:
        return None
    found = next((there.messages[number] for there in realm.channels.values() if number in there.messages), None)
    if found is None:
        raise ApiError(10008)
    return found


def _add_mentioned(realm: Realm, message: Message, named: set[int]) -> None:
    """Add mentioned users to a thread; edits, too, do so, but ping no user."""
    for user in named - message.channel.members if message.channel.is_thread else ():
        realm.join(message.channel, realm.users[user])


def _replied(realm: Realm, call: Call) -> None:
    reference = call.body.get("message_reference")
    if reference and reference.get("fail_if_not_exists", True):
        known = realm.channel(call.number("channel")).messages.get(int(reference["message_id"]))
        if known is None or known.audience:
            raise ApiError(50035, "message_reference: Unknown message")


def _message_of(realm: Realm, call: Call) -> Message:
    return realm.message(realm.channel(call.number("channel")), call.number("message"))


def _message(realm: Realm, call: Call) -> Raw:
    return _message_of(realm, call).raw()


def _edit(realm: Realm, call: Call) -> Raw:
    message = _message_of(realm, call)
    if message.author is not realm.bot:
        raise ApiError(50005)
    edited = realm.edit(message, call.body, call.files)
    _add_mentioned(realm, edited, pinged(edited, call.body.get("allowed_mentions")))
    return edited.raw()


def _delete(realm: Realm, call: Call) -> None:
    realm.delete_message(_message_of(realm, call))


def _delete_many(realm: Realm, call: Call) -> None:
    channel = realm.channel(call.number("channel"))
    for number in call.body["messages"]:
        realm.delete_message(realm.message(channel, int(number)))


def _pin(realm: Realm, call: Call) -> None:
    _message_of(realm, call).pinned = call.method == "PUT"


def _nothing(realm: Realm, call: Call) -> None:
    realm.channel(call.number("channel"))


_C, _M, _G = "/channels/{channel:\\d+}", "/channels/{channel:\\d+}/messages/{message:\\d+}", "/guilds/{guild:\\d+}"

ROUTES: list[tuple[str, str, Handler, int]] = [
    ("GET", "/users/@me", _me, 200),
    ("GET", "/users/{user:\\d+}", _user, 200),
    ("POST", "/users/@me/channels", _open_dm, 200),
    ("GET", "/gateway/bot", _gateway, 200),
    ("GET", _G, _guild, 200),
    ("GET", f"{_G}/channels", _guild_channels, 200),
    ("GET", f"{_G}/members/{{user}}", _member, 200),
    ("GET", _C, _channel, 200),
    ("DELETE", _C, _delete_channel, 200),
    ("PATCH", _C, _change_channel, 200),
    ("POST", f"{_C}/typing", _nothing, 204),
    ("POST", f"{_C}/threads", _thread, 201),
    ("POST", f"{_M}/threads", _thread_of_message, 201),
    ("GET", f"{_C}/thread-members", _thread_members, 200),
    ("GET", f"{_C}/thread-members/{{user}}", _thread_member, 200),
    ("PUT", f"{_C}/thread-members/{{user}}", _join, 204),
    ("DELETE", f"{_C}/thread-members/{{user}}", _join, 204),
    ("GET", f"{_C}/messages", _history, 200),
    ("POST", f"{_C}/messages", _send, 200),
    ("POST", f"{_C}/messages/bulk-delete", _delete_many, 204),
    ("GET", _M, _message, 200),
    ("PATCH", _M, _edit, 200),
    ("DELETE", _M, _delete, 204),
    ("PUT", f"{_C}/messages/pins/{{message:\\d+}}", _pin, 204),
    ("DELETE", f"{_C}/messages/pins/{{message:\\d+}}", _pin, 204),
]
