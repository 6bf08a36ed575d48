"""2. The beginning of a hand: dealt, or imagined to match a seat's view."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, cast

from bot.rules.big_a.declarations import FIRST_FACE_DOWN, STACK_SIZE, Declaration, ShownAces, Stack, ace
from bot.rules.big_a.options import PLAYERS, Options
from bot.rules.big_a.play import BigAGame, changes_of
from bot.rules.big_a.resolution import TOO_LATE, WindowKind
from bot.rules.big_a.rules import BigARules
from bot.rules.big_a.score import Sides
from bot.rules.big_a.windows import LAST_CALL, PICKED_UP, PLAN, BigADraw
from bot.rules.core.asks import ChooseAsk
from bot.rules.core.cards import Card, Cards, Suit, shuffled
from bot.rules.core.game import Result, View
from bot.rules.core.imagination import unseen_cards


class BigA(BigARules):
    """The complete rules of Big A, with dealing and determinization."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> BigADraw | BigAGame:
        """Shuffle, and draw up to the first window. dealer: the first seat to draw."""
        order = tuple(shuffled(self.pack, rng))
        return BigADraw(self, Stack(order, dealer), rng.getrandbits(64)).on()

    def imagine(self, view: View, rng: random.Random) -> BigADraw | BigAGame:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        return imagine(view, rng)


def former(options: Options, version: int) -> BigA:
    """Return the rules in an earlier version.

    In version 1 a sealed plan survived a new deal, and orders made possible by another act of the same window took
    effect last. Since version 2 a sealed plan is valid for its own cards only, and every order in a window takes effect
    at the moment when it became possible.
    """
    return BigA(options, version=version)


Facts = Mapping[str, Any]

HEARTS = ace(Suit.HEARTS)


def imagine(view: View, rng: random.Random) -> BigADraw | BigAGame:
    """Return a random hand consistent with the view: its ``view(seat)`` equals the view."""
    facts = dict(view.facts)
    return _draw(view, facts, rng) if view.phase_note else _play(view, facts, rng)


# A hand during the draw


def _draw(view: View, facts: Facts, rng: random.Random) -> BigADraw:
    kind: WindowKind = (
        "last" if view.phase_note in (LAST_CALL, PLAN) else "reveal" if view.phase_note == PICKED_UP else "round"
    )
    drawn = (
        dict(view.phase_note.values).get("round", 0) * PLAYERS if view.phase_note and kind == "round" else STACK_SIZE
    )
    declaration = _declaration(facts, drawn)
    stack = _stack(view, facts, drawn if kind == "reveal" else min(drawn, FIRST_FACE_DOWN), declaration.acts, rng=rng)
    ask, rules = view.ask, cast("BigARules", view.rules)
    given, standing = (ask.given, ask.standing) if isinstance(ask, ChooseAsk) else ((), ())
    private_notes = tuple(note for note in view.private_notes if note == TOO_LATE)
    redealt = tuple(value if name == "redealt" else () for name, value in view.facts if name in ("redealt", "unseen"))
    return BigADraw(
        rules,
        stack,
        rng.getrandbits(64),
        drawn,
        kind,
        declaration,
        _of(view.seat, given),
        _of(view.seat, standing),
        _of(view.seat, private_notes),
        redealt,
    )


