"""What a screen gets: a table as one person, or any onlooker, may see it.

Holds a View, never a state: there is nothing in a scene that its viewer may not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal, TypeAlias

from bot.domain.chairs import Chair, Vote
from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.level import Level
from bot.domain.lobby import Revision
from bot.domain.operator_notice import NO_NOTICE, Notice
from bot.domain.pace import Pace
from bot.domain.server_settings import PLAIN, ServerSettings
from bot.domain.solo import Alone
from bot.rules.core.actions import Action
from bot.rules.core.asks import ChooseAsk
from bot.rules.core.game import Rules, View
from bot.rules.core.premoves import Orders
from bot.rules.core.seating import order_of_turns
from bot.rules.core.sentences import Note
from bot.rules.matches.achievements import Deed
from bot.rules.matches.feats import Feat
from bot.rules.matches.score import Stop
from bot.rules.matches.seal import Seal

Stage: TypeAlias = Literal["lobby", "playing", "between", "over", "closed"]
Uncounted: TypeAlias = Literal["alone", "breaks_off", "deals"]
# one person; rules by which one who is late ends all; deals that are played at other tables too
AskedFor: TypeAlias = Literal["play", "give", "name", "name_or_pass", "answer"]


@dataclass(frozen=True, slots=True)
class Where:
    """Where a table stands: its number in the store and in its server, and its board. What links and buttons need.

    home: the channel or thread of the board. message: the board, None before there is one.
    """

    table: TableId
    number: int
    guild: GuildId
    home: ChannelId
    message: MessageId | None
    alone: Alone = ""  # what one person plays there, at a table without a board that nobody else sees
    duplicate: int | None = None  # of which the deals are played there


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, and what people agree to by sitting down. What a lobby and a rule card need."""

    host: UserId  # a person who plays here, at first the one who opened the table; 0 for none
    game: str
    preset: str
    changes: Mapping[str, Any]  # in what the rules differ from the preset
    rules: Rules
    pace: Pace
    move: timedelta | None = None  # the time for a move; None without a clock
    reserve: timedelta = timedelta()  # what there is beside that, or to which each move adds
    lasting: timedelta | None = None  # how long a hand takes here at this pace; None where nobody knows
    edition: int = 0  # counts what is agreed to; a click in a lobby carries it
    revised: Revision | None = None  # the last change of what is agreed to, with what held before
    counts: bool = True  # whether the match counts, or would if it began now
    uncounted: Uncounted | None = None  # in a lobby, why it would not
    rated: bool = True  # in a lobby, whether its rules are near enough to the usual ones
    server: ServerSettings = PLAIN  # what its owner has chosen
    hints: bool = True  # whether people are told what a house player would do
    levels: tuple[Level, ...] = ()  # among which one may choose for house players: in a lobby, or for the next practice
    unrated: bool = False  # whether no rating changes, since a player's data was deleted of late


@dataclass(frozen=True, slots=True)
class Wait:
    """Whom the table waits for, for what, and until when. What calls, pings and clocks need."""

    awaited: frozenset[int] = frozenset()  # seats that are to act; in a lobby those that have yet to agree
    asked: AskedFor = "play"  # what the one seat that is to act is asked for, as far as everybody knows
    deadline: datetime | None = None  # when the clock acts for them, to the hour where it would tell of their days
    reserve_left: timedelta = timedelta()  # how much of the time until then, at its end, is their reserve
    asleep_till: Mapping[int, datetime] = field(default_factory=dict)  # by seat: of those of them who let others see it
    ticking: bool = False  # whether the hand goes on by itself every few seconds, so that nobody is called to it
    answered_for: bool = False  # whether somebody who has nothing to decide is answered for
    paused: datetime | None = None  # until when at most the table is stopped; None where it goes on
    asleep: bool = False  # whether it is paused only because the bot may not write there
    vote: Vote = ""  # what all who play are asked to agree to
    ballot: int = 0  # the number of the latest vote at this table
    agreeing: frozenset[int] = frozenset()  # seats that do; where all have agreed to pause, those still away
    undecided: frozenset[int] = frozenset()  # those who would have to agree to that
    voters: frozenset[int] = frozenset()  # those of them who are asked for it now, in a hand
    quick: tuple[int, int] | None = None  # how many would play on live, of how many; None where it is not offered
    for_now: bool = False  # whether a slow table is played live for a while
    in_silence: bool = False  # whether it ends at the deadline if these say nothing


