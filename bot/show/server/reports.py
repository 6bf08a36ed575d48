"""Reports for server managers: missing permissions, and conspicuous pairs of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.domain.ids import ChannelId, PlayerId, UserId
from bot.domain.message_ids import N_
from bot.ratings.pairs import DEFAULT_THRESHOLDS, SuspiciousPair
from bot.show.kit import phrases
from bot.show.kit.layout import Accent, PrivateScreen, line, lines, private, small
from bot.show.kit.words import MessageText, Words, join, mention

PERMISSIONS_SHOWN = (
    "permissions shown"  # in the extras of an interaction: whether the settings, which list them, were shown
)
MAX_CHANNELS = 5  # listed with one permission
PERMISSIONS: Final[Mapping[str, tuple[str, str]]] = {
    "view_channel": (N_("View Channel"), N_("no tables there.")),
    "send_messages": (N_("Send Messages"), N_("no tables there.")),
    "send_messages_in_threads": (N_("Send Messages in Threads"), N_("no tables in threads.")),
    "create_public_threads": (
        N_("Create Public Threads"),
        N_("matches stay in the channel instead of getting their own thread."),
    ),
    "create_private_threads": (
        N_("Create Private Threads"),
        N_("no tables with the same deals, and no private turn notices."),
    ),
    "attach_files": (N_("Attach Files"), N_("tables are text only, no pictures.")),
    "read_message_history": (
        N_("Read Message History"),
        N_("a table that chat has pushed out of view isn't reposted."),
    ),
}
"""By discord.py's name of a permission: its label, and the effect of its absence."""
ONCE_A_DAY = N_(
    "Only you can see this, because you manage this server. I'll say it once a day at most; /bigger "
    "settings always shows it."
)


def notice(missing: Sequence[str], channel: ChannelId, w: Words) -> PrivateScreen:
    """Return the notice to a manager who uses the bot where these permissions are missing."""
    head = w("**I'm missing permissions in {channel}.**", channel=mention(channel))
    return private(Accent.BOOK, lines(head, *(_line(name, None, w) for name in missing)), small(w(ONCE_A_DAY)))


def overview(missing: Mapping[str, Sequence[ChannelId]], w: Words) -> str | None:
    """Return the missing permissions in a server's settings.

    missing: the channels by permission.
    """
    if not missing:
        return None
    return lines(
        w("**Permissions I'm missing**"), *(small(_line(name, channels, w)) for name, channels in missing.items())
    )


def by_permission(missing: Iterable[tuple[ChannelId, Sequence[str]]]) -> dict[str, list[ChannelId]]:
    """Return the channels by missing permission.

    missing: the missing permissions of each channel.
    """
    found = {name: list[ChannelId]() for name in PERMISSIONS}
    for channel, names in missing:
        for name in names:
            found[name].append(channel)
    return {name: channels for name, channels in found.items() if channels}


def _line(name: str, channels: Sequence[ChannelId] | None, w: Words) -> MessageText:
    called, without = map(w, PERMISSIONS[name])
    if channels is None:
        return w("**{permission}**: {without}", permission=called, without=without)
    named = map(mention, channels[:MAX_CHANNELS])
    places = join((*named, *phrases.more(len(channels) - MAX_CHANNELS, w)), ", ")
    return w("**{permission}** in {places}: {without}", permission=called, places=places, without=without)


PAIRS: Final = "server_pairs"  # the verb
OPEN_IT: Final = N_("Frequent leavers")  # the button
MAX_PAIRS_LISTED: Final = 10
ABOUT: Final = N_(
    "In the last {days} days, these people left or lost their seat in {left} or more of at least {met} "
    "matches with someone who stayed, and in {of_all} or more of all their matches here. It may be "
    "chance or a bad connection, so I do nothing about it: ask them. You can annul a match in /matches "
    "list."
)


def pairs(found: Sequence[SuspiciousPair], users: Mapping[PlayerId, UserId], w: Words) -> PrivateScreen:
    """Return the conspicuous pairs of a server."""
    told = [_pair(pair, users, w) for pair in found[:MAX_PAIRS_LISTED]]
    return private(
        Accent.BOOK,
        "## " + w(OPEN_IT),
        "\n".join(told) or w("No frequent leavers."),
        join(phrases.more(len(found) - MAX_PAIRS_LISTED, w)) or None,
        line(),
        small(
            w(
                ABOUT,
                days=DEFAULT_THRESHOLDS.span.days,
                met=DEFAULT_THRESHOLDS.met,
                of_all=_percent(DEFAULT_THRESHOLDS.of_all),
                left=_percent(DEFAULT_THRESHOLDS.left),
            )
        ),
    )


def _pair(pair: SuspiciousPair, users: Mapping[PlayerId, UserId], w: Words) -> str:
    leaves, stays = (phrases.person(users[player], w) for player in (pair.leaves, pair.stays))
    text = w(
        "{name} left {left} of {met} matches with {other}.", name=leaves, left=pair.left, met=pair.met, other=stays
    )
    total = w("{name}'s matches here in total: {n}", name=leaves, n=pair.played)
    return f"{text}\n{small(total)}"


def _percent(share: int) -> MessageText:
    return MessageText(f"{share}\u00a0%")
