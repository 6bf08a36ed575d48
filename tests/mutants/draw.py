"""The draw of mutations by a seed, from all modules in proportion to their lines.

A module is drawn in proportion to its lines, then a kind of mutation, then a mutation. No line is drawn twice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.mutants.mutations import Module, Mutation, mutations


def draw_mutations(seed: str, count: int, modules: Sequence[Module]) -> list[Mutation]:
    """Return so many mutations, always the same for a seed and these modules."""
    rng = random.Random(seed)  # reproducible by anyone
    lengths = [len(module.path.read_bytes().splitlines()) for module in modules]
    left: dict[Module, list[Mutation]] = {}
    found = list[Mutation]()
    while len(found) < count:
        (module,) = rng.choices(modules, lengths)
        if module not in left:
            left[module] = mutations(module)
        if those := left[module]:
            kind = rng.choice(sorted({mutation.kind for mutation in those}))
            found.append(rng.choice([mutation for mutation in those if mutation.kind == kind]))
            left[module] = [mutation for mutation in those if mutation.line != found[-1].line]
    return found
