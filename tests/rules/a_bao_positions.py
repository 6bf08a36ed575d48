"""Short ways to say where a hand of Tàihé A Bāo stands, in the bidding and in play, and what is done there.

In the notation of cards, through the public interface of the game. A "-" is a pass.
"""

from functools import reduce
from itertools import islice
from random import Random
from typing import Any, TypeAlias

import pytest

from bot.games import GAMES
from bot.rules.a_bao import ABao
from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.a_bao.groups import BINDING
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.a_bao.state import Bid, Called, Known
from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass, Play, Ready
from bot.rules.core.cards import card, cards, write
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match

Hand: TypeAlias = ABaoBidding | ABaoGame

FOUR = ("4h 5d 6d Kd", "7d 7c 9c Ad", "Td Jd Qd Kc", "4c 9d 9h Ah")  # four hands to bid with; seat 0 has the 4h


def rules(preset: str = "standard", **options: Any) -> ABao:
    """Return Tàihé A Bāo under a preset with some options changed."""
    found = GAMES["a_bao"].rules(preset, **options)
    assert isinstance(found, ABao)
    return found


def asking(preset: str = "standard", **options: Any) -> ABao:
    """Return Tàihé A Bāo without automatic passes."""
    return rules(preset, **{"auto_pass": "off", **options})


# What is done


def action(hand: Hand, text: str) -> Action:
    """Return what a text says here: "-", "declare", "call 9s", "give 4d", or the cards that are played."""
    verb, _, named = text.partition(" ")
    if isinstance(hand, ABaoBidding) and not hand.second and text in ("-", "declare"):
        return Choose(("pass" if text == "-" else text,))
    if verb == "call":
        return Name(card(named))
    if verb == "give":
        return Give(cards(named))
    return Pass() if text == "-" else Play(cards(text))


def whose(hand: Hand) -> int:
    """Return the seat to speak; for simultaneous questions, the next without an answer."""
    if isinstance(hand, ABaoGame):
        return hand.turn
    seats = range(hand.rules.players)
    return next(seat for ahead in seats if (seat := (hand.bid.starter + ahead) % len(seats)) in hand.awaited)


def done(hand: Hand, *acts: str) -> Hand:
    """Return the hand after these acts, each by the seat on turn."""
    return reduce(lambda now, text: now.act(whose(now), action(now, text)), acts, hand)


def bid(hand: Hand, *acts: str) -> ABaoBidding:
    """Return a hand after these acts, in which the bidding goes on."""
    after_them = done(hand, *acts)
    assert isinstance(after_them, ABaoBidding)
    return after_them


def begun(hand: Hand, *acts: str) -> ABaoGame:
    """Return a hand after these acts, with a declarer."""
    after_them = done(hand, *acts)
    assert isinstance(after_them, ABaoGame)
    return after_them


def after(game: ABaoGame, *moves: str) -> ABaoGame:
    """Return a hand in play after these moves, each by the seat on turn."""
    return begun(game, *moves)


def refusal(hand: Hand, tried: str | Action, seat: int | None = None) -> Illegal:
    """Return why this cannot be done."""
    wanted = action(hand, tried) if isinstance(tried, str) else tried
    with pytest.raises(Illegal) as caught:
        hand.act(whose(hand) if seat is None else seat, wanted)
    assert "{" not in str(caught.value)
    return caught.value


def why_not(hand: Hand, tried: str, seat: int | None = None) -> str:
    """Return the article that forbids this."""
    return refusal(hand, tried, seat).article


# A hand that is bid for


def bidding(*held: str, starter: int = 0, bound: bool = False, of: ABao | None = None, **options: Any) -> ABaoBidding:
    """Return a hand at the first word of its bidding. bound: whether the 4h named the starter.

    A seat whose cards are not said gets as many as seat 0, of what is left of the pack.
    """
    game = of or rules(**options)
    hands = [game.sort(cards(each)) for each in held or FOUR]
    rest = iter([each for each in game.pack if each not in sum(hands, ())])
    hands += [tuple(islice(rest, len(hands[0]))) for _ in range(game.players - len(hands))]
    known = Known().shown(BINDING, starter) if bound else Known()
    nothing: tuple[Any, ...] = ((),) * len(hands)
    return ABaoBidding(game, Bid(starter, bound), tuple(hands), 7, given=nothing, known=known, private_notes=nothing)


def calling(*held: str, **position: Any) -> ABaoBidding:
    """Return such a hand at the first word of the second round."""
    hand = bidding(*held, **position)
    return bid(hand, *["-"] * hand.rules.players)


def dealt(seed: str, of: ABao | None = None, past: tuple[Result, ...] = (), dealer: int = 0) -> ABaoBidding:
    """Return a hand as it is dealt, whole."""
    return bid((of or rules()).deal(Random(seed), dealer, past))


def offered(hand: Hand, seat: int | None = None) -> list[str]:
    """Return what a seat is offered in the bidding: answers, or the cards it can call or give back."""
    seat = whose(hand) if seat is None else seat
    view = hand.view(seat)
    match view.ask:
        case ChooseAsk(answers=answers):
            return [each.code for each in answers]
        case NameAsk(cards=named):
            return list(map(str, named))
        case GiveAsk():
            return list(map(str, view.ask.givable(view.hand)))
    return []


