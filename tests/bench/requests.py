"""How many requests the bot sends to Discord for each play of a person: python -m tests.bench.requests

One person and house players on the other seats play whole hands in SimCord. The person plays by the buttons of an open
hand: one click has the cards chosen, one more plays them, or one passes or answers; whatever these clicks and the house
players bring about is counted, from the first card to the last.
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
from tests.reading import Shown
from tests.world import World, world

HANDS = 3
GOAL, OWN = 3.0, 2.0
MESSAGE = "message"
RULES = {"Big Two": "B2:std", "Big A": "BA:std", "Big A, live": "BA:evening", "Big A, one plan": "BA:quick"}


class Sent(NamedTuple):
    """What was sent in so many plays, passes and answers of a person."""

    requests: Counter[str]
    plays: int

    @property
    def each(self) -> float:
        """Requests for each play."""
        return self.requests.total() / self.plays

    @property
    def own(self) -> float:
        """Of these what the bot sends by itself: boards, and calls with their deletion."""
        return sum(times for name, times in self.requests.items() if name.endswith(MESSAGE)) / self.plays


async def count(here: World, rules: str, hands: int = HANDS) -> Sent:
    """Let Ann play whole hands among house players and return what was sent meanwhile."""
    table = await here.start_table(rules=rules, hands=hands)
    hand = _message(await here.ann.click(here.board(table), label="My hand"))
    await here.settle()
    requests, plays = here.env.backend.http_requests, 0
    before = len(requests)
    while table.stage in ("playing", "between"):
        await step(here, table, hand)
        plays += 1
    return Sent(Counter(f"{each.method} {kind(each.path)}" for each in requests[before:]), plays)


async def step(here: World, table: Table, hand: Message) -> None:
    """Let Ann do what is asked of her, by the buttons of her open hand."""
    if table.stage == "between":
        await press(here, hand, "Ready")
    elif table.match and table.match.game.secrecy.together:
        await press(here, hand, "Nothing")
    else:
        advised = await press(here, hand, "Hint")
        there = [label for label, (_, disabled) in Shown.of(advised).buttons.items() if not disabled]
        await press(here, advised, next((label for label in there if label.startswith("Play ")), "Pass"))


async def press(here: World, message: Message, label: str) -> Message:
    """Let Ann press a button and everything come of it; return her hand as it answers."""
    result = await here.ann.click(message, label=label)
    await here.settle()
    return _message(result)


def _message(shown: InteractionResult) -> Message:
    assert shown.response is not None
    return shown.response.message


def kind(path: str) -> str:
    """Return what is sent, without the numbers of what it is sent to."""
    return "answer" if "interactions" in path else "open hand" if "webhooks" in path else MESSAGE


async def main() -> None:
    """Print the requests of each way to play."""
    print(f"{'requests':20}{'plays':>8}{'each':>8}{'own':>8}  (the goals are {GOAL:.0f} and {OWN:.0f})")
    for name, rules in RULES.items():
        with tempfile.TemporaryDirectory() as folder:
            async with world(Path(folder)) as here:
                sent = await count(here, rules)
        kinds = ", ".join(f"{kind} {number}" for kind, number in sent.requests.most_common())
        print(f"{name:20}{sent.plays:8}{sent.each:8.2f}{sent.own:8.2f}  {kinds}")


if __name__ == "__main__":
    asyncio.run(main())
