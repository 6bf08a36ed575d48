"""Duplicate: the same deals for several players, compared without luck.

Each player gets a solo table with house players and the next seat in turn, so every seat of a deal gets played; or
several players share a table (**together**). Results stay sealed to a player until the player's own match ends. This
module never renders a scoresheet.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from statistics import fmean

from bot.club.solo import begin_solo_table, new_solo_table, solo_chairs, state_of
from bot.domain.contests import (
    DUPLICATE_HANDS,
    Duplicate,
    DuplicateLine,
    DuplicatePlayer,
    DuplicateScoresheet,
    DuplicateTable,
    rank_lines,
)
from bot.domain.effects import DuplicateInvitation, PendingEffect, pending_effect
from bot.domain.ids import ChannelId, GuildId, TableId, UserId
from bot.domain.message_ids import N_
from bot.domain.names import Reserved
from bot.domain.refusals import Refused
from bot.domain.results import HandScore
from bot.games import GAMES
from bot.rules.core.game import Rules
from bot.rules.core.turns import order_of_turns
from bot.rules.matches.score import is_low_score_best, standings_of
from bot.rules.matches.seal import with_independent_hands
from bot.rules.variants.ruleset import Ruleset
from bot.runtime.tasks import SingleFlight
from bot.store.store import Store
from bot.table.core.commands import Close, CloseLobby
from bot.table.core.lobby_conditions import TWICE, check_remembered, hands_of, of_hands
from bot.table.registry import TableRegistry, TableRequest
from bot.table.table import Table

OPEN_FOR = timedelta(days=14)
NO_SUCH_DEALS = N_("Those deals are gone.")
OVER = N_("These deals were open for two weeks and can't be started any more.")


class Duplicates:
    """The duplicates of all servers, and the access to their results.

    now: the current time; seed: makes the seed of a match; sees: tells whether a user can see a channel now.
    """

    def __init__(
        self,
        *,
        store: Store,
        tables: TableRegistry,
        now: Callable[[], datetime],
        seed: Callable[[], str],
        reserved: Reserved,
        sees: Callable[[GuildId, ChannelId, UserId], Awaitable[bool]],
    ) -> None:
        self._store = store
        self._tables = tables
        self._now = now
        self._seed = seed
        self._reserved = reserved
        self._sees = sees
        self._beginning = SingleFlight[Table]("beginning of a duplicate")  # of two clicks, one begins

    async def open(self, lobby: Table, user: UserId) -> PendingEffect:
        """Turn a lobby into a duplicate with the lobby's rules; return the invitation.

        Raises Refused unless the user hosts the lobby.
        """
        row, rules = lobby.row, of_hands(lobby.ruleset, DUPLICATE_HANDS)
        await lobby.do(CloseLobby(user))
        new = Duplicate(
            0,
            row.guild,
            row.home,
            user,
            rules.game,
            rules.preset,
            rules.plain_changes,
            rules.rules.players,
            with_independent_hands(self._seed()),
            self._now(),
        )
        name = next(chair.name for chair in row.chairs if chair.user == user)

        def invite(number: int) -> PendingEffect:
            return pending_effect(DuplicateInvitation(row.home, number, user, name), row.guild, None, new.opened)

        return invite(await self._store.duplicates.add(new, invite))

    async def begin(self, number: int, user: UserId, name: str, guild: GuildId | None) -> Table:
        """Return the user's solo table in a duplicate, new or begun, with the cards dealt.

        Raises Refused.
        """
        known = await self._known(number, user, guild)
        if known.together:
            raise Refused(NO_SUCH_DEALS)
        if await self._store.duplicates.part_of(number, user) is None:
            await self._check_beginning(known, user)
        new = new_solo_table(user, duplicate_rules(known), known.seed, self._now(), solo="deals", duplicate=number)
        seatings = [solo_chairs(user, name, seat, known.seats, reserved=self._reserved) for seat in range(known.seats)]
        begin = partial(self._store.duplicates.begin, number, new, seatings)
        return await self._beginning.do((user, number), lambda: begin_solo_table(self._tables, user, begin()))

    async def request_table(self, number: int, user: UserId, guild: GuildId | None) -> TableRequest:
        """Return the request for a further table with several players in a duplicate.

        Raises Refused.
        """
        known = await self._known(number, user, guild)
        if not known.together:
            raise Refused(NO_SUCH_DEALS)
        await self._check_beginning(known, user)
        if await self._store.duplicates.elsewhere(number, [user]):
            raise Refused(TWICE)
        return TableRequest(duplicate_rules(known), known.pace, known)

    async def close_expired(self) -> None:
        """Close the open solo tables of expired duplicates."""
        for table in await self._store.duplicates.overdue(self._now() - OPEN_FOR):
            await (await self._tables.get(table)).do(Close())

    async def scoresheet(self, number: int, user: UserId, guild: GuildId | None) -> DuplicateScoresheet:
        """Return the results of a duplicate, restricted to the viewer's access rights.

        Raises Refused.
        """
        known = await self._known(number, user, guild)
        own, played = await self._store.duplicates.part_of(number, user), await self._store.duplicates.played(number)
        state, rules = state_of(await self._tables.get(own.table) if own else None), duplicate_rules(known)
        return DuplicateScoresheet(
            number=number,
            game=known.game,
            preset=known.preset,
            hands=hands_of(rules),
            together=known.together,
            open=self._open(known),
            state=state,
            table=own.table if own else None,
            begun=await self._store.duplicates.begun(number),
            played=sum(len(one.sat) for one in played),
            lines=comparison(rules.rules, played, user) if state == "over" else (),
            low=is_low_score_best(rules.rules),
        )

    async def may_watch(self, user: UserId, guild: GuildId | None, table: TableId) -> bool:
        """Tell whether the viewer may replay a table: if the viewer's scoresheet lists it.

        The scoresheet must be of the same deals.
        """
        number = await self._store.duplicates.at(table)
        if number is None:
            return False
        try:
            lines = (await self.scoresheet(number, user, guild)).lines
        except Refused:
            return False
        return any(line.table == table for line in lines)

    async def _known(self, number: int, user: UserId, guild: GuildId | None) -> Duplicate:
        known = await self._store.duplicates.load(number)
        if known is None or known.guild != guild or not await self._sees(known.guild, known.channel, user):
            raise Refused(NO_SUCH_DEALS)
        return known

    async def _check_beginning(self, known: Duplicate, user: UserId) -> None:
        """Raise Refused for an expired duplicate, or if an earlier part may have been deleted."""
        if not self._open(known):
            raise Refused(OVER)
        check_remembered(known, await self._store.deletions.forgotten(user))

    def _open(self, known: Duplicate) -> bool:
        return self._now() < known.opened + OPEN_FOR


def duplicate_rules(known: Duplicate) -> Ruleset:
    """Return the rules of a duplicate."""
    return Ruleset.of(GAMES[known.game], known.preset, known.options)


def comparison(rules: Rules, played: Sequence[DuplicateTable], user: UserId | None) -> tuple[DuplicateLine, ...]:
    """Return the players by their gain over the average of the same seat in each deal.

    The average covers every table with a result for the deal, including unlisted players.
    """
    order = order_of_turns(rules, 1)
    begins = standings_of(rules, (0,) * rules.players)  # chips, in games with chips
    gains = {one.table: [_gains(rules, begins, hand) for hand in one.hands] for one in played}
    most = max(map(len, gains.values()), default=0)
    dealt = [[own[deal] for own in gains.values() if deal < len(own)] for deal in range(most)]
    average = [[fmean(of_seat) for of_seat in zip(*of_deal, strict=True)] for of_deal in dealt]

    def line(one: DuplicateTable, sat: DuplicatePlayer) -> DuplicateLine:
        own = [gain[sat.seat] for gain in gains[one.table]]
        deals = tuple((mine - mean[sat.seat], mine) for mine, mean in zip(own, average, strict=False))
        gain = sum(gain for gain, _ in deals)
        score = begins[sat.seat] + sum(own)
        return DuplicateLine(
            user=sat.user,
            name=sat.name,
            table=one.table,
            number=one.number,
            seat=order.index(sat.seat),
            place=0,
            gain=gain,
            score=score,
            deals=deals,
        )

    return rank_lines(line(one, sat) for one in played for sat in one.sat if sat.listed or sat.user == user)


def _gains(rules: Rules, begins: tuple[int, ...], hand: HandScore) -> tuple[int, ...]:
    """Return each seat's gain in a hand; higher beats lower in every game."""
    after = standings_of(rules, hand.points, hand.nets)
    return tuple(now - then for then, now in zip(begins, after, strict=True))
