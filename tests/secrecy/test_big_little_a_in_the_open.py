"""What The Big and the Little A does by itself can be told from outside: who passes, plays a last card, or leads.

Works it out again from what every player sees. No other player can tell that a player is about to name jokers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.big_little_a.groups import A_CARDS, BIG_A, JOKER, LITTLE_A
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.core.asks import Action, Choose, Give, Name, NameAsk, Pass, Play, PlayAsk, Stop
from bot.rules.core.cards import card
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Move
from bot.rules.matches.match import Match
from tests.laws.matches import offered, steps
from tests.secrecy.card_search import cards_in_error, cards_of
from tests.secrecy.two_worlds import Worlds, alike, any_record, imagined, in_both, table, user

PRESETS = tuple(GAMES["big_little_a"].presets)
FOURTEEN = 14

every_preset = pytest.mark.parametrize("preset", PRESETS)


def moments(preset: str, count: int, rng: random.Random) -> Iterator[tuple[Match, int, Action, Match]]:
    """Yield every step of some hands under any options, with the next state."""
    for _ in range(count):
        for before, seat, action in steps(any_record("big_little_a", preset, rng).begin(), rng, hands=1):
            yield before, seat, action, before.act(seat, action)


def hand_of(match: Match) -> BigLittleAGame:
    game = match.game
    assert isinstance(game, BigLittleAGame)
    return game


# What goes by itself


@pytest.mark.rotates(3)
@every_preset
def test_automatic_actions_follow_from_public_facts(preset: str) -> None:
    found = Counter[str]()
    for before, seat, _, after in moments(preset, 24, random.Random(f"by itself {preset}")):
        if hand_of(after).naming:
            continue
        (mine, *others), public = fresh(before.view(None), after.view(None)), before.view(None)
        assert mine.seat == seat
        assert [(move.seat, move.combo is None) for move in others] == list(by_itself(before, mine))
        found.update("pass" if move.combo is None else "card" for move in others)
        if len(after.view(None).tricks) > len(public.tricks) and not after.game.result:
            assert after.awaited == {leader(after.view(None))}
    assert found["pass"] > 30, found


def fresh(before: View, after: View) -> list[Move]:
    """Return the new moves of the trick, ignoring that it is taken up in the end."""
    trick = after.trick if len(after.tricks) == len(before.tricks) else after.tricks[-1]
    return [move for move in trick.moves[len(before.trick.moves) :] if not move.taken]


def by_itself(before: Match, mine: Move) -> Iterator[tuple[int, bool]]:
    """Yield who moves by itself after this move, and whether by passing (O7.2, O11.1), from what every player sees."""
    public, options = before.view(None), before.rules.options
    moves = [*public.trick.moves, mine]
    facts, first = dict(public.facts), moves[0].combo
    assert first is not None
    a_round = first.head in A_CARDS
    while not over(moves, options, a_round=a_round):
        seat = (moves[-1].seat + 1) % options.players
        mean = sum(
            facts.get(name) == seat and first.head is not each for name, each in (("little", LITTLE_A), ("big", BIG_A))
        )
        plain = public.counts[seat] - mean
        best = max((move.combo for move in moves if move.combo), key=lambda combo: combo.strength)
        choice = plain > 1 if a_round else plain >= len(best.cards) and best.strength < FOURTEEN
        if choice or (options.auto_pass == "off" and public.counts[seat]):
            return
        passes = plain == 0 or not a_round
        moves.append(Move(seat, None if passes else first))  # whichever card it is, it decides nothing any more
        yield seat, passes


def over(moves: list[Move], options: Any, *, a_round: bool) -> bool:
    """Tell whether a round is over after these moves (O7.1, O7.2)."""
    players: int = options.players
    if a_round or options.round_mode == "one_turn_each":
        return len(moves) == players
    return len(moves) >= players and not any(move.combo for move in moves[1 - players :])


def leader(public: View) -> int:
    """Return who leads after a round, from what every player sees (3.5, 5.8, 5.11)."""
    facts, seat = dict(public.facts), public.tricks[-1].owner
    assert seat is not None
    while True:
        barred = [name for name in ("little", "big") if facts.get(name) == seat and f"{name}_from" in facts]
        if public.counts[seat] > len(barred):
            return seat
        seat = (seat + 1) % len(public.counts)


@pytest.mark.rotates(3)
@every_preset
def test_imagined_hands_offer_and_end_like_the_real_one(preset: str) -> None:
    rng, found = random.Random(f"imagined {preset}"), Counter[bool]()
    for _ in range(12):
        match = any_record("big_little_a", preset, rng).begin()
        moment = rng.choice([before for before, _, _ in steps(match, rng, hands=1)])
        viewer = rng.choice((None, *range(match.rules.players)))
        worlds: Worlds | None = Worlds(moment, imagined(moment, viewer, rng))
        if hand_of(moment).naming and moment.game.to_act != {viewer}:
            continue  # the viewer does not know that, which is told below
        while worlds:
            assert alike(worlds, viewer)
            assert worlds.one.awaited == worlds.other.awaited
            assert worlds.one.moment == worlds.other.moment
            found[worlds.one.game != worlds.other.game] += 1
            worlds = further(worlds, rng)
    assert found[True] > 60, found


def further(worlds: Worlds, rng: random.Random) -> Worlds | None:
    """Return the worlds after a step; None at the end, or where another last card went to an A round by itself."""
    step = in_both(worlds, rng)
    if step is None or worlds.one.game.result:
        return None
    after = Worlds(worlds.one.act(*step), worlds.other.act(*step), step)
    if after.one.game.result or after.other.game.result:
        assert bool(after.one.game.result) == bool(after.other.game.result)
        return None  # all hands are open
    moves = [fresh(before.view(None), now.view(None)) for before, now in zip(worlds[:2], after[:2], strict=True)]
    assert [(move.seat, move.combo is None) for move in moves[0]] == [
        (move.seat, move.combo is None) for move in moves[1]
    ]
    return after if moves[0] == moves[1] else None


# Jokers that wait for a name


def naming(rng: random.Random) -> Iterator[tuple[Match, int, Match]]:
    """Yield matches in which a player plays jokers alone, before and after."""
    for _ in range(60):
        match = any_record("big_little_a", "named_jokers", rng).begin()
        while not match.game.result:
            seat = min(match.awaited)
            view = match.view(seat)
            plays = view.plays if isinstance(view.ask, PlayAsk) else ()
            bare = next((Play(combo.cards) for combo in plays if combo.kind == "jokers"), None)
            if bare and hand_of(after := match.act(seat, bare)).naming:
                yield match, seat, after
            match = match.act(seat, rng.choice(offered(view)))


def test_pending_joker_names_are_invisible_to_others() -> None:
    found = Counter[bool]()
    for before, seat, after in naming(random.Random("naming")):
        record = any_record("big_little_a", "named_jokers", random.Random("kept"))
        for viewer in {None, *range(before.rules.players)} - {seat}:
            assert after.view(viewer) == before.view(viewer)
            assert table(record, after).scene(user(viewer)) == table(record, before).scene(user(viewer))
        assert isinstance(after.view(seat).ask, NameAsk)
        assert (after.moment, after.awaited, after.to_act) == (before.moment, before.awaited, before.to_act)
        for wrong in (Pass(), Play((JOKER,)), Name(LITTLE_A), Choose(("pass",))):
            with pytest.raises(Illegal):
                after.act(seat, wrong)
        found[before.view(None).trick.top is None] += 1
    assert min(found[True], found[False]) > 3, found


# Cards that nobody was dealt


@pytest.mark.parametrize("unused", ["hidden", "shown_after_deal"])
def test_undealt_cards_are_named_only_after_the_hand_and_if_shown(unused: str) -> None:
    rng = random.Random(unused)
    for preset in PRESETS:
        rules = GAMES["big_little_a"].rules(preset, unused_cards=unused)
        for before, seat, action in steps(Match.start(rules, preset), rng, hands=1):
            assert not before.game.result
            after = before.act(seat, action)
        notes = [note.article for note in after.game.result.notes] if after.game.result else []
        assert ("O8.2" in notes) == (unused == "shown_after_deal" and bool(hand_of(after).unused))


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
