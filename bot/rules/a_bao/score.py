"""8. Scoring: the stakes of a hand and the points of each seat."""

from __future__ import annotations

from typing import TypeAlias

from bot.domain.message_ids import N_
from bot.rules.a_bao.options import Options
from bot.rules.a_bao.state import Bid
from bot.rules.core.cards import Cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Note, Seat
from bot.rules.matches.score import apply_stake

DECLARED = N_("{seat} declared in the first round, so each opponent plays for {stakes}.")
CALLED = N_("{seat} called last. {callers} called, so each opponent plays for {stakes}.")
ALONE = N_("{seat} was the only one to call, so this hand isn't played. Stakes from each opponent: {stakes}.")
WON = N_("{seat}, the declarer, wins.")
LOST = N_("{seat}, the declarer, loses; the others win together.")
SHUTOUT = Note("O9.1", "No opponent played a card: stakes doubled.")
LEAD_ONLY = Note("O10.1", "The declarer played nothing but the first lead: stakes doubled.")

Notes: TypeAlias = tuple[Note, ...]


def points(declarer: int, stakes: int, options: Options, *, won: bool) -> tuple[int, ...]:
    """Return the points of each seat; the sum is 0 (8.1, 8.3)."""
    gain = stakes if won else -stakes
    return tuple(gain * (options.players - 1) if seat == declarer else -gain for seat in range(options.players))


def _result(
    winner: int, hands: tuple[Cards, ...], *, made: tuple[int, ...], notes: Notes, bid: Bid, stake: int
) -> Result:
    """Return a result with payments between the declarer and each opponent.

    stake: units a point (O17.1).
    """
    declarer = bid.declarer
    assert declarer is not None
    lost = [(seat, points) for seat, points in enumerate(made) if seat != declarer]
    paid = ((seat, declarer, -points) if points < 0 else (declarer, seat, points) for seat, points in lost)
    return Result((winner,), hands, made, payments=apply_stake(paid, stake), notes=notes, declarer=declarer)


def doubling(declarer: int, plays: tuple[int, ...], options: Options, *, won: bool) -> Note | None:
    """Return the reason for doubled stakes, or None.

    plays: the number of plays of each seat (O9, O10).
    """
    if won:
        return SHUTOUT if options.double_shutout and sum(plays) == plays[declarer] else None
    return LEAD_ONLY if options.double_lead_only and plays[declarer] == 1 else None


def result(bid: Bid, winner: int, hands: tuple[Cards, ...], plays: tuple[int, ...], *, options: Options) -> Result:
    """Return the result of a played hand. winner: the seat that went out."""
    declarer = bid.declarer
    assert declarer is not None
    won = winner == declarer
    twice = doubling(declarer, plays, options, won=won)
    stakes = bid.stakes(options) * (2 if twice else 1)
    ended = Note("7.7", WON if won else LOST, (("seat", Seat(declarer)),))
    notes = (ended, _note(bid, options), *((twice,) if twice else ()))
    return _result(
        winner, hands, made=points(declarer, stakes, options, won=won), notes=notes, bid=bid, stake=options.stake
    )


def unplayed(bid: Bid, hands: tuple[Cards, ...], options: Options) -> Result:
    """Return the result of a hand with a single caller (O7.2).

    Each opponent pays one stake, never doubled.
    """
    declarer = bid.declarer
    assert declarer is not None
    note = Note("O7.2", ALONE, (("seat", Seat(declarer)), ("stakes", 1)))
    return _result(
        declarer, hands, made=points(declarer, 1, options, won=True), notes=(note,), bid=bid, stake=options.stake
    )


def _note(bid: Bid, options: Options) -> Note:
    """Return the note on the stakes of the hand, before doubling."""
    assert bid.declarer is not None
    values = (("seat", Seat(bid.declarer)), ("stakes", bid.stakes(options)), ("callers", len(bid.calls)))
    simplified = options.scoring == "simplified"
    if bid.calls:
        return Note("O8.3" if simplified else "O8.1", CALLED, values)
    return Note("O8.3" if simplified else "O8.2", DECLARED, values)
