"""What a player says of their days: asked once, kindly; private; and from the next day on."""

from __future__ import annotations

from datetime import date, timedelta

from simcord.results import InteractionResult

from bot.domain.working_hours import Vacation, WorkSchedule
from tests.interactions.clicks import send_click
from tests.people.test_options import Menu
from tests.support.message_text import private_reply
from tests.support.world import World


async def stored_schedule(here: World, name: str) -> WorkSchedule:
    user = here.people[name].id
    return (await here.parts.store.people.work_schedules([user]))[user]


async def open_working_hours(here: World, name: str = "ben", **options: str) -> Menu:
    """Open the screen of a user's working hours."""
    shown = await here.people[name].slash(here.channel, "my clock", **options)
    await here.settle()
    return Menu(here, name, shown)


def is_asked_for_hours(result: InteractionResult) -> bool:
    """Tell whether a player is asked for their days."""
    return result.response is not None and "What time is it where you are?" in private_reply(result).text


async def test_a_player_joining_a_first_slow_table_is_asked_for_hours_once(here: World) -> None:
    assert not is_asked_for_hours(await here.press("ben", await here.open_table(), "Join")), "at a live table"
    table = await here.open_table("ann", pace="relaxed")
    question = await here.press("ben", table, "Join")
    assert is_asked_for_hours(question)
    menu = Menu(here, "ben", question)
    page = await menu.choose("day_zone", "Asia/Manila")
    assert "It's 08:00 in **Manila** now." in page.text
    page = await menu.press("23:00–7:00")
    assert "You sleep from 23:00 to 7:00." in page.text
    (hours,) = (await stored_schedule(here, "ben")).hours
    assert (hours.zone, hours.bed, hours.night) == ("Asia/Manila", 23, 8)
    assert hours.since == here.env.now() + timedelta(hours=16), "from midnight on"
    menu = Menu(here, "dev", await here.press("dev", table, "Join"))
    assert "OK, your clock always runs." in (await menu.press("No thanks")).text
    assert (await stored_schedule(here, "dev")).hours == ()
    again = await here.open_table("cleo", pace="daily")
    for name in ("ben", "dev"):
        assert not is_asked_for_hours(await here.press(name, again, "Join"))


async def test_only_the_hand_replaces_the_question_about_working_hours(here: World) -> None:
    table = await here.open_table(pace="relaxed")
    question = await here.press("ben", table, "Join")
    await here.press("cleo", table, "Join")
    await here.press("cleo", table, "Leave")
    await here.advance(minutes=14)
    assert is_asked_for_hours(question)
    just_now = await here.press("dev", table, "Join")
    await here.press("ann", table, "Play now")
    assert is_asked_for_hours(question), "a deal takes nothing away from whoever is answering"
    assert "Your 13 cards" in private_reply(just_now).text
    (options,) = private_reply(just_now).selects.values()
    assert len(options) == 1, "the menu leads back to the cards"
    await here.open_hand("ben", table)
    assert question.response is None


async def test_the_guessed_time_zone_is_offered_first(here: World) -> None:
    here.locales["ben"] = "zh-TW"
    table = await here.open_table(pace="relaxed")
    (zones,) = private_reply(await here.press("ben", table, "Join")).selects.values()
    assert zones[0] == "Asia/Taipei"
    assert "Asia/Shanghai" not in zones, "the clock shows the same there"
    assert "Pacific/Auckland" in zones


async def test_all_working_hours_are_changed_on_one_screen(here: World) -> None:
    menu = await open_working_hours(here, city="Asia/Manila")
    assert "It's 08:00 in **Manila** now." in menu.text
    assert "This applies from tomorrow." in menu.text
    await menu.choose("day_bed", "22")
    await check_limits_of_hours(here, menu)
    await menu.choose("day_up", "9")
    page = await menu.choose("day_off", "6")
    assert "You sleep from 22:00 to 7:00." in page.text
    assert "You're off on Sunday." in page.text
    page = await menu.choose("day_notice", "digest")
    assert (await here.parts.preferences.of(here.people["ben"].id)).notices == "digest"
    page = await menu.press("Show my sleeping hours")
    assert (await stored_schedule(here, "ben")).shared
    assert "Keep it private" in page.buttons
    page = await menu.choose("day_bed", "no")
    assert "You haven't set your sleeping hours." in page.text


