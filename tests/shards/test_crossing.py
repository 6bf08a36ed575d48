"""Interactions of a shard that goes from one process to another are answered once."""

from __future__ import annotations

import pytest

from bot.sharding import interactions
from bot.sharding.interactions import InteractionBuffer

SHARD = 3


def said(number: int) -> dict[str, str]:
    return {"id": str(number)}


def test_what_was_answered_before_is_not_answered_again() -> None:
    before, after = InteractionBuffer(), InteractionBuffer()
    for number in (1, 2):
        before.take(SHARD, number)
    for number in (2, 3, 4):
        after.keep(SHARD, said(number))
    assert list(after.take_over(SHARD, before.taken(SHARD))) == [said(3), said(4)]
    assert after.is_taken(SHARD, 1), "it may come late"
    assert not after.is_taken(SHARD, 3)
    assert before.taken(SHARD) == [], "it is told once"


def test_what_was_kept_while_a_shard_was_given_in_vain_is_answered_here() -> None:
    before, here = InteractionBuffer(), InteractionBuffer()
    before.take(SHARD, 1)
    list(here.take_over(SHARD, before.taken(SHARD)))
    for number in (1, 2):
        here.keep(SHARD, said(number))
    assert list(here.retain(SHARD)) == [said(2)], "the first was answered before the shard came here"
    assert list(here.retain(SHARD)) == []


def test_what_can_be_answered_no_more_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    after = InteractionBuffer()
    after.keep(SHARD, said(1))
    monkeypatch.setattr(interactions, "MAX_RESPONSE_SECONDS", -1.0)
    assert list(after.take_over(SHARD, ())) == []


def test_what_was_kept_for_a_shard_that_does_not_come_is_forgotten() -> None:
    after = InteractionBuffer()
    after.keep(SHARD, said(1))
    after.keep(SHARD + 1, said(2))
    after.forget(SHARD)
    assert list(after.take_over(SHARD, ())) == []
    assert list(after.take_over(SHARD + 1, ())) == [said(2)]
