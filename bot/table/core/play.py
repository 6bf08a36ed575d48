"""One table while a match is played: who acts when, house players, and how it ends.

Check, remember, then tell. Knows turns, and what becomes of a seat that is given up and of a match that all have left.
Refuses to know what the clock does, why somebody goes, and how a table comes to be paused. One lock orders everything
at a table; the store's key on (table, ply) is the second, independent guard.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from time import perf_counter
from typing import Any

from bot.ai_pool.moves import Done, completed, dice, hand_to_the_end, in_secret, nothing_to_decide, passes_openly
from bot.ai_pool.requests import Thought
from bot.ground.begun import start_awaited, start_task
from bot.ground.cause import CAUSE, Cause
from bot.ground.chair import Vote
from bot.ground.cut import by_seat
from bot.ground.effects import SheetUpdate, Signpost, ThreadOpening
from bot.ground.ids import ChannelId, UserId
from bot.ground.place import Place
from bot.ground.refused import NO_WAY_BACK, Refused, TooLate, Unseen
from bot.ground.results import Ended, Outcome
from bot.rules.actions import Action, Pass, Ready, Stop, write_action
from bot.rules.match import Match
from bot.rules.openings import kept_of
from bot.rules.record import Record
from bot.rules.seal import cut_by, with_cut
from bot.rules.versions import VERSION
from bot.store.errors import Behind, Busy, StoreError
from bot.store.rows import NO_MESSAGE, By, Step, TableRow
from bot.table.core import chairs as seating
from bot.table.core import votes
from bot.table.core.chairs import Chairs
from bot.table.core.deadlines import WaitingTable
from bot.table.core.fair import counts, score_of, standings_of
from bot.table.core.lobby import OTHER_RULES
from bot.table.delays import Manners, open_to_all
from bot.table.environment import Around
from bot.table.transcripts import LENGTHY, Transcript, replayed

log = logging.getLogger(__name__)

RETRY = 5.0  # seconds before a house player tries again when the store did not take its play
NOT_WHILE_PAUSED = "This table is paused. Nothing is lost, and no clock runs until it goes on."
DESERTED = "Nobody sits at {table} any more, so it is closed."
PLAYED_OUT = "Nobody has come back to {table}, so house players have played it to its end. Everybody there has left."
GIVEN_UP = "Nobody has come back to {table}, so it ends here. What was played counts."
UNPLAYED = "{table} ends before a hand was played to its end, so there is no result."
TAKE_BACK = "A house player has your seat. Take it back first."
UNWANTED = "Somebody did not want that when you last asked. You can ask for it again {when}."
YOUR_MOVE = "It is your move: make it first. You can ask for the end while you wait for others."
_BY: Mapping[Ended, By] = {"agreed": "person", "silence": "clock"}


class PlayingTable(WaitingTable):
    """A table as far as its match goes."""

    def __init__(self, row: TableRow, around: Around) -> None:
        super().__init__(row, around)
        self._house: asyncio.Task[None] | None = None
        self._house_turn: asyncio.Task[tuple[Done, ...]] | None = (
            None  # of house players who think, and take their time
        )
        self._house_stopped = False
        self._manners = Manners()
        self._considered = -1  # the ply at which house players have last thought
        self._since = around.now()  # when what is asked now was first asked here

    @property
    def busy(self) -> bool:
        """Whether something is under way here that must not be forgotten."""
        return self._lock.locked() or self._house is not None

    async def at_rest(self, patience: float) -> None:
        """Wait until no house player is about to act, at most so many seconds; if they take their time, not at all."""
        if self._house is not None and not self._house_delay:
            await asyncio.wait({self._house}, timeout=patience)

    @property
    def _house_delay(self) -> float:
        """The delay of house players in seconds, as `Manners` has it: 0 at a solo table, which nobody else sees."""
        return 0.0 if self.row.alone else self._around.house_delay

    def stop_house_players(self) -> None:
        """Let house players act no more in this run; the next one lets them go on."""
        self._house_stopped = True
        if self._house is not None:
            self._house.cancel()

    async def house_ended(self) -> None:
        """Wait until the house players that were stopped have ended."""
        if self._house is not None:
            await asyncio.wait({self._house})

    # The start

    async def start(self, user: UserId, home: ChannelId | None, edition: int, sent: str = "") -> None:
        """Deal the first hand, or go on where its steps lead. home: where to play, None for here. As check_start.

        sent: the key of an effect that is not to be done any more.
        """
        async with self._locked():
            self.check_start(user, edition)
            if await self._follow_stakes():
                raise Unseen(OTHER_RULES)
            await self.check_once()
            cut = self._words_closed()
            version = self.row.rules if self.row.steps else VERSION
            record = replace(self.record, version=version, seed=cut.get("seed", self.row.seed))
            match = await self._replayed(record)
            moved = {"home": home, "message": NO_MESSAGE} if home else {}
            begun = {"counts": self.counts, "rules": version, "place": await self._where(home or self.row.home)}
            if self.counts:
                await self.learn_deletions()
                begun["unrated"] = bool(self._deleted)
            begun["parts"] = self._parts(self.row.chairs)
            if home and self.row.message:
                self._plan(ThreadOpening(home))
                self._plan(Signpost(self.row.home, self.row.message, home))
            await self._save(sent=sent, **moved, **cut, **begun | await self._as_it_stands(match, self.row.chairs))
            self._go_on_with(match)

    async def _replayed(self, record: Record) -> Match:
        """Return the match to start with: a new one, or what a practice hand goes on from."""
        if len(record.steps) >= LENGTHY:
            row = replace(self.row, seed=record.seed, rules=record.version)
            return await self._around.workers.call_for_table(replayed, Transcript.of(row, row.steps))
        return await asyncio.to_thread(record.replay)

    def _words_closed(self) -> dict[str, Any]:
        """Return what is written of the words of those who sit here now, by which the cards are cut; maybe nothing."""
        row, cuts = self.row, seating.cut(self.row.chairs, self.row.cuts)
        if not cuts:
            return {"cuts": ()} if row.cuts else {}
        return {"cuts": cuts, "seed": with_cut(row.seed, cut_by(by_seat(cuts, row.seats)))}

    # The match

    async def act(self, user: UserId, action: Action, moment: int | None = None) -> None:
        """Carry out what a person does. moment: the one their click was made for; None for a typed command.

        Raises Refused, TooLate or Illegal, and then nothing has changed.
        """
        async with self._locked():
            seat = seating.own_seat(self.row.chairs, user)
            if self.row.phase != "playing" or self.match is None:
                raise Refused("No match is being played at this table now.")
            if self.row.chairs[seat].house:
                raise Refused(NO_WAY_BACK if self.row.chairs[seat].away == "removed" else TAKE_BACK)
            self._only_awake()
            if self.row.paused:
                raise Refused(NOT_WHILE_PAUSED)
            if moment is not None and moment != self.moment and not self._in_this_break(self.match, action, moment):
                raise TooLate
            if isinstance(action, Stop):
                await self._ask_to_end(self.match, seat)
            elif isinstance(action, Ready) and seat in self.match.ready and votes.ending(self.row.chairs):
                await self._refuse_end(self.match)
            else:
                await self._act(((seat, action),), "person", seating.punctual(self.row.chairs, seat))

    def _in_this_break(self, match: Match, action: Action, moment: int) -> bool:
        """Tell whether a click was made between the same two hands, in which others have only got ready since.

        Ready names its hand in the address, which a guard checks.
        """
        if match.game.result is None:
            return False
        return isinstance(action, Ready) or (isinstance(action, Stop) and moment >= match.moment - len(match.ready))

    async def _act(self, actions: tuple[Done, ...], by: By, chairs: Chairs) -> None:
        """Check, remember, then tell."""
        assert self.match is not None
        match, steps = self.match, list[Step]()
        for seat, action in actions:
            if self.match.game.secrecy.together and match.moment != self.match.moment:
                break  # one of the answers was enough for the game to go on
            match = match.act(seat, action)
            steps.append(self._step(len(steps), seat, action, by))
        while self.row.pace.openly and (idle := passes_openly(match)) is not None:
            match = match.act(idle, Pass())
            steps.append(self._step(len(steps), idle, Pass(), "house"))
        if by in ("person", "order") and match.moment != self.match.moment:  # a sealed answer must not be noticed
            chairs = votes.unvoted(chairs)
        changed = chairs if chairs != self.row.chairs else ()
        await self._save(**{"steps": tuple(steps), "chairs": changed} | await self._as_it_stands(match, chairs))
        self._go_on_with(match)

    def _step(self, later: int, seat: int, action: Action, by: By) -> Step:
        """Return an action as it is kept: what is done for somebody who has nothing to decide is by order."""
        by = "order" if by == "house" and not self.row.chairs[seat].house else by
        return Step(self.ply + later, seat, write_action(action), by, self._around.now())

    async def _as_it_stands(self, match: Match, chairs: Chairs) -> dict[str, Any]:
        """Return what is written of how a match stands; even the first deal may end it."""
        if match.over:
            return await self._over(match, chairs, "agreed" if match.stopped else "itself")
        return {"phase": "playing", **self._pending(match, chairs)}

    async def _change_hands(self, chairs: Chairs, **also: Any) -> None:
        assert self.match is not None
        await self._save(chairs=chairs, **self._pending(self.match, chairs), **also)
        self._go_on_with(self.match)

    async def _give_up(self, seat: int, chairs: Chairs, **also: Any) -> None:
        """Let a house player act for whoever is gone, and the match end if all who stay had agreed to that."""
        if self._is_deserted(seat, chairs):
            await self._close(DESERTED, **also)
            return
        await self._change_hands(chairs, **also)
        if self.match and self._is_agreed(chairs):
            await self._end(self.match, votes.ending(chairs)[0], chairs, "agreed")

    def _ends_without(self, seat: int, chairs: Chairs) -> bool:
        """Tell whether the match ends when the player of a seat leaves, after which these are the chairs."""
        return self._is_deserted(seat, chairs) or self._is_agreed(chairs)

    def _is_deserted(self, seat: int, chairs: Chairs) -> bool:
        return seating.alone(chairs, seat) and not self.row.counts

    def _is_agreed(self, chairs: Chairs) -> bool:
        return bool(votes.ending(chairs)) and not votes.undecided(chairs)

    def _go_on_with(self, match: Match) -> None:
        if self.match is None or match.moment != self.match.moment:
            self._since = self._around.now()
            self._drop_turn()
        self.match = match
        self.go_on()

    def go_on(self) -> None:
        """Tell how the table stands, and let house players act where it is their turn."""
        self._around.teller.changed(self)
        if self._house_stopped or self._house is not None:
            return
        if self._house_seats() or self._eager_seats():
            self._house = start_task(self._play_house_seats(), name=f"house players of table {self.id}")

    def _drop_turn(self) -> None:
        """Cancel the turn of house players who still think or wait; they begin a new one if they are still asked."""
        if self._house_turn is not None:
            self._house_turn.cancel()

    def _take_time_anew(self) -> None:
        """Let house players whose turn it is take as long from now on as from the action before."""
        self._manners = Manners()
        self._drop_turn()

    async def _take_over(self) -> None:
        """Become what the store has; tell what is new in it."""
        before, moment = self.row, self.moment
        await super()._take_over()
        if self.moment != moment:
            self._since = self._around.now()
            self._drop_turn()
        if self.row != before:
            self.go_on()
        if self.row.deadline:
            self._around.wake(self.row.deadline.next)

    # The end that all agree on

    async def _refuse_end(self, match: Match) -> None:
        """Let the match go on that somebody wanted to end: whoever asked has seen the hand as well, and is ready.

        Otherwise one player could ask again and again, and the next hand would never come.
        """
        asking = tuple((seat, Ready()) for seat in votes.ending(self.row.chairs) if seat not in match.ready)
        if asking:
            await self._act(asking, "person", votes.unvoted(self.row.chairs))
        else:
            await self._change_hands(votes.unvoted(self.row.chairs))

    async def _ask_to_end(self, match: Match, seat: int) -> None:
        """Note that this player wants the match to end; it does when all who still play want that."""
        between, sitting = match.game.result is not None, self.row.chairs
        if not between and not votes.ending(sitting) and seat in match.view(None).awaited:
            raise Refused(YOUR_MOVE)
        self._check_anew(seat, "end")
        chairs = votes.voting(sitting, seat, "end")
        if votes.undecided(chairs):
            await self._change_hands(chairs)
        else:
            await self._end(match, seat, chairs, "agreed")

    def _check_anew(self, seat: int, vote: Vote) -> None:
        """Raise Refused for whoever asks others again for what was not wanted a while ago."""
        chairs, span = self.row.chairs, self._around.times.before_asking_anew(self.row.pace)
        free = votes.asked_anew(chairs[seat], vote, span)
        if free and free > self._around.now() and not votes.asked(chairs) and {seat} < set(votes.undecided(chairs)):
            raise Refused(UNWANTED, when=free)

    async def _unwanted(self) -> None:
        """Let nothing come of what is asked."""
        span = self._around.times.before_asking_anew(self.row.pace)
        await self._change_hands(votes.unwanted(self.row.chairs, self._around.now(), span))

    async def _end(self, match: Match, seat: int, chairs: Chairs, ended: Ended, place: Place | None = None) -> None:
        """End the match with the hands that were played to their end; an endless one by a step of a seat."""
        steps: tuple[Step, ...] = ()
        if match.endless and match.game.result:
            match, steps = match.act(seat, Stop()), (self._step(0, seat, Stop(), _BY[ended]),)
        if not match.results:
            await self._close(UNPLAYED)
            return
        await self._save(steps=steps, chairs=chairs, **await self._over(match, chairs, ended, place))
        self._go_on_with(match)

    async def _break_off(self, place: Place | None = None) -> None:
        """End a table that cannot go on where it is.

        Finished hands count as if nobody had said anything: else whoever may delete channels, take the bot its rights
        there, or remove it from the server, could undo a loss.
        """
        if self.row.phase == "playing" and self.match and self.match.results:
            await self._end(self.match, 0, self.row.chairs, "silence", place)
        else:
            await self._close()

    async def _play_out(self, match: Match) -> None:
        """Let a match that all have left come to its result, for leaving is no way around a loss."""
        if match.endless:
            self._announce(GIVEN_UP)
            await self._end(match, 0, self.row.chairs, "silence")
            return
        last, done = match, list[Done]()
        while not last.over:
            last, more = await self._around.workers.call(hand_to_the_end, last)
            done += more
        steps = tuple(self._step(later, seat, action, "house") for later, (seat, action) in enumerate(done))
        self._announce(PLAYED_OUT)
        await self._save(steps=steps, **await self._over(last, self.row.chairs, "itself"))
        self._go_on_with(last)

    async def _over(self, match: Match, chairs: Chairs, ended: Ended, place: Place | None = None) -> dict[str, Any]:
        """Return what is written of a match that has ended in this way.

        place: where, if that was not noted when the match was dealt. Whoever hides a channel meanwhile, or opens it,
        changes nothing: the result belongs to the leaderboard that it was begun for.
        """
        counted = counts(self.row, self.ruleset, ended)
        place = self.row.place or place or await self._where(self.row.home)
        outcome = Outcome(len(match.results), self._around.now(), standings_of(match, chairs), counted, ended, place)
        stands = {"phase": "over", "deadline": None, "ended": ended, "counts": counted}
        if self.row.duplicate_id is not None:
            self._plan(SheetUpdate())
        return stands | {"outcome": outcome, "score": score_of(match), "openings": kept_of(match)}

    async def _where(self, channel: ChannelId) -> Place:
        """Return whose rights decide about a channel; of one that is gone as it was noted."""
        return await self._around.place(self.row.guild, channel, self.row.place)

    # House players

    def _house_seats(self) -> tuple[int, ...]:
        """Return the awaited seats that act by themselves."""
        return self._kept_among(self.match.awaited) if self.match else ()

    def _eager_seats(self) -> tuple[int, ...]:
        """Return the seats of house players that may act out of turn and have not thought about it yet."""
        match = self.match
        if match is None or match.game.result or self._considered == self.ply:
            return ()
        eager = match.to_act - match.awaited
        return self._kept_among(eager) if eager else ()

    def _kept_among(self, seats: frozenset[int]) -> tuple[int, ...]:
        """Return the seats of these that act by themselves now; none while no person is there to play with."""
        row = self.row
        kept = tuple(seat for seat in sorted(seats) if self._by_itself(seat))
        return kept if kept and row.phase == "playing" and not row.paused and seating.people(row.chairs) else ()

    def _by_itself(self, seat: int) -> bool:
        """Tell whether a house player acts at this seat, or the table, for its owner has nothing to decide."""
        match, row = self.match, self.row
        if row.chairs[seat].house:
            return True
        if match is None or not match.game.secrecy.quiet or not seating.answers_for(row.chairs, row.pace):
            return False
        return nothing_to_decide(match.game.ask(seat))

    async def _play_house_seats(self) -> None:
        """Let house players act until it is a person's turn."""
        CAUSE.set(Cause(table=self.id))
        try:
            while self._house_seats() or self._eager_seats():
                try:
                    await self._play_one()
                except (StoreError, Refused) as error:
                    if self.moved_on:
                        return
                    level = logging.INFO if isinstance(error, (Refused, Behind, Busy)) else logging.WARNING
                    log.log(level, "Table %s: a house player was not heard and tries again: %s", self.id, error)
                    await asyncio.sleep(RETRY)
        finally:
            self._house = None

    async def _play_one(self) -> None:
        """Let house players act once, outside the lock until then; void if all have seen something else meanwhile."""
        match = self.match
        assert match is not None
        ready = tuple((seat, Ready()) for seat in self._house_seats())
        actions: tuple[Done, ...] | None = ready if match.game.result else await self._take_turn(match)
        if actions is None:
            return
        async with self._locked():
            now = self.match
            if now is None or now.moment != match.moment or self.row.phase != "playing" or self.row.paused:
                return
            self._considered = self.ply
            free = (now.to_act - match.awaited) | now.awaited  # of those asked: who has not answered meanwhile
            actions = tuple((seat, action) for seat, action in actions if seat in free and self._by_itself(seat))
            if actions:
                await self._act(actions, "house", self.row.chairs)

    async def _take_turn(self, match: Match) -> tuple[Done, ...] | None:
        """Return what house players do when their time has come; None if the turn is dropped before."""
        turn = self._house_turn = start_awaited(self._think_and_wait(match))
        try:
            await asyncio.wait({turn})
        finally:
            turn.cancel()
        return None if turn.cancelled() else turn.result()

    async def _think_and_wait(self, match: Match) -> tuple[Done, ...]:
        """Return what house players do, exactly after the time drawn: thinking makes it neither shorter nor longer."""
        seconds = self._waits(match)
        actions, _ = await asyncio.gather(self._thought(match, seconds), asyncio.sleep(seconds))
        return actions

    async def _thought(self, match: Match, seconds: float) -> tuple[Done, ...]:
        """Return what house players want to do. seconds: after which thinking ends; 0: when it is done."""
        begun, (seats, most) = perf_counter(), self._thinkers(match)
        found = await asyncio.gather(*(self._decide(match, seat, seconds) for seat in seats))
        if watch := self._around.watch:
            watch.thought(self.row.game, perf_counter() - begun)
        return tuple(chain.from_iterable([actions for actions in found if actions][:most]))

    async def _decide(self, match: Match, seat: int, seconds: float) -> tuple[Done, ...]:
        """Return the actions of a house player up to the first that all can see: the best found in that time."""
        done = list[Done]()
        thinking = start_awaited(self._think(match, seat, seconds, done))
        try:
            _, cut_off = await asyncio.wait({thinking}, timeout=seconds or None)
        finally:
            thinking.cancel()
        if cut_off:
            return completed(match, seat, tuple(done))
        thinking.result()  # raises its error
        return tuple(done)

    async def _think(self, match: Match, seat: int, seconds: float, done: list[Done]) -> None:
        """Add the actions of a house player, up to the first that all can see."""
        now: Match | None = match
        while now is not None:
            level, view = self.row.chairs[seat].level, now.view(seat)
            thrown = dice(self.row.seed, seat, self.ply + len(done)) if level else ""
            action = await self._around.thinking.wish(Thought(view, level, thrown, seconds or None))
            if action is None:
                return
            done.append((seat, action))
            now = in_secret(now, seat, action)

    def _waits(self, match: Match) -> float:
        """Return the seconds until house players act, and the table for those who have nothing to decide."""
        now, live = self._around.now(), self.row.pace.kind == "live"
        several = sum(not chair.house for chair in self.row.chairs) > 1
        open_for = open_to_all(self._since, now, self._house_delay) if match.game.secrecy.quiet else 0.0
        if live and several and open_for:
            return open_for
        return self._manners.wait(match.moment, now, self._house_delay, live=live)

    def _thinkers(self, match: Match) -> tuple[tuple[int, ...], int]:
        """Return the seats for which the table may act next, and for how many it does: all who are asked together."""
        waiting = self._house_seats()
        return (waiting, len(waiting)) if match.game.secrecy.together else ((*self._eager_seats(), *waiting[:1]), 1)
