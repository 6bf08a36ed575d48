"""Clicks that Discord would never let a player make: they reveal no cards of other players."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

import pytest
from simcord.results import InteractionResult

from bot.domain.ids import TableId
from bot.rules.core.cards import Card
from bot.show.kit.card_symbols import symbol
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.words import PLAIN_FACES
from bot.show.matches.replay import REPLAY
from bot.table.table import Table
from tests.secrecy.card_search import cards_in
from tests.secrecy.play_through import Plan, open_planned_table
from tests.secrecy.secret_facts import secret_cards
from tests.support.former_custom_ids import former_custom_id
from tests.support.message_text import ParsedMessage, walk_components
from tests.support.world import World

Address: TypeAlias = Press | Browse | str
VERBS = (
    Verb.PLAY,
    Verb.GIVE,
    Verb.NAME,
    Verb.HINT,
    Verb.BY_SUIT,
    Verb.BY_RANK,
    Verb.REFRESH,
    Verb.PASS,
    Verb.READY,
    Verb.BACK,
    Verb.OFFER,
    Verb.PLAY_NOW,
    Verb.SUIT,
    Verb.SURE,
    Verb.AVAILABILITY,
    Verb.GRANT,
    Verb.SIT_IN,
    Verb.NAY,
    Verb.RETURN_FROM_BREAK,
)


async def forge(here: World, name: str, table: Table, address: Address, values: Iterable[str] = ()) -> Any:
    """Send a click with an invented custom id; return the response as sent, or None.

    The address is slipped onto the board for the moment of the click.
    """
    board = here.board(table)
    stored = here.env.backend.messages[board.channel.id][board.id]
    kept, stored.components = stored.components, [{"type": 1, "components": [_component(address, list(values))]}]
    try:
        result = await _send(here, name, table, address, list(values))
    finally:
        stored.components = kept
    return result.response and [result.response.content, result.response.components]


def _component(address: Address, values: list[str]) -> dict[str, Any]:
    if not values:
        return {"type": 2, "style": 2, "label": "forged", "custom_id": str(address), "id": 1}
    options = [{"label": "forged", "value": value} for value in values]
    return {
        "type": 3,
        "custom_id": str(address),
        "options": options,
        "min_values": 0,
        "max_values": len(options),
        "id": 1,
    }


async def _send(here: World, name: str, table: Table, address: Address, values: list[str]) -> InteractionResult:
    person, board = here.people[name], here.board(table)
    if not values:
        return await person.click(board, custom_id=str(address))
    return await person.select(board, values, custom_id=str(address))


def addresses(table: Table, held: Card) -> Iterable[tuple[Address, tuple[str, ...]]]:
    """Return every click a private hand knows, made with this card."""
    for verb in VERBS:
        yield former_custom_id(table.id, table.state.ply, verb, (held,)), ()
    yield former_custom_id(table.id, table.state.ply, Verb.PICK, (held,), select=True), (str(held),)
    yield former_custom_id(table.id, table.state.ply, Verb.PLAY, select=True), (str(held),)
    hand = table.scene(None).tally.hand
    yield Press(table.id, Verb.PICK, at=hand), (str(held),)
    yield Press(table.id, Verb.PLAYS, at=hand), (str(held),)


def without(answer: Any, held: Card) -> str:
    """Return an answer with the card that was asked about left out."""
    return re.sub(rf"(?<![0-9A-Za-z]){held}(?![0-9A-Za-z])", "?", str(answer).replace(f"`{symbol(held)}`", "?"))


@pytest.mark.rotates(3)
@pytest.mark.parametrize("rules", ["B2:pagat", "AB:three+first=sequential", "LA:std+players=3"])
async def test_forged_clicks_do_not_reveal_who_holds_a_card(here: World, rules: str) -> None:
    table = await open_planned_table(here, Plan("forged", ("ben", "cleo"), options={"rules": rules}))
    match = table.match
    assert match is not None
    late = next(name for name in ("ben", "ann") if here.current_player(table) != name)
    for name in (late, "dev"):
        mine = match.view(("ann", "ben").index(late)).hand if name == late else ()
        foreign = [each for each in dict.fromkeys(match.rules.pack) if each not in mine][::5]
        answers: dict[int, set[str]] = {}
        for held in foreign:
            for number, (address, values) in enumerate(addresses(table, held)):
                answer = without(await forge(here, name, table, address, values), held)
                answers.setdefault(number, set()).add(answer)
        await here.settle()
        assert {number: len(told) for number, told in answers.items()} == dict.fromkeys(answers, 1)


async def test_forged_copies_of_private_buttons_reveal_nothing(here: World) -> None:
    table = await open_planned_table(here, Plan("forged", ("ben",)))
    opened = await here.people["ann"].slash(here.channel, "hand", table=table.id)
    assert opened.response is not None
    parts = [part for part in walk_components(opened.response.message.components) if getattr(part, "custom_id", None)]
    assert len(parts) > 4
    secret = secret_cards(table, here.people["ben"].id)
    ply = table.state.ply
    for part in parts:
        values = [option.value for option in getattr(part, "options", ())]
        address = Press.read(part.custom_id)
        asked = cards_in([str(address), values[:1]], PLAIN_FACES)
        for name in ("ben", "dev"):
            answer = await forge(here, name, table, address, values[:1])
            assert not cards_in(answer, here.parts.emoji.faces) & secret - asked
    assert table.state.ply == ply, "and nobody plays for her"


async def test_missing_tables_and_running_matches_cannot_be_opened(here: World) -> None:
    table = await open_planned_table(here, Plan("forged"))
    nowhere = Press(TableId(999), Verb.HAND)
    answer = await forge(here, "ben", table, nowhere)
    assert "That table is gone." in str(answer)
    for name in ("ann", "ben"):
        shown = ParsedMessage.of((await here.people[name].slash(here.channel, "matches list")).response.message)  # type: ignore[union-attr]
        assert not shown.selects
    for step in (0, 3):
        assert "no such finished match" in str(await forge(here, "ann", table, Browse.to(REPLAY, table.id, step, "on")))
