"""The replay of a match, one action at a time, and its menu of seats, hands and moments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

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
from bot.show.kit.card_symbols import TEXT
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import (
    DOTS,
    MAX_OPTIONS,
    Accent,
    PrivateScreen,
    Row,
    button,
    fitted,
    lines,
    option,
    pictured,
    row,
    screen,
    select,
    small,
)
from bot.show.kit.words import MessageText, Words, capital, join, literal
from bot.show.pictures.canvas import Picture
from bot.show.table import questions
from bot.show.table.board import top_play
from bot.show.table.sides import banner, own_banner

# The verbs: show this step; go to the chosen seat, hand or moment; show the menu of this step.
REPLAY, GO, REPLAY_MENU = "replay", "replay_go", "replay_menu"
DEAL, WHOSE, EVERY = "deal", "whose", "all"  # earlier selects: a step, a seat; with all hands open
MOMENT = "moment"  # open a step from a posted moment, or from a review
LOOK_BACK = "look_back"  # show the moments of the match worth another look
LOOK_CLOSELY = "look_at_hand"  # show the best house player's choices in this hand
MORE, CLOSELY = "look_on", "look_closely"  # in place: a page of the review of the match; the review of a hand
ONWARD = MessageText("▶" + TEXT)
REVIEW = "💡"
SEEN_BY = N_("Seen by {seat}")
VIEW, HAND, STEP = "v", "h", "m"  # kinds of values in the menu: the view of a seat, the step of a hand or moment
T = TypeVar("T")
PLAYS, PLAYS_BOMB = N_("{seat} plays {combo}"), N_("{seat} plays a bomb, {combo}")
PLAIN = {
    Pass: N_("{seat} passes."),
    Ready: N_("{seat} is ready for the next hand."),
    Stop: N_("{seat} ends the match."),
    Again: N_("Everyone agreed to redeal this hand."),
}


@dataclass(frozen=True, slots=True)
class Annulment:
    """Whether a match is annulled.

    reason: of the moderator. may: whether the viewer may change it.
    """

    annulled: bool
    reason: str
    may: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayScene:
    """A match to replay.

    is_running: the match is still running, and only its ended hands are included.
    """

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
    at this step, None for text alone. review: the page of a review that led here, as in custom ids; "" for none.
    """

    snapshot: Snapshot
    hand: tuple[Snapshot, ...]
    _: KW_ONLY
    seat: int | None = None
    picture: Picture | None = None
    review: str = ""

    @property
    def mine(self) -> str:
        """The seat of the perspective, as in custom ids."""
        return EVERY if self.seat is None else str(self.seat)

    def to(self, verb: str, table: TableId) -> Browse:
        """Return the custom id of a request about this step in this perspective."""
        return Browse.to(verb, table, self.snapshot.step, self.mine, self.review)

    @property
    def trick(self) -> int:
        """The number of the current trick in its hand, from 1; 0 before the first one."""
        return sum(begins_trick(snapshot) for snapshot in self.hand if snapshot.step <= self.snapshot.step)


def replay(replayed: ReplayScene, frame: ReplayStep, w: Words) -> PrivateScreen:
    """Return a step of the match, in the viewer's perspective."""
    rules = frame.snapshot.match.rules
    return PrivateScreen(fitted(lambda words: _draw(replayed, frame, words.for_players(replayed.chairs, rules)), w))


def match_name(game: str, number: int, w: Words) -> MessageText:
    """Return the name of a match: the game, and "table 3"."""
    return w("{game}, table {number}", game=w(GAMES[game].title), number=number)


def look_back(table: TableId, w: Words, *, own: bool = False) -> ui.Button[Any]:
    """Return the button for an ended match's remarkable moments, in a new message.

    own: whether the button stands below the viewer's own hand.
    """
    if own:
        return button(w("Review my play"), Browse.to(LOOK_BACK, table), emoji=REVIEW)
    return button(w("Review match"), Browse.to(LOOK_BACK, table))


def look_closely(table: TableId, hand: int, w: Words) -> ui.Button[Any]:
    """Return the button for the best house player's choices in an ended hand.

    The review opens in a new message.
    """
    return button(w("Review this hand"), Browse.to(LOOK_CLOSELY, table, hand))


def page_of_review(table: TableId, page: str) -> Browse:
    """Return the custom id that shows a page of a review in place.

    page: as of `match_page` and `hand_page`.
    """
    return Browse.to(CLOSELY if page.startswith(HAND) else MORE, table, page[1:])


