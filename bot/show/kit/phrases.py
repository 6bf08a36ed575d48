"""Short sentences about a table that several screens share: what it is called, how long it goes, who owes what.

Knows only what a Scene holds; refuses to know components.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from bot.domain.ids import UserId
from bot.domain.rating import Rating, Reliability, Tally
from bot.games import GAMES
from bot.rules.core.cards import card
from bot.rules.core.game import Course, Deals, Public
from bot.rules.core.sentences import Illegal, Note, Of, Phrase, Seat
from bot.rules.core.trick import Move, Trick
from bot.rules.matches import score
from bot.rules.matches.seal import HANDS
from bot.rules.variants.option_sheet import Option
from bot.scene import Scene, Terms, Where
from bot.show.kit.house_levels import of_house
from bot.show.kit.layout import small
from bot.show.kit.text_width import brief, columns
from bot.show.kit.words import N_, Said, Words, escaped, exact, join, sentences

MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
BAR = 6  # steps of a bar
FEW = 10  # hands before the last that can be dealt
HEAD, LEAST = (
    32,
    8,
)  # columns of what says where a table is, in small print, and of the least that is said of its server
CHANNELS = "https://discord.com/channels"
TO_DO = {
    "play": N_("**{seats}** to play"),
    "give": N_("**{seats}** to give"),
    "name": N_("**{seats}** to name a card"),
    "name_or_pass": N_("**{seats}** to name a card or pass"),
    "answer": N_("**{seats}** to answer"),
}
ALONE = {
    "day": N_("Deal of the day: {game}"),
    "deals": N_("Same deals: {game}"),
    "practice": N_("Practice: {game}"),
}
EXAMPLES = (("3d", "3d"), ("Th", "10h"), ("10h", "10h"), ("Ks", "ks"), ("5n", "5"), ("5n", "5"), ("JK", "J"))


def person(user: UserId, w: Words) -> Said:
    """Return a person as Discord names them; 0 is somebody whose data has been deleted."""
    return Said(f"<@{user}>") if user else w("somebody who is nameless now")


def table(scene: Scene, w: Words) -> Said:
    """Return what the table is called: "Big Two, table 3"."""
    if scene.where.alone:
        return w(ALONE[scene.where.alone], game=Phrase(GAMES[scene.terms.game].title))
    return w("{game}, table {number}", game=Phrase(GAMES[scene.terms.game].title), number=scene.where.number)


def headed(scene: Scene, server: str, w: Words, most: int = HEAD, mark: str = "") -> Said:
    """Return which table this is, with the way to it, and on which server, as far as that fits in so many columns.

    A table at which one plays alone is nowhere: there it says how well house players play. mark: stands around the
    table, to have it in bold.
    """
    named = table(scene, w)
    if scene.where.alone:
        return join((Said(f"{mark}{named}{mark}"), of_house(scene, w)))
    room = most - columns(named)
    on_server = escaped(brief(server, room)) if room >= LEAST else Said()
    return join((Said(f"{mark}[{named}]({link(scene.where)}){mark}"), on_server))


def link(where: Where) -> Said:
    """Return the address of the board, or of its channel before there is one."""
    home = f"{CHANNELS}/{where.guild}/{where.home}"
    return Said(f"{home}/{where.message}" if where.message else home)


def preset(terms: Terms, w: Words) -> Said:
    """Return the name of the preset."""
    return w(GAMES[terms.game].sheet.presets[terms.preset].title)


def game(terms: Terms, w: Words) -> Said:
    """Return the name of the game."""
    return w(GAMES[terms.game].title)


def length_in_short(rules: Course, w: Words) -> Said:
    """Return how long a match goes, in a word or two."""
    if rules.target is not None:
        return w("to {points} points", points=rules.target)
    return w("open end") if rules.hands is None else w.n("{n} hand", "{n} hands", rules.hands)


def changes(terms: Terms, w: Words) -> Said:
    """Return in what the rules differ from the preset, apart from the length of the match; empty if in nothing."""
    known = GAMES[terms.game].sheet.options
    told = ((known[name], value) for name, value in terms.changes.items() if not known[name].length)
    return join(option(changed, value, w) for changed, value in told)


def option(changed: Option, value: Any, w: Words) -> Said:
    """Return the value of an option as a phrase that follows a preset's name: "stake 5"."""
    sentence, shown = changed.say(value)
    return w(sentence, value=Said(shown))


def more(count: int, w: Words) -> list[Said]:
    """Return how many more there are than are named, as the last of them; nothing where all are."""
    return [w.n("{n} more", "{n} more", count)] if count > 0 else []


