"""Eligibility: whether a match counts, ends in silence or has hints, and whose results.

Pure queries about a table. Timing, storage and notifications live elsewhere; docs/ratings.md describes the
leaderboards as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

from bot.domain.chairs import Chair
from bot.domain.ids import UserId
from bot.domain.pace import Pace
from bot.domain.rating import RankedMatch
from bot.domain.results import DetailedScore, HandScore, MatchEnding, SeatResult
from bot.games import GAMES
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.matches.achievements import VERSION
from bot.rules.matches.match import Match
from bot.rules.matches.score import nets_of
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.registration import PLAYERS, RegisteredGame
from bot.rules.variants.ruleset import Ruleset
from bot.scene import UncountedReason
from bot.store.rows import TableRow

MIN_PERSONS = 2  # persons at the first deal of a counted match
MAX_CHANGED_OPTIONS = 3  # from the preset, not counting minor options
UNRATED_FOR = timedelta(days=30)  # for matches dealt after a player's data deletion
RATED_ENDINGS: tuple[MatchEnding, ...] = ("itself", "agreed", "silence")  # endings of rated matches


def reason_uncounted(row: TableRow, ruleset: Ruleset) -> UncountedReason | None:
    """Return the reason a match begun now would not count, or an ended match does not count.

    None if it counts. Under the abort policy a late player could escape every loss.
    """
    over = row.phase == "over"
    if (over and row.counts) or row.phase not in ("lobby", "over"):
        return None
    if row.ended == "moderator":
        return "moderator"
    if row.duplicate_id is not None:
        return "deals"
    if sum(chair.user is not None or chair.left for chair in row.chairs) < MIN_PERSONS:
        return "alone"
    if ruleset.rules.late_policy == "abort" and row.pace.kind != "none":
        return "breaks_off"
    return "access" if over else None


def is_counted(row: TableRow, ruleset: Ruleset, ended: MatchEnding | None = None) -> bool:
    """Tell whether a match counts, or would count if begun now. ended: its ending, if over.

    From the first deal on, the row stores the answer; a house player's substitution for a player without access clears
    it (see ``bot.table.core.seats``).
    """
    begun = reason_uncounted(row, ruleset) is None if row.phase == "lobby" else row.counts
    return begun and ended != "moderator"


def has_hints(row: TableRow) -> bool:
    """Tell whether the table gives hints.

    The agreed terms decide, else only tables without a comparison of persons have hints. Former players count, so the
    answer never changes during a match.
    """
    if row.pace.hints is not None:
        return row.pace.hints
    alike = row.solo in ("day", "deals") or (row.duplicate_id is not None and not row.solo)
    return not alike and sum(chair.user is not None or chair.left for chair in row.chairs) < MIN_PERSONS


def is_near_preset(known: RegisteredGame, preset: str, options: Mapping[str, object]) -> bool:
    """Tell whether rules with these changed options are near enough to their preset to rate.

    Changes caused by the number of players do not count, nor does a former default, which was no change in its time.
    """
    brought = _options_of_player_count(known.name, preset, options[PLAYERS]) if PLAYERS in options else {}
    given = {**known.former_defaults(), **brought}
    other = (name for name, value in options.items() if name not in given or with_tuples(value) != given[name])
    return len(set(other) - known.sheet.near) <= MAX_CHANGED_OPTIONS


@lru_cache(maxsize=256)
def _options_of_player_count(game: str, preset: str, players: int) -> Mapping[str, object]:
    """Return the options changed by a number of players; none for an unknown preset."""
    try:
        return {name: with_tuples(value) for name, value in GAMES[game].wish(preset, {}, seats=players).items()}
    except (KeyError, Illegal):
        return {}


def is_rated(known: RegisteredGame, match: RankedMatch) -> bool:
    """Tell whether a counted match affects ratings.

    Only a finished match with well-known rules, without a player whose losses had just been deleted.
    """
    return not match.unrated and match.ended in RATED_ENDINGS and is_near_preset(known, match.preset, match.options)


def gains(ruleset: Ruleset, points: Sequence[int]) -> tuple[float, ...]:
    """Return each seat's points above the average, below it where the lowest score wins."""
    rank = ruleset.rules.ranking((Result((), (), tuple(points)),))
    mean = sum(rank) / len(rank)
    return tuple(mean - own for own in rank)


def ends_in_silence(match: Match, chairs: Sequence[Chair], pace: Pace) -> bool:
    """Tell whether a match ends unless a player objects to a wish to end.

    Only for matches without an end of their own, or a leading player could end at will; and never during a timed hand,
    because its clock runs on.
    """
    wished = any(chair.vote == "end" for chair in chairs)
    return wished and match.endless and (match.game.result is not None or pace.kind == "none")


def final_places(places: Sequence[int], chairs: Sequence[Chair]) -> tuple[int, ...]:
    """Return the final place of each seat, from 1; every leaver ranks behind all others.

    places: by the rules alone. Equals share the better place.
    """
    order = [(chair.left, place) for chair, place in zip(chairs, places, strict=True)]
    return tuple(1 + sum(other < mine for other in order) for mine in order)


def result_owner(chair: Chair) -> tuple[UserId | None, str]:
    """Return the owner of a chair's result and the owner's name.

    The owner is the person of the chair's first deal.
    """
    return (chair.owner, chair.owner_name) if chair.owner_name else (chair.user, chair.name)


def standings_of(match: Match, chairs: Sequence[Chair]) -> tuple[SeatResult, ...]:
    """Return the standings of a match ending now."""
    places = final_places(match.places, chairs)
    owners = map(result_owner, chairs)
    return tuple(
        SeatResult(
            seat=chair.seat,
            user=owner,
            name=name,
            house=chair.house,
            place=places[chair.seat],
            points=match.totals[chair.seat],
            net=match.nets[chair.seat],
            left=chair.left,
            level=chair.level,
        )
        for chair, (owner, name) in zip(chairs, owners, strict=True)
    )


def score_of(match: Match) -> DetailedScore:
    """Return the result of each finished hand, and the payments over all hands."""
    players = match.rules.players
    hands = (HandScore(hand.places, hand.points, nets_of(hand.payments, players)) for hand in match.results)
    counted = Counter((deed.seat, deed.code) for deed in match.deeds)
    deeds = sorted((seat, code, times) for (seat, code), times in (counted + match.counted).items())
    return DetailedScore(tuple(hands), tuple(sorted(match.payments)), tuple(deeds), VERSION)
