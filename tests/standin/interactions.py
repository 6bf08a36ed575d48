"""One interaction: the user's action, the bot's answers, and the two timeouts of Discord (first answer, token)."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from tests.standin.errors import ApiError
from tests.standin.models import Channel, Message, Raw, User

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
FAILED = "This interaction failed"


@dataclass(eq=False, repr=False)
class Interaction:
    """An interaction and its answers. Times are ``time.monotonic()`` seconds.

    ``source``: the message whose component was used (for a modal: whose component opened the modal); ``original``: the
    message named by @original; ``kind``: type of the first answer; ``error``: reason of a failure; ``has_followup``:
    whether anything followed the first answer.
    """

    id: int
    token: str
    type: int
    user: User
    channel: Channel
    source: Message | None
    answer_within: float
    token_lives: float
    born: float = field(default_factory=time.monotonic)
    kind: int | None = None
    seconds: float | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    modal: Raw | None = None
    choices: list[dict[str, Any]] = field(default_factory=list)
    error: str | None = None
    edited: bool = False
    has_followup: bool = False
    generations: set[int] = field(default_factory=set)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_acknowledged(self) -> bool:
        """Whether the bot acknowledged the interaction in time."""
        return self.kind is not None

    @property
    def messages(self) -> list[Message]:
        """The messages created or edited by answers, except deleted ones."""
        return [message for message in [self.original, *self.followups] if message and not message.deleted]

    @property
    def message(self) -> Message | None:
        """The last message created or edited by an answer."""
        return next(reversed(self.messages), None)

    @property
    def ephemeral(self) -> Message | None:
        """The last such message that only the user sees."""
        return next((message for message in reversed(self.messages) if message.ephemeral), None)

    def answered_by_edit(self) -> bool:
        """Record an edit that removes menus; return whether the edit is the answer to the user's action.

        The first such edit after a deferred update is the answer.
        """
        first, self.edited = not self.edited, True
        return self.kind == DEFERRED_UPDATE and first

    @property
    def settled(self) -> bool:
        """Whether the interaction failed or has its final answer.

        After a deferred answer, the final one is a follow-up or edit: required for "thinking" messages and for clicks
        on private messages, optional for clicks on public messages.
        """
        private = self.source is not None and (self.source.ephemeral or self.channel.recipient is not None)
        later = self.kind == DEFERRED_UPDATE and private and not self.has_followup
        return bool(self.error) or (
            self.is_acknowledged and not later and not any(each.loading for each in self.messages)
        )

    def check(self, kind: int) -> None:
        """Check a first answer of this type. Raises ApiError 10062, 40060, or 50035 for a wrong type."""
        if self.error or (not self.is_acknowledged and time.monotonic() - self.born > self.answer_within):
            self.fail(FAILED)
            raise ApiError(10062)
        if self.is_acknowledged:
            raise ApiError(40060)
        if not self._fits(kind):
            raise ApiError(50035, f"callback type {kind} does not fit interaction type {self.type}")

    def acknowledge(self, kind: int) -> None:
        """Record a checked first answer."""
        self.kind = kind
        self.seconds = time.monotonic() - self.born
        self.done.set()

    def fail(self, why: str) -> None:
        """Let an unacknowledged interaction fail."""
        if not self.is_acknowledged:
            self.error = self.error or why
        self.done.set()

    def expire(self) -> None:
        """Expire the token."""
        self.token_lives = 0.0

    def require_token(self) -> None:
        """Check the token. Raises ApiError 50027 if expired, 10015 before the first answer."""
        if time.monotonic() - self.born >= self.token_lives:
            raise ApiError(50027)
        if not self.is_acknowledged:
            raise ApiError(10015)

    def _fits(self, kind: int) -> bool:
        if self.type == AUTOCOMPLETE or kind == CHOICES:
            return self.type == AUTOCOMPLETE and kind == CHOICES
        if kind in {DEFERRED_UPDATE, UPDATE}:
            return self.source is not None
        return kind in {MESSAGE, DEFERRED} or (kind == MODAL and self.type != MODAL_SUBMIT)
