"""The laws that hold in every game, under every preset and any valid options, whoever plays how.

Knows the protocols of the rules only. What a game's own articles say is told under tests/rules.
"""

import copy
import random
import sys
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from itertools import combinations, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games import GAMES
from bot.rules.actions import Action, Choose, Give, Name, Pass, Play, Ready, Stop, read_action, write_action
from bot.rules.asks import ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.cards import Card, SeededRandom, every_card, lacking
from bot.rules.game import Game, Public, Rules, View
from bot.rules.match import Match
from bot.rules.record import Record
from bot.rules.seal import commitment, deal_seed
from bot.rules.sentences import Illegal, Note
from bot.rules.trick import Combo
from bot.show.rulebook import book
from tests.lawful import lawful
from tests.laws.matches import PRESETS, dice, hands, offered, played, positions, records, some, steps

LAZY = {"a_bao": 1, "big_little_a": 10}  # times less work for the first plays: these have 65 and 526 in all
AT_ONCE = 600  # calls that are few, however many all plays take: well under a millisecond
MAY_HOLD_CARDS = {"hand", "must", "facts", "known", "told", "ask", "trick", "tricks", "result"}
OPEN = sorted({field.name for field in fields(Public)} - {"rules"})  # a seat may know more of the rules than others do

every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_cards_are_conserved(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    match = data.draw(records(name, preset)).begin()
    for now in positions(match, rng, hands=3):
        assert Counter([*hands(now), *now.game.aside, *played(now.view(None))]) == Counter(now.rules.pack)
        assert now.view(None).counts == tuple(len(now.view(seat).hand) for seat in range(now.rules.players))


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_nobody_acts_out_of_turn(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    for now in some(positions(data.draw(records(name, preset)).begin(), rng), rng):
        before = a_copy(now)
        for seat in {-1, *range(now.rules.players + 1)} - now.to_act:
            cards = now.view(seat).hand[:1] if seat in range(now.rules.players) else hands(now)[:1]
            for action in (
                Play(tuple(cards)),
                Pass(),
                Ready(),
                Stop(),
                Give(tuple(cards)),
                Name(now.rules.pack[0]),
                Choose(("nothing",)),
            ):
                refused(now, seat, action)
            assert seat not in range(now.rules.players) or not now.view(seat).plays
        assert now == before


def a_copy(match: Match) -> Match:
    """Return another match that is equal now; what never changes, the rules and each card, it shares."""
    unchanging = (match.rules, match.view(None).rules, *every_card())
    return copy.deepcopy(match, {id(shared): shared for shared in unchanging})


def refused(match: Match, seat: int, action: Action) -> Illegal:
    """Return the refusal: it can be said aloud, and cites an article of the rule page."""
    with pytest.raises(Illegal) as caught:
        match.act(seat, action)
    assert str(caught.value).endswith(f"({caught.value.article})")
    assert in_force(match.rules, caught.value.article)
    return caught.value


def in_force(rules: Rules, article: str) -> bool:
    """Tell whether the rule page has this article for a table with these options."""
    found = book(rules.game).article(article)
    return found is not None and found.when.holds(rules.options)


@every_preset
@lawful(2)
@given(data=st.data(), rng=dice)
def test_every_offer_is_accepted(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    for now in positions(data.draw(records(name, preset)).begin(), rng):
        before = a_copy(now)
        for seat in now.to_act:
            for action in offered(now.view(seat)):
                assert now.act(seat, action) != now
        assert now == before


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_nothing_else_is_accepted(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    for now in some(positions(data.draw(records(name, preset)).begin(), rng), rng):
        before = a_copy(now)
        for seat in now.to_act:
            view = now.view(seat)
            fine = {normal(action, view) for action in offered(view)}
            for action in attempts(view, hands(now), rng):
                if normal(action, view) in fine:
                    assert now.act(seat, action) != now
                else:
                    refused(now, seat, action)
        assert now == before


def normal(action: Action, view: View) -> Hashable:
    """Return what is equal for actions between which the game makes no difference."""
    if isinstance(action, Play) and not lacking(view.hand, action.cards):
        return view.rules.alike(action.cards)
    return tuple(sorted(write_action(action).split()))


def attempts(view: View, everybodys: list[Card], rng: random.Random) -> Iterator[Action]:
    """Yield what somebody might try: cards held and not held, few and many, one twice, none, and not to play."""
    yield from (Pass(), Ready(), Stop(), Play(()), Give(()), Choose(()), Choose(("whatever",)))
    asked = isinstance(view.ask, GiveAsk | NameAsk)  # then every card is tried, else a few
    yield from map(Give, combinations(view.hand if asked else view.hand[:1], 1))
    yield from map(Name, every_card() if asked else rng.sample(every_card(), 2))
    for pool in (view.hand, tuple(everybodys)):
        for size in range(1, min(7, len(pool)) + 1):
            yield Play(tuple(rng.sample(pool, size)))
    for held in view.hand[:1]:
        yield from (Play((held,) * copies) for copies in (2, 3, 5))
    groups = [tuple(each for each in view.hand if each.rank == rank) for rank in {each.rank for each in view.hand}]
    yield from map(Play, groups)


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_a_view_can_be_imagined_and_tells_no_more(
    name: str, preset: str, data: st.DataObject, rng: random.Random
) -> None:
    for now in positions(data.draw(records(name, preset)).begin(), rng, hands=2):
        for seat in (None, *range(now.rules.players)):
            view = now.view(seat)
            imagined = now.rules.imagine(view, rng)
            assert imagined.view(seat) == view
            held = imagined_hands(imagined, now.rules.players)
            assert Counter([*held, *imagined.aside, *played(view)]) == Counter(now.rules.pack)
            for asked in imagined.to_act - {seat}:
                assert all(imagined.act(asked, action) for action in islice(offered(imagined.view(asked)), 3))


def imagined_hands(game: Game, players: int) -> Iterator[Card]:
    """Yield every card in a hand of a game that may never have been."""
    for seat in range(players):
        yield from game.view(seat).hand


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_a_view_shows_the_others_nothing(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    match = data.draw(records(name, preset)).begin()
    reach, applies = Reach(), cache(partial(in_force, match.rules))
    for now in positions(match, rng):
        public = now.view(None)
        assert public.hand == ()
        assert (public.ask, public.told, public.allies) == (None, (), frozenset())
        for seat in range(now.rules.players):
            view = now.view(seat)
            assert {name: getattr(view, name) for name in OPEN} == {name: getattr(public, name) for name in OPEN}
            assert set(public.known) <= {*view.known, *((seat, held) for held in view.hand)}
            assert all(held in now.view(holder).hand for holder, held in view.known)
            assert view.awaited <= view.to_act
            assert all(applies(note.article) for note in notes(view))
            assert {name for name, cards in reach.of(view).items() if cards} <= MAY_HOLD_CARDS
        assert reach.of(public)["trick"] | reach.of(public)["tricks"] >= set(played(public))


def notes(view: View) -> Iterator[Note]:
    """Yield every sentence with an article that a view shows."""
    yield from view.told
    yield from view.result.notes if view.result else ()
    match view.ask:
        case PlayAsk(limit=Note() as limit):
            yield limit
        case ChooseAsk(question=question) | NameAsk(question=question):
            yield question
        case GiveAsk(barred=barred):
            yield from (why for _, why in barred)
    if view.doing:
        yield view.doing


class Reach:
    """The cards that can be reached from views, which never change: each part is walked once, for tricks grow long."""

    def __init__(self) -> None:
        self._walked: dict[int, tuple[Any, frozenset[Card]]] = {}  # by id, with the thing itself, so that it stays

    def of(self, view: View) -> dict[str, frozenset[Card]]:
        """Return the cards under the name of each field of the view."""
        return {field.name: self._from(getattr(view, field.name)) for field in fields(view)}

    def _from(self, thing: Any) -> frozenset[Card]:
        if id(thing) not in self._walked:
            self._walked[id(thing)] = thing, frozenset(self._walk(thing))
        return self._walked[id(thing)][1]

    def _walk(self, thing: Any) -> Iterator[Card]:
        if isinstance(thing, Card):
            yield thing
        elif is_dataclass(thing):
            yield from (held for field in fields(thing) for held in self._from(getattr(thing, field.name)))
        elif isinstance(thing, dict):
            yield from (held for part in (*thing, *thing.values()) for held in self._from(part))
        elif isinstance(thing, tuple | list | set | frozenset):
            yield from (held for part in thing for held in self._from(part))


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_every_match_ends(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    match = data.draw(records(name, preset)).begin()
    for now in islice(positions(match, rng, hands=None), 20_000):
        match = now
    assert match.over
    assert match.to_act == frozenset()
    assert match.number == len(match.results) > 0
    assert min(match.places) == 1
    assert "over" in str(refused(match, 0, Ready()))


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_a_record_replays_to_the_letter(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    record = data.draw(records(name, preset))
    seen = []
    for now, seat, action in steps(record.begin(), rng, hands=2):
        seen.append(now)
        record = record.then(seat, action)
    text = record.to_json()
    again = Record.from_json(text, GAMES)
    assert again == record
    assert again.to_json() == text
    assert list(again.positions())[:-1] == seen
    assert again.replay() == record.replay()


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_actions_survive_their_notation(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    for _, _, action in steps(data.draw(records(name, preset)).begin(), rng, hands=2):
        assert read_action(write_action(action)) == action


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_what_is_paid_is_received(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    *_, match = positions(data.draw(records(name, preset)).begin(), rng, hands=None)
    seats = range(match.rules.players)
    for result in match.results:
        assert len(result.points) == len(result.left) == match.rules.players
        assert all(
            payer in seats and payee in seats and payer != payee and amount > 0
            for payer, payee, amount in result.payments
        )
    assert sum(match.nets) == 0
    assert match.totals == tuple(sum(result.points[seat] for result in match.results) for seat in seats)
    kept = [0 for _ in seats]
    for payer, payee, amount in (each for result in match.results for each in result.payments):
        kept[payer] -= amount
        kept[payee] += amount
    assert match.nets == tuple(kept)


@every_preset
@lawful(3)
@given(data=st.data(), rng=dice)
def test_plays_come_weakest_first_and_agree_with_verify(
    name: str, preset: str, data: st.DataObject, rng: random.Random
) -> None:
    for now in positions(data.draw(records(name, preset)).begin(), rng):
        for seat in now.to_act if now.game.result is None else ():
            plays = now.view(seat).plays
            found = list(plays)
            assert bool(plays) == bool(found) == any(True for _ in plays)
            assert len({frozenset(Counter(combo.cards).items()) for combo in found}) == len(found)
            for size in {len(combo.cards) for combo in found}:
                rising = [(combo.level, combo.strength) for combo in found if len(combo.cards) == size]
                assert rising == sorted(rising)
            for count in (0, 1, 25, len(found) + 1):
                assert plays.first(count) == found[:count]
            for combo in found:
                rules = now.view(seat).rules
                assert plays.verify(shuffle(combo, rng)) == combo == rules.classify(combo.cards)
                assert combo.head in combo.cards
                assert rules.names[combo.kind].format(rank="5", suit="x")


def shuffle(combo: Combo, rng: random.Random) -> tuple[Card, ...]:
    """Return the cards of a combination in any order."""
    return tuple(rng.sample(combo.cards, len(combo.cards)))


@every_preset
def test_the_first_plays_are_found_without_the_others(name: str, preset: str) -> None:
    match = Record(GAMES[name], preset, "lazy").begin()
    [seat] = list(match.to_act)[:1]
    hand = match.rules.sort(match.rules.pack)
    whole = replace(match.view(seat), hand=hand, must=None, ask=PlayAsk(may_pass=False))
    most = max(work(lambda: whole.plays.first(25)), work(lambda: bool(whole.plays)))
    assert most < AT_ONCE or most < work(lambda: list(whole.plays)) / LAZY.get(name, 15)  # all may be millions


def work(question: Any) -> int:
    """Return how many function calls it takes to answer."""
    calls = 0

    def count(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        question()
    finally:
        sys.setprofile(None)
    return calls


@every_preset
@lawful(2)
@given(data=st.data(), rng=dice)
def test_an_opened_seed_verifies_the_deal(name: str, preset: str, data: st.DataObject, rng: random.Random) -> None:
    record = data.draw(records(name, preset))
    shown: dict[int, tuple[str, Match]] = {}
    for now in positions(record.begin(), rng, hands=3):
        shown.setdefault(now.number, (commitment(deal_seed(record.seed, now.number)), now))
    for number, (promise, dealt) in shown.items():
        opened = deal_seed(record.seed, number)
        assert commitment(opened) == promise
        dealer, past = dealt.game.dealer, dealt.results[: number - 1]
        assert dealt.rules.deal(SeededRandom(opened), dealer, past) == dealt.game
    assert len({promise for promise, _ in shown.values()}) == len(shown)
