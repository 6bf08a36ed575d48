"""The scenes of a table as each viewer may see them: made once per change and viewer.

Pure: from a row and its match.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from operator import is_not
from types import MappingProxyType
from typing import Any

from bot.ai import levels
from bot.domain.contests import PRACTICE_KINDS
from bot.domain.ids import UserId
from bot.domain.operator_notice import NO_NOTICE, OperatorNotice
from bot.domain.rating import RatingChange
from bot.domain.server_settings import DEFAULT_SETTINGS, ServerSettings
from bot.domain.working_hours import HOUR, WorkSchedule
from bot.games import LESSONS
from bot.rules.core.asks import ChooseAsk, GiveAsk, NameAsk
from bot.rules.core.game import Rules, View
from bot.rules.matches.match import Match
from bot.rules.matches.seal import seal
from bot.rules.variants.ruleset import Ruleset
from bot.scene import AskKind, PublicScene, Scene, Stage, TableLocation, Tally, Terms, Wait
from bot.store.rows import TableRow
from bot.table.coach import Coach
from bot.table.core import chairs as seating
from bot.table.core import time_control, votes
from bot.table.core.agreements import agreeing, players_present
from bot.table.core.chairs import has_auto_answers, premoves_of, seat_of, visible_seat
from bot.table.core.eligibility import (
    UNRATED_FOR,
    ends_in_silence,
    final_places,
    has_hints,
    is_counted,
    is_near_preset,
    reason_uncounted,
)
from bot.table.core.state import TableState, record_of, ruleset_of
from bot.table.core.time_control import TimeControl, is_live_session
from bot.table.environment import Environment


@dataclass(frozen=True, slots=True)
class PaceView:
    """The timing of a table as shown.

    control: None without a clock. schedules: the owners' working hours at a slow table, by seat. hand_duration: the
    usual one here.
    """

    control: TimeControl | None
    schedules: Mapping[int, WorkSchedule]
    now: datetime
    hand_duration: timedelta | None = None

    def shown_deadline(self, until: datetime, awaited: Collection[int]) -> datetime:
        """Return the public deadline of the awaited seats.

        The deadline is rounded up to the full hour if it would reveal hidden hours.
        """
        known = (self.schedules[seat] for seat in awaited if seat in self.schedules)
        hidden = any(schedule.hours and not schedule.shared for schedule in known)
        whole = until.replace(minute=0, second=0, microsecond=0)
        return whole + HOUR if hidden and whole < until else until

    def sleeping_until(self, awaited: Collection[int]) -> Mapping[int, datetime]:
        """Return the end of sleep of awaited players with shared working hours."""
        known = ((seat, self.schedules[seat]) for seat in sorted(awaited) if seat in self.schedules)
        shared = ((seat, schedule) for seat, schedule in known if schedule.shared)
        return {seat: until for seat, schedule in shared if (until := schedule.end_of_rest(self.now))}


class ViewerScenes(dict[UserId | None, Scene]):
    """The scenes of a table between two changes, one per viewer, made on demand.

    The key None is for any spectator. server: the server's settings. pacing: the timing. notice: shown on every board.
    deleted: for a lobby, the persons with recent data deletions, with the times. rating_changes: by the finished match,
    by seat. coach: of a lesson.
    """

    def __init__(
        self,
        *,
        row: TableRow,
        match: Match | None,
        ruleset: Ruleset,
        server: ServerSettings,
        pacing: PaceView,
        notice: OperatorNotice = NO_NOTICE,
        deleted: Mapping[UserId, datetime] = MappingProxyType({}),
        rating_changes: Mapping[int, RatingChange] = MappingProxyType({}),
        coach: Coach | None = None,
    ) -> None:
        self.row = row
        self.match = match
        self.ruleset = ruleset
        self.server = server
        self._chosen = replace(server, stakes=row.stakes)  # as dealt, whatever the setting says since
        self.pacing = pacing
        self.notice = notice
        self.deleted = deleted if match is None else {}
        self.rating_changes = rating_changes if server.leaderboard else {}
        self._coach = coach

    def __missing__(self, viewer: UserId | None) -> Scene:
        seat = seat_of(self.row.chairs, viewer)
        view = self.match.view(visible_seat(self.row.chairs, seat)) if self.match else None
        own = self.row.chairs[seat] if self.match and seat is not None else None
        premoves = premoves_of(own) if own and own.premoves else ()
        taken = own is not None and self.row.solo in PRACTICE_KINDS
        undo = taken and any(step.by == "person" for step in self.row.steps)
        deleted = self.deleted.get(viewer) if viewer is not None and seat is not None else None
        seen = {
            "undo": undo,
            "coach": self._coach.turn(self.row, self.match, seat) if self._coach and seat is not None else None,
            "unrated_until": deleted and deleted + UNRATED_FOR,
            "viewer": viewer,
            "seat": seat,
            "view": view,
            "premoves": premoves,
            "rating_changes": self._rating_changes(seat),
            **self._common,
        }
        self[viewer] = PublicScene(**seen) if viewer is None else Scene(**seen)
        return self[viewer]

    def _rating_changes(self, viewer: int | None) -> Mapping[int, RatingChange]:
        """Return the rating changes that a seat may see, except at substitutes' seats.

        Substitutes get no result.
        """
        of_players = (pair for pair in self.rating_changes.items() if not self.row.chairs[pair[0]].owner_name)
        return {seat: change for seat, change in of_players if change.listed or seat == viewer}

    @cached_property
    def _common(self) -> Mapping[str, Any]:
        """The parts of a scene common to all viewers."""
        row, match = self.row, self.match
        return {
            "where": TableLocation(
                table=row.id,
                number=row.number,
                guild=row.guild,
                home=row.home,
                message=row.message or None,
                solo=row.solo,
                duplicate=row.duplicate_id,
            ),
            "terms": self._terms(match.rules if match else self.ruleset.rules),
            "wait": self._wait(match),
            "tally": self._tally(match) if match else Tally(seal=seal(row.seed, 1, 0)),
            "stage": stage_of(row, match),
            "moment": match.moment if match else 0,
            "notice": self.notice,
            "chairs": tuple(
                replace(chair, premoves="", live_ply=0) if chair.premoves or chair.live_ply else chair
                for chair in row.chairs
            ),
        }

    def _terms(self, rules: Rules) -> Terms:
        row, ruleset = self.row, self.ruleset
        chosen = row.solo == "practice" or (
            self.match is None and row.duplicate_id is None
        )  # with a choice of house levels
        control = self.pacing.control
        return Terms(
            host=row.host,
            game=row.game,
            preset=row.preset,
            changes=ruleset.changes,
            rules=rules,
            pace=row.pace,
            move=control.move if control else None,
            reserve=control.reserve if control else timedelta(),
            hand_duration=self.pacing.hand_duration,
            edition=0 if self.match else row.edition,
            revised=None if self.match else row.revised,
            counts=is_counted(row, ruleset),
            uncounted=reason_uncounted(row, ruleset),
            rated=row.phase == "playing" or is_near_preset(ruleset.known, row.preset, ruleset.changes),
            server=self._chosen,
            hints=has_hints(row),
            levels=levels.offered(rules) if chosen else (),
            stakes=row.stakes,
            unrated=bool(self.deleted) or row.unrated,
        )

    def _wait(self, match: Match | None) -> Wait:
        row, until = self.row, self.row.deadline.at if self.row.deadline else None
        clock = Wait(
            deadline=None if row.paused else until,
            paused=until if row.paused else None,
            suspended=row.suspended_since is not None,
        )
        if match is None:
            pending = seating.without_agreement(row.chairs, row.edition) if row.phase == "lobby" else ()
            return replace(clock, awaited=frozenset(chair.seat for chair in pending))
        view, silent = match.view(None), ends_in_silence(match, row.chairs, row.pace)
        awaited = (match.awaited if view.result else view.awaited) if row.phase == "playing" else frozenset()
        if clock.deadline and self.pacing.schedules and not view.result:
            clock = replace(clock, deadline=self.pacing.shown_deadline(clock.deadline, awaited))
        return replace(
            clock,
            deadline=None if self._only_house(awaited) and not silent else clock.deadline,
            reserve_left=self._reserve_left(match, awaited),
            sleeping_until={} if match.game.result else self.pacing.sleeping_until(awaited),
            awaited=awaited,
            ticking=match.game.secrecy.tick is not None,
            has_auto_answers=match.game.secrecy.together and has_auto_answers(row.chairs, row.pace),
            asked=asked_for(match, view),
            vote=(vote := votes.current_vote(row.chairs)),
            ballot=row.votes,
            agreeing=frozenset(votes.agreeing_seats(row.chairs, vote)) if vote else frozenset(),
            undecided=(undecided := frozenset(votes.undecided_seats(row.chairs))),
            voters=undecided if vote and not row.paused and not match.game.result else frozenset(),
            ends_unless_opposed=silent,
            live_offer=_live_session_count(row, match) if row.pace.slow else None,
            in_live_session=row.own_pace is not None and is_live_session(row),
        )

    def _reserve_left(self, match: Match, awaited: frozenset[int]) -> timedelta:
        """Return how much of the reserve the awaited seats can use for this move.

        Zero without a running clock of a person.
        """
        control, timed = self.pacing.control, match.game.result is None and not match.game.secrecy.together
        if control is None or not timed or not awaited or any(self.row.chairs[seat].house for seat in awaited):
            return timedelta()
        times = () if control.grows else self.row.times
        banks = (time_control.bank(times, seat) for seat in awaited)
        least = min(control.reserve if bank is None else bank for bank in banks) if control.reserve else timedelta()
        return timedelta(seconds=max(int(least.total_seconds()), 0))

    def _only_house(self, awaited: frozenset[int]) -> bool:
        """Tell whether a table with persons waits for house players alone, whose time is hidden."""
        house = [chair.house for chair in self.row.chairs]
        return bool(awaited) and all(house[seat] for seat in awaited) and not all(house)

    def _tally(self, match: Match) -> Tally:
        score, over = match.score, self.row.phase == "over"
        places = final_places(score.places, self.row.chairs) if over else score.places
        payments = score.payments if self._chosen.stakes else ()
        return Tally(
            hand=match.number,
            deal=match.deal,
            totals=score.totals,
            nets=score.nets,
            places=places,
            course=score.course,
            payments=payments,
            seal=match.seal,
            feats=match.feats if over else (),
            deeds=match.deeds if over else (),
            words=tuple((cut.seat, cut.word) for cut in self.row.cuts),
        )


class SceneCache:
    """The scenes of one table, renewed after any change of a shown value."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._sight: ViewerScenes | None = None
        self._made_of: tuple[object, ...] = ()
        self._rules: tuple[object, Ruleset] | None = None  # the options, constant, and their rules
        self._coach: Coach | None = None

    def of(self, state: TableState) -> ViewerScenes:
        """Return the scenes of a state; the same object for the same values."""
        row, env = state.row, self._env
        server, notice = env.server_settings.get(row.guild, DEFAULT_SETTINGS), env.decisions.known.notice
        deleted = state.recent_deletions
        in_memory = deleted, state.working_hours, state.hand_duration, state.rating_changes
        made_of = (row, state.match, server, notice, *in_memory)
        if self._sight is None or any(map(is_not, made_of, self._made_of)):
            hours = state.hours if row.pace.slow else {}
            pacing = PaceView(env.durations.time_control(row.pace), hours, env.now(), state.hand_duration)
            self._made_of = made_of
            self._sight = ViewerScenes(
                row=row,
                match=state.match,
                ruleset=self._ruleset(row),
                server=server,
                pacing=pacing,
                notice=notice,
                deleted=deleted,
                rating_changes=state.rating_changes,
                coach=self._coach_of(row),
            )
        return self._sight

    def drop(self) -> None:
        """Drop all scenes after a change by time alone."""
        self._sight = None

    def _coach_of(self, row: TableRow) -> Coach | None:
        """Return the coach of a lesson; None at any other table."""
        if self._coach is None and row.solo == "lesson" and row.phase != "lobby" and row.game in LESSONS:
            self._coach = Coach(LESSONS[row.game], record_of(row))
        return self._coach

    def _ruleset(self, row: TableRow) -> Ruleset:
        cached = self._rules
        if cached is None or cached[0] is not row.options:
            cached = self._rules = row.options, ruleset_of(row)
        return cached[1]


