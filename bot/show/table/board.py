"""The public board: one message that shows the public state of the table.

Drawn from a PublicScene, which contains no hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.message_ids import N_
from bot.domain.operator_notice import NO_NOTICE
from bot.domain.reactions import offered_reactions
from bot.rules.core.asks import GiveAsk
from bot.rules.core.game import Public, View
from bot.rules.core.sentences import Seat
from bot.scene import PublicScene, Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import (
    BUTTONS_PER_ROW,
    DOTS,
    WATCH,
    Accent,
    Block,
    Row,
    button,
    columns,
    fitted,
    line,
    lines,
    pictured,
    row,
    screen,
    small,
)
from bot.show.kit.row_width import rows_with_two_at_the_end
from bot.show.kit.words import MessageText, Words, join
from bot.show.pictures.canvas import Picture
from bot.show.rulebook.deal_check import CHECK
from bot.show.table import questions, votes
from bot.show.table.duplicates import scoresheet_button
from bot.show.table.hand_results import between, over, remarks, waiting
from bot.show.table.lobby import lobby
from bot.show.table.operator_notice import notice
from bot.show.table.scores import owing, penalty
from bot.show.table.sides import banner, sign

FAIR = N_("🔒 sealed")
SMALL = 43  # columns of a line in small print on a phone
MAX_PLAYS_LISTED = 9  # the most plays listed of a trick: a round of the largest table
MAX_LARGE_PLAYS_LISTED = 4  # the same, for plays of several cards
LABELS = {
    Verb.HAND: N_("My hand"),
    Verb.PASS: N_("Pass"),
    Verb.LAST: N_("Last trick"),
    Verb.RULES: N_("Rules"),
    Verb.LEAVE: N_("Leave"),
    Verb.READY: N_("Ready"),
    Verb.STOP: N_("End the match"),
    Verb.REMATCH: N_("Rematch"),
    Verb.WATCH: N_("Replay"),
    Verb.SETTLE: N_("Settle up"),
    Verb.MENU: DOTS,
    Verb.REACT: "😀",
    Verb.CHECK: CHECK,
}
# The heading of the top play: of another player, and of the reader.
OUTRANKED = N_("**{seat}** is highest so far with {combo}:"), N_("**You're** highest so far with {combo}:")
CAPTURED = N_("**{seat}** takes {cards} with {combo}:"), N_("**You** took {cards} with {combo}:")
BOMBED = (
    N_("**{seat}** beat {below} with a bomb, {combo}:"),
    N_("**You** beat {below} with a bomb, {combo}:"),
)
PLAYED = N_("**{seat}** played {combo}:"), N_("**You** played {combo}:")
PASSING = ("name_or_pass", "answer")  # questions that can be passed with an empty pile
EMOJI = {Verb.WATCH: WATCH}
STYLES = {
    Verb.HAND: ButtonStyle.primary,
    Verb.READY: ButtonStyle.success,
    Verb.REMATCH: ButtonStyle.success,
}
BELOW = {
    "playing": (Verb.HAND, Verb.PASS, Verb.LAST, Verb.RULES, Verb.LEAVE, Verb.MENU, Verb.REACT),
    "asking": (Verb.HAND, Verb.CHOOSE, Verb.RULES, Verb.LEAVE, Verb.MENU, Verb.REACT),
    "between": (Verb.READY, Verb.HAND, Verb.RULES, Verb.LEAVE, Verb.STOP, Verb.CHECK, Verb.SETTLE, Verb.MENU),
    "over": (Verb.REMATCH, Verb.WATCH, Verb.SETTLE, Verb.RULES, Verb.CHECK),
}
ENDED = {"between": between, "over": over}
ACCENTS = {"between": Accent.BETWEEN, "over": Accent.OVER}
WITH_PICTURE = {
    "playing": (Verb.HAND, Verb.PASS, Verb.MENU, Verb.REACT),
    "asking": (Verb.HAND, Verb.CHOOSE, Verb.MENU, Verb.REACT),
    "between": (Verb.READY, Verb.HAND, Verb.STOP, Verb.SETTLE, Verb.MENU),
    "over": (Verb.REMATCH, Verb.WATCH, Verb.SETTLE, Verb.MENU),
}


def board(scene: PublicScene, w: Words, picture: Picture | None = None) -> ui.LayoutView:
    """Return the public screen of a table at any stage.

    picture: shows the table in place of most of the text.
    """
    draw = _draw if scene.notice == NO_NOTICE else _noticed
    return fitted(lambda words: draw(scene, words.for_scene(scene), picture), w)


def _noticed(scene: PublicScene, w: Words, picture: Picture | None) -> ui.LayoutView:
    """Draw the board with the operator's notice below."""
    drawn = _draw(scene, w, picture)
    if (said := notice(scene.notice, w)) and scene.open:
        drawn.add_item(ui.TextDisplay(small(said)))
    return drawn


