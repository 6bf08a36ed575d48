"""Creates and edits messages from request bodies: component ids, uploads, pings and the rules of edits."""

import re
import time
from typing import Any

from tests.standin import limits
from tests.standin.components import TEXT, Component, walk
from tests.standin.errors import ApiError
from tests.standin.limits import EPHEMERAL, IS_COMPONENTS_V2, LOADING
from tests.standin.models import Message, Raw, Snowflakes

_SETTABLE = EPHEMERAL | IS_COMPONENTS_V2 | 1 << 2 | 1 << 12  # also: suppress embeds, suppress notifications
_MENTION = re.compile(r"<@!?(\d+)>")


class MessageWriter:
    """Writes request bodies into messages. ``files``: uploaded files by URL."""

    def __init__(self, snowflakes: Snowflakes, cdn: str) -> None:
        self._snowflakes = snowflakes
        self._cdn = cdn
        self.files: dict[str, bytes] = {}

    def write(self, message: Message, body: Raw, files: dict[int, tuple[str, bytes]]) -> None:
        """Fill a new message; without allowed_mentions every mentioned user is pinged."""
        message.flags |= (body.get("flags") or 0) & _SETTABLE
        message.reference = body.get("message_reference")
        self._fill(message, body, files)
        message.pings = pinged(message, body.get("allowed_mentions"))

    def edit(self, message: Message, body: Raw, files: dict[int, tuple[str, bytes]]) -> None:
        """Edit a message. Raises ApiError 50035 and changes nothing if the edit is invalid."""
        refused = limits.message(body, new=False, was_v2=message.v2)
        becomes_v2 = bool((body.get("flags") or 0) & IS_COMPONENTS_V2) and not message.v2
        kept = [key for key in ("content", "embeds") if key not in body and getattr(message, key)]
        if becomes_v2 and kept:
            refused += [f"{key} of the old message may not go with IS_COMPONENTS_V2" for key in kept]
        if refused:
            raise ApiError(50035, *refused)
        thinking = message.loading
        # An edit can set the V2 flag but not clear it, and cannot change the ephemeral flag.
        message.flags = (message.flags & ~LOADING) | ((body.get("flags") or 0) & IS_COMPONENTS_V2)
        self._fill(message, body, files)
        message.pings = pinged(message, body.get("allowed_mentions")) if thinking else message.pings
        message.revision += 1
        message.edited_at = time.time()

    def _fill(self, message: Message, body: Raw, files: dict[int, tuple[str, bytes]]) -> None:
        if "content" in body:
            message.content = body["content"] or ""
        if "embeds" in body:
            message.embeds = [{"type": "rich", **embed} for embed in body["embeds"] or []]
        if "attachments" in body or files:
            message.attachments = self._attachments(message, body, files)
        if "components" in body:
            message.components = self._components(message, body["components"] or [])

    def _attachments(self, message: Message, body: Raw, files: dict[int, tuple[str, bytes]]) -> list[Raw]:
        asked = {int(item["id"]): item for item in body.get("attachments") or []}
        keep = [old for old in message.attachments if "attachments" not in body or int(old["id"]) in asked]
        return keep + [self._upload(message, name, data, asked.get(n, {})) for n, (name, data) in files.items()]

    def _upload(self, message: Message, name: str, data: bytes, asked: Raw) -> Raw:
        number = self._snowflakes.next()
        url = f"{self._cdn}/attachments/{message.channel.id}/{number}/{name}"
        self.files[url] = data
        found: Raw = {"id": str(number), "filename": asked.get("filename", name), "size": len(data), "url": url}
        if asked.get("description"):
            found["description"] = asked["description"]
        return {**found, "proxy_url": url, "content_type": _content_type(name)}

    def _components(self, message: Message, components: list[Component]) -> list[Component]:
        """Return components as Discord does: with ids, emoji ids as text, and URLs of attachments."""
        taken = {part["id"] for part in walk(components) if part.get("id")}
        numbers = iter(n for n in range(1, 1000) if n not in taken)
        urls = {f"attachment://{item['filename']}": item for item in message.attachments}
        copied: list[Component] = [_copied(part, urls) for part in components]
        for part in walk(copied):
            part["id"] = part.get("id") or next(numbers)
        return copied


def _copied(value: Any, urls: dict[str, Raw]) -> Any:
    if isinstance(value, list):
        return [_copied(item, urls) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("url") in urls:
        item = urls[value["url"]]
        shared = {key: item[key] for key in ("url", "proxy_url", "content_type")}
        return {**shared, "id": item["id"], "width": 0, "height": 0, "attachment_id": item["id"]}
    found = {key: _copied(item, urls) for key, item in value.items()}
    if "media" in found and "type" not in found:  # an item of a gallery
        found = {"description": None, "spoiler": False, **found}
    if found.get("emoji") and found["emoji"].get("id"):
        found["emoji"]["id"] = str(found["emoji"]["id"])
    return found


def pinged(message: Message, allowed: Raw | None) -> set[int]:
    """Return the ids of mentioned users whom the message may ping."""
    texts = [message.content, *(part["content"] for part in walk(message.components) if part["type"] == TEXT)]
    named = {int(number) for text in texts for number in _MENTION.findall(text)}
    if allowed is None or "users" in (allowed.get("parse") or []):
        return named
    return named & {int(number) for number in allowed.get("users") or []}


def _content_type(name: str) -> str:
    kinds = {"png": "image/png", "webp": "image/webp", "jpg": "image/jpeg", "gif": "image/gif", "txt": "text/plain"}
    return kinds.get(name.rpartition(".")[2].lower(), "application/octet-stream")
