"""Matches in which people queue premoves, of any game: their premoves, the results, and the expected answers.

Orders are looked at after every step, as a table does. The expected answers are computed a second time, slowly and from
the offers, so that two readings are compared.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from bot.rules.core.asks import Action, Choose, ChooseAsk, Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import Cards, missing_cards
from bot.rules.core.game import View
from bot.rules.core.premoves import (
    Premove,
    PremoveKind,
    Premoves,
    add_premove,
    after_own_move,
    can_create,
    due_action,
    evaluate,
    new_premove,
    refresh_premoves,
)
from bot.rules.core.trick import EMPTY, Combo
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from tests.laws.matches import chosen, offered

SOME = 40  # plays of which one is ordered
MOST_STEPS = 400
PASSED = 0.4  # how often a player passes who may
KINDS: tuple[PremoveKind, ...] = ("pass", "beat", "list", "if", "until", "on", "lead")
OF_PLAYS: tuple[PremoveKind, ...] = ("beat", "list", "if", "lead")
BIDDING: tuple[PremoveKind, ...] = ("call", "say")


@dataclass
class Played:
    """A match with orders. done: each step as (before, seat, action, the order that did it); seen: of kinds, what came.

    given: each order with the position in which it was made, and the seat. kept: what was left of those that ended.
    """

    record: Record
    last: Match
    done: list[tuple[Match, int, Action, Premove | None]] = field(default_factory=list)
    given: list[tuple[Premove, int, int]] = field(default_factory=list)
    kept: list[Premove] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)


def played(record: Record, rng: random.Random, *, hands: int = 2, eager: float = 0.5) -> Played:
    """Play a match at random; a player who is not asked orders now and then. eager: how often."""
    match, orders = record.begin(), dict[int, Premoves]()
    found = Played(record, match)
    while not match.over and len(match.results) < hands and len(found.done) < MOST_STEPS:
        if match.game.result is None and not match.game.secrecy.together:
            give(found, match, orders, rng, eager)
        seat, action, order = step(match, orders, rng)
        found.done.append((match, seat, action, order))
        found.seen[f"{order.kind} acts" if order else "asked"] += 1
        match = match.act(seat, action)
        if order is None:
            orders[seat] = after_own_move(orders.get(seat, ()))
        settle(found, match, orders)
    found.last = match
    return found


def give(found: Played, match: Match, orders: dict[int, Premoves], rng: random.Random, eager: float) -> None:
    """Queue a premove for a player who is not asked."""
    for seat in set(range(match.rules.players)) - match.to_act:
        if rng.random() < eager:
            new = some_order(match.view(seat), rng)
            if new is not None and can_create(new, match.view(seat)):
                orders[seat] = add_premove(orders.get(seat, ()), new)
                found.given.append((new, len(found.done), seat))


def settle(found: Played, match: Match, orders: dict[int, Premoves]) -> None:
    """Keep what still stands."""
    for seat, before in [(seat, before) for seat, before in orders.items() if before]:
        orders[seat] = refresh_premoves(before, match.view(seat))
        ended = [order for order in orders[seat] if order.kind == "off" and order not in before]
        found.kept += ended
        found.seen.update(order.code for order in ended)
        assert not (match.game.result and orders[seat])


def step(match: Match, orders: dict[int, Premoves], rng: random.Random) -> tuple[int, Action, Premove | None]:
    """Return what is done next: by a premove of the asked seat, or by a random action."""
    if match.game.result is None and not match.game.secrecy.together:
        for seat in sorted(match.awaited):
            action = due_action(orders.get(seat, ()), match.view(seat))
            if action is not None:
                return seat, action, next(each for each in orders[seat] if evaluate(each, match.view(seat)) == action)
        ask = match.view(seat).ask
        if isinstance(ask, PlayAsk) and ask.may_pass and rng.random() < PASSED:
            return seat, Pass(), None
    return (*chosen(match, rng), None)


def some_order(view: View, rng: random.Random) -> Premove | None:  # noqa: PLR0911  # one for each kind
    """Return something that can be ordered, or cannot."""
    kind = rng.choice(BIDDING if view.next_ask else KINDS)
    plays = leads(view) if kind in OF_PLAYS else []
    match kind:
        case "beat" | "lead" if plays:
            return new_premove(view, kind, rng.choice(plays))
        case "list" if plays:
            return new_premove(view, kind, *(rng.choice(plays) for _ in range(rng.randrange(1, 4))))
        case "if" if plays and view.trick.top:
            return new_premove(view, kind, rng.choice((view.trick.top.cards, rng.choice(plays))), rng.choice(plays))
        case "call" if isinstance(view.next_ask, NameAsk):
            card = rng.choice(view.next_ask.cards)
            return new_premove(view, kind, *([(card,)] if rng.random() < 0.7 else []), upto=rng.randrange(1, 5))
        case "say" if isinstance(view.next_ask, ChooseAsk):
            return new_premove(view, kind, code=rng.choice(view.next_ask.answers).code)
        case "pass" | "until" | "on":
            return new_premove(view, kind)
    return None


def leads(view: View) -> list[Cards]:
    """Return some combinations in a hand, more of the size that is played."""
    at_turn = replace(view, ask=PlayAsk(may_pass=True))
    on_top = at_turn.plays.first(SOME) if view.trick.top else []
    return [combo.cards for combo in (*replace(at_turn, trick=EMPTY, must=None).plays.first(SOME), *on_top * 3)]


# What a player would say who is asked


def said(order: Premove, view: View) -> Action:
    """Return the answer of a seat with this wish at its turn."""
    match order.kind, view.ask:
        case (("pass" | "until" | "on"), PlayAsk()):
            return Pass()
        case (("if" | "lead"), PlayAsk()):
            return Play(order.plays[-1])
        case "list", PlayAsk():
            return next((Play(wanted) for wanted in order.plays if playable(wanted, view)), Pass())
        case "beat", PlayAsk():
            return lowest(order.plays[0], view)
        case "call", NameAsk():
            dear = not order.plays or calls(view) > order.upto
            return Pass() if dear else Name(order.plays[0][0])
        case "say", ChooseAsk():
            return Choose((order.code,))
    raise AssertionError(f"{order.kind} says nothing to {view.ask}")


def first_alarm(found: Played, order: Premove, seat: int, at: int) -> str | None:
    """Return what happened between the latest making of an order and a step, if anything did."""
    made = max(index for one, index, owner in found.given if owner == seat and index <= at and one == order)
    views = [before.view(seat) for before, *_ in found.done[made : at + 1]]
    return next((alarm for pair in pairwise(views) for alarm in alarms(*pair)), None)


def playable(wanted: Cards, view: View) -> bool:
    """Tell whether a seat holds and is offered these cards, or equivalent ones."""
    plays = [each.cards for each in offered(view) if isinstance(each, Play)]
    return not missing_cards(view.hand, wanted) and view.rules.alike(wanted) in map(view.rules.alike, plays)


def lowest(most: Cards, view: View) -> Action:
    """Return the lowest offered play of the same size that is at most as high as the cards."""
    limit = view.rules.classify(most)
    assert limit
    plays = [combo for combo in view.plays if len(combo.cards) == len(most) and height(combo) <= height(limit)]
    return Play(min(plays, key=height).cards) if plays else Pass()


def height(combo: Combo) -> tuple[int, int]:
    return combo.level, combo.strength


def calls(view: View) -> int:
    """Return the stake of a call: by the number of calls, or a fixed stake."""
    options, called = view.rules.options, dict(view.facts).get("called", ())
    return len(called) + 1 if options.scoring == "callers" else 1


def alarms(before: View, after: View) -> Iterator[str]:
    """Yield what has happened from one step to the next that a player would want to know."""
    for seat, (had, has) in enumerate(zip(before.counts, after.counts, strict=True)):
        if seat != before.seat and has < had and has <= 2 and (before.rules.counted or not has):
            yield "few"
    if before.own_teams != after.own_teams:
        yield "sides"
    top, new = before.trick.top, after.trick.top
    if top and new and top is not new and after.trick.owner != before.seat and len(top.cards) != len(new.cards):
        yield "bomb"
