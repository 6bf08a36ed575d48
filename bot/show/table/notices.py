"""Short messages beside the board: pings, reminders, news, and the latest moves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.chairs import Chair
from bot.domain.ids import ChannelId, UserId
from bot.domain.message_ids import N_
from bot.domain.pace import MAX_SUSPENSION
from bot.rules.core.game import Public, View
from bot.rules.core.sentences import Seat
from bot.rules.core.trick import Move, Trick
from bot.scene import PublicScene, Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import (
    Accent,
    PrivateScreen,
    PublicRow,
    Row,
    back_to_hand,
    button,
    fitted,
    lines,
    private,
    row,
    screen,
    small,
    watch_button,
)
from bot.show.kit.words import MessageText, Words, join, mention
from bot.show.table import votes

PILE = 3000  # the most characters of an open pile
APART = N_("{table} is being played in a private thread that only its players can see: {thread}")
UNPLAYED = N_("{table} ended before any hand was finished, so there's no result.")
AGREED = N_("{table} has ended: everyone agreed. The board shows the result.")
SUSPENDED = N_(
    "{table} on {server} is suspended because I can't post there any more. Its clock is stopped. It "
    "resumes once I can, or in another channel where its host or a moderator uses /table move."
)
SUSPENDED_THERE = N_(
    "{table} on {server} is suspended because I can't post there any more. Its clock is stopped. It resumes once I can."
)
CALLED_OFF_LATER = N_("After {days} days it's canceled: nothing counts, and nobody loses.")
ENDED_LATER = N_("After {days} days it ends, and finished hands count.")
LEAVING = N_(
    "Leave {table}? A bot takes your seat right away. You can take it back unless someone else takes it first."
)
LEAVING_COUNTS = N_("If you don't, it counts as a match you left, and never as a win.")
LEAVING_LAST = N_("Leave {table}? You're the last person here, so the match ends unfinished and the table closes.")
LEAVING_FOR = N_("Leave {table}? A bot takes the seat right away, and {owner} can have it back.")
OFFERING = N_(
    "Or offer your seat: anyone here can take over your cards (you won't see them again). Until then you keep playing."
)
OFFERED = N_("Your seat is up for grabs. Until someone takes it, you keep playing.")
STOPPING = N_("End {table} for everyone? What's been played so far counts.")
STOPPING_AGREED = N_("End {table}? It ends once everyone still playing agrees. What's been played so far counts.")
STOPPING_TOGETHER = N_(
    "End {table}? It ends once everyone still playing agrees, or in a day if they say nothing. What's "
    "been played so far counts."
)


def suspended(scene: Scene, w: Words, server: str) -> PrivateScreen:
    """Return the direct message about a suspended table, where the bot can no longer write."""
    sentence = SUSPENDED if scene.where.duplicate is None else SUSPENDED_THERE
    text = w(sentence, table=phrases.table(scene, w), server=server)
    return private(Accent.CLOSED, text, called_off_later(scene, w))


def called_off_later(scene: Scene, w: Words) -> MessageText | None:
    """Return when a suspended match ends for good; None for a lobby."""
    if scene.stage == "lobby":
        return None
    return w(ENDED_LATER if has_finished_hand(scene) else CALLED_OFF_LATER, days=MAX_SUSPENSION.days)


def has_finished_hand(scene: Scene) -> bool:
    """Tell whether a hand of the match was played to its end."""
    return len(scene.tally.course) > 1


def ping(scene: Scene, w: Words, users: Iterable[UserId]) -> MessageText:
    """Return the ping: mentions, the reason, and a link to the table."""
    users = tuple(users)
    people, where = _people(users), _linked(scene, w)
    if scene.stage == "lobby":
        return w("{people}, the rules have changed. Check them and press Ready: {table}", people=people, table=where)
    if _agreeing(scene, users):
        return w(
            "{people}, {question} {table}",
            people=people,
            question=votes.vote_call(scene, w.for_scene(scene)),
            table=where,
        )
    if scene.together:
        return w("{people}, everyone decides now: {table}", people=people, table=where)
    return w("{people}, your turn: {table}", people=people, table=where)


def deal_ping(scene: Scene, w: Words, users: Iterable[UserId]) -> MessageText:
    """Return the ping of the players who do not see their first hand."""
    return w("{people}, your cards are dealt: {table}", people=_people(users), table=_linked(scene, w))


def _agreeing(scene: Scene, users: Collection[UserId]) -> bool:
    """Tell whether these people are called only to answer a vote."""
    if scene.stage == "between":
        return bool(scene.wait.vote)
    seats = {chair.seat for chair in scene.chairs if chair.user in users}
    return bool(seats & scene.wait.voters) and not seats & scene.wait.awaited


def reminder(scene: Scene, w: Words, users: Iterable[UserId]) -> MessageText:
    """Return the single reminder before the deadline."""
    people, where = _people(users), _linked(scene, w)
    if scene.wait.deadline is None:
        return ping(scene, w, users)
    if scene.wait.reserve_left:
        return w(
            "{people}, your time and your reserve run out {when}: {table}",
            people=people,
            when=scene.wait.deadline,
            table=where,
        )
    return w("{people}, your time runs out {when}: {table}", people=people, when=scene.wait.deadline, table=where)


def waiting(
    scenes: Sequence[PublicScene], user: UserId, w: Words, *, late: bool = False, closed: bool = False
) -> MessageText:
    """Return the notice of one place's slow tables that wait for a player, with latest events.

    late: the deadline of the first table is near. closed: the player asked for direct messages, but cannot receive
    them.
    """
    first, *others = scenes
    w = w.for_scene(first)
    head = reminder(first, w, [user]) if late else _asked(first, user, w)
    seat = next((chair.seat for chair in first.chairs if chair.user == user), None)
    before = moves_since_seat(first.view, seat, w) if first.view and not first.together else None
    linked = [_linked(scene, w) for scene in others]
    more = w.n("{tables} is waiting for you too.", "{tables} are waiting for you too.", len(others), tables=linked)
    direct = w("I can't send you direct messages, so I'll tell you here from now on.") if closed else None
    return MessageText(lines(head, *(small(said) for said in (before, more if others else None, direct) if said)) or "")


def _asked(scene: PublicScene, user: UserId, w: Words) -> MessageText:
    """Return the ping of a slow table, with the deadline."""
    called, when = ping(scene, w, [user]), scene.wait.deadline
    until = (
        phrases.deadline(scene, w) if scene.wait.reserve_left else MessageText(w.show(when)) if when else MessageText()
    )
    return called if _agreeing(scene, [user]) else join((called, until))


def ping_row(scene: PublicScene, w: Words, users: Iterable[UserId]) -> PublicRow:
    """Return the buttons below a public ping, with the requested actions."""
    if scene.stage == "lobby":
        return PublicRow.of(button(w("Show them"), Press(scene.where.table, Verb.TERMS), ButtonStyle.primary))
    if _agreeing(scene, tuple(users)):
        return PublicRow.of(*votes.below_call(scene, w))
    return PublicRow.of(button(w("My hand"), Press(scene.where.table, Verb.HAND), ButtonStyle.primary))


def join_row(scene: PublicScene, w: Words) -> PublicRow:
    """Return the button below an invitation, which shows the terms first.

    The invitation does not contain them.
    """
    return PublicRow.of(button(w("Join"), Press(scene.where.table, Verb.JOIN), ButtonStyle.success))


def invitation_row(scene: PublicScene, w: Words) -> PublicRow:
    """Return the buttons below an invitation of people by name."""
    table = scene.where.table
    return PublicRow.of(button(w("Join"), Press(table, Verb.JOIN), ButtonStyle.success), _decline(scene, w))


def rematch_call_row(scene: PublicScene, w: Words) -> PublicRow:
    """Return the buttons below the call of the former players to a rematch."""
    again = button(w("Rematch"), Press(scene.where.table, Verb.REMATCH), ButtonStyle.success)
    return PublicRow.of(again, _decline(scene, w))


def _decline(scene: PublicScene, w: Words) -> ui.Button[Any]:
    return button(w("Not this time"), Press(scene.where.table, Verb.DECLINE))


def lobby_reminder(scene: PublicScene, w: Words) -> MessageText:
    """Return the host's reminder of a lobby, with the missing players or possible actions."""
    assert scene.wait.deadline is not None
    free, host = scene.terms.rules.players - len(scene.chairs), _people([scene.terms.host])
    said = {"people": host, "table": _linked(scene, w), "when": scene.wait.deadline}
    if not free:
        return w("{people}, {table} is full: press Start. It closes {when}.", **said)
    return w.n(
        "{people}, {table} still waits for {n} more player. It closes {when}.",
        "{people}, {table} still waits for {n} more players. It closes {when}.",
        free,
        **said,
    )


