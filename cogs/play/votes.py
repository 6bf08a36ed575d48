"""Votes of the players of a table: proposing, agreeing, refusing."""

from __future__ import annotations

from dataclasses import dataclass

from discord.ext import commands

from bot.client import Bigger
from bot.domain.chairs import Vote
from bot.domain.refusals import Refused, TooLate
from bot.interactions.answers import DONE, QUIETLY, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.show.kit.custom_ids import Press, Verb
from bot.show.table.notices import stopping
from bot.show.table.votes import BALLOT, KINDS, PACE, agreed, offered, question, which_pace
from bot.table.core.agreements import NO_LONGER_ASKED
from bot.table.core.chairs import own_seat
from bot.table.core.commands import CastVote, ReturnFromBreak, Veto
from cogs.common.hand_replies import HandReplies


@dataclass(kw_only=True, eq=False, repr=False)
class VotesCog(commands.Cog):
    """Proposals that need the consent of all players."""

    hands: HandReplies
    dispatcher: Dispatcher

    def __post_init__(self) -> None:
        self.dispatcher.register(Press, Verb.PROPOSE, Handler(self.propose))
        self.dispatcher.register(Press, Verb.PROPOSE_NOW, Handler(self.propose_now))
        self.dispatcher.register(Press, Verb.AYE, Handler(self.agree, QUIETLY))
        self.dispatcher.register(Press, Verb.NAY, Handler(self.refuse, QUIETLY))
        self.dispatcher.register(Press, Verb.RETURN_FROM_BREAK, Handler(self.come_back, QUIETLY))

    async def propose(self, click: Visit) -> Reply:
        """Ask for confirmation of a proposal."""
        own_seat(click.table.row.chairs, click.user)
        scene, w = click.table.scene(click.user), click.w
        if click.one(str) not in offered(scene, w):
            return await self.hands.hand(click, click.table, notice=w(TooLate().sentence), at=click.own)
        if (place := click.one(lambda value: None if value == PACE else int(value))) is None:
            return self.hands.show_screen(click, click.table, which_pace(scene, w.for_scene(scene)))
        vote = _vote_at(place)
        asks = stopping(scene, w) if vote == "end" else question(scene, vote, w.for_scene(scene))
        return self.hands.show_screen(click, click.table, asks)

    async def propose_now(self, click: Visit) -> Reply:
        """Start the vote."""
        await click.table.do(CastVote(click.user, self._kind(click), first=True))
        scene = click.table.scene(click.user)
        if not scene.open:
            return Reply(text=agreed(click.w))
        return await self.hands.hand(click, click.table, at=click.own)

    async def agree(self, click: Visit) -> Reply:
        """Vote for the proposal."""
        await click.table.do(CastVote(click.user, self._running(click)))
        return DONE

    async def refuse(self, click: Visit) -> Reply:
        """Veto the proposal, which ends the vote."""
        self._running(click)
        await click.table.do(Veto(click.user))
        return DONE

    async def come_back(self, click: Visit) -> Reply:
        """Return from a break."""
        if click.button.at is not None:  # an address of an earlier release names none
            self._running(click)
        await click.table.do(ReturnFromBreak(click.user))
        return DONE

    def _kind(self, click: Visit) -> Vote:
        """Return the kind of vote of a button.

        Raises TooLate if the table has changed since.
        """
        if click.button.at != click.table.scene(click.user).moment:
            raise TooLate
        return _vote_at(click.button.part)

    def _running(self, click: Visit) -> Vote:
        """Return the kind of the running vote that a button answers.

        Raises Refused without a running vote, TooLate for a button of another vote or of an earlier release.
        """
        wait = click.table.scene(click.user).wait
        if not wait.vote:
            raise Refused(NO_LONGER_ASKED)
        if (click.button.at, _vote_at(click.button.part - BALLOT)) != (wait.ballot, wait.vote):
            raise TooLate
        return wait.vote


def _vote_at(place: int) -> Vote:
    """Return the kind of vote at a place of the list. Raises TooLate for an unknown place."""
    if not 0 <= place < len(KINDS):
        raise TooLate
    return KINDS[place]


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(VotesCog(hands=HandReplies.of(parts), dispatcher=parts.dispatcher))
