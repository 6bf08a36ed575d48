"""Stepping through a finished match: all hands open, one action at a time.

A finished match is public. Draws one step; refuses to know how its position is come by.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from discord import SelectOption, ui

from bot.games import GAMES
from bot.ground.chair import Chair
from bot.ground.ids import TableId
from bot.rules.actions import Again, Choose, Give, Name, Pass, Play, Ready, Stop
from bot.rules.asks import ChooseAsk
from bot.rules.film import Film, Shot
from bot.rules.game import View
from bot.rules.match import Match
from bot.rules.sentences import Seat
from bot.show import asking, phrases
from bot.show.board import lying
from bot.show.checking import CHECK
from bot.show.forms import Field, form
from bot.show.ids import Browse
from bot.show.layout import (
    OPTIONS,
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    fitted,
    line,
    lines,
    option,
    row,
    screen,
    select,
    small,
)
from bot.show.sides import banner
from bot.show.words import N_, Said, Words, join, literal

# The verbs: show this step; show the step that was chosen; show how the hand that begins at this step can be checked.
REPLAY, DEAL, VERIFY = "replay", "deal", "verify"
FILE = "match_file"  # give the match as a file
JUDGE = "judge"  # why a match is annulled, or counts again
REASON, LONGEST = "reason", 200  # the field of that form, and how many characters it takes
PLAIN = {
    Pass: N_("{seat} passes."),
    Ready: N_("{seat} is ready for the next hand."),
    Stop: N_("{seat} ends the match."),
    Again: N_("All have agreed to throw this hand in. It is dealt again."),
}


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether a match is annulled. reason: why, as who did it has said. may: whether the reader may change it."""

    annulled: bool
    reason: str
    may: bool


@dataclass(frozen=True, slots=True)
class Filmed:
    """A finished match with what there is to say of it."""

    table: TableId
    number: int
    game: str
    chairs: tuple[Chair, ...]
    film: Film
    judged: Judged | None = None


def replay(filmed: Filmed, shot: Shot, w: Words) -> PrivateScreen:
    """Return a step of the match, with all hands open."""
    return PrivateScreen(fitted(lambda words: _draw(filmed, shot, words.among(filmed.chairs, shot.match.rules)), w))


def _draw(filmed: Filmed, shot: Shot, w: Words) -> ui.LayoutView:
    match = shot.match
    title = w("{game}, table {number}", game=w(GAMES[filmed.game].title), number=filmed.number)
    return screen(
        Accent.OVER,
        lines(f"## {title}", small(_where(filmed.film, shot, w))),
        lines(*_actions(shot, w)),
        lying(match.view(None), w),
        lines(*(phrases.note(note, w) for note in match.game.result.notes)) if match.game.result else None,
        lines(banner(match.view(None), w), small(phrases.facts(match.view(None), w))),
        line(),
        "\n".join(_held(match, seat, w) for seat in range(match.rules.players)),
        line(),
        _steps(filmed, shot, w),
        select(Browse.to(DEAL, filmed.table), w("Go to a hand"), _deals(filmed.film, shot, w)),
        *_judging(filmed, w),
    )


def _judging(filmed: Filmed, w: Words) -> Iterator[Block]:
    """Say that a match is annulled, and offer to change that, and the match as a file."""
    judged = filmed.judged
    if judged and judged.annulled:
        yield small(w("Annulled: {reason}", reason=spoken_of(judged.reason)))
    label = w("Let it count again…") if judged and judged.annulled else w("Annul it…")
    yield row(
        button(w("As a file"), Browse.to(FILE, filmed.table)),
        button(label, Browse.to(JUDGE, filmed.table, int(not judged.annulled))) if judged and judged.may else None,
    )


def spoken_of(reason: str) -> Said:
    """Return what somebody has typed as a reason, harmless."""
    return literal(" ".join(reason.split()))


