"""The private hand: a player's cards, the current trick, and all controls for playing.

The message itself marks the selected cards, so that they survive a restart. Legality is always decided by
``view.plays``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from discord import ButtonStyle, ui

from bot.domain.chairs import Chair
from bot.domain.preferences import Preferences
from bot.domain.refusals import NO_WAY_BACK, SITTING_IN
from bot.rules.core.asks import ChooseAsk, GiveAsk, NameAsk, PlayAsk
from bot.rules.core.cards import Cards
from bot.rules.core.game import View
from bot.rules.core.sentences import Seat
from bot.scene import Scene
from bot.show.contests.coach import advice_lines, coach_lines, is_lesson, summary
from bot.show.hand import premoves
from bot.show.hand.controls import answer_row, can_select_cards, ended_rows, hand_controls
from bot.show.hand.desk import desk_buttons
from bot.show.hand.hints import HintDegree
from bot.show.hand.selection import CardSelection, has_suits, verdict
from bot.show.kit import phrases
from bot.show.kit.card_symbols import symbols
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import (
    EMPTY_LINE,
    MAX_COMPONENTS,
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    count_components,
    fitted,
    lines,
    row,
    screen,
    small,
)
from bot.show.kit.open_menus import NO_MENUS, Menus, keep_menus, room
from bot.show.kit.small_print import small_lines
from bot.show.kit.words import MessageText, Words, join, literal
from bot.show.table import questions, votes
from bot.show.table.board import before_play, top_play
from bot.show.table.notices import moves_since_own
from bot.show.table.opponents import cards_left, seat_lines
from bot.show.table.scores import mine
from bot.show.table.sides import own_banner

PLAIN_HABITS = Preferences()
STATUS_LINES = 3  # lines of small print


def hand(
    scene: Scene,
    w: Words,
    *,
    where: str,
    chosen: Cards = (),
    tapped: frozenset[int] = frozenset(),
    notice: str | None = None,
    preferences: Preferences = PLAIN_HABITS,
    sure: bool = False,
    desk: bool = False,
    then: HintDegree = HintDegree.KIND,
    menus: Menus = NO_MENUS,
) -> PrivateScreen:
    """Return the hand of the scene's viewer.

    where: the name of the server, empty for a solo table. chosen: the cards selected so far. tapped: the places in the
    pack of the tapped cards. notice: a sentence about the latest click, ready for a message. preferences: of the
    viewer. sure: ask for confirmation now. desk: whether the hand is on the viewer's desk. then: the next degree of a
    hint. menus: the menus of the redrawn message, which may be open.
    """
    pick = partial(CardSelection.of, asked=chosen, preferences=preferences, tapped=tapped, sure=sure, then=then)

    def draw(words: Words) -> ui.LayoutView:
        w = words.for_scene(scene)
        head = small(phrases.headed(scene, where, w))
        view = _draw(
            scene, head, notice, pick, w=w, desk=desk, preferences=preferences, spare=room(menus) if menus else 0
        )
        return keep_menus(view, menus, scene.where.table, w) if menus else view

    return PrivateScreen(fitted(draw, w))


def expired_panel(scene: Scene, w: Words, *, where: str, menus: Menus = NO_MENUS) -> PrivateScreen:
    """Return the screen in place of a hand that no longer follows the game.

    Arguments as in ``hand``.
    """
    wake = button(w("Show my cards"), Press(scene.where.table, Verb.REFRESH), ButtonStyle.primary)
    text = w("💤 **This view has stopped updating.** Tap to see your cards.")
    view = screen(Accent.CLOSED, lines(small(phrases.headed(scene, where, w)), text), row(wake))
    return PrivateScreen(keep_menus(view, menus, scene.where.table, w) if menus else view)


def _draw(
    scene: Scene,
    head: str,
    notice: str | None,
    pick: Callable[[View], CardSelection],
    *,
    w: Words,
    desk: bool,
    preferences: Preferences,
    spare: int,
) -> ui.LayoutView:
    further = [desk_buttons(scene.where.table, w)] if desk else []
    view, below = scene.view, [*further, *_colours_notice(scene, preferences, w)]
    if scene.seat is None or view is None or view.seat is None or scene.stage in ("lobby", "closed"):
        return screen(Accent.CLOSED, head, notice, _absent(scene, w), _way_back(scene, w), *below)
    choice, blocks = pick(view), list[Block]()
    if scene.stage != "playing":
        blocks += [head, notice, *_ended(scene, view, w), *ended_rows(scene, w, preferences.level), *below]
    elif can_select_cards(scene, choice):
        blocks += _tapping(scene, view, choice=choice, head=head, notice=notice, w=w, below=below, spare=spare)
        blocks += below
    else:
        blocks += [head, *_answering(scene, view, choice, notice=notice, w=w), *below]
    left = MAX_COMPONENTS - count_components(blocks) - spare - 1  # 1: the frame
    vote = votes.in_hand(scene, w.to_seat(scene.seat), room=left)
    if left <= 0 and not notice and not choice.cards and (said := votes.in_status(scene, w.to_seat(scene.seat))):
        return _draw(scene, head, said, pick, w=w, desk=desk, preferences=preferences, spare=spare)
    return screen(Accent.YOURS if scene.wanted else Accent.CLOSED, *blocks, *vote)


def _colours_notice(scene: Scene, preferences: Preferences, w: Words) -> list[Block]:
    """Return the notice of four colours to a viewer with two colours in earlier releases."""
    if preferences.suit_colours != "untold" or preferences.text_only or not scene.dealt:
        return []
    if not has_suits(scene.terms.rules):
        return []
    two = Press(scene.where.table, Verb.FOUR_COLOURS, at=0)
    return [small(w("Suits now have four colors.")), row(button(w("Two colors"), two))]


def _absent(scene: Scene, w: Words) -> MessageText:
    """Return the message to a viewer without cards here."""
    if scene.stage == "lobby" and scene.seat is not None:
        return w("You're in. The cards are dealt when the host starts.")
    if scene.stage == "closed":
        return w("This table is closed.")
    if scene.seat is not None:
        return w(NO_WAY_BACK)
    theirs = given_away(scene)
    return w(SITTING_IN, name=theirs.name) if theirs else w("You're not at this table.")


def given_away(scene: Scene) -> Chair | None:
    """Return the chair of the viewer taken by a substitute; None without a substitute."""
    return next((chair for chair in scene.chairs if scene.viewer is not None and chair.owner == scene.viewer), None)


def _way_back(scene: Scene, w: Words) -> Row | None:
    """Return the button to take the seat back after a house player replaced the substitute."""
    theirs = given_away(scene) if scene.open else None
    back = button(w("Take my seat back"), Press(scene.where.table, Verb.BACK), ButtonStyle.primary)
    return row(back if theirs and theirs.house else None)


def _tapping(
    scene: Scene,
    view: View,
    *,
    choice: CardSelection,
    head: str,
    notice: str | None,
    w: Words,
    below: Sequence[Block],
    spare: int,
) -> tuple[Block, ...]:
    """Return the texts above the cards, the cards as buttons, and the controls."""
    shown = (small(_count(view, w)), _cards(choice, w)) if choice.naming or w.faces.larger else ()
    private_notes = _private_notes(view, w) if view.private_notes else ()
    named = small(w("Cards you can call:")) if choice.naming else None
    above = lines(
        head,
        *_turn(scene, view, w),
        *private_notes,
        own_banner(view, w),
        *_middle(scene, view, w),
        *shown,
        named,
    )
    return above, *hand_controls(scene, choice, _status(scene, choice, notice, w), w, below=below, spare=spare)


def _middle(scene: Scene, view: View, w: Words) -> Iterator[str | None]:
    """Yield the pile and what is asked: in a lesson in the coach's words."""
    if view.phase_note:
        yield before_play(view, scene.order, w.to_seat(scene.seat))
    elif is_lesson(scene):
        yield from coach_lines(scene, view, w)
        return
    else:
        leads = scene.wanted and view.trick.top is None  # "You lead" already implies an empty trick
        yield None if leads else top_play(view, w.to_seat(scene.seat))
        yield "" if scene.where.solo else small(moves_since_own(view, w) or EMPTY_LINE)
    yield from _advice(scene, view, w)
    yield from advice_lines(scene, w)


