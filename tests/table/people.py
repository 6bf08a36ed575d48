"""What people, moderators and the world do at a table, drawn at random: mostly sensible, now and then wrong or late."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias, get_args

from bot.ai.plain import timeout_action
from bot.ai_pool.moves import SeatAction, secret_continuation
from bot.domain.chairs import Chair, Level, Vote
from bot.domain.ids import MessageId, UserId
from bot.domain.pace import Pace
from bot.domain.refusals import Refused
from bot.domain.working_hours import Hours, Vacation, WorkSchedule
from bot.games import GAMES
from bot.rules.core.asks import (
    Action,
    Choose,
    ChooseAsk,
    Give,
    GiveAsk,
    Name,
    NameAsk,
    Pass,
    Play,
    PlayAsk,
    Ready,
    Stop,
)
from bot.rules.core.game import View
from bot.rules.core.premoves import PremoveContext
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.variants.ruleset import Ruleset
from bot.store.rows import Waiter
from bot.table.core import commands as say
from bot.table.core.agreements import players_present
from bot.table.core.chairs import is_vacant, people
from bot.table.core.commands import Command
from bot.table.core.play import house_seats
from bot.table.core.state import Moderator, TableState
from bot.table.core.time_control import is_live_session
from bot.table.core.votes import current_vote
from tests.laws.premove_matches import some_order
from tests.table.world import CHANNEL, ELSEWHERE, MODERATORS, PEOPLE, START, THREAD, World, lobby, name_of

Speech: TypeAlias = Callable[[World], Command]

VOTES: Sequence[Vote] = tuple(vote for vote in get_args(Vote) if vote not in ("", "granted"))
LASTING: Sequence[Vote] = ("pause", "again", "to_live", "to_daily", "to_relaxed_8h")  # what does not end a match
ZONES = ("UTC", "Asia/Tokyo", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu")
PACES = (
    "live",
    "live 30s+0s",
    "live 1m+2m",
    "relaxed 1h",
    "relaxed 8h",
    "relaxed",
    "relaxed 8h away",
    "daily",
    "daily 1h+12h",
    "daily 12h+4d away",
    "none",
    "none",
)
LATES = ("", "", " house", " nudge")
OTHERS = ("", "", "", " asked", " seat1h", " hints")
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Mood:
    """How people behave at a table, as probabilities.

    play: that an awaited player acts next. sleepy: that time passes up to the next deadline. busy: that something
    happens which is no move. agreeable: that players agree to what is asked. slow: that an answer takes long.
    """

    play: float
    sleepy: float
    busy: float
    agreeable: float
    slow: float


MOODS = (
    Mood(play=0.75, sleepy=0.05, busy=0.2, agreeable=0.5, slow=0.1),
    Mood(play=0.35, sleepy=0.35, busy=0.3, agreeable=0.3, slow=0.5),
    Mood(play=0.4, sleepy=0.1, busy=0.5, agreeable=0.7, slow=0.3),
    Mood(play=0.7, sleepy=0.02, busy=0.28, agreeable=0.9, slow=0.0),
)


# A table to begin with


def opened(game: str, preset: str, dice: random.Random) -> World:
    """Return a world with a lobby of a preset: random size and pace, a short match."""
    rules = some_rules(game, preset, dice)
    pace = dice.choice(PACES) + dice.choice(LATES) + dice.choice(OTHERS)
    world = World(lobby(rules, PEOPLE[0], f"{dice.getrandbits(64):x}", pace), dice=dice)
    for user in PEOPLE:
        if dice.random() < 0.6:
            world.days[user] = replace(world.day_of(user), hours=(some_hours(dice),), outages=())
    if dice.random() < 0.3:
        one, other = dice.sample(PEOPLE, 2)
        world.apart[frozenset((one, other))] = dice.choice((one, other))
    return world


def some_rules(game: str, preset: str, dice: random.Random) -> Ruleset:
    """Return rules of a preset with some number of seats, that lead to few hands, or to as many as players want."""
    known, plain = GAMES[game], Ruleset.of(GAMES[game], preset)
    seats, hands = dice.choice(known.seats), dice.choice((1, 1, 2, 3))
    plain = _if_possible(lambda: plain.with_wishes(seats=seats), plain)
    if dice.random() < 0.8 or not Record(known, preset, seed="", options=plain.changes).begin().endless:
        plain = _if_possible(lambda: plain.with_wishes(hands=hands), plain)
    if "on_timeout" in known.options and dice.random() < 0.5:
        late = dice.choice(("substitute", "abort"))
        plain = _if_possible(lambda: plain.but(on_timeout=late), plain)
    return plain


def _if_possible(change: Callable[[], Ruleset], otherwise: Ruleset) -> Ruleset:
    try:
        return change()
    except (Illegal, Refused):
        return otherwise


def some_hours(dice: random.Random) -> Hours:
    """Return a player's nights and days off."""
    off = tuple(sorted(dice.sample(range(7), dice.randrange(3))))
    return Hours(
        START - 30 * A_DAY, dice.choice(ZONES), bed=dice.randrange(24), night=dice.choice((0, 3, 8, 12)), off=off
    )


