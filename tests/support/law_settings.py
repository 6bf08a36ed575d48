"""How much a law is tried.

The same in every run, by the profile `long` ten times as much, by `glance` a fifth.

`make test` is quick; `make soak` and `make quick` ask for the other profiles by hypothesis' own option,
--hypothesis-profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import Phase, settings
from hypothesis.internal.conjecture import providers

GLANCE, QUICK, LONG = "glance", "quick", "long"
EXAMPLE_FACTORS = {GLANCE: 0.2, QUICK: 1.0, LONG: 10.0}
MIN_EXAMPLES = 3  # examples of a law at a glance, where it has so many
PHASES_WITHOUT_SHRINKING = (Phase.explicit, Phase.generate)
T = TypeVar("T")

for name in (LONG, GLANCE, QUICK):
    # How long an example takes is up to what else the machine does.
    settings.register_profile(name, deadline=None, derandomize=True, database=None)
settings.load_profile(QUICK)
# Hypothesis would read the bot's sources for constants to draw now and then, other ones in each process and checkout.
providers._get_local_constants = lambda: providers._local_constants


def example_factor() -> float:
    """Return how many times as much as `make test` tries is asked for."""
    return EXAMPLE_FACTORS.get(settings.get_current_profile_name(), 1.0)


def is_thorough() -> bool:
    """Tell whether the long trials are asked for."""
    return example_factor() > 1


def scaled(count: int, least: int = 1) -> int:
    """Return how many are to be tried where `make test` tries so many.

    least: of those at a glance.
    """
    return max(round(count * example_factor()), min(count, least))


def sampled(found: Sequence[T], share: int) -> Sequence[T]:
    """Return every so manieth, at a glance a fifth of these; all of them in the long trials."""
    return found if is_thorough() else found[:: round(share / example_factor())]


def law_examples(examples: int, *, shrunk: bool = False) -> settings:
    """Return the settings of a law test; in quick mode with few examples.

    Each example may take any time. shrunk: what fails is made smaller; to make a whole match smaller takes minutes and
    shows little.
    """
    phases = tuple(Phase) if shrunk else PHASES_WITHOUT_SHRINKING
    return settings(
        max_examples=scaled(examples, MIN_EXAMPLES), derandomize=True, deadline=None, database=None, phases=phases
    )
