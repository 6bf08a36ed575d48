"""Discord's rules for the components of one message or one modal.

Includes the rules that Discord's OpenAPI document cannot express: 40 components and 4000 characters in total, unique
custom_ids, a select alone in its row. Source: Discord's component reference.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

Component = dict[str, Any]

ROW, BUTTON, STRING_SELECT, TEXT_INPUT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = range(1, 9)
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER, LABEL = 9, 10, 11, 12, 13, 14, 17, 18
FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 19, 21, 22, 23

SELECTS = frozenset({STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT})
NEEDS_V2 = frozenset({SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER})
TOP_OF_MESSAGE = frozenset({ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER})
IN_CONTAINER = TOP_OF_MESSAGE - {CONTAINER}
IN_LABEL = SELECTS | {TEXT_INPUT, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX}

MAX_COMPONENTS, MAX_TEXT, MAX_MODAL_PARTS = 40, 4000, 5
LINK, PREMIUM = 5, 6


def walk(components: list[Component] | None) -> list[Component]:
    """Return all components, outermost first, including accessories and the component of a label."""
    found, rest = list[Component](), (components or [])[::-1]
    while rest:
        found.append(part := rest.pop())
        rest += [part[key] for key in ("component", "accessory") if part.get(key)]
        rest += (part.get("components") or [])[::-1]
    return found


def emojis(part: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the path and the id of each custom emoji on components of a request."""
    if isinstance(part, list):
        for at, one in enumerate(part):
            yield from emojis(one, (*place, str(at)))
    elif isinstance(part, dict):
        emoji = part.get("emoji")
        if isinstance(emoji, dict) and emoji.get("id"):
            yield (*place, "emoji", "id"), int(emoji["id"])
        for key in ("data", "components", "accessory", "component", "options"):
            if within := part.get(key):
                yield from emojis(within, (*place, key))


def message_complaints(components: list[Component], *, v2: bool, attached: set[str] | None = None) -> list[str]:
    """Return what is wrong with a message's components.

    ``attached``: names of the uploaded files; None if unknown, for an edit that keeps its attachments.
    """
    everything = walk(components)
    found = [line for part in everything for line in _alone(part)]
    found += _totals(everything) if v2 else _classic(components)
    found += [
        f"{_name(part)} may not stand at the top" for part in components if part.get("type") not in TOP_OF_MESSAGE
    ]
    if not v2 and any(part.get("type") in NEEDS_V2 for part in everything):
        found.append("Components V2 without the flag IS_COMPONENTS_V2")
    return found + _repeated(everything) + _unattached(everything, attached)


def modal_complaints(modal: dict[str, Any]) -> list[str]:
    """Return what is wrong with a modal (the data of a callback of type 9)."""
    parts = modal.get("components") or []
    found = _length("modal title", modal.get("title"), 1, 45) + _length(
        "modal custom_id", modal.get("custom_id"), 1, 100
    )
    if not 1 <= len(parts) <= MAX_MODAL_PARTS:
        found.append(f"a modal has {len(parts)} parts, not 1 to {MAX_MODAL_PARTS}")
    found += [f"{_name(part)} may not stand in a modal" for part in parts if part.get("type") not in {ROW, TEXT, LABEL}]
    everything = walk(parts)
    found += [f"{_name(part)} may not be disabled in a modal" for part in everything if part.get("disabled")]
    found += [f"{_name(part)} may not stand in a modal" for part in everything if part.get("type") == BUTTON]
    return found + [line for part in everything for line in _alone(part)] + _repeated(everything)


def _alone(part: Component) -> list[str]:
    rule = _RULES.get(part.get("type", 0))
    found = rule(part) if rule else []
    if "custom_id" in part and part["custom_id"] is not None:
        found = found + _length("custom_id", part["custom_id"], 1, 100)
    return found


def _totals(everything: list[Component]) -> list[str]:
    letters = sum(len(part.get("content") or "") for part in everything if part.get("type") == TEXT)
    found = []
    if len(everything) > MAX_COMPONENTS:
        found.append(f"{len(everything)} components in all, more than {MAX_COMPONENTS}")
    if letters > MAX_TEXT:
        found.append(f"{letters} characters of text in all, more than {MAX_TEXT}")
    return found


def _classic(components: list[Component]) -> list[str]:
    return [f"{len(components)} rows, more than 5"] if len(components) > 5 else []


def _repeated(everything: list[Component]) -> list[str]:
    names = Counter(part["custom_id"] for part in everything if part.get("custom_id"))
    numbers = Counter(part["id"] for part in everything if part.get("id"))
    found = [f"custom_id {name!r} occurs {count} times" for name, count in names.items() if count > 1]
    return found + [f"component id {name} occurs {count} times" for name, count in numbers.items() if count > 1]


