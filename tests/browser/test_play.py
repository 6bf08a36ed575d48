"""The real bot on the sandbox's page: a newcomer, two players, a restart, a kill, a narrow phone."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from tests.browser.conftest import At, Open, Real
from tests.browser.page import SandboxPage
from tests.browser.player import (
    board,
    cards_in_hand,
    cards_on_page,
    open_table,
    play_hint,
    wait_for_same_board,
    wait_for_turn,
)

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]
COUNT_PATTERN = re.compile(r"(\w+).* · (\d+) cards?")
START_TIMEOUT = 120.0

CLIPPED_ELEMENTS_JS = """
() => {
  const wide = [...document.querySelectorAll("body, main, article.channel-message")]
    .flatMap((one) => [one, one.parentElement])
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.className || one.nodeName} scrolls sideways`);
  const reached = (control) => {
    control.scrollIntoView({ block: "center" });
    const box = control.getBoundingClientRect();
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.left >= 0 && box.right <= innerWidth && control.contains(there);
  };
  const hidden = [...document.querySelectorAll(".component-button:not([disabled]), .select-trigger")]
    .filter((control) => !reached(control))
    .map((control) => `${control.textContent} cannot be reached`);
  return [...wide, ...hidden];
}
"""


async def test_a_player_continues_a_match_after_the_sandbox_was_restarted(real: Real, look: Open) -> None:
    async with real() as address:
        ann = await look(address)
        await open_table(ann)
        assert await wait_for_turn(ann)
        dealt = await cards_in_hand(ann)
        while (await play_hint(ann)).startswith("Pass"):
            assert await wait_for_turn(ann)
        assert await wait_for_turn(ann)
        left, counts = await cards_in_hand(ann), await card_counts(ann)
        assert left < dealt
        await ann.close()
    async with real() as address:
        ann = await look(address)
        await ann.see_button("My hand")
        await ann.click("My hand")
        assert await wait_for_turn(ann)
        assert await card_counts(ann) == counts
        assert await cards_in_hand(ann) == left


async def card_counts(tab: SandboxPage) -> list[tuple[str, str]]:
    """Return name and number of cards of each player, as on the board."""
    return COUNT_PATTERN.findall((await board(tab)).alt_texts)


async def test_the_last_card_ends_the_match(at: At, look: Open) -> None:
    ann = await look(await at("b2", "last-play", hands=1))
    assert not (await play_hint(ann)).startswith("Pass")
    assert await wait_for_turn(ann) is None
    end = await board(ann)
    assert re.match(r"\w+ (wins|share) the match", end.alt_texts)
    assert "Hand 1/1" in end.text
    assert end.buttons == ["Rematch", "Replay", "⋯"]
    await ann.slash("matches list")
    await ann.choose("Replay a match", "Big Two, table 1")
    assert "The cards are dealt." in (await ann.ephemeral_texts())[-1]


async def test_two_players_see_each_others_plays_but_not_each_others_cards(at: At, look: Open) -> None:
    address = await at("b2", "first-play", people=2)
    ann, ben = await look(address, "Ann"), await look(address, "Ben")
    acted = set[str]()
    while len(acted) < 2:
        mover = await wait_for_turn(ann, ben)
        assert mover, "the match is not over before both have played"
        said = await wait_for_same_board(ann, ben)
        name = "Ann" if mover is ann else "Ben"
        assert said.startswith(name)
        assert await cards_in_hand(ann) <= await cards_on_page(ann)
        assert not await cards_on_page(ann) & await cards_in_hand(ben)
        assert not await cards_on_page(ben) & await cards_in_hand(ann)
        await play_hint(mover)
        acted.add(name)
    await wait_for_same_board(ann, ben)


async def test_no_control_is_clipped_on_a_phone_and_cards_in_headings_are_larger(at: At, look: Open) -> None:
    ann = await look(await at("b2", "follow"))
    await ann.resize(360, 844)
    high = "(what) => Math.max(...[...document.querySelectorAll(what)].map((it) => it.offsetHeight))"
    assert await ann.page.evaluate(high, ".sandbox-line") <= 22
    assert await ann.page.evaluate(high, ".text-display :is(h1, h2, h3) .custom-emoji") > 24
    await ann.click("⋯")  # shows the previous trick in one line
    assert await ann.page.evaluate(high, ".text-display p .custom-emoji") == 20
    await ann.click("Back to my cards")
    await ann.resize(390, 844)
    for behind in ("Hint", "⋯", "Settings"):
        await ann.click(behind)
        assert await ann.page.evaluate(CLIPPED_ELEMENTS_JS) == []


@dataclass
class Serving:
    """The bot in a process of its own, and the address of its page."""

    process: Process
    address: str


Launch = Callable[..., Awaitable[Serving]]


@pytest_asyncio.fixture(loop_scope="session")
async def launch(tmp_path: Path) -> AsyncIterator[Launch]:
    """A function that starts `python -m bot`, or another module, in the sandbox, each time on the same database."""
    processes: list[Process] = []
    settings = {
        "DISCORD_TOKEN": "",
        "BIGGER_SANDBOX_PORT": "0",
        "BIGGER_DATABASE": str(tmp_path / "games.db"),
        "BIGGER_HOUSE_DELAY_SECONDS": "0",
    }

    async def start(*words: str) -> Serving:
        with (tmp_path / "log").open("a") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", *(words or ("bot",)), cwd=ROOT, env=os.environ | settings, stdout=PIPE, stderr=log
            )
        processes.append(process)
        assert process.stdout is not None
        first = await asyncio.wait_for(process.stdout.readline(), START_TIMEOUT)
        assert first, (tmp_path / "log").read_text()
        return Serving(process, first.decode().split()[-1])

    yield start
    for process in processes:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.soak
async def test_a_match_continues_after_the_bot_was_killed(launch: Launch, look: Open, tmp_path: Path) -> None:
    serving = await launch("tests.moments", "b2", "follow", "--port", "0", "--database", str(tmp_path / "games.db"))
    ann = await look(serving.address)
    await play_hint(ann)
    assert await wait_for_turn(ann)
    before, counts = await cards_in_hand(ann), await card_counts(ann)
    serving.process.kill()
    await serving.process.wait()
    ann = await look((await launch()).address)
    await ann.see_button("My hand")
    await ann.click("My hand")
    assert await wait_for_turn(ann)
    assert await card_counts(ann) == counts
    assert await cards_in_hand(ann) == before
    while await wait_for_turn(ann) and await cards_in_hand(ann) == before:
        await play_hint(ann)
