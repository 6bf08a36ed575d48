"""The score of a match as a signed number for each seat, and the payments after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bot.domain.message_ids import N_
from bot.domain.rating import MIN_SETTLED_MATCHES
from bot.domain.results import FinishedMatch
from bot.games import GAMES
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.matches.score import fewest_payments, is_low_score_best, standings_of
from bot.rules.variants.registration import STORED
from bot.rules.variants.ruleset import Ruleset
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.layout import Accent, PrivateScreen, lines, private, small
from bot.show.kit.phrases import scored, signed
from bot.show.kit.words import MessageText, Words, join


def final_scores(match: FinishedMatch) -> Mapping[int, MessageText]:
    """Return the score of each seat of a finished match, as on its end card."""
    ended = sorted(match.outcome.standings, key=lambda one: one.seat)
    points, nets = tuple(one.points for one in ended), tuple(one.net for one in ended)
    try:
        rules = Ruleset(GAMES[match.game], match.preset, match.options, STORED).rules
        scores = [scored(stand, rules) for stand in standings_of(rules, points, nets)]
    except (KeyError, TypeError, Illegal):  # the rules of an earlier release no longer exist
        scores = [signed(amount) for amount in points]
    return {one.seat: said for one, said in zip(ended, scores, strict=True)}


# What a winner reads, with points and without any.
WON = N_("You won! {points}"), N_("You won!")
SHARED = N_("You share the win! {points}"), N_("You share the win!")
WON_HAND = N_("You won the hand! {points}"), N_("You won the hand!")
PLACED = (
    N_("You came 2nd: {points}"),
    N_("You came 3rd: {points}"),
    N_("You came 4th: {points}"),
    N_("You came 5th: {points}"),
    N_("You came 6th: {points}"),
    N_("You came 7th: {points}"),
    N_("You came 8th: {points}"),
    N_("You came 9th: {points}"),
)


class SeatScore(NamedTuple):
    """The score of a seat. hand: the gain in the last hand; match: the total."""

    seat: int
    place: int
    hand: int
    match: int


def rows(scene: Scene) -> list[SeatScore]:
    """Return the scores of all seats, the best first."""
    *_, before, after = scene.tally.course[:1] + scene.tally.course
    gained = (now - then for then, now in zip(before.stands, after.stands, strict=True))
    told = map(SeatScore, range(len(scene.chairs)), scene.tally.places, gained, after.stands)
    return sorted(told, key=lambda row: (row.place, row.seat))


def headline(scene: Scene, result: Result | None, w: Words) -> MessageText:
    """Return the winner of the match, if over, otherwise of the hand."""
    first = winners(scene, result)
    if scene.stage != "over":
        won = w.n("{seats} wins the hand", "{seats} win the hand", len(first), seats=phrases.seats(first))
        return won if first else w("Nobody wins the hand")
    won = w.n("{seats} wins the match", "{seats} share the match", len(first), seats=phrases.seats(first))
    return won if first else w("Nobody stayed to the end")


def winners(scene: Scene, result: Result | None) -> list[int]:
    """Return the winners of the match, if over, otherwise of the hand.

    A match has no winners if all players have left.
    """
    if scene.stage == "over":
        first = [seat for seat, place in enumerate(scene.tally.places) if place == 1]
        return [] if any(scene.chairs[seat].left for seat in first) else first
    if result is None:
        return []
    if result.declarer is not None:
        return [row.seat for row in rows(scene) if row.hand > 0]
    return [seat for seat, place in enumerate(result.places) if place == 1]


def mine(scene: Scene, result: Result | None, w: Words) -> str:
    """Return the viewer's result in large type, with the winner and the match so far.

    The type is largest for a winner.
    """
    own = next(row for row in rows(scene) if row.seat == scene.seat)
    if scene.stage == "over":
        return _own_match(scene, own, w)
    points = _points(scene, own.hand, w)
    if own.seat in winners(scene, result):
        text = f"# {_won(WON_HAND, own.hand, points, w)}"
    else:
        text = f"## {w('{headline}. You: {points}', headline=headline(scene, result, w), points=points)}"
    place = w("place {n}", n=own.place)
    so_far = join((w("Match so far"), place, scored(own.match, scene.terms.rules)))
    return lines(text, penalty(scene, w), small(so_far) if scene.tally.hand > 1 else None) or ""


def _own_match(scene: Scene, own: SeatScore, w: Words) -> str:
    """Return the viewer's result of the match."""
    points, first, won = _points(scene, own.match, w), winners(scene, None), headline(scene, None, w)
    change = scene.rating_changes.get(own.seat)
    rating = w("Rating {change}", change=phrases.rating_change(change)) if change else MessageText()
    uncertain = w(phrases.PROVISIONAL, n=MIN_SETTLED_MATCHES) if change and not change.settled else MessageText()
    if own.seat in first:
        said = _won(WON if len(first) == 1 else SHARED, own.match, points, w)
        return lines(f"# {said}", penalty(scene, w), f"# {rating}" if rating else None, small(uncertain)) or ""
    said = w(PLACED[own.place - 2] if own.place > 1 else "{headline}. You: {points}", headline=won, points=points)
    who_won = small(won) if own.place > 1 else None
    return lines(f"## {said}", penalty(scene, w), who_won, small(rating), small(uncertain)) or ""


