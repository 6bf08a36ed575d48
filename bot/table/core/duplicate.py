"""One table whose deals are played at other tables too: by the same rules, uncut, and by nobody twice.

Knows how a lobby becomes one, and who may sit there. Refuses to know what becomes of the results, and who may see what.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from bot.ground.duplicate import HANDS, Duplicate, Part
from bot.ground.effects import DuplicateInvitation
from bot.ground.ids import UserId
from bot.ground.refused import Refused
from bot.ground.server_settings import PLAIN
from bot.rules.ruleset import Ruleset
from bot.rules.seal import on_its_own
from bot.table.core import allowed
from bot.table.core import chairs as seating
from bot.table.core.chairs import Chairs
from bot.table.core.lobby import LobbyTable

ALREADY = "These deals are played at several tables already."
TWICE = "You have a seat at another table with these deals, or had one. Nobody plays the same deals twice."
FORGOTTEN = (
    "What was kept about you was deleted after these deals were opened, so I cannot tell whether you have played them. "
    "Those that are opened from now on are yours too."
)
SIT_TWICE = (
    "{names} sat down at another table with the same deals. Nobody plays them twice: somebody else has to sit here."
)


def of_hands(rules: Ruleset, hands: int) -> Ruleset:
    """Return these rules for so many hands, as where there are no stakes: what does not count is owed to nobody."""
    return allowed.settled(PLAIN, rules.renewed().wishing(hands=hands))


def hands_of(rules: Ruleset) -> int:
    """Return how many hands are played alike by rules."""
    return rules.rules.hands or HANDS


class Forgetful(Protocol):
    """What knows of whom everything was deleted."""

    async def forgotten(self, user: UserId) -> datetime | None:
        """Return when all that was kept about a person was deleted last."""
        ...


async def check_remembered(known: Duplicate | None, store: Forgetful, user: UserId) -> None:
    """Raise Refused where somebody may have played these deals, and that was deleted."""
    gone = await store.forgotten(user)
    if known is not None and gone is not None and gone >= known.opened:
        raise Refused(FORGOTTEN)


class AlikeTable(LobbyTable):
    """A table as far as its deals may be played at others."""

    async def deal_alike(self, user: UserId) -> None:
        """Let others play the same deals at tables of their own; only the host may.

        Words that have cut the cards go, and all agree anew. Raises Refused.
        """
        async with self._locked():
            self.check_host(user)
            if self.row.duplicate_id is not None:
                raise Refused(ALREADY)
            row, rules = self.row, of_hands(self.ruleset, hands_of(self.ruleset))
            new = Duplicate(
                0, row.guild, row.home, user, rules.game, rules.preset, rules.plain_changes, rules.rules.players,
                on_its_own(row.seed), self._around.now(), row.pace, together=True,
            )  # fmt: skip
            number = await self._around.keeper.add_duplicate(new)
            name = next(chair.name for chair in row.chairs if chair.user == user)
            self._plan(DuplicateInvitation(row.home, number, user, name, hands_of(rules)))
            await self._revise(user, rules, row.pace, duplicate_id=number, seed=new.seed, cuts=())

    async def _check_newcomer(self, user: UserId) -> None:
        await super()._check_newcomer(user)
        if await self._elsewhere([user]):
            raise Refused(TWICE)
        if self.row.duplicate_id is not None:
            await check_remembered(
                await self._around.keeper.duplicate(self.row.duplicate_id), self._around.keeper, user
            )

    async def check_once(self) -> None:
        """Raise Refused where somebody who is to be dealt cards here plays the same at another table."""
        twice = await self._elsewhere(seating.people(self.row.chairs))
        if twice:
            raise Refused(SIT_TWICE, names=[chair.name for chair in self.row.chairs if chair.user in twice])

    async def _elsewhere(self, users: Collection[UserId]) -> frozenset[UserId]:
        number = self.row.duplicate_id
        return frozenset() if number is None else await self._around.keeper.elsewhere(number, users, self.id)

    def _parts(self, chairs: Chairs) -> tuple[Part, ...]:
        """Return what is written of who sits here: at a private table that was done when it was set up."""
        number = self.row.duplicate_id
        if number is None or self.row.alone:
            return ()
        return tuple(Part(number, chair.user, self.id, chair.seat) for chair in chairs if chair.user is not None)
