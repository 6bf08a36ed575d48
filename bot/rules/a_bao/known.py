"""3.1, 5.3, 5.4. What the others know of the cards in a hand: a card shown to all, and a card given face down.

Knows who has seen which card go where. Refuses to know the rules by which it went.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bot.rules.core.cards import Card


class Seen(NamedTuple):
    """A card in a hand of which others know. by: who knows it, None for everybody."""

    holder: int
    card: Card
    by: int | None = None


class Known(NamedTuple):
    """All that others know of hands."""

    seen: tuple[Seen, ...] = ()

    def __repr__(self) -> str:
        """Name no card, for this may stand in a log."""
        return f"<Known {len(self.seen)}>"

    def to(self, viewer: int | None) -> tuple[tuple[int, Card], ...]:
        """Return the cards in other hands of which this seat, or with None any onlooker, knows, as (seat, card)."""
        known = (
            (sighting.holder, sighting.card)
            for sighting in self.seen
            if sighting.holder != viewer and sighting.by in (None, viewer)
        )
        return tuple(sorted(known, key=lambda pair: (pair[0], str(pair[1]))))

    def without(self, gone: Iterable[Card]) -> Known:
        """Return what is known once these cards are in no hand any more."""
        left = frozenset(gone)
        return Known(tuple(sighting for sighting in self.seen if sighting.card not in left)) if self.seen else self

    def shown(self, card: Card, holder: int) -> Known:
        """Return what is known once everybody has seen who holds this card now."""
        return Known((*self.without((card,)).seen, Seen(holder, card)))

    def given(self, card: Card, giver: int, to: int, kept: Iterable[Card]) -> Known:
        """Return what is known once the giver gave a card face down.

        kept: cards that it cannot have been. Of the others in the giver's hand only the one who got it still knows.
        """
        sure = frozenset(kept)
        seen = [sighting for sighting in self.seen if sighting.card is not card]
        stays = [
            sighting for sighting in seen if sighting.holder != giver or sighting.card in sure or sighting.by == to
        ]
        for_one = [sighting._replace(by=to) for sighting in seen if sighting not in stays and sighting.by is None]
        return Known((*stays, *for_one, Seen(to, card, giver)))
