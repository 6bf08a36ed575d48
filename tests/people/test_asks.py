"""What a person is asked beside playing at their turn: to come in out of turn, to give a card, to draw by passing."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from simcord.results import InteractionResult

from bot.ai.plain import plain_action, timeout_action
from bot.games import GAMES
from bot.rules.core.asks import Play, Ready, write_action
from bot.rules.core.cards import cards, write
from bot.rules.matches.match import Match
from bot.show.hand.hand import hand
from bot.show.table.board import board
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.people.positions import chairs_named, play_until, record_until
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.scenes import EN, scene, texts
from tests.support.world import World, world

# Seeds of Da Lao Er, and what they deal. Ann leads in each, for she has the 3 of diamonds.
TWO_BOMBS = "2550"  # cleo has the four aces, dev the four 5s; nobody else has an honour hand
ACES, FIVES = "Ad Ac Ah As 3h", "5d 5c 5h 5s 4c"
PLAY = "Play four…"
ANNS_BOMB = "673"  # ann has 10 to A of clubs; nobody else has an honour hand
# A seed of three players who exchange: ann wins the first hand; in the second cleo has to give her the 2 of diamonds.
EXCHANGE, EXCHANGES = "1", "B2:three+extra=none,exchange=loser_highest_for_any"
THREE = "2"  # a seed of three players: ann has the lowest card, and the 3 of clubs is the extra card
STOCK = "2"  # a seed of three who draw: ann leads, and the first cards of the stock are 7d Tc 6s


def listed_plays(shown: ParsedMessage) -> tuple[str, ...]:
    """The plays that a private hand lists."""
    return next((values for target, values in shown.selects.items() if ":play" in target), ())


async def start_bombs(here: World, seed: str = TWO_BOMBS, *people: str) -> Table:
    """Start Da Lao Er with this seed, ann having led the 3 of diamonds."""
    here.deal = seed
    table = await here.start_table(*people or ("ben", "cleo", "dev"), rules="B2:dle")
    await here.play_directly("ann", table, "3d")
    return table


async def pick_out_of_turn(here: World, name: str, table: Table, held: str) -> InteractionResult:
    """Select cards in a player's hand without playing them."""
    return await here.pick(name, await here.open_hand(name, table), *held.split())


# Honour hands out of turn


async def test_a_hand_says_when_its_owner_may_play_out_of_turn_and_typed_cards_are_played(here: World) -> None:
    table = await start_bombs(here)
    dev = private_reply(await here.open_hand("dev", table))
    assert "**ben**'s turn" in dev.text
    assert "It's not your turn, but you can jump in with an honor hand." in dev.text
    others = ("4c", "6c", "8c", "8h", "Ts", "Jd", "Kd", "2d", "2s")
    behind = private_reply(await here.press_on("dev", await here.open_hand("dev", table), "⋯"))
    assert listed_plays(behind) == tuple(f"5d5c5h5s{other}" for other in others)
    assert dev.buttons["Pass"][1]
    ben = private_reply(await here.open_hand("ben", table))
    assert "Your turn" in ben.text
    assert "an honor hand" not in here.read_board(table).text
    assert here.current_player(table) == "ben"
    refused = private_reply(await here.play("dev", table, cards("6c")))
    assert refused.buttons["Why?"][0].endswith(":C16-1")
    assert private_reply(await here.pass_("dev", table)).text == "It's ben's turn."
    assert private_reply(await here.play("ann", table, cards("4d"))).text == "It's ben's turn."
    assert "Your 8 cards" in private_reply(await here.play("dev", table, cards(FIVES))).text
    assert here.current_player(table) == "ann"


async def test_a_bomb_out_of_turn_moves_the_turn_and_its_ping(here: World) -> None:
    table = await start_bombs(here)
    await here.advance(seconds=40)
    assert [f"<@{here.people['ben'].id}>" in said for said in here.channel_texts(table)] == [True]
    deadline = here.env.now() + timedelta(minutes=2)
    picked = await pick_out_of_turn(here, "dev", table, FIVES)
    played = await here.press_on("dev", picked, PLAY)
    assert "Your 8 cards" in private_reply(played).text
    assert "**dev** beat the 3 of diamonds with a bomb, four 5s with a card:" in here.read_board(table).text
    assert here.current_player(table) == "ann"  # who comes after dev
    assert here.channel_texts(table) == []  # ben's ping is gone
    await here.advance(seconds=85)  # till ann is no longer taken to look at her hand
    (ping,) = here.channel_texts(table)
    assert ping.startswith(f"<@{here.ann.id}>, your turn: ")
    assert table.row.deadline is not None
    assert table.row.deadline.at == deadline


