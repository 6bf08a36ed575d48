"""Random hands consistent with a seat's View (determinization), never derived from the state."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from bot.rules.big_two.dealers import STEPS
from bot.rules.big_two.dealt import Dealt, HandProgress, KnownCard
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.precaution import Breach, breach
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.core.cards import Card, Cards, shuffled
from bot.rules.core.game import View
from bot.rules.core.trick import Combo


def imagine(rules: BigTwoRules, view: View, rng: random.Random) -> BigTwoGame:
    """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
    facts = dict(view.facts)
    first = [move.seat for trick in (*view.tricks, view.trick) for move in trick.moves if move.combo]
    turn = next(iter(view.awaited), 0)
    hands, extra, stock = _spread(rules, view, facts, rng)
    private_notes = (
        tuple(view.private_notes if seat == view.seat else () for seat in range(len(hands)))
        if view.private_notes
        else ()
    )
    dealt = Dealt(
        facts["dealer"],
        _step(rules, facts),
        facts.get("cut"),
        facts.get("draws", ()),
        tuple(purse.amount for purse in facts.get("chips", ())),
        extra,
        rng.getrandbits(64),
        facts.get("lead"),
    )
    progress = HandProgress(
        facts.get("starter", first[0] if first else turn),
        facts.get("low"),
        facts.get("taker"),
        facts.get("giving"),
        private_notes,
        _out(view),
        tuple((move.seat, move.combo) for move in facts.get("specials", ())),
        _final(view),
        reshuffles=facts.get("reshuffles", 0),
    )
    shown = tuple(KnownCard(seat, card) for seat, card in view.known)
    broken = _breach(rules, view, hands, turn) if rules.precaution and not view.result else None
    return BigTwoGame(
        rules, dealt, hands, turn, view.must, progress, stock, shown, view.trick, view.tricks, broken, view.result
    )


def _step(rules: BigTwoRules, facts: Mapping[str, Any]) -> int:
    way = next((way for way in STEPS if way in facts), rules.options.direction)
    return STEPS[way]


def _spread(
    rules: BigTwoRules, view: View, facts: Mapping[str, Any], rng: random.Random
) -> tuple[tuple[Cards, ...], Card | None, Cards]:
    """Deal the unseen cards to the other hands, the middle and the stock.

    Cards below the lowest dealt card were not dealt, and the giver of the highest card holds none above it (C40.1).
    """
    held = {view.seat: view.hand} if view.seat is not None else {}
    for seat, card in view.known:
        held[seat] = (*held.get(seat, ()), card)
    if view.result:
        held = dict(enumerate(view.result.left))
    open_extra = facts.get("extra")
    lying = {open_extra} if open_extra and "taker" not in facts else set()
    seen = lying.union(*held.values(), *(trick.cards for trick in (*view.tricks, view.trick)))
    pool = _unseen(rules, seen, facts.get("low"), rng)
    giver, most = _given(rules, view, facts)
    hands = {}
    for seat in sorted(range(len(view.counts)), key=lambda seat: seat != giver):
        mine = held.get(seat, ())
        may = [card for card in pool if seat != giver or rules.groups.power[card] < most]
        dealt = may[len(may) - view.counts[seat] + len(mine) :]
        hands[seat] = rules.sort((*mine, *dealt))
        pool = [card for card in pool if card not in dealt]
    extra = open_extra
    if rules.options.extra_card == "face_down" and "taker" not in facts and pool:
        extra = pool.pop()
    return tuple(hands[seat] for seat in sorted(hands)), extra, tuple(shuffled(pool, rng))


def _given(rules: BigTwoRules, view: View, facts: Mapping[str, Any]) -> tuple[int | None, int]:
    """Return the seat that just gave the viewer a card, and the power of the card; None without one (C40.1)."""
    if "giving" not in facts or not view.private_notes or view.seat not in view.awaited:
        return None, 0
    return facts["giving"], rules.groups.power[dict(view.private_notes[0].values)["card"]]


def _unseen(rules: BigTwoRules, seen: set[Card], low: Card | None, rng: random.Random) -> list[Card]:
    """Return the unseen cards, to be taken from the end: cards below the lowest dealt card come first."""
    unseen = shuffled([card for card in rules.pack if card not in seen], rng)
    least = rules.groups.power[low] if low else 0
    return sorted(unseen, key=lambda card: rules.groups.power[card] >= least)


def _out(view: View) -> tuple[int, ...]:
    """Return the seats that went out, in order."""
    return tuple(int(seat) for seat in dict(view.facts).get("out", ()))


def _final(view: View) -> Combo | None:
    """Return the last play of the first seat that went out, if the tricks still contain it."""
    if not (out := _out(view)):
        return None
    moves = [move for trick in (*view.tricks, view.trick) for move in trick.moves if move.seat == out[0]]
    return next((move.combo for move in reversed(moves) if move.combo), None)


def _breach(rules: BigTwoRules, view: View, hands: tuple[Cards, ...], turn: int) -> Breach | None:
    """Return the breach in the last step for these hands (8.1)."""
    trick = view.trick if view.trick.moves else next(iter(view.tricks[-1:]), view.trick)
    if not trick.moves or len(hands[turn]) != 1:
        return None
    *before, last = trick.moves
    if last.seat == turn:
        return None
    top = next((move.combo for move in reversed(before) if move.combo), None)
    held = rules.sort((*hands[last.seat], *(last.combo.cards if last.combo else ())))
    return breach(rules, last.seat, held, top, played=last.combo) if held else None
