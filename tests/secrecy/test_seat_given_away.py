"""A player who gave their seat away learns nothing further of its cards, by any button."""

from __future__ import annotations

import pytest

from bot.rules.core.cards import Card
from bot.show.kit.custom_ids import Press, Verb
from bot.table.core.commands import SavePremove
from bot.table.table import Table
from tests.people.test_sitting_in import offer_own_seat
from tests.secrecy.card_search import cards_in
from tests.secrecy.request_watch import Watch
from tests.secrecy.secret_facts import secret_cards
from tests.secrecy.test_forged import forge
from tests.support.message_text import walk_components
from tests.support.world import World

DEAL = "kept for who sits there 1"  # a seed
# The hand of another player is another one, so an address that names none of its cards tells what is read there.
BARE = (
    Verb.HAND,
    Verb.REFRESH,
    Verb.MORE,
    Verb.HINT,
    Verb.WHY,
    Verb.LAST,
    Verb.BY_SUIT,
    Verb.BACK,
    Verb.PLAY,
    Verb.WITHDRAW_PREMOVE,
    Verb.OFFER_SEAT,
    Verb.SIT_IN,
    Verb.LEAVE,
    Verb.SETTINGS,
    Verb.MENU,
    Verb.PASS,
    Verb.SURE,
)


async def given_away(here: World, rules: str) -> tuple[Table, Watch, list[Press]]:
    """Open Ann's hand with its menu, give her seat to Dev; return Ann's former buttons."""
    here.deal, watch = DEAL, Watch(here)
    table = await here.start_table("ben", "cleo", rules=rules, pace="relaxed 8h")
    await here.parts.preferences.change(here.ann.id, mirror=True)
    opened = await here.open_hand("ann", table)
    pressed = _addresses(opened.response)
    pressed += _addresses((await here.press_on("ann", opened, "⋯")).response)
    await offer_own_seat(here, table, "ann")
    await here.press("dev", table, "Take over for ann")
    return table, watch, pressed


def _addresses(shown: object) -> list[Press]:
    parts = walk_components(getattr(shown, "message").components)  # noqa: B009  # what is opened has been answered
    found = (getattr(part, "custom_id", None) for part in parts)
    return [Press.read(address) for address in found if address and address.startswith("bg:")]


@pytest.mark.rotates(3)
@pytest.mark.parametrize("rules", ["B2:pagat", "AB:three+first=sequential", "LA:std+players=3"])
async def test_buttons_of_an_old_hand_reveal_nothing(here: World, rules: str) -> None:
    table, watch, pressed = await given_away(here, rules)
    secret, ply = secret_cards(table, here.ann.id), table.state.ply
    match = table.match
    assert match is not None
    assert set[Card](match.view(0).hand) <= secret, "the cards that she had are a secret to her now"
    for address in (*dict.fromkeys(pressed), *(Press(table.id, verb, at=0) for verb in BARE)):
        answer = await forge(here, "ann", table, address)
        assert not cards_in(answer, here.parts.emoji.faces) & secret - cards_in(str(address), here.parts.emoji.faces)
    await here.advance(minutes=2)
    assert (table.state.ply, table.row.chairs[0].user) == (ply, here.people["dev"].id)
    assert watch.leaks == []
    assert watch.seen[here.ann.id]


async def test_premoves_of_a_substitute_are_secret_to_the_owner(here: World) -> None:
    table, watch, _ = await given_away(here, "B2:pagat")
    await here.act("dev", table)
    await table.do(SavePremove(here.people["dev"].id, kind="on"))
    await here.settle()
    assert table.row.chairs[0].premoves
    told = await here.parts.store.person_data(here.ann.id)
    assert "orders" not in told["chairs"][0]
    assert table.scene(here.ann.id).premoves == ()
    assert watch.leaks == []
