"""The results after a hand or match, and its highlights, as blocks for the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from discord import ui

from bot.domain.message_ids import N_
from bot.rules.core.cards import Cards
from bot.rules.core.game import Public, Result
from bot.rules.core.sentences import Seat
from bot.rules.matches.achievements import Feat, rarest
from bot.rules.matches.score import CoursePoint
from bot.scene import Scene, UncountedReason
from bot.show.kit import phrases
from bot.show.kit.layout import line, lines, small
from bot.show.kit.words import MessageText, Words, join, sentences
from bot.show.pictures.lettering import width
from bot.show.pictures.podium import TEXT, TOLD
from bot.show.table import votes
from bot.show.table.achievements import rarest_achievements
from bot.show.table.scores import as_text, headline, penalty, ratings

Blocks = tuple["str | ui.Separator[Any] | None", ...]


def between(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return the board between two hands, without a picture."""
    return *_standing(scene, view, w), waiting(scene, w)


def over(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return the board after a match, without a picture."""
    return *_standing(scene, view, w), story(scene, view, w).besides or None


def _standing(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return the winner, the standings, and the end of the hand."""
    return (
        lines(
            f"### {headline(scene, view.result, w)}",
            f"**{decided}**" if (decided := story(scene, view, w).decided) else None,
            as_text(scene, w, lately=True),
        ),
        line(),
        lines(small(phrases.hand_number(scene, w)), *remarks(scene, view, w)),
        line(),
    )


def remarks(scene: Scene, view: Public, w: Words) -> Iterator[str | None]:
    """Yield the ratings after a match, the hand's end, cards left, and remarkable facts.

    All of them are in small print.
    """
    if scene.stage == "over":
        yield from ratings(scene, w)
        yield small(_unrated(scene, w))
    if view.result is not None:
        yield small(_ending(view, view.result, w))
        left = view.result.left
        yield from (small(_held(seat, left[seat], w)) for seat in scene.order if left[seat])
        yield from (small(phrases.note(note, w)) for note in view.result.notes if not note.decides)
    yield penalty(scene, w)
    yield phrases.sitting_in(scene, w)
    yield small(rarest_achievements(scene.tally.deeds, w))


UNCOUNTED: Mapping[UncountedReason, str] = {
    "alone": N_("This match doesn't count: only one person played."),
    "breaks_off": N_("This match doesn't count: under these rules, running out of time ends the match."),
    "deals": N_("This match only counts for the scoresheet of the same deals."),
    "moderator": N_("This match doesn't count: a moderator stopped it."),
    "access": N_("This match doesn't count: a bot played for someone who lost access to the channel."),
}


def _unrated(scene: Scene, w: Words) -> MessageText:
    """Return why an ended match does not count, or changes no rating."""
    if scene.terms.uncounted:
        return w(UNCOUNTED[scene.terms.uncounted])
    if scene.terms.unrated:
        return w("Unrated: this match counts, but not for the rating.")
    return MessageText() if scene.terms.rated else w("Unrated: too much differs from the usual rules.")


def _ending(view: Public, result: Result, w: Words) -> MessageText:
    """Return how the hand ended: by points, who went out; else the winner's last play."""
    if result.declarer is not None:
        return MessageText()
    if result.by_points:
        out = [Seat(seat) for seat, held in enumerate(result.left) if not held]
        return w("{seats} went out, so the hand is over.", seats=out) if out else MessageText()
    last, seat = view.trick.top, view.trick.owner
    if last is None or seat is None or seat not in result.order[:1]:
        return MessageText()
    return w("**{seat}** goes out with {combo} and wins the hand!", seat=Seat(seat), combo=last)


def _held(seat: int, held: Cards, w: Words) -> MessageText:
    return join((phrases.marked(seat, w), MessageText(w.faces.show(held))))


def waiting(scene: Scene, w: Words) -> str | None:
    """Return the players awaited before the next hand, and who asks to end the match."""
    return lines(_readiness(scene, w), votes.open_vote(scene, w))


def _readiness(scene: Scene, w: Words) -> MessageText:
    """Return who is ready for the next hand, and who is awaited."""
    if scene.wait.paused or scene.deserted:
        return phrases.awaited(scene, w)
    ready = {chair.seat for chair in scene.chairs if not chair.house} - scene.wait.awaited
    waiting = (
        w("Waiting for {seats}.", seats=phrases.seats(scene.wait.awaited)) if scene.wait.awaited else MessageText()
    )
    clock = None if phrases.silence(scene) else scene.wait.deadline
    deal = w("Next hand {when}, or when everyone is ready.", when=clock) if clock else MessageText()
    there = w("Ready: {seats}.", seats=phrases.seats(ready)) if ready else MessageText()
    return join((sentences((there, waiting)), deal), "\n")


MIN_STOPS = 3  # of the course: within a single hand nothing turns
DECIDING_FEATS = ("bomb", "taken")


class Story(NamedTuple):
    """What is worth telling of a hand or match.

    decided: what decided it; besides: one further event; or nothing.
    """

    decided: MessageText
    besides: MessageText


def story(scene: Scene, view: Public, w: Words) -> Story:
    """Return what decided a match or a hand, and at most one further event of the match."""
    notes = [phrases.note(note, w) for note in (view.result.notes if view.result else ()) if note.decides]
    if scene.stage != "over":
        return Story(sentences(notes), MessageText())
    feats, winner = rarest(scene.tally.feats), _single_winner(scene)
    turned = _course(scene, winner, w)
    deciding = [feat for feat in feats if winner is not None and _has_decided(feat, scene.tally.course, winner)]
    rare = [_rare(scene, feat, w) for feat in (*deciding, *(feat for feat in feats if feat not in deciding))]
    decided = [*notes, *rare[: len(deciding)], *turned][:1]
    besides = [said for said in (*rare, *turned) if said not in decided][:1]
    return Story(join(decided), join(besides))


def _single_winner(scene: Scene) -> int | None:
    """Return the winner of the match; None for shared first places."""
    first = [seat for seat, place in enumerate(scene.tally.places) if place == 1]
    return first[0] if len(first) == 1 else None


def _has_decided(feat: Feat, course: Sequence[CoursePoint], winner: int) -> bool:
    """Tell whether the winner's feat was in the hand that brought the lead for good."""
    behind = max((at for at, stop in enumerate(course) if not _ahead(stop, winner)), default=0)
    hand = course[behind + 1].hand if behind + 1 < len(course) else 0
    return feat.kind in DECIDING_FEATS and (feat.seat, feat.hand) == (winner, hand)


def _course(scene: Scene, winner: int | None, w: Words) -> list[MessageText]:
    """Return the highlights of the course, the best first."""
    course = scene.tally.course
    if len(course) < MIN_STOPS or winner is None:
        return []
    told = (moment(course, winner, w) for moment in MOMENTS)
    return [said for said in told if said]


def _rare(scene: Scene, feat: Feat, w: Words) -> MessageText:
    """Return a rare event of a hand, in the most detailed sentence that fits on a line."""
    told = [_rare_sentence(scene, sentence, feat, w) for sentence in RARE[feat.kind]]
    return next((said for said in told if width(said, TEXT) <= TOLD), told[-1])


def _rare_sentence(scene: Scene, sentence: str, feat: Feat, w: Words) -> MessageText:
    name = w.name(feat.combo) if feat.combo else None
    text = w(sentence, seat=Seat(feat.seat), seats=phrases.seats(feat.seats), n=feat.number, combo=name)
    return w("Hand {hand}: {told}", hand=feat.hand, told=text) if scene.tally.hand > 1 else text


def _led(course: Sequence[CoursePoint], winner: int, w: Words) -> MessageText:
    if not all(_ahead(stop, winner) for stop in course[1:]):
        return MessageText()
    return w("{seat} led from the first hand on", seat=Seat(winner))


def _at_last(course: Sequence[CoursePoint], winner: int, w: Words) -> MessageText:
    if _ahead(course[-2], winner):
        return MessageText()
    return w("{seat} took the lead in the last hand", seat=Seat(winner))


def _turned(course: Sequence[CoursePoint], winner: int, w: Words) -> MessageText:
    """Return the hand after which the winner stayed ahead for good."""
    behind = max((at for at, stop in enumerate(course) if at and not _ahead(stop, winner)), default=0)
    if not behind or behind >= len(course) - 2:
        return MessageText()
    return w("Hand {hand} was the turning point for {seat}", hand=course[behind + 1].hand, seat=Seat(winner))


def _from_behind(course: Sequence[CoursePoint], winner: int, w: Words) -> MessageText:
    hands = [stop.hand for stop in course[1:] if _last(stop, winner)]
    return w("{seat} was last after hand {hand}", seat=Seat(winner), hand=hands[-1]) if hands else MessageText()


def _swing(course: Sequence[CoursePoint], _: int, w: Words) -> MessageText:
    """Return the largest gain or loss of a seat in a single hand."""
    swings = [
        (now - then, seat, after.hand)
        for before, after in pairwise(course)
        if after.hand == before.hand + 1
        for seat, (then, now) in enumerate(zip(before.stands, after.stands, strict=True))
    ]
    amount, seat, hand = max(swings, key=lambda swing: (abs(swing[0]), swing[0]), default=(0, 0, 0))
    if not amount:
        return MessageText()
    if amount > 0:
        return w("{seat} gained {points} in hand {hand}", hand=hand, seat=Seat(seat), points=MessageText(str(amount)))
    return w("{seat} lost {points} in hand {hand}", hand=hand, seat=Seat(seat), points=MessageText(str(-amount)))


RARE = {
    "bomb": (N_("{seat} bombed with {combo}"), N_("{seat} dropped a bomb")),
    "alone": (N_("{seat} didn't let anyone else play a card"), N_("{seat} played all alone")),
    "never": (N_("{seats} never got to play a card"), N_("{seat} gave the others no chance")),
    "long": (N_("{seat} played {n} cards at once"),),
    "taken": (N_("{seat} took {n} cards at once"),),
    "row": (N_("{seat} took the last {n} tricks"),),
}
MOMENTS: tuple[Callable[[Sequence[CoursePoint], int, Words], MessageText], ...] = (
    _led,
    _at_last,
    _turned,
    _from_behind,
    _swing,
)


def _ahead(stop: CoursePoint, seat: int) -> bool:
    return all(stop.stands[seat] > other for at, other in enumerate(stop.stands) if at != seat)


def _last(stop: CoursePoint, seat: int) -> bool:
    return all(stop.stands[seat] < other for at, other in enumerate(stop.stands) if at != seat)
