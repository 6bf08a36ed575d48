"""One table at which people agree on something together: a break, another deal, no match, a concession, another pace.

Whoever plays may ask, it is done when all who play agree, and the next play takes it back. Knows what comes of each.
The end that all agree on is older, and in ``PlayingTable``: a match without an end of its own needs it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.ground.chair import PACES, UNDOING, Vote, at_pace
from bot.ground.ids import UserId
from bot.ground.pace import Pace
from bot.ground.refused import Refused
from bot.ground.server_settings import PLAIN
from bot.rules.actions import Again
from bot.rules.match import Match
from bot.table.core import allowed, seat_times, votes
from bot.table.core import chairs as seating
from bot.table.core.chairs import Chairs
from bot.table.core.play import NOT_WHILE_PAUSED, TAKE_BACK
from bot.table.core.presence import for_now
from bot.table.core.seats import OfferedTable

DELETED = UserId(-1)  # stands for a player whose data is deleted, until the seat is given up
NOBODY_TO_ASK = "You play this one alone, so there is nobody to ask."
ASKED_OTHERWISE = "Something else is being asked at this table. Answer that first, or play on."
NO_LONGER_ASKED = "Nobody asks for that any more."
NOT_PAUSED = "This table is not paused."
BETWEEN_HANDS = "There is no hand to deal again: the next one is dealt anyway."
SAME_DEALS = "Other tables play the same deals, so none of them is dealt again."
NOTHING_TO_LOSE = "No hand has been played to its end yet, so there is nothing to concede. Ask to call the match off."
SOMEBODY_LEFT = "Somebody has left, and this match counts for them as well, so nothing of it can be undone."
ANOTHER_PACE = "All agree, so {table} goes on at another pace."
NOT_FOR_NOW = "You play on live for now. Go back to your own pace first, then ask for another."
SAME_PACE = "That is the pace of this table already."
PAUSED_TOGETHER = "All agree, so {table} is paused. It goes on when everybody is back."
ALL_BACK = "Everybody is back, so {table} goes on."
DEALT_AGAIN = "All agree, so the cards of {table} are dealt again."
CALLED_OFF_TOGETHER = "All agree, so {table} is called off. Nothing of it counts."
CONCEDED = "{name} concedes and all agree, so {table} ends here. What was played counts."


class VotingTable(OfferedTable):
    """A table as far as people agree on something that takes all of them."""

    async def vote(self, user: UserId, vote: Vote, *, first: bool = False) -> None:
        """Ask all who play for something, if this is the first to do so, or agree to it. Raises Refused."""
        async with self._locked():
            seat, match, asked = self._seat_in_match(user), self.match, votes.asked(self.row.chairs)
            if match is None or self.row.chairs[seat].house:
                raise Refused(TAKE_BACK)
            self._only_awake()
            if self.row.paused:
                raise Refused(NOT_WHILE_PAUSED)
            if not first and asked != vote:
                raise Refused(NO_LONGER_ASKED)
            if asked not in ("", vote) or (first and asked == "concede"):  # that is somebody else's
                raise Refused(ASKED_OTHERWISE)
            self._check_sense(match, vote)
            if vote == "end":
                await self._ask_to_end(match, seat)
            else:
                self._check_anew(seat, vote)
                await self._count(match, votes.voting(self.row.chairs, seat, vote))

    async def veto(self, user: UserId) -> None:
        """Let nothing come of what is asked, as somebody who plays does not want it. Raises Refused."""
        async with self._locked():
            seat, match = self._seat_in_match(user), self.match
            if match is None or self.row.chairs[seat].house:
                raise Refused(TAKE_BACK)
            if self.row.paused or not votes.asked(self.row.chairs):
                raise Refused(NO_LONGER_ASKED)
            await self._unwanted()

    async def come_back(self, user: UserId) -> None:
        """Note that somebody is back from a pause that all have agreed to: it is over when all are. Raises Refused."""
        async with self._locked():
            seat = self._seat_in_match(user)
            if not self._paused_together:
                raise Refused(NOT_PAUSED)
            chairs = seating.changed(self.row.chairs, replace(self.row.chairs[seat], vote=""))
            if votes.asked(chairs):
                await self._save(chairs=chairs)
                self._around.teller.changed(self)
            else:
                self._announce(ALL_BACK)
                await self._resume()

    @property
    def _paused_together(self) -> bool:
        """Whether all have agreed to a pause, and somebody is not back yet."""
        return self.row.paused and not self.row.asleep and votes.asked(self.row.chairs) == "pause"

    async def _resume(self, **also: Any) -> None:
        await super()._resume(chairs=votes.unvoted(self.row.chairs), **also)

    async def _seat_anew(self, seat: int, chairs: Chairs) -> None:
        await super()._seat_anew(seat, self._fairly_asked(chairs))

    async def _give_up(self, seat: int, chairs: Chairs, **also: Any) -> None:
        together = self._paused_together
        await super()._give_up(seat, self._fairly_asked(chairs), **also)
        asked, match = votes.asked(self.row.chairs), self.match
        if self.row.phase != "playing" or match is None:
            return
        if together and not asked:
            await self._resume()
        elif asked and not self.row.paused:
            await self._count(match, self.row.chairs)

    def _fairly_asked(self, chairs: Chairs) -> Chairs:
        """Return the chairs with nothing asked any more that would undo the match of somebody who has no say now."""
        return votes.unvoted(chairs) if self._is_unfair(votes.asked(chairs), chairs) else chairs

    def _is_unfair(self, vote: Vote, chairs: Chairs) -> bool:
        """Tell whether this would undo a match that counts for somebody who has no say in it."""
        return vote in UNDOING and self.row.counts and any(chair.unheard for chair in chairs)

    async def go_on_without(self, seat: int, vote: Vote) -> None:
        """Let the match resume where a house player has the seat of a player whose data is deleted.

        vote: what the player had asked the others for. The store has the chairs already; the others have the time, and
        the say, that they have when somebody leaves.
        """
        async with self._locked():
            chairs = self.row.chairs
            if self.row.phase == "playing" and chairs[seat].house:
                left = replace(chairs[seat], user=DELETED, house=False, away="", vote=vote)
                self.row = replace(self.row, chairs=seating.changed(chairs, left))
                await self._give_up(seat, chairs)

    async def _count(self, match: Match, chairs: Chairs) -> None:
        """Do what all agree to, or remember who does so far."""
        if votes.undecided(chairs):
            await self._change_hands(chairs)
            return
        agreeing = next(chair for chair in chairs if chair.vote not in ("", "granted"))
        match agreeing.vote:
            case "pause":
                await self._pause_together(chairs)
            case "again":
                anew = tuple(replace(chair, orders="") for chair in votes.unvoted(chairs))
                self._announce(DEALT_AGAIN)
                await self._act(((agreeing.seat, Again()),), "person", anew)
            case "cancel":
                self._announce(CALLED_OFF_TOGETHER)
                await self._close()
            case "concede":
                gone = seating.handed_to_house(votes.unvoted(chairs), agreeing.seat)
                self._announce(CONCEDED, about=[agreeing], name=agreeing.name)
                await self._end(match, agreeing.seat, gone, "agreed")
            case asked if asked in PACES:
                await self._go_on_at(at_pace(self.row.pace, asked), match, votes.unvoted(chairs))

    async def _go_on_at(self, pace: Pace, match: Match, chairs: Chairs) -> None:
        """Let a table go on at another pace. Nobody has less time for it than they had, nor than one who begins there.

        Where whoever is late breaks the match off, that cannot begin to be so in a match that counts.
        """
        await self._learn_days()
        tempo, halted = (
            self._around.times.tempo(pace),
            seat_times.halted(self.row.times, self._days, self._around.now()),
        )
        kept = tuple(time for time in halted if pace.slow and tempo and time.left > tempo.begun(None))
        waits = self._at_pace(pace, match, kept)
        counts = self.row.counts and (pace.kind == "none" or match.rules.late != "abort")
        self._announce(ANOTHER_PACE)
        await self._save(pace=pace, own_pace=pace, chairs=chairs, counts=counts, **waits)
        self.go_on()

    async def _pause_together(self, chairs: Chairs) -> None:
        pause = self._resting(self._around.times.for_pause(self._around.now()))
        self._announce(PAUSED_TOGETHER)
        await self._save(chairs=chairs, paused=True, **self._halted(), deadline=pause)
        self._around.teller.changed(self)

    def _check_sense(self, match: Match, vote: Vote) -> None:
        """Raise Refused where there is nothing to agree on, or somebody is concerned who has no say."""
        if self.row.alone:
            raise Refused(NOBODY_TO_ASK)
        if vote in PACES:
            pace = at_pace(self.row.pace, vote)
            allowed.check(self._around.chosen.get(self.row.guild, PLAIN), self.ruleset, pace)
            if for_now(self.row):
                raise Refused(NOT_FOR_NOW)
            if pace == self.row.pace:
                raise Refused(SAME_PACE)
        if vote == "again" and self.row.duplicate_id is not None:
            raise Refused(SAME_DEALS)
        if vote == "again" and match.game.result is not None:
            raise Refused(BETWEEN_HANDS)
        if vote == "concede" and not match.results:
            raise Refused(NOTHING_TO_LOSE)
        if self._is_unfair(vote, self.row.chairs):
            raise Refused(SOMEBODY_LEFT)
