"""The puzzles of a week: the viewer's progress, a puzzle to solve, and its solution.

Before the answer a puzzle is drawn from a Riddle, which does not contain the solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.domain.contests import PuzzleWeek
from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.core.asks import Action, Play
from bot.rules.core.game import View
from bot.rules.core.sentences import Seat
from bot.rules.core.turns import order_of_turns
from bot.scene import PuzzleScene, Solution
from bot.show.kit import phrases
from bot.show.kit.card_symbols import symbols
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import (
    BUTTONS_PER_ROW,
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    fitted,
    line,
    lines,
    option,
    private,
    row,
    screen,
    select,
    small,
)
from bot.show.kit.words import MessageText, Words, join, sentences
from bot.show.table.board import before_play, top_play
from bot.show.table.notices import moves_since_own
from bot.show.table.opponents import cards_left
from bot.show.table.sides import own_banner

# The verbs: show the progress in a given or chosen game; show a puzzle; answer it; show a chosen puzzle again.
PUZZLES, PUZZLE, SOLVE, AGAIN = "puzzles", "puzzle", "solve", "puzzle_again"
RIGHT, WRONG, OPEN = "✅", "❌", "⬜"
NEAR: Final = 4  # the number of cards at which an opponent's count is mentioned
WIDTH: Final = 30  # characters on the buttons of a row
ABOUT = N_("Six moments from hands nobody has played, the same for everyone. What would you do?")
COUNTS = N_("Your first answer counts. After each one, I'll tell you what's best, and why.")


def puzzles(progress: PuzzleWeek, w: Words) -> PrivateScreen:
    """Return a person's progress with the puzzles of a week in a game."""
    marks = "".join(OPEN if answer is None else RIGHT if answer.solved else WRONG for answer in progress.answers)
    games = [option(w.for_labels()(known.title), name, default=name == progress.game) for name, known in GAMES.items()]
    return private(
        Accent.BOOK if progress.next is None else Accent.YOURS,
        lines(f"## {w('🧩 Puzzles of the week')}", join((w(GAMES[progress.game].title), MessageText(marks)))),
        _so_far(progress, w),
        small(w("New ones {time}.", time=progress.ends)),
        line(),
        _onward(progress, w),
        _again(progress, w),
        select(Browse.to(PUZZLES), w("Another game"), games),
    )


def _so_far(progress: PuzzleWeek, w: Words) -> str | None:
    streak = progress.streak
    row_of = w("Correct in a row: {n}, best {best}.", n=streak.now, best=streak.best) if streak.best else MessageText()
    weeks = (
        w.n("{n} whole week in a row.", "{n} whole weeks in a row.", streak.weeks) if streak.weeks else MessageText()
    )
    if not any(progress.answers):
        return lines(w(ABOUT), small(w(COUNTS)), small(sentences((row_of, weeks))) if streak.best else None)
    done = progress.next is None
    text = w("All done: {n} of {count} right.", n=progress.solved, count=len(progress.answers)) if done else None
    return lines(text, sentences((row_of, weeks)) or None)


def _onward(progress: PuzzleWeek, w: Words) -> Row | None:
    if progress.next is None:
        return None
    label = w("Continue") if any(progress.answers) else w("Start solving")
    return row(button(label, _to(PUZZLE, progress, progress.next), ButtonStyle.success))


def _again(progress: PuzzleWeek, w: Words) -> Row | None:
    """Return the menu of answered puzzles to look at again."""
    given = [(at, answer) for at, answer in enumerate(progress.answers) if answer]
    options = [
        option(f"{RIGHT if answer.solved else WRONG} {w('Puzzle {n}', n=at + 1)}", str(at)) for at, answer in given
    ]
    return select(Browse.to(AGAIN, progress.game, progress.week), w("Look at one again"), options)


# A puzzle


def unsolved_puzzle(progress: PuzzleWeek, number: int, asked: PuzzleScene, w: Words) -> PrivateScreen:
    """Return a puzzle to solve."""

    def draw(words: Words) -> ui.LayoutView:
        w = words.for_players(asked.chairs, asked.view.rules)
        buttons = [
            button(_label(choice, w), _to(SOLVE, progress, number, at)) for at, choice in enumerate(asked.choices)
        ]
        asking = f"**{_question(asked.view, w)}**"
        return screen(Accent.YOURS, *_position(progress, number, asked.view, w), asking, *_rows(buttons))

    return PrivateScreen(fitted(draw, w))


