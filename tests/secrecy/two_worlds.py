"""Two worlds that a player cannot tell apart: the same match with everything else lying elsewhere.

The second world is imagined from the viewer's view; both continue with the same actions. New games are covered by
registration.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple, cast

from bot.domain.chairs import Chair
from bot.domain.ids import TableId, UserId
from bot.domain.pace import NO_CLOCK
from bot.games import GAMES
from bot.rules.core.asks import Action, Pass, write_action
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.store.rows import MatchStep, TableRow
from bot.table.core.state import TableState
from bot.table.environment import Environment
from bot.table.table import Table
from tests.laws.matches import compatible, offered
from tests.support.scenes import GUILD, HOME, MESSAGE, NOW, person

OPTIONS = 5  # that are changed at once

UNKNOWN = tuple(
    MatchStep(at, 0, write_action(Pass()), "person", NOW) for at in range(2000)
)  # of a match that was made up


class Worlds(NamedTuple):
    """One match in two worlds, and the last step that led to both."""

    one: Match
    other: Match
    step: tuple[int, Action] | None = None


def any_record(name: str, preset: str, rng: random.Random) -> Record:
    """Return a match under the preset with some options changed, before its first action."""
    game = GAMES[name]
    options = list(game.sheet.options.values())
    wished = {each.name: rng.choice(each.choices).value for each in rng.sample(options, OPTIONS)}
    return Record(GAMES[name], preset, seed=f"{preset} {rng.random()}", options=compatible(game, preset, wished, {}))


def imagined(match: Match, viewer: int | None, rng: random.Random) -> Match:
    """Return the match with a hand in which the viewer could be as well."""
    return replace(match, game=match.rules.imagine(match.view(viewer), rng))


def table(record: Record, match: Match) -> Table:
    """Return a table at which this match is being played, every player being a person."""
    seats = match.rules.players
    chairs = tuple(Chair(seat, person(seat), f"Player {seat}", house=False) for seat in range(seats))
    done = tuple(
        MatchStep(at, seat, write_action(action), "person", NOW) for at, (seat, action) in enumerate(record.steps)
    )
    steps = done or UNKNOWN[: match.moment]
    row = TableRow(
        id=TableId(7),
        number=3,
        guild=GUILD,
        channel=HOME,
        home=HOME,
        message=MESSAGE,
        host=person(0),
        game=record.game,
        preset=record.preset,
        options=record.options,
        seats=seats,
        seed=match.seed,
        pace=NO_CLOCK,
        phase="over" if match.over else "playing",
        created=NOW,
        chairs=chairs,
        steps=steps,
    )
    silent = cast(Any, None)  # a scene needs nobody to tell and nothing to remember with
    return Table(TableState(row, match=match), Environment(silent, silent, lambda: NOW, silent))


def user(seat: int | None) -> UserId | None:
    """Return who sits there, or None for the public."""
    return None if seat is None else person(seat)


# Going on


def outcome(match: Match, seat: int, action: Action) -> tuple[Any, ...] | None:
    """Return the refusal of an action, or None."""
    try:
        match.act(seat, action)
    except Illegal as refused:
        return refused.article, refused.sentence, refused.values
    return None


def in_both(worlds: Worlds, rng: random.Random, tries: int = 12) -> tuple[int, Action] | None:
    """Return an action possible in either world, None if none appears possible."""
    seats = sorted(worlds.one.to_act & worlds.other.to_act)
    for seat in rng.sample(seats, len(seats)):
        actions = offered(worlds.one.view(seat))
        for action in rng.sample(actions, min(tries, len(actions))):
            if outcome(worlds.other, seat, action) is None:
                return seat, action
    return None


def alike(worlds: Worlds, viewer: int | None) -> bool:
    """Tell whether the viewer, and the public, may know the same in both worlds."""
    one, other = worlds.one, worlds.other
    return all(one.view(seat) == other.view(seat) for seat in {None, viewer}) and one.results == other.results


def side_by_side(match: Match, viewer: int | None, rng: random.Random) -> Iterator[Worlds]:
    """Yield the match and an imagined one, as long as the same can be done in both and looks the same to the viewer."""
    worlds = Worlds(match, imagined(match, viewer, rng))
    while alike(worlds, viewer):
        yield worlds
        step = in_both(worlds, rng)
        if step is None or worlds.one.game.result:
            return
        worlds = Worlds(worlds.one.act(*step), worlds.other.act(*step), step)
