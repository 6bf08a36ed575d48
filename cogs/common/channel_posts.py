"""Screens that a person posts in a channel, with their own permissions, once a minute."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Self

import discord

from bot.delivery.notifications.announcements import MomentPoster
from bot.domain.message_ids import N_
from bot.domain.refusals import Limit, Refused
from bot.interactions.answers import Reply
from bot.interactions.visit import Visit
from bot.localization import Localization
from bot.members.server_settings import Servers
from bot.runtime.discord_requests import UNREACHED
from bot.show.kit.layout import PublicScreen
from bot.show.kit.words import MessageText, Words, escaped
from bot.show.pictures.canvas import Picture
from bot.store.store import Store
from bot.wiring import Parts

POSTED = N_("Posted. Everyone here can see it now.")
NOT_YOURS = N_("You can only post where you may write and attach files yourself.")
NOT_MINE = N_("I can't post in this channel. Try another one.")
JUST_POSTED = N_("You've only just posted something. You can post again {when}.")
POSTS = Limit("post", 1, timedelta(minutes=1), JUST_POSTED)  # per user


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelPosts:
    """Posts screens in the channel of a click."""

    poster: MomentPoster
    store: Store
    servers: Servers
    localization: Localization

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the posts of a running bot."""
        return cls(
            poster=parts.moment_poster,
            store=parts.store,
            servers=parts.servers,
            localization=parts.localization,
        )

    def may_post(self, visit: Visit) -> bool:
        """Tell whether the user and the bot may post in the channel of a visit."""
        rights = visit.interaction.permissions
        return visit.guild is not None and rights.attach_files and _may_write(rights, visit) and _bot_may_write(visit)

    def words(self, visit: Visit) -> Words:
        """Return the words of a post: in the server's language."""
        return self.localization.words_for_server(visit.server)

    def pictured(self, visit: Visit) -> bool:
        """Tell whether a post may have a picture."""
        return visit.interaction.app_permissions.attach_files and self.servers.known(visit.server).pictures

    async def send(self, visit: Visit, shown: PublicScreen, picture: Picture | None) -> Reply:
        """Post a screen with its picture.

        Raises Refused without permission, and for a second post in a minute.
        """
        if not self.may_post(visit):
            raise Refused(NOT_YOURS if _bot_may_write(visit) else NOT_MINE)
        assert visit.channel is not None
        async with self.store.limits.using(POSTS, visit.user):
            try:
                await self.poster.show(visit.server, visit.channel, shown, picture)
            except discord.RateLimited:
                raise
            except UNREACHED as error:
                raise Refused(NOT_MINE) from error
        return Reply(text=visit.w(POSTED))


def poster_name(visit: Visit) -> MessageText:
    """Return the name of the user, as in the text of a post."""
    return escaped(visit.interaction.user.display_name)


def _bot_may_write(visit: Visit) -> bool:
    return _may_write(visit.interaction.app_permissions, visit)


def _may_write(rights: discord.Permissions, visit: Visit) -> bool:
    """Tell whether these permissions allow a message in the channel or thread of a visit."""
    in_thread = isinstance(visit.interaction.channel, discord.Thread)
    return rights.send_messages_in_threads if in_thread else rights.send_messages
