"""The settings screen of a server: the name, effect, default and menu of each setting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from discord import ChannelType, ui

from bot.domain.ids import ChannelId, UserId
from bot.domain.languages import LANGUAGES, language_of
from bot.domain.message_ids import N_
from bot.domain.pace import PaceKind
from bot.domain.seasons import SeasonKind
from bot.domain.server_settings import ServerSettings, SettingChange
from bot.games import GAMES
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse
from bot.show.kit.forms import Field, form
from bot.show.kit.layout import (
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    channel_select,
    lines,
    option,
    private,
    role_select,
    row,
    select,
    small,
)
from bot.show.kit.words import MessageText, Words, join, mention
from bot.show.server.reports import OPEN_IT, PAIRS, overview
from bot.show.server.setting_choices import HOURS, LOBBIES, LOBBIES_EACH, NEVER, OWN, SWITCHES
from bot.show.table import paces

OF_DISCORD = N_("Discord's setting for this server")
NAMED = 5  # channels of one change
NOTHING: Final[Mapping[str, Sequence[ChannelId]]] = {}
# The verbs: change this setting; ask for the time zone, along with quiet hours to save; end the season.
SET, ZONE, END_SEASON = "server_set", "server_zone", "server_season"
WHERE: Final = "where"  # the field of the form
PLACES: Final = (
    ChannelType.text,
    ChannelType.news,
    ChannelType.voice,
    ChannelType.stage_voice,
    ChannelType.forum,
    ChannelType.media,
)

NAMES: Final[Mapping[str, str]] = {
    "switches": N_("Features"),
    "language": N_("Language of boards"),
    "games": N_("Games"),
    "channels": N_("Channels"),
    "slow": N_("Slow tables"),
    "stakes": N_("Stakes"),
    "leaderboard": N_("Leaderboard"),
    "hidden_count": N_("Hidden channels count"),
    "mirror": N_("Hands by direct message"),
    "threads": N_("Threads"),
    "pictures": N_("Pictures"),
    "reactions": N_("Reactions"),
    "pace": N_("Default pace"),
    "opener": N_("Who can open tables"),
    "moderator": N_("Who moderates tables"),
    "lobbies": N_("Open lobbies"),
    "lobbies_each": N_("Open lobbies of one person"),
    "quiet": N_("Quiet hours"),
    "zone": N_("Time zone"),
    "season": N_("Seasons"),
    "forget_plays": N_("Delete moves after a year"),
}
SEASONS: Final[Mapping[SeasonKind, str]] = {
    "none": N_("No seasons"),
    "monthly": N_("Monthly seasons"),
    "quarterly": N_("Quarterly seasons"),
    "hand": N_("Until I end the season"),
}
ABOUT: Final[Mapping[str, str]] = {
    "language": N_("What everyone sees at a table. Default: Discord's setting for this server, often English."),
    "games": N_("The games people can play here. Default: every game."),
    "channels": N_("Where tables can be opened, threads included. Default: everywhere."),
    "switches": N_(
        "Open the menu to see what each one does. Default: all but stakes, hidden channels, and deleting old moves."
    ),
    "pace": N_("The time per move unless the host chooses another. Default: live."),
    "opener": N_("Only members with this role open tables; anyone can join. Default: everyone opens tables."),
    "moderator": N_(
        "This role can stop matches and remove players, as can anyone who manages messages. Default: nobody else."
    ),
    "lobbies": N_(
        "How many live tables can wait for players at once: in total, and per person. Default: 20 and "
        "5. Slow tables count separately: 10 and 3 at most."
    ),
    "season": N_(
        "Everyone starts over in /standings each season. The end of a season is announced "
        "where you play. Default: none."
    ),
    "quiet": N_("Pings and direct messages are silent in these hours. Default: none."),
}


def server(
    now: ServerSettings,
    changes: Sequence[SettingChange],
    w: Words,
    *,
    where: str,
    notice: str | None = None,
    missing: Mapping[str, Sequence[ChannelId]] = NOTHING,
) -> PrivateScreen:
    """Return the settings screen.

    changes: the latest changes, the last one first. notice: a sentence on top. missing: the channels in which the bot
    lacks each permission.
    """
    return private(
        Accent.BOOK,
        lines(_head(w, where, notice), overview(missing, w)),
        *_block("language", _languages(now, w), w),
        *_block("games", _games(now, w), w),
        *_block("channels", channel_select(_set("channels"), w("In all channels"), now.channels, PLACES), w),
        *_block("switches", _switches(now, w), w),
        *_block("pace", _paces(now, w), w),
        *_block("opener", role_select(_set("opener"), w("Everyone"), now.opener), w),
        *_block("moderator", role_select(_set("moderator"), w("Anyone who can manage messages"), now.moderator), w),
        *_block("lobbies", _numbers("lobbies", now.lobbies, LOBBIES, w), w),
        _numbers("lobbies_each", now.lobbies_each, LOBBIES_EACH, w),
        *_block("season", _seasons(now, w), w),
        *_block("quiet", _hours(now, w), w),
        row(
            button(_zone(now, w), Browse.to(ZONE)),
            button(w("End the season now"), Browse.to(END_SEASON)) if now.season != "none" else None,
            button(w(OPEN_IT), Browse.to(PAIRS)) if now.leaderboard else None,
        ),
        _changed(changes, w),
    )


def _head(w: Words, where: str, notice: str | None) -> str | None:
    return lines(notice, "## " + w("Settings for {server}", server=where), small(w("Changes apply immediately.")))


def _set(name: str) -> Browse:
    return Browse.to(SET, name)


def _block(name: str, menu: Row | None, w: Words) -> tuple[Block, ...]:
    return lines(w("**{setting}**", setting=w(NAMES[name])), small(w(ABOUT[name]))), menu


def _languages(now: ServerSettings, w: Words) -> Row | None:
    own = option(w(OF_DISCORD), OWN, default=now.language is None)
    spoken = (option(each.name, each.tag, default=now.language == each.tag) for each in LANGUAGES)
    return select(_set("language"), w(NAMES["language"]), [own, *spoken])


def _games(now: ServerSettings, w: Words) -> Row | None:
    offered = [option(w(game.title), game.name, w(game.line), default=now.offers(game.name)) for game in GAMES.values()]
    return select(_set("games"), w(NAMES["games"]), offered, most=len(offered))


def _switches(now: ServerSettings, w: Words) -> Row | None:
    offered = [option(w(NAMES[name]), name, w(about), default=getattr(now, name)) for name, about in SWITCHES.items()]
    return select(_set("switches"), w("None of these"), offered, least=0, most=len(offered))


def _paces(now: ServerSettings, w: Words) -> Row | None:
    offered = [option(w(paces.NAMES[pace]), pace, default=now.usual_pace().kind == pace) for pace in now.paces()]
    return select(_set("pace"), w(NAMES["pace"]), offered)


def _seasons(now: ServerSettings, w: Words) -> Row | None:
    offered = [option(w(name), kind, default=now.season == kind) for kind, name in SEASONS.items()]
    return select(_set("season"), w(NAMES["season"]), offered)


def _numbers(name: str, now: int, numbers: Iterable[int], w: Words) -> Row | None:
    offered = [option(_number(name, number, w), str(number), default=number == now) for number in numbers]
    return select(_set(name), w(NAMES[name]), offered)


def _number(name: str, number: int, w: Words) -> MessageText:
    return w("{n} on this server", n=number) if name == "lobbies" else w("{n} per person", n=number)


def _hours(now: ServerSettings, w: Words) -> Row | None:
    never = option(w("Never"), NEVER, default=now.quiet is None)
    spans = [option(_span(hours), f"{hours[0]}-{hours[1]}", default=now.quiet == hours) for hours in HOURS]
    return select(_set("quiet"), w(NAMES["quiet"]), [never, *spans])


def _span(hours: Sequence[int]) -> MessageText:
    begin, end = hours
    return MessageText(f"{begin:02}:00 \N{EN DASH} {end:02}:00")


def _zone(now: ServerSettings, w: Words) -> MessageText:
    return w("Time zone: {zone}", zone=MessageText(now.zone)) if now.zone else w("Set the time zone")


def _changed(changes: Sequence[SettingChange], w: Words) -> str | None:
    """Return the latest changes, each with its author and time."""
    if not changes:
        return None
    texts = (
        w(
            "{person} chose {setting}: {value}, {when}",
            person=_who(change.by, w),
            setting=w(NAMES[change.name]),
            value=_value(change, w),
            when=change.at,
        )
        for change in changes
        if change.name in NAMES
    )
    return lines(w("**Last changes**"), *map(small, texts))


def _who(user: UserId, w: Words) -> MessageText:
    return MessageText(f"<@{user}>") if user else w("someone")  # a person whose data was deleted


def _value(change: SettingChange, w: Words) -> MessageText:
    """Return the new value of a change, in words."""
    name, value = change.name, change.value
    if isinstance(value, bool):
        return w("on") if value else w("off")
    return VALUES[name](value, w) if name in VALUES else MessageText(str(value))


def _of_games(names: Sequence[str], w: Words) -> MessageText:
    return join((w(GAMES[name].title) for name in names if name in GAMES), ", ") or w("all of them")


def _of_channels(ids: Sequence[ChannelId], w: Words) -> MessageText:
    named = map(mention, ids[:NAMED])
    return join((*named, *phrases.more(len(ids) - NAMED, w)), ", ") or w("everywhere")


def _of_role(role: int | None, w: Words) -> MessageText:
    return MessageText(f"<@&{role}>") if role else w("nobody else")


def _of_language(chosen: str | None, w: Words) -> MessageText:
    language = language_of(chosen) if chosen else None
    return MessageText(language.name) if language else w(OF_DISCORD)


def _of_pace(pace: PaceKind, w: Words) -> MessageText:
    return w(paces.NAMES[pace])


def _of_hours(span: Sequence[int] | None, w: Words) -> MessageText:
    return _span(span) if span else w("Never")


VALUES: Final[Mapping[str, Callable[[Any, Words], MessageText]]] = {
    "games": _of_games,
    "channels": _of_channels,
    "opener": _of_role,
    "moderator": _of_role,
    "language": _of_language,
    "pace": _of_pace,
    "quiet": _of_hours,
    "season": lambda kind, w: w(SEASONS[kind]),
}


# The zone


def zone_form(hours: tuple[str, ...], w: Words) -> ui.Modal:
    """Return the form for the server's time zone.

    hours: quiet hours to save with the answer (begin, end), or empty.
    """
    hint = w("A city such as Taipei, a zone such as Europe/Berlin, or UTC+8")
    return form(Browse.to(ZONE, *hours), w("Time zone"), Field(WHERE, w("Which clock do you use?"), hint=hint))
