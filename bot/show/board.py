"""The public board: one message that always shows the table as everybody may see it.

Draws only what is public in any View: piles, counts, results. Never reads ``view.hand``.
"""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.rules.game import Seat, View
from bot.rules.trick import Trick
from bot.show import phrases
from bot.show.ids import Press, Verb
from bot.show.layout import Accent, Row, button, fitted, line, lines, row, screen, small
from bot.show.lobby import lobby
from bot.show.reckoning import between, over
from bot.show.words import N_, Said, Words, join
from bot.table.scene import Scene

LAST_CARDS = 1  # a count that everybody should notice (big enough to act on)
LABELS = {
    Verb.HAND: N_("My hand"),
    Verb.PASS: N_("Pass"),
    Verb.CHOOSE: N_("Nothing from me"),
    Verb.LAST: N_("Last trick"),
    Verb.RULES: N_("Rules"),
    Verb.LEAVE: N_("Leave"),
    Verb.READY: N_("Ready"),
    Verb.STOP: N_("End the match"),
    Verb.REMATCH: N_("Rematch"),
}
STYLES = {
    Verb.HAND: ButtonStyle.primary,
    Verb.READY: ButtonStyle.success,
    Verb.REMATCH: ButtonStyle.success,
}
BELOW = {
    "playing": (Verb.HAND, Verb.PASS, Verb.LAST, Verb.RULES, Verb.LEAVE),
    "asking": (Verb.HAND, Verb.CHOOSE, Verb.RULES, Verb.LEAVE),
    "between": (Verb.READY, Verb.HAND, Verb.RULES, Verb.LEAVE, Verb.STOP),
    "over": (Verb.REMATCH, Verb.RULES),
}


def board(scene: Scene, w: Words) -> ui.LayoutView:
    """Return the public screen of a table at any stage."""
    return fitted(lambda words: _draw(scene, words.at(scene)), w)


def _draw(scene: Scene, w: Words) -> ui.LayoutView:
    title = f"## {phrases.table(scene, w)}"
    match scene.stage, scene.view:
        case "lobby", _:
            return lobby(scene, w)
        case "playing", View() as view:
            return screen(Accent.PLAYING, title, *_playing(scene, view, w), _buttons(scene, w))
        case "between", View() as view:
            return screen(Accent.BETWEEN, title, *between(scene, view, w), _buttons(scene, w))
        case "over", View() as view:
            return screen(Accent.OVER, title, *over(scene, view, w), _buttons(scene, w))
    return screen(Accent.CLOSED, title, w("This table is closed. A new one opens with /play."))


def _playing(scene: Scene, view: View, w: Words) -> tuple[str | ui.Separator[Any] | None, ...]:
    return (
        small(phrases.hand_number(scene, w)),
        line(),
        lying(view, w),
        small(_before(view.trick, w)) if view.trick.top else None,
        line(),
        _counts(scene, view, w),
        line(),
        lines(phrases.awaited(scene, w), small(_facts(scene, view, w))),
    )


def lying(view: View, w: Words) -> str:
    """Return what lies on the pile, or what goes on while no trick is played."""
    return f"### {phrases.note(view.doing, w)}" if view.doing else _pile(view.trick, w)


def _pile(trick: Trick, w: Words) -> str:
    """What lies on the pile, the cards on a line of their own, and who played it."""
    plays = [move for move in trick.moves if move.combo]
    if not plays or trick.top is None:
        return w("The pile is empty: a new trick begins.")
    top = plays[-1]
    seat, combo = Seat(top.seat), w.name(trick.top)
    if top.taken:
        who = w("**{seat}** takes {cards} with {combo}:", seat=seat, cards=top.taken, combo=combo)
    else:
        who = w("**{seat}** played {combo}:", seat=seat, combo=combo)
    return f"{who}\n## {w.faces.show(trick.top.cards)}"


def _before(trick: Trick, w: Words) -> Said:
    """What came before the top of the pile in this trick, latest last, and who has passed since."""
    earlier = [phrases.played(move, w) for move in trick.moves if move.combo][:-1]
    passed = [Seat(move.seat) for move in trick.moves[len(trick.moves) - trick.passes :]]
    return join(
        (
            w("Before that: {plays}", plays=join(earlier[-4:], " → ")) if earlier else Said(),
            w("Passed: {seats}", seats=passed) if passed else Said(),
        ),
        "\n",
    )


def _counts(scene: Scene, view: View, w: Words) -> str:
    """A line for each seat in the order of play: whose turn, cards held, points so far."""
    return "\n".join(_count(scene, view, seat, w) for seat in range(len(view.counts)))


def _count(scene: Scene, view: View, seat: int, w: Words) -> Said:
    called = seat in scene.awaited and not phrases.together(scene)
    who = w("👉 **{seat}**" if called else "**{seat}**", seat=Seat(seat))
    return join((who, _held(view, view.counts[seat], w), phrases.points(scene.totals[seat], w)))


def _held(view: View, count: int, w: Words) -> Said:
    """How many cards a seat holds, as far as that is shown; to be out is seen by everybody."""
    if not view.rules.counted:
        return Said() if count or view.doing else w("out")
    held = phrases.held(count, w)
    return w("**{cards}!**", cards=held) if count == LAST_CARDS and not view.doing else held


def _facts(scene: Scene, view: View, w: Words) -> Said:
    """The small print: what else is public, and the seal of the deal."""
    seal = w("Sealed deal: {seal}", seal=Said(f"`{scene.sealed[: phrases.SEAL]}`")) if scene.sealed else Said()
    return join((phrases.facts(view, w), seal), "\n")


def _buttons(scene: Scene, w: Words) -> Row | None:
    endless = scene.view is not None and scene.view.endless
    below = BELOW["asking" if phrases.together(scene) else scene.stage]
    return row(*(_button(scene, verb, w) for verb in below if verb is not Verb.STOP or endless))


def _button(scene: Scene, verb: Verb, w: Words) -> ui.Button[Any]:
    pointless = (verb is Verb.LAST and scene.view is not None and not scene.view.tricks) or (
        verb is Verb.PASS and scene.view is not None and scene.view.trick.top is None
    )
    style = STYLES.get(verb, ButtonStyle.secondary)
    return button(w(LABELS[verb]), Press(scene.table, scene.ply, verb), style, disabled=pointless)
