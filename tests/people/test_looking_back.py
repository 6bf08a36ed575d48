"""Looking back at a match that is over: the findings in the stored record, the way there, and who has none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import discord
import pytest
from simcord.results import InteractionResult

from bot.ai.levels import MISTAKE, evaluate
from bot.ai.plain import plain_action
from bot.domain.ids import TableId
from bot.games import GAMES
from bot.history import reviews
from bot.history.replays import MatchReplay, ReplayCache
from bot.history.reviews import HandReviews, Reviews, WantedHand, decisions_to_evaluate, scan_hand
from bot.rules.core.asks import Action, Again
from bot.rules.core.trick import Combo
from bot.rules.matches.record import Record
from bot.rules.matches.replay import Playback
from bot.rules.matches.review import (
    MAX_REVIEWED_HANDS,
    Candidate,
    ReviewedHand,
    ReviewFinding,
    best_findings,
    candidates,
    deciding_hand,
    hands_to_review,
    turning_points,
)
from bot.runtime.workers import WorkerTurn, always
from bot.show.kit.layout import DOTS
from bot.show.matches import review
from bot.show.matches.review import NOTHING
from bot.table.table import Table
from cogs.matches.replays import ReviewsCog
from tests.bench.replay import first_legal_action, long_match, store_match
from tests.people.positions import play_weakly
from tests.rules.test_review import RECORDED, read
from tests.support.loop_gaps import MAX_BUSY_SECONDS, record_busy_seconds
from tests.support.message_text import private_reply, walk_components
from tests.support.world import SHORT_HANDS, World, world

DEAL = "2084"  # a seed: where people play weakly, its first two hands are over in 25 and 10 steps, or in 33 and 10
EVALUATED = 4  # candidates of a match: how many there are at most is of no account
TURNS = 5  # evaluated in a hand
REVIEWS = {"Review my play", "Review match"}  # the buttons to a review of the match


def cancelled_deals() -> Record:
    """Return a match of which the second hand was dealt twice."""
    record = Record(GAMES["big_two"], "pagat", seed="dealt again", options={"match_end": "deals", "deals": 3})
    match, steps = record.begin(), list[tuple[int, Action]]()
    while not match.over:
        at, again = match.view(None), match.number == 2 and not match.cancelled_deals
        steps.append((0, Again()) if again and len(at.trick.moves) > 3 else first_legal_action(match))
        match = match.act(*steps[-1])
    assert match.cancelled_deals
    return replace(record, steps=tuple(steps))


def findings_of_deals(record: Record, deals: Sequence[int]) -> tuple[ReviewFinding, ...]:
    """Return what is found in these deals, of which the first decided the match."""
    playback, found, doubtful = Playback.of(record), list[ReviewFinding](), list[Candidate]()
    for at, deal in enumerate(deals):
        first, end = playback.plies(deal)
        snapshots, number = playback.snapshots(deal, record.steps[first:end]), playback.openings[deal].number
        hand = ReviewedHand(number, snapshots, (True,) * (end - first), at == 0)
        found += turning_points(hand)
        doubtful += [each for each in candidates(hand, plain_action) if each.is_doubtful]
    doubtful.sort(key=lambda candidate: candidate.rank)
    return best_findings([*found, *filter(None, map(expected_finding, doubtful[:EVALUATED]))])


def expected_finding(candidate: Candidate) -> ReviewFinding | None:
    """Return what is told of a decision, by the evaluation that hints come from; None where it is no mistake."""
    evaluation = evaluate(candidate.view, candidate.done)
    if not (evaluation.best and evaluation.is_mistake):
        return None
    return candidate.finding(evaluation.best, evaluation.loss)


async def replay_of(here: World, table: TableId) -> MatchReplay:
    match_replay = await ReplayCache(lambda: here.parts.store, here.parts.workers).of(table, here.guild.id)
    assert match_replay
    return match_replay


def worker_turn(here: World) -> WorkerTurn:
    """The work of a player who looks."""
    return WorkerTurn(here.parts.workers, always)


async def review_match(here: World, table: TableId) -> tuple[ReviewFinding, ...]:
    """Return what is worth another look in a match."""
    return await Reviews().of(await replay_of(here, table), worker_turn(here))


def cached_findings(here: World, table: TableId) -> tuple[ReviewFinding, ...]:
    """Return what the bot has found worth another look in a match that a player looks back at."""
    cog = here.bot.get_cog(ReviewsCog.__name__)
    assert isinstance(cog, ReviewsCog)
    return cog._reviews._known[table]


async def test_findings_follow_from_the_record_and_are_computed_once(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MAX_EVALUATED", EVALUATED)
    record, known = cancelled_deals(), Reviews()
    match_replay = await replay_of(here, await store_match(here, record))
    found = await known.of(match_replay, worker_turn(here))
    first = deciding_hand(record.replay())
    numbers = [first, *(hand for hand in (3, 2, 1) if hand != first)]
    deals = {1: 0, 2: 2, 3: 3}  # what was thrown in is not looked at
    assert found == findings_of_deals(record, [deals[number] for number in numbers])
    assert await known.of(match_replay, worker_turn(here)) is found


async def test_a_long_match_is_reviewed_in_a_few_hands_without_blocking(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MAX_EVALUATED", EVALUATED)
    record = long_match(12)
    match_replay = await replay_of(here, await store_match(here, record))
    await match_replay.make()
    with record_busy_seconds() as made:
        found = await Reviews().of(match_replay, worker_turn(here))
    assert max(made) < MAX_BUSY_SECONDS
    looked = hands_to_review(record.replay())
    assert {finding.hand for finding in found} <= set(looked)
    assert len(looked) == MAX_REVIEWED_HANDS


async def test_actions_of_the_clock_are_not_reviewed(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MAX_EVALUATED", EVALUATED)
    record = long_match(2)
    by_people, by_clock = await store_match(here, record), await store_match(here, record, by="clock")
    kinds = [
        {each.kind for each in await Reviews().of(await replay_of(here, table), worker_turn(here))}
        for table in (by_people, by_clock)
    ]
    assert kinds[0] & {"better", "out"}
    assert kinds[1] <= {"overtaken"}, "that the lead changed is true of anybody"


async def play_weak_match(here: World, *others: str) -> Table:
    """Play a match of two hands in which every player plays whatever comes first, but for the house players."""
    table = await here.start_table(*others, hands=2)
    for _ in range(2):
        await here.play_hand(table, play_weakly)
        for name in ("ann", *others):
            if table.stage == "between":
                await here.press(name, table, "Ready")
    assert table.stage == "over"
    return table


def moment_links(shown: InteractionResult) -> list[str]:
    """Return where the moments lead that are shown."""
    assert shown.response
    there = [part for part in walk_components(shown.response.message.components) if isinstance(part, discord.Button)]
    return [str(part.custom_id) for part in there if part.label == "Show me"]


async def test_a_review_links_to_each_moment_and_back_to_its_page(here: World) -> None:
    table = await play_weak_match(here, "ben")
    replay = await here.press("ann", table, "Replay")
    shown = await here.press_in_menu("ann", replay, "Review match")
    found, told, there = cached_findings(here, table.id)[:3], private_reply(shown).text, moment_links(shown)
    assert there == [f"bv:moment:{table.id}:{finding.step}:{at}:{finding.seat}:p0" for at, finding in enumerate(found)]
    assert len(found) == 3
    assert "Big Two, table 1" in told
    assert not private_reply(shown).selects, "nobody looks closely at a hand where there were no hints"
    assert await HandReviews().of(await replay_of(here, table.id), 1, None, worker_turn(here)) == ()
    for finding, way in zip(found, there, strict=True):
        assert f"-# Hand {finding.hand} · move {finding.step}\n" in told
        moment = private_reply(await here.forge(here.ann, shown, way)).text
        assert f"move {finding.step} of" in moment
        assert f"Hand {finding.hand} ·" in moment
    await here.press_on("ann", shown, "To the review")
    await here.press_on("ann", shown, "More")
    page, way = private_reply(shown).text, moment_links(shown)[0]
    await here.forge(here.ann, shown, way)
    await here.press_on("ann", shown, "Move ▶")
    await here.press_in_menu("ann", shown, "Check")
    assert "The deals of" in private_reply(shown).text
    for label in ("Back", "Back", "To the review"):
        await here.press_on("ann", shown, label)
    assert private_reply(shown).text == page
    assert replay.response
    assert shown.response
    assert shown.response.id == replay.response.id, "all in one message"


async def test_a_review_is_offered_only_after_the_match(tmp_path: Path) -> None:
    async with world(tmp_path, deal=SHORT_HANDS, pictures=True) as here:
        table = await here.start_table("ben", hands=2)

        async def panels() -> list[InteractionResult]:
            mine, menu = [await here.press(name, table, DOTS) for name in ("ann", "ben")]
            return [await here.forge(here.ann, mine, f"bg:{table.id}:hand"), menu]

        for _ in range(2):
            assert not any(REVIEWS & private_reply(shown).buttons.keys() for shown in await panels())
            await here.play_hand(table)
            for name in ("ann", "ben"):
                if table.stage == "between":
                    assert not any(REVIEWS & private_reply(shown).buttons.keys() for shown in await panels())
                    await here.press(name, table, "Ready")
        assert not REVIEWS & here.read_board(table).buttons.keys(), "all that stands there finds room in a row"
        hand, menu = await panels()
        assert list(private_reply(hand).buttons)[:3] == ["Rematch", "Replay", "Review my play"]
        assert list(private_reply(menu).buttons)[:2] == ["Share…", "Review match"]
        for name, shown, label in (("ann", hand, "Review my play"), ("ben", menu, "Review match")):
            assert "### Review match" in private_reply(await here.press_on(name, shown, label)).text


async def test_review_pages_replace_each_other_and_lead_back(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MAX_EVALUATED", EVALUATED)
    monkeypatch.setattr(review, "FINDINGS_PER_PAGE", 1)
    table = await store_match(here, long_match(4))
    playback = await here.people["dev"].slash(here.channel, "matches list", table="2")
    shown = await here.press_in_menu("dev", playback, "Review match")
    pages = [private_reply(shown).text]
    while "More" in private_reply(shown).buttons:
        await here.press_on("dev", shown, "More")
        pages.append(private_reply(shown).text)
    found = cached_findings(here, table)
    assert len(pages) == len(set(pages)) == len(found) > 1
    assert sum(len(page.split("Hand ")) - 1 for page in pages) == len(found)
    for page in reversed(pages[:-1]):
        await here.press_on("dev", shown, "Back")
        assert private_reply(shown).text == page
    assert "Back" not in private_reply(shown).buttons


async def test_a_player_without_mistakes_is_praised(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", "cleo", "dev", hands=1)
    while table.stage != "over":
        await here.play_hand(table)
    shown = await here.press_in_menu("ann", await here.press("ann", table, "Replay"), "Review match")
    found = cached_findings(here, table.id)
    assert {finding.kind for finding in found} <= {"overtaken"}
    assert (NOTHING in private_reply(shown).text) == (not found)


# A hand, looked at closely


async def test_a_hand_review_shows_up_to_three_moments_with_better_plays_and_links(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MAX_TURNS", TURNS)
    table = await play_weak_match(here)
    shown = await here.press_in_menu("ann", await here.press("ann", table, "Replay"), "Review match")
    assert private_reply(shown).selects[f"bv:look_closely:{table.id}"] == ("1", "2")
    assert shown.response
    said = await here.ann.select(shown.response.message, ["2"], custom_id=f"bv:look_closely:{table.id}")
    await here.settle()
    told, there = private_reply(shown).text, moment_links(shown)
    assert said.acknowledged
    assert "### Review of hand 2" in told
    assert len(there) == told.count(" was better") == len(re.findall(r"\byou (?:played|passed)\b", told)) <= 3
    assert there or "No mistakes found." in told
    for way in there:
        step = int(way.split(":")[3])
        assert f"move {step} of" in private_reply(await here.forge(here.ann, shown, way)).text


async def test_no_review_of_a_running_match_or_another_server(here: World) -> None:
    table, running = await store_match(here, long_match(1)), await here.start_table("ben")
    shown = await here.people["ann"].slash(here.channel, "matches list")
    elsewhere = here.env.create_guild("Elsewhere")
    lounge = elsewhere.create_text_channel("lounge")
    dev = elsewhere.add_member(here.people["dev"].user)
    abroad = await dev.slash(lounge, "desk")
    for verb in ("look_back:{}", "look_on:{}:0"):
        mine = await here.forge(here.ann, shown, f"bv:{verb.format(running.id)}")
        theirs = await here.forge(dev, abroad, f"bv:{verb.format(table)}")
        assert {private_reply(mine).text, private_reply(theirs).text} == {"There's no such finished match here."}


async def test_a_better_play_is_that_of_the_best_house_player_and_only_for_chosen_actions(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MAX_TURNS", TURNS)
    record = long_match(1)
    mine, clocks = await store_match(here, record), await store_match(here, record, by="clock")
    hindsight, turn = HandReviews(), worker_turn(here)
    found = await hindsight.of(await replay_of(here, mine), 1, None, turn)
    assert await hindsight.of(await replay_of(here, clocks), 1, None, turn) == ()
    assert 0 < len(found) <= 3
    assert [finding.step for finding in found] == sorted(finding.step for finding in found)
    match_replay = await replay_of(here, mine)
    for finding in found:
        assert finding.gain is None or finding.gain >= MISTAKE
        snapshot = await match_replay.snapshot(finding.step)
        view = snapshot.match.game.view(finding.seat)
        assert not isinstance(finding.best, Combo) or view.plays.verify(finding.best.cards) == finding.best
    seats = {finding.seat for finding in found}
    own = await hindsight.of(match_replay, 1, min(seats), turn)
    assert {finding.seat for finding in own} == {min(seats)}
    assert await hindsight.of(match_replay, 9, None, turn) == (), "there is no such hand"


@pytest.mark.rotates(3)
@pytest.mark.parametrize("name", RECORDED)
def test_a_hand_review_includes_every_finding_of_the_match_review(name: str) -> None:
    """Whatever the review of a match evaluates is among what the review of its hand does, for the seat and for all."""
    record = read(name)
    playback = Playback.of(record)
    for at, opening in enumerate(playback.openings):
        first, end = playback.plies(at)
        deal, persons = playback.deal(at, record.steps[first:end]), (True,) * (end - first)
        _, doubtful = scan_hand(opening.number, deal, persons, False)
        for seat in (None, *range(record.begin().rules.players)):
            looked = decisions_to_evaluate(deal, persons, WantedHand(opening.number, seat, over=True))
            there = {(each.step, each.seat) for each in looked}
            assert len(looked) <= reviews.MAX_TURNS
            assert {(each.step, each.seat) for each in doubtful if seat in (None, each.seat)} <= there
