"""Saved rules of people and servers: found by name, saved, renamed and removed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.domain.house_rules import HOUSE_RULES_EACH, ChannelDefault, HouseRules, Owner, PlayedRules, Scope, name_key
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.message_ids import N_
from bot.domain.names import MAX_NAME_LENGTH, lookalike_keys, sanitize
from bot.domain.refusals import Refused
from bot.domain.typed_text import QUOTES, readable
from bot.games import GAMES
from bot.rules.core.sentences import Illegal
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.registration import STORED
from bot.rules.variants.ruleset import EXAMPLE, BadCode, Ruleset, read_code
from bot.store.errors import LimitReached, NameTaken
from bot.store.repositories.house_rules import HouseRulesRepository

SCOPES: Mapping[str, Scope] = {"me": "person", "server": "server"}  # typed before a name, with a colon
UNKNOWN = N_("There are no house rules and no preset called {name}, and it isn't a rule code like {example}.")
NO_HOUSE_RULES = N_("There are no house rules called {name}. /houserules list shows what there is.")
UNREADABLE = N_("The house rules {name} can't be read any more, because the game's options have changed since.")
UNREADABLE_DEFAULT = N_(
    "This channel's default rules can't be read any more, because the game's options have changed "
    "since. Choose some rules, or ask for a new default."
)
OTHER_GAME = N_("Those rules are for a different game than the one you chose.")


@dataclass(frozen=True, slots=True)
class RulesCaller:
    """A user and place looking up rules.

    guild: None in a direct message. channel: for a thread, its parent.
    """

    user: UserId
    guild: GuildId | None
    channel: ChannelId | None

    @property
    def owners(self) -> tuple[Owner, ...]:
        """The owners of visible house rules, the user first."""
        own = Owner("person", self.user)
        return (own,) if self.guild is None else (own, Owner("server", self.guild))


@dataclass(frozen=True, slots=True)
class StartingRules:
    """The starting rules of a table. name: of house rules, empty for a preset or rule code."""

    rules: Ruleset
    name: str = ""


# Names


def address(kept: HouseRules) -> str:
    """Return the unambiguous address of house rules: ``me:Friday``, ``server:Friday``."""
    marks = {scope: mark for mark, scope in SCOPES.items()}
    return f"{marks[kept.owner.scope]}:{kept.name}"


def _split_scope(text: str) -> tuple[Scope | None, str]:
    """Return the scope typed before a name, if any, and the name."""
    mark, colon, rest = text.partition(":")
    scope = SCOPES.get(mark.strip().casefold()) if colon else None
    return (scope, sanitize(rest)) if scope else (None, sanitize(text))


async def find(repository: HouseRulesRepository, asker: RulesCaller, text: str) -> HouseRules | None:
    """Return house rules by name or :func:`address`, the user's own before the server's.

    None if missing.
    """
    scope, name = _split_scope(text)
    for owner in asker.owners:
        if scope in (None, owner.scope) and (found := await repository.called(owner, name)):
            return found
    return None


async def require(repository: HouseRulesRepository, asker: RulesCaller, text: str) -> HouseRules:
    """Return house rules by name or :func:`address`. Raises Refused if missing."""
    kept = await find(repository, asker, text)
    if kept is None:
        raise Refused(NO_HOUSE_RULES, name=_split_scope(text)[1])
    return kept


# What they mean


def current_rules(kept: HouseRules | ChannelDefault | PlayedRules) -> Ruleset | None:
    """Return saved rules in this version's options; None for unreadable rules.

    Saved rules may exceed today's limits: opening a table renews them.
    """
    try:
        options = GAMES[kept.game].sheet.options
        written = {name: options[name].write(with_tuples(value)) for name, value in kept.options.items()}
        values = {name: options[name].read_kept(text) for name, text in written.items()}
        return Ruleset.of(GAMES[kept.game], kept.preset, values, STORED)
    except (KeyError, TypeError, ValueError, Illegal):
        return None


async def starting_rules(
    repository: HouseRulesRepository, asker: RulesCaller, typed: str | None = None, game: str | None = None
) -> StartingRules:
    """Return the starting rules of a table.

    In order of precedence: ``typed`` (a name or address of house rules, a preset, a rule code), the channel's default,
    the rules of the channel's latest match, the first preset. game: the only accepted game, None for any. Raises
    Refused for unreadable rules, Illegal for unplayable rules.
    """
    chosen = (
        await _named_rules(repository, asker, typed, game)
        if typed and readable(typed)
        else await _default_rules(repository, asker, game)
    )
    if game not in (None, chosen.rules.game):
        raise Refused(OTHER_GAME)
    return chosen


async def _named_rules(
    repository: HouseRulesRepository, asker: RulesCaller, typed: str, game: str | None
) -> StartingRules:
    """Return the rules of a name, an address or a rule code.

    A saved name may have dashes and joiners, so house rules are looked up as typed first.
    """
    plain = readable(typed)
    kept = await find(repository, asker, typed) or await find(repository, asker, plain)
    if kept is None:
        return StartingRules(_parse(plain, game))
    rules = current_rules(kept)
    if rules is None:
        raise Refused(UNREADABLE, name=kept.name)
    return StartingRules(rules, kept.name)


def _parse(typed: str, game: str | None) -> Ruleset:
    """Return the rules of a preset or a rule code."""
    for known in GAMES.values():
        if game in (None, known.name) and (preset := known.sheet.preset(typed)):
            return Ruleset.of(known, preset.name)
    scope, name = _split_scope(typed)
    if scope or ":" not in unicodedata.normalize("NFKC", typed):
        raise Refused(UNKNOWN, name=name, example=EXAMPLE)
    try:
        return Ruleset.of(*read_code(typed.strip(QUOTES), GAMES))
    except BadCode as bad:
        raise Refused(bad.sentence, **bad.values) from None


async def _default_rules(repository: HouseRulesRepository, asker: RulesCaller, game: str | None) -> StartingRules:
    kept = None if asker.channel is None else await repository.channel_default(asker.channel)
    if kept is None or game not in (None, kept.game):
        return StartingRules(first_preset(game) if game else await _last_rules(repository, asker))
    rules = current_rules(kept)
    if rules is None:
        raise Refused(UNREADABLE_DEFAULT)
    return StartingRules(rules, kept.name)


async def _last_rules(repository: HouseRulesRepository, asker: RulesCaller) -> Ruleset:
    """Return the rules of the channel's latest match.

    Without a match, or if its rules can no longer be played, the first preset.
    """
    played = None if asker.channel is None else await repository.last_played(asker.channel)
    rules = current_rules(played) if played else None
    return rules or first_preset()


def first_preset(game: str | None = None) -> Ruleset:
    """Return the first preset of a game, by default of the first game."""
    known = GAMES[game] if game else next(iter(GAMES.values()))
    return Ruleset.of(known, next(iter(known.presets)))


NO_NAME = N_("House rules need a readable name.")
LONG_NAME = N_("A name can have {most} characters, and this one has {n}.")
COLON = N_("A name can't have a colon, or it would look like a rule code.")
ALIKE = N_("That looks like {name}, which exists already. Choose another name.")
TAKEN = N_("There are already house rules called {name}. Use the option replace to overwrite them.")
NAMED_SO = N_("There are already house rules called {name}. Choose another name.")
FULL = N_("There's room for {most} house rules. Delete some that nobody plays.")


async def save(
    shelves: HouseRulesRepository,
    owner: Owner,
    *,
    name: str,
    rules: Ruleset,
    by: UserId,
    now: datetime,
    replace: bool = False,
) -> HouseRules:
    """Save rules under a name. by: the user.

    Raises Refused for a bad name, or if no more rules can be saved.
    """
    kept = HouseRules(
        owner=owner, name=_new_name(name), game=rules.game, preset=rules.preset, options=rules.changes, by=by, at=now
    )
    _check_distinct(kept.name, await shelves.of_owner(owner))
    try:
        await shelves.save(kept, replace=replace)
    except NameTaken:
        raise Refused(TAKEN, name=kept.name) from None
    except LimitReached:
        raise Refused(FULL, most=HOUSE_RULES_EACH) from None
    return kept


async def rename(shelves: HouseRulesRepository, kept: HouseRules, to: str) -> str:
    """Rename house rules; return the cleaned name. Raises Refused for a bad or taken name."""
    called = _new_name(to)
    others = await shelves.of_owner(kept.owner)
    _check_distinct(called, (other for other in others if other.name != kept.name))
    try:
        if not await shelves.rename(kept.owner, kept.name, called):
            raise Refused(NO_HOUSE_RULES, name=kept.name)
    except NameTaken:
        raise Refused(NAMED_SO, name=called) from None
    return called


def _new_name(typed: str) -> str:
    """Return a user's name for house rules, cleaned. Raises Refused for an unusable name."""
    name = sanitize(typed)
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise Refused(NO_NAME)
    if len(name) > MAX_NAME_LENGTH:
        raise Refused(LONG_NAME, most=MAX_NAME_LENGTH, n=len(name))
    if ":" in unicodedata.normalize("NFKC", name):
        raise Refused(COLON)
    return name


def _check_distinct(name: str, others: Iterable[HouseRules]) -> None:
    """Raise Refused for a name with the look of another name of the same owner."""
    for other in others:
        if name_key(other.name) != name_key(name) and not lookalike_keys(other.name).isdisjoint(lookalike_keys(name)):
            raise Refused(ALIKE, name=other.name)
