"""Commands: every request to a table, by players, moderators, Discord and the clock.

user: the sender, unless documented otherwise. Private information of the sender stays out of logs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import TypeAlias

from bot.domain.chairs import Level, Vote
from bot.domain.ids import AccessChannel, ChannelId, MessageId, UserId
from bot.domain.message_ids import N_
from bot.domain.pace import Pace
from bot.rules.core.asks import Action
from bot.rules.core.cards import Cards
from bot.rules.core.premoves import PremoveContext, PremoveKind
from bot.rules.variants.ruleset import Ruleset
from bot.table.core.facts import Moves
from bot.table.core.state import Moderator

GONE_BEFORE = N_("{name} isn't on this server any more, so their seat is free.")


# The lobby


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down in the lobby on the wanted seat, or else on the first free one.

    edition: of the terms shown to the player, accepted by joining.
    """

    user: UserId
    name: str
    edition: int
    wanted: int = 0


@dataclass(frozen=True, slots=True)
class Agree:
    """Agree to the terms of the lobby. edition: of the terms shown to the player."""

    user: UserId
    edition: int


@dataclass(frozen=True, slots=True)
class CutCards:
    """Cut the cards with a word, in place of an earlier one; "" takes it back."""

    user: UserId
    word: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Put other rules in force, as the host.

    change: returns the new rules for the present ones; it may raise.
    """

    user: UserId
    change: Callable[[Ruleset], Ruleset]


@dataclass(frozen=True, slots=True)
class ChangePace:
    """Give moves another time, as the host."""

    user: UserId
    pace: Pace


@dataclass(frozen=True, slots=True)
class FollowStakes:
    """Make a lobby follow its server's stakes switch. sent: the key of the asking effect."""

    sent: str = ""


@dataclass(frozen=True, slots=True)
class PlayDuplicate:
    """Let other tables play the same deals, as the host."""

    user: UserId


@dataclass(frozen=True, slots=True)
class AddHousePlayer:
    """Seat a house player, as the host.

    level: the wanted one; a game without it takes the nearest.
    """

    user: UserId
    level: Level


@dataclass(frozen=True, slots=True)
class FillSeats:
    """Put house players on all free seats, as the host."""

    user: UserId
    level: Level


@dataclass(frozen=True, slots=True)
class ChangeLevel:
    """Let the house players of the table play at a level, as the host."""

    user: UserId
    level: Level


@dataclass(frozen=True, slots=True)
class RemovePlayer:
    """Free a seat of the lobby, as the host. name: of the player whom the host saw there."""

    user: UserId
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class CloseLobby:
    """Close the lobby, as the host."""

    user: UserId


@dataclass(frozen=True, slots=True)
class Start:
    """Deal the first hand, as the host.

    home: the thread to play in, None for the lobby's channel. edition: of the terms shown to the host. sent: the key of
    the effect completed by this command.
    """

    user: UserId
    home: ChannelId | None
    edition: int
    sent: str = ""


# The match


@dataclass(frozen=True, slots=True)
class Act:
    """Execute a player's action. moment: of the clicked position; None for a typed command."""

    user: UserId
    action: Action = field(repr=False)
    moment: int | None = None


@dataclass(frozen=True, slots=True)
class ActAsHouse:
    """Execute the actions of house players; nothing after the match has moved on.

    moment, awaited: of the position behind the decision.
    """

    moment: int
    awaited: frozenset[int]
    moves: Moves = field(repr=False)


@dataclass(frozen=True, slots=True)
class SavePremove:
    """Save an action for one's next turn. made_for: the clicked position."""

    user: UserId
    _: KW_ONLY
    kind: PremoveKind = field(repr=False)
    plays: tuple[Cards, ...] = field(default=(), repr=False)
    upto: int = field(default=0, repr=False)
    code: str = field(default="", repr=False)
    made_for: PremoveContext | None = None


@dataclass(frozen=True, slots=True)
class WithdrawPremoves:
    """Withdraw one's premoves of these kinds."""

    user: UserId
    kinds: tuple[PremoveKind, ...] = field(repr=False)
    made_for: PremoveContext | None = None


@dataclass(frozen=True, slots=True)
class GrantTime:
    """Give the awaited player of a slow table more time. moment: of the clicked position."""

    user: UserId
    moment: int | None


@dataclass(frozen=True, slots=True)
class PlayLive:
    """Agree to play a slow table live for now."""

    user: UserId


@dataclass(frozen=True, slots=True)
class EndLiveSession:
    """Take the table back to its own pace."""

    user: UserId


@dataclass(frozen=True, slots=True)
class CastVote:
    """Open a vote, or agree to the open one. first: whether the player means to open the vote."""

    user: UserId
    vote: Vote
    first: bool = False


@dataclass(frozen=True, slots=True)
class Veto:
    """Decline the open vote."""

    user: UserId


