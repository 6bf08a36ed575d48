"""What comes of each thing a seat could do, world by world: hands that it can imagine, which house players play out.

Every choice is tried in the same worlds, so that they can be held against each other. Knows one View and dice. Refuses
to say which choice is good.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from bot.ai import levels
from bot.ai.strategies import strategy
from bot.domain.level import Level
from bot.rules.core.actions import Action
from bot.rules.core.game import Game, View

Player: TypeAlias = Callable[[View, random.Random], Action | None]
PLAYERS: Final[tuple[Player, ...]] = (
    levels.by_plan,
    partial(levels.choose, Level.KIND),
)  # of readable worlds, by turns


def trials(view: View, actions: Sequence[Action], rng: random.Random) -> Iterator[Mapping[Action, float]]:
    """Yield for one imagined hand after the other by how many points the seat comes out better than the table.

    Each action is tried as a strong player does.
    """
    _, search = strategy(view.rules.game).search(view, rng)
    return search.trials(actions)


def readable(view: View, actions: Sequence[Action], rng: random.Random) -> Iterator[Mapping[Action, float]]:
    """Yield the same of worlds played by the rules themselves, by house players who try nothing out: slowly."""
    assert view.seat is not None
    number = 0
    while True:
        world, thrown = view.rules.imagine(view, rng), rng.random()
        player = PLAYERS[number % len(PLAYERS)]
        yield {action: _outcome(world.act(view.seat, action), view.seat, player, thrown) for action in actions}
        number += 1


def _outcome(game: Game, seat: int, player: Player, thrown: float) -> float:
    """Play a hand to its end, and return by how much a seat comes out better than the table."""
    rng = random.Random(thrown)  # the same for every choice
    while game.result is None:
        game = game.act(*stepped(game, player, rng))
    stands = game.view(None).rules.ranking((game.result,))
    return sum(stands) / len(stands) - stands[seat]


def stepped(game: Game, player: Player, rng: random.Random) -> tuple[int, Action]:
    """Return who does what next where all play alike: whoever may act out of turn thinks of it first."""
    for seat in sorted(game.to_act, key=lambda seat: (seat in game.awaited, seat)):
        action = player(game.view(seat), rng)
        if action is not None:
            return seat, action
    raise RuntimeError(f"Nobody goes on in {game.view(None).rules.game}.")
