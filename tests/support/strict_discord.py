"""Stricter checks where SimCord is more lenient than Discord, or our promises narrower.

They apply to every simulated world.

What was made stricter, and why:

* **Whatever the bot does by an interaction's token is read by one person** (`leaked_replies`). Discord would let us
  put a hand on the board: after an update @original is the clicked message. No reply of the bot may touch or be a
  public message, by @original or by its id. Every simulated world fails at its end after such a reply.
* **The message that was clicked on can be changed by its id whatever the answer was**; SimCord takes only the ids of
  answers. A check must exist.

* **A select open on a client stays** (`removed_selects`). Where an edit takes a select away while its owner has
  it open, some clients are stuck with it (discord-api-docs #5512, #4828). An edit of a private message that does not
  answer a click on it may take none away. Every simulated world fails at its end where one did.

* **What Discord gives back of a message of components names no attachments**, though its pictures are there.
* **Discord tells a bot of its own member without any intent**, so also of its time-outs; SimCord keeps that back.

* **A nonce is remembered for some minutes** (nonces.py); SimCord takes each message for a new one.

* **The client's ``max_ratelimit_timeout`` holds** where a limit is simulated (``limit`` in simulated.py); SimCord
  puts an HTTP client of its own in place of the one that had it.

* **Only who may manage threads deletes one**, be it their own; SimCord asks for the right to manage channels.

* **Discord refuses unknown emoji on components, good ones at times, and what is too large** (see ``refusals``); SimCord
  takes all of it.

What SimCord holds to by itself: without the members intent no event tells of who joins, leaves or changes roles
(tests/people/test_presence.py would fail if one did), and nobody clicks where they do not see the message.
"""

from __future__ import annotations

import re
from typing import Any

from simcord import _dpy_internals, intents
from simcord.backend.errors import invalid_form_body, unknown_message
from simcord.components import walk_components
from simcord.http import router
from simcord.http.routes import interactions as routes
from simcord.http.routes import messages as sending

from tests.support import refusals
from tests.support.nonces import Nonces, NonceTooLong

EPHEMERAL = 1 << 6
SELECTS = (3, 5, 6, 7, 8)
COMPONENTS = 1 << 15
CHANNEL = re.compile(r"/channels/(\d+)")
CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback")
WEBHOOK = re.compile(r"/webhooks/\d+/([^/]+)(?:/messages/(.+))?")
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE = 4, 5, 6, 7
ANY_MESSAGE = re.compile(r"/channels/(\d+)/messages/(\d+)")
OVERHEARD, TAKEN_AWAY, UNANSWERED = "overheard", "taken_away", "unanswered"  # lists on a backend

_dispatch = router.dispatch
_bot_message: Any = vars(sending)["bot_message"]
_installed = _dpy_internals.install_http
_required_intent = intents.required_intent


def leaked_replies(backend: Any) -> list[str]:
    """Return effects of interaction tokens that other users can see."""
    found: list[str] = backend.__dict__.setdefault(OVERHEARD, [])
    return found


def removed_selects(backend: Any) -> list[str]:
    """Return selects removed from private messages whose owners pressed nothing."""
    found: list[str] = backend.__dict__.setdefault(TAKEN_AWAY, [])
    return found


def _watch_selects(backend: Any, method: str, path: str, body: Any) -> None:
    """Note each select that an edit takes away which answers no click."""
    unanswered: list[int] = backend.__dict__.setdefault(UNANSWERED, [])
    if (found := CALLBACK.fullmatch(path)) and body["type"] == DEFERRED_UPDATE:
        unanswered.append(int(found[1]))
    stored = _edited(backend, path, unanswered) if method == "PATCH" and "components" in body else None
    if stored is not None:
        there = {each["custom_id"] for each in walk_components(body["components"] or []) if each["type"] in SELECTS}
        before = [each["custom_id"] for each in walk_components(stored.components) if each["type"] in SELECTS]
        removed_selects(backend).extend(f"{path}: {each}" for each in before if each not in there)


def _edited(backend: Any, path: str, unanswered: list[int]) -> Any:
    """Return the edited private message; None for a click's answer or a public message."""
    if found := ANY_MESSAGE.fullmatch(path):
        alone = getattr(backend.channels.get(int(found[1])), "recipient_ids", None)
        return backend.messages.get(int(found[1]), {}).get(int(found[2])) if alone else None
    found = WEBHOOK.fullmatch(path)
    if found is None or found[1] not in backend.interaction_tokens or not found[2]:
        return None
    record = backend.interactions[backend.interaction_tokens[found[1]]]
    answers = record.id in unanswered
    if answers:
        unanswered.remove(record.id)
    number = record.message_id or 0 if found[2] == "@original" else int(found[2])
    return None if answers or record.loading else backend.messages.get(record.channel_id, {}).get(number)