def solved(progress: PuzzleWeek, number: int, asked: PuzzleScene, found: Solution, *, w: Words) -> PrivateScreen:
    """Return a puzzle with its solution."""

    def draw(words: Words) -> ui.LayoutView:
        w = words.for_players(asked.chairs, asked.view.rules)
        text = lines(*_solution_text(asked, found, w))
        return screen(
            Accent.YOURS,
            *_position(progress, number, asked.view, w),
            line(),
            text,
            *_rows([_shown(asked, found, at, w) for at in range(len(asked.choices))]),
            _then(progress, w),
        )

    return PrivateScreen(fitted(draw, w))


def _position(progress: PuzzleWeek, number: int, view: View, w: Words) -> Iterator[Block]:
    """Yield the position: the trick so far, earlier events, opponents' card counts, the hand."""
    head = w(
        "🧩 {game} · {n} of {count}", game=w(GAMES[progress.game].title), n=number + 1, count=len(progress.answers)
    )
    own = w.to_seat(view.seat)
    known = before_play(view, order_of_turns(view.rules, 1), own)
    lies = top_play(view, own) if view.trick.top else w("You lead: play anything.")
    yield lines(small(head), own_banner(view, w) or None, small(known) if known else None, lies)
    yield lines(small(moves_since_own(view, w)), small(cards_left(view, order_of_turns(view.rules, 1), w)))
    mine = w.n("Your {n} card", "Your {n} cards", len(view.hand))
    yield lines(small(mine), f"## {w.faces.show(view.hand)}")


def _question(view: View, w: Words) -> MessageText:
    near = [
        seat for seat, count in enumerate(view.counts) if 0 < count <= NEAR and seat not in {view.seat, *view.allies}
    ]
    if near and view.rules.counted:
        seat = min(near, key=view.counts.__getitem__)
        count = view.counts[seat]
        return w.n(
            "{seat} has {n} card. What do you do?", "{seat} has {n} cards. What do you do?", count, seat=Seat(seat)
        )
    return w("What do you play?") if view.trick.top is None else w("What do you do?")


def _label(choice: Action, w: Words) -> str:
    return symbols(choice.cards) if isinstance(choice, Play) else w("Pass")


def _rows(buttons: Sequence[ui.Button[Any]]) -> Iterator[Row | None]:
    """Yield rows of as many buttons as fit side by side on a phone."""
    there = list[ui.Button[Any]]()
    for each in buttons:
        if len(there) == BUTTONS_PER_ROW or sum(len(other.label or "") + 3 for other in (*there, each)) > WIDTH:
            yield row(*there)
            there = []
        there.append(each)
    yield row(*there)


def _shown(asked: PuzzleScene, found: Solution, at: int, w: Words) -> ui.Button[Any]:
    """Return a disabled choice: the best one green, a wrong answer red."""
    style = {found.chosen: ButtonStyle.danger} | {found.best: ButtonStyle.success}
    return ui.Button(
        label=_label(asked.choices[at], w),
        custom_id=str(Browse.to(SOLVE, at)),
        style=style.get(at, ButtonStyle.secondary),
        disabled=True,
    )


def _solution_text(asked: PuzzleScene, found: Solution, w: Words) -> Iterator[str | None]:
    best, right = asked.choices[found.best], found.chosen == found.best
    why = phrases.note(found.why, w) if found.why else MessageText()
    yield f"### {w('Yes!') if right else w('Not quite')}"
    yield sentences((_named(best, asked.view, w), why))
    if right:
        yield small(w("It gains about {n} points over the next-best play.", n=found.margin))
    else:
        yield small(w("Your choice loses about {n} points on average.", n=found.behind))


def _named(best: Action, view: View, w: Words) -> MessageText:
    return w("Best: {combo}.", combo=view.plays.verify(best.cards)) if isinstance(best, Play) else w("Best: pass.")


def _then(progress: PuzzleWeek, w: Words) -> Row | None:
    over = button(w("All six"), Browse.to(PUZZLES, progress.game))
    if progress.next is None:
        return row(over)
    return row(button(w("Next one"), _to(PUZZLE, progress, progress.next), ButtonStyle.primary), over)


def _to(verb: str, progress: PuzzleWeek, *which: int) -> Browse:
    return Browse.to(verb, progress.game, progress.week, *which)
