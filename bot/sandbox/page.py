"""The page in the browser: SimCord's preview, made to follow a bot that also moves by itself.

Knows how a preview publishes what a viewer sees, and makes it fit for play: it publishes what the bot changed on its
own, lets several tabs act in turn, each from where it looks, moves time on when asked, and accepts a click made an
instant before the page caught up, as Discord does: by the name of the button, if its message still has one of that
name. Refuses to know: the bot, the game, and where the simulated people come from.
"""

from __future__ import annotations

import asyncio
import logging
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from struct import unpack_from
from time import monotonic
from typing import Any, NamedTuple, Self

from babel.dates import LOCALTZ
from simcord import MemberActor, SetupError
from simcord.backend.cdn import CDN_BASE
from simcord.backend.models.message import Message
from simcord.preview import Preview, _markdown
from simcord.preview._action_plans import _component_key, _component_paths
from simcord.preview._media import MediaInfo, MediaWorker, _inspect_raster
from simcord.preview._pages import _Page

from bot.sandbox.live import LOCALE, LiveEnv
from bot.sandbox.places import Place, Standpoint, places
from bot.sandbox.server import Server
from bot.sandbox.times import LATER, choices
from bot.sandbox.world import World

log = logging.getLogger(__name__)

WIDTH, HEIGHT = 960, 720
"""The page in the browser fills its window; this is the size when it is asked for a fixed one."""

LOOK_EVERY = 0.15
"""Seconds between two looks whether the bot changed something."""

FORGET_EVERY = 60.0
"""Seconds between two times that what nobody needs any more is let go of."""

MOVE_TIMES_EVERY = 5.0
"""Seconds between two times that the relative times on the page ("in 40 seconds") are told anew."""

PNG = b"\x89PNG\r\n\x1a\n"
SIZE_AT = len(PNG) + 8
"""Where a PNG tells its width and height."""

EMOJI_BYTES = 256 * 1024
"""Discord's limit for an emoji's picture."""

LATELY = 200
"""How many pictures are kept though they may have been replaced: a hand shows dozens, a board one."""

TOLD_AT = "relativeTimesToldAt"

Seen = dict[str, int]
Controls = dict[str, tuple[int, str]]
"""The page's key of each button and menu -> the message it stands on, and its custom id."""


class Published(NamedTuple):
    """What a page showed at one of its revisions."""

    seen: Seen
    controls: Controls


REMEMBERED = 8
"""How many published states of a page are remembered; the page in the browser is at most one poll (0.5 s) behind."""


