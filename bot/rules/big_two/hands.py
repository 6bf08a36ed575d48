"""5. The beginning of a hand: dealt, or imagined to match a seat's view."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from bot.domain.message_ids import N_
from bot.rules.big_two.options import Options
from bot.rules.big_two.play import BigTwoGame, finish
from bot.rules.big_two.rules import STEPS, BigTwoRules, drawn_dealer, first_seat, leader, new_round, step
from bot.rules.big_two.score import loser
from bot.rules.big_two.state import Breach, Dealt, HandProgress, KnownCard, begun, breach, first_facts
from bot.rules.core.cards import Card, Cards, shuffled, without
from bot.rules.core.game import Result, View
from bot.rules.core.sentences import Illegal, Note, Seat
from bot.rules.core.trick import Combo

NOBODY = -1  # no seat has made the first play


def deal(rules: BigTwoRules, rng: random.Random, dealer: int, past: tuple[Result, ...]) -> BigTwoGame:
    """Shuffle, cut, and deal one card at a time (5.3-5.7)."""
    o, number = rules.options, len(past) + 1
    draws: Cards = ()
    by_draw = o.dealer == "round_draw" and o.starter != "first_low_then_loser"  # C3.2
    if by_draw and number > 1 and new_round(o, number):
        draws = tuple(shuffled(rules.pack, rng)[: o.players])
        dealer = drawn_dealer(rules.groups, draws)
    order = shuffled(rules.pack, rng)
    cut = order[rng.randrange(len(order))] if o.first_card == "cut" else None
    first, way = first_seat(o, dealer, cut, number), step(o, number)
    total = o.dealt * o.players
    hands = tuple(
        rules.sort(tuple(order[((seat - first) * way) % o.players : total : o.players])) for seat in range(o.players)
    )
    extra = order[total] if o.extra_card != "none" else None
    luck = rng.getrandbits(64) if o.draw_on_pass != "none" else 0
    dealt = Dealt(dealer, way, cut, draws, rules.chips(past), extra, luck, leader(o, rules.groups, past))
    stock = tuple(order[total + (extra is not None) :])
    if rules.quiet and not stock:
        dealt = dealt._replace(facts=first_facts(dealt))
    return laid_out(rules, dealt, hands, past=past, stock=stock)


def laid_out(
    rules: BigTwoRules, dealt: Dealt, hands: tuple[Cards, ...], *, past: tuple[Result, ...] = (), stock: Cards = ()
) -> BigTwoGame:
    """Return the hand that begins with these cards, in any order, after the past hands."""
    game = BigTwoGame(rules, dealt, tuple(map(rules.sort, hands)), 0, None, HandProgress(NOBODY), stock)
    if rules.options.dragon != "off" and (winner := dragon(rules, game.hands)) is not None:
        sentence = N_("{seat} was dealt a dragon, one card of each rank, and wins right away.")
        return finish(game, (winner,), (Note("C18.1", sentence, (("seat", Seat(winner)),)),))
    if rules.options.exchange != "none" and past and past[-1].order:
        return _exchanged(game, past[-1].order[0], loser(rules.groups, past[-1]))
    return begun(game)


def _exchanged(game: BigTwoGame, winner: int, giver: int) -> BigTwoGame:
    """C40: the loser of the last hand gives the highest card, and waits for one in return."""
    high, hands = game.hands[giver][-1], list(game.hands)
    hands[giver] = without(hands[giver], (high,))
    hands[winner] = game.rules.sort((*hands[winner], high))
    private_notes = {
        winner: Note("C40.1", "{seat} gave you {card}; give any card back.", (("seat", Seat(giver)), ("card", high))),
        giver: Note("C40.1", "You gave {seat} your highest card, {card}.", (("seat", Seat(winner)), ("card", high))),
    }
    now = game._replace(hands=tuple(hands), turn=winner, shown=(KnownCard(winner, high, giver),))
    return now.with_notes(private_notes, giving=giver)


def dragon(rules: BigTwoRules, hands: tuple[Cards, ...]) -> int | None:
    """Return the seat with thirteen cards of thirteen ranks, None without one (C18).

    If several seats have such cards, the one with the highest card.
    """
    dragons = [seat for seat, held in enumerate(hands) if len({card.rank for card in held}) == 13 == len(held)]
    return max(dragons, key=lambda seat: max(map(rules.groups.power.__getitem__, hands[seat])), default=None)


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
    """Return the seat that just gave the viewer a card, and the power of the card (C40.1).

    None and 0 if no seat gave a card.
    """
    if "giving" not in facts or not view.private_notes or view.seat not in view.awaited:
        return None, 0
    return facts["giving"], rules.groups.power[dict(view.private_notes[0].values)["card"]]


def _unseen(rules: BigTwoRules, seen: set[Card], low: Card | None, rng: random.Random) -> list[Card]:
    """Return the unseen cards, to be taken from the end.

    Cards below the lowest dealt card come first.
    """
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


class BigTwo(BigTwoRules):
    """The complete rules of Big Two, with dealing and determinization."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> BigTwoGame:
        """Shuffle, cut and deal the hand after the past ones."""
        return deal(self, rng, dealer, past)

    def imagine(self, view: View, rng: random.Random) -> BigTwoGame:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        return imagine(self, view, rng)


def new(options: Options) -> BigTwo:
    """Return the rules for a new match. Raises Illegal for an unreachable target."""
    if options.match_end == "target" and options.scoring == "places" and max(options.paid_places) <= 0:
        raise Illegal("C45.8", "Nobody can reach the target: no place scores any points.")
    return BigTwo(options)


def former(options: Options, version: int) -> BigTwo:
    """Return the rules in an earlier version.

    Since version 3 a player's own last card never obliges that player, the obligation of a pass depends on the player
    who acts after the pass, and a match to a target with positive points ends when a total reaches the target, no
    longer when a total is equally far below zero.
    """
    return BigTwo(options, version=version)
