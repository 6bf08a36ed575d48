"""The laws that hold in every game, under every preset and any valid options, for any play.

Covers the protocols of the rules only. What a game's own articles say is told under tests/rules. All laws look at the
same matches of a preset, which are played out once.
"""

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import combinations, islice
from typing import Any

import pytest

from bot.domain.preferences import Preferences
from bot.games import GAMES
from bot.rules.core.asks import (
    Action,
    Choose,
    ChooseAsk,
    Give,
    GiveAsk,
    Name,
    NameAsk,
    Pass,
    Play,
    PlayAsk,
    Ready,
    Stop,
    read_action,
    write_action,
)
from bot.rules.core.cards import Card, SeededRandom, card, every_card, missing_cards
from bot.rules.core.game import Game, Public, View
from bot.rules.core.sentences import Illegal, Note
from bot.rules.core.trick import Combo
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.seal import commitment, deal_seed
from bot.show.hand.selection import CardSelection
from bot.show.rulebook.articles import book
from tests.laws.matches import PRESETS, PlayedMatch, hands, offered, played, some
from tests.support.call_counts import count_calls
from tests.support.law_settings import is_thorough

LAZY = {"a_bao": 1, "big_little_a": 10}  # times less work for the first plays: these have 65 and 526 in all
AT_ONCE = 600  # calls that are few, however many all plays take: well under a millisecond
MAY_HOLD_CARDS = {"hand", "must", "facts", "known", "private_notes", "ask", "next_ask", "trick", "tricks", "result"}
PLAIN = (int, str, type(None))  # no card is reached from these
OPEN = sorted({field.name for field in fields(Public)} - {"rules"})  # a seat may know more of the rules than others do

TRIED = 0.2  # of the positions, in which seats try what they may not do
OFFERS = 12  # of what a seat is offered, done and not only verified

every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)
pytestmark = pytest.mark.rotates(3)


def test_cards_are_conserved(matches: list[PlayedMatch]) -> None:
    for now in (each for life in matches for each in life.hands(3)):
        assert Counter([*hands(now), *now.game.hidden_cards, *played(now.view(None))]) == Counter(now.rules.pack)
        assert now.view(None).counts == tuple(len(now.view(seat).hand) for seat in range(now.rules.players))


def test_no_action_out_of_turn_is_accepted(matches: list[PlayedMatch], rng: random.Random) -> None:
    for now, untouched in some(twice(matches), rng, TRIED):
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
        assert now == untouched


def twice(matches: list[PlayedMatch]) -> Iterator[tuple[Match, Match]]:
    """Yield each position of the first hands, and an untouched copy."""
    return (pair for life in matches for pair in zip(life.hands(1), life.again, strict=False))


def refused(match: Match, seat: int, action: Action) -> Illegal:
    """Return the refusal: it can be said aloud, and cites an article of the rule page."""
    with pytest.raises(Illegal) as caught:
        match.act(seat, action)
    assert str(caught.value).endswith(f"({caught.value.article})")
    assert in_force(match.rules.game, match.rules.options, caught.value.article)
    return caught.value


@cache
def in_force(game: str, options: Any, article: str) -> bool:
    """Tell whether the rule page has this article for a table with these options."""
    found = book(game).article(article)
    return found is not None and found.when.holds(options)


def test_a_hand_is_sorted_by_strength(matches: list[PlayedMatch], rng: random.Random) -> None:
    """So ace and two stand where the game ranks them. Only an A card, beaten by every other card, may be last."""
    climbs = 0
    for now in some((each for life in matches for each in life.hands(1)), rng, TRIED):
        for view in (now.view(seat) for seat in now.awaited if now.game.result is None):
            choice, compare = CardSelection.of(view, (), Preferences()), view.rules.compare
            pairs = list(combinations(choice.sorted, 2))
            beaten = {high for low, high in pairs if compare((low,), (high,)) is None}
            assert beaten <= {card("LA"), card("BA")}, beaten
            assert choice.rises == (not beaten), "as the private hand says"
            climbs += sum(compare((high,), (low,)) is None for low, high in pairs)
    assert climbs


def test_every_offer_is_accepted(matches: list[PlayedMatch], rng: random.Random) -> None:
    for now, untouched in twice(matches):
        for seat in now.to_act:
            actions = offered(now.view(seat))
            for action in actions if is_thorough() else rng.sample(actions, min(OFFERS, len(actions))):
                assert now.act(seat, action) != now
        assert now == untouched


