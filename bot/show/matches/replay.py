"""The replay of a match, one action at a time, and the menu of steps to jump to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from discord import ButtonStyle, SelectOption, ui

from bot.domain.chairs import Chair
from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.core.asks import Again, Choose, ChooseAsk, Give, Name, Pass, Play, Ready, Stop
from bot.rules.core.sentences import Note, Seat
from bot.rules.core.turns import order_of_turns
from bot.rules.matches.match import Match
from bot.rules.matches.replay import LAST_CARDS, Mark, Playback, Snapshot, begins_trick, marks, played
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse
from bot.show.kit.forms import Field, form
from bot.show.kit.layout import (
    MAX_OPTIONS,
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    fitted,
    line,
    lines,
    option,
    pictured,
    row,
    screen,
    select,
    small,
)
from bot.show.kit.words import MessageText, Words, capital, join, literal
from bot.show.matches.moment_codes import MomentCode
from bot.show.pictures.canvas import Picture
from bot.show.table import questions
from bot.show.table.board import top_play
from bot.show.table.sides import banner, own_banner

# The verbs: show this step; show the chosen step; show how to check the deal of this step's hand.
REPLAY, DEAL, VERIFY = "replay", "deal", "verify"
WHOSE, EVERY = "whose", "all"  # show this step from the chosen seat, or with all hands open
POST, MOMENT = "post_moment", "moment"  # post this step in the channel; open a posted step
FILE = "match_file"  # send the match as a file
PLAY_ON = "play_on"  # start a practice hand at this step, on this seat
LOOK_BACK = "look_back"  # show the moments of the match worth another look
LOOK_CLOSELY = "look_at_hand"  # show the best house player's choices in this hand
JUDGE = "judge"  # submit the reason to annul a match, or to count it again
REASON, MAX_REASON_LENGTH = "reason", 200  # the field of that form, and its limit in characters
SEEN_BY = N_("Seen by {seat}")
PLAIN = {
    Pass: N_("{seat} passes."),
    Ready: N_("{seat} is ready for the next hand."),
    Stop: N_("{seat} ends the match."),
    Again: N_("All have agreed to throw this hand in. It is dealt again."),
}


@dataclass(frozen=True, slots=True)
class Annulment:
    """Whether a match is annulled. reason: of the moderator. may: whether the viewer may change it."""

    annulled: bool
    reason: str
    may: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayScene:
    """A match to replay. goes_on: the match is still running, and only its ended hands are included."""

    table: TableId
    number: int
    game: str
    chairs: tuple[Chair, ...]
    playback: Playback
    judged: Annulment | None = None
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A step, and the perspective of the viewer.

    hand: the steps of the shown hand. seat: the seat whose view is shown, None with all hands open. picture: the table
    at this step, None for text alone.
    """

    snapshot: Snapshot
    hand: tuple[Snapshot, ...]
    seat: int | None = None
    picture: Picture | None = None

    @property
    def mine(self) -> str:
        """The seat of the perspective, as in custom ids."""
        return "" if self.seat is None else str(self.seat)

    @property
    def trick(self) -> int:
        """The number of the current trick in its hand, from 1; 0 before the first one."""
        return sum(begins_trick(snapshot) for snapshot in self.hand if snapshot.step <= self.snapshot.step)


def replay(filmed: ReplayScene, frame: ReplayStep, w: Words) -> PrivateScreen:
    """Return a step of the match, in the viewer's perspective."""
    rules = frame.snapshot.match.rules
    return PrivateScreen(fitted(lambda words: _draw(filmed, frame, words.for_players(filmed.chairs, rules)), w))


def match_name(game: str, number: int, w: Words) -> MessageText:
    """Return the name of a match: the game, and "table 3"."""
    return w("{game}, table {number}", game=w(GAMES[game].title), number=number)


def look_back(table: TableId, w: Words) -> ui.Button[Any]:
    """Return the button that shows an ended match's moments worth another look."""
    return button(w("Look back"), Browse.to(LOOK_BACK, table))


def look_closely(table: TableId, hand: int, w: Words) -> ui.Button[Any]:
    """Return the button that shows the best house player's choices in an ended hand."""
    return button(w("Look closely"), Browse.to(LOOK_CLOSELY, table, hand))


def _draw(filmed: ReplayScene, frame: ReplayStep, w: Words) -> ui.LayoutView:
    match, picture = frame.snapshot.match, frame.picture
    view = match.view(None)
    heading = replace(w, named=True) if picture else w  # the cards lie in the picture
    return screen(
        Accent.OVER,
        lines(
            f"### {happened(frame.snapshot, heading, is_running=filmed.is_running)}", small(_where(filmed, frame, w))
        ),
        pictured(picture.name, picture.alt_text) if picture else top_play(view, w),
        lines(ended_trick(frame.snapshot, w), *(phrases.note(note, w) for note in _notes(match))),
        lines(_sides(frame, w), small(phrases.facts(view, order_of_turns(match.rules, match.number), w))),
        line(),
        "\n".join(_held(frame, seat, w) for seat in order_of_turns(match.rules, match.number)),
        line(),
        _steps(filmed, frame),
        *_jumps(filmed, frame, w),
        *(_so_far(filmed, frame, w) if filmed.is_running else _judging(filmed, frame, w)),
    )


