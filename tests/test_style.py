"""How a player plays: counts of recorded matches against a slow second count, and what sums say of a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from bot.games import GAMES
from bot.rules.core.game import Public
from bot.rules.core.trick import Move
from bot.rules.matches import achievements, style
from bot.rules.matches.style import Style
from bot.table.core.eligibility import score_of
from tests.golden.test_golden import every_preset, stored_record


@every_preset
def test_style_counts_equal_a_simple_recount(name: str, preset: str) -> None:
    slow = Counter[tuple[int, str]]()
    for before, match in pairwise(stored_record(name, preset).positions()):
        if match.game.result and not before.game.result:  # so not one that was won with the deal
            slow += slowly(match.view(None))
    assert slow == match.counted
    assert {(seat, code): times for seat, code, times in score_of(match).deeds if ":" in code} == slow
    assert set(match.rules.names) == set(GAMES[name].combinations)


def slowly(view: Public) -> Counter[tuple[int, str]]:
    """Count again, seat by seat, what was on the table in a hand."""
    assert view.result is not None
    tricks = [trick for trick in (*view.tricks, view.trick) if trick.moves]
    first = view.result.order[0] if view.result.order else None
    found = Counter[tuple[int, str]]()
    for seat, held in enumerate(view.result.left):
        mine = [[move for move in trick.moves if move.seat == seat and move.combo] for trick in tricks]
        found.update((seat, f"play:{kind}") for moves in mine for kind, size in said(moves) if size > 1)
        won = [trick.top for trick in tricks if trick.owner == seat and trick.top]
        found.update((seat, f"take:{combo.kind}") for combo in won if len(combo.cards) > 1)
        found[seat, "bombs:"] = sum(bombs(view, [move for move in trick.moves if move.combo], seat) for trick in tricks)
        found[seat, "hands:"], found[seat, "left:"] = 1, len(held)
        leads = [trick.moves[0].combo for trick in tricks if trick.moves[0].seat == seat]
        if seat == first and not held and leads and leads[-1]:
            found[seat, f"out:{leads[-1].kind}"] = 1
        sizes = [sum(size for _, size in said(moves)) for moves in mine]
        found[seat, "once:"] = int(not held and sum(sizes) >= 13 and max(sizes) == sum(sizes))
    return +found


def said(moves: Sequence[Move]) -> list[tuple[str, int]]:
    return [(move.combo.kind, len(move.combo.cards)) for move in moves if move.combo]


def bombs(view: Public, plays: Sequence[Move], seat: int) -> int:
    return sum(
        at > 0 and move.seat == seat and move.combo is not None and view.rules.bomb(move.combo)
        for at, move in enumerate(plays)
    )


def test_recorded_matches_contain_every_count() -> None:
    matches = (stored_record(game, preset).replay() for game in GAMES for preset in GAMES[game].presets)
    seen = {code.split(":")[0] for match in matches for _, code in match.counted}
    assert {"play", "take", "out", "bombs", "hands", "left"} <= seen


def test_a_new_count_raises_the_version_so_that_finished_matches_are_counted_again() -> None:
    prefixes = {value for value in vars(style).values() if isinstance(value, str) and value.endswith(":")}
    assert (achievements.VERSION, prefixes) == (2, {"play:", "take:", "out:", "bombs:", "hands:", "left:", "once:"})


def test_few_plays_give_no_statement_of_style() -> None:
    player = Style({"play:pair": 4, "take:pair": 4, "out:single": 2, "hands:": 4, "left:": 3})
    assert (player.favourite, player.best, player.way_out, player.left) == ("", None, None, None)


def test_style_statements_follow_from_the_counts() -> None:
    player = Style(
        {
            "play:pair": 9,
            "play:straight": 5,
            "take:pair": 3,
            "take:straight": 4,
            "out:single": 3,
            "out:pair": 1,
            "hands:": 5,
            "left:": 16,
        }
    )
    assert (player.favourite, player.best) == ("pair", ("straight", 4, 5))
    assert (player.way_out, player.left) == (("single", 3, 4), 3.2)


def test_a_single_kind_of_play_is_not_the_best() -> None:
    assert Style({"play:pair": 9, "take:pair": 9}).best is None
    assert Style({"play:pair": 9, "play:straight": 5, "take:straight": 1}).best == ("straight", 1, 5)
    assert Style({"play:pair": 9, "play:straight": 5}).best is None


def test_ties_give_no_statement_of_style() -> None:
    player = Style(
        {"play:pair": 5, "play:straight": 5, "take:pair": 2, "take:straight": 2, "out:single": 2, "out:pair": 2}
    )
    assert (player.favourite, player.best, player.way_out) == ("", None, None)
