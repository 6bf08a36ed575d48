"""Replies to a player who has taken a seat in a lobby: terms, menu, question or lesson."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from bot.domain.level import Level
from bot.domain.refusals import Unseen
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.replies import Reply
from bot.interactions.visit import Visit
from bot.show.lobby.menu import lobby_menu
from bot.show.table.lobby import unrated
from bot.show.table.terms import terms
from bot.store.store import Store
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import confirm_unless_visible
from cogs.lobby.newcomers import with_lesson_offer
from cogs.people.working_hours import SleepQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReplies:
    """Builds the replies to players who have just taken a seat."""

    store: Store
    question: SleepQuestion

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the arrivals of a running bot."""
        return cls(store=parts.store, question=SleepQuestion.of(parts))

    async def after_join(self, visit: Visit, table: Table, said: str) -> Reply:
        """Return the reply to a player who has just taken a seat.

        In order of precedence: the question about sleep, why the table is unrated, the offer of a lesson, or `said`
        for a player in another channel.
        """
        if asked := await self.question.ask_once(visit, table):
            return asked
        if why := unrated(table.scene(visit.user), visit.w):
            return Reply(text=why)
        return await with_lesson_offer(self.store, visit, table, confirm_unless_visible(visit, table, said))


def show_terms(visit: Visit, table: Table, unseen: Unseen | None = None, at: PrivateMessage | None = None) -> Reply:
    """Show the terms of a table, and why a click did not count as agreement."""
    notice = visit.w(unseen.sentence, **unseen.values) if unseen else None
    return Reply(view=terms(table.scene(visit.user), visit.w, notice), at=at)


def show_menu(click: Visit, level: Level) -> Reply:
    """Show the menu of a lobby. level: the level of the host's house players."""
    return Reply(view=lobby_menu(click.table.scene(click.user), click.w, level=level), at=click.own)
