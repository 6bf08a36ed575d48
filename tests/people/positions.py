"""How people at a table get to a position that is worth a look, quickly and always the same way.

The way of playing is fixed here, so that better house players do not change the positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.domain.chairs import Chair
from bot.games import GAMES
from bot.rules.core.asks import Action, Pass, Play, read_action
from bot.rules.core.game import View
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.variants.ruleset import read_code
from bot.table.core.commands import Act
from tests.support.scenes import person

if TYPE_CHECKING:
    from bot.table.table import Table
    from tests.support.world import World


def play_weakly(view: View) -> Action:
    """Play the weakest cards, and pass only without a legal play."""
    (*plays,) = view.plays.first(1)
    return Play(plays[0].cards) if plays else Pass()


def lead_a_cards(view: View) -> Action:
    """Lead an A card as soon as allowed, else play weakly."""
    mean = [each for each in view.plays if each.kind in ("little_a", "big_a")]
    return Play(mean[0].cards) if mean and view.trick.top is None else play_weakly(view)


def chairs_named(*names: str) -> tuple[Chair, ...]:
    """Return the chairs of persons with these names."""
    return tuple(Chair(seat, person(seat), name, house=False) for seat, name in enumerate(names))


def record_until(
    wanted: Callable[[Match], bool],
    code: str,
    seed: str,
    first: Sequence[tuple[int, str]] = (),
    how: Callable[[View], Action] = play_weakly,
) -> Record:
    """Return the record of a match played without a table up to a position.

    code: the rules. first: the first steps, in record notation.
    """
    game, preset, changes = read_code(code, GAMES)
    record = Record(game, preset, seed=seed, options=changes)
    match, steps = record.begin(), [(seat, read_action(text)) for seat, text in first]
    for seat, action in steps:
        match = match.act(seat, action)
    while not wanted(match):
        (seat,) = match.awaited
        steps.append((seat, how(match.view(seat))))
        match = match.act(*steps[-1])
    return replace(record, steps=tuple(steps))


async def play_until(
    here: World, table: Table, wanted: Callable[[Match], bool], how: Callable[[View], Action] = play_weakly
) -> Match:
    """Play on for the persons of all seats until a position is reached; return the match.

    Messages are edited once, at the end.
    """
    with here.edits_held():
        while table.match is not None and not wanted(table.match):
            (seat,) = table.match.awaited
            user = table.row.chairs[seat].user
            assert user is not None
            await table.do(Act(user, how(table.match.view(seat))))
    await here.settle()
    assert table.match is not None
    return table.match


async def act_in_notation(here: World, table: Table, action: str, *names: str) -> None:
    """Act for players in turn without a click. action: in record notation, such as "choose pass"."""
    for name in names:
        user = here.people[name].id
        with here.env._bot_scope():  # what follows is the bot's, as after a click
            here.parts.delivery.clicked(table.id, user)
            await table.do(Act(user, read_action(action)))
    await here.settle()
