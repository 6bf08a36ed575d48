"""Discord's rules for one request that its OpenAPI document does not express.

Independent of the stand-in's state: whatever depends on an earlier message is an argument. Source: Discord's
documentation of messages, interactions and application commands.
"""

import re
from collections.abc import Iterable
from typing import Any
from unicodedata import category

from tests.standin.components import Component, message_complaints, modal_complaints, walk

EPHEMERAL, LOADING, IS_COMPONENTS_V2 = 1 << 6, 1 << 7, 1 << 15
THREAD_MINUTES = frozenset({60, 1440, 4320, 10080})

_NEW_MESSAGE = re.compile(r"/channels/\d+/messages|/webhooks/\d+/[^/]+")
_OLD_MESSAGE = re.compile(r"/channels/\d+/messages/\d+|/webhooks/\d+/[^/]+/messages/(@original|\d+)")
_CALLBACK = re.compile(r"/interactions/\d+/[^/]+/callback")
_COMMANDS = re.compile(r"/applications/\d+(/guilds/\d+)?/commands")
_THREAD = re.compile(r"/channels/\d+(/messages/\d+)?/threads")


def complaints(method: str, path: str, body: Any, *, was_v2: bool | None = None) -> list[str]:
    """Return what Discord would refuse in this request. path: after the API version, with or without a query.

    was_v2: whether an edited message already uses Components V2; None if unknown.
    """
    path = path.partition("?")[0]
    if method == "POST" and _CALLBACK.fullmatch(path):
        return _callback(body or {})
    if method == "POST" and _NEW_MESSAGE.fullmatch(path):
        return message(body or {}, new=True)
    if method == "PATCH" and _OLD_MESSAGE.fullmatch(path):
        return message(body or {}, new=False, was_v2=was_v2)
    if method == "PUT" and _COMMANDS.fullmatch(path):
        return _commands(body or [])
    return _thread(body or {}) if method == "POST" and _THREAD.fullmatch(path) else []


def complaints_of_all(requests: Iterable[tuple[str, str, Any]]) -> list[str]:
    """Return the complaints about all requests, each with its method and path."""
    return [f"{method} {path}: {line}" for method, path, body in requests for line in complaints(method, path, body)]


def message(body: dict[str, Any], *, new: bool, was_v2: bool | None = False) -> list[str]:
    """Return what is wrong with a message to be sent or edited."""
    components: list[Component] = body.get("components") or []
    flagged = bool((body.get("flags") or 0) & IS_COMPONENTS_V2)
    # An edit without the flag keeps the message's version; if that is unknown, the components decide.
    v2 = flagged or bool(was_v2) or (was_v2 is None and not new and any(c.get("type", 1) > 1 for c in components))
    found = message_complaints(components, v2=v2, attached=_attached(body, new=new))
    found += _legacy(body) if v2 else _plain(body)
    if new and not any(
        body.get(key) for key in ("content", "embeds", "components", "attachments", "sticker_ids", "poll")
    ):
        found.append("cannot send an empty message")
    return found + _mentions(body.get("allowed_mentions") or {}) + _custom_emojis(components)


def _attached(body: dict[str, Any], *, new: bool) -> set[str] | None:
    if not new and "attachments" not in body:
        return None
    kept = [item for item in body.get("attachments") or [] if "filename" not in item]
    # An edit names kept attachments by id only: their file names are not in the request.
    return None if kept else {str(item["filename"]) for item in body.get("attachments") or []}


def _legacy(body: dict[str, Any]) -> list[str]:
    used = [key for key in ("content", "embeds", "poll", "sticker_ids") if body.get(key)]
    found = [f"{key} may not go with IS_COMPONENTS_V2" for key in used]
    return [*found, "embeds may not be null"] if body.get("embeds", ()) is None else found


def _plain(body: dict[str, Any]) -> list[str]:
    found = []
    if len(body.get("content") or "") > 2000:
        found.append(f"content of {len(body['content'])} characters, more than 2000")
    embeds = body.get("embeds") or []
    if len(embeds) > 10:
        found.append(f"{len(embeds)} embeds, more than 10")
    if sum(_letters(embed) for embed in embeds) > 6000:
        found.append("more than 6000 characters in the embeds")
    return found


