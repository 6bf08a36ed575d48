"""An order is for the trick, the moment or the stake it was offered for; a click that comes too late is told so."""

from __future__ import annotations

import discord
import pytest
from simcord.results import InteractionResult

from bot.ai.plain import timeout_action
from bot.rules.core.asks import Choose, Give, NameAsk, Pass
from bot.rules.matches.match import Match
from bot.show.kit.custom_ids import Press, Verb
from bot.table.core.commands import Act, WithdrawPremoves
from bot.table.table import Table
from tests.interactions.clicks import message_snapshot, send_click
from tests.people.a_bao import start_second_round
from tests.people.big_a import NAMES as FIVE
from tests.people.big_a import PLANS, WINDOW_2, question_to, show_nothing, start_draw
from tests.people.positions import play_until, play_weakly
from tests.support.message_text import ParsedMessage, option_value, private_reply
from tests.support.world import World

# Whoever sits there holds: ann 3d 3c 4d 7s 8c 8s 9d 9c 9h Jd Kh Ah As; ben 3h 4c 5d 5c 6h 7d 8d 9s Ts Qh Kd Ad Ac;
# cleo 4h 4s 5s 7h 8h Jc Jh Js Qd Ks 2c 2h 2s; dev 3s 5h 6d 6c 6s 7c Td Tc Th Qc Qs Kc 2d.
PASS, LATE, CALLBACK = "Queue pass", "The game has moved on", "/interactions/*/callback"


@pytest.fixture
async def table(here: World) -> Table:
    """A table at which ann has led the three of diamonds, and ben is asked."""
    table = await here.start_table("ben", "cleo", "dev")
    await here.play_directly("ann", table, "3d")
    return table


def message(shown: InteractionResult) -> discord.Message:
    assert shown.response
    return shown.response.message


async def choose_in_menu(here: World, name: str, shown: InteractionResult, said: str) -> InteractionResult:
    """Select an entry of the present premove menu; return the reply."""
    return await here._choose(name, shown, "orders", [said])


class OpenMenus:
    """A user's open menus, used later."""

    def __init__(self, here: World, name: str, shown: InteractionResult) -> None:
        self._here, self._name, self._shown = here, name, shown
        self._seen, self._menus = message_snapshot(here, message(shown)), private_reply(shown).selects

    async def choose(self, *said: str, verb: str = "orders") -> str:
        """Choose an option with this text; return the answer."""
        here, who = self._here, self._here.people[self._name]
        for address, there in self._menus.items():
            chosen = [option_value(there, each) for each in said]
            if f":{verb}:" in address and None not in chosen:
                values = [value for value in chosen if value]
                await send_click(here, who, message(self._shown), address, values, seen=self._seen)
                return private_reply(self._shown).text
        raise LookupError(f"no menu with {said} in {self._menus}")


def stored_premoves(table: Table, seat: int) -> str:
    return table.row.chairs[seat].premoves


def has_top(match: Match) -> bool:
    return match.view(None).trick.top is not None


async def play_next_lead(here: World, table: Table) -> None:
    """Pass for all, and lead the four of diamonds as ann, without opening hands again."""
    for name in ("ben", "cleo", "dev"):
        await table.do(Act(here.people[name].id, Pass()))
    await here.play_directly("ann", table, "4d")


async def play_to_next_trick(here: World, table: Table) -> None:
    """Play on until the next trick has a play."""
    assert table.match
    before = len(table.match.view(None).tricks)
    await play_until(here, table, lambda match: len(match.view(None).tricks) > before and has_top(match))


# An order is for its trick


