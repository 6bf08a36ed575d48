"""A lesson for whoever sits down to a game that they have never played on this server: offered once, to them alone."""

from __future__ import annotations

from bot.interactions.replies import DONE, Reply
from bot.interactions.visit import Visit
from bot.show.contests.lesson import offer, taught
from bot.show.rulebook.ruleset import BookRules
from bot.store.store import Store
from bot.table.table import Table


async def or_lesson(store: Store, visit: Visit, table: Table, reply: Reply) -> Reply:
    """Return what somebody reads who has just sat down: where that is nothing and they are new, the offer."""
    rules, row = BookRules.at(table.scene(None)), table.row
    if reply is not DONE or not taught(rules):
        return reply
    if not await store.social.offer_lesson(visit.user, row.guild, row.game):
        return reply
    return Reply(view=offer(rules, visit.w))
