"""Turns as some regions have them: locked passes, barred passes, nothing that may be played, going on without winners.

Each table is brought to its position by people who all play the weakest they can (see positions).
"""

from __future__ import annotations

from collections.abc import Callable

from bot.rules.core.asks import Ready
from bot.rules.core.cards import cards, write
from bot.rules.matches.match import Match
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.people.positions import play_till
from tests.support.message_text import private
from tests.support.world import World

LOCKED = "0"  # a seed of Indonesia: ann leads, and play goes from her to ben
FORCED = "1"  # a seed: when ann has 6h Qs Kc and ben one card, a single 9c lies before her
NOTHING = "Pass (nothing to play)"
STUCK = "17"  # a seed of Hong Kong: cleo comes to lead with nothing but the 2 of diamonds
VOID = "66"  # a seed of two players who come to hold a two each, and neither may go out with it
DRAGON = "1895"  # a seed of Hong Kong: cleo is dealt thirteen ranks
PLAY_ON = "0"  # a seed; it does not matter who goes out first
TILES = "75"  # a seed: ann leads from 3d 3c 3h 4d 4s 5d 5h 6d 10d 10c 15h 15s


async def four(here: World, seed: str, rules: str) -> Table:
    """Let four people begin."""
    here.deal = seed
    return await here.start_table("ben", "cleo", "dev", rules=rules)


def before(seat: int, held: str, top: str = "") -> Callable[[Match], bool]:
    """Tell of a match whether it is the turn of this seat, with nothing but these cards, and with these before it."""

    def wanted(match: Match) -> bool:
        view = match.view(seat)
        lies = write(view.trick.top.cards) if view.trick.top else ""
        return seat in match.awaited and (write(view.hand), lies) == (held, top)

    return wanted


def plain(text: str) -> str:
    """A text without the marks around cards."""
    return text.replace("`", "")


# Locked passes


async def test_who_has_passed_is_not_asked_again_in_the_trick(here: World) -> None:
    table = await four(here, LOCKED, "B2:id")
    await here.lay("ann", table, "3d")
    assert here.turn(table) == "ben"
    await here.lay("ben", table)
    await here.lay("cleo", table, "5d")
    await here.lay("dev", table)
    await here.lay("ann", table, "7h")
    assert here.turn(table) == "cleo"  # ben is locked out
    assert private(await here.play("ben", table, cards("Ac"))).text == "It's cleo's turn."


async def test_who_owns_the_trick_may_beat_their_own(here: World) -> None:
    table = await four(here, LOCKED, "B2:id")
    await here.lay("ann", table, "3d")
    for name in ("ben", "cleo", "dev"):
        await here.lay(name, table)
    assert here.turn(table) == "ann"
    shown = private(await here.open_hand("ann", table))
    assert "**ann** played the 3 of diamonds:" in shown.text
    assert not shown.buttons["Pass"][1]
    await here.lay("ann", table, "As")
    assert here.turn(table) == "ann"
    await here.lay("ann", table)
    assert here.turn(table) == "ann"
    assert "New trick" in here.read(table).text


# One card left


async def test_the_highest_card_is_forced_and_a_pass_is_barred(here: World) -> None:
    table = await four(here, FORCED, "B2:std+one_card=forced")
    await play_till(here, table, before(0, "6h Qs Kc", "9c"))
    opened = await here.open_hand("ann", table)
    advice = "The next player has one card: play your highest card, or more than one."
    assert advice in private(opened).text
    assert private(opened).buttons["Pass"][1]
    await here.pick("ann", opened, "Qs")
    lower = private(await here.press_on("ann", opened, "Why not?"))
    assert lower.text.startswith(f"{advice}\n**C22.2 ")
    assert plain(private(await here.play("ann", table, cards("Qs"))).text) == advice
    barred = "The next player has one card, so you can't pass: K♣︎ beats 9♣︎."
    assert plain(private(await here.pass_("ann", table)).text) == barred
    await here.lay("ann", table, "Kc")
    assert here.turn(table) == "ben"


async def test_the_clock_plays_the_highest_card_where_a_pass_is_barred(here: World) -> None:
    table = await four(here, FORCED, "B2:std+one_card=forced")
    await play_till(here, table, before(0, "6h Qs Kc", "9c"))
    await here.later(seconds=121)
    assert [(step.action, step.by) for step in table.row.steps[-1:]] == [("Kc", "clock")]


# Nothing that may be played


async def test_who_leads_and_holds_nothing_but_a_barred_two_has_to_pass(here: World) -> None:
    table = await four(here, STUCK, "B2:hk")
    await play_till(here, table, before(2, "2d"))
    opened = await here.open_hand("cleo", table)
    assert private(opened).buttons[NOTHING][1] is False
    refused = private(await here.play("cleo", table, cards("2d")))
    assert plain(refused.text) == "You can't go out with just 2♢."
    await here.press_on("cleo", opened, NOTHING)
    assert here.turn(table) == "dev"
    assert "New trick" in here.read(table).text


