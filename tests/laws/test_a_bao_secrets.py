"""Tàihé A Bāo keeps its secrets: visible facts follow from public actions and the viewer's cards.

Covers who sees what when a card is called and given back. What is bid, called and played comes by chance.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from random import Random
from typing import Any, TypeAlias

import pytest

from bot.games import GAMES
from bot.rules.a_bao.bidding import ABaoBidding
from bot.rules.a_bao.play import ABaoGame
from bot.rules.a_bao.rules import ABaoRules
from bot.rules.core.asks import Action, Choose, Give, GiveAsk, Name, Pass, Play
from bot.rules.core.cards import Card, card
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from tests.rules.a_bao_positions import Hand, bid, bidding, rules, whose
from tests.rules.a_bao_random import acted, any_rules, by_chance, dealt, received, some_action, steps

PRESETS = tuple(GAMES["a_bao"].presets)
FOUR_OF_HEARTS = card("4h")
MEDDLING: dict[str, Any] = {"recall": "allowed", "first_round_mode": "sequential"}  # cards go to and fro
Viewer: TypeAlias = int | None

every_preset = pytest.mark.parametrize("preset", PRESETS)
many = pytest.mark.parametrize("seed", range(40))
pytestmark = pytest.mark.rotates(2)


def viewers(hand: Hand) -> list[Viewer]:
    """Return every player who looks on."""
    return [None, *range(hand.rules.players)]


# Who knows of which card in whose hand


class Witness:
    """A viewer's knowledge of cards in other hands, from events it saw."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.sure: dict[Card, int] = {}  # who holds it

    def begin(self, hand: ABaoBidding) -> None:
        """A hand is dealt, and perhaps the four of hearts is asked for."""
        self.sure = {FOUR_OF_HEARTS: whose(hand)} if hand.bid.bound else {}

    def called(self, caller: int, wanted: Card) -> None:
        """A card is handed over face up."""
        self.sure[wanted] = caller

    def given(self, giver: int, to: int, what: Card, stays: set[Card]) -> None:
        """A card is given face down; stays: cards of the giver that every player knows it cannot have been."""
        if self.viewer in (giver, to):
            self.sure[what] = to
        else:
            self.sure = {held: at for held, at in self.sure.items() if at != giver or held in stays}

    def known(self) -> set[tuple[int, Card]]:
        """Return the certain cards in other hands."""
        return {(holder, held) for held, holder in self.sure.items() if holder != self.viewer}


def witnessed(witness: Witness, before: Hand, seat: int, action: Action, after: Hand) -> None:
    """Record a step from a player's view."""
    match action:
        case Name(card=wanted):
            witness.called(seat, wanted)
        case Give(cards=(what,)):
            call, bound = before.bid.calls[-1], before.bid.bound
            kept = set() if before.rules.options.may_return_called_card else {call.card}
            witness.given(seat, call.holder, what, kept | ({FOUR_OF_HEARTS} if bound else set()))
        case Play(cards=played):
            witness.sure = {held: at for held, at in witness.sure.items() if held not in played}
    if after.bid.thrown > before.bid.thrown and isinstance(after, ABaoBidding):
        witness.begin(after)
    if after.result:
        witness.sure = {}  # all hands lie open


@many
@pytest.mark.parametrize("options", [{}, MEDDLING, {**MEDDLING, "may_return_called_card": True}], ids=str)
def test_no_view_shows_a_card_its_viewer_has_not_seen(seed: int, options: dict[str, Any]) -> None:
    witnesses: list[Witness] = []
    for before, seat, action, after in by_chance(seed, **options):
        if not witnesses and isinstance(before, ABaoBidding):
            witnesses = [Witness(viewer) for viewer in viewers(before)]
            for each in witnesses:
                each.begin(before)
        for each in witnesses:
            witnessed(each, before, seat, action, after)
            said = set(after.view(each.viewer).known)
            assert said <= each.known()
            assert all(held in after.hands[holder] for holder, held in said)
            if each.viewer is None or not was_given_any(after, each.viewer):
                assert said == each.known()


def was_given_any(hand: Hand, seat: int) -> bool:
    """Tell whether this seat received a called card, which may reveal other cards."""
    return any(call.holder == seat for call in hand.bid.calls)


