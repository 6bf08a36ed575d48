"""Saving and renaming house rules, under distinct readable names and a maximum count.

Permissions and rendering live elsewhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import datetime

from bot.club.saved_rules import NO_HOUSE_RULES
from bot.domain.house_rules import HOUSE_RULES_EACH, HouseRules, Owner, name_key
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.names import MAX_NAME_LENGTH, lookalike_keys, sanitize
from bot.domain.refusals import Refused
from bot.rules.variants.ruleset import Ruleset
from bot.store.errors import LimitReached, NameTaken
from bot.store.repositories.house_rules import HouseRulesRepository

NO_NAME = N_("House rules need a name that can be read.")
LONG_NAME = N_("A name has at most {most} characters, and this one has {n}.")
COLON = N_("A name has no colon, so that nobody takes it for a rule code.")
ALIKE = N_("That looks like {name}, which there is already. Choose another name.")
TAKEN = N_("There are house rules called {name} already. With the option replace, the new ones take their place.")
NAMED_SO = N_("There are house rules called {name} already. Choose another name.")
FULL = N_("There is room for {most} house rules, and no more. Delete some that nobody plays.")


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
    """Save rules under a name. by: the user. Raises Refused for a bad name or a full shelf."""
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
