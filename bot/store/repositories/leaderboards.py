"""Leaderboards: ratings, entries and totals of players, computed from results.

Every row may be deleted, and is computed again from the results. A leaderboard stores its last match. The
effect of a match on a rating is computed in bot/ratings/calculator.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    case,
    delete,
    false,
    func,
    insert,
    literal,
    not_,
    select,
    tuple_,
)
from sqlalchemy import true as always
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import ChannelId, GuildId, PlayerId, TableId, UserId
from bot.domain.rating import (
    ALL_GUILDS,
    MIN_SETTLED_MATCHES,
    VISIBLE_CHANNELS,
    HeadToHead,
    Leaderboard,
    PlayerEntries,
    PlayerResult,
    PlayerTotals,
    RankedMatch,
    RankedPlayer,
    Rating,
    RatingChange,
    RatingCourse,
    RatingEntry,
    Reliability,
)
from bot.domain.results import SeatResult
from bot.runtime.progress import Reach
from bot.store.engine.erasures import visible_columns
from bot.store.engine.repository import Repository, read, write
from bot.store.schema import deeds, entries, habits, leaderboard_states, players, ratings, results, sittings, standings

SEAT: Final = "player", "seat", "place", "points", "net", "left", "everywhere", "turns"  # the columns read per seat
MATCHES_PER_BATCH: Final = 100  # the number of matches per batch, after which other work gets its turn
DAY: Final = timedelta(days=1)
COUNTS: Final = ":"  # in codes that count a style of play instead of an achievement
# Computes entries from the earlier matches of the day, the new matches, and the ratings before.
ComputeEntries: TypeAlias = Callable[
    [Sequence[RankedMatch], Sequence[RankedMatch], Mapping[PlayerId, Rating]], Awaitable[Sequence[RatingEntry]]
]


class RatingMethod(NamedTuple):
    """The method of computing a leaderboard.

    by: the name of the method; a new name invalidates every entry. include_hidden: whether matches in hidden channels
    count.
    """

    by: str
    include_hidden: bool
    compute_entries: ComputeEntries


# The owners of results


FIRST_SITTINGS = select(sittings.c.seat, sittings.c.house, sittings.c.everywhere).where(
    sittings.c.table_id == bindparam("of_table"), sittings.c.ply == 0
)


PLAYERS = select(players).where(players.c.user.in_(bindparam("users", expanding=True)))


async def players_of(
    connection: AsyncConnection, table: TableId, ended: Iterable[SeatResult]
) -> dict[int, dict[str, Any]]:
    """Return the player of each seat's result; an unknown person becomes a new player.

    A user who was deleted during the match becomes a player without a user.
    """
    rows = (await connection.execute(FIRST_SITTINGS, {"of_table": table})).all()
    begun, everywhere = {row.seat for row in rows if not row.house}, {row.seat for row in rows if row.everywhere}
    users = {one.user for one in ended if one.user is not None}
    known = {row.user: row.id for row in await connection.execute(PLAYERS, {"users": list(users)})}
    found = dict[int, dict[str, Any]]()
    for one in ended:
        of_person = one.user is not None or one.seat in begun
        player = known.get(one.user) or await new_player(connection, one.user) if of_person else None
        found[one.seat] = {"player": player, "everywhere": one.seat in everywhere and one.user is not None}
    return found


async def new_player(connection: AsyncConnection, user: UserId | None) -> PlayerId:
    """Add a player, without a user for a deleted user."""
    added = await connection.execute(insert(players).values(user=user).returning(players.c.id))
    return PlayerId(added.scalar_one())


of_match = results.c.table_id == bindparam("of_table")
MATCH = select(results.c.game, results.c.guild).where(of_match)
DROP_FROM_MATCH = delete(leaderboard_states).where(
    leaderboard_states.c.game == bindparam("of_game"),
    leaderboard_states.c.guild.in_(bindparam("guilds", expanding=True)),
    tuple_(leaderboard_states.c.finished, leaderboard_states.c.table_id)
    >= select(results.c.finished, results.c.table_id).where(of_match).scalar_subquery(),
)


async def invalidate_from_match(connection: AsyncConnection, table: TableId) -> None:
    """Invalidate the leaderboards that hold this match or later matches."""
    row = (await connection.execute(MATCH, {"of_table": table})).one()
    which = {"of_table": table, "of_game": row.game, "guilds": [row.guild, ALL_GUILDS]}
    await connection.execute(DROP_FROM_MATCH, which)


# Computation


class LeaderboardBatch(NamedTuple):
    """The next matches to compute.

    up_to: the last match on the leaderboard, None for an empty leaderboard. before: the matches of the first one's day
    that are on the leaderboard already. known: the current ratings of the players.
    """

    up_to: tuple[datetime, TableId] | None
    before: tuple[RankedMatch, ...]
    found: tuple[RankedMatch, ...]
    known: Mapping[PlayerId, Rating]


async def _batch(connection: AsyncConnection, leaderboard: Leaderboard, method: RatingMethod) -> LeaderboardBatch:
    """Read the next matches to compute; none for a leaderboard that is up to date."""
    up_to = await _up_to(connection, leaderboard, method)
    found = await matches(connection, leaderboard, method, after=up_to, limit=MATCHES_PER_BATCH)
    before = await same_day(connection, leaderboard, method, found[0].finished, up_to) if up_to and found else ()
    known = await ratings_of(connection, leaderboard, {player for match in found for player in match.parts})
    return LeaderboardBatch(_moment(up_to), before, found, known if up_to else {})


async def _keep_batch(
    connection: AsyncConnection,
    leaderboard: Leaderboard,
    method: RatingMethod,
    read: LeaderboardBatch,
    made: Sequence[RatingEntry],
) -> bool:
    """Write the entries of matches, unless the leaderboard has changed since their reading."""
    up_to = await _up_to(connection, leaderboard, method)
    still = select(_next(leaderboard, method, up_to, len(read.found)).subquery().c.table_id)
    if _moment(up_to) != read.up_to or {*(await connection.execute(still)).scalars()} != {m.table for m in read.found}:
        return False
    if up_to is None:
        await clear(connection, leaderboard)
    if not read.found:
        return True
    await keep(connection, leaderboard, made)
    await connection.execute(delete(leaderboard_states).where(*on_leaderboard(leaderboard_states, leaderboard)))
    last = {"finished": read.found[-1].finished, "table_id": read.found[-1].table, "by": method.by}
    await connection.execute(insert(leaderboard_states), key(leaderboard) | last)
    return True


async def _up_to(connection: AsyncConnection, leaderboard: Leaderboard, method: RatingMethod) -> Row[Any] | None:
    return (
        await connection.execute(
            select(leaderboard_states).where(
                *on_leaderboard(leaderboard_states, leaderboard), leaderboard_states.c.by == method.by
            )
        )
    ).first()


def _moment(book: Row[Any] | None) -> tuple[datetime, TableId] | None:
    return (book.finished, book.table_id) if book else None


def _next(leaderboard: Leaderboard, method: RatingMethod, after: Row[Any] | None, limit: int) -> Select[Any]:
    """Return the query for the next matches of a leaderboard, in order of their ends."""
    moment = results.c.finished, results.c.table_id
    later = tuple_(*moment) > moment_of(after) if after else always()
    return counted_matches(leaderboard, method).where(later).order_by(*moment).limit(limit)


async def matches(
    connection: AsyncConnection,
    leaderboard: Leaderboard,
    method: RatingMethod,
    *,
    after: Row[Any] | None = None,
    limit: int,
) -> tuple[RankedMatch, ...]:
    """Read the next matches of a leaderboard, in order of their ends."""
    return await ranked(connection, leaderboard, _next(leaderboard, method, after, limit))


async def same_day(
    connection: AsyncConnection, leaderboard: Leaderboard, method: RatingMethod, moment: datetime, up_to: Row[Any]
) -> tuple[RankedMatch, ...]:
    """Read the matches of a day (UTC) that are already on the leaderboard."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    known = tuple_(results.c.finished, results.c.table_id) <= moment_of(up_to)
    wanted = counted_matches(leaderboard, method).where(
        results.c.finished >= day, results.c.finished < day + DAY, known
    )
    return await ranked(connection, leaderboard, wanted.order_by(results.c.finished, results.c.table_id))


