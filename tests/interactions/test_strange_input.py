"""Whatever arrives where people type, in each option of each command and each field of each form, gets a sentence.

Goes through every registered command and form, so that later ones are tried too.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any, NamedTuple

import discord
import pytest
from simcord.actors import _dispatch_actor_interaction
from simcord.results import InteractionResult

from bot.interactions.commands import commands_payload
from bot.interactions.dispatcher import BROKEN
from bot.interactions.flood_limits import RateLimitedTree
from bot.interactions.gateway import readable
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.lobby.cut import CUTTING
from bot.show.people import working_hours
from bot.table.table import Table
from tests.interactions.clicks import send_click, send_form
from tests.interactions.test_every_handler import FILLED, Door, browsed
from tests.support.message_text import ParsedMessage
from tests.support.world import SHORT_HANDS, World

COMMAND, COMPLETION = 2, 4  # kinds of interactions
STRING, INTEGER, BOOLEAN = 3, 4, 5  # kinds of options
NUMBER = "9" * 5000
STRANGE = (
    NUMBER,
    f"-{NUMBER}",
    "\ud800",
    "ab\udfff",
    "🃏🀄",
    "\u202e\u200f\u2067abc",
    "\n\n",
    "a\x00b",
    " ",
    "@everyone",
    "%s {typed} {0} \\",
    "２０２６",
    "½",
    "٣",
    "x" * 6000,
    "3d" * 3000,
    "1." * 3000,
    "B2:" + "hk+" * 1500,
    "＋" * 50,
)
PARTS = 3  # of what is typed, in each of which all of it is typed somewhere
NUMBERS = (0, -1, 2**31, 2**53 - 1, -(2**53) + 1)
PLAIN = {"move": "3d", "first": "3d", "second": "4d", "name": "ours", "rules": "B2:hk", "to": "yours", "player": "ben"}
DEAL = "kept behind the door 4"  # Ann leads


class Leaf(NamedTuple):
    """A command without others below it. path: the names from the top. options: as Discord is told of them."""

    path: tuple[str, ...]
    options: tuple[dict[str, Any], ...]


def leaves(node: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Yield the commands below one, or it itself."""
    options = node.get("options", ())
    below = [option for option in options if option["type"] in (1, 2)]
    for option in below:
        yield from leaves(option, (*path, node["name"]))
    if not below and node.get("type", 1) == 1:
        yield Leaf((*path, node["name"]), tuple(options))


async def arrive(here: World, leaf: Leaf, kind: int, options: list[dict[str, Any]]) -> InteractionResult:
    """Deliver a command or an autocompletion with arbitrary options."""
    root, *below = leaf.path
    for name in reversed(below[1:]):
        options = [{"type": 1, "name": name, "options": options}]
    if below:
        options = [{"type": 2 if below[1:] else 1, "name": below[0], "options": options}]
    data = {"id": "1", "name": root, "type": 1, "options": options}
    result = await _dispatch_actor_interaction(here.ann, kind, here.channel, data)
    await here.settle()
    return result


def filled(option: dict[str, Any], value: object, **more: object) -> dict[str, Any]:
    return {"type": option["type"], "name": option["name"], "value": value, **more}


def required(leaf: Leaf, but: str) -> list[dict[str, Any]]:
    """Return a command's other required arguments, as users fill them."""
    others = (option for option in leaf.options if option.get("required") and option["name"] != but)
    return [filled(option, PLAIN.get(option["name"], 1)) for option in others]


def values(option: dict[str, Any], texts: Sequence[str]) -> Sequence[object]:
    return {STRING: texts, INTEGER: NUMBERS, BOOLEAN: (True,)}.get(option["type"], ())


def share(part: int) -> Iterator[Sequence[str]]:
    """Yield the typed values of one place after another in this part of the trials."""
    return cycle(STRANGE[(part + at) % PARTS :: PARTS] for at in range(PARTS))


async def everything(here: World) -> list[Leaf]:
    """Return all commands, served to one person however fast they come."""
    assert isinstance(here.bot.tree, RateLimitedTree)
    here.bot.tree._often._most = here.bot.tree._typed._most = 10**9
    return [leaf for node in await commands_payload(here.bot.tree) for leaf in leaves(node)]