class _Parsers:
    """Makes SimCord's Markdown parsers once: it would make a new one for every text and label at every publication."""

    def __init__(self) -> None:
        self._make = _markdown._markdown_parser
        self._made: dict[int, tuple[Any, dict[str, Any]]] = {}

    def __call__(self, policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:
        """Give the parser of one of the module's own policies; it reads names in the `context` given last."""
        if id(policy) not in self._made:
            names: dict[str, Any] = {}
            self._made[id(policy)] = (self._make(policy, names), names)
        parser, names = self._made[id(policy)]
        names.clear()
        names.update(context)
        return parser


_markdown._markdown_parser = _Parsers()


class _Pictures(MediaWorker):
    """Looks at a small PNG here and now. SimCord would start a process for each, one by one, and refuse the ninth.

    That guards a test's machine against foreign files; these are the bot's own emojis, by the dozen in every hand, and
    its pictures of tables. Therefore nothing is said of a limit that guards nothing here.
    """

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        if blob.startswith(PNG) and len(blob) <= EMOJI_BYTES:
            return replace(_inspect_raster(blob, media_time), memory_limited=True)
        return await super().validate(key, blob, media_time=media_time)


class LivePreview(Preview):
    """A preview that keeps up with the bot, and looks from wherever each page stands. `env` must be live."""

    env: LiveEnv
    viewers: tuple[MemberActor, ...]

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._media_worker = _Pictures()
        self._server = Server(self, settings["port"])
        self._home = self.channel
        self._standing: dict[str, Standpoint] = {}
        self._lately: dict[tuple[str | None, str], bytes] = {}
        self._turn = asyncio.Lock()
        self._published: dict[str, dict[int, Published]] = {}
        self._forgotten = monotonic()

    @classmethod
    def of(cls, env: LiveEnv, world: World, port: int) -> Self:
        """Make the page of the world's channel for all its people, not yet served; times are in this machine's zone."""
        return cls(
            env,
            world.channel,
            world.people,
            layout="channel",
            display="responsive",
            width=WIDTH,
            height=HEIGHT,
            locale=LOCALE,
            timezone=getattr(LOCALTZ, "key", "UTC"),
            presentation_time=None,
            assets=None,
            port=port,
        )

    async def follow(self) -> None:
        """Publish whatever the bot changes by itself, until cancelled. Never while somebody's action is under way."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if not self._turn.locked():
                try:
                    self._forget()
                    self._catch_up()
                    self._move_times()
                except Exception:
                    log.exception("The page could not be brought up to date")

    def _forget(self) -> None:
        """Let go of what nobody needs any more, once in a while; what goes from a page is published."""
        if monotonic() - self._forgotten > FORGET_EVERY:
            self._forgotten = monotonic()
            self.env.forget()
            self.env.requests.changed = True

    def _hang_pictures(self) -> bool:
        """Give the bot's emojis their pictures: SimCord drops the uploaded bytes and would draw only the name.

        Tell whether there were new ones.
        """
        before = len(self._explicit_assets)
        for emoji in self.env.backend.application_emojis.values():
            picture = self.env.requests.pictures.pop(emoji.name, None)
            if picture is not None:
                url = f"{CDN_BASE}/emojis/{emoji.id}.png"
                self._explicit_assets[url] = (f"{emoji.name}.png", b64decode(picture.partition(",")[2]))
        return len(self._explicit_assets) > before

    def _catch_up(self) -> None:
        """Publish every page whose viewer would now see something else; leave the others in peace."""
        if not self.env.requests.changed:
            return
        self.env.requests.changed = False
        redraw = self._hang_pictures()
        for page in self._tabs():
            if page.id not in self._pages:  # an earlier publication found it expired
                continue
            if redraw or self._seen_by(page) != self._published[page.id][page.revision].seen:
                self._publish(page, reason="refresh")

    def _tabs(self) -> tuple[_Page, ...]:
        """The pages that somebody looks at: one more is there for programs that ask SimCord for it."""
        return tuple(page for page in self._pages.values() if page is not self._python)

    def _move_times(self) -> None:
        """Publish the pages that show a relative time, if the last time was told long enough ago."""
        if self.env.now() - self.capture_time > timedelta(seconds=MOVE_TIMES_EVERY):
            for page in self._tabs():
                if any(TOLD_AT in message for message in page.snapshot["messages"].values()):
                    self._publish(page, reason="refresh")

    def _seen_by(self, page: _Page) -> Seen:
        """What the viewer sees at this moment: a message's id -> a hash of all that is in it; and the commands."""
        seen = {str(message.id): hash(repr(message)) for message in self._messages(page)}
        elsewhere = tuple((place.key, place.last) for place in self._places(page.viewer.id))
        return seen | {"commands": hash(repr(self.env.backend.commands)), "elsewhere": hash(elsewhere)}

    def _messages(self, page: _Page) -> list[Message]:
        """Return the messages that the viewer sees where the page stands."""
        messages = self.env.backend.messages.get(page.channel_id, {}).values()
        return [message for message in messages if message.visible_to(page.viewer.id)]

    def _controls(self, page: _Page) -> Controls:
        """Return the buttons and menus of a page."""
        return {
            key: (message.id, component["custom_id"])
            for message in self._messages(page)
            for index, root in enumerate(message.components)
            for path, component in _component_paths(root, str(index))
            if "custom_id" in component and (key := _component_key(component, path, message.id))
        }

    def _places(self, viewer: int) -> tuple[Place, ...]:
        """What a viewer can look at."""
        member = next(one for one in self.viewers if one.id == viewer)
        return tuple(places(self.env, self._home, member))

    def _standpoint(self, page: _Page) -> Standpoint:
        """From where a page looks; at first from home."""
        return self._standing.setdefault(page.id, Standpoint(LOCALE, str(self._home.id)))

    def _publish(self, page: _Page, **reason: Any) -> None:
        """Publish one page at the present moment, and remember what was on it."""
        self._advance_presentation_time()
        super()._publish(page, **reason)
        self._hold_pictures(page)
        standing = self._standpoint(page)
        page.snapshot["sandbox"] = {**standing.look(self._places(page.viewer.id)), "times": choices(self.env.now())}
        page.snapshot["profile"]["locale"] = standing.language
        for message in page.snapshot["messages"].values():
            if "'style': 'R'" in repr(message):
                message[TOLD_AT] = self.capture_time.isoformat()  # else the browser sees nothing new to draw
        states = self._published.setdefault(page.id, {})
        states[page.revision] = Published(self._seen_by(page), self._controls(page))
        for old in sorted(states)[:-REMEMBERED]:
            del states[old]
        for gone in self._published.keys() - self._pages.keys() - {page.id}:
            del self._published[gone], self._standing[gone]

    def _hold_pictures(self, page: _Page) -> None:
        """Tell the browser how large new pictures are, so that nothing jumps, and keep them for when it comes late."""
        for asset, record in page.assets.items():
            blob = self._blobs.get(record.digest or "")
            if blob is not None and not record.validated and blob.data.startswith(PNG):
                record.width, record.height = unpack_from(">II", blob.data, SIZE_AT)
                record.validated = True
                self._lately[page.id, asset] = blob.data
        for old in tuple(self._lately)[:-LATELY]:
            del self._lately[old]

    def _authorize_asset(self, page: _Page, asset_id: str, **how: Any) -> Any:
        """Let a page that shows a picture show it, though it has been replaced an instant ago."""
        try:
            return super()._authorize_asset(page, asset_id, **how)
        except SetupError:
            if (page.id, asset_id) not in self._lately or asset_id not in page.assets:
                raise
            return page.assets[asset_id]

    async def _prepare_asset(self, context_id: str | None, asset_id: str, **how: Any) -> tuple[str, bytes, str]:
        """Give a picture, also one that has been replaced an instant ago: the browser would show that it is missing."""
        try:
            return await super()._prepare_asset(context_id, asset_id, **how)
        except SetupError:
            if (picture := self._lately.get((context_id, asset_id))) is None:
                raise
            return "image/png", picture, "picture.png"

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Let one viewer act at a time, where they look; a second tab waits instead of being told "busy"."""
        async with self._turn:
            self._catch_up()
            page = self._pages.get(context_id or "")
            if page is None or not isinstance(body, Mapping):
                return await super()._action(context_id, body)
            if body.get("later") in LATER:
                await self.env.move_on(LATER[body["later"]][1](self.env.now()))
            body = self._as_of_now(page, body)
            self._take_place(page, body)
            try:
                return await super()._action(context_id, body)
            finally:
                self.channel = self._home

    def _take_place(self, page: _Page, body: Mapping[str, Any]) -> None:
        """Let what is done now be done from where the page stands, or is to stand from now on."""
        standing, viewer = self._standpoint(page), page.viewer.id
        if body.get("kind") == "viewer":
            standing.choose(body)
            viewer = super()._viewer(body.get("viewer_id")).id
        self.env.locales[viewer] = standing.language
        self.channel = standing.at(self._places(viewer)).channel
        page.channel_id = self.channel.id

    def _viewer(self, viewer_id: Any) -> Any:
        """Return who looks: in direct messages the person, elsewhere the member of the server."""
        viewer = super()._viewer(viewer_id)
        return viewer.user if self.channel.guild is None else viewer

    def _open_page(self, *whose: Any) -> _Page:
        """Open a page at home, whatever is being done elsewhere."""
        elsewhere, self.channel = self.channel, self._home
        try:
            return super()._open_page(*whose)
        finally:
            self.channel = elsewhere

    def _as_of_now(self, page: _Page, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return an action that was made on an older state of a page as one on the present state.

        As on Discord a click or a choice is for the control of that custom id, however its message has changed since.
        Where there is none any more the action stays as old as it was, and SimCord refuses it. What is typed hangs on
        no message.
        """
        if body.get("kind") not in {"click", "select"}:
            return {**body, "published_revision": page.revision}
        states = self._published[page.id]
        then = states.get(body.get("published_revision", 0))
        clicked = then.controls.get(str(body.get("control_key"))) if then else None
        now = [key for key, control in states[page.revision].controls.items() if control == clicked]
        return {**body, "published_revision": page.revision, "control_key": now[0]} if now else body