def match_page(page: int) -> str:
    """Return a page of the review of a match, as in custom ids."""
    return f"p{page}"


def hand_page(hand: int) -> str:
    """Return the review of a hand, as in custom ids."""
    return f"{HAND}{hand}"


def _draw(replayed: ReplayScene, frame: ReplayStep, w: Words) -> ui.LayoutView:
    match, picture = frame.snapshot.match, frame.picture
    view, order = match.view(None), order_of_turns(match.rules, match.number)
    heading = replace(w, named=True) if picture else w  # the cards lie in the picture
    seats = order if picture is None or frame.seat is None else (frame.seat,)  # the picture has the others' counts
    return screen(
        Accent.OVER,
        lines(
            f"### {happened(frame.snapshot, heading, is_running=replayed.is_running)}", small(place(replayed, frame, w))
        ),
        pictured(picture.name, picture.alt_text) if picture else top_play(view, w),
        _steps(replayed, frame, w),
        _onward(replayed, frame, w),
        lines(ended_trick(frame.snapshot, w), *(phrases.note(note, w) for note in _notes(match))),
        lines(_sides(frame, w), small(phrases.facts(view, order, w))),
        "\n".join(_held(frame, seat, w) for seat in seats),
        select(frame.to(GO, replayed.table), w("Seats, hands, moments"), _destinations(replayed, frame, w)),
        _annulled(replayed.judged, w),
    )


def _annulled(judged: Annulment | None, w: Words) -> str | None:
    return small(w("Annulled: {reason}", reason=spoken_of(judged.reason))) if judged and judged.annulled else None


def _notes(match: Match) -> tuple[Note, ...]:
    return match.game.result.notes if match.game.result else ()


def _sides(frame: ReplayStep, w: Words) -> MessageText:
    """Return the known sides, as public knowledge or as this seat knows them."""
    match = frame.snapshot.match
    return banner(match.view(None), w) if frame.seat is None else own_banner(match.view(frame.seat), w)


def spoken_of(reason: str) -> MessageText:
    """Return a typed reason, with any markup escaped."""
    return literal(" ".join(reason.split()))


def place(replayed: ReplayScene, frame: ReplayStep, w: Words) -> MessageText:
    """Return the place in the match, with the length of the match once known."""
    playback, snapshot, trick = replayed.playback, frame.snapshot, frame.trick
    step = (
        w("move {step} of {steps}", step=snapshot.step, steps=playback.last)
        if playback.whole
        else w("move {n}", n=snapshot.step)
    )
    hand = w("Hand {hand}", hand=snapshot.match.number)
    return join((hand, w("trick {n}", n=trick) if trick else MessageText(), step))


def happened(snapshot: Snapshot, w: Words, *, is_running: bool = False) -> MessageText:
    """Return the latest events; of many answers only those that request something.

    is_running: the match is still running: leave out secret answers, whose public effect is told.
    """
    return join(_happened(snapshot, w, is_running=is_running)) or w("On it goes.")


def _happened(snapshot: Snapshot, w: Words, *, is_running: bool) -> Iterator[MessageText]:
    if snapshot.before is None or (snapshot.match.number != snapshot.before.number and snapshot.before.game.result):
        yield w("The cards are dealt.")
        return
    laid = played(snapshot)
    if laid is not None:
        below = snapshot.before.view(None).trick.top
        bomb = phrases.is_bomb(laid[1], below, snapshot.match.rules)
        yield w(PLAYS_BOMB if bomb else PLAYS, seat=Seat(laid[0]), combo=laid[1])
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
    return w("{seat} queues: {orders}.", seat=seat, orders=said or w("nothing"))


def _held(frame: ReplayStep, seat: int, w: Words) -> str:
    """Return a seat's cards with its points so far.

    From another seat's perspective, only the number of cards is shown.
    """
    match = frame.snapshot.match
    held = match.view(seat).hand
    who = phrases.marked(seat, w, called=seat in match.game.awaited)
    text = join(
        (who, w.n("{n} card", "{n} cards", len(held)), phrases.gained(match.score.stands[seat], match.rules, w))
    )
    return str(lines(text, w.faces.show(held) if frame.seat in (None, seat) else None))


