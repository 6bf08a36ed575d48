"""Practice: a solo hand against house players, by any rules."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.practice import Practice, PracticePlayer, offered_levels
from bot.club.saved_rules import starting_rules
from bot.delivery.table_delivery import TableDelivery
from bot.domain.chairs import Level
from bot.domain.contests import PRACTICE_KINDS
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.autocompletion import choice, matching, offering
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.flood_limits import enter_expensive_turn
from bot.interactions.private_replies import PrivateMessage
from bot.interactions.visit import Handler, Visit
from bot.localization import Localization
from bot.members.admission import NO_TABLE_HERE
from bot.members.preferences import PreferenceCache
from bot.members.venues import asker
from bot.runtime.workers import Workers
from bot.show.contests.practice import ANOTHER
from bot.show.hand.panel import PanelTab, hand_menu
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.house_levels import level as called
from bot.show.typed.games import matching_games
from bot.store.store import Store
from bot.table.core.chairs import seat_of
from bot.table.registry import TableRegistry
from bot.table.table import Table
from bot.table.transcripts import MIN_FOR_WORKER
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies
from cogs.common.table_lookup import Interaction
from cogs.play.actions import REPLY_WAIT, PlayerActions, PlayerClick
from cogs.rulebook.house_rules import offer_rules

NOT_LIKE_THAT = N_("Bots don't have that level under these rules. Choose one of the levels shown.")


async def _levels(parts: Parts, visit: Visit) -> list[Choice[str]]:
    """Return the levels that differ under the rules chosen so far."""
    games, preset = matching_games(visit.options.get("game")), visit.options.get("preset")  # may be typed in part only
    game = games[0].name if len(games) == 1 else None
    found = await starting_rules(parts.store.house_rules, asker(visit.interaction), preset, game)
    return matching(visit.typed, [choice(called(level, visit.w), str(level)) for level in offered_levels(found.rules)])


@dataclass(kw_only=True, eq=False, repr=False)
class PracticeCog(commands.Cog):
    """Practice hands and their buttons."""

    hands: HandReplies
    actions: PlayerActions
    store: Store
    workers: Workers
    dispatcher: Dispatcher
    preferences: PreferenceCache
    localization: Localization
    tables: TableRegistry
    delivery: TableDelivery
    practice_hands: Practice

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, ANOTHER, Handler(self.another, QUIETLY))
        self.dispatcher.register(Press, Verb.SAME_CARDS, Handler(self.same_cards, QUIETLY))
        self.dispatcher.register(Press, Verb.UNDO, Handler(self.undo, QUIETLY))
        self.dispatcher.register(Press, Verb.NEXT_LEVEL, Handler(self.actions.on_click(self.next_level), QUIETLY))

    @in_command_group("learn", "practice", locale_str("Play alone against bots"))
    @app_commands.choices(game=[Choice(name=locale_str(game.title), value=game.name) for game in GAMES.values()])
    @app_commands.describe(
        game=locale_str("Which game"),
        preset=locale_str("Which version of the rules, or which house rules"),
        level=locale_str("How well the bots play"),
    )
    @app_commands.autocomplete(preset=offer_rules, level=offering(_levels))
    async def practice(
        self, interaction: Interaction, game: str | None = None, preset: str = "", level: str | None = None
    ) -> None:
        """Deal a practice hand, or resume the player's open one."""

        async def work(visit: Visit) -> Reply:
            found = await starting_rules(self.store.house_rules, asker(interaction), preset, game)
            if level is not None:
                await self._choose(visit, level, offered_levels(found.rules))
            table = await self.practice_hands.begin(
                practice_player(visit), found.rules, at_preferred_level=level is not None
            )
            return await show_practice_hand(self.hands, visit, table, visit.own)

        await self.dispatcher.reply(interaction, work)

    async def another(self, click: Visit) -> Reply:
        """Deal other cards by the same rules, in place of the last hand."""
        try:
            table = await self.tables.get(click.browse.table)
        except Refused:  # deleted when a newer practice table replaced it
            if (now := await self.practice_hands.current(click.user)) is None:
                raise
            return await show_practice_hand(self.hands, click, now, click.own)
        return await self._replace_hand(click, table, self.practice_hands.other_cards)

    async def same_cards(self, click: Visit) -> Reply:
        """Deal the same cards again."""
        return await self._replace_hand(click, click.table, self.practice_hands.same_cards)

    async def undo(self, click: Visit) -> Reply:
        """Go back to the position before the player's last action."""
        return await self._replace_hand(click, click.table, self.practice_hands.take_back)

    async def _replace_hand(
        self, click: Visit, table: Table, go: Callable[[Table, PracticePlayer], Awaitable[Table]]
    ) -> Reply:
        """Replace a practice hand with the hand that `go` makes from its table.

        A hand out of a long match costs a turn at the workers: the whole match is copied and replayed.
        """
        check_own_practice(table, click.user)
        async with AsyncExitStack() as stack:
            if len(table.row.steps) >= MIN_FOR_WORKER:
                await stack.enter_async_context(enter_expensive_turn(self.workers, click))
            if click.own is not None:
                self.delivery.hands.left(click.user, click.own.id)
            return await show_practice_hand(self.hands, click, await go(table, practice_player(click)), click.own)

    async def next_level(self, click: PlayerClick) -> Reply:
        """Set the level of house players in the next hands, and redraw the clicked screen."""
        visit, scene = click.visit, click.scene
        check_own_practice(visit.table, visit.user)
        await self._choose(visit, visit.chosen_from(scene.terms.levels), scene.terms.levels)
        if not scene.open:
            return await click.redraw()
        return self.hands.show_tab(
            visit, visit.table, hand_menu(scene, visit.w, level=visit.preferences.level), tab=PanelTab.MENU
        )

    async def _choose(self, visit: Visit, level: str, known: Sequence[Level]) -> None:
        """Save the player's level for house players.

        Raises Refused for a level that these rules do not offer.
        """
        if level not in known:
            raise Refused(NOT_LIKE_THAT)
        await self.preferences.change(visit.user, level=Level(level))
        await self.localization.apply_preferences(visit)


def practice_player(visit: Visit) -> PracticePlayer:
    """Return the user as a practice player."""
    return PracticePlayer(visit.user, visit.interaction.user.display_name, visit.preferences.level)


async def show_practice_hand(hands: HandReplies, visit: Visit, table: Table, at: PrivateMessage | None = None) -> Reply:
    """Show a practice hand once house players have acted. at: the message to edit."""
    visit.table = table
    await table.wait_until_idle(REPLY_WAIT)
    return await hands.hand(visit, table, at=at)


def check_own_practice(table: Table, user: UserId) -> None:
    """Raise Refused unless this is the user's own practice table or lesson."""
    if table.row.solo not in PRACTICE_KINDS or seat_of(table.row.chairs, user) is None:
        raise Refused(NO_TABLE_HERE)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        PracticeCog(
            hands=HandReplies.of(parts),
            actions=PlayerActions.of(parts),
            store=parts.store,
            workers=parts.workers,
            dispatcher=parts.dispatcher,
            preferences=parts.preferences,
            localization=parts.localization,
            tables=parts.tables,
            delivery=parts.delivery,
            practice_hands=parts.practice,
        )
    )
