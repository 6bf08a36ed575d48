"""Operates the sandbox's page as one viewer in one browser tab: types commands, clicks, chooses and reads.

Uses the structure of the simulated Discord's page, independently of the bot and its games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Self

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page

PAGE_TIMEOUT = 60.0
"""Seconds until a wait fails: far more than needed, for slow machines."""

POLL_INTERVAL = 0.05
IDLE_POLL_MS = 30  # milliseconds between two checks
RETRY_SECONDS = 5.0
"""Seconds until a click that the page may have dropped is retried."""

IS_IDLE_JS = """
() => {
  const page = window.simcordPreview;
  return Boolean(page?.ready && !page.pendingAction && !page.pendingQuery && !page.awaitingRevision);
}
"""

# The page reports its size by an action, which SimCord accepts only while idle: a click before would hang.
HAS_WIDTH_JS = "(width) => window.simcordPreview.presentation?.host?.width === width"

# Counts actions sent by the viewer: the page drops clicks during queries and size reports.
COUNT_ACTIONS_JS = """
  const asked = window.fetch;
  window.done = 0;
  window.fetch = (...request) => {
    const [path, how] = request;
    const sent = path === "/api/action" && typeof how?.body === "string" ? JSON.parse(how.body) : {};
    if (["click", "select", "run_command"].includes(sent.kind)) window.done += 1;
    return asked(...request);
  };
