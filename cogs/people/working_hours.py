"""Availability for slow tables: a user's time zone, sleep, days off and vacations.

A change moves the deadlines at the user's tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any, Self

from discord.app_commands import Choice, autocomplete, describe, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.message_ids import N_
from bot.domain.preferences import NOTICE_CHANNELS
from bot.domain.refusals import Refused
from bot.domain.working_hours import (
    MAX_DAYS_OFF,
    Hours,
    Vacation,
    WorkSchedule,
    common_hours,
    hourly_availability,
    zone_of,
)
from bot.interactions.answers import QUIETLY, WITH_FORM, Reply
from bot.interactions.autocompletion import choice, offering
from bot.interactions.commands import in_command_group
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import STALE, Handler, Visit
from bot.members.preferences import PreferenceCache
from bot.show.hand.panel import PanelTab
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.people import working_hours as screens
from bot.show.people.working_hours import availability
from bot.show.typed.cities import MAX_PLACES_OFFERED, exactly, found, zone_option
from bot.show.typed.dates import read_day
from bot.store.store import Store
from bot.table.core.chairs import own_seat
from bot.table.core.commands import GrantTime, RecomputeDeadline
from bot.table.registry import TableRegistry
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies
from cogs.common.table_lookup import Interaction

NO_CITY = N_("I don't know a city or country called {city}. Try the largest city nearby, in English or your language.")
NOWHERE = N_("First tell me which city you're in.")


async def _cities(parts: Parts, visit: Visit) -> list[Choice[str]]:
    """Return the cities that match the typed text, with their local time."""
    now = parts.now()
    there = islice(found(visit.typed, now).items(), MAX_PLACES_OFFERED)
    return [choice(zone_option(zone, now, visit.w, called), zone) for zone, called in there]


@dataclass(frozen=True, slots=True, kw_only=True)
class SleepQuestion:
    """Asks each player once about hours of sleep."""

    store: Store
    preferences: PreferenceCache
    delivery: TableDelivery
    now: Callable[[], datetime]

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the question of a running bot."""
        return cls(store=parts.store, preferences=parts.preferences, delivery=parts.delivery, now=parts.now)

    async def ask_once(self, visit: Visit, table: Table) -> Reply | None:
        """Return the question at a player's first slow table; None if it is not due.

        The player's hand will replace the question, so a question left open does not stay between board and hand.
        """
        if not table.row.pace.slow or (await self.preferences.of(visit.user)).asked_day:
            return None
        if (await self.store.people.work_schedules([visit.user]))[visit.user].hours:
            return None
        await self.preferences.change(visit.user, asked_day=True)
        landed = partial(self.delivery.opened, table, table.scene(visit.user), tab=PanelTab.UNDEALT)
        return Reply(view=screens.city_question(self.now(), str(visit.interaction.locale), visit.w), landed=landed)


