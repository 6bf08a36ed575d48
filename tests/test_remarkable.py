"""Highlights at the end of a season, only for outstanding players."""

from __future__ import annotations

import pytest

from bot.domain.ids import PlayerId, TableId, UserId
from bot.domain.rating import PlayerTotals, RankedPlayer
from bot.domain.seasons import Finalist, SeasonHighlight, moments

ANN, BEN, CLEO = UserId(1), UserId(2), UserId(3)


def finalist(
    user: UserId, streak: int = 0, matches: int = 0, *, bombs: int = 0, behind: int = 0, game: str = "big_two"
) -> Finalist:
    tally = PlayerTotals(matches, 0, 0, 0.0, 0)
    return Finalist(
        game,
        1,
        RankedPlayer(PlayerId(user), user, TableId(1), rating=None, tally=tally),
        streak=streak,
        bombs=bombs,
        behind=behind,
    )


def test_each_highlight_names_the_best_player() -> None:
    last = [
        finalist(ANN, 3, 9, bombs=6),
        finalist(BEN, 4, 5, bombs=4),
        finalist(BEN, bombs=3, behind=2, game="tien_len"),
        finalist(ANN, 2, 2, game="tien_len"),
        finalist(CLEO, behind=12),
    ]
    assert moments(last) == (
        SeasonHighlight("streak", (BEN,), 4),
        SeasonHighlight("bombs", (BEN,), 7),
        SeasonHighlight("comeback", (CLEO,), 12),
        SeasonHighlight("often", (ANN,), 9),
    )


@pytest.mark.parametrize(("who", "told"), [((ANN, BEN), (ANN, BEN)), ((ANN, BEN, CLEO), ())])
def test_two_players_can_share_a_highlight_and_many_cannot(who: tuple[UserId, ...], told: tuple[UserId, ...]) -> None:
    found = moments([finalist(user, bombs=4) for user in who])
    assert found == ((SeasonHighlight("bombs", told, 4),) if told else ())


def test_small_numbers_are_no_highlight() -> None:
    assert moments([finalist(ANN, 2, 4, bombs=2)]) == ()
    assert moments(()) == ()