def _of(viewer: int | None, own: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """Return the viewer's own values in a tuple by seat; empty for the other seats."""
    return tuple(own if seat == viewer else () for seat in range(PLAYERS))


def _declaration(facts: Facts, drawn: int) -> Declaration:
    if "forced" in facts:
        return Declaration((ShownAces(facts["forced"], Suit.HEARTS, 1, STACK_SIZE),), forced=True)
    acts = (
        ShownAces(showing.seat, showing.amount[0].suit, len(showing.amount), drawn)
        for showing in facts.get("shown", ())
    )
    return Declaration(tuple(acts))


def _stack(view: View, facts: Facts, seen: int, shown: Sequence[ShownAces], *, rng: random.Random) -> Stack:
    """Return a possible stack with the known cards at their seats.

    The viewer's aces are in their noted rounds. A shown ace had been looked at; seats asked in vain had looked at no
    ace of hearts.
    """
    order: list[Card | None] = [None] * STACK_SIZE
    blank = Stack((), facts["starter"])
    lying = [*view.known, *((view.seat or 0, held) for held in view.hand)]
    for note in (private_notes for private_notes in view.private_notes if private_notes.article == "O12.3"):
        values = dict(note.values)
        at = blank.indices(view.seat or 0, STACK_SIZE)[values["round"] - 1]
        order[at] = values["card"]
        lying.remove((view.seat or 0, values["card"]))
    without, aces = _without_hearts(facts), {(act.seat, ace(act.suit)): act.aces for act in shown}
    for seat, held in sorted(lying, key=lambda one: (one[1] is not HEARTS, one not in aces)):
        free = _free(order, held, without, blank.indices(seat, seen))
        if aces.get((seat, held)):
            aces[seat, held] -= 1
            free = [at for at in free if at < FIRST_FACE_DOWN] or free
        order[rng.choice(free)] = held
    rest = shuffled(list(unseen_cards(view).elements()), rng)
    for held in [held for held in rest if held is HEARTS]:
        rest.remove(held)
        order[rng.choice(_free(order, held, without, range(STACK_SIZE)))] = held
    return Stack(tuple(held or rest.pop() for held in order), blank.starter)


def _free(order: Sequence[Card | None], held: Card, without: AbstractSet[int], indices: Iterable[int]) -> list[int]:
    """Return the free indices for a card. without: indices without an ace of hearts."""
    return [at for at in indices if order[at] is None and not (held is HEARTS and at in without)]


def _without_hearts(facts: Facts) -> AbstractSet[int]:
    """Return the indices that cannot hold an ace of hearts.

    Seats asked in vain had looked there (2.15, O6.3).
    """
    if "forced" in facts:
        asked = (int(facts["forced"]) - int(facts["starter"])) % PLAYERS
        return {at for at in range(FIRST_FACE_DOWN) if at % PLAYERS < asked}
    if "forced_late" in facts:
        asked = (int(facts["forced_late"]) - int(facts["starter"])) % PLAYERS
        return {at for at in range(STACK_SIZE) if at < FIRST_FACE_DOWN or at % PLAYERS < asked}
    return frozenset()


# A hand in play


def _play(view: View, facts: Facts, rng: random.Random) -> BigAGame:
    rules = cast("BigARules", view.rules)
    assert rules.big
    rules = rules.in_force(rules.big)
    net = _net(view, rules)
    hands, holder = _spread(view, facts, rules, rng)
    sides = _sides(view, facts, rules, net, holder=holder)
    known = tuple((int(holding.seat), held) for holding in facts.get("held", ()) for held in holding.amount)
    before = tuple((name, value) for name, value in view.facts if name in OF_THE_DRAW)
    return BigAGame(
        rules,
        sides,
        before,
        hands,
        next(iter(view.awaited), 0),
        view.trick,
        view.tricks,
        known,
        net,
        tuple(map(int, facts.get("out", ()))),
        _of(view.seat, view.private_notes[:-1]),
        view.result,
    )


OF_THE_DRAW = ("starter", "redealt", "unseen", "shown", "forced", "forced_late", "revealed")


def _net(view: View, rules: BigARules) -> tuple[int, ...]:
    net = [0] * PLAYERS
    for trick in (*view.tricks, view.trick):
        for move in trick.moves:
            if move.combo:
                net[move.seat] += changes_of(rules, move.combo.cards, move.taken)
    return tuple(net)


def _sides(view: View, facts: Facts, rules: BigARules, net: tuple[int, ...], *, holder: int | None) -> Sides:
    """Return the sides known to the viewer.

    A partner unknown to the viewer is the imagined holder.
    """
    declarer, seat = int(facts["declarer"]), view.seat
    known = "partner" in facts or "alone" in facts
    partner = int(facts["partner"]) if "partner" in facts else None
    if not known:
        own = sum(map(rules.groups.is_big, view.hand)) + (net[seat] if seat is not None else 0)
        partner = seat if own > 0 and seat != declarer else holder if holder != declarer else None
    acts = facts.get("shown", ())
    both = "revealed" in facts or bool(acts and len(acts[-1].amount) > 1)
    return Sides(declarer, rules.big_aces[0].suit, partner, both, known)


def _spread(view: View, facts: Facts, rules: BigARules, rng: random.Random) -> tuple[tuple[Cards, ...], int | None]:
    """Deal the unseen cards to the other hands.

    Return the hands, and the holder of an unseen Big Ace, if any.
    """
    if view.result:
        return view.result.left, None
    held = {seat: [card for owner, card in view.known if owner == seat] for seat in range(PLAYERS)}
    if view.seat is not None:
        held[view.seat] = list(view.hand)
    pool = shuffled(list(unseen_cards(view).elements()), rng)
    room = {seat: count - len(held[seat]) for seat, count in enumerate(view.counts)}
    holder = None
    for big in [card for card in pool if rules.groups.is_big(card)]:
        holder = _holder(room, facts, rng)
        pool.remove(big)
        held[holder].append(big)
        room[holder] -= 1
    hands = tuple(rules.sort((*held[seat], *(pool.pop() for _ in range(room[seat])))) for seat in range(PLAYERS))
    return hands, holder


def _holder(room: Mapping[int, int], facts: Facts, rng: random.Random) -> int:
    """Return a random holder of the unseen Big Ace.

    Every unseen card is equally likely to be it. A seat asked in vain for an ace of hearts can hold it only as its
    face-down card (2.15).
    """
    likely, starter, declarer = dict(room), int(facts["starter"]), int(facts["declarer"])
    turns = {seat: (seat - starter) % PLAYERS for seat in likely}
    if "forced" in facts:
        likely = {seat: min(count, 1) if turns[seat] < turns[declarer] else count for seat, count in room.items()}
    if "forced_late" in facts:  # the other ace was the last card of a later seat (O6.3)
        likely = {seat: min(count, 1) if turns[seat] > turns[declarer] else 0 for seat, count in room.items()}
    at = rng.randrange(sum(likely.values()))
    for seat, count in likely.items():
        at -= count
        if at < 0:
            return seat
    raise AssertionError("a seat holds the card")
