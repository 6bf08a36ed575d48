"""One interaction: what a person did, what the bot made of it, and until when its token is good.

Knows Discord's two clocks (the first answer, the token). Refuses to know HTTP and the gateway.
"""

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
    """What a person did and what came of it. Times are ``time.monotonic()`` seconds.

    ``source`` is the message whose component was used (for a modal: whose component opened it); ``original`` the
    message that @original names; ``kind`` the type of the first answer; ``error`` why it came to nothing; ``followed``
    whether anything came after the first answer.
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
    followed: bool = False
    generations: set[int] = field(default_factory=set)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def acked(self) -> bool:
        """Whether the bot answered in time."""
        return self.kind is not None

    @property
    def messages(self) -> list[Message]:
        """The messages it produced or updated, those deleted left out."""
        return [message for message in [self.original, *self.followups] if message and not message.deleted]

    @property
    def message(self) -> Message | None:
        """The last message it produced or updated."""
        return next(reversed(self.messages), None)

    @property
    def ephemeral(self) -> Message | None:
        """The last of them that only its user sees."""
        return next((message for message in reversed(self.messages) if message.ephemeral), None)

    def answered_by_edit(self) -> bool:
        """Tell whether an edit that takes menus away answers what the person did: the first such edit does.

        the first such edit answers the person's action.
        """
        first, self.edited = not self.edited, True
        return self.kind == DEFERRED_UPDATE and first

    @property
    def settled(self) -> bool:
        """Whether it failed, or is answered for good.

        What is slow is acknowledged first: then a message says "thinking", or the private message that was clicked on
        stands unchanged, until the answer comes. On a message that all see nothing need follow.
        """
        private = self.source is not None and (self.source.ephemeral or self.channel.recipient is not None)
        later = self.kind == DEFERRED_UPDATE and private and not self.followed
        return bool(self.error) or (self.acked and not later and not any(each.loading for each in self.messages))

    def check(self, kind: int) -> None:
        """Refuse a first answer as Discord does (10062, 40060, a type that does not fit)."""
        if self.error or (not self.acked and time.monotonic() - self.born > self.answer_within):
            self.fail(FAILED)
            raise ApiError(10062)
        if self.acked:
            raise ApiError(40060)
        if not self._fits(kind):
            raise ApiError(50035, f"callback type {kind} does not fit interaction type {self.type}")

    def acknowledge(self, kind: int) -> None:
        """Take a first answer that was checked."""
        self.kind = kind
        self.seconds = time.monotonic() - self.born
        self.done.set()

    def fail(self, why: str) -> None:
        """Nobody answered."""
        if not self.acked:
            self.error = self.error or why
        self.done.set()

    def expire(self) -> None:
        """End the token's life now."""
        self.token_lives = 0.0

    def require_token(self) -> None:
        """Refuse a token that is dead (50027) or was never answered with (10015)."""
        if time.monotonic() - self.born >= self.token_lives:
            raise ApiError(50027)
        if not self.acked:
            raise ApiError(10015)

    def _fits(self, kind: int) -> bool:
        if self.type == AUTOCOMPLETE or kind == CHOICES:
            return self.type == AUTOCOMPLETE and kind == CHOICES
        if kind in {DEFERRED_UPDATE, UPDATE}:
            return self.source is not None
        return kind in {MESSAGE, DEFERRED} or (kind == MODAL and self.type != MODAL_SUBMIT)
