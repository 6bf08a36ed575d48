"""Short sentences shared by several screens: a table's name, its length, its debts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.rating import PlayerTotals, Rating, RatingChange, Reliability
from bot.games import GAMES
from bot.rules.core.cards import Cards, card
from bot.rules.core.game import CardRules, DealRules, MatchRules, Public, Rules
from bot.rules.core.sentences import Illegal, Note, Of, Phrase, Seat
from bot.rules.core.trick import Combo, Move, Trick
from bot.rules.matches import score
from bot.rules.matches.seal import CHAIN_LENGTH
from bot.rules.variants.option_sheet import Option
from bot.scene import Scene, TableLocation, Terms
from bot.show.kit.house_levels import of_house
from bot.show.kit.layout import brief, columns, small
from bot.show.kit.play_names import plate_name
from bot.show.kit.words import MessageText, Words, escaped, format_exact, join, sentences

MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
BAR = 6  # steps of a bar
MAX_CARDS_SHOWN = 3  # of a play in a list; plays of more cards are named
FEW_CARDS = 2  # from this count on, a hand is highlighted on the board
HANDS_BEFORE_LIMIT = 10  # hands before the last possible deal
SERVER = 32  # columns of a server's name
CHANNELS = "https://discord.com/channels"
TO_DO = {
    "play": N_("**{seats}**'s turn"),
    "give": N_("**{seats}** to give"),
    "name": N_("**{seats}** to name a card"),
    "name_or_pass": N_("**{seats}** to call for a card or pass"),
    "answer": N_("**{seats}** to answer"),
}
ALONE = {
    "day": N_("Deal of the day: {game}"),
    "deals": N_("Same deals: {game}"),
    "practice": N_("Practice: {game}"),
    "lesson": N_("Lesson: {game}"),
}
PROVISIONAL = N_("Provisional rating (reliable after {n} matches).")
EXAMPLES = (("3d", "3d"), ("Th", "10h"), ("10h", "10h"), ("Ks", "ks"), ("5n", "5"), ("5n", "5"), ("JK", "J"))


def person(user: UserId, w: Words) -> MessageText:
    """Return a person as a Discord mention; 0 is a person whose data has been deleted."""
    return MessageText(f"<@{user}>") if user else w("a deleted player")


def table(scene: Scene, w: Words) -> MessageText:
    """Return the table's name: the game, and "table 3"."""
    if scene.where.solo:
        return w(ALONE[scene.where.solo], game=Phrase(GAMES[scene.terms.game].title))
    return w("{game}, table {number}", game=Phrase(GAMES[scene.terms.game].title), number=scene.where.number)


def headed(scene: Scene, server: str, w: Words, *, mark: str = "") -> MessageText:
    """Return the table's name as a link, and the server's name, on two lines at most.

    A solo table has no board to link to: its heading names the level of the house players instead. mark: surrounds the
    table's name, such as ``**`` for bold.
    """
    named = table(scene, w)
    if scene.where.solo:
        level = of_house(scene, w) if scene.where.solo != "lesson" else ""  # always the easiest
        return join((MessageText(f"{mark}{named}{mark}"), level))
    on_server = escaped(_in_whole_words(server, SERVER)) if server else MessageText()
    return join((MessageText(f"{mark}[{named}]({link(scene.where)}){mark}"), on_server))


def _in_whole_words(name: str, most: int) -> str:
    """Return a name of at most this many columns, shortened between two words if possible."""
    shown = brief(name, most)
    whole = " ".join(name.split())
    kept = shown.removesuffix("…")
    if columns(whole) <= most or whole[len(kept) :].startswith(" "):
        return shown
    begun = shown.rpartition(" ")[0]
    return f"{begun}…" if begun else shown


def link(where: TableLocation) -> MessageText:
    """Return the URL of the board, or of its channel without a board."""
    home = f"{CHANNELS}/{where.guild}/{where.home}"
    return MessageText(f"{home}/{where.message}" if where.message else home)


def preset(terms: Terms, w: Words) -> MessageText:
    """Return the name of the preset."""
    return w(GAMES[terms.game].sheet.presets[terms.preset].title)


def game(terms: Terms, w: Words) -> MessageText:
    """Return the name of the game."""
    return w(GAMES[terms.game].title)


def length_in_short(rules: MatchRules, w: Words) -> MessageText:
    """Return the length of a match in a word or two."""
    if rules.target is not None:
        return w("to {points} points", points=rules.target)
    return w("no limit") if rules.hands is None else w.n("{n} hand", "{n} hands", rules.hands)


