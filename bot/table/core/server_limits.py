"""A server's limits for tables: games, paces, stakes, and the number of open lobbies.

The limits follow from the owner's settings; the caller's identity and channel never matter here.
"""

from __future__ import annotations

from bot.domain.message_ids import N_
from bot.domain.pace import Pace
from bot.domain.refusals import Refused
from bot.domain.server_settings import ServerSettings
from bot.games import GAMES
from bot.rules.core.sentences import Phrase
from bot.rules.variants.ruleset import Ruleset

STAKE = "stake"  # the name of the option, in games with stakes
NOT_PLAYED = N_("{game} is not played on this server. There is: {games}.")
ONLY_LIVE = N_("On this server all tables are live.")
NO_STAKES = N_("There are no stakes on this server. Whoever manages it can turn them on with /bigger settings.")
FULL = N_("{most} tables are waiting for players here already. Join one of them, or come back when one has begun.")
FULL_OF_YOURS = N_(
    "{most} tables of yours are waiting for players already. Start one of them, or close it, and open another."
)


def check_terms(server: ServerSettings, rules: Ruleset, pace: Pace) -> None:
    """Raise Refused for a game or pace outside the server's settings."""
    if not server.offers(rules.game):
        played = [Phrase(game.title) for game in GAMES.values() if server.offers(game.name)]
        raise Refused(NOT_PLAYED, game=Phrase(rules.known.title), games=played)
    if pace.kind not in server.paces():
        raise Refused(ONLY_LIVE)


def check_lobby_limits(server: ServerSettings, there: int, own: int) -> None:
    """Raise Refused at the limit of open lobbies. there, own: open lobbies of the server, of the caller."""
    if own >= server.lobbies_each:
        raise Refused(FULL_OF_YOURS, most=server.lobbies_each)
    if there >= server.lobbies:
        raise Refused(FULL, most=server.lobbies)


def is_played_for_units(rules: Ruleset) -> bool:
    """Tell whether the rules set a number of units per point."""
    return STAKE in rules.known.wishes and bool(rules.value(STAKE))


def has_stakes(server: ServerSettings, rules: Ruleset, duplicate: int | None = None) -> bool:
    """Tell whether a match with these rules creates debts. duplicate: its number; duplicates never do."""
    return server.stakes and duplicate is None and is_played_for_units(rules)


def without_forbidden_stake(server: ServerSettings, rules: Ruleset) -> Ruleset:
    """Return the rules with their preset's stake, or none, on a server without stakes."""
    if server.stakes or not rules.changes.get(STAKE):
        return rules
    return rules.with_wishes(stake=Ruleset.of(rules.known, rules.preset).value(STAKE))


def revised_rules(server: ServerSettings, before: Ruleset, new: Ruleset, pace: Pace) -> Ruleset:
    """Return a lobby's rules after a change of rules or pace. Raises Refused."""
    allowed = without_forbidden_stake(server, new)
    if allowed != new and allowed == before:
        raise Refused(NO_STAKES)
    check_terms(server, allowed, pace)
    return allowed
