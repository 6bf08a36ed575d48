"""Addresses of every release, kept as data: each gets a friendly answer, whatever became of its target."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.domain.house_rules import HouseRules, Owner
from bot.domain.refusals import TooLate
from bot.interactions.dispatcher import BROKEN, UNKNOWN
from bot.show.kit.custom_ids import Press, Verb, parse_custom_id
from bot.table.core.commands import Close
from bot.table.table import Table
from tests.interactions.clicks import send_click
from tests.interactions.tables import start_seated_table
from tests.support.message_text import ParsedMessage
from tests.support.world import World


class Line(NamedTuple):
    """A custom id, the chosen values of a select, and the expected text."""

    address: str
    chosen: str
    told: str


def lines() -> list[Line]:
    text = (Path(__file__).parent / "addresses.txt").read_text(encoding="utf-8")
    written = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [Line(*(part.strip() for part in line.split("|", 2))) for line in written]


@pytest.mark.rotates(2)
@pytest.mark.parametrize("part", range(2))
async def test_every_custom_id_gets_a_friendly_answer(here: World, part: int) -> None:
    ours = HouseRules(
        owner=Owner("person", here.ann.id),
        name="ours",
        game="big_two",
        preset="pagat",
        options={},
        by=here.ann.id,
        at=here.env.now(),
    )
    await here.parts.store.house_rules.save(ours)
    table, wrong = await start_seated_table(here, "ben", hands=2), list[str]()
    for line in lines()[part::2]:
        before = table.row
        if (told := await unlike(here, table, line)) is not None:
            wrong.append(f"{line.address}: {told}")
        if table.row != before:
            await table.do(Close())
            table = await start_seated_table(here, "ben", hands=2)
    assert wrong == [], "\n---\n".join(wrong)


async def unlike(here: World, table: Table, line: Line) -> str | None:
    """Click as Ann in a fresh hand; return the reply if it differs from the line."""
    here.parts.delivery.picks.forget(table.id, here.ann.id)
    shown = await here.open_hand("ann", table)
    assert shown.response
    address, chosen, wanted = (each.replace("{t}", str(table.id)) for each in line)
    result = await send_click(here, here.ann, shown.response.message, address, chosen.split(",") if chosen else None)
    said = "\n".join(ParsedMessage.of(each.message).text for each in (result.response, *result.followups) if each)
    kind = result.acknowledged and BROKEN not in said and UNKNOWN not in said
    return None if kind and re.search(wanted, said.replace("`", "")) else said


def test_the_recorded_custom_ids_cover_every_verb() -> None:
    known = {
        address.verb
        for line in lines()
        if isinstance(address := parse_custom_id(line.address.replace("{t}", "7")), Press)
    }
    assert known == set(Verb)


def test_late_clicks_get_the_sentence_of_late_moves() -> None:
    assert any(line.told.startswith("The game has moved on") for line in lines())
    assert TooLate().sentence.startswith("The game has moved on")


async def test_foreign_custom_ids_are_answered_too(here: World) -> None:
    table = await here.start_table("ben")
    shown = await here.open_hand("ann", table)
    assert shown.response
    for address in ("", "bg:1:dance", "bv:nothing_of_ours", "custom"):
        result = await send_click(here, here.ann, shown.response.message, address)
        assert result.response
        assert result.response.content == UNKNOWN
