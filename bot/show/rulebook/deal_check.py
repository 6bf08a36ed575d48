"""The check of a deal: the commitment, the seeds opened so far, and how to verify them.

A Seal is public, but only one viewer sees the screen: so the board needs a single button.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from bot.domain.message_ids import N_
from bot.rules.matches.seal import Seal
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PrivateScreen, back_to_hand, button, lines, private, row, small
from bot.show.kit.words import MessageText, Words, escaped
from bot.show.rulebook.ruleset import BookRules

CHECK = N_("Check this deal")
CutBy: TypeAlias = Iterable[tuple[str, str]]  # names and words
NOT_SHOWN = N_(
    "So nobody can change the deal once a match has started, and if players cut the cards, none of "
    "them can have chosen it. What this can't show: whether the operator chose the deal, and who "
    "saw which cards. The operator can read every cut and every hand."
)
AS_TOLD = N_(
    "✅ I replayed this match: every move was legal, the points are right, and the cards are the ones "
    "that were locked in."
)
NOT_AS_TOLD = N_(
    "⚠️ I replayed this match and got a different result than the one reported. Please tell the operator of this bot."
)
NOT_YET = N_("When a hand is over, its seed appears here. Anyone who saved that number can check it.")


def check(
    rules: BookRules,
    seal: Seal | None,
    w: Words,
    said: CutBy = (),
    *,
    holds: bool | None = None,
    back: Browse | None = None,
) -> PrivateScreen:
    """Return the instructions to check the deals of a table.

    rules: those of the table. seal: None at a table without deals. said: the players' names and words of the cut.
    holds: whether the replayed match matches its record; None without a replay. back: of the screen before, if any.
    """
    if seal is None:
        return private(Accent.BOOK, w("No cards dealt yet."))
    return private(
        Accent.BOOK,
        "## " + w("The deals of {table}", table=rules.title(w)),
        None if holds is None else w(AS_TOLD if holds else NOT_AS_TOLD),
        lines(_promise(seal, w), _number(seal.committed)),
        _cut(seal, said, w) if seal.cut else None,
        lines(_opened(seal, w), _number(seal.opened), _how(seal, w)) if seal.opened else w(NOT_YET),
        small(_again(rules, seal, w)) if seal.opened else None,
        small(w(NOT_SHOWN)),
        row(
            back_to_hand(rules.table, w) if rules.table is not None and rules.dealt else None,
            button(w("Back"), back) if back else None,
        ),
    )


def _cut(seal: Seal, said: CutBy, w: Words) -> str:
    """Return the words of the cut, and their hash."""
    texts = [w("**{name}** cut with {word}.", name=name, word=escaped(word)) for name, word in said]
    return (
        lines(
            *texts,
            w("Their words combined give this number. The cards come from it and the locked-in seed:"),
            _number(seal.cut),
        )
        or ""
    )


def _promise(seal: Seal, w: Words) -> MessageText:
    if seal.of:
        return w("The deal of hand {hand} was locked in before its first card, under this number:", hand=seal.of)
    return w("Every hand's deal is locked in before the first card, under this number. Save it if you like:")


def _opened(seal: Seal, w: Words) -> MessageText:
    return w("Hand {hand} is open. Its seed is:", hand=seal.hands)


def _how(seal: Seal, w: Words) -> MessageText:
    """Return the relation between the two numbers."""
    times = 1 if seal.of else seal.hands
    text = w.n(
        "Its SHA-256 is the number above.",
        "Its SHA-256 is the seed of the hand before; {n} times on, it is the number above.",
        times,
    )
    return text if seal.holds else w("It doesn't match the number above.")


def _again(rules: BookRules, seal: Seal, w: Words) -> MessageText:
    """Return the command line that checks the seed and deals the cards again."""
    how = " --alone" if seal.of else f" --cut {seal.cut}" if seal.cut else " --each" if seal.each else ""
    words = f"{rules.code} {seal.hands} {seal.opened} {seal.committed}{how}"
    command = MessageText(f"`python -m bot verify {words}`")
    return w("To check it and deal the cards again: {command}", command=command)


def _number(digits: str | None) -> MessageText:
    return MessageText(f"`{digits}`")
