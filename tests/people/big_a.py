"""Big A at a table of people: five lobbies, declined declarations, and one player's texts.

Knows seeds that are worth a look. Refuses to know what is looked at.
"""

from __future__ import annotations

from typing import Any

from simcord.results import InteractionResult

from bot.rules.core.asks import ChooseAsk
from bot.show.kit.layout import DOTS
from bot.table.table import Table
from tests.people.positions import act_as_written
from tests.support.message_text import option_of, private
from tests.support.world import World

# A seed of Big A: in the first window ann alone has an ace to show, clubs; in the second cleo has its twin, and dev
# another one.
CLUBS = "19"
CAPTURE = "3"  # a seed: when all play weakly, ann has two fours in the first trick when eve puts three 6s before her
NAMES = ("ann", "ben", "cleo", "dev", "eve")
OTHERS = NAMES[1:]
FIRST = "round 7 of 22"
SECOND = "round 14 of 22"
PLANS = ["Right away", "Only a pair", "Never show one", "Ask me each time"]
CLOSING = "You can change it until the game moves on"


async def five(here: World, rules: str = "BA:std", seed: str = CLUBS, **options: Any) -> Table:
    """Let five people begin Big A under this seed."""
    here.deal = seed
    here.arrive("eve")
    return await here.start_table(*OTHERS, rules=rules, **options)


async def say_beforehand(here: World, name: str, table: Table, *codes: str) -> InteractionResult:
    """Let a player queue a premove behind the dots of their hand."""
    behind = await here.press_on(name, await here.open_hand(name, table), DOTS)
    assert behind.response
    ((target, there),) = ((each, there) for each, there in private(behind).selects.items() if ":order:" in each)
    chosen = [option_of(there, code) for code in codes]
    said = await here.people[name].select(behind.response.message, chosen, custom_id=target)
    await here.settle()
    return said


async def nothing(here: World, table: Table, *names: str) -> None:
    """Let people answer without a click that they show nothing."""
    await act_as_written(here, table, "choose nothing", *names)


def plain(shown: InteractionResult) -> str:
    """What an answer says, without the marks around cards."""
    return private(shown).text.replace("`", "")


def ask_of(here: World, table: Table, name: str) -> ChooseAsk:
    """What a player is asked."""
    view = table.scene(here.people[name].id).view
    assert view is not None
    assert isinstance(view.ask, ChooseAsk)
    return view.ask
