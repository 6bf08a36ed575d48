"""When somebody has time for slow tables: what they say of their days, and what follows at their tables."""

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
from bot.delivery.table_delivery import Telling
from bot.domain.message_ids import N_
from bot.domain.preferences import NOTICES
from bot.domain.refusals import Refused
from bot.domain.working_hours import MOST_OFF, Day, Hours, Vacation, row, together, zone_of
from bot.interactions.answers import QUIETLY, WITH_FORM
from bot.interactions.autocompletion import choice, offering
from bot.interactions.command_contexts import within
from bot.interactions.dispatcher import Door
from bot.interactions.replies import Reply
from bot.interactions.visit import STALE, Handler, Visit
from bot.members.preferences import RememberedHabits
from bot.show.hand.panel import Tab
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.people import working_hours as screens
from bot.show.people.availability import awake
from bot.show.typed.cities import MOST, exactly, found, offered
from bot.show.typed.dates import read_day
from bot.store.store import Store
from bot.table.core.chairs import own_seat
from bot.table.core.commands import GrantTime, RecomputeDeadline
from bot.table.registry import Tables
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.hand_replies import HandReplies
from cogs.common.table_lookup import Interaction

NO_CITY = N_("I know no city or country called {city}. Try the largest city nearby, in English or in your language.")
NOWHERE = N_("Say first in which city you are.")


async def _cities(parts: Parts, visit: Visit) -> list[Choice[str]]:
    """Find cities, with what time it is there."""
    now = parts.now()
    there = islice(found(visit.typed, now).items(), MOST)
    return [choice(offered(zone, now, visit.w, called), zone) for zone, called in there]


