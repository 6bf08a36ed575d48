"""A dragon that ends the match at the deal, and typed tiles; the screens are in tests/test_show_odd_turns.py."""

from __future__ import annotations

from tests.support.message_text import private_reply
from tests.support.world import World

DRAGON = "1895"  # a seed of Hong Kong: cleo is dealt thirteen ranks
TILES = "75"  # a seed: ann leads from 3d 3c 3h 4d 4s 5d 5h 6d 10d 10c 15h 15s


async def test_a_dragon_can_end_the_whole_match(here: World) -> None:
    here.deal = DRAGON
    table = await here.start_table("ben", "cleo", "dev", rules="B2:hk+match=deals,deals=1")
    assert table.stage == "over"
    assert "### cleo wins the match\n🥇" in here.read_board(table).text
    assert "**cleo** (you)" in (await here.slash("cleo", "standings")).text
    sat, score = await here.parts.store.results.sittings(table.id), await here.parts.store.results.score(table.id)
    assert [(one.seat, one.ply, one.user) for one in sat] == [(c.seat, 0, c.user) for c in table.row.chairs]
    assert score is not None
    assert score.hands[0].places.index(1) == table.scene(here.people["cleo"].id).seat


async def test_tiles_are_picked_and_typed(here: World) -> None:
    here.deal = TILES
    table = await here.start_table("ben", "cleo", "dev", rules="B2:tiles")
    picked = private_reply(await here.pick("ann", await here.open_hand("ann", table), "10d", "10c"))
    assert "✓ You can lead a pair of 10s." in picked.text
    answer = await here.slash("ann", "turn", move="10d, 10♣", table=table.id)
    assert "Your 10 cards" in answer.text
    assert "10♢` `10♣︎" in here.read_board(table).text
    assert "I can't read Kd as a card." in (await here.slash("ann", "turn", move="Kd", table=table.id)).text
    assert "It's ben's turn." in (await here.slash("ann", "turn", move="15s", table=table.id)).text