@dataclass(frozen=True, slots=True)
class Tally:
    """How the match stands. What results need.

    hand: which one it is, from 1; deal: the same, and one more for each that was thrown in. totals, nets, places: by
    seat. course: from before the first hand to now. payments: as (payer, payee, amount). seal: what may be known of how
    the cards were dealt. feats: what was rare in the hands that are over. deeds: what was
    done in a match that is over that is worth an achievement. words: by which players have cut the cards, with the seat
    of each; nobody sees them before they are closed.
    """

    hand: int = 0
    deal: int = 0
    totals: tuple[int, ...] = ()
    nets: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    course: tuple[Stop, ...] = ()
    payments: tuple[tuple[int, int, int], ...] = ()
    seal: Seal | None = None
    feats: tuple[Feat, ...] = ()
    deeds: tuple[Deed, ...] = ()
    words: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Scene:
    """A table, seen by one person or (viewer None) by everybody.

    stage: between means that a hand has ended and the next one waits for ``wait.awaited``. moment: how many actions all
    could see so far; a click carries it. seat: where the viewer sits. view: None only in a lobby or a table closed
    there. orders: what the viewer has said beforehand. undo: whether they can take back what they did last. notice:
    what whoever runs the bot has said to all. unrated_until: in a lobby, until when no match with the viewer is rated.
    """

    where: Where
    terms: Terms
    wait: Wait
    tally: Tally
    stage: Stage
    moment: int
    chairs: tuple[Chair, ...]
    viewer: UserId | None
    seat: int | None
    view: View | None = None
    orders: Orders = ()
    undo: bool = False
    notice: Notice = NO_NOTICE
    unrated_until: datetime | None = None

    @property
    def passing(self) -> bool:
        """Whether the viewer passes until they can play."""
        return any(order.kind == "on" for order in self.orders)

    @property
    def open(self) -> bool:
        """Whether a match is played here or waited for."""
        return self.stage not in ("over", "closed")

    @property
    def dealt(self) -> bool:
        """Whether the viewer has a hand here, of a match that goes on."""
        return self.seat is not None and self.view is not None and self.open

    @cached_property
    def order(self) -> tuple[int, ...]:
        """All seats in the order of their turns, those that are free too; in a lobby of the first hand."""
        return order_of_turns(self.terms.rules, self.tally.hand or 1)

    @cached_property
    def together(self) -> bool:
        """Whether everybody is asked at the same time, so that nothing may show who has answered."""
        return bool(self.view and self.view.doing and self.stage == "playing" and len(self.wait.awaited) > 1)

    @cached_property
    def deserted(self) -> bool:
        """Whether house players have every seat, so that nothing goes on until a person comes back."""
        return self.stage in ("playing", "between") and all(chair.house for chair in self.chairs)

    @cached_property
    def wanted(self) -> bool:
        """Whether the table waits for the viewer, who among several that are asked has not answered yet."""
        if self.wait.paused or self.deserted or self.stage != "playing":
            return False
        if self.seat not in self.wait.awaited or self.view is None:
            return False
        return not isinstance(self.view.ask, ChooseAsk) or not self.view.ask.given

    @cached_property
    def waits(self) -> bool:
        """Whether the table waits for the viewer to act, or to say whether they agree to what all are asked."""
        return self.wanted or (self.seat is not None and self.seat in self.wait.voters)


@dataclass(frozen=True)
class PublicScene(Scene):
    """A table as everybody may see it; a table makes it for nobody in particular. What all read is drawn of this."""

    def __post_init__(self) -> None:
        """Refuse to be what only one person may see."""
        if self.viewer is not None or self.seat is not None or (self.view and self.view.seat is not None):
            raise ValueError("this is one person's scene")


@dataclass(frozen=True, slots=True)
class Riddle:
    """A moment of a hand that people have never played, seen by whoever is to find what is best there.

    choices: what can be done, in the order in which it is shown.
    """

    chairs: tuple[Chair, ...]
    view: View = field(repr=False)
    choices: tuple[Action, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Solution:
    """What whoever has answered is told. chosen, best: places among the choices; why: the reason, where one is certain.

    behind: by how many points what was chosen comes out worse on average; margin: the same of the second best.
    """

    chosen: int
    best: int
    behind: float
    margin: float
    why: Note | None
