"""The report on conspicuous pairs, for server managers: who often meets the same player and often leaves.

The screen names the measure, and says that it proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.domain.ids import PlayerId, UserId
from bot.domain.message_ids import N_
from bot.ratings.pairs import DEFAULT_THRESHOLDS, SuspiciousPair
from bot.show.kit import phrases
from bot.show.kit.layout import Accent, PrivateScreen, line, private, small
from bot.show.kit.words import Said, Words, join

PAIRS: Final = "server_pairs"  # the verb
OPEN_IT: Final = N_("Who always leaves")  # the button
MAX_PAIRS_LISTED: Final = 10
ABOUT: Final = N_(
    "Of the last {days} days: who left, or lost the seat, in {left} or more of at least {met} matches with somebody "
    "who stayed, where these were {of_all} or more of all their matches here. It may be chance or a bad connection, "
    "so I do nothing about it: ask them. A match can be annulled in /matches list."
)


def pairs(found: Sequence[SuspiciousPair], users: Mapping[PlayerId, UserId], w: Words) -> PrivateScreen:
    """Return the conspicuous pairs of a server."""
    told = [_pair(pair, users, w) for pair in found[:MAX_PAIRS_LISTED]]
    return private(
        Accent.BOOK,
        "## " + w(OPEN_IT),
        "\n".join(told) or w("Nobody stands out here."),
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
    told = w(
        "{name} left {left} of {met} matches with {other}.", name=leaves, left=pair.left, met=pair.met, other=stays
    )
    return f"{told}\n{small(w('Matches of {name} here in all: {n}', name=leaves, n=pair.played))}"


def _percent(share: int) -> Said:
    return Said(f"{share}\u00a0%")
