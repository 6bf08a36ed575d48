"""Independent verification of deals and of exported matches, without a running bot."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.games import GAMES
from bot.ops.terminal import printable
from bot.rules.core.cards import Cards, SeededRandom, write
from bot.rules.core.game import Rules
from bot.rules.core.sentences import Illegal
from bot.rules.core.turns import order_of_turns
from bot.rules.matches.match_file import (
    ExportedMatch,
    Fault,
    UnreadableMatch,
    describe_match,
    faults,
    faults_of_form,
    unproven_facts,
)
from bot.rules.matches.seal import CHAIN_LENGTH, Seal, dealer_drawn_from, dealt_from, normalize_digits
from bot.rules.variants.ruleset import Ruleset, read_code
from bot.show.kit import phrases
from bot.show.kit.card_symbols import symbols
from bot.show.kit.words import words

RIGHT_SEED = "The seed is right. To see the cards, add --dealer and who dealt, by the order on the board, from 1."


class CheckFailed(Exception):
    """A check has failed or is impossible; the message says why."""


def verify(
    code: str,
    hand: int,
    seed: str,
    commitment: str,
    *,
    dealer: int | None = None,
    alone: bool = False,
    cut: str = "",
    each: bool = False,
) -> str:
    """Return the cards of a hand as dealt, a line per seat.

    Raises CheckFailed for another seed than the committed one. code: the rule code of the table. hand: its number, from
    1. dealer: the position on the board, from 1, of the player who dealt or drew first; not needed for the first hand,
    whose dealer follows from the seed. alone: for a match of an earlier version, where each hand had a separate
    commitment and only the board shows the first dealer. cut: the combined words of the players, if they cut the cards.
    each: for independent hands, where the seed of each determines the dealer.
    """
    seed, commitment, cut = normalize_digits(seed), normalize_digits(commitment), normalize_digits(cut)
    if not 1 <= hand <= CHAIN_LENGTH:
        raise CheckFailed(f"A match has hands from 1 to {CHAIN_LENGTH}.")
    if not Seal(commitment, of=hand if alone else 0, opened=seed, hands=hand).holds:
        raise CheckFailed(f"This isn't the seed that was committed to for hand {hand}.")
    seed, rules = dealt_from(seed, cut), _rules(code)
    if dealer is None and not each and (alone or hand > 1):
        return RIGHT_SEED
    order = order_of_turns(rules, hand)
    if dealer is not None and dealer not in range(1, rules.players + 1):
        raise CheckFailed(f"There are {rules.players} players, so --dealer goes from 1 to {rules.players}.")
    drawn = SeededRandom(dealer_drawn_from(seed))
    dealt = rules.deal(SeededRandom(seed), rules.first_dealer(drawn) if dealer is None else order[dealer - 1])
    held = [f"{number}: {write(dealt.view(seat).hand)}" for number, seat in enumerate(order, 1)]
    return "\n".join(
        ["The seed is right. The cards, by the order on the board:", *held, *_undealt_line(dealt.hidden_cards)]
    )


def _rules(code: str) -> Rules:
    try:
        return Ruleset.of(*read_code(code, GAMES)).rules
    except (ValueError, Illegal) as bad:
        raise CheckFailed(str(bad)) from bad


def _undealt_line(cards: Cards) -> list[str]:
    return [f"in no hand: {write(cards)}"] if cards else []


MAX_BYTES: Final = 20_000_000
TOO_LARGE: Final = "{path} is longer than {most} MB, the most that is read as matches."
AS_IT_SAYS: Final = (
    "Everything checks out: version {version} of the rules allowed every action, the points and places follow from "
    "the hands, and the cards from the commitment{words}."
)
WITH_WORDS: Final = " and the words of the cut"
NOT_SAID: Final = (
    "What this doesn't show: whether the operator chose the cards, and who saw which. The operator can read every "
    "word of a cut and see every hand. It also doesn't show {unchecked}."
)


def exported(path: Path) -> list[ExportedMatch]:
    """Return the matches in a file, one or more. Raises CheckFailed for an invalid file."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise CheckFailed(TOO_LARGE.format(path=path, most=MAX_BYTES // 1_000_000))
        return list(ExportedMatch.from_lines(content.decode(encoding_of(content)), GAMES))
    except OSError as error:
        raise CheckFailed(f"{path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CheckFailed(f"{path} isn't text.") from error
    except UnreadableMatch as error:
        raise CheckFailed(printable(f"{path}: {error}")) from error


def encoding_of(content: bytes) -> str:
    """Return the encoding of a text: UTF-8, or UTF-16 with a byte order mark.

    Windows redirects output as UTF-16.
    """
    return "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"


def checked(found: Sequence[ExportedMatch]) -> Iterator[str]:
    """Yield the result of checking matches, with the limits of the check.

    Raises CheckFailed with all faults.
    """
    several = len(found) > 1
    wrong = [f"{_title(number, several)}{_said(fault)}" for number, one in enumerate(found, 1) for fault in faults(one)]
    if wrong:
        raise CheckFailed("\n".join(wrong))
    if several:
        yield f"{len(found)} matches."
    versions = sorted({one.record.version for one in found})
    with_words = WITH_WORDS if any(one.words is not None for one in found) else ""
    yield AS_IT_SAYS.format(version=" and ".join(map(str, versions)), words=with_words)
    yield NOT_SAID.format(unchecked="; nor ".join(dict.fromkeys(line for one in found for line in unproven_facts(one))))


def describe_matches(found: Sequence[ExportedMatch]) -> Iterator[str]:
    """Yield matches in words, each up to its first fault.

    Raises CheckFailed at the end with all faults.
    """
    several, wrong = len(found) > 1, list[str]()
    for number, one in enumerate(found, 1):
        if several:
            yield f"# {number}"
        known = list(faults(one))
        wrong += [f"{_title(number, several)}{_said(fault)}" for fault in known]
        if not list(faults_of_form(one)):
            end = next((fault.step for fault in known if fault.step is not None), None)
            played = replace(one, record=replace(one.record, steps=one.record.steps[:end]))
            yield from map(printable, describe_match(played, symbols))
    if wrong:
        raise CheckFailed("\n".join(wrong))


def _title(number: int, several: bool) -> str:
    return f"Match {number}: " if several else ""


def _said(fault: Fault) -> str:
    """Return the sentence about a fault, with the reason worded as on a screen."""
    sentence = fault.said(symbols)
    if fault.refused is not None:
        w = words("en").for_labels()
        w = w.for_players((), fault.rules) if fault.rules is not None else w
        sentence = f"{sentence} {phrases.refusal(fault.refused, w)}"
    return printable(sentence)
