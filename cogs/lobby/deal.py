"""The command that opens a table for a game in a channel."""

from __future__ import annotations

from dataclasses import dataclass

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.saved_rules import starting_rules
from bot.domain.message_ids import N_
from bot.domain.pace import Pace
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import REACH_FIRST, Reply
from bot.interactions.autocompletion import choice, matching, offering
from bot.interactions.commands import on_server
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import STALE, Handler, Visit
from bot.members.server_settings import Servers
from bot.members.venues import asker
from bot.show.kit.custom_ids import Browse
from bot.show.table import paces
from bot.show.table.outside import NEW_TABLE, new_table_row, open_lobbies
from bot.show.typed.games import fitting, game_option, matching_games
from bot.store.store import Store
from bot.table.core.lobby_conditions import NO_STAKES, pace_of_new_table
from bot.table.registry import TableRequest, with_wishes
from bot.wiring import Parts
from cogs.common.open_lobbies import OpenLobbies
from cogs.common.table_lookup import Interaction
from cogs.lobby.opening import TableOpening
from cogs.rulebook.house_rules import rules_choices

NO_PACE = N_("I don't know the pace {pace}. Choose one from the list, or write it like this: relaxed 8h, daily 4d+12h.")
NO_GAME = N_("There's no game called {game}. The games appear as you type.")
ONLY_ONE_LENGTH = N_("Choose either a number of hands or a target score, not both.")
ONLY_ONE_RULES = N_("Choose either a preset or a rule code, not both.")

ON_A_SERVER = N_("Type /deal on a server that I'm on.")


async def _games(parts: Parts, visit: Visit) -> list[Choice[str]]:
    """Return the matching games played on this server, the channel's last one first."""
    server, where = parts.servers.known(visit.guild), asker(visit.interaction).channel
    last = None if where is None else await parts.store.house_rules.last_played(where)
    games = [game for game in fitting(visit.typed) if server.offers(game.name)]
    games.sort(key=lambda game: last is None or game.name != last.game)
    return [choice(game_option(game, visit.w), game.name) for game in games]


async def _presets(parts: Parts, visit: Visit) -> list[Choice[str]]:
    """Return the matching house rules and presets of the games played on this server."""
    return await rules_choices(parts.store, visit, parts.servers.known(visit.guild).offers)


async def _paces(parts: Parts, visit: Visit) -> list[Choice[str]]:
    """Return the paces allowed on this server; a typed pace with times comes first."""
    allowed, typed = parts.servers.known(visit.guild).paces(), paces.parse_pace(visit.typed)
    known = [pace for pace in paces.PRESETS if pace.kind in allowed]
    own = [typed] if typed and typed.kind in allowed and typed not in known else []
    offered = [choice(paces.name(pace, visit.w.for_labels()), str(pace)) for pace in known]
    return [choice(paces.name(pace, visit.w.for_labels()), str(pace)) for pace in own] + matching(visit.typed, offered)


def _pace(typed: str) -> Pace:
    """Return the pace that was chosen or typed. Raises Refused if unclear."""
    if (pace := paces.parse_pace(typed)) is None:
        raise Refused(NO_PACE, pace=typed)
    return pace


def _chosen_game(typed: str | None) -> str | None:
    """Return the key of the game that was chosen or typed. Raises Refused if unclear."""
    if typed is None or not typed.strip():
        return None
    games = matching_games(typed)
    if len(games) != 1:
        raise Refused(NO_GAME, game=typed)
    return games[0].name


@dataclass(kw_only=True, eq=False, repr=False)
class DealCog(commands.Cog):
    """The command that opens a table."""

    opening: TableOpening
    lobbies: OpenLobbies
    store: Store
    dispatcher: Dispatcher
    servers: Servers

    def __post_init__(self) -> None:
        self.dispatcher.register(Browse, NEW_TABLE, Handler(self.open_new, REACH_FIRST))

    @app_commands.command(name="deal", description=locale_str("Open a table for a card game in this channel"))
    @on_server
    @app_commands.describe(
        game=locale_str("Which game"),
        preset=locale_str("Which version of its rules, or which house rules"),
        rules=locale_str("Or: a rule code someone gave you, such as B2:hk+stake=5"),
        seats=locale_str("How many players"),
        hands=locale_str("How many hands to play"),
        target=locale_str("Or: the score that ends the match"),
        pace=locale_str("How much time each move gets"),
        stake=locale_str("Units per point: just a tally, nobody pays. 0 for none"),
    )
    @app_commands.autocomplete(game=offering(_games), preset=offering(_presets), pace=offering(_paces))
    async def deal(
        self,
        interaction: Interaction,
        *,
        game: str | None = None,
        preset: str | None = None,
        rules: str | None = None,
        seats: app_commands.Range[int, 2, 9] | None = None,
        hands: app_commands.Range[int, 1, 100] | None = None,
        target: app_commands.Range[int, 1, 10_000] | None = None,
        pace: str | None = None,
        stake: app_commands.Range[int, 0, 1000] | None = None,
    ) -> None:
        """Open a lobby in the channel, by the given rules or the channel's default.

        A wish for a game alone, or for none, is answered with the waiting lobbies of the channel, if any.
        """
        plain = not any((preset, rules, seats, hands, target, pace, stake is not None))

        async def work(visit: Visit) -> Reply:
            chosen = _chosen_game(game)
            if plain and (found := await self.lobbies.here(visit, chosen)):
                return Reply(view=open_lobbies(found, visit.w, more=new_table_row(chosen or "", visit.w)))
            if hands and target:
                raise Refused(ONLY_ONE_LENGTH)
            if preset and rules:
                raise Refused(ONLY_ONE_RULES)
            begun = await starting_rules(self.store.house_rules, asker(interaction), preset or rules, chosen)
            wishes = {"seats": seats, "hands": hands, "target": target, "stake": stake}
            server = self.servers.known(visit.guild)
            if stake and not server.stakes:
                raise Refused(NO_STAKES)
            wished = _pace(pace) if pace else server.usual_pace()
            wanted = with_wishes(begun.rules, wishes)
            return await self.opening.open(visit, TableRequest(wanted, pace_of_new_table(server, wanted, wished)))

        await self.dispatcher.reply(interaction, work, REACH_FIRST)

    async def open_new(self, click: Visit) -> Reply:
        """Open a lobby by the channel's default or the button's game, beside the waiting ones."""
        if click.guild is None:
            raise Refused(ON_A_SERVER)
        game = "".join(click.browse.args)
        if game not in ("", *GAMES):
            raise Refused(STALE)
        begun = await starting_rules(self.store.house_rules, asker(click.interaction), None, game or None)
        server = self.servers.known(click.server)
        pace = pace_of_new_table(server, begun.rules, server.usual_pace())
        return await self.opening.open(click, TableRequest(begun.rules, pace))


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        DealCog(
            opening=TableOpening.of(parts),
            lobbies=OpenLobbies.of(parts),
            store=parts.store,
            dispatcher=parts.dispatcher,
            servers=parts.servers,
        )
    )
