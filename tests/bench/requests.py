"""How many requests the bot sends to Discord for each play of a person: python -m tests.bench.requests

One person among house players, or four people, play whole hands in SimCord. People play by the buttons of their open
hands: one click has the cards chosen, one more plays them, or one passes or answers; whatever comes of these clicks, of
the time that is taken and of the house players is counted, from the first card to the last; and of the pictures how
many KiB are uploaded in a hand.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from discord import Message
from simcord.results import InteractionResult

from bot.table.table import Table
from tests.support.message_text import ParsedMessage, custom_id
from tests.support.world import World, world

HANDS = 3
GOAL, OWN = 3.0, 2.0
MESSAGE = "message"
RULES = {"Big Two": "B2:std", "Big A": "BA:std", "Big A, live": "BA:evening", "Big A, one plan": "BA:quick"}
FRIENDS = ("ben", "cleo", "dev")
TAKEN = (3, 20)  # seconds four people take for a play: before they would be called, and after


class Sent(NamedTuple):
    """What was sent in so many plays, passes and answers of a person. pictures: their bytes."""

    requests: Counter[str]
    plays: int
    pictures: int

    @property
    def each(self) -> float:
        """Requests for each play."""
        return self.requests.total() / self.plays

    @property
    def own(self) -> float:
        """Of these what the bot sends by itself: boards, and calls with their deletion."""
        return sum(times for name, times in self.requests.items() if name.endswith(MESSAGE)) / self.plays


async def count(here: World, rules: str, *others: str, hands: int = HANDS, taken: int = 0) -> Sent:
    """Let Ann play whole hands with others and house players; return what was sent. taken: seconds before each play."""
    table = await here.start_table(*others, rules=rules, hands=hands, pace="live hints")
    open_hands = {name: await here.open_hand(name, table) for name in ("ann", *others)}
    requests, plays = here.env.backend.http_requests, 0
    before = len(requests)
    while table.stage in ("playing", "between"):
        if taken:
            await here.advance(seconds=taken)
        for name in [here.current_player(table) or "ann"] if table.stage == "playing" else open_hands:
            await step(here, table, name, open_hands[name])
            plays += 1
    pictures = sum(map(len, here.env.backend.cdn._blobs.values()))
    return Sent(Counter(f"{each.method} {kind(each.path)}" for each in requests[before:]), plays, pictures)


async def step(here: World, table: Table, name: str, opened: InteractionResult) -> None:
    """Let a player act by the buttons of their open hand."""
    hand = _message(opened)
    if table.stage == "between":
        await press(here, name, hand, "Ready")
    elif table.match and table.match.game.secrecy.together:
        for label in {"Ask me each time", "Don't show"} & ParsedMessage.of(hand).buttons.keys():
            await press(here, name, hand, label)
    else:
        advised = hand
        for label in ("Hint", "Hint"):
            if label in ParsedMessage.of(advised).buttons:
                advised = await press(here, name, advised, label)
        there = [label for label, (_, disabled) in ParsedMessage.of(advised).buttons.items() if not disabled]
        play = next((label for label in there if ":play:" in ParsedMessage.of(advised).buttons[label][0]), None)
        await press(here, name, advised, play or next(label for label in there if label.startswith("Pass")))


async def press(here: World, name: str, message: Message, label: str) -> Message:
    """Let a player press a button and everything come of it; return their hand as it answers."""
    result = await here.people[name].click(message, custom_id=custom_id(message, label))
    await here.settle()
    return _message(result)


def _message(shown: InteractionResult) -> Message:
    assert shown.response is not None
    return shown.response.message


def kind(path: str) -> str:
    """Return the kind of request, without the ids in its path."""
    return "answer" if "interactions" in path else "open hand" if "webhooks" in path else MESSAGE


async def measure(title: str, rules: str, *others: str, taken: int = 0) -> None:
    """Print the requests of one way to play."""
    with tempfile.TemporaryDirectory() as folder:
        async with world(Path(folder), pictures=True) as here:
            sent = await count(here, rules, *others, taken=taken)
    kinds = ", ".join(f"{kind} {number}" for kind, number in sent.requests.most_common())
    uploaded = sent.pictures / HANDS / 1024
    print(f"{title:20}{sent.plays:8}{sent.each:8.2f}{sent.own:8.2f}{uploaded:8.0f}  {kinds}")


async def main() -> None:
    """Print the requests of each way to play."""
    print(f"{'requests':20}{'plays':>8}{'each':>8}{'own':>8}{'KiB':>8}  (goals: {GOAL:.0f} and {OWN:.0f})")
    for title, rules in RULES.items():
        await measure(title, rules)
    for taken in TAKEN:
        await measure(f"four, {taken} s a play", RULES["Big Two"], *FRIENDS, taken=taken)


if __name__ == "__main__":
    asyncio.run(main())