def lobby_row(scene: PublicScene, w: Words) -> PublicRow:
    """Return the button below the reminder of a lobby's host.

    The button is Start in a full lobby, else Join for other players.
    """
    if len(scene.chairs) < scene.terms.rules.players:
        return join_row(scene, w)
    start = Press(scene.where.table, Verb.START, at=scene.terms.edition)
    return PublicRow.of(button(w("Start"), start, ButtonStyle.primary))


def rematch_row(scene: PublicScene, w: Words) -> PublicRow | None:
    """Return the buttons below the message on the end of a match; None before the end."""
    if scene.stage != "over":
        return None
    table = scene.where.table
    again = button(w("Rematch"), Press(table, Verb.REMATCH), ButtonStyle.success)
    return PublicRow.of(again, watch_button(table, w))


def back_row(scene: PublicScene, w: Words) -> PublicRow | None:
    """Return the button below the message on a late player, which takes the seat back.

    Returns None after the match.
    """
    if not scene.open:
        return None
    return PublicRow.of(button(w("Take my seat back"), Press(scene.where.table, Verb.BACK), ButtonStyle.primary))


# A move of the last trick: of another player, and of the reader.
PASSED = N_("{seat} passes"), N_("You passed")
TOOK_UP = N_("{seat} takes {cards}"), N_("You took {cards}")
CAPTURED = N_("{seat} takes {cards} with {combo}"), N_("You took {cards} with {combo}")
PLAYED = N_("{seat}: {combo}"), N_("You: {combo}")