def _notes(match: Match) -> tuple[Note, ...]:
    return match.game.result.notes if match.game.result else ()


def _sides(frame: ReplayStep, w: Words) -> MessageText:
    """Return the known sides, as public knowledge or as this seat knows them."""
    match = frame.snapshot.match
    return banner(match.view(None), w) if frame.seat is None else own_banner(match.view(frame.seat), w)


def _so_far(filmed: ReplayScene, frame: ReplayStep, w: Words) -> Iterator[Block]:
    """Yield the buttons of a moment in a running match."""
    number = frame.snapshot.match.number
    yield row(
        look_closely(filmed.table, number, w),
        button(w("Check"), Browse.to(VERIFY, filmed.table, frame.snapshot.step)),
    )


def _judging(filmed: ReplayScene, frame: ReplayStep, w: Words) -> Iterator[Block]:
    """Yield the buttons of a moment and its match, and the annulment, if any, with the button to change it."""
    judged = filmed.judged
    if judged and judged.annulled:
        yield small(w("Annulled: {reason}", reason=spoken_of(judged.reason)))
    label = w("Let it count again…") if judged and judged.annulled else w("Annul it…")
    yield row(
        button(w("Share"), Browse.to(POST, filmed.table, frame.snapshot.step), ButtonStyle.primary),
        button(w("Check"), Browse.to(VERIFY, filmed.table, frame.snapshot.step)),
        button(w("As a file"), Browse.to(FILE, filmed.table)),
    )
    yield row(
        look_back(filmed.table, w),
        _play_on(filmed, frame, w) if frame.snapshot.can_play_on else None,
        button(label, Browse.to(JUDGE, filmed.table, int(not judged.annulled))) if judged and judged.may else None,
    )


def _play_on(filmed: ReplayScene, frame: ReplayStep, w: Words) -> ui.Button[Any]:
    """Return the button to practise from this step, on the seat of the perspective."""
    return button(w("Play on from here"), Browse.to(PLAY_ON, filmed.table, frame.snapshot.step, frame.mine))


def spoken_of(reason: str) -> MessageText:
    """Return a typed reason, with any markup escaped."""
    return literal(" ".join(reason.split()))


def judging(table: TableId, annulled: bool, w: Words) -> ui.Modal:
    """Return the form for the reason to annul a match, or to count it again."""
    title = w("Annul this match") if annulled else w("Let this match count again")
    field = Field(REASON, w("Why? Everybody can read it."), longest=MAX_REASON_LENGTH)
    return form(Browse.to(JUDGE, table, int(annulled)), title, field)


def _where(filmed: ReplayScene, frame: ReplayStep, w: Words) -> MessageText:
    """Return the place in the match, the length of the match once known, and the code of the moment."""
    playback, snapshot, trick = filmed.playback, frame.snapshot, frame.trick
    step = (
        w("step {step} of {steps}", step=snapshot.step, steps=playback.last)
        if playback.whole
        else w("step {n}", n=snapshot.step)
    )
    hand = w("Hand {hand}", hand=snapshot.match.number)
    there = join((hand, w("trick {n}", n=trick) if trick else MessageText(), step))
    return MessageText(
        f"{match_name(filmed.game, filmed.number, w)} · `{MomentCode(filmed.table, snapshot.step)}`\n{there}"
    )


def happened(snapshot: Snapshot, w: Words, *, is_running: bool = False) -> MessageText:
    """Return the latest events; of many answers only those that request something.

    goes_on: the match is still running: leave out secret answers, whose public effect is told.
    """
    return join(_happened(snapshot, w, is_running=is_running)) or w("On it goes.")


def _happened(snapshot: Snapshot, w: Words, *, is_running: bool) -> Iterator[MessageText]:
    if snapshot.before is None or (snapshot.match.number != snapshot.before.number and snapshot.before.game.result):
        yield w("The cards are dealt.")
        return
    laid = played(snapshot)
    if laid is not None:
        yield w("{seat} plays {combo}", seat=Seat(laid[0]), combo=laid[1])
    for before, seat, action in snapshot.done:
        match action:
            case Give(cards=given):
                yield w("{seat} gives {cards} back.", seat=seat, cards=given)
            case Choose(codes=codes):
                secret = is_running and before.game.secrecy.together
                yield (None if secret else _answer(before, seat, codes, w)) or MessageText()
            case Name(card=named):
                yield w("{seat} names {card}.", seat=seat, card=named)
            case Play():
                pass  # said above
            case _:
                yield w(PLAIN[type(action)], seat=seat)


def ended_trick(snapshot: Snapshot, w: Words) -> MessageText | None:
    """Return the trick that has just ended, of which at most the last play is still visible."""
    if snapshot.before is None:
        return None
    before, after = snapshot.before.view(None).ended_tricks, snapshot.match.view(None).ended_tricks
    if len(after) <= len(before):
        return None
    return w("The trick: {plays}", plays=phrases.in_order(phrases.plays_and_pickups(after[-1]), w))


