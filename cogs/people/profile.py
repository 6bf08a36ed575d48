"""Profiles: a player's card, and two players head to head.

Each reads all matches of a player, so each takes a turn at the workers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.club.leaderboards import Leaderboards
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.rating import VISIBLE_CHANNELS, Rating
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import PLAINLY, QUIETLY, Reply
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.flood_limits import as_expensive
from bot.interactions.visit import STALE, Handler, Visit
from bot.localization import Localization
from bot.members.preferences import PreferenceCache
from bot.members.server_settings import Servers
from bot.ratings.player_summary import career_achievements, reliability, summarize
from bot.rules.matches.style import Style
from bot.runtime.workers import Workers
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import PrivateFile
from bot.show.kit.phrases import person
from bot.show.kit.words import MessageText
from bot.show.people.profile import BACK, CARD, POST, PROFILE, VERSUS, Profile, card, profile, profile_for_all, versus
from bot.show.table.achievements import MEDALS, achievements
from bot.store.store import Store
from cogs.common.channel_posts import ChannelPosts, poster_name
from cogs.common.table_lookup import Interaction

NO_LEADERBOARD = N_("This server has no leaderboard, so nobody's numbers are shown.")
NOTHING_OWN = N_("You haven't finished a rated match here yet.")
NOTHING = N_("They haven't finished a rated match here yet.")
HIDDEN = N_("They've hidden their profile.")


@dataclass(kw_only=True, eq=False, repr=False)
class ProfilesCog(commands.Cog):
    """Shows profiles, head-to-head records and achievements."""

    now: Callable[[], datetime]
    store: Store
    workers: Workers
    dispatcher: Dispatcher
    servers: Servers
    preferences: PreferenceCache
    localization: Localization
    leaderboards: Leaderboards
    posts: ChannelPosts

    def __post_init__(self) -> None:
        for verb, work, mode in (
            (PROFILE, self.game, QUIETLY),
            (VERSUS, self.versus, QUIETLY),
            (CARD, self.card, PLAINLY),
            (BACK, self.back, QUIETLY),
            (MEDALS, self.achievements, QUIETLY),
            (POST, self.post, PLAINLY),
        ):
            self.dispatcher.register(Browse, verb, Handler(as_expensive(self.workers, work), mode))

    @in_command_group("my", "profile", locale_str("See a player's ratings, wins, head to head"))
    @app_commands.describe(person=locale_str("Who (you, if left empty)"))
    async def profile(self, interaction: Interaction, person: discord.User | None = None) -> None:
        """Show the profile of a player, by default the user's own."""

        async def work(visit: Visit) -> Reply:
            return await self._show(visit, UserId(person.id) if person else visit.user, None)

        await self.dispatcher.reply(interaction, as_expensive(self.workers, work))

    async def game(self, click: Visit) -> Reply:
        """Show another game."""
        return await self._show(click, _user(click), click.one(_game))

    async def back(self, click: Visit) -> Reply:
        """Show the profile again after another screen."""
        return await self._show(click, _user(click), _game(click.browse.args[1]))

    async def achievements(self, click: Visit) -> Reply:
        """Show a player's achievements."""
        user, game = _user(click), _game(click.browse.args[1])
        await self._check(click, user)
        found = await self.leaderboards.player_entries(click.server, VISIBLE_CHANNELS, user)
        if found is None:
            raise Refused(NOTHING_OWN if user == click.user else NOTHING)
        done = {
            **await self.store.leaderboards.done(click.server, VISIBLE_CHANNELS, user),
            **career_achievements(found.by_game, GAMES),
        }
        return Reply(view=achievements(found.name, done, Browse.to(BACK, user, game), click.w), at=click.own)

    async def versus(self, click: Visit) -> Reply:
        """Show a player's record against another player."""
        user, other = _user(click), click.one(lambda value: UserId(int(value)))
        found = await self._of(click, user, _game(click.browse.args[1]))
        await self._check(click, other)
        met = await self.store.leaderboards.met(click.server, VISIBLE_CHANNELS, user, other)
        return await self._drawn(click, found, versus(found.name, person(other, click.w), met, click.w))

    async def card(self, click: Visit) -> Reply:
        """Send the profile card as a picture to share elsewhere."""
        found = await self._of(click, _user(click), _game(click.browse.args[1]))
        picture = card(found, click.w)
        return Reply(private_file=PrivateFile(picture.alt_text, (picture.name, await asyncio.to_thread(picture.png))))

    async def post(self, click: Visit) -> Reply:
        """Post the user's own profile for all readers of this channel, in the server's language.

        Raises Refused.
        """
        found, w = await self._of(click, click.user, _game(click.browse.args[0])), self.posts.words(click)
        picture = card(found, w) if self.posts.pictured(click) else None
        return await self.posts.send(click, profile_for_all(found, picture, poster_name(click), w), picture)

    async def _show(self, visit: Visit, user: UserId, game: str | None) -> Reply:
        return await self._drawn(visit, await self._of(visit, user, game), None)

    async def _drawn(self, visit: Visit, found: Profile, met: MessageText | None) -> Reply:
        plain = (await self.preferences.of(visit.user)).text_only
        picture = card(found, visit.w) if visit.interaction.app_permissions.attach_files and not plain else None
        screen = profile(found, picture, met, visit.w, may_post=found.mine and self.posts.may_post(visit))
        if picture:
            screen = replace(screen, files=((picture.name, await asyncio.to_thread(picture.png)),))
        return Reply(view=screen, at=visit.own)

    async def _of(self, visit: Visit, user: UserId, game: str | None) -> Profile:
        """Return a profile, by default for the game with most matches. Raises Refused."""
        await self._check(visit, user)
        found = await self.leaderboards.player_entries(visit.server, VISIBLE_CHANNELS, user)
        mine = user == visit.user
        if found is None:
            raise Refused(NOTHING_OWN if mine else NOTHING)
        records = {name: summarize(entries) for name, entries in found.by_game.items() if name in GAMES}
        most = max(records, key=lambda name: records[name].tally.matches)
        shown = game if game and game in records else most
        now, ratings = self.now(), records[shown].ratings
        rating: Rating | None = replace(ratings[-1].at(now), matches=len(ratings)) if ratings else None
        where = self.localization.server_name(visit.server)
        style = Style(await self.store.leaderboards.played(visit.server, VISIBLE_CHANNELS, user, shown))
        return Profile(
            user=user,
            name=found.name,
            where=where,
            records=records,
            game=shown,
            rating=rating,
            mine=mine,
            reliability=reliability(found.by_game),
            style=style,
        )

    async def _check(self, visit: Visit, user: UserId) -> None:
        """Raise Refused if the user may not see this player's profile."""
        if not (await self.servers.of(visit.server)).leaderboard:
            raise Refused(NO_LEADERBOARD)
        if user != visit.user and (await self.preferences.of(user)).unlisted:
            raise Refused(HIDDEN)


def _user(click: Visit) -> UserId:
    return UserId(int(click.browse.args[0]))


def _game(game: str) -> str:
    """Return the name of a game. Raises Refused if no such game is registered."""
    if game not in GAMES:
        raise Refused(STALE)
    return game


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        ProfilesCog(
            now=parts.now,
            store=parts.store,
            workers=parts.workers,
            dispatcher=parts.dispatcher,
            servers=parts.servers,
            preferences=parts.preferences,
            localization=parts.localization,
            leaderboards=parts.leaderboards,
            posts=ChannelPosts.of(parts),
        )
    )