async def check_limits_of_hours(here: World, menu: Menu) -> None:
    """Check that a menu offers and takes at most twelve hours of sleep and two days off."""
    nights = next(values for address, values in menu.screen.selects.items() if "day_up" in address)
    assert max(map(int, nights)) == 12
    assert menu.shown.response is not None
    message, before = menu.shown.response.message, await stored_schedule(here, "ben")
    for address, values in (("bv:day_up", ["13"]), ("bv:day_off", ["0", "1", "2"])):
        await send_click(here, here.people["ben"], message, address, values)
    assert await stored_schedule(here, "ben") == before


async def test_a_vacation_is_typed_ended_and_deleted_with_its_user(here: World) -> None:
    menu = await open_working_hours(here, city="Asia/Manila")
    page = await menu.fill("Vacation…", first="2026-01-05", last="2026/1/9")
    assert "You're away from Jan 5, 2026 to Jan 9, 2026." in page.text
    assert "16 vacation days left in 2026." in page.text
    assert (await stored_schedule(here, "ben")).vacations == (Vacation(date(2026, 1, 5), date(2026, 1, 9)),)
    assert "Write it like this" in (await menu.fill("Vacation…", first="soon", last="later")).text
    assert "Does 3.4. mean" in (await menu.fill("Vacation…", first="3.4.", last="2026-04-03")).text
    assert (
        "Write it with four digits, like this"
        in (await menu.fill("Vacation…", first="2569-02-01", last="2026-04-03")).text
    )
    assert (
        "A vacation can't start before tomorrow"
        in (await menu.fill("Vacation…", first="2026-01-01", last="2026-01-02")).text
    )
    page = await menu.press("Back tomorrow")
    assert "You're away from" not in page.text
    data = await here.parts.store.person_data(here.people["ben"].id)
    assert data["hours"][0]["zone"] == "Asia/Manila"
    await here.parts.retention.forget_person(here.people["ben"].id)
    assert (await stored_schedule(here, "ben")).hours == ()


async def test_autocompletion_offers_cities_and_an_ambiguous_one_is_asked_back(here: World) -> None:
    for typed, name, value in (
        ("Mumb", "05:30 · Mumbai (Kolkata, India)", "Asia/Kolkata"),  # without a zone of its own
        ("auck", "13:00 · Auckland, New Zealand", "Pacific/Auckland"),
    ):
        offered = await here.people["ben"].autocomplete(here.channel, "my clock", "city", typed)
        assert [(each["name"], each["value"]) for each in offered] == [(name, value)]
    menu = await open_working_hours(here)
    assert "You haven't set any hours, so your clock" in menu.text
    assert [target.split(":")[1] for target in menu.screen.selects] == ["day_notice"], "nothing else before a city"
    menu = await open_working_hours(here, city="new z")
    assert "Several match" in menu.text
    page = await menu.choose("day_zone", "Pacific/Auckland")
    assert "**Auckland**" in page.text
    assert "It's 05:30 in **Kolkata** now." in (await open_working_hours(here, city="mumbai")).text
    assert "Try the largest city nearby, in English or" in (await open_working_hours(here, city="Atlantis")).text
    menu = await open_working_hours(here, city="UTC+5:30")
    assert menu.screen.selects["bv:day_zone"] == ("Asia/Kolkata", "Asia/Colombo")
    assert "It's 08:00 in **UTC+8** now." in (await open_working_hours(here, city="utc +8")).text
