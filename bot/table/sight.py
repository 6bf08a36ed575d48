"""What anybody may see of a table as it stands: made once for each who looks, however often they do.

Pure: from a row and its match. Refuses to know how either changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any

from bot.ground.server_settings import ServerSettings
from bot.rules.asks import ChooseAsk, GiveAsk, NameAsk
from bot.rules.match import Match
from bot.rules.ruleset import Ruleset
from bot.rules.seal import seal
from bot.scene.scene import Asked, PublicScene, Scene, Stage, Uncounted
from bot.store.rows import TableRow
from bot.table.chairs import ending, seat_of, seeing, undecided, undecided_on_end
from bot.table.fair import final_places, uncounted


@dataclass(frozen=True)
class Sight:
    """A table between two changes. server: what its owner has chosen. move: the time for a move."""

    row: TableRow
    match: Match | None
    ruleset: Ruleset
    server: ServerSettings
    move: timedelta | None

    def holds(self, row: TableRow, match: Match | None, server: ServerSettings) -> bool:
        """Tell whether nothing has changed: each of them is a value, so what is changed is another one."""
        return self.row is row and self.match is match and self.server is server

    def scene(self, viewer: int | None) -> Scene:
        """Return the table as this person may see it."""
        found = self.public if viewer is None else self._scenes.get(viewer)
        if found is None:
            chairs, match = self.row.chairs, self.match
            view = match.view(seeing(chairs, viewer)) if match else None
            found = self._scenes[viewer or 0] = Scene(
                viewer=viewer, seat=seat_of(chairs, viewer), view=view, **self._open_to_all
            )
        return found

    @cached_property
    def public(self) -> PublicScene:
        """The table as any onlooker may see it."""
        view = self.match.view(None) if self.match else None
        return PublicScene(viewer=None, seat=None, view=view, **self._open_to_all)

    @cached_property
    def _scenes(self) -> dict[int, Scene]:
        """By person."""
        return {}

    @cached_property
    def _open_to_all(self) -> Mapping[str, Any]:
        """All that is the same whoever looks."""
        row, match, ruleset = self.row, self.match, self.ruleset
        until = row.deadline.at if row.deadline else None
        why_not = why_uncounted(row, ruleset)
        return {
            "table": row.id, "number": row.number, "guild": row.guild, "home": row.home, "message": row.message or None,
            "host": row.host, "game": row.game, "preset": row.preset, "changes": ruleset.changes,
            "rules": match.rules if match else ruleset.rules, "pace": row.pace, "stage": stage_of(row, match),
            "ply": match.moment if match else 0, "chairs": row.chairs, "move": self.move,
            "deadline": None if row.paused else until, "paused": until if row.paused else None,
            "asleep": row.asleep is not None, "uncounted": why_not, "counts": counting(row, why_not),
            "server": self.server,
        } | (self._of_match(match) if match else self._of_lobby())  # fmt: skip

    def _of_lobby(self) -> dict[str, Any]:
        row = self.row
        pending = undecided(row.chairs, row.edition) if row.phase == "lobby" else ()
        awaited = frozenset(chair.seat for chair in pending)
        return {"edition": row.edition, "revised": row.revised, "awaited": awaited, "seal": seal(row.seed, 1, 0)}

    def _of_match(self, match: Match) -> dict[str, Any]:
        row, score = self.row, match.score
        waits = match.awaited if match.game.result else match.view(None).awaited
        return {
            "awaited": waits if row.phase == "playing" else frozenset(),
            "ticking": match.game.secrecy.tick is not None,
            "asked": asked_of(match),
            "hand": match.number,
            "totals": score.totals,
            "nets": score.nets,
            "ending": frozenset(ending(row.chairs)),
            "undecided": frozenset(undecided_on_end(row.chairs)),
            "places": final_places(score.places, row.chairs) if row.phase == "over" else score.places,
            "payments": score.payments if self.server.stakes else (),
            "seal": match.seal,
        }


def why_uncounted(row: TableRow, ruleset: Ruleset) -> Uncounted | None:
    """Return why a match would not count that began now; None where it would, or has begun."""
    return uncounted(row.chairs, ruleset.rules, row.pace) if row.phase == "lobby" else None


def counting(row: TableRow, why_not: Uncounted | None) -> bool:
    """Tell whether a match counts, or would if it began now."""
    return why_not is None if row.phase == "lobby" else row.counts


def stage_of(row: TableRow, match: Match | None) -> Stage:
    """Return what a table is doing."""
    if row.phase == "playing" and match is not None:
        return "between" if match.game.result else "playing"
    return "lobby" if row.phase == "lobby" else "over" if row.phase == "over" else "closed"


def asked_of(match: Match) -> Asked:
    """Return what the one seat that is to act is asked for; where nothing else is known to go on, to play."""
    game, awaited = match.game, match.game.awaited
    if len(awaited) != 1 or game.secrecy.together:
        return "play"
    doing = match.view(None).doing
    match game.ask(min(awaited)):
        case GiveAsk():
            return "give"
        case NameAsk(may_pass=may_pass) if doing:
            return "name_or_pass" if may_pass else "name"
        case ChooseAsk() if doing:
            return "answer"
    return "play"
