"""Who is late at a table of people with a clock, and what becomes of them: as a table decides it, without Discord.

Brings a table to a moment with an awaited player; the tests cite the articles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from bot.ai.plain import timeout_action
from bot.rules.core.asks import Action, Choose, Give, Name, Pass, Play, write_action
from bot.rules.core.cards import card, cards
from bot.rules.matches.match import Match
from bot.table.core.commands import AccessFound, Act, ActAsHouse, Ring, TakeBack
from bot.table.core.play import house_seats
from tests.people.positions import lead_a_cards
from tests.table.game import Game, said
from tests.table.world import Event

PACE = "live 2m+0s"
ANN_STARTS = "10"  # a seed of Tàihé A Bāo: ann has the four of hearts
PAIRS = "62"  # a seed of The Big and the Little A: ann leads and has two sixes, ben has two jokers
MEAN = "1177"  # another: where all play meanly, cleo has a one and a joker in an A round

Moment: TypeAlias = Callable[..., Game]


def act_on_timeout(game: Game, seat: int, action: Action) -> None:
    """Send an action of a player."""
    user = game.row.chairs[seat].user
    assert user is not None
    game.send(Act(user, action))


def time_is_up(game: Game) -> list[Event]:
    """Time out every awaited player, all of whom have access to the channel."""
    assert game.row.deadline
    game.world.now = game.row.deadline.at
    events = [game.send(Ring())]
    while game.world.checking is not None:
        user, game.world.checking = game.world.checking, None
        events.append(game.send(AccessFound(user, lost=False)))
    return events


def house_acts(game: Game) -> None:
    """Act minimally for house and late players until a player is asked."""
    while seats := house_seats(game.world.state):
        moves = [(seat, timeout_action(game.match.view(seat))) for seat in seats]
        few = moves if game.match.game.secrecy.together else moves[:1]
        game.send(ActAsHouse(game.match.moment, game.match.awaited, tuple(few)))


# What becomes of a player who is late


def least(game: Game) -> tuple[int, str]:
    """Time out; return the seat and the action of the clock."""
    late, before = game.seat, game.row
    time_is_up(game)
    step = game.row.steps[-1]
    assert (game.row.phase, len(game.row.steps), step.seat) == ("playing", len(before.steps) + 1, late)
    assert step.by == "clock"
    assert not any(chair.house for chair in game.row.chairs)
    return step.seat, step.action


def replaced(game: Game) -> None:
    """Time out: a house player takes the seat and plays until its owner returns."""
    late, owner, before = game.seat, game.awaited, game.row
    time_is_up(game)
    house_acts(game)
    assert (game.row.phase, [chair.seat for chair in game.row.chairs if chair.house]) == ("playing", [late])
    new = [(step.seat, step.by) for step in game.row.steps[len(before.steps) :]]
    assert new
    assert set(new) == {(late, "house")}  # nothing was done by the clock
    game.send(TakeBack(owner))
    assert not any(chair.house for chair in game.row.chairs)


def unfinished(game: Game) -> None:
    """Time out: the match ends without a winner."""
    before = game.row
    told = [sentence for event in time_is_up(game) for sentence in said(event)]
    assert (game.row.phase, game.row.steps, game.row.deadline) == ("closed", before.steps, None)
    assert any("so the match ends unfinished" in sentence for sentence in told)
    assert not game.match.over


def all_pass(game: Game) -> None:
    """Time out a shared question: every player passes, without further effects."""
    before = game.row
    time_is_up(game)
    assert game.row.phase == "playing"
    assert [(step.action, step.by) for step in game.row.steps[len(before.steps) :]] == [("choose pass", "clock")] * 4
    assert not any(chair.house or chair.misses for chair in game.row.chairs)


# Tàihé A Bāo: ann starts


def first_round(**changes: Any) -> Game:
    """Return a match of four at the question whether to declare."""
    return Game(PACE, 4, game="a_bao", preset="standard", changes=changes, seed=ANN_STARTS)


def calling(**changes: Any) -> Game:
    """Return a match in which ann is asked for a call."""
    game = first_round(**changes)
    for seat in range(4):
        act_on_timeout(game, seat, Choose(("pass",)))
    return game


def giving(**changes: Any) -> Game:
    """Return a match in which ann is asked for a card in return for the four of diamonds."""
    game = calling(**changes)
    act_on_timeout(game, 0, Name(card("4d")))
    return game


def leading(**changes: Any) -> Game:
    """Return a match in which ann is asked for the first lead."""
    game = giving(**changes)
    act_on_timeout(game, 0, Give(cards("4c")))
    for seat in range(1, 4):
        act_on_timeout(game, seat, Pass())
    return game


def following(**changes: Any) -> Game:
    """Return a match in which ben is asked to beat a card or pass."""
    game = leading(**changes)
    act_on_timeout(game, 0, Play(cards("4d")))
    return game


# The Big and the Little A: ann leads


def first_lead(preset: str = "standard", seed: str = PAIRS, **changes: Any) -> Game:
    """Return a match in which ann is asked for the first lead."""
    return Game(PACE, 4, game="big_little_a", preset=preset, changes=changes, seed=seed)


def raising(preset: str = "standard", **changes: Any) -> Game:
    """Return a match in which ben is asked to raise two sixes or pass."""
    game = first_lead(preset, **changes)
    act_on_timeout(game, 0, Play(cards("6n 6n")))
    return game


def naming(**changes: Any) -> Game:
    """Return a match in which ben is asked to name two jokers played on two sixes."""
    game = raising("named_jokers", **changes)
    act_on_timeout(game, 1, Play(cards("JK JK")))
    return game


def in_an_a_round(**changes: Any) -> Game:
    """Return a match in which cleo, holding a one and a joker, is asked in an A round."""
    game = first_lead(seed=MEAN, **changes)
    while not has_a_choice(game.match):
        act_on_timeout(game, game.seat, lead_a_cards(game.match.view(game.seat)))
    return game


def has_a_choice(match: Match) -> bool:
    """Tell whether the awaited player has a one and a joker, in an A round."""
    view = match.view(min(match.awaited))
    led = [move.combo.kind for move in view.trick.moves[:1] if move.combo]
    return led in (["little_a"], ["big_a"]) and {card("1n"), card("JK")} <= set(view.hand)


# Big A


def drawn(**changes: Any) -> Game:
    """Return a match after a draw without voluntary exposures, at the first lead."""
    game = Game(PACE, 5, game="big_a", preset="standard", changes=changes)
    while game.match.game.secrecy.together:
        time_is_up(game)
        house_acts(game)
    return game


def lowest(game: Game) -> str:
    """Return the lowest card of the awaited player."""
    return write_action(Play(game.match.view(game.seat).hand[:1]))