def last_trick(scene: Scene, w: Words) -> PrivateScreen:
    """Return the last finished trick, move by move, or all finished tricks of an open pile.

    All of these moves were public.
    """
    return PrivateScreen(fitted(lambda words: _last(scene, words.for_scene(scene).to_seat(scene.seat)), w))


def _last(scene: Scene, w: Words) -> ui.LayoutView:
    return screen(Accent.PLAYING, *_played(scene, w), _back(scene, w))


def _played(scene: Scene, w: Words) -> list[MessageText]:
    if scene.view is None or not scene.view.ended_tricks:
        over = scene.view is not None and scene.view.result is not None
        return [w("This hand ended before any trick was played." if over else "No finished trick in this hand yet.")]
    if scene.terms.rules.open_pile:
        played = [_plays(trick, w) for trick in reversed(scene.view.ended_tricks)]
        return [w("**The open pile**, latest trick first"), *_fitting(played, w)]
    return [w("**The last trick**"), *last_moves(scene.view, w)]


def last_moves(view: Public, w: Words) -> list[MessageText]:
    """Return the moves of the last finished trick, a line each."""
    return _ending([_move(move, w) for move in view.ended_tricks[-1].moves], w)


def _move(move: Move, w: Words) -> MessageText:
    seat, own = Seat(move.seat), move.seat == w.reader
    if move.combo is None and not move.taken:
        return w(PASSED[own], seat=seat)
    if move.combo is None:
        return w(TOOK_UP[own], seat=seat, cards=move.taken)
    if move.taken:
        return w(CAPTURED[own], seat=seat, cards=move.taken, combo=move.combo)
    return w(PLAYED[own], seat=seat, combo=move.combo)


