"""The post on the end of a season: the leaders of each game, and the remarkable feats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Final

from discord.utils import format_dt

from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.names import distinct_name
from bot.domain.seasons import Finalist, Season, SeasonHighlight, SeasonResult
from bot.games import GAMES
from bot.show.kit import phrases
from bot.show.kit.layout import Accent, Block, PublicScreen, cut, lines, pictured, screen, small
from bot.show.kit.words import MessageText, Words, join, unmarked
from bot.show.pictures.canvas import ALT, Picture
from bot.show.pictures.colours import distinct_hues, preferred_hue
from bot.show.pictures.standings import StandingsDrawing, StandingsRow

DAY: Final = timedelta(days=1)
FIRST: Final = 5  # of each game
GAMES_SHOWN: Final = 3
MOMENTS: Final = {
    "streak": N_("🔥 {name} won {n} matches in a row."),
    "bombs": N_("💣 {name} played the most bombs: {n}."),
    "comeback": N_("🎢 {name} made the comeback of the season: last at half time, {n} points behind, and still won."),
    "often": N_("🃏 {name} played the most: {n} matches."),
}


def _games(finalists: Sequence[Finalist]) -> list[list[Finalist]]:
    """Return the finalists by game, the most played game first."""
    games = [list(theirs) for _, theirs in groupby(finalists, lambda one: one.game)]
    return sorted(games, key=_played, reverse=True)[:GAMES_SHOWN]


def _played(finalists: Sequence[Finalist]) -> int:
    return sum(one.player.tally.matches for one in finalists if one.player.tally)


def podiums(podium: SeasonResult, where: str, w: Words) -> list[Picture]:
    """Return a picture for each game. where: the name of the server."""
    return [_podium(podium, finalists, where, w.for_labels()) for finalists in _games(podium.finalists)]


def _podium(podium: SeasonResult, finalists: Sequence[Finalist], where: str, w: Words) -> Picture:
    title = join((w(GAMES[finalists[0].game].title), w("Season {number}", number=podium.season.number)))
    shown = StandingsDrawing(title, unmarked(where), tuple(_ranks(finalists[:FIRST], podium.names, w)))
    texts = (join((f"{line.place}. {line.name}", line.number, line.under)) for line in shown.lines)
    return Picture(shown, cut("\n".join((title, *texts)), ALT))


def _ranks(finalists: Sequence[Finalist], names: Mapping[UserId, str], w: Words) -> Iterator[StandingsRow]:
    hues = distinct_hues([preferred_hue(one.player.user, "") for one in finalists])
    for one, hue in zip(finalists, hues, strict=True):
        player = one.player
        yield StandingsRow(
            place=str(one.place),
            name=_name(player.user, names),
            number=str(player.rating.shown) if player.rating else "",
            under=_matches(one, w),
            hue=hue,
        )


def _name(user: UserId, names: Mapping[UserId, str]) -> str:
    return distinct_name(names.get(user, ""), user, [name for other, name in names.items() if other < user])


def _matches(one: Finalist, w: Words) -> MessageText:
    tally = one.player.tally
    return w.n("{n} match", "{n} matches", tally.matches) if tally else MessageText()


def season(podium: SeasonResult, pictures: Sequence[Picture], w: Words) -> PublicScreen:
    """Return the post.

    pictures: empty without permission to attach files; then the post is text.
    """
    told: list[Block] = [pictured(picture.name, picture.alt_text) for picture in pictures]
    told = told or [lines(*_first(finalists, podium.names, w)) for finalists in _games(podium.finalists)]
    late = small(_lateness(podium.late, w)) if podium.late else None
    after = small(w(FROM_NOW if podium.continued else NO_MORE))
    return PublicScreen(
        screen(
            Accent.OVER,
            lines(heading(podium.season, w), late),
            *told,
            lines(*remarkable(podium.moments, podium.names, w)),
            after,
        )
    )


def heading(over: Season, w: Words) -> str:
    """Return the beginning of a season's post, the same whenever it is posted."""
    when = join(
        (MessageText(format_dt(over.begins, "d")), MessageText(format_dt(over.ends or over.begins, "d"))), " – "
    )
    return "\n".join(("## " + w("Season {number} is over", number=over.number), small(when)))


def _lateness(late: timedelta, w: Words) -> MessageText:
    if late < DAY:
        return w("Sorry, this comes {late} late.", late=late)
    return w.n("Sorry, this comes {n} day late.", "Sorry, this comes {n} days late.", late.days)


FROM_NOW = N_("A new season has started: everyone begins at the same rating. /standings")
NO_MORE = N_("Seasons are off now. This one's final standings stay in /standings.")


def _first(finalists: Sequence[Finalist], names: Mapping[UserId, str], w: Words) -> Iterator[MessageText]:
    """Yield the leaders of a game in words."""
    yield MessageText(f"**{w(GAMES[finalists[0].game].title)}**")
    for one in finalists[:FIRST]:
        name = w("**{name}**", name=_name(one.player.user, names))
        rating = [MessageText(str(one.player.rating.shown))] if one.player.rating else []
        yield phrases.placed(one.place, join((name, *rating, _matches(one, w))))


def remarkable(moments: Iterable[SeasonHighlight], names: Mapping[UserId, str], w: Words) -> Iterator[MessageText]:
    """Yield the remarkable feats."""
    for moment in moments:
        one, *others = (_name(user, names) for user in moment.who)
        name = w("{one} and {other}", one=one, other=others[0]) if others else one
        yield w(MOMENTS[moment.kind], name=name, n=moment.number)