def cards_of(hand: Hand) -> list[str]:
    """Return the cards of each seat."""
    return [write(each) for each in hand.hands]


def fact(hand: Hand, name: str) -> Any:
    """Return a public fact of a hand, None if unknown."""
    return dict(hand.view(None).facts).get(name)


def callers(hand: Hand) -> list[int]:
    """Return who has called, in order."""
    return [int(each.seat) for each in fact(hand, "called") or ()]


def known_to(hand: Hand, seat: int | None) -> list[str]:
    """Return the cards in other hands of which a seat knows, each with its holder: "1 9s"."""
    return [f"{holder} {held}" for holder, held in hand.view(seat).known]


# A hand in play


def spare(game: ABaoRules, held: str) -> str:
    """Return two cards that are not among these: they keep a seat from going out."""
    return write([each for each in game.pack if each not in cards(held)][-2:])


def called(game: ABaoRules, declarer: int, count: int) -> tuple[Called, ...]:
    """Return a number of calls, the last one by the declarer, of irrelevant cards."""
    seats = [(declarer - before) % game.players for before in range(count)][::-1]
    return tuple(Called(seat, card("9d"), (seat + 1) % game.players) for seat in seats)


def table(
    *held: str,
    of: ABaoRules | None = None,
    declarer: int = 0,
    turn: int | None = None,
    calls: int = 0,
    plays: tuple[int, ...] = (),
    **options: Any,
) -> ABaoGame:
    """Return a hand in play: each seat's cards (two low ones by default), and the leader.

    calls: how many have called, 0 where the declarer has declared; plays: how often each seat has played before.
    """
    game = of or rules(**options)
    hands = tuple(game.sort(cards(each)) for each in (*held, *["4c 6c"] * (game.players - len(held))))
    nothing: tuple[Any, ...] = ((),) * game.players
    said = Bid(declarer, bound=False, calls=called(game, declarer, calls), declarer=declarer)
    return ABaoGame(
        game, said, hands, declarer if turn is None else turn, plays or (0,) * game.players, private_notes=nothing
    )


def lying(top: str, hand: str = "", of: ABaoRules | None = None) -> ABaoGame:
    """Return a game in which seat 1, holding these cards and more, answers the lead of seat 0."""
    game = of or asking()
    return after(table(f"{top} {spare(game, top)}", f"{hand} {spare(game, hand)}", of=game), top)


def beats(tried: str, top: str, of: ABao | None = None) -> bool:
    """Tell whether one play beats another."""
    try:
        after(lying(top, tried, of), tried)
    except Illegal:
        return False
    return True


def climbs(*ladder: str, of: ABao | None = None) -> bool:
    """Tell whether of these plays, lowest first, each beats all before it and none after it."""
    return all(
        beats(high, low, of) == (place < at) for at, high in enumerate(ladder) for place, low in enumerate(ladder)
    )


def not_on(tried: str, top: str, of: ABao | None = None) -> str:
    """Return the article that forbids to put the one on the other."""
    return why_not(lying(top, tried, of), tried)


def not_led(tried: str, of: ABao | None = None) -> str:
    """Return the article that forbids to lead this."""
    game = of or rules()
    return why_not(table(f"{tried} {spare(game, tried)}", of=game), tried)


def named(text: str, of: ABao | None = None) -> Combo | None:
    """Return what these cards are."""
    return (of or rules()).classify(cards(text))


def kind(text: str, of: ABao | None = None) -> str | None:
    """Return the name of what these cards are."""
    combo = named(text, of)
    return combo.kind if combo else None


def suits(rank: str, count: int) -> str:
    """Return a number of cards of a rank."""
    return " ".join(f"{rank}{suit}" for suit in "dchs"[:count])


def in_a_row(ranks: str, count: int = 1) -> str:
    """Return a number of cards of each rank."""
    return " ".join(suits(rank, count) for rank in ranks)


# How it ends


def result(hand: Hand) -> Result:
    """Return how the hand ended."""
    assert hand.result is not None
    return hand.result


def ended(
    *,
    won: bool,
    declarer: int = 0,
    calls: int = 0,
    others_played: bool = True,
    own_plays: int = 3,
    of: ABao | None = None,
    **options: Any,
) -> ABaoGame:
    """Return a hand that is over: the declarer, or else the next in turn, has played a last card.

    others_played: whether an opponent has played before; own_plays: how often the declarer has played in all.
    """
    game = of or rules(**options)
    last = declarer if won else (declarer + 1) % game.players
    plays = [int(others_played)] * game.players
    plays[declarer] = own_plays - won
    held = ["6d" if seat == last else "4c 6c" for seat in range(game.players)]
    return after(table(*held, of=game, declarer=declarer, turn=last, calls=calls, plays=tuple(plays)), "6d")


def points(**how: Any) -> list[int]:
    """Return the points of each seat in such a hand."""
    return list(result(ended(**how)).points)


def between(of: ABaoRules, *hands: Hand) -> Match:
    """Return the match after these finished hands."""
    return Match(of, seed="seed", game=hands[-1], results=tuple(map(result, hands)))


def next_hand(of: ABaoRules, *hands: Hand) -> ABaoBidding:
    """Return the hand that is dealt after these."""
    ready = reduce(lambda match, seat: match.act(seat, Ready()), range(of.players), between(of, *hands))
    assert isinstance(ready.game, ABaoBidding)
    return ready.game
