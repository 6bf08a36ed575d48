"""5. The deal, up to the first play."""

from __future__ import annotations

import random

from bot.domain.message_ids import N_
from bot.rules.big_two.begin import begun
from bot.rules.big_two.dealers import drawn_dealer, first_seat, leader, new_round, step
from bot.rules.big_two.dealt import Dealt, HandProgress, KnownCard, first_facts
from bot.rules.big_two.play import BigTwoGame, finish
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.big_two.score import loser
from bot.rules.core.cards import Cards, shuffled, without
from bot.rules.core.game import Result
from bot.rules.core.sentences import Note, Seat

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
        sentence = N_("{seat} was dealt one card of each rank, a dragon, and wins at once.")
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
    return now.telling(private_notes, giving=giver)


def dragon(rules: BigTwoRules, hands: tuple[Cards, ...]) -> int | None:
    """Return the seat with thirteen cards of thirteen ranks, the one with the highest card among several (C18)."""
    dragons = [seat for seat, held in enumerate(hands) if len({card.rank for card in held}) == 13 == len(held)]
    return max(dragons, key=lambda seat: max(map(rules.groups.power.__getitem__, hands[seat])), default=None)
