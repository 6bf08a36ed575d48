"""The 233 cases worked out by hand for Big Two under all its options, if present beside the project.

Each case names options, a question and the answer. A number in place of cards stands for a number of cards without
twos and aces.
"""

import json
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from bot.rules.big_two import BigTwo
from bot.rules.big_two.hands import dragon, laid_out
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.rules import drawn_dealer, first_seat, step
from bot.rules.big_two.score import BigTwoEnding, loser, score
from bot.rules.big_two.state import Dealt
from bot.rules.big_two.tables import straights
from bot.rules.core.asks import Give, Pass, Play
from bot.rules.core.cards import Cards, Rank, card, cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import EMPTY, Move, Trick
from bot.rules.matches.score import pairwise_payments
from tests.rules.positions import after, beats, kind, nets, refusal, rules, table

PATH = Path(__file__).parents[3] / "shared" / "rules" / "big_two_cases.jsonl"
WHOLE = {2: {"hand_size": 17}, 3: {"hand_size": 13}}  # what the cases leave out for fewer players
Case = dict[str, Any]


def cases() -> list[Case]:
    """Return every case, or none if the case files are absent."""
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()] if PATH.exists() else []


def of(case: Case) -> BigTwo:
    """Return the game under the options of a case; its dragon needs a size of hands that can have one."""
    options = dict(case["options"])
    preset = options.pop("preset", "pagat")
    if "players" in options and preset == "pagat":
        options = {**WHOLE.get(options["players"], {}), **options}
    return rules(preset, **options)


def written(move: list[str] | str | None) -> str:
    """Return a move of a case as positions.py writes it."""
    return "-" if move == "pass" else " ".join(move or ())


def held(given: list[str] | int, game: BigTwo) -> Cards:
    """Return the cards of a case, or so many without twos and aces."""
    return tuple(map(card, given)) if isinstance(given, list) else game.groups.sort(game.pack)[:given]


def run(case: Case) -> Any:
    """Return what the game answers."""
    return globals()[f"run_{case['kind']}"](case)


# What beats what


def run_beats(case: Case) -> bool:
    return beats(written(case["a"]), written(case["b"]), of(case))


def run_classify(case: Case) -> str:
    return kind(written(case["a"]), of(case)) or "illegal"


def run_straights(case: Case) -> list[str]:
    game = of(case)
    found = ["".join(run) for level in straights(game.groups.deck, game.options.straight_scheme) for run in level]
    for run in combinations(game.groups.deck.ranks, 5):
        played = " ".join(rank + suit for rank, suit in zip(run, "sdcdc", strict=True))
        assert (kind(played, game) == "straight") == any(set(run) == set(map(Rank, each)) for each in found)
    return found


def run_order(case: Case) -> list[int]:
    plays = [written(play) for play in case["plays"]]
    return sorted(range(len(plays)), key=lambda at: sum(beats(plays[at], other) for other in plays))


@cache
def deck_counts() -> Counter[str]:
    game = BigTwo()
    return Counter(combo.kind for combo in game.groups.over(game.groups.sort(game.pack), None))


def run_deck_count(case: Case) -> int:
    return deck_counts()[case["type"]]


# The deal


def run_first_card(case: Case) -> int:
    return first_seat(of(case).options, case["dealer"], card(case["cut"]) if "cut" in case else None)


def run_direction(case: Case) -> str:
    return {1: "anticlockwise", -1: "clockwise"}[step(of(case).options, case["deal_no"])]


def before(case: Case, game: BigTwo) -> tuple[Result, ...]:
    """Return the hands before this one; each was won by the seat the case names."""
    winner: int = case["last_winner"] if "last_winner" in case else case.get("winner", 0)
    seats = game.players
    left = tuple(held(each, game) for each in case.get("left", [0 if seat == winner else 1 for seat in range(seats)]))
    hands: int = case.get("deal_no", 1)
    return (Result((winner,), left, (0,) * seats),) * hands


def run_next_dealer(case: Case) -> int:
    game = of(case)
    if game.options.dealer == "round_draw" and case["deal_no"] % game.options.round_deals == 0:
        return drawn_dealer(game.groups, cards(" ".join(case["draws"])))
    return game.next_dealer(case["dealer"], before(case, game))