def judging(table: TableId, annulled: bool, w: Words) -> ui.Modal:
    """Return the form in which somebody says why a match is annulled, or counts again."""
    title = w("Annul this match") if annulled else w("Let this match count again")
    field = Field(REASON, w("Why? Everybody can read it."), longest=LONGEST)
    return form(Browse.to(JUDGE, table, int(annulled)), title, field)


def _where(film: Film, shot: Shot, w: Words) -> Said:
    """Where in the match this is; how long the match is once that is known."""
    if film.whole:
        return w("Hand {hand} · step {step} of {steps}", hand=shot.match.number, step=shot.step, steps=film.last)
    return w("Hand {hand} · step {step}", hand=shot.match.number, step=shot.step)


def _actions(shot: Shot, w: Words) -> Iterator[Said | None]:
    """What happened last; of many answers those that want something."""
    if shot.before is None:
        yield w("The cards are dealt.")
    for before, seat, action in shot.done:
        match action:
            case Give(cards=given):
                yield w("{seat} gives {cards} back.", seat=seat, cards=given)
            case Choose(codes=codes):
                yield _answer(before, seat, codes, w)
            case Name(card=named):
                yield w("{seat} names {card}.", seat=seat, card=named)
            case Play():
                yield None  # it lies on the pile, which says so itself, or ends the trick
            case _:
                yield w(PLAIN[type(action)], seat=seat)
    if shot.before is not None:
        yield _ended(shot.before.view(None), shot.match.view(None), w)


def _ended(before: View, after: View, w: Words) -> Said | None:
    """The trick that has just ended, which does not lie there any more."""
    if len(after.tricks) <= len(before.tricks):
        return None
    return w("The trick: {plays}", plays=phrases.in_order(phrases.laid(after.tricks[-1]), w))


def _answer(before: Match, seat: Seat, codes: tuple[str, ...], w: Words) -> Said | None:
    """What somebody answered, in the words they were asked in; nothing where they wanted nothing."""
    ask = before.view(seat).ask
    if not isinstance(ask, ChooseAsk) or ask.untold:
        return None
    if before.game.secrecy.together and codes == (ask.answers[0].code,):
        return None
    if answer := [offered for offered in ask.offered if offered.codes == codes]:
        return w("{seat} answers: {answer}.", seat=seat, answer=asking.said(answer[0], w))
    said = asking.told(ask.orders, codes, w)
    return w("{seat} says beforehand: {orders}.", seat=seat, orders=said or w("nothing any more"))


def _held(match: Match, seat: int, w: Words) -> str:
    """One seat's cards on a line of their own, with its points so far."""
    held = match.view(seat).hand
    who = phrases.marked(seat, w, called=seat in match.game.awaited)
    said = join((who, w.n("{n} card", "{n} cards", len(held)), w.n("{n} point", "{n} points", match.totals[seat])))
    return str(lines(said, w.faces.show(held)))


def _steps(filmed: Filmed, shot: Shot, w: Words) -> Row | None:
    """The four ways to go, whose last argument keeps their addresses apart, and the check of this hand."""
    at, end, film = shot.step, filmed.film.end, filmed.film
    targets = (("first", "⏮", 0), ("back", "◀", at - 1), ("on", "▶", at + 1), ("last", "⏭", end))
    return row(
        *(
            button(sign, Browse.to(REPLAY, filmed.table, to, name), disabled=to == at or not 0 <= to <= end)
            for name, sign, to in targets
        ),
        button(w(CHECK), Browse.to(VERIFY, filmed.table, film.openings[shot.match.deal - 1].step)),
    )


def _deals(film: Film, shot: Shot, w: Words) -> list[SelectOption]:
    """The hands to jump to: those around the current one where there are more than a select takes."""
    here, deals = shot.match.deal - 1, film.openings
    start = min(max(0, here - OPTIONS // 2), max(0, len(deals) - OPTIONS))
    return [
        option(w("Hand {hand}", hand=deals[deal].match.number), str(deals[deal].step), default=deal == here)
        for deal in range(start, min(start + OPTIONS, len(deals)))
    ]
