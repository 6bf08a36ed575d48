"""How fast the rules are: python -m tests.bench.rules

Random play-outs with all legal plays generated at every step, by the readable rules and with packed hands, compared
with RLCard's Dou Dizhu in the same run if it is installed; each preset compared with the first one of its game; and
questions about legal plays: of Big Two on hands of 13 and of 22 cards and, with everything allowed, of 18; of Big A on
22 cards from two packs and on 40; of Tàihé A Bāo on 10; of The Big and the Little A on 13 and on 40. Times are medians.
"""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypeVar

from bot.ai.games.big_two_hand import BigTwoHand
from bot.games import GAMES
from bot.rules.a_bao import ABao
from bot.rules.a_bao.play import ABaoGame
from bot.rules.big_a import BigA
from bot.rules.big_a.play import BigAGame
from bot.rules.big_little_a import BigLittleA
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.big_two import BigTwo, Options
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import Cards, SeededRandom, Suit
from bot.rules.core.game import Game, Rules, View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import EMPTY, Combo
from bot.rules.tien_len.play import TienLenGame

ROUNDS = 7
PLAYOUTS = 200
PRESET_PLAYOUTS = 60
RLCARD_PLAYOUTS = 40
GOAL, PACKED_GOAL = 5, 20
PRESET_GOAL = 0.5
HANDS = 60
TRICK_PHASES = (BigTwoGame, BigAGame, ABaoGame, BigLittleAGame, TienLenGame)  # phases other than bidding and drawing
LEGAL_GOAL = 20
ALL_GOAL = 200
# All combinations allowed, with straight flushes of five cards and of seven.
ALL_COMBINATIONS = {
    form: BigTwo(Options(quads_form="both", honours_beat="any", five_order="royal_separate", sf_form=form))
    for form in ("five", "plus_two")
}

Playout: TypeAlias = Callable[[], int]
T = TypeVar("T")


class Speed(NamedTuple):
    """Microseconds per step, and per hand."""

    step: float
    hand: float


# Play-outs


def playout(rules: Rules, rng: random.Random) -> int:
    """Play one hand at random, answering other questions by default; return the number of steps."""
    game, steps = rules.deal(rng, 0), 0
    while game.result is None:
        game = game.act(*random_step(game, rng))
        steps += 1
    return steps


def random_step(game: Game, rng: random.Random) -> tuple[int, Action]:
    """Return a random action of the seat on turn, or an answer of an asked seat."""
    if not isinstance(game, TRICK_PHASES) or (isinstance(game, BigLittleAGame) and game.naming):
        return default_answer(game)
    seats = game.to_act
    seat = game.turn if len(seats) == 1 else sorted(seats)[int(rng.random() * len(seats))]
    choice: list[Combo | None] = list(game.plays_of(seat))
    if not choice and seat != game.turn:
        seat, choice = game.turn, list(game.plays_of(game.turn))
    in_a_round = isinstance(game, BigLittleAGame) and game.in_a_round  # without voluntary passes
    if seat == game.turn and ((game.trick.top is not None and not in_a_round) or not choice):
        choice.append(None)
    chosen = choice[int(rng.random() * len(choice))]
    return seat, Play(chosen.cards) if chosen else Pass()


def default_answer(game: Game) -> tuple[int, Action]:
    """Return the default answer of a seat to a question: nothing, or the first one."""
    seat = min(game.awaited)
    view = game.view(seat)
    match view.ask:
        case ChooseAsk(answers=answers):
            return seat, Choose((answers[0].code,))
        case NameAsk(cards=cards):
            return seat, Name(cards[0])  # passing would redeal all hands
        case GiveAsk() as ask:
            return seat, Give(ask.givable(view.hand)[:1])
    raise TypeError(f"not answered here: {view.ask}")


def our_playout(game: str, preset: str) -> Playout:
    """Return a function that plays a hand of a game and returns the number of steps."""
    rules, rng = GAMES[game].rules(preset), random.Random(1)
    return lambda: playout(rules, rng)