def run_start(case: Case) -> Case:
    game, hands = of(case), tuple(cards(" ".join(each)) for each in case["hands"])
    past = before(case, game)[1:] if "deal_no" in case else ()
    lead = past[-1].order[0] if past and game.options.starter != "low_card" else None
    if game.options.starter == "rounds" and len(past) % game.options.round_deals == 0:
        lead = None
    view = laid_out(game, Dealt(0, lead=lead), hands, past=past).view(None)
    [seat] = view.awaited
    return {"seat": seat, "must_include": str(view.must) if view.must else None}


def run_loser(case: Case) -> int:
    game = of(case)
    left = tuple(held(each, game) for each in case["left"])
    return loser(game.groups, Result((case["winner"],), left, (0,) * 4))


def run_dragon(case: Case) -> int | None:
    hands = tuple(cards(" ".join(each)) for each in case["hands"])
    return dragon(rules("pagat", dragon="wins_deal"), hands)


def run_extra_card(case: Case) -> int:
    game, extra = of(case), card(case["extra"])
    dealt = laid_out(game, Dealt(0, extra=extra), tuple(cards(" ".join(each)) for each in case["hands"]))
    [taker] = (seat for seat, hand in enumerate(dealt.hands) if extra in hand)
    assert ("taker", taker) in dealt.view(None).facts
    return taker


def run_exchange(case: Case) -> str:
    """Seat 1 lost the hand before and seat 0 won it."""
    game = of(case)
    hands = (cards("4c 4h 4s"), cards(" ".join(case["hand"])), cards("6c 6h 6s"))
    past = (Result((0,), ((), hands[1], hands[2][:1]), (0, 5, 1)),)
    asked = laid_out(game, Dealt(0, extra=card("7s")), hands, past=past)
    [given] = set(asked.hands[0]) - set(hands[0])
    assert given not in asked.hands[1]
    assert card("4c") in asked.act(0, Give(cards("4c"))).hands[1]
    return str(given)


# The play


def run_legal(case: Case) -> bool:
    """Seat 0 has the hand; seat 3 has put ``b`` there, seat 1 acts next."""
    game, context = of(case), case.get("ctx", {})
    waiting = "3c" if context.get("next_count") == 1 else "3c 4c"
    top, lead = case["b"], Trick()
    if top:
        combo = game.classify(cards(written(top)))
        assert combo
        owner = 0 if context.get("own") else 3
        passes = [Move(0, None)] * bool(context.get("locked"))
        lead = Trick((Move(owner, combo), *passes), combo, owner)
    turn = 2 if context.get("out_of_turn") or context.get("locked") or context.get("own") else 0
    game_now = table(
        written(case["hand"]), waiting, "5c 6c", "8h 9h", must=context.get("must_include"), turn=turn, of=game
    )._replace(trick=lead)
    try:
        game_now.act(0, Pass() if case["a"] == "pass" else Play(cards(written(case["a"]))))
    except Illegal:
        return False
    return True


def run_sim(case: Case) -> Case | str:
    game = table(
        *map(" ".join, case["hands"]),
        turn=case["turn"],
        stock=" ".join(case.get("stock", ())),
        number=case.get("deal_no", 1),
        of=of(case),
    )
    if "aside" in case:
        hidden_cards = game.rules.classify(cards(" ".join(case["aside"])))
        assert hidden_cards
        game = game._replace(tricks=(EMPTY.played(2, hidden_cards),))
    *earlier, (last, move) = case["actions"]
    announced: list[Any] = []
    for seat, done in earlier:
        game = acted(game, seat, done, announced)
    if case["expect"] == "illegal":
        assert refusal(game, written(move), seat=last)
        return "illegal"
    aside_before = sum(len(trick.cards) for trick in game.tricks)
    game = acted(game, last, move, announced)
    found = {
        "turn": game.turn,
        "cur": str(game.trick.top).split()[1:],
        "leading": game.trick.top is None,
        "tricks": len(game.tricks),
        "counts": list(game.view(None).counts),
        "over": game.result is not None,
        "winner": game.result.order[0] if game.result else None,
        "order": list(game.progress.out),
        "stock": len(game.stock),
        "aside": sum(len(trick.cards) for trick in game.tricks) if aside_before else None,
        "announced": announced,
    }
    return {name: found[name] for name in case["expect"]}


