"""What is told at the end of a season: who stands out, and nobody where nobody does."""

from __future__ import annotations

import pytest

from bot.ground.ids import PlayerId, TableId, UserId
from bot.ground.rating import Climber, Tally
from bot.ground.season import Finalist, Moment
from bot.ratings.remarkable import moments

ANN, BEN, CLEO = UserId(1), UserId(2), UserId(3)


def finalist(user: UserId, streak: int, matches: int, game: str = "big_two") -> Finalist:
    tally = Tally(matches, 0, 0, 0.0, 0)
    return Finalist(game, 1, Climber(PlayerId(user), user, TableId(1), None, tally), streak)


def test_each_is_told_of_whoever_did_it_best() -> None:
    last = [finalist(ANN, 3, 9), finalist(BEN, 4, 5), finalist(ANN, 2, 2, "tien_len")]
    assert moments(last, {ANN: 3, BEN: 7}, {CLEO: 12}) == (
        Moment("streak", (BEN,), 4),
        Moment("bombs", (BEN,), 7),
        Moment("comeback", (CLEO,), 12),
        Moment("often", (ANN,), 9),
    )


@pytest.mark.parametrize(("who", "told"), [((ANN, BEN), (ANN, BEN)), ((ANN, BEN, CLEO), ())])
def test_two_can_share_it_and_among_many_nobody_stands_out(who: tuple[UserId, ...], told: tuple[UserId, ...]) -> None:
    found = moments((), dict.fromkeys(who, 4), {})
    assert found == ((Moment("bombs", told, 4),) if told else ())


def test_little_is_not_told() -> None:
    assert moments([finalist(ANN, 2, 4)], {ANN: 2}, {ANN: 0}) == ()
    assert moments((), {}, {}) == ()