async def test_the_first_of_two_simultaneous_plays_out_of_turn_counts(here: World) -> None:
    table = await start_bombs(here)
    dev = await pick_out_of_turn(here, "dev", table, FIVES)
    cleo = await pick_out_of_turn(here, "cleo", table, ACES)
    assert dev.response
    assert cleo.response
    await here.click_each([("dev", dev.response.message, PLAY), ("cleo", cleo.response.message, PLAY)])
    assert table.state.ply == 2
    assert "**dev** beat the 3 of diamonds with a bomb, four 5s with a card:" in here.read_board(table).text
    late = private_reply(cleo)
    assert "The game has moved on since that button was shown. This is how it stands now." in late.text
    assert not late.buttons["Play four aces"][1]  # and beats that too
    await here.press_on("cleo", cleo, PLAY)
    assert "**cleo** played four aces with a card:" in here.read_board(table).text
    assert here.current_player(table) == "dev"


async def test_a_person_plays_out_of_turn_before_a_house_player(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=8, deal=ANNS_BOMB) as here:
        table = await start_bombs(here, ANNS_BOMB, "ben")
        await here.play("ben", table, cards("4h"))
        assert 2 in table.scene(None).wait.awaited  # a house player, who takes their time
        royal = cards("Tc Jc Qc Kc Ac")
        assert "Your 7 cards" in private_reply(await here.play("ann", table, royal)).text
        assert here.current_player(table) == "ben"
        await here.advance(seconds=20)
        assert [step.action for step in table.row.steps] == ["3d", "4h", write(royal)]


def eager_deal() -> tuple[str, int, Play]:
    """Return a deal after which a house player would come in on ann's lead, its seat, and what it would play."""
    for seed in map(str, range(432, 5000)):  # the first of them, as house players are
        match = Match.start(GAMES["big_two"].rules("da_lao_er"), seed)
        if match.awaited == {0}:
            led = match.act(0, Play(cards("3d")))
            for seat in sorted({2, 3} & led.to_act):
                if isinstance(action := plain_action(led.view(seat)), Play):
                    return seed, seat, action
    raise LookupError


async def test_a_house_player_plays_out_of_turn_before_a_person(here: World) -> None:
    here.deal, seat, bomb = eager_deal()
    table = await here.start_table("ben", rules="B2:dle")
    await here.play("ann", table, cards("3d"))
    came = table.row.steps[1]
    assert (came.seat, came.action, came.by) == (seat, write(bomb.cards), "house")
    assert f"**{table.row.chairs[seat].name} 🤖**" in here.read_board(table).text
    assert not [said for said in here.channel_texts(table) if "<@" in said]  # ben was never called


# The exchange between winner and loser


async def start_exchange(here: World) -> Table:
    """Start the second hand of three persons: ann won the first and got cleo's highest card."""
    here.deal = EXCHANGE
    table = await here.start_table("ben", "cleo", rules=EXCHANGES, pace="live hints")
    await play_until(here, table, lambda match: match.game.result is not None)
    for name in ("ann", "ben", "cleo"):
        await table.do(Act(here.people[name].id, Ready()))
    await here.settle()
    assert here.current_player(table) == "ann"
    return table


def plain_text(shown: InteractionResult) -> str:
    """The text of a private reply without code marks around cards."""
    return private_reply(shown).text.replace("`", "")


async def check_given(here: World, table: Table, given: str) -> None:
    """Assert that Cleo holds and knows this card of Ann's, and that no other player learns of it."""
    assert f"ann gave you {given} for it." in plain_text(await here.open_hand("cleo", table))
    assert "for it." not in plain_text(await here.open_hand("ben", table))
    assert "is waiting for a card from the winner" not in here.read_board(table).text
    assert table.scene(None).view.counts == (17, 17, 17)  # type: ignore[union-attr]


