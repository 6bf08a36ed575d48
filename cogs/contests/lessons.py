"""Lessons: a first hand on a prepared deal against easy bots, with a coach."""

from __future__ import annotations

from dataclasses import dataclass

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.practice import Practice
from bot.club.saved_rules import starting_rules
from bot.games import GAMES, LESSONS
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.members.venues import asker
from bot.show.contests.practice import LESSON
from bot.show.kit.custom_ids import Browse
from bot.store.store import Store
from cogs.common.hand_replies import HandReplies
from cogs.common.table_lookup import Interaction
from cogs.contests.practice import practice_player, show_practice_hand


@dataclass(kw_only=True, eq=False, repr=False)
class LessonsCog(commands.Cog):
    """The command and the button that begin or resume a lesson."""

    hands: HandReplies
    store: Store
    dispatcher: Dispatcher
    practice_hands: Practice

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, LESSON, Handler(self.begin, QUIETLY))

    @in_command_group("learn", "lesson", locale_str("Learn a game by playing, step by step"))
    @app_commands.choices(game=[Choice(name=locale_str(GAMES[name].title), value=name) for name in LESSONS])
    @app_commands.describe(game=locale_str("Which game"))
    async def lesson(self, interaction: Interaction, game: str | None = None) -> None:
        """Begin the lesson of a game, or resume it."""

        async def work(visit: Visit) -> Reply:
            known = game or await self._usual_game(visit)
            return await self._show(visit, known)

        await self.dispatcher.reply(interaction, work)

    async def begin(self, click: Visit) -> Reply:
        """Begin or resume the lesson of the button, in a message of its own.

        The clicked message may be the one that holds a seat.
        """
        return await self._show(click, "".join(click.browse.args))

    async def _usual_game(self, visit: Visit) -> str:
        """Return the user's open lesson, else the game usually played here."""
        current = await self.practice_hands.current_lesson(visit.user)
        if current is not None:
            return current.row.game
        return (await starting_rules(self.store.house_rules, asker(visit.interaction))).rules.game

    async def _show(self, visit: Visit, game: str) -> Reply:
        table = await self.practice_hands.begin_lesson(practice_player(visit), game)
        if visit.guild is not None:
            await self.store.social.offer_lesson(visit.user, visit.guild, game)
        return await show_practice_hand(self.hands, visit, table)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        LessonsCog(
            hands=HandReplies.of(parts),
            store=parts.store,
            dispatcher=parts.dispatcher,
            practice_hands=parts.practice,
        )
    )
