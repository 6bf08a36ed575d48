"""House rules: rules saved under a name, by a player or for a server."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Self

from discord import app_commands
from discord.app_commands import Choice, Group, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club import saved_rules as kept_rules
from bot.club.saved_rules import SCOPES, address, current_rules, require, starting_rules
from bot.domain.house_rules import HouseRules
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import Reply
from bot.interactions.autocompletion import MAX_CHOICES, choice, matching, offering
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import SERVER_ONLY, Handler, Visit
from bot.localization import Localization
from bot.members.venues import asker, check_owner
from bot.rules.variants.registration import RegisteredGame
from bot.rules.variants.ruleset import Ruleset, write_code
from bot.show.kit.custom_ids import Browse
from bot.show.kit.words import Words, join, unmarked
from bot.show.rulebook.house_rules import OPEN, listed, shown
from bot.show.typed.games import matching_games, named
from bot.store.store import Store
from bot.wiring import Parts
from cogs.common.table_lookup import Interaction

SAVED = N_("{name} is saved.")
RENAMED = N_("{name} is now called {to}.")
DELETED = N_("{name} is deleted. Here's what it was, in case you want it back.")


async def rules_choices(store: Store, visit: Visit, played: Callable[[str], bool]) -> list[Choice[str]]:
    """Return the matching house rules and presets of the games played here.

    A rule code is typed or pasted, not offered. Each value is an unambiguous text for
    ``bot.club.saved_rules.starting_rules``. played: tells whether a game is played here.
    """
    typed: str | None = visit.options.get("game")
    games = [game for game in matching_games(typed) if played(game.name)]
    only = {game.name for game in games} if typed or len(games) < len(GAMES) else None
    kept = matching(visit.typed, await house_rules_choices(store, visit, only))[:MAX_CHOICES]
    presets = [_fitting(visit.typed, game, visit.w) for game in games]
    return [*kept, *trim_to_room(presets, MAX_CHOICES - len(kept))]


async def house_rules_choices(store: Store, visit: Visit, games: Collection[str] | None = None) -> list[Choice[str]]:
    """Return the house rules that a user can see here, marked with their owner.

    games: only house rules of these games, None for all.
    """
    w, choices = visit.w, []
    for owner in asker(visit.interaction).owners:
        for kept in await store.house_rules.of_owner(owner):
            if games is None or kept.game in games:
                own = owner.scope == "person"
                label = w("{name} (yours)" if own else "{name} (of the server)", name=unmarked(kept.name))
                choices.append(choice(label, address(kept)))
    return choices


def _presets(game: RegisteredGame, w: Words) -> list[Choice[str]]:
    """Return the presets of a game; a choice has no room for more than their names."""
    return [
        Choice(name=join((w(game.title), w(preset.title))), value=write_code(game, preset.name, {}))
        for preset in game.sheet.presets.values()
    ]


def _fitting(current: str, game: RegisteredGame, w: Words) -> list[Choice[str]]:
    """Return the presets of a game that match the typed text.

    Returns all presets if the text names the game, in any language.
    """
    choices = _presets(game, w)
    return choices if named(game, current) else matching(current, choices)


def trim_to_room(offered: list[list[Choice[str]]], room: int) -> list[Choice[str]]:
    """Return as many choices as fit, shortening the longest list of a game first."""
    left = [list(choices) for choices in offered]
    while sum(map(len, left)) > room:
        max(left, key=len).pop()
    return [choice for choices in left for choice in choices]


async def _all_rules(parts: Parts, visit: Visit) -> list[Choice[str]]:
    return await rules_choices(parts.store, visit, lambda _: True)


async def _kept(parts: Parts, visit: Visit) -> list[Choice[str]]:
    return matching(visit.typed, await house_rules_choices(parts.store, visit))


offer_rules, offer_house_rules = offering(_all_rules), offering(_kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRulesReplies:
    """Saves and shows house rules."""

    store: Store
    localization: Localization
    now: Callable[[], datetime]

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the shelf of a running bot."""
        return cls(store=parts.store, localization=parts.localization, now=parts.now)

    async def keep(self, visit: Visit, scope: str, name: str, *, rules: Ruleset, replace: bool = False) -> Reply:
        """Save rules under a name for "me" or the "server", and show them.

        Raises Refused with the obstacle.
        """
        interaction = visit.interaction
        owner = {owner.scope: owner for owner in asker(interaction).owners}.get(SCOPES[scope])
        if owner is None:
            raise Refused(SERVER_ONLY)
        check_owner(interaction, owner)
        kept = await kept_rules.save(
            self.store.house_rules, owner, name=name, rules=rules, by=visit.user, now=self.now(), replace=replace
        )
        return self.screen(visit, kept, notice=visit.w(SAVED, name=kept.name))

    def screen(self, visit: Visit, kept: HouseRules, notice: str | None = None) -> Reply:
        """Show house rules."""
        where = self.localization.server_name(visit.guild) if visit.guild else ""
        return Reply(view=shown(kept, current_rules(kept), visit.w, where=where, notice=notice))


