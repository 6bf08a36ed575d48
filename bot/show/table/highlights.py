"""The highlights of a match: at most two, from the course of the match and from rare events in its hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from bot.domain.message_ids import N_
from bot.rules.core.sentences import Seat
from bot.rules.matches.feats import Feat, rarest
from bot.rules.matches.score import CoursePoint
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.phrases import signed
from bot.show.kit.words import Said, Words
from bot.show.pictures.lettering import width
from bot.show.pictures.podium import TEXT, TOLD

MAX_HIGHLIGHTS = 2
ENOUGH = 3  # stops of the course: within a single hand nothing turns


def highlights(scene: Scene, w: Words) -> list[Said]:
    """Return the highlights of an ended match: a turn and the rarest event, or two of the same sort."""
    turned, rare = _course(scene, w), [_rare(scene, feat, w) for feat in rarest(scene.tally.feats)[:MAX_HIGHLIGHTS]]
    return [*turned[:1], *rare[: MAX_HIGHLIGHTS - 1], *turned[1:], *rare[MAX_HIGHLIGHTS - 1 :]][:MAX_HIGHLIGHTS]


def _course(scene: Scene, w: Words) -> list[Said]:
    """Return the highlights of the course, the best first."""
    course, first = scene.tally.course, [seat for seat, place in enumerate(scene.tally.places) if place == 1]
    if len(course) < ENOUGH or len(first) != 1:
        return []
    told = (moment(course, first[0], w) for moment in MOMENTS)
    return [said for said in told if said]


def _rare(scene: Scene, feat: Feat, w: Words) -> Said:
    """Return a rare event of a hand, in the most detailed sentence that fits on a line."""
    told = [_told(scene, sentence, feat, w) for sentence in RARE[feat.kind]]
    return next((said for said in told if width(said, TEXT) <= TOLD), told[-1])


def _told(scene: Scene, sentence: str, feat: Feat, w: Words) -> Said:
    name = w.name(feat.combo) if feat.combo else None
    told = w(sentence, seat=Seat(feat.seat), seats=phrases.seats(feat.seats), n=feat.number, combo=name)
    return w("Hand {hand}: {told}", hand=feat.hand, told=told) if scene.tally.hand > 1 else told


def _led(course: Sequence[CoursePoint], winner: int, w: Words) -> Said:
    if not all(_ahead(stop, winner) for stop in course[1:]):
        return Said()
    return w("{seat} led from the first hand on", seat=Seat(winner))


def _at_last(course: Sequence[CoursePoint], winner: int, w: Words) -> Said:
    if _ahead(course[-2], winner):
        return Said()
    return w("{seat} took the lead in the last hand", seat=Seat(winner))


def _turned(course: Sequence[CoursePoint], winner: int, w: Words) -> Said:
    """Return the hand after which the winner stayed ahead for good."""
    behind = max((at for at, stop in enumerate(course) if at and not _ahead(stop, winner)), default=0)
    if not behind or behind >= len(course) - 2:
        return Said()
    return w("Hand {hand} turned it for {seat}", hand=course[behind + 1].hand, seat=Seat(winner))


def _from_behind(course: Sequence[CoursePoint], winner: int, w: Words) -> Said:
    hands = [stop.hand for stop in course[1:] if _last(stop, winner)]
    return w("{seat} was last after hand {hand}", seat=Seat(winner), hand=hands[-1]) if hands else Said()


def _swing(course: Sequence[CoursePoint], _: int, w: Words) -> Said:
    """Return the largest gain or loss of a seat in a single hand."""
    swings = [
        (now - then, seat, after.hand)
        for before, after in pairwise(course)
        if after.hand == before.hand + 1
        for seat, (then, now) in enumerate(zip(before.stands, after.stands, strict=True))
    ]
    amount, seat, hand = max(swings, key=lambda swing: (abs(swing[0]), swing[0]), default=(0, 0, 0))
    if not amount:
        return Said()
    if amount > 0:
        return w("Hand {hand} brought {seat} {points}", hand=hand, seat=Seat(seat), points=signed(amount))
    return w("Hand {hand} cost {seat} {points}", hand=hand, seat=Seat(seat), points=Said(str(-amount)))


RARE = {
    "bomb": (N_("{seat} bombed with {combo}"), N_("{seat} dropped a bomb")),
    "alone": (N_("{seat} let nobody else play a card"), N_("{seat} played all alone")),
    "never": (N_("{seats} never got to play a card"), N_("{seat} left others no chance")),
    "long": (N_("{seat} played {n} cards at once"),),
    "taken": (N_("{seat} took {n} cards at once"),),
    "row": (N_("{seat} took the last {n} tricks"),),
    "high": (N_("{seat} played {combo}"), N_("{seat} played {n} cards at once")),
    "short": (N_("{seat} was one card short"),),
}
MOMENTS: tuple[Callable[[Sequence[CoursePoint], int, Words], Said], ...] = (
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
