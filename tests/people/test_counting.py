"""Which matches count, said before the start; and whose result it is when a player has left."""

from __future__ import annotations

from bot.table.table import Table
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter

NOT_COUNTED = "This match doesn't count"


async def finish_match(here: World, table: Table) -> Table:
    """Play a match to its end."""
    while table.stage != "over":
        await here.play_hand(table)
        for name in here.people:
            if table.stage == "between":
                await here.press(name, table, "Ready")
    return table


async def test_a_match_of_one_person_does_not_count(here: World) -> None:
    table = await here.finish_instantly()
    assert f"{NOT_COUNTED}: only one person played." in here.read_board(table).text
    (match,) = await here.parts.store.results.history(table.row.guild, 9, 0)
    assert not match.outcome.counts
    assert await matches_and_wins(here.parts.store, table.row.guild) == {}


async def test_a_player_who_left_comes_last_and_the_match_counts_after_a_restart(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", hands=1)
    for name in ("ann", "cleo"):
        await here.leave(name)
    await here.press_on("cleo", await here.open_hand("cleo", table), "Take my seat back")
    here.leave_screen("cleo")
    await here.restart()
    table = await finish_match(here, await here.reload(table))
    assert (table.row.counts, table.row.ended) == (True, "itself")
    assert table.match is not None
    (match,) = await here.parts.store.results.history(table.row.guild, 9, 0)
    by_seat = {each.seat: each for each in match.outcome.standings}
    assert (by_seat[0].place, by_seat[0].left, by_seat[0].points) == (4, True, table.match.totals[0])
    assert not by_seat[2].left, "who comes back has not left"
    rest = sorted(table.match.totals[1:])
    assert [by_seat[seat].place for seat in (1, 2, 3)] == [
        1 + rest.index(table.match.totals[seat]) for seat in (1, 2, 3)
    ]
    assert {matches for matches, _ in (await matches_and_wins(here.parts.store, table.row.guild)).values()} == {1}
    await here.restart()
    said = here.read_board(await here.reload(table)).text
    assert NOT_COUNTED not in said
    line = next(line for line in said.splitlines() if "ann" in line)
    assert "4\\. **ann 🤖** · left · " in line
    assert said.count("· left ·") == 1


async def test_a_loss_counts_even_if_all_players_leave(here: World) -> None:
    table = await here.start_table("ben", hands=2)
    for name in ("ann", "ben"):
        await here.leave(name)
    await here.advance(days=7, minutes=1)
    table = await here.reload(table)
    assert (table.stage, table.row.ended, table.row.counts) == ("over", "itself", True)
    assert table.match is not None
    assert len(table.match.results) == 2
    assert "so bots finished the match" in here.channel_texts(table)[-1]
    lines = await matches_and_wins(here.parts.store, table.row.guild)
    assert [*lines.values()] == [(1, 0), (1, 0)]
    await here.restart()
    assert (await here.reload(table)).stage == "over"


async def test_an_open_match_that_all_left_ends_with_its_finished_hands(here: World) -> None:
    table = await here.start_table("ben", rules="B2:std")
    await here.play_hand(table)
    for name in ("ann", "ben"):
        await here.leave(name)
    await here.advance(days=7, minutes=1)
    table = await here.reload(table)
    assert (table.stage, table.row.ended, table.row.counts) == ("over", "silence", True)
    (match,) = await here.parts.store.results.history(table.row.guild, 9, 0)
    assert match.outcome.hands == 1
    assert (
        here.channel_texts(table)[-1]
        == "Nobody came back to Big Two, table 1, so it ends here. What was played counts."
    )