def moment_of(book: Row[Any]) -> Any:
    """Return the position of a leaderboard's last match, for comparison with other matches."""
    return tuple_(literal(book.finished, results.c.finished.type), literal(book.table_id))


def counted_matches(leaderboard: Leaderboard, method: RatingMethod) -> Select[Any]:
    """Return the query for the matches that count on a leaderboard."""
    query = select(results).where(results.c.game == leaderboard.game, results.c.counts, not_(results.c.annulled))
    if leaderboard.guild == ALL_GUILDS:
        return query.where(not_(results.c.hidden))
    query = query.where(results.c.guild == leaderboard.guild)
    if leaderboard.channel != VISIBLE_CHANNELS:
        return query.where(results.c.channel == leaderboard.channel, results.c.hidden)
    return query if method.include_hidden else query.where(not_(results.c.hidden))


async def ranked(connection: AsyncConnection, leaderboard: Leaderboard, wanted: Select[Any]) -> tuple[RankedMatch, ...]:
    """Return matches with the places of their first players."""
    found = wanted.subquery()
    query = select(found, *(standings.c[name] for name in SEAT)).join(
        standings, standings.c.table_id == found.c.table_id
    )
    order = query.order_by(found.c.finished, found.c.table_id, standings.c.seat)
    rows = (await connection.execute(order)).all()
    return tuple(match(leaderboard, tuple(of_match)) for _, of_match in groupby(rows, lambda row: row.table_id))