def _plays(trick: Trick, w: Words) -> MessageText:
    """Return the plays of a trick on a line."""
    return phrases.in_order(phrases.plays_and_pickups(trick), w)


def _fitting(played: Sequence[MessageText], w: Words) -> list[MessageText]:
    """Return as many tricks as fit into a message, and the number of further ones."""
    shown = _room(played)
    more = len(played) - shown
    rest = [w.n("and {n} earlier trick", "and {n} earlier tricks", more)] if more else []
    return [join(played[:shown], "\n"), *rest]


def _ending(moves: Sequence[MessageText], w: Words) -> list[MessageText]:
    """Return as many of the last moves as fit a message, after the number of earlier ones."""
    shown = _room(moves[::-1])
    more = len(moves) - shown
    rest = [w.n("after {n} more move", "after {n} more moves", more)] if more else []
    return [*rest, join(moves[more:], "\n")]


def _room(texts: Sequence[MessageText]) -> int:
    """Return how many of these lines fit into a message."""
    sizes = [sum(map(len, texts[: count + 1])) + count for count in range(len(texts))]
    return sum(size < PILE for size in sizes)


def leaving(scene: Scene, w: Words) -> PrivateScreen:
    """Return the confirmation before a player leaves a running match."""
    press, own = Press(scene.where.table, Verb.LEAVE_NOW), _own(scene)
    stay = [chair for chair in scene.chairs if chair.user is not None and chair.seat != scene.seat]
    question = LEAVING_FOR if own.owner_name else LEAVING
    return private(
        Accent.CLOSED,
        w(question if stay else LEAVING_LAST, table=phrases.table(scene, w), owner=own.owner_name),
        small(w(LEAVING_COUNTS)) if scene.terms.counts and not own.owner_name else None,
        w(OFFERED if own.offered else OFFERING),
        row(
            button(w("Leave the match"), press, ButtonStyle.danger),
            _offer(scene, own, w),
            back_to_hand(scene.where.table, w),
        ),
    )


def _own(scene: Scene) -> Chair:
    """Return the chair of the scene's viewer, who must be seated."""
    assert scene.seat is not None
    return scene.chairs[scene.seat]


def _offer(scene: Scene, own: Chair, w: Words) -> ui.Button[Any]:
    """Return the button that offers the viewer's seat, or withdraws the offer."""
    text = w("Keep my seat") if own.offered else w("Offer my seat")
    return button(text, Press(scene.where.table, Verb.OFFER_SEAT, at=int(not own.offered)))


def offered(scene: Scene, w: Words) -> PrivateScreen:
    """Return the confirmation after a seat was offered, or the offer withdrawn."""
    own = _own(scene)
    text = w(OFFERED) if own.offered else w("You're keeping your seat.")
    return private(Accent.CLOSED, text, row(_offer(scene, own, w), back_to_hand(scene.where.table, w)))


def stopping(scene: Scene, w: Words) -> PrivateScreen:
    """Return the confirmation before a player ends a match."""
    press = Press(scene.where.table, Verb.STOP_NOW, at=scene.moment)
    together = STOPPING_TOGETHER if scene.view and scene.view.endless else STOPPING_AGREED
    question = together if scene.wait.undecided - {scene.seat} else STOPPING
    return private(
        Accent.CLOSED,
        w(question, table=phrases.table(scene, w)),
        row(button(w("End the match"), press, ButtonStyle.danger), back_to_hand(scene.where.table, w)),
    )


def asked_to_end(scene: Scene, w: Words) -> MessageText:
    """Return the reply to a player who asked for the end of a match."""
    if scene.stage == "closed":
        return w(UNPLAYED, table=phrases.table(scene, w))
    if scene.stage == "over":
        return w(AGREED, table=phrases.table(scene, w))
    return w("You asked to end the match. It ends once everyone playing agrees.")


