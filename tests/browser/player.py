"""Playing on the sandbox's page as a person does: by the labels and buttons on screen.

Knows the labels of the bot's buttons. Refuses to know the rules and the bot's memory.
"""

from __future__ import annotations

import asyncio
import re
from time import monotonic

from tests.browser.page import PATIENCE, POLL, SandboxPage, Shown

CARD = re.compile(r"bg1_([2-9tjqka][dchs])")
OPEN = re.compile(r"(The cut showed|must lead with) \S+")  # every player knows of these cards, a player who holds them
PICTURE = re.compile(r"<img [^>]*alt=\"(bg1_\w\w(?:_four)?)\"[^>]*>")
CLOCK = re.compile(r"\bin \d+ \w+\b")  # the time that is left goes on by itself
STUCK = "Pass (can't beat it)"
HINT = "Hint"
BOARD = frozenset({"⋯", "Rematch"})  # labels of which every board has one


async def open_table(host: SandboxPage, *guests: SandboxPage, hands: int = 1) -> None:
    """Open a table, let the guests join, fill it up with house players, start, and open every player's hand."""
    await host.slash("deal", hands=hands, pace="relaxed hints")  # nobody is late on a slow machine
    for guest in guests:
        await guest.see_button("Join")
        await guest.click("Join")
        await on_the_same_board(host, guest)  # the page takes no click on a message that has changed meanwhile
    await host.click("Play now" if len(guests) < 3 else "Start")
    for tab in (host, *guests):
        await tab.see_button("My hand")
        await tab.click("My hand")


async def private_hand(tab: SandboxPage) -> Shown | None:
    """The lowest private hand in which cards can be played, or None."""
    hands = [message for message in await tab.messages() if message.ephemeral and "⋯" in message.buttons]
    return hands[-1] if hands else None


async def board(tab: SandboxPage) -> Shown:
    """The lowest board of a running or finished match."""
    shown = [each for each in await tab.messages() if not each.ephemeral and BOARD.intersection(each.buttons)]
    return shown[-1]


async def on_move(*tabs: SandboxPage) -> SandboxPage | None:
    """Wait until one of these viewers may act, and return their tab; None once the match is over."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        for tab in tabs:
            hand = await private_hand(tab)
            if hand is not None and _may_act(hand):
                return tab
            if "Rematch" in (await board(tab)).buttons:
                return None
        await asyncio.sleep(POLL)
    raise AssertionError(f"nobody can act: {[(await board(tab)).text for tab in tabs]}")


def _may_act(hand: Shown) -> bool:
    """Tell whether the player is asked something: a hint is offered, or passing is the only choice."""
    return bool({HINT, STUCK} & set(hand.buttons) - set(hand.disabled))


async def take_the_hint(tab: SandboxPage) -> str:
    """Do what a house player would do, and return the button that was pressed."""
    for _ in range(2):  # the kind of play, then the cards
        if HINT in (await private_hand(tab) or await board(tab)).buttons:
            await tab.click(HINT)
    hand = await private_hand(tab)
    assert hand is not None
    if STUCK in hand.buttons:
        await tab.click(STUCK)
        return STUCK
    passing, hint = hand.buttons.index("Pass"), hand.buttons.index(HINT)
    play = hand.buttons[hint + 1]  # its label changes
    label = hand.buttons[passing] if play in hand.disabled else play
    await tab.click(label)
    return label


async def on_the_same_board(*tabs: SandboxPage) -> str:
    """Wait until all these viewers see the same board, and return what it says."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        seen = {CLOCK.sub("", (await board(tab)).text) for tab in tabs}
        if len(seen) == 1:
            return seen.pop()
        await asyncio.sleep(POLL)
    raise AssertionError(f"the viewers see different boards: {seen}")


async def held(tab: SandboxPage) -> frozenset[str]:
    """The cards in the private hand, by the names of their pictures; those come a moment after the bot."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        hand = await private_hand(tab)
        if cards := [card for label in (hand.buttons if hand else ()) for card in CARD.findall(label)]:
            return frozenset(cards)
        await asyncio.sleep(POLL)
    raise AssertionError(f"no hand of pictures: {await tab.ephemeral_texts()}")


async def anywhere(tab: SandboxPage) -> frozenset[str]:
    """Every card that the whole page holds in any form, apart from the one that was cut."""
    return frozenset(CARD.findall(OPEN.sub("", PICTURE.sub(r"\1", await tab.page.content()))))
