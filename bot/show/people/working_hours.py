"""A person's hours for slow tables, and the hours at which a table's players have time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final

from babel.dates import format_date, get_day_names
from discord import ButtonStyle, SelectOption, ui

from bot.domain.message_ids import N_
from bot.domain.preferences import NOTICE_CHANNELS, NoticeChannel, Preferences
from bot.domain.working_hours import (
    HOURS,
    LONGEST_NIGHT,
    MAX_DAYS_OFF,
    SHORTEST_NIGHT,
    AvailabilityRow,
    CommonHours,
    Hours,
    Vacation,
    WorkSchedule,
)
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.forms import Field, form
from bot.show.kit.layout import (
    Accent,
    Block,
    PrivateScreen,
    back_to_hand,
    button,
    line,
    lines,
    option,
    private,
    row,
    select,
    small,
)
from bot.show.kit.words import MessageText, Words, sentences
from bot.show.typed.cities import city, clock, everywhere, zone_option

# The verbs: zone; bedtime; time of getting up; days off; sharing; where notices go; ask for a city; ask for a
# vacation; end it; the hours of sleep in the first question; decline the first question.
ZONE, BED, UP, OFF, SHARE, NOTICE = "day_zone", "day_bed", "day_up", "day_off", "day_share", "day_notice"
CITY, AWAY, BACK, SLEEP, NOTHING = "day_city", "day_away", "day_back", "day_sleep", "day_nothing"
WHERE, FIRST, LAST = "where", "first", "last"  # fields of forms
MAX_TYPED_LENGTH: Final = 40  # characters of a city, and of a day
NIGHTS: Final = ((22, 8), (23, 8), (0, 8), (1, 8))  # common nights: bedtime, and hours of sleep
NEVER: Final = "no"
OFFERED: Final = tuple(there for there in NOTICE_CHANNELS if there != "thread")  # "thread" is only a fallback
NOTICE_SAID: Final[Mapping[NoticeChannel, str]] = {
    "here": N_("Notices at the table"),
    "direct": N_("Notices by direct message"),
    "both": N_("Notices there and by direct message"),
    "digest": N_("Notices by direct message, each morning"),
    "thread": N_("Notices in a private thread"),
}


def days(
    day: WorkSchedule, preferences: Preferences, now: datetime, w: Words, *, notice: str | None = None
) -> PrivateScreen:
    """Return the screen of a person's hours. notice: a sentence on top."""
    hours = day.chosen
    return private(
        Accent.YOURS,
        notice,
        lines("## " + w("When I have time"), small(w("At slow tables your clock runs only then. Only you see this."))),
        lines(*_said(day, hours, now, w)),
        *(_menus(hours, w) if hours else ()),
        select(Browse.to(NOTICE), w("Where notices go"), _notices(preferences, w)),
        row(
            button(
                w("Change city…") if hours else w("Say my city…"),
                Browse.to(CITY),
                ButtonStyle.secondary if hours else ButtonStyle.primary,
            ),
            button(w("Vacation…"), Browse.to(AWAY)) if hours else None,
            button(w("Back tomorrow"), Browse.to(BACK)) if _ahead(day, now) else None,
        ),
        line() if hours else None,
        *(_share(preferences, w) if hours else ()),
    )


def _said(day: WorkSchedule, hours: Hours | None, now: datetime, w: Words) -> Iterator[str]:
    if hours is None:
        yield w("You have said nothing so far, so your clock always runs.")
        return
    yield w("In **{city}** it is {time} now.", city=city(hours.zone, w.locale), time=clock(hours.zone, now))
    yield _night(hours, w)
    if hours.off:
        yield w("You have no time on {days}.", days=[_weekday(at, w) for at in hours.off])
    for away in _ahead(day, now):
        yield w("You are away from {first} to {last}.", first=_date(away.first, w), last=_date(away.last, w))
    if hours.since > now:
        yield small(w("This holds from tomorrow on."))
    year = day.today(now).year
    left = day.days_left(year)
    yield small(w.n("{n} day of vacation left in {year}.", "{n} days of vacation left in {year}.", left, year=year))


