"""Discord's routes with an interaction token: the first answer, @original and follow-ups.

Ephemeral messages are accessible only here.
"""

from tests.standin import interactions
from tests.standin.calls import Call
from tests.standin.errors import ApiError
from tests.standin.interactions import Interaction
from tests.standin.limits import EPHEMERAL, LOADING
from tests.standin.models import Message, Raw
from tests.standin.realm import Realm
from tests.standin.rest import Handler


def _callback(realm: Realm, call: Call) -> Raw | None:
    interaction = realm.interactions.get(call.params["token"])
    if interaction is None or interaction.id != call.number("interaction"):
        raise ApiError(10062)
    kind, data = call.body["type"], call.body.get("data") or {}
    interaction.check(kind)
    interaction.original = message = _first(realm, call, interaction, kind, data)
    interaction.acknowledge(kind)
    return _acknowledged(interaction, message) if call.query.get("with_response") in {"1", "true", "True"} else None


def _first(realm: Realm, call: Call, interaction: Interaction, kind: int, data: Raw) -> Message | None:
    if kind == interactions.MODAL:
        interaction.modal = data
    elif kind == interactions.CHOICES:
        interaction.choices = data.get("choices") or []
    elif kind == interactions.DEFERRED:
        return _post(realm, call, interaction, {"flags": (data.get("flags") or 0) & EPHEMERAL}, LOADING)
    elif kind == interactions.MESSAGE:
        return _post(realm, call, interaction, data)
    elif interaction.source and kind == interactions.UPDATE:
        return realm.edit(interaction.source, data, call.files)
    return interaction.source if kind == interactions.DEFERRED_UPDATE else None


def _acknowledged(interaction: Interaction, message: Message | None) -> Raw:
    found: Raw = {"id": str(interaction.id), "type": interaction.type}
    if message is None:
        return {"interaction": found}
    found |= {"response_message_id": str(message.id), "response_message_loading": message.loading}
    found["response_message_ephemeral"] = message.ephemeral
    if interaction.kind not in {interactions.MESSAGE, interactions.UPDATE}:
        return {"interaction": found}
    return {"interaction": found, "resource": {"type": interaction.kind, "message": message.raw()}}


def _post(realm: Realm, call: Call, interaction: Interaction, body: Raw, flags: int = 0) -> Message:
    audience = interaction.user if (body.get("flags") or 0) & EPHEMERAL else None
    return realm.post(interaction.channel, realm.bot, body, call.files, audience=audience, flags=flags)


def _interaction(realm: Realm, call: Call) -> Interaction:
    interaction = realm.interactions.get(call.params["token"])
    if interaction is None or call.number("application") != realm.application_id:
        raise ApiError(10015)
    interaction.require_token()
    return interaction


def _follow_up(realm: Realm, call: Call) -> Raw:
    interaction = _interaction(realm, call)
    original = interaction.original
    if interaction.kind == interactions.DEFERRED and original and original.loading:
        # The first follow-up after a deferred answer fills the deferred message, which stays ephemeral or public.
        return realm.edit(original, call.body, call.files).raw()
    message = _post(realm, call, interaction, call.body)
    interaction.followups.append(message)
    interaction.has_followup = True
    return message.raw()


def _message_of(realm: Realm, call: Call) -> Message:
    interaction = _interaction(realm, call)
    name = call.params["message"]
    if name == "@original":
        found = interaction.original
    else:
        found = next((message for message in interaction.messages if str(message.id) == name), None)
    if found is None or found.deleted:
        raise ApiError(10008)
    return found


def _read(realm: Realm, call: Call) -> Raw:
    return _message_of(realm, call).raw()


def _edit(realm: Realm, call: Call) -> Raw:
    """Edit a message; record removed menus, because clients get stuck with an open one (DAPI #5512, #4828)."""
    message = _message_of(realm, call)
    loading, before = message.loading, message.menus
    raw = realm.edit(message, call.body, call.files).raw()
    interaction, gone = _interaction(realm, call), before - message.menus
    interaction.has_followup = True
    if gone and not loading and not interaction.answered_by_edit():
        realm.removed_menus += sorted(f"{message.id}: {menu} may be open and has gone" for menu in gone)
    return raw


def _delete(realm: Realm, call: Call) -> None:
    realm.delete_message(_message_of(realm, call))


_W = "/webhooks/{application:\\d+}/{token}"

ROUTES: list[tuple[str, str, Handler, int]] = [
    ("POST", "/interactions/{interaction:\\d+}/{token}/callback", _callback, 200),
    ("POST", _W, _follow_up, 200),
    ("GET", f"{_W}/messages/{{message}}", _read, 200),
    ("PATCH", f"{_W}/messages/{{message}}", _edit, 200),
    ("DELETE", f"{_W}/messages/{{message}}", _delete, 204),
]
