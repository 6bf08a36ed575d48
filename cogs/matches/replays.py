"""Replays and reviews of matches, and the actions at a step: play on, share, verify."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import discord
from discord.ext import commands

from bot.club.practice import Practice
from bot.delivery.notifications.announcements import MomentPoster
from bot.domain.ids import NO_CHANNEL, ChannelId, GuildId, TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.history.replays import MatchReplay
from bot.history.reviews import HandReviews, Reviews
from bot.interactions.answers import PLAINLY, QUIETLY, SLOWLY
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.flood_limits import as_expensive, enter_expensive_turn
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.replies import Reply
from bot.interactions.visit import Handler, Visit
from bot.localization import Localization
from bot.members.presence import Presence
from bot.members.server_settings import Servers
from bot.rules.matches.seal import seal
from bot.runtime.discord_requests import UNREACHED
from bot.runtime.workers import Workers
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import PrivateFile
from bot.show.matches.moments import moment, shared
from bot.show.matches.replay import (
    DEAL,
    EVERY,
    LOOK_BACK,
    LOOK_CLOSELY,
    MOMENT,
    PLAY_ON,
    POST,
    REPLAY,
    VERIFY,
    WHOSE,
    match_name,
)
from bot.show.matches.review import CLOSELY, MORE, closely, review
from bot.show.rulebook.deal_check import check
from bot.show.rulebook.ruleset import BookRules
from bot.show.table.scores import settling
from bot.show.table.table_picture import picture
from bot.store.store import Store
from bot.table.core.chairs import seat_of
from bot.table.core.eligibility import has_hints
from bot.table.core.state import ruleset_of
from bot.table.hints import NO_HINTS
from cogs.common.hand_replies import HandReplies
from cogs.contests.practice import practice_player, show_practice_hand
from cogs.matches.replay_access import ReplayAccess

SHOWN = N_("Everybody here can see it now, and open the match at this moment.")
NOT_YOURS = N_("You may not write in this channel, so you cannot share anything here.")
NOT_MINE = N_("It can't be shared in this channel. Try another one: the code above takes anybody there.")
SEALED = N_("Others may still have to play these cards, so nothing of them is shown to all.")
HIDDEN = N_("This match was played in a channel that not everybody sees. Share it there.")
NOT_OVER = N_("Only the end of a match is shared, and this is none.")


@dataclass(kw_only=True, eq=False, repr=False)
class ReplaysCog(commands.Cog):
    """Replays of matches, step by step."""

    hands: HandReplies
    screening: ReplayAccess
    store: Store
    workers: Workers
    dispatcher: Dispatcher
    servers: Servers
    presence: Presence
    localization: Localization
    moment_poster: MomentPoster
    practice: Practice

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, REPLAY, Handler(self.step, QUIETLY))
        self.dispatcher.register(Browse, DEAL, Handler(self.deal, QUIETLY))
        self.dispatcher.register(Browse, WHOSE, Handler(self.whose, QUIETLY))
        self.dispatcher.register(Browse, PLAY_ON, Handler(as_expensive(self.workers, self.play_on)))
        self.dispatcher.register(Browse, VERIFY, Handler(self.verify))
        self.dispatcher.register(Browse, POST, Handler(self.post))
        self.dispatcher.register(Browse, MOMENT, Handler(self.moment))
        self.dispatcher.register(Press, Verb.WATCH, Handler(self.watch))
        self.dispatcher.register(Press, Verb.SHARE, Handler(self.share))
        self.dispatcher.register(Press, Verb.SETTLE, Handler(self.settle))

    async def step(self, click: Visit) -> Reply:
        """Show one step of a match."""
        _, step, *named = click.browse.args  # named: the button, then the seat
        return await self.screening.show(click, click.browse.table, int(step), at=click.own, seat=_seat(*named[1:]))

    async def deal(self, click: Visit) -> Reply:
        """Show the chosen step: of this hand, or the first of another hand."""
        _, *seat = click.browse.args
        return await self.screening.show(click, click.browse.table, click.one(int), at=click.own, seat=_seat(*seat[:1]))

    async def whose(self, click: Visit) -> Reply:
        """Show the same step from another seat, or with all hands open."""
        seat, step = click.one(_chosen_seat), int(click.browse.args[1])
        return await self.screening.show(click, click.browse.table, step, at=click.own, seat=seat)

    async def watch(self, click: Visit) -> Reply:
        """Open the match of a table that has just ended, at its first card."""
        return await self.screening.show(click, click.table.id, 0)

    async def verify(self, click: Visit) -> Reply:
        """Show how to check the hand of this step, with all its cards."""
        replay, snapshot = await self.screening.opened(click, click.browse.table, int(click.browse.args[1]))
        row, deal = replay.row, snapshot.match.deal
        rules = ruleset_of(row)
        book = BookRules(rules.known, rules.preset, rules.changes, rules.version, row.id, row.number)
        said = [(row.chairs[cut.seat].name, cut.word) for cut in row.cuts]
        return Reply(view=check(book, seal(row.seed, deal, deal), click.w, said))

    async def moment(self, click: Visit) -> Reply:
        """Open a match at the shared step. Raises Refused."""
        return await self.screening.show(click, click.browse.table, int(click.browse.args[1]))

    async def play_on(self, click: Visit) -> Reply:
        """Deal a practice hand from this step on, in the seat of the current view."""
        _, step, *seat = click.browse.args
        replay, snapshot = await self.screening.snapshot(click, click.browse.table, int(step))
        return await show_practice_hand(
            self.hands,
            click,
            await self.practice.from_moment(practice_player(click), replay.row, snapshot, _seat(*seat)),
        )

    async def post(self, click: Visit) -> Reply:
        """Share a step with all viewers of this channel. Raises Refused."""
        table, channel = click.browse.table, click.channel
        replay, snapshot = await self.screening.snapshot(click, table, int(click.browse.args[1]))
        assert channel is not None
        if not _may_write(click.interaction.permissions, click.interaction.channel):
            raise Refused(NOT_YOURS)
        if not _may_write(click.interaction.app_permissions, click.interaction.channel):
            raise Refused(NOT_MINE)
        if await self._sealed(table):
            raise Refused(SEALED)
        if await self._is_hidden_from(click.server, table, channel):
            raise Refused(HIDDEN)
        w, scene = self.localization.server(click.server), replay.scene(snapshot)
        may = click.interaction.app_permissions.attach_files and self.servers.known(click.server).pictures
        drawn = picture(scene, w) if may else None
        shown = moment(scene, snapshot, drawn, click.interaction.user.display_name, w=w)
        try:
            await self.moment_poster.show(click.server, channel, shown, drawn)
        except discord.RateLimited:
            raise
        except UNREACHED as error:
            raise Refused(NOT_MINE) from error
        return Reply(text=click.w(SHOWN))

    async def _sealed(self, table: TableId) -> bool:
        """Tell whether a reader of a channel may still have to play these cards."""
        store = self.store
        match = await store.results.finished(table)
        return (
            match is None or match.outcome.place.channel == NO_CHANNEL or await store.duplicates.at(table) is not None
        )

    async def _is_hidden_from(self, guild: GuildId, table: TableId, channel: ChannelId) -> bool:
        """Tell whether the match's channel is hidden from some readers of this channel."""
        match, presence = await self.store.results.finished(table), self.presence
        assert match is not None  # or nobody could watch it
        played = await presence.place(guild, match.outcome.place.channel, match.outcome.place)
        return played.hidden and played != await presence.place(guild, channel)

    async def settle(self, click: Visit) -> Reply:
        """Show the payments at the end of a match."""
        return Reply(view=settling(click.table.scene(click.user), click.w))

    async def share(self, click: Visit) -> Reply:
        """Give a player the end card in the player's language, to share it elsewhere.

        Text only if the bot may not attach files.
        """
        table = click.table
        shown = picture(table.scene(None), click.w) if table.stage == "over" else None
        if shown is None:
            raise Refused(NOT_OVER)
        said = shared(shown, click.w)
        if not click.interaction.app_permissions.attach_files:
            return Reply(text=said)
        return Reply(private_file=PrivateFile(said, (shown.name, await asyncio.to_thread(shown.png))))

    @commands.Cog.listener()
    async def on_person_forgotten(self) -> None:
        """Drop cached replays, which may contain the name of a deleted person."""
        self.screening.replays.clear()

    async def cog_unload(self) -> None:
        """Stop replays under way."""
        self.screening.replays.stop()