def _draw(scene: PublicScene, w: Words, picture: Picture | None) -> ui.LayoutView:
    match scene.stage, scene.view:
        case "lobby", _:
            return lobby(scene, w, picture)
        case "playing", Public() as view if picture:
            return screen(Accent.PLAYING, *_pictured(scene, view, picture, w))
        case "playing", Public() as view:
            return screen(Accent.PLAYING, _title(scene, w), *_playing(scene, view, w), *_answerable(scene, w))
        case "between" | "over" as stage, Public() as view:
            if picture:
                return screen(ACCENTS[stage], *_ended(scene, view, picture, w))
            told = (*ENDED[stage](scene, view, w), _way_in(scene, w))
            return screen(ACCENTS[stage], _title(scene, w), *told, *_answerable(scene, w))
    return screen(Accent.CLOSED, _title(scene, w), w("This table is closed. /deal opens a new one."))


def _title(scene: Scene, w: Words) -> str:
    return f"## {phrases.table(scene, w)}"


def _pictured(scene: Scene, view: Public, picture: Picture, w: Words) -> Iterator[Block]:
    """Yield a board with a picture: turn, picture, buttons, and the rest in small print."""
    yield lines(f"### {_turn(scene, view, w)}", small(phrases.reserve_included(scene, w)))
    yield pictured(picture.name, picture.alt_text)
    yield from _answerable(scene, w, WITH_PICTURE)
    text = lines(_named(scene, w), phrases.facts_below_picture(view, scene.order, w)) or ""
    yield lines(_unknown_sides(view, w), phrases.sitting_in(scene, w), small(text))


def _unknown_sides(view: Public, w: Words) -> MessageText | None:
    """Return the sides as long as the picture cannot show them all."""
    unknown = view.teams and len(view.teams.declaring | view.teams.against) < len(view.counts)
    return banner(view, w) if unknown else None


def _ended(scene: Scene, view: Public, picture: Picture, w: Words) -> Iterator[Block]:
    """Yield a board after a hand or match.

    The picture comes first, then the awaited players, the buttons, and the rest in small print.
    """
    yield pictured(picture.name, picture.alt_text)
    yield waiting(scene, w) if scene.stage == "between" else None
    yield from _answerable(scene, w, WITH_PICTURE)
    yield lines(*remarks(scene, view, w), small(_named(scene, w)), _way_in(scene, w))


def _way_in(scene: Scene, w: Words) -> str | None:
    """Return how people without a seat get one, between two hands.

    Returns None at other times, and at a table of a duplicate.
    """
    if scene.stage != "between" or scene.where.duplicate is not None:
        return None
    return small(w("Want a seat? Open ⋯ and press +1."))


def _turn(scene: Scene, view: Public, w: Words) -> MessageText:
    """Return the awaited action and the deadline, for a heading."""
    if phrases.halt_reason(scene, w) or scene.wait.asked != "play" or len(scene.wait.awaited) != 1:
        return phrases.awaited(scene, w, reserve=False)
    (seat,) = scene.wait.awaited
    return join((_to_do(Seat(seat), view, w), phrases.deadline(scene, w, reserve=False)))


def _to_do(seat: Seat, view: Public, w: Words) -> MessageText:
    if view.must:
        return w("{seat} must lead with {card}", seat=seat, card=view.must)
    if view.trick.top is None:
        return w("{seat} leads", seat=seat)
    return w("{seat}'s turn", seat=seat)  # the picture shows the play to beat


def _named(scene: Scene, w: Words) -> MessageText:
    """Return the table and the hand on one line, if necessary without the game's name."""
    number = phrases.hand_number(scene, w, short=True)
    named = join((phrases.table(scene, w), number))
    return named if columns(named) < SMALL else join((w("Table {n}", n=scene.where.number), number))


def _playing(scene: Scene, view: Public, w: Words) -> tuple[str | ui.Separator[Any] | None, ...]:
    return (
        small(phrases.hand_number(scene, w)),
        line(),
        top_play(view, w),
        small(_before(view, w)),
        line(),
        lines(banner(view, w), _counts(scene, view, w)),
        line(),
        lines(
            phrases.awaited(scene, w),
            phrases.sitting_in(scene, w),
            small(_facts(scene, view, w)),
            penalty(scene, w),
        ),
    )