def _night(hours: Hours, w: Words) -> MessageText:
    if not hours.night:
        return w("You have not said when you sleep.")
    return w("You sleep from {bed} to {up}.", bed=hour(hours.bed), up=hour(hours.bed + hours.night))


def _ahead(day: WorkSchedule, now: datetime) -> list[Vacation]:
    """Return the vacations that last beyond today."""
    return [away for away in day.vacations if away.last > day.today(now)] if day.hours else []


def _menus(hours: Hours, w: Words) -> Iterator[Block]:
    never = option(w("I do not say when I sleep"), NEVER, default=not hours.night)
    beds = (
        option(w("To bed at {time}", time=hour(at)), str(at), default=bool(hours.night) and at == hours.bed)
        for at in (*range(18, 24), *range(18))
    )
    yield select(Browse.to(BED), w("When do you go to bed?"), [never, *beds])
    if hours.night:
        yield select(Browse.to(UP), w("When do you get up?"), [_up(hours, night, w) for night in LENGTHS])
    free = [option(_weekday(at, w), str(at), default=at in hours.off) for at in range(7)]
    yield select(Browse.to(OFF), w("Days off, two at most"), free, least=0, most=MAX_DAYS_OFF)


LENGTHS: Final = range(SHORTEST_NIGHT, LONGEST_NIGHT + 1)


def _up(hours: Hours, night: int, w: Words) -> SelectOption:
    said = w.n("Up at {time}, after {n} hour", "Up at {time}, after {n} hours", night, time=hour(hours.bed + night))
    return option(said, str(night), default=night == hours.night)


def _notices(preferences: Preferences, w: Words) -> list[SelectOption]:
    return [
        option(
            w(NOTICE_SAID[there]),
            there,
            w("Where you hear that a slow table waits"),
            default=there == preferences.notices,
        )
        for there in NOTICE_CHANNELS
        if there in (preferences.notices, *OFFERED)
    ]


def _share(preferences: Preferences, w: Words) -> Iterator[Block]:
    if preferences.shares_day:
        yield w("Those with whom you sit at a slow table see until when you sleep, and your hours.")
        yield row(button(w("Keep it to myself"), Browse.to(SHARE, 0)))
    else:
        yield w("Nobody else sees it. Boards tell your time to the hour.")
        yield row(button(w("Let them see when I sleep"), Browse.to(SHARE, 1)))


def hour(at: int) -> MessageText:
    """Return an hour of the day."""
    return MessageText(f"{at % 24}:00")


def _weekday(at: int, w: Words) -> MessageText:
    return MessageText(get_day_names("wide", locale=w.locale)[at])


def _date(day: date, w: Words) -> MessageText:
    return MessageText(format_date(day, "medium", locale=w.locale))


# The first question


def where(now: datetime, locale: str, w: Words) -> PrivateScreen:
    """Return the first question, asked once at a person's first slow table. locale: of the person's Discord client."""
    there = [option(zone_option(zone, now, w), zone) for zone in everywhere(locale, now)]
    return private(
        Accent.YOURS,
        lines(
            "### " + w("What time is it where you are?"),
            w("Say it once, and at slow tables your clock stops while you sleep."),
            small(w("Only you see this. Another city: /my clock.")),
        ),
        select(Browse.to(ZONE, "first"), w("What your clock shows"), there),
        row(button(w("Rather not"), Browse.to(NOTHING))),
    )


def when(hours: Hours, now: datetime, w: Words) -> PrivateScreen:
    """Return the second half of the first question."""
    nights = [button(f"{hour(bed)}–{hour(bed + night)}", Browse.to(SLEEP, bed, night)) for bed, night in NIGHTS]
    return private(
        Accent.YOURS,
        lines(
            "## " + w("When do you sleep?"),
            w("In **{city}** it is {time} now.", city=city(hours.zone, w.locale), time=clock(hours.zone, now)),
        ),
        row(*nights),
        row(button(w("Other hours"), Browse.to(SLEEP)), button(w("Rather not"), Browse.to(NOTHING))),
    )


def thanks(day: WorkSchedule, w: Words) -> PrivateScreen:
    """Return the confirmation of the first question."""
    night = _night(day.chosen, w) if day.chosen and day.chosen.night else MessageText()
    told = w("From tomorrow on your clock stands still then.") if night else w("Your clock always runs, then.")
    return private(Accent.YOURS, sentences((night, told)), small(w("Change it any time: /my clock.")))


