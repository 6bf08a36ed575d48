"""5. The deal, and who starts.

Knows how cards come into hands before the first play. Refuses to know what is played.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from bot.rules.big_two.dealt import Dealt, Progress, Shown, first_facts
from bot.rules.big_two.options import Options
from bot.rules.big_two.play import BigTwoGame, finish
from bot.rules.big_two.score import loser
from bot.rules.big_two.tables import DECKS
from bot.rules.cards import Card, Cards, shuffled, without
from bot.rules.game import Result
from bot.rules.sentences import Note, Seat

if TYPE_CHECKING:
    from bot.rules.big_two.rules import BigTwo

NOBODY = -1  # has made the first play
STEPS = {"anticlockwise": 1, "clockwise": -1}


def step(options: Options, number: int) -> int:
    """Return 1 where the hand of this number goes anticlockwise, -1 where it goes clockwise (C1)."""
    if options.direction != "alternate":
        return STEPS[options.direction]
    return STEPS[options.alternate_first] * (1 if number % 2 else -1)


def first_seat(options: Options, dealer: int, cut: Card | None, number: int = 1) -> int:
    """Return the seat that gets the first card: count from the dealer up to the rank shown (5.5, C2, C38.1)."""
    ahead = DECKS[options.deck].natural.index(cut.rank) if cut else 1
    return (dealer + step(options, number) * ahead) % options.players


def drawn_dealer(rules: BigTwo, draws: Cards) -> int:
    """Return who deals a new round: the seat that drew the highest card (C7.2)."""
    return max(range(len(draws)), key=lambda seat: rules.groups.power[draws[seat]])


def new_round(options: Options, number: int) -> bool:
    """Tell whether a round begins with the hand of this number (C7.1)."""
    return (number - 1) % options.round_deals == 0


def deal(rules: BigTwo, rng: random.Random, dealer: int, past: tuple[Result, ...]) -> BigTwoGame:
    """Shuffle, cut, and deal one card at a time (5.3-5.7)."""
    o, number = rules.options, len(past) + 1
    draws: Cards = ()
    by_draw = o.dealer == "round_draw" and o.starter != "first_low_then_loser"  # C3.2
    if by_draw and number > 1 and new_round(o, number):
        draws = tuple(shuffled(rules.pack, rng)[: o.players])
        dealer = drawn_dealer(rules, draws)
    order = shuffled(rules.pack, rng)
    cut = order[rng.randrange(len(order))] if o.first_card == "cut" else None
    first, way = first_seat(o, dealer, cut, number), step(o, number)
    total = o.dealt * o.players
    hands = tuple(
        rules.sort(tuple(order[((seat - first) * way) % o.players : total : o.players])) for seat in range(o.players)
    )
    extra = order[total] if o.extra_card != "none" else None
    luck = rng.getrandbits(64) if o.draw_on_pass != "none" else 0
    dealt = Dealt(dealer, way, cut, draws, rules.chips(past), extra, luck, leader(rules, past))
    stock = tuple(order[total + (extra is not None) :])
    if rules.quiet and not stock:
        dealt = dealt._replace(facts=first_facts(dealt))
    return laid_out(rules, dealt, hands, past, stock)


def laid_out(
    rules: BigTwo, dealt: Dealt, hands: tuple[Cards, ...], past: tuple[Result, ...] = (), stock: Cards = ()
) -> BigTwoGame:
    """Return the hand that begins with these cards, each seat's in any order, after the past hands."""
    game = BigTwoGame(rules, dealt, tuple(map(rules.sort, hands)), 0, None, Progress(NOBODY), stock)
    if rules.options.dragon != "off" and (winner := dragon(rules, game.hands)) is not None:
        sentence = "{seat} was dealt one card of each rank, a dragon, and wins at once."
        return finish(game, (winner,), (Note("C18.1", sentence, (("seat", Seat(winner)),)),))
    if rules.options.exchange != "none" and past and past[-1].order:
        return _exchanged(game, past[-1].order[0], loser(rules.groups, past[-1]))
    return begun(game)


