"""House players at a table: when they act, and the delay before each action.

Which action they choose is decided by `house_action` in `bot/ai/levels.py`, for good and strong players in a worker
process (`bot/ai_pool/pool.py`).
"""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from itertools import chain
from random import SystemRandom
from time import perf_counter
from typing import Final, Protocol

from bot.ai_pool.moves import MoveRequest, SeatAction, complete_turn, dice_seed, secret_continuation
from bot.domain.ids import TableId
from bot.domain.refusals import Refused
from bot.rules.core.asks import Ready
from bot.rules.matches.match import Match
from bot.runtime.metrics import CAUSE, Cause
from bot.runtime.tasks import start_awaited, start_task
from bot.store.errors import DeletionsPending, StoreError, WriteConflict
from bot.table.core.commands import ActAsHouse, Command
from bot.table.core.play import acting_by_themselves, house_seats
from bot.table.core.state import TableState
from bot.table.environment import Environment

log = logging.getLogger(__name__)

RETRY = 5.0  # seconds before a house player repeats an action after a failed write


class HouseTable(Protocol):
    """A table with house players."""

    id: TableId
    state: TableState
    moved_on: str

    async def do(self, command: Command) -> None:
        """Execute a command."""
        ...


class HousePlayers:
    """The house players of one table; no task exists until their turn."""

    def __init__(self, table: HouseTable, env: Environment) -> None:
        self._table = table
        self._env = env
        self._acting: asyncio.Task[None] | None = None
        self._turn: asyncio.Task[tuple[SeatAction, ...]] | None = None  # thinks, and takes its time
        self._stopped = False
        self._house_delay = HouseDelay()
        self._considered = -1  # the ply for which eager house players last thought
        self._since = env.now()  # when the present question was first asked here

    @property
    def acting(self) -> bool:
        """Whether house players are about to act."""
        return self._acting is not None

    async def wait_until_idle(self, patience: float) -> None:
        """Wait up to ``patience`` seconds for the end of quick house actions."""
        if self._acting is not None and not self._delay:
            await asyncio.wait({self._acting}, timeout=patience)

    def stop(self) -> None:
        """Stop house players for the rest of this run; the next run resumes them."""
        self._stopped = True
        if self._acting is not None:
            self._acting.cancel()

    async def ended(self) -> None:
        """Wait for the end of stopped house players."""
        if self._acting is not None:
            await asyncio.wait({self._acting})

    def start(self) -> None:
        """Start house players at their turn."""
        if self._stopped or self._acting is not None:
            return
        if self._waiting() or self._eager():
            self._acting = start_task(self._act(), name=f"house players of table {self._table.id}")

    def new_moment(self) -> None:
        """React to a public action: running decisions start again."""
        self._since = self._env.now()
        self._drop_turn()

    def clock_resumed(self) -> None:
        """Draw a new delay from now on."""
        self._house_delay = HouseDelay()
        self._drop_turn()

    def _drop_turn(self) -> None:
        """Cancel a running decision or wait; house players still asked begin a new turn."""
        if self._turn is not None:
            self._turn.cancel()

    @property
    def _delay(self) -> float:
        """The mean delay in seconds: 0 at a solo table."""
        return 0.0 if self._table.state.row.solo else self._env.house_delay

    # Whose turn it is

    def _waiting(self) -> tuple[int, ...]:
        return house_seats(self._table.state)

    def _eager(self) -> tuple[int, ...]:
        """Return house players' seats that may act out of turn and have not decided on this ply."""
        state, match = self._table.state, self._table.state.match
        if match is None or match.game.result or self._considered == state.ply:
            return ()
        eager = match.to_act - match.awaited
        return acting_by_themselves(state, eager) if eager else ()

    def _acting_seats(self, match: Match) -> tuple[tuple[int, ...], int]:
        """Return the seats with possible actions now, and the number of actions to take.

        A joint question takes an action of every seat, otherwise one action is taken.
        """
        waiting = self._waiting()
        return (waiting, len(waiting)) if match.game.secrecy.together else ((*self._eager(), *waiting[:1]), 1)

    # Acting

    async def _act(self) -> None:
        """Act until it is a person's turn."""
        CAUSE.set(Cause(table=self._table.id))
        try:
            while self._waiting() or self._eager():
                try:
                    await self._act_once()
                except (StoreError, Refused) as error:
                    if self._table.moved_on:
                        return
                    level = (
                        logging.INFO
                        if isinstance(error, (Refused, DeletionsPending, WriteConflict))
                        else logging.WARNING
                    )
                    log.log(level, "Table %s: a house player was not heard and tries again: %s", self._table.id, error)
                    await asyncio.sleep(RETRY)
        finally:
            self._acting = None

    async def _act_once(self) -> None:
        """Act once, and lock the table only for the action; void after the match has moved on."""
        match = self._table.state.match
        assert match is not None
        ready = tuple((seat, Ready()) for seat in self._waiting())
        moves: tuple[SeatAction, ...] | None = ready if match.game.result else await self._take_turn(match)
        if moves is None:
            return
        now = self._table.state
        await self._table.do(ActAsHouse(match.moment, match.awaited, moves))
        if now.moment == match.moment and not self._table.state.row.paused:  # else it was void, and is thought of again
            self._considered = now.ply  # answers in secret since then leave nothing new to think about

    async def _take_turn(self, match: Match) -> tuple[SeatAction, ...] | None:
        """Return the actions of house players at their moment; None for a dropped turn."""
        turn = self._turn = start_awaited(self._think_and_wait(match))
        try:
            await asyncio.wait({turn})
        finally:
            turn.cancel()
        return None if turn.cancelled() else turn.result()

    async def _think_and_wait(self, match: Match) -> tuple[SeatAction, ...]:
        """Return house players' actions after exactly the drawn delay, however long they think."""
        seconds = self._wait(match)
        moves, _ = await asyncio.gather(self._decide_all(match, seconds), asyncio.sleep(seconds))
        return moves

    def _wait(self, match: Match) -> float:
        """Return the seconds until house players act, and the table for players without a choice."""
        row, now = self._table.state.row, self._env.now()
        live, several = row.pace.kind == "live", sum(not chair.house for chair in row.chairs) > 1
        open_for = seconds_left_open(self._since, now, self._delay) if match.game.secrecy.quiet else 0.0
        if live and several and open_for:
            return open_for
        return self._house_delay.wait(match.moment, now, self._delay, live=live)

    async def _decide_all(self, match: Match, seconds: float) -> tuple[SeatAction, ...]:
        """Return the decided actions. seconds: limit of thinking; 0: no limit."""
        begun, (seats, most) = perf_counter(), self._acting_seats(match)
        decisions = await asyncio.gather(*(self._decide(match, seat, seconds) for seat in seats))
        if watch := self._env.watch:
            watch.record_decision_time(self._table.state.row.game, perf_counter() - begun)
        return tuple(chain.from_iterable([moves for moves in decisions if moves][:most]))

    async def _decide(self, match: Match, seat: int, seconds: float) -> tuple[SeatAction, ...]:
        """Return a house player's actions up to the first public one, the best found in time."""
        done = list[SeatAction]()
        thinking = start_awaited(self._think(match, seat, seconds, done))
        try:
            _, cut_off = await asyncio.wait({thinking}, timeout=seconds or None)
        finally:
            thinking.cancel()
        if cut_off:
            return complete_turn(match, seat, tuple(done))
        thinking.result()  # raises its error
        return tuple(done)

    async def _think(self, match: Match, seat: int, seconds: float, done: list[SeatAction]) -> None:
        """Append a house player's actions, up to the first public one."""
        now: Match | None = match
        while now is not None:
            state = self._table.state
            level, view = state.row.chairs[seat].level, now.view(seat)
            dice = dice_seed(state.row.seed, seat, state.ply + len(done)) if level else ""
            action = await self._env.move_chooser.choose(MoveRequest(view, level, dice, seconds or None))
            if action is None:
                return
            done.append((seat, action))
            now = secret_continuation(now, seat, action)


