"""Changing the rules of a lobby: the host's menu, click by click."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from discord.ext import commands

from bot.client import Bigger
from bot.club.saved_rules import starting_rules
from bot.domain.message_ids import N_
from bot.domain.pace import Pace, with_times_of
from bot.games import GAMES
from bot.interactions.answers import DONE, QUIETLY, QUIETLY_FIRST, WITH_FORM, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.guards import require_access_from_screen, require_host
from bot.interactions.visit import Handler, Visit
from bot.members.admission import Admission
from bot.members.venues import asker
from bot.rules.core.sentences import Illegal
from bot.rules.variants.lengths import lengths
from bot.rules.variants.ruleset import Ruleset
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.lobby import options as menus
from bot.show.table import paces
from bot.show.typed.durations import Unclear
from bot.store.store import Store
from bot.table.core.commands import ChangePace, ChangeRules
from bot.table.registry import TableRegistry
from bot.table.table import Table
from cogs.rulebook.house_rules import HouseRulesReplies
from cogs.server.moderation import TableMenus

NO_TIMES = N_("That doesn't work here. These times do:")


@dataclass(kw_only=True, eq=False, repr=False)
class RuleOptionsCog(commands.Cog):
    """The menu of rule options.

    No state is kept in memory: each component's address says what to change.
    """

    table_menus: TableMenus
    shelf: HouseRulesReplies
    store: Store
    dispatcher: Dispatcher
    admission: Admission
    tables: TableRegistry

    def __post_init__(self) -> None:
        guards = (
            require_access_from_screen(lambda table: self.tables.get(table), self.admission.check),
            require_host,
        )  # none yet
        self.dispatcher.register(Press, Verb.CHANGE, Handler(self.menu, guards=(require_host,)))
        self.dispatcher.register(Press, Verb.LENGTH, Handler(self.length, QUIETLY, (require_host,)))
        self.dispatcher.register(Press, Verb.PACE, Handler(self.times_alone, QUIETLY, (require_host,)))
        self.dispatcher.register(Browse, menus.DONE, Handler(self.close, QUIETLY_FIRST))
        for verb, work in (
            (menus.MENU, self.menu),
            (menus.FURTHER, self.further),
            (menus.GROUP, self.group),
            (menus.OPTION, self.option),
            (menus.SET, self.set),
            (menus.PLAIN, self.plain),
            (menus.PRESET, self.preset),
            (paces.PACE, self.pace),
            (paces.GIVE_AWAY, self.pace),
            (paces.GIVE_HINTS, self.pace),
            (paces.GIVE_REACTIONS, self.reactions),
        ):
            self.dispatcher.register(Browse, verb, Handler(work, QUIETLY, guards))
        for verb, work in (
            (menus.TYPE, self.ask_value),
            (menus.CODE, self.ask_code),
            (menus.SAVE, self.ask_name),
            (paces.OTHER, self.ask_times),
        ):
            self.dispatcher.register(Browse, verb, Handler(work, WITH_FORM, guards))
        for verb, work in (
            (menus.TYPE, self.typed),
            (menus.CODE, self.coded),
            (menus.SAVE, self.named),
            (paces.OTHER, self.times),
        ):
            self.dispatcher.register_form(verb, work, *guards)

    # Pages

    async def menu(self, click: Visit) -> Reply:
        """Show the first page."""
        return self._menu(click, click.table)

    async def further(self, click: Visit) -> Reply:
        """Show the page of further settings."""
        return self._further(click, click.table)

    async def close(self, click: Visit) -> Reply:
        """Take the menu away: the board shows the rules."""
        if click.own is not None:
            await click.own.delete()
        return DONE

    async def group(self, click: Visit) -> Reply:
        """Show the options of the chosen group, or of the group to go back to."""
        table, w = click.table, click.w
        back = "".join(click.browse.args[1:])
        group = back or click.chosen_from(table.ruleset.known.sheet.groups)
        return Reply(view=menus.group_page(table.scene(None), group, w), at=click.own)

    async def option(self, click: Visit) -> Reply:
        """Show the chosen option."""
        table = click.table
        return self._option(click, table, click.chosen_from(table.ruleset.known.sheet.options))

    # Changing

    async def set(self, click: Visit) -> Reply:
        """Change an option; on a conflict, show it and offer to change both options."""
        table = click.table
        wanted = click.one(lambda value: menus.chosen(value, table.scene(None)))
        return await self._change(click, table, click.browse.args[1], wanted)

    async def plain(self, click: Visit) -> Reply:
        """Reset one option, or all, to the preset."""
        table, names = click.table, click.browse.args[1:]
        if names:
            wanted = {names[0]: Ruleset(GAMES[table.row.game], table.row.preset).value(names[0])}
            return await self._change(click, table, names[0], wanted)
        await table.do(ChangeRules(click.user, lambda rules: Ruleset.of(rules.known, rules.preset)))
        return self._further(click, table)

    async def preset(self, click: Visit) -> Reply:
        """Start over with another preset."""
        table = click.table
        preset = click.chosen_from(table.ruleset.known.presets)
        await table.do(ChangeRules(click.user, lambda rules: Ruleset.of(rules.known, preset)))
        return self._menu(click, table)

    async def length(self, click: Visit) -> Reply:
        """Change the length of the match, from the menu of the lobby."""
        table = click.table
        code = click.chosen_from(lengths(table.ruleset))
        await table.do(ChangeRules(click.user, lambda rules: lengths(rules)[code]))
        return await self.table_menus.show(click, table)

    async def times_alone(self, click: Visit) -> Reply:
        """Change the kind and the times of the pace, from the menu of the lobby."""
        table, wanted = click.table, click.one(_readable_pace)
        pace = with_times_of(table.row.pace, wanted, stakes=table.row.stakes)
        await table.do(ChangePace(click.user, pace))
        return await self.table_menus.show(click, table)

    async def pace(self, click: Visit) -> Reply:
        """Change the pace."""
        table, wanted = click.table, click.one(_readable_pace)
        if click.browse.verb != paces.GIVE_HINTS:
            wanted = replace(wanted, hints=table.row.pace.hints, rotate=table.row.pace.rotate)
        wanted = replace(wanted, reactions=table.row.pace.reactions)
        await table.do(ChangePace(click.user, wanted))
        return self._further(click, table)

    async def reactions(self, click: Visit) -> Reply:
        """Change whether players may react; no agreement is necessary."""
        table, wanted = click.table, click.one(_readable_pace)
        await table.do(ChangePace(click.user, replace(table.row.pace, reactions=wanted.reactions)))
        return self._further(click, table)

    async def _change(self, click: Visit, table: Table, name: str, wanted: dict[str, Any]) -> Reply:
        """Change options and show the page of the first one."""
        try:
            await table.do(ChangeRules(click.user, lambda rules: rules.but(**wanted)))
        except Illegal as illegal:
            w = click.w
            notice, offers = menus.refused(illegal, w), table.ruleset.together(wanted)
            view = menus.option_page(table.scene(None), name, w, notice=notice, wanted=wanted, offers=offers)
            return Reply(view=view, at=click.own)
        return self._option(click, table, name)

    # Typing

    async def ask_value(self, click: Visit) -> Reply:
        """Ask for a value outside the listed choices."""
        scene, w = click.table.scene(None), click.w
        return Reply(form=menus.value_form(scene, click.browse.args[1], w))

    async def ask_code(self, click: Visit) -> Reply:
        """Ask for a rule code."""
        scene = click.table.scene(None)
        return Reply(form=menus.code_form(scene, click.w))

    async def ask_name(self, click: Visit) -> Reply:
        """Ask for the name under which to save these rules."""
        scene = click.table.scene(None)
        return Reply(form=menus.save_form(scene, click.w))

    async def ask_times(self, click: Visit) -> Reply:
        """Ask for times outside the listed ones."""
        return Reply(form=paces.times_form(click.table.scene(None), click.w))

    async def times(self, click: Visit) -> Reply:
        """Set the typed pace; if not possible, say what is."""
        table, w = click.table, click.w
        try:
            wanted = paces.filled(click.filled, table.row.pace)
        except Unclear as no:
            return self._further(click, table, paces.unclear(no, w))
        except (ValueError, KeyError, StopIteration):
            return self._further(click, table, f"{w(NO_TIMES)}\n{paces.bounds(w)}")
        await table.do(ChangePace(click.user, wanted))
        return self._further(click, table)

    async def typed(self, click: Visit) -> Reply:
        """Set an option to the typed value; if unreadable, say which values are possible."""
        written, w = click.filled[menus.VALUE], click.w
        table, name = click.table, click.browse.args[1]
        scene = table.scene(None)
        try:
            value = menus.typed(written, name, scene)
        except ValueError:
            notice = menus.unread(written, name, scene, w)
            return Reply(view=menus.option_page(scene, name, w, notice=notice), at=click.own)
        return await self._change(click, table, name, {name: value})

    async def coded(self, click: Visit) -> Reply:
        """Set the rules of a typed rule code, preset or name of house rules."""
        interaction, table = click.interaction, click.table
        chosen = await starting_rules(
            self.store.house_rules, asker(interaction), click.filled[menus.CODE], table.row.game
        )
        await table.do(ChangeRules(click.user, lambda _: chosen.rules))
        return self._further(click, table)

    async def named(self, click: Visit) -> Reply:
        """Save the rules of the table under a name."""
        table, filled = click.table, click.filled
        return await self.shelf.keep(click, filled[menus.SCOPE], filled[menus.NAME], rules=table.ruleset)

    # Shared parts

    def _further(self, click: Visit, table: Table, notice: str | None = None) -> Reply:
        return Reply(view=menus.further(table.scene(None), click.w, notice), at=click.own)

    def _menu(self, click: Visit, table: Table) -> Reply:
        return Reply(view=menus.menu(table.scene(None), click.w), at=click.own)

    def _option(self, click: Visit, table: Table, name: str) -> Reply:
        view = menus.option_page(table.scene(None), name, click.w)
        return Reply(view=view, at=click.own)


def _readable_pace(value: str) -> Pace:
    """Return the pace of a value of a menu. Raises ValueError."""
    return paces.within(Pace.read(value))


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        RuleOptionsCog(
            table_menus=TableMenus.of(parts),
            shelf=HouseRulesReplies.of(parts),
            store=parts.store,
            dispatcher=parts.dispatcher,
            admission=parts.admission,
            tables=parts.tables,
        )
    )