def _won(said: tuple[str, str], stand: int, points: str, w: Words) -> MessageText:
    """Return a winner's headline; nobody wins "0 points"."""
    with_points, bare = said
    return w(with_points, points=points) if stand else w(bare)


def ratings(scene: Scene, w: Words) -> Iterator[str | None]:
    """Yield the changes of ratings by the match in small print, the uncertain ones apart."""
    changes = [(row.seat, scene.rating_changes[row.seat]) for row in rows(scene) if row.seat in scene.rating_changes]
    for sentence, settled in (N_("Rating: {changes}"), True), (N_("Provisional rating: {changes}"), False):
        texts = (MessageText(f"{w.seat(seat)} {phrases.rating_change(one)}") for seat, one in changes)
        if message := join(text for text, (_, one) in zip(texts, changes, strict=True) if one.settled is settled):
            yield small(w(sentence, changes=message))


def _points(scene: Scene, stand: int, w: Words) -> MessageText:
    """Return points with their sign ("+32"), or in words ("2 points") where the lowest wins."""
    rules = scene.terms.rules
    return phrases.gained(stand, rules, w) if is_low_score_best(rules) else signed(stand)


def penalty(scene: Scene, w: Words) -> str | None:
    """Return the meaning of the points in a game of penalty points."""
    scored_yet = any(scene.tally.course[-1].stands)
    return small(w("Low score wins.")) if scored_yet and is_low_score_best(scene.terms.rules) else None


def as_text(scene: Scene, w: Words, *, lately: bool = False) -> MessageText:
    """Return the scores of all seats, a line each. lately: include the gain in the last hand."""
    lately = lately and scene.tally.hand > 1
    return join((_line(scene, row, w, lately=lately) for row in rows(scene)), "\n")


def _line(scene: Scene, row: SeatScore, w: Words, *, lately: bool) -> MessageText:
    chair = scene.chairs[row.seat]
    left = w("for {name}", name=chair.owner_name) if chair.owner_name else w("left") if chair.left else MessageText()
    brought = w("this hand {points}", points=scored(row.hand, scene.terms.rules)) if lately else MessageText()
    return join(
        (phrases.placed(row.place, phrases.marked(row.seat, w)), left, scored(row.match, scene.terms.rules), brought)
    )


NOTEBOOK = N_("In units: just a tally, nobody pays.")


def owing(scene: Scene) -> list[tuple[int, int, int]]:
    """Return the payments as (payer, payee, amount). House players pay each other nothing."""
    if not scene.tally.payments:
        return []
    house = [chair.user is None for chair in scene.chairs]
    return [
        (payer, payee, sum_)
        for payer, payee, sum_ in fewest_payments(scene.tally.nets)
        if not house[payer] * house[payee]
    ]


def settling(scene: Scene, w: Words) -> PrivateScreen:
    """Return the screen of the payments that settle the match so far."""
    w, payments = w.for_scene(scene), owing(scene)
    return private(
        Accent.BETWEEN,
        "### " + (w("To settle") if scene.stage == "over" else w("To settle so far")),
        phrases.owed(payments, w) if payments else w("Nobody owes anything."),
        small(w(NOTEBOOK)),
    )