@dataclass(kw_only=True, eq=False, repr=False)
class HouseRulesCog(commands.Cog):
    """The commands for house rules."""

    house = Group(name="houserules", description=locale_str("Save rules under a name, and choose a channel's rules"))

    shelf: HouseRulesReplies
    store: Store
    dispatcher: Dispatcher
    localization: Localization

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, OPEN, Handler(self.open))

    @house.command(name="save", description=locale_str("Save rules under a name"))
    @app_commands.rename(scope="for")
    @app_commands.choices(
        scope=[Choice(name=locale_str("Yourself"), value="me"), Choice(name=locale_str("This server"), value="server")]
    )
    @app_commands.describe(
        name=locale_str("What to call them"),
        rules=locale_str("A rule code, a preset, or other house rules"),
        scope=locale_str("Who they're for (you, if left empty)"),
        replace=locale_str("Overwrite others with this name"),
    )
    @app_commands.autocomplete(rules=offer_rules)
    async def save(
        self, interaction: Interaction, name: str, rules: str, *, scope: str = "me", replace: bool = False
    ) -> None:
        """Save rules under a name."""

        async def work(visit: Visit) -> Reply:
            kept = await starting_rules(self.store.house_rules, asker(interaction), rules)
            return await self.shelf.keep(visit, scope, name, rules=kept.rules, replace=replace)

        await self.dispatcher.reply(interaction, work)

    @house.command(name="list", description=locale_str("All house rules you can use here"))
    async def show_all(self, interaction: Interaction) -> None:
        """List the house rules of the user and of the server."""

        async def work(visit: Visit) -> Reply:
            read = {
                owner.scope: [(kept, current_rules(kept)) for kept in await self.store.house_rules.of_owner(owner)]
                for owner in asker(interaction).owners
            }
            where = self.localization.server_name(visit.guild) if visit.guild else None
            return Reply(view=listed(read, visit.w, where=where))

        await self.dispatcher.reply(interaction, work)

    @house.command(name="show", description=locale_str("House rules in words and as a rule code"))
    @app_commands.describe(name=locale_str("Which house rules"))
    @app_commands.autocomplete(name=offer_house_rules)
    async def show(self, interaction: Interaction, name: str) -> None:
        """Show one set of house rules."""
        await self.dispatcher.reply(interaction, partial(self._show, name=name))

    async def open(self, click: Visit) -> Reply:
        """Show the house rules chosen in a list."""
        return await self._show(click, ":".join((*click.browse.args, click.one(str))))

    async def _show(self, visit: Visit, name: str) -> Reply:
        return self.shelf.screen(visit, await require(self.store.house_rules, asker(visit.interaction), name))

    @house.command(name="rename", description=locale_str("Give house rules another name"))
    @app_commands.describe(name=locale_str("Which house rules"), to=locale_str("What to call them from now on"))
    @app_commands.autocomplete(name=offer_house_rules)
    async def rename(self, interaction: Interaction, name: str, to: str) -> None:
        """Rename house rules."""

        async def work(visit: Visit) -> Reply:
            kept = await self._to_change(interaction, name)
            called = await kept_rules.rename(self.store.house_rules, kept, to)
            return Reply(text=visit.w(RENAMED, name=kept.name, to=called))

        await self.dispatcher.reply(interaction, work)

    @house.command(name="delete", description=locale_str("Delete house rules"))
    @app_commands.describe(name=locale_str("Which house rules"))
    @app_commands.autocomplete(name=offer_house_rules)
    async def delete(self, interaction: Interaction, name: str) -> None:
        """Delete house rules; reply with their rule code for a later restoration."""

        async def work(visit: Visit) -> Reply:
            kept = await self._to_change(interaction, name)
            await self.store.house_rules.delete(kept.owner, kept.name)
            return self.shelf.screen(visit, kept, notice=visit.w(DELETED, name=kept.name))

        await self.dispatcher.reply(interaction, work)

    async def _to_change(self, interaction: Interaction, name: str) -> HouseRules:
        """Return house rules that the user may change. Raises Refused."""
        kept = await require(self.store.house_rules, asker(interaction), name)
        check_owner(interaction, kept.owner)
        return kept


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        HouseRulesCog(
            shelf=HouseRulesReplies.of(parts),
            store=parts.store,
            dispatcher=parts.dispatcher,
            localization=parts.localization,
        )
    )