def match(leaderboard: Leaderboard, rows: Sequence[Row[Any]]) -> RankedMatch:
    """Return the match of some rows.

    A global leaderboard includes only players who have opted in.
    """
    persons = (row for row in rows if row.player is not None and (row.everywhere or leaderboard.guild != ALL_GUILDS))
    parts = {
        PlayerId(row.player): PlayerResult(row.seat, row.place, row.net if row.stakes else 0, row.left, row.turns)
        for row in persons
    }
    points = tuple(row.points for row in rows)
    one = rows[0]
    return RankedMatch(
        one.table_id,
        one.finished,
        points,
        parts,
        hands=one.hands,
        ended=one.ended,
        preset=one.preset,
        options=one.options,
        unrated=one.unrated,
    )


async def ratings_of(
    connection: AsyncConnection, leaderboard: Leaderboard, wanted: Iterable[PlayerId]
) -> Mapping[PlayerId, Rating]:
    """Read the ratings of players; players without a rating are left out."""
    query = select(ratings).where(*on_leaderboard(ratings, leaderboard), ratings.c.player.in_(wanted))
    return {row.player: rating(row) for row in await connection.execute(query)}


async def keep(connection: AsyncConnection, leaderboard: Leaderboard, new: Sequence[RatingEntry]) -> None:
    """Write new entries, and the current ratings of their players."""
    if new:
        await connection.execute(insert(entries), [key(leaderboard) | columns(one) for one in new])
    latest = {one.player: (one.rating, one.table) for one in new if one.rating is not None}
    await connection.execute(delete(ratings).where(*on_leaderboard(ratings, leaderboard), ratings.c.player.in_(latest)))
    now = [
        key(leaderboard) | asdict(rating) | {"player": player, "table_id": table}
        for player, (rating, table) in latest.items()
    ]
    if now:
        await connection.execute(insert(ratings), now)


def columns(one: RatingEntry) -> dict[str, Any]:
    """Return the columns of an entry."""
    part, rating = one.part, one.rating
    return {
        "player": one.player,
        "finished": one.finished,
        "table_id": one.table,
        "hands": one.hands,
        "gain": one.gain,
        "seat": part.seat,
        "place": part.place,
        "won": part.won,
        "net": part.net,
        "turns": part.turns,
        "elo": rating and rating.elo,
        "mean": rating and rating.mean,
        "weight": rating and rating.weight,
    }


async def clear(connection: AsyncConnection, leaderboard: Leaderboard) -> None:
    """Delete the entries of a leaderboard."""
    for table in (leaderboard_states, entries, ratings):
        await connection.execute(delete(table).where(*on_leaderboard(table, leaderboard)))


