"""Replays and reviews of matches, and the actions at a step: play on, share, verify."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace

from discord.ext import commands

from bot.club.practice import Practice
from bot.domain.ids import NO_CHANNEL, TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.history.replays import MatchReplay
from bot.history.reviews import HandReviews, Reviews
from bot.interactions.answers import PLAINLY, QUIETLY, SLOWLY, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.flood_limits import as_expensive, enter_expensive_turn
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.visit import Handler, Visit
from bot.members.presence import Presence
from bot.rules.matches.seal import seal
from bot.runtime.workers import Workers
from bot.show.kit.custom_ids import Browse, Press, Verb, table_number
from bot.show.kit.layout import PrivateFile
from bot.show.kit.words import Words
from bot.show.matches.moments import ending, moment, shared
from bot.show.matches.replay import (
    CLOSELY,
    DEAL,
    EVERY,
    GO,
    HAND,
    LOOK_BACK,
    LOOK_CLOSELY,
    MOMENT,
    MORE,
    REPLAY,
    REPLAY_MENU,
    STEP,
    VIEW,
    WHOSE,
    match_name,
)
from bot.show.matches.replay_menu import KEEP, PLAY_ON, POST, SHARE, VERIFY, code_of, replay_menu, where_to_share
from bot.show.matches.review import closely, review
from bot.show.pictures.canvas import Picture
from bot.show.rulebook.deal_check import check
from bot.show.rulebook.ruleset import BookRules
from bot.show.table.scores import settling
from bot.show.table.table_picture import picture
from bot.store.store import Store
from bot.table.core.chairs import seat_of
from bot.table.core.eligibility import has_hints
from bot.table.core.state import ruleset_of
from bot.table.hints import NO_HINTS
from bot.table.table import Table
from cogs.common.channel_posts import ChannelPosts, poster_name
from cogs.common.hand_replies import HandReplies
from cogs.contests.practice import practice_player, show_practice_hand
from cogs.matches.replay_access import OWN_VIEW, ReplayAccess, ReplayRequest, viewed_seat

SEALED = N_("Others may still play these cards, so you can't show this to everyone yet.")
HIDDEN = N_("This match was played in a hidden channel. Share it there.")
NOT_OVER = N_("You can only share the end of a match.")
SEAT, PAGE = re.compile(r"\d{1,2}"), re.compile(r"[a-z]\d{1,5}")  # parts of custom ids: a view, a page of a review


@dataclass(kw_only=True, eq=False, repr=False)
class ReplaysCog(commands.Cog):
    """Replays of matches, step by step."""

    hands: HandReplies
    screening: ReplayAccess
    store: Store
    workers: Workers
    dispatcher: Dispatcher
    presence: Presence
    posts: ChannelPosts
    practice: Practice

    def __post_init__(self) -> None:
        for verb, work, mode in (
            (REPLAY, self.step, QUIETLY),
            (GO, self.go, QUIETLY),
            (DEAL, self.deal, QUIETLY),
            (WHOSE, self.whose, QUIETLY),
            (REPLAY_MENU, self.menu, QUIETLY),
            (MOMENT, self.moment, PLAINLY),
            (VERIFY, self.verify, PLAINLY),
            (SHARE, self.share_moment, PLAINLY),
            (POST, self.post_moment, PLAINLY),
            (KEEP, self.keep_moment, PLAINLY),
            (PLAY_ON, as_expensive(self.workers, self.play_on), PLAINLY),
        ):
            self.dispatcher.register(Browse, verb, Handler(work, mode))
        for press, answer in (
            (Verb.WATCH, self.watch),
            (Verb.SHARE, self.share_end),
            (Verb.POST_END, self.post_end),
            (Verb.KEEP_END, self.keep_end),
            (Verb.SETTLE, self.settle),
        ):
            self.dispatcher.register(Press, press, Handler(answer))

    async def step(self, click: Visit) -> Reply:
        """Show one step of a match."""
        table, step, *named = click.browse.args  # named: the button, then the perspective
        return await self.screening.show(click, _request(table, step, *named[1:]), at=click.own)

    async def go(self, click: Visit) -> Reply:
        """Show the chosen view of this step, or the chosen step."""
        asked, (kind, chosen) = _request(*click.browse.args), click.one(_destination)
        asked = replace(asked, seen=chosen) if kind == VIEW else replace(asked, step=int(chosen))
        return await self.screening.show(click, asked, at=click.own)

    async def deal(self, click: Visit) -> Reply:
        """Show the step chosen in a select of an earlier release."""
        table, *seen = click.browse.args
        return await self.screening.show(click, _request(table, str(click.one(int)), *seen[:1]), at=click.own)

    async def whose(self, click: Visit) -> Reply:
        """Show this step from the seat chosen in a select of an earlier release."""
        asked = replace(_request(*click.browse.args), seen=click.one(str))
        return await self.screening.show(click, asked, at=click.own)

    async def menu(self, click: Visit) -> Reply:
        """Show the menu of a step in its place."""
        _, filmed, frame = await self.screening.step(click, _request(*click.browse.args))
        return Reply(view=replay_menu(filmed, frame, click.w), at=click.own)

    async def watch(self, click: Visit) -> Reply:
        """Open the match of a table that has just ended, at its first card."""
        return await self.screening.show(click, ReplayRequest(click.table.id, 0))

    async def verify(self, click: Visit) -> Reply:
        """Show how to check the hand of this step, with all its cards."""
        asked = _request(*click.browse.args)
        replay, snapshot = await self.screening.opened(click, asked.table, asked.step)
        row, deal = replay.row, snapshot.match.deal
        rules = ruleset_of(row)
        book = BookRules(rules.known, rules.preset, rules.changes, rules.version, row.id, row.number)
        said = [(row.chairs[cut.seat].name, cut.word) for cut in row.cuts]
        shown = check(book, seal(row.seed, deal, deal), click.w, said, back=_menu(asked))
        return Reply(view=shown, at=click.own)

    async def moment(self, click: Visit) -> Reply:
        """Open a match at a posted step, or in place of a review at the step of a finding.

        Raises Refused.
        """
        table, step, *found = click.browse.args  # found: the finding, its seat, and the page of the review
        asked = _request(table, step, *found[1:])
        asked = asked if found[1:] else replace(asked, seen=OWN_VIEW)
        return await self.screening.show(click, asked, at=click.own)

    async def play_on(self, click: Visit) -> Reply:
        """Deal a practice hand from this step on, in the seat of the current view."""
        asked = _request(*click.browse.args)
        replay, snapshot = await self.screening.snapshot(click, asked.table, asked.step)
        seat = viewed_seat(asked.seen, len(replay.row.chairs))
        return await show_practice_hand(
            self.hands,
            click,
            await self.practice.from_moment(practice_player(click), replay.row, snapshot, seat),
        )

    async def share_moment(self, click: Visit) -> Reply:
        """Ask where to share a step; without a choice, give the step to the user alone.

        Raises Refused.
        """
        asked = _request(*click.browse.args)
        await self.screening.snapshot(click, asked.table, asked.step)
        if not self.posts.may_post(click):
            return await self.keep_moment(click)
        post, keep = (Browse.to(verb, asked.table, asked.step) for verb in (POST, KEEP))
        told = code_of(asked.table, asked.step, click.w)
        return Reply(view=where_to_share(post, keep, told, w=click.w, back=_menu(asked)), at=click.own)

    async def post_moment(self, click: Visit) -> Reply:
        """Share a step with all viewers of this channel. Raises Refused."""
        table = click.browse.table
        replay, snapshot = await self.screening.snapshot(click, table, int(click.browse.args[1]))
        await self._check_match(click, table)
        w, scene = self.posts.words(click), replay.scene(snapshot)
        drawn = picture(scene, w) if self.posts.pictured(click) else None
        return await self.posts.send(click, moment(scene, snapshot, drawn, poster_name(click), w=w), drawn)

    async def keep_moment(self, click: Visit) -> Reply:
        """Give the user a step to share elsewhere. Raises Refused."""
        replay, snapshot = await self.screening.snapshot(click, click.browse.table, int(click.browse.args[1]))
        return await _keepsake(click, picture(replay.scene(snapshot), click.w))

    async def _check_match(self, click: Visit, table: TableId) -> None:
        """Raise Refused if a match may not be shown to all viewers of this channel."""
        if await self._sealed(table):
            raise Refused(SEALED)
        if await self._is_hidden_here(click, table):
            raise Refused(HIDDEN)

    async def _sealed(self, table: TableId) -> bool:
        """Tell whether a reader of a channel may still have to play these cards."""
        store = self.store
        match = await store.results.finished(table)
        return (
            match is None or match.outcome.place.channel == NO_CHANNEL or await store.duplicates.at(table) is not None
        )

    async def _is_hidden_here(self, click: Visit, table: TableId) -> bool:
        """Tell whether the match's channel is hidden from some readers of this channel."""
        match, presence = await self.store.results.finished(table), self.presence
        assert match is not None  # or nobody could watch it
        assert click.channel is not None
        played = await presence.place(click.server, match.outcome.place.channel, match.outcome.place)
        return played.hidden and played != await presence.place(click.server, click.channel)

    async def settle(self, click: Visit) -> Reply:
        """Show the payments at the end of a match."""
        return Reply(view=settling(click.table.scene(click.user), click.w))

    async def share_end(self, click: Visit) -> Reply:
        """Ask where to share the end card; without a choice, give the card to the user alone.

        Raises Refused.
        """
        if click.table.stage != "over" or not self.posts.may_post(click):
            return await self.keep_end(click)
        post, keep = (Press(click.table.id, verb) for verb in (Verb.POST_END, Verb.KEEP_END))
        return Reply(view=where_to_share(post, keep, w=click.w), at=click.own)

    async def post_end(self, click: Visit) -> Reply:
        """Share the end card with all viewers of this channel. Raises Refused."""
        w, scene = self.posts.words(click), click.table.scene(None)
        card = _end_card(click.table, w)
        await self._check_match(click, click.table.id)
        pictured = self.posts.pictured(click)
        shown = ending(scene, card, poster_name(click), w=w, pictured=pictured)
        return await self.posts.send(click, shown, card if pictured else None)

    async def keep_end(self, click: Visit) -> Reply:
        """Give the user the end card, in the user's language, to share elsewhere. Raises Refused."""
        return await _keepsake(click, _end_card(click.table, click.w))

    @commands.Cog.listener()
    async def on_person_forgotten(self) -> None:
        """Drop cached replays, which may contain the name of a deleted person."""
        self.screening.replays.clear()

    async def cog_unload(self) -> None:
        """Stop replays under way."""
        self.screening.replays.stop()


