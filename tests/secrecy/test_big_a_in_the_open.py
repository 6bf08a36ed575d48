"""What Big A does by itself in play can be told from outside: who passes, who leads; and what a log would show.

Works it out again from what every player sees.
"""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from bot.rules.big_a import BigA
from bot.rules.big_a.declarations import NO
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.windows import BigADraw
from bot.rules.core.asks import Action, Choose, Pass, Play, PlayAsk
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Move
from tests.secrecy.big_a_hands import FEW, PRESETS, Hand, any_rules, codes, dealt, hand_of, hands
from tests.secrecy.card_search import cards_in_error, cards_of

every_preset = pytest.mark.parametrize("preset", PRESETS)


# Passing and leading in the open


@pytest.mark.rotates(3)
@every_preset
def test_automatic_passes_follow_from_public_facts(preset: str) -> None:
    found = Counter[bool]()
    for game, seat, _, after in hands(preset, 8):
        if isinstance(game, BigAGame) and isinstance(after, BigAGame) and not after.result:
            new = fresh(game.view(None), after.view(None))
            mine, *others = new
            assert mine.seat == seat
            assert others == (expected(after.view(None), new) if game.rules.options.auto_pass != "off" else [])
            found[bool(others)] += 1
    assert found[True] > 1, found


def fresh(before: View, after: View) -> list[Move]:
    """Return the new moves of the trick."""
    trick = after.trick if len(after.tricks) == len(before.tricks) else after.tricks[-1]
    return list(trick.moves[len(before.trick.moves) :])


def expected(public: View, moves: list[Move]) -> list[Move]:
    """Return which passes come by themselves after this move: O16.1, from what every player sees."""
    trick = public.trick if public.trick.moves else public.tricks[-1]
    active = {seat for seat, count in enumerate(public.counts) if count}
    combos = [move.combo for move in trick.moves if move.combo]
    own, top, found = moves[0], combos[-1], list[Move]()
    done = 0 if own.combo else _passes(list(trick.moves[: len(trick.moves) - len(moves) + 1]))
    seat = own.seat
    while done + len(found) < len(active - {trick.owner}):
        seat = next(each for ahead in range(1, 5) if (each := (seat + ahead) % 5) in active)
        few = public.counts[seat] == 1 and (top.kind == "big_ace" or len(top.cards) > 1)
        if not few and top.kind != "big_ace_pair":
            break
        found.append(Move(seat, None))
    return found


def _passes(moves: list[Move]) -> int:
    """Return how many moves since the last play, all of them passes."""
    return next(count for count, move in enumerate(reversed(moves)) if move.combo)


@pytest.mark.rotates(3)
@every_preset
def test_the_lead_follows_from_public_facts(preset: str) -> None:
    rng, found = random.Random(preset), Counter[str]()
    for game, seat, action, after in runs(preset, 12):
        assert after.turn == leader(after.view(None))
        for viewer in (None, None, seat):
            other = hand_of(game.view(None).rules.imagine(game.view(viewer), rng))
            there = hand_of(other.act(seat, action))
            assert there.awaited == after.awaited
            assert isinstance(there, BigAGame)
            found[f"partner {there.sides.known}"] += there.sides.partner != after.sides.partner
            found["known"] += there.sides.known
    assert found["partner False"] > 10, found
    assert found["known"] > 3, found


def runs(preset: str, count: int) -> Iterator[tuple[BigAGame, int, Action, BigAGame]]:
    """Yield each step after which the lead is another player's, in hands in which one after the other goes out."""
    rng = random.Random(preset)
    for number in range(count):
        game, runner = drawn(any_rules(preset, rng), rng, openly=not number % 4), rng.randrange(5)
        while game.result is None:
            seat = game.turn
            runner = runner if game.hands[runner] or game.trick.top else seat
            action = running(game.view(seat), eager=seat == runner, secretive=bool(number % 4))
            after = game.act(seat, action)
            if "lead" in dict(after.view(None).facts):
                yield game, seat, action, after
            game = after


def drawn(rules: BigA, rng: random.Random, *, openly: bool) -> BigAGame:
    """Return a hand at its first lead; openly: whether any player may show two aces or the other Big Ace."""
    game: Hand = dealt(rules, rng)
    while isinstance(game, BigADraw):
        for seat in sorted(game.awaited):
            fine = [code for code in codes(game.view(seat)) if openly or code.startswith((NO.code, "expose"))]
            game = hand_of(game.act(seat, Choose((rng.choice(fine),))))
    return game


def running(view: View, *, eager: bool, secretive: bool) -> Action:
    """Return a long play of a player who is eager to go out, or else a pass, or a low lead.

    secretive: whether Big Aces are held back as long as possible.
    """
    assert isinstance(view.ask, PlayAsk)
    if view.ask.may_pass and not eager:
        return Pass()
    plays, big = view.plays.first(FEW), dict(view.facts)["big"]
    secret = [combo for combo in plays if not set(big) & set(combo.cards)]
    fine = secret if secretive and secret else plays
    if not fine:
        return Pass()
    return Play(max(fine, key=lambda combo: len(combo.cards) * eager).cards)


def leader(public: View) -> int:
    """Return who leads after an unbeaten last play: 7.3 to 7.6, from what every player sees."""
    facts, gone = dict(public.facts), public.tricks[-1].owner
    assert gone is not None
    declarer, partner = int(facts["declarer"]), int(facts.get("partner", -1))
    after = [seat for ahead in range(1, 5) if public.counts[seat := (gone + ahead) % 5]]
    if gone == declarer:
        return partner if partner in after else after[0]
    return declarer if gone == partner else next(seat for seat in after if seat not in (declarer, partner))


# Logs


@pytest.mark.rotates(3)
@every_preset
def test_a_logged_hand_shows_public_facts_only(preset: str) -> None:
    for game, seat, _, _ in list(hands(preset, 1))[::4]:
        view, public = game.view(seat), game.view(None)
        for text in {text for thing in (game, public.rules) for text in (repr(thing), str(thing))}:
            assert not cards_of(text)
        assert cards_of(repr(view)) | cards_of(repr(view.plays)) <= cards_of(repr(public))
        for wrong in (Choose(("expose:x",)), Play(()), Choose(())):
            with pytest.raises(Illegal) as refused:
                game.act(seat, wrong)
            assert not cards_in_error(refused.value)
