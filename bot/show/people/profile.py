"""A player's profile: the rating, the figures, the style, and head-to-head results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.domain.ids import UserId
from bot.domain.rating import MIN_SETTLED_MATCHES, HeadToHead, Rating, Reliability
from bot.games import GAMES
from bot.ratings.player_summary import PlayerSummary
from bot.rules.core.sentences import CombinationName
from bot.rules.matches.style import BOMBS, ONCE, Style
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import (
    Accent,
    Block,
    PrivateScreen,
    PublicScreen,
    button,
    cut,
    lines,
    option,
    pictured,
    private,
    row,
    screen,
    select,
    small,
    user_select,
)
from bot.show.kit.words import MessageText, Words, join, unmarked
from bot.show.pictures.canvas import ALT, Picture
from bot.show.pictures.colours import preferred_hue
from bot.show.pictures.profile_card import Figure, ProfileDrawing
from bot.show.table.achievements import MEDALS

# The verbs: switch the game; return to a game; compare two people; get the card as a picture; post one's own card.
PROFILE, BACK, VERSUS, CARD = "profile", "profile_back", "profile_versus", "profile_card"
POST = "profile_post"
MAX_MATCHES_CHARTED = 200  # matches in the chart


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A player's results on a server.

    records: by game; game: the shown one; rating: current, in that game. where: the name of the server. mine: whether
    it is the viewer's own. reliability: in all games. style: in that game.
    """

    user: UserId
    name: str
    where: str
    records: Mapping[str, PlayerSummary]
    game: str
    rating: Rating | None
    mine: bool
    reliability: Reliability
    style: Style

    @property
    def shown(self) -> PlayerSummary:
        """The record in the shown game."""
        return self.records[self.game]


def card(found: Profile, w: Words) -> Picture:
    """Return the profile as a picture."""
    w = w.for_labels()
    title = unmarked(found.name)
    under = join((w(GAMES[found.game].title), unmarked(found.where)))
    course = tuple((one.shown - one.band, one.shown + one.band) for one in found.shown.ratings[-MAX_MATCHES_CHARTED:])
    drawing = ProfileDrawing(
        title=title,
        under=under,
        figures=tuple(_figures(found, w)),
        course=course,
        hue=preferred_hue(found.user, ""),
    )
    read = (f"{figure.what}: {figure.number}" for figure in drawing.figures)
    return Picture(drawing, cut("\n".join((title, under, *read)), ALT))


def profile(
    found: Profile, picture: Picture | None, met: MessageText | None, w: Words, *, may_post: bool = False
) -> PrivateScreen:
    """Return the profile of a player.

    met: the head-to-head result, if requested. may_post: whether the viewer may post the profile in this channel.
    """
    others = [game for game in GAMES if game in found.records]
    known = GAMES[found.game]
    in_game = w.for_game(known.rules(next(iter(known.presets))))
    games = [option(w(GAMES[game].title), game, default=game == found.game) for game in others]
    return private(
        Accent.BOOK,
        *_card(found, picture, w),
        lines(*_played(found.style, known.combinations, in_game)) or None,
        small(_reliable(found.reliability, w)) or None,
        met,
        select(Browse.to(PROFILE, found.user), w("Which game"), games) if len(games) > 1 else None,
        user_select(Browse.to(VERSUS, found.user, found.game), w("Head to head with…")),
        row(
            button(w("Achievements"), Browse.to(MEDALS, found.user, found.game)),
            button(w("As a picture"), Browse.to(CARD, found.user, found.game)) if picture else None,
            button(w("Post in this channel"), Browse.to(POST, found.game)) if may_post else None,
        ),
    )


def profile_for_all(found: Profile, picture: Picture | None, by: MessageText, w: Words) -> PublicScreen:
    """Return the post of a profile. by: the poster's name."""
    text = small(w("{name} shows their profile.", name=by))
    return PublicScreen(screen(Accent.BOOK, *_card(found, picture, w), text))


def _card(found: Profile, picture: Picture | None, w: Words) -> Iterator[Block]:
    """Yield the figures, as a picture or in words."""
    if picture:
        yield pictured(picture.name, picture.alt_text)
        yield small(_sure(found, w)) or None
        return
    figures = join(MessageText(f"{figure.what}: **{figure.number}**") for figure in _figures(found, w))
    yield lines(_head(found, w), figures, small(_sure(found, w)))


def _head(found: Profile, w: Words) -> MessageText:
    return MessageText(f"## {join((w.show(found.name), w(GAMES[found.game].title)))}")


def _figures(found: Profile, w: Words) -> list[Figure]:
    record = found.shown
    tally = record.tally
    rated = [Figure(f"{found.rating.shown} {phrases.give_or_take(found.rating)}", w("rating"))] if found.rating else []
    best = [Figure(str(record.best.shown), w("best ever"))] if record.best and found.rating else []
    return [
        *rated,
        *best,
        Figure(f"{tally.wins} / {tally.matches}", w("won")),
        Figure(phrases.gain(tally), w("per hand")),
        Figure(str(record.longest), w("won in a row")),
        Figure(str(tally.hands), w("hands")),
    ]


def _sure(found: Profile, w: Words) -> MessageText:
    """Return how certain the rating is."""
    if found.rating is None:
        return w("Not rated yet. Rated matches need two people and (nearly) standard rules.")
    if not found.rating.settled:
        return w(phrases.PROVISIONAL, n=MIN_SETTLED_MATCHES)
    return MessageText()


def _played(style: Style, known: Mapping[str, CombinationName], w: Words) -> Iterator[MessageText]:
    """Yield the known traits of the style of play."""
    yield join(_combinations(style, known, w))
    yield join(_ends(style, known, w))


def _combinations(style: Style, known: Mapping[str, CombinationName], w: Words) -> Iterator[MessageText]:
    if style.favourite in known:
        yield w("Plays most: {what}", what=w(known[style.favourite].many))
    if style.best and style.best[0] in known:
        kind, took, played = style.best
        yield w("Wins most tricks with: {what} ({n} of {all})", what=w(known[kind].many), n=took, all=played)
    if style.counts.get(BOMBS):
        yield w.n("{n} bomb", "{n} bombs", style.counts[BOMBS])


def _ends(style: Style, known: Mapping[str, CombinationName], w: Words) -> Iterator[MessageText]:
    if style.way_out and style.way_out[0] in known:
        kind, times, every = style.way_out
        yield w(
            "Goes out first most often after leading: {what} ({n} of {all})",
            what=w(known[kind].many),
            n=times,
            all=every,
        )
    if style.left is not None:
        yield w("{n} cards left on average", n=f"{style.left:.1f}")
    if style.counts.get(ONCE):
        yield w.n("Out in one trick {n} time", "Out in one trick {n} times", style.counts[ONCE])


def _reliable(reliability: Reliability, w: Words) -> MessageText:
    """Return the share of turns in time; empty with too few turns."""
    if reliability.share is None:
        return MessageText()
    text = phrases.percent(reliability)
    return w("Slow tables: {percent} of the last {n} turns on time.", percent=text, n=reliability.turns)


def versus(name: str, other: str, met: HeadToHead, w: Words) -> MessageText:
    """Return the head-to-head result of two players."""
    if not met.matches:
        return w("{name} and {other} haven't met here yet.", name=name, other=other)
    together = w.n(
        "{name} and {other} have met in {n} match",
        "{name} and {other} have met in {n} matches",
        met.matches,
        name=name,
        other=other,
    )
    return join((together, MessageText(f"**{met.before} : {met.behind}**")))
