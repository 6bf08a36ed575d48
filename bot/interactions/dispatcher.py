"""The dispatcher: finds the handler of each interaction, and answers its refusals.

The steps of a click: `parse_custom_id` in `bot/show/kit/custom_ids.py` reads the table, the verb and the moment of the
button; the guards let the visit pass (`bot/interactions/guards.py`); the handler returns a `Reply`; `answer` in
`bot/interactions/answers.py` sends the reply in time. A handler is the method that a cog has registered for the verb:
for `Verb.PLAY`, `HandCog.play` in `cogs/play/hand.py`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any, TypeAlias, TypeVar

import discord

from bot.domain.message_ids import N_
from bot.domain.refusals import Outdated, Outside, Refused
from bot.interactions.answers import PLAINLY, QUIETLY, AnswerMode, Reply, Sentences, answer, reject
from bot.interactions.autocompletion import MAX_CHOICES
from bot.interactions.private_replies import Interaction, PrivacyViolation
from bot.interactions.visit import FIRST_RESPONSE_LIMIT, Address, Guard, Handler, Key, Visit, Work
from bot.rules.core.sentences import Illegal
from bot.runtime.discord_requests import UNREACHED, FallbackSender
from bot.runtime.metrics import CAUSE, Cause, Kind, MetricsRecorder
from bot.runtime.tasks import RunningTasks
from bot.show.kit.custom_ids import Browse, InvalidCustomId, Press, parse_custom_id
from bot.show.kit.forms import answers
from bot.show.kit.open_menus import chosen_way_back
from bot.show.kit.phrases import refusal
from bot.show.kit.words import Words
from bot.store.errors import DeletionsPending, RecordDamaged, RecordDeleted, StoreError, WriteConflict

log = logging.getLogger(__name__)
T = TypeVar("T")
Renew: TypeAlias = Callable[[Visit, Outdated], Awaitable[Reply | None]]

BROKEN = N_("Something went wrong, but nothing is lost. Open your hand again to continue.")
REPORT = N_("If it happens again, tell the person who runs me: {report}")
FULL_OR_LOCKED = N_("I can't save anything right now, so nothing has been done. Please try again in a minute.")
ONCE_MORE = N_("I was too busy just then, so nothing has been done. Please try again.")
GONE = N_(
    "The moves of this match are gone: they were deleted after a year, as this server chose. The result still stands."
)
DAMAGED = N_("The moves of this match can't be read any more. The result still stands.")
LIMITED = N_("Discord wants me to wait a few minutes, so this hasn't been done. Please try again then.")
UNKNOWN = N_("This button has expired.")
KINDS: Mapping[discord.InteractionType, Kind] = {
    discord.InteractionType.component: "click",
    discord.InteractionType.modal_submit: "form",
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "typing",
}
NO_FILE = N_("Discord wouldn't take the file for this.")
MAX_AUTOCOMPLETIONS = 3  # autocompletions computed at the same time
MAX_TYPING_USERS = 24  # autocompletions running or waiting; beyond this, no choices are returned
RESTARTING = N_("I'm restarting. Please try again in a minute.")
TOO_SLOW = N_("That took me too long to open. Please press it again.")


class Dispatcher:
    """Dispatches interactions to handlers.

    event_tasks: the running tasks of Discord's events. words: the language of a locale. guards: asked about each click
    and form, in the order of `_set_guards` in `bot/wiring.py`. command_guards: asked about each command.
    autocomplete_guards: asked about each autocompletion. on_answered: called after each answered visit. for_outsiders:
    answers clicks of people without a seat at the table. on_outdated: answers clicks on outdated screens, None to
    refuse. watch: counts the interactions, if given. sender: sends the answers.
    """

    words: Callable[[str], Words]

    def __init__(self, watch: MetricsRecorder | None = None, sender: FallbackSender | None = None) -> None:
        self._watch = watch
        self._sender = sender or FallbackSender()
        self.guards: tuple[Guard, ...] = ()
        self.command_guards: tuple[Guard, ...] = ()
        self.autocomplete_guards: tuple[Guard, ...] = ()
        self.on_answered: tuple[Callable[[Visit], None], ...] = ()
        self.for_outsiders: Work | None = None
        self.on_outdated: Renew | None = None
        self.handlers: dict[Key, Handler] = {}
        self.forms: dict[str, Handler] = {}
        self.event_tasks = RunningTasks()
        self._autocompletions, self._typing_users = asyncio.Semaphore(MAX_AUTOCOMPLETIONS), 0
        self._answering: dict[asyncio.Task[Any] | None, Visit] = {}

    def register(self, address: type[Address], verb: str, handler: Handler) -> None:
        """Register the handler of clicks on a kind of address and verb.

        Raises ValueError for a second one.
        """
        if (address, verb) in self.handlers:
            raise ValueError(f"two handlers for {address.__name__} {verb}")
        self.handlers[address, verb] = handler

    def register_form(self, verb: str, work: Work, *guards: Guard) -> None:
        """Register the handler of forms with a verb, also for forms opened before the start.

        Raises ValueError for a second one.
        """
        if verb in self.forms:
            raise ValueError(f"two handlers for the form {verb}")
        self.forms[verb] = Handler(work, QUIETLY, guards)

    async def dispatch(self, interaction: Interaction) -> None:
        """Answer a click or a form; commands arrive through the command tree."""
        data: Mapping[str, Any] = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        match interaction.type:
            case discord.InteractionType.component:
                await self._dispatch_click(interaction, custom_id, tuple(data.get("values", ())))
            case discord.InteractionType.modal_submit:
                await self._dispatch_form(interaction, custom_id, answers(data))

    async def _dispatch_click(self, interaction: Interaction, custom_id: str, values: tuple[str, ...]) -> None:
        if values and (back := chosen_way_back(values)) is not None:
            custom_id, values = back, ()
        try:
            address = parse_custom_id(custom_id)
            handler = self.handlers[type(address), address.verb]
        except (InvalidCustomId, KeyError):
            await self._answer_unknown(interaction, custom_id)
            return
        visit = Visit(interaction, self.words(str(interaction.locale)), address=address, values=values)
        await self._answer(visit, handler, self.guards)

    async def _dispatch_form(self, interaction: Interaction, custom_id: str, filled: Mapping[str, str]) -> None:
        try:
            address = Browse.read(custom_id)
            handler = self.forms[address.verb]
        except (InvalidCustomId, KeyError):
            await self._answer_unknown(interaction, custom_id)
            return
        visit = Visit(interaction, self.words(str(interaction.locale)), address=address, filled=filled)
        await self._answer(visit, handler, self.guards)

    async def _answer_unknown(self, interaction: Interaction, custom_id: str) -> None:
        log.warning("A click or a form nobody answers: %s", custom_id.split(":")[:3])
        await self._answer(
            Visit(interaction, self.words(str(interaction.locale))), Handler(saying(UNKNOWN)), self.guards
        )

    async def reply(self, interaction: Interaction, work: Work, mode: AnswerMode = PLAINLY, *guards: Guard) -> None:
        """Answer a command with the result of the work, or with a refusal."""
        visit = Visit(interaction, self.words(str(interaction.locale)))
        await self._answer(visit, Handler(work, mode, (*self.command_guards, *guards)))

    async def autocomplete(
        self, interaction: Interaction, typed: str, work: Callable[[Visit], Awaitable[Iterable[T]]]
    ) -> list[T]:
        """Return the choices of an autocompletion, up to Discord's limit; none after a refusal."""
        options = dict(iter(interaction.namespace))
        visit = Visit(interaction, self.words(str(interaction.locale)), typed=typed, options=options)
        on_progress = self._watch.count_interaction("typing") if self._watch else None
        choices = await self._compute_choices(visit, work)
        if on_progress:
            on_progress("answered")
        return choices

    async def _compute_choices(self, visit: Visit, work: Callable[[Visit], Awaitable[Iterable[T]]]) -> list[T]:
        """Return choices; none if too many users are typing, or if Discord no longer waits.

        The limits keep autocompletions from taking more of the store and the event loop than a few clicks.
        """
        if self._typing_users >= MAX_TYPING_USERS:
            return []
        self._typing_users += 1
        try:
            async with self._autocompletions:
                return await _choices(visit, self.autocomplete_guards, work) if visit.is_awaited() else []
        finally:
            self._typing_users -= 1

    def is_answering(self, message: int) -> bool:
        """Tell whether a click on a private message is being answered."""
        return any(visit.own is not None and visit.own.id == message for visit in self._answering.values())

    async def wait_until_idle(self) -> None:
        """Wait until all received events are handled and all visits are answered."""
        await asyncio.sleep(0)  # lets tasks of events received just now begin
        while tasks := {task for task in (*self.event_tasks.tasks, *self._answering) if task is not None}:
            await asyncio.wait(tasks)

    async def wait_for_present_visits(self) -> None:
        """Wait until all present visits are answered, without later ones."""
        if tasks := [task for task in self._answering if task]:
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Cancel running visits, and ask their users to try again."""
        unanswered = tuple(self._answering.values())
        for task in (*self._answering, *self.event_tasks.tasks):
            if task is not None:
                task.cancel()
        await asyncio.sleep(0)
        await asyncio.gather(*map(_reject_cancelled, unanswered))

    async def wait_for_earlier_visits(self, visit: Visit, matters: Callable[[Visit], bool]) -> None:
        """Wait until earlier visits have been answered, at most until Discord's time limit.

        Discord numbers interactions in order; visits of another process, or still on their way, are not waited for.
        matters: selects the visits to wait for.
        """
        number = visit.interaction.id
        visits = self._answering.items()
        if tasks := [task for task, other in visits if task and other.interaction.id < number and matters(other)]:
            await asyncio.wait(tasks, timeout=FIRST_RESPONSE_LIMIT)

    async def failed(self, interaction: Interaction, error: Exception) -> None:
        """Log the failure of a command, and tell the user."""

        async def work(visit: Visit) -> Reply:
            return _broken(visit, error)

        await self.reply(interaction, work)

    async def _answer(self, visit: Visit, handler: Handler, guards: tuple[Guard, ...] = ()) -> None:
        """Answer a visit that passes these guards and the handler's."""
        work = partial(self._compute_reply, visit, handler, guards)
        on_progress = self._watch.count_interaction(KINDS[visit.interaction.type]) if self._watch else None
        cause, task = Cause(visit.interaction.id), asyncio.current_task()
        CAUSE.set(cause)
        self._answering[task] = visit
        try:
            await answer(
                visit.interaction,
                work,
                handler.mode,
                _sentences(visit.w),
                sender=self._sender,
                on_progress=on_progress,
            )
        except UNREACHED as error:
            log.warning("An answer did not reach its reader: %s", error)
            return
        finally:
            cause.over = True
            self._answering.pop(task, None)
        for notify in self.on_answered:
            notify(visit)

    async def _compute_reply(self, visit: Visit, handler: Handler, guards: tuple[Guard, ...]) -> Reply:
        """Return the reply to a visit; a refusal or a failure becomes a sentence.

        The order: these guards, the handler's guards, the handler.
        """
        try:
            return await _work_past_guards(visit, guards, partial(self._handle, handler))
        except Illegal as illegal:
            return Reply(text=refusal(illegal, visit.w))
        except Refused as refused:
            visit.refused = refused
            return Reply(text=visit.w(refused.sentence, **refused.values))
        except (StoreError, discord.RateLimited) as error:
            return Reply(text=visit.w(_sentence_about(error)))
        except discord.HTTPException:
            raise  # the user cannot be reached
        except Exception as error:  # noqa: BLE001  # each error is logged and told to the user
            return _broken(visit, error)

    async def _handle(self, handler: Handler, visit: Visit) -> Reply:
        """Return the handler's reply, or a screen that helps outsiders and outdated clicks."""
        try:
            return await _work_past_guards(visit, handler.guards, handler.work)
        except Outside as outside:
            if self.for_outsiders is None or not isinstance(visit.address, Press):
                raise
            visit.refused = outside
            return await self.for_outsiders(visit)
        except Outdated as outdated:
            if self.on_outdated is None or (renewed := await self.on_outdated(visit, outdated)) is None:
                raise
            visit.refused = outdated
            return renewed