def test_no_unoffered_action_is_accepted(matches: list[PlayedMatch], rng: random.Random) -> None:
    for now, untouched in some(twice(matches), rng, TRIED):
        for seat in now.to_act:
            view = now.view(seat)
            fine = {normal(action, view) for action in offered(view)}
            for action in attempts(view, hands(now), rng):
                if normal(action, view) in fine:
                    assert now.act(seat, action) != now
                else:
                    refused(now, seat, action)
        assert now == untouched


def normal(action: Action, view: View) -> Hashable:
    """Return what is equal for actions between which the game makes no difference."""
    if isinstance(action, Play) and not missing_cards(view.hand, action.cards):
        return view.rules.alike(action.cards)
    return tuple(sorted(write_action(action).split()))


def attempts(view: View, everybodys: list[Card], rng: random.Random) -> Iterator[Action]:
    """Yield what a player might try: cards held and not held, few and many, one twice, none, and not to play."""
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


def test_a_view_can_be_imagined_and_reveals_no_more(matches: list[PlayedMatch], rng: random.Random) -> None:
    for at, now in enumerate(some((each for life in matches for each in life.hands(2)), rng, 0.5)):
        seats = (None, *range(now.rules.players))
        for seat in seats if is_thorough() else seats[at % len(seats) :][:1]:
            view = now.view(seat)
            imagined = now.rules.imagine(view, rng)
            assert imagined.view(seat) == view
            held = imagined_hands(imagined, now.rules.players)
            assert Counter([*held, *imagined.hidden_cards, *played(view)]) == Counter(now.rules.pack)
            for asked in imagined.to_act - {seat}:
                assert all(imagined.act(asked, action) for action in islice(offered(imagined.view(asked)), 3))


def imagined_hands(game: Game, players: int) -> Iterator[Card]:
    """Yield every card in a hand of a game that may never have been."""
    for seat in range(players):
        yield from game.view(seat).hand


def test_a_view_contains_no_cards_of_others(matches: list[PlayedMatch], rng: random.Random) -> None:
    reach = Reach()
    for now in some((each for life in matches for each in life.hands(1)), rng, 0.5):
        public = now.view(None)
        assert public.hand == ()
        assert (public.ask, public.private_notes, public.allies) == (None, (), frozenset())
        for seat in range(now.rules.players):
            view = now.view(seat)
            assert {name: getattr(view, name) for name in OPEN} == {name: getattr(public, name) for name in OPEN}
            assert set(public.known) <= {*view.known, *((seat, held) for held in view.hand)}
            assert all(held in now.view(holder).hand for holder, held in view.known)
            assert view.awaited <= view.to_act
            assert all(in_force(now.rules.game, now.rules.options, note.article) for note in notes(view))
            assert {name for name, cards in reach.of(view).items() if cards} <= MAY_HOLD_CARDS
        assert reach.of(public)["trick"] | reach.of(public)["tricks"] >= set(played(public))


def notes(view: View) -> Iterator[Note]:
    """Yield every sentence with an article that a view shows."""
    yield from view.private_notes
    yield from view.result.notes if view.result else ()
    match view.ask:
        case PlayAsk(limit=Note() as limit):
            yield limit
        case ChooseAsk(question=question) | NameAsk(question=question):
            yield question
        case GiveAsk(barred=barred):
            yield from (why for _, why in barred)
    if view.phase_note:
        yield view.phase_note


class Reach:
    """The cards reachable from views, which never change: each part is walked once, for tricks grow long."""

    def __init__(self) -> None:
        self._walked: dict[int, tuple[Any, frozenset[Card]]] = {}  # by id, with the thing itself, so that it stays

    def of(self, view: View) -> dict[str, frozenset[Card]]:
        """Return the cards under the name of each field of the view."""
        return {field.name: self._from(getattr(view, field.name)) for field in fields(view)}

    def _from(self, thing: Any) -> frozenset[Card]:
        if isinstance(thing, PLAIN):
            return frozenset()
        known = self._walked.get(id(thing))
        if known is None:
            cards = {thing} if isinstance(thing, Card) else ()
            known = self._walked[id(thing)] = thing, frozenset(cards).union(*map(self._from, parts(thing)))
        return known[1]