def _status(scene: Scene, choice: CardSelection, notice: str | None, w: Words) -> str:
    """Return the notice, the premoves or the verdict on the selection, keeping buttons fixed.

    A notice or verdict is never cut. Premoves are, as their buttons show them too.
    """
    narrow = w.for_narrow_lines()
    if notice:
        return _reserved(notice)
    if scene.premoves and not choice.cards and (ahead := premoves.queued_in_words(scene, narrow)):
        parts = small_lines(ahead, STATUS_LINES)
    else:
        parts = _verdict(scene, choice, narrow)
    return _in_lines(literal(part) for part in parts)


def _reserved(text: str) -> str:
    """Return a text in small print, in as many lines as every status has; never cut."""
    return _in_lines(small_lines(text))


def _in_lines(parts: Iterable[str]) -> str:
    """Return lines of small print, with empty ones up to the number that is reserved."""
    said = list(parts)
    return small("\n".join((*said, *[EMPTY_LINE] * (STATUS_LINES - len(said)))))


def _verdict(scene: Scene, choice: CardSelection, w: Words) -> list[str]:
    """Return the verdict in lines, or without a selection the meaning of the buttons below.

    If it is too long: without the name of the selected combination, or else with a pointer to the article.
    """
    otherwise = premoves.explained(scene, choice.view, w) or _count(choice.view, w)
    whole, short = (small_lines(verdict(scene, choice, w, named=named) or otherwise) for named in (True, False))
    if len(whole) <= STATUS_LINES:
        return whole
    if len(short) <= STATUS_LINES or not choice.is_explained:
        return short
    return small_lines("✗ " + w("That won't work. Tap Why not? to see the rule."))


