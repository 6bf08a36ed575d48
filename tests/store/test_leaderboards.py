"""What finished matches add up to: always the same figures, in whatever order matches come and are looked at."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.club.leaderboards import MIN_FOR_WORKERS, Leaderboards, compute_entries
from bot.domain.ids import AccessChannel, ChannelId, GuildId, PlayerId, UserId
from bot.domain.preferences import Preferences
from bot.domain.rating import (
    ALL_GUILDS,
    INITIAL_RATING,
    UNLISTED_AFTER,
    Leaderboard,
    LeaderboardCriterion,
    RankedMatch,
    Rating,
    RatingEntry,
    Reliability,
    Standings,
)
from bot.domain.server_settings import ServerSettings
from bot.ratings.player_summary import reliability
from bot.runtime.workers import Workers
from bot.store import schema
from bot.store.repositories import leaderboards as leaderboard_repository
from bot.store.repositories.leaderboards import invalidate_from_match
from bot.store.rows import Moderation
from bot.store.store import Store
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.store.sample_tables import ANN, BEN, CAT, GUILD, NOON
from tests.support.threads import ThreadWorkers
from tests.support.totals import matches_and_wins

pytestmark = pytest.mark.usefixtures("in_place")
BIG_TWO = Leaderboard(GUILD, "big_two")
T = TypeVar("T")
DERIVED = (schema.leaderboard_states, schema.entries, schema.ratings)


async def standings_page(
    store: Store,
    by: LeaderboardCriterion = "rating",
    leaderboard: Leaderboard = BIG_TWO,
    *,
    days: float = 1,
    me: int = 0,
    page: int = 0,
    **settings: Any,
) -> Standings:
    leaderboards_of_server = Leaderboards(store, {GUILD: ServerSettings(**settings)})
    return await leaderboards_of_server.standings(leaderboard, by, page, UserId(me), now=NOON + timedelta(days=days))


async def places_and_ratings(
    store: Store, by: LeaderboardCriterion = "rating", leaderboard: Leaderboard = BIG_TWO, **more: Any
) -> dict[int, tuple[int, int]]:
    """Return the place and the number of each person on a page."""
    found = await standings_page(store, by, leaderboard, **more)
    return {
        ranked.player.user: (ranked.place, ranked.player.rating.shown) for ranked in found.rows if ranked.player.rating
    }


async def derived(store: Store) -> list[Any]:
    """Return every derived row, without the progress marker."""

    async def work(connection: AsyncConnection) -> list[Any]:
        tables = [table for table in DERIVED if table is not schema.leaderboard_states]
        return [tuple(row) for table in tables for row in await connection.execute(select(table))]

    return sorted(await store._gate.run(work), key=repr)


def random_matches(count: int, rng: random.Random) -> Iterator[FinishedMatch]:
    """Yield matches of all kinds, a few an hour."""
    for number in range(count):
        users: list[int | None] = rng.sample(range(1000, 1040), 4)
        if rng.random() < 0.3:
            users[rng.randrange(4)] = None
        places = tuple(rng.sample((1, 2, 3, 4), 4)) if rng.random() < 0.8 else (1, 1, 3, 4)
        place = AccessChannel(ChannelId(7), hidden=True) if rng.random() < 0.1 else AccessChannel(ChannelId(8))
        left = (rng.randrange(4),) if rng.random() < 0.1 else ()
        game = rng.choice(("big_two", "big_two", "tien_len"))
        preset = {"big_two": "pagat", "tien_len": "south"}[game]
        turns = ("1" * (number % 9), "0" * (number % 4)) if number % 3 else ()
        yield FinishedMatch(tuple(users), places, 17 * number, game, preset=preset, place=place, left=left, turns=turns)


@pytest.mark.both_databases("sums, order and numbers with a fraction")
@pytest.mark.parametrize("count", [30, pytest.param(2000, marks=pytest.mark.soak)])
async def test_leaderboards_do_not_depend_on_the_order_of_matches(
    store: Store, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(leaderboard_repository, "MATCHES_PER_BATCH", 8)  # so that each leaderboard takes several goes
    rng = random.Random("arrival")
    part = count // 5
    matches = list(random_matches(count, rng))
    late = rng.sample(matches, count // 10)
    on_time = [match for match in matches if match not in late]
    for user in range(1000, 1010):
        await store.people.save_preferences(UserId(user), Preferences(everywhere=True))
    leaderboards_of_server = Leaderboards(store, {})
    for at in range(0, len(on_time), part):
        await store_matches(store, on_time[at : at + part])
        await leaderboards_of_server.update(BIG_TWO)
    rng.shuffle(late)
    await store_matches(store, late)
    boards = ((GUILD, ChannelId(0)), (GUILD, ChannelId(7)), (ALL_GUILDS, ChannelId(0)))
    every = [Leaderboard(guild, game, channel) for guild, channel in boards for game in ("big_two", "tien_len")]
    for leaderboard in every:
        await leaderboards_of_server.update(leaderboard)
    before = await derived(store)
    assert len(before) > 4.5 * count
    assert await leaderboards_of_server.recount() == len(every)
    assert await derived(store) == before


async def test_a_winning_player_rises(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), day * 1440) for day in range(10)])
    found = await places_and_ratings(store, days=10)
    assert found[ANN][0] == 1
    assert found[ANN][1] > INITIAL_RATING > found[BEN][1]


async def test_equal_players_share_a_place(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN, CAT), (1, 1, 3))])
    assert {user: place for user, (place, _) in (await places_and_ratings(store)).items()} == {ANN: 1, BEN: 1, CAT: 3}


async def test_an_inactive_player_is_unlisted_until_the_next_match(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2))])
    assert await places_and_ratings(store, days=UNLISTED_AFTER.days + 1) == {}
    await store_matches(store, [FinishedMatch((ANN, CAT), (1, 2), (UNLISTED_AFTER.days + 1) * 1440)])
    found = await places_and_ratings(store, days=UNLISTED_AFTER.days + 2)
    assert set(found) == {ANN, CAT}
    assert found[ANN][1] > found[CAT][1]


async def test_repeated_matches_of_a_pair_weigh_less_and_less(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), number) for number in range(60)])
    one_day = (await places_and_ratings(store))[ANN][1]
    await store_matches(store, [FinishedMatch((CAT, 104), (1, 2), number * 1440, guild=5) for number in range(14)])
    spread = (await places_and_ratings(store, leaderboard=Leaderboard(GuildId(5), "big_two"), days=14))[CAT][1]
    assert INITIAL_RATING < one_day < spread, "60 matches in a day are less than 14 in as many days"


async def test_house_players_reduce_the_weight_of_a_match(store: Store) -> None:
    await store_matches(
        store, [FinishedMatch((ANN, BEN, None, None), (1, 2, 3, 4)), FinishedMatch((CAT, 104), (1, 2), guild=5)]
    )
    among_house = (await places_and_ratings(store))[ANN][1]
    alone = (await places_and_ratings(store, leaderboard=Leaderboard(GuildId(5), "big_two")))[CAT][1]
    assert INITIAL_RATING < among_house < alone


async def test_an_unrated_match_still_counts_as_played(store: Store) -> None:
    far = {"triples": False, "flushes": False, "pile": 3, "exchange": 1}
    await store_matches(
        store,
        [
            FinishedMatch((ANN, BEN), (1, 2), ended="stopped"),
            FinishedMatch((ANN, BEN), (1, 2), options=far),
            FinishedMatch((ANN, None), (1, 2)),
            FinishedMatch((ANN, BEN), (1, 2), counts=False),
        ],
    )
    assert await places_and_ratings(store) == {}
    assert await matches_and_wins(store, GUILD) == {ANN: (3, 3), BEN: (2, 0)}


@pytest.mark.both_databases("JSON")
async def test_near_rules_are_rated(store: Store) -> None:
    near = {"players": 2, "stake": 5, "match_end": "deals", "deals": 3, "triples": False, "flushes": False, "pile": 3}
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), options=near)])
    assert len(await places_and_ratings(store)) == 2


@pytest.mark.both_databases("CASE and COALESCE of truth values")
async def test_hidden_channels_have_their_own_leaderboard(store: Store) -> None:
    hidden = AccessChannel(ChannelId(7), hidden=True)
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), place=hidden), FinishedMatch((ANN, CAT), (2, 1), 1)])
    assert set(await places_and_ratings(store)) == {ANN, CAT}
    assert set(await places_and_ratings(store, leaderboard=replace(BIG_TWO, channel=ChannelId(7)))) == {ANN, BEN}
    assert set(await places_and_ratings(store, hidden_count=True)) == {ANN, BEN, CAT}
    assert set(await places_and_ratings(store)) == {ANN, CAT}, "recomputed after the owner switched it off again"
    assert set(await matches_and_wins(store, GUILD, include_hidden=True)) == {ANN, BEN, CAT}


async def test_only_opted_in_players_are_rated_globally(store: Store) -> None:
    for user in (ANN, BEN):
        await store.people.save_preferences(user, Preferences(everywhere=True))
    await store_matches(
        store, [FinishedMatch((ANN, BEN, CAT), (1, 2, 3)), FinishedMatch((BEN, ANN), (1, 2), 1, guild=5)]
    )
    assert set(await places_and_ratings(store, "everywhere")) == {ANN, BEN}
    await store.people.save_preferences(ANN, Preferences())
    assert set(await places_and_ratings(store, "everywhere")) == {BEN}, "a player who opts out disappears"


async def test_an_unlisted_player_is_hidden_and_other_ratings_are_unchanged(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2))])
    before = await places_and_ratings(store)
    await store.people.save_preferences(ANN, Preferences(unlisted=True))
    found = await places_and_ratings(store)
    assert found == {BEN: (1, before[BEN][1])}
    assert set(await matches_and_wins(store, GUILD)) == {BEN}


async def test_deleting_a_player_keeps_all_other_figures(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2)), FinishedMatch((BEN, ANN, CAT), (1, 2, 3), 5)])
    await standings_page(store)
    before = await derived(store)
    await store.deletions.forget_person(ANN)
    assert await derived(store) == before
    await Leaderboards(store, {}).recount()
    assert [row for row in await derived(store) if row[0] == GUILD] == before
    assert set(await places_and_ratings(store)) == {BEN, CAT}


async def test_a_deleted_player_starts_again_from_zero(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2))])
    await store.deletions.forget_person(ANN)
    await store_matches(store, [FinishedMatch((ANN, BEN), (2, 1), 9)])
    assert (await matches_and_wins(store, GUILD))[ANN] == (1, 0)


async def test_a_deleted_server_is_removed_from_global_ratings(store: Store) -> None:
    for user in (ANN, BEN):
        await store.people.save_preferences(user, Preferences(everywhere=True))
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), guild=5), FinishedMatch((ANN, BEN), (1, 2), 3)])
    assert (await places_and_ratings(store, "everywhere"))[ANN][1] > (await places_and_ratings(store))[ANN][1]
    await store.deletions.forget_server(GuildId(5))
    assert await places_and_ratings(store, "everywhere") == await places_and_ratings(store)


@pytest.mark.both_databases("updates by subqueries")
async def test_an_annulled_match_does_not_count(store: Store) -> None:
    first, _ = await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2)), FinishedMatch((ANN, BEN), (1, 2), 5)])
    both = await places_and_ratings(store)

    async def annul(connection: AsyncConnection) -> None:
        await connection.execute(update(schema.results).filter_by(table_id=first).values(annulled=True))
        await invalidate_from_match(connection, first)

    await store._gate.run(annul)
    assert (await places_and_ratings(store))[ANN][1] < both[ANN][1]
    assert await matches_and_wins(store, GUILD) == {ANN: (1, 1), BEN: (1, 0)}


async def test_points_are_relative_to_the_table_and_low_scores_can_win(store: Store) -> None:
    await store_matches(
        store, [FinishedMatch((ANN, BEN, None, CAT), (1, 2, 3, 4))]
    )  # 10, 20, 30 and 40 points in five hands
    found = await standings_page(store, "points")
    assert [(ranked.player.user, ranked.player.tally and ranked.player.tally.gain) for ranked in found.rows] == [
        (ANN, 15),
        (BEN, 5),
        (CAT, -15),
    ]


async def test_leaderboard_pages_show_the_viewers_place(store: Store) -> None:
    people = tuple(range(1, 6))
    await store_matches(store, [FinishedMatch(tuple(10 * n + user for user in people), people, n) for n in range(5)])
    first = await standings_page(store, "wins", me=45)
    assert (len(first.rows), first.page, first.last) == (10, 0, 2)
    assert first.own is not None
    assert (first.own.mine, first.own.player.user, first.own.name) == (True, 45, "P45")
    last = await standings_page(store, "wins", me=45, page=99)
    assert (last.page, last.own) == (2, None)
    assert [ranked.mine for ranked in last.rows] == [ranked.player.user == 45 for ranked in last.rows]


async def test_wins_are_summed_over_all_games(store: Store) -> None:
    await store_matches(
        store,
        [
            FinishedMatch((ANN, BEN), (1, 2)),
            FinishedMatch((ANN, BEN), (2, 1), 1, "tien_len", preset="south"),
            FinishedMatch((ANN, BEN), (1, 2), 2, left=(0,)),
        ],
    )
    assert await matches_and_wins(store, GUILD) == {ANN: (3, 1), BEN: (3, 1)}
    assert await matches_and_wins(store, GUILD, "tien_len") == {ANN: (1, 0), BEN: (1, 1)}


@pytest.mark.both_databases("order")
async def test_timeliness_covers_the_last_fifty_turns_of_all_games(store: Store) -> None:
    await store_matches(
        store,
        [
            FinishedMatch((ANN, BEN), (1, 2), 1, turns=("0" * 30, "1" * 9)),
            FinishedMatch((ANN, BEN), (1, 2), 2, counts=False, turns=("0" * 50, "0" * 50)),
            FinishedMatch((BEN, ANN), (1, 2), 3, "tien_len", preset="south", turns=("", "0" + "1" * 29)),
            FinishedMatch((ANN, CAT), (1, 2), 4, turns=("1" * 10, "1" * 11)),
        ],
    )
    every = await standings_page(store, "reliability", Leaderboard(GUILD, ""))
    shown = {ranked.player.user: (ranked.place, ranked.player.reliability) for ranked in every.rows}
    assert shown == {CAT: (1, Reliability(11, 11)), ANN: (2, Reliability(50, 39))}
    one = await standings_page(store, "reliability")
    assert {ranked.player.user: ranked.player.reliability for ranked in one.rows}[ANN] == Reliability(40, 10)
    found = await Leaderboards(store, {}).player_entries(GUILD, ChannelId(0), UserId(ANN))
    assert found is not None
    assert reliability(found.by_game) == Reliability(50, 39)


async def test_timeliness_does_not_change_ratings(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), 1, turns=("0" * 30, "1" * 30))])
    late = await places_and_ratings(store)
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), 1, "big_two", GUILD + 1)])
    assert await places_and_ratings(store, leaderboard=Leaderboard(GuildId(GUILD + 1), "big_two")) == late


async def test_the_rating_history_and_the_change_within_a_week(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), day * 1440) for day in range(12)])
    found = await standings_page(store, days=11.5)
    ann = found.rows[0]
    assert len(ann.course) == 10
    assert list(ann.course) == sorted(ann.course)
    assert 0 < ann.moved < ann.course[-1] - INITIAL_RATING


@pytest.mark.both_databases("isolation")
async def test_1_3_the_store_stays_available_while_ratings_are_computed(store: Store) -> None:
    """Also for an annulled match already read; another one is written with its consequences."""
    tables = await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), day * 1440) for day in range(5)])
    method, seen = Leaderboards(store, {})._rating_method(BIG_TWO), list[int]()

    async def annul_during_computation(
        before: Sequence[RankedMatch], new: Sequence[RankedMatch], ratings: Mapping[PlayerId, Rating]
    ) -> list[RatingEntry]:
        seen.append(len(new))
        if len(seen) == 1:
            await store.moderations.judge(tables[2], Moderation(NOON, UserId(ANN), "annul"), annulled=True)
        return compute_entries("big_two", before, new, ratings)

    await store.leaderboards.compute_entries(BIG_TWO, method._replace(compute_entries=annul_during_computation))
    assert seen == [5, 4]
    found = await derived(store)
    await store.leaderboards.clear_all()
    await Leaderboards(store, {}).update(BIG_TWO)
    assert await derived(store) == found


async def test_1_3_ratings_of_many_matches_are_computed_by_workers(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), day * 1440) for day in range(MIN_FOR_WORKERS)])
    await Leaderboards(store, {}).update(BIG_TWO)
    found, asked = await derived(store), list[str]()

    class Noted(ThreadWorkers):
        async def call(self, limit: float, function: Callable[..., T], *args: object) -> T:
            asked.append(function.__qualname__)
            return await super().call(limit, function, *args)

    await store.leaderboards.clear_all()
    await Leaderboards(store, {}, Workers(caller=Noted())).update(BIG_TWO)
    assert asked == ["compute_entries"]
    assert await derived(store) == found
