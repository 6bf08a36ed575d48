"""Whom a table waits for, since when, and who of them has clicked there since.

Pure: sees what all may see of a table. Refuses to know how anybody is called.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
    """Return the persons who must act now, agree to the rules in a lobby, or say whether they agree to something."""
    if scene.wait.paused or (scene.stage not in ("playing", "lobby") and not scene.wait.vote):
        return frozenset()
    awaited = scene.wait.undecided if scene.stage == "between" else scene.wait.awaited | scene.wait.voters
    chairs = (chair for chair in scene.chairs if chair.seat in awaited and not chair.house)
    return frozenset(chair.user for chair in chairs if chair.user is not None)


def by_notice(scene: Scene) -> bool:
    """Tell whether the players awaited get notices when it suits them, see notice_policy, and no call at once."""
    return scene.stage == "playing" and scene.terms.pace.slow


def alone(scene: Scene) -> bool:
    """Tell whether one person at most plays here, who needs no calling: nobody else waits for them."""
    return sum(chair.user is not None and not chair.house for chair in scene.chairs) <= 1


def question(scene: Scene) -> Question:
    """Return what stays while the same is asked; in a draw that goes on by itself, all through it."""
    return (
        scene.stage,
        scene.tally.deal,
        -1 if scene.together and scene.wait.ticking else scene.moment,
        scene.terms.edition,
        *((scene.wait.ballot,) if scene.wait.vote else ()),
    )


def still_wanted(table: ShownTable, user: UserId) -> bool:
    """Tell whether somebody is still to answer where all are asked in secret: who is called aloud must not tell that.

    A letter that does not come is seen by nobody else.
    """
    return not table.scene(None).together or table.scene(user).wanted


def last_acted(row: TableRow, chair: Chair) -> datetime | None:
    """Return when somebody last did something at a table."""
    return next((step.at for step in reversed(row.steps) if step.seat == chair.seat and step.by == "person"), None)


def asked_now(scene: Scene, row: TableRow, chair: Chair) -> str:
    """Name what somebody is asked: it is another once they have done something, or all are asked something else."""
    if scene.together or chair.seat not in scene.wait.awaited:
        return " ".join(map(str, question(scene)))
    return f"{scene.tally.deal} {sum(step.seat == chair.seat for step in row.steps)}"


@dataclass(slots=True)
class Asked:
    """Whom a table waits for.

    scene: the table as all saw it last. since: from when on, each. together: all at once. clicked: who has since.
    done_before: whose ping for what was asked before has done its work. to_call: where all are asked at once, who is
    called or sent their hand; call_aloud: and who of them is called where all can see it. unanswered: calls,
    of which nobody knows whether they stand there; needless: those of what was asked before.
    """

    scene: Scene
    question: Question
    since: dict[UserId, datetime]
    together: bool
    clicked: set[UserId] = field(default_factory=set)
    done_before: set[UserId] = field(default_factory=set)
    to_call: frozenset[UserId] = frozenset()
    call_aloud: frozenset[UserId] = frozenset()
    unanswered: list[Outbound] = field(default_factory=list)
    needless: list[Outbound] = field(default_factory=list)

    def over(self, scene: Scene) -> set[UserId]:
        """Return whose ping has done its work now that something else is asked."""
        return self.done_before | (self.since.keys() if self.together or scene.together else self.clicked)
