"""Duplicate tables: several tables with the same deals and rules, uncut, at most one of them per player. Pure."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from bot.domain.duplicates import DUPLICATE_HANDS, Duplicate, DuplicateSeat
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.domain.server_settings import DEFAULT_SETTINGS
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import TableRow
from bot.table.core import chairs as seating
from bot.table.core import server_limits
from bot.table.core.chairs import Chairs
from bot.table.core.facts import DuplicateOf, Facts, ForgottenAt, SeatedElsewhere
from bot.table.core.state import TableState

TWICE = N_("You have a seat at another table with these deals, or had one. Nobody plays the same deals twice.")
FORGOTTEN = N_(
    "What was kept about you was deleted after these deals were opened, so I cannot tell whether you have played them. "
    "Those that are opened from now on are yours too."
)
SIT_TWICE = N_(
    "{names} sat down at another table with the same deals. Nobody plays them twice: somebody else has to sit here."
)


def of_hands(rules: Ruleset, hands: int) -> Ruleset:
    """Return these rules for this number of hands, without stakes, because uncounted matches create no debts."""
    return server_limits.without_forbidden_stake(DEFAULT_SETTINGS, rules.renewed().with_wishes(hands=hands))


def hands_of(rules: Ruleset) -> int:
    """Return the number of hands of a duplicate with these rules."""
    return rules.rules.hands or DUPLICATE_HANDS


def check_remembered(known: Duplicate | None, forgotten: datetime | None) -> None:
    """Raise Refused for a player with a data deletion after the opening: the deals may be known.

    forgotten: the latest time of a data deletion; None for never.
    """
    if known is not None and forgotten is not None and forgotten >= known.opened:
        raise Refused(FORGOTTEN)


def elsewhere(state: TableState, users: Collection[UserId], facts: Facts) -> frozenset[UserId]:
    """Return the users with a present or former seat at another table with the same deals."""
    number = state.row.duplicate_id
    return frozenset() if number is None else facts.ask(SeatedElsewhere(number, tuple(users)))


def check_unplayed(state: TableState, user: UserId, facts: Facts) -> None:
    """Raise Refused for a user with a known or possible record of this table's deals."""
    if state.row.duplicate_id is None:
        return
    if elsewhere(state, [user], facts):
        raise Refused(TWICE)
    check_remembered(facts.ask(DuplicateOf(state.row.duplicate_id)), facts.ask(ForgottenAt(user)))


def check_nobody_twice(state: TableState, facts: Facts) -> None:
    """Raise Refused for a player of this table at another table with the same deals."""
    twice = elsewhere(state, seating.people(state.row.chairs), facts)
    if twice:
        raise Refused(SIT_TWICE, names=[chair.name for chair in state.row.chairs if chair.user in twice])


def parts_of(row: TableRow, chairs: Chairs) -> tuple[DuplicateSeat, ...]:
    """Return the seats of these players in the duplicate; nothing at a solo table, stored at its creation."""
    number = row.duplicate_id
    if number is None or row.alone:
        return ()
    return tuple(DuplicateSeat(number, chair.user, row.id, chair.seat) for chair in chairs if chair.user is not None)
