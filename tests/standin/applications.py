"""Discord's routes for the application, its commands and its emojis."""

import base64
import binascii
import re
from typing import Any

from tests.standin.calls import Call
from tests.standin.errors import ApiError
from tests.standin.models import Raw
from tests.standin.realm import Realm
from tests.standin.rest import Handler

MAX_EMOJIS, MAX_EMOJI_BYTES = 2000, 256 * 1024


def _application(realm: Realm, call: Call) -> Raw:
    found: Raw = {"id": str(realm.application_id), "name": realm.bot.name, "description": "", "icon": None, "flags": 0}
    found |= {"bot_public": True, "bot_require_code_grant": False, "verify_key": "0" * 64, "owner": realm.bot.raw()}
    found |= {"team": None, "interactions_endpoint_url": None, "role_connections_verification_url": None, "type": None}
    counted = ("guild_count", "user_install_count", "user_authorization_count")
    found |= {f"approximate_{name}": len(realm.guilds) for name in counted}
    found["integration_types_config"] = {"0": {}} | ({"1": {}} if realm.user_install else {})
    return {**found, "redirect_uris": [], "explicit_content_filter": 0, "eligible_oauth2_scopes": [], "flags_new": "0"}


def _scope(realm: Realm, call: Call) -> int | None:
    if call.number("application") != realm.application_id:
        raise ApiError(40001, status=403)
    return call.number("guild") if "guild" in call.params else None


def _commands(realm: Realm, call: Call) -> list[Raw]:
    return realm.commands.get(_scope(realm, call), [])


def _replace_commands(realm: Realm, call: Call) -> list[Raw]:
    """Replace all commands; a command with a known type and name keeps its id."""
    scope = _scope(realm, call)
    old = {(command["type"], command["name"]): command["id"] for command in realm.commands.get(scope, [])}
    realm.commands[scope] = [_command(realm, scope, command, old) for command in call.json or []]
    return realm.commands[scope]


def _command(realm: Realm, scope: int | None, command: Raw, old: dict[Any, str]) -> Raw:
    kind = command.get("type", 1)
    number = old.get((kind, command["name"])) or str(realm.snowflakes.next())
    found: Raw = {
        "description": "",
        "options": [],
        "default_member_permissions": None,
        "nsfw": False,
        "dm_permission": True,
    }
    given = {key: value for key, value in command.items() if value is not None}
    found |= {
        "integration_types": [0],
        "contexts": None,
        **given,
        "type": kind,
        "id": number,
        "version": str(realm.snowflakes.next()),
    }
    found["application_id"] = str(realm.application_id)
    return {**found, "guild_id": str(scope)} if scope else found


def _emojis(realm: Realm, call: Call) -> Raw:
    return {"items": list(realm.emojis.values())}


def _emoji(realm: Realm, call: Call) -> Raw:
    if call.number("emoji") not in realm.emojis:
        raise ApiError(10014)
    return realm.emojis[call.number("emoji")]


def _create_emoji(realm: Realm, call: Call) -> Raw:
    name, image = call.body.get("name", ""), _image(call.body.get("image", ""))
    _check_name(realm, name)
    if len(image) > MAX_EMOJI_BYTES:
        raise ApiError(50138)
    if len(realm.emojis) >= MAX_EMOJIS:
        raise ApiError(30008)
    number = realm.snowflakes.next()
    found: Raw = {"id": str(number), "name": name, "roles": [], "user": realm.bot.raw(), "require_colons": True}
    realm.emojis[number] = {**found, "managed": False, "animated": False, "available": True}
    return realm.emojis[number]


def _rename_emoji(realm: Realm, call: Call) -> Raw:
    found = _emoji(realm, call)
    _check_name(realm, call.body["name"])
    found["name"] = call.body["name"]
    return found


def _delete_emoji(realm: Realm, call: Call) -> None:
    _emoji(realm, call)
    del realm.emojis[call.number("emoji")]


def _check_name(realm: Realm, name: str) -> None:
    if not re.fullmatch(r"\w{2,32}", name, re.ASCII):
        raise ApiError(50035, f"bad emoji name {name!r}")
    if any(emoji["name"] == name for emoji in realm.emojis.values()):
        raise ApiError(50035, f"emoji name {name!r} is taken")


def _image(uri: str) -> bytes:
    head, _, data = uri.partition(";base64,")
    try:
        image = base64.b64decode(data, validate=True)
    except binascii.Error:
        image = b""
    if not head.startswith("data:image/") or not image:
        raise ApiError(50035, "image: not a data URI of an image")
    return image


_A = "/applications/{application:\\d+}"
_E = f"{_A}/emojis/{{emoji:\\d+}}"

ROUTES: list[tuple[str, str, Handler, int]] = [
    ("GET", "/oauth2/applications/@me", _application, 200),
    ("GET", "/applications/@me", _application, 200),
    ("GET", f"{_A}/commands", _commands, 200),
    ("PUT", f"{_A}/commands", _replace_commands, 200),
    ("GET", f"{_A}/guilds/{{guild:\\d+}}/commands", _commands, 200),
    ("PUT", f"{_A}/guilds/{{guild:\\d+}}/commands", _replace_commands, 200),
    ("GET", f"{_A}/emojis", _emojis, 200),
    ("POST", f"{_A}/emojis", _create_emoji, 201),
    ("GET", _E, _emoji, 200),
    ("PATCH", _E, _rename_emoji, 200),
    ("DELETE", _E, _delete_emoji, 204),
]