"""

READ_MESSAGES_JS = """
() => {
  const block = new Set(["P", "DIV", "LI", "UL", "OL", "H1", "H2", "H3", "BLOCKQUOTE", "PRE"]);
  const words = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (node.nodeName === "BR") return "\\n";
    if (node.nodeName === "IMG") return node.alt.startsWith(":") ? node.alt : `:${node.alt}:`;
    const inside = [...node.childNodes].map(words).join("");
    return block.has(node.nodeName) ? `\\n${inside}\\n` : inside;
  };
  const tidy = (text) => text.replace(/\\n+/g, "\\n").trim();
  const label = (button) => tidy((button.querySelector(".button-label")?.textContent || words(button)));
  return [...document.querySelectorAll("article.channel-message")].map((message) => ({
    id: message.dataset.messageId,
    author: message.querySelector(".message-author")?.textContent ?? "",
    ephemeral: Boolean(message.querySelector(".message-ephemeral-note")),
    text: tidy([...message.querySelectorAll(".message-content, .text-display, .embed")].map(words).join("\\n")),
    buttons: [...message.querySelectorAll(".component-button")].map(label),
    disabled: [...message.querySelectorAll(".component-button[aria-disabled=true]")].map(label),
    selects: [...message.querySelectorAll(".select-trigger")].map((select) => select.getAttribute("aria-label") ?? ""),
    options: [...message.querySelectorAll(".select-option")].map((option) => tidy(words(option))),
    pictures: message.querySelectorAll("img[src^='blob:']").length,
    alt_texts: [...message.querySelectorAll(".gallery-item img")].map((picture) => picture.alt).join("\\n"),
  }));
}
"""


class PageMessage(NamedTuple):
    """One message as the viewer sees it; emoji with a picture are `:name:`. alt_texts: of its pictures."""

    id: str
    author: str
    ephemeral: bool
    text: str
    buttons: Sequence[str]
    disabled: Sequence[str]
    selects: Sequence[str]
    options: Sequence[str]
    pictures: int
    alt_texts: str


class SandboxPage:
    """One tab on the sandbox, with one viewer at a time."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @classmethod
    async def open(cls, browser: Browser, address: str, viewer: str | None = None, **window: Any) -> Self:
        """Open the address in a new tab. viewer: a name under "Viewing as"; the first one if None."""
        context = await browser.new_context(viewport={"width": 1280, "height": 900}, **window)
        context.set_default_timeout(PAGE_TIMEOUT * 1000)
        page = await context.new_page()
        await page.add_init_script(COUNT_ACTIONS_JS)
        await page.goto(address)
        tab = cls(page)
        await tab.wait_until_idle()
        if viewer is not None:
            await tab.view_as(viewer)
        return tab

    async def close(self) -> None:
        await self.page.context.close()

    async def view_as(self, viewer: str) -> None:
        """View the page as another person from now on."""
        await self._set("Viewing as", viewer)

    async def speak(self, language: str) -> None:
        """Choose the language of private answers, by its own name."""
        await self._set("Language", language)

    async def go(self, place: str) -> None:
        """Open another channel, thread or the direct messages, by its label."""
        await self._set("Place", place)

    async def later(self, how: str) -> None:
        """Advance time by a choice of the page."""
        await self._set("Time", how)

    async def places(self) -> list[str]:
        """Return the labels of the channels that can be opened."""
        return (await self.page.get_by_label("Place", exact=True).inner_text()).split("\n")

    async def _set(self, choice: str, label: str) -> None:
        await self.wait_until_idle()
        await self.page.get_by_label(choice, exact=True).select_option(label=label)
        await self.wait_until_idle()

    async def slash(self, command: str, **options: object) -> None:
        """Type and send a slash command (`"table open"` for a subcommand) with options by name."""
        await self.type_slash(command, **options)
        await self.send()

    async def send(self) -> None:
        """Send the typed command."""
        await self.page.keyboard.press("Escape")
        await self._perform(self.page.locator("#send-message").click)

    async def type_slash(self, command: str, **options: object) -> None:
        """Type a slash command and its options without sending."""
        await self.wait_until_idle()
        box = self.page.locator("#channel-composer-input")
        await box.click()
        await box.press_sequentially(f"/{command}")
        title = self.page.locator(".command-entry-title strong").get_by_text(f"/{command}", exact=True)
        await title.click()
        for name, value in options.items():
            await self._fill_option(name, str(value))

    async def _fill_option(self, name: str, value: str) -> None:
        """Fill one option, taking an exactly matching suggestion if offered."""
        field = self.page.locator(f"input.command-option-input[data-option={name}]")
        await self._show_option(name, field)
        await field.click()
        await field.press_sequentially(value)
        await self.wait_until_idle()
        offer = self.page.locator(".command-suggestion").filter(has=self.page.get_by_text(value, exact=True))
        if await offer.count():
            await offer.first.click()

    async def _show_option(self, name: str, field: Locator) -> None:
        """Add an option from the list of further options; retry, because redraws close the list."""
        from playwright.async_api import Error

        deadline = monotonic() + PAGE_TIMEOUT
        while not await field.count() and monotonic() < deadline:
            with suppress(Error):
                await self.page.locator(".command-ghost").click(timeout=RETRY_SECONDS * 1000)
                await (
                    self.page.locator(".command-suggestion")
                    .get_by_text(name, exact=True)
                    .click(timeout=RETRY_SECONDS * 1000)
                )

    async def click(self, label: str, *, within: str | None = None) -> None:
        """Click the lowest button with this label, in a message with the text `within` if given."""
        named = self.page.locator(".button-label").get_by_text(label, exact=True)
        await self._perform(self._messages(within).locator(".component-button").filter(has=named).last.click)

    async def choose(self, placeholder: str, *labels: str, within: str | None = None) -> None:
        """Open the lowest select with this placeholder, select exactly these options, and apply."""
        await self.wait_until_idle()
        select = (
            self._messages(within)
            .locator(".preview-select")
            .filter(has=self.page.locator(f".select-trigger[aria-label={placeholder!r}]"))
            .last
        )

        async def chosen() -> None:
            await select.locator(".select-trigger").click()
            for option in await select.locator(".select-option").all():
                wanted = (await option.locator(".option-label").inner_text()) in labels
                if wanted != (await option.get_attribute("aria-selected") == "true"):
                    await option.click()
            apply = select.get_by_role("button", name="Apply")
            if await apply.count():
                await apply.click()

        await self._perform(chosen)

    async def _perform(self, act: Callable[[], Awaitable[object]]) -> None:
        """Repeat an action until the page has sent it to the bot; wait until the page is idle."""
        from playwright.async_api import TimeoutError as NotInTime

        deadline, sent = monotonic() + PAGE_TIMEOUT, "(before) => window.done > before"
        while monotonic() < deadline:
            await self.wait_until_idle()
            before = await self.page.evaluate("() => window.done")
            await act()
            with suppress(NotInTime):
                await self.page.wait_for_function(sent, arg=before, timeout=RETRY_SECONDS * 1000, polling=IDLE_POLL_MS)
                return await self.wait_until_idle()
        raise AssertionError(f"the page sends nothing: {await self.notice()}")

    async def messages(self) -> list[PageMessage]:
        """Return all messages that the viewer sees, oldest first."""
        await self.wait_until_idle()
        return [PageMessage(**message) for message in await self.page.evaluate(READ_MESSAGES_JS)]

    async def public_texts(self) -> list[str]:
        return [message.text for message in await self.messages() if not message.ephemeral]

    async def ephemeral_texts(self) -> list[str]:
        return [message.text for message in await self.messages() if message.ephemeral]

    async def see(self, text: str) -> PageMessage:
        """Wait until a message contains the text; return the lowest one."""
        return await self._until(lambda message: text in message.text, f"{text!r} never appeared")

    async def see_button(self, label: str) -> PageMessage:
        """Wait until a message has a button with this label; return the lowest one."""
        return await self._until(lambda message: label in message.buttons, f"no button {label!r} appeared")

    async def _until(self, fits: Any, complaint: str) -> PageMessage:
        deadline = monotonic() + PAGE_TIMEOUT
        while monotonic() < deadline:
            found = [message for message in await self.messages() if fits(message)]
            if found:
                return found[-1]
            await asyncio.sleep(POLL_INTERVAL)
        raise AssertionError(f"{complaint}; seen: {[message.text for message in await self.messages()]}")

    async def notice(self) -> str:
        """Return the status line of the last action."""
        return await self.page.locator("#action-status").inner_text()

    async def status(self) -> dict[str, Any]:
        """Return the page's own state: revision, pending action, diagnostics, transport."""
        return dict(await self.page.evaluate("() => JSON.parse(JSON.stringify(window.simcordPreview ?? {}))"))

    async def resize(self, width: int, height: int) -> None:
        """Resize the window, and wait until the page has reported the size."""
        await self.page.set_viewport_size({"width": width, "height": height})
        await self.page.wait_for_function(HAS_WIDTH_JS, arg=width)
        await self.wait_until_idle()

    async def screenshot(self, path: Path | str) -> None:
        await self.wait_until_idle()
        await self.page.screenshot(path=str(path), animations="disabled")

    async def wait_until_idle(self) -> None:
        """Wait until the page has finished the last action and drawn everything."""
        from playwright.async_api import TimeoutError as NotInTime

        try:
            await self.page.wait_for_function(IS_IDLE_JS, timeout=PAGE_TIMEOUT * 1000, polling=IDLE_POLL_MS)
        except NotInTime:
            raise AssertionError(f"the page did not come to rest: {await self.notice()}") from None

    def _messages(self, within: str | None) -> Locator:
        messages = self.page.locator("article.channel-message")
        return messages if within is None else messages.filter(has_text=within)