@dataclass(frozen=True, slots=True)
class ReturnFromBreak:
    """End one's break in a match paused by agreement."""

    user: UserId


# Seats


@dataclass(frozen=True, slots=True)
class Leave:
    """Give up a seat: in the lobby for good, in a match to a house player.

    In a match the player may take the seat back.
    """

    user: UserId


@dataclass(frozen=True, slots=True)
class RemoveAbsent:
    """Free the seat of a user without access to the server or lobby; nothing without a seat.

    sentence: the notification for the other players of a lobby.
    """

    user: UserId
    sentence: str = GONE_BEFORE


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take one's seat back from a house player or from a substitute's."""

    user: UserId


@dataclass(frozen=True, slots=True)
class OfferSeat:
    """Let another player have one's seat; play on until then."""

    user: UserId


@dataclass(frozen=True, slots=True)
class KeepSeat:
    """Withdraw the offer of one's seat."""

    user: UserId


@dataclass(frozen=True, slots=True)
class Substitute:
    """Take an offered seat. name: of the substitute."""

    user: UserId
    name: str
    seat: int


@dataclass(frozen=True, slots=True)
class Vacate:
    """Continue the match without a player after a data deletion.

    The store has the new chairs already. vote: the player's open vote.
    """

    seat: int
    vote: Vote


# Moderators


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clock of a match, and everybody."""

    by: Moderator


@dataclass(frozen=True, slots=True)
class Resume:
    """Let a paused match go on."""

    by: Moderator


@dataclass(frozen=True, slots=True)
class EndMatch:
    """End a match as it stands."""

    by: Moderator


@dataclass(frozen=True, slots=True)
class CallOff:
    """Close a lobby, or a match without a result."""

    by: Moderator


@dataclass(frozen=True, slots=True)
class Expel:
    """Remove a player from a seat. name: of the player whom the moderator saw there."""

    by: Moderator
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class OfferSeatOf:
    """Offer the seat of an absent player to others.

    name: of the player whom the moderator saw there.
    """

    by: Moderator
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Repost:
    """Repost the board. by: the moderator, None for a player."""

    by: Moderator | None


@dataclass(frozen=True, slots=True)
class MoveTable:
    """Continue in another channel.

    as_host: by the right of the table's host instead of a moderator's.
    """

    by: Moderator
    channel: ChannelId
    as_host: bool = False


# The clock and Discord


@dataclass(frozen=True, slots=True)
class Ring:
    """Do what is due."""


@dataclass(frozen=True, slots=True)
class RecomputeDeadline:
    """Adopt the deadline that follows from changed working hours, or from an outage."""


@dataclass(frozen=True, slots=True)
class AccessFound:
    """Learn whether a late player has lost access to the channel."""

    user: UserId
    lost: bool


@dataclass(frozen=True, slots=True)
class Suspend:
    """Stop the clock of a table in a channel closed to the bot."""


@dataclass(frozen=True, slots=True)
class EndSuspension:
    """Resume a suspended table, after the bot regained write access."""


@dataclass(frozen=True, slots=True)
class LoseChannel:
    """End the table after the loss of its channel, thread or server.

    place: the former place, if known.
    """

    place: AccessChannel | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """Close the table for good, after its only player moved on or its time ended."""


@dataclass(frozen=True, slots=True)
class NoteBoard:
    """Remember the message of the board.

    sent: its key in the outbox. home: the channel in which it was posted.
    """

    home: ChannelId
    message: MessageId
    sent: str


@dataclass(frozen=True, slots=True)
class NoteRatings:
    """Show how the finished match has changed the ratings."""


LobbyCommand: TypeAlias = (
    Join
    | Agree
    | CutCards
    | ChangeRules
    | ChangePace
    | FollowStakes
    | PlayDuplicate
    | AddHousePlayer
    | FillSeats
    | ChangeLevel
    | RemovePlayer
    | CloseLobby
    | Start
)
MatchCommand: TypeAlias = (
    Act
    | ActAsHouse
    | SavePremove
    | WithdrawPremoves
    | GrantTime
    | PlayLive
    | EndLiveSession
    | CastVote
    | Veto
    | ReturnFromBreak
)
SeatCommand: TypeAlias = Leave | RemoveAbsent | TakeBack | OfferSeat | KeepSeat | Substitute | Vacate
ModeratorCommand: TypeAlias = Pause | Resume | EndMatch | CallOff | Expel | OfferSeatOf | Repost | MoveTable
ClockCommand: TypeAlias = Ring | RecomputeDeadline | AccessFound | Suspend | EndSuspension
HousekeepingCommand: TypeAlias = LoseChannel | Close | NoteBoard | NoteRatings
Command: TypeAlias = LobbyCommand | MatchCommand | SeatCommand | ModeratorCommand | ClockCommand | HousekeepingCommand
