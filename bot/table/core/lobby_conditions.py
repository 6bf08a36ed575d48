"""Conditions of a lobby: the limits of the server, and the hands of a duplicate."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from bot.domain.contests import DUPLICATE_HANDS, Duplicate, DuplicateSeat
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.pace import Pace, usual_timeout_action
from bot.domain.refusals import Refused
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings
from bot.games import GAMES
from bot.rules.core.sentences import Phrase
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import TableRow
from bot.table.core import chairs as seating
from bot.table.core.chairs import Chairs
from bot.table.core.facts import CountOpenLobbies, DuplicateOf, Facts, ForgottenAt, SeatedElsewhere
from bot.table.core.state import TableState

STAKE = "stake"  # the name of the option, in games with stakes
NOT_PLAYED = N_("This server doesn't play {game}. It has: {games}.")
ONLY_LIVE = N_("All tables on this server are live.")
NO_STAKES = N_("Stakes are off on this server. Admins can turn them on in /bigger settings.")
FULL = N_("{most} tables are already waiting for players here. Join one, or come back when one has started.")
FULL_OF_YOURS = N_("{most} of your tables are already waiting for players. Start or close one first.")
FULL_SLOW = N_("{most} slow tables are already waiting for players here. Join one, or come back when one has started.")
FULL_SLOW_OF_YOURS = N_("{most} of your slow tables are already waiting for players. Start or close one first.")
MAX_SLOW_LOBBIES, MAX_SLOW_LOBBIES_EACH = 10, 3  # beside the live ones, unless the server's own limit is lower


def check_terms(server: ServerSettings, rules: Ruleset, pace: Pace) -> None:
    """Raise Refused for a game or pace outside the server's settings."""
    if not server.offers(rules.game):
        played = [Phrase(game.title) for game in GAMES.values() if server.offers(game.name)]
        raise Refused(NOT_PLAYED, game=Phrase(rules.known.title), games=played)
    if pace.kind not in server.paces():
        raise Refused(ONLY_LIVE)


def check_lobby_limits(host: UserId, pace: Pace, facts: Facts) -> None:
    """Raise Refused at the limit of open lobbies.

    Live lobbies and all others are counted apart.
    """
    live, each, most = pace.kind == "live", facts.server.lobbies_each, facts.server.lobbies
    there, own = facts.ask(CountOpenLobbies(host, live=live))
    if not live:
        each, most = min(each, MAX_SLOW_LOBBIES_EACH), min(most, MAX_SLOW_LOBBIES)
    if own >= each:
        raise Refused(FULL_OF_YOURS if live else FULL_SLOW_OF_YOURS, most=each)
    if there >= most:
        raise Refused(FULL if live else FULL_SLOW, most=most)


def is_played_for_units(rules: Ruleset) -> bool:
    """Tell whether the rules set a number of units per point."""
    return STAKE in rules.known.wishes and bool(rules.value(STAKE))


def has_stakes(server: ServerSettings, rules: Ruleset, duplicate: int | None = None) -> bool:
    """Tell whether a match with these rules creates debts.

    duplicate: its number; duplicates never do.
    """
    return server.stakes and duplicate is None and is_played_for_units(rules)


def without_forbidden_stake(server: ServerSettings, rules: Ruleset) -> Ruleset:
    """Return the rules with their preset's stake, or none, on a server without stakes."""
    if server.stakes or not rules.changes.get(STAKE):
        return rules
    return rules.with_wishes(stake=Ruleset.of(rules.known, rules.preset).value(STAKE))


def pace_of_new_table(server: ServerSettings, rules: Ruleset, pace: Pace) -> Pace:
    """Return the pace of a new table, with the usual timeout action where none was chosen."""
    if pace.on_timeout != "pass":
        return pace
    return replace(pace, on_timeout=usual_timeout_action(pace.kind, stakes=has_stakes(server, rules)))


def pace_with_stakes(pace: Pace) -> Pace:
    """Return the pace of a lobby that gets stakes.

    At a live table it has the usual timeout action for stakes.
    """
    return replace(pace, on_timeout=usual_timeout_action(pace.kind, stakes=True)) if pace.kind == "live" else pace


def revised_rules(server: ServerSettings, before: Ruleset, new: Ruleset, pace: Pace) -> Ruleset:
    """Return a lobby's rules after a change of rules or pace. Raises Refused."""
    allowed = without_forbidden_stake(server, new)
    if allowed != new and allowed == before:
        raise Refused(NO_STAKES)
    check_terms(server, allowed, pace)
    return allowed


TWICE = N_("You have or had a seat at another table with these deals. Nobody plays the same deals twice.")
FORGOTTEN = N_(
    "Your data was deleted after these deals were opened, so I can't tell whether you've played them. "
    "You can play the ones opened from now on."
)
SIT_TWICE = N_(
    "{names} joined another table with the same deals. Nobody plays them twice: someone else has to sit here."
)


def of_hands(rules: Ruleset, hands: int) -> Ruleset:
    """Return these rules for this number of hands, without stakes.

    Uncounted matches create no debts.
    """
    return without_forbidden_stake(DEFAULT_SETTINGS, rules.renewed().with_wishes(hands=hands))


def hands_of(rules: Ruleset) -> int:
    """Return the number of hands of a duplicate with these rules."""
    return rules.rules.hands or DUPLICATE_HANDS


def check_remembered(known: Duplicate | None, forgotten: datetime | None) -> None:
    """Raise Refused for a player with a data deletion after the duplicate's opening.

    The player may know the deals. forgotten: the latest time of a data deletion; None for never.
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
    """Return the seats of these players in the duplicate.

    Empty at a solo table, whose part is stored at its creation.
    """
    number = row.duplicate_id
    if number is None or row.solo:
        return ()
    return tuple(DuplicateSeat(number, chair.user, row.id, chair.seat) for chair in chairs if chair.user is not None)