def _request(*args: str) -> ReplayRequest:
    """Return the request in a custom id; earlier releases have fewer parts."""
    table, step, seen, review, *_ = (*args, "", "")
    seen, review = (text if known.fullmatch(text) else "" for known, text in ((SEAT, seen), (PAGE, review)))
    return ReplayRequest(table_number(table), int(step), seen or EVERY, review)


def _destination(value: str) -> tuple[str, str]:
    """Return the kind and the target of a value of the menu.

    Raises ValueError for an unknown one.
    """
    kind, target = value[:1], value[1:]
    if kind not in (VIEW, HAND, STEP) or (kind != VIEW and not target.isdecimal()):
        raise ValueError(value)
    return kind, target


def _menu(asked: ReplayRequest) -> Browse:
    """Return the custom id of the menu of a step."""
    return Browse.to(REPLAY_MENU, asked.table, asked.step, asked.seen, asked.review)


def _end_card(table: Table, w: Words) -> Picture:
    """Return the picture of the end of a match. Raises Refused before the end."""
    shown = picture(table.scene(None), w) if table.stage == "over" else None
    if shown is None:
        raise Refused(NOT_OVER)
    return shown


async def _keepsake(click: Visit, shown: Picture | None) -> Reply:
    """Return a picture with its words to copy.

    The words alone if the bot may not attach files.
    """
    if shown is None:
        raise Refused(NOT_OVER)
    said = shared(shown, click.w)
    if not click.interaction.app_permissions.attach_files:
        return Reply(text=said)
    return Reply(private_file=PrivateFile(said, (shown.name, await asyncio.to_thread(shown.png))))


