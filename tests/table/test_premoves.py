"""Plays that wait for their player's turn: what each kind does in a trick, and what ends it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.rules.core.asks import Pass, Play
from bot.rules.core.cards import Cards, cards
from bot.rules.core.premoves import PremoveKind, can_create, end_reason, new_premove
from bot.rules.matches.match import Match
from bot.table.core import play
from bot.table.core.chairs import premoves_of
from bot.table.core.commands import Act, Pause, Resume, SavePremove
from tests.rules.positions import table
from tests.table.game import MO, Game
from tests.table.world import PEOPLE

HANDS = (
    "3d 3c 4d 7s 8c 8s 9d 9c 9h Jd Kh Ah As",
    "3h 4c 5d 5c 6h 7d 8d 9s Ts Qh Kd Ad Ac",
    "4h 4s 5s 7h 8h Jc Jh Js Qd Ks 2c 2h 2s",
    "3s 5h 6d 6c 6s 7c Td Tc Th Qc Qs Kc 2d",
)
ANN, BEN, CLEO, DEV = range(4)


def dealt(*hands: str, leads: str = "3d") -> Game:
    """Return a match of four with these cards, after seat 0 has led."""
    game = Game("none", 4)
    known, state = game.match, game.world.state
    assert state.match is not None
    position = table(*hands, of=known.rules)  # type: ignore[arg-type]
    game.world.state = replace(state, match=Match(known.rules, seed="seed", game=position))
    lay(game, leads)
    return game


def lay(game: Game, *plays: str) -> None:
    """Play cards for the awaited players, "-" for a pass, and every due premove."""
    for each in plays:
        game.send(Act(game.awaited, Pass() if each == "-" else Play(cards(each))))
        while game.row.premove_at:
            game.ring()


def queue(game: Game, seat: int, kind: PremoveKind, *plays: str) -> None:
    """Queue a premove."""
    game.send(SavePremove(PEOPLE[seat], kind=kind, plays=tuple(map(cards, plays))))


def by_order(game: Game) -> list[str]:
    """Return the actions made by premove, as seat and action."""
    return [f"{step.seat} {step.action}" for step in game.row.steps if step.by == "order"]


def ended(game: Game, seat: int) -> list[str]:
    """Return why premoves of a seat ended."""
    return [end_reason(one).reason for one in premoves_of(game.row.chairs[seat]) if one.kind == "off"]


def test_a_player_with_a_queued_pass_is_not_asked_in_the_trick() -> None:
    game = dealt(*HANDS)
    queue(game, CLEO, "pass")
    lay(game, "-")
    assert (by_order(game), game.seat) == (["2 pass"], DEV)


def test_a_queued_play_is_made_when_legal_and_passes_afterwards() -> None:
    game = dealt(*HANDS)
    queue(game, CLEO, "list", "7h")
    lay(game, "4c")
    assert by_order(game) == ["2 7h"]
    lay(game, "Td", "Jd", "Qh")
    assert (by_order(game), game.seat) == (["2 7h", "2 pass"], DEV), "it is on the pile already"


def test_a_queued_play_that_does_not_beat_is_a_pass() -> None:
    game = dealt(*HANDS)
    queue(game, CLEO, "list", "4h")
    lay(game, "9s")
    assert by_order(game) == ["2 pass"]


def test_the_lowest_play_that_beats_is_made_up_to_the_limit() -> None:
    game = dealt(*HANDS)
    queue(game, CLEO, "beat", "8h")
    lay(game, "6h")
    assert by_order(game) == ["2 7h"]
    game = dealt(*HANDS)
    queue(game, CLEO, "beat", "8h")
    lay(game, "9s")
    assert by_order(game) == ["2 pass"]


def test_a_second_queued_play_is_made_if_the_first_is_illegal() -> None:
    game = dealt(*HANDS)
    queue(game, CLEO, "list", "4h", "Jc")
    lay(game, "9s")
    assert by_order(game) == ["2 Jc"]


@pytest.mark.parametrize(
    ("limit", "wanted", "lies", "done"),
    [
        ("3d", "4h", "-", ["2 4h"]),  # nobody has played higher
        ("3d", "4h", "3h", []),
        ("7h", "Jc", "6h", ["2 Jc"]),
        ("7h", "Jc", "8d", []),
    ],
)
def test_a_limited_play_is_made_unless_the_top_is_higher(limit: str, wanted: str, lies: str, done: list[str]) -> None:
    game = dealt(*HANDS)
    queue(game, CLEO, "if", limit, wanted)
    lay(game, lies)
    assert by_order(game) == done
    assert ended(game, CLEO) == ([] if done else ["higher"])
    assert game.seat == (DEV if done else CLEO)


def test_a_limit_has_the_size_of_the_top_and_is_not_below_it() -> None:
    game = dealt(*HANDS)
    lay(game, "5d", "7h")
    view = game.match.view(BEN)

    def fits(*limit: str) -> bool:
        return can_create(new_premove(view, "if", cards(" ".join(limit)), cards("Qh")), view)

    assert [fits("3h"), fits("5c", "9s"), fits("8d")] == [False, False, True]


def test_a_pass_until_the_size_changes_lasts_into_the_next_trick() -> None:
    game = dealt(*HANDS)
    queue(game, CLEO, "until")
    lay(game, "6h", "2d", "-", "-", "3s", "-", "-")
    assert by_order(game) == ["2 pass"] * 3
    lay(game, "6d 6c", "-", "-")
    assert (game.seat, ended(game, CLEO)) == (CLEO, ["other"])


def test_the_winner_of_the_trick_leads_the_queued_play() -> None:
    game = dealt(*HANDS)
    lay(game, "4c", "2h")
    queue(game, CLEO, "lead", "Jc Jh")
    lay(game, "-", "-", "-")
    assert by_order(game) == ["2 Jc Jh"]
    assert not game.row.chairs[CLEO].premoves


def test_queued_plays_end_with_the_trick() -> None:
    game = dealt(*HANDS)
    queue(game, DEV, "pass")
    lay(game, "4c", "2s")
    while game.seat != CLEO:
        lay(game, "-")
    assert not game.row.chairs[DEV].premoves


def test_acting_in_person_cancels_auto_pass() -> None:
    game = dealt(*HANDS)
    queue(game, BEN, "on")
    assert game.row.chairs[BEN].premoves
    lay(game, "4c")
    assert not game.row.chairs[BEN].premoves


@pytest.mark.parametrize(("left", "why"), [("3h 9s Ts", "two"), ("3h 9s", "one")])
def test_a_queued_pass_ends_when_a_player_has_two_cards_left(left: str, why: str) -> None:
    game = dealt(HANDS[0], left, HANDS[2], HANDS[3])
    queue(game, DEV, "pass")
    lay(game, "9s")
    assert ended(game, DEV) == [why]
    lay(game, "-")
    assert (by_order(game), game.seat) == ([], DEV)


def test_a_premove_that_would_end_at_once_or_names_other_cards_is_refused() -> None:
    game = dealt(*HANDS)
    lay(game, "4c")  # it is cleo's turn
    for kind, plays in (("lead", ("3c",)), ("list", ("3d",)), ("list", ("4h 5s",)), ("off", ())):
        named: tuple[Cards, ...] = tuple(map(cards, plays))
        wrong = SavePremove(PEOPLE[CLEO], kind=kind, plays=named)  # type: ignore[arg-type]
        assert game.send_refused(wrong).sentence == play.NOT_NOW


def test_a_lobby_accepts_no_premoves() -> None:
    game = Game(started=False)
    assert game.send_refused(SavePremove(PEOPLE[ANN], kind="on")).sentence == play.NOTHING_TO_QUEUE
    assert not game.row.chairs[0].premoves


def test_premoves_of_a_paused_table_run_after_it_resumes() -> None:
    game = dealt(*HANDS)
    queue(game, CLEO, "pass")
    game.send(Act(game.awaited, Pass()))
    assert game.row.premove_at is not None
    game.send(Pause(MO))
    game.advance(seconds=30)
    assert by_order(game) == []
    game.send(Resume(MO))
    game.ring(minutes=1)
    assert by_order(game) == ["2 pass"]