# Forms


def city_form(w: Words) -> ui.Modal:
    """Return the form for a city."""
    hint = w("A city such as Taipei, a country, or UTC+8")
    return form(
        Browse.to(CITY), w("My city"), Field(WHERE, w("Where are you?"), hint=hint, typed="", longest=MAX_TYPED_LENGTH)
    )


def away_form(now: datetime, hours: Hours, w: Words) -> ui.Modal:
    """Return the form for a vacation."""
    like = WorkSchedule.tomorrow(now, hours).date().isoformat()
    hint = w("Year, month and day, such as {like}", like=MessageText(like))
    return form(
        Browse.to(AWAY),
        w("Vacation"),
        Field(FIRST, w("First day"), hint=hint, typed="", longest=MAX_TYPED_LENGTH),
        Field(LAST, w("Last day"), hint=hint, typed="", longest=MAX_TYPED_LENGTH),
    )


def which(typed: str, zones: Mapping[str, str], now: datetime, w: Words) -> PrivateScreen:
    """Return the choice among several places that match a typed one. zones: each with the name of the matching city."""
    there = [option(zone_option(zone, now, w, called), zone) for zone, called in zones.items()]
    return private(
        Accent.YOURS,
        w("Which one is it? Several fit {typed}.", typed=typed),
        select(Browse.to(ZONE), w("What your clock shows"), there),
    )


BLOCKS = "▁▂▃▄▅▆▇█"
HALF = HOURS // 2  # hours in a line
SPANS = 2  # the number of best spans named


def availability(
    scene: Scene, all_of_them: CommonHours, rows: Mapping[int, AvailabilityRow], w: Words
) -> PrivateScreen:
    """Return the screen. rows: by seat, of the viewer and of players who share their hours."""
    w = w.at(scene)
    return private(
        Accent.YOURS,
        lines(
            f"## {w('Who has time when')}",
            small(w("Tomorrow at {table}, by your clock. Only you see this.", table=phrases.table(scene, w))),
        ),
        _drawn([number / all_of_them.counted for number in all_of_them.count]) if all_of_them.counted > 1 else None,
        lines(_best(all_of_them, w), *_uncounted(all_of_them, w)),
        *(lines(phrases.marked(seat, w), _drawn(known)) for seat, known in rows.items()),
        row(
            button(w("My days…"), Press(scene.where.table, Verb.AVAILABILITY, at=1)),
            back_to_hand(scene.where.table, w) if scene.dealt else None,
        ),
    )


def _drawn(parts: Sequence[float]) -> str:
    """Return a bar for each hour in two lines, morning and afternoon: the higher, the more players."""
    blocks = "".join(BLOCKS[round(part * (len(BLOCKS) - 1))] for part in parts)
    return f"```\n 0 {blocks[:HALF]} 12\n12 {blocks[HALF:]} 24\n```"


def _best(found: CommonHours, w: Words) -> MessageText:
    """Return the hours at which most players have time."""
    if found.counted < 2:  # the viewer alone
        return w("Nobody else lets you see when they have time.")
    most, spans = max(found.count), [span(*known) for known in found.best[:SPANS]]
    if most < 2:
        return w("There is no hour at which two of you have time.")
    if most == found.counted:
        return w("**All {n} have time: {spans}**", n=most, spans=spans)
    return w("**{n} of {all} have time: {spans}**", n=most, all=found.counted, spans=spans)


def _uncounted(found: CommonHours, w: Words) -> list[str]:
    """Return the number of players not counted, and why."""
    hidden, silent = MessageText(), MessageText()
    if found.hidden:
        hidden = w.n("{n} keeps their hours to themselves.", "{n} keep their hours to themselves.", found.hidden)
    if found.silent:
        silent = w.n("{n} has said nothing of their day.", "{n} have said nothing of their days.", found.silent)
    return [small(sentences((hidden, silent)))]


def span(begin: int, end: int) -> MessageText:
    """Return a span of hours of the day."""
    return MessageText(f"{hour(begin)}–{hour(end)}")
