"""Duplicate tables: their deals are played at other tables too, by the same rules, uncut, and by nobody twice. Pure."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from bot.ground.duplicate import HANDS, Duplicate, Part
from bot.ground.ids import UserId
from bot.ground.refused import Refused
from bot.ground.server_settings import PLAIN
from bot.rules.ruleset import Ruleset
from bot.store.rows import TableRow
from bot.table.core import allowed
from bot.table.core import chairs as seating
from bot.table.core.chairs import Chairs
from bot.table.core.facts import DuplicateOf, Facts, ForgottenAt, SeatedElsewhere
from bot.table.core.state import TableState

TWICE = "You have a seat at another table with these deals, or had one. Nobody plays the same deals twice."
FORGOTTEN = (
    "What was kept about you was deleted after these deals were opened, so I cannot tell whether you have played them. "
    "Those that are opened from now on are yours too."
)
SIT_TWICE = (
    "{names} sat down at another table with the same deals. Nobody plays them twice: somebody else has to sit here."
)


def of_hands(rules: Ruleset, hands: int) -> Ruleset:
    """Return these rules for so many hands and without stakes, since what does not count is owed to nobody."""
    return allowed.without_forbidden_stake(PLAIN, rules.renewed().wishing(hands=hands))


def hands_of(rules: Ruleset) -> int:
    """Return how many hands a duplicate by these rules has."""
    return rules.rules.hands or HANDS


def check_remembered(known: Duplicate | None, forgotten: datetime | None) -> None:
    """Raise Refused for a player who may have played these deals, since their data was deleted after the opening.

    forgotten: when the data was deleted last; None for never.
    """
    if known is not None and forgotten is not None and forgotten >= known.opened:
        raise Refused(FORGOTTEN)


def elsewhere(state: TableState, users: Collection[UserId], facts: Facts) -> frozenset[UserId]:
    """Return the users among these who have or had a seat at another table with the same deals."""
    number = state.row.duplicate_id
    return frozenset() if number is None else facts.ask(SeatedElsewhere(number, tuple(users)))


def check_unplayed(state: TableState, user: UserId, facts: Facts) -> None:
    """Raise Refused for a user who has played, or may have played, the deals of this table."""
    if state.row.duplicate_id is None:
        return
    if elsewhere(state, [user], facts):
        raise Refused(TWICE)
    check_remembered(facts.ask(DuplicateOf(state.row.duplicate_id)), facts.ask(ForgottenAt(user)))


def check_nobody_twice(state: TableState, facts: Facts) -> None:
    """Raise Refused where a player of this table plays the same deals at another one."""
    twice = elsewhere(state, seating.people(state.row.chairs), facts)
    if twice:
        raise Refused(SIT_TWICE, names=[chair.name for chair in state.row.chairs if chair.user in twice])


def parts_of(row: TableRow, chairs: Chairs) -> tuple[Part, ...]:
    """Return the seats of these players in the duplicate; at a solo table they were stored when it was set up."""
    number = row.duplicate_id
    if number is None or row.alone:
        return ()
    return tuple(Part(number, chair.user, row.id, chair.seat) for chair in chairs if chair.user is not None)
