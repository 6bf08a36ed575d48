"""Publishing of written decisions to screens, effects, metrics, clock and processes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol, TypeAlias

from bot.domain.ids import GuildId, TableId
from bot.store.rows import TableChange
from bot.table.core.state import Changed, CheckAccess, ClockResumed, PremoveFailed, Signal, Suspended
from bot.table.environment import Environment, ShownTable
from bot.table.house_players import HousePlayers
from bot.table.sight import SceneCache

log = logging.getLogger(__name__)
NotifyOwner: TypeAlias = Callable[[TableId, GuildId], None]


class PublishedTable(ShownTable, Protocol):
    """A table with published changes.

    notify_owner: for a table of another process, notifies that process of each change.
    """

    house: HousePlayers
    screens: SceneCache
    notify_owner: NotifyOwner | None


def report(change: TableChange, table: PublishedTable, env: Environment) -> None:
    """Publish a change: to the outbox, the metrics, the clock, and the process with the table."""
    row = table.row
    if change.effects:
        env.publisher.perform(change.effects)
    if watch := env.watch:
        for step in change.steps:
            watch.played(row.game, step.by)
    if change.deadline:
        env.wake(change.deadline.next)
    if row.answers:
        env.wake(row.answers)
    if table.notify_owner is not None:
        table.notify_owner(table.id, row.guild)


def follow(signal: Signal, table: PublishedTable, env: Environment) -> None:
    """Carry out a decision's signal at once."""
    match signal:
        case Changed():
            table.screens.drop()
            env.publisher.changed(table)
        case Suspended():
            env.publisher.notify_suspension(table)
        case CheckAccess(user):
            env.publisher.check_access(table, user)
        case ClockResumed():
            table.house.clock_resumed()
        case PremoveFailed(error):
            log.error("A premove at table %s could not be carried out: its player is asked", table.id, exc_info=error)
