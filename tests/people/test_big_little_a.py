"""The Big and the Little A at a table of people: A rounds, jokers that are named in secret, the end, and nine."""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.preferences import Preferences
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import card, cards
from bot.rules.matches.match import Match
from bot.show.hand.hand import hand
from bot.show.people.card_preferences import settings
from bot.show.table.board import board
from bot.table.table import Table
from tests.people.positions import chairs_named, lead_a_cards, play_until, record_until
from tests.support.message_text import private_reply
from tests.support.replays import FullReplay
from tests.support.scenes import EN, scene, texts
from tests.support.world import World

TWO_JOKERS = "77"  # a seed of four: ann leads, and holds two jokers; all playing weakly, she is the first to be out
# A seed of four, who lead A cards as soon as they can: dev leads the little a, on which ann lays a joker, and cleo then
# the Big A, on which dev plays a 6, the highest, and ann and ben a joker each.
A_CARD_SEED = "64"
ASKED = "**What do J★ J★ stand for? J★ is a fourteen, the highest of all.**"
BOARDS = "/channels/*/messages/*"
NAMES = ("ann", "ben", "cleo", "dev")
MORE = ("eve", "finn", "gail", "hugo", "ida")


async def start_four_players(here: World, rules: str = "LA:std", seed: str = TWO_JOKERS) -> Table:
    """Start a match of four persons with this seed."""
    here.deal = seed
    return await here.start_table(*NAMES[1:], rules=rules, pace="live hints")


def is_turn_after_lead(seat: int, led: str) -> Callable[[Match], bool]:
    """Tell of a match whether it is the turn of this seat in a round that was led with this card."""

    def wanted(match: Match) -> bool:
        moves = match.view(None).trick.moves
        return (
            seat in match.awaited
            and bool(moves)
            and moves[0].combo is not None
            and (moves[0].combo.cards == (card(led),))
        )

    return wanted


def plain_text(text: str) -> str:
    """A text without the marks around cards."""
    return text.replace("`", "")


# A rounds


async def test_the_board_of_an_a_round_shows_the_highest_card_and_the_taker(here: World) -> None:
    table = await start_four_players(here, seed=A_CARD_SEED)
    await play_until(here, table, is_turn_after_lead(0, "BA"), lead_a_cards)
    assert "**dev** played the 6:\n## 6\n-# Before: cleo A\n" in plain_text(here.read_board(table).text)
    opened = await here.open_hand("ann", table)
    assert "Highest takes all; if two tie, the first one" in private_reply(opened).text
    assert "✓ You can play J★; 6 stays highest." in plain_text(private_reply(await here.pick("ann", opened, "JK")).text)
    assert "✓ 13 beats 6." in plain_text(private_reply(await here.pick("ann", opened, "13n")).text)
    refused = "You can't pass in an A-round: play any one card."
    assert private_reply(await here.press("ann", table, "Pass")).text == refused
    await here.play("ann", table, cards("JK"))
    board = plain_text(here.read_board(table).text)
    assert "**dev** is highest so far with the 6:\n## 6\n-# In order: cleo A → dev 6 → ann J★\n" in board
    assert "assed" not in board
    here.leave_screen("ann")
    await play_until(here, table, is_turn_after_lead(1, "BA"), lead_a_cards)
    await here.play("ben", table, cards("JK"))
    board = plain_text(here.read_board(table).text)
    assert "-# Last round: cleo A → dev 6 → ann J★ → ben J★ → dev takes A 6 J★ J★\n" in board
    assert "Everyone knows that dev has 6 J★ J★." in board
    last = plain_text(private_reply(await here.press("ann", table, "Last round")).text)
    assert "dev: 6\nYou: J★\nben: J★\ndev takes A 6 J★ J★" in last
    assert "passes" not in last


def leads_beside_a_barred_card(match: Match) -> bool:
    """Tell whether the seat to lead holds an A card that cannot be led yet."""
    asks = [match.view(seat).ask for seat in match.awaited]
    return any(isinstance(ask, PlayAsk) and ask.barred for ask in asks)


def test_a_leader_with_a_barred_card_is_told_what_may_be_led() -> None:
    match = record_until(leads_beside_a_barred_card, "LA:std", A_CARD_SEED, how=lead_a_cards).replay()
    (seat,) = match.awaited
    said = plain_text(texts(hand(scene(match, 0, seat, chairs=chairs_named(*NAMES)), EN, where="Here")))
    assert "was taken last round, so you can't lead it yet.\nYou lead: play anything else.\n" in said


# Naming what jokers stand for


async def start_naming(here: World) -> Table:
    """Have ann lead two jokers that she has not named yet."""
    table = await start_four_players(here, "LA:named+stake=1")
    await here.advance(seconds=30)  # so that a turn that restarts would be seen
    seen, deadline, edits = here.read_board(table), table.row.deadline, here.requests("PATCH", BOARDS)
    assert deadline is not None
    await here.play("ann", table, cards("JK JK"))
    assert here.read_board(table) == seen  # nobody knows of it yet
    assert here.requests("PATCH", BOARDS) == edits
    assert table.row.deadline == deadline
    assert "JK" not in here.read_board(table).text
    return table


