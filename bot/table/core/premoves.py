"""One table at which people say beforehand what they will do: orders are taken, taken back, and carried out in time.

An answer by order is a row with its time, so a restart neither loses nor doubles it. How long it takes is drawn from
one distribution, whatever was ordered, held or played, and nobody answers so quickly themselves. Refuses to know what
can be ordered.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from bot.ground.ids import UserId
from bot.ground.refused import Refused, TooLate
from bot.rules.actions import Action
from bot.rules.cards import Cards
from bot.rules.match import Match
from bot.rules.orders import Kind, Orders, State, added, fits, ordered
from bot.rules.sentences import Illegal
from bot.store.rows import NEVER
from bot.table import delays as manners
from bot.table.core import chairs as seating
from bot.table.core.chairs import Chairs
from bot.table.core.premove_texts import kept, orders_of, said, written
from bot.table.hints import HintingTable

log = logging.getLogger(__name__)

# How long an answer by order takes, in delays of house players: longer than one, and over before whoever is silent is
# called, so that no call tells who had ordered nothing.
LEAST, MOST = 1.6, 4.5
NO_ORDERS = "There is no hand of yours in which you could say something beforehand now."
NOT_NOW = "That cannot be said beforehand as things stand now."


class OrderingTable(HintingTable):
    """A table as far as people answer in advance."""

    async def order(
        self,
        user: UserId,
        kind: Kind,
        *plays: Cards,
        upto: int = 0,
        code: str = "",
        made_for: State | None = None,
    ) -> None:
        """Remember what somebody says beforehand in this hand. made_for: the state their click was made for.

        Raises Refused, and TooLate in another state.
        """
        async with self._locked():
            seat, match = self._ordering(user)
            view = match.view(seat)
            _check_state(made_for, match, seat)
            new = ordered(view, kind, *plays, upto=upto, code=code)
            if not fits(new, view):
                raise Refused(NOT_NOW)
            await self._remember(match, seat, added(orders_of(self.row.chairs[seat]), new))

    async def unsay(self, user: UserId, *kinds: Kind, made_for: State | None = None) -> None:
        """Forget what somebody has said beforehand of these kinds. made_for and errors as ``order`` has them."""
        async with self._locked():
            seat, match = self._ordering(user)
            _check_state(made_for, match, seat)
            left = (order for order in orders_of(self.row.chairs[seat]) if order.kind not in kinds)
            await self._remember(match, seat, tuple(left))

    def _ordering(self, user: UserId) -> tuple[int, Match]:
        """Return where somebody sits who may say something beforehand, and the match."""
        seat, match = seating.own_seat(self.row.chairs, user), self.match
        if self.row.phase != "playing" or match is None or match.game.result or self.row.chairs[seat].house:
            raise Refused(NO_ORDERS)
        return seat, match

    async def _remember(self, match: Match, seat: int, orders: Orders) -> None:
        """Write what somebody has said; nobody is told of it."""
        chairs = seating.ordering(self.row.chairs, seat, written(orders))
        if chairs != self.row.chairs:
            turn = self._turn(match, chairs) if seat in match.awaited else {}
            await self._save(chairs=chairs, **turn)

    # What comes of it

    async def _as_it_stands(self, match: Match, chairs: Chairs) -> dict[str, Any]:
        stands = await super()._as_it_stands(match, chairs)
        for chair in chairs:
            if chair.orders or self.row.answers:
                return stands | self._what_is_said(match, chairs)
        return stands

    def _what_is_said(self, match: Match, chairs: Chairs) -> dict[str, Any]:
        """Return what is written of what still stands of orders, and of when one answers."""
        for chair in chairs:
            if chair.orders:
                chairs = seating.ordering(chairs, chair.seat, kept(chair, match))
        changed = {"chairs": chairs} if chairs != self.row.chairs else {}
        return changed | self._turn(match, chairs)

    def _turn(self, match: Match, chairs: Chairs) -> dict[str, Any]:
        """Return what is written of when somebody answers whose turn it is now; nothing where nobody has ordered."""
        if self._said(match, chairs) is None:
            return {"answers": NEVER} if self.row.answers else {}
        delay = self._around.house_delay * manners.DICE.uniform(LEAST, MOST)
        return {"answers": self._around.now() + timedelta(seconds=delay)}

    def _said(self, match: Match, chairs: Chairs) -> tuple[int, Action] | None:
        """Return who answers by order now, and what."""
        for seat in sorted(match.awaited):
            if action := said(chairs[seat], match):
                return seat, action
        return None

    async def ring(self) -> None:
        """Carry out what somebody has said beforehand, if it is time."""
        async with self._locked():
            if self.row.answers and self.row.answers <= self._around.now() and not self.row.paused:
                await self._answer()

    async def _answer(self) -> None:
        """Do what was said, or forget that anything was where it has become void."""
        now = self._said(self.match, self.row.chairs) if self.match and self.row.phase == "playing" else None
        if now is None:
            await self._save(answers=NEVER)
            return
        try:
            await self._act((now,), "order", self.row.chairs)
        except Illegal:
            log.exception("An order at table %s could not be carried out; its owner is asked", self.id)
            await self._save(chairs=seating.ordering(self.row.chairs, now[0], ""), answers=NEVER)


def _check_state(made_for: State | None, match: Match, seat: int) -> None:
    """Raise TooLate unless a match is still in the state that a click was made for."""
    if made_for and not made_for.holds(State.of(match.deal, match.moment, match.view(seat))):
        raise TooLate
