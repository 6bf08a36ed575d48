"""What a screen gets: a table as one person, or any onlooker, may see it.

Holds a View, never a state: there is nothing in a scene that its viewer may not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from bot.ground.chair import Chair
from bot.ground.pace import Pace
from bot.ground.revision import Revision
from bot.ground.server_settings import PLAIN, ServerSettings
from bot.rules.game import Rules, View
from bot.rules.seal import Seal

Stage: TypeAlias = Literal["lobby", "playing", "between", "over", "closed"]
Uncounted: TypeAlias = Literal["alone", "breaks_off"]  # one person; rules by which one who is late ends all
Asked: TypeAlias = Literal["play", "give", "name", "name_or_pass", "answer"]


@dataclass(frozen=True, slots=True)
class Scene:
    """A table, seen by one person or (viewer None) by everybody.

    number: the table's number in its server. stage: between means that a hand has ended and the next one waits for
    ``awaited``. ply: how many actions there were that all can see; a click carries it. seat: where the viewer sits.
    view: None only in a lobby or a table closed there. hand: which hand, from 1. totals, nets, places, payments: of
    the match so far, by seat (payments as (payer, payee, amount)). awaited: seats that are to act; in a lobby those
    that have yet to agree. edition: counts what is agreed to in a lobby; a click there carries it. revised: the last
    change of that, with what held before. move: the time for a move, None without a clock. deadline: when the clock
    acts for them. ticking: whether the hand goes on by itself every few seconds, so that nobody is called to it.
    asked: what the one seat that is to act is asked for, as far as everybody knows. seal: what may be known of how the
    cards were dealt. counts: whether the match counts, or would if it began now; uncounted: in a lobby, why not.
    server: what its owner has chosen. ending: seats that want to end a match without an end of its own; undecided:
    those who would have to agree. paused: until when at most a moderator has stopped the table, None where it goes on.
    asleep: whether it is paused only because the bot may not write there.
    """

    table: int
    number: int
    guild: int
    home: int
    message: int | None
    host: int
    game: str
    preset: str
    changes: Mapping[str, Any]
    rules: Rules
    pace: Pace
    stage: Stage
    ply: int
    chairs: tuple[Chair, ...]
    viewer: int | None
    seat: int | None
    awaited: frozenset[int] = frozenset()
    edition: int = 0
    revised: Revision | None = None
    move: timedelta | None = None
    deadline: datetime | None = None
    view: View | None = None
    hand: int = 0
    totals: tuple[int, ...] = ()
    nets: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    payments: tuple[tuple[int, int, int], ...] = ()
    ticking: bool = False
    asked: Asked = "play"
    seal: Seal | None = None
    counts: bool = True
    uncounted: Uncounted | None = None
    server: ServerSettings = PLAIN
    paused: datetime | None = None
    asleep: bool = False
    ending: frozenset[int] = frozenset()
    undecided: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PublicScene(Scene):
    """A table as everybody may see it; a table makes it for nobody in particular. What all read is drawn of this."""

    def __post_init__(self) -> None:
        """Refuse to be what only one person may see."""
        if self.viewer is not None or self.seat is not None or (self.view and self.view.seat is not None):
            raise ValueError("this is one person's scene")
