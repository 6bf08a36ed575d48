"""Hands of Big A by chance, and two of them side by side that differ only in what a viewer may not know.

Can exchange cards inside the draw; the tests state the properties.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, TypeAlias

from bot.games import GAMES
from bot.rules.big_a import BigA
from bot.rules.big_a.declarations import STACK_SIZE, Stack
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.windows import EVERYBODY, BigADraw
from bot.rules.core.asks import ORDER, Action, Choose, ChooseAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import Rank
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.matches.record import Record
from tests.laws.matches import compatible, steps

Hand: TypeAlias = BigADraw | BigAGame
Step: TypeAlias = tuple[int, Action]

PRESETS = tuple(GAMES["big_a"].presets)
VIEWERS = (None, *sorted(EVERYBODY))
SEEN_BY_ALL = ("redealt", "unseen", "shown", "forced", "revealed")  # what is shown in the draw, and by chance
FEW = 24  # plays looked at


def any_options(preset: str, rng: random.Random) -> dict[str, Any]:
    """Return some changes of the preset."""
    game = GAMES["big_a"]
    wished = {each.name: rng.choice(each.choices).value for each in rng.sample(list(game.sheet.options.values()), 6)}
    return compatible(game, preset, wished, {})


def any_rules(preset: str, rng: random.Random) -> BigA:
    """Return the preset with some options changed."""
    rules = GAMES["big_a"].rules(preset, **any_options(preset, rng))
    assert isinstance(rules, BigA)
    return rules


def dealt(rules: BigA, rng: random.Random) -> BigADraw:
    """Return a hand whose first window is open."""
    game = rules.deal(rng, rng.randrange(5))
    assert isinstance(game, BigADraw)
    return game


def hands(preset: str, count: int) -> Iterator[tuple[Hand, int, Action, Hand]]:
    """Yield every step of some hands under any options, with the next state."""
    rng = random.Random(preset)
    for seed in range(count):
        match = Record(GAMES["big_a"], preset, seed=f"{preset} {seed}", options=any_options(preset, rng)).begin()
        for before, seat, action in steps(match, rng, hands=1):
            yield hand_of(before.game), seat, action, hand_of(before.act(seat, action).game)


def hand_of(game: Any) -> Hand:
    assert isinstance(game, BigADraw | BigAGame)
    return game


def rearranged(draw: BigADraw, viewer: int | None, rng: random.Random) -> BigADraw:
    """Return the draw with cards exchanged that the viewer never sees: aces, and some others."""
    order, starter = list(draw.stack.order), draw.stack.starter
    hidden = [at for at in range(STACK_SIZE) if draw.stack.seat(at) != viewer]
    aces = [at for at in hidden if order[at].rank is Rank.ACE]
    for first in (*rng.sample(aces, 2), *rng.sample(hidden, 2)):
        second = rng.choice(hidden)
        order[first], order[second] = order[second], order[first]
    return draw._replace(stack=Stack(tuple(order), starter))


# Side by side


def side_by_side(one: Hand, other: Hand, rng: random.Random) -> Iterator[tuple[Hand, Hand]]:
    """Yield two hands as long as the same can be done in both and the same is shown, forced and won in both."""
    while happened(one) == happened(other):
        yield one, other
        step = in_both(one, other, rng)
        if step is None:
            return
        one, other = one.act(*step), other.act(*step)


def happened(game: Hand) -> tuple[Any, ...]:
    """Return facts that become public without an action: by an order, by a question, at the end."""
    return tuple(each for each in game.view(None).facts if each[0] in SEEN_BY_ALL), game.result


def in_both(one: Hand, other: Hand, rng: random.Random) -> Step | None:
    """Return an action possible in either hand, None without one."""
    seats = sorted(one.to_act)
    rng.shuffle(seats)
    for seat in seats:
        actions = some_actions(one.view(seat), rng)
        if found := next((each for each in actions if outcome(other, seat, each) is None), None):
            return seat, found
    return None


def some_actions(view: View, rng: random.Random) -> list[Action]:
    """Return some actions of a seat, in random order: sometimes passes, and answers before orders."""
    match view.ask:
        case PlayAsk(may_pass=may_pass):
            plays: list[Action] = [Play(combo.cards) for combo in view.plays.first(FEW)]
            rng.shuffle(plays)
            return [Pass(), *plays] if may_pass and rng.random() < 0.4 else [*plays, *[Pass()] * may_pass]
        case ChooseAsk(answers=answers, orders=orders):
            if orders and rng.random() < 0.2:
                return [Choose((ORDER, rng.choice(orders).code))]
            return [Choose((each.code,)) for each in rng.sample(answers, len(answers))]
    return []


def outcome(game: Hand, seat: int, action: Action) -> tuple[Any, ...] | None:
    """Return the refusal of an action, or None."""
    try:
        game.act(seat, action)
    except Illegal as refused:
        return refused.article, refused.sentence, refused.values
    return None


def outside(game: Hand) -> tuple[Any, ...]:
    """Return a table's public traces: how long it waits, for how many, when a step is new."""
    return game.secrecy, len(game.awaited), game.to_act


def codes(view: View) -> list[str]:
    return [each.code for each in view.ask.answers] if isinstance(view.ask, ChooseAsk) else []


def all_answer(game: BigADraw, rng: random.Random) -> Hand:
    """Return the hand after random answers of every awaited seat."""
    now: Hand = game
    for seat in sorted(game.awaited):
        now = hand_of(now.act(seat, Choose((rng.choice(codes(now.view(seat))),))))
    return now
