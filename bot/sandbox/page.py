"""The page in the browser: SimCord's preview, adapted to a bot that acts by itself.

Publishes the bot's own changes, lets several tabs act in turn, each from its place, and moves time on request. Accepts
a click made just before an update of the page, as Discord does: by the button's name, if the message still has a button
of that name.
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

from bot.sandbox.live import LOCALE, LiveEnv, World
from bot.sandbox.server import LATER, PagePlace, PageState, SandboxServer, choices, places

log = logging.getLogger(__name__)

WIDTH, HEIGHT = 960, 720
"""The page fills its browser window; this is the size if a fixed one is requested."""

LOOK_EVERY = 0.15
"""Seconds between two checks for changes by the bot."""

FORGET_EVERY = 60.0
"""Seconds between two rounds of dropping obsolete data."""

MOVE_TIMES_EVERY = 5.0
"""Seconds between two updates of relative times on the page ("in 40 seconds")."""

PNG = b"\x89PNG\r\n\x1a\n"
SIZE_AT = len(PNG) + 8
"""The position of width and height in a PNG."""

EMOJI_BYTES = 256 * 1024
"""Discord's limit for an emoji's picture."""

LATELY = 200
"""How many possibly replaced pictures are kept: a hand shows dozens, a board one."""

TOLD_AT = "relativeTimesToldAt"

Seen = dict[str, int]
Controls = dict[str, tuple[int, str]]
"""The page's key of each button and menu -> its message, and its custom id."""


class Published(NamedTuple):
    """The content of a page at one of its revisions."""

    seen: Seen
    controls: Controls


REMEMBERED = 8
"""How many published states of a page are remembered; the browser is at most one poll (0.5 s) behind."""


