"""A server that keeps plays for a year only: how it is chosen, and what users of an expired match read."""

from __future__ import annotations

import json

from bot.domain.ids import UNKNOWN_ACCESS_CHANNEL, TableId
from bot.show.kit.layout import DOTS
from bot.show.matches.moment_codes import MomentCode
from tests.people.test_moments_shared import open_match_directly
from tests.people.test_profile import open_profile
from tests.people.test_seen import finish_match, players  # noqa: F401  # fixtures
from tests.people.test_server_settings import boss, open_settings, settings  # noqa: F401  # a fixture
from tests.people.test_taking import export_matches
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, Person, World

DEAL = SHORT_HANDS  # whose cards do not matter

EXPIRED = (
    "The moves of this match are gone: they were deleted after a year, as this server chose. The result still stands."
)
OTHERS = ("slow", "stakes", "leaderboard", "mirror", "threads", "pictures")


async def choose_retention(here: World, who: Person, *, year: bool) -> str:
    """Set the retention of plays; return the reply."""
    opened = await open_settings(here, who)
    return private_reply(await opened.choose("switches", *OTHERS, *(["forget_plays"] if year else []))).text


async def pass_a_year(here: World) -> None:
    """Advance a year, with a restart."""
    await here.advance(days=366)
    await here.parts.match_rescorer.score()
    await here.parts.record_packer.pack()
    await here.restart()


async def read_standings(here: World) -> list[str]:
    """Every public result of every player."""
    counted = private_reply(await open_profile(here, "ben")).text.partition("won:")[
        2
    ]  # a rating sinks while nobody plays
    said = [counted, (await here.slash("ben", "matches ledger")).text]
    store, where = here.parts.store, (here.guild.id, UNKNOWN_ACCESS_CHANNEL.channel, here.ann.id)
    kept = (
        await store.results.score(TableId(1)),
        await store.leaderboards.player_entries(*where),
        await store.leaderboards.played(*where, "big_two"),
    )
    assert all(kept)
    return [*said, *map(str, kept)]


async def test_every_entrance_to_an_expired_match_says_so_and_results_stay(here: World, boss: Person) -> None:  # noqa: F811
    table = await finish_match(here)
    board, before = here.board(table), await read_standings(here)
    assert "From tomorrow, moves more than a year old are" in await choose_retention(here, boss, year=True)
    assert "From tomorrow, moves" not in await choose_retention(here, boss, year=True), "once"
    playback, menu = [await open_match_directly(here, "ann", "1") for _ in range(2)]
    await here.press_on("ann", menu, DOTS)
    await pass_a_year(here)
    assert private_reply(await open_match_directly(here, "dev", "1")).text == EXPIRED
    assert private_reply(await open_match_directly(here, "dev", str(MomentCode(table.id, 3)))).text == EXPIRED
    assert (await here.slash("dev", "matches verify", table="1")).text == EXPIRED
    assert await export_matches(here, "ann", table="1") == (EXPIRED, {})
    mine = (await export_matches(here, "ann", which="mine"))[0]
    assert mine.startswith("The moves of these matches are gone: they were deleted after a year, as their")
    for shown, label in (
        (playback, "Move ▶"),
        (playback, "Trick ▶"),
        (menu, "Share…"),
        (menu, "Check"),
        (menu, "As a file"),
    ):
        assert private_reply(await here.press_on("ann", shown, label)).text == EXPIRED, label
    for label in ("Replay", "Rematch"):
        assert private_reply(await here.click_stale("ann", board, label)).text == EXPIRED, label
    listed = private_reply(await here.people["dev"].slash(here.channel, "matches list"))
    assert "table 1" in listed.text
    assert "The moves aren't stored any more." in listed.text
    assert not listed.selects
    for typed in ("", "1", "big", str(MomentCode(table.id, 3))):
        assert not await here.people["dev"].autocomplete(here.channel, "matches list", "table", typed)
    assert await read_standings(here) == before
    assert "moves" not in await here.parts.store.person_data(here.ann.id)


async def test_exports_contain_newer_matches_and_omit_expired_ones(here: World, boss: Person) -> None:  # noqa: F811
    await finish_match(here)
    await choose_retention(here, boss, year=True)
    await pass_a_year(here)
    await finish_match(here)
    told, files = await export_matches(here, "ann", which="mine")
    assert told == (
        "1 match, to read and as lines for `python -m bot record verify`. 1 older match is left out, "
        "because its moves are gone."
    )
    lines = [json.loads(line) for line in files["matches.jsonl"].decode().splitlines()]
    assert len(lines) == 1
    await here.parts.retention.forget_person(here.ann.id)
    await here.settle()
    assert (await here.parts.store.person_data(here.ann.id)).keys() <= {"uses"}
    assert "👤" in private_reply(await here.people["dev"].slash(here.channel, "matches list")).text
    assert private_reply(await open_match_directly(here, "dev", "1")).text == EXPIRED


async def test_2_9_disabling_retention_keeps_all_existing_records(
    here: World,
    boss: Person,  # noqa: F811
) -> None:
    await finish_match(here)
    watched = private_reply(await open_match_directly(here, "dev", "1")).text
    await choose_retention(here, boss, year=True)
    await choose_retention(here, boss, year=False)
    assert not settings(here).forget_plays
    await pass_a_year(here)
    assert private_reply(await open_match_directly(here, "dev", "1")).text == watched
    assert list((await export_matches(here, "ann", table="1"))[1]) == ["match-1.json"]
    await choose_retention(here, boss, year=True)
    await here.stop()  # which takes nobody the time to think better of it
    await here.pass_time_without_bot(days=2)
    await here.start()
    await here.advance(minutes=30)
    await choose_retention(here, boss, year=False)
    await here.advance(hours=3)
    assert private_reply(await open_match_directly(here, "dev", "1")).text == watched
