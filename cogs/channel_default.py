"""What is played in a channel where nothing else is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands
from discord.app_commands import Choice, Group, locale_str
from discord.ext import commands

from bot.answer import Reply
from bot.show.house_rules import default, title
from bot.show.words import Said
from bot.store.rows import ChannelDefault
from bot.table.house_rules import first, start, today
from bot.table.refused import Refused
from cogs.here import Interaction
from cogs.house_rules import SERVER_ONLY, offer_rules, place

if TYPE_CHECKING:
    from bot.client import Bigger

NO_RIGHT = "Only members who may manage this channel or the server can change what is played here by default."
SET = "From now on /play begins with these rules here."
CLEARED = "{channel} has no default any more."
NO_DEFAULT = "{channel} has no default. Where nothing is said, /play begins with {rules}."


class ChannelDefaults(commands.Cog):
    """The rules that /play begins with in a channel; a thread has those of its channel."""

    channel = Group(name="default", description=locale_str("What /play begins with in this channel"), guild_only=True)

    def __init__(self, bot: Bigger) -> None:
        self.bot = bot

    @channel.command(name="set", description=locale_str("Let /play begin with these rules in this channel"))
    @app_commands.describe(rules=locale_str("A rule code, a preset, or house rules"))
    async def choose(self, interaction: Interaction, rules: str) -> None:
        """Set the default of a channel: a copy, which does not change when house rules do."""

        async def work() -> Reply:
            guild, channel = _here(interaction)
            _may_change(interaction)
            chosen = await start(self.bot.store, place(interaction), rules)
            known, user = chosen.rules, interaction.user.id
            kept = ChannelDefault(
                guild, channel, chosen.name, known.game, known.preset, known.changes, user, self.bot.now()
            )  # fmt: skip
            await self.bot.store.set_channel_default(kept)
            w = self.bot.private_words(interaction)
            return Reply(view=default(kept, known, w, notice=w(SET)))

        await self.bot.reply(interaction, work())

    @choose.autocomplete("rules")
    async def offer(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Offer presets and house rules."""
        return await offer_rules(interaction, current)

    @channel.command(name="show", description=locale_str("What /play begins with in this channel"))
    async def show(self, interaction: Interaction) -> None:
        """Show the default of a channel."""

        async def work() -> Reply:
            _, channel = _here(interaction)
            kept = await self.bot.store.channel_default(channel)
            w = self.bot.private_words(interaction)
            if kept is None:
                return Reply(text=w(NO_DEFAULT, channel=_mention(channel), rules=title(first(), w)))
            return Reply(view=default(kept, today(kept), w))

        await self.bot.reply(interaction, work())

    @channel.command(name="clear", description=locale_str("Let /play begin as it does everywhere"))
    async def clear(self, interaction: Interaction) -> None:
        """Take the default of a channel away."""

        async def work() -> Reply:
            _, channel = _here(interaction)
            _may_change(interaction)
            await self.bot.store.clear_channel_default(channel)
            return Reply(text=self.bot.private_words(interaction)(CLEARED, channel=_mention(channel)))

        await self.bot.reply(interaction, work())


def _here(interaction: Interaction) -> tuple[int, int]:
    """Return the server and the channel, which is the parent of a thread. Raises Refused elsewhere."""
    where = place(interaction)
    if where.guild is None or where.channel is None:
        raise Refused(SERVER_ONLY)
    return where.guild, where.channel


def _may_change(interaction: Interaction) -> None:
    if not (interaction.permissions.manage_channels or interaction.permissions.manage_guild):
        raise Refused(NO_RIGHT)


def _mention(channel: int) -> Said:
    return Said(f"<#{channel}>")


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    await bot.add_cog(ChannelDefaults(bot))
