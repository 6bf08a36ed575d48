"""The reactions that players show on boards, in memory only.

A reaction is never the reason for an edit. A board takes on new reactions only with the next public move, which changes
the board anyway. A redraw without a move, such as after a secret answer, shows the same reactions as before, so it
leaves the board unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.delivery.boards.recent_tables import RecentTables
from bot.domain.reactions import MAX_REACTIONS, offered_reactions
from bot.scene import PublicScene, Scene


@dataclass(slots=True, kw_only=True)
class _TableReactions:
    """The reactions at a table, by seat.

    moment: of the match at the latest redraw. deal, used: the number of reactions of each seat in a deal. waiting: not
    shown yet. shown: on the board now. trick: the number of finished tricks at the time of `shown`.
    """

    moment: int
    deal: int
    used: Counter[int] = field(default_factory=Counter)
    waiting: dict[int, str] = field(default_factory=dict)
    shown: Mapping[int, str] = field(default_factory=dict)
    trick: int = 0


class Reactions:
    """The reactions at all tables."""

    def __init__(self) -> None:
        self._tables = RecentTables[_TableReactions]()

    def left(self, scene: Scene, seat: int) -> int:
        """Return how many more reactions a seat may show in this hand."""
        known = self._tables.get(scene.where.table)
        used = known.used[seat] if known and known.deal == scene.tally.deal else 0
        return MAX_REACTIONS - used

    def show(self, scene: Scene, seat: int, sign: str) -> None:
        """Show a reaction on a seat from the next move until the end of that trick.

        An earlier reaction is replaced.
        """
        table, deal = scene.where.table, scene.tally.deal
        known = self._tables[table] = self._tables.get(table) or _TableReactions(moment=scene.moment, deal=deal)
        if known.deal != deal:
            known.deal, known.used = deal, Counter()
        known.used[seat] += 1
        known.waiting[seat] = sign

    def on_board(self, scene: PublicScene) -> Mapping[int, str]:
        """Return the reactions for a redraw of the board, by seat."""
        known = self._tables.get(scene.where.table)
        if known is None or not offered_reactions(scene.terms.pace, scene.terms.server):
            return {}
        if scene.moment > known.moment:
            trick = len(scene.view.tricks) if scene.view else 0
            lasting = known.shown if trick == known.trick else {}
            known.shown = {**lasting, **known.waiting}
            known.moment, known.trick, known.waiting = scene.moment, trick, {}
        return known.shown
