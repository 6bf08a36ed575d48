"""What is worth another look in finished matches: searched hand by hand, off the event loop, and kept.

A quick house player finds the candidates, and the evaluation that hints come from decides which of them are told. Knows
which hands are looked through. Refuses to know what is found in them, and who may see it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from bot.ground.ids import TableId
from bot.house.plain import choose
from bot.rules.actions import Pass, Play
from bot.rules.review import Candidate, Finding, Hand, best, candidates, decided, looked_at, search
from bot.table.films import Reel
from bot.table.thought import Thinking

KEPT: Final = 100  # matches, each with a few findings
MAX_EVALUATED: Final = 12  # candidates of a match: each takes some tenths of a second


class Reviews:
    """The matches that were looked back at last, one of them being searched at a time. thinking: who evaluates."""

    def __init__(self, thinking: Thinking) -> None:
        self._thinking = thinking
        self._known: OrderedDict[TableId, tuple[Finding, ...]] = OrderedDict()
        self._lock = asyncio.Lock()

    async def of(self, reel: Reel) -> tuple[Finding, ...]:
        """Return what is worth another look, the best first; nothing where no hand is over. Raises StoreError."""
        table = reel.row.id
        async with self._lock:
            if table in self._known:
                self._known.move_to_end(table)
                return self._known[table]
            found, whole = await self._searched(reel)
            if whole:
                self._known[table] = found
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
            return found

    async def _searched(self, reel: Reel) -> tuple[tuple[Finding, ...], bool]:
        """Return what there is, and whether each candidate could be evaluated."""
        found, doubtful = await asyncio.to_thread(_scanned, await _hands(reel))
        told, whole = await self._evaluated(doubtful)
        return best([*found, *told]), whole

    async def _evaluated(self, doubtful: Sequence[Candidate]) -> tuple[list[Finding], bool]:
        """Return the candidates that are mistakes, and whether each of them could be evaluated."""
        found, whole = list[Finding](), True
        for candidate in doubtful:
            done = candidate.done
            evaluation = await self._thinking.evaluate(done.before.view(done.seat), done.action)
            whole &= evaluation is not None
            if evaluation and evaluation.is_mistake and isinstance(evaluation.best, Play | Pass):
                found.append(candidate._replace(answer=evaluation.best).finding)
        return found, whole


def _scanned(hands: Sequence[Hand]) -> tuple[list[Finding], list[Candidate]]:
    """Return what is found without any thinking, and the most promising candidates."""
    doubtful = (candidate for hand in hands for candidate in candidates(hand, choose))
    order = sorted(doubtful, key=lambda candidate: candidate.finding.rank)
    return [finding for hand in hands for finding in search(hand)], order[:MAX_EVALUATED]


async def _hands(reel: Reel) -> list[Hand]:
    """Return the hands to search; none where no hand is over."""
    await reel.reach(reel.film.length)
    if reel.film.empty:
        return []
    match = (await reel.shot(reel.film.last)).match
    deals = {opening.number: deal for deal, opening in enumerate(reel.film.openings)}  # not what was thrown in
    first = decided(match)
    return [
        Hand(number, await reel.shots(deals[number]), await reel.persons(deals[number]), number == first)
        for number in looked_at(match)
    ]
