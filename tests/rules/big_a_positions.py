"""Short ways to say where a hand of Big A stands, in the draw and in play, and what is done there.

In the notation of cards, through the public interface of the game. A "-" is a pass.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

import pytest

from bot.games import GAMES
from bot.rules.big_a import BigA
from bot.rules.big_a.declarations import Stack
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.resolution import WindowKind
from bot.rules.big_a.score import Sides
from bot.rules.big_a.windows import BigADraw
from bot.rules.core.asks import ORDER, Action, Choose, ChooseAsk, Pass, Play
from bot.rules.core.cards import Cards, Rank, Suit, card, cards, double_pack
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal, Seat
from bot.rules.core.trick import Combo

Hand: TypeAlias = BigADraw | BigAGame
Event: TypeAlias = Sequence[Any]  # a moment (cards drawn, or "reveal"), an act, a seat and a suit where it takes one

FILLER = "5c 9s"  # keeps a seat from going out
SEATS = range(5)
DRAWN, LAST_CALL = 108, 108
ACES: dict[str, tuple[int, int]] = {"Ad": (3, 41), "Ac": (10, 22), "Ah": (7, 64), "As": (30, 95)}
CODES = {"expose": "expose", "expose_pair": "pair", "protect": "protect", "reveal": "reveal"}


def rules(preset: str = "standard", **options: Any) -> BigA:
    """Return Big A under a preset with some options changed."""
    found = GAMES["big_a"].rules(preset, **options)
    assert isinstance(found, BigA)
    return found


def asking(preset: str = "standard", **options: Any) -> BigA:
    """Return Big A without automatic passes."""
    return rules(preset, **{"auto_pass": "off", **options})


# A hand in play


def table(  # a position has many sides
    *held: str,
    of: BigA | None = None,
    big: str = "h",
    declarer: int = 0,
    partner: int | None = 1,
    turn: int | None = None,
    both: bool = False,
    known: bool = False,
    out: tuple[int, ...] | None = None,
    **options: Any,
) -> BigAGame:
    """Return a hand in play: each seat's cards (FILLER where they are not said), the sides, and whose lead it is.

    both: whether both Big Aces were shown before the first lead; out: who is out, without cards in order of seats.
    """
    game = (of or rules(**options)).in_force(Suit(big))
    hands = tuple(game.sort(cards(each)) for each in (*held, *[FILLER] * (5 - len(held))))
    gone = tuple(seat for seat in SEATS if not hands[seat]) if out is None else out
    sides = Sides(declarer, Suit(big), partner, both, known=known or both)
    return BigAGame(game, sides, (("starter", Seat(0)),), hands, declarer if turn is None else turn, out=gone)


def alike(rank: str, count: int) -> str:
    """Return a number of cards of a rank."""
    return " ".join(f"{rank}{suit}" for suit in "dchsdchs"[:count])


def in_a_row(ranks: str, count: int) -> str:
    """Return a number of cards of each rank."""
    return " ".join(alike(rank, count) for rank in ranks)


def action(text: str) -> Action:
    """Return a play, or with "-" a pass."""
    return Pass() if text == "-" else Play(cards(text))


def after(game: BigAGame, *moves: str) -> BigAGame:
    """Return the game after these moves, each by the seat on turn."""
    return reduce(lambda now, text: now.act(now.turn, action(text)), moves, game)


def refusal(game: Hand, done: str | Action, seat: int | None = None) -> Illegal:
    """Return why this cannot be done."""
    if seat is None:
        assert isinstance(game, BigAGame)
        seat = game.turn
    with pytest.raises(Illegal) as caught:
        game.act(seat, action(done) if isinstance(done, str) else done)
    assert "{" not in str(caught.value)
    return caught.value


def lying(top: str, hand: str = "", *, of: BigA | None = None, **sides: Any) -> BigAGame:
    """Return a game in which seat 1, holding these cards and more, answers the lead of seat 0."""
    return after(table(f"{top} {FILLER}", f"{hand} {FILLER}", of=of or asking(), **sides), top)


def answer(tried: str, top: str, of: BigA | None = None, **sides: Any) -> str:
    """Return what one play does to another, as the game itself decides: beat, capture or no."""
    game = lying(top, tried, of=of, **sides)
    try:
        done = after(game, tried)
    except Illegal:
        return "no"
    return "capture" if done.trick.moves[-1].taken else "beat"


def beats(tried: str, top: str, of: BigA | None = None, **sides: Any) -> bool:
    """Tell whether one play beats the other and stays on top."""
    return answer(tried, top, of, **sides) == "beat"


def captures(tried: str, top: str, of: BigA | None = None, **sides: Any) -> bool:
    """Tell whether the one takes the other from the pile."""
    return answer(tried, top, of, **sides) == "capture"


def climbs(*ladder: str, of: BigA | None = None, **sides: Any) -> bool:
    """Tell whether of these plays, lowest first, each beats all before it and none after it."""
    return all(
        beats(high, low, of, **sides) == (place < at)
        for at, high in enumerate(ladder)
        for place, low in enumerate(ladder)
    )


def why_not(tried: str, top: str, of: BigA | None = None, **sides: Any) -> str:
    """Return the article that forbids to put the one on the other."""
    return refusal(lying(top, tried, of=of, **sides), tried).article


def why_not_led(tried: str, of: BigA | None = None) -> str:
    """Return the article that forbids to lead this."""
    return refusal(table(f"{tried} {FILLER}", of=of or rules()), tried).article


def named(text: str, of: BigA | None = None, big: str = "h") -> Combo | None:
    """Return what these cards are."""
    return (of or rules()).in_force(Suit(big)).classify(cards(text))


def kind(text: str, of: BigA | None = None) -> str | None:
    """Return the name of what these cards are."""
    combo = named(text, of)
    return combo.kind if combo else None


def fact(game: Hand, name: str) -> Any:
    """Return a public fact of a hand, None if unknown."""
    return dict(game.view(None).facts).get(name)


def result(game: BigAGame) -> Result:
    """Return how the hand ended."""
    assert game.result is not None
    return game.result


def ended(finish: Sequence[int], *, of: BigA | None = None, declarer: int = 0, **sides: Any) -> BigAGame:
    """Return a hand that is over: the seats went out in this order, until all the others were on one side."""
    *gone, last = finish
    held = ["" if seat in gone else "6d" if seat == last else FILLER for seat in SEATS]
    return after(table(*held, of=of, declarer=declarer, turn=last, out=tuple(gone), **sides), "6d")


def points(finish: Sequence[int], **sides: Any) -> list[int]:
    """Return the points of each seat in such a hand."""
    return list(result(ended(finish, **sides)).points)


# A hand in which cards are drawn


def stacked(starter: int = 0, **aces: Sequence[int]) -> Stack:
    """Return a stack with the aces at these indices, those not named being where ACES has them."""
    places = {index: card(name) for name, both in {**ACES, **aces}.items() for index in both}
    rest = iter([each for each in double_pack() if each.rank is not Rank.ACE])
    return Stack(tuple(places[index] if index in places else next(rest) for index in range(DRAWN)), starter)


def drawing(
    starter: int = 0, of: BigA | None = None, aces: Mapping[str, Sequence[int]] = ACES, **options: Any
) -> BigADraw:
    """Return a hand at the first window of its draw."""
    return drawn(BigADraw(of or rules(**options), stacked(starter, **aces), 7).on())


def drawn(hand: Any) -> BigADraw:
    """Return a hand in which cards are still being drawn."""
    assert isinstance(hand, BigADraw)
    return hand


def begun(hand: Any) -> BigAGame:
    """Return a hand in which the play has begun."""
    assert isinstance(hand, BigAGame)
    return hand


def say(draw: Hand, answers: Mapping[int, str] | None = None) -> Hand:
    """Return the hand after these answers and blank answers of every other seat."""
    given, now = answers or {}, draw
    for seat, codes in given.items():
        now = now.act(seat, Choose(tuple(codes.split())))
    for seat in sorted(draw.awaited - given.keys()):
        now = now.act(seat, Choose(("nothing",)))
    return now


def silent(hand: Hand, to: WindowKind | None = None) -> Hand:
    """Return the hand after empty answers, up to the next window of this kind, or to play or a new deal."""
    before = len(drawn(hand).redealt)
    while isinstance(hand, BigADraw) and hand.kind != to and len(hand.redealt) == before:
        hand = say(hand)
    return hand


def offered(draw: Hand, seat: int) -> list[str]:
    """Return the codes of what a seat can answer."""
    ask = draw.view(seat).ask
    assert isinstance(ask, ChooseAsk)
    return [each.code for each in ask.answers]


def order(*codes: str) -> Choose:
    """Return the action that queues a premove."""
    return Choose((ORDER, *codes))


def shown(hand: Hand) -> list[tuple[int, str]]:
    """Return what every player has seen being shown in the draw, in order, each by whom."""
    return [(int(each.seat), " ".join(map(str, each.amount))) for each in fact(hand, "shown") or ()]


def standing(hand: Hand, moment: int | str) -> Hand:
    """Return the hand at this moment of its draw, every player asked again; any number of cards can be a moment.

    A begun or redrawn hand stays as it is.
    """
    if isinstance(hand, BigAGame) or hand.redealt:
        return hand
    if not isinstance(moment, int):
        return silent(hand, "reveal")
    return hand._replace(drawn=moment, kind="last" if moment == LAST_CALL else "round", given=((),) * 5)


def tried(hand: Hand, seat: int, code: str) -> tuple[bool, Hand]:
    """Tell whether a seat may give this answer, and return the hand after it, with blank answers of others."""
    try:
        hand.act(seat, Choose((code,)))
    except Illegal:
        return False, hand
    return True, say(hand, {seat: code})


def through(draw: BigADraw, events: Sequence[Event]) -> tuple[list[bool], Hand]:
    """Return which of these events were allowed, in order, and the hand after the draw."""
    hand: Hand = draw
    results = []
    for moment, act, seat, *suit in events:
        code = f"{CODES[act]}:{suit[0]}" if suit and act != "protect" else CODES[act]
        done, hand = tried(standing(hand, moment), seat, code)
        results.append(done)
    return results, over(hand)


def over(hand: Hand) -> Hand:
    """Return the hand after its draw without further declarations, redrawn without a possible declarer."""
    return silent(hand) if isinstance(hand, BigADraw) and not hand.redealt else hand


def began(hand: Hand) -> dict[str, Any]:
    """Return what the draw has led to, in the words of the cases."""
    if isinstance(hand, BigADraw):
        return {
            "status": "redeal",
            "starter": hand.dealer,
            "declarer": None,
            "big": None,
            "partner": None,
            "leader": None,
            "table": None,
        }
    sides = hand.sides
    last = [held for _, held in shown(hand)][-1:]
    forced = "forced" in dict(hand.facts) or "forced_late" in dict(hand.facts)
    status = "forced" if forced else "pair" if " " in last[0] else "single"
    tables = ("basic", "revealed") if sides.partner is not None else ("lone_one", "lone_both")
    return {
        "status": status,
        "starter": hand.dealer,
        "declarer": int(fact(hand, "declarer")),
        "big": str(fact(hand, "big")[0].suit),
        "partner": sides.partner,
        "leader": hand.turn,
        "table": tables[sides.both],
    }


def held_by(hand: Hand, seat: int) -> Cards:
    """Return the cards a seat looks at."""
    return hand.view(seat).hand