def length(rules: Course, w: Words) -> Said:
    """Return how long a match goes under these rules."""
    if rules.target is not None:
        return w("until somebody has {points} points", points=rules.target)
    if rules.hands is None:
        return w("until everybody agrees to end it")
    return w.n("{n} hand", "{n} hands", rules.hands)


def hand_number(scene: Scene, w: Words, *, short: bool = False) -> Said:
    """Return which hand it is: "Hand 2 of 5"; shortly before no more can be dealt also how many there can be.

    short: in as little room as can be: "Hand 2/5".
    """
    if scene.tally.seal and not scene.tally.seal.of and scene.tally.hand > HANDS - FEW:
        return w("Hand {hand} of {hands} at most", hand=scene.tally.hand, hands=HANDS)
    if scene.terms.rules.target is not None:
        return w("Hand {hand}, to {points} points", hand=scene.tally.hand, points=scene.terms.rules.target)
    if (hands := scene.terms.rules.hands) is None:
        return w("Hand {hand}", hand=scene.tally.hand)
    if short:
        return w("Hand {hand}/{hands}", hand=scene.tally.hand, hands=hands)
    return w("Hand {hand} of {hands}", hand=scene.tally.hand, hands=hands)


def gained(amount: int, w: Words) -> Said:
    """Return how many points a seat has gained or lost in all, with their sign: "+5 points"."""
    return w.n("{n} point", "{n} points", abs(amount), n=signed(amount))


def signed(amount: int) -> Said:
    """Return a gain or loss with its sign, as every screen tells it."""
    return Said(score.signed(amount))


def gain(tally: Tally) -> Said:
    """Return what somebody's matches brought them a hand, above the average of the table."""
    return signed_average(tally.gain / max(tally.hands, 1))


def signed_average(amount: float) -> Said:
    """Return an average with its sign and one digit after the point."""
    tenths = round(amount * 10)
    return Said(f"+{tenths / 10:.1f}" if tenths > 0 else f"\u2212{-tenths / 10:.1f}" if tenths else "0.0")


def give_or_take(rating: Rating) -> Said:
    """Return by how much a rating may lie beside what somebody is worth."""
    return Said(f"±{rating.band}")


def percent(reliability: Reliability) -> Said:
    """Return how many of a hundred turns were in time; rounded down, so that all of them means all."""
    return Said(f"{int(reliability.share or 0)}\u00a0%")


def marked(seat: int, w: Words, *, called: bool = False) -> Said:
    """Return who sits there, as it begins a line. called: whether the table waits for them."""
    return Said(f"{'👉 ' if called else ''}**{w.seat(seat)}**")


def seats(numbers: Iterable[int]) -> list[Seat]:
    """Return seats that a sentence shows as names."""
    return [Seat(number) for number in sorted(numbers)]


def awaited(scene: Scene, w: Words) -> Said:
    """Return whom the hand waits for and until when."""
    if halted := still(scene, w):
        return halted
    if not scene.wait.awaited:
        return Said()
    if scene.together:
        return _asked(scene, w)
    return join(
        (
            w(TO_DO[scene.wait.asked], seats=seats(scene.wait.awaited)),
            until(scene, w),
            asleep(scene, w) if scene.wait.asleep_till else "",
        )
    )


def until(scene: Scene, w: Words) -> Said:
    """Return when the time for that is up, and how much of it is a reserve; nothing without a clock."""
    when, reserve = scene.wait.deadline, scene.wait.reserve_left
    if when is None:
        return Said()
    if not reserve:
        return w("ends {when}", when=when)
    if scene.terms.pace.kind == "daily":
        return w("ends {when}, with the reserve", when=when)
    return w("ends {when}, the last {time} of it in reserve", when=when, time=exact(reserve, w))


def asleep(scene: Scene, w: Words) -> Said:
    """Return who of those awaited sleeps, as far as they let others see it."""
    till = scene.wait.asleep_till.items()
    return join(w("{seat} sleeps and is up {when}", seat=Seat(seat), when=when) for seat, when in till)


def still(scene: Scene, w: Words) -> Said | None:
    """Return why nothing goes on, whoever's turn it is."""
    if scene.wait.asleep:
        return w("💤 This table sleeps, for I may not write here. No clock runs.")
    if scene.wait.paused and scene.wait.vote:
        return w(
            "⏸ A break that all agreed to. Still away: {seats}. It goes on {when} at the latest.",
            seats=seats(scene.wait.agreeing),
            when=scene.wait.paused,
        )
    if scene.wait.paused:
        return w(
            "⏸ A moderator has paused the table. It goes on when they let it, {when} at the latest.",
            when=scene.wait.paused,
        )
    if scene.deserted and scene.wait.deadline:
        return w("Everybody has left. If nobody comes back, it ends {when}.", when=scene.wait.deadline)
    return None


