"""How much a law is tried: the same examples in every run, and by the profile `long` ten times as many.

`make test` is quick; `make soak` asks for the long profile by hypothesis' own option, --hypothesis-profile.
"""

from __future__ import annotations

from hypothesis import Phase, settings

QUICK, LONG, TIMES = "quick", "long", 10
UNSHRUNK = (Phase.explicit, Phase.generate)

for name in (LONG, QUICK):
    settings.register_profile(name, deadline=None)  # how long an example takes is up to what else the machine does
settings.load_profile(QUICK)


def thorough() -> bool:
    """Tell whether the long trials are asked for."""
    return settings.get_current_profile_name() == LONG


def lawful(examples: int, *, shrunk: bool = False) -> settings:
    """Return the settings of a law, with so many examples where it is to be quick, however long one takes.

    shrunk: what fails is made smaller; to make a whole match smaller takes minutes and shows little.
    """
    times = TIMES if thorough() else 1
    phases = tuple(Phase) if shrunk else UNSHRUNK
    return settings(max_examples=examples * times, derandomize=True, deadline=None, database=None, phases=phases)
