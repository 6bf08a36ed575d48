"""Access to replays: every click and command opens a match here.

A viewer sees finished matches. Of a running match, only finished hands are shown, and only if its table gives hints.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Self

from bot.club.daily_deals import DailyDeals
from bot.club.duplicates import Duplicates
from bot.domain.ids import NO_CHANNEL, TableId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.domain.results import ResultsViewer
from bot.history.replays import MatchReplay, ReplayCache
from bot.interactions.answers import Reply
from bot.interactions.flood_limits import enter_expensive_turn
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.visit import Visit
from bot.members.admission import Admission
from bot.members.preferences import PreferenceCache
from bot.members.presence import Presence
from bot.rules.matches.record import Openings
from bot.rules.matches.replay import Snapshot
from bot.runtime.workers import Workers
from bot.show.matches.replay import ReplayScene, ReplayStep
from bot.show.matches.replay import replay as replay_screen
from bot.show.pictures.canvas import Picture
from bot.show.table.table_picture import picture
from bot.store.errors import RecordDeleted
from bot.store.store import Store
from bot.table.core.chairs import seat_of
from bot.table.core.eligibility import has_hints
from bot.table.registry import TableRegistry
from bot.wiring import Parts
from cogs.matches.annulments import annulment_of

OWN_VIEW = "own"  # the perspective of a replay that has just been opened
NO_MATCH = N_("There's no such finished match here.")


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """A request for a step.

    seen: the perspective as in custom ids, or OWN_VIEW. review: as of `ReplayStep`.
    """

    table: TableId
    step: int
    seen: str = OWN_VIEW
    review: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayAccess:
    """Opens replays for users who may watch them."""

    store: Store
    tables: TableRegistry
    workers: Workers
    presence: Presence
    admission: Admission
    preferences: PreferenceCache
    daily_deals: DailyDeals
    duplicates: Duplicates
    replays: ReplayCache

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the access to replays of a running bot, with an empty cache."""
        return cls(
            store=parts.store,
            tables=parts.tables,
            workers=parts.workers,
            presence=parts.presence,
            admission=parts.admission,
            preferences=parts.preferences,
            daily_deals=parts.daily_deals,
            duplicates=parts.duplicates,
            replays=ReplayCache(lambda: parts.store, parts.workers),
        )

    async def reader(self, visit: Visit) -> ResultsViewer:
        """Return the user as a reader of results, with the visible channels of past matches."""
        guild, user, presence = visit.server, visit.user, self.presence
        return ResultsViewer(user, await presence.seen(guild, await self.store.results.channels(guild), user))

    async def may_watch(self, visit: Visit, table: TableId) -> bool:
        """Tell whether the user may watch a finished match.

        The user played in it or sees its channel now, and the deals are no secret for the user.
        """
        user, store = visit.user, self.store
        match = await store.results.finished(table)
        if match is None or not await store.duplicates.may_know(user, table):
            return False
        if user in {standing.user for standing in match.outcome.standings}:
            return True
        for deals in (self.daily_deals, self.duplicates):
            if await deals.may_watch(user, visit.guild, table):
                return True
        where = match.outcome.place.channel
        return where != NO_CHANNEL and await self.presence.may_see(visit.server, where, user)

    async def _finished(self, visit: Visit, table: TableId) -> MatchReplay | None:
        """Return the replay of a finished match; None if the user may not watch it.

        Raises RecordDeleted for deleted records, even if the replay is cached. Access is checked before the match is
        replayed: guessed codes must not cost the bot much.
        """
        if not await self.may_watch(visit, table):
            return None
        if self.replays.has(table):
            replay = await self.replays.of(table, visit.guild)
        else:
            async with enter_expensive_turn(self.workers, visit):
                replay = await self.replays.of(table, visit.guild)
        if replay is None:
            return None
        match = await self.store.results.finished(table)
        if match is not None and match.gone:
            raise RecordDeleted(f"What was played at table {table} is no longer kept.")
        return replay

    async def _finished_hands(self, visit: Visit, number: TableId) -> MatchReplay | None:
        """Return the replay of a running match's finished hands; None if not available.

        Available if the table gives hints, the user sees the table, and the deals are no secret for the user.
        """
        head = await self.store.tables.head(number)
        if head is None or not (head[0].phase == "playing" and has_hints(head[0])):
            return None
        table = await self.tables.get(number)
        known = await self.admission.may_see_table(visit.interaction, table)
        if not known or not await self.store.duplicates.may_know(visit.user, number):
            return None
        return (
            await self.replays.so_far(table.row, Openings.of(table.match)) if table.row.open and table.match else None
        )

    async def snapshot(self, visit: Visit, table: TableId, step: int) -> tuple[MatchReplay, Snapshot]:
        """Return the nearest step of a finished match. Raises Refused."""
        return await _step_of(await self._finished(visit, table), step)

    async def opened(self, visit: Visit, table: TableId, step: int) -> tuple[MatchReplay, Snapshot]:
        """Return the nearest step of a finished match, or of a running match's finished hands.

        Raises Refused.
        """
        return await _step_of(await self._finished(visit, table) or await self._finished_hands(visit, table), step)

    async def show(self, visit: Visit, asked: ReplayRequest, *, at: PrivateMessage | None = None) -> Reply:
        """Show a step. at: the message to edit; None for a new one. Raises Refused."""
        replay, filmed, frame = await self.step(visit, asked)
        drawn = await self._picture(visit, replay, frame.snapshot)
        screen = replay_screen(filmed, replace(frame, picture=drawn), visit.w)
        if drawn:
            screen = replace(screen, files=((drawn.name, await asyncio.to_thread(drawn.png)),))
        return Reply(view=screen, at=at)

    async def step(self, visit: Visit, asked: ReplayRequest) -> tuple[MatchReplay, ReplayScene, ReplayStep]:
        """Return a step without its picture, and its match. Raises Refused."""
        replay, snapshot = await self.opened(visit, asked.table, asked.step)
        row = replay.row
        filmed = ReplayScene(
            table=row.id,
            number=row.number,
            game=row.game,
            chairs=row.chairs,
            playback=replay.playback,
            judged=await annulment_of(self.store, visit, row.id),
            is_running=replay.is_running,
        )
        hand = await replay.snapshots(snapshot.match.deal - 1)
        return replay, filmed, ReplayStep(snapshot, hand, seat=_seat(replay, visit, asked.seen), review=asked.review)

    async def _picture(self, visit: Visit, replay: MatchReplay, snapshot: Snapshot) -> Picture | None:
        """Return the picture of a step; None for text-only users or without the permission."""
        plain = (await self.preferences.of(visit.user)).text_only
        if plain or not visit.interaction.app_permissions.attach_files:
            return None
        return picture(replay.scene(snapshot), visit.w)


def _seat(replay: MatchReplay, visit: Visit, seen: str) -> int | None:
    """Return the seat whose view is shown: at first the viewer's own, else that of the leader.

    Returns None for all hands.
    """
    if seen == OWN_VIEW:
        own = seat_of(replay.row.chairs, visit.user)
        return replay.playback.leader if own is None else own
    return viewed_seat(seen, len(replay.row.chairs))


def viewed_seat(seen: str, seats: int) -> int | None:
    """Return the seat of a perspective in a custom id.

    Returns None for all hands, as in custom ids of an earlier release.
    """
    return next((seat for seat in range(seats) if str(seat) == seen), None)


async def _step_of(replay: MatchReplay | None, step: int) -> tuple[MatchReplay, Snapshot]:
    """Return a replay and one of its steps. Raises Refused without a replay."""
    if replay is None:
        raise Refused(NO_MATCH)
    try:
        return replay, await replay.snapshot(step)
    except LookupError as nothing:
        raise Refused(NO_MATCH) from nothing
