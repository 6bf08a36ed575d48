"""A lesson's screens: the coach's sentences in the hand, and the summary after it.

The coach says what just happened, what is asked, and a good answer with its reason; now and then also a new concept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from discord import ButtonStyle

from bot.domain.message_ids import N_
from bot.games import GAMES, LESSONS
from bot.rules.coaching.moments import card_just_taken, is_a_round, is_tied, leading_move
from bot.rules.core.asks import Action, Choose, Give, Name, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.cards import Card
from bot.rules.core.game import Result, View
from bot.rules.core.sentences import Seat
from bot.rules.core.trick import Combo, Trick
from bot.scene import Scene
from bot.show.contests.lesson import begin
from bot.show.contests.practice import BACK, undo
from bot.show.contests.puzzles import PUZZLES
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import Block, button, lines, row, small
from bot.show.kit.words import MessageText, Words, join, sentences
from bot.show.rulebook.ruleset import BookRules
from bot.show.table import questions
from bot.show.table.outside import NEW_TABLE
from bot.show.table.scores import rows

COACH, CONCEPT = "🎓", "💡"
WON = N_("Well played!")
LOST = N_("Someone else was faster this time. Take back a play, or try once more.")
# How the top play came about: a single card, and any other play.
BEAT = N_("{player} beat your {own}:"), N_("{player} beat your {own} with {combo}:")
BEATEN = (
    N_("Others beat your {own}. {player} is highest so far:"),
    N_("Others beat your {own}. {player} is highest so far, with {combo}:"),
)
HIGHEST = N_("{player} is highest so far:"), N_("{player} is highest so far, with {combo}:")
# How a trick was led: with a single card, with any other play, and with one that is beaten by now.
LEADS = N_("{player} leads:"), N_("{player} leads {combo}:"), N_("{player} led {lead}.")
WON_AND_LEADS = (
    N_("{player} won the trick and leads:"),
    N_("{player} won the trick and leads {combo}:"),
    N_("{player} won the trick and led {lead}."),
)
TOOK_AND_LEADS = (
    N_("{player} had the highest card, took {card}, and leads:"),
    N_("{player} had the highest card, took {card}, and leads {combo}:"),
    N_("{player} had the highest card, took {card}, and led {lead}."),
)
# The same after a tie for the highest card.
TIED_AND_LEADS = (
    N_("{player} was first to play the highest card, took {card}, and leads:"),
    N_("{player} was first to play the highest card, took {card}, and leads {combo}:"),
    N_("{player} was first to play the highest card, took {card}, and led {lead}."),
)
# After one of the rounds whose winner has to take an A card.
STUCK_AND_LEADS = (
    N_("{player} won the round, had to take {card} from the middle, and leads:"),
    N_("{player} won the round, had to take {card} from the middle, and leads {combo}:"),
    N_("{player} won the round, had to take {card} from the middle, and led {lead}."),
)


def is_lesson(scene: Scene) -> bool:
    """Tell whether a scene is of a lesson."""
    return scene.where.solo == "lesson" and scene.terms.game in LESSONS


def coach_lines(scene: Scene, view: View, w: Words) -> Iterator[str | None]:
    """Yield the coach's lines in a hand where cards are played."""
    yield _marked(COACH, happened(view, w))
    yield w.faces.large(view.trick.top.cards) if view.trick.top else None
    yield from (f"**{said}**" for said in _asked(scene, view, w))
    yield from advice_lines(scene, w)


def advice_lines(scene: Scene, w: Words) -> Iterator[str | None]:
    """Yield the coach's good answer with its reason, and a new concept.

    Yields nothing while others are to move.

    At a question before the play the concept comes first, because it explains the question.
    """
    if scene.coach is None or scene.view is None:
        return
    why = phrases.note(scene.coach.why, w) if scene.coach.why else ""
    advice = sentences((_advice(scene, scene.view, scene.coach.action, w), why))
    concept = _marked(CONCEPT, w(scene.coach.concept)) if scene.coach.concept else None
    yield from (advice, concept) if isinstance(scene.view.ask, PlayAsk) else (concept, advice)


