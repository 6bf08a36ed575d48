"""The standings of a server: the best players of a game, as a picture and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.domain.message_ids import N_
from bot.domain.names import distinct_name
from bot.domain.rating import (
    INITIAL_RATING,
    MIN_RELIABILITY_TURNS,
    RELIABILITY_TURNS,
    UNLISTED_AFTER,
    LeaderboardCriterion,
    RankedRow,
    Standings,
)
from bot.games import GAMES
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import (
    MAX_OPTIONS,
    Accent,
    Block,
    PrivateScreen,
    PublicScreen,
    button,
    cut,
    line,
    lines,
    option,
    pictured,
    private,
    row,
    screen,
    select,
    small,
)
from bot.show.kit.phrases import signed
from bot.show.kit.words import MessageText, Words, join, unmarked
from bot.show.pictures.canvas import ALT, Picture
from bot.show.pictures.colours import distinct_hues, preferred_hue
from bot.show.pictures.standings import StandingsDrawing, StandingsRow

# The verbs: switch the page, the order, the game, the season; post a page.
PAGE, BY, GAME, SEASON = "standings", "standings_by", "standings_game", "standings_season"
POST = "standings_post"
ALL: Final = "all"  # games, or seasons
OF_ALL: Final[tuple[LeaderboardCriterion, ...]] = (
    "wins",
    "units",
    "reliability",
)  # orders that can be summed over all games
BYS: Final[Mapping[LeaderboardCriterion, str]] = {
    "rating": N_("Rating"),
    "everywhere": N_("Rating on all servers"),
    "points": N_("Points per hand"),
    "units": N_("Units"),
    "wins": N_("Matches won"),
    "reliability": N_("Moves on time"),
}
ABOUT: Final[Mapping[LeaderboardCriterion, str]] = {
    "rating": N_(
        "Everyone starts at {begins}. ± shows how uncertain a rating is. Players inactive for {days} days are hidden."
    ),
    "everywhere": N_("This is opt-in: turn it on in /my choices. Matches count from then on."),
    "points": N_(
        "How far above the table average someone finishes a hand, shown after five hands. Bots count as players."
    ),
    "units": N_("Units won minus units lost."),
    "wins": N_("Sharing first place is a win; leaving never is."),
    "reliability": N_(
        "How many of a player's last {turns} turns at slow tables were on time, shown after {few} "
        "turns. Doesn't affect ratings."
    ),
}


@dataclass(frozen=True, slots=True)
class StandingsMenu:
    """The choices of the standings screen.

    bys: the available orders; where: the server, or the channel. seasons: by number, the latest first; runs: the
    current season, or None if there is none.
    """

    bys: Sequence[LeaderboardCriterion]
    where: str
    seasons: Sequence[int] = ()
    runs: int | None = None

    def called(self, number: int, w: Words) -> MessageText:
        """Return the name of a season."""
        return w("This season") if number == self.runs else w("Season {number}", number=number)


def leaderboard_picture(found: Standings, menu: StandingsMenu, w: Words) -> Picture | None:
    """Return a page of the standings as a picture; None without players."""
    if not found.rows:
        return None
    bare = w.for_labels()
    told = _ranks(found, bare)
    own = told.pop() if found.own else None
    shown = StandingsDrawing(
        _title(found, menu, bare),
        "" if isinstance(menu.where, MessageText) else unmarked(menu.where),
        tuple(told),
        own,
    )
    read = (join((f"{ranked.place}. {ranked.name}", *_figures(ranked, found, bare))) for ranked in _told_apart(found))
    return Picture(shown, cut("\n".join((shown.title, *read)), ALT))


def standings(
    found: Standings,
    menu: StandingsMenu,
    picture: Picture | None,
    w: Words,
    *,
    texts: Iterable[MessageText] = (),
    may_post: bool = False,
) -> PrivateScreen:
    """Return a page of the standings, with the viewer's own place.

    texts: the remarkable feats of the season. may_post: whether the viewer may post the page in this channel.
    """
    rows = _told_apart(found)
    own = rows.pop() if found.own else None
    about = w(
        ABOUT[found.by],
        begins=INITIAL_RATING,
        days=UNLISTED_AFTER.days,
        turns=RELIABILITY_TURNS,
        few=MIN_RELIABILITY_TURNS,
    )
    said = [_line(ranked, found, w) for ranked in (*rows, *([own] if own else ()))]
    return private(
        Accent.BOOK,
        *_headed(found, menu, picture, w),
        "\n".join(map(small, said) if picture else said) or _nobody(found, w),
        *map(small, texts),
        line(),
        small(about),
        *_choices(found, menu, w),
        row(button(w("Post in this channel"), _page(POST, found, found.page))) if may_post and found.rows else None,
    )


def standings_for_all(
    found: Standings, menu: StandingsMenu, picture: Picture | None, by: MessageText, *, w: Words
) -> PublicScreen:
    """Return the post of a page. found: without the mark of any viewer. by: the poster's name."""
    said = [_line(ranked, found, w) for ranked in _told_apart(found)]
    return PublicScreen(
        screen(
            Accent.BOOK,
            *_headed(found, menu, picture, w),
            None if picture else "\n".join(said),
            small(w("{name} shows the standings.", name=by)),
        )
    )


def without_viewer(found: Standings) -> Standings:
    """Return a page without the mark, and without the further line, of its viewer."""
    return replace(found, own=None, rows=tuple(replace(ranked, mine=False) for ranked in found.rows))


