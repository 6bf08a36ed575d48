"""A whole match of Big Two against house players, from the wish to play to the leaderboard."""

from __future__ import annotations

from tests.support.world import SHORT_HANDS, World


async def test_a_match_against_three_house_players(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table(hands=2)
    while table.stage != "over":
        if table.stage == "between":
            await here.press("ann", table, "Ready")
        else:
            assert here.current_player(table) == "ann"
            await here.act("ann", table)
    assert "wins the match" in here.read_board(table).text or "share the match" in here.read_board(table).text
    assert "This match doesn't count: only one person played." in here.read_board(table).text
    assert "No rated matches here yet" in (await here.slash("ann", "standings")).text
    assert "Big Two, table 1" in (await here.slash("ann", "matches list")).text
    await here.press("ann", table, "Rematch")
    assert "Big Two, table 2" in (await here.slash("ann", "desk")).text