def _marked(mark: str, said: str) -> str | None:
    return f"{mark} {said}" if said else None


# What just happened


def happened(view: View, w: Words) -> MessageText:
    """Return what happened since the viewer's latest move, up to the top play.

    The text is empty before anything happened.
    """
    trick, before = view.trick, view.tricks[-1] if view.tricks else None
    if trick.top is None or trick.owner is None:
        return _of_ended(view, before, w)
    top = _of_top(view, trick.top, trick.owner, w)
    if any(move.seat == view.seat for move in trick.moves):
        return top
    opened = _of_lead(view, before, w)
    return opened if leading_move(trick).combo is trick.top else sentences((opened, top))


def _of_lead(view: View, before: Trick | None, w: Words) -> MessageText:
    """Return how the trick before ended, and the lead to the present one.

    A player who won and leads is named once.
    """
    leader, led, _ = leading_move(view.trick)
    assert led is not None
    form = 2 if led is not view.trick.top else int(len(led.cards) > 1)
    values = {"player": _name(leader, w), "combo": w.name(led), "lead": led}
    if before is None or before.owner != leader:
        return sentences((_of_ended(view, before, w), w(LEADS[form], **values)))
    if is_a_round(before):
        return w((TIED_AND_LEADS if is_tied(before) else TOOK_AND_LEADS)[form], card=_led_card(before), **values)
    if taken := card_just_taken(view, leader):
        return w(STUCK_AND_LEADS[form], card=taken, **values)
    return w(WON_AND_LEADS[form], **values)


def _of_ended(view: View, before: Trick | None, w: Words) -> MessageText:
    """Return how the latest ended trick came out; an empty text before the first one."""
    if before is None or before.owner is None:
        return MessageText()
    if is_a_round(before):
        return _of_a_round(view, before, before.owner, w)
    taken = card_just_taken(view, before.owner)
    if before.owner != view.seat:
        return _of_won(view, before.owner, taken, w)
    if taken:
        return w("You won the round, so you had to take {card} from the middle.", card=taken)
    return w("Nobody beat your {cards}: you won the trick!", cards=before.top.cards if before.top else ())


def _of_won(view: View, owner: int, taken: Card | None, w: Words) -> MessageText:
    """Return what another player won. taken: the A card that came with it, if any."""
    player = _name(owner, w)
    if taken:
        return w("{player} won the round and had to take {card} from the middle.", player=player, card=taken)
    return w(
        N_("{player} won the trick.") if view.counts[owner] else N_("{player} won the trick and is out."),
        player=player,
    )


def _of_a_round(view: View, before: Trick, owner: int, w: Words) -> MessageText:
    """Return who took the A card, and why."""
    player, card, tied = _name(owner, w), _led_card(before), is_tied(before)
    if owner == view.seat and tied:
        return w("You were first to play the highest card, so you took {card}.", card=card)
    if owner == view.seat:
        return w("You had the highest card, so you took {card}.", card=card)
    if tied:
        return w("{player} was first to play the highest card and took {card}.", player=player, card=card)
    return w("{player} had the highest card and took {card}.", player=player, card=card)


def _led_card(trick: Trick) -> Card:
    led = leading_move(trick).combo
    assert led is not None
    return led.head


def _of_top(view: View, top: Combo, owner: int, w: Words) -> MessageText:
    """Return how the top play came about; a single card needs no name above its picture."""
    plays = [move for move in view.trick.moves if move.combo]
    own = next((move.combo for move in reversed(plays) if move.seat == view.seat), None)
    values = {"player": _name(owner, w), "own": own.cards if own else (), "combo": w.name(top)}
    if plays[-1].taken and plays[-1].seat == owner:
        return w("{player} takes {cards} with {combo}:", cards=plays[-1].taken, **values)
    if owner == view.seat:
        return w("Yours is highest so far:")
    if own is not None:
        said = BEAT if _is_beaten_by(view.trick, own, owner) else BEATEN
    else:
        said = LEADS[:2] if len(plays) == 1 else HIGHEST
    return w(said[len(top.cards) > 1], **values)


