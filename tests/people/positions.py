"""How people at a table get to a position that is worth a look, quickly and always the same way.

Knows one way to play, which no better house player changes; refuses to know what the position is wanted for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.rules.core.asks import Action, Pass, Play
from bot.rules.core.game import View
from bot.rules.matches.match import Match
from bot.table.core.commands import Act

if TYPE_CHECKING:
    from bot.table.table import Table
    from tests.support.world import World


def weakly(view: View) -> Action:
    """Play the weakest cards, and pass only without a play: high cards remain for the end."""
    (*plays,) = view.plays.first(1)
    return Play(plays[0].cards) if plays else Pass()


def meanly(view: View) -> Action:
    """Lead an A card as soon as allowed, else play weakly."""
    mean = [each for each in view.plays if each.kind in ("little_a", "big_a")]
    return Play(mean[0].cards) if mean and view.trick.top is None else weakly(view)


async def play_till(
    here: World, table: Table, wanted: Callable[[Match], bool], how: Callable[[View], Action] = weakly
) -> Match:
    """Let the people on all seats play on until a position is wanted; return the match as it stands there."""
    while table.match is not None and not wanted(table.match):
        (seat,) = table.match.awaited
        user = table.row.chairs[seat].user
        assert user is not None
        await table.do(Act(user, how(table.match.view(seat))))
    await here.settle()
    assert table.match is not None
    return table.match