@dataclass(kw_only=True, eq=False, repr=False)
class WorkingHoursCog(commands.Cog):
    """The screens of a user's availability."""

    hands: HandReplies
    now: Callable[[], datetime]
    store: Store
    dispatcher: Dispatcher
    preferences: PreferenceCache
    tables: TableRegistry
    delivery: TableDelivery

    def __post_init__(self) -> None:
        for verb, work in (
            (screens.ZONE, self.zone),
            (screens.BED, self.bed),
            (screens.UP, self.set_sleep_length),
            (screens.OFF, self.off),
            (screens.SHARE, self.share),
            (screens.NOTICE, self.notice),
            (screens.BACK, self.back),
            (screens.SLEEP, self.sleep),
            (screens.NOTHING, self.decline),
        ):
            self.dispatcher.register(Browse, verb, Handler(work, QUIETLY))
        for verb, work in ((screens.CITY, self.ask_city), (screens.AWAY, self.ask_away)):
            self.dispatcher.register(Browse, verb, Handler(work, WITH_FORM))
        self.dispatcher.register(Press, Verb.AVAILABILITY, Handler(self.awake, QUIETLY))
        self.dispatcher.register(Press, Verb.GRANT, Handler(self.grant, QUIETLY))
        self.dispatcher.register_form(screens.CITY, self.city)
        self.dispatcher.register_form(screens.AWAY, self.away)

    @in_command_group("my", "clock", locale_str("Set when I sleep and when I'm away"))
    @describe(city=locale_str("Where you are: a large city nearby, or a country"))
    @autocomplete(city=offering(_cities))
    async def clock(self, interaction: Interaction, city: str | None = None) -> None:
        """Show the user's availability, or set the time zone by a city."""

        async def work(visit: Visit) -> Reply:
            return await self._set_city(visit, city) if city else await self._screen(visit)

        await self.dispatcher.reply(interaction, work)

    # Choices

    async def zone(self, click: Visit) -> Reply:
        """Set the time zone; in the first question, continue with the hours of sleep."""
        chosen = click.one(_known_zone)
        day = await self._change(click, zone=chosen)
        if click.browse.args == ("first",) and day.chosen:
            return Reply(view=screens.sleep_question(day.chosen, self.now(), click.w), at=click.own)
        return await self._screen(click)

    async def bed(self, click: Visit) -> Reply:
        """Set the hour of going to bed, or clear the hours of sleep."""
        wanted = click.one(lambda value: None if value == screens.NEVER else range(24).index(int(value)))
        hours = (await self._day(click)).chosen
        night = hours.night if hours and hours.night else 8
        await self._change(click, **({"night": 0} if wanted is None else {"bed": wanted, "night": night}))
        return await self._screen(click)

    async def set_sleep_length(self, click: Visit) -> Reply:
        """Set the length of sleep."""
        await self._change(click, night=click.one(_night))
        return await self._screen(click)

    async def off(self, click: Visit) -> Reply:
        """Set the days of the week without time for slow tables."""
        await self._change(click, off=click.all(_days_off))
        return await self._screen(click)

    async def sleep(self, click: Visit) -> Reply:
        """Set the hours of sleep of a button, or show all settings."""
        try:
            bed, night = map(int, click.browse.args)
        except ValueError:
            return await self._screen(click)
        if (bed, night) not in screens.NIGHTS:
            raise Refused(STALE)
        day = await self._change(click, bed=bed, night=night)
        return Reply(view=screens.thanks(day, click.w), at=click.own)

    async def decline(self, click: Visit) -> Reply:
        """Thank a user who declines to answer."""
        return Reply(view=screens.thanks(WorkSchedule(), click.w), at=click.own)

    async def share(self, click: Visit) -> Reply:
        """Show the hours of sleep to players of the same tables, or hide them."""
        await self.preferences.change(click.user, shares_day=click.browse.args == ("1",))
        await self._recompute_deadlines(click)
        return await self._screen(click)

    async def notice(self, click: Visit) -> Reply:
        """Set the channel for notices of slow tables, and the language of the notices."""
        wanted = click.one(lambda value: {str(there): there for there in NOTICE_CHANNELS}[value])
        await self.preferences.change(click.user, notices=wanted, locale=str(click.interaction.locale))
        return await self._screen(click)

    async def back(self, click: Visit) -> Reply:
        """End a current vacation and cancel planned ones."""
        day = (await self._day(click)).back(self.now())
        await self._save(click, day)
        return await self._screen(click)

    # Forms

    async def ask_city(self, click: Visit) -> Reply:
        """Ask for a city."""
        return Reply(form=screens.city_form(click.w))

    async def city(self, click: Visit) -> Reply:
        """Set the time zone by the typed city; ask which if several match."""
        return await self._set_city(click, click.filled.get(screens.WHERE, ""))

    async def ask_away(self, click: Visit) -> Reply:
        """Ask for the days of a vacation."""
        return Reply(form=screens.away_form(self.now(), await self._hours(click), click.w))

    async def away(self, click: Visit) -> Reply:
        """Save a vacation."""
        await self._hours(click)
        day, now, locale = await self._day(click), self.now(), str(click.interaction.locale)
        first = read_day(click.filled.get(screens.FIRST, ""), day.today(now), locale)
        last = read_day(click.filled.get(screens.LAST, ""), first, locale)
        await self._save(click, day.with_vacation(Vacation(first, last), now))
        return await self._screen(click)

    # At a table

    async def awake(self, click: Visit) -> Reply:
        """Show a seated player how many players of the slow table are awake at each hour.

        Asks for the time zone first, if unknown. A button with `at` 1 shows the player's own settings instead.
        """
        table, scene, now = click.table, click.table.scene(click.user), self.now()
        own_seat(scene.chairs, click.user)
        owners = {chair.seat: chair.user for chair in scene.chairs if chair.user is not None}
        schedules = await self.store.people.work_schedules(list(owners.values()))
        own = schedules[click.user]
        if click.button.at:
            return replace(await self._screen(click), at=None)
        if own.chosen is None or not scene.terms.pace.slow:
            return Reply(view=screens.city_question(now, str(click.interaction.locale), click.w))
        midnight = WorkSchedule.tomorrow(now, own.chosen)
        others = {seat: schedules[user] for seat, user in owners.items() if user != click.user}
        seen = {seat: hourly_availability(day, midnight) for seat, day in others.items() if day.hours and day.shared}
        mine = {seat: hourly_availability(own, midnight) for seat, user in owners.items() if user == click.user}
        view = availability(scene, common_hours(own, list(others.values()), midnight), mine | seen, click.w)
        return self.hands.show_screen(click, table, view) if scene.dealt else Reply(view=view, at=click.own)

    async def grant(self, click: Visit) -> Reply:
        """Extend the deadline of the player to act."""
        await click.table.do(GrantTime(click.user, click.button.at))
        return await self.hands.hand(click, click.table, at=click.own)

    # Shared parts

    async def _set_city(self, visit: Visit, typed: str) -> Reply:
        """Set the time zone by the typed city or country; ask which if several match."""
        now = self.now()
        if (zone := exactly(typed, now)) is not None:
            await self._change(visit, zone=zone)
            return await self._screen(visit)
        there = dict(islice(found(typed, now).items(), MAX_PLACES_OFFERED))
        if not there:
            raise Refused(NO_CITY, city=typed)
        return Reply(view=screens.city_choice(typed, there, now, visit.w), at=visit.own)

    async def _day(self, visit: Visit) -> WorkSchedule:
        return (await self.store.people.work_schedules([visit.user]))[visit.user]

    async def _hours(self, visit: Visit) -> Hours:
        hours = (await self._day(visit)).chosen
        if hours is None:
            raise Refused(NOWHERE)
        return hours

    async def _change(self, visit: Visit, **chosen: Any) -> WorkSchedule:
        """Change some of the user's hours, effective tomorrow at the earliest.

        Raises Refused while the time zone is unknown.
        """
        now, day = self.now(), await self._day(visit)
        if day.chosen is None and "zone" not in chosen:
            raise Refused(NOWHERE)
        day = day.with_hours(replace(day.chosen or Hours(now, ""), **chosen), now)
        await self._save(visit, day)
        return day

    async def _save(self, visit: Visit, day: WorkSchedule) -> None:
        await self.store.people.save_working_hours(visit.user, day)
        await self._recompute_deadlines(visit)

    async def _recompute_deadlines(self, visit: Visit) -> None:
        """Recompute the deadlines at the user's slow tables."""
        for known in await self.store.tables.seated(visit.user):
            if known.pace.slow and known.phase == "playing":
                table = await self.tables.get(known.id)
                await table.do(RecomputeDeadline())
                self.delivery.changed(table)

    async def _screen(self, visit: Visit) -> Reply:
        day, preferences = await self._day(visit), await self.preferences.of(visit.user)
        return Reply(view=screens.days(day, preferences, self.now(), visit.w), at=visit.own)


def _known_zone(value: str) -> str:
    """Return the key of a time zone. Raises ValueError if unknown."""
    if zone_of(value).key != value:
        raise ValueError(value)
    return value


def _night(value: str) -> int:
    return screens.LENGTHS[screens.LENGTHS.index(int(value))]


def _days_off(values: tuple[str, ...]) -> tuple[int, ...]:
    days = tuple(sorted({range(7).index(int(value)) for value in values}))
    if len(days) > MAX_DAYS_OFF:
        raise ValueError(days)
    return days


async def setup(bot: Bigger) -> None:
    """Add the command."""
    parts = bot.parts
    await bot.add_cog(
        WorkingHoursCog(
            hands=HandReplies.of(parts),
            now=parts.now,
            store=parts.store,
            dispatcher=parts.dispatcher,
            preferences=parts.preferences,
            tables=parts.tables,
            delivery=parts.delivery,
        )
    )
