"""The web server of the page, and its menus for language, place and time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from zoneinfo import ZoneInfo

from aiohttp import web
from babel.dates import LOCALTZ
from simcord import ChannelHandle, Env, MemberActor
from simcord.backend.access import channel_accessible
from simcord.preview._server import PreviewServer

from bot.domain.languages import LANGUAGES

HERE = Path(__file__).parent
OURS = {"/sandbox.js": "application/javascript", "/sandbox.css": "text/css"}

TITLE = "<title>SimCord Preview</title>"
STYLE = '<link rel="stylesheet" href="/preview.css">'
TOOLBAR = '<header class="preview-toolbar"'
VIEWER = '<select id="viewer-picker" aria-label="Viewing as"></select>'
SCRIPT = '<script type="module" src="/app.js"></script>'
ADDED = {
    TITLE: "<title>Bigger's sandbox</title>",
    STYLE: STYLE + '\n    <link rel="stylesheet" href="/sandbox.css">',
    TOOLBAR: '<p class="sandbox-line">Bigger\'s sandbox: a simulated Discord, only on this machine</p>\n      '
    + TOOLBAR,
    VIEWER: VIEWER + '<select id="language-picker" aria-label="Language"></select>'
    '<select id="place-picker" aria-label="Place"></select>'
    '<select id="time-picker" aria-label="Time"></select>',
    SCRIPT: '<script type="module" src="/sandbox.js"></script>\n    ' + SCRIPT,
}


class SandboxServer(PreviewServer):
    """SimCord's server with the sandbox's additions to its page."""

    _STATIC_FILES: ClassVar = PreviewServer._STATIC_FILES | {path: path[1:] for path in OURS}

    async def _static(self, request: Any) -> Any:
        """Return a file of the page to any client on this machine."""
        if request.path in OURS and request.headers.get("Host", "") in self._allowed_hosts():
            text = (HERE / request.path[1:]).read_text(encoding="utf-8")
            return web.Response(text=text, content_type=OURS[request.path], headers=self._SECURITY_HEADERS)
        response = await super()._static(request)
        if request.path == "/":
            for there, instead in ADDED.items():
                assert there in response.text, f"SimCord's page has changed: {there}"
                response.text = response.text.replace(there, instead)
        return response


READ = {language.locales[0]: language.name for language in LANGUAGES}  # by the locale of their readers
DIRECT = "direct"  # the key of the viewer's direct messages


class PagePlace(NamedTuple):
    """A place that a viewer can open.

    key: its id in menus; last: the id of its newest visible message, 0 for none.
    """

    key: str
    name: str
    channel: ChannelHandle
    last: int


@dataclass
class PageState:
    """The language of a page, and its place by key.

    read: the last message shown of each place.
    """

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

    def visit(self, places: Sequence[PagePlace]) -> Mapping[str, Any]:
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
    """Yield the places of a member.

    Home comes first, threads follow their channel, and direct messages come last.
    """
    here = [known for known in env.backend.channels.values() if known.guild_id == member.guild.id]
    for known in sorted(here, key=lambda it: (home.id not in (it.id, it.parent_id), it.parent_id or it.id, it.id)):
        if channel_accessible(env.backend, known.id, member.id, history=True):
            name = f"↳ {known.name}" if known.is_thread else f"#{known.name}"
            yield _place(env, str(known.id), name, ChannelHandle(env, member.guild, known), member=member)
    yield _place(env, DIRECT, f"@{env.backend.bot_user.name}", member.user.dm_channel, member=member)


def _place(env: Env, key: str, name: str, channel: ChannelHandle, *, member: MemberActor) -> PagePlace:
    messages = env.backend.messages.get(channel.id, {}).values()
    return PagePlace(key, name, channel, max((it.id for it in messages if it.visible_to(member.id)), default=0))


MANILA = ZoneInfo("Asia/Manila")
MORNING = time(8)


def tomorrow_morning(now: datetime) -> timedelta:
    """Return the time until the next day's morning in Manila."""
    there = now.astimezone(MANILA)
    return datetime.combine(there.date() + timedelta(days=1), MORNING, MANILA) - there


LATER: Mapping[str, tuple[str, Callable[[datetime], timedelta]]] = {
    "hour": ("An hour later", lambda _now: timedelta(hours=1)),
    "day": ("A day later", lambda _now: timedelta(days=1)),
    "morning": ("Tomorrow morning in Manila", tomorrow_morning),
}


def choices(now: datetime) -> list[tuple[str, str]]:
    """Return the current local time and the choices, each with its key."""
    return [("now", f"{now.astimezone(LOCALTZ):%a %H:%M}"), *((key, name) for key, (name, _) in LATER.items())]
