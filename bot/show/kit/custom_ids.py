"""The custom ids of components, today's and old ones: the whole meaning of a click."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum

from bot.domain.ids import TableId
from bot.rules.core.cards import Cards
from bot.show.kit.card_codes import LIMIT, split

MAX_TABLE_ID = 2**63 - 1  # the highest table number of any database
TEMPLATE = (
    r"bg:(?P<table>\d{1,19}):(?P<verb>[a-z_]+)"
    r"(?::(?P<at>\d{1,10})(?:-(?P<within>\d{1,10}))?(?:\.(?P<part>\d{1,3}))?)?"
)
BROWSE_TEMPLATE = r"bv:(?P<verb>[a-z_]+)(?P<args>(?::[0-9A-Za-z_-]*)*)"


class Verb(StrEnum):
    """The request of a component about a table."""

    JOIN = "join"
    LEAVE = "leave"
    LEAVE_NOW = "leave_now"  # leave after the confirmation
    ADD = "add"
    LEVEL = "level"  # a select: the level of house players
    LENGTH = "length"  # a select: the length of the match, in the lobby
    PACE = "pace"  # a select: the pace, in the lobby
    SAME_CARDS = "same_cards"  # practise the same hand once more
    UNDO = "undo"  # take back the viewer's latest action in practice
    NEXT_LEVEL = "next_level"  # a select: the level of house players in the next practice hands
    REMOVE = "remove"  # show the removable players
    SEATS = "seats"  # a select: remove these players
    AGREE = "agree"  # agree to the rules in the lobby
    TERMS = "terms"  # show the complete terms in the lobby
    INVITE = "invite"  # show whom to invite to the lobby
    CALL = "call"  # a select: invite these people
    CALL_ROLE = "call_role"  # a select: invite this role
    DECLINE = "decline"  # turn an invitation to a lobby, or the call to a rematch, down
    CUT = "cut"  # show how to cut the cards; with ``at``, cut with this word
    CUT_TYPED = "cut_typed"  # ask for a typed word to cut with
    START = "start"
    PLAY_NOW = "play_now"  # fill up with house players and start
    CANCEL = "cancel"  # close the lobby, after a confirmation if others sit there
    CLOSE_NOW = "close_now"
    RULES = "rules"
    CHANGE = "change"  # open the menu of rule options
    HAND = "hand"  # open a fresh private hand
    REFRESH = "refresh"  # redraw the private hand in place
    PLAY = "play"  # play the selected cards
    OFFER = "offer"  # play the offered play number ``part`` at once
    SURE = "sure"  # play, give or name the selected cards, after the confirmation
    PLAYS = "plays"  # a select: select the cards of this play
    GIVE = "give"  # give the selected cards
    NAME = "name"  # name the selected card, which need not be in the hand
    PASS = "pass"  # a card players' term
    PASS_ON = "pass_on"  # pass until able to play; as part 1 stop passing
    QUEUE_PREMOVE = "before"  # queue the one-tap premove at place ``part`` of the kinds
    PREMOVE_MENU = "orders"  # a select: queue this premove
    WITHDRAW_PREMOVE = "unsay"  # withdraw the premove at place ``part`` of the kinds
    LAST = "last"
    WHY = "why"  # show the article that forbids the selected play
    HINT = "hint"  # hint at a house player's choice: the kind of play, as part 1 the cards, as 2 the reason
    BY_SUIT = "by_suit"
    BY_RANK = "by_rank"
    SETTINGS = "settings"  # show the card preferences in place of the hand
    TEXT_ONLY = "text_only"  # toggle cards as text
    FOUR_COLOURS = "four_colours"  # the four-colour deck (at=1) or the two-colour deck (at=0)
    CONFIRM = "confirm"  # toggle the confirmation before a play
    LARGE = "large"  # toggle the large display of the hand
    PICK = "pick"  # a select: the selected cards among its options
    CARD = "card"  # select or deselect the card at place ``part`` of the pack
    SUIT = "suit"  # for naming a card: the suit at place ``part`` of the four
    MORE = "more"  # open the menu of a private hand, in its place
    READY = "ready"
    STOP = "stop"  # end a match early, or one without an end of its own
    STOP_NOW = "stop_now"  # stop after the confirmation
    BACK = "back"  # take the seat back from the house player
    OFFER_SEAT = "offer_seat"  # offer the viewer's own seat to a substitute; as 0 withdraw the offer
    OFFER_FOR = "offer_for"  # a select: as a moderator, offer this player's seat to a substitute
    SIT_IN = "sit_in"  # take the offered seat ``at``
    LIVE_PLAY = "quick"  # ask for live play, which begins once all players want it
    OWN_PACE = "slowly"  # return to the table's own pace
    REACT = "react"  # show the reactions to choose from
    REACTED = "reacted"  # show the reaction at place ``part`` on the viewer's seat
    REMATCH = "rematch"
    FOLLOW = "follow"  # notify a person without a seat of this table's events; as 0 stop
    WAIT_FOR_SEAT = "plus_one"  # get in line for the next free seat; as 0 leave the line
    TAKE_SEAT = "take_seat"  # take the seat that a person in line is asked to take
    WATCH = "watch"  # step through the replay of an ended match
    SHARE = "share"  # ask where to share the end card
    POST_END = "post_end"  # post the end card in the channel
    KEEP_END = "keep_end"  # get the end card to show elsewhere
    SETTLE = "settle"  # show the debts
    CHECK = "check"  # show the commitment to the deals, and the links opened so far
    MIRROR = "mirror"  # toggle the hand by direct message
    CHOOSE = "choose"  # give the answer at place ``part``
    MENU = "menu"  # the table's menu; the next verbs are mostly for moderators
    TOOLS = "tools"  # the actions of moderators
    PAUSE = "pause"
    RESUME = "resume"
    REDRAW = "redraw"  # repost the board
    END = "end"  # ask for confirmation, as does CALL_OFF
    END_NOW = "end_now"
    CALL_OFF = "call_off"
    CALL_OFF_NOW = "call_off_now"
    EXPEL = "expel"  # a select: remove these players for a day
    GRANT = "grant"  # give the player to move more time
    AVAILABILITY = "awake"  # show how many players are available at each hour; as 1 the viewer's own hours
    PROPOSE = "propose"  # a select: confirm before opening the vote at this place
    PROPOSE_NOW = "propose_now"  # open the vote ``part`` for all players; the next two verbs answer that vote
    AYE = "aye"  # agree to the vote
    NAY = "nay"  # decline the vote
    RETURN_FROM_BREAK = "im_back"  # return from an agreed break
    QUEUED_ANSWERS = "order"  # a select: the codes of premoves


VERBS = frozenset(map(str, Verb))
# These carry the moment of their decision: after any later event, the click comes too late.
DECISION_VERBS = (Verb.PASS, Verb.PLAY, Verb.SURE, Verb.OFFER, Verb.GIVE, Verb.NAME, Verb.CHOOSE)


class InvalidCustomId(ValueError):
    """Text that is no custom id of the bot."""


def table_number(text: str) -> TableId:
    """Return the number of a table from user input.

    Raises ValueError outside the range of the database.
    """
    number = int(text)
    if not 0 <= number <= MAX_TABLE_ID:
        raise ValueError(text)
    return TableId(number)


@dataclass(frozen=True, slots=True)
class Press:
    """A button or select about a table.

    at: the click's precondition, if any. For Pass, Play, Give, Name and Choose, the moment of the decision; for the
    question before an end, and for opening a vote, the moment of the question; for answering a vote, its number;
    for selecting cards, premoves, reactions and Ready, the deal; for Join, Agree and Start, the edition of the
    terms. within: a precondition within the deal: the trick of a premove, or the moment of a question for cards to
    give or name. part: tells several components with the same verb apart. cards: only in a custom id of an earlier
    release.
    """

    table: TableId
    verb: Verb
    _: KW_ONLY
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
        """Return the component with this custom id; the inverse of ``str``.

        Raises InvalidCustomId.
        """
        parts = re.fullmatch(TEMPLATE, text)
        if parts is None or parts["verb"] not in VERBS or int(parts["table"]) > MAX_TABLE_ID:
            raise InvalidCustomId(text)
        at = int(parts["at"]) if parts["at"] else None
        within = int(parts["within"]) if parts["within"] else None
        return cls(
            TableId(int(parts["table"])), Verb(parts["verb"]), at=at, part=int(parts["part"] or 0), within=within
        )


@dataclass(frozen=True, slots=True)
class Browse:
    """A component outside a running table: the screen it opens, and that screen's arguments."""

    verb: str
    args: tuple[str, ...] = ()

    @classmethod
    def to(cls, verb: str, *args: object) -> Browse:
        """Return the custom id with its arguments as text."""
        return cls(verb, tuple(map(str, args)))

    @property
    def table(self) -> TableId:
        """The table given by the first argument, if the verb has such an argument."""
        return TableId(int(self.args[0]))

    def __str__(self) -> str:
        text = ":".join(("bv", self.verb, *self.args))
        if not re.fullmatch(BROWSE_TEMPLATE, text) or len(text) > LIMIT:
            raise ValueError(f"not fit for a custom_id: {text}")
        return text

    @classmethod
    def read(cls, text: str) -> Browse:
        """Return the component with this custom id; the inverse of ``str``.

        Raises InvalidCustomId.
        """
        parts = re.fullmatch(BROWSE_TEMPLATE, text)
        if parts is None:
            raise InvalidCustomId(text)
        return cls(parts["verb"], tuple(parts["args"].split(":")[1:]))


