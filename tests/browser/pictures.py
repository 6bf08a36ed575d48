"""Makes the pictures of the README from the real bot: `make pictures`.

Plays on the sandbox's page at the width of a phone and photographs messages. Names the pictures and decides when each
is taken.
"""

from __future__ import annotations

import asyncio
import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PIL import Image

from bot.client import Bigger
from bot.launch import Launch
from bot.sandbox import serve
from bot.settings import Settings
from tests.browser.opening import NoBrowser, browsing, served
from tests.browser.page import PageMessage, SandboxPage
from tests.browser.player import board, play_hint, private_hand, wait_for_same_board, wait_for_turn
from tests.moments.opening import open_at, parse_request

if TYPE_CHECKING:
    from playwright.async_api import Browser

PICTURES = Path(__file__).parents[2] / "data" / "pictures"
NAMES = {"lobby", "board", "hand", "end"}
SEED = "191"  # Ann can beat five cards at her first turn
WIDTH, HEIGHT = 390, 1400  # pixels; high enough for every message
DEVICE_PIXEL_RATIO = 2  # picture pixels per page pixel
COLOR_COUNT = 64
PICTURES_DRAWN_JS = "() => [...document.querySelectorAll('.component-container img')].every((it) => it.naturalWidth)"
FRAME = "article.channel-message[data-message-id='{id}'] .component-container"


async def photograph(tab: SandboxPage, message: PageMessage) -> Image.Image:
    """Photograph a message."""
    await tab.page.mouse.move(0, 0)
    await tab.page.wait_for_function(PICTURES_DRAWN_JS)
    snapshot = await tab.page.locator(FRAME.format(id=message.id)).screenshot(animations="disabled")
    return Image.open(io.BytesIO(snapshot)).convert("RGB").quantize(COLOR_COUNT)


async def open_phone(browser: Browser, address: str, viewer: str) -> SandboxPage:
    """Open the page at the size of a phone."""
    tab = await SandboxPage.open(browser, address, viewer, device_scale_factor=DEVICE_PIXEL_RATIO)
    await tab.resize(WIDTH, HEIGHT)
    return tab


async def photograph_match(browser: Browser, address: str) -> dict[str, Image.Image]:
    """Seat Ann and Ben, start and play until Ann's turn; photograph lobby and board."""
    ann, ben = [await open_phone(browser, address, name) for name in ("Ann", "Ben")]
    await ann.slash("deal", hands=5, pace="live hints")
    await ben.see_button("Join")
    await ben.click("Join")
    await wait_for_same_board(ann, ben)
    lobby = await photograph(ann, await board(ann))
    await ann.click("Play now")
    await ben.see_button("My hand")
    await ben.click("My hand")
    while await wait_for_turn(ann, ben) is ben:
        await play_hint(ben)
    return {"lobby": lobby, "board": await photograph(ann, await board(ann)), "hand": await _photograph_hand(ann)}


async def _photograph_hand(tab: SandboxPage) -> Image.Image:
    """Photograph the private hand with good cards selected."""
    for _ in range(2):
        await tab.click("Hint")  # first the kind of play, then the cards
    await tab.click("⋯")
    await tab.click("Back to my cards")  # removes the hint, keeps the selection
    hand = await private_hand(tab)
    assert hand is not None
    return await photograph(tab, hand)


async def make_pictures(browser: Browser, folder: Path, *, hands: int = 5) -> dict[str, Image.Image]:
    """Make all pictures; return them by name. folder: for the databases; hands: of the finished match."""
    settings = Settings(database=folder / "live.db", house_delay_seconds=0)
    async with served(
        lambda say: serve(
            lambda now: Bigger(Launch(settings=settings, now=now, seed=lambda: SEED)), port=0, announce=say
        )
    ) as live:
        pictures = await photograph_match(browser, live)
    wanted = parse_request("b2", "end-of-match", hands=hands, people=2)
    async with served(lambda say: open_at(wanted, 0, folder / "end.db", say)) as over:
        tab = await open_phone(browser, over, "Ann")
        return pictures | {"end": await photograph(tab, await board(tab))}


async def main() -> None:
    """Make the pictures and save them where the README refers to them."""
    with TemporaryDirectory() as folder:
        async with browsing() as browser:
            pictures = await make_pictures(browser, Path(folder))
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        picture.save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except NoBrowser as error:
        sys.exit(str(error))