def top_play(view: Public, w: Words) -> str:
    """Return the top of the pile, or the current event between tricks."""
    if view.result and not view.trick.moves:
        return ""
    if view.phase_note is None:
        return _pile(view, w)
    return lines(f"### {phrases.note(view.phase_note, w)}", phrases.bar(view.progress)) or ""


def before_play(view: Public, order: Sequence[int], w: Words) -> str | None:
    """Return the public facts and the current event between tricks, a line each.

    order: the order of turns. Who is asked to give a card reads that in the question instead.
    """
    shown = view.phase_note if not isinstance(view, View) or not isinstance(view.ask, GiveAsk) else None
    phase_note = join((phrases.note(shown, w), phrases.bar(view.progress)), " ") if shown else None
    return lines(phrases.facts(view, order, w), phase_note)


def _pile(view: Public, w: Words) -> str:
    """Return the top play, its player, and its cards on a line of their own."""
    trick = view.trick
    if trick.top is None or trick.owner is None:
        return w("New trick.")
    top = next(move for move in reversed(trick.moves) if move.combo)
    own = trick.owner == w.reader
    seat, combo = Seat(trick.owner), w.name(trick.top)
    if top.seat != trick.owner:
        who = w(OUTRANKED[own], seat=seat, combo=combo)
    elif top.taken:
        who = w(CAPTURED[own], seat=seat, cards=top.taken, combo=combo)
    elif (below := phrases.bombed(trick, view.rules)) is not None:
        who = w(BOMBED[own], seat=seat, below=w.name(below), combo=combo)
    else:
        who = w(PLAYED[own], seat=seat, combo=combo)
    return f"{who}\n## {w.faces.show(trick.top.cards)}"


def _before(view: Public, w: Words) -> MessageText:
    """Return the earlier plays of this trick, latest last, and the passes since the top play."""
    trick = view.trick
    if trick.top is None:
        return _finished(view, w)
    if phrases.is_outranked(trick):
        return w("In order: {plays}", plays=phrases.in_order(trick.moves, w))
    earlier = phrases.plays_and_pickups(trick)[:-1][
        -(MAX_PLAYS_LISTED if len(trick.top.cards) == 1 else MAX_LARGE_PLAYS_LISTED) :
    ]
    passed = [Seat(move.seat) for move in trick.moves[len(trick.moves) - trick.passes :]]
    return join(
        (
            w("Before: {plays}", plays=phrases.in_order(earlier, w)) if earlier else MessageText(),
            w("Passed: {seats}", seats=passed) if passed else MessageText(),
        ),
        "\n",
    )


def _finished(view: Public, w: Words) -> MessageText:
    """Return the previous trick, whose final play has left the pile."""
    last = phrases.plays_and_pickups(view.tricks[-1])[-MAX_PLAYS_LISTED:] if view.tricks else []
    return w("Last trick: {plays}", plays=phrases.in_order(last, w)) if last else MessageText()


def _counts(scene: Scene, view: Public, w: Words) -> str:
    """Return a line for each seat in the order of turns.

    A line has the turn mark, the number of cards, the points so far, and the reaction.
    """
    called = frozenset[int]() if scene.together else scene.wait.awaited
    held, stands = _held(view, w), scene.tally.course[-1].stands
    return "\n".join(
        join(
            (
                join(
                    (sign(view.teams, seat) if view.teams else "", phrases.marked(seat, w, called=seat in called)), " "
                ),
                held[seat],
                phrases.gained(stands[seat], scene.terms.rules, w),
                scene.reactions.get(seat, ""),
            )
        )
        for seat in scene.order
    )


def _held(view: Public, w: Words) -> list[MessageText]:
    """Return the number of cards of each seat, as far as public.

    Players without cards are always marked.
    """
    if not view.rules.counted:
        return [MessageText() if count or view.phase_note else w("out") for count in view.counts]
    held = [w.n("{n} card", "{n} cards", count) for count in view.counts]
    if view.phase_note:
        return held
    return [
        MessageText(f"**{cards}** ⚠") if phrases.is_few(count) else cards
        for cards, count in zip(held, view.counts, strict=True)
    ]


def _facts(scene: Scene, view: Public, w: Words) -> MessageText:
    """Return the small print: further public facts, and the commitment mark."""
    return join((phrases.facts(view, scene.order, w), _fair(scene, w), _cut(scene, w)), "\n")


def about_deal(scene: Scene, w: Words) -> MessageText:
    """Return what a board with a picture leaves to the menu.

    That is the deal, the commitment mark, and details.
    """
    if scene.view is None or scene.stage != "playing":
        return MessageText()
    return join((phrases.facts_in_menu(scene.view, scene.order, w), _cut(scene, w), _fair(scene, w)), "\n")


