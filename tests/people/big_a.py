"""Big A at a table of people: five lobbies, declined declarations, and one player's texts.

Chooses the seeds only; the tests decide what to check.
"""

from __future__ import annotations

from typing import Any

from simcord.results import InteractionResult

from bot.rules.core.asks import ChooseAsk
from bot.show.kit.layout import DOTS
from bot.table.table import Table
from tests.people.positions import act_in_notation
from tests.support.message_text import option_value, private_reply
from tests.support.world import World

# A seed of Big A: in the first window ann alone has an ace to show, clubs; in the second cleo has its twin, and dev
# another one.
CLUBS_SEED = "19"
# A seed: when all play weakly, ann has two fours in the first trick when eve puts three 6s before her
CAPTURE_SEED = "3"
NAMES = ("ann", "ben", "cleo", "dev", "eve")
OTHERS = NAMES[1:]
WINDOW_1 = "round 7 of 22"
WINDOW_2 = "round 14 of 22"
PLANS = ["Right away", "Only a pair", "Never show one", "Ask me each time"]
CHANGE_UNTIL = "You can change it until the game moves on"


async def start_draw(here: World, rules: str = "BA:std", seed: str = CLUBS_SEED, **options: Any) -> Table:
    """Start a match of Big A with five persons and this seed."""
    here.deal = seed
    here.arrive("eve")
    return await here.start_table(*OTHERS, rules=rules, **options)


async def queue_answers(here: World, name: str, table: Table, *codes: str) -> InteractionResult:
    """Queue answers in the menu of a player's hand."""
    behind = await here.press_on(name, await here.open_hand(name, table), DOTS)
    assert behind.response
    ((target, there),) = ((each, there) for each, there in private_reply(behind).selects.items() if ":order:" in each)
    chosen = [option_value(there, code) for code in codes]
    said = await here.people[name].select(behind.response.message, chosen, custom_id=target)
    await here.settle()
    return said


async def show_nothing(here: World, table: Table, *names: str) -> None:
    """Answer "show nothing" for these players without a click."""
    await act_in_notation(here, table, "choose nothing", *names)


def plain_text(shown: InteractionResult) -> str:
    """The text of a private reply without code marks around cards."""
    return private_reply(shown).text.replace("`", "")


def question_to(here: World, table: Table, name: str) -> ChooseAsk:
    """The question to a player."""
    view = table.scene(here.people[name].id).view
    assert view is not None
    assert isinstance(view.ask, ChooseAsk)
    return view.ask