def _unattached(everything: list[Component], attached: set[str] | None) -> list[str]:
    if attached is None:
        return []
    media = [part.get("media") or part.get("file") or {} for part in everything]
    media += [item.get("media") or {} for part in everything for item in part.get("items") or []]
    wanted = {str(item.get("url", "")) for item in media}
    names = sorted(url.removeprefix("attachment://") for url in wanted if url.startswith("attachment://"))
    return [f"attachment://{name} was not uploaded" for name in names if name not in attached]


def _row(part: Component) -> list[str]:
    kinds = [child.get("type") for child in part.get("components") or []]
    if any(kind in SELECTS or kind == TEXT_INPUT for kind in kinds):
        return [] if len(kinds) == 1 else ["a select must be alone in its row"]
    if any(kind != BUTTON for kind in kinds):
        return ["a row holds only buttons or one select"]
    return [] if 1 <= len(kinds) <= 5 else [f"a row has {len(kinds)} buttons, not 1 to 5"]


def _button(part: Component) -> list[str]:
    style, label = part.get("style"), part.get("label")
    found = _length("button label", label, 0, 80)
    if style != PREMIUM and not label and not part.get("emoji"):
        found.append("a button needs a label or an emoji")
    if (style == LINK) != bool(part.get("url")):
        found.append("a link button has a url, and no other has")
    if (style in {LINK, PREMIUM}) == bool(part.get("custom_id")):
        found.append("a button has a custom_id unless it is a link or premium")
    return found


def _select(part: Component) -> list[str]:
    least, most = part.get("min_values"), part.get("max_values")
    least, most = 1 if least is None else least, 1 if most is None else most
    found = _length("placeholder", part.get("placeholder"), 0, 150)
    if not 0 <= least <= 25 or not 1 <= most <= 25 or least > most:
        found.append(f"min_values {least} and max_values {most} do not fit")
    return found + (_options(part, most, 1, 25) if part.get("type") == STRING_SELECT else [])


def _options(part: Component, most: int, fewest: int, limit: int) -> list[str]:
    options = part.get("options") or []
    found = [] if fewest <= len(options) <= limit else [f"{len(options)} options, not {fewest} to {limit}"]
    if most > len(options):
        found.append(f"max_values {most} is more than the {len(options)} options")
    if len({option.get("value") for option in options}) < len(options):
        found.append("option values are not unique")
    if sum(bool(option.get("default")) for option in options) > most:
        found.append("more default options than max_values")
    for option in options:
        found += _length("option label", option.get("label"), 1, 100)
        found += _length("option value", option.get("value"), 1, 100)
        found += _length("option description", option.get("description"), 0, 100)
    return found


def _container(part: Component) -> list[str]:
    children = part.get("components") or []
    found = [] if children else ["an empty container"]
    return found + [f"{_name(child)} in a container" for child in children if child.get("type") not in IN_CONTAINER]


def _section(part: Component) -> list[str]:
    children = part.get("components") or []
    found = [] if 1 <= len(children) <= 3 else [f"a section has {len(children)} texts, not 1 to 3"]
    if any(child.get("type") != TEXT for child in children):
        found.append("a section holds only texts")
    accessory = (part.get("accessory") or {}).get("type")
    return found if accessory in {BUTTON, THUMBNAIL} else [*found, "a section needs a button or a thumbnail beside it"]


def _gallery(part: Component) -> list[str]:
    items = part.get("items") or []
    found = [] if 1 <= len(items) <= 10 else [f"a gallery has {len(items)} items, not 1 to 10"]
    return found + [line for item in items for line in _length("description", item.get("description"), 0, 1024)]


def _label(part: Component) -> list[str]:
    found = _length("label", part.get("label"), 1, 45) + _length("label description", part.get("description"), 0, 100)
    return (
        found if (part.get("component") or {}).get("type") in IN_LABEL else [*found, "a label needs a component inside"]
    )


def _text_input(part: Component) -> list[str]:
    return _length("placeholder", part.get("placeholder"), 0, 100) + _length("value", part.get("value"), 0, 4000)


def _length(what: str, text: str | None, fewest: int, most: int) -> list[str]:
    count = len(text or "")
    return [] if fewest <= count <= most else [f"{what} of {count} characters, not {fewest} to {most}"]


def _name(part: Component) -> str:
    return f"component type {part.get('type')}"


_RULES = {
    ROW: _row,
    BUTTON: _button,
    SECTION: _section,
    TEXT: lambda part: _length("text", part.get("content"), 1, MAX_TEXT),
    THUMBNAIL: lambda part: _length("description", part.get("description"), 0, 1024),
    GALLERY: _gallery,
    CONTAINER: _container,
    LABEL: _label,
    TEXT_INPUT: _text_input,
    RADIO: lambda part: _options(part, 1, 2, 10),
    CHECKBOXES: lambda part: _options(part, part.get("max_values") or 1, 1, 10),
    **dict.fromkeys(SELECTS, _select),
}