def _fair(scene: Scene, w: Words) -> MessageText:
    return w(FAIR) if scene.tally.seal else MessageText()


def _cut(scene: Scene, w: Words) -> MessageText:
    """Return who has cut the cards, during the first deal."""
    if scene.tally.deal != 1 or not scene.tally.words:
        return MessageText()
    return w("Cut by {seats}.", seats=[Seat(seat) for seat, _ in scene.tally.words])


def _buttons(scene: Scene, w: Words, offered: Mapping[str, Sequence[Verb]]) -> list[Row | None]:
    pointless, depending = set(_pointless(scene)), _depending(scene)
    there = [
        button(
            label,
            Press(scene.where.table, verb, at=depending.get(verb)),
            STYLES.get(verb, ButtonStyle.secondary),
            disabled=verb in pointless,
            emoji=EMOJI.get(verb),
        )
        for verb, label in _below(scene, w, offered)
    ]
    taking = list[ui.Button[Any]]()
    for chair in scene.chairs:
        if chair.offered and scene.stage != "over" and len(taking) < BUTTONS_PER_ROW - 1:
            taking.append(_taking(scene, chair.seat, w))
    if scene.wait.live_offer and not scene.wait.vote:
        taking.append(_live(scene, *scene.wait.live_offer, w))
    elif scene.wait.in_live_session and scene.open:
        taking.append(button(w("Back to our own pace"), Press(scene.where.table, Verb.OWN_PACE)))
    if scene.stage == "over" and scene.where.duplicate is not None:
        taking.append(scoresheet_button(scene.where.duplicate, w))
    rows = [
        each
        for at in range(0, len(there), BUTTONS_PER_ROW)
        for each in rows_with_two_at_the_end(there[at : at + BUTTONS_PER_ROW])
    ]
    return [*rows, row(*taking)] if taking else rows


def _answerable(scene: Scene, w: Words, offered: Mapping[str, Sequence[Verb]] = BELOW) -> list[Block]:
    """Return the buttons, and the open vote with its buttons."""
    return [*_buttons(scene, w, offered), _about_live(scene, w), *votes.on_board(scene, w)]


def _live(scene: Scene, agree: int, people: int, w: Words) -> ui.Button[Any]:
    """Return the button to ask for live play; who has pressed it stays secret."""
    text = w("Play live? {n} of {people} agree", n=agree, people=people)
    return button(text, Press(scene.where.table, Verb.LIVE_PLAY), ButtonStyle.success)


def _about_live(scene: Scene, w: Words) -> str | None:
    """Return what the button to play live does, or to end that."""
    if scene.wait.live_offer and not scene.wait.vote:
        return small(w("If you all agree, you play on live: a few minutes a move, with no penalty for being late."))
    if scene.wait.in_live_session and scene.open:
        return small(w("Live for now, with no penalty for being late."))
    return None


def _taking(scene: Scene, seat: int, w: Words) -> ui.Button[Any]:
    text = w.for_labels()("Take over for {seat}", seat=Seat(seat))
    return button(text, Press(scene.where.table, Verb.SIT_IN, at=seat), ButtonStyle.success)


def _below(scene: Scene, w: Words, offered: Mapping[str, Sequence[Verb]]) -> Iterator[tuple[Verb, MessageText]]:
    """Yield the buttons of this table with their labels."""
    view = scene.view
    may_stop = scene.wait.vote == "end" or (scene.stage == "between" and view is not None and view.endless)
    there = {
        Verb.SETTLE: bool(owing(scene)),
        Verb.STOP: may_stop,
        Verb.REACT: bool(offered_reactions(scene.terms.pace, scene.terms.server)),
    }
    for verb in offered["asking" if scene.together else scene.stage]:
        if verb is not Verb.CHOOSE and there.get(verb, True):
            yield verb, w(LABELS[verb])
        elif verb is Verb.CHOOSE and view is not None and view.declining:
            yield verb, questions.label(view.declining, w)


def _depending(scene: Scene) -> Mapping[Verb, int]:
    """Return the preconditions of buttons.

    All other buttons always mean the same, under the same custom id.
    """
    return {Verb.PASS: scene.moment, Verb.CHOOSE: scene.moment, Verb.READY: scene.tally.deal}


def _pointless(scene: Scene) -> Iterator[Verb]:
    """Yield the buttons that would have no effect now."""
    view = scene.view
    if view is not None and scene.wait.asked not in PASSING and (view.phase_note or view.trick.top is None):
        yield Verb.PASS
    if view is not None and not view.ended_tricks:
        yield Verb.LAST
