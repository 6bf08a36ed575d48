"""A person's own choices, in one place."""

from __future__ import annotations

from typing import Any

from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.door.answer import QUIETLY
from bot.door.commands import within
from bot.door.reply import Reply
from bot.door.visit import Handler, Visit
from bot.ground.ids import UserId
from bot.ground.refused import Refused
from bot.show.choices import APART, CHOOSE, DIRECT, INVITED, SILENT, SUIT, UNINVITED, choices, parted
from bot.show.ids import Browse
from bot.show.phrases import person
from bot.store.errors import TooMany
from cogs.here import Interaction

ONESELF = "That is you. Choose somebody else."
TOO_MANY = "These are as many people as I can keep apart from you. Let some of them go first: choose them again."


class Choices(commands.Cog):
    """What somebody chooses for themselves."""

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot
        bot.handle(Browse, CHOOSE, Handler(self.choose, QUIETLY))
        bot.handle(Browse, APART, Handler(self.apart, QUIETLY))

    @within("my", "choices", locale_str("Choose how I am treated: sorting, direct messages"))
    async def choices(self, interaction: Interaction) -> None:
        """Show what is chosen."""
        await self.bot.reply(interaction, self._screen)

    async def choose(self, click: Visit) -> Reply:
        """Keep what was chosen."""
        interaction, (chosen, *_) = click.interaction, click.browse.args
        if chosen in (DIRECT, SILENT):
            wish: dict[str, Any] = {"mirror": chosen == DIRECT, "locale": str(interaction.locale)}
        elif chosen in (INVITED, UNINVITED):
            wish = {"uninvited": chosen == UNINVITED}
        else:
            wish = {"by_suit": chosen == SUIT}
        await self.bot.habits.change(click.user, **wish)
        return await self._screen(click)

    async def apart(self, click: Visit) -> Reply:
        """Keep somebody and the person they have chosen apart, or no more."""
        other = click.one(lambda value: UserId(int(value)))
        if other == click.user:
            raise Refused(ONESELF)
        try:
            now = await self.bot.store.keep_apart(click.user, other)
        except TooMany:
            raise Refused(TOO_MANY) from None
        return await self._screen(click, parted(person(other, click.w), click.w, apart=now))

    async def _screen(self, visit: Visit, notice: str | None = None) -> Reply:
        habits, apart = await self.bot.habits.of(visit.user), await self.bot.store.kept_apart(visit.user)
        return Reply(view=choices(habits, visit.w, apart, notice), at=visit.own)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(Choices(bot))
