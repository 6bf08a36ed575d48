"""Votes at a table, which need the agreement of all players.

Shows how to open a vote, the text of a vote, and the buttons to answer.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.chairs import DISCARDING_VOTES, PACE_VOTES, Vote, pace_after_vote
from bot.domain.message_ids import N_
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import (
    MAX_COMPONENTS,
    Accent,
    Block,
    PrivateScreen,
    Row,
    back_to_hand,
    button,
    count_components,
    option,
    private,
    row,
    select,
    small,
)
from bot.show.kit.words import MessageText, Words, sentences
from bot.show.table import paces

STOPS: tuple[Vote, ...] = ("pause", "again", "concede", "cancel", "end")
KINDS: tuple[Vote, ...] = (*STOPS, *PACE_VOTES)  # custom ids contain places in this tuple
BALLOT = 100  # parts from here on: custom ids with the number of a vote; below: older ones with a moment
PACE = "pace"  # the menu value that stands for all paces
LABELS = {
    "pause": N_("Take a break"),
    "again": N_("Deal this hand again"),
    "concede": N_("Give up"),
    "cancel": N_("Cancel the match"),
    "end": N_("End the match here"),
}
MEANINGS = {
    "pause": N_("All clocks stop until everyone's back"),
    "again": N_("This hand doesn't count"),
    "concede": N_("The match ends and you come last"),
    "cancel": N_("Nothing counts"),
    "end": N_("What was played counts"),
}
QUESTIONS = {
    "pause": N_(
        "Ask everyone for a break? Once they all agree, the clocks stop until everyone's back, for a week at most."
    ),
    "again": N_("Ask everyone to redeal this hand? Once they all agree, it's dealt again, and it doesn't count."),
    "concede": N_("Give up? Once everyone agrees, the match ends here and you come last. What was played counts."),
    "cancel": N_("Ask everyone to cancel the match? Once they all agree, nothing counts."),
}
PLAY_ON, MORE_OR_LESS = N_("Another pace"), N_("More time per move, or less")
TO_PACE = N_("Ask everyone to change the pace? Once they all agree, the new pace is: {pace}.")
ASKED = {
    "pause": N_("{seats} would like a break."),
    "again": N_("{seats} would like this hand dealt again."),
    "concede": N_("{seats} would like to give up: the match would end here."),
    "cancel": N_("{seats} would like to cancel the match."),
    "end": N_("{seats} would like to end the match here."),
}

CALLED = {
    "pause": N_("{seats} would like a break: the clocks stop until everyone's back."),
    "again": N_("{seats} would like this hand dealt again: it wouldn't count."),
    "concede": N_("{seats} would like to give up: the match would end here, with {seats} last."),
    "cancel": N_("{seats} would like to cancel the match: nothing would count."),
    "end": N_("{seats} would like to end the match here: what was played would count."),
}
BACK_ON_BOARD = N_("Back? Press I'm back on the board.")


def choices(scene: Scene, w: Words) -> Row | None:
    """Return the select of votes that the viewer can open; None without any."""
    plays = scene.seat is not None and not scene.chairs[scene.seat].house
    if (
        not plays
        or scene.where.solo
        or scene.stage not in ("playing", "between")
        or scene.wait.paused
        or scene.wait.vote
    ):
        return None
    options = [
        option(w.for_labels()(LABELS[vote]), str(at), w.for_labels()(MEANINGS[vote]))
        for at, vote in enumerate(STOPS)
        if _sensible(scene, vote)
    ]
    if not scene.wait.in_live_session:
        options.append(option(w.for_labels()(PLAY_ON), PACE, w.for_labels()(MORE_OR_LESS)))
    return select(Press(scene.where.table, Verb.PROPOSE), w("Ask everyone for…"), options)


def _sensible(scene: Scene, vote: Vote) -> bool:
    if vote in DISCARDING_VOTES and scene.terms.counts and any(chair.has_no_say for chair in scene.chairs):
        return False
    if vote == "again":
        return scene.stage == "playing" and scene.where.duplicate is None
    return vote != "concede" or len(scene.tally.course) > 1


def question(scene: Scene, vote: Vote, w: Words) -> PrivateScreen:
    """Return the confirmation before opening a vote; for the end of a match see ``notices``."""
    alone = not scene.wait.undecided - {scene.seat}
    press = Press(scene.where.table, Verb.PROPOSE_NOW, at=scene.moment, part=KINDS.index(vote))
    ask = button(w(LABELS.get(vote, PLAY_ON)) if alone else w("Ask everyone"), press, ButtonStyle.primary)
    return private(Accent.CLOSED, *_question(scene, vote, w), row(ask, back_to_hand(scene.where.table, w)))


def _question(scene: Scene, vote: Vote, w: Words) -> list[Block]:
    if vote not in PACE_VOTES:
        return [w(QUESTIONS[vote])]
    then = pace_after_vote(scene.terms.pace, vote)
    return [w(TO_PACE, pace=paces.name(then, w)), small(w(paces.MEANING[then.kind]))]


def offered(scene: Scene, w: Words) -> Container[str]:
    """Return the menu values that the viewer may choose now to open a vote."""
    if choices(scene, w) is None:
        return ()
    return {PACE, *(str(at) for at, vote in enumerate(KINDS) if vote in PACE_VOTES or _sensible(scene, vote))}


def which_pace(scene: Scene, w: Words) -> PrivateScreen:
    """Return the choice of a pace to vote on."""
    offered = [
        option(paces.name(known, w.for_labels()), str(KINDS.index(vote)), w.for_labels()(paces.MEANING[known.kind]))
        for vote, known in PACE_VOTES.items()
        if known.kind in scene.terms.server.paces() and pace_after_vote(scene.terms.pace, vote) != scene.terms.pace
    ]
    return private(
        Accent.CLOSED,
        w("Your pace now: {pace}. Once everyone agrees, it changes.", pace=paces.pace(scene.terms, w)),
        select(Press(scene.where.table, Verb.PROPOSE), w("Choose the pace"), offered),
        row(back_to_hand(scene.where.table, w)),
    )


def agreed(w: Words) -> MessageText:
    """Return the message after a unanimous vote has ended a match."""
    return w("Everyone agrees.")


def open_vote(scene: Scene, w: Words) -> MessageText:
    """Return the open vote and the missing agreements; empty without a vote."""
    if not scene.wait.vote or scene.wait.paused:
        return MessageText()
    between = scene.stage == "between"
    over = w("Press Ready to continue.") if between else w("If anyone plays a card first, the request is off.")
    return sentences((_wish(scene, w), _missing_agreements(scene, w), over))


def _wish(scene: Scene, w: Words) -> MessageText:
    """Return who asks for what."""
    vote, first = scene.wait.vote, _askers(scene)
    return w(ASKED[vote], seats=phrases.seats(first)) if vote in ASKED else _pace_asked(scene, first, w)


def _missing_agreements(scene: Scene, w: Words) -> MessageText:
    """Return whose agreement is missing, and what happens without an answer."""
    undecided, others = scene.wait.undecided, phrases.seats(scene.wait.undecided)
    if when := phrases.silence(scene):
        return w.n(
            "It ends when {others} agrees too, or {when} if nobody objects.",
            "It ends when {others} agree too, or {when} if nobody objects.",
            2 if undecided == {scene.seat} else len(undecided),  # "you agree"
            others=others,
            when=when,
        )
    if undecided == {scene.seat}:
        return w("Do you agree?")
    return w("Waiting for {others} to agree.", others=others)


def _askers(scene: Scene) -> list[int]:
    """Return the seats that ask for the vote."""
    return [chair.seat for chair in scene.chairs if chair.vote == scene.wait.vote]


def vote_call(scene: Scene, w: Words) -> MessageText:
    """Return who asks for what, and the consequence, for players called to a vote."""
    vote, first = scene.wait.vote, _askers(scene)
    return w(CALLED[vote], seats=phrases.seats(first)) if vote in CALLED else _pace_asked(scene, first, w)


def _pace_asked(scene: Scene, first: list[int], w: Words) -> MessageText:
    then = PACE_VOTES[scene.wait.vote]
    return w("{seats} would like another pace: {pace}.", seats=phrases.seats(first), pace=paces.name(then, w))


def on_board(scene: Scene, w: Words) -> list[Block]:
    """Return the open vote and its buttons, to put below a board."""
    if not scene.wait.vote:
        return []
    if _back_from_break(scene):
        return [row(_here(scene, w))]
    ready = scene.stage == "between" and scene.wait.vote == "end"  # Ready declines that vote; the board has its button
    if ready or not _runs(scene):
        return []
    said = open_vote(scene, w) if scene.stage == "playing" else None
    return [said, row(_aye(scene, w), _nay(scene, w("No")))]


def in_hand(scene: Scene, w: Words, room: int = MAX_COMPONENTS) -> list[Block]:
    """Return the open vote and the viewer's buttons, to put below a hand.

    room: the number of components that the message has left. If that is too small for the buttons, a line points to
    those of the board; so nothing above moves. Without any room, `in_status` has the vote.
    """
    if not _concerns_viewer(scene):
        return []
    whole, line = _back_in_hand(scene, w) if _back_from_break(scene) else _vote_in_hand(scene, w)
    if count_components(whole) <= room:
        return whole
    return [line] if room > 0 else []


def in_status(scene: Scene, w: Words) -> MessageText | None:
    """Return the open vote in a sentence or two, for the status of a hand.

    Returns None without a vote that concerns the viewer.
    """
    if not _concerns_viewer(scene):
        return None
    theirs = scene.seat in scene.wait.agreeing
    if _back_from_break(scene):
        return w(BACK_ON_BOARD) if theirs else None
    if not _runs(scene):
        return None
    return sentences((_wish(scene, w), _missing_agreements(scene, w) if theirs else w("Answer on the board.")))


def _concerns_viewer(scene: Scene) -> bool:
    """Tell whether a vote is open at the table, and the viewer has a say."""
    return bool(scene.wait.vote) and scene.seat is not None and not scene.chairs[scene.seat].house


def _back_in_hand(scene: Scene, w: Words) -> tuple[list[Block], str | None]:
    """Return the viewer's way back from a break, and the same in a line."""
    if scene.seat not in scene.wait.agreeing:
        return [], None
    return [row(_here(scene, w))], small(w(BACK_ON_BOARD))


