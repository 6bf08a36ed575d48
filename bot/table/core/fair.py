"""Whether a match counts, when silence ends it, whose result it is, and what it came to: pure questions about a table.

Knows who began where, by which rules, and how it ended. Refuses to know when anything happens, and how it is kept or
told. What counts on which leaderboard is told as a whole in docs/architecture.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

from bot.games import GAMES
from bot.ground.chair import Chair
from bot.ground.ids import UserId
from bot.ground.pace import Pace
from bot.ground.rating import Ranked
from bot.ground.results import Ended, HandScore, Score, Standing
from bot.rules.conditions import frozen
from bot.rules.deeds import VERSION
from bot.rules.game import Result
from bot.rules.match import Match
from bot.rules.registered import Registered
from bot.rules.ruleset import PLAYERS, Ruleset
from bot.rules.score import nets_of
from bot.rules.sentences import Illegal
from bot.scene import Uncounted
from bot.store.rows import TableRow

MIN_PERSONS = 2  # persons from the first card
MAX_CHANGED_OPTIONS = 3  # options that may differ from the preset, beside those that hardly make another game of it
UNRATED_FOR = timedelta(days=30)  # after a deletion of one's own data: a match dealt with that person
RATED_ENDINGS: tuple[Ended, ...] = ("itself", "agreed", "silence")  # how a match ended that is rated


def reason_uncounted(row: TableRow, ruleset: Ruleset) -> Uncounted | None:
    """Return why a match would not count that began now; None where it would, or has begun.

    Where one who is late breaks the match off, being late would be the way around every loss.
    """
    if row.phase != "lobby":
        return None
    if row.duplicate_id is not None:
        return "deals"
    if sum(chair.user is not None for chair in row.chairs) < MIN_PERSONS:
        return "alone"
    return "breaks_off" if ruleset.rules.late == "abort" and row.pace.kind != "none" else None


def is_counted(row: TableRow, ruleset: Ruleset, ended: Ended | None = None) -> bool:
    """Tell whether a match counts, or would if it began now. ended: how it ends, where it does.

    From the first card on, the row says so. A match in which a house player stands in for a player who lost access to
    the channel no longer counts (``bot.table.core.access``).
    """
    begun = reason_uncounted(row, ruleset) is None if row.phase == "lobby" else row.counts
    return begun and ended != "moderator"


def has_hints(row: TableRow) -> bool:
    """Tell whether people are given hints: as they have agreed, or else where nobody is measured against another.

    Whoever has gone is counted as well, so that nothing changes during a match.
    """
    if row.pace.hints is not None:
        return row.pace.hints
    alike = row.alone in ("day", "deals") or (row.duplicate_id is not None and not row.alone)
    return not alike and sum(chair.user is not None or chair.left for chair in row.chairs) < MIN_PERSONS


def is_near_preset(known: Registered, preset: str, options: Mapping[str, object]) -> bool:
    """Tell whether rules in which these options differ from a preset are near enough to it to be rated.

    What the number of players brings along is no difference.
    """
    brought = _options_of_player_count(known.name, preset, options[PLAYERS]) if PLAYERS in options else {}
    other = (name for name, value in options.items() if name not in brought or frozen(value) != brought[name])
    return len(set(other) - known.sheet.near) <= MAX_CHANGED_OPTIONS


@lru_cache(maxsize=256)
def _options_of_player_count(game: str, preset: str, players: int) -> Mapping[str, object]:
    """Return the options that a number of players changes of a preset; none where there is no such preset any more."""
    try:
        return {name: frozen(value) for name, value in GAMES[game].wish(preset, {}, seats=players).items()}
    except (KeyError, Illegal):
        return {}


def is_rated(known: Registered, match: Ranked) -> bool:
    """Tell whether a match that counts says how good people are.

    It was played to an end, by well-known rules, and dealt with nobody whose losses had just been deleted.
    """
    return not match.unrated and match.ended in RATED_ENDINGS and is_near_preset(known, match.preset, match.options)


def gains(ruleset: Ruleset, points: Sequence[int]) -> tuple[float, ...]:
    """Return how far the points of each seat lie above the average, those below it where few points are good."""
    rank = ruleset.rules.ranking((Result((), (), tuple(points)),))
    mean = sum(rank) / len(rank)
    return tuple(mean - own for own in rank)


def ends_in_silence(match: Match, chairs: Sequence[Chair], pace: Pace) -> bool:
    """Tell whether somebody wants a match to end, and it does if nobody says anything against it.

    That is enough only where it has no end of its own, else whoever leads could have it end by asking; and not in a
    hand that has a clock, which runs as ever.
    """
    wished = any(chair.vote == "end" for chair in chairs)
    return wished and match.endless and (match.game.result is not None or pace.kind == "none")


def final_places(places: Sequence[int], chairs: Sequence[Chair]) -> tuple[int, ...]:
    """Return the place of each seat in the end, from 1: whoever left comes after all who stayed, so costs them nothing.

    places: by the rules alone. Equals still share the better place.
    """
    order = [(chair.left, place) for chair, place in zip(chairs, places, strict=True)]
    return tuple(1 + sum(other < mine for other in order) for mine in order)


def result_owner(chair: Chair) -> tuple[UserId | None, str]:
    """Return whose result it is what is played on a chair, and their name: of whoever began there."""
    return (chair.owner, chair.owner_name) if chair.owner_name else (chair.user, chair.name)


def standings_of(match: Match, chairs: Sequence[Chair]) -> tuple[Standing, ...]:
    """Return how each seat ends a match that ends now."""
    places = final_places(match.places, chairs)
    return tuple(
        Standing(
            c.seat, *result_owner(c), c.house, places[c.seat], match.totals[c.seat], match.nets[c.seat], c.left, c.level
        )
        for c in chairs
    )


def score_of(match: Match) -> Score:
    """Return what each finished hand of a match came to, and who owes whom for all of them."""
    players = match.rules.players
    hands = (HandScore(hand.places, hand.points, nets_of(hand.payments, players)) for hand in match.results)
    counted = Counter((deed.seat, deed.code) for deed in match.deeds)
    deeds = sorted((seat, code, times) for (seat, code), times in (counted + match.counted).items())
    return Score(tuple(hands), tuple(sorted(match.payments)), tuple(deeds), VERSION)
