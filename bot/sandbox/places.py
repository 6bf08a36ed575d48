"""The language and place of a page of the sandbox: a channel, a thread or direct messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from simcord import ChannelHandle, Env, MemberActor
from simcord.backend.access import channel_accessible

from bot.domain.languages import LANGUAGES

READ = {language.locales[0]: language.name for language in LANGUAGES}  # by the locale of their readers
DIRECT = "direct"  # the key of the viewer's direct messages


class PagePlace(NamedTuple):
    """A place that a viewer can open. key: its id in menus; last: the id of its newest visible message, 0 for none."""

    key: str
    name: str
    channel: ChannelHandle
    last: int


@dataclass
class PageState:
    """The language of a page, and its place by key. read: the last message shown of each place."""

    language: str
    place: str
    read: dict[str, int] = field(default_factory=dict)

    def choose(self, wanted: Mapping[str, Any]) -> None:
        """Apply the user's choices."""
        if wanted.get("language") in READ:
            self.language = wanted["language"]
        self.place = str(wanted.get("place", self.place))

    def at(self, places: Sequence[PagePlace]) -> PagePlace:
        """Return the chosen place; the first place if the chosen one is not visible."""
        return next((place for place in places if place.key == self.place), places[0])

    def look(self, places: Sequence[PagePlace]) -> Mapping[str, Any]:
        """Mark the place as read; return the choices, with a mark for places with new messages."""
        here = self.at(places)
        self.read = self.read or {place.key: place.last for place in places}
        self.read[here.key] = here.last
        new = {place.key for place in places if place.last > self.read.get(place.key, 0)}
        return {
            "language": self.language,
            "languages": list(READ.items()),
            "place": here.key,
            "places": [(place.key, f"{place.name} •" if place.key in new else place.name) for place in places],
        }


def places(env: Env, home: ChannelHandle, member: MemberActor) -> Iterator[PagePlace]:
    """Yield the places of a member: home first, threads after their channel, direct messages last."""
    here = [known for known in env.backend.channels.values() if known.guild_id == member.guild.id]
    for known in sorted(here, key=lambda it: (home.id not in (it.id, it.parent_id), it.parent_id or it.id, it.id)):
        if channel_accessible(env.backend, known.id, member.id, history=True):
            name = f"↳ {known.name}" if known.is_thread else f"#{known.name}"
            yield _place(env, str(known.id), name, ChannelHandle(env, member.guild, known), member=member)
    yield _place(env, DIRECT, f"@{env.backend.bot_user.name}", member.user.dm_channel, member=member)


def _place(env: Env, key: str, name: str, channel: ChannelHandle, *, member: MemberActor) -> PagePlace:
    messages = env.backend.messages.get(channel.id, {}).values()
    return PagePlace(key, name, channel, max((it.id for it in messages if it.visible_to(member.id)), default=0))
