"""Hands of Tàihé A Bāo by chance: any options, and what seats may do of their own accord in the bidding and in play.

Acts on questions and offers only; the tests state the properties.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from bot.games import GAMES
from bot.rules.a_bao import ABao
from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.a_bao.play import ABaoGame
from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import Card
from bot.rules.core.game import View
from tests.laws.matches import compatible
from tests.rules.a_bao_positions import Hand, bid, rules

KEEN = (0.3, 0.5, 0.8, 1.0)  # how likely a player calls
FEW = 30  # plays looked at


def any_options(rng: Random, **fixed: Any) -> dict[str, Any]:
    """Return some changes of the standard game, with those that are fixed."""
    wished = {each.name: rng.choice(each.choices).value for each in GAMES["a_bao"].sheet.options.values()}
    return compatible(GAMES["a_bao"], "standard", {name: wished[name] for name in wished if name not in fixed}, fixed)


def any_rules(rng: Random, **fixed: Any) -> ABao:
    """Return the game under any options."""
    return rules(**any_options(rng, **fixed))


def dealt(game: ABao, rng: Random) -> ABaoBidding:
    """Return a first hand."""
    return bid(game.deal(rng, 0))


def some_action(view: View, rng: Random, keen: float) -> Action:
    """Return something that a seat may do: it may well call or give what has been in another hand before."""
    match view.ask:
        case ChooseAsk():
            return Choose(("declare" if rng.random() < keen / 12 else "pass",))
        case NameAsk(cards=named, may_pass=may_pass):
            if may_pass and rng.random() > keen:
                return Pass()
            known = [held for _, held in view.known if held in named]
            return Name(rng.choice(known if known and rng.random() < 0.5 else named))
        case GiveAsk() as ask:
            can = ask.givable(view.hand)
            got = [held for held in received(view) if held in can]
            return Give((rng.choice(got if got and rng.random() < 0.5 else can),))
        case PlayAsk(may_pass=may_pass):
            plays = view.plays.first(FEW)
            if may_pass and (not plays or rng.random() < 0.3):
                return Pass()
            return Play(rng.choice(plays).cards)
    raise TypeError(view.ask)


def received(view: View) -> list[Card]:
    """Return the cards that a seat received, by its private notes."""
    return [held for note in view.private_notes for name, given in note.values if name == "cards" for held in given]


def acted(hand: Hand, seat: int, action: Action) -> Hand:
    """Return the hand that follows."""
    return hand_of(hand.act(seat, action))


def hand_of(game: object) -> Hand:
    """Return a hand of this game."""
    assert isinstance(game, ABaoBidding | ABaoGame)
    return game


def steps(hand: Hand, rng: Random, keen: float | None = None) -> Iterator[tuple[Hand, int, Action, Hand]]:
    """Yield every step of a hand to its end, with the next state; redealt hands are included."""
    wish = rng.choice(KEEN) if keen is None else keen
    while hand.result is None:
        seat = rng.choice(sorted(hand.awaited))
        action = some_action(hand.view(seat), rng, wish)
        before, hand = hand, acted(hand, seat, action)
        yield before, seat, action, hand


def by_chance(seed: object, **fixed: Any) -> Iterator[tuple[Hand, int, Action, Hand]]:
    """Yield every step of a hand under any options."""
    rng = Random(str(seed))
    return steps(dealt(any_rules(rng, **fixed), rng), rng)
