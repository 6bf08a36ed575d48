"""Nobody has agreed to unseen terms: the count in a lobby, its changes, and what is shown of them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from bot.domain.chairs import Chair, Revision
from bot.domain.house_rules import HouseRules, Owner
from bot.domain.pace import Pace
from bot.games import GAMES
from bot.rules.variants.registration import VERSION
from bot.rules.variants.ruleset import Ruleset, read_code
from bot.show.kit.words import words
from bot.show.rulebook.ruleset import BookRules
from bot.show.table import lobby as shown
from bot.show.table.board import board
from bot.show.table.rule_card import differing, terms
from bot.store.rows import TableChange
from bot.table.core.lobby import JUST_CHANGED, MIN_READING_TIME
from bot.table.core.state import record_of
from bot.table.table import Table
from tests.people.test_options import fill_table, most_changed_rules, open_lobby_menu, open_options
from tests.support.message_text import private_reply
from tests.support.scenes import NOW, check_limits, lobby, person, texts, with_changes, words_of_every_language
from tests.support.world import SHORT_HANDS, World

ONE, OTHER = "B2:std+stake=74,match=deals,hands=70", "B2:std+stake=217,match=deals,hands=21"
CHANGED = "The rules have changed since that button was shown."


def old_number(code: str) -> int:
    """The number that rules had until release 1.2: 30 bits of what they are."""
    game, preset, changes = read_code(code, GAMES)
    digest = sha256(f"{game.name} {Ruleset.of(game, preset, changes).rules.options!r}".encode()).digest()
    return int.from_bytes(digest[:8]) % 999_999_999 + 1


async def wait_for_view(here: World) -> None:
    """Wait until a change counts as seen."""
    await here.advance(seconds=MIN_READING_TIME.total_seconds())


async def enter_rule_code(here: World, table: Table, code: str) -> None:
    """Set the rules of a code as Ann."""
    menu = await open_options(here, table)
    await menu.press("More…")
    await menu.fill("Enter a rule code…", rule_code=code)


# The attack that once succeeded


async def test_rule_sets_with_colliding_checksums_are_agreed_separately(here: World) -> None:
    assert old_number(ONE) == old_number(OTHER)
    table = await fill_table(here, "ben", rules=ONE)
    assert "**ben**: ready" in here.read_board(table).text
    seen = here.board(table)
    await enter_rule_code(here, table, OTHER)
    assert "**ben**: hasn't agreed to these rules yet" in here.read_board(table).text
    await wait_for_view(here)
    assert private_reply(await here.click_stale("ann", seen, "Start")).text.startswith(CHANGED)
    assert "haven't agreed to the rules yet: ben." in private_reply(await here.press("ann", table, "Start")).text
    assert table.stage == "lobby"


async def test_hands_stake_and_pace_stay_on_the_board_with_many_changes(here: World) -> None:
    rules = most_changed_rules("pagat").but(stake=997, match_end="deals", deals=100)
    table = await here.open_table(rules=rules.code, pace="slow")
    said = here.read_board(table).text
    assert "players · 100 hands · stake 997 · Relaxed: 1 day a move" in said
    assert "rules differ** here. Join shows them too." in said
    whole = private_reply(await here.press("cleo", table, "Show them"))
    assert "Agree and join" in whole.buttons
    assert " · stake 1 · Live" in here.read_board(await here.open_table()).text, "a stake that comes with the preset"
    none = here.read_board(await here.open_table(stake=0)).text
    assert "agrees to end it · Live" in none
    assert "but no stake" in none


# The count


async def test_the_edition_rises_only_with_changed_terms(here: World) -> None:
    table = await fill_table(here, "ben", preset="hk")
    assert table.row.edition == 1  # the person who sat down
    menu = await open_options(here, table)
    for change in ("stake=0", "stake=5", "stake=5", "stake=0"):  # one of them changes nothing
        await menu.to("stake")
        await menu.choose("rule_set", change)
        await menu.back()
    assert table.row.edition == 4
    await (await open_lobby_menu(here, table)).choose("pace", "relaxed")
    assert table.row.edition == 5
    assert "Relaxed: 1 day a move" in here.read_board(table).text
    await here.press("ben", table, "Leave")
    assert table.row.edition == 5
    await here.restart()
    assert (await here.reload(table)).row == table.row


# What has changed


# Time to look


async def test_a_click_does_not_agree_to_terms_changed_a_moment_ago(here: World) -> None:
    table = await here.open_table()
    await here.sit_down("ben", table)
    await (await open_options(here, table)).set("stake", "5")
    for seconds in (0, 1):
        await here.advance(seconds=seconds)
        for name, label in (("ben", "Ready"), ("cleo", "Join")):
            refused = private_reply(await here.press(name, table, label))
            assert refused.text.startswith("ann just changed the rules.")
            assert "stake 1 → stake 5" in refused.text
            assert f"{name}**: ready" not in here.read_board(table).text
    await here.advance(seconds=1)
    for name, label in (("ben", "Ready"), ("cleo", "Join")):
        await here.press(name, table, label)
        assert f"**{name}**: ready" in here.read_board(table).text


# What does not fit the board


async def test_terms_too_long_for_the_board_are_joined_from_the_full_list(here: World) -> None:
    rules = most_changed_rules("pagat")
    table = await here.open_table(rules=rules.code)
    shown = await here.press("ben", table, "Join")
    assert [chair.name for chair in table.row.chairs] == ["ann"]
    every = BookRules.of_scene(table.scene(None)).say(differing(BookRules.of_scene(table.scene(None))), words("en-US"))
    assert len(every) > 40
    assert all(f"\n- {each}" in private_reply(shown).text for each in every)
    await here.press_on("ben", shown, "Agree and join")
    assert "**ben**: ready" in here.read_board(table).text
    await (await open_lobby_menu(here, table)).choose("pace", "relaxed")
    await wait_for_view(here)
    shown = await here.press("ben", table, "Ready")
    assert "**ben**: hasn't agreed to these rules yet" in here.read_board(table).text
    assert "Live → Relaxed" in private_reply(shown).text
    await (await open_lobby_menu(here, table)).choose("pace", "none")
    await wait_for_view(here)
    shown = await here.press_on("ben", shown, "Agree")
    assert private_reply(shown).text.startswith(CHANGED), "what stands on a private screen grows old as well"
    assert "No clock" in private_reply(shown).text
    assert "**ben**: hasn't agreed to these rules yet" in here.read_board(table).text
    shown = await here.press_on("ben", shown, "Agree")
    assert private_reply(shown).buttons["Agree"][1]
    assert "**ben**: ready" in here.read_board(table).text


@pytest.mark.parametrize("preset", ["pagat", "indonesia", "lectio_tiles"])
def test_all_terms_of_a_lobby_fit_one_message(preset: str) -> None:
    rules = most_changed_rules(preset)
    scene = with_changes(lobby(rules.rules, (Chair(0, person(0), "ann"),), **rules.changes), preset=preset)
    for w in words_of_every_language():
        check_limits(terms(scene, w, w(JUST_CHANGED, name="n" * 40)))


async def test_a_rematch_with_changed_terms_shows_them_first(here: World) -> None:
    table = await here.finish_instantly("ben")
    await here.press("ann", table, "Rematch")
    again = await here.parts.tables.get(max(await here.parts.store.tables.open_tables()))
    await (await open_options(here, again)).set("stake", "50")
    await wait_for_view(here)
    shown = await here.press("ben", table, "Rematch")
    assert [chair.name for chair in again.row.chairs] == ["ann", "Mei", "Otto"]
    assert "stake 1 → stake 50" in private_reply(shown).text
    await here.press_on("ben", shown, "Agree and join")
    assert [chair.name for chair in again.row.chairs][:2] == ["ann", "ben"]
    assert again.stage == "playing"


# Numbers out of bounds


async def test_house_rules_of_older_versions_are_listed_and_refused_with_a_reason(here: World) -> None:
    owner = Owner("person", here.ann.id)
    await here.parts.store.house_rules.save(
        HouseRules(
            owner=owner,
            name="Friday",
            game="big_two",
            preset="hong_kong",
            options={"stake": 997_154},
            by=here.ann.id,
            at=here.env.now(),
        )
    )
    assert (await here.slash("ann", "deal", preset="Friday")).text == "At a new table, stake can be 0 to 1000."
    assert not await here.parts.store.tables.open_tables()
    table = await here.open_table()
    menu = await open_options(here, table)
    await menu.press("More…")
    assert "stake can be 0 to 1000" in (await menu.fill("Enter a rule code…", rule_code="Friday")).text
    assert table.row.edition == 1


async def test_a_match_with_rules_now_out_of_bounds_is_shown_but_has_no_rematch(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table(hands=1)
    await here.play_hand(table)
    await here.parts.store.tables.save(table.id, TableChange(options={**table.row.options, "stake": 997_154}, rules=1))
    await here.restart()
    table = await here.reload(table)
    assert record_of(table.row).replay().over
    assert max(map(abs, table.scene(None).tally.nets)) >= 997_154
    assert private_reply(await here.press("ann", table, "Rematch")).text == "At a new table, stake can be 0 to 1000."


async def test_a_match_keeps_the_rules_version_of_its_start(here: World) -> None:
    table = await fill_table(here)
    out_of_bounds = {"stake": 997_154}

    async def kept(**change: Any) -> Table:
        """Store the table as an earlier release would have."""
        await here.parts.store.tables.save(table.id, TableChange(rules=1, **change))
        await here.restart()
        return await here.reload(table)

    table = await kept(options=out_of_bounds)
    assert "stake can be 0 to 1000" in private_reply(await here.press("ann", table, "Start")).text
    assert "stake 997154" in here.read_board(table).text
    assert table.stage == "lobby"
    table = await kept(options={})
    await here.press("ann", table, "Start")
    assert (table.row.rules, record_of(table.row).version) == (VERSION, VERSION)
    table = await kept(options=out_of_bounds)
    assert (record_of(table.row).version, table.ruleset.value("stake")) == (1, 997_154)
    assert table.stage == "playing"


# Room on the board

LONGEST_CODE = (
    "B2:draw+players=5,deck=tiles60,suits=cshd,direction=alternate,first_way=clockwise,hand=all,first_card=next_player,"
    "dealer=round_draw,starter=first_low_then_winner,round=12,low_card=false,pile=face_up,triples=false,flushes=false,"
    "quads=bare,sf=plus_two,suited_run=illegal,straights=23456_top_a2345_second,two_decides=false,flush=top_card,"
    "order=royal_only_beats_quads,house_over_straight=false,honours=any,out_of_turn=true,pass=locked_beat_own,"
    "announce=1.2,one_card=forced,pay_test=breach,pay_basis=to_winner,last_ban=highest_two,play_on=play_on,draw=none,"
    "stock=reshuffle,scoring=indonesia,bands=1:90;7:91;13:90;19:91;25:90;31:91;37:90;43:91;49:90,bands_for=starter_only,"
    "twos_left=true,final_twos=true,values=85.86.87.88.89.90.91.92.93.94.95.96.97.98.99,values_double=none,finish=replace,"
    "places=-100.-100.-100.-100.-100.-100.-100.-100.-100,settlement=difference_banded,"
    "diff_bands=1:90;7:91;13:90;19:91;25:90;31:91;37:90;43:91;49:90,stake=0,match=target,target=500,hands=10,chips=100,"
    "tie=extra_deal"
)
OTHERS = {
    "bands": tuple((at * 6 + 2 - (at == 0), 80) for at in range(9)),
    "diff_bands": tuple((at * 6 + 2 - (at == 0), 80) for at in range(9)),
    "places_points": (-99,) * 9,
    "pass_rule": "may_return",
    "value_scale": tuple(range(84, 99)),
}


def test_a_lobby_fits_its_message_whatever_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Ruleset.of(*read_code(LONGEST_CODE, GAMES))
    chairs = tuple(Chair(seat, person(seat), "*" * 32) for seat in range(5))
    last = Revision(
        by=person(1),
        name="*" * 32,
        at=NOW,
        preset=rules.preset,
        options={**rules.changes, **OTHERS},
        pace=Pace("live", on_timeout="house"),
    )
    scene = with_changes(
        lobby(rules.rules, chairs, **rules.changes),
        preset=rules.preset,
        edition=9,
        revised=last,
        awaited=frozenset(range(5)),
        uncounted="alone",
    )
    for w in words_of_every_language():
        check_limits(board(scene, w))
        check_limits(terms(scene, w, w(JUST_CHANGED, name="*" * 32)))
    english = words("en-US")
    monkeypatch.setattr(shown, "TEXT_LIMIT", board(scene, english).content_length() - 1)
    short = texts(board(scene, english))
    assert "\u2192" not in short
    assert ": 5 more" in short
    assert "until someone has 500 points · Live" in short
    assert f"`{rules.code}`" in short
    monkeypatch.setattr(shown, "TEXT_LIMIT", board(scene, english).content_length() - 1)
    assert f"`{rules.code}`" not in texts(board(scene, english))
