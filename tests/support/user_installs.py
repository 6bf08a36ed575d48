"""User installs: the app used in places without the bot.

The places are another server and a group message.

SimCord knows neither. Interactions from there are written here in Discord's form: a server of which it knows the
number, the locale and the features, a channel of which it knows what the interaction says, and the person as a user who
has installed the app. The bot receives no other events, and reaches the place by interaction tokens only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from simcord import UserHandle
from simcord.actors import MemberActor
from simcord.backend.serializers import user_payload
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from tests.support.world import World

GROUP, PRIVATE_CHANNEL, USER_INSTALL = 3, 2, "1"
MAX_FOLLOWUPS = 5  # follow-ups of an interaction that Discord takes there
CHANNEL_PERMISSIONS = discord.Permissions(send_messages=True, embed_links=True, attach_files=True).value


@dataclass
class PlaceWithoutBot:
    """A channel without the bot, and a user who installed it."""

    here: World
    who: MemberActor | UserHandle
    channel: ChannelHandle
    guild: int | None = None

    def __post_init__(self) -> None:
        """Filter events so that the bot receives only those Discord would send from this place."""
        backend = self.here.env.backend
        emit = backend.emit

        def told(event: str, payload: Any, *more: Any, **how: Any) -> None:
            if event == "INTERACTION_CREATE" and int(payload["channel_id"]) == self.channel.id:
                payload = payload | self._said()
            elif self._is_of_here(event, payload):
                return
            emit(event, payload, *more, **how)

        backend.emit = told  # type: ignore[method-assign]

    def _said(self) -> dict[str, Any]:
        """The fields that Discord adds to an interaction here."""
        said: dict[str, Any] = {
            "authorizing_integration_owners": {USER_INSTALL: str(self.who.id)},
            "app_permissions": str(CHANNEL_PERMISSIONS),
        }
        if self.guild is not None:
            return said | {"guild": {"id": str(self.guild), "locale": "de", "features": []}}
        backend = self.here.env.backend
        others = [dict(user_payload(backend.users[user])) for user in backend.channels[self.channel.id].recipient_ids]
        there = {"id": str(self.channel.id), "type": GROUP, "name": None, "icon": None, "recipients": others}
        return said | {"context": PRIVATE_CHANNEL, "channel": {**there, "owner_id": str(self.who.id)}}

    def _is_of_here(self, event: str, payload: Any) -> bool:
        place = payload.get("guild_id") or (payload.get("id") if event.startswith("GUILD_") else None)
        return str(self.channel.id) == payload.get("channel_id") or (place is not None and place == str(self.guild))

    async def desk(self) -> InteractionResult:
        """Open the desk of the user."""
        shown = await (
            self.who.slash("desk") if isinstance(self.who, UserHandle) else self.who.slash(self.channel, "desk")
        )
        await self.here.settle()
        return shown

    async def press(self, shown: InteractionResult, label: str) -> InteractionResult:
        """Press a button of a message as the user."""
        assert shown.response is not None
        result = await self.who.click(shown.response.message, label=label)
        await self.here.settle()
        return result

    @property
    def trespasses(self) -> list[str]:
        """Requests of the bot that Discord would refuse here: all without an interaction token."""
        mine = {str(self.channel.id), str(self.guild)}
        return [each.path for each in self.here.env.http_requests if mine & set(each.path.split("/"))]

    @property
    def most_followups(self) -> int:
        """The highest number of follow-ups of one interaction."""
        known = self.here.env.backend.interactions.values()
        return max(len(record.followup_ids) for record in known if record.channel_id == self.channel.id)


def server_without_bot(here: World, name: str, **rights: bool) -> PlaceWithoutBot:
    """Return a server without the bot, and a player there. rights: of every member."""
    backend = here.env.backend
    emit, backend.emit = backend.emit, lambda *_, **__: None  # type: ignore[method-assign]
    guild = here.env.create_guild(name="Abroad")
    who = guild.add_member(UserHandle(here.env, backend.users[here.people[name].id]))
    channel = guild.create_text_channel("lair")
    everyone = backend.guilds[guild.id].roles[guild.id]
    everyone.permissions |= discord.Permissions(**rights).value
    backend.emit = emit  # type: ignore[method-assign]
    return PlaceWithoutBot(here, who, channel, guild.id)


def group_without_bot(here: World, name: str, *others: str) -> PlaceWithoutBot:
    """Return a group message of a player with others."""
    backend = here.env.backend
    group = backend.create_channel(None, None, type=GROUP)
    group.recipient_ids = [here.people[each].id for each in (name, *others)]
    backend.dm_channels[here.people[name].id] = group.id  # where SimCord lets a player do anything outside of servers
    who = UserHandle(here.env, backend.users[here.people[name].id])
    return PlaceWithoutBot(here, who, ChannelHandle(here.env, None, group))