def begun(world: World) -> list[Command]:
    """Yield the commands that fill and start a lobby, mostly with people."""
    dice, free = world.dice, world.row.seats - len(world.row.chairs)
    house = dice.choice((0, 0, 1, free)) if free else 0
    joining = [user for user in PEOPLE if user != world.row.host][: free - house]
    return [say.Join(user, name_of(user), world.row.edition) for user in joining]


# What a player does


def some_action(view: View, dice: random.Random) -> Action:
    """Return something that an awaited player may do."""
    if view.result is not None:
        return Stop() if view.endless and dice.random() < 0.2 else Ready()
    match view.ask:
        case PlayAsk(may_pass=may_pass):
            plays = [] if may_pass and dice.random() < 0.3 else view.plays.first(6)
            return Play(dice.choice(plays).cards) if plays else Pass()
        case GiveAsk(count=count):
            return Give(view.ask.givable(view.hand)[:count])
        case NameAsk(cards=cards, may_pass=may_pass):
            return Pass() if may_pass and dice.random() < 0.5 else Name(dice.choice(cards))
        case ChooseAsk(answers=answers):
            return Choose((dice.choice(answers).code,))
    return timeout_action(view)


def plain_action(view: View, dice: random.Random) -> Action:
    """Return a plain move, and any answer to a question: if all only passed, a bidding would never end."""
    return timeout_action(view) if isinstance(view.ask, PlayAsk | GiveAsk) else some_action(view, dice)


def as_house(world: World) -> say.ActAsHouse | None:
    """Return the actions of house players, each until its first public one."""
    state = world.state
    match, seats = state.match, house_seats(state)
    if match is None or not seats:
        return None
    if match.game.result:
        return say.ActAsHouse(match.moment, match.awaited, tuple((seat, Ready()) for seat in seats))
    few = seats if match.game.secrecy.together else seats[:1]
    moves = tuple(move for seat in few for move in _in_turn(match, seat, world.dice))
    return say.ActAsHouse(match.moment, match.awaited, moves)


def _in_turn(match: Match, seat: int, dice: random.Random) -> list[SeatAction]:
    done, now = list[SeatAction](), match
    following: Match | None = now
    while following is not None:
        action = plain_action(following.view(seat), dice)
        done.append((seat, action))
        following = secret_continuation(following, seat, action)
    return done


def awaited_people(state: TableState) -> list[int]:
    """Return the awaited seats whose players act for themselves."""
    match = state.match
    if match is None or state.row.phase != "playing":
        return []
    return [seat for seat in sorted(match.awaited) if not state.row.chairs[seat].house]


def plays_on(world: World, mood: Mood) -> Command | None:
    """Return the move of an awaited player or house player; None without one."""
    state, dice = world.state, world.dice
    seats = awaited_people(state)
    if state.match is None or state.row.paused:
        return None
    if not seats or (house_seats(state) and dice.random() < 0.5):
        return as_house(world)
    seat = dice.choice(seats)
    user = state.row.chairs[seat].user
    assert user is not None
    if state.row.pace.slow and players_present(state.row, state.match) and dice.random() < mood.agreeable / 2:
        return say.PlayLive(user)
    return say.Act(user, some_action(state.match.view(seat), dice), dice.choice((None, state.moment)))


# What else is said


def anybody(world: World) -> UserId:
    """Return a person, mostly one who sits there."""
    seated = [chair.user for chair in world.row.chairs if chair.user is not None]
    return world.dice.choice(seated) if seated and world.dice.random() < 0.85 else world.dice.choice(PEOPLE)


def moderator(world: World) -> Moderator:
    """Return a moderator, sometimes a player."""
    user = world.dice.choice(MODERATORS) if world.dice.random() < 0.9 else anybody(world)
    return Moderator(user, name_of(user))


def a_chair(world: World) -> Chair:
    """Return a chair of the table."""
    return world.dice.choice(world.row.chairs)


def _act(world: World) -> Command:
    """Act out of turn, wrongly, or for a moment that has passed."""
    match, user, dice = world.state.match, anybody(world), world.dice
    view = match.view(a_chair(world).seat if match else None) if match else None
    action = some_action(view, dice) if view and dice.random() < 0.7 else dice.choice((Pass(), Ready(), Stop()))
    return say.Act(user, action, dice.choice((None, world.state.moment, world.state.moment - 1)))


