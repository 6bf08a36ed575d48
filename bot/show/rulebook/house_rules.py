"""House rules, saved under names: the viewer's list, an entry, a channel's default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from discord import SelectOption

from bot.domain.house_rules import ChannelDefault, HouseRules, Scope
from bot.games import GAMES
from bot.rules.variants.ruleset import Ruleset
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import TEXT_LIMIT, Accent, PrivateScreen, Row, line, lines, option, private, select, small
from bot.show.kit.words import MessageText, Words, escaped, join, mention, unmarked

OPEN = "house_rules"  # the verb: show the chosen house rules, of "me" or of the "server"
ROOM = TEXT_LIMIT - 500  # characters for rules in words and as a code; the rest of the screen needs the remainder
Read = tuple[HouseRules, Ruleset | None]  # with today's meaning, None if no longer readable


def title(rules: Ruleset, w: Words) -> MessageText:
    """Return game and preset with a dot between."""
    known = GAMES[rules.game]
    return join((w(known.title), w(known.sheet.presets[rules.preset].title)))


def listed(there: Mapping[Scope, Sequence[Read]], w: Words, *, where: str | None) -> PrivateScreen:
    """Return all house rules visible to a person. where: the server, None in a direct message."""
    own, servers = there["person"], there.get("server", ())
    about_server = w("House rules of {server}", server=where) if where else None
    return private(
        Accent.BOOK,
        lines("### " + w("Your own house rules, on every server"), _names(own, w)),
        _choose("me", own, w),
        line(),
        lines(f"### {about_server}", _names(servers, w)) if about_server else None,
        _choose("server", servers, w),
    )


def _names(there: Sequence[Read], w: Words) -> MessageText:
    return join(escaped(kept.name) for kept, _ in there) or w("None yet. /houserules save keeps rules under a name.")


def _choose(whose: str, there: Sequence[Read], w: Words) -> Row | None:
    return select(Browse.to(OPEN, whose), w("Look at house rules"), [_offered(*read, w) for read in there])


def _offered(kept: HouseRules, rules: Ruleset | None, w: Words) -> SelectOption:
    if rules is None:
        return option(unmarked(kept.name), kept.name, w("Can't be read any more"))
    count = len(rules.changes)
    changed = w.n("{n} change", "{n} changes", count) if count else MessageText()
    return option(unmarked(kept.name), kept.name, join((title(rules, w), changed)))


def shown(kept: HouseRules, rules: Ruleset | None, w: Words, *, where: str, notice: str | None = None) -> PrivateScreen:
    """Return a set of house rules with its rule code. where: the server it is shown on."""
    own = kept.owner.scope == "person"
    whose = w("Your own house rules, on every server") if own else w("House rules of {server}", server=where)
    saved = w("Saved by {person}, {when}", person=phrases.person(kept.by, w), when=kept.at)
    return private(
        Accent.BOOK,
        notice,
        lines(f"## {escaped(kept.name)}", small(whose)),
        _rules_text(rules, w),
        line(),
        small(saved),
    )


def default(kept: ChannelDefault, rules: Ruleset | None, w: Words, *, notice: str | None = None) -> PrivateScreen:
    """Return the default rules of a channel."""
    place = w("/deal's default in {channel}", channel=mention(kept.channel))
    return private(
        Accent.BOOK,
        notice,
        lines(f"## {place}", f"**{escaped(kept.name)}**" if kept.name else None),
        _rules_text(rules, w),
        line(),
        small(w("Set by {person}, {when}", person=phrases.person(kept.by, w), when=kept.at)),
    )


def _rules_text(rules: Ruleset | None, w: Words) -> str | None:
    """Return the rules in words, and their code."""
    if rules is None:
        return w("These rules can't be read any more: the game's options have changed since they were saved.")
    code = f"`{rules.code}`"
    return lines(
        f"**{title(rules, w)}**",
        small(w("Changes from the preset:") if rules.changes else w("No changes from the preset.")),
        *_differences(rules, ROOM - len(code), w),
        code,
    )


def _differences(rules: Ruleset, room: int, w: Words) -> list[str]:
    """Return a line for each change that fits; the rule code contains all changes."""
    options = GAMES[rules.game].sheet.options
    changes = [f"- {phrases.option(options[name], value, w)}" for name, value in rules.changes.items()]
    ends = accumulate(len(text) + 1 for text in changes)
    shown = [text for text, end in zip(changes, ends, strict=True) if end <= room]
    rest = len(changes) - len(shown)
    return [*shown, small(w.n("{n} more", "{n} more", rest))] if rest else shown