HAND_NOT_OVER = N_("You can only review a hand that's over.")


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
        """Show the same review of another hand, in place: of the button, or the chosen one.

        Raises Refused.
        """
        _, *number = click.browse.args
        return await self._look_closely(click, int(number[0]) if number else click.one(int), click.own)

    async def _look_closely(self, click: Visit, number: int, at: PrivateMessage | None = None) -> Reply:
        replay, snapshot = await self.screening.opened(click, click.browse.table, 0)
        row, hands, seat = replay.row, await _hands(replay), seat_of(replay.row.chairs, click.user)
        if not has_hints(row):
            raise Refused(NO_HINTS)
        if not 0 < number <= hands:
            raise Refused(HAND_NOT_OVER)
        async with enter_expensive_turn(self.workers, click) as turn:
            found = await self._hindsight.of(replay, number, seat, turn)
        name, w = match_name(row.game, row.number, click.w), click.w.for_players(row.chairs, snapshot.match.rules)
        shown = closely(row.id, name, number, found, w=w, hands=hands, is_running=replay.is_running, reader=seat)
        return Reply(view=shown, at=at)

    async def _show(self, click: Visit, page: int, at: PrivateMessage | None = None) -> Reply:
        replay, snapshot = await self.screening.snapshot(click, click.browse.table, 0)
        row = replay.row
        async with enter_expensive_turn(self.workers, click) as turn:
            found = await self._reviews.of(replay, turn)
        name = match_name(row.game, row.number, click.w)
        w = click.w.for_players(row.chairs, snapshot.match.rules)
        seat, hands = seat_of(row.chairs, click.user), await _hands(replay)
        return Reply(view=review(row.id, name, found, page, w=w, hands=hands, reader=seat), at=at)


async def _hands(replay: MatchReplay) -> int:
    """Return the number of reviewable hands: 0 if the table gave no hints."""
    return len((await replay.snapshot(replay.playback.last)).match.results) if has_hints(replay.row) else 0