def _dispatch_strictly(backend: Any, method: str, path: str, **what: Any) -> Any:
    if method == "DELETE" and (found := CHANNEL.fullmatch(path)):
        _check_deletion(backend, backend.get_channel(int(found[1])))
    if method != "GET" and not _for_one_reader(backend, path, what.get("json") or {}):
        leaked_replies(backend).append(f"{method} {path}: {what.get('json')}")
    refused = refusals.check(backend, method, path, what.get("json"), what.get("files"))
    if isinstance(body := what.get("json"), dict):
        _watch_selects(backend, method, path, body)
    given = _dispatch(backend, method, path, **what)
    if refused is not None:
        raise refused
    return given | {"attachments": []} if isinstance(given, dict) and given.get("flags", 0) & COMPONENTS else given


def _send_once(ctx: Any, channel: int) -> Any:
    """Return the sent message, or the one sent with the same nonce; 10008 after its deletion."""
    backend, body, now = ctx.backend, ctx.body(), ctx.backend.clock.elapsed
    try:
        number = _nonces(backend).first(body, now)
    except NonceTooLong as error:
        raise invalid_form_body(str(error)) from error
    if number is None:
        sent = _bot_message(ctx, channel)
        _nonces(backend).sent(body, sent.id, now)
        return sent
    found = next((there[number] for there in backend.messages.values() if number in there), None)
    if found is None:
        raise unknown_message()
    return found


def _nonces(backend: Any) -> Nonces:
    found: Nonces = backend.__dict__.setdefault("nonces", Nonces())
    return found


def _check_deletion(backend: Any, channel: Any) -> None:
    if channel.is_thread:
        backend.require_permissions(channel.guild_id, backend.bot_user.id, channel.id, "manage_threads")


def _for_one_reader(backend: Any, path: str, body: Any) -> bool:
    if found := CALLBACK.fullmatch(path):
        record = backend.interactions.get(int(found[1]))
        return record is None or _alone(backend, record) or _answers_one(backend, record, body)
    if (found := WEBHOOK.fullmatch(path)) and found[1] in backend.interaction_tokens:
        record = backend.interaction_by_token(found[1])
        return _alone(backend, record) or _updates_one(backend, record, found[2], body)
    return True


def _answers_one(backend: Any, record: Any, body: Any) -> bool:
    if body["type"] == UPDATE:
        return _ephemeral(backend, record, record.source_message_id)
    return body["type"] not in (MESSAGE, DEFERRED) or _flagged(body.get("data") or {})


def _updates_one(backend: Any, record: Any, name: str | None, body: Any) -> bool:
    if name is None:
        return _ephemeral(backend, record, record.message_id) if record.loading else _flagged(body)
    return _ephemeral(backend, record, record.message_id if name == "@original" else int(name))


def _alone(backend: Any, record: Any) -> bool:
    """Tell whether this happens in a conversation of one person with the bot."""
    return len(getattr(backend.channels.get(record.channel_id), "recipient_ids", ())) == 1


def _ephemeral(backend: Any, record: Any, message: int | None) -> bool:
    stored = backend.messages.get(record.channel_id, {}).get(message or 0)
    return stored is None or stored.is_ephemeral


def _flagged(body: Any) -> bool:
    return bool(int(body.get("flags") or 0) & EPHEMERAL)


def _any_message_of(ctx: Any) -> Any:
    """The message that a token can change by its id: an answer, or the clicked message."""
    record, number = routes._record(ctx), ctx.int_arg("message_id")
    if number not in (record.message_id, record.source_message_id, *record.followup_ids):
        raise unknown_message()
    return ctx.backend.get_message(record.channel_id, number)


def _intent_of(event: str, payload: Any) -> str | None:
    of_itself = event == "GUILD_MEMBER_UPDATE" and payload["user"].get("bot")
    return None if of_itself else _required_intent(event, payload)


def _install_http(client: Any, http: Any) -> None:
    http.max_ratelimit_timeout = client.http.max_ratelimit_timeout
    _installed(client, http)


def install_strict_rules() -> None:
    """Make every simulated Discord of this process strict."""
    _dpy_internals.install_http = _install_http
    router.dispatch = _dispatch_strictly
    routes._interaction_message = _any_message_of
    vars(sending)["bot_message"] = _send_once
    intents.required_intent = _intent_of