class _Parsers:
    """A cache of SimCord's Markdown parsers, which SimCord makes for each text and label."""

    def __init__(self) -> None:
        self._make = _markdown._markdown_parser
        self._made: dict[int, tuple[Any, dict[str, Any]]] = {}

    def __call__(self, policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:
        """Return the parser of one of the module's policies, with the names in `context`."""
        if id(policy) not in self._made:
            names: dict[str, Any] = {}
            self._made[id(policy)] = (self._make(policy, names), names)
        parser, names = self._made[id(policy)]
        names.clear()
        names.update(context)
        return parser


_markdown._markdown_parser = _Parsers()


class _Pictures(MediaWorker):
    """Validates small PNGs in this process.

    SimCord would start a process for each, one by one, and refuse the ninth. SimCord protects a test's machine against
    foreign files; these are the bot's own emoji, dozens in each hand, and its pictures of tables. They are reported as
    memory-limited without a limit, to avoid a pointless warning.
    """

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        if blob.startswith(PNG) and len(blob) <= EMOJI_BYTES:
            return replace(_inspect_raster(blob, media_time), memory_limited=True)
        return await super().validate(key, blob, media_time=media_time)


class LivePreview(Preview):
    """A preview that follows the bot, with a separate place for each page. `env` must be live."""

    env: LiveEnv
    viewers: tuple[MemberActor, ...]

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._media_worker = _Pictures()
        self._server = SandboxServer(self, settings["port"])
        self._home = self.channel
        self._standing: dict[str, PageState] = {}
        self._lately: dict[tuple[str | None, str], bytes] = {}
        self._turn = asyncio.Lock()
        self._published: dict[str, dict[int, Published]] = {}
        self._forgotten = monotonic()

    @classmethod
    def of(cls, env: LiveEnv, world: World, port: int) -> Self:
        """Return the unserved page of the world's channel for all its users.

        Times are in this machine's zone.
        """
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
        """Publish the bot's own changes until cancelled; never during an action of a user."""
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
        """Drop obsolete data at intervals; removals from a page are published."""
        if monotonic() - self._forgotten > FORGET_EVERY:
            self._forgotten = monotonic()
            self.env.forget()
            self.env.requests.changed = True

    def _hang_pictures(self) -> bool:
        """Restore the pictures of the bot's emoji; tell whether there were new ones.

        SimCord drops the uploaded bytes and would draw the name alone.
        """
        before = len(self._explicit_assets)
        for emoji in self.env.backend.application_emojis.values():
            picture = self.env.requests.pictures.pop(emoji.name, None)
            if picture is not None:
                url = f"{CDN_BASE}/emojis/{emoji.id}.png"
                self._explicit_assets[url] = (f"{emoji.name}.png", b64decode(picture.partition(",")[2]))
        return len(self._explicit_assets) > before

    def _catch_up(self) -> None:
        """Publish each page whose viewer would see a change; leave the others alone."""
        if not self.env.requests.changed:
            return
        self.env.requests.changed = False
        redraw = self._hang_pictures()
        for page in self._tabs():
            if page.id not in self._pages:  # expired during an earlier publication
                continue
            if redraw or self._seen_by(page) != self._published[page.id][page.revision].seen:
                self._publish(page, reason="refresh")

    def _tabs(self) -> tuple[_Page, ...]:
        """Return the pages of browsers.

        A further page exists for programs that ask SimCord for it.
        """
        return tuple(page for page in self._pages.values() if page is not self._python)

    def _move_times(self) -> None:
        """Publish the pages with a relative time, at intervals."""
        if self.env.now() - self.capture_time > timedelta(seconds=MOVE_TIMES_EVERY):
            for page in self._tabs():
                if any(TOLD_AT in message for message in page.snapshot["messages"].values()):
                    self._publish(page, reason="refresh")

    def _seen_by(self, page: _Page) -> Seen:
        """Return the viewer's current content: hashes of messages by id, and of the commands."""
        seen = {str(message.id): hash(repr(message)) for message in self._messages(page)}
        elsewhere = tuple((place.key, place.last) for place in self._places(page.viewer.id))
        return seen | {"commands": hash(repr(self.env.backend.commands)), "elsewhere": hash(elsewhere)}

    def _messages(self, page: _Page) -> list[Message]:
        """Return the messages visible to the viewer at the page's place."""
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

    def _places(self, viewer: int) -> tuple[PagePlace, ...]:
        """Return the places that a viewer can open."""
        member = next(one for one in self.viewers if one.id == viewer)
        return tuple(places(self.env, self._home, member))

    def _standpoint(self, page: _Page) -> PageState:
        """Return the language and place of a page; home at first."""
        return self._standing.setdefault(page.id, PageState(LOCALE, str(self._home.id)))

    def _publish(self, page: _Page, **reason: Any) -> None:
        """Publish a page at the present moment, and remember its content."""
        self._advance_presentation_time()
        super()._publish(page, **reason)
        self._hold_pictures(page)
        standing = self._standpoint(page)
        page.snapshot["sandbox"] = {**standing.visit(self._places(page.viewer.id)), "times": choices(self.env.now())}
        page.snapshot["profile"]["locale"] = standing.language
        for message in page.snapshot["messages"].values():
            if "'style': 'R'" in repr(message):
                message[TOLD_AT] = self.capture_time.isoformat()  # otherwise the browser finds no difference to draw
        states = self._published.setdefault(page.id, {})
        states[page.revision] = Published(self._seen_by(page), self._controls(page))
        for old in sorted(states)[:-REMEMBERED]:
            del states[old]
        for gone in self._published.keys() - self._pages.keys() - {page.id}:
            del self._published[gone], self._standing[gone]

    def _hold_pictures(self, page: _Page) -> None:
        """Send the browser the size of new pictures, against jumps of the layout.

        Keeps them for late requests.
        """
        for asset, record in page.assets.items():
            blob = self._blobs.get(record.digest or "")
            if blob is not None and not record.validated and blob.data.startswith(PNG):
                record.width, record.height = unpack_from(">II", blob.data, SIZE_AT)
                record.validated = True
                self._lately[page.id, asset] = blob.data
        for old in tuple(self._lately)[:-LATELY]:
            del self._lately[old]

    def _authorize_asset(self, page: _Page, asset_id: str, **how: Any) -> Any:
        """Permit a page to show its picture, even if replaced a moment ago."""
        try:
            return super()._authorize_asset(page, asset_id, **how)
        except SetupError:
            if (page.id, asset_id) not in self._lately or asset_id not in page.assets:
                raise
            return page.assets[asset_id]

    async def _prepare_asset(self, context_id: str | None, asset_id: str, **how: Any) -> tuple[str, bytes, str]:
        """Return a picture, even if replaced a moment ago.

        The browser would otherwise show a missing picture.
        """
        try:
            return await super()._prepare_asset(context_id, asset_id, **how)
        except SetupError:
            if (picture := self._lately.get((context_id, asset_id))) is None:
                raise
            return "image/png", picture, "picture.png"

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Run one action at a time, from its page's place.

        A second tab waits instead of getting an error.
        """
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
        """Set the place and language for an action from its page, or from the user's new choice."""
        standing, viewer = self._standpoint(page), page.viewer.id
        if body.get("kind") == "viewer":
            standing.choose(body)
            viewer = super()._viewer(body.get("viewer_id")).id
        self.env.locales[viewer] = standing.language
        self.channel = standing.at(self._places(viewer)).channel
        page.channel_id = self.channel.id

    def _viewer(self, viewer_id: Any) -> Any:
        """Return the viewer: the user in direct messages, otherwise the member of the server."""
        viewer = super()._viewer(viewer_id)
        return viewer.user if self.channel.guild is None else viewer

    def _open_page(self, *whose: Any) -> _Page:
        """Open a page at home, whatever action is running elsewhere."""
        elsewhere, self.channel = self.channel, self._home
        try:
            return super()._open_page(*whose)
        finally:
            self.channel = elsewhere

    def _as_of_now(self, page: _Page, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Translate an action on an older state of a page to the present state.

        As on Discord, a click or a choice is for the control of that custom id, however its message has changed since.
        Without such a control the action stays unchanged, and SimCord refuses it. Typed text belongs to no message.
        """
        if body.get("kind") not in {"click", "select"}:
            return {**body, "published_revision": page.revision}
        states = self._published[page.id]
        then = states.get(body.get("published_revision", 0))
        clicked = then.controls.get(str(body.get("control_key"))) if then else None
        now = [key for key, control in states[page.revision].controls.items() if control == clicked]
        return {**body, "published_revision": page.revision, "control_key": now[0]} if now else body