async def _reject_cancelled(visit: Visit) -> None:
    try:
        await reject(visit.interaction, visit.w(RESTARTING))
    except PrivacyViolation:
        log.debug("Nobody but the visitor may read why there is no answer")
    except UNREACHED as error:
        log.info("An interaction stays without an answer: %s", error)


async def _choices(visit: Visit, guards: Iterable[Guard], work: Callable[[Visit], Awaitable[Iterable[T]]]) -> list[T]:
    """Return the choices found by the work, up to Discord's limit.

    Returns no choices after a refusal or failure.
    """
    try:
        for guard in guards:
            await guard(visit)
        return list(islice(await work(visit), MAX_CHOICES))
    except (Illegal, Refused, RecordDeleted):
        return []
    except StoreError as error:
        log.error("Nothing could be offered: %s", error)  # the message explains all
        return []


def _sentences(w: Words) -> Sentences:
    """Return the sentences that replace an impossible answer."""
    return Sentences(partial(w, TOO_SLOW), partial(w, BROKEN), partial(w, NO_FILE))


def saying(sentence: str) -> Work:
    """Return a handler that answers with a sentence."""

    async def work(visit: Visit) -> Reply:
        return Reply(text=visit.w(sentence))

    return work


async def _work_past_guards(visit: Visit, guards: tuple[Guard, ...], work: Work) -> Reply:
    """Return the reply of the first guard with one, else the result of the work."""
    for guard in guards:
        if (instead := await guard(visit)) is not None:
            return instead
    return await work(visit)


