"""The review of an ended match or hand.

A few findings, each with a button to its moment in the replay.

The texts are short, and blame nobody. Each says what lay on the table, what the player did, and what was better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.domain.ids import TableId
from bot.domain.message_ids import N_
from bot.rules.core.asks import Ask, ChooseAsk, Give, GiveAsk, Name, NameAsk, Pass
from bot.rules.core.sentences import Seat
from bot.rules.core.trick import Combo
from bot.rules.matches.review import Chosen, ReviewFinding, Situation
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import (
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    line,
    lines,
    option,
    private,
    row,
    select,
    small,
    text_with_button,
)
from bot.show.kit.play_names import plate_name
from bot.show.kit.words import EMOJI_AT_END, MessageText, Words, join
from bot.show.matches.replay import CLOSELY, MOMENT, MORE, hand_page, match_page
from bot.show.table import questions

HANDS = 25  # to choose from
FINDINGS_PER_PAGE = 3
MAX_CARDS_SHOWN = 5  # of a play in a finding; plays of more cards are named
AS_WELL = N_("No mistakes found. Our strongest bot would have played it much the same way.")
NOTHING = N_("Nothing stood out in this match.")
CLOSER = N_("Review a single hand for a closer look.")


class Phrasing(NamedTuple):
    """A sentence about the reader, and the same about anybody else."""

    you: str
    they: str


PASSED = Phrasing(N_("{where} you passed"), N_("{where} {seat} passed"))
PLAYED = Phrasing(N_("{where} you played {what}"), N_("{where} {seat} played {what}"))
GAVE = Phrasing(N_("Asked for a card back, you gave {what}"), N_("Asked for a card back, {seat} gave {what}"))
ANSWERED = Phrasing(N_("Asked “{question}” you answered “{what}”"), N_("Asked “{question}” {seat} answered “{what}”"))
OVERTOOK = Phrasing(N_("You overtook {other} here."), N_("{seat} overtook {other} here."))


def review(
    table: TableId,
    name: MessageText,
    found: Sequence[ReviewFinding],
    page: int,
    *,
    w: Words,
    hands: int = 0,
    reader: int | None = None,
) -> PrivateScreen:
    """Return a page of findings; page: from 0, limited to the existing ones.

    name: of the match. hands: the number of hands that can be looked at closely. reader: the reader's seat.
    """
    page = max(0, min(page, (len(found) - 1) // FINDINGS_PER_PAGE))
    here = range(page * FINDINGS_PER_PAGE, min(len(found), (page + 1) * FINDINGS_PER_PAGE))
    told = FindingWords.of(w, reader)
    return private(
        Accent.OVER,
        lines("### " + w("Review match"), small(name)),
        *_lines(table, [(at, found[at]) for at in here], match_page(page), told, with_hand=True),
        None if found else lines(w(NOTHING), w(CLOSER) if hands else None),
        line(),
        row(
            button(w("Back"), Browse.to(MORE, table, page - 1)) if page else None,
            button(w("More"), Browse.to(MORE, table, page + 1)) if here.stop < len(found) else None,
        ),
        _hands(table, hands, w),
    )


def closely(
    table: TableId,
    name: MessageText,
    number: int,
    found: Sequence[ReviewFinding],
    *,
    w: Words,
    hands: int,
    is_running: bool = False,
    reader: int | None = None,
) -> PrivateScreen:
    """Return the best house player's choices in a hand, with their expected gain.

    Arguments as in ``review``. is_running: the match is still running, and no other part can be reviewed yet.
    """
    told = FindingWords.of(w, reader)
    return private(
        Accent.OVER,
        lines("### " + w("Review of hand {hand}", hand=number), small(name)),
        *_lines(table, list(enumerate(found)), hand_page(number), told, with_hand=False),
        None if found else w(AS_WELL),
        line(),
        None if is_running else row(button(w("Review match"), Browse.to(MORE, table, 0))),
        None if is_running and hands == 1 else _hands(table, hands, w),
    )


def _hands(table: TableId, hands: int, w: Words) -> Row | None:
    """Return the menu of hands; if too many, the last ones."""
    last = range(max(1, hands - HANDS + 1), hands + 1)
    options = [option(w("Hand {hand}", hand=number), str(number)) for number in last]
    return select(Browse.to(CLOSELY, table), w("Review a hand"), options)


def _lines(
    table: TableId, found: Sequence[tuple[int, ReviewFinding]], page: str, told: FindingWords, *, with_hand: bool
) -> Iterator[Block]:
    """Yield each finding with its button.

    The number keeps custom ids of the same step distinct.
    """
    for at, finding in found:
        shown = Browse.to(MOMENT, table, finding.step, at, finding.seat, page)
        text = lines(small(_place(finding, told.w, with_hand=with_hand)), told.finding(finding))
        yield text_with_button(text or "", button(told.w("Show me"), shown))


def _place(finding: ReviewFinding, w: Words, *, with_hand: bool) -> MessageText:
    hand = w("Hand {hand}", hand=finding.hand) if with_hand else MessageText()
    return join((hand, w("move {n}", n=finding.step)))


class FindingWords(NamedTuple):
    """The sentences of findings for one reader.

    reader: the reader's seat, None for a spectator.
    """

    w: Words
    reader: int | None

    @classmethod
    def of(cls, w: Words, reader: int | None) -> FindingWords:
        """Return the sentences, in which bots go by their bare names: "Rosa's 10♣"."""
        return cls(replace(w, chairs=tuple(replace(chair, house=False) for chair in w.chairs)), reader)

    def finding(self, finding: ReviewFinding) -> MessageText:
        """Return a finding.

        The situation, what the player did, and what was better, by how much if known.
        """
        if finding.kind == "overtaken":
            return self._overtaken(finding)
        did, better = self._did(finding), self._better(finding)
        if EMOJI_AT_END.search(did):  # a semicolon could stand alone on the next line
            return join((did, better), by="\n")
        return self.w("{did}; {better}", did=did, better=better)

    def _overtaken(self, finding: ReviewFinding) -> MessageText:
        other = self._who(finding.other or 0)
        if finding.done is None:
            return self._say(OVERTOOK, finding.seat, other=other)
        return self.w("{did} and overtook {other}.", did=self._did(finding), other=other)

    def _say(self, phrasing: Phrasing, seat: int, **values: MessageText) -> MessageText:
        if seat == self.reader:
            return self.w(phrasing.you, **values)
        return self.w(phrasing.they, seat=Seat(seat), **values)

    def _who(self, seat: int) -> MessageText:
        return self.w("you") if seat == self.reader else self.w.seat(seat)

    # What the player did

    def _did(self, finding: ReviewFinding) -> MessageText:
        situation, done, seat = finding.situation, finding.done, finding.seat
        assert situation is not None
        assert done is not None
        if isinstance(situation.ask, GiveAsk):
            return self._say(GAVE, seat, what=self._choice(situation.ask, done))
        if isinstance(situation.ask, ChooseAsk | NameAsk):
            asked = self._question(situation.ask)
            return self._say(ANSWERED, seat, question=asked, what=self._choice(situation.ask, done))
        where = self._where(situation)
        if isinstance(done, Pass):
            return self._say(PASSED, seat, where=where)
        return self._say(PLAYED, seat, where=where, what=self._choice(situation.ask, done, finding.best))

    def _where(self, situation: Situation) -> MessageText:
        top, owner = situation.top, situation.owner
        if top is None or owner is None:
            return self.w("Leading,")
        play = self._choice(situation.ask, top)
        if situation.is_a_round:
            return self.w("In an A-round, after {owner}'s {play}", owner=Seat(owner), play=play)
        if owner == self.reader:
            return self.w("On your {play}", play=play)
        return self.w("On {owner}'s {play}", owner=Seat(owner), play=play)

    def _question(self, ask: ChooseAsk | NameAsk) -> MessageText:
        """Return the bare question, without what the screen of the hand explains beside it."""
        return self.w(ask.short or ask.question.sentence, **dict(ask.question.values))

    # What was better

    def _better(self, finding: ReviewFinding) -> MessageText:
        w, what = self.w, self._best(finding)
        if finding.gain is None:
            return w("{what} was better.", what=what)
        return w("{what} was better by {points} points.", what=what, points=MessageText(f"{finding.gain:.1f}"))

    def _best(self, finding: ReviewFinding) -> MessageText:
        situation, best, w = finding.situation, finding.best, self.w
        assert situation is not None
        assert best is not None
        said = self._choice(situation.ask, best, finding.done)
        if isinstance(situation.ask, ChooseAsk | NameAsk):
            return w("“{answer}”", answer=said)
        return w("going out with {play}", play=said) if finding.kind == "out" else said

    def _choice(self, ask: Ask | None, chosen: Chosen, other: Chosen | None = None) -> MessageText:
        """Return what was chosen, in the words of its question.

        other: a choice that has to read differently.
        """
        w = self.w
        match chosen:
            case Combo():
                return _play(chosen, other if isinstance(other, Combo) else None, w)
            case Give(cards=cards):
                return MessageText(w.faces.show(cards))
            case Name(card=card) if isinstance(ask, NameAsk):
                return w(ask.sentence, card=card)
            case Pass() if isinstance(ask, NameAsk):
                return w("Pass")
            case Pass():
                return w("passing")
        codes = getattr(chosen, "codes", ())
        answers = ask.offered if isinstance(ask, ChooseAsk) else ()
        return next((questions.said(answer, w) for answer in answers if answer.codes == codes), MessageText())


def _play(combo: Combo, other: Combo | None, w: Words) -> MessageText:
    """Return the cards of a play.

    Of many cards its name, unless the other play has the same one.
    """
    name = plate_name(combo, w) if combo.kind in w.kinds else MessageText()
    if len(combo.cards) <= MAX_CARDS_SHOWN or not name or (other and plate_name(other, w) == name):
        return MessageText(w.faces.show(combo.cards))
    return name
