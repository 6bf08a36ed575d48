"""Stepping through a finished match: all hands open, one action at a time.

A finished match is public. Replays a Record; refuses to show one that is not over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from discord import SelectOption, ui

from bot.rules.actions import Action, Choose, Give, Name, Pass, Play, Ready, Stop
from bot.rules.asks import ORDER, ChooseAsk
from bot.rules.game import View
from bot.rules.match import Match
from bot.rules.record import Record
from bot.rules.registry import GAMES
from bot.rules.sentences import Seat
from bot.show import asking, phrases
from bot.show.board import lying
from bot.show.ids import Browse
from bot.show.layout import (
    OPTIONS,
    Accent,
    PrivateScreen,
    Row,
    button,
    fitted_private,
    line,
    lines,
    option,
    row,
    screen,
    select,
    small,
)
from bot.show.words import N_, Said, Words, join
from bot.store.rows import Chair

REPLAY, DEAL = "replay", "deal"  # the verbs: show this step; show the step that was chosen
PLAIN = {
    Pass: N_("{seat} passes."),
    Ready: N_("{seat} is ready for the next hand."),
    Stop: N_("{seat} ends the match."),
}


class Done(NamedTuple):
    """What a seat did, and the match before that."""

    before: Match
    seat: Seat
    action: Action


@dataclass(frozen=True)
class Film:
    """A finished match made ready for stepping. positions[k]: the match after so many changes that everybody could see.

    done[k]: what led there; several answers where they were given in secret.
    """

    table: int
    number: int
    record: Record
    chairs: tuple[Chair, ...]
    positions: tuple[Match, ...]
    done: tuple[tuple[Done, ...], ...]

    @classmethod
    def of(cls, table: int, number: int, record: Record, chairs: Sequence[Chair], *, ended: bool = False) -> Film:
        """Return the film of a record. Raises ValueError for a match that is not over: it is nobody's to see.

        ended: the table has ended it, be it in the middle of a hand, which is nobody's to see all the same.
        """
        every = tuple(record.positions())
        if not (ended or every[-1].over):
            raise ValueError("this match is not over")
        if not every[-1].over:
            every = every[: 1 + max((at for at, match in enumerate(every) if match.game.result), default=0)]
        happened = [Done(before, Seat(seat), action)
                    for before, (seat, action) in zip(every[:-1], record.steps, strict=False)]  # fmt: skip
        together = groupby(zip(happened, every[1:], strict=True), lambda each: each[0].before.moment)
        groups = [tuple(group) for _, group in together]
        positions = (every[0], *(group[-1][1] for group in groups))
        done = ((), *(tuple(each for each, _ in group) for group in groups))
        return cls(table, number, record, tuple(chairs), positions, done)

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.positions) - 1

    def others(self, at: int) -> list[int]:
        """Return the steps there are besides this one."""
        return [step for step in range(len(self.positions)) if step != at]

    @property
    def deals(self) -> tuple[int, ...]:
        """The step at which each hand begins."""
        hands = [match.number for match in self.positions]
        return tuple(hands.index(hand) for hand in dict.fromkeys(hands))


def replay(film: Film, step: int, w: Words) -> PrivateScreen:
    """Return the match after so many actions (the nearest there is), with all hands open."""
    at = min(max(step, 0), film.last)
    return fitted_private(lambda words: _draw(film, at, words.among(film.chairs, film.positions[at].rules)), w)


def _draw(film: Film, at: int, w: Words) -> ui.LayoutView:
    match = film.positions[at]
    title = w("{game}, table {number}", game=w(GAMES[film.record.game].title), number=film.number)
    where = w("Hand {hand} · step {step} of {steps}", hand=match.number, step=at, steps=film.last)
    return screen(
        Accent.OVER,
        lines(f"## {title}", small(where)),
        lines(*_actions(film, at, w)),
        lying(match.view(None), w),
        lines(*(phrases.note(each, w) for each in match.game.result.notes)) if match.game.result else None,
        small(phrases.facts(match.view(None), w)),
        line(),
        "\n".join(_held(match, seat, w) for seat in range(match.rules.players)),
        line(),
        _steps(film, at),
        select(Browse.to(DEAL, film.table), w("Go to a hand"), _deals(film, at, w)),
    )


def _actions(film: Film, at: int, w: Words) -> Iterator[Said | None]:
    """What happened last; of many answers those that want something."""
    if not at:
        yield w("The cards are dealt.")
    for before, seat, action in film.done[at]:
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
    if at:
        yield _ended(film.positions[at - 1].view(None), film.positions[at].view(None), w)


def _ended(before: View, after: View, w: Words) -> Said | None:
    """The trick that has just ended, which does not lie there any more."""
    if len(after.tricks) <= len(before.tricks):
        return None
    return w("The trick: {plays}", plays=join(phrases.plays(after.tricks[-1], w), " → "))


def _answer(before: Match, seat: Seat, codes: tuple[str, ...], w: Words) -> Said | None:
    """What somebody answered, in the words they were asked in; nothing where they wanted nothing."""
    ask = before.view(seat).ask
    if not isinstance(ask, ChooseAsk) or ask.untold:
        return None
    if before.game.secrecy.together and codes == (ask.answers[0].code,):
        return None
    if codes[0] != ORDER:
        return w("{seat} answers: {answer}.", seat=seat, answer=asking.told(ask.answers, codes, w))
    said = asking.told(ask.orders, codes, w)
    return w("{seat} says beforehand: {orders}.", seat=seat, orders=said or w("nothing any more"))


def _held(match: Match, seat: int, w: Words) -> str:
    """One seat's cards on a line of their own, with its points so far."""
    held = match.view(seat).hand
    who = w("👉 **{seat}**" if seat in match.game.awaited else "**{seat}**", seat=Seat(seat))
    said = join((who, phrases.held(len(held), w), phrases.points(match.totals[seat], w)))
    return str(lines(said, w.faces.show(held)))


def _steps(film: Film, at: int) -> Row | None:
    """The four buttons; the last argument keeps their addresses apart."""
    targets = (("first", "⏮", 0), ("back", "◀", at - 1), ("on", "▶", at + 1), ("last", "⏭", film.last))
    return row(
        *(
            button(sign, Browse.to(REPLAY, film.table, to, name), disabled=to not in film.others(at))
            for name, sign, to in targets
        )
    )


def _deals(film: Film, at: int, w: Words) -> list[SelectOption]:
    """The hands to jump to: those around the current one where there are more than a select takes."""
    here = film.positions[at].number - 1
    start = min(max(0, here - OPTIONS // 2), max(0, len(film.deals) - OPTIONS))
    return [
        option(w("Hand {hand}", hand=hand + 1), str(film.deals[hand]), default=hand == here)
        for hand in range(start, min(start + OPTIONS, len(film.deals)))
    ]