async def _clear_all(connection: AsyncConnection) -> Mapping[Leaderboard, int]:
    """Delete the entries of every leaderboard.

    Return the possible ones, each with its maximum number of matches.
    """
    for table in (leaderboard_states, entries, ratings):
        await connection.execute(delete(table))
    hidden = case((results.c.hidden, results.c.channel), else_=VISIBLE_CHANNELS).label("channel")
    query = select(results.c.guild, results.c.game, hidden, func.count().label("matches"))
    found = Counter[Leaderboard]()
    for row in await connection.execute(query.group_by(results.c.guild, results.c.game, hidden)):
        own = Leaderboard(row.guild, row.game, row.channel)
        for leaderboard in {own, Leaderboard(own.guild, own.game), Leaderboard(ALL_GUILDS, own.game)}:
            found[leaderboard] += row.matches
    return dict(sorted(found.items(), key=lambda item: (item[0].guild, item[0].game, item[0].channel)))


# Reading


async def _rated_players(connection: AsyncConnection, leaderboard: Leaderboard) -> tuple[RankedPlayer, ...]:
    """Read the rated players of a leaderboard, unordered and without unlisted ones."""
    query = only_listed(select(ratings, players.c.user).join(players, players.c.id == ratings.c.player), leaderboard)
    rows = (await connection.execute(query.where(*on_leaderboard(ratings, leaderboard)))).all()
    return tuple(RankedPlayer(row.player, row.user, row.table_id, rating=rating(row)) for row in rows)


async def _tallied(connection: AsyncConnection, leaderboard: Leaderboard) -> tuple[RankedPlayer, ...]:
    """Add up the entries of each listed player on a leaderboard.

    Without a game, adds up those on the leaderboards of every game.
    """
    won = func.sum(case((entries.c.won, 1), else_=0))
    sums = won, func.sum(entries.c.hands), func.sum(entries.c.gain), func.sum(entries.c.net)
    query = select(entries.c.player, players.c.user, func.max(entries.c.table_id), func.count(), *sums)
    query = only_listed(query.join(players, players.c.id == entries.c.player), leaderboard).where(*within(leaderboard))
    rows = (await connection.execute(query.group_by(entries.c.player, players.c.user))).all()
    return tuple(RankedPlayer(player, user, table, tally=PlayerTotals(*sums)) for player, user, table, *sums in rows)


async def _reliable(connection: AsyncConnection, leaderboard: Leaderboard) -> tuple[RankedPlayer, ...]:
    """Read the recent timeliness of each listed player on a leaderboard.

    Without a game, reads it on the leaderboards of every game.
    """
    query = select(entries.c.player, players.c.user, entries.c.table_id, entries.c.turns)
    query = only_listed(query.join(players, players.c.id == entries.c.player), leaderboard).where(*within(leaderboard))
    latest_first = entries.c.player, entries.c.finished.desc(), entries.c.table_id.desc()
    rows = (await connection.execute(query.where(entries.c.turns != "").order_by(*latest_first))).all()
    of_player = [tuple(theirs) for _, theirs in groupby(rows, lambda row: row.player)]
    return tuple(
        RankedPlayer(
            rows[0].player, rows[0].user, rows[0].table_id, reliability=Reliability.of(row.turns for row in rows)
        )
        for rows in of_player
    )


def within(leaderboard: Leaderboard) -> tuple[ColumnElement[bool], ...]:
    """Return the condition for the entries of a leaderboard.

    A leaderboard without a game includes every game.
    """
    columns = zip(on_leaderboard(entries, leaderboard), key(leaderboard), strict=True)
    return tuple(column for column, part in columns if leaderboard.game or part != "game")


def only_listed(query: Select[Any], leaderboard: Leaderboard) -> Select[Any]:
    """Limit a query for players to listed users."""
    query = query.outerjoin(habits, habits.c.user == players.c.user).where(players.c.user.is_not(None))
    listed = query.where(not_(func.coalesce(habits.c.unlisted, false())))
    return listed.where(habits.c.everywhere) if leaderboard.guild == ALL_GUILDS else listed


async def _names(connection: AsyncConnection, wanted: Iterable[RankedPlayer]) -> Mapping[UserId, str]:
    """Read the names of players in the given matches."""
    keys = [(one.table, one.player) for one in wanted]
    which = tuple_(standings.c.table_id, standings.c.player).in_(keys)
    rows = await connection.execute(select(*visible_columns(standings)).where(which))
    return {row.user: row.name for row in rows if row.user is not None}