def changes(terms: Terms, w: Words) -> MessageText:
    """Return the changes from the preset, except the length of the match.

    The text is empty without changes.
    """
    known = GAMES[terms.game].sheet.options
    told = ((known[name], value) for name, value in terms.changes.items() if not known[name].length)
    return join(option(changed, value, w) for changed, value in told)


def option(changed: Option, value: Any, w: Words) -> MessageText:
    """Return the value of an option as a phrase that follows a preset's name: "stake 5"."""
    sentence, shown = changed.say(value)
    return w(sentence, value=MessageText(shown))


def more(count: int, w: Words) -> list[MessageText]:
    """Return "N more" as the last item of a shortened list; no item if the list is complete."""
    return [w.n("{n} more", "{n} more", count)] if count > 0 else []


def length(rules: MatchRules, w: Words) -> MessageText:
    """Return the length of a match under these rules."""
    if rules.target is not None:
        return w("until someone has {points} points", points=rules.target)
    if rules.hands is None:
        return w("until everyone agrees to end it")
    return w.n("{n} hand", "{n} hands", rules.hands)


def hand_number(scene: Scene, w: Words, *, short: bool = False) -> MessageText:
    """Return the number of the hand, with the number of hands or the target: "Hand 2 of 5".

    Near the last possible deal, the limit follows instead. short: in as few characters as possible: "Hand 2/5".
    """
    if scene.tally.seal and not scene.tally.seal.of and scene.tally.hand > CHAIN_LENGTH - HANDS_BEFORE_LIMIT:
        return w("Hand {hand} of {hands} at most", hand=scene.tally.hand, hands=CHAIN_LENGTH)
    if scene.terms.rules.target is not None:
        return w("Hand {hand}, to {points} points", hand=scene.tally.hand, points=scene.terms.rules.target)
    if (hands := scene.terms.rules.hands) is None:
        return w("Hand {hand}", hand=scene.tally.hand)
    if short:
        return w("Hand {hand}/{hands}", hand=scene.tally.hand, hands=hands)
    return w("Hand {hand} of {hands}", hand=scene.tally.hand, hands=hands)


def gained(stand: int, rules: Rules, w: Words) -> MessageText:
    """Return the points of a seat in total.

    Examples are "+5 points", and "5 points" where the lowest score wins.
    """
    return w.n("{n} point", "{n} points", abs(stand), n=scored(stand, rules))


def scored(stand: int, rules: Rules) -> MessageText:
    """Return a standing as all screens show it: with a sign, except where the lowest wins."""
    return MessageText(score.shown_score(stand, low=score.is_low_score_best(rules)))


def signed(amount: int) -> MessageText:
    """Return a gain or loss with its sign, in the form of every screen."""
    return MessageText(score.signed(amount))


def gain(tally: PlayerTotals) -> MessageText:
    """Return a person's average gain per hand, above the average of the table."""
    return signed_average(tally.gain / max(tally.hands, 1))


def signed_average(amount: float) -> MessageText:
    """Return an average with its sign and one decimal."""
    tenths = round(amount * 10)
    return MessageText(f"+{tenths / 10:.1f}" if tenths > 0 else f"\u2212{-tenths / 10:.1f}" if tenths else "0.0")


def give_or_take(rating: Rating) -> MessageText:
    """Return the uncertainty of a rating: "±" and its band."""
    return MessageText(f"±{rating.band}")


def rating_change(change: RatingChange) -> MessageText:
    """Return a rating after a match with its change: "1508 ▲ 8"."""
    moved = change.after - change.before
    return MessageText(f"{change.after} {'▲' if moved > 0 else '▼'}\u00a0{abs(moved)}" if moved else str(change.after))


def percent(reliability: Reliability) -> MessageText:
    """Return the percentage of turns in time, rounded down.

    So only a perfect record shows 100.
    """
    return MessageText(f"{int(reliability.share or 0)}\u00a0%")


def marked(seat: int, w: Words, *, called: bool = False) -> MessageText:
    """Return the name of a seat's player at the beginning of a line.

    called: mark the awaited player.
    """
    return MessageText(f"{'👉 ' if called else ''}**{w.seat(seat)}**")


def is_few(count: int) -> bool:
    """Tell whether a seat holds so few cards that everybody should know."""
    return 0 < count <= FEW_CARDS


def seats(numbers: Iterable[int]) -> list[Seat]:
    """Return seats that a sentence shows as names."""
    return [Seat(number) for number in sorted(numbers)]


def awaited(scene: Scene, w: Words, *, reserve: bool = True) -> MessageText:
    """Return the awaited players and the deadline, or the reason for a halt.

    reserve: as in ``deadline``.
    """
    if halted := halt_reason(scene, w):
        return halted
    if not scene.wait.awaited:
        return MessageText()
    if scene.together:
        return join((w("Everyone decides"), deadline(scene, w, reserve=reserve)))
    return join(
        (
            w(TO_DO[scene.wait.asked], seats=seats(scene.wait.awaited)),
            deadline(scene, w, reserve=reserve),
            sleeping_players(scene, w) if scene.wait.sleeping_until else "",
        )
    )