async def test_the_winner_gives_a_card_back_as_the_hint_may_say(here: World) -> None:
    table = await start_exchange(here)
    assert "cleo is waiting for a card from the winner." in here.read_board(table).text
    for name, typed, refused in (
        ("ann", "pass", "First, give cleo a card."),
        ("ben", "3h", "It's ann's turn."),
        ("ann", "3h", "You don't have `3♡`."),
    ):
        assert (await here.slash(name, "turn", move=typed)).text == refused
    opened = await here.open_hand("ann", table)
    assert "cleo gave you 2♢; give any card back." in plain_text(opened)
    assert "Choose 1 card to give to cleo." in plain_text(opened)
    assert private_reply(opened).buttons["Give"][1]
    assert private_reply(opened).buttons["Pass"][1]
    assert "You gave ann your highest card, 2♢." in plain_text(await here.open_hand("cleo", table))
    hint = await here.press_on("ann", opened, "Hint")
    assert "Hint: give this." in plain_text(hint)
    assert any(label.startswith("Give ") for label in private_reply(hint).buttons)
    several = await here.pick("ann", opened, "4h", "4s")
    assert "✗ " in plain_text(several)
    why = await here.press_on("ann", several, "Why not?")
    assert "Choose one card to give to cleo, not 2." in plain_text(why)
    await here.press_on("ann", why, "Back to my cards")
    assert "✓ You're giving 4♡." in plain_text(await here.pick("ann", opened, "4h"))
    await here.press_on("ann", opened, "Give 4♡")
    await check_given(here, table, "4♡")


def test_the_clock_gives_the_lowest_card_of_a_late_player() -> None:
    match = record_until(lambda match: match.game.result is not None, EXCHANGES, EXCHANGE).replay()
    for seat in range(3):
        match = match.act(seat, Ready())
    assert match.awaited == {0}
    assert write_action(timeout_action(match.view(0))) == "give 3s"


# Drawing, and the extra card


async def test_a_player_who_passes_draws_a_card_that_only_they_see(here: World) -> None:
    here.deal = STOCK
    table = await here.start_table("ben", "cleo", rules="B2:draw")
    await here.play_directly("ann", table, "3d")
    opened = await here.open_hand("ben", table)
    assert "If you pass, you draw 1 card." in plain_text(opened)
    assert "Cards to draw: 13." in here.read_board(table).text
    await here.press_on("ben", opened, "Pass")
    await check_drawn(here, table, "ben", "7♢", held=14)
    assert "You drew 10♣︎." in plain_text(await here.pass_("cleo", table))
    await check_drawn(here, table, "cleo", "10♣︎", held=14)
    assert "Cards to draw: 11." in here.read_board(table).text
    await here.play_directly("ann", table, "2s")
    await here.press("ben", table, "Pass")
    await check_drawn(here, table, "ben", "6♠︎", held=15)
    await here.advance(seconds=121)
    await check_drawn(here, table, "cleo", "9♡", held=15)


async def check_drawn(here: World, table: Table, name: str, drawn: str, held: int) -> None:
    """Assert that only the drawing player sees the drawn card."""
    mine = plain_text(await here.open_hand(name, table))
    assert f"You drew {drawn}." in mine
    assert f"Your {held} cards" in mine
    other = "ben" if name == "cleo" else "cleo"
    assert drawn not in plain_text(await here.open_hand(other, table))
    board = here.read_board(table).text.replace("`", "")
    assert f"**{name}** · {held} cards" in board
    assert drawn not in board


def texts_after_deal(code: str) -> tuple[str, list[str]]:
    """Return what the board says of three players as the cards are dealt, and what the hand of each says."""
    match, chairs = record_until(lambda _: True, code, THREE).replay(), chairs_named("ann", "ben", "cleo")
    hands = [texts(hand(scene(match, 0, seat, chairs=chairs), EN, where="Here")) for seat in range(3)]
    return texts(board(scene(match, chairs=chairs), EN)).replace("`", ""), [each.replace("`", "") for each in hands]


def test_a_face_up_extra_card_is_public() -> None:
    said, (anns, *_) = texts_after_deal("B2:three")
    assert "The extra card is 3♣︎. ann took the extra card." in said
    assert "**ann** · 18 cards" in said
    assert "You took the extra card, 3♣︎." in anns


def test_a_face_down_extra_card_is_seen_by_its_receiver_only() -> None:
    said, (anns, bens, _) = texts_after_deal("B2:three+extra=face_down")
    assert "ann took the extra card." in said
    assert "3♣︎" not in said
    assert "You took the extra card, 3♣︎." in anns
    assert "3♣︎" not in bens
