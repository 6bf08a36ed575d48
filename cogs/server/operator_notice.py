"""The operator's decisions: notices on boards, no new tables, bans.

The commands are registered on the server named in the settings, and only the operator can use them.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

import discord
from discord.app_commands import Choice, Group, choices, describe
from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.ids import GuildId
from bot.domain.operator_notice import (
    BANNED_KINDS,
    NO_NOTICE,
    BannedKind,
    OperatorCommand,
    OperatorNotice,
    OperatorState,
    OperatorVerb,
)
from bot.domain.refusals import Refused
from bot.interactions.answers import Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Visit
from bot.members.operator_notice import OperatorDecisions
from bot.runtime.discord_requests import UNREACHED
from bot.settings import Settings
from bot.show.table.operator_notice import FOLLOWS, NO_NUMBER, NOT_YOURS, TOO_LONG, standing
from bot.store.store import Store
from bot.table.registry import TableRegistry
from cogs.common.table_lookup import Interaction

log = logging.getLogger(__name__)

LOAD_PAUSE = 1.0  # seconds between two tables that have to be loaded
BAN_CHOICES = [Choice(name=kind, value=kind) for kind in BANNED_KINDS]
ORDERED_FROM = "Discord"
MAX_DIGITS = 20  # of a Discord id


@dataclass(kw_only=True, eq=False, repr=False)
class OperatorDecisionsCog(commands.Cog):
    """Applies the operator's decisions, wherever they were made."""

    client: discord.Client
    store: Store
    decisions: OperatorDecisions
    tables: TableRegistry
    delivery: TableDelivery

    @commands.Cog.listener()
    async def on_upkeep_changed(self, before: OperatorState) -> None:
        """Show a new notice on all boards, and leave newly banned servers."""
        now = self.decisions.known
        if now.banned - before.banned:
            await self._leave_banned()
        if now.notice != before.notice:
            await self._show(now.notice)

    async def _show(self, notice: OperatorNotice) -> None:
        """Show a notice on all boards, until another one replaces it.

        Loaded tables come first. The others are loaded one by one with pauses, to fit into memory.
        """
        tables = self.tables
        for number in sorted(await self.store.tables.open_tables(), key=lambda number: number not in tables):
            if number not in tables:
                await asyncio.sleep(LOAD_PAUSE)
            if self.decisions.known.notice is not notice:
                return
            self.delivery.changed(await tables.get(number))
        await self.store.notes.remember(self._noted, str(notice))

    @property
    def _noted(self) -> str:
        """The key under which the store remembers the notice on this process's boards."""
        share = self.store.share
        return f"notice on boards {share.count} {sorted(share.held)}"

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Leave servers banned during an outage, and show a notice not shown yet."""
        await self._leave_banned()
        notice, shown = self.decisions.known.notice, await self.store.notes.recall(self._noted)
        if str(notice) != (shown if shown is not None else str(NO_NOTICE)):
            await self._show(notice)

    async def _leave_banned(self) -> None:
        for guild in self.client.guilds:
            await self.on_guild_join(guild)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Leave a banned server."""
        if not self.decisions.is_banned("server", GuildId(guild.id)):
            return
        try:
            await guild.leave()
        except UNREACHED as error:
            log.warning("Server %s could not be left; it will be at the next start: %s", guild.id, error)


@dataclass(kw_only=True, eq=False, repr=False)
class OperatorCommandsCog(commands.Cog):
    """The operator's commands."""

    upkeep = Group(
        name="upkeep",
        description="For the operator of this bot",
        default_permissions=discord.Permissions(administrator=True),
        guild_only=True,
    )

    client: commands.AutoShardedBot
    settings: Settings
    dispatcher: Dispatcher
    decisions: OperatorDecisions

    @upkeep.command(name="show", description="Show the current decisions and the latest changes")
    async def show(self, interaction: Interaction) -> None:
        """Show the decisions in force and the latest ones."""

        async def work(visit: Visit) -> Reply:
            await self._require_operator(visit)
            await self.decisions.poll()
            return Reply(text=standing(self.decisions.known, visit.w))

        await self.dispatcher.reply(interaction, work)

    @upkeep.command(name="close", description="Stop new tables, with a notice on every board")
    @describe(text="In your own words")
    async def close(self, interaction: Interaction, text: str = "") -> None:
        """Open no new tables, and announce the reason on every board."""
        await self._order(interaction, "close", text)

    @upkeep.command(name="open", description="Allow new tables again and remove the notice")
    async def open(self, interaction: Interaction) -> None:
        """Open new tables again."""
        await self._order(interaction, "open")

    @upkeep.command(name="announce", description="Put a notice on every board, or remove it by leaving the text empty")
    @describe(text="In your own words")
    async def announce(self, interaction: Interaction, text: str = "") -> None:
        """Put a notice on every board."""
        await self._order(interaction, "announce", text)

    @upkeep.command(name="ban", description="Ban a person, or a server, which the bot then leaves")
    @describe(kind="A person or a server", number="Their number on Discord: Developer Mode, Copy ID")
    @choices(kind=BAN_CHOICES)
    async def ban(self, interaction: Interaction, kind: str, number: str) -> None:
        """Ban a user or a server."""
        await self._order(interaction, "ban", who=(kind, number))

    @upkeep.command(name="unban", description="Lift a ban")
    @describe(kind="A person or a server", number="Their number on Discord: Developer Mode, Copy ID")
    @choices(kind=BAN_CHOICES)
    async def unban(self, interaction: Interaction, kind: str, number: str) -> None:
        """Lift a ban."""
        await self._order(interaction, "unban", who=(kind, number))

    async def _order(
        self, interaction: Interaction, verb: OperatorVerb, text: str = "", who: tuple[str, str] | None = None
    ) -> None:
        async def work(visit: Visit) -> Reply:
            await self._require_operator(visit)
            try:
                await self.decisions.order(
                    OperatorCommand(verb, text, self._marked(*who) if who else None), ORDERED_FROM
                )
            except ValueError:
                raise Refused(TOO_LONG, n=len(text)) from None
            return Reply(text=f"{visit.w(FOLLOWS)}\n{standing(self.decisions.known, visit.w)}")

        await self.dispatcher.reply(interaction, work)

    def _marked(self, kind: str, number: str) -> tuple[BannedKind, str]:
        chosen: BannedKind = "server" if kind == "server" else "person"
        if not number.isascii() or not number.isdecimal() or len(number) > MAX_DIGITS:
            raise Refused(NO_NUMBER)
        return chosen, self.decisions.mark_of(chosen, int(number))

    async def _require_operator(self, visit: Visit) -> None:
        """Raise Refused unless the operator uses the command on the operator's server.

        Discord's own permissions for the command may be wider.
        """
        there = visit.guild == self.settings.owner_server
        if not there or not await self.client.is_owner(visit.interaction.user):
            raise Refused(NOT_YOURS)


async def setup(bot: Bigger) -> None:
    """Add what follows, and the commands on the server where they belong; nowhere without one."""
    parts = bot.parts
    await bot.add_cog(
        OperatorDecisionsCog(
            client=bot, store=parts.store, decisions=parts.decisions, tables=parts.tables, delivery=parts.delivery
        )
    )
    if server := parts.settings.owner_server:
        await bot.add_cog(
            OperatorCommandsCog(
                client=bot, settings=parts.settings, dispatcher=parts.dispatcher, decisions=parts.decisions
            ),
            guild=discord.Object(server),
        )
