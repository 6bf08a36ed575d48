"""Any match of any registered game: valid options drawn from their annotations, and random play-outs.

Knows the protocols of the rules only, so that a new game is under every law from the line that registers it.
"""

import random
from collections.abc import Iterator
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import assume, settings
from hypothesis import strategies as st

from bot.rules.cards import Card
from bot.rules.game import Action, Illegal, Pass, Play, PlayAsk, Ready, View
from bot.rules.match import Match
from bot.rules.record import Record
from bot.rules.registry import GAMES

PRESETS = [(name, preset) for name, game in GAMES.items() for preset in game.presets]
Step = tuple[Match, int, Action]


def lawful(examples: int) -> settings:
    """Return the settings of a law: the same examples in every run, however long one takes."""
    return settings(max_examples=examples, derandomize=True, deadline=None, database=None)


def values(annotation: Any, default: Any) -> st.SearchStrategy[Any]:
    """Return what an option of this type may be set to, valid or not; numbers lie near their default."""
    if get_origin(annotation) is Literal:
        return st.sampled_from(get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return st.one_of([values(each, default) for each in get_args(annotation)])
    if annotation is NoneType:
        return st.none()
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        return st.integers(0, 2 * default if isinstance(default, int) and default else 3)
    raise TypeError(f"no law knows how to choose a value of {annotation}")


@st.composite
def records(draw: st.DrawFn, /, name: str, preset: str, **fixed: Any) -> Record:
    """Draw a match of this preset before its first action, some options changed, those of ``fixed`` as given."""
    game = GAMES[name]
    hints = get_type_hints(game.defaults)
    plain = game.defaults(**game.presets[preset])
    free = {
        option.name: values(hints[option.name], getattr(plain, option.name))
        for option in fields(plain)
        if option.name not in fixed
    }
    changes = {**draw(st.fixed_dictionaries({}, optional=free)), **fixed}
    try:
        game.rules(preset, **changes)
    except Illegal:
        assume(False)  # these options cannot be combined
    return Record(name, preset, draw(st.text("abcdef", min_size=1, max_size=6)), changes)


dice = st.integers(0, 2**32).map(random.Random)


def offered(view: View) -> list[Action]:
    """Return all that the seat is offered."""
    if view.result is not None:
        return [Ready()]
    if isinstance(view.ask, PlayAsk):
        plays: list[Action] = [Play(combo.cards) for combo in view.plays]
        return plays + [Pass()] * view.ask.may_pass
    raise TypeError(f"no law knows how to answer {view.ask}")


def steps(match: Match, rng: random.Random, *, hands: int | None = None) -> Iterator[Step]:
    """Yield each position with an action that follows, at random, till the match or so many hands are over."""
    while not match.over and (hands is None or len(match.results) < hands):
        seat = rng.choice(sorted(match.to_act))
        action = rng.choice(offered(match.view(seat)))
        yield match, seat, action
        match = match.act(seat, action)


def positions(match: Match, rng: random.Random, *, hands: int | None = 1) -> Iterator[Match]:
    """Yield the positions of a random play-out, the last one included."""
    for before, seat, action in steps(match, rng, hands=hands):
        yield before
        match = before.act(seat, action)
    yield match


def played(view: View) -> list[Card]:
    """Return every card that has been laid on the table in this hand."""
    tricks = (*view.tricks, view.trick)
    return [held for trick in tricks for move in trick.moves if move.combo for held in move.combo.cards]


def hands(match: Match) -> list[Card]:
    """Return every card that is in a hand."""
    return [held for seat in range(match.rules.players) for held in match.view(seat).hand]