def _headed(found: Standings, menu: StandingsMenu, picture: Picture | None, w: Words) -> Iterator[Block]:
    """Yield the picture with its link to a channel, or the title in words."""
    if picture is None:
        yield lines(f"## {_title(found, menu, w)}", small(w.show(menu.where)))
        return
    yield pictured(picture.name, picture.alt_text)
    yield small(menu.where) if isinstance(menu.where, MessageText) else None  # a picture has no links


def _page(verb: str, found: Standings, page: int) -> Browse:
    """Return the custom id of a request about a page."""
    return Browse.to(verb, found.by, found.game or ALL, page, ALL if found.season is None else found.season)


def _title(found: Standings, menu: StandingsMenu, w: Words) -> MessageText:
    game = w(GAMES[found.game].title) if found.game else w("All games")
    season = [] if found.season is None else [menu.called(found.season, w)]
    return join((game, w(BYS[found.by]), *season))


def _nobody(found: Standings, w: Words) -> MessageText:
    if found.by in {"everywhere", "reliability"}:
        return w("Nobody's here yet.")
    return w("No rated matches here yet. Play one: /deal with a friend.")


def _choices(found: Standings, menu: StandingsMenu, w: Words) -> Iterator[Block]:
    """Yield the page buttons, and the menus of other standings."""
    game, season = found.game or ALL, ALL if found.season is None else found.season
    if found.last:
        before, after = (_page(PAGE, found, found.page + way) for way in (-1, 1))
        yield row(
            button(w("Previous"), before, disabled=found.page == 0),
            button(w("Next"), after, disabled=found.page == found.last),
        )
    bys = [option(w(BYS[by]), by, default=by == found.by) for by in menu.bys]
    yield select(Browse.to(BY, game, season), w("Sort by"), bys)
    games = [option(w(known.title), known.name, default=known.name == found.game) for known in GAMES.values()]
    every = [option(w("All games"), ALL, default=not found.game)] if found.by in OF_ALL else []
    yield select(Browse.to(GAME, found.by, season), w("Which game"), [*every, *games])
    if menu.seasons and found.game and found.by not in {"everywhere", "reliability"}:
        always = option(w("All time"), ALL, default=found.season is None)
        told = [
            option(menu.called(one, w), str(one), default=found.season == one)
            for one in menu.seasons[: MAX_OPTIONS - 1]
        ]
        yield select(Browse.to(SEASON, found.by, game), w("When"), [always, *told])


def _told_apart(found: Standings) -> list[RankedRow]:
    """Return the lines of a page and the viewer's own if on another page, with unique names."""
    told = list[RankedRow]()
    for ranked in (*found.rows, *([found.own] if found.own else ())):
        name = distinct_name(ranked.name, ranked.player.user, [other.name for other in told])
        told.append(replace(ranked, name=name))
    return told


def _ranks(found: Standings, w: Words) -> list[StandingsRow]:
    """Return the lines of the picture, then the viewer's own if on another page."""
    told = _told_apart(found)
    hues = distinct_hues([preferred_hue(ranked.player.user, "") for ranked in told])
    return [_rank(ranked, found, w, hue) for ranked, hue in zip(told, hues, strict=True)]


def _rank(ranked: RankedRow, found: Standings, w: Words, hue: int) -> StandingsRow:
    number, under = _number(ranked, found.by), _under(ranked, found.by, w)
    rating = ranked.player.rating
    band = (rating.shown - rating.band, rating.shown + rating.band) if rating else None
    return StandingsRow(
        place=str(ranked.place),
        name=ranked.name,
        number=number,
        under=under,
        hue=hue,
        course=ranked.course,
        moved=ranked.moved,
        band=band,
        mine=ranked.mine,
    )


def _line(ranked: RankedRow, found: Standings, w: Words) -> MessageText:
    name = w("**{name}** (you)" if ranked.mine else "**{name}**", name=ranked.name)
    moved = MessageText(f"{'▲' if ranked.moved > 0 else '▼'}\u00a0{abs(ranked.moved)}") if ranked.moved else None
    return phrases.placed(ranked.place, join((name, *_figures(ranked, found, w), *([moved] if moved else ()))))


def _figures(ranked: RankedRow, found: Standings, w: Words) -> Iterator[MessageText]:
    """Yield the ranking number of a player, and its certainty or basis."""
    rating = ranked.player.rating
    number = _number(ranked, found.by)
    yield MessageText(f"{number} {phrases.give_or_take(rating)}" if rating and rating.settled else number)
    if under := _under(ranked, found.by, w):
        yield under


def _number(ranked: RankedRow, by: LeaderboardCriterion) -> str:
    """Return the ranking number of a player."""
    rating, tally, reliability = (
        ranked.player.rating,
        ranked.player.tally,
        ranked.player.reliability,
    )
    if rating is not None:
        return str(rating.shown)
    if reliability is not None:
        return phrases.percent(reliability)
    if tally is None:
        return ""
    return {"wins": str(tally.wins), "units": signed(tally.units)}.get(by) or phrases.gain(tally)


def _under(ranked: RankedRow, by: LeaderboardCriterion, w: Words) -> MessageText:
    """Return the certainty of the ranking number, or the turns, hands or matches behind it."""
    rating, tally, reliability = (
        ranked.player.rating,
        ranked.player.tally,
        ranked.player.reliability,
    )
    if reliability is not None:
        return w.n("{n} turn", "{n} turns", reliability.turns)
    if rating is not None:
        return w.n("{n} match", "{n} matches", rating.matches) if rating.settled else w("provisional")
    if tally is None:
        return MessageText()
    if by == "points":
        return w.n("{n} hand", "{n} hands", tally.hands)
    return w.n("{n} match", "{n} matches", tally.matches)
