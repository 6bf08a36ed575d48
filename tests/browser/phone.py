"""A phone that looks at the sandbox's page: taps elements by address, and measures their position and cost.

Knows the page's own account of what it shows, in which each control has its address. Refuses to know the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Self

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import Press, Verb
from tests.browser.page import PATIENCE, POLL, SandboxPage

if TYPE_CHECKING:
    from playwright.async_api import Browser

WIDTH, HEIGHT = 390, 844  # pixels
NARROW = 360  # pixels of the narrowest usual phone

DRAWN = "() => [...document.querySelectorAll('.component-container img')].every((image) => image.naturalWidth)"
WATCH = """
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

READ = """
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
    """A button or select of a table as it stands on the page.

    mine: whether only the viewer sees its message. picked: whether it is blue. height: of the message. left, top,
    bottom: how far it is from the edges of the frame in its message, in pixels.
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
    def which(self) -> tuple[Verb, int]:
        """What distinguishes a control within its message while the question is the same."""
        return self.press.verb, self.press.part


class Phone(SandboxPage):
    """One tab in a phone's size."""

    @classmethod
    async def look(cls, browser: Browser, address: str, width: int = WIDTH) -> Self:
        """Open the page as its first viewer. width: in pixels."""
        phone = await cls.open(browser, address)
        await phone.resize(width, HEIGHT)
        await phone.page.evaluate(WATCH)
        return phone

    async def of(self, table: TableId, verb: Verb | None = None) -> Sequence[Control]:
        """Return the elements to tap at a table, or those for this purpose, from top to bottom.

        What stands in a message whose pictures are not drawn yet is not there yet.
        """
        await self.wait_until_idle()
        there = [Control(**it | {"press": Press.read(it["press"])}) for it in await self.page.evaluate(READ)]
        return [it for it in there if it.press.table == table and verb in (None, it.press.verb)]

    async def lowest(self) -> float:
        """Return how high the lowest message is, once its pictures are drawn."""
        await self.wait_until_idle()
        lowest = self.page.locator("article.channel-message").last
        await self.page.wait_for_function(DRAWN)
        box = await lowest.bounding_box()
        assert box is not None
        return box["height"]

    async def tap(self, control: Control) -> float:
        """Tap it, wait for what comes of that, and return after how many milliseconds the page had changed."""
        await self.wait_until_idle()
        await self.page.locator(f"[data-control-key='{control.key}']").click()
        took = await self._changed()
        await self.wait_until_idle()
        return took

    async def choose_at(self, message: str, place: int) -> None:
        """Open the first menu of a message and choose what stands at this place in it: two taps."""
        menu = self.page.locator(f"article.channel-message[data-message-id='{message}'] .preview-select").first
        await menu.locator(".select-trigger").click()
        await menu.locator(".select-option").nth(place).click()
        await self.wait_until_idle()

    async def _changed(self) -> float:
        """Return how long it took from the tap to the first whole picture of another page."""
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline:
            if took := await self.page.evaluate("() => window.changed && window.changed - window.tapped"):
                return float(took)
            await asyncio.sleep(POLL)
        raise AssertionError(f"nothing came of a tap: {await self.notice()}")
