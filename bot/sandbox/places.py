"""From where somebody looks at the sandbox: in which language, and at which channel, thread or direct messages.

Knows the simulated server. Refuses to know the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from simcord import ChannelHandle, Env, MemberActor
from simcord.backend.access import channel_accessible

LANGUAGES = {"en-US": "English", "zh-CN": "简体中文", "zh-TW": "繁體中文"}
DIRECT = "direct"  # the key of one's direct messages, whoever one is


class Place(NamedTuple):
    """What somebody can look at. key: it is called by; last: the newest message there that they see, 0 for none."""

    key: str
    name: str
    channel: ChannelHandle
    last: int


@dataclass
class Standpoint:
    """How one page looks: language, and place by its key. read: of each place, the last message that was shown here."""

    language: str
    place: str
    read: dict[str, int] = field(default_factory=dict)

    def choose(self, wanted: Mapping[str, Any]) -> None:
        """Take over what is chosen of it."""
        if wanted.get("language") in LANGUAGES:
            self.language = wanted["language"]
        self.place = str(wanted.get("place", self.place))

    def at(self, places: Sequence[Place]) -> Place:
        """Return the place that is looked at: the first one where the chosen one is not to be seen."""
        return next((place for place in places if place.key == self.place), places[0])

    def look(self, places: Sequence[Place]) -> Mapping[str, Any]:
        """Look from here; return what there is to choose, with a mark where something is new."""
        here = self.at(places)
        self.read = self.read or {place.key: place.last for place in places}
        self.read[here.key] = here.last
        new = {place.key for place in places if place.last > self.read.get(place.key, 0)}
        return {
            "language": self.language,
            "languages": list(LANGUAGES.items()),
            "place": here.key,
            "places": [(place.key, f"{place.name} •" if place.key in new else place.name) for place in places],
        }


def places(env: Env, home: ChannelHandle, member: MemberActor) -> Iterator[Place]:
    """Yield what a member can look at: home first, threads after what they belong to, direct messages last."""
    here = [known for known in env.backend.channels.values() if known.guild_id == member.guild.id]
    for known in sorted(here, key=lambda it: (home.id not in (it.id, it.parent_id), it.parent_id or it.id, it.id)):
        if channel_accessible(env.backend, known.id, member.id, history=True):
            name = f"↳ {known.name}" if known.is_thread else f"#{known.name}"
            yield _place(env, str(known.id), name, ChannelHandle(env, member.guild, known), member)
    yield _place(env, DIRECT, f"@{env.backend.bot_user.name}", member.user.dm_channel, member)


def _place(env: Env, key: str, name: str, channel: ChannelHandle, member: MemberActor) -> Place:
    messages = env.backend.messages.get(channel.id, {}).values()
    return Place(key, name, channel, max((it.id for it in messages if it.visible_to(member.id)), default=0))
