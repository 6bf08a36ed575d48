"""Whole matches in which every player presses everything: no card or seed leaks.

Here those of Big Two: one in each turn, under its presets and in the ways in which a table of any game can be played.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import ui

from bot.delivery.boards import boards
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import Give, Stop
from bot.rules.core.cards import cards, number_pack, pack, tiles
from bot.rules.matches.record import Record
from bot.rules.matches.seal import chain_seed
from bot.show.kit.custom_ids import Verb
from bot.show.kit.phrases import note
from bot.table.table import Table
from tests.secrecy.card_search import cards_in_text
from tests.secrecy.play_through import Plan, open_planned_table
from tests.secrecy.request_watch import Watch
from tests.secrecy.whole_matches import play_watched, with_special_deal
from tests.support.former_custom_ids import former_custom_id
from tests.support.world import world

drawing = sys.modules["bot.show.table.board"]

HOST_TAKES = "0" * 63 + "1"  # a seed of three: the host has the lowest card, and the extra card is the 2 of hearts
FOUR = ("ben", "cleo", "dev")
CHINESE = {"ben": "zh-CN", "dev": "zh-TW"}


def plan(name: str, rules: str, *people: str, **how: Any) -> Plan:
    """A match under rules of its own, people being curious now and then."""
    return Plan(name, people, options={"rules": rules}, curious=3, **how)


def out_of_turn(record: Record) -> bool:
    """Whether a player came in out of turn."""
    moments = zip(record.positions(), record.steps, strict=False)
    return any(seat not in match.awaited for match, (seat, _) in moments)


def exchanged(record: Record) -> bool:
    """Whether a card was given, and a player ended the match."""
    actions = [action for _, action in record.steps]
    return any(isinstance(action, Give) for action in actions) and actions[-1] == Stop()


def reshuffled(record: Record) -> bool:
    """Whether the stock was used up and made again."""
    return "reshuffles" in facts(record)


def announced(record: Record) -> bool:
    """Whether a player's last cards were announced."""
    return "announced" in facts(record)


def with_chips(record: Record) -> bool:
    """Whether chips were on the table."""
    return "chips" in facts(record)


def facts(record: Record) -> set[str]:
    """The names of every public fact so far."""
    return {name for match in record.positions() for name, _ in match.view(None).facts}


def any_match(_record: Record) -> bool:
    """Whether this is what is wanted: a table is what is special."""
    return True


def slow(game: Plan) -> Plan:
    """The same at a pace at which people get their hands by direct message."""
    return replace(game, options={**game.options, "pace": "slow"}, pause=125.0)


EXCHANGE = "B2:three+extra=face_down,exchange=loser_highest_for_any"
DRAWING = "B2:draw+stock=reshuffle,match=deals,deals=1"
THREAD = Plan(
    "four people in a Chinese thread, card emoji",
    FOUR,
    "zh-CN",
    CHINESE,
    emoji=True,
    threads=True,
    options={"hands": 1, "stake": 0},
    curious=3,
    deal=chain_seed(f"{29:064x}"),
)
TWO = Plan(
    "two tables at once, mixed languages, no clock",
    ("cleo",),
    "en-US",
    {"ann": "zh-CN", "dev": "zh-CN"},
    emoji=True,
    options={"hands": 1, "pace": "none"},
    tables=2,
    curious=6,
)
MATCHES = (
    (plan("honours out of turn", "B2:dle", *FOUR, number=42), out_of_turn),
    (slow(THREAD), any_match),
    (TWO, any_match),
    (slow(plan("exchange, and an extra card face down", EXCHANGE, "ben", hands=2, number=57)), exchanged),
    (Plan("alone among house players, two hands, plain", options={"hands": 2, "stake": 5}, curious=3), any_match),
    (slow(plan("drawing", DRAWING, "ben", "cleo", number=188)), reshuffled),
    (plan("tiles", "B2:tiles+deals=1", "ben", "cleo", emoji=True, number=47), with_chips),
    (slow(plan("locked passes", "B2:id", "ben", server="zh-CN", locales={"ann": "zh-CN"}, number=71)), announced),
)


@pytest.mark.rotates(8)
@pytest.mark.parametrize(("game", "special"), MATCHES, ids=[game.name for game, _ in MATCHES])
def test_whole_matches_leak_no_secret(game: Plan, special: Callable[[Record], bool]) -> None:
    seen = play_watched(with_special_deal(game, special) if "rules" in game.options else game, special)
    assert min(seen.users.values()) > 15 or special is not any_match, "everybody looked at a lot"
    assert bool(seen.direct) == (game.options.get("pace") == "slow"), (
        "hands by direct message were among what was looked at"
    )


@pytest.mark.soak
@pytest.mark.parametrize(
    "game", [pytest.param(game, id=game.name) for game, special in MATCHES if special is any_match]
)
def test_a_player_who_opens_everything_learns_no_secret(game: Plan) -> None:
    play_watched(replace(game, curious=1), any_match)


# The test can fail


async def leaks_of(folder: Path, plan: Plan) -> tuple[str, ...]:
    """Start a table in the plan's way and return what leaked on the way to the first play."""
    async with world(folder, deal=plan.deal or "0123456789abcdef" * 4) as here:
        watch = Watch(here)
        await open_planned_table(here, plan)
        return tuple(watch.leaks)


async def test_a_match_start_leaks_nothing(tmp_path: Path) -> None:
    assert await leaks_of(tmp_path, Plan("clean")) == ()