def rlcard_playout() -> Playout | None:
    """Return a function that plays a hand of RLCard's Dou Dizhu; None if RLCard is not installed."""
    try:
        from rlcard.games.doudizhu import Game  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        return None
    game, rng = Game(), random.Random(1)

    def play() -> int:
        state, _ = game.init_game()
        steps = 0
        while not game.is_over():
            actions = state["actions"]
            state, _ = game.step(actions[int(rng.random() * len(actions))])
            steps += 1
        return steps

    return play


def measure_speed(play: Playout, count: int) -> Speed:
    """Return the time of a step and of a hand over so many hands."""
    start = time.perf_counter()
    steps = sum(play() for _ in range(count))
    spent = (time.perf_counter() - start) * 1e6
    return Speed(spent / steps, spent / count)


def packed_preset(preset: str) -> Playout:
    """Return a function that packs and plays a hand of Big Two and returns the number of steps."""
    rules, rng = BigTwo(GAMES["big_two"].rules(preset).options), random.Random(1)
    games = [rules.deal(SeededRandom(f"packed {at}"), 0) for at in range(PLAYOUTS)]
    return lambda: packed_playout(BigTwoHand.of(rng.choice(games)), rng)


def packed_playout(hand: BigTwoHand, rng: random.Random) -> int:
    """Play a packed hand to its end with uniformly random legal actions; return the number of steps."""
    steps, dice, legal, play, skip = 0, rng.random, hand.legal, hand.play, hand.skip
    while not hand.over:
        choice = legal()
        at = int(dice() * (len(choice) + (hand.top != 0)))
        if at < len(choice):
            play(choice[at])
        else:
            skip()
        steps += 1
    return steps


def compare_with_rlcard() -> None:
    """Print steps per second, ours and RLCard's in alternating rounds; dealing and packing included."""
    readable, quick, other = our_playout("big_two", "pagat"), packed_preset("pagat"), rlcard_playout()
    for play in (readable, quick):  # warm-up
        measure_speed(play, PLAYOUTS)
    rounds = [
        (
            measure_speed(readable, PLAYOUTS).step,
            measure_speed(quick, PLAYOUTS).step,
            measure_speed(other, RLCARD_PLAYOUTS).step if other else 0,
        )
        for _ in range(ROUNDS)
    ]
    names = ("Big Two, random play-outs", "Big Two, packed", "RLCard, Dou Dizhu")
    for name, column in zip(names, zip(*rounds, strict=True), strict=True):
        if us := statistics.median(column):
            print(f"{name:30} {1e6 / us:9,.0f} steps a second  {us:6.1f} us a step")
    if other is None:
        print("RLCard is not installed, so there is nothing to compare with: pip install rlcard")
        return
    for at, (name, goal) in enumerate(zip(names, (GOAL, PACKED_GOAL), strict=False)):
        ratio = statistics.median(each[2] / each[at] for each in rounds)
        print(f"{f'ratio, {name}':40}{ratio:9.1f}  (the goal is {goal})")


def measure_presets(game: str) -> None:
    """Print hands and steps per second of each preset, and the ratio to the standard one."""
    plain, *_ = every = list(GAMES[game].presets)
    standard = our_playout(game, plain)
    measure_speed(standard, PRESET_PLAYOUTS)
    title = f"{GAMES[game].title}, at random"
    print(f"\n{title:24}{'hands/s':>8}{'steps/s':>10}{'ratio':>8}  (of hands; the goal is {PRESET_GOAL})")
    for preset in every:
        play = our_playout(game, preset)
        measure_speed(play, PRESET_PLAYOUTS)
        pairs = [
            (measure_speed(standard, PRESET_PLAYOUTS), measure_speed(play, PRESET_PLAYOUTS)) for _ in range(ROUNDS)
        ]
        step, hand = (statistics.median(each[at] for _, each in pairs) for at in (0, 1))
        ratio = statistics.median(ours_us.hand / each.hand for ours_us, each in pairs)
        print(f"{preset:24}{1e6 / hand:8,.0f}{1e6 / step:10,.0f}{ratio:8.2f}")


