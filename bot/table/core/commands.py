"""Commands: everything that players, moderators, Discord and the clock can ask of a table.

user: the sender, unless something else is said. What only its sender may know stays out of logs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.ground.chair import Vote
from bot.ground.ids import ChannelId, MessageId, UserId
from bot.ground.level import Level
from bot.ground.pace import Pace
from bot.ground.place import Place
from bot.rules.actions import Action
from bot.rules.cards import Cards
from bot.rules.orders import Kind, State
from bot.rules.ruleset import Ruleset
from bot.table.core.facts import Moves
from bot.table.core.state import Moderator

GONE_BEFORE = "{name} is no longer on this server, so their seat is free."


# The lobby


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down in the lobby on the wanted seat, or else on the first free one.

    edition: of the terms that the player was shown, to which joining agrees.
    """

    user: UserId
    name: str
    edition: int
    wanted: int = 0


@dataclass(frozen=True, slots=True)
class Agree:
    """Agree to the terms of the lobby. edition: of those that the player was shown."""

    user: UserId
    edition: int


@dataclass(frozen=True, slots=True)
class CutCards:
    """Cut the cards with a word, in place of an earlier one; "" takes it back."""

    user: UserId
    word: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Put other rules in force, as the host. change: returns the new rules for the present ones; it may raise."""

    user: UserId
    change: Callable[[Ruleset], Ruleset]


@dataclass(frozen=True, slots=True)
class ChangePace:
    """Give moves another time, as the host."""

    user: UserId
    pace: Pace


@dataclass(frozen=True, slots=True)
class FollowStakes:
    """Let a lobby follow its server, on which stakes were switched on or off. sent: the key of that effect."""

    sent: str = ""


@dataclass(frozen=True, slots=True)
class PlayDuplicate:
    """Let other tables play the same deals, as the host."""

    user: UserId


@dataclass(frozen=True, slots=True)
class AddHousePlayer:
    """Seat a house player, as the host. level: the wanted one; a game without it takes the nearest."""

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
    """Deal the first hand, as the host. home: the thread to play in, None for the lobby's channel.

    edition: of the terms that the host was shown. sent: the key of an effect that is done with this.
    """

    user: UserId
    home: ChannelId | None
    edition: int
    sent: str = ""


# The match


@dataclass(frozen=True, slots=True)
class Act:
    """Carry out a player's action. moment: the one that the click was made for; None for a typed command."""

    user: UserId
    action: Action = field(repr=False)
    moment: int | None = None


@dataclass(frozen=True, slots=True)
class ActAsHouse:
    """Carry out what house players have decided; nothing where the match has moved on meanwhile.

    moment, awaited: of the position for which they decided.
    """

    moment: int
    awaited: frozenset[int]
    moves: Moves = field(repr=False)


@dataclass(frozen=True, slots=True)
class Premove:
    """Say in advance what to do at one's next turn. made_for: the position that the click was made for."""

    user: UserId
    kind: Kind = field(repr=False)
    plays: tuple[Cards, ...] = field(default=(), repr=False)
    upto: int = field(default=0, repr=False)
    code: str = field(default="", repr=False)
    made_for: State | None = None


@dataclass(frozen=True, slots=True)
class WithdrawPremoves:
    """Withdraw one's premoves of these kinds."""

    user: UserId
    kinds: tuple[Kind, ...] = field(repr=False)
    made_for: State | None = None


@dataclass(frozen=True, slots=True)
class GrantTime:
    """Give the awaited player of a slow table more time. moment: the one that the click was made for."""

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
    """Ask all players for something, or agree to it. first: whether the player is to be the one who asks."""

    user: UserId
    vote: Vote
    first: bool = False


@dataclass(frozen=True, slots=True)
class Veto:
    """Refuse what the players are asked."""

    user: UserId


@dataclass(frozen=True, slots=True)
class ReturnFromBreak:
    """Be back from a break that all players agreed to."""

    user: UserId


# Seats


@dataclass(frozen=True, slots=True)
class Leave:
    """Give up a seat: in the lobby for good, in a match to a house player until the player takes it back."""

    user: UserId


@dataclass(frozen=True, slots=True)
class RemoveAbsent:
    """Free the seat of a user who has left the server, or cannot see the lobby; nothing where they have none.

    sentence: what the others in a lobby are told.
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
    """Let the match go on without a player whose data was deleted; the store has the new chairs already.

    vote: what that player had asked the others for.
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
    """Close a lobby, or a match of which nothing is to count."""

    by: Moderator


@dataclass(frozen=True, slots=True)
class Expel:
    """Remove a player from a seat. name: of the player whom the moderator saw there."""

    by: Moderator
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class OfferSeatOf:
    """Offer the seat of an absent player to others. name: of the player whom the moderator saw there."""

    by: Moderator
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Repost:
    """Post the board anew. by: the moderator, None for a player."""

    by: Moderator | None


@dataclass(frozen=True, slots=True)
class Move:
    """Go on in another channel. as_host: by the right of the table's host instead of a moderator's."""

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
    """Stop the clock of a table where the bot cannot write."""


@dataclass(frozen=True, slots=True)
class EndSuspension:
    """Let a suspended table go on, since the bot can write there again."""


@dataclass(frozen=True, slots=True)
class LoseChannel:
    """End the table because its channel, thread or server is gone. place: the one it had, where that is known."""

    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """Close the table for good, because its only player goes on elsewhere, or its time is over."""


@dataclass(frozen=True, slots=True)
class NoteBoard:
    """Remember the message of the board. sent: its key in the outbox. home: the channel in which it was posted."""

    home: ChannelId
    message: MessageId
    sent: str


Command: TypeAlias = (
    Join | Agree | CutCards | ChangeRules | ChangePace | FollowStakes | PlayDuplicate | AddHousePlayer | FillSeats
    | ChangeLevel | RemovePlayer | CloseLobby | Start
    | Act | ActAsHouse | Premove | WithdrawPremoves | GrantTime | PlayLive | EndLiveSession
    | CastVote | Veto | ReturnFromBreak
    | Leave | RemoveAbsent | TakeBack | OfferSeat | KeepSeat | Substitute | Vacate
    | Pause | Resume | EndMatch | CallOff | Expel | OfferSeatOf | Repost | Move
    | Ring | RecomputeDeadline | AccessFound | Suspend | EndSuspension | LoseChannel | Close | NoteBoard
)  # fmt: skip
