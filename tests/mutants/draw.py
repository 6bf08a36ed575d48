"""The draw: which faults are tried, by a seed, from all modules in proportion to their lines.

A module is drawn in proportion to its lines, then a kind of fault, then one fault. No line is drawn twice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.mutants.faults import Fault, Module, faults


def drawn(seed: str, count: int, modules: Sequence[Module]) -> list[Fault]:
    """Return so many faults, always the same for a seed and these modules."""
    rng = random.Random(seed)  # a draw that every player can repeat
    lengths = [len(module.path.read_bytes().splitlines()) for module in modules]
    left: dict[Module, list[Fault]] = {}
    found = list[Fault]()
    while len(found) < count:
        (module,) = rng.choices(modules, lengths)
        if module not in left:
            left[module] = faults(module)
        if those := left[module]:
            kind = rng.choice(sorted({fault.kind for fault in those}))
            found.append(rng.choice([fault for fault in those if fault.kind == kind]))
            left[module] = [fault for fault in those if fault.line != found[-1].line]
    return found
