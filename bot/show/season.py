"""The end of a season as its channel reads it: the first of each game, and what was remarkable.

Draws how it ended; refuses to reckon anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from discord.utils import format_dt

from bot.games import GAMES
from bot.ground.ids import UserId
from bot.ground.names import called
from bot.ground.season import Finalist, Moment, Season
from bot.show import phrases
from bot.show.layout import Accent, Block, PublicScreen, cut, lines, pictured, screen, small
from bot.show.pictures.picture import ALT, Picture
from bot.show.pictures.ranks import Rank, Ranks
from bot.show.words import N_, Said, Words, join, unmarked

FIRST: Final = 5  # of each game
GAMES_SHOWN: Final = 3
MOMENTS: Final = {
    "streak": N_("🔥 {name} won {n} matches in a row."),
    "bombs": N_("💣 {name} played most bombs: {n}."),
    "comeback": N_("🎢 {name} made the comeback of the season: last at half time, {n} points behind, and won."),
    "often": N_("🃏 {name} played most: {n} matches."),
}


class Ended(NamedTuple):
    """How a season ended. names: of everybody in it. moments: what was remarkable."""

    season: Season
    last: Sequence[Finalist]
    names: Mapping[UserId, str]
    where: str
    moments: Sequence[Moment]

    def games(self) -> list[list[Finalist]]:
        """Return those of each game, the game that was played most first."""
        games = [list(theirs) for _, theirs in groupby(self.last, lambda one: one.game)]
        return sorted(games, key=_played, reverse=True)[:GAMES_SHOWN]


def _played(finalists: Sequence[Finalist]) -> int:
    return sum(one.climber.tally.matches for one in finalists if one.climber.tally)


def podiums(ended: Ended, w: Words) -> list[Picture]:
    """Return a picture for each game."""
    return [_podium(ended, finalists, w.bare()) for finalists in ended.games()]


def _podium(ended: Ended, finalists: Sequence[Finalist], w: Words) -> Picture:
    number = ended.season.number
    title = join((w(GAMES[finalists[0].game].title), w("Season {number}", number=number)))
    shown = Ranks(title, unmarked(ended.where), tuple(_rank(one, ended, w) for one in finalists[:FIRST]))
    told = (join((f"{line.place}. {line.name}", line.number, line.under)) for line in shown.lines)
    return Picture(shown, cut("\n".join((title, *told)), ALT))


def _rank(one: Finalist, ended: Ended, w: Words) -> Rank:
    climber = one.climber
    number = str(climber.rating.shown) if climber.rating else ""
    return Rank(str(one.place), _name(climber.user, ended.names), number, _matches(one, w), climber.user % 9)


def _name(user: UserId, names: Mapping[UserId, str]) -> str:
    return called(names.get(user, ""), user, [name for other, name in names.items() if other < user])


def _matches(one: Finalist, w: Words) -> Said:
    tally = one.climber.tally
    return w.n("{n} match", "{n} matches", tally.matches) if tally else Said()


def season(ended: Ended, pictures: Sequence[Picture], w: Words) -> PublicScreen:
    """Return what the channel reads. pictures: none where they cannot be sent; then all of it is text."""
    begins, ends = ended.season.begins, ended.season.ends or ended.season.begins
    when = join((Said(format_dt(begins, "d")), Said(format_dt(ends, "d"))), " – ")
    told: list[Block] = [pictured(picture.name, picture.told) for picture in pictures]
    told = told or [lines(*_first(finalists, ended, w)) for finalists in ended.games()]
    head = lines("## " + w("Season {number} is over", number=ended.season.number), small(when))
    return PublicScreen(
        screen(Accent.OVER, head, *told, lines(*remarkable(ended.moments, ended.names, w)), small(w(FROM_NOW)))
    )


FROM_NOW = "A new season has begun: everybody starts at the same rating. /standings"


def _first(finalists: Sequence[Finalist], ended: Ended, w: Words) -> Iterator[Said]:
    """Give the first of a game in words."""
    yield Said(f"**{w(GAMES[finalists[0].game].title)}**")
    for one in finalists[:FIRST]:
        name = w("**{name}**", name=_name(one.climber.user, ended.names))
        rating = [Said(str(one.climber.rating.shown))] if one.climber.rating else []
        yield phrases.placed(one.place, join((name, *rating, _matches(one, w))))


def remarkable(moments: Iterable[Moment], names: Mapping[UserId, str], w: Words) -> Iterator[Said]:
    """Give what was remarkable."""
    for moment in moments:
        one, *others = (_name(user, names) for user in moment.who)
        name = w("{one} and {other}", one=one, other=others[0]) if others else one
        yield w(MOMENTS[moment.kind], name=name, n=moment.number)