def test_the_trials_contain_enough_exchanges() -> None:
    found = Counter[str]()
    for seed in range(40):
        owners: dict[Card, list[int]] = {}
        for before, seat, action, _ in by_chance(seed, **MEDDLING):
            if isinstance(action, Name | Give):
                moved = action.card if isinstance(action, Name) else action.cards[0]
                kind = type(action).__name__
                found[kind] += 1
                found[f"{kind} again"] += moved in owners
                owners.setdefault(moved, []).append(seat)
            found["thrown in"] += before.bid.thrown > 0
    assert min(found[each] for each in ("Name", "Give", "Name again", "Give again", "thrown in")) > 10, found


@many
def test_a_returned_card_is_known_to_its_two_players_only(seed: int) -> None:
    for before, seat, action, after in by_chance(seed):
        if not isinstance(action, Give):
            continue
        to, what = before.bid.calls[-1].holder, action.cards[0]
        others = [each for each in viewers(after) if each not in (seat, to)]
        if isinstance(after, ABaoBidding):
            assert after.view(to).private_notes[:-1] == before.view(to).private_notes
            assert what in received(after.view(to))
            assert all(after.view(each).private_notes == before.view(each).private_notes for each in others)
        for each in others:
            assert (to, what) not in after.view(each).known
        assert after.result or (to, what) in after.view(seat).known


@every_preset
def test_views_of_others_do_not_depend_on_the_returned_card(preset: str) -> None:
    rng, tried = Random(preset), 0
    for _ in range(12):
        for before, seat, _, _ in steps(dealt(rules(preset), rng), rng, 0.8):
            ask = before.view(seat).ask
            if isinstance(ask, GiveAsk):
                gifts = ask.givable(before.hands[seat])
                results = [acted(before, seat, Give((each,))) for each in gifts]
                others = [each for each in viewers(before) if each not in (seat, int(ask.to))]
                assert all(same_but_for_the_result(results, each) for each in others)
                tried += 1
    assert tried > 15


def same_but_for_the_result(hands: list[Hand], viewer: Viewer) -> bool:
    """Tell whether a viewer sees the same in all these hands, unless they are over and lie open."""
    views = [each.view(viewer) for each in hands if each.result is None]
    return all(view == views[0] for view in views)


# What cannot be seen changes nothing that can


@every_preset
def test_equal_visible_cards_give_equal_views(preset: str) -> None:
    rng, found = Random(preset), Counter[str]()
    for number in range(30):
        one = dealt(rules(preset, auto_pass=rng.choice(["public_only", "off"])), rng)
        viewer = viewers(one)[number % (one.rules.players + 1)]
        for first, second in side_by_side(one, rearranged(one, viewer, rng), rng):
            assert all(first.view(each) == second.view(each) for each in {None, viewer})
            assert outside(first) == outside(second)
            found[type(first).__name__] += first != second
    assert min(found.values()) > 60, found


def rearranged(hand: ABaoBidding, viewer: Viewer, rng: Random) -> ABaoBidding:
    """Return the hand with cards exchanged that the viewer cannot see; the four of hearts stays where it is."""
    seats = [seat for seat in range(hand.rules.players) if seat != viewer]
    pool = [each for seat in seats for each in hand.hands[seat] if each is not FOUR_OF_HEARTS]
    rng.shuffle(pool)
    hands = list(hand.hands)
    for seat in seats:
        kept = [each for each in hands[seat] if each is FOUR_OF_HEARTS]
        hands[seat] = hand.rules.sort((*kept, *(pool.pop() for _ in hands[seat][len(kept) :])))
    return hand._replace(hands=tuple(hands))


def side_by_side(one: Hand, other: Hand, rng: Random) -> Iterator[tuple[Hand, Hand]]:
    """Yield two hands as long as the same can be done in both and the same comes into the open."""
    while happened(one) == happened(other) and one.result is None:
        yield one, other
        step = in_both(one, other, rng)
        if step is None:
            return
        one, other = acted(one, *step), acted(other, *step)


def happened(hand: Hand) -> tuple[Any, ...]:
    """Return facts that become public without an action: the holder of a called card, and the ending."""
    return [int(call.holder) for call in hand.bid.calls], hand.result


def in_both(one: Hand, other: Hand, rng: Random) -> tuple[int, Action] | None:
    """Return an action possible in either hand, None without one."""
    for _ in range(20):
        seat = rng.choice(sorted(one.awaited))
        action = some_action(one.view(seat), rng, 0.7)
        if refused(other, seat, action) is None:
            return seat, action
    return None


