"""Checking a deal: the commitment made before the first card, and the seeds revealed."""

from __future__ import annotations

from dataclasses import dataclass

from discord.ext import commands

from bot.client import Bigger
from bot.interactions.answers import Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.show.kit.custom_ids import Press, Verb
from bot.show.rulebook.deal_check import check
from bot.show.rulebook.ruleset import BookRules
from cogs.common.hand_replies import HandReplies


@dataclass(kw_only=True, eq=False, repr=False)
class DealCheckCog(commands.Cog):
    """Shows the commitment of a match, and what has been revealed of it."""

    hands: HandReplies
    dispatcher: Dispatcher

    def __post_init__(self) -> None:
        self.dispatcher.register(Press, Verb.CHECK, Handler(self.check))

    async def check(self, click: Visit) -> Reply:
        """Show how the deals of a table can be checked."""
        scene = click.table.scene(click.user)
        said = [(scene.chairs[seat].name, word) for seat, word in scene.tally.words]
        return self.hands.show_screen(
            click, click.table, check(BookRules.of_scene(scene), scene.tally.seal, click.w, said)
        )


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(DealCheckCog(hands=HandReplies.of(parts), dispatcher=parts.dispatcher))
