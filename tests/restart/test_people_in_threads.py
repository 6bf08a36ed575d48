"""Players join the thread of a match by being mentioned in its first message, which pings no player."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.standin import BotProcess, World
from tests.standin.realm import SEVERAL_WAITS
from tests.support.blank_database import create_blank_database


@pytest.mark.timeout(SEVERAL_WAITS)
async def test_players_join_the_thread_by_being_mentioned_in_its_first_message(tmp_path: Path) -> None:
    create_blank_database(tmp_path / "bigger.db")
    env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(tmp_path / "bigger.db")}
    async with World() as world, BotProcess(world, env=env):
        cards, ann, ben = world.add_channel("cards"), world.add_user("ann"), world.add_user("ben")
        await world.slash(ann, cards, "deal", hands=1)
        board = await world.until(lambda: cards.seen_by(None)[0])
        await world.click(ben, board, "Join")
        await world.until(lambda: "Ben" in board.text)
        await world.click(ann, board, "Play now")
        (thread,) = await world.until(lambda: [it for it in world.channels.values() if it.is_thread])
        await world.until(lambda: {ann.id, ben.id} <= thread.members)
        first = next(each for each in thread.seen_by(None) if "Cards are dealt!" in each.content)
        assert {ann.mention, ben.mention} <= set(first.content.replace(",", " ").replace(".", " ").split())
        assert not first.pings, "an edit pings no user"
        assert not world.log.matching(path=r".*/thread-members/.*")
        await world.until(lambda: "is being played in" in board.text)
        assert world.rates.refused == 0
