"""What a rating is: a mean in which luck evens out, and a band that says how far it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from statistics import mean

import pytest

from bot.domain.ids import PlayerId, TableId
from bot.domain.rating import INITIAL_RATING, PlayerResult, RankedMatch, Rating
from bot.ratings.calculator import ODDS_SCALE, RatingCalculator, win_probability
from tests.bench.rated_matches import RatedMatch, modelled_matches, strength_of
from tests.bench.rated_ways import RATING_SYSTEMS
from tests.bench.ratings import Quality, band_coverage, quality_of
from tests.store.sample_tables import NOON

PEOPLE, MATCHES = 60, 1_500


def met(title: str) -> list[RatedMatch]:
    return [*modelled_matches(title, PEOPLE, MATCHES)]


def judged(found: Sequence[RatedMatch]) -> Mapping[str, Quality]:
    return {name: quality_of(PEOPLE, found, way()) for name, way in RATING_SYSTEMS.items()}


def test_ratings_of_separate_circles_beat_other_methods() -> None:
    ours, *others = judged(met("met in circles")).values()
    assert ours.order > 0.8
    assert all(ours.order > other.order + 0.1 for other in others)
    assert all(ours.loss < other.loss for other in others)


def test_ratings_of_random_opponents_equal_a_mean_and_beat_elo() -> None:
    found = judged(met("met at random"))
    assert found["ours"].order > found["mean place"].order - 0.01
    assert found["ours"].loss < found["mean place"].loss
    assert found["ours"].order > found["Elo"].order + 0.02
    assert found["ours"].loss < found["Elo"].loss - 0.001


@pytest.mark.parametrize(("title", "least", "most"), [("met at random", 72, 88), ("met in circles", 40, 88)])
def test_most_true_strengths_are_inside_the_band(title: str, least: float, most: float) -> None:
    """Where people keep to circles, the worth of a whole circle is unsure too, and the band knows nothing of it."""
    logits = [3 * strength_of(player, PEOPLE) for player in range(PEOPLE)]  # as the model draws
    truly = {player: ODDS_SCALE * (one - mean(logits)) for player, one in enumerate(logits)}
    assert least < band_coverage(met(title), truly) < most


def match(number: int, hours: float, places: tuple[int, ...], seats: int | None = None) -> RankedMatch:
    parts = {PlayerId(seat): PlayerResult(seat, place) for seat, place in enumerate(places)}
    return RankedMatch(TableId(number), NOON + timedelta(hours=hours), (0,) * (seats or len(places)), parts)


def test_the_shown_rating_follows_the_quick_one_slowly() -> None:
    [first, second] = RatingCalculator().add(match(1, 0, (1, 2))).values()
    assert INITIAL_RATING < first.shown < first.elo
    assert first.elo - INITIAL_RATING == pytest.approx(INITIAL_RATING - second.elo), (
        "what the one gains the other loses"
    )


def test_equal_players_with_equal_results_keep_their_rating() -> None:
    assert {one.shown for one in RatingCalculator().add(match(1, 0, (1, 1, 1))).values()} == {INITIAL_RATING}


def test_a_band_narrows_with_matches_and_widens_with_inactivity() -> None:
    fold, bands = RatingCalculator(), [Rating().band]
    bands += [fold.add(match(number, 24 * number, (1, 2)))[PlayerId(0)].band for number in range(30)]
    assert bands == sorted(bands, reverse=True)
    rating = fold.ratings[PlayerId(0)]
    months = [rating.at(NOON + timedelta(days=30 + 30 * month)).band for month in range(60)]
    assert months == sorted(months)
    assert rating.band < months[12] < months[-1] < Rating().band
    assert rating.at(NOON + timedelta(days=30)).band - rating.band <= 1, "a day is nothing"


def test_house_players_narrow_the_band_less() -> None:
    alone, among = (RatingCalculator().add(match(1, 0, (1, 2), seats))[PlayerId(0)] for seats in (2, 4))
    assert alone.weight - Rating().weight == pytest.approx(3 * (among.weight - Rating().weight))
    assert alone.band < among.band


def test_older_matches_fade_among_many() -> None:
    fold = RatingCalculator(dict.fromkeys(map(PlayerId, range(2)), replace(Rating(), weight=1e9)))
    assert fold.add(match(1, 0, (1, 2)))[PlayerId(0)].shown > INITIAL_RATING


def test_a_lead_of_100_points_wins_55_percent() -> None:
    assert win_probability(0) == 0.5
    assert round(win_probability(100), 2) == 0.55
    assert win_probability(300) + win_probability(-300) == pytest.approx(1)