def parts(thing: Any) -> Iterable[Any]:
    """Return the components of a value; nothing for an atom."""
    if is_dataclass(thing):
        return [getattr(thing, field.name) for field in fields(thing)]
    if isinstance(thing, dict):
        return (*thing, *thing.values())
    return thing if isinstance(thing, tuple | list | set | frozenset) else ()


def test_every_match_ends(matches: list[PlayedMatch]) -> None:
    for match in (life.positions[-1] for life in matches):
        assert match.over
        assert match.to_act == frozenset()
        assert match.number == len(match.results) > 0
        assert min(match.places) == 1
        assert "over" in str(refused(match, 0, Ready()))


def test_a_record_replays_exactly(matches: list[PlayedMatch]) -> None:
    for life in matches:
        text = life.record.to_json()
        again = Record.from_json(text, GAMES)
        assert again == life.record
        assert again.to_json() == text
        assert life.again == life.positions
    shortest = min(matches, key=lambda life: len(life.positions))
    assert shortest.record.replay() == shortest.positions[-1]


def test_actions_survive_their_notation(matches: list[PlayedMatch]) -> None:
    for _, action in (step for life in matches for step in life.record.steps):
        assert read_action(write_action(action)) == action


def test_payments_sum_to_zero(matches: list[PlayedMatch]) -> None:
    for match in (life.positions[-1] for life in matches):
        seats = range(match.rules.players)
        kept = [0 for _ in seats]
        for result in match.results:
            assert len(result.points) == len(result.left) == match.rules.players
            for payer, payee, amount in result.payments:
                assert payer in seats and payee in seats and payer != payee and amount > 0  # noqa: PT018  # one thing
                kept[payer] -= amount
                kept[payee] += amount
        assert sum(match.nets) == 0
        assert match.nets == tuple(kept)
        assert match.totals == tuple(sum(result.points[seat] for result in match.results) for seat in seats)


def test_plays_come_weakest_first_and_agree_with_verify(matches: list[PlayedMatch], rng: random.Random) -> None:
    for now in (each for life in matches for each in life.hands(1)):
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
                assert plays.ready(count) == (found if now.view(seat).trick.top else one_of_each(found))[:count]
            for combo in found:
                rules = now.view(seat).rules
                assert plays.verify(shuffle(combo, rng)) == combo == rules.classify(combo.cards)
                assert combo.head in combo.cards
                assert rules.names[combo.kind].one.format(rank="5", suit="x")


def one_of_each(found: list[Combo]) -> list[Combo]:
    """Return the first item of each kind; a single card is a kind of its own."""
    kinds = dict[str, Combo]()
    for combo in found:
        kinds.setdefault(combo.kind if len(combo.cards) > 1 else "", combo)
    return list(kinds.values())


def shuffle(combo: Combo, rng: random.Random) -> tuple[Card, ...]:
    """Return the cards of a combination in any order."""
    return tuple(rng.sample(combo.cards, len(combo.cards)))


@every_preset
def test_the_first_plays_are_found_lazily(name: str, preset: str) -> None:
    match = Record(GAMES[name], preset, seed="lazy").begin()
    [seat] = list(match.to_act)[:1]
    hand = match.rules.sort(match.rules.pack)
    whole = replace(match.view(seat), hand=hand, must=None, ask=PlayAsk(may_pass=False))
    most = max(count_calls(lambda: whole.plays.first(25)), count_calls(lambda: bool(whole.plays)))
    assert most < AT_ONCE or most < count_calls(lambda: list(whole.plays)) / LAZY.get(name, 15)  # all may be millions


def test_an_opened_seed_verifies_the_deal(matches: list[PlayedMatch]) -> None:
    for life in matches:
        opens(life.record.seed, life.hands(3))


def opens(seed: str, positions: list[Match]) -> None:
    """Fail unless the seed, told hand by hand, is what was promised and deals what was dealt."""
    shown: dict[int, tuple[str, Match]] = {}
    for now in positions:
        shown.setdefault(now.number, (commitment(deal_seed(seed, now.number)), now))
    for number, (promise, dealt) in shown.items():
        opened = deal_seed(seed, number)
        assert commitment(opened) == promise
        dealer, past = dealt.game.dealer, dealt.results[: number - 1]
        assert dealt.rules.deal(SeededRandom(opened), dealer, past) == dealt.game
    assert len({promise for promise, _ in shown.values()}) == len(shown)
