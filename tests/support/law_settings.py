"""The number of examples of each law.

The same in every run; ten times as many in the profile `long`, a fifth in `glance`.

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
    """Return the factor of examples relative to `make test`."""
    return EXAMPLE_FACTORS.get(settings.get_current_profile_name(), 1.0)


def is_thorough() -> bool:
    """Tell whether the profile is `long`."""
    return example_factor() > 1


def scaled(count: int, least: int = 1) -> int:
    """Return the number of trials in this profile. count: the number in `make test`.

    least: the minimum.
    """
    return max(round(count * example_factor()), min(count, least))


def sampled(found: Sequence[T], share: int) -> Sequence[T]:
    """Return every n-th item (n: share), a fifth of these in `glance`, all in `long`."""
    return found if is_thorough() else found[:: round(share / example_factor())]


def law_examples(examples: int, *, shrunk: bool = False) -> settings:
    """Return the hypothesis settings of a law.

    Examples have no deadline. shrunk: shrink failures, which takes minutes for whole matches and
    helps little.
    """
    phases = tuple(Phase) if shrunk else PHASES_WITHOUT_SHRINKING
    return settings(
        max_examples=scaled(examples, MIN_EXAMPLES), derandomize=True, deadline=None, database=None, phases=phases
    )