RANDOM: Final = SystemRandom()
# As multiples of the mean delay: with the usual 1.9 seconds, 1.3 to 2.5 seconds, and 0.8 to 1.5 elsewhere.
MIN_DELAY, MAX_DELAY = 1.3 / 1.9, 2.5 / 1.9  # at live tables
MIN_OTHER_DELAY, MAX_OTHER_DELAY = 0.8 / 1.9, 1.5 / 1.9
# The delay of a premove: longer than a house player's, shorter than until a silent player's reminder, so that no
# reminder reveals a missing premove.
MIN_PREMOVE_DELAY, MAX_PREMOVE_DELAY = 1.6, 4.5
OPEN_QUESTION_DELAYS: Final = (
    5  # delays that a question stays open to all players where the table answers for some of them
)


class HouseDelay:
    """The time of the next house action at a table."""

    def __init__(self) -> None:
        self._moment = -1
        self._due: datetime | None = None

    def wait(self, moment: int, now: datetime, delay: float, *, live: bool = True) -> float:
        """Return the seconds from now until a house player acts: one draw per moment of a match.

        A secret answer never moves the time. After a pause or a substitution, a new draw replaces a past one. moment:
        the number of public actions so far. delay: the mean in seconds at live tables, 0 for no delay.
        """
        if self._due is None or moment != self._moment or self._due <= now:
            least, most = (MIN_DELAY, MAX_DELAY) if live else (MIN_OTHER_DELAY, MAX_OTHER_DELAY)
            self._moment, self._due = moment, now + timedelta(seconds=delay * RANDOM.uniform(least, most))
        return (self._due - now).total_seconds()


def seconds_left_open(since: datetime, now: datetime, delay: float) -> float:
    """Return the seconds until the table answers for players without a choice.

    The same for every player of a simultaneous question. since: the start of the question.
    """
    return max(0.0, OPEN_QUESTION_DELAYS * delay - (now - since).total_seconds())
