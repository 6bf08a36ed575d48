"""Whom the step to four colours of suits leaves a choice, and whom it lets be told."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.domain.preferences import Preferences
from bot.store.store import Store
from tests.store.released_databases import copy_older_schema
from tests.store.sample_tables import ANN, BEN, CAT, now


async def test_a_stored_yes_stays_and_a_stored_no_becomes_unset(place: Path) -> None:
    with closing(sqlite3.connect(copy_older_schema(place, 62))) as database:
        for user, four in ((ANN, True), (BEN, False)):
            chosen = (user, four)
            database.execute(
                "INSERT INTO habits (\"user\", by_suit, mirror, locale, four_colours) VALUES (?, 0, 0, '', ?)", chosen
            )
        database.commit()
    store = await Store.open(place, now)
    found = [(await store.people.preferences(user)).suit_colours for user in (ANN, BEN, CAT)]
    assert found == ["four", "untold", ""]
    await store.people.save_preferences(BEN, Preferences(suit_colours="two"))
    assert (await store.people.preferences(BEN)).suit_colours == "two"
    await store.close()