def _exchanged(game: BigTwoGame, winner: int, giver: int) -> BigTwoGame:
    """C40: the loser of the last hand gives the highest card, and waits for one."""
    high, hands = game.hands[giver][-1], list(game.hands)
    hands[giver] = without(hands[giver], (high,))
    hands[winner] = game.rules.sort((*hands[winner], high))
    told = {
        winner: Note("C40.1", "{seat} gave you {card}; give any card back.", (("seat", Seat(giver)), ("card", high))),
        giver: Note("C40.1", "You gave {seat} your highest card, {card}.", (("seat", Seat(winner)), ("card", high))),
    }
    now = game._replace(hands=tuple(hands), turn=winner, shown=(Shown(winner, high, giver),))
    return now.telling(told, giving=giver)


def begun(game: BigTwoGame) -> BigTwoGame:
    """Give the extra card away, and find who starts (6.1, C4, C38.2, C39)."""
    holder, lowest = lowest_dealt(game)
    if game.dealt.extra:
        game = _with_extra(game, holder, lowest, game.dealt.extra)
        _, lowest = lowest_dealt(game)
    lead = game.dealt.lead
    if lead is not None:
        return game._replace(turn=lead, progress=game.progress._replace(starter=lead))
    return game._replace(
        turn=holder,
        must=lowest if game.rules.options.low_card_in_first_play else None,
        shown=tuple(dict.fromkeys((*game.shown, Shown(holder, lowest)))),
        progress=game.progress._replace(starter=holder, low=lowest),
    )


def lowest_dealt(game: BigTwoGame) -> tuple[int, Card]:
    """Return the lowest card in any hand, and who holds it."""
    holder = min(range(len(game.hands)), key=lambda seat: game.rules.groups.power[game.hands[seat][0]])
    return holder, game.hands[holder][0]


def _with_extra(game: BigTwoGame, holder: int, lowest: Card, extra: Card) -> BigTwoGame:
    """C39: whoever holds the lowest card takes the one in the middle."""
    hands = list(game.hands)
    hands[holder] = game.rules.sort((*hands[holder], extra))
    open_cards = (lowest, extra) if game.rules.options.extra_card == "face_up" else (lowest,)
    told = {holder: Note("C39.1", "You took the extra card, {card}.", (("card", extra),))}
    shown = (*game.shown, *(Shown(holder, each) for each in open_cards))
    return game._replace(hands=tuple(hands), shown=shown).telling(told, taker=holder)


def dragon(rules: BigTwo, hands: tuple[Cards, ...]) -> int | None:
    """Return who was dealt thirteen cards of thirteen ranks, the one with the highest card among several (C18)."""
    dragons = [seat for seat, held in enumerate(hands) if len({each.rank for each in held}) == 13 == len(held)]
    return max(dragons, key=lambda seat: max(map(rules.groups.power.__getitem__, hands[seat])), default=None)


def leader(rules: BigTwo, past: tuple[Result, ...]) -> int | None:
    """Return who starts the hand after these, or None where the lowest card does (C4)."""
    o, number = rules.options, len(past) + 1
    by_card = o.starter == "low_card" or number == 1 or not past[-1].order
    if by_card or (o.starter == "rounds" and new_round(o, number)):
        return None
    return loser(rules.groups, past[-1]) if o.starter == "first_low_then_loser" else past[-1].order[0]


def next_dealer(rules: BigTwo, dealer: int, past: tuple[Result, ...]) -> int:
    """Return who deals after these hands (5.2, C3); a draw for the deal comes only with the deal itself."""
    o, last = rules.options, past[-1]
    if not last.order:  # C3.3
        return dealer
    if o.dealer == "loser" or o.starter == "first_low_then_loser":
        return loser(rules.groups, last)
    return (dealer + step(o, 1)) % o.players if o.dealer == "rotate" else last.order[0]
