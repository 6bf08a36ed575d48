"""Makes the pictures of the README from the real bot: `make pictures`.

Plays on the sandbox's page at the width of a phone and photographs messages there. Names the pictures and says when
each is taken; knows no game.
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
from tests.browser.page import SandboxPage, Shown
from tests.browser.player import board, on_move, on_the_same_board, private_hand, take_the_hint
from tests.moments.opening import open_at, read

if TYPE_CHECKING:
    from playwright.async_api import Browser

PICTURES = Path(__file__).parents[2] / "data" / "pictures"
NAMES = {"lobby", "board", "hand", "end"}
SEED = "191"  # at her first turn Ann can beat five cards
WIDTH, HEIGHT = 390, 1400  # pixels; higher than any phone, so that no message is cut
SHARPNESS = 2  # pixels of a picture for one of the page
COLOURS = 64
DRAWN = "() => [...document.querySelectorAll('.component-container img')].every((it) => it.naturalWidth)"
FRAME = "article.channel-message[data-message-id='{id}'] .component-container"


async def photograph(tab: SandboxPage, message: Shown) -> Image.Image:
    """Photograph a message."""
    await tab.page.mouse.move(0, 0)
    await tab.page.wait_for_function(DRAWN)
    snapshot = await tab.page.locator(FRAME.format(id=message.id)).screenshot(animations="disabled")
    return Image.open(io.BytesIO(snapshot)).convert("RGB").quantize(COLOURS)


async def phone(browser: Browser, address: str, viewer: str) -> SandboxPage:
    """Open the page as it is on a phone."""
    tab = await SandboxPage.open(browser, address, viewer, device_scale_factor=SHARPNESS)
    await tab.resize(WIDTH, HEIGHT)
    return tab


async def played(browser: Browser, address: str) -> dict[str, Image.Image]:
    """Let Ann and Ben sit down, begin and play until Ann is to move; photograph what there is to see."""
    ann, ben = [await phone(browser, address, name) for name in ("Ann", "Ben")]
    await ann.slash("deal", hands=5, pace="live hints")
    await ben.see_button("Join")
    await ben.click("Join")
    await on_the_same_board(ann, ben)
    lobby = await photograph(ann, await board(ann))
    await ann.click("Play now")
    await ben.see_button("My hand")
    await ben.click("My hand")
    while await on_move(ann, ben) is ben:
        await take_the_hint(ben)
    return {"lobby": lobby, "board": await photograph(ann, await board(ann)), "hand": await _picked(ann)}


async def _picked(tab: SandboxPage) -> Image.Image:
    """Photograph the private hand with good cards picked."""
    for _ in range(2):
        await tab.click("Hint")  # the kind of play, then the cards
    await tab.click("⋯")
    await tab.click("Back to my cards")  # what is picked stays, the hint goes
    hand = await private_hand(tab)
    assert hand is not None
    return await photograph(tab, hand)


async def made(browser: Browser, folder: Path, *, hands: int = 5) -> dict[str, Image.Image]:
    """Make all pictures: by their names. folder: for the databases; hands: of the match whose end is shown."""
    settings = Settings(database=folder / "live.db", house_delay_seconds=0)
    async with served(
        lambda say: serve(
            lambda now: Bigger(Launch(settings=settings, now=now, seed=lambda: SEED)), port=0, announce=say
        )
    ) as live:
        pictures = await played(browser, live)
    wanted = read("b2", "end-of-match", hands=hands, people=2)
    async with served(lambda say: open_at(wanted, 0, folder / "end.db", say)) as over:
        tab = await phone(browser, over, "Ann")
        return pictures | {"end": await photograph(tab, await board(tab))}


async def main() -> None:
    """Make the pictures and put them where the README looks for them."""
    with TemporaryDirectory() as folder:
        async with browsing() as browser:
            pictures = await made(browser, Path(folder))
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        picture.save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except NoBrowser as error:
        sys.exit(str(error))
