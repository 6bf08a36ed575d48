"""Cutting the cards before the first deal."""

from __future__ import annotations

from dataclasses import dataclass

from discord.ext import commands

from bot.client import Bigger
from bot.domain.names import clean
from bot.interactions.answers import QUIETLY, WITH_FORM, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.guards import require_access_from_screen
from bot.interactions.visit import Handler, Visit
from bot.members.admission import Admission
from bot.rules.matches.seal import seal
from bot.show.kit.custom_ids import Press, Verb
from bot.show.lobby.cut import CUTTING, PICTURES, WORD, cutting, word_form
from bot.table.core.chairs import own_seat
from bot.table.core.commands import CutCards
from bot.table.core.lobby import check_lobby
from bot.table.registry import TableRegistry
from bot.table.table import Table


@dataclass(kw_only=True, eq=False, repr=False)
class CutCog(commands.Cog):
    """Collects the words that players add to the seed of the deals."""

    dispatcher: Dispatcher
    admission: Admission
    tables: TableRegistry

    def __post_init__(self) -> None:
        self.dispatcher.register(Press, Verb.CUT, Handler(self.cut, QUIETLY))
        self.dispatcher.register(Press, Verb.CUT_TYPED, Handler(self.ask, WITH_FORM))
        self.dispatcher.register_form(
            CUTTING,
            self.typed,
            require_access_from_screen(lambda table: self.tables.get(table), self.admission.check),
        )

    async def cut(self, click: Visit) -> Reply:
        """Show the screen of the cut; cut with the picture of the button, if any."""
        table, at = click.table, click.button.at
        if at is not None and at <= len(PICTURES):
            await table.do(CutCards(click.user, PICTURES[at - 1] if at else ""))
        return await self._screen(click, table)

    async def ask(self, click: Visit) -> Reply:
        """Ask for a word."""
        table = click.table
        await self._only_seated(click, table)
        return Reply(form=word_form(table.scene(click.user), _word(click, table), click.w))

    async def typed(self, click: Visit) -> Reply:
        """Cut with the typed word; without one, withdraw the cut."""
        await click.table.do(CutCards(click.user, clean(click.filled[WORD], "")))
        return await self._screen(click, click.table)

    async def _screen(self, click: Visit, table: Table) -> Reply:
        await self._only_seated(click, table)
        shown = cutting(table.scene(click.user), seal(table.row.seed, 1, 0), _word(click, table), click.w)
        return Reply(view=shown, at=click.own)

    async def _only_seated(self, click: Visit, table: Table) -> None:
        """Raise Refused unless the user has a seat and the match has not begun."""
        await table.check(check_lobby)
        own_seat(table.row.chairs, click.user)


def _word(click: Visit, table: Table) -> str:
    """Return the word of the user's cut, "" without a cut."""
    return next((cut.word for cut in table.row.cuts if cut.user == click.user), "")


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(CutCog(dispatcher=parts.dispatcher, admission=parts.admission, tables=parts.tables))
