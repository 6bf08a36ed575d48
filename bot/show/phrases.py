"""Short sentences about a table that several screens share: what it is called, how long it goes, who owes what.

Knows only what a Scene holds; refuses to know components.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.rules.game import Illegal, Note, Seat
from bot.rules.registry import GAMES
from bot.show.words import N_, Said, Words, escaped, join
from bot.table.scene import Scene

CHANNELS = "https://discord.com/channels"
PACES = {
    "live": N_("Live: two minutes a move"),
    "slow": N_("Slow: a day a move"),
    "none": N_("No clock"),
}
PRESETS = {"pagat": N_("Standard")}
OPTIONS: Mapping[tuple[str, Any], str] = {
    ("stake", 0): N_("no stake, for points only"),
    ("one_card_rule", "none"): N_("without the precaution rule"),
    ("one_card_rule", "pay_all"): N_("with the precaution rule"),
    ("pay_all_test", "breach"): N_("every breach of the precaution rule pays"),
    ("pay_all_test", "causal"): N_("a breach of the precaution rule pays if it mattered"),
    ("pay_all_basis", "to_winner"): N_("who breaks the precaution rule pays the winner alone"),
    ("pay_all_basis", "points"): N_("who breaks the precaution rule takes all points"),
}
MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
LENGTHS = ("match_end", "deals", "target")  # told by length()


def game(scene: Scene, w: Words) -> Said:
    """Return the name of the game."""
    return w(GAMES[scene.game].title)


def table(scene: Scene, w: Words) -> Said:
    """Return what the table is called: "Big Two, table 3"."""
    return w("{game}, table {number}", game=game(scene, w), number=scene.number)


def link(scene: Scene) -> Said:
    """Return the address of the board, or of its channel before there is one."""
    home = f"{CHANNELS}/{scene.guild}/{scene.home}"
    return Said(f"{home}/{scene.message}" if scene.message else home)


def preset(scene: Scene, w: Words) -> Said:
    """Return the name of the preset."""
    return w(PRESETS[scene.preset]) if scene.preset in PRESETS else escaped(scene.preset)


def changes(scene: Scene, w: Words) -> Said:
    """Return in what the rules differ from the preset, apart from the length of the match; empty if in nothing."""
    return join(_change(name, value, w) for name, value in scene.changes.items() if name not in LENGTHS)


def _change(name: str, value: Any, w: Words) -> Said:
    if (name, value) in OPTIONS:
        return w(OPTIONS[name, value])
    return w("stake {value} a point", value=value) if name == "stake" else escaped(f"{name} = {value}")


def length(options: Any, w: Words) -> Said:
    """Return how long a match goes under these options."""
    if options.match_end == "deals":
        return w.n("{n} hand", "{n} hands", options.deals)
    return w("until somebody has {points} points", points=options.target)


def hand_number(scene: Scene, w: Words) -> Said:
    """Return which hand it is: "Hand 2 of 5"."""
    options = scene.rules.options
    if options.match_end == "deals":
        return w("Hand {hand} of {hands}", hand=scene.hand, hands=options.deals)
    return w("Hand {hand}, to {points} points", hand=scene.hand, points=options.target)


def points(amount: int, w: Words) -> Said:
    """Return a number of points in words."""
    return w.n("{n} point", "{n} points", amount)


def held(count: int, w: Words) -> Said:
    """Return a number of cards in words."""
    return w.n("{n} card", "{n} cards", count)


def signed(amount: int) -> Said:
    """Return a gain or loss with its sign, with a true minus."""
    return Said(f"+{amount}" if amount > 0 else f"\u2212{-amount}" if amount else "±0")


def seats(numbers: Iterable[int]) -> list[Seat]:
    """Return seats that a sentence shows as names."""
    return [Seat(number) for number in sorted(numbers)]


def awaited(scene: Scene, w: Words) -> Said:
    """Return whom the hand waits for and until when."""
    if not scene.awaited:
        return Said()
    if scene.deadline:
        return w("**{seats}** to play; time is up {when}", seats=seats(scene.awaited), when=scene.deadline)
    return w("**{seats}** to play", seats=seats(scene.awaited))


def owed(payments: Sequence[tuple[int, int, int]], w: Words) -> Said:
    """Return who pays whom how much, a line for each payer."""
    payers = dict.fromkeys(payer for payer, _, _ in payments)
    return join((_owes(payer, payments, w) for payer in payers), "\n")


def _owes(payer: int, payments: Sequence[tuple[int, int, int]], w: Words) -> Said:
    dues = [w("{seat} {amount}", seat=Seat(payee), amount=amount) for who, payee, amount in payments if who == payer]
    return w("{seat} pays {amounts}", seat=Seat(payer), amounts=dues)


def cited(sentence: Said, article: str, w: Words) -> Said:
    """Return a sentence with the article it rests on, or as it is without one."""
    return w("{sentence} ({article})", sentence=sentence, article=Said(article)) if article else sentence


def refusal(refused: Illegal, w: Words) -> Said:
    """Return why the rules forbid something, with the article."""
    return cited(w(refused.sentence, **refused.values), refused.article, w)


def note(noted: Note, w: Words) -> Said:
    """Return a remark about a finished hand, with the article."""
    return cited(w(noted.sentence, **dict(noted.values)), noted.article, w)


def standing(scene: Scene, w: Words) -> Said:
    """Return the running score, the best first, a line for each seat; gains where something is owed."""
    order = sorted(range(len(scene.places)), key=lambda seat: (scene.places[seat], seat))
    return join((_place(scene, seat, w) for seat in order), "\n")


def _place(scene: Scene, seat: int, w: Words) -> Said:
    gain = signed(scene.nets[seat]) if any(scene.nets) else Said()
    first = placed(scene.places[seat], w("**{seat}**", seat=Seat(seat)))
    return join((first, points(scene.totals[seat], w), gain))


def numbered(number: int, said: Said) -> Said:
    """Return text after its number. The dot is escaped, or Discord would make a list and count for itself."""
    return Said(f"{number}\\. {said}")


def placed(place: int, said: Said) -> Said:
    """Return text after a medal, or after its place where there is none."""
    return Said(f"{MEDALS[place]} {said}") if place in MEDALS else numbered(place, said)