async def _courses(
    connection: AsyncConnection, leaderboard: Leaderboard, wanted: Iterable[PlayerId], limit: int, since: datetime
) -> Mapping[PlayerId, RatingCourse]:
    """Read the recent course of each player's rating, and the rating at ``since``."""
    found = dict[PlayerId, RatingCourse]()
    for player in wanted:
        query = select(entries).where(
            *on_leaderboard(entries, leaderboard), entries.c.player == player, entries.c.mean.is_not(None)
        )
        latest = query.order_by(entries.c.finished.desc(), entries.c.table_id.desc())
        rows = (await connection.execute(latest.limit(limit))).all()
        then = (await connection.execute(latest.where(entries.c.finished <= since).limit(1))).first()
        found[player] = RatingCourse(tuple(map(rating_after, reversed(rows))), rating_after(then) if then else Rating())
    return found


async def _leaderboard_of(connection: AsyncConnection, table: TableId) -> Leaderboard | None:
    """Read the leaderboard on which a match counts; None for a match that does not count."""
    counted = select(results).where(results.c.table_id == table, results.c.counts, not_(results.c.annulled))
    row = (await connection.execute(counted)).first()
    return Leaderboard(row.guild, row.game, row.channel if row.hidden else VISIBLE_CHANNELS) if row else None


async def _changes(connection: AsyncConnection, table: TableId) -> Mapping[int, RatingChange]:
    """Read the computed changes of ratings by a match, by seat, except of deleted users."""
    leaderboard = await _leaderboard_of(connection, table)
    if leaderboard is None:
        return {}
    query = select(entries, func.coalesce(habits.c.unlisted, false()).label("unlisted"))
    query = query.join(players, players.c.id == entries.c.player).outerjoin(habits, habits.c.user == players.c.user)
    of_match = *on_leaderboard(entries, leaderboard), entries.c.table_id == table
    rated = query.where(*of_match, entries.c.mean.is_not(None), players.c.user.is_not(None))
    found = dict[int, RatingChange]()
    for row in (await connection.execute(rated)).all():
        before, settled = await _rating_before(connection, leaderboard, row)
        after = rating_after(row).shown
        found[row.seat] = RatingChange(before.shown, after, settled=settled, listed=not row.unlisted)
    return found


async def _rating_before(connection: AsyncConnection, leaderboard: Leaderboard, entry: Row[Any]) -> tuple[Rating, bool]:
    """Read the rating of an entry's player before its match, and whether it is settled.

    The match of the entry counts for the latter.
    """
    own = *on_leaderboard(entries, leaderboard), entries.c.player == entry.player, entries.c.mean.is_not(None)
    moment = tuple_(literal(entry.finished, entries.c.finished.type), literal(entry.table_id))
    earlier = select(entries).where(*own, tuple_(entries.c.finished, entries.c.table_id) < moment)
    latest = earlier.order_by(entries.c.finished.desc(), entries.c.table_id.desc()).limit(MIN_SETTLED_MATCHES)
    rows = (await connection.execute(latest)).all()
    before = rating_after(rows[0]).at(entry.finished) if rows else Rating()
    return before, len(rows) + 1 >= MIN_SETTLED_MATCHES


def rating_after(row: Row[Any]) -> Rating:
    """Return the rating after the match of an entry's row."""
    return Rating(elo=row.elo, mean=row.mean, weight=row.weight, matches=0, last=row.finished)


def rating(row: Row[Any]) -> Rating:
    """Return the rating of a row."""
    return Rating(elo=row.elo, mean=row.mean, weight=row.weight, matches=row.matches, last=row.last)


def key(leaderboard: Leaderboard) -> dict[str, Any]:
    """Return the key columns of a leaderboard."""
    return {"guild": leaderboard.guild, "channel": leaderboard.channel, "game": leaderboard.game}


def on_leaderboard(table: Any, leaderboard: Leaderboard) -> tuple[ColumnElement[bool], ...]:
    """Return the condition for the rows of a leaderboard."""
    return tuple(table.c[name] == value for name, value in key(leaderboard).items())


# One person, and two


