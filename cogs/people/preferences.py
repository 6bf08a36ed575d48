"""The preferences of a user."""

from __future__ import annotations

from dataclasses import dataclass

from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import STALE, Handler, Visit
from bot.members.preferences import PreferenceCache
from bot.show.kit.custom_ids import Browse
from bot.show.kit.phrases import person
from bot.show.people.preferences import CHANGE_BLOCKS, CHOOSE, CHOSEN, FORMER, choices, parted
from bot.store.errors import LimitReached
from bot.store.store import Store
from cogs.common.table_lookup import Interaction

ONESELF = N_("That's you. Choose someone else.")
TOO_MANY = N_("Your don't-play-with list is full. Remove someone first (choose them again).")


@dataclass(kw_only=True, eq=False, repr=False)
class PreferencesCog(commands.Cog):
    """The screen of preferences, and blocks between two users."""

    store: Store
    dispatcher: Dispatcher
    preferences: PreferenceCache

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, CHOOSE, Handler(self.choose, QUIETLY))
        self.dispatcher.register(Browse, CHANGE_BLOCKS, Handler(self.apart, QUIETLY))

    @in_command_group("my", "choices", locale_str("My preferences: sorting, direct messages"))
    async def choices(self, interaction: Interaction) -> None:
        """Show the user's preferences."""
        await self.dispatcher.reply(interaction, self._screen)

    async def choose(self, click: Visit) -> Reply:
        """Save a preference."""
        field, value = _chosen(*click.browse.args)
        locale = {"locale": str(click.interaction.locale)} if field == "mirror" else {}
        await self.preferences.change(click.user, **{field: value}, **locale)
        return await self._screen(click)

    async def apart(self, click: Visit) -> Reply:
        """Block the chosen user, or remove the block."""
        other = click.one(lambda value: UserId(int(value)))
        if other == click.user:
            raise Refused(ONESELF)
        try:
            now = await self.store.social.toggle_block(click.user, other)
        except LimitReached:
            raise Refused(TOO_MANY) from None
        return await self._screen(click, parted(person(other, click.w), click.w, apart=now))

    async def _screen(self, visit: Visit, notice: str | None = None) -> Reply:
        preferences, apart = await self.preferences.of(visit.user), await self.store.social.count_blocks(visit.user)
        return Reply(view=choices(preferences, visit.w, apart, notice), at=visit.own)


def _chosen(name: str, wanted: str = "") -> tuple[str, object]:
    """Return the field of a preference and its new value. Raises Refused if unknown."""
    field, values = FORMER.get(name) or (name, CHOSEN.get(name))
    if values is None or wanted not in ("0", "1"):
        raise Refused(STALE)
    return field, values[int(wanted)]


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(PreferencesCog(store=parts.store, dispatcher=parts.dispatcher, preferences=parts.preferences))