async def test_jokers_are_named_before_they_are_shown_even_after_a_restart(here: World) -> None:
    table = await start_naming(here)
    await here.restart()
    table = await here.reload(table)
    opened = await here.open_hand("ann", table)
    assert ASKED in plain_text(private_reply(opened).text)
    assert "Pick a card to name." in plain_text(private_reply(opened).text)
    assert "J★ J★" in plain_text(private_reply(opened).text)
    assert "Pass" not in private_reply(opened).buttons
    await here.press_on("ann", opened, "Hint")
    assert "Hint: name this one." in private_reply(opened).text
    await here.pick("ann", opened, "9n")
    await here.press_on("ann", opened, "As 9")
    assert [step.action for step in table.row.steps] == ["JK JK", "name 9n"]
    assert "**ann** played a set of jokers as 9s:\n## J★ J★" in plain_text(here.read_board(table).text)


async def test_jokers_are_named_by_command(here: World) -> None:
    table = await start_naming(here)
    assert (await here.slash("ann", "turn", move="pass")).text == "First, choose what your jokers stand for."
    offered = await here.ann.autocomplete(here.channel, "turn", "move", "")
    assert [choice["name"] for choice in offered] == [*map(str, range(1, 14)), "J★"]
    assert (await here.slash("ann", "turn", move="J J")).text == "Name one card, not 2."
    assert "You can't name" in (await here.slash("ann", "turn", move="a")).text
    await here.slash("ann", "turn", move="J")
    assert "Last round: ann J★ J★" in plain_text(here.read_board(table).text)  # nobody can raise that


# Cards without suits


def test_sorting_by_suit_is_not_offered_without_suits() -> None:
    seen = scene(record_until(lambda _: True, "LA:std", TWO_JOKERS).replay(), 0, 0)
    by_suit = Preferences(by_suit=True)  # of another table
    assert not [each for each in texts(settings(seen, by_suit, EN)).splitlines() if "Sort" in each]
    said = plain_text(texts(hand(seen, EN, where="Here", preferences=by_suit))).replace("\n", " ")
    assert "10 10" in said
    assert "12 12 12" in said


async def test_cards_without_suits_are_typed_as_numbers(here: World) -> None:
    table = await start_four_players(here)
    said = (await here.slash("ann", "turn", move="3d")).text
    assert said == "I can't read d as a card. Write cards like 5 5 J."
    await here.slash("ann", "turn", move="1010j")
    assert [step.action for step in table.row.steps] == ["10n 10n JK"]


# The end of a hand


def is_ended(match: Match) -> bool:
    """Tell whether a hand is over."""
    return match.game.result is not None


def test_a_hand_ends_with_places_by_penalty_points() -> None:
    match = record_until(is_ended, "LA:std+hands=1", TWO_JOKERS, how=lead_a_cards).replay()
    result = match.game.result
    assert result
    assert (result.order, result.points) == ((0, 3, 1, 2), (0, 32, 46, 30))
    said = plain_text(texts(board(scene(match, chairs=chairs_named(*NAMES)), EN)))
    assert "### ann wins the match\n🥇 **ann** · 0\n🥈 **dev** · 30\n🥉 **ben** · 32\n4\\. **cleo** · 46\n" in said
    assert "ben took the little a: 8 penalty points (2 5 J★ a).\n" in said


def test_a_replay_steps_through_a_match_round_by_round() -> None:
    record = record_until(is_ended, "LA:named+hands=1", A_CARD_SEED, how=lead_a_cards)
    playback = FullReplay.of(1, 1, record, chairs_named(*NAMES))
    steps = [plain_text(texts(playback.screen(step, EN))) for step in range(playback.last + 1)]
    assert any("The round: cleo A → dev 6 → ann J★ → ben J★ → dev takes A 6 J★ J★" in said for said in steps)
    assert any("**dev** is highest so far with the 6:" in said for said in steps)
    assert "New round" not in steps[-1]


def test_a_replay_shows_named_jokers() -> None:
    record = record_until(is_ended, "LA:named+hands=1", TWO_JOKERS, ((0, "JK JK"), (0, "name 9n")), how=lead_a_cards)
    playback = FullReplay.of(1, 1, record, chairs_named(*NAMES))
    read = plain_text(texts(playback.screen(1, EN)))
    assert "ann names 9." in read
    assert "**ann** played a set of jokers as 9s:" in read


# Nine


async def test_nine_people_play_a_hand(here: World) -> None:
    for name in MORE:
        here.arrive(name)
    table = await here.start_table(*NAMES[1:], *MORE, game="big_little_a", seats=9, hands=1)
    assert table.row.seats == 9
    await play_until(here, table, lambda match: match.game.result is not None, lead_a_cards)
    said = here.read_board(table).text
    assert "wins the match" in said
    assert all(f"**{name}**" in said for name in (*NAMES, *MORE))
    before = set(await here.parts.store.tables.open_tables())
    await here.press("ida", table, "Rematch")
    (again,) = set(await here.parts.store.tables.open_tables()) - before
    lobby = here.read_board(await here.parts.tables.get(again)).text
    assert "**ida** (host)" in lobby
    assert lobby.count("\\. free") == 8