def scene_at(row: TableRow, match: Match, ruleset: Ruleset) -> PublicScene:
    """Return the public scene of a table at a moment of a finished hand."""
    then = replace(row, phase="playing", deadline=None, paused=False, suspended_since=None)
    scene = ViewerScenes(
        row=then, match=match, ruleset=ruleset, server=DEFAULT_SETTINGS, pacing=PaceView(None, {}, row.created)
    )[None]
    assert isinstance(scene, PublicScene)
    return scene


def stage_of(row: TableRow, match: Match | None) -> Stage:
    """Return the stage of a table."""
    if row.phase == "playing" and match is not None:
        return "between" if match.game.result else "playing"
    return "lobby" if row.phase == "lobby" else "over" if row.phase == "over" else "closed"


def _live_session_count(row: TableRow, match: Match) -> tuple[int, int] | None:
    """Return the players willing to play live, and all present; None without the offer."""
    present = players_present(row, match) if row.phase == "playing" and not row.paused else None
    return (len(agreeing(row, present)), len(present)) if present else None


def asked_for(match: Match, view: View) -> AskKind:
    """Return the demand on the one seat to act; "play" by default.

    view: the public view.
    """
    game = match.game
    if len(view.awaited) != 1 or game.secrecy.together:
        return "play"
    match game.ask(min(view.awaited)):
        case GiveAsk():
            return "give"
        case NameAsk(may_pass=may_pass) if view.phase_note:
            return "name_or_pass" if may_pass else "name"
        case ChooseAsk() if view.phase_note:
            return "answer"
    return "play"