def _asked(scene: Scene, w: Words) -> Said:
    return join((w("All are asked"), until(scene, w)))


def sitting_in(scene: Scene, w: Words) -> str | None:
    """Return in small print who sits in for whom; None where nobody does."""
    said = list[Said]()
    for chair in scene.chairs:
        if chair.owner_name:
            said.append(w("{seat} sits in for {owner}.", seat=Seat(chair.seat), owner=chair.owner_name))
    return small(sentences(said)) if said else None


def silence(scene: Scene) -> datetime | None:
    """Return when a match ends that somebody would like to end, if nobody says anything; None where that is no way."""
    return scene.wait.deadline if scene.wait.in_silence else None


def owed(payments: Sequence[tuple[int, int, int]], w: Words) -> Said:
    """Return who pays whom how much, a line for each payer."""
    payers = dict.fromkeys(payer for payer, _, _ in payments)
    return join((_owes(payer, payments, w) for payer in payers), "\n")


def _owes(payer: int, payments: Sequence[tuple[int, int, int]], w: Words) -> Said:
    dues = [w("{seat} {amount}", seat=Seat(payee), amount=amount) for who, payee, amount in payments if who == payer]
    return w("{seat} owes {amounts}", seat=Seat(payer), amounts=dues)


def cited(sentence: Said, article: str, w: Words) -> Said:
    """Return a sentence with the article it rests on, or as it is without one."""
    return w("{sentence} ({article})", sentence=sentence, article=Said(article)) if article else sentence


def refusal(refused: Illegal, w: Words) -> Said:
    """Return why the rules forbid something."""
    return w(refused.sentence, **refused.values)


def note(noted: Note, w: Words) -> Said:
    """Return a remark about a hand."""
    return w(noted.sentence, **dict(noted.values))


def bar(progress: tuple[int, int] | None) -> Said:
    """Return how far something has come, as a bar; nothing where it does not go on by steps."""
    if progress is None:
        return Said()
    full = round(BAR * progress[0] / progress[1])
    return Said("▰" * full + "▱" * (BAR - full))


def played(move: Move, w: Words) -> Said:
    """Return what somebody played, in few characters, and what they took for it, or took up."""
    if move.combo is None and move.taken:
        return w("{seat} takes {cards}", seat=Seat(move.seat), cards=move.taken)
    if move.combo is None:
        return w("{seat} passes", seat=Seat(move.seat))
    said = Said(f"{w.seat(move.seat)} {w.faces.show(move.combo.cards)}")
    return w("{play} (takes {cards})", play=said, cards=move.taken) if move.taken else said


def laid(trick: Trick) -> list[Move]:
    """Return what was played in a trick, and taken up in the end, without those who passed."""
    return [move for move in trick.moves if move.combo or move.taken]


def in_order(moves: Iterable[Move], w: Words) -> Said:
    """Return what was played, one after the other."""
    return join((played(move, w) for move in moves), " → ")


def under(trick: Trick) -> bool:
    """Tell whether the latest play lies under what was played before it."""
    latest = next((move for move in reversed(trick.moves) if move.combo), None)
    return latest is not None and latest.seat != trick.owner


def examples(rules: Deals) -> Said:
    """Return some cards of a game as people may type them."""
    return Said(" ".join(typed for held, typed in EXAMPLES if card(held) in rules.pack))


def facts(view: Public, order: Sequence[int], w: Words) -> Said:
    """Return what else is public in a hand; what has no sentence, or is of no more use, goes without saying.

    order: of turns, in which numbers of seats are told.
    """
    old = view.rules.opening if view.tricks else frozenset[str]()
    told = view.rules.facts
    known = ((name, _in_turn(value, order)) for name, value in view.facts if name in told and name not in old)
    return sentences(w(told[name], value=value) for name, value in known)


def _in_turn(value: object, order: Sequence[int]) -> object:
    if isinstance(value, tuple) and all(isinstance(each, Of) for each in value):
        return tuple(sorted(value, key=lambda each: order.index(each.seat)))
    return value


def numbered(number: int | str, said: Said) -> Said:
    """Return text after its number. The dot is escaped, or Discord would make a list and count for itself."""
    return Said(f"{number}\\. {said}")


def placed(place: int, said: Said) -> Said:
    """Return text after a medal, or after its place where there is none."""
    return Said(f"{MEDALS[place]} {said}") if place in MEDALS else numbered(place, said)
