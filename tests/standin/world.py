"""The stand-in as tests use it: a simulated Discord whose users type, click and choose.

Sends what a user's client would send. Running the bot (``bot_process``) and HTTP (``server``) are elsewhere.
"""

import asyncio
import secrets
from typing import Any, Self

from tests.standin import forms, interactions, openapi
from tests.standin.components import BUTTON
from tests.standin.interactions import FAILED, Interaction
from tests.standin.messages import MessageWriter
from tests.standin.models import Channel, Message, Raw, User
from tests.standin.rates import Rates
from tests.standin.realm import WAIT_LIMIT, Realm
from tests.standin.server import Server


class World(Realm):
    """``async with World() as world``: a Discord on 127.0.0.1 until the block ends."""

    def __init__(
        self, *, answer_within: float = WAIT_LIMIT, token_lives: float = 900.0, rates: Rates | None = None
    ) -> None:
        super().__init__(answer_within=answer_within, token_lives=token_lives, rates=rates)
        self._server = Server(self)
        self._generation = 0

    async def __aenter__(self) -> Self:
        self.address = await self._server.start()
        self.message_writer = MessageWriter(self.snowflakes, f"{self.address}/cdn")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()
        if self.failures:
            raise RuntimeError("the stand-in cannot do this yet:\n" + "\n".join(self.failures))

    def complaints(self) -> list[str]:
        """Return what Discord's OpenAPI document and written rules forbid in the logged requests."""
        found = [
            (entry, line)
            for entry in self.log
            if not entry.forgotten
            for line in openapi.complaints(entry.method, entry.path, entry.json)
        ]
        return [*(f"{entry}: {line}" for entry, line in found), *self.removed_menus]

    def environment(self) -> dict[str, str]:
        """Return the environment for the next bot process, which gets a new generation."""
        self._generation += 1
        mine = f"{self.address}/g{self._generation}"
        found = {"STANDIN_API": f"{mine}/api/v10", "STANDIN_GATEWAY": f"{mine.replace('http', 'ws', 1)}/gateway"}
        return {**found, "STANDIN_CDN": f"{self.address}/cdn", "DISCORD_TOKEN": self.token}

    @property
    def generation(self) -> int:
        """The number of bot processes started so far."""
        return self._generation

    async def slash(self, user: User, where: Channel, command: str, /, **options: Any) -> Interaction:
        """Type a slash command ("play", "table open"); wait until the command is acknowledged or has failed."""
        data = forms.command_data(self._offered(where), command, options)
        return await self._deliver(interactions.COMMAND, user, where, data)

    async def autocomplete(
        self, user: User, where: Channel, command: str, option: str, typed: str = "", /, **others: Any
    ) -> Interaction:
        """Type into an option; the suggestions are in ``choices`` of the interaction."""
        data = forms.command_data(self._offered(where), command, {**others, option: typed}, focused=option)
        return await self._deliver(interactions.AUTOCOMPLETE, user, where, data)

    async def context(self, user: User, where: Channel, command: str, target: User | Message, /) -> Interaction:
        """Choose a context-menu command on a user or a message."""
        person = target if isinstance(target, User) else None
        data = forms.context_data(self._offered(where), command, target.raw(), user=person)
        return await self._deliver(interactions.COMMAND, user, where, data)

    async def click(self, user: User, message: Message, key: str, /) -> Interaction:
        """Press a button, by custom_id or (part of) label. Raises LookupError if a client would not allow that."""
        control = self._accessible_control(user, message, key)
        if control["type"] != BUTTON:
            raise LookupError(f"{key!r} is not a button")
        return await self._component(user, message, control, {})

    async def select(self, user: User, message: Message, key: str, values: list[Any], /) -> Interaction:
        """Choose in a select, by custom_id or placeholder; options by value or label, or users."""
        values, resolved = forms.picked(control := self._accessible_control(user, message, key), values)
        more = {"values": values, "resolved": resolved} if resolved else {"values": values}
        return await self._component(user, message, control, more)

    async def submit_modal(self, user: User, shown: Interaction, values: dict[str, Any], /) -> Interaction:
        """Fill in and submit the modal that answered an interaction; values by custom_id or label."""
        if shown.modal is None or shown.user is not user:
            raise LookupError(f"no modal was shown to {user.name}")
        data = forms.modal_data(shown.modal, values)
        return await self._deliver(interactions.MODAL_SUBMIT, user, shown.channel, data, shown.source)

    def say(self, user: User, where: Channel, text: str) -> Message:
        """Write an ordinary message. The bot, without the privileged intent, gets its text only in direct messages."""
        message = Message(self.snowflakes.next(), where, user, text)
        where.messages[message.id] = message
        seen = message.raw() if where.recipient else {**message.raw(), "content": ""}
        self.send_event(where, "MESSAGE_CREATE", {**seen, "member": user.member()}, intent=True)
        return message

    def expire_tokens(self) -> None:
        """Let the tokens of all interactions so far expire."""
        for interaction in self.interactions.values():
            interaction.expire()

    def _offered(self, where: Channel) -> list[Raw]:
        context = 1 if where.recipient else 0
        scope = self.commands.get(where.guild.id, []) if where.guild else []
        return [c for c in [*scope, *self.commands[None]] if context in (c.get("contexts") or [0, 1, 2])]

    def _accessible_control(self, user: User, message: Message, key: str) -> Raw:
        if not message.is_visible_to(user) or not message.channel.is_visible_to(user):
            raise LookupError(f"{user.name} does not see this message")
        forms.pressed(control := message.control(key))
        return control

    async def _component(self, user: User, message: Message, control: Raw, more: Raw) -> Interaction:
        data = {"custom_id": control["custom_id"], "component_type": control["type"], "id": control["id"], **more}
        return await self._deliver(interactions.COMPONENT, user, message.channel, data, message)

    async def _deliver(
        self, kind: int, user: User, where: Channel, data: Raw, source: Message | None = None
    ) -> Interaction:
        if not where.is_visible_to(user):
            raise LookupError(f"{user.name} does not see {where.name!r}")
        number, token = self.snowflakes.next(), secrets.token_urlsafe(16)
        interaction = Interaction(number, token, kind, user, where, source, self.answer_within, self.token_lives)
        self.interactions[token] = interaction
        guild = where.guild.id if where.guild else None
        if not self.gateway.live(guild):
            interaction.fail(FAILED)
            return interaction
        interaction.generations = self.gateway.emit("INTERACTION_CREATE", self._payload(interaction, data), guild)
        await _await_answer(interaction)
        return interaction

    def _payload(self, interaction: Interaction, data: Raw) -> Raw:
        where, user = interaction.channel, interaction.user
        found: Raw = {"id": str(interaction.id), "application_id": str(self.application_id), "type": interaction.type}
        found |= {"token": interaction.token, "version": 1, "data": data, "locale": user.locale, "entitlements": []}
        found |= {"channel_id": str(where.id), "channel": where.raw(), "app_permissions": str(where.app_permissions)}
        found |= {"attachment_size_limit": 10485760, "context": 1 if where.recipient else 0}
        if interaction.source:
            found["message"] = interaction.source.raw()
        if where.guild is None:
            return {**found, "user": user.raw(), "authorizing_integration_owners": {"0": "0"}}
        guild = {"id": str(where.guild.id), "locale": where.guild.locale, "features": []}
        found |= {"guild_id": guild["id"], "guild": guild, "guild_locale": guild["locale"], "member": user.member()}
        return {**found, "authorizing_integration_owners": {"0": guild["id"]}}


async def _await_answer(interaction: Interaction) -> None:
    try:
        async with asyncio.timeout(interaction.answer_within):
            await interaction.done.wait()
    except TimeoutError:
        interaction.fail(FAILED)
