"""Plays on the sandbox's page by the labels and buttons on screen, without rules or the bot's memory."""

from __future__ import annotations

import asyncio
import re
from time import monotonic

from tests.browser.page import PAGE_TIMEOUT, POLL_INTERVAL, PageMessage, SandboxPage

CARD_PATTERN = re.compile(r"bg1_([2-9tjqka][dchs])")
PUBLIC_CARD_PATTERN = re.compile(r"(The cut showed|must lead with) \S+")  # cards known to all players
PICTURE_PATTERN = re.compile(r"<img [^>]*alt=\"(bg1_\w\w(?:_four)?)\"[^>]*>")
TIME_LEFT_PATTERN = re.compile(r"\bin \d+ \w+\b")  # remaining time, which changes by itself
PASS_ONLY_LABEL = "Pass (can't beat it)"
HINT_LABEL = "Hint"
BOARD_LABELS = frozenset({"⋯", "Rematch"})  # every board has one of these


async def open_table(host: SandboxPage, *guests: SandboxPage, hands: int = 1) -> None:
    """Open a table, let the guests join, fill it with house players, start, and open all hands."""
    await host.slash("deal", hands=hands, pace="relaxed hints")  # no timeouts on a slow machine
    for guest in guests:
        await guest.see_button("Join")
        await guest.click("Join")
        await wait_for_same_board(host, guest)  # the page refuses clicks on a changed message
    await host.click("Play now" if len(guests) < 3 else "Start")
    for tab in (host, *guests):
        await tab.see_button("My hand")
        await tab.click("My hand")


async def private_hand(tab: SandboxPage) -> PageMessage | None:
    """Return the lowest private hand in which cards can be played, or None."""
    hands = [message for message in await tab.messages() if message.ephemeral and "⋯" in message.buttons]
    return hands[-1] if hands else None


async def board(tab: SandboxPage) -> PageMessage:
    """Return the lowest board of a running or finished match."""
    shown = [each for each in await tab.messages() if not each.ephemeral and BOARD_LABELS.intersection(each.buttons)]
    return shown[-1]


async def wait_for_turn(*tabs: SandboxPage) -> SandboxPage | None:
    """Wait until one of these viewers may act, and return the tab; None once the match is over."""
    deadline = monotonic() + PAGE_TIMEOUT
    while monotonic() < deadline:
        for tab in tabs:
            hand = await private_hand(tab)
            if hand is not None and _may_act(hand):
                return tab
            if "Rematch" in (await board(tab)).buttons:
                return None
        await asyncio.sleep(POLL_INTERVAL)
    raise AssertionError(f"nobody can act: {[(await board(tab)).text for tab in tabs]}")


def _may_act(hand: PageMessage) -> bool:
    """Whether the player is asked: a hint is offered, or passing is the only choice."""
    return bool({HINT_LABEL, PASS_ONLY_LABEL} & set(hand.buttons) - set(hand.disabled))


async def play_hint(tab: SandboxPage) -> str:
    """Play or pass as the hint says; return the label of the pressed button."""
    for _ in range(2):  # first the kind of play, then the cards
        if HINT_LABEL in (await private_hand(tab) or await board(tab)).buttons:
            await tab.click(HINT_LABEL)
    hand = await private_hand(tab)
    assert hand is not None
    if PASS_ONLY_LABEL in hand.buttons:
        await tab.click(PASS_ONLY_LABEL)
        return PASS_ONLY_LABEL
    pass_index, hint = hand.buttons.index("Pass"), hand.buttons.index(HINT_LABEL)
    play = hand.buttons[hint + 1]  # its label changes
    label = hand.buttons[pass_index] if play in hand.disabled else play
    await tab.click(label)
    return label


async def wait_for_same_board(*tabs: SandboxPage) -> str:
    """Wait until all these viewers see the same board; return its text."""
    deadline = monotonic() + PAGE_TIMEOUT
    while monotonic() < deadline:
        seen = {TIME_LEFT_PATTERN.sub("", (await board(tab)).text) for tab in tabs}
        if len(seen) == 1:
            return seen.pop()
        await asyncio.sleep(POLL_INTERVAL)
    raise AssertionError(f"the viewers see different boards: {seen}")


async def cards_in_hand(tab: SandboxPage) -> frozenset[str]:
    """Return the cards in the private hand, by the names of their pictures, once these are drawn."""
    deadline = monotonic() + PAGE_TIMEOUT
    while monotonic() < deadline:
        hand = await private_hand(tab)
        if cards := [card for label in (hand.buttons if hand else ()) for card in CARD_PATTERN.findall(label)]:
            return frozenset(cards)
        await asyncio.sleep(POLL_INTERVAL)
    raise AssertionError(f"no hand of pictures: {await tab.ephemeral_texts()}")


async def cards_on_page(tab: SandboxPage) -> frozenset[str]:
    """Return all cards in the whole page in any form, except for the publicly cut one."""
    return frozenset(
        CARD_PATTERN.findall(PUBLIC_CARD_PATTERN.sub("", PICTURE_PATTERN.sub(r"\1", await tab.page.content())))
    )
