"""The one way in which components are addressed: by custom_id alone, which says what a click means and nothing else.

Knows two forms: what is about a table (``bg:``), and anything else (``bv:``). What stays on a screen keeps its
address, for people click on what they saw and Discord may refuse an address that the message no longer has: so a
component names its table and what it is for, and beyond that only what its click depends on, see ``Press.at``. No card
stands in an address. Those of earlier releases are understood too, see old_ids. Refuses to know what a verb does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from bot.domain.ids import TableId
from bot.rules.core.cards import Cards
from bot.show.kit.card_codes import LIMIT

MOST = 2**63 - 1  # the number of a table: no store knows more
TEMPLATE = (
    r"bg:(?P<table>\d{1,19}):(?P<verb>[a-z_]+)"
    r"(?::(?P<at>\d{1,10})(?:-(?P<within>\d{1,10}))?(?:\.(?P<part>\d{1,3}))?)?"
)
BROWSE_TEMPLATE = r"bv:(?P<verb>[a-z_]+)(?P<args>(?::[0-9A-Za-z_-]*)*)"


class Verb(StrEnum):
    """What a component about a table asks for."""

    JOIN = "join"
    LEAVE = "leave"
    LEAVE_NOW = "leave_now"  # after the question whether they are sure
    ADD = "add"
    LEVEL = "level"  # a select: let house players play at this level
    SAME_CARDS = "same_cards"  # of a hand that one practises, once more
    UNDO = "undo"  # take back what one has done last where one practises
    NEXT_LEVEL = "next_level"  # a select: let house players of the next hands that one practises play at this level
    REMOVE = "remove"  # show who can be removed
    SEATS = "seats"  # a select: remove these
    AGREE = "agree"  # to the rules in the lobby
    TERMS = "terms"  # show all that is agreed to in the lobby
    INVITE = "invite"  # show whom one can call to the lobby
    CALL = "call"  # a select: call these people
    CALL_ROLE = "call_role"  # a select: call this role
    CUT = "cut"  # show how one puts a word on top of the seed; with ``at``, put that one there
    CUT_TYPED = "cut_typed"  # ask for a word of one's own
    START = "start"
    PLAY_NOW = "play_now"  # fill up with house players and start
    CANCEL = "cancel"  # close the lobby, after a question where others sit there
    CLOSE_NOW = "close_now"
    RULES = "rules"
    CHANGE = "change"  # open the menu of rule options
    HAND = "hand"  # open a fresh private hand
    REFRESH = "refresh"  # draw the private hand again, where it is
    PLAY = "play"  # the cards that are picked
    OFFER = "offer"  # play at once what stands ready at place ``part``
    SURE = "sure"  # do what the cards are picked for, after the question whether they are sure
    PLAYS = "plays"  # a select: pick the cards of the chosen play
    GIVE = "give"  # the cards that are picked
    NAME = "name"  # the card that is picked, which need not be in the hand
    PASS = "pass"  # a word of card players
    PASS_ON = "pass_on"  # until one can play; as part 1 no more
    BEFORE = "before"  # say beforehand what stands at place ``part`` among what can be said with one tap
    ORDERS = "orders"  # a select: say this beforehand
    UNSAY = "unsay"  # take back what stands at place ``part`` among what can be said beforehand
    LAST = "last"
    WHY = "why"  # show the article by which what is picked cannot be played
    HINT = "hint"  # say what a house player would do: which kind of play, as part 1 which cards, as 2 why
    BY_SUIT = "by_suit"
    BY_RANK = "by_rank"
    SETTINGS = "settings"  # show how somebody likes their cards, in the place of their hand
    TEXT_ONLY = "text_only"  # begin or stop showing cards as text
    FOUR_COLOURS = "four_colours"  # begin or stop showing each suit in a colour of its own
    CONFIRM = "confirm"  # begin or stop asking before cards are played
    LARGE = "large"  # begin or stop showing the hand large as well
    PICK = "pick"  # a select: these of its cards are now picked
    CARD = "card"  # pick the card at place ``part`` of the pack, or let it go
    SUIT = "suit"  # of a card to be named: the one at place ``part`` of the four
    MORE = "more"  # what else can be done with a private hand, in its place
    READY = "ready"
    STOP = "stop"  # end a match before it ends by itself, if ever it does
    STOP_NOW = "stop_now"  # after the question whether they are sure
    BACK = "back"  # take the seat back from the house player
    OFFER_SEAT = "offer_seat"  # let somebody else take one's seat; as 0 nobody any more
    OFFER_FOR = "offer_for"  # a select: let somebody else take the seat of these, as a moderator
    SIT_IN = "sit_in"  # take the offered seat ``at``
    QUICK = "quick"  # play on live, as soon as all want that
    SLOWLY = "slowly"  # go on at the table's own pace
    REMATCH = "rematch"
    FOLLOW = "follow"  # tell whoever does not sit there what happens; as 0 no more
    WATCH = "watch"  # step through the match that has ended
    SHARE = "share"  # get the end card to show it elsewhere
    SETTLE = "settle"  # show who pays whom
    CHECK = "check"  # show what was settled before the first card, and what is opened of it
    MIRROR = "mirror"  # begin or stop sending the hand by direct message
    CHOOSE = "choose"  # answer with what stands at place ``part`` among the answers
    MENU = "menu"  # what can be done to this table, here and below mostly by moderators
    PAUSE = "pause"
    RESUME = "resume"
    REDRAW = "redraw"  # post the board anew
    END = "end"  # ask whether they are sure, here and below
    END_NOW = "end_now"
    CALL_OFF = "call_off"
    CALL_OFF_NOW = "call_off_now"
    EXPEL = "expel"  # a select: remove these players for a day
    GRANT = "grant"  # give whoever is to move more time
    AWAKE = "awake"  # show at which hours how many have time; as 1 what one has said oneself
    PROPOSE = "propose"  # a select: ask whether everybody shall be asked for what stands at this place
    PROPOSE_NOW = "propose_now"  # ask everybody for what stands at place ``part``, here and in the two below
    AYE = "aye"  # agree to that
    NAY = "nay"  # let nothing come of it
    IM_BACK = "im_back"  # from a break that all have agreed to
    ORDER = "order"  # a select: the codes of what is said beforehand


VERBS = frozenset(map(str, Verb))
# They carry the decision they make: once anything has happened since, it is too late for them.
DECIDING = (Verb.PASS, Verb.PLAY, Verb.SURE, Verb.OFFER, Verb.GIVE, Verb.NAME, Verb.CHOOSE)


class Unaddressed(ValueError):
    """Text that is no custom_id of ours."""


def table_number(text: str) -> TableId:
    """Return the number of a table that somebody has chosen. Raises ValueError for what no store knows."""
    number = int(text)
    if not 0 <= number <= MOST:
        raise ValueError(text)
    return TableId(number)


@dataclass(frozen=True, slots=True)
class Press:
    """A button or select about a table.

    at: what its click depends on, where it depends on anything: the moment of the decision that Pass, Play, Give, Name
    and Choose make, and of the question before the end, and in which all were asked for something; the deal that is
    picked from, ordered for or followed by Ready; the count that Join, Agree and Start agree to. part: tells several
    with one verb apart. cards: only in an address of an earlier release. within: what it depends on within the deal:
    the trick that an order is for, or the question for which cards are picked that are not to be played.
    """

    table: TableId
    verb: Verb
    at: int | None = None
    part: int = 0
    cards: Cards | None = field(default=None, repr=False)
    within: int | None = None

    def __str__(self) -> str:
        head = f"bg:{self.table}:{self.verb}"
        if self.at is None:
            return head
        within = "" if self.within is None else f"-{self.within}"
        return f"{head}:{self.at}{within}.{self.part}" if self.part else f"{head}:{self.at}{within}"

    @classmethod
    def read(cls, text: str) -> Press:
        """Return the component with this custom_id; the inverse of ``str``. Raises Unaddressed."""
        found = re.fullmatch(TEMPLATE, text)
        if found is None or found["verb"] not in VERBS or int(found["table"]) > MOST:
            raise Unaddressed(text)
        at = int(found["at"]) if found["at"] else None
        within = int(found["within"]) if found["within"] else None
        return cls(TableId(int(found["table"])), Verb(found["verb"]), at, int(found["part"] or 0), within=within)


@dataclass(frozen=True, slots=True)
class Browse:
    """A component of a screen that is not about a running table: what it opens, and plain words that say which."""

    verb: str
    args: tuple[str, ...] = ()

    @classmethod
    def to(cls, verb: str, *args: object) -> Browse:
        """Return the address with its arguments written out."""
        return cls(verb, tuple(map(str, args)))

    @property
    def table(self) -> TableId:
        """The table that the first word stands for, where one does."""
        return TableId(int(self.args[0]))

    def __str__(self) -> str:
        text = ":".join(("bv", self.verb, *self.args))
        if not re.fullmatch(BROWSE_TEMPLATE, text) or len(text) > LIMIT:
            raise ValueError(f"not fit for a custom_id: {text}")
        return text

    @classmethod
    def read(cls, text: str) -> Browse:
        """Return the address written by ``str``. Raises Unaddressed."""
        found = re.fullmatch(BROWSE_TEMPLATE, text)
        if found is None:
            raise Unaddressed(text)
        return cls(found["verb"], tuple(found["args"].split(":")[1:]))