def _broken(visit: Visit, error: Exception) -> Reply:
    """Log an error; return the reply with its report code."""
    report = new_report()
    log.error("Report %s: an interaction failed", report, exc_info=error, extra={"report": report})
    return Reply(text=f"{visit.w(BROKEN)}\n-# {visit.w(REPORT, report=report)}")


def _sentence_about(error: StoreError | discord.RateLimited) -> str:
    """Return the sentence about an unavailable store or Discord.

    Log the cases that concern the operator.
    """
    if isinstance(error, discord.RateLimited):
        log.warning("Discord's rate limit delayed an answer: %s", error)
        return LIMITED
    if isinstance(error, RecordDeleted):
        return GONE
    if isinstance(error, (DeletionsPending, WriteConflict)):
        log.info("The store asks a user to try again: %s", error)
        return ONCE_MORE
    log.error("The store failed: %s", error)
    return DAMAGED if isinstance(error, RecordDamaged) else FULL_OR_LOCKED


# Without letters that sound or look alike, and without suits, aces and jokers: a code that reads as cards ("9H2S")
# would be blotted out of the log.
LETTERS = "23456789BEFGKMPQRTVWXYZ"
LENGTH = 4


def new_report() -> str:
    """Return a new code: one of about 280,000, enough for a month's faults."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
