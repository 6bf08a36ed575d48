"""The colours of people in pictures.

Each person has a preferred colour, and no two people share one in a picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import blake2s

from bot.domain.chairs import Chair
from bot.domain.ids import UserId
from bot.show.pictures.canvas import HUES


def preferred_hue(user: UserId | None, name: str) -> int:
    """Return the number of a person's preferred colour.

    It follows from the user id, or from the name of a house player.
    """
    return int.from_bytes(blake2s(str(user or name).encode(), digest_size=4).digest()) % len(HUES)


def distinct_hues(preferred: Sequence[int]) -> Iterator[int]:
    """Yield the hue of each person.

    The hue is the preferred one, or the next free hue after an earlier person's equal wish. With more people than hues,
    the fewest possible share one.
    """
    taken, first = Counter(set(preferred)), set[int]()
    for wish in preferred:
        if wish in first:
            hue = min(((wish + step) % len(HUES) for step in range(len(HUES))), key=taken.__getitem__)
            taken[hue] += 1
            yield hue
        else:
            first.add(wish)
            yield wish


def hues_by_seat(chairs: Collection[Chair]) -> Mapping[int, int]:
    """Return the hue of each seat's player; people choose before house players."""
    order = sorted(chairs, key=lambda chair: (chair.user is None, chair.seat))
    chosen = distinct_hues([preferred_hue(chair.user, chair.name) for chair in order])
    return {chair.seat: hue for chair, hue in zip(order, chosen, strict=True)}