def _may_write(rights: discord.Permissions, channel: object) -> bool:
    """Tell whether these permissions allow a message in a channel or thread."""
    return rights.send_messages_in_threads if isinstance(channel, discord.Thread) else rights.send_messages


def _seat(seat: str = "") -> int | None:
    """Return the seat in an address; None in an address of an earlier release."""
    return int(seat) if seat else None


def _chosen_seat(value: str) -> int | None:
    return None if value == EVERY else int(value)


HAND_NOT_OVER = N_("Only a hand that is over can be looked at.")


@dataclass(kw_only=True, eq=False, repr=False)
class ReviewsCog(commands.Cog):
    """Reviews of matches and hands."""

    screening: ReplayAccess
    workers: Workers
    dispatcher: Dispatcher

    def __post_init__(self) -> None:
        self._reviews, self._hindsight = Reviews(), HandReviews()
        for verb, work, mode in (
            (LOOK_BACK, self.open, PLAINLY),
            (MORE, self.more, QUIETLY),
            (LOOK_CLOSELY, self.open_closely, SLOWLY),
            (CLOSELY, self.closely, QUIETLY),
        ):
            self.dispatcher.register(Browse, verb, Handler(as_expensive(self.workers, work), mode))

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
            raise Refused(HAND_NOT_OVER)
        async with enter_expensive_turn(self.workers, click) as turn:
            found = await self._hindsight.of(replay, number, seat_of(row.chairs, click.user), turn)
        name, w = match_name(row.game, row.number, click.w), click.w.for_players(row.chairs, snapshot.match.rules)
        return Reply(view=closely(row.id, name, number, found, w=w, hands=hands, is_running=replay.is_running), at=at)

    async def _show(self, click: Visit, page: int, at: PrivateMessage | None = None) -> Reply:
        replay, snapshot = await self.screening.snapshot(click, click.browse.table, 0)
        row = replay.row
        async with enter_expensive_turn(self.workers, click) as turn:
            found = await self._reviews.of(replay, turn)
        name = match_name(row.game, row.number, click.w)
        w = click.w.for_players(row.chairs, snapshot.match.rules)
        return Reply(view=review(row.id, name, found, page, w=w, hands=await _hands(replay)), at=at)


async def _hands(replay: MatchReplay) -> int:
    """Return the number of hands that can be reviewed: 0 if the table gave no hints."""
    return len((await replay.snapshot(replay.playback.last)).match.results) if has_hints(replay.row) else 0
