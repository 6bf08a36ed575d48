"""Makes the picture of the README: ``python -m tests.browser.picture``.

Starts a pinned match on the sandbox's page and puts the board beside the private hand of whoever is to play.
"""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.async_api import Browser, async_playwright

from bot.client import Bigger
from bot.sandbox import serve
from bot.settings import Settings
from tests.browser.conftest import QUIET, chromium
from tests.browser.page import SandboxPage
from tests.browser.player import board, on_move, open_table, private_hand

PICTURE = Path(__file__).parents[2] / "data" / "pictures" / "board.png"
SEED = "100"  # at her first turn Ann holds a full house against a flush
PICTURES_THERE = "() => document.querySelectorAll(\".custom-emoji[src^='blob:']\").length > 15"
FRAME = "article.channel-message[data-message-id='{id}'] .component-container"
BACKGROUND = "#313338"
MARGIN, GAP = 16, 16  # pixels
COLOURS = 128


async def _show_a_choice(tab: SandboxPage) -> None:
    """Choose good cards in the private hand, at Ann's first turn."""
    assert await on_move(tab)
    await tab.page.wait_for_function(PICTURES_THERE)
    await tab.click("Hint")
    await tab.click("⋯")
    await tab.click("Back to my cards")  # the choice stays, the hint goes
    hand = await private_hand(tab)
    if hand is None or "✓" not in hand.text or not (await board(tab)).pictures:
        raise SystemExit("In this match there is nothing to show. Choose another seed.")


async def _frames(tab: SandboxPage) -> list[Image.Image]:
    """Photograph the board and the private hand."""
    hand = await private_hand(tab)
    assert hand is not None
    await tab.page.mouse.move(0, 0)
    ids = ((await board(tab)).id, hand.id)
    shots = [await tab.page.locator(FRAME.format(id=message)).screenshot() for message in ids]
    return [Image.open(io.BytesIO(shot)).convert("RGB") for shot in shots]


def _side_by_side(frames: list[Image.Image]) -> Image.Image:
    width = sum(frame.width for frame in frames) + GAP * (len(frames) - 1) + 2 * MARGIN
    whole = Image.new("RGB", (width, max(frame.height for frame in frames) + 2 * MARGIN), BACKGROUND)
    left = MARGIN
    for frame in frames:
        whole.paste(frame, (left, MARGIN))
        left += frame.width + GAP
    return whole.quantize(COLOURS)


async def _photograph(browser: Browser, address: str) -> Image.Image:
    tab = await SandboxPage.open(browser, address, "Ann")
    await tab.page.set_viewport_size({"width": 1280, "height": 1400})
    await open_table(tab, hands=5)
    await _show_a_choice(tab)
    return _side_by_side(await _frames(tab))


async def main() -> None:
    """Make the picture."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    with TemporaryDirectory() as folder:
        settings = Settings(database=Path(folder) / "games.db", house_delay_seconds=0)
        serving = asyncio.create_task(
            serve(lambda now: Bigger(settings, now, lambda: SEED), port=0, announce=lines.put_nowait)
        )
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(
                executable_path=chromium(driver.chromium.executable_path), args=list(QUIET)
            )
            picture = await _photograph(browser, (await lines.get()).split()[-1])
            await browser.close()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    picture.save(PICTURE, optimize=True)


if __name__ == "__main__":
    asyncio.run(main())
