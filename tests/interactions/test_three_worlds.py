"""Clicks that cross an edit of what is clicked on, in the three ways in which Discord may deal with them.

Discord passes them on with the message as seen or as it is, or refuses them unheard by the bot. In the first two they
are answered, and kindly; in the third nothing is lost, and what stands in the same place now works.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import discord
import pytest
from simcord.results import InteractionResult

from bot.interactions.dispatcher import BROKEN, UNKNOWN
from bot.rules.core.asks import Choose, Play
from bot.rules.core.cards import cards
from bot.table.core.commands import Act, Close
from bot.table.table import Table
from tests.interactions.clicks import message_snapshot, send_click
from tests.interactions.tables import start_seated_table
from tests.support.message_text import ParsedMessage
from tests.support.world import SHORT_HANDS, World, world

Fate: TypeAlias = Literal["as it was", "as it is", "refused"]
FATES: tuple[Fate, ...] = ("as it was", "as it is", "refused")


@dataclass(frozen=True)
class Crossing:
    """Something on a screen, and what happens to the screen while a player clicks on it.

    before: opens a table and returns it with the screen. meanwhile: changes what the screen shows.
    """

    who: str
    before: Callable[[World], Awaitable[tuple[Table, discord.Message]]]
    meanwhile: Callable[[World, Table], Awaitable[object]]


async def board(here: World) -> tuple[Table, discord.Message]:
    table = await start_seated_table(here, "ben", "cleo", "dev", pace="none")
    await here.play("ann", table, cards("3d"))
    return table, here.board(table)


async def lobby(here: World) -> tuple[Table, discord.Message]:
    table = await here.open_table()
    await here.press("ben", table, "Join")
    return table, here.board(table)


async def ended(here: World) -> tuple[Table, discord.Message]:
    here.deal = SHORT_HANDS
    table = await start_seated_table(here, "ben", pace="none", hands=2)
    await here.play_hand(table)
    return table, here.board(table)


def hand_of(name: str, *picks: str) -> Callable[[World], Awaitable[tuple[Table, discord.Message]]]:
    async def opened(here: World) -> tuple[Table, discord.Message]:
        table = await start_seated_table(here, "ben", "cleo", "dev", pace="none")
        shown = await here.open_hand(name, table)
        if picks:
            await here.pick(name, shown, *picks)
        assert shown.response
        return table, shown.response.message

    return opened


async def window(here: World) -> tuple[Table, discord.Message]:
    table = await start_seated_table(here, "ben", rules="BA:std")
    return table, here.board(table)


async def asked(here: World) -> tuple[Table, discord.Message]:
    table = await start_seated_table(here, "ben", rules="BA:std")
    shown = await here.open_hand("ann", table)
    assert shown.response
    return table, shown.response.message


async def answers(here: World, table: Table) -> None:
    for name in ("ben", "ann"):
        await here.press(name, table, "Don't show")


async def answers_by_themselves(here: World, table: Table) -> None:
    """Answer for both as the clock would; an answer on the board updates the open hand."""
    for name in ("ben", "ann"):
        await table.do(Act(here.people[name].id, Choose(("nothing",))))
        await here.settle()


async def by_itself(here: World, table: Table) -> None:
    """Play Ann's card as the clock would."""
    await table.do(Act(here.ann.id, Play(cards("3d"))))
    await here.settle()


CROSSINGS = {
    "a board while its player plays": Crossing("ben", board, lambda here, table: here.play("ben", table, cards("4d"))),
    "a board by somebody who waits": Crossing("dev", board, lambda here, table: here.pass_("ben", table)),
    "a lobby while somebody joins": Crossing("ann", lobby, lambda here, table: here.press("cleo", table, "Join")),
    "a lobby by whom it waits for": Crossing("dev", lobby, lambda here, table: here.press("cleo", table, "Join")),
    "a lobby that starts": Crossing("dev", lobby, lambda here, table: here.press("ann", table, "Play now")),
    "between hands": Crossing("ann", ended, lambda here, table: here.press("ben", table, "Ready")),
    "a hand that is played by itself": Crossing("ann", hand_of("ann", "3d", "3c"), by_itself),
    "a hand whose turn comes": Crossing(
        "ben", hand_of("ben"), lambda here, table: here.play("ann", table, cards("3d"))
    ),
    "a board at which everybody answers": Crossing("ann", window, answers),
    "a hand that is asked": Crossing("ann", asked, answers_by_themselves),
}


def parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what can be clicked on in a message, from top to bottom."""

    def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for each in components:
            if each.get("custom_id"):
                yield each
            yield from walk(each.get("components") or [])

    return list(walk(message["components"]))


def publisher(found: list[dict[str, Any]]) -> list[int]:
    """Return the places at which to click: the first and the last of each kind, as one card is picked, another not."""
    kinds = [part["custom_id"].split(":")[2] for part in found]
    return sorted({at for kind in kinds for at in (kinds.index(kind), len(kinds) - 1 - kinds[::-1].index(kind))})


def chosen(part: dict[str, Any]) -> list[str] | None:
    """Return what a player chooses in a select, None for a button."""
    return [part["options"][0]["value"]] if part["type"] == 3 else None


def told(result: InteractionResult) -> str:
    """Return all that an answer says."""
    said = [each for each in (result.response, *result.followups) if each]
    return "\n".join(ParsedMessage.of(each.message).text for each in said)


def check(result: InteractionResult) -> None:
    assert result.acknowledged
    assert not {BROKEN, UNKNOWN} & set(told(result).splitlines())


@dataclass(frozen=True)
class Edited:
    """A screen edited just before a click on it. seen: as it was seen."""

    here: World
    who: str
    table: Table
    message: discord.Message
    seen: dict[str, Any]

    @classmethod
    async def of(cls, here: World, crossing: Crossing) -> Edited:
        table, message = await crossing.before(here)
        seen = message_snapshot(here, message)
        await crossing.meanwhile(here, table)
        return cls(here, crossing.who, table, message, seen)

    @property
    def state(self) -> Any:
        """Every state that a click on a button can change; None without a button."""
        person, there = self.here.people[self.who], self.here.env.backend.messages[self.message.channel.id]
        if self.message.id not in there:
            return None  # the board has moved to another message
        picks = self.here.parts.delivery.picks.of(self.table.scene(person.id))
        return self.table.row, picks, message_snapshot(self.here, self.message)

    async def clicked(self, at: int, fate: Fate) -> int:
        """Deliver or drop a click on the component at a place; return the number of attempts."""
        part, person = parts(self.seen)[at], self.here.people[self.who]
        if part.get("disabled"):
            return 0
        if fate != "refused":
            passed_on = self.seen if fate == "as it was" else None
            check(await send_click(self.here, person, self.message, part["custom_id"], chosen(part), seen=passed_on))
            return 1
        now = parts(message_snapshot(self.here, self.message))
        same = now[at] if at < len(now) and now[at]["type"] == part["type"] else None
        if same is None or same.get("disabled"):
            return 0
        check(await send_click(self.here, person, self.message, same["custom_id"], chosen(same)))
        return 1


@pytest.mark.rotates(4)
@pytest.mark.parametrize("fate", FATES)
@pytest.mark.parametrize("crossing", CROSSINGS.values(), ids=CROSSINGS)
async def test_a_click_crossing_an_edit_has_a_defined_outcome(tmp_path: Path, crossing: Crossing, fate: Fate) -> None:
    """What changes nothing leaves the same screen for the next click."""
    async with world(tmp_path) as here:
        edited, tried = await Edited.of(here, crossing), 0
        for at in publisher(parts(edited.seen)):
            if (before := edited.state) is None:
                break
            tried += await edited.clicked(at, fate)
            if edited.state != before:
                await edited.table.do(Close())
                await here.settle()
                edited = await Edited.of(here, crossing)
        assert tried


@pytest.mark.parametrize("crossing", ["a board while its player plays", "a hand whose turn comes"])
async def test_a_component_that_stays_keeps_its_custom_id(here: World, crossing: str) -> None:
    """What does not decide anything is never refused: the clicked component stays, under the same custom id."""
    table, message = await CROSSINGS[crossing].before(here)
    before = message_snapshot(here, message)
    await CROSSINGS[crossing].meanwhile(here, table)
    after = {part["custom_id"] for part in parts(message_snapshot(here, message))}
    gone = {part["custom_id"].split(":")[2] for part in parts(before) if part["custom_id"] not in after}
    assert gone <= {"pass", "play", "before"}


async def test_a_double_click_counts_once(here: World) -> None:
    table, message = await board(here)
    seen = message_snapshot(here, message)
    (passing,) = [part for part in parts(seen) if ":pass:" in part["custom_id"]]
    for _ in range(2):
        check(await send_click(here, here.people["ben"], message, passing["custom_id"], seen=seen))
    assert [step.action for step in table.row.steps] == ["3d", "pass"]
