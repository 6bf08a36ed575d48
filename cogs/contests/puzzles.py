"""Puzzles: a few a week in each game, the same for every player."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.puzzles import Puzzles
from bot.club.saved_rules import starting_rules
from bot.domain.names import clean
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import STALE, Handler, Visit
from bot.members.venues import asker
from bot.show.contests import puzzles
from bot.show.kit.custom_ids import Browse
from bot.store.store import Store
from cogs.common.table_lookup import Interaction


@dataclass(kw_only=True, eq=False, repr=False)
class PuzzlesCog(commands.Cog):
    """The puzzles of a week: find the best play in a position."""

    store: Store
    dispatcher: Dispatcher
    weekly: Puzzles

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, puzzles.PUZZLES, Handler(self.show, QUIETLY))
        self.dispatcher.register(Browse, puzzles.PUZZLE, Handler(self.open, QUIETLY))
        self.dispatcher.register(Browse, puzzles.AGAIN, Handler(self.again, QUIETLY))
        self.dispatcher.register(Browse, puzzles.SOLVE, Handler(self.solve, QUIETLY))

    @in_command_group("learn", "puzzles", locale_str("Six puzzles a week: find the best play"))
    @app_commands.choices(game=[Choice(name=locale_str(game.title), value=game.name) for game in GAMES.values()])
    @app_commands.describe(game=locale_str("Which game"))
    async def puzzles(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the user's progress in a game, by default the game last played here."""

        async def work(visit: Visit) -> Reply:
            found = (await starting_rules(self.store.house_rules, asker(interaction), None, game)).rules.game
            return await self._overview(visit, found)

        await self.dispatcher.reply(interaction, work)

    async def show(self, click: Visit) -> Reply:
        """Show the user's progress in the game of the address or of the menu."""
        return await self._overview(click, click.browse.args[0] if click.browse.args else click.chosen_from(GAMES))

    async def open(self, click: Visit) -> Reply:
        """Show a puzzle, with the solution once the user has answered."""
        game, week, number = click.browse.args
        return await self._puzzle(click, game, _day(week), _number(number))

    async def again(self, click: Visit) -> Reply:
        """Show the answered puzzle that the user chose in the menu."""
        game, week = click.browse.args
        return await self._puzzle(click, game, _day(week), click.one(int))

    async def solve(self, click: Visit) -> Reply:
        """Save the user's answer to a puzzle and show the solution."""
        game, week, number, choice = click.browse.args
        day, at = _day(week), _number(number)
        await self.weekly.answer(click.user, _known_game(game), day, at, choice=_number(choice))
        return await self._puzzle(click, game, day, at)

    async def _overview(self, visit: Visit, game: str) -> Reply:
        progress = await self.weekly.progress(visit.user, _known_game(game))
        return Reply(view=puzzles.puzzles(progress, visit.w), at=visit.own)

    async def _puzzle(self, click: Visit, game: str, week: date, number: int) -> Reply:
        name = clean(click.interaction.user.display_name)
        asked = await self.weekly.puzzle_scene(_known_game(game), week, number, name)
        progress = await self.weekly.progress(click.user, game)
        answer = progress.answers[number]
        if answer is None:
            return Reply(view=puzzles.unsolved_puzzle(progress, number, asked, click.w), at=click.own)
        found = await self.weekly.solution(game, answer)
        return Reply(view=puzzles.solved(progress, number, asked, found, w=click.w), at=click.own)


def _known_game(game: str) -> str:
    """Return the name of a game. Raises Refused if no such game is registered."""
    if game not in GAMES:
        raise Refused(STALE)
    return game


def _day(text: str) -> date:
    """Return the date of an address. Raises Refused if the text is no date."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(STALE) from None


def _number(text: str) -> int:
    """Return the number in an address. Raises Refused if the text is no number."""
    if not text.isdecimal():
        raise Refused(STALE)
    return int(text)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(PuzzlesCog(store=parts.store, dispatcher=parts.dispatcher, weekly=parts.puzzles))