def _letters(embed: dict[str, Any]) -> int:
    texts = [embed.get("title"), embed.get("description"), (embed.get("footer") or {}).get("text")]
    texts += [(embed.get("author") or {}).get("name")]
    texts += [field.get(key) for field in embed.get("fields") or [] for key in ("name", "value")]
    return sum(len(text or "") for text in texts)


def _mentions(allowed: dict[str, Any]) -> list[str]:
    parse = allowed.get("parse") or []
    return [
        f"allowed_mentions both parses and lists {key}"
        for key in ("users", "roles")
        if key in parse and allowed.get(key)
    ]


def _custom_emojis(components: list[Component]) -> list[str]:
    everything = walk(components)
    emojis = [part["emoji"] for part in everything if part.get("emoji")]
    emojis += [option["emoji"] for part in everything for option in part.get("options") or [] if option.get("emoji")]
    return ["an emoji without id and name" for emoji in emojis if not emoji.get("id") and not emoji.get("name")]


def _callback(body: dict[str, Any]) -> list[str]:
    kind, data = body.get("type"), body.get("data") or {}
    if kind == 4:
        return message(data, new=True)
    if kind == 7:
        return message(data, new=False, was_v2=None)
    if kind == 9:
        return modal_complaints(data)
    return _choices(data.get("choices") or []) if kind == 8 else []


def _choices(choices: list[dict[str, Any]]) -> list[str]:
    found = [f"{len(choices)} choices, more than 25"] if len(choices) > 25 else []
    lengths = [(len(str(choice.get("name", ""))), len(str(choice.get("value", "")))) for choice in choices]
    wrong = [pair for pair in lengths if not 1 <= pair[0] <= 100 or pair[1] > 100]
    return found + [f"a choice has a name of {name} and a value of {value} characters" for name, value in wrong]


def _commands(commands: list[dict[str, Any]]) -> list[str]:
    found = []
    for kind, most in ((1, 100), (2, 15), (3, 15)):
        names = [command["name"] for command in commands if command.get("type", 1) == kind]
        if len(names) > most:
            found.append(f"{len(names)} commands of type {kind}, more than {most}")
        if len(set(names)) < len(names):
            found.append(f"two commands of type {kind} share a name")
    for command in commands:
        found += _command(command) if command.get("type", 1) == 1 else []
        if _longest(command) > 8000:
            found.append(f"command {command['name']!r} has {_longest(command)} characters in all, more than 8000")
    return found


def _command(node: dict[str, Any]) -> list[str]:
    """Return what is wrong with a command, group, subcommand or option, which share these rules."""
    names = [node.get("name", ""), *(node.get("name_localizations") or {}).values()]
    words = [node.get("description", ""), *(node.get("description_localizations") or {}).values()]
    found = [f"bad name {name!r}" for name in names if not _is_name(name)]
    found += [f"{names[0]!r}: a description of {len(text)} characters" for text in words if not 1 <= len(text) <= 100]
    options = node.get("options") or []
    if len(options) > 25:
        found.append(f"{names[0]!r} has {len(options)} options, more than 25")
    needed = [bool(option.get("required")) for option in options]
    if needed != sorted(needed, reverse=True):
        found.append(f"{names[0]!r}: required options must come first")
    found += _choices(node.get("choices") or [])
    return found + [line for option in options for line in _command(option)]


def _is_name(name: str) -> bool:
    """Whether a name is lower case, of letters and digits of any script, Thai and Devanagari marks, and - _ '."""
    fitting = all(c.isalnum() or c in "-_'" or category(c).startswith("M") for c in name)
    return fitting and 1 <= len(name) <= 32 and name == name.lower()


def _longest(node: dict[str, Any]) -> int:
    """Return the characters of names, descriptions and values, each in its longest localization."""
    count = 0
    for key in ("name", "description"):
        count += max(map(len, [node.get(key) or "", *(node.get(f"{key}_localizations") or {}).values()]))
    count += len(str(node.get("value", "")))
    return count + sum(_longest(child) for key in ("options", "choices") for child in node.get(key) or [])


def _thread(body: dict[str, Any]) -> list[str]:
    found = [] if 1 <= len(body.get("name") or "") <= 100 else ["a thread name has 1 to 100 characters"]
    minutes = body.get("auto_archive_duration")
    return found if minutes is None or minutes in THREAD_MINUTES else [*found, f"auto_archive_duration {minutes}"]
