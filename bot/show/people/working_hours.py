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
from bot.show.typed.cities import city, clock, zone_of_each_clock, zone_option

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
        lines(
            "## " + w("Your hours"),
            small(w("At slow tables, your clock only runs in these hours. Only you can see this.")),
        ),
        lines(*_said(day, hours, now, w)),
        *(_menus(hours, w) if hours else ()),
        select(Browse.to(NOTICE), w("Where to notify you"), _notices(preferences, w)),
        row(
            button(
                w("Change city…") if hours else w("Set my city…"),
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
        yield w("You haven't set any hours, so your clock always runs.")
        return
    yield w("It's {time} in **{city}** now.", city=city(hours.zone, w.locale), time=clock(hours.zone, now))
    yield _night(hours, w)
    if hours.off:
        yield w("You're off on {days}.", days=[_weekday(at, w) for at in hours.off])
    for away in _ahead(day, now):
        yield w("You're away from {first} to {last}.", first=_date(away.first, w), last=_date(away.last, w))
    if hours.since > now:
        yield small(w("This applies from tomorrow."))
    year = day.today(now).year
    left = day.days_left(year)
    yield small(w.n("{n} vacation day left in {year}.", "{n} vacation days left in {year}.", left, year=year))


def _night(hours: Hours, w: Words) -> MessageText:
    if not hours.night:
        return w("You haven't set your sleeping hours.")
    return w("You sleep from {bed} to {up}.", bed=hour(hours.bed), up=hour(hours.bed + hours.night))


def _ahead(day: WorkSchedule, now: datetime) -> list[Vacation]:
    """Return the vacations that last beyond today."""
    return [away for away in day.vacations if away.last > day.today(now)] if day.hours else []


def _menus(hours: Hours, w: Words) -> Iterator[Block]:
    never = option(w("I'd rather not say"), NEVER, default=not hours.night)
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
    text = w.n("Up at {time}, after {n} hour", "Up at {time}, after {n} hours", night, time=hour(hours.bed + night))
    return option(text, str(night), default=night == hours.night)


def _notices(preferences: Preferences, w: Words) -> list[SelectOption]:
    return [
        option(
            w(NOTICE_SAID[there]),
            there,
            w("How you hear that a slow table is waiting"),
            default=there == preferences.notices,
        )
        for there in NOTICE_CHANNELS
        if there in (preferences.notices, *OFFERED)
    ]


def _share(preferences: Preferences, w: Words) -> Iterator[Block]:
    if preferences.shares_day:
        yield w("People at your slow tables can see when you sleep and which hours you're free.")
        yield row(button(w("Keep it private"), Browse.to(SHARE, 0)))
    else:
        yield w("Nobody else sees it, but boards show your local time, to the hour.")
        yield row(button(w("Show my sleeping hours"), Browse.to(SHARE, 1)))


def hour(at: int) -> MessageText:
    """Return an hour of the day."""
    return MessageText(f"{at % 24}:00")


def _weekday(at: int, w: Words) -> MessageText:
    return MessageText(get_day_names("wide", locale=w.locale)[at])


def _date(day: date, w: Words) -> MessageText:
    return MessageText(format_date(day, "medium", locale=w.locale))


# The first question


def city_question(now: datetime, locale: str, w: Words) -> PrivateScreen:
    """Return the first question, asked once at a person's first slow table.

    locale: of the person's Discord client.
    """
    there = [option(zone_option(zone, now, w), zone) for zone in zone_of_each_clock(locale, now)]
    return private(
        Accent.YOURS,
        lines(
            "### " + w("What time is it where you are?"),
            w("Set it once, and your clock at slow tables stops while you sleep."),
            small(w("Only you can see this. Another city: /my clock.")),
        ),
        select(Browse.to(ZONE, "first"), w("What your clock shows"), there),
        row(button(w("No thanks"), Browse.to(NOTHING))),
    )


def sleep_question(hours: Hours, now: datetime, w: Words) -> PrivateScreen:
    """Return the second half of the first question."""
    nights = [button(f"{hour(bed)}–{hour(bed + night)}", Browse.to(SLEEP, bed, night)) for bed, night in NIGHTS]
    return private(
        Accent.YOURS,
        lines(
            "## " + w("When do you sleep?"),
            w("It's {time} in **{city}** now.", city=city(hours.zone, w.locale), time=clock(hours.zone, now)),
        ),
        row(*nights),
        row(button(w("Other hours"), Browse.to(SLEEP)), button(w("No thanks"), Browse.to(NOTHING))),
    )


def thanks(day: WorkSchedule, w: Words) -> PrivateScreen:
    """Return the confirmation of the first question."""
    night = _night(day.chosen, w) if day.chosen and day.chosen.night else MessageText()
    text = w("From tomorrow, your clock stops while you sleep.") if night else w("OK, your clock always runs.")
    return private(Accent.YOURS, sentences((night, text)), small(w("Change it any time: /my clock.")))


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


def city_choice(typed: str, zones: Mapping[str, str], now: datetime, w: Words) -> PrivateScreen:
    """Return the choice among several places that match a typed one.

    zones: each with the name of the matching city.
    """
    there = [option(zone_option(zone, now, w, called), zone) for zone, called in zones.items()]
    return private(
        Accent.YOURS,
        w("Which one? Several match {typed}.", typed=typed),
        select(Browse.to(ZONE), w("What your clock shows"), there),
    )


BLOCKS = "▁▂▃▄▅▆▇█"
HALF = HOURS // 2  # hours in a line
SPANS = 2  # the number of best spans named


def availability(
    scene: Scene, all_of_them: CommonHours, rows: Mapping[int, AvailabilityRow], w: Words
) -> PrivateScreen:
    """Return the screen. rows: by seat, of the viewer and of players who share their hours."""
    w = w.for_scene(scene)
    return private(
        Accent.YOURS,
        lines(
            "## " + w("Who's free when"),
            small(w("Tomorrow at {table}, by your clock. Only you can see this.", table=phrases.table(scene, w))),
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
    """Return a bar for each hour in two lines, morning and afternoon.

    A higher bar means more players.
    """
    blocks = "".join(BLOCKS[round(part * (len(BLOCKS) - 1))] for part in parts)
    return f"```\n 0 {blocks[:HALF]} 12\n12 {blocks[HALF:]} 24\n```"


def _best(found: CommonHours, w: Words) -> MessageText:
    """Return the hours at which most players have time."""
    if found.counted < 2:  # the viewer alone
        return w("Nobody else shares their hours.")
    most, spans = max(found.count), [span(*known) for known in found.best[:SPANS]]
    if most < 2:
        return w("No two of you are free at the same time.")
    if most == found.counted:
        return w("**All {n} are free: {spans}**", n=most, spans=spans)
    return w("**{n} of {all} are free: {spans}**", n=most, all=found.counted, spans=spans)


def _uncounted(found: CommonHours, w: Words) -> list[str]:
    """Return the number of players not counted, and why."""
    hidden, silent = MessageText(), MessageText()
    if found.hidden:
        hidden = w.n("{n} person keeps their hours private.", "{n} people keep their hours private.", found.hidden)
    if found.silent:
        silent = w.n("{n} person hasn't set any hours.", "{n} people haven't set any hours.", found.silent)
    return [small(sentences((hidden, silent)))]


def span(begin: int, end: int) -> MessageText:
    """Return a span of hours of the day."""
    return MessageText(f"{hour(begin)}–{hour(end)}")
