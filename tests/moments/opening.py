"""Opens the sandbox at a moment of a match, by the arguments of the command line."""

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
from tests.moments.arrival import bring_to_moment
from tests.moments.moments import MOMENTS, Moment
from tests.moments.search import MAX_SEEDS, find_seed

NOT_FOUND_TEXT = "By the rules {code} no match comes to {name} ({about}), of {tried} that were tried."


class UnknownMoment(Exception):
    """An unknown moment or game; `str` names it and the alternatives."""


@dataclass(frozen=True)
class MomentRequest:
    """A requested moment. code: the rule code; hands: of the match; people: on the first seats."""

    name: str
    code: str
    hands: int
    people: int

    @property
    def moment(self) -> Moment:
        """The moment with this name."""
        return MOMENTS[self.name]

    @property
    def seed(self) -> str:
        """A seed that leads to the moment; "lesson" for lessons. Raises UnknownMoment if none is found."""
        if self.moment.lesson:
            return "lesson"
        game, preset, changes = read_code(self.code, GAMES)
        rules = Ruleset.of(game, preset, game.wish(preset, changes, hands=self.hands)).rules
        found = find_seed(rules, self.moment, min(self.people, rules.players))
        if found is None:
            raise UnknownMoment(
                NOT_FOUND_TEXT.format(code=self.code, name=self.name, about=self.moment.about, tried=MAX_SEEDS)
            )
        return found


def parse_request(game: str, name: str, hands: int | None = None, people: int = 1) -> MomentRequest:
    """Return the request. game: as in a rule code, or a whole code. Raises UnknownMoment."""
    codes = {known.sheet.code.casefold(): known for known in GAMES.values()}
    known = codes.get(game.casefold())
    code = Ruleset.of(known, next(iter(known.presets))).code if known else game
    if ":" not in code:
        raise UnknownMoment(f"There is no game {game!r}. {describe_games()}")
    if name not in MOMENTS:
        raise UnknownMoment(f"There is no moment {name!r}. There are {', '.join(MOMENTS)}.")
    return MomentRequest(name, code, MOMENTS[name].hands if hands is None else hands, people)


def describe_games() -> str:
    """Return a sentence with all games."""
    games = ", ".join(f"{game.sheet.code.casefold()} ({game.title})" for game in GAMES.values())
    return f"There are {games}; or give a rule code such as B2:hk."


def describe_all() -> str:
    """Return all games and moments."""
    width = max(map(len, MOMENTS))
    return "\n".join((describe_games(), "", *(f"  {name:{width}}  {moment.about}" for name, moment in MOMENTS.items())))


async def open_at(
    wanted: MomentRequest, port: int, database: Path, announce: Callable[[str], None], workers: Workers | None = None
) -> None:
    """Serve the sandbox with a table at that moment, until cancelled or closed. Raises UnknownMoment, NotReached.

    workers: in place of the bot's own workers.
    """
    seed, bots = wanted.seed, list[Bigger]()

    async def play(world: World) -> None:
        await bring_to_moment(bots[0], world, wanted.moment, wanted.code, wanted.hands, wanted.people)

    def build(now: Callable[[], datetime]) -> Bigger:
        launch = Launch(settings=Settings(database=database, house_delay_seconds=0), now=now, seed=lambda: seed)
        launch.workers = workers or launch.workers
        bot = Bigger(launch)
        bots.append(bot)
        return bot

    await serve(build, port=port, announce=announce, before=play)
