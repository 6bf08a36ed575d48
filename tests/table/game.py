"""A match between a few people, mostly of Big Two, for examples: it is told what happens, and says how things stand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bot.ai.plain import timeout_action
from bot.domain.chairs import Chair
from bot.domain.effects import Announcement
from bot.domain.ids import UserId
from bot.domain.refusals import Refused
from bot.domain.working_hours import Hours, WorkSchedule
from bot.games import GAMES
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import TableRow
from bot.table.core.commands import Act, ActAsHouse, Command, Join, Ring, Start
from bot.table.core.play import house_seats
from bot.table.core.state import Moderator
from tests.table.world import PEOPLE, START, THREAD, Event, World, lobby, name_of

ANN, BEN, CAT = PEOPLE[:3]
MO = Moderator(UserId(901), "Mo")


class Game:
    """A match under way, or else its lobby.

    nights: the hours of UTC at which players go to bed, each for eight hours. started: whether the cards are dealt.
    game, preset, changes: what is played; the players of a hand of Big A are first asked something, all at the same
    time. seed: how it is dealt. hands: how many are played, None for as many as the rules say.
    """

    def __init__(
        self,
        pace: str = "live",
        players: int = 3,
        nights: dict[UserId, int] | None = None,
        *,
        started: bool = True,
        game: str = "big_two",
        preset: str = "pagat",
        changes: Mapping[str, Any] | None = None,
        seed: str = "seed",
        hands: int | None = 1,
    ) -> None:
        rules = Ruleset.of(GAMES[game], preset, changes).with_wishes(seats=players, hands=hands)
        self.world = World(lobby(rules, ANN, seed, pace))
        for user, bed in (nights or {}).items():
            self.world.days[user] = WorkSchedule((Hours(START - timedelta(days=9), "UTC", bed=bed, night=8),))
        for user in PEOPLE[1:players]:
            self.send(Join(user, name_of(user), 1))
        if started:
            self.send(Start(ANN, THREAD, 1))

    # What happens

    def send(self, command: Command) -> Event:
        """Send a command that is carried out."""
        event = self.world.send(command)
        assert event.refusal is None, event.refusal
        return event

    def send_refused(self, command: Command) -> Refused | Illegal:
        """Send a command that is refused, and return why."""
        event = self.world.send(command)
        assert event.refusal is not None
        return event.refusal

    def advance(self, **spans: float) -> None:
        """Advance the time without ringing."""
        self.world.now += timedelta(**spans)

    def ring(self, **spans: float) -> Event:
        """Advance the time, by default to the next due moment, and ring."""
        self.advance(**spans)
        if not spans and self.row.due is not None:
            self.world.now = max(self.world.now, self.row.due)
        return self.send(Ring())

    def play_awaited(self) -> Event:
        """Act for the awaited player or house player."""
        view = self.match.view(self.seat)
        if house_seats(self.world.state):
            return self.send(ActAsHouse(self.match.moment, self.match.awaited, ((self.seat, timeout_action(view)),)))
        return self.send(Act(self.awaited, timeout_action(view)))

    # How things stand

    @property
    def row(self) -> TableRow:
        """The table."""
        return self.world.row

    @property
    def match(self) -> Match:
        """The match."""
        assert self.world.state.match is not None
        return self.world.state.match

    @property
    def seat(self) -> int:
        """The awaited seat."""
        (seat,) = self.match.awaited
        return seat

    @property
    def awaited(self) -> UserId:
        """The owner of the awaited seat."""
        user = self.row.chairs[self.seat].user
        assert user is not None
        return user

    @property
    def time_left(self) -> timedelta:
        """How long it is until something happens."""
        assert self.row.deadline is not None
        return self.row.deadline.at - self.world.now

    def chair(self, user: UserId) -> Chair:
        """Return the chair of a player."""
        return next(chair for chair in self.row.chairs if chair.user == user)

    def other_player(self, *users: UserId) -> UserId:
        """Return a player who is none of these."""
        return next(chair.user for chair in self.row.chairs if chair.user is not None and chair.user not in users)


def said(event: Event) -> list[str]:
    """Return the sentences that an event tells all players."""
    assert event.decision is not None
    return [effect.sentence for effect in event.decision.effects if isinstance(effect, Announcement)]
