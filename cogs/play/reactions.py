"""The button that lets a player react: a sign on the own seat, until the trick ends."""

from __future__ import annotations

from dataclasses import dataclass

from discord.ext import commands

from bot.client import Bigger
from bot.delivery.boards.reactions import Reactions
from bot.domain.message_ids import N_
from bot.domain.reactions import REACTIONS, offered_reactions
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import STALE, Handler, Visit
from bot.scene import Scene
from bot.show.kit.custom_ids import Press, Verb
from bot.show.table.reactions import reactions
from bot.table.core.chairs import own_seat

NOT_NOW = N_("You can react while a hand is being played and you're at the table.")
OFF = N_("Reactions are off here.")
NONE_LEFT = N_("You've used all your reactions in this hand.")


@dataclass(kw_only=True, eq=False, repr=False)
class ReactionsCog(commands.Cog):
    """Shows the reactions and takes a player's choice."""

    dispatcher: Dispatcher
    board_reactions: Reactions

    def __post_init__(self) -> None:
        self.dispatcher.register(Press, Verb.REACT, Handler(self.offer))
        self.dispatcher.register(Press, Verb.REACTED, Handler(self.react, QUIETLY))

    async def offer(self, click: Visit) -> Reply:
        """Show the reactions to choose from."""
        scene, seat = _at_play(click)
        return Reply(view=reactions(scene, self.board_reactions.left(scene, seat), click.w))

    async def react(self, click: Visit) -> Reply:
        """Show the chosen reaction on the player's seat with the next move."""
        scene, seat = _at_play(click)
        part = click.button.part
        if click.button.at != scene.tally.deal or part >= len(REACTIONS):
            raise Refused(STALE)
        sign = REACTIONS[part]
        if sign not in offered_reactions(scene.terms.pace, scene.terms.server):
            raise Refused(STALE)
        if not self.board_reactions.left(scene, seat):
            raise Refused(NONE_LEFT)
        self.board_reactions.show(scene, seat, sign)
        view = reactions(scene, self.board_reactions.left(scene, seat), click.w, sign)
        return Reply(view=view, at=click.own)


def _at_play(click: Visit) -> tuple[Scene, int]:
    """Return the scene and seat of a player who may react. Raises Refused for other users."""
    chairs = click.table.row.chairs
    seat, scene = own_seat(chairs, click.user), click.table.scene(click.user)
    if scene.stage != "playing" or chairs[seat].house:
        raise Refused(NOT_NOW)
    if not offered_reactions(scene.terms.pace, scene.terms.server):
        raise Refused(OFF)
    return scene, seat


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(ReactionsCog(dispatcher=parts.dispatcher, board_reactions=parts.delivery.boards.reactions))
