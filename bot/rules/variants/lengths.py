"""The lengths of a match that a lobby's menu offers, as rules that differ in nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from bot.rules.core.sentences import Illegal
from bot.rules.variants.ruleset import Ruleset

HANDS, TARGET = "hands", "target"  # the wishes for a number of hands and for a target; games may lack the latter
END, OPEN = "match_end", "open"  # an option, and its value for a match without an end of its own
PRESET, PRESENT = "preset", "present"  # the codes of the preset's length and of the present length


def lengths(rules: Ruleset) -> dict[str, Ruleset]:
    """Return the rules for each length that these rules allow, by a code, every length once."""
    found: dict[str, Ruleset] = {}
    for code, make in _offered(rules):
        with suppress(Illegal):
            if (offered := make()) not in found.values():
                found[code] = offered
    return found


def _offered(rules: Ruleset) -> Iterator[tuple[str, Callable[[], Ruleset]]]:
    """Yield how to make each length, in the order of the menu; several may be equal."""
    yield "one", lambda: _with_preset_length(rules).with_wishes(**{HANDS: 1})
    yield "five", lambda: _with_preset_length(rules).with_wishes(**{HANDS: 5})
    if TARGET in rules.known.wishes:
        yield TARGET, lambda: _with_target(_with_preset_length(rules))
    if END in rules.known.sheet.options:
        yield OPEN, lambda: _with_preset_length(rules).but(**{END: OPEN})
    yield PRESET, lambda: _with_preset_length(rules)
    yield PRESENT, lambda: rules


def _with_target(rules: Ruleset) -> Ruleset:
    return rules.with_wishes(**{TARGET: rules.value(TARGET)})


def _with_preset_length(rules: Ruleset) -> Ruleset:
    """Return the rules with the preset's length.

    Raises Illegal if that makes another option invalid.
    """
    options = rules.known.sheet.options
    others = {name: value for name, value in rules.changes.items() if not options[name].length}
    return Ruleset.of(rules.known, rules.preset, others)