def _vote_in_hand(scene: Scene, w: Words) -> tuple[list[Block], str | None]:
    """Return the open vote with the viewer's buttons, and the same in a line."""
    if not _runs(scene):
        return [], None
    theirs = scene.seat in scene.wait.agreeing
    buttons = [_nay(scene, w("Withdraw"))] if theirs else [_aye(scene, w), _nay(scene, w("No"))]
    asked = open_vote(scene, w)
    line = asked if theirs else sentences((asked, w("Answer on the board.")))
    return [small(asked) if scene.stage == "playing" else None, row(*buttons)], small(line)


def _runs(scene: Scene) -> bool:
    return scene.stage in ("playing", "between") and not scene.wait.paused


def _back_from_break(scene: Scene) -> bool:
    return scene.wait.paused is not None and not scene.wait.suspended and scene.wait.vote == "pause"


def below_call(scene: Scene, w: Words) -> list[ui.Button[Any]]:
    """Return the buttons for players called to a vote."""
    return [_aye(scene, w), _nay(scene, w("No"))]


def _aye(scene: Scene, w: Words) -> ui.Button[Any]:
    return button(w("I agree"), _answer(scene, Verb.AYE), ButtonStyle.success)


def _nay(scene: Scene, text: str) -> ui.Button[Any]:
    return button(text, _answer(scene, Verb.NAY))


def _here(scene: Scene, w: Words) -> ui.Button[Any]:
    return button(w("I'm back"), _answer(scene, Verb.RETURN_FROM_BREAK), ButtonStyle.success)


def _answer(scene: Scene, verb: Verb) -> Press:
    """Return the custom id of an answer to the open vote, valid for this vote alone."""
    return Press(scene.where.table, verb, at=scene.wait.ballot, part=BALLOT + KINDS.index(scene.wait.vote))
