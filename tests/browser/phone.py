"""The sandbox's page at the size of a phone: taps controls by custom id, and measures positions and times.

Uses the page's own state, in which each control has its custom id.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Self

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import Press, Verb
from tests.browser.page import PAGE_TIMEOUT, POLL_INTERVAL, SandboxPage

if TYPE_CHECKING:
    from playwright.async_api import Browser

WIDTH, HEIGHT = 390, 844  # pixels
NARROW_WIDTH = 360  # pixels of the narrowest usual phone

PICTURES_DRAWN_JS = (
    "() => [...document.querySelectorAll('.component-container img')].every((image) => image.naturalWidth)"
)
WATCH_CHANGES_JS = """
() => {
  const asked = window.fetch;
  window.fetch = async (...request) => {
    const response = await asked(...request);
    if (String(request[0]).endsWith("/api/state")) window.shown = await response.clone().json();
    return response;
  };
  const list = document.querySelector("#channel-message-list");
  const drawn = () => [...list.querySelectorAll(".component-container img")].every((image) => image.naturalWidth);
  const settle = () => requestAnimationFrame(() => { drawn() ? window.changed = performance.now() : settle(); });
  document.addEventListener("click", (event) => { window.tapped = event.timeStamp; window.changed = null; }, true);
  const seen = new MutationObserver(() => { if (window.changed === null) settle(); });
  seen.observe(list, { childList: true, subtree: true });
}
"""

READ_CONTROLS_JS = """
() => window.shown?.publishedRevision !== window.simcordPreview.publishedRevision ? [] :
Object.values(window.shown?.messages ?? {}).flatMap((message) => {
  const frame = document.querySelector(`article.channel-message[data-message-id="${message.id}"]`);
  const walk = (it) => [it, ...(it.components ?? []).flatMap(walk), ...(it.accessory ? walk(it.accessory) : [])];
  const addressed = (message.components ?? []).flatMap(walk).filter((it) => it.custom_id?.startsWith("bg:"));
  const around = frame?.getBoundingClientRect();
  if (![...(frame?.querySelectorAll(".component-container img") ?? [])].every((image) => image.naturalWidth)) return [];
  return addressed.flatMap((it) => {
    const control = frame?.querySelector(`[data-control-key="${it.control_key}"]`);
    if (!control) return [];
    const box = control.getBoundingClientRect();
    const inner = control.closest(".component-container")?.getBoundingClientRect() ?? around;
    return [{
      message: String(message.id), mine: Boolean(message.ephemeral), press: it.custom_id, key: it.control_key,
      disabled: Boolean(it.disabled), picked: it.style === 1, height: around.height,
      left: box.left - inner.left, top: box.top - inner.top, bottom: inner.bottom - box.top,
    }];
  });
})
"""


class Control(NamedTuple):
    """A button or select of a table on the page.

    mine: whether only the viewer sees its message. picked: whether it is blue. height: of the message. left, top,
    bottom: distances to the edges of the frame in its message, in pixels.
    """

    message: str
    mine: bool
    press: Press
    key: str
    disabled: bool
    picked: bool
    height: float
    left: float
    top: float
    bottom: float

    @property
    def identity(self) -> tuple[Verb, int]:
        """The verb and part, which identify a control within its message during one question."""
        return self.press.verb, self.press.part


class Phone(SandboxPage):
    """One tab at a phone's size."""

    @classmethod
    async def open_as_first_viewer(cls, browser: Browser, address: str, width: int = WIDTH) -> Self:
        """Open the page as its first viewer. width: in pixels."""
        phone = await cls.open(browser, address)
        await phone.resize(width, HEIGHT)
        await phone.page.evaluate(WATCH_CHANGES_JS)
        return phone

    async def controls_of(self, table: TableId, verb: Verb | None = None) -> Sequence[Control]:
        """Return the controls of a table, or those with this verb, from top to bottom.

        Messages whose pictures are not drawn yet are left out.
        """
        await self.wait_until_idle()
        there = [
            Control(**it | {"press": Press.read(it["press"])}) for it in await self.page.evaluate(READ_CONTROLS_JS)
        ]
        return [it for it in there if it.press.table == table and verb in (None, it.press.verb)]

    async def lowest_height(self) -> float:
        """Return the height of the lowest message after its pictures are drawn."""
        await self.wait_until_idle()
        lowest_height = self.page.locator("article.channel-message").last
        await self.page.wait_for_function(PICTURES_DRAWN_JS)
        box = await lowest_height.bounding_box()
        assert box is not None
        return box["height"]

    async def tap(self, control: Control) -> float:
        """Tap a control; return the milliseconds until the page had changed."""
        await self.wait_until_idle()
        await self.page.locator(f"[data-control-key='{control.key}']").click()
        took = await self._milliseconds_to_change()
        await self.wait_until_idle()
        return took

    async def choose_at(self, message: str, place: int) -> None:
        """Open the first menu of a message and choose the option with this index: two taps."""
        menu = self.page.locator(f"article.channel-message[data-message-id='{message}'] .preview-select").first
        await menu.locator(".select-trigger").click()
        await menu.locator(".select-option").nth(place).click()
        await self.wait_until_idle()

    async def _milliseconds_to_change(self) -> float:
        """Return the milliseconds from the tap until the changed page was drawn completely."""
        deadline = monotonic() + PAGE_TIMEOUT
        while monotonic() < deadline:
            if took := await self.page.evaluate("() => window.changed && window.changed - window.tapped"):
                return float(took)
            await asyncio.sleep(POLL_INTERVAL)
        raise AssertionError(f"nothing came of a tap: {await self.notice()}")
