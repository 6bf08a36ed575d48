"""Whom a table waits for, since when, and who of them has clicked there since.

Pure: sees what all may see of a table. Refuses to know how anybody is called.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from bot.ground.ids import UserId
from bot.scene import Scene

Question: TypeAlias = tuple[str, int, int, int]


def awaited_people(scene: Scene) -> frozenset[UserId]:
    """Return the persons who must act now, agree to the rules in a lobby, or say whether they agree to something."""
    if scene.wait.paused or (scene.stage not in ("playing", "lobby") and scene.wait.vote != "end"):
        return frozenset()
    awaited = scene.wait.undecided if scene.stage == "between" else scene.wait.awaited | scene.wait.voters
    chairs = (chair for chair in scene.chairs if chair.seat in awaited and not chair.house)
    return frozenset(chair.user for chair in chairs if chair.user is not None)


def by_notice(scene: Scene) -> bool:
    """Tell whether those awaited are told when it suits them (bot/tell/when.py), and not called at once."""
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
    )


@dataclass(slots=True)
class Asked:
    """Whom a table waits for.

    scene: the table as all saw it last. since: from when on, each. together: all at once. clicked: who has since.
    done_before: whose ping for what was asked before has done its work. to_call: where all are asked at once, who is
    called or sent their hand; call_aloud: and who of them is called where all can see it.
    """

    scene: Scene
    question: Question
    since: dict[UserId, datetime]
    together: bool
    clicked: set[UserId] = field(default_factory=set)
    done_before: set[UserId] = field(default_factory=set)
    to_call: frozenset[UserId] = frozenset()
    call_aloud: frozenset[UserId] = frozenset()

    def over(self, scene: Scene) -> set[UserId]:
        """Return whose ping has done its work now that something else is asked."""
        return self.done_before | (self.since.keys() if self.together or scene.together else self.clicked)