# Questions


def views(rules: Rules, size: int, *, lead: bool) -> list[View]:
    """Return views of random hands of this size, to lead or to beat a weak single or a play of several cards."""
    rng = random.Random(size)
    found = []
    for _ in range(HANDS):
        seen = rules.deal(rng, 0).view(0)
        hand = rules.sort(tuple(rng.sample(rules.pack, size)))
        blank = replace(seen, rules=rules, hand=hand, trick=EMPTY, must=None, ask=PlayAsk(may_pass=not lead))
        tops = [rules.plays(blank).first(1)[0], *(combo for combo in blank.plays if len(combo.cards) in {2, 4, 5})]
        trick = EMPTY if lead else EMPTY.played(0, rng.choice(tops))
        found.append(replace(blank, trick=trick))
    return found


def measure_questions() -> None:
    """Print the microseconds of each question about legal plays, as medians over hands."""
    print(f"\n{'microseconds':24}{'any':>8}{'this one':>10}{'or this':>10}{'first 25':>10}{'all':>10}{'plays':>8}")
    for size in (13, 22):
        measure_question(f"{size} cards", BigTwo(), size)
    for form, rules in ALL_COMBINATIONS.items():
        measure_question(f"18, {form}", rules, 18)
    for size in (22, 40):
        measure_question(f"Big A, {size} cards", BigA().in_force(Suit.HEARTS), size)
    measure_question("A Bao, 10 cards", ABao(), 10)
    for size in (13, 40):
        measure_question(f"Little A, {size} cards", BigLittleA(), size)
    print("this one: the five highest cards; or this: a legal play; both as if new")
    print(f"the goals: {LEGAL_GOAL} for each of these two with 22 cards; {ALL_GOAL} for all of Big A with 22")


def measure_question(name: str, rules: Rules, size: int) -> None:
    """Print the microseconds of the questions on hands of this size."""
    for lead in (True, False):
        asked = views(rules, size, lead=lead)
        times = [
            median(lambda view: bool(view.plays), asked),
            median(five_highest_cards, asked, fresh_rules=rules),
            median(lambda known: known[0].plays.verify(known[1]), playable_views(asked), fresh_rules=rules),
            median(lambda view: view.plays.first(25), asked),
            median(lambda view: list(view.plays), asked),
        ]
        count = statistics.median(len(list(view.plays)) for view in asked)
        cells = "".join(f"{each:{width}.1f}" for each, width in zip(times, (8, 10, 10, 10, 10), strict=True))
        print(f"{f'{name}, ' + ('lead' if lead else 'follow'):24}{cells}{count:8.0f}")


def playable_views(asked: list[View]) -> list[tuple[View, Cards]]:
    """Return each view with a legal play, and its middle play."""
    plays = [(view, list(view.plays)) for view in asked]
    return [(view, found[len(found) // 2].cards) for view, found in plays if found]


def median(question: Callable[[T], object], asked: list[T], *, fresh_rules: Rules | None = None) -> float:
    """Return the median over hands of the best of three times, in microseconds.

    fresh_rules: rules whose caches are cleared before each run.
    """
    return statistics.median(min(microseconds_of(question, each, fresh_rules) for _ in range(3)) for each in asked)


def five_highest_cards(view: View) -> object:
    """Ask whether the five highest cards of a hand can be played, which is mostly illegal."""
    try:
        return view.plays.verify(view.hand[-5:])
    except Illegal as refused:
        return refused


def microseconds_of(question: Callable[[T], object], thing: T, fresh_rules: Rules | None) -> float:
    if isinstance(fresh_rules, ABao | BigA | BigLittleA | BigTwo):
        fresh_rules.groups.table.classify.cache_clear()
    start = time.perf_counter()
    question(thing)
    return (time.perf_counter() - start) * 1e6


if __name__ == "__main__":
    compare_with_rlcard()
    for each in GAMES:
        measure_presets(each)
    measure_questions()