def _premove(world: World) -> Command:
    match, chair, dice = world.state.match, a_chair(world), world.dice
    order = some_order(match.view(chair.seat), dice) if match and match.game.result is None else None
    if match is None or order is None:
        return say.SavePremove(anybody(world), kind="pass")
    made_for = PremoveContext.of(match.deal, match.moment, match.view(chair.seat)) if dice.random() < 0.5 else None
    return say.SavePremove(
        chair.user or anybody(world),
        kind=order.kind,
        plays=order.plays,
        upto=order.upto,
        code=order.code,
        made_for=made_for,
    )


def _vote(world: World) -> Command:
    vote = current_vote(world.row.chairs)
    first = not vote or world.dice.random() < 0.1
    wanted = world.dice.choice(VOTES if world.dice.random() < 0.6 else LASTING)
    return say.CastVote(anybody(world), wanted if first else vote, first=first)


def _substitute(world: World) -> Command:
    vacant = [chair.seat for chair in world.row.chairs if is_vacant(chair)]
    seat = world.dice.choice(vacant) if vacant else a_chair(world).seat
    user = world.dice.choice(PEOPLE)
    asked = user if world.dice.random() < 0.8 else world.dice.choice(PEOPLE)
    world.line = (Waiter(asked, world.row.id, world.now, world.now, seat),)
    return say.Substitute(user, name_of(user), seat)


def _take_back(world: World) -> Command:
    away = [chair.user for chair in world.row.chairs if chair.house and chair.user is not None]
    away += [chair.owner for chair in world.row.chairs if chair.owner is not None]
    return say.TakeBack(world.dice.choice(away) if away else anybody(world))


def _expel(world: World) -> Command:
    chair = a_chair(world)
    return say.Expel(moderator(world), chair.seat, chair.name)


def _offer_of(world: World) -> Command:
    chair = a_chair(world)
    return say.OfferSeatOf(moderator(world), chair.seat, chair.name)


def _move(world: World) -> Command:
    by = Moderator(world.row.host, "host") if world.dice.random() < 0.5 else moderator(world)
    return say.MoveTable(by, world.dice.choice((CHANNEL, THREAD, ELSEWHERE)), as_host=by.name == "host")


def _board(world: World) -> Command:
    return say.NoteBoard(world.dice.choice((CHANNEL, world.row.home)), MessageId(world.dice.randrange(1, 99)), "key")


def _change_rules(world: World) -> Command:
    rules = some_rules(world.row.game, world.row.preset, world.dice)
    return say.ChangeRules(anybody(world), lambda before: rules if world.row.phase == "lobby" else before)


def _change_pace(world: World) -> Command:
    return say.ChangePace(anybody(world), Pace.read(world.dice.choice(PACES) + world.dice.choice(LATES)))


def _remove_player(world: World) -> Command:
    chair = a_chair(world)
    return say.RemovePlayer(anybody(world), chair.seat, chair.name)


def _join(world: World) -> Command:
    user = world.dice.choice(PEOPLE)
    edition = world.row.edition - (world.dice.random() < 0.1)
    return say.Join(user, name_of(user), edition, world.dice.randrange(world.row.seats))


IN_A_MATCH: Sequence[tuple[int, Speech]] = (
    (6, _act),
    (8, _premove),
    (2, lambda world: say.WithdrawPremoves(anybody(world), ("pass", "on", "list", "beat", "if", "until", "lead"))),
    (5, lambda world: say.GrantTime(anybody(world), world.dice.choice((None, world.state.moment)))),
    (2, lambda world: say.PlayLive(anybody(world))),
    (2, lambda world: say.EndLiveSession(anybody(world))),
    (9, _vote),
    (2, lambda world: say.Veto(anybody(world))),
    (2, lambda world: say.ReturnFromBreak(anybody(world))),
    (6, lambda world: say.Leave(anybody(world))),
    (1, lambda world: say.RemoveAbsent(anybody(world))),
    (9, _take_back),
    (4, lambda world: say.OfferSeat(anybody(world))),
    (1, lambda world: say.KeepSeat(anybody(world))),
    (7, _substitute),
    (3, lambda world: say.Pause(moderator(world))),
    (2, lambda world: say.Resume(moderator(world))),
    (1, _expel),
    (3, _offer_of),
    (1, lambda world: say.Repost(world.dice.choice((None, moderator(world))))),
    (1, _move),
    (1, _board),
    (2, lambda _: say.Suspend()),
    (1, lambda _: say.EndSuspension()),
    (1, lambda world: say.AccessFound(anybody(world), lost=world.dice.random() < 0.5)),
    (1, lambda _: say.RecomputeDeadline()),
    (2, lambda _: say.Ring()),
    (1, _join),
)
IN_A_LOBBY: Sequence[tuple[int, Speech]] = (
    (8, _join),
    (3, lambda world: say.Leave(anybody(world))),
    (2, lambda world: say.RemoveAbsent(anybody(world))),
    (4, lambda world: say.Agree(anybody(world), world.row.edition)),
    (2, lambda world: say.CutCards(anybody(world), world.dice.choice(("", "moon", "sun")))),
    (3, _change_rules),
    (3, _change_pace),
    (1, lambda _: say.FollowStakes()),
    (1, lambda world: say.PlayDuplicate(anybody(world))),
    (2, lambda world: say.AddHousePlayer(anybody(world), world.dice.choice(list(Level)))),
    (1, lambda world: say.FillSeats(anybody(world), world.dice.choice(list(Level)))),
    (1, lambda world: say.ChangeLevel(anybody(world), world.dice.choice(list(Level)))),
    (2, _remove_player),
    (1, _expel),
    (1, lambda _: say.Suspend()),
    (1, lambda _: say.EndSuspension()),
    (2, lambda _: say.Ring()),
    (2, lambda world: say.Start(anybody(world), world.dice.choice((None, THREAD)), world.row.edition)),
    (1, _act),
    (1, _vote),
    (1, _move),
)
LAST: Sequence[tuple[int, Speech]] = (  # what ends a table
    (2, lambda world: say.CloseLobby(anybody(world))),
    (3, lambda world: say.EndMatch(moderator(world))),
    (2, lambda world: say.CallOff(moderator(world))),
    (1, lambda _: say.LoseChannel()),
    (1, lambda _: say.Close()),
)


