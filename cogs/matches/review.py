"""Reviews of finished matches and hands: a few moments, each with a link to its step."""

from __future__ import annotations

from dataclasses import dataclass

from discord.ext import commands

from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.history.replays import MatchReplay
from bot.history.reviews import HandReviews, Reviews
from bot.interactions.answers import PLAINLY, QUIETLY, SLOWLY
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.expensive_work import as_expensive, enter_expensive_turn
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.replies import Reply
from bot.interactions.visit import Handler, Visit
from bot.runtime.workers import Workers
from bot.show.kit.custom_ids import Browse
from bot.show.matches.replay import LOOK_BACK, LOOK_CLOSELY, match_name
from bot.show.matches.review import CLOSELY, MORE, closely, review
from bot.table.core.chairs import seat_of
from bot.table.core.eligibility import has_hints
from bot.table.hints import NO_HINTS
from cogs.matches.replay_access import ReplayAccess

NOT_OVER = N_("Only a hand that is over can be looked at.")


@dataclass(kw_only=True, eq=False, repr=False)
class ReviewsCog(commands.Cog):
    """Reviews of matches and hands."""

    screening: ReplayAccess
    workers: Workers
    door: Dispatcher

    def __post_init__(self) -> None:
        self._reviews, self._hindsight = Reviews(), HandReviews()
        for verb, work, manner in (
            (LOOK_BACK, self.open, PLAINLY),
            (MORE, self.more, QUIETLY),
            (LOOK_CLOSELY, self.open_closely, SLOWLY),
            (CLOSELY, self.closely, QUIETLY),
        ):
            self.door.handle(Browse, verb, Handler(as_expensive(self.workers, work), manner))

    async def open(self, click: Visit) -> Reply:
        """Show the moments most worth another look. Raises Refused."""
        return await self._show(click, 0)

    async def more(self, click: Visit) -> Reply:
        """Show further moments, in place. Raises Refused."""
        return await self._show(click, int(click.browse.args[1]), click.own)

    async def open_closely(self, click: Visit) -> Reply:
        """Show how the best house player would have played the viewer's hand. Raises Refused."""
        return await self._look_closely(click, int(click.browse.args[1]))

    async def closely(self, click: Visit) -> Reply:
        """Show the same review of another hand, in place. Raises Refused."""
        return await self._look_closely(click, click.one(int), click.own)

    async def _look_closely(self, click: Visit, number: int, at: PrivateMessage | None = None) -> Reply:
        replay, snapshot = await self.screening.opened(click, click.browse.table, 0)
        row, hands = replay.row, await _hands(replay)
        if not has_hints(row):
            raise Refused(NO_HINTS)
        if not 0 < number <= hands:
            raise Refused(NOT_OVER)
        async with enter_expensive_turn(self.workers, click) as turn:
            found = await self._hindsight.of(replay, number, seat_of(row.chairs, click.user), turn)
        name, w = match_name(row.game, row.number, click.w), click.w.among(row.chairs, snapshot.match.rules)
        return Reply(view=closely(row.id, name, number, found, w=w, hands=hands, goes_on=replay.goes_on), at=at)

    async def _show(self, click: Visit, page: int, at: PrivateMessage | None = None) -> Reply:
        replay, snapshot = await self.screening.snapshot(click, click.browse.table, 0)
        row = replay.row
        async with enter_expensive_turn(self.workers, click) as turn:
            found = await self._reviews.of(replay, turn)
        name = match_name(row.game, row.number, click.w)
        w = click.w.among(row.chairs, snapshot.match.rules)
        return Reply(view=review(row.id, name, found, page, w=w, hands=await _hands(replay)), at=at)


async def _hands(replay: MatchReplay) -> int:
    """Return the number of hands that can be reviewed: 0 if the table gave no hints."""
    return len((await replay.snapshot(replay.playback.last)).match.results) if has_hints(replay.row) else 0
