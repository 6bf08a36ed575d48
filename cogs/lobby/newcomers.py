"""The private offer of a lesson to a player new to a game on this server, made once."""

from __future__ import annotations

from bot.interactions.replies import DONE, Reply
from bot.interactions.visit import Visit
from bot.show.contests.lesson import offer, taught
from bot.show.rulebook.ruleset import BookRules
from bot.store.store import Store
from bot.table.table import Table


async def with_lesson_offer(store: Store, visit: Visit, table: Table, reply: Reply) -> Reply:
    """Return a reply, or the offer of a lesson in place of an empty reply to a newcomer."""
    rules, row = BookRules.at(table.scene(None)), table.row
    if reply is not DONE or not taught(rules):
        return reply
    if not await store.social.offer_lesson(visit.user, row.guild, row.game):
        return reply
    return Reply(view=offer(rules, visit.w))