def left(scene: Scene, w: Words) -> PrivateScreen:
    """Return the reply to a player who left, with the button back while the match is running."""
    back = button(w("Take my seat back"), Press(scene.where.table, Verb.BACK))
    kept = scene.seat is not None and scene.stage in ("playing", "between")
    offer = _offer(scene, _own(scene), w) if kept else None
    return private(
        Accent.CLOSED, w("You left {table}.", table=phrases.table(scene, w)), row(back if kept else None, offer)
    )


def signpost(scene: PublicScene, thread: ChannelId, w: Words) -> ui.LayoutView:
    """Return the message in place of the lobby of a table that moved to a thread."""
    where, table = mention(thread), phrases.table(scene, w)
    if scene.where.duplicate is not None:
        return screen(Accent.CLOSED, w(APART, table=table, thread=where))
    return screen(Accent.CLOSED, w("{table} is being played in {thread}.", table=table, thread=where))


def _back(scene: Scene, w: Words) -> Row | None:
    return row(back_to_hand(scene.where.table, w) if scene.dealt else None)


def _people(users: Iterable[UserId]) -> list[MessageText]:
    return [MessageText(f"<@{user}>") for user in users]


def _linked(scene: Scene, w: Words) -> MessageText:
    return MessageText(f"[{phrases.table(scene, w)}]({phrases.link(scene.where)})")


MAX_MOVES_LISTED = 8  # moves: a round of the largest table


def moves_since_own(view: View, w: Words) -> MessageText:
    """Return the moves since the viewer's own, up to the top play, shown large on screen."""
    moves = _after_own(view, view.seat)
    large = [at for at, move in enumerate(moves) if move.combo and move.combo is view.trick.top]
    return _moves_text(view, view.seat, moves[: large[-1]] if large else moves, w)


def moves_since_seat(view: Public, seat: int | None, w: Words) -> MessageText:
    """Return all public moves since this seat's own."""
    moves = _after_own(view, seat)
    return MessageText() if all(move.combo is view.trick.top for move in moves) else _moves_text(view, seat, moves, w)


def _moves_text(view: Public, seat: int | None, moves: Sequence[Move], w: Words) -> MessageText:
    if not moves:
        return MessageText()
    text = join(_in_short(moves[-MAX_MOVES_LISTED:], w))
    return w("Since your turn: {moves}", moves=text) if _has_moved(view, seat) else w("So far: {moves}", moves=text)


def _in_short(moves: Sequence[Move], w: Words) -> Iterator[MessageText]:
    """Yield the moves in few characters.

    Passes in a row stand together, and plays of many cards by their names.
    """
    for passes, group in groupby(moves, lambda move: move.combo is None and not move.taken):
        several = list(group)
        if passes and several[1:]:
            yield w("{seats} pass", seats=[Seat(move.seat) for move in several])
        else:
            yield from (phrases.played(move, w, named=True) for move in several)


def _has_moved(view: Public, seat: int | None) -> bool:
    """Tell whether the seat has visibly played or passed before in this hand."""
    return bool(view.tricks) or any(move.seat == seat for move in view.trick.moves)


def _after_own(view: Public, seat: int | None) -> list[Move]:
    """Return the moves after the seat's own.

    After a new lead, the passes that ended the trick before it are left out.
    """
    before = view.tricks[-1].moves if view.tricks else ()
    moves = [*before, *view.trick.moves]
    own = [at for at, move in enumerate(moves) if move.seat == seat]
    if not own:
        return list(view.trick.moves)
    last_play = max((at for at, move in enumerate(before) if move.combo or move.taken), default=-1)
    ending = range(last_play + 1, len(before)) if view.trick.moves else ()
    return [move for at, move in enumerate(moves) if at > own[-1] and at not in ending]
