"""Opening the sandbox at a moment of a match, as words ask for it.

Knows how words are read and refused, and how a seed, a bot and a table come together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.client import Bigger
from bot.games import GAMES
from bot.launch import Launch
from bot.rules.variants.ruleset import Ruleset, read_code
from bot.runtime.workers import Workers
from bot.sandbox import serve
from bot.sandbox.live import World
from bot.settings import Settings
from tests.moments.arrival import arrive
from tests.moments.moments import MOMENTS, Moment
from tests.moments.search import SEEDS, search

NEVER = "By the rules {code} no match comes to {name} ({about}), of {tried} that were tried."


class Unknown(Exception):
    """A missing moment or game; `str` names it and the alternatives."""


@dataclass(frozen=True)
class Wanted:
    """A moment under some rules. code: the rule code; hands: of the match; people: on the first seats."""

    name: str
    code: str
    hands: int
    people: int

    @property
    def moment(self) -> Moment:
        """The moment itself."""
        return MOMENTS[self.name]

    @property
    def seed(self) -> str:
        """A seed by which it comes; none where the deal is a lesson's. Raises Unknown where none is found."""
        if self.moment.lesson:
            return "lesson"
        game, preset, changes = read_code(self.code, GAMES)
        rules = Ruleset.of(game, preset, game.wish(preset, changes, hands=self.hands)).rules
        found = search(rules, self.moment, min(self.people, rules.players))
        if found is None:
            raise Unknown(NEVER.format(code=self.code, name=self.name, about=self.moment.about, tried=SEEDS))
        return found


def read(game: str, name: str, hands: int | None = None, people: int = 1) -> Wanted:
    """Return what these words ask for. game: as in a rule code, or a whole one. Raises Unknown."""
    codes = {known.sheet.code.casefold(): known for known in GAMES.values()}
    known = codes.get(game.casefold())
    code = Ruleset.of(known, next(iter(known.presets))).code if known else game
    if ":" not in code:
        raise Unknown(f"There is no game {game!r}. {listed_games()}")
    if name not in MOMENTS:
        raise Unknown(f"There is no moment {name!r}. There are {', '.join(MOMENTS)}.")
    return Wanted(name, code, MOMENTS[name].hands if hands is None else hands, people)


def listed_games() -> str:
    """Say which games there are."""
    games = ", ".join(f"{game.sheet.code.casefold()} ({game.title})" for game in GAMES.values())
    return f"There are {games}; or give a rule code such as B2:hk."


def listed() -> str:
    """Say all that can be asked for."""
    width = max(map(len, MOMENTS))
    return "\n".join((listed_games(), "", *(f"  {name:{width}}  {moment.about}" for name, moment in MOMENTS.items())))


async def open_at(
    wanted: Wanted, port: int, database: Path, announce: Callable[[str], None], workers: Workers | None = None
) -> None:
    """Serve the sandbox with a table at that moment, until cancelled or closed. Raises Unknown, NotReached.

    workers: the bot's workers, if other than its own.
    """
    seed, bots = wanted.seed, list[Bigger]()

    async def play(world: World) -> None:
        await arrive(bots[0], world, wanted.moment, wanted.code, wanted.hands, wanted.people)

    def build(now: Callable[[], datetime]) -> Bigger:
        launch = Launch(settings=Settings(database=database, house_delay_seconds=0), now=now, seed=lambda: seed)
        launch.workers = workers or launch.workers
        bot = Bigger(launch)
        bots.append(bot)
        return bot

    await serve(build, port=port, announce=announce, before=play)
