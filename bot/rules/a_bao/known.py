"""3.1, 5.3, 5.4. Cards known in other hands: cards shown to all, and cards given face down."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bot.rules.core.cards import Card


class Seen(NamedTuple):
    """A card known in another player's hand. by: the seat that knows it, None for all."""

    holder: int
    card: Card
    by: int | None = None


class Known(NamedTuple):
    """The cards known in other players' hands."""

    seen: tuple[Seen, ...] = ()

    def __repr__(self) -> str:
        """Return the number of cards only, to keep the cards out of logs."""
        return f"<Known {len(self.seen)}>"

    def to(self, viewer: int | None) -> tuple[tuple[int, Card], ...]:
        """Return the known cards in other hands for this seat (None: for spectators), as (seat, card)."""
        known = (
            (sighting.holder, sighting.card)
            for sighting in self.seen
            if sighting.holder != viewer and sighting.by in (None, viewer)
        )
        return tuple(sorted(known, key=lambda pair: (pair[0], str(pair[1]))))

    def without(self, gone: Iterable[Card]) -> Known:
        """Return the knowledge after these cards left the hands."""
        left = frozenset(gone)
        return Known(tuple(sighting for sighting in self.seen if sighting.card not in left)) if self.seen else self

    def shown(self, card: Card, holder: int) -> Known:
        """Return the knowledge after a card was shown in a hand."""
        return Known((*self.without((card,)).seen, Seen(holder, card)))

    def given(self, card: Card, giver: int, to: int, kept: Iterable[Card]) -> Known:
        """Return the knowledge after a card was given face down.

        kept: cards that the giver cannot have given. Other known cards of the giver remain known to the receiver only:
        for the other seats, each of them may be the given card.
        """
        sure = frozenset(kept)
        seen = [sighting for sighting in self.seen if sighting.card is not card]
        stays = [
            sighting for sighting in seen if sighting.holder != giver or sighting.card in sure or sighting.by == to
        ]
        for_one = [sighting._replace(by=to) for sighting in seen if sighting not in stays and sighting.by is None]
        return Known((*stays, *for_one, Seen(to, card, giver)))