def refused(hand: Hand, seat: int, action: Action) -> tuple[Any, ...] | None:
    """Return the refusal of an action, or None."""
    try:
        hand.act(seat, action)
    except Illegal as why:
        return why.article, why.sentence, why.values
    return None


def outside(hand: Hand) -> tuple[Any, ...]:
    """Return what the table goes by and every player can notice."""
    return hand.secrecy, len(hand.awaited), hand.to_act


@many
def test_offers_and_refusals_follow_from_the_view(seed: int) -> None:
    rng, refusals = Random(seed), 0
    for hand, seat, _, _ in by_chance(seed):
        if rng.random() < 0.5:
            viewer = rng.choice([seat, rng.randrange(hand.rules.players)])
            imagined = hand.rules.imagine(hand.view(viewer), rng)
            assert isinstance(imagined, ABaoBidding | ABaoGame)
            for action in attempts(hand.view(viewer), hand.rules, rng):
                why = refused(hand, viewer, action)
                assert refused(imagined, viewer, action) == why
                refusals += why is not None
    assert refusals > 20


def attempts(view: View, game: ABaoRules, rng: Random) -> Iterator[Action]:
    """Yield possible attempts, with held cards and others."""
    yield from (Pass(), Choose(("pass",)), Choose(("whatever",)))
    for pool in (view.hand, game.pack):
        yield from (Play(tuple(rng.sample(pool, min(size, len(pool))))) for size in (1, 2, 3))
        yield from (Give(tuple(rng.sample(pool, 1))), Name(rng.choice(pool)))


# The first round


@pytest.mark.parametrize("players", [3, 4, 5])
def test_sealed_answers_give_the_same_result_as_open_ones(players: int) -> None:
    """AB-P7, for any order of answers."""
    rng = Random(players)
    for answers, starter in product(product(("pass", "declare"), repeat=players), range(players)):
        one_by_one, sealed = (
            bidding("4d 5d 6d", starter=starter, players=players, first_round_mode=mode)
            for mode in ("sequential", "sealed")
        )
        spoken: Hand = one_by_one
        for seat in in_turn(one_by_one):
            spoken = said(spoken, seat, answers[seat])
        orders = list(permutations(range(players)))
        for order in rng.sample(orders, min(len(orders), 12)):
            heard: Hand = sealed
            for seat in order:
                heard = said(heard, seat, answers[seat])
            assert heard._replace(rules=spoken.rules) == spoken


def in_turn(hand: Hand) -> list[int]:
    """Return the seats in the order in which they speak."""
    return [(hand.bid.starter + ahead) % hand.rules.players for ahead in range(hand.rules.players)]


def said(hand: Hand, seat: int, answer: str) -> Hand:
    """Return the hand after an answer; after the first round answers are ignored."""
    over = isinstance(hand, ABaoGame) or hand.second
    return hand if over else acted(hand, seat, Choose((answer,)))


@many
def test_a_sealed_answer_is_visible_nowhere(seed: int) -> None:
    rng = Random(seed)
    hand = dealt(any_rules(rng, first_round_mode="sealed"), rng)
    starter, *later = in_turn(hand)
    now: Hand = hand  # as long as the starter has not answered nothing is decided
    for seat in (*rng.sample(later, len(later)), *rng.sample(later, len(later))):
        now = unseen(now, seat, rng.choice(["pass", "declare"]))
    now = hand  # nor is it as long as nobody has declared and a player has not answered
    for seat in rng.sample([starter, *later[:-1]], len(later)):
        now = unseen(now, seat, "pass")


def unseen(hand: Hand, seat: int, answer: str) -> Hand:
    """Return the hand after a sealed answer without public traces."""
    after = acted(hand, seat, Choose((answer,)))
    others = [each for each in viewers(hand) if each != seat]
    assert [after.view(each) for each in others] == [hand.view(each) for each in others]
    assert (after.to_act, after.secrecy.sealed) == (hand.to_act, hand.secrecy.sealed + 1)
    return after


def test_after_the_decision_no_further_answer_is_visible() -> None:
    hand = bidding(first_round_mode="sealed")
    for later in product(("pass", "declare", None), repeat=3):
        now: Hand = hand
        for seat, answer in zip((1, 2, 3), later, strict=True):
            now = said(now, seat, answer) if answer else now
        assert said(now, 0, "declare") == said(hand, 0, "declare")
    passed = [bid(hand, "-", "-", "-", "-"), bid(bidding(first_round_mode="sequential"), "-", "-", "-", "-")]
    assert [each.given for each in passed] == [((),) * 4] * 2