def deadline(scene: Scene, w: Words, *, reserve: bool = True) -> MessageText:
    """Return the deadline; empty without a clock.

    reserve: whether to name the share of the reserve in it. A heading has no room for that on a phone, and has
    ``reserve_included`` below instead.
    """
    when, left = scene.wait.deadline, scene.wait.reserve_left
    if when is None:
        return MessageText()
    if not left or not reserve:
        return w("ends {when}", when=when)
    if scene.terms.pace.kind == "daily":
        return w("ends {when}, reserve included", when=when)
    return w("ends {when} (incl. {time} reserve)", when=when, time=format_exact(left, w))


def reserve_included(scene: Scene, w: Words) -> MessageText:
    """Return the share of the reserve in the deadline; empty without a deadline or a share."""
    left = scene.wait.reserve_left
    if scene.wait.deadline is None or not left or halt_reason(scene, w):
        return MessageText()
    if scene.terms.pace.kind == "daily":
        return w("reserve included")
    return w("incl. {time} reserve", time=format_exact(left, w))


def sleeping_players(scene: Scene, w: Words) -> MessageText:
    """Return the sleeping awaited players, among players with shared hours."""
    till = scene.wait.sleeping_until.items()
    return join(w("{seat} is asleep until {when}", seat=Seat(seat), when=when) for seat, when in till)


def halt_reason(scene: Scene, w: Words) -> MessageText | None:
    """Return why the table has halted for all players; None while it runs."""
    if scene.wait.suspended:
        return w("💤 This table is suspended because I can't post here. All clocks are stopped.")
    if scene.wait.paused and scene.wait.vote:
        return w(
            "⏸ On a break. Waiting for {seats}. Resumes {when} or sooner.",
            seats=seats(scene.wait.agreeing),
            when=scene.wait.paused,
        )
    if scene.wait.paused:
        return w(
            "⏸ Paused by a moderator. Resumes {when}, or sooner if they say so.",
            when=scene.wait.paused,
        )
    if scene.deserted and scene.wait.deadline:
        return w("Everyone has left. If nobody comes back, it ends {when}.", when=scene.wait.deadline)
    return None


def sitting_in(scene: Scene, w: Words) -> str | None:
    """Return in small print which substitute sits in for which owner.

    Returns None without substitutes.
    """
    said = list[MessageText]()
    for chair in scene.chairs:
        if chair.owner_name:
            said.append(w("{seat} is playing for {owner}.", seat=Seat(chair.seat), owner=chair.owner_name))
    return small(sentences(said)) if said else None


def silence(scene: Scene) -> datetime | None:
    """Return when a proposed end takes effect without an answer.

    Returns None if silence is no consent here.
    """
    return scene.wait.deadline if scene.wait.ends_unless_opposed else None


def owed(payments: Sequence[tuple[int, int, int]], w: Words) -> MessageText:
    """Return the debts, a line for each payer."""
    payers = dict.fromkeys(payer for payer, _, _ in payments)
    return join((_owes(payer, payments, w) for payer in payers), "\n")


def _owes(payer: int, payments: Sequence[tuple[int, int, int]], w: Words) -> MessageText:
    dues = [w("{seat} {amount}", seat=Seat(payee), amount=amount) for who, payee, amount in payments if who == payer]
    return w("{seat} owes {amounts}", seat=Seat(payer), amounts=dues)


def cited(sentence: MessageText, article: str, w: Words) -> MessageText:
    """Return a sentence with its article, if any."""
    return w("{sentence} ({article})", sentence=sentence, article=MessageText(article)) if article else sentence


def refusal(refused: Illegal, w: Words) -> MessageText:
    """Return the reason of a refusal under the rules."""
    return w(refused.sentence, **refused.values)


def note(noted: Note, w: Words) -> MessageText:
    """Return a remark about a hand."""
    return w(noted.sentence, **dict(noted.values))


def bar(progress: tuple[int, int] | None) -> MessageText:
    """Return progress as a bar; empty without steps to count."""
    if progress is None:
        return MessageText()
    full = round(BAR * progress[0] / progress[1])
    return MessageText("▰" * full + "▱" * (BAR - full))