def _answer(before: Match, seat: Seat, codes: tuple[str, ...], w: Words) -> MessageText | None:
    """Return an answer in the words of its question; None for an answer that requests nothing."""
    ask = before.view(seat).ask
    if not isinstance(ask, ChooseAsk) or ask.stays_secret:
        return None
    if before.game.secrecy.together and codes == (ask.answers[0].code,):
        return None
    if answer := [offered for offered in ask.offered if offered.codes == codes]:
        return w("{seat} answers: {answer}.", seat=seat, answer=questions.said(answer[0], w))
    said = questions.answer_sentences(ask.orders, codes, w)
    return w("{seat} says beforehand: {orders}.", seat=seat, orders=said or w("nothing any more"))


def _held(frame: ReplayStep, seat: int, w: Words) -> str:
    """Return a seat's cards with its points so far; from another seat's perspective only the number of cards."""
    match = frame.snapshot.match
    held = match.view(seat).hand
    who = phrases.marked(seat, w, called=seat in match.game.awaited)
    said = join(
        (who, w.n("{n} card", "{n} cards", len(held)), phrases.gained(match.score.stands[seat], match.rules, w))
    )
    return str(lines(said, w.faces.show(held) if frame.seat in (None, seat) else None))


def _steps(filmed: ReplayScene, frame: ReplayStep) -> Row | None:
    """Return the four step buttons, whose names keep their custom ids distinct."""
    at, end = frame.snapshot.step, filmed.playback.end
    targets = (("first", "⏮", 0), ("back", "◀", at - 1), ("on", "▶", at + 1), ("last", "⏭", end))
    return row(
        *(
            button(
                sign,
                Browse.to(REPLAY, filmed.table, to, name, frame.mine),
                ButtonStyle.primary if name == "on" else ButtonStyle.secondary,
                disabled=to == at or not 0 <= to <= end,
            )
            for name, sign, to in targets
        )
    )


def _jumps(filmed: ReplayScene, frame: ReplayStep, w: Words) -> Iterator[Block]:
    """Yield the menus: a moment of this hand, another hand, and the perspective."""
    table, snapshot = filmed.table, frame.snapshot
    yield select(
        Browse.to(DEAL, table, frame.mine, "jump"), w("Jump to"), jumps(frame.hand, snapshot.step, w.for_labels())
    )
    if len(filmed.playback.openings) > 1:
        yield select(Browse.to(DEAL, table, frame.mine), w("Go to a hand"), _deals(filmed.playback, snapshot, w))
    seats = order_of_turns(snapshot.match.rules, snapshot.match.number)
    options = [option(w("All hands open"), EVERY, default=frame.seat is None)]
    options += [
        option(w.for_labels()(SEEN_BY, seat=Seat(seat)), str(seat), default=seat == frame.seat) for seat in seats
    ]
    yield select(Browse.to(WHOSE, table, snapshot.step), w("From whose seat"), options)


def _deals(playback: Playback, snapshot: Snapshot, w: Words) -> list[SelectOption]:
    """Return the options of the hands; if too many for a select, those around the current hand."""
    here, deals = snapshot.match.deal - 1, playback.openings
    start = min(max(0, here - MAX_OPTIONS // 2), max(0, len(deals) - MAX_OPTIONS))
    return [
        option(w("Hand {hand}", hand=deals[deal].number), str(deals[deal].step), default=deal == here)
        for deal in range(start, min(start + MAX_OPTIONS, len(deals)))
    ]


BOMB = "💥"


def jumps(hand: Iterable[Snapshot], here: int, w: Words) -> list[SelectOption]:
    """Return the options of a hand; if too many for a menu, the options around the current step."""
    found = [list(there) for _, there in groupby(marks(hand), key=lambda mark: mark.step)]
    before = sum(there[0].step <= here for there in found)
    start = min(max(0, before - MAX_OPTIONS // 2), max(0, len(found) - MAX_OPTIONS))
    return [_option(there, here, w) for there in found[start : start + MAX_OPTIONS]]


def _option(there: list[Mark], here: int, w: Words) -> SelectOption:
    """Return the option of a step, labelled with its first mark and described by the remaining marks."""
    combo = next((mark.combo for mark in there if mark.combo), None)
    told = join((*(_said(mark, w) for mark in there[1:]), capital(w.name(combo)) if combo else MessageText()))
    return option(_said(there[0], w), str(there[0].step), told, default=there[0].step == here)


def _said(mark: Mark, w: Words) -> MessageText:
    seat = Seat(mark.seat)
    match mark.kind:
        case "trick":
            return w("Trick {n}: {seat} leads", n=mark.number, seat=seat)
        case "bomb":
            return join((MessageText(BOMB), w("{seat} dropped a bomb", seat=seat)), " ")
    if mark.number == LAST_CARDS:
        return w("The last five cards of {seat}", seat=seat)
    return w("{seat} is down to {n}", seat=seat, n=mark.number)