async def _entered(
    connection: AsyncConnection, guild: GuildId, channel: ChannelId, user: UserId
) -> PlayerEntries | None:
    """Read the entries of a user in all games, oldest first; None without entries."""
    query = of_person(guild, channel, user).order_by(entries.c.finished, entries.c.table_id)
    rows = (await connection.execute(query)).all()
    if not rows:
        return None
    last = standings.c.table_id == rows[-1].table_id, standings.c.seat == rows[-1].seat
    name = (await connection.execute(select(standings.c.name).where(*last))).scalar_one()
    by_game = dict[str, list[RatingEntry]]()
    for row in rows:
        by_game.setdefault(row.game, []).append(entry(row))
    return PlayerEntries(PlayerId(rows[0].player), name, by_game)


def of_person(guild: GuildId, channel: ChannelId, user: UserId) -> Select[Any]:
    """Return the query for a person's entries."""
    where = entries.c.guild == guild, entries.c.channel == channel, players.c.user == user
    return select(entries).join(players, players.c.id == entries.c.player).where(*where)


def entry(row: Row[Any]) -> RatingEntry:
    """Return the entry of a row."""
    rating = None if row.mean is None else rating_after(row)
    part = PlayerResult(row.seat, row.place, row.net, left=row.place == 1 and not row.won, turns=row.turns)
    return RatingEntry(
        player=row.player,
        table=row.table_id,
        finished=row.finished,
        hands=row.hands,
        gain=row.gain,
        part=part,
        rating=rating,
    )


async def _done(connection: AsyncConnection, guild: GuildId, channel: ChannelId, user: UserId) -> dict[str, int]:
    """Count the achievements of a user, by code."""
    mine = of_person(guild, channel, user)
    return await added(connection, mine, not_(deeds.c.code.contains(COUNTS)))


async def _played(
    connection: AsyncConnection, guild: GuildId, channel: ChannelId, user: UserId, game: str
) -> dict[str, int]:
    """Add up the statistics of a user in a game, by code."""
    mine = of_person(guild, channel, user).where(entries.c.game == game)
    return await added(connection, mine, deeds.c.code.contains(COUNTS))


async def added(connection: AsyncConnection, wanted: Select[Any], which: ColumnElement[bool]) -> dict[str, int]:
    """Add up the deeds in the matches of these entries, by code."""
    mine = wanted.subquery()
    same = and_(deeds.c.table_id == mine.c.table_id, deeds.c.seat == mine.c.seat)
    query = select(deeds.c.code, func.sum(deeds.c.times)).join(mine, same).where(which).group_by(deeds.c.code)
    return {code: int(times) for code, times in await connection.execute(query)}


async def _met(
    connection: AsyncConnection, guild: GuildId, channel: ChannelId, user: UserId, other: UserId
) -> HeadToHead:
    """Count the common matches of two people, and how often each finished ahead of the other."""
    mine, theirs = (of_person(guild, channel, one).subquery() for one in (user, other))
    same = and_(mine.c.table_id == theirs.c.table_id, mine.c.game == theirs.c.game)
    rows = (await connection.execute(select(mine.c.place, theirs.c.place.label("other")).join(theirs, same))).all()
    before, behind = sum(row.place < row.other for row in rows), sum(row.place > row.other for row in rows)
    return HeadToHead(len(rows), before, behind)


class LeaderboardRepository(Repository):
    """Ratings and totals of players, as last computed."""

    clear_all = write(_clear_all)
    ranked_players = read(_rated_players)
    totals = read(_tallied)
    reliable = read(_reliable)
    names = read(_names)
    courses = read(_courses)
    leaderboard_of = read(_leaderboard_of)
    changes = read(_changes)
    player_entries = read(_entered)
    done = read(_done)
    played = read(_played)
    met = read(_met)

    async def compute_entries(
        self, leaderboard: Leaderboard, method: RatingMethod, heard: Reach = lambda _matches: None
    ) -> None:
        """Bring a leaderboard up to date.

        The database is free during the computation, and between two batches. heard: called with the number of matches
        after each batch.
        """
        while True:
            batch = await self._gate.read(_batch, leaderboard, method)
            if not batch.found and batch.up_to is not None:
                return
            made = await method.compute_entries(batch.before, batch.found, batch.known)
            kept = await self._gate.run(_keep_batch, leaderboard, method, batch, made)
            heard(len(batch.found) if kept else 0)
            if kept and len(batch.found) < MATCHES_PER_BATCH:
                return
