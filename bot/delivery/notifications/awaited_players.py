"""The awaited players at a table, the start of each wait, and their later clicks.

Pure functions of a table's public scene. Sending pings and notices lives elsewhere.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import TypeAlias

from bot.delivery.outbox.outbox import Outbound
from bot.domain.chairs import Chair
from bot.domain.ids import UserId
from bot.scene import Scene
from bot.store.rows import TableRow
from bot.table.environment import ShownTable

Question: TypeAlias = tuple[str | int, ...]


def awaited_people(scene: Scene) -> frozenset[UserId]:
    """Return the users who must act, agree to a lobby's rules, or vote."""
    if scene.wait.paused or (scene.stage not in ("playing", "lobby") and not scene.wait.vote):
        return frozenset()
    awaited = scene.wait.undecided if scene.stage == "between" else scene.wait.awaited | scene.wait.voters
    chairs = (chair for chair in scene.chairs if chair.seat in awaited and not chair.house)
    return frozenset(chair.user for chair in chairs if chair.user is not None)


def uses_notices(scene: Scene) -> bool:
    """Tell whether the awaited players get notices (see notice_policy) instead of pings."""
    return scene.stage == "playing" and scene.terms.pace.slow


def has_at_most_one_player(scene: Scene) -> bool:
    """Tell whether at most one user plays at the table.

    A single player makes nobody wait and needs no ping.
    """
    return sum(chair.user is not None and not chair.house for chair in scene.chairs) <= 1


def question(scene: Scene) -> Question:
    """Return a key that is equal while the players are asked the same.

    The key is constant throughout an automatic draw.
    """
    return (
        scene.stage,
        scene.tally.deal,
        -1 if scene.together and scene.wait.ticking else scene.moment,
        scene.terms.edition,
        *((scene.wait.ballot,) if scene.wait.vote else ()),
    )


def still_wanted(table: ShownTable, user: UserId) -> bool:
    """Tell whether a player still has to answer, at a table that asks all players in secret.

    A ping in the channel must not reveal who has answered; only the player notices a missing direct message.
    """
    return not table.scene(None).together or table.scene(user).wanted


def last_acted(row: TableRow, chair: Chair) -> datetime | None:
    """Return the time of a player's latest action at a table."""
    return next((step.at for step in reversed(row.steps) if step.seat == chair.seat and step.by == "person"), None)


def asked_now(scene: Scene, row: TableRow, chair: Chair) -> str:
    """Return a key of the question to one player.

    The key changes after the player's action and with the question to all players.
    """
    if scene.together or chair.seat not in scene.wait.awaited:
        return " ".join(map(str, question(scene)))
    return f"{scene.tally.deal} {sum(step.seat == chair.seat for step in row.steps)}"


@dataclass(slots=True)
class AwaitedPlayers:
    """The players awaited at a table.

    scene: the latest public scene. since: the start of each player's wait. together: whether all are asked at once.
    clicked: the awaited players with a click since then. done_before: the players whose ping for the previous question
    has served its purpose. to_ping: if all are asked at once, the players who get a ping or a direct message;
    ping_in_channel: those of them who get a ping in the channel. pings_without_response: sent pings without a
    response from Discord; needless: the same for previous questions. dealt: whether the first cards have been dealt
    since the last pings.
    """

    scene: Scene
    question: Question
    since: dict[UserId, datetime]
    together: bool
    _: KW_ONLY
    clicked: set[UserId] = field(default_factory=set)
    done_before: set[UserId] = field(default_factory=set)
    to_ping: frozenset[UserId] = frozenset()
    ping_in_channel: frozenset[UserId] = frozenset()
    pings_without_response: list[Outbound] = field(default_factory=list)
    needless: list[Outbound] = field(default_factory=list)
    dealt: bool = False

    def served_players(self, scene: Scene) -> set[UserId]:
        """Return the players whose pings have served their purpose once the question changes."""
        return self.done_before | (self.since.keys() if self.together or scene.together else self.clicked)