@dataclass(frozen=True, slots=True, kw_only=True)
class SleepQuestion:
    """Asks people once when they sleep."""

    store: Store
    habits: RememberedHabits
    telling: Telling
    now: Callable[[], datetime]

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the question of a running bot."""
        return cls(store=parts.store, habits=parts.habits, telling=parts.telling, now=parts.now)

    async def ask_once(self, visit: Visit, table: Table) -> Reply | None:
        """Return the question when somebody sleeps, at their first slow table; None where they need not be asked.

        Their hand takes its place, so that it stands between board and hand no longer than they let it.
        """
        if not table.row.pace.slow or (await self.habits.of(visit.user)).asked_day:
            return None
        if (await self.store.people.days([visit.user]))[visit.user].hours:
            return None
        await self.habits.change(visit.user, asked_day=True)
        landed = partial(self.telling.opened, table, table.scene(visit.user), tab=Tab.BEFORE)
        return Reply(view=screens.where(self.now(), str(visit.interaction.locale), visit.w), landed=landed)


@dataclass(kw_only=True, eq=False, repr=False)
class Days(commands.Cog):
    """What somebody says of their days."""

    hands: HandReplies
    now: Callable[[], datetime]
    store: Store
    door: Door
    habits: RememberedHabits
    tables: Tables
    telling: Telling

    def __post_init__(self) -> None:
        for verb, work in (
            (screens.ZONE, self.zone),
            (screens.BED, self.bed),
            (screens.UP, self.up),
            (screens.OFF, self.off),
            (screens.SHARE, self.share),
            (screens.NOTICE, self.notice),
            (screens.BACK, self.back),
            (screens.SLEEP, self.sleep),
            (screens.NOTHING, self.nothing),
        ):
            self.door.handle(Browse, verb, Handler(work, QUIETLY))
        for verb, work in ((screens.CITY, self.ask_city), (screens.AWAY, self.ask_away)):
            self.door.handle(Browse, verb, Handler(work, WITH_FORM))
        self.door.handle(Press, Verb.AWAKE, Handler(self.awake, QUIETLY))
        self.door.handle(Press, Verb.GRANT, Handler(self.grant, QUIETLY))
        self.door.handle_form(screens.CITY, self.city)
        self.door.handle_form(screens.AWAY, self.away)

    @within("my", "clock", locale_str("Say when I sleep and when I am away"))
    @describe(city=locale_str("Where you are: a large city nearby, or a country"))
    @autocomplete(city=offering(_cities))
    async def clock(self, interaction: Interaction, city: str | None = None) -> None:
        """Show what somebody has said, or note where they are."""

        async def work(visit: Visit) -> Reply:
            return await self._at(visit, city) if city else await self._screen(visit)

        await self.door.reply(interaction, work)

    # Choices

    async def zone(self, click: Visit) -> Reply:
        """Note where somebody is; on the first question go on to when they sleep."""
        chosen = click.one(_known)
        day = await self._change(click, zone=chosen)
        if click.browse.args == ("first",) and day.chosen:
            return Reply(view=screens.when(day.chosen, self.now(), click.w), at=click.own)
        return await self._screen(click)

    async def bed(self, click: Visit) -> Reply:
        """Note when somebody goes to bed, or that they do not say."""
        wanted = click.one(lambda value: None if value == screens.NEVER else range(24).index(int(value)))
        hours = (await self._day(click)).chosen
        night = hours.night if hours and hours.night else 8
        await self._change(click, **({"night": 0} if wanted is None else {"bed": wanted, "night": night}))
        return await self._screen(click)

    async def up(self, click: Visit) -> Reply:
        """Note for how long somebody sleeps."""
        await self._change(click, night=click.one(_night))
        return await self._screen(click)

    async def off(self, click: Visit) -> Reply:
        """Note on which days of the week somebody has no time."""
        await self._change(click, off=click.all(_off))
        return await self._screen(click)

    async def sleep(self, click: Visit) -> Reply:
        """Note from when to when somebody sleeps, or show all there is to choose."""
        try:
            bed, night = map(int, click.browse.args)
        except ValueError:
            return await self._screen(click)
        if (bed, night) not in screens.NIGHTS:
            raise Refused(STALE)
        day = await self._change(click, bed=bed, night=night)
        return Reply(view=screens.thanks(day, click.w), at=click.own)

    async def nothing(self, click: Visit) -> Reply:
        """Leave somebody in peace who would rather say nothing."""
        return Reply(view=screens.thanks(Day(), click.w), at=click.own)

    async def share(self, click: Visit) -> Reply:
        """Let those who sit with somebody see when they sleep, or no more."""
        await self.habits.change(click.user, shares_day=click.browse.args == ("1",))
        await self._reckon(click)
        return await self._screen(click)

    async def notice(self, click: Visit) -> Reply:
        """Note where somebody wants to hear of slow tables, and in which language they read it there."""
        wanted = click.one(lambda value: {str(there): there for there in NOTICES}[value])
        await self.habits.change(click.user, notices=wanted, locale=str(click.interaction.locale))
        return await self._screen(click)

    async def back(self, click: Visit) -> Reply:
        """End a vacation that goes on, and take back those that are to come."""
        day = (await self._day(click)).back(self.now())
        await self._keep(click, day)
        return await self._screen(click)

    # Forms

    async def ask_city(self, click: Visit) -> Reply:
        """Ask for a city."""
        return Reply(form=screens.city_form(click.w))

    async def city(self, click: Visit) -> Reply:
        """Note the city that was typed; where several fit ask which."""
        return await self._at(click, click.filled.get(screens.WHERE, ""))

    async def ask_away(self, click: Visit) -> Reply:
        """Ask for the days of a vacation."""
        return Reply(form=screens.away_form(self.now(), await self._hours(click), click.w))

    async def away(self, click: Visit) -> Reply:
        """Note a vacation."""
        await self._hours(click)
        day, now, locale = await self._day(click), self.now(), str(click.interaction.locale)
        first = read_day(click.filled.get(screens.FIRST, ""), day.today(now), locale)
        last = read_day(click.filled.get(screens.LAST, ""), first, locale)
        await self._keep(click, day.with_vacation(Vacation(first, last), now))
        return await self._screen(click)

    # At a table

    async def awake(self, click: Visit) -> Reply:
        """Show somebody who sits at a slow table at which hours how many have time, once they have said where they are.

        As 1: what they have said themselves.
        """
        table, scene, now = click.table, click.table.scene(click.user), self.now()
        own_seat(scene.chairs, click.user)
        owners = {chair.seat: chair.user for chair in scene.chairs if chair.user is not None}
        days = await self.store.people.days(list(owners.values()))
        own = days[click.user]
        if click.button.at:
            return replace(await self._screen(click), at=None)
        if own.chosen is None or not scene.terms.pace.slow:
            return Reply(view=screens.where(now, str(click.interaction.locale), click.w))
        midnight = Day.tomorrow(now, own.chosen)
        others = {seat: days[user] for seat, user in owners.items() if user != click.user}
        seen = {seat: row(day, midnight) for seat, day in others.items() if day.hours and day.shared}
        mine = {seat: row(own, midnight) for seat, user in owners.items() if user == click.user}
        view = awake(scene, together(own, list(others.values()), midnight), mine | seen, click.w)
        return self.hands.aside(click, table, view) if scene.dealt else Reply(view=view, at=click.own)

    async def grant(self, click: Visit) -> Reply:
        """Give whoever is to move more time."""
        await click.table.do(GrantTime(click.user, click.button.at))
        return await self.hands.hand(click, click.table, at=click.own)

    # What all of them need

    async def _at(self, visit: Visit, typed: str) -> Reply:
        """Note where somebody is by what they typed."""
        now = self.now()
        if (zone := exactly(typed, now)) is not None:
            await self._change(visit, zone=zone)
            return await self._screen(visit)
        there = dict(islice(found(typed, now).items(), MOST))
        if not there:
            raise Refused(NO_CITY, city=typed)
        return Reply(view=screens.which(typed, there, now, visit.w), at=visit.own)

    async def _day(self, visit: Visit) -> Day:
        return (await self.store.people.days([visit.user]))[visit.user]

    async def _hours(self, visit: Visit) -> Hours:
        hours = (await self._day(visit)).chosen
        if hours is None:
            raise Refused(NOWHERE)
        return hours

    async def _change(self, visit: Visit, **chosen: Any) -> Day:
        """Note what is chosen of somebody's hours, which works from tomorrow on."""
        now, day = self.now(), await self._day(visit)
        if day.chosen is None and "zone" not in chosen:
            raise Refused(NOWHERE)
        day = day.with_hours(replace(day.chosen or Hours(now, ""), **chosen), now)
        await self._keep(visit, day)
        return day

    async def _keep(self, visit: Visit, day: Day) -> None:
        await self.store.people.keep_day(visit.user, day)
        await self._reckon(visit)

    async def _reckon(self, visit: Visit) -> None:
        """Let their slow tables find out when time is up by that."""
        for known in await self.store.tables.seated(visit.user):
            if known.pace.slow and known.phase == "playing":
                table = await self.tables.get(known.id)
                await table.do(RecomputeDeadline())
                self.telling.changed(table)

    async def _screen(self, visit: Visit) -> Reply:
        day, habits = await self._day(visit), await self.habits.of(visit.user)
        return Reply(view=screens.days(day, habits, self.now(), visit.w), at=visit.own)


def _known(value: str) -> str:
    """Return a zone that there is. Raises ValueError for another."""
    if zone_of(value).key != value:
        raise ValueError(value)
    return value


def _night(value: str) -> int:
    return screens.LENGTHS[screens.LENGTHS.index(int(value))]


def _off(values: tuple[str, ...]) -> tuple[int, ...]:
    days = tuple(sorted({range(7).index(int(value)) for value in values}))
    if len(days) > MOST_OFF:
        raise ValueError(days)
    return days


async def setup(bot: Bigger) -> None:
    """Add the command."""
    parts = bot.parts
    await bot.add_cog(
        Days(
            hands=HandReplies.of(parts),
            now=parts.now,
            store=parts.store,
            door=parts.door,
            habits=parts.habits,
            tables=parts.tables,
            telling=parts.telling,
        )
    )