def played(move: Move, w: Words, *, named: bool = False) -> MessageText:
    """Return a move in few characters, with the cards taken. named: name plays of many cards."""
    if move.combo is None and move.taken:
        return w("{seat} takes {cards}", seat=Seat(move.seat), cards=move.taken)
    if move.combo is None:
        return w("{seat} passes", seat=Seat(move.seat))
    shown = in_short(move.combo, w) if named else w.faces.show(move.combo.cards)
    text = MessageText(f"{w.seat(move.seat)} {shown}")
    return w("{play} (takes {cards})", play=text, cards=move.taken) if move.taken else text


def in_short(combo: Combo, w: Words) -> str:
    """Return the cards of a combination, or its name in a word or two for many cards."""
    return w.faces.show(combo.cards) if len(combo.cards) <= MAX_CARDS_SHOWN else plate_name(combo, w)


def captured(trick: Trick) -> Cards:
    """Return the cards that the top play took from the pile."""
    top = next((move for move in reversed(trick.moves) if move.combo), None)
    return top.taken if top and top.seat == trick.owner else ()


def is_bomb(combo: Combo, below: Combo | None, rules: CardRules) -> bool:
    """Tell whether a play beats another one by being a bomb; a capture doesn't beat it."""
    if below is None or (combo.kind, len(combo.cards)) == (below.kind, len(below.cards)):
        return False
    return rules.bomb(combo) and not rules.captures(combo, below)


def bombed(trick: Trick, rules: CardRules) -> Combo | None:
    """Return the play that the top play beat by being a bomb, if any."""
    below = top = None
    for move in trick.moves:
        if move.combo:
            below, top = top, move.combo
    return below if top and top is trick.top and is_bomb(top, below, rules) else None


def bomb_named(name: MessageText, w: Words) -> MessageText:
    """Return the name of a combination that beats another one by being a bomb."""
    return w("bomb: {what}", what=name)


def plays_and_pickups(trick: Trick) -> list[Move]:
    """Return the plays and pick-ups of a trick, without passes."""
    return [move for move in trick.moves if move.combo or move.taken]


def in_order(moves: Iterable[Move], w: Words) -> MessageText:
    """Return the moves, one after the other."""
    return join((played(move, w) for move in moves), " → ")


def is_outranked(trick: Trick) -> bool:
    """Tell whether the latest play ranks below an earlier play of the trick."""
    latest = next((move for move in reversed(trick.moves) if move.combo), None)
    return latest is not None and latest.seat != trick.owner


def examples(rules: DealRules) -> MessageText:
    """Return example cards of a game in typed notation."""
    return MessageText(" ".join(typed for held, typed in EXAMPLES if card(held) in rules.pack))


def facts(view: Public, order: Sequence[int], w: Words) -> MessageText:
    """Return further public facts of a hand that have a sentence and are not outdated.

    order: the order of turns, for facts that number seats.
    """
    old = view.rules.opening if view.tricks else frozenset[str]()
    return _facts(view, view.rules.facts.keys() - old, order, w)


def facts_below_picture(view: Public, order: Sequence[int], w: Words) -> MessageText:
    """Return the public facts that a picture of the table leaves to the text."""
    return _facts(view, view.rules.facts.keys() - view.rules.opening - view.rules.drawn.keys(), order, w)


def facts_in_menu(view: Public, order: Sequence[int], w: Words) -> MessageText:
    """Return the public facts that are missing below a picture of the table."""
    return _facts(view, view.rules.opening | view.rules.drawn.keys(), order, w)


def _facts(view: Public, names: Collection[str], order: Sequence[int], w: Words) -> MessageText:
    told = view.rules.facts
    known = ((name, _in_turn(value, order)) for name, value in view.facts if name in names and name in told)
    return sentences(_words_for(told[name], value, w)(told[name], value=value) for name, value in known)


def _words_for(sentence: str, value: object, w: Words) -> Words:
    """Return the words for a fact, whose reader may be "you".

    "You" only stands after a colon, not next to cards or numbers: elsewhere the verb is in the third person, as in
    "Ann has K♣."
    """
    beside = isinstance(value, tuple) and any(isinstance(each, Of) for each in value)
    return w if sentence.endswith(": {value}.") and not beside else w.to_seat(None)


def _in_turn(value: object, order: Sequence[int]) -> object:
    if isinstance(value, tuple) and all(isinstance(each, Of) for each in value):
        return tuple(sorted(value, key=lambda each: order.index(each.seat)))
    return value


def numbered(number: int | str, text: MessageText) -> MessageText:
    """Return text after its number.

    The escaped dot keeps Discord from making a list with its own numbers.
    """
    return MessageText(f"{number}\\. {text}")


def placed(place: int, text: MessageText) -> MessageText:
    """Return text after the medal of its place, or after its number without a medal."""
    return MessageText(f"{MEDALS[place]} {text}") if place in MEDALS else numbered(place, text)