class Failures:
    """What got no answer, one that tells of an error, or a traceback."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog
        self.tried, self.seen = 0, list[tuple[Any, ...]]()

    def note(self, result: InteractionResult, *what: object) -> None:
        """Check the reply to an input. what: the input and its field."""
        answers = [*([result.response] if result.response else []), *result.followups]
        said = "\n".join(ParsedMessage.of(answer.message).text for answer in answers)
        logged = [each for each in self._caplog.records if each.exc_info or each.levelno >= logging.ERROR]
        broken = any("\ud800" <= letter <= "\udfff" for letter in said)  # nothing that Discord takes
        if logged or BROKEN in said or broken or not result.acknowledged:
            causes = [str(each.exc_info[1])[:60] if each.exc_info else each.getMessage()[:60] for each in logged]
            self.seen.append((*(str(part)[:20] for part in what), causes))
        self.tried += 1
        self._caplog.clear()


@pytest.fixture
def failures(caplog: pytest.LogCaptureFixture) -> Iterator[Failures]:
    """Give the failures, of which there may be none in the end."""
    found = Failures(caplog)
    yield found
    assert found.seen == [], "\n".join(sorted({str((*one[:2], one[-1])) for one in found.seen}))[:9000]


@pytest.mark.rotates(PARTS)
@pytest.mark.parametrize("part", range(PARTS))
async def test_every_option_of_every_command_answers_strange_input(here: World, failures: Failures, part: int) -> None:
    await Door.at(here)
    shares = share(part)
    for leaf in await everything(here):
        for option in leaf.options:
            for value in values(option, next(shares)):
                result = await arrive(here, leaf, COMMAND, [*required(leaf, option["name"]), filled(option, value)])
                failures.note(result, leaf.path, option["name"], value)
    assert failures.tried > 500 / PARTS


@pytest.mark.rotates(PARTS)
@pytest.mark.parametrize("part", range(PARTS))
async def test_every_autocompletion_answers_with_strange_other_options(
    here: World, failures: Failures, part: int
) -> None:
    await Door.at(here)
    shares = share(part)
    for leaf in await everything(here):
        for option in (each for each in leaf.options if each.get("autocomplete")):
            others = [each for each in leaf.options if each is not option]
            for value in (*next(shares), "", "3", "b"):
                half = [filled(each, value) for each in others]  # also of a number what is typed so far comes as text
                result = await arrive(here, leaf, COMPLETION, [*half, filled(option, value, focused=True)])
                failures.note(result, leaf.path, option["name"], value)
    assert failures.tried > 500 / PARTS


FIELDS = FILLED | {working_hours.WHERE: "Taipei", working_hours.FIRST: "2026-12-24", working_hours.LAST: "2026-12-25"}


def fields(form: dict[str, Any]) -> list[str]:
    """Return the fields of a form in which people type."""
    inputs = (part.get("component", part) for part in form["components"])
    return [each["custom_id"] for each in inputs if each["type"] == 4]


def chosen(form: dict[str, Any]) -> dict[str, str]:
    """Return the initial values of a form: the first of the options of its menus."""
    inputs = (part.get("component", part) for part in form["components"])
    return {each["custom_id"]: each["options"][0]["value"] for each in inputs if each.get("options")}


def openings(table: Table) -> dict[str, str]:
    """Return where each form is opened."""
    return {verb: str(Browse.to(verb, *args)) for verb, (args, _) in browsed(table).items()} | {
        CUTTING: str(Press(table.id, Verb.CUT_TYPED))
    }


@pytest.mark.rotates(PARTS)
@pytest.mark.parametrize("part", range(PARTS))
async def test_every_field_of_every_form_answers_strange_input(here: World, failures: Failures, part: int) -> None:
    door, lobby = await Door.at(here), await here.open_table("cleo", seats=3)
    boss = here.arrive("boss", here.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True)))
    await here.people["ann"].slash(here.channel, "my clock", city="Manila")
    here.deal = SHORT_HANDS
    over = await here.start_table("dev", by="cleo", seats=2, hands=1)
    await here.play_hand(over)
    seen, shares, places = set[str](), share(part), ((here.ann, door.table), (here.people["cleo"], lobby), (boss, over))
    for verb in here.parts.dispatcher.forms:
        for who, table in places:
            opened = await send_click(here, who, here.board(table), openings(table)[verb])
            if opened.modal:
                seen.add(verb)
                for field, value in [(each, text) for each in typed_fields(opened.modal) for text in next(shares)]:
                    filled_in = plainly_filled(opened.modal) | {field: value}
                    result = await send_form(here, who, here.board(table), opened.modal["custom_id"], filled_in)
                    failures.note(result, verb, field, value)
    assert seen == {*here.parts.dispatcher.forms}
    assert failures.tried > len(seen) * len(STRANGE) / PARTS


def inputs(form: dict[str, Any]) -> list[dict[str, Any]]:
    return [part.get("component", part) for part in form["components"]]


def typed_fields(form: dict[str, Any]) -> list[str]:
    """Return the fields of a form in which people type."""
    return [each["custom_id"] for each in inputs(form) if not each.get("options")]


def plainly_filled(form: dict[str, Any]) -> dict[str, str]:
    """Return a form as people fill it: the first option of each menu, and a text in each field."""
    chosen = {each["custom_id"]: each["options"][0]["value"] for each in inputs(form) if each.get("options")}
    return {name: FIELDS.get(name, "5") for name in typed_fields(form)} | chosen


def test_invalid_text_and_unknown_users_are_removed_from_input() -> None:
    options = [
        {"type": 3, "name": "move", "value": "3d\ud800\x00🃏"},
        {"type": 6, "name": "person", "value": "@an"},
        {"type": 6, "name": "person", "value": "123456789012345678"},
        {"type": 4, "name": "table", "value": 7},
    ]
    came = {"type": 4, "data": {"name": "turn", "options": [{"type": 1, "name": "now", "options": options}]}}
    (inner,) = readable(came)["data"]["options"]
    assert inner["options"] == [{**options[0], "value": "3d\ufffd\ufffd🃏"}, *options[2:]]
    picked = {"custom_id": "x", "component_type": 5, "type": 6, "values": ["1"], "value": "text"}
    assert readable({"data": {"components": [picked]}})["data"]["components"] == [picked]
    assert readable({"type": 1}) == {"type": 1, "data": {}}