def _answering(scene: Scene, view: View, choice: CardSelection, *, notice: str | None, w: Words) -> tuple[Block, ...]:
    """Return the screen of a question answered without cards.

    A notice stands in place of the answer so far.
    """
    ask = questions.asked(scene)
    return (
        lines(
            *_turn(scene, view, w),
            *_private_notes(view, w),
            before_play(view, scene.order, w.to_seat(scene.seat)),
            *_advice(scene, view, w),
            *advice_lines(scene, w),
        ),
        small(ahead) if scene.premoves and (ahead := premoves.queued_in_words(scene, w)) else None,
        lines(small(_count(view, w)), _cards(choice, w)),
        _reserved(notice or questions.so_far(scene, ask, w)) if ask else notice,
        *(questions.answers(scene, ask, w) if ask else ()),
        answer_row(scene, choice, w),
        questions.queued(ask, w) if ask else None,  # below the buttons, which it does not move
    )


def _turn(scene: Scene, view: View, w: Words) -> Iterator[str]:
    """Yield whose turn it is, and the other seats.

    The numbers of their cards, or without a board a line for each.

    The heading has the same height for the viewer and for other players.
    """
    halted = phrases.halt_reason(scene, w.to_seat(scene.seat))
    said = halted or phrases.awaited(scene, w, reserve=False)
    if scene.wanted and is_lesson(scene) and isinstance(view.ask, PlayAsk):
        pass  # the coach says it
    elif scene.wanted and not scene.together:
        yield join((w("### Your turn"), phrases.deadline(scene, w, reserve=False)))
    else:
        yield said if halted or not said else f"### {said}"
    yield small(phrases.reserve_included(scene, w))
    yield small("\n".join(seat_lines(scene, view, w)) if scene.where.solo else cards_left(view, scene.order, w))


