"""Rows written once under concurrency."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.domain.effects import PendingEffect, WaitingCall, pending_effect
from bot.domain.ids import ChannelId, UserId
from bot.domain.seasons import Season
from bot.store.rows import TableWait
from bot.store.store import Store
from tests.store.sample_tables import ANN, BEN, CAT, GUILD, NOON, add_table

HERE = ChannelId(7)


@pytest.mark.both_databases("isolation")
async def test_a_season_ends_once(store: Store) -> None:
    ends = [Season(1, NOON, NOON + timedelta(days=days)) for days in (1, 2, 3)]
    await asyncio.gather(*(store.seasons.end(GUILD, season, ()) for season in ends))
    (season,) = await store.seasons.ended(GUILD)
    assert season in ends


@pytest.mark.both_databases("isolation")
async def test_invitations_to_a_lobby_are_stored_once(store: Store) -> None:
    lobby = await add_table(store)
    called = await asyncio.gather(*(store.social.add_invited(lobby, [user], ANN, NOON) for user in (BEN, CAT, BEN)))
    assert sorted(called) == [False, False, True]
    assert sum(["invited" in await store.person_data(user) for user in (BEN, CAT)]) == 1


@pytest.mark.both_databases("isolation")
async def test_a_request_for_the_next_table_is_stored_once_and_can_be_withdrawn(store: Store) -> None:
    waiting = TableWait(ANN, GUILD, HERE, "", NOON + timedelta(days=7))
    await asyncio.gather(*(store.social.wait(waiting, NOON) for _ in range(3)))
    assert await called(store) == [ANN]
    await store.social.wait(waiting, NOON)
    await store.social.stop_waiting(ANN, HERE)
    await store.social.stop_waiting(ANN, HERE)
    assert await called(store) == []


async def called(store: Store) -> list[UserId]:
    """Return who waits for a table of Big Two here, and is called by that."""

    def call(users: tuple[UserId, ...]) -> PendingEffect:
        return pending_effect(WaitingCall(CAT, users), GUILD, None, NOON)

    effects = await store.social.call_waiting(HERE, "big_two", NOON, call)
    assert set(effects) <= set(await store.outbox.effects())
    return [user for one in effects if isinstance(one.effect, WaitingCall) for user in one.effect.users]