def _name(seat: int, w: Words) -> MessageText:
    """Return the name of a player, without the sign of a house player."""
    return next((w.person(chair.name) for chair in w.chairs if chair.seat == seat), w.seat(seat))


def _is_beaten_by(trick: Trick, own: Combo, owner: int) -> bool:
    """Tell whether the next play after one's own was the present top play of a seat."""
    later = [move for move in trick.moves if move.combo]
    at = next(number for number, move in reversed([*enumerate(later)]) if move.combo is own)
    return [move.seat for move in later[at + 1 :]] == [owner]


# What is asked


def _asked(scene: Scene, view: View, w: Words) -> Iterator[MessageText]:
    """Yield what the viewer has to do."""
    ask, top = view.ask, view.trick.top
    if not (isinstance(ask, PlayAsk) and scene.wanted):
        return
    rule = phrases.note(ask.limit, w) if ask.limit else None
    if view.must:
        yield w("Your turn: you have the lowest card, so you start. Your play must include {card}.", card=view.must)
    elif top is None:
        yield w("Your turn to lead. {rule}", rule=rule) if rule else w("Your turn to lead: play anything you like.")
    else:
        yield w("Your turn. {rule}", rule=rule) if rule else w(LESSONS[scene.terms.game].beat_or_pass)


# A good answer


def _advice(scene: Scene, view: View, action: Action, w: Words) -> MessageText:
    match action:
        case Play(cards=cards):
            combo = view.rules.classify(cards)
            return w("Try {play}.", play=combo or cards)
        case Pass():
            return w("I'd pass.")
        case Give(cards=cards):
            return w("Give {cards}.", cards=cards)
        case Name(card=card):
            named = w(view.ask.sentence, card=card) if isinstance(view.ask, NameAsk) else MessageText()
            return w("I'd pick: {answer}.", answer=named)
        case Choose(codes=codes):
            ask = questions.asked(scene)
            return w(
                "I'd pick: {answer}.", answer=join(questions.answer_sentences(ask.offered, codes, w) if ask else ())
            )
    return MessageText()


# The end


def summary(scene: Scene, view: View, w: Words) -> str | None:
    """Return the coach's words after a lesson: how it went, and what the learner knows now."""
    won = sum(trick.owner == scene.seat for trick in view.ended_tricks)
    tricks = w.n("You won {n} trick.", "You won {n} tricks.", won)
    first = scene.seat is not None and scene.tally.places[scene.seat] == 1
    how = w(WON) if first else w(LOST)
    learned = (f"- {w(each)}" for each in LESSONS[scene.terms.game].learned)
    ended = _outcome(scene, view.result, w) if view.result else ()
    return lines(f"{COACH} {sentences((how, tricks))}", *ended, f"**{w('What you know now:')}**", *learned)


def _outcome(scene: Scene, result: Result, w: Words) -> Iterator[str]:
    """Yield the players' order, their points and the reasons for them, in small print."""
    w = replace(w, chairs=tuple(replace(chair, house=False) for chair in w.chairs))
    if len(result.order) == len(result.left) and not result.by_points:
        yield small(w("First to last: {seats}.", seats=[Seat(seat) for seat in result.order]))
    points = (MessageText(f"{w.seat(one.seat)} {phrases.scored(one.hand, scene.terms.rules)}") for one in rows(scene))
    yield small(w("Points: {points}.", points=join(points, ", ")))
    yield from (small(phrases.note(note, w)) for note in result.notes)


def lesson_ended_rows(scene: Scene, w: Words) -> list[Block]:
    """Return the rows under an ended lesson."""
    table, game = scene.where.table, GAMES[scene.terms.game]
    return [
        row(
            button(w("Play a match"), Browse.to(NEW_TABLE, game.name), ButtonStyle.success),
            button(w("Once more"), Press(table, Verb.SAME_CARDS)),
            undo(scene, BACK),
        ),
        row(begin(BookRules.of_scene(scene), w), button(w("🧩 Puzzles"), Browse.to(PUZZLES, game.name))),
    ]
