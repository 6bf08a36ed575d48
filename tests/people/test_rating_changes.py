"""How a match has changed the ratings: on its end card and on every player's own screen, without another message."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.domain.ids import UserId
from bot.table.core.commands import NoteRatings
from bot.table.table import Table
from tests.people.test_hand_end import finish_match
from tests.people.test_talk import send_messages
from tests.support.message_text import private_reply
from tests.support.world import SHORT_DUEL, World

DEAL = SHORT_DUEL  # whose cards do not matter


def winner_and_loser(table: Table) -> tuple[str, str]:
    """Return the names of two players, the better one first."""
    ann, ben = (table.scene(None).tally.places[seat] for seat in (0, 1))
    return ("ann", "ben") if ann < ben else ("ben", "ann")


async def test_the_end_card_shows_all_rating_changes_without_another_message(here: World) -> None:
    table = await finish_match(here, "ben", seats=2)
    first, last = winner_and_loser(table)
    (said,) = re.findall(r"-# Provisional rating: (.+)", here.read_board(table).text)
    assert re.fullmatch(rf"{first} 15\d\d ▲\xa0\d+ · {last} 14\d\d ▼\xa0\d+", said)
    assert said.split()[1] in (await here.slash("dev", "standings")).text
    board, after = table.row.message, here.read_board(table).text
    await send_messages(here, 20)
    await here.advance(minutes=2)
    table.adopt(replace(table.state, rating_changes={}))
    messages = len(list(here.channel.history()))
    await table.do(NoteRatings())
    await here.settle()
    assert (table.row.message, here.read_board(table).text) == (board, after)
    assert len(list(here.channel.history())) == messages, "what comes later is an edit"


async def test_rating_changes_survive_a_restart_and_are_deleted_with_their_user(here: World) -> None:
    table = await finish_match(here, "ben", seats=2)
    before = table.scene(None).rating_changes
    assert set(before) == {0, 1}
    await here.restart()
    assert (await here.reload(table)).scene(None).rating_changes == before
    await here.parts.retention.forget_person(here.people["ben"].id)
    await here.settle()
    assert set((await here.reload(table)).scene(None).rating_changes) == {0}
    await here.restart()
    assert set((await here.reload(table)).scene(None).rating_changes) <= {0}


async def test_the_own_screen_starts_with_the_rating_change(here: World) -> None:
    table = await here.start_table("ben", seats=2, hands=1)
    hands = {name: await here.open_hand(name, table) for name in ("ann", "ben")}
    await here.play_hand(table)
    await here.advance(seconds=15)
    first, last = winner_and_loser(table)
    won, lost = private_reply(hands[first]).text, private_reply(hands[last]).text
    assert re.search(
        r"\n# You won!\n-# Low score wins.\n# Rating 15\d\d ▲\xa0\d+\n-# Provisional rating \(reliable", won
    )
    assert re.search(
        rf"\n## You came 2nd: \d+ points?\n-# Low score wins.\n-# {first} wins the match\n-# Rating 14\d\d ▼", lost
    )


async def test_an_unlisted_player_alone_sees_their_rating_change(here: World) -> None:
    await here.parts.preferences.change(UserId(here.ann.id), unlisted=True)
    table = await finish_match(here, "ben", seats=2)
    said = here.read_board(table).text
    assert "Provisional rating: ben " in said
    assert not re.search(r"rating: .*ann \d", said)
    assert set(table.scene(here.ann.id).rating_changes) == {0, 1}
    assert set(table.scene(here.people["ben"].id).rating_changes) == {1}