FORMER = re.compile(
    r"(?P<kind>b[gp]):(?P<table>\d{1,19}):(?P<moment>\d{1,10}):(?P<verb>[a-z_]+)(?P<part>\d?)(?::(?P<cards>[^:]*))?"
)
PLACED = (Verb.CHOOSE, Verb.PICK)
SELECTS = {Verb.PLAY: Verb.PLAYS, Verb.REMOVE: Verb.SEATS}
UNREACHABLE_MOMENT = 10**9  # a moment no match reaches: such a click always comes too late


def parse_custom_id(text: str) -> Press | Browse:
    """Return the component of a custom id of this or any earlier release.

    Raises InvalidCustomId.
    """
    if text.startswith("bv:"):
        return Browse.read(text)
    with suppress(InvalidCustomId):
        return Press.read(text)
    parts = FORMER.fullmatch(text)
    if parts is None or parts["verb"] not in VERBS or int(parts["table"]) > MAX_TABLE_ID:
        raise InvalidCustomId(text)
    return _of_former_release(parts, Verb(parts["verb"]))


def _of_former_release(parts: re.Match[str], verb: Verb) -> Press:
    cards = _cards(parts["cards"])
    at = None if verb not in DECISION_VERBS else UNREACHABLE_MOMENT if cards is None else int(parts["moment"])
    if parts["kind"] == "bp" and verb in SELECTS:
        verb, at = SELECTS[verb], None
    part = int(parts["part"] or 0) if verb in PLACED else 0
    return Press(TableId(int(parts["table"])), verb, at=at, part=part, cards=cards)


def _cards(text: str | None) -> Cards | None:
    """Return the selected cards; None for cards in an unknown format."""
    try:
        return split(text or "")
    except (KeyError, ValueError):
        return None