async def leaks_of_the_host(folder: Path, monkeypatch: pytest.MonkeyPatch, shown: Any) -> tuple[str, ...]:
    """Show to all what only the host of a table with an extra card face down may see. shown: gives it of the view."""
    scene = Table.scene
    monkeypatch.setattr(Table, "scene", lambda self, _viewer: scene(self, self.row.host))
    monkeypatch.setattr(drawing, "_facts", lambda _scene, view, w: shown(view, w))
    return await leaks_of(folder, Plan("leaking", options={"rules": "B2:three+extra=face_down"}, deal=HOST_TAKES))


async def test_a_board_drawn_for_a_seat_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (leak, *_) = await leaks_of_the_host(tmp_path, monkeypatch, lambda view, w: w.faces.show(view.hand))
    assert "user None sees" in leak


async def test_a_private_note_on_the_board_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (leak, *_) = await leaks_of_the_host(tmp_path, monkeypatch, lambda view, w: note(view.private_notes[0], w))
    assert "user None sees ['2h']" in leak


async def test_a_leaked_stock_card_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BigTwoGame, "view", _with_the_stock(BigTwoGame.view))
    (leak, *_) = await leaks_of(tmp_path, Plan("leaking", options={"rules": "B2:draw"}))
    assert "user None sees" in leak


def _with_the_stock(view: Any) -> Any:
    """Return a way to look at a game that tells too much."""

    def looking(game: BigTwoGame, seat: int | None) -> Any:
        return replace(view(game, seat), facts=(("draws", game.stock),))

    return looking


@pytest.mark.parametrize("how", ["address", "packed", "label", "option", "words"])
async def test_a_card_in_any_part_of_a_message_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(boards, "board", lambda scene, w, picture: _with_cards(drawing.board(scene, w, picture), how))
    leaks = await leaks_of(tmp_path, Plan("leaking"))
    assert any("user None sees" in leak for leak in leaks)
    assert any("in a component" in leak for leak in leaks) == (how in ("address", "packed", "option"))


async def test_a_number_card_on_the_board_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_facts", lambda _scene, _view, w: w("{cards}", cards=number_pack()))
    (leak, *_) = await leaks_of(tmp_path, Plan("leaking", options={"rules": "LA:std"}))
    assert "user None sees" in leak
    assert "<5n>" in leak or "5n" in leak


def _with_cards(view: Any, how: str) -> Any:
    """Put two cards somewhere on a board; one of them at least is in a player's hand."""
    (frame,) = view.children
    match how:
        case "address":
            frame.add_item(ui.ActionRow(ui.Button(label="Play", custom_id="bg:1:0:play:7h9c")))
        case "packed":
            address = former_custom_id(1, 0, Verb.PLAY, pack())
            frame.add_item(ui.ActionRow(ui.Button(label="Play", custom_id=address)))
        case "label":
            frame.add_item(ui.ActionRow(ui.Button(label="7♡ 9♣\ufe0e", custom_id="bg:1:0:play")))
        case "option":
            options = [discord.SelectOption(label="one", value="7h"), discord.SelectOption(label="two", value="9c")]
            frame.add_item(ui.ActionRow(ui.Select(custom_id="bp:1:0:pick9", options=options)))
        case "words":
            frame.add_item(ui.TextDisplay("The 7 of hearts and the 9 of clubs."))
    return view


async def test_a_leaked_seed_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_facts", lambda _scene, _view, _w: "0123456789abcdef" * 4)
    (leak, *_) = await leaks_of(tmp_path, Plan("leaking"))
    assert "a seed or a token" in leak


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("3d4cTs", "3d 4c Ts"),
        ("bg:7:3:play:3d", "3d"),
        ("3d.1", "3d"),
        ("`K♠︎`", "Ks"),
        ("♠3", "3s"),
        ("<:bg1_2h:77>", "2h"),
        ("the ace of spades", "As"),
        ("黑桃A", "As"),
        ("1d15s", "1d 15s"),
        ("`15♠︎`", "15s"),
        ("♢1", "1d"),
        ("11C", "11c"),
        ("<:bg1_13h:77>", "13h"),
        ("the 12 of clubs", "12c"),
        ("方块15", "15d"),
        ("10♡", "Th 10h"),
        ("10H.png", "Th 10h"),
        ("10h", "Th 10h"),
        ("<:bg1_10h:7>", "Th 10h"),
        ("红桃10", "Th 10h"),
        ("5n", "5n"),
        ("bg:7:3:play:5n13nJK", "5n 13n JK"),
        ("12n.3", "12n"),
        ("<:bg1_12n:77>", "12n"),
        ("<:bg1_jk:77>", "JK"),
        ("`5 5 J★`", "5n JK"),
        ("`13` `1`", "13n 1n"),
        ("`9 a A`", "9n"),
    ],
)
def test_a_card_is_found_in_any_spelling(text: str, held: str) -> None:
    assert set(cards_in_text(text)) == set(cards(held))


@pytest.mark.parametrize("select", [False, True])
def test_cards_are_found_in_a_packed_custom_id(*, select: bool) -> None:
    address = former_custom_id(7, 3, Verb.PICK if select else Verb.PLAY, tiles()[:55], part=int(select), select=select)
    assert "=" in address
    assert set(cards_in_text(address)) >= set(tiles()[:55])


def test_texts_without_cards_contain_none() -> None:
    text = (
        "bg:7:3:pick1 deal 3d5c6h7s8a as soon as 12 d, 12d4 16s 0h <t:1767225720:R> 11 cards 100d 1 h LA:std 14n `15`"
    )
    assert not list(cards_in_text(text))