async def test_a_hand_that_nobody_can_win_is_void(here: World) -> None:
    here.deal = VOID
    table = await here.start_table("ben", rules="B2:two+last_ban=any_two")
    await play_till(here, table, lambda match: match.game.result is not None)
    assert table.stage == "between"
    said = plain(here.read(table).text)
    assert "Nobody wins the hand" in said
    assert "Nobody can play any more, so this hand doesn't count.\n" in said
    assert "Settle up" not in here.read(table).buttons
    for name in ("ann", "ben"):
        await here.press(name, table, "Ready")
    assert "Hand 2" in here.read(table).text


# A dragon


async def test_a_dragon_ends_the_hand_as_it_is_dealt(here: World) -> None:
    table = await four(here, DRAGON, "B2:hk")
    assert table.stage == "between"
    said = plain(here.read(table).text)
    assert "cleo was dealt a dragon, one card of each rank, and wins right away." in said
    assert "### cleo wins the hand\n" in said
    for name in here.people:
        await here.press(name, table, "Ready")
    assert "Hand 2" in here.read(table).text


async def test_a_dragon_can_end_the_whole_match(here: World) -> None:
    table = await four(here, DRAGON, "B2:hk+match=deals,deals=1")
    assert table.stage == "over"
    assert "### cleo wins the match\n🥇" in here.read(table).text
    assert "**cleo** (you)" in (await here.slash("cleo", "standings")).text
    sat, score = await here.parts.store.results.sittings(table.id), await here.parts.store.results.score(table.id)
    assert [(one.seat, one.ply, one.user) for one in sat] == [(c.seat, 0, c.user) for c in table.row.chairs]
    assert score is not None
    assert score.hands[0].places.index(1) == table.scene(here.people["cleo"].id).seat


# Playing on


async def test_play_goes_on_for_places(here: World) -> None:
    table = await four(here, PLAY_ON, "B2:std+play_on=play_on,scoring=places")
    first = await play_till(here, table, lambda match: 0 in match.view(None).counts)
    winner = first.view(None).counts.index(0)
    name = table.row.chairs[winner].name
    board = here.read(table).text
    assert table.stage == "playing"
    assert f"Already out: {name}." in board
    assert f"**{name}** · 0 cards" in board
    assert private(await here.open_hand(name, table)).buttons["Pass"][1]
    over = await play_till(here, table, lambda match: match.game.result is not None)
    assert over.game.result is not None
    assert sorted(over.game.result.points) == [0, 1, 3, 5]
    assert over.game.result.points[winner] == 5
    assert f"🥇 **{name}** · +5\n" in here.read(table).text


# Tiles and chips


async def test_five_play_with_tiles_and_chips(here: World) -> None:
    here.deal = TILES
    table = await here.start_table("ben", "cleo", "dev", rules="B2:tiles")
    assert len(table.row.chairs) == 5
    board = plain(here.read(table).text)
    assert "Chips: ann 149, ben 149, cleo 149, dev 149, and Mei 🤖 149." in board
    opened = await here.open_hand("ann", table)
    assert "3♢ 3♣︎ 3♡ 4♢ 4♠︎ 5♢ 5♡ 6♢ 10♢ 10♣︎ 15♡ 15♠︎" in plain(private(opened).text)
    picked = private(await here.pick("ann", opened, "10d", "10c"))
    assert "✓ You can lead a pair of 10s." in plain(picked.text)
    answer = await here.slash("ann", "turn", move="10d, 10♣", table=table.id)
    assert "Your 10 cards" in answer.text
    assert "10♢ 10♣︎" in plain(here.read(table).text)
    assert "I can't read Kd as a card." in (await here.slash("ann", "turn", move="Kd", table=table.id)).text
    assert "It's ben's turn." in (await here.slash("ann", "turn", move="15s", table=table.id)).text


async def test_chips_are_paid_after_each_hand(here: World) -> None:
    here.deal = TILES
    table = await here.start_table("ben", "cleo", "dev", rules="B2:tiles")
    while here.turn(table):
        await here.act(here.turn(table) or "", table)
    assert table.match is not None
    nets = table.match.nets
    assert sum(map(abs, nets)) > 0
    for name in here.people:
        await table.do(Act(here.people[name].id, Ready()))
    await here.settle()
    *shown, mei = (f"{table.row.chairs[seat].name} {149 + nets[seat]}" for seat in (0, 4, 3, 2, 1))  # as turns go
    assert f"Chips: {', '.join(shown)}, and {mei.replace('Mei', 'Mei 🤖')}." in plain(here.read(table).text)
