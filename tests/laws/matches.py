"""Any match of any registered game: valid options drawn from its sheet, and random play-outs.

Covers the protocols of the rules only, so that a new game is under every law from the line that registers it.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice
from typing import Any, TypeVar

from hypothesis import strategies as st

from bot.games import GAMES
from bot.rules.core.asks import (
    ORDER,
    Action,
    Choose,
    ChooseAsk,
    Give,
    GiveAsk,
    Name,
    NameAsk,
    Pass,
    Play,
    PlayAsk,
    Ready,
    Stop,
)
from bot.rules.core.cards import Card
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.variants.option_sheet import Option
from bot.rules.variants.registration import RegisteredGame
from tests.support.law_settings import is_thorough, scaled

PRESETS = [(name, preset) for name, game in GAMES.items() for preset in game.presets]
MAX_NUMBER_SPAN = 12
LONGEST = 20_000  # steps of a match, which is over long before
Step = tuple[Match, int, Action]
T = TypeVar("T")


def values(option: Option) -> Sequence[Any]:
    """Return what an option may be set to: what is offered, and numbers near it."""
    offered = [choice.value for choice in option.choices]
    if option.kind != "number" or any(not isinstance(value, int) for value in offered):
        return offered
    least = option.least or 0
    return range(
        least, min(option.most or least + MAX_NUMBER_SPAN, least + MAX_NUMBER_SPAN) + 1
    )  # long matches show nothing new


@st.composite
def records(draw: st.DrawFn, /, name: str, preset: str, **fixed: Any) -> Record:
    """Draw a match of this preset before its first action, some options changed, those of ``fixed`` as given."""
    game = GAMES[name]
    free = {each.name: st.sampled_from(values(each)) for each in game.sheet.options.values() if each.name not in fixed}
    wished = draw(st.fixed_dictionaries({}, optional=free))
    return short(game, preset, draw(st.text("abcdef", min_size=1, max_size=6)), wished, fixed)


def by_dice(name: str, preset: str, rng: random.Random, **fixed: Any) -> Record:
    """Return such a match as dice have it."""
    game = GAMES[name]
    free = [each for each in game.sheet.options.values() if each.name not in fixed]
    changed = rng.sample(free, rng.randrange(len(free) + 1))
    return short(
        game, preset, f"{rng.getrandbits(64):x}", {each.name: rng.choice(values(each)) for each in changed}, fixed
    )


def short(game: RegisteredGame, preset: str, seed: str, wished: dict[str, Any], fixed: dict[str, Any]) -> Record:
    """Return a shortest match with as many wished changes as are compatible."""
    few = {
        name: value
        for name, value in {"target": MAX_NUMBER_SPAN, "deals": 2, "hands_per_match": 2}.items()
        if name in game.options
    }
    return Record(game, preset, seed=seed, options=compatible(game, preset, few | wished, fixed))


def compatible(game: RegisteredGame, preset: str, wished: dict[str, Any], fixed: dict[str, Any]) -> dict[str, Any]:
    """Return the compatible changes, each taken if it fits earlier ones, or with one more."""
    changes = dict(fixed)
    for name, value in wished.items():
        for other in (name, *(each for each in wished if each not in changes)):
            more = changes | {name: value, other: wished[other]}
            if name not in changes and possible(game, preset, more):
                changes = more
    return changes


def possible(game: RegisteredGame, preset: str, changes: dict[str, Any]) -> bool:
    """Tell whether these options can be combined."""
    try:
        game.set_up(preset, **changes)
    except Illegal:
        return False
    return True


def is_playable(game: RegisteredGame, preset: str, changes: dict[str, Any]) -> bool:
    """Tell whether a match can be played with these options."""
    try:
        game.rules(preset, **changes)
    except Illegal:
        return False
    return True


dice = st.integers(0, 2**32).map(random.Random)


def offered(view: View) -> list[Action]:
    """Return all that the seat is offered."""
    if view.result is not None:
        return [Ready(), Stop()] if view.endless else [Ready()]
    match view.ask:
        case PlayAsk(may_pass=may_pass):
            plays: list[Action] = [Play(combo.cards) for combo in view.plays]
            return plays + [Pass()] * may_pass
        case GiveAsk(count=count):
            return [Give(chosen) for chosen in combinations(view.ask.givable(view.hand), count)]
        case NameAsk(cards=cards, may_pass=may_pass):
            return [*map(Name, cards), *[Pass()] * may_pass]
        case ChooseAsk(answers=answers, orders=orders):
            beforehand = [(), *((each.code,) for each in orders)] if orders else []
            said = [*((each.code,) for each in answers), *((ORDER, *codes) for codes in beforehand)]
            return [Choose(codes) for codes in said]
    raise TypeError(f"no law knows how to answer {view.ask}")


def chosen(match: Match, rng: random.Random) -> tuple[int, Action]:
    """Return a seat that may act and an offered action; an unawaited seat may have none."""
    seats = sorted(match.to_act)
    rng.shuffle(seats)
    return next((seat, rng.choice(actions)) for seat in seats if (actions := offered(match.view(seat))))


def steps(match: Match, rng: random.Random, *, hands: int | None = None) -> Iterator[Step]:
    """Yield each position with a random next action, until the match or a number of hands is over."""
    while not match.over and (hands is None or len(match.results) < hands):
        seat, action = chosen(match, rng)
        yield match, seat, action
        match = match.act(seat, action)


def positions(match: Match, rng: random.Random, *, hands: int | None = 1) -> Iterator[Match]:
    """Yield the positions of a random play-out, the last one included."""
    for before, seat, action in steps(match, rng, hands=hands):
        yield before
        match = before.act(seat, action)
    yield match


@dataclass
class PlayedMatch:
    """A match played by random actions: its record, and every position till it was over."""

    record: Record
    positions: list[Match]

    @cached_property
    def again(self) -> list[Match]:
        """Every position, rebuilt from the written record; no question is asked."""
        return list(Record.from_json(self.record.to_json(), GAMES).positions())

    def hands(self, count: int) -> list[Match]:
        """Return the positions until a number of hands is over, the last one included."""
        return self.positions[: 1 + sum(len(now.results) < count for now in self.positions)]


def lives(count: int, name: str, preset: str, **fixed: Any) -> list[PlayedMatch]:
    """Return some matches of a preset, more in the long trials; the first has no changed option.

    Without those that a special hand wins as dealt, and those whose totals run away from the target: there, the last
    deal of the chain ends the match.
    """
    rng = random.Random(f"{name} {preset} {fixed}")
    plain = short(GAMES[name], preset, f"{rng.getrandbits(64):x}", {}, fixed)
    others = [by_dice(name, preset, rng, **fixed) for _ in range(scaled(count, 2) - 1)]
    played_out = [lived(record, rng) for record in (plain, *others) if not record.begin().over]
    found = [
        life
        for life in played_out
        if len(life.record.steps) < LONGEST or life.record.options.get("match_end") != "target"
    ]
    assert found, "a law about no match proves nothing"
    return found


def lived(record: Record, rng: random.Random) -> PlayedMatch:
    """Return this match, played out at random."""
    found, taken = [], []
    for match, seat, action in islice(steps(record.begin(), rng), LONGEST):
        found.append(match)
        taken.append((seat, action))
    assert found, "a match begins with somebody doing something"
    return PlayedMatch(replace(record, steps=tuple(taken)), [*found, found[-1].act(*taken[-1])])


def some(found: Iterable[T], rng: random.Random, share: float = 0.3) -> Iterator[T]:
    """Yield a share of the positions, for slow checks; all of them in the long trials."""
    return (each for each in found if is_thorough() or rng.random() < share)


def played(view: View) -> list[Card]:
    """Return every card that lies on the table, or was turned down there."""
    return [held for trick in (*view.tricks, view.trick) for held in trick.cards]


def hands(match: Match) -> list[Card]:
    """Return every card that is in a hand."""
    return [held for seat in range(match.rules.players) for held in match.view(seat).hand]
