"""Changes that other tests make through the bot, on a file: made here by hand, on a server as well."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.club.ledger import Ledgers
from bot.domain.chairs import Chair
from bot.domain.debts import LedgerScope
from bot.domain.effects import MessageDeletion, pending_effect
from bot.domain.ids import MessageId, PlayerId, TableId, UserId
from bot.domain.rating import RankedPlayer
from bot.domain.results import DetailedScore, HandScore, MatchOutcome, Sitting
from bot.domain.seasons import Finalist, Season
from bot.domain.working_hours import Hours, Vacation, WorkSchedule
from bot.store.errors import RecordDeleted
from bot.store.rows import DirectChannel, Moderation, PendingTurn, SeatBan, TableChange, TurnNotice, Watcher
from bot.store.store import Store
from tests.store.finished_matches import FinishedMatch, store_matches
from tests.store.sample_tables import ANN, BEN, CAT, CHAIRS, CHANNEL, GUILD, MINUTE, NEW_TABLE, NOON, STEP, add_table
from tests.store.test_kept import DEALS

pytestmark = pytest.mark.both_databases("no other test of the store makes these changes")
LATER, DAY = NOON + MINUTE, timedelta(days=1)


async def test_pending_turns_and_sent_notices_are_stored(store: Store) -> None:
    table = await add_table(store)
    waits = PendingTurn(
        table, ANN, "play", NOON, NOON, LATER, LATER + MINUTE, together=False, guild=GUILD, home=CHANNEL
    )
    other = replace(waits, user=BEN, remind=None, ends=None)
    await store.notices.change_turns(table, [], [replace(waits, asked="lead"), other], NOON, CHANNEL)
    await store.notices.change_turns(table, [], [waits], NOON, CHANNEL)
    assert (await store.notices.turns_of_player(ANN), await store.notices.turns_of_player(BEN)) == ((waits,), (other,))
    assert sorted(await store.notices.take_due(NOON, LATER)) == [ANN, BEN]
    await store.notices.schedule_check(ANN, NOON)
    assert await store.notices.take_due(NOON, LATER) == (ANN,)
    told = TurnNotice(ANN, GUILD, CHANNEL, MessageId(2), "turn", NOON)
    await store.notices.note_notified(ANN, NOON, [table], [table], told)
    await store.notices.change_turns(table, [ANN], [], LATER, CHANNEL)
    assert await store.notices.turns_of_player(ANN) == ()
    assert await store.notices.of_person(ANN) == (replace(told, over=True),)
    gone = pending_effect(MessageDeletion(CHANNEL, told.message), GUILD, table, NOON)
    await store.notices.end(told, gone)
    assert gone in await store.outbox.effects()
    assert await store.notices.of_person(ANN) == (replace(told, over=True, gone=True),)
    await store.notices.delete_old(NOON + 365 * DAY)
    assert await store.notices.of_person(ANN) == ()
    for _ in range(2):
        await store.notices.note_suspension(table, ANN, "")
    assert await store.notices.notified_of_suspension(table) == {ANN}


async def test_spectators_and_their_pings_are_stored(store: Store) -> None:
    table = await add_table(store)
    watches = Watcher(table, ANN, 0, seat=True)
    for watcher in (watches, watches, replace(watches, user=BEN)):
        await store.watchers.watch(watcher)
    await store.watchers.unwatch(table, BEN)
    (call,) = await store.watchers.note_notified(table, [ANN, BEN], 1, NOON, "hand ended")
    assert call in await store.outbox.effects()
    assert await store.watchers.of_table(table) == (Watcher(table, ANN, 1, told=NOON),)
    assert len(await store.watchers.end(table, NOON, "match ended")) == 1
    assert await store.watchers.of_table(table) == ()


async def test_preferences_of_users_are_stored(store: Store) -> None:
    assert [await store.social.toggle_block(ANN, BEN) for _ in range(3)] == [True, False, True]
    assert await store.social.block_between(BEN, [ANN, CAT]) == "theirs"
    day = WorkSchedule((Hours(NOON, "Asia/Taipei", bed=22, night=9),), (Vacation(NOON.date(), NOON.date()),))
    for chosen in (WorkSchedule(), day):
        await store.people.save_working_hours(ANN, chosen)
    assert await store.people.work_schedules([ANN]) == {ANN: day}
    assert [await store.social.offer_lesson(ANN, GUILD, "big_two") for _ in range(2)] == [True, False]
    await store.people.keep_direct(DirectChannel(ANN, CHANNEL, NOON))
    assert await store.people.direct(ANN) == CHANNEL
    await store.people.forget_direct(ANN)
    assert await store.people.direct(ANN) is None


async def test_server_notices_and_moderations_are_stored(store: Store) -> None:
    times = [NOON, NOON + MINUTE, NOON + DAY]
    assert [await store.servers.take_permission_notice(GUILD, CHANNEL, at, DAY) for at in times] == [True, False, True]
    first = Finalist("big_two", 1, RankedPlayer(PlayerId(1), ANN, TableId(1)))
    await store.seasons.end(GUILD, Season(1, NOON, LATER), [first])
    assert len(await store.seasons.unannounced()) == 1
    await store.seasons.note_announced(GUILD, 1)
    assert await store.seasons.unannounced() == ()
    for until in (LATER, NOON + DAY):
        bar = SeatBan(GUILD, CHANNEL, "mark", until)
        await store.tables.save(await add_table(store), TableChange(moderation=Moderation(NOON, BEN, "remove", 0, bar)))
    assert await store.moderations.barred_until(CHANNEL, "mark", LATER) == NOON + DAY
    await store.moderations.end_bars(NOON + DAY)
    assert await store.moderations.barred_until(CHANNEL, "mark", LATER) is None


async def test_a_settlement_can_be_withdrawn(store: Store) -> None:
    await store_matches(store, [FinishedMatch((ANN, BEN), (1, 2), payments=((1, 0, 5),))])
    book = LedgerScope(GUILD)
    (debt,) = (await Ledgers(store).account(book, UserId(ANN))).debts
    await store.debts.say_settled(book, debt, debt.payer, NOON, other_deleted=False)
    (word,) = await store.debts.words(book)
    assert [await store.debts.take_back_settled(word.id, debt.payer) for _ in range(2)] == [True, False]


async def test_substitutes_and_duplicate_seats_are_stored(store: Store) -> None:
    number = await store.duplicates.add(DEALS)
    new, seatings = replace(NEW_TABLE, host=BEN, duplicate_id=number), ((Chair(0, BEN, "Ben"),),)
    table = await store.duplicates.begin(number, new, seatings)
    assert await store.duplicates.begin(number, new, seatings) == table
    first, substitute = Sitting(0, 0, ANN, house=False), Sitting(0, 3, CAT, house=False)
    for sat in (first, substitute, replace(substitute, user=ANN)):
        await store.tables.save(table, TableChange(chairs=CHAIRS, sittings=(sat,), sits_in="mark"))
    idle = Sitting(0, -1, CAT, house=False)
    assert set(await store.results.sittings(table)) == {first, replace(substitute, user=ANN), idle}


async def test_records_are_packed_and_deleted(store: Store) -> None:
    table = await add_table(store)
    await store.tables.save(table, TableChange(phase="over", steps=(STEP,), outcome=MatchOutcome(1, NOON, ()), at=NOON))
    score = DetailedScore((HandScore((1,), (0,), (0,)),), deeds=((0, "hands", 1),), version=7)
    for _ in range(2):
        await store.results.keep_score(table, score)
        await store.records.keep_openings(table, "[1]")
    assert (await store.results.score(table), await store.records.openings(table)) == (score, "[1]")
    assert await store.records.pack(table)
    assert await store.records.forget_plays(table, [GUILD], LATER, 7) is None
    assert await store.records.forget_plays(TableId(0), [GUILD], LATER, 7) == table
    assert await store.records.openings(table) is None
    with pytest.raises(RecordDeleted):
        await store.tables.load(table)
    other = await add_table(store)
    await store.tables.save(other, TableChange(phase="closed", steps=(STEP,)))
    await store.records.forget_steps(other)
    assert await store.records.steps(other, 0, 1) == ()
