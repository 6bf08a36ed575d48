"""Invitations to a lobby: the choice of people, the call in the channel, and the confirmation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.domain.ids import UserId
from bot.rules.core.sentences import Seat
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Accent, PrivateScreen, lines, private, role_select, small, user_select
from bot.show.kit.words import Said, Words


def inviting(scene: Scene, w: Words, most: int) -> PrivateScreen:
    """Return the screen to choose invitees. most: the highest number of people."""
    w, table = w.at(scene), scene.where.table
    return private(
        Accent.LOBBY,
        lines(
            f"**{w('Whom do you invite to {table}?', table=phrases.table(scene, w))}**",
            small(w("I call them once, as soon as you have chosen. The call goes when the table begins.")),
        ),
        user_select(Press(table, Verb.CALL), w("Up to {most} people", most=most), most),
        role_select(Press(table, Verb.CALL_ROLE), w("Or a role"), None),
    )


def invitation(scene: Scene, seat: int, whom: str, w: Words) -> Said:
    """Return the invitation. seat: the inviting player; whom: mentions of the invitees."""
    w = w.at(scene)
    where = Said(f"[{phrases.table(scene, w)}](<{phrases.link(scene.where)}>)")
    return w("{people}, **{seat}** invites you to {table}.", people=Said(whom), seat=Seat(seat), table=where)


def opened(scene: Scene, users: Iterable[UserId], w: Words) -> Said:
    """Return the notice of a new table for its subscribers."""
    w = w.at(scene)
    people = Said(" ".join(phrases.person(user, w) for user in users))
    return w("{people}: a table is open here. {table}", people=people, table=phrases.table(scene, w))


def called(whom: Sequence[Said], missing: Sequence[Said], w: Words) -> PrivateScreen:
    """Return the confirmation: who was invited, and who was not. The reason why not stays private to the invitee."""
    not_called = w("Not called, for they cannot come or would rather not: {people}.", people=missing)
    return private(Accent.LOBBY, lines(w("I have called {people}.", people=whom), not_called if missing else None))
