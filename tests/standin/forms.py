"""Builds what a client sends with an interaction: command options, selected options, modal values.

Raises LookupError or ValueError for input that a client would not allow.
"""

from typing import Any

from tests.standin.components import (
    BUTTON,
    CHECKBOX,
    LABEL,
    RADIO,
    STRING_SELECT,
    TEXT,
    TEXT_INPUT,
    USER_SELECT,
    Component,
)
from tests.standin.models import Channel, Guild, Raw, User

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER = range(1, 11)
_TYPES: dict[int, type | tuple[type, ...]] = {STRING: str, INTEGER: int, BOOLEAN: bool, NUMBER: (int, float)}


def command_data(commands: list[Raw], path: str, values: dict[str, Any], *, focused: str | None = None) -> Raw:
    """Return the data of a slash command. ``path``: "play" or "table open"; ``focused``: the option being typed."""
    words = path.split()
    command = next((c for c in commands if c["type"] == 1 and c["name"] == words[0]), None)
    if command is None:
        raise LookupError(f"no command {words[0]!r} among {sorted(c['name'] for c in commands)}")
    data: Raw = {"id": command["id"], "name": command["name"], "type": 1}
    node, holder = command, data
    for word in words[1:]:
        node = _named(node, word)
        holder["options"] = [{"name": word, "type": node["type"]}]
        holder = holder["options"][0]
    holder["options"] = _options(node, values, focused)
    return {**data, "resolved": _resolved(list(values.values()))}


def context_data(commands: list[Raw], name: str, target: Raw, *, user: User | None = None) -> Raw:
    """Return the data of a context-menu command on a user or a message."""
    kind = 2 if user else 3
    command = next((c for c in commands if c["type"] == kind and c["name"] == name), None)
    if command is None:
        raise LookupError(f"no context menu {name!r} of type {kind}")
    resolved = _resolved([user]) if user else {"messages": {target["id"]: target}}
    return {"id": command["id"], "name": name, "type": kind, "target_id": target["id"], "resolved": resolved}


def picked(control: Component, values: list[Any]) -> tuple[list[str], Raw]:
    """Return the chosen values of a select, given by value or label, and their resolved objects."""
    least = control.get("min_values")
    most = control.get("max_values") or 1
    if not (1 if least is None else least) <= len(values) <= most:
        raise ValueError(f"{len(values)} values chosen, not {least} to {most}")
    if control["type"] == USER_SELECT:
        return [str(user.id) for user in values], _resolved(values)
    if control["type"] != STRING_SELECT:
        raise ValueError(f"a select of type {control['type']} is not filled in here")
    return [_value(control, str(value)) for value in values], {}


def modal_data(modal: Raw, values: dict[str, Any]) -> Raw:
    """Return the data of a modal's submission. values: by custom_id or label."""
    left = dict(values)
    parts = [_part(part, left) for part in modal["components"] if part["type"] != TEXT]
    if left:
        raise LookupError(f"the modal has no {sorted(left)}")
    return {"custom_id": modal["custom_id"], "components": parts}


def _named(node: Raw, word: str) -> Raw:
    found = [option for option in node.get("options") or [] if option["name"] == word]
    if not found:
        raise LookupError(f"{node['name']!r} has no {word!r} among {[o['name'] for o in node.get('options') or []]}")
    option: Raw = found[0]
    return option


def _options(node: Raw, values: dict[str, Any], focused: str | None) -> list[Raw]:
    if any(option["type"] in {SUBCOMMAND, GROUP} for option in node.get("options") or []):
        raise LookupError(f"{node['name']!r} needs one of {[o['name'] for o in node['options']]}")
    needed = {option["name"] for option in node.get("options") or [] if option.get("required")}
    if focused is None and needed - set(values):
        raise LookupError(f"{node['name']!r} needs {sorted(needed - set(values))}")
    return [_option(_named(node, name), value, focused) for name, value in values.items()]


def _option(option: Raw, value: Any, focused: str | None) -> Raw:
    sent = str(value.id) if isinstance(value, User | Channel | Guild) else value
    if option["name"] == focused:
        return {"name": option["name"], "type": option["type"], "value": str(sent), "focused": True}
    wanted = _TYPES.get(option["type"])
    if wanted and (not isinstance(sent, wanted) or (isinstance(sent, bool) != (wanted is bool))):
        raise ValueError(f"{option['name']}: {value!r} is not of the option's type")
    if option.get("choices") and sent not in [choice["value"] for choice in option["choices"]]:
        raise ValueError(f"{option['name']}: {value!r} is not among the choices")
    return {"name": option["name"], "type": option["type"], "value": sent}


def _resolved(values: list[Any]) -> Raw:
    users = [value for value in values if isinstance(value, User)]
    channels = [value for value in values if isinstance(value, Channel)]
    found: Raw = {"users": {str(user.id): user.raw() for user in users}}
    found["members"] = {str(user.id): {k: v for k, v in user.member().items() if k != "user"} for user in users}
    found["channels"] = {str(c.id): {**c.raw(), "permissions": str(c.app_permissions)} for c in channels}
    return {key: value for key, value in found.items() if value}


def _value(control: Component, wanted: str) -> str:
    for option in control["options"]:
        if wanted in {option["value"], option["label"]}:
            return str(option["value"])
    raise LookupError(f"no option {wanted!r} among {[option['label'] for option in control['options']]}")


def _part(part: Component, left: dict[str, Any]) -> Raw:
    if part["type"] == LABEL:
        inner = part["component"]
        return {"type": LABEL, "id": part.get("id", 0), "component": _filled(inner, left, part.get("label", ""))}
    inner = part["components"][0]
    return {"type": part["type"], "id": part.get("id", 0), "components": [_filled(inner, left, inner.get("label", ""))]}


def _filled(inner: Component, left: dict[str, Any], label: str) -> Raw:
    key = inner["custom_id"] if inner["custom_id"] in left else label
    value = left.pop(key, None)
    found: Raw = {"type": inner["type"], "id": inner.get("id", 0), "custom_id": inner["custom_id"]}
    if value is None and inner.get("required", True) and inner["type"] != CHECKBOX and not inner.get("value"):
        raise ValueError(f"{label or inner['custom_id']!r} must be filled in")
    if inner["type"] == TEXT_INPUT:
        return {**found, "value": _typed(inner, inner.get("value") or "" if value is None else str(value))}
    if inner["type"] == CHECKBOX:
        return {**found, "value": bool(inner.get("default") if value is None else value)}
    if inner["type"] == RADIO:
        return {**found, "value": None if value is None else _value(inner, str(value))}
    return {**found, "values": _chosen(inner, value)}


def _typed(inner: Component, text: str) -> str:
    if text and not (inner.get("min_length") or 0) <= len(text) <= (inner.get("max_length") or 4000):
        raise ValueError(f"{len(text)} characters typed into {inner['custom_id']!r}")
    return text


def _chosen(inner: Component, value: Any) -> list[str]:
    values = [] if value is None else list(value) if isinstance(value, list | tuple | set) else [value]
    if inner["type"] == USER_SELECT:
        return [str(user.id) for user in values]
    return [_value(inner, str(item)) for item in values]


def pressed(control: Component) -> None:
    """Raise LookupError or ValueError for a control that a client would not let a user press."""
    if control.get("disabled"):
        raise LookupError(f"{control.get('label') or control.get('custom_id')!r} is disabled")
    if control["type"] == BUTTON and not control.get("custom_id"):
        raise LookupError("a link is not pressed")
