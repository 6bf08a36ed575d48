"""Random walks of a table: from its lobby through a match, checking the invariants after every step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from bot.domain.chairs import Level
from bot.rules.core.asks import Ready, Stop
from bot.table.core import commands as say
from bot.table.core.commands import Command
from bot.table.core.state import Moderator
from tests.table.invariants import ALWAYS
from tests.table.ledger import Ledger
from tests.table.people import (
    MOODS,
    Mood,
    answers,
    as_house,
    awaited_people,
    begun,
    happens,
    opened,
    plain_action,
    plays_on,
    something,
)
from tests.table.world import MODERATORS, THREAD, Event, World

MAX_RING_DELAY = timedelta(seconds=2)  # by which the clock rings late
MAX_STEPS_TO_END = 6_000  # steps to the end of a match whose players all act


@dataclass
class Walk:
    """A walk under way. probes: how many commands are tried beside each step, and left."""

    world: World
    mood: Mood
    probes: int = 1
    ledger: Ledger = field(default_factory=Ledger)
    steps: int = 0
    outages: int = 0
    said: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, game: str, preset: str, seed: str) -> Walk:
        """Return a walk that is always the same for a seed."""
        dice = random.Random(f"{game} {preset} {seed}")
        world = opened(game, preset, dice)
        return cls(world, dice.choice(MOODS))

    def go(self, steps: int) -> None:
        """Walk through the lobby, some steps of a match, and to its end."""
        for _ in range(self.world.dice.randrange(8)):
            self.do(self.in_lobby())
        self.start()
        for _ in range(steps):
            if not self.world.row.open:
                break
            self.do(self.next())
        self.finish()

    def do(self, command: Command) -> Event:
        """Send a command and check the outcome against the invariants."""
        world, self.steps = self.world, self.steps + 1
        self.said.append(f"{world.now:%d %H:%M:%S} {command}")
        for _ in range(self.probes if world.vacant is None else 0):
            self.check(world.try_out(something(world)))
        if isinstance(command, say.Vacate):
            world.vacant = None
        if len(world.outages) > self.outages:
            self.ledger.leave_out(*world.outages[-1], world)
            self.outages = len(world.outages)
        event = world.send(command)
        self.check(event)
        self.ledger.enter(event, world)
        if world.row.phase == "playing":
            world.seated |= {user for chair in world.row.chairs for user in (chair.user, chair.owner) if user}
        return event

    def check(self, event: Event) -> None:
        """Hold an event against the invariants."""
        for holds in ALWAYS:
            holds(event, self.world)

    # What comes next

    def in_lobby(self) -> Command:
        """Return something that is said in a lobby, or let the clock remind the host of a slow one."""
        row = self.world.row
        if row.deadline and row.deadline.next < row.deadline.at and self.world.dice.random() < 0.2:
            self.world.now = row.deadline.next
            return say.Ring()
        self.pass_time(timedelta(minutes=self.world.dice.random() * 3))
        return something(self.world)

    def start(self) -> None:
        """Seat people, agree, and deal."""
        world = self.world
        for _ in range(3):
            if world.row.phase != "lobby":
                return
            if world.row.suspended_since:
                world.writable = True
                self.do(say.EndSuspension())
            for command in begun(world):
                self.do(command)
            if world.row.phase == "lobby":
                self.do(say.FillSeats(world.row.host, Level.PLAIN))
            world.now += timedelta(seconds=3)
            for chair in world.row.chairs:
                if chair.user is not None and world.row.phase == "lobby":
                    self.do(say.Agree(chair.user, world.row.edition))
            if world.row.phase == "lobby":
                self.do(say.Start(world.row.host, THREAD, world.row.edition))

    def next(self) -> Command:
        """Return the next step of a match, after the time that passes before it."""
        world, dice, mood = self.world, self.world.dice, self.mood
        if world.vacant is not None and dice.random() < 0.8:
            seat, chair = world.vacant
            return say.Vacate(seat, chair.vote)
        if world.checking is not None and dice.random() < 0.6:
            user, world.checking = world.checking, None
            return say.AccessFound(user, lost=user in world.blind)
        if dice.random() < mood.sleepy:
            return self.ring()
        if self.pass_time(self.thinking()):
            return say.Ring()
        return next((found for found in self.ideas() if found is not None), None) or self.ring()

    def ideas(self) -> Iterator[Command | None]:
        """Yield possible next commands, the likelier first."""
        world, dice, mood = self.world, self.world.dice, self.mood
        yield answers(world, mood)
        if dice.random() < mood.busy:
            yield happens(world) if dice.random() < 0.12 else something(world)
        if dice.random() < mood.play:
            yield plays_on(world, mood)
        yield as_house(world)

    def thinking(self) -> timedelta:
        """Return how long nothing happens."""
        dice, due = self.world.dice, self.world.row.due
        if due is not None and dice.random() < self.mood.slow:
            return (due - self.world.now) * dice.random()
        return timedelta(seconds=dice.choice((0, dice.random() * 20)))

    def pass_time(self, span: timedelta) -> bool:
        """Advance time, at most to the next due work; return whether work is due."""
        world, due = self.world, self.world.row.due
        if due is not None and due <= world.now + span:
            world.now = max(due, world.now) + MAX_RING_DELAY * world.dice.random()
            return True
        world.now += span
        return False

    def ring(self) -> Command:
        """Advance time to just before, at or after the next deadline, and ring."""
        world, due = self.world, self.world.row.due
        if due is not None:
            late = world.dice.choice((-MAX_RING_DELAY / 2, timedelta(), timedelta(), MAX_RING_DELAY))
            world.now = max(world.now, due + late)
        return say.Ring()

    # Liveness

    def finish(self) -> None:
        """Return and act for every player until the match ends."""
        world = self.world
        world.writable, world.blind = True, set()
        if world.vacant is not None:
            seat, chair = world.vacant
            self.do(say.Vacate(seat, chair.vote))
        self.probes = 0
        for _ in range(MAX_STEPS_TO_END):
            if not world.row.open:
                return
            self.do(self.towards_the_end())
        raise AssertionError("the match does not end although everybody acts")

    def towards_the_end(self) -> Command:
        """Return what helpful people do next."""
        world, state, match = self.world, self.world.state, self.world.state.match
        world.now += timedelta(seconds=1)
        if world.row.suspended_since:
            return say.EndSuspension()
        if world.row.paused:
            return say.Resume(Moderator(MODERATORS[0], "mod"))
        if match is None or (seats := awaited_people(state)) == []:
            return as_house(world) or self.ring()
        if match.game.result and match.endless:
            users = [chair.user for chair in state.row.chairs if chair.user and not chair.house and not chair.vote]
            return say.Act(users[0], Stop()) if users else self.ring()
        user = state.row.chairs[seats[0]].user
        assert user is not None
        return say.Act(user, Ready() if match.game.result else plain_action(match.view(seats[0]), world.dice))