def acted(game: BigTwoGame, seat: int, move: Any, announced: list[Any]) -> BigTwoGame:
    """Return the game after a step, and note down who has announced what by it."""
    after_it = game.act(seat, Pass() if move == "pass" else Play(cards(written(move))))
    said = dict(after_it.view(None).facts).get("announced", ())
    if move != "pass":
        announced += [list(each) for each in said if each.seat == seat]
    return after_it


def run_announce(case: Case) -> bool:
    game = table("3c 4c 5c", "6c 7c 8c", "9c Tc Jc", "Qc Kc Ac", of=of(case))
    played = after(game, "3c")
    return (0, case["cards_left"]) in dict(played.view(None).facts).get("announced", ())


def run_liable(case: Case) -> bool:
    """Seat 0 acts before seat 1, which tries to go out at once; is the hand over then, and seat 0 charged?"""
    waiting = " ".join([case["winner_card"], *["3s"] * (case["next_count"] - 1)])
    top = written(case["b"])
    game = table(written(case["hand"]), waiting, "3c 4c", f"{top} 5c 6c", turn=3 * bool(top), of=of(case))
    game = after(game, *([top] if top else []), written(case["a"]))
    try:
        over = after(game, case["winner_card"]).result
    except Illegal:
        return False
    return over is not None and over.notes != ()


# The score


def ended(case: Case) -> Result:
    game, extra = of(case), case.get("with", {})
    final = game.classify(cards(" ".join(extra["last_play"]))) if "last_play" in extra else None
    specials = [(seat, special(game, played)) for seat, played in extra.get("specials", ())]
    if final and final.kind in ("quads", "straight_flush"):
        specials.append((case["winner"], final))
    order = extra.get("order", [case["winner"]])
    left = tuple(held(each, game) for each in case["left"])
    return score(
        BigTwoEnding(
            game.options,
            game.groups,
            left,
            tuple(order),
            extra.get("starter", 0),
            final,
            tuple(specials),
            extra.get("offender"),
        )
    )


def special(game: BigTwo, played: list[str]) -> Any:
    return game.classify(cards(" ".join(played)))


def run_score(case: Case) -> list[int]:
    return list(ended(case).points)


def run_net(case: Case) -> list[int]:
    return list(nets(ended(case)))


def run_settle(case: Case) -> list[int]:
    points = tuple(case["points"])
    return list(nets(Result((), ((),) * len(points), points, payments=pairwise_payments(points))))


def run_chips(case: Case) -> list[int]:
    options = case["options"] | {"hand_size": 13}
    game = rules(options.pop("preset"), **options)
    left = tuple(held(count, game) for count in case["counts"])
    over = score(BigTwoEnding(game.options, game.groups, left, (case["counts"].index(0),), chips=tuple(case["chips"])))
    return [chips + net for chips, net in zip(case["chips"], nets(over), strict=True)]


def run_match(case: Case) -> Case:
    game = of(case)
    past = tuple(hands_to(case, game))
    best = game.ranking(past)
    over = game.is_over(past)
    return {"over": over, "winners": [seat for seat, each in enumerate(best) if over and each == min(best)]}


def hands_to(case: Case, game: BigTwo) -> list[Result]:
    """Return hands that lead to the totals or chips of a case, all of it in the last one."""
    none = Result((0,), ((),) * game.players, (0,) * game.players)
    if "totals" in case:
        return [Result((0,), ((),) * game.players, tuple(case["totals"]))]
    gains = [chips - game.options.chips for chips in case["chips"]]
    moved = tuple(
        (seat, (seat + 1) % game.players, sum(-gain for gain in gains[: seat + 1])) for seat in range(game.players)
    )
    paid = tuple((a, b, due) if due > 0 else (b, a, -due) for a, b, due in moved if due)
    return [none] * (case["deals_played"] - 1) + [Result((0,), none.left, none.points, payments=paid)]


@pytest.mark.skipif(not PATH.exists(), reason="the cases are not beside this project")
def test_every_case_of_the_sources_is_present() -> None:
    assert len(cases()) == 233


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['id']} {case['rule']}") for case in cases()])
def test_case(case: Case) -> None:
    assert run(case) == case["expect"]
