"""Each interaction is answered once while its shard moves from one process to another."""

from __future__ import annotations

import pytest

from bot.sharding import interactions
from bot.sharding.interactions import InteractionBuffer

SHARD = 3


def payload(number: int) -> dict[str, str]:
    return {"id": str(number)}


def test_an_interaction_answered_by_the_former_process_is_not_answered_again() -> None:
    before, after = InteractionBuffer(), InteractionBuffer()
    for number in (1, 2):
        before.take(SHARD, number)
    for number in (2, 3, 4):
        after.keep(SHARD, payload(number))
    assert list(after.take_over(SHARD, before.taken(SHARD))) == [payload(3), payload(4)]
    assert after.is_taken(SHARD, 1), "the same interaction may arrive later"
    assert not after.is_taken(SHARD, 3)
    assert before.taken(SHARD) == [], "each id is handed over once"


def test_interactions_buffered_during_a_failed_handover_are_answered_here() -> None:
    before, here = InteractionBuffer(), InteractionBuffer()
    before.take(SHARD, 1)
    list(here.take_over(SHARD, before.taken(SHARD)))
    for number in (1, 2):
        here.keep(SHARD, payload(number))
    assert list(here.retain(SHARD)) == [payload(2)], "the first was answered by the former process"
    assert list(here.retain(SHARD)) == []


def test_an_interaction_that_is_too_old_to_answer_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    after = InteractionBuffer()
    after.keep(SHARD, payload(1))
    monkeypatch.setattr(interactions, "MAX_RESPONSE_SECONDS", -1.0)
    assert list(after.take_over(SHARD, ())) == []


def test_interactions_buffered_for_a_shard_that_never_arrives_are_dropped() -> None:
    after = InteractionBuffer()
    after.keep(SHARD, payload(1))
    after.keep(SHARD + 1, payload(2))
    after.forget(SHARD)
    assert list(after.take_over(SHARD, ())) == []
    assert list(after.take_over(SHARD + 1, ())) == [payload(2)]
