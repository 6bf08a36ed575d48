"""How many requests the bot sends to Discord per play of a person: python -m tests.bench.requests

One person with house players, or four people, play whole hands in SimCord by the buttons of their open hands: one click
selects the hinted cards, another plays them; or one click passes or answers. All requests from the first card to the
last are counted, including those for house players and passing time; pictures are given in uploaded KiB per hand.
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
GOAL, OWN_GOAL = 3.0, 2.0
MESSAGE = "message"
RULES = {"Big Two": "B2:std", "Big A": "BA:std", "Big A, live": "BA:evening", "Big A, one plan": "BA:quick"}
OTHER_PLAYERS = ("ben", "cleo", "dev")
PLAY_SECONDS = (3, 20)  # that four people take per play: shorter and longer than the delay of a ping


class SentRequests(NamedTuple):
    """Requests sent during these plays, passes and answers. pictures: bytes."""

    requests: Counter[str]
    plays: int
    pictures: int

    @property
    def per_play(self) -> float:
        """Requests per play."""
        return self.requests.total() / self.plays

    @property
    def own_per_play(self) -> float:
        """Requests per play that no click asked for: boards, and pings with their deletion."""
        return sum(times for name, times in self.requests.items() if name.endswith(MESSAGE)) / self.plays


async def count_requests(
    here: World, rules: str, *others: str, hands: int = HANDS, play_seconds: int = 0
) -> SentRequests:
    """Let Ann play hands with others and house players; count requests. play_seconds: before each play."""
    table = await here.start_table(*others, rules=rules, hands=hands, pace="live hints")
    open_hands = {name: await here.open_hand(name, table) for name in ("ann", *others)}
    requests, plays = here.env.backend.http_requests, 0
    before = len(requests)
    while table.stage in ("playing", "between"):
        if play_seconds:
            await here.advance(seconds=play_seconds)
        for name in [here.current_player(table) or "ann"] if table.stage == "playing" else open_hands:
            await act(here, table, name, open_hands[name])
            plays += 1
    pictures = sum(map(len, here.env.backend.cdn._blobs.values()))
    return SentRequests(Counter(f"{each.method} {kind(each.path)}" for each in requests[before:]), plays, pictures)


async def act(here: World, table: Table, name: str, opened: InteractionResult) -> None:
    """Let a player act by the buttons of the open hand."""
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
    """Press a button and settle; return the updated hand."""
    result = await here.people[name].click(message, custom_id=custom_id(message, label))
    await here.settle()
    return _message(result)


def _message(shown: InteractionResult) -> Message:
    assert shown.response is not None
    return shown.response.message


def kind(path: str) -> str:
    """Return the kind of a request by its path: answer, open hand or message."""
    return "answer" if "interactions" in path else "open hand" if "webhooks" in path else MESSAGE


async def print_requests(title: str, rules: str, *others: str, play_seconds: int = 0) -> None:
    """Measure and print one way to play."""
    with tempfile.TemporaryDirectory() as folder:
        async with world(Path(folder), pictures=True) as here:
            sent = await count_requests(here, rules, *others, play_seconds=play_seconds)
    kinds = ", ".join(f"{kind} {number}" for kind, number in sent.requests.most_common())
    uploaded = sent.pictures / HANDS / 1024
    print(f"{title:20}{sent.plays:8}{sent.per_play:8.2f}{sent.own_per_play:8.2f}{uploaded:8.0f}  {kinds}")


async def main() -> None:
    """Measure and print all ways to play."""
    print(f"{'requests':20}{'plays':>8}{'each':>8}{'own':>8}{'KiB':>8}  (goals: {GOAL:.0f} and {OWN_GOAL:.0f})")
    for title, rules in RULES.items():
        await print_requests(title, rules)
    for play_seconds in PLAY_SECONDS:
        await print_requests(
            f"four, {play_seconds} s a play", RULES["Big Two"], *OTHER_PLAYERS, play_seconds=play_seconds
        )


if __name__ == "__main__":
    asyncio.run(main())