def _private_notes(view: View, w: Words) -> Iterator[MessageText]:
    """Yield the notes to this seat alone, until its next play outdates them.

    A pass may be a reaction to a note.
    """
    own = [move for trick in (*view.tricks, view.trick) for move in trick.moves if move.seat == view.seat]
    return (phrases.note(note, w) for note in (() if own and own[-1].combo else view.private_notes))


def _advice(scene: Scene, view: View, w: Words) -> Iterator[str | None]:
    """Yield the question to the seat, and the facts that matter for the answer."""
    match view.ask:
        case ChooseAsk() as ask:
            yield from questions.question(scene, ask, w, explained=not is_lesson(scene))  # the coach explains
        case NameAsk(question=question):
            yield f"**{phrases.note(question, w)}**"
        case GiveAsk(to=to, count=count):
            asked = w.n("Choose {n} card to give to {seat}.", "Choose {n} cards to give to {seat}.", count, seat=to)
            yield f"**{asked}**"
        case PlayAsk() as ask if view.plays or scene.seat in scene.wait.awaited:
            yield phrases.note(ask.limit, w) if ask.limit else None
            yield _first_of_all(view, ask, w)
            if ask.draws:
                yield w.n("If you pass, you draw {n} card.", "If you pass, you draw {n} cards.", ask.draws)


def _first_of_all(view: View, ask: PlayAsk, w: Words) -> MessageText | None:
    """Return what the seat to play may lead."""
    if view.must:
        return w("The first play must include {card}.", card=view.must)
    if view.trick.top is not None or not view.plays:
        return None
    if ask.barred:
        return w("You lead: play anything else.")
    won = bool(view.tricks and view.tricks[-1].owner == view.seat)
    return w("You won the trick. Lead anything.") if won else w("You lead: play anything.")


def _count(view: View, w: Words) -> MessageText:
    return w.n("Your {n} card", "Your {n} cards", len(view.hand))


def _cards(choice: CardSelection, w: Words) -> str:
    """Return the hand, weakest first on one line, or a line for each suit.

    With several packs, grouped by rank.
    """
    held, deck = choice.sorted, choice.view.rules.pack
    if not choice.by_suit:
        several = len(set(deck)) < len(deck)
        return f"{w.faces.large(())}{_by_rank(held, w)}" if several else w.faces.large(held)
    suits = dict.fromkeys(card.suit for card in held)
    return "\n".join(w.faces.large(card for card in held if card.suit == suit) for suit in suits)


def _by_rank(held: Cards, w: Words) -> str:
    """Return cards in groups by rank.

    Adjacent emoji, or one piece of inline code for each rank.
    """
    groups = [tuple(group) for _, group in groupby(held, lambda card: card.rank)]
    if w.faces.pictures.keys() >= set(held):
        return " ".join("".join(w.faces.show((card,)) for card in group) for group in groups)
    return " ".join(f"`{symbols(group)}`" for group in groups)


def _ended(scene: Scene, view: View, w: Words) -> Iterator[Block]:
    """Yield the texts between hands or after the match."""
    yield mine(scene, view.result, w)
    if is_lesson(scene):
        yield summary(scene, view, w)
        return
    if view.hand:
        yield small(join((_count(view, w), MessageText(w.faces.show(view.hand)))))
    if scene.stage == "between":
        own = w.to_seat(scene.seat)
        yield lines(phrases.halt_reason(scene, own) or _ready(scene, w), votes.open_vote(scene, own))


def _ready(scene: Scene, w: Words) -> MessageText | None:
    if scene.seat in scene.wait.awaited:
        soon = scene.solitary and scene.wait.deadline
        if soon:
            return w("Next hand {when}, or when you press Ready.", when=soon)
        return w("Ready for the next hand?")
    if scene.wait.vote == "end":
        return None
    return w("You're ready. Waiting for {seats}.", seats=[Seat(seat) for seat in sorted(scene.wait.awaited)])
