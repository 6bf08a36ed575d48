"""Takes every click, form, command and autocompletion, once, and finds who answers it; says no in a sentence.

Addressed by custom_id alone, from the raw interaction: discord.py looks for what was clicked on in the message as it
is now, and drops the click where that has changed meanwhile. Refuses to know what is answered.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import discord

from bot.domain.refusals import Refused
from bot.interactions.answers import PLAINLY, QUIETLY, Manner, Sentences, answer, turn_away
from bot.interactions.autocompletion import SHOWN
from bot.interactions.fault_codes import new_report
from bot.interactions.private_replies import Interaction, Overheard
from bot.interactions.replies import Reply
from bot.interactions.visit import ACKNOWLEDGED, Address, Guard, Handler, Key, Visit, Work
from bot.rules.core.sentences import Illegal
from bot.runtime.discord_failures import UNREACHED
from bot.runtime.log_context import CAUSE, Cause
from bot.runtime.message_attempts import Delivery
from bot.runtime.metrics import Kind, Watch
from bot.runtime.tasks import Begun
from bot.show.kit.custom_ids import Browse, Unaddressed
from bot.show.kit.forms import answers
from bot.show.kit.old_custom_ids import read
from bot.show.kit.open_menus import chosen_way_back
from bot.show.kit.phrases import refusal
from bot.show.kit.words import Words
from bot.store.errors import Behind, Busy, Damaged, Gone, StoreError

log = logging.getLogger(__name__)
T = TypeVar("T")

BROKEN = "Something went wrong here. Nothing is lost: open your hand again and go on."
REPORT = "Should that happen again, tell whoever runs me: {report}"
FULL_OR_LOCKED = "I cannot write anything down at the moment, so nothing has been done. Please try again in a minute."
ONCE_MORE = "Too much was going on just then, so nothing has been done. Please try again."
GONE = (
    "What was played in this match is no longer kept: it was deleted after a year, as its server had chosen. "
    "Its result stands."
)
DAMAGED = "What was played in this match can no longer be read here. Its result stands as it is."
LIMITED = "Discord asks me to wait a few minutes with that, so it has not been done. Please try it again then."
UNKNOWN = "That button is of no use any more."
KINDS: Mapping[discord.InteractionType, Kind] = {
    discord.InteractionType.component: "click",
    discord.InteractionType.modal_submit: "form",
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "typing",
}
NO_FILE = "Discord did not take the file that belongs here."
OFFERED = 3  # at the same time, to people who type
TYPING = 24  # people, of whom one gets no offers where so many are served or wait
RESTARTING = "I'm being restarted. Please try that once more in a minute."
TOO_SLOW = "That took me too long to open. Please press it once more."


class Door:
    """Answers people.

    heard: what is done because of events of Discord. words: those of a locale. guards: asked about every click and
    form. offer_guards: asked while somebody types. answered: told of each visit that an answer has reached. watch: who
    counts them, if anybody does. delivery: how answers are delivered.
    """

    words: Callable[[str], Words]

    def __init__(self, watch: Watch | None = None, delivery: Delivery | None = None) -> None:
        self._watch = watch
        self._delivery = delivery or Delivery()
        self.guards: tuple[Guard, ...] = ()
        self.offer_guards: tuple[Guard, ...] = ()
        self.answered: tuple[Callable[[Visit], None], ...] = ()
        self.handlers: dict[Key, Handler] = {}
        self.forms: dict[str, Handler] = {}
        self.heard = Begun()
        self._offering, self._typing = asyncio.Semaphore(OFFERED), 0
        self._answering: dict[asyncio.Task[Any] | None, Visit] = {}

    def handle(self, address: type[Address], verb: str, handler: Handler) -> None:
        """Let clicks of this kind and verb be answered by this handler. Raises ValueError where they are already."""
        if (address, verb) in self.handlers:
            raise ValueError(f"two handlers for {address.__name__} {verb}")
        self.handlers[address, verb] = handler

    def handle_form(self, verb: str, work: Work, *guards: Guard) -> None:
        """Let forms of this verb be answered by this, also those that were opened before the bot was started.

        Raises ValueError where they are answered already.
        """
        if verb in self.forms:
            raise ValueError(f"two handlers for the form {verb}")
        self.forms[verb] = Handler(work, QUIETLY, guards)

    async def knock(self, interaction: Interaction) -> None:
        """Answer a click or a form; commands come by their own way."""
        data: Mapping[str, Any] = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        match interaction.type:
            case discord.InteractionType.component:
                await self._clicked(interaction, custom_id, tuple(data.get("values", ())))
            case discord.InteractionType.modal_submit:
                await self._filled(interaction, custom_id, answers(data))

    async def _clicked(self, interaction: Interaction, custom_id: str, values: tuple[str, ...]) -> None:
        if values and (back := chosen_way_back(values)) is not None:
            custom_id, values = back, ()
        try:
            address = read(custom_id)
            handler = self.handlers[type(address), address.verb]
        except (Unaddressed, KeyError):
            await self._unknown(interaction, custom_id)
            return
        visit = Visit(interaction, self.words(str(interaction.locale)), address, values)
        await self._answer(visit, handler, self.guards)

    async def _filled(self, interaction: Interaction, custom_id: str, filled: Mapping[str, str]) -> None:
        try:
            address = Browse.read(custom_id)
            handler = self.forms[address.verb]
        except (Unaddressed, KeyError):
            await self._unknown(interaction, custom_id)
            return
        visit = Visit(interaction, self.words(str(interaction.locale)), address, filled=filled)
        await self._answer(visit, handler, self.guards)

    async def _unknown(self, interaction: Interaction, custom_id: str) -> None:
        log.warning("A click or a form nobody answers: %s", custom_id.split(":")[:3])
        await self._answer(
            Visit(interaction, self.words(str(interaction.locale))), Handler(saying(UNKNOWN)), self.guards
        )

    async def reply(self, interaction: Interaction, work: Work, manner: Manner = PLAINLY, *guards: Guard) -> None:
        """Answer a command with what the work returns, or with why it could not be done."""
        await self._answer(Visit(interaction, self.words(str(interaction.locale))), Handler(work, manner, guards))

    async def offer(
        self, interaction: Interaction, typed: str, work: Callable[[Visit], Awaitable[Iterable[T]]]
    ) -> list[T]:
        """Return what is offered while somebody types, as much as Discord shows; nothing where that is refused."""
        options = dict(iter(interaction.namespace))
        visit = Visit(interaction, self.words(str(interaction.locale)), typed=typed, options=options)
        told = self._watch.came("typing") if self._watch else None
        found = await self._found(visit, work)
        if told:
            told("answered")
        return found

    async def _found(self, visit: Visit, work: Callable[[Visit], Awaitable[Iterable[T]]]) -> list[T]:
        """Return what is offered: nothing where many type at the same time, and where Discord does not wait any more.

        So typing takes no more of the store and of the loop than a few people who do something.
        """
        if self._typing >= TYPING:
            return []
        self._typing += 1
        try:
            async with self._offering:
                return await _offered(visit, self.offer_guards, work) if visit.is_awaited() else []
        finally:
            self._typing -= 1

    def is_answering(self, message: int) -> bool:
        """Tell whether a click on a private message is being answered."""
        return any(visit.own is not None and visit.own.id == message for visit in self._answering.values())

    async def at_rest(self) -> None:
        """Wait until all is done that Discord has told, and all who have come are answered."""
        await asyncio.sleep(0)  # what was told in this moment begins
        while tasks := {task for task in (*self.heard.tasks, *self._answering) if task is not None}:
            await asyncio.wait(tasks)

    async def caught_up(self) -> None:
        """Wait until all who have come by now are answered, whoever comes meanwhile."""
        if here := [task for task in self._answering if task]:
            await asyncio.wait(here)

    async def close(self) -> None:
        """Cancel what is not done yet, and tell those who are not answered to come again."""
        left = tuple(self._answering.values())
        for task in (*self._answering, *self.heard.tasks):
            if task is not None:
                task.cancel()
        await asyncio.sleep(0)
        await asyncio.gather(*map(_turned_away, left))

    async def after(self, visit: Visit, which: Callable[[Visit], bool]) -> None:
        """Wait until earlier visits are answered that have come by now, but not for one that hangs.

        Discord numbers interactions in their order; those of another process, or still on their way, are not waited
        for. which: whether a visit matters.
        """
        number = visit.interaction.id
        visits = self._answering.items()
        if tasks := [task for task, other in visits if task and other.interaction.id < number and which(other)]:
            await asyncio.wait(tasks, timeout=ACKNOWLEDGED)

    async def failed(self, interaction: Interaction, error: Exception) -> None:
        """Write down that a command went wrong, and say so."""

        async def work(visit: Visit) -> Reply:
            return _broken(visit, error)

        await self.reply(interaction, work)

    async def _answer(self, visit: Visit, handler: Handler, guards: tuple[Guard, ...] = ()) -> None:
        """Answer whomever these guards, and those of the handler, let pass."""
        work = partial(_done, visit, (*guards, *handler.guards), handler.work)
        told = self._watch.came(KINDS[visit.interaction.type]) if self._watch else None
        cause, task = Cause(visit.interaction.id), asyncio.current_task()
        CAUSE.set(cause)
        self._answering[task] = visit
        try:
            await answer(visit.interaction, work, handler.manner, _sentences(visit.w), self._delivery, told)
        except UNREACHED as error:
            log.warning("An answer did not reach its reader: %s", error)
            return
        finally:
            cause.over = True
            self._answering.pop(task, None)
        for tell in self.answered:
            tell(visit)


async def _turned_away(visit: Visit) -> None:
    try:
        await turn_away(visit.interaction, visit.w(RESTARTING))
    except Overheard:
        log.debug("Nobody but the visitor may read why there is no answer")
    except UNREACHED as error:
        log.info("Somebody waits in vain for an answer: %s", error)


async def _offered(visit: Visit, guards: Iterable[Guard], work: Callable[[Visit], Awaitable[Iterable[T]]]) -> list[T]:
    """Return what the work finds, as much as Discord shows; nothing where it is refused or fails."""
    try:
        for guard in guards:
            await guard(visit)
        return list(islice(await work(visit), SHOWN))
    except (Illegal, Refused, Gone):
        return []
    except StoreError as error:
        log.error("Nothing could be offered: %s", error)  # its sentence says it all
        return []


def _sentences(w: Words) -> Sentences:
    """Return what is said in the place of an answer that cannot be given."""
    return Sentences(partial(w, TOO_SLOW), partial(w, BROKEN), partial(w, NO_FILE))


def saying(sentence: str) -> Work:
    """Return what answers with a sentence."""

    async def work(visit: Visit) -> Reply:
        return Reply(text=visit.w(sentence))

    return work


async def _done(visit: Visit, guards: tuple[Guard, ...], work: Work) -> Reply:
    """Return what comes of the work, or what a guard says instead, or a sentence that says why nothing does."""
    try:
        for guard in guards:
            if (instead := await guard(visit)) is not None:
                return instead
        return await work(visit)
    except Illegal as illegal:
        return Reply(text=refusal(illegal, visit.w))
    except Refused as refused:
        visit.refused = refused
        return Reply(text=visit.w(refused.sentence, **refused.values))
    except (StoreError, discord.RateLimited) as error:
        return Reply(text=visit.w(_why(error)))
    except discord.HTTPException:
        raise  # whoever asked cannot be reached
    except Exception as error:  # noqa: BLE001  # whatever it is, it is written down, and whoever asked hears of it
        return _broken(visit, error)


def _broken(visit: Visit, error: Exception) -> Reply:
    """Write down what went wrong; return how it can be told of."""
    report = new_report()
    log.error("Report %s: an interaction failed", report, exc_info=error, extra={"report": report})
    return Reply(text=f"{visit.w(BROKEN)}\n-# {visit.w(REPORT, report=report)}")


def _why(error: StoreError | discord.RateLimited) -> str:
    """Return why the store or Discord does not answer, for whoever asked; what the operator has to see to is logged."""
    if isinstance(error, discord.RateLimited):
        log.warning("Discord limits what somebody asked for: %s", error)
        return LIMITED
    if isinstance(error, Gone):
        return GONE
    if isinstance(error, (Behind, Busy)):
        log.info("The store lets somebody try again: %s", error)
        return ONCE_MORE
    log.error("The store failed: %s", error)
    return DAMAGED if isinstance(error, Damaged) else FULL_OR_LOCKED