def _steps(replayed: ReplayScene, frame: ReplayStep, w: Words) -> Row | None:
    """Return the buttons to the beginning, to the move before and after, and to the end.

    They fit in one row on a phone of 360 pixels, with signs as text.
    """
    at, end = frame.snapshot.step, replayed.playback.end
    onward = w("Move {arrow}", arrow=ONWARD)
    targets = (
        ("first", "⏮" + TEXT, 0),
        ("back", "◀" + TEXT, at - 1),
        ("on", onward, at + 1),
        ("last", "⏭" + TEXT, end),
    )
    return row(*(_step(replayed, frame, name, sign, to=to if 0 <= to <= end else at) for name, sign, to in targets))


def _onward(replayed: ReplayScene, frame: ReplayStep, w: Words) -> Row | None:
    """Return the buttons to the next trick, hand, menu, and the review that led here."""
    table, playback = replayed.table, replayed.playback
    return row(
        _step(replayed, frame, "trick", w("Trick {arrow}", arrow=ONWARD), to=_next_trick(playback, frame)),
        _step(replayed, frame, "hand", w("Hand {arrow}", arrow=ONWARD), to=_next_hand(playback, frame)),
        button(DOTS, frame.to(REPLAY_MENU, table)),
        button(w("To the review"), page_of_review(table, frame.review)) if frame.review else None,
    )


def _step(replayed: ReplayScene, frame: ReplayStep, name: str, label: str, *, to: int) -> ui.Button[Any]:
    """Return a button to a step, disabled for the present one.

    name: keeps custom ids of one step distinct.
    """
    style = ButtonStyle.primary if name == "on" else ButtonStyle.secondary
    target = Browse.to(REPLAY, replayed.table, to, name, frame.mine, frame.review)
    return button(label, target, style, disabled=to == frame.snapshot.step)


def _next_trick(playback: Playback, frame: ReplayStep) -> int:
    """Return the step of the next lead.

    After the last lead, it is the step of the end of the hand, then of the next hand.
    """
    at = frame.snapshot.step
    leads = [snapshot.step for snapshot in frame.hand if begins_trick(snapshot)]
    ended = [snapshot.step for snapshot in frame.hand if snapshot.match.game.result]
    return next((step for step in (*leads, *ended[:1]) if step > at), _next_hand(playback, frame))


def _next_hand(playback: Playback, frame: ReplayStep) -> int:
    """Return the step of the first cards of the next hand; in the last hand the present step."""
    at = frame.snapshot.step
    return next((opening.step for opening in playback.openings if opening.step > at), at)


def _destinations(replayed: ReplayScene, frame: ReplayStep, w: Words) -> list[SelectOption]:
    """Return the options: every view, then as many hands and moments near the step as fit."""
    match, bare = frame.snapshot.match, w.for_labels()
    views = [option(w("All hands open"), f"{VIEW}{EVERY}")]
    views += [
        option(bare(SEEN_BY, seat=Seat(seat)), f"{VIEW}{seat}") for seat in order_of_turns(match.rules, match.number)
    ]
    hands, found = _hands(replayed.playback, w), moments(frame.hand, bare)
    room = MAX_OPTIONS - len(views)
    shown = max(room - len(found), min(len(hands), room // 2))
    before = sum(int(moment.value[1:]) <= frame.snapshot.step for moment in found)
    return [*views, *_around(hands, match.deal - 1, shown), *_around(found, before, room - min(shown, len(hands)))]


def _around(items: Sequence[T], at: int, most: int) -> Sequence[T]:
    """Return at most this many items around an index."""
    start = min(max(0, at - most // 2), max(0, len(items) - most))
    return items[start : start + most]


def _hands(playback: Playback, w: Words) -> list[SelectOption]:
    """Return the options of the hands of a match of several."""
    deals = playback.openings
    options = [option(w("Hand {hand}", hand=opening.number), f"{HAND}{opening.step}") for opening in deals]
    return options if len(options) > 1 else []


BOMB = "💥"


def moments(hand: Iterable[Snapshot], w: Words) -> list[SelectOption]:
    """Return the options of the moments of a hand."""
    return [_option(list(there), w) for _, there in groupby(marks(hand), key=lambda mark: mark.step)]


def _option(there: list[Mark], w: Words) -> SelectOption:
    """Return the option of a step, labelled with its first mark and the remaining marks."""
    combo = next((mark.combo for mark in there if mark.combo), None)
    text = join((*(_said(mark, w) for mark in there[1:]), capital(w.name(combo)) if combo else MessageText()))
    return option(_said(there[0], w), f"{STEP}{there[0].step}", text)


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