def something(world: World) -> Command:
    """Return any command, even an invalid one, rarely a final one."""
    if world.dice.random() < 0.01:
        return _drawn(LAST, world)
    here, elsewhere = (IN_A_LOBBY, IN_A_MATCH) if world.row.phase == "lobby" else (IN_A_MATCH, IN_A_LOBBY)
    return _drawn(here if world.dice.random() < 0.97 else elsewhere, world)


def _drawn(speeches: Sequence[tuple[int, Speech]], world: World) -> Command:
    [(_, speech)] = world.dice.choices(speeches, [weight for weight, _ in speeches])
    return speech(world)


def answers(world: World, mood: Mood) -> Command | None:
    """Return what players say to what they are asked, or what brings a table that stands still back to life."""
    row, dice = world.row, world.dice
    vote = current_vote(row.chairs)
    if row.paused:
        return _while_stopped(world)
    if vote and dice.random() < mood.agreeable:
        waiting = [chair.user for chair in row.chairs if chair.user and not chair.house and not chair.vote]
        return say.CastVote(dice.choice(waiting), vote) if waiting else None
    if is_live_session(row) and dice.random() < 0.05:
        return say.EndLiveSession(dice.choice(people(row.chairs) or PEOPLE))
    return None


def _while_stopped(world: World) -> Command | None:
    row, dice = world.row, world.dice
    if row.suspended_since and world.writable:
        return say.EndSuspension() if dice.random() < 0.5 else None
    if current_vote(row.chairs) == "pause" and dice.random() < 0.5:
        return say.ReturnFromBreak(anybody(world))
    if dice.random() < 0.2:
        return dice.choice((say.Leave, say.TakeBack))(anybody(world))
    return say.Resume(Moderator(MODERATORS[0], "mod")) if dice.random() < 0.3 else None


# What happens in the world


def happens(world: World) -> Command | None:
    """Make something happen around the table; return the command that reports it, if any."""
    dice = world.dice
    match dice.randrange(12):
        case 0 | 1:
            world.writable = not world.writable
            return None if world.writable else say.Suspend()
        case 2 | 3:
            world.go_away(dice.choice((5 * MINUTE, 3 * HOUR, 2 * A_DAY)))
            return say.RecomputeDeadline()
        case 4 | 5:
            user = anybody(world)
            world.days[user] = world.day_of(user).with_hours(some_hours(dice), world.now)
            return say.RecomputeDeadline()
        case 6:
            user = anybody(world)
            today = world.day_of(user).today(world.now)
            away = Vacation(today + A_DAY, today + dice.randrange(1, 5) * A_DAY)
            world.days[user] = _with(world, user, away)
            return say.RecomputeDeadline()
        case 7 | 8 | 9:
            world.blind ^= {anybody(world)}
        case 10 if dice.random() < 0.5:
            world.delete(anybody(world))
        case 11 if dice.random() < 0.3:
            games = dice.choice(((), (), ("tien_len",)))
            world.server = replace(world.server, stakes=not world.server.stakes, games=games, slow=dice.random() < 0.8)
            return say.FollowStakes("key")
    return None


def _with(world: World, user: UserId, away: Vacation) -> WorkSchedule:
    try:
        return world.day_of(user).with_vacation(away, world.now)
    except Refused:
        return world.day_of(user)