async def test_a_pass_for_a_trick_is_late_after_the_next_lead(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", game="tien_len")
    match = await play_until(here, table, has_top)
    (asked,) = match.awaited
    waits = (asked + 1) % 4
    name = list(here.people)[waits]
    shown = await here.open_hand(name, table)
    seen = message(shown)
    await play_to_next_trick(here, table)
    assert table.match
    assert waits not in table.match.awaited
    late = await here.click_stale(name, seen, PASS)
    assert LATE in private_reply(late).text
    assert not stored_premoves(table, waits)


async def test_a_player_who_passed_is_offered_no_premove_for_the_trick(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", game="tien_len")
    match = await play_until(here, table, has_top)
    (seat,) = match.awaited
    name = list(here.people)[seat]
    await table.do(Act(here.people[name].id, Pass()))
    await here.settle()
    shown = await here.open_hand(name, table)
    assert all(private_reply(shown).buttons[label][1] for label in (PASS, "Queue play")), "both are off"
    behind = await here.press_on(name, shown, "⋯")
    offered = [value.split()[0] for there in private_reply(behind).selects.values() for value in there]
    assert not {"pass", "list", "if", "beat", "lead", "until"} & set(offered)
    assert "on" in offered, "which is for no trick"


async def test_a_premove_for_the_running_trick_is_accepted_after_further_plays(here: World, table: Table) -> None:
    shown = await here.open_hand("dev", table)
    seen = message(shown)
    await here.play_directly("ben", table, "4c")
    said = await here.click_stale("dev", seen, PASS)
    assert "You'll pass until this trick ends." in private_reply(said).text
    assert stored_premoves(table, 3)


def is_near_last_cards(match: Match) -> bool:
    """Tell whether a player who follows comes down to one or two cards by their weakest play, and a third one waits."""
    view = match.view(next(iter(match.awaited)))
    left = [len(view.hand) - len(play.cards) for play in view.plays.first(1)]
    return has_top(match) and left in ([1], [2])


async def test_a_premove_that_last_cards_would_have_ended_is_late(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", hands=8)
    match = await play_until(here, table, is_near_last_cards)
    (seat,) = match.awaited
    waits = next(other for other in range(4) if other != seat and not match.view(other).is_out_of_trick)
    name = list(here.people)[waits]
    seen = message(await here.open_hand(name, table))
    await table.do(Act(here.people[list(here.people)[seat]].id, play_weakly(match.view(seat))))
    await here.settle()
    late = await here.click_stale(name, seen, PASS)
    assert LATE in private_reply(late).text
    assert not stored_premoves(table, waits)


async def test_a_premove_if_unchanged_refers_to_the_top_shown_in_the_menu(here: World, table: Table) -> None:
    behind = {}
    for name in ("cleo", "dev"):
        shown = await here.open_hand(name, table)
        await here.pick(name, shown, "2c" if name == "cleo" else "2d")
        behind[name] = await here.press_on(name, shown, "⋯")
    assert "3♢" in private_reply(behind["cleo"]).text, "the menu says what lies there"
    opened, before = OpenMenus(here, "cleo", behind["cleo"]), private_reply(behind["dev"])
    await here.play_directly("ben", table, "Ac")
    assert LATE in await opened.choose("if")
    assert private_reply(behind["dev"]) == before, "it is not redrawn for a play of others"
    assert LATE in private_reply(await choose_in_menu(here, "dev", behind["dev"], "if")).text
    assert not stored_premoves(table, 2)
    assert not stored_premoves(table, 3)
    assert here.current_player(table) == "cleo"


async def test_a_premove_for_a_trick_is_late_in_the_next_one_unlike_auto_pass(here: World, table: Table) -> None:
    shown = await here.open_hand("dev", table)
    await here.pick("dev", shown, "2d")
    seen, menu = message(shown), OpenMenus(here, "dev", await here.press_on("dev", shown, "⋯"))
    await play_next_lead(here, table)
    for said in ("pass", "list", "beat", "lead", "until"):
        assert LATE in await menu.choose(said), said
        assert not stored_premoves(table, 3), said
    assert LATE in private_reply(await here.click_stale("dev", seen, "Queue 2♢")).text
    assert not stored_premoves(table, 3)
    assert LATE not in await menu.choose("on")
    assert stored_premoves(table, 3)


async def test_custom_ids_and_values_of_an_earlier_release_are_late(here: World, table: Table) -> None:
    shown = await here.open_hand("cleo", table)
    await here.pick("cleo", shown, "2c")
    for place in range(4):
        for verb in ("before", "unsay"):
            late = await here.forge(here.people["cleo"], shown, f"bg:{table.id}:{verb}:1.{place}")
            assert LATE in private_reply(late).text, (verb, place)
            assert not stored_premoves(table, 2), (verb, place)
    for value in ("pass", "if", "list", "on", "call", "call 5c", "upto 2", "say pass"):
        result = await send_click(here, here.people["cleo"], message(shown), f"bg:{table.id}:orders:1", [value])
        assert LATE in private_reply(result).text, value
        assert not stored_premoves(table, 2), value


async def test_withdrawing_a_premove_applies_to_the_running_trick_only(here: World, table: Table) -> None:
    shown = await here.open_hand("cleo", table)
    await here.press_on("cleo", shown, PASS)
    seen = message(shown)
    for name in ("ben", "dev"):
        await here.play_directly(name, table)
    await here.play_directly("ann", table, "4d")
    await here.press_on("cleo", await here.open_hand("cleo", table), PASS)
    assert stored_premoves(table, 2)
    (chip,) = (address for label, (address, _) in ParsedMessage.of(seen).buttons.items() if label == "Cancel pass")
    late = await here.forge(here.people["cleo"], await here.open_hand("cleo", table), chip)
    assert LATE in private_reply(late).text
    assert stored_premoves(table, 2), "which was said of the second trick"


# In a bidding, and in a draw


async def test_a_card_is_never_called_for_more_than_the_menu_showed(here: World) -> None:
    table = await start_second_round(here)
    behind = await here.press_on("cleo", await here.open_hand("cleo", table), "⋯")
    opened = OpenMenus(here, "cleo", behind)
    await here.slash("ann", "turn", move="Kc")
    assert table.match
    gift = timeout_action(table.match.view(0))
    assert isinstance(gift, Give)
    await here.slash("ann", "turn", move=str(gift.cards[0]))
    view = table.scene(here.people["cleo"].id).view
    assert view
    assert isinstance(view.next_ask, NameAsk)
    assert LATE in await opened.choose(f"call {view.next_ask.cards[-1]}")
    assert not stored_premoves(table, 2)


async def test_the_stake_limit_belongs_to_the_called_card(here: World) -> None:
    table = await start_second_round(here)
    view = table.scene(here.people["cleo"].id).view
    assert view
    assert isinstance(view.next_ask, NameAsk)
    shown = await here.press_on("cleo", await here.open_hand("cleo", table), "⋯")
    await choose_in_menu(here, "cleo", shown, f"call {view.next_ask.cards[-1]}")
    opened = OpenMenus(here, "cleo", await here.press_on("cleo", shown, "⋯"))
    await table.do(WithdrawPremoves(here.people["cleo"].id, ("call",)))
    assert LATE in await opened.choose("upto 2")
    assert not stored_premoves(table, 2), "it does not become a pass"


async def test_an_answer_queued_for_a_window_is_late_in_the_next_one(here: World) -> None:
    table = await start_draw(here)
    opened = OpenMenus(here, "cleo", await here.press_on("cleo", await here.open_hand("cleo", table), "⋯"))
    await table.do(Act(here.people["cleo"].id, Choose((question_to(here, table, "cleo").answers[0].code,))))
    await show_nothing(here, table, *(name for name in FIVE if name != "cleo"))
    assert WINDOW_2 in here.read_board(table).text
    assert LATE in await opened.choose("expose:c", "silent", verb="order")
    assert not question_to(here, table, "cleo").given
    assert not question_to(here, table, "cleo").standing


async def test_in_a_live_draw_a_plan_applies_to_the_whole_draw(here: World) -> None:
    table = await start_draw(here, "BA:std+draw=live")
    opened = OpenMenus(here, "cleo", await here.press_on("cleo", await here.open_hand("cleo", table), "⋯"))
    before = table.moment
    await here.advance(seconds=30)
    assert table.moment > before
    assert LATE not in await opened.choose("silent", verb="order")
    assert "silent" in question_to(here, table, "cleo").standing


# Acknowledged first


async def click_that_fails(
    here: World, name: str, on: discord.Message, address: str, values: list[str] | None = None
) -> None:
    """Send a click whose response fails in Discord."""
    here.env.inject_error("POST", CALLBACK, status=404, code=10062, times=1)
    await send_click(here, here.people[name], on, address, values)
    assert not here.env.backend.faults


async def test_an_interaction_that_failed_in_discord_changes_no_premove(here: World, table: Table) -> None:
    shown = await here.open_hand("cleo", table)
    await here.pick("cleo", shown, "2c")
    for label in (PASS, "Queue 2♣\ufe0e"):
        await click_that_fails(here, "cleo", message(shown), private_reply(shown).buttons[label][0])
        assert not stored_premoves(table, 2), label
    behind = await here.press_on("cleo", shown, "⋯")
    for address, there in private_reply(behind).selects.items():
        for value in there if ":orders:" in address else ():
            await click_that_fails(here, "cleo", message(behind), address, [value])
            assert not stored_premoves(table, 2), value
    await click_that_fails(here, "cleo", message(behind), str(Press(table.id, Verb.PASS_ON, at=1)))
    assert not stored_premoves(table, 2)
    shown = await here.open_hand("cleo", table)
    await here.press_on("cleo", shown, PASS)
    await click_that_fails(here, "cleo", message(shown), private_reply(shown).buttons["Cancel pass"][0])
    assert stored_premoves(table, 2)


async def test_a_plan_whose_interaction_failed_is_dropped_and_a_slow_one_acknowledged_once(here: World) -> None:
    table = await start_draw(here)
    shown = await here.open_hand("cleo", table)
    for label in PLANS[:3]:
        await click_that_fails(here, "cleo", message(shown), private_reply(shown).buttons[label][0])
        assert not question_to(here, table, "cleo").given, label
    behind = await here.press_on("cleo", shown, "⋯")
    for address, there in private_reply(behind).selects.items():
        if ":order:" in address:
            await click_that_fails(here, "cleo", message(behind), address, [there[0]])
    assert not question_to(here, table, "cleo").given
    shown = await here.open_hand("cleo", table)
    before = here.requests("POST", CALLBACK)
    here.env.slow_answers(2.0)
    await here.press_on("cleo", shown, PLANS[0])
    assert question_to(here, table, "cleo").given
    assert here.requests("POST", CALLBACK) == before + 1
    assert private_reply(shown).given == (PLANS[0],)
