"""Scenes: the input of screens, a table as one viewer or any spectator may see it.

A scene contains a View, never a state: secrets of other players cannot reach its viewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal, TypeAlias

from bot.domain.chairs import Chair, Level, Revision, Vote
from bot.domain.contests import SoloKind
from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.operator_notice import NO_NOTICE, OperatorNotice
from bot.domain.pace import Pace
from bot.domain.rating import RatingChange
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings
from bot.rules.coaching.sheet import CoachTurn
from bot.rules.core.asks import Action, ChooseAsk
from bot.rules.core.game import Rules, View
from bot.rules.core.premoves import Premoves
from bot.rules.core.sentences import Note
from bot.rules.core.turns import order_of_turns
from bot.rules.matches.achievements import Achievement, Feat
from bot.rules.matches.score import CoursePoint
from bot.rules.matches.seal import Seal

Stage: TypeAlias = Literal["lobby", "playing", "between", "over", "closed"]
# Fewer than two persons; rules that end the match when a player is late; duplicate tables; after the match, its end by
# a moderator, or a house player in the place of a player without access.
UncountedReason: TypeAlias = Literal["alone", "breaks_off", "deals", "moderator", "access"]
AskKind: TypeAlias = Literal["play", "give", "name", "name_or_pass", "answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLocation:
    """The location of a table: its numbers in the store and on the server, and its board.

    Links and buttons need it. home: the channel or thread of the board. message: the board, None before its first post.
    """

    table: TableId
    number: int
    guild: GuildId
    home: ChannelId
    message: MessageId | None
    solo: SoloKind = ""  # the kind of solo table, without a board; "" for an ordinary table
    duplicate: int | None = None  # the number of the duplicate whose deals are played


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The rules and conditions of a table, accepted by sitting down.

    Lobbies and rule cards show them.
    """

    host: UserId  # a player, initially the person who opened the table; 0 for none
    game: str
    preset: str
    changes: Mapping[str, Any]  # the differences of the rules from the preset
    rules: Rules
    pace: Pace
    move: timedelta | None = None  # the time for a move; None without a clock
    reserve: timedelta = timedelta()  # the reserve beyond the move time, or the reserve that each move increases
    hand_duration: timedelta | None = None  # the usual duration of a hand here at this pace; None if unknown
    edition: int = 0  # the version of the terms; a click in a lobby contains it
    revised: Revision | None = None  # the last change of the terms, with the earlier terms
    counts: bool = True  # whether the match counts, or would if it began now
    uncounted: UncountedReason | None = None  # the reason why the match does not count, in a lobby or at its end
    rated: bool = True  # in a lobby or at the end, whether the rules are close enough to the usual ones for a rating
    server: ServerSettings = DEFAULT_SETTINGS  # the settings of the server
    hints: bool = True  # whether players may see a house player's move as a hint
    levels: tuple[Level, ...] = ()  # the selectable levels of house players: in a lobby, or for the next practice
    stakes: bool = False  # whether the match creates debts
    unrated: bool = False  # whether ratings stay unchanged because a player's data was deleted recently


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """The awaited players, the question and the deadline; for pings, notifications and clocks."""

    awaited: frozenset[int] = frozenset()  # seats to act; in a lobby the seats that have not agreed yet
    asked: AskKind = "play"  # the public kind of question to the only seat to act
    deadline: datetime | None = None  # when the clock acts; to the hour if exact time would reveal daily habits
    reserve_left: timedelta = timedelta()  # the final part of the time until the deadline that uses the reserve
    sleeping_until: Mapping[int, datetime] = field(default_factory=dict)  # by seat; only of players who permit it
    ticking: bool = False  # whether the hand continues by itself every few seconds, without pings
    has_auto_answers: bool = False  # whether players without a decision are answered for
    paused: datetime | None = None  # the latest end of the pause; None if the table is not paused
    suspended: bool = False  # whether the only reason of the pause is the bot's missing permission to write
    vote: Vote = ""  # the subject of a vote among the players
    ballot: int = 0  # the number of the latest vote at this table
    agreeing: frozenset[int] = frozenset()  # seats in favour; once a pause is agreed, the seats still away
    undecided: frozenset[int] = frozenset()  # seats whose agreement is still missing
    voters: frozenset[int] = frozenset()  # the undecided seats that are asked now, during a hand
    live_offer: tuple[int, int] | None = None  # players willing to play live, and players present; None if not offered
    in_live_session: bool = False  # whether a slow table is played live for a while
    ends_unless_opposed: bool = False  # whether the match ends at the deadline unless a player objects


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The score of the match; for results.

    hand: its number, from 1; deal: the same plus the cancelled deals. totals, nets, places: by seat. course: the
    standings from before the first hand until now. payments: (payer, payee, amount). seal: the public information about
    the seeds. feats: rare plays in the finished hands. deeds: achievements in a finished match. words: the players'
    words for the cut, with the seat of each; hidden until the words are closed.
    """

    hand: int = 0
    deal: int = 0
    totals: tuple[int, ...] = ()
    nets: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    course: tuple[CoursePoint, ...] = ()
    payments: tuple[tuple[int, int, int], ...] = ()
    seal: Seal | None = None
    feats: tuple[Feat, ...] = ()
    deeds: tuple[Achievement, ...] = ()
    words: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A table as seen by one viewer, or (viewer None) by the public.

    stage: "between" means that a hand has ended and the next one waits for ``wait.awaited``. moment: the number of
    public changes so far; a click contains it. seat: of the viewer. view: None only in a lobby, or at a table closed in
    the lobby. premoves: the viewer's premoves. undo: whether the viewer can take back the last action. coach: in a
    lesson, the coach's part in the viewer's turn. notice: the operator's announcement. unrated_until: in a lobby, the
    end of the time in which no match with the viewer is rated. rating_changes: by the finished match, by seat, as far
    as the viewer may see them. reactions: of the players, by seat; only in the scene of a board.
    """

    where: TableLocation
    terms: Terms
    wait: Wait
    tally: Tally
    stage: Stage
    moment: int
    chairs: tuple[Chair, ...]
    viewer: UserId | None
    seat: int | None
    view: View | None = None
    premoves: Premoves = ()
    undo: bool = False
    coach: CoachTurn | None = field(default=None, repr=False)
    notice: OperatorNotice = NO_NOTICE
    unrated_until: datetime | None = None
    rating_changes: Mapping[int, RatingChange] = field(default_factory=dict)
    reactions: Mapping[int, str] = field(default_factory=dict)

    @property
    def passing(self) -> bool:
        """Whether the viewer passes automatically until a play is possible."""
        return any(premove.kind == "on" for premove in self.premoves)

    @property
    def open(self) -> bool:
        """Whether a match is in progress here or in preparation."""
        return self.stage not in ("over", "closed")

    @property
    def dealt(self) -> bool:
        """Whether the viewer has a hand here, in an unfinished match."""
        return self.seat is not None and self.view is not None and self.open

    @cached_property
    def order(self) -> tuple[int, ...]:
        """All seats in turn order, free ones included; in a lobby, of the first hand."""
        return order_of_turns(self.terms.rules, self.tally.hand or 1)

    @cached_property
    def together(self) -> bool:
        """Whether all seats are asked at the same time: the screen must not show who has answered."""
        return bool(self.view and self.view.phase_note and self.stage == "playing" and len(self.wait.awaited) > 1)

    @cached_property
    def deserted(self) -> bool:
        """Whether house players have every seat: the table waits until a person comes back."""
        return self.stage in ("playing", "between") and all(chair.house for chair in self.chairs)

    @cached_property
    def solitary(self) -> bool:
        """Whether a single person plays, with house players."""
        return sum(not chair.house for chair in self.chairs) == 1

    @property
    def is_replaced(self) -> bool:
        """Whether a house player has the viewer's seat."""
        return any(chair.seat == self.seat and chair.house for chair in self.chairs)

    @cached_property
    def wanted(self) -> bool:
        """Whether the table waits for the viewer's action, not given yet."""
        if self.wait.paused or self.deserted or self.stage != "playing":
            return False
        if self.seat not in self.wait.awaited or self.view is None:
            return False
        return not isinstance(self.view.ask, ChooseAsk) or not self.view.ask.given

    @cached_property
    def waits(self) -> bool:
        """Whether the table waits for the viewer's action or vote."""
        return self.wanted or (self.seat is not None and self.seat in self.wait.voters)


@dataclass(frozen=True)
class PublicScene(Scene):
    """A table as seen by the public, for messages that everyone reads.

    It is made for no viewer in particular.
    """

    def __post_init__(self) -> None:
        """Raise ValueError for a scene of a particular viewer."""
        if self.viewer is not None or self.seat is not None or (self.view and self.view.seat is not None):
            raise ValueError("this is one person's scene")


@dataclass(frozen=True, slots=True)
class PuzzleScene:
    """A moment of an unplayed hand, for a viewer who has to find the best action.

    choices: the possible actions, in display order.
    """

    chairs: tuple[Chair, ...]
    view: View = field(repr=False)
    choices: tuple[Action, ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The feedback to an answer.

    chosen, best: indices of choices; why: the reason, if certain. behind: the average loss in points of the chosen
    action; margin: the average loss of the second-best action.
    """

    chosen: int
    best: int
    behind: float
    margin: float
    why: Note | None
