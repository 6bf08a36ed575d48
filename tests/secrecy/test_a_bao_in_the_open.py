"""Automatic acts of A Bāo can be computed from outside.

Automatic passes, the receiver of a sealed answer, callable cards.

Recomputes facts from public events, knowledge of cards from actions, and a log's contents.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias

import pytest

from bot.domain.chairs import Chair
from bot.games import GAMES
from bot.rules.a_bao import ABao
from bot.rules.a_bao.bidding import DECLARE, PASS, ABaoBidding
from bot.rules.a_bao.play import ABaoGame
from bot.rules.core.asks import Action, Choose, Give, GiveAsk, Name, NameAsk, Play, Stop
from bot.rules.core.cards import Card, card
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo, Move
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.show.kit.words import words
from bot.store.rows import TableRow
from tests.laws.matches import offered, steps
from tests.secrecy.card_search import cards_in_error, cards_in_text, cards_of
from tests.secrecy.two_worlds import Worlds, alike, any_record, imagined, in_both, table
from tests.support.replays import FullReplay
from tests.support.scenes import drawn_view, person

Hand: TypeAlias = ABaoBidding | ABaoGame

PRESETS = tuple(GAMES["a_bao"].presets)
FOUR_OF_HEARTS = card("4h")

every_preset = pytest.mark.parametrize("preset", PRESETS)


def moments(preset: str, count: int, rng: random.Random) -> Iterator[tuple[Match, int, Action, Match]]:
    """Yield every step of some hands under any options, with the next state."""
    for _ in range(count):
        for before, seat, action in steps(any_record("a_bao", preset, rng).begin(), rng, hands=1):
            yield before, seat, action, before.act(seat, action)


def called(preset: str, count: int, rng: random.Random) -> Iterator[tuple[Match, int, Action, Match]]:
    """Yield the steps of some hands after a first round in which all have passed."""
    for _ in range(count):
        match = any_record("a_bao", preset, rng).begin()
        for _ in range(match.rules.players):
            match = match.act(min(match.awaited), Choose((PASS.code,)))
        for before, seat, action in steps(match, rng, hands=1):
            yield before, seat, action, before.act(seat, action)


def hand_of(match: Match) -> Hand:
    game = match.game
    assert isinstance(game, ABaoBidding | ABaoGame)
    return game


# Passing in the open


@pytest.mark.rotates(3)
@every_preset
def test_automatic_passes_follow_from_public_facts(preset: str) -> None:
    found = Counter[bool]()
    for before, seat, _, after in moments(preset, 12, random.Random(f"passing {preset}")):
        if isinstance(before.game, ABaoGame) and not after.game.result:
            mine, *others = fresh(before.view(None), after.view(None))
            assert mine.seat == seat
            assert others == (expected(before, mine) if before.rules.options.auto_pass != "off" else [])
            found[bool(others)] += 1
    assert found[True] > 3, found


def fresh(before: View, after: View) -> list[Move]:
    """Return the new moves of the trick."""
    trick = after.trick if len(after.tricks) == len(before.tricks) else after.tricks[-1]
    return list(trick.moves[len(before.trick.moves) :])


def expected(before: Match, mine: Move) -> list[Move]:
    """Return which passes come by themselves after this move (O16.1), from what every player sees."""
    public, players = before.view(None), before.rules.players
    passes = 0 if mine.combo else public.trick.passes + 1
    top, seat, found = mine.combo or public.trick.top, mine.seat, list[Move]()
    assert top is not None
    needed = fewest_over(before.rules.options, top)
    while passes + len(found) < players - 1:
        seat = (seat + 1) % players
        if needed is not None and public.counts[seat] >= needed:
            break
        found.append(Move(seat, None))
    return found


def fewest_over(options: Any, top: Combo) -> int | None:
    """Return the size of the smallest beating play, None without one."""
    highest = "A" if options.aces else "K"
    three_on_top = (options.players == 3 and options.aces) or (
        options.players == 5 and not options.aces and options.three_kings_top
    )
    last_four = "Q" if options.players == 5 and not options.aces else "K" if options.players == 3 else highest
    match top.kind:
        case "top_three":
            return None
        case "four":
            return 3 if three_on_top else None if top.head.rank == last_four else 4
        case "triplet":
            return 4 if top.head.rank == highest and not three_on_top else 3
        case "single" | "pair":
            return 3 if top.head.rank == highest else len(top.cards)
    return 3


@pytest.mark.rotates(3)
@every_preset
def test_imagined_hands_offer_and_end_like_the_real_one(preset: str) -> None:
    rng, found = random.Random(f"imagined {preset}"), Counter[str]()
    for _ in range(24):
        one = any_record("a_bao", preset, rng).begin()
        viewer = rng.choice((None, *range(one.rules.players)))
        worlds: Worlds | None = Worlds(one, elsewhere(one, viewer, rng))
        while worlds:
            assert alike(worlds, viewer)
            assert outside(worlds.one) == outside(worlds.other)
            found[type(worlds.one.game).__name__] += worlds.one.game != worlds.other.game
            worlds = further(worlds, rng)
    assert found["ABaoBidding"] > 60, found
    assert found["ABaoGame"] > 20, found


def elsewhere(match: Match, viewer: int | None, rng: random.Random) -> Match:
    """Return the match with other cards in the other hands.

    If they are thrown in, the same are dealt.
    """
    game = imagined(match, viewer, rng).game
    assert isinstance(game, ABaoBidding)
    return replace(match, game=game._replace(luck=match.game.luck))  # type: ignore[attr-defined]


def outside(match: Match) -> tuple[Any, ...]:
    """Return what the table goes by and every player can notice.

    For whom it waits, and when a step is new.
    """
    return match.awaited, match.to_act, match.moment, match.game.secrecy.together, match.game.secrecy.tick


def further(worlds: Worlds, rng: random.Random) -> Worlds | None:
    """Return the worlds after a step, None at the end, or where a called card comes from elsewhere, as all can see."""
    step = in_both(worlds, rng)
    if step is None or worlds.one.game.result:
        return None
    after = Worlds(worlds.one.act(*step), worlds.other.act(*step), step)
    if after.one.game.result or after.other.game.result:
        return None  # all hands are open
    return after if hand_of(after.one).bid.calls == hand_of(after.other).bid.calls else None


# The sealed answers of the first round


@pytest.mark.parametrize("preset", ["standard", "three", "five"])
def test_a_sealed_answer_is_invisible_before_it_counts(preset: str) -> None:
    begun = Match.start(GAMES["a_bao"].rules(preset), "sealed")
    players, starter = begun.rules.players, hand_of(begun).bid.starter
    rng, order = random.Random(preset), [(starter + ahead) % begun.rules.players for ahead in range(players)]
    for answers in product((PASS, DECLARE), repeat=players):
        match, given = begun, dict[int, str]()
        for seat in rng.sample(order, players):
            if not match.game.secrecy.together:
                break
            after = match.act(seat, Choose((answers[order.index(seat)].code,)))
            given[seat] = answers[order.index(seat)].code
            others = [each for each in (None, *order) if each != seat]
            if decided(order, given):
                assert not after.game.secrecy.together
            else:
                assert [after.view(each) for each in others] == [match.view(each) for each in others]
                assert outside(after)[1:] == outside(match)[1:]
            match = after


def decided(order: list[int], given: dict[int, str]) -> bool:
    """Tell whether all deciding answers are given (O14.1)."""
    for seat in order:
        if given.get(seat, DECLARE.code) == DECLARE.code:
            return seat in given
    return True


def late_answers() -> Iterator[Record]:
    """Yield matches that differ only in a secret answer after the last question."""
    begun = Record(GAMES["a_bao"], "standard", seed="late answers", options={"match_end": "open"})
    starter = hand_of(begun.begin()).bid.starter
    for late in (PASS, DECLARE):
        record = begun.then((starter + 2) % 4, Choose((late.code,))).then(starter, Choose((DECLARE.code,)))
        for _, seat, action in steps(record.replay(), random.Random("late"), hands=1):
            record = record.then(seat, action)
        yield record.then(starter, Stop())


def test_replays_never_reveal_late_sealed_answers() -> None:
    chairs = [Chair(seat, person(seat), f"Player {seat}", house=False) for seat in range(4)]
    replays = [FullReplay.of(1, 1, record, chairs) for record in late_answers()]
    w = words("en-US")
    shown = [[drawn_view(playback.screen(step, w)) for step in range(3)] for playback in replays]
    one, other = ([each.to_components() for each in screens] for screens in shown)  # type: ignore[no-untyped-call]
    assert one == other


# Calling and giving back


@pytest.mark.rotates(3)
@every_preset
def test_callable_cards_follow_from_the_own_hand(preset: str) -> None:
    found = Counter[bool]()
    for match, seat, _, _ in called(preset, 14, random.Random(f"calling {preset}")):
        view = match.view(seat)
        if isinstance(view.ask, NameAsk):
            assert set(view.ask.cards) == callable_by(match.rules, view)  # type: ignore[arg-type]  # A Bao
            found["called" in dict(view.facts)] += 1
    assert min(found[True], found[False]) > 10, found


def callable_by(rules: ABao, view: View) -> set[Card]:
    """Return what a player can call for.

    From their hand, the pack and what was called aloud (5.5-5.7, O4).
    """
    facts, ranks = dict(view.facts), Counter(held.rank for held in view.hand)
    called = {held for each in facts.get("called", ()) for held in each.amount}
    match rules.options.recall:
        case "allowed":
            called = set()
        case "complete_four":
            called = {held for held in called if ranks[held.rank] < 3}
    bound = {FOUR_OF_HEARTS} if {"bound", "bound_before"} & facts.keys() else set()
    return {held for held in rules.pack if held.rank != "A"} - set(view.hand) - called - bound


@pytest.mark.rotates(3)
@every_preset
def test_known_cards_were_seen_by_their_viewer(preset: str) -> None:
    found, seen = Counter[str](), Seen(set())
    for before, seat, action, match in called(preset, 12, random.Random(f"knowing {preset}")):
        if not before.view(seat).tricks and not hand_of(before).bid.calls:
            seen = Seen.of(before)
        seen = seen.after(before, seat, action, match)
        for viewer in (None, *range(match.rules.players)) if not match.game.result else ():
            known, public = match.view(viewer).known, match.view(None).known
            assert set(known) == seen.by(viewer)
            assert all(held in match.view(where).hand for where, held in known)
            found["public"] += bool(public)
            found["private"] += bool(set(known) - set(public))
    assert min(found["public"], found["private"]) > 40, found


class Seen:
    """Certain knowledge of the moves of cards: sights: (holder, card, witness or None)."""

    def __init__(self, sights: set[tuple[int, Card, int | None]]) -> None:
        self.sights = sights

    @classmethod
    def of(cls, match: Match) -> Seen:
        """Return what is seen as a hand begins: a four of hearts that names the starter."""
        bid = hand_of(match).bid
        return cls({(bid.starter, FOUR_OF_HEARTS, None)} if bid.bound else set())

    def by(self, viewer: int | None) -> set[tuple[int, Card]]:
        """Return which cards this seat, or with None every player, can place in other hands."""
        return {(where, held) for where, held, who in self.sights if who in (None, viewer) and where != viewer}

    def after(self, before: Match, seat: int, action: Action, now: Match) -> Seen:
        """Return the same after a step."""
        match action:
            case Name(card=named):
                return self._without(named, {(seat, named, None)})
            case Give(cards=(given,)):
                ask = before.view(seat).ask
                assert isinstance(ask, GiveAsk)
                fixed, to = {held for held, _ in ask.barred}, int(ask.to)
                left = {each for each in self.sights if each[0] != seat or each[1] in fixed}
                still = {(seat, held, to) for where, held in self.by(to) if where == seat}  # for the receiver sees it
                return Seen(left | still)._without(given, {(to, given, seat)})
            case Play(cards=played):
                return Seen({each for each in self.sights if each[1] not in played})
        return self if hand_of(now).bid.thrown == hand_of(before).bid.thrown else Seen.of(now)

    def _without(self, gone: Card, more: set[tuple[int, Card, int | None]]) -> Seen:
        return Seen({each for each in self.sights if each[1] is not gone} | more)


@pytest.mark.rotates(3)
@every_preset
def test_a_card_returned_face_down_is_known_to_two_players(preset: str) -> None:
    found = Counter[str]()
    for before, seat, action, after in called(preset, 10, random.Random(f"giving {preset}")):
        if not isinstance(action, Give) or after.game.result:
            continue
        ask, (given,) = before.view(seat).ask, action.cards
        assert isinstance(ask, GiveAsk)
        for viewer in {None, *range(before.rules.players)} - {seat, int(ask.to)}:
            other = imagined(before, viewer, random.Random(f"{before.seed} {viewer}"))
            assert (int(ask.to), given) not in after.view(viewer).known
            mine, theirs = others_gift(other, seat)
            assert mine.view(viewer) == theirs.view(viewer)
            found["told"] += 1
        assert (int(ask.to), given) in after.view(seat).known or after.view(seat) == before.view(seat)
        assert any(
            given in dict(note.values)["cards"]
            for note in after.view(int(ask.to)).private_notes
            if note.article == "5.4"
        )
    assert found["told"] > 20, found


def others_gift(match: Match, seat: int) -> tuple[Match, Match]:
    """Return two continuations: the first and the last card that this seat can give back."""
    ask = match.view(seat).ask
    assert isinstance(ask, GiveAsk)
    fine = ask.givable(match.view(seat).hand)
    return match.act(seat, Give(fine[:1])), match.act(seat, Give(fine[-1:]))


# Logs


@pytest.mark.rotates(3)
@every_preset
def test_a_logged_hand_shows_no_card(preset: str) -> None:
    for match, seat, action, _ in list(moments(preset, 2, random.Random(f"logs {preset}")))[::3]:
        public, view = cards_of(repr(match.view(None))), match.view(seat)
        things = (match, match.game, match.rules)
        for text in {repr(view), repr(view.plays), *map(repr, things), *map(str, things)}:
            assert cards_of(text) <= public
        for wrong in (Choose(("expose:x",)), Play(()), Choose(()), Name(card("2s")), Give(()), Stop()):
            if type(wrong) is not type(action):
                with pytest.raises(Illegal) as refused:
                    match.act(seat, wrong)
                assert cards_in_error(refused.value) <= {*public, card("2s")}


def test_a_logged_record_hides_sealed_answers_and_returned_cards() -> None:
    record = Record(GAMES["a_bao"], "standard", seed="in a log")
    record = record.then(2, Choose((DECLARE.code,)))
    assert DECLARE.code not in repr(record) + repr(row(record))
    record, rng = Record(GAMES["a_bao"], "standard", seed="in a log"), random.Random("in a log")
    match = record.begin()
    while not any(isinstance(action, Give) for _, action in record.steps):
        seat = min(match.awaited)
        actions = offered(match.view(seat))
        action = actions[0] if match.game.result else rng.choice((actions[0], actions[-1]))
        record, match = record.then(seat, action), match.act(seat, action)
    assert set(cards_in_text(repr(record) + repr(row(record)))) <= set(cards_in_text(repr(record.replay().view(None))))


def row(record: Record) -> TableRow:
    """Return this match as it is kept."""
    return table(record, record.replay()).row
