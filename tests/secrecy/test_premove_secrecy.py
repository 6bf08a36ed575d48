"""A premove shows nowhere: not before it acts, and afterwards neither its content nor the hand.

In two worlds with equal actions and different cards and premoves, other users receive equal messages at equal times.
The delay of an answer is drawn from one distribution, so it adds no information to the public actions.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.games import GAMES
from bot.rules.core.asks import Pass, Play
from bot.rules.core.premoves import Premove, PremoveKind, add_premove, can_create, due_action, new_premove
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.table import house_players
from bot.table.core.chairs import write_premoves
from bot.table.core.commands import SavePremove, WithdrawPremoves
from bot.table.core.play import with_premoves
from bot.table.fact_lookup import apply_rule
from bot.table.table import Table
from tests.laws.matches import PRESETS, by_dice
from tests.laws.premove_matches import played
from tests.secrecy.play_through import Plan, Players
from tests.secrecy.request_watch import Watch
from tests.secrecy.test_sent_in_two_worlds import PEOPLE, Sent, public, rules_of, seated, walk
from tests.secrecy.two_worlds import table as silent_table
from tests.support.law_settings import is_thorough
from tests.support.scenes import GUILD, NOW
from tests.support.world import world

CODES = ("B2:pagat", "LA:std+players=3", "TL:south")
DELAY, PATIENCE = 2.0, 12.0  # of house players; seconds in which every premove has acted
DRAWS, MATCHES, BETTER = 2000, 6, 0.05
KINDS: dict[bool, tuple[PremoveKind, ...]] = {
    False: ("pass", "list", "until", "on"),
    True: ("until", "list", "on", "pass"),
}  # as they are tried in a world


def passing(before: Match, at_turn: Match, seat: int, *, otherwise: bool) -> Premove | None:
    """Return a pass premove of this world, None without one."""
    view = before.view(seat)
    for kind in KINDS[otherwise]:
        new = new_premove(view, kind, *([view.hand[:1]] if kind == "list" else []))
        if can_create(new, view) and isinstance(due_action((new,), at_turn.view(seat)), Pass):
            return new
    return None


@cache
def plan(code: str) -> dict[int, tuple[Premove, Premove]]:
    """Return for steps of a walk the premoves that the next player saves before them, in either world."""
    walked, found = walk(code), dict[int, tuple[Premove, Premove]]()
    worlds = [Match.start(rules_of(code), walked.seed), walked.other]
    for at, ((seat, action), (later, wanted)) in enumerate(pairwise(walked.steps)):
        after = [match.act(seat, action) for match in worlds]
        waits = later not in worlds[0].to_act | {0} and worlds[0].view(None).trick.top
        pairs = zip(worlds, after, strict=True)
        ways = [passing(*pair, later, otherwise=bool(world)) for world, pair in enumerate(pairs) if waits]
        if wanted == Pass() and len(ways) == len(worlds) and ways[0] and ways[1] and at - 1 not in found:
            found[at] = ways[0], ways[1]
        worlds = after
    return found


async def sent(folder: Path, code: str, *, otherwise: bool) -> Sent:
    """Play a walk, partly by premoves; return all public output."""
    walked, said, found = walk(code), plan(code), Sent()
    async with world(folder, deal=walked.seed, house_delay_seconds=DELAY) as here:
        watch = Watch(here)
        table = await seated(here, code)
        assert table.match is not None
        if otherwise:
            table.adopt(replace(table.state, match=walked.other))
        players = Players(here, table, Plan(code))
        watch.requests.clear()
        for at, (seat, action) in enumerate(walked.steps):
            if at in said:
                premove, later = said[at][otherwise], here.people[PEOPLE[walked.steps[at + 1][0]]]
                await table.do(SavePremove(later.id, kind=premove.kind, plays=premove.plays))
            if at - 1 not in said:
                await players.look_around("ann")
                await (
                    here.play(PEOPLE[seat], table, action.cards)
                    if isinstance(action, Play)
                    else here.pass_(PEOPLE[seat], table)
                )
            for _ in range(int(PATIENCE)):
                await here.advance(seconds=1)
                found += [(*one[:3], f"{here.env.now()} {one[3]}") for one in public(watch, here.ann.id)]
            assert table.state.ply >= at + 1
            if at - 1 in said:
                await table.do(WithdrawPremoves(here.people[PEOPLE[seat]].id, KINDS[otherwise]))
        assert sum(step.by == "order" for step in table.row.steps) >= len(said)
        return found


@pytest.mark.parametrize("code", [CODES[0], *(pytest.param(code, marks=pytest.mark.soak) for code in CODES[1:])])
async def test_requests_are_the_same_with_other_cards_and_premoves(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    worlds = []
    for otherwise in (False, True):
        monkeypatch.setattr(house_players, "RANDOM", random.Random(5))
        worlds.append(await sent(tmp_path_factory.mktemp("deal"), code, otherwise=otherwise))
    one, other = worlds
    assert one == other
    assert any(here.kind != there.kind for here, there in plan(code).values())


# How long it takes


class Seen(NamedTuple):
    """An answer by premove. public: every public part except the delay. delay: in seconds."""

    public: Hashable
    delay: float
    kind: str
    could_beat: bool


async def answers(record: Record, rng: random.Random) -> list[Seen]:
    """Return the answers by premove in a match, each as it is carried out at a table."""
    found = []
    for before, seat, action, premove in played(record, rng, hands=1).done:
        if premove is None:
            continue
        view = before.view(None)
        top = view.trick.top
        shown = (view.rules.game, str(type(action)), top.kind if top else "", min(view.counts[seat], 5))
        able = bool(top and before.view(seat).plays)
        found.append(Seen(shown, await delay_of(record, before, seat, premove), premove.kind, able))
    return found


async def delay_of(record: Record, match: Match, seat: int, premove: Premove) -> float:
    """Return the delay in seconds, as the table draws it, before a premove acts."""
    table = at_table(record, match, seat, premove)
    env = replace(table.house._env, house_delay=1.0)
    state = await apply_rule(lambda facts: with_premoves(table.state, match, facts), env, GUILD)
    assert state.row.premove_at is not None
    return (state.row.premove_at - NOW).total_seconds()


def at_table(record: Record, match: Match, seat: int, premove: Premove) -> Table:
    table = silent_table(record, match)
    chairs = tuple(
        replace(chair, premoves=write_premoves(add_premove((), premove))) if chair.seat == seat else chair
        for chair in table.row.chairs
    )
    table.adopt(table.state.seated(chairs))
    return table


@pytest.fixture(scope="module")
def seen() -> list[Seen]:
    """Many answers by premove, in all games."""
    return asyncio.run(_seen())


async def _seen() -> list[Seen]:
    rng, found = random.Random("seen"), list[Seen]()
    presets = {name: [preset for game, preset in PRESETS if game == name] for name in GAMES}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house_players, "RANDOM", random.Random("delays"))  # a fixed seed: any delays are possible
        for _ in range(MATCHES * (10 if is_thorough() else 1)):
            for name, some in presets.items():
                found += await answers(by_dice(name, rng.choice(some), rng), rng)
    rng.shuffle(found)
    return found


def test_premove_delays_are_between_house_delay_and_ping(seen: Sequence[Seen]) -> None:
    assert min(each.delay for each in seen) >= house_players.MIN_PREMOVE_DELAY
    assert max(each.delay for each in seen) <= house_players.MAX_PREMOVE_DELAY
    assert house_players.MIN_PREMOVE_DELAY > 1


@pytest.mark.parametrize("by", ["kind", "could_beat", "game"])
def test_the_premove_delay_is_independent_of_premove_hand_and_play(seen: Sequence[Seen], by: str) -> None:
    groups = defaultdict[Any, list[float]](list)
    for each in seen:
        groups[each.public[0] if by == "game" else getattr(each, by)].append(each.delay)  # type: ignore[index]
    large = [sorted(delays) for delays in groups.values() if len(delays) > 60]
    assert len(large) > 1
    everything = sorted(each.delay for each in seen)
    assert max(distribution_distance(delays, everything) for delays in large) < 0.25


def distribution_distance(some: Sequence[float], all_of_them: Sequence[float]) -> float:
    """Return the Kolmogorov–Smirnov distance of two sorted samples."""
    share = (sum(delay <= limit for delay in some) / len(some) for limit in all_of_them)
    return max(abs(part - at / len(all_of_them)) for at, part in enumerate(share, 1))


# Guesses from delays


def share_of_right_guesses(known: Sequence[Seen], asked: Sequence[Seen], what: str, bins: int) -> float:
    """Return the share of right guesses by a player who knows many answers.

    bins: the number of distinguishable ranges of delays.
    """
    counts = defaultdict[Hashable, Counter[Any]](Counter)
    for each in known:
        counts[observation(each, bins)][getattr(each, what)] += 1
    usual = Counter(getattr(each, what) for each in known).most_common(1)[0][0]
    right: int = sum(
        getattr(each, what) == (told.most_common(1)[0][0] if (told := counts.get(observation(each, bins))) else usual)
        for each in asked
    )
    return right / len(asked)


def observation(each: Seen, bins: int) -> Hashable:
    """Return what a player observes: the actions, and the range of delays with the answer."""
    span = house_players.MAX_PREMOVE_DELAY - house_players.MIN_PREMOVE_DELAY
    return each.public, int((each.delay - house_players.MIN_PREMOVE_DELAY) / span * bins) if bins else 0


@pytest.mark.parametrize("what", ["kind", "could_beat"])
def test_the_premove_delay_does_not_help_guessing(seen: Sequence[Seen], what: str) -> None:
    half = len(seen) // 2
    known, asked = seen[:half], seen[half:]
    alone = share_of_right_guesses(known, asked, what, 0)
    assert max(share_of_right_guesses(known, asked, what, bins) for bins in (2, 3, 5)) <= alone + BETTER


def test_a_delay_dependent_on_the_kind_is_detected(seen: Sequence[Seen]) -> None:
    kinds = sorted({each.kind for each in seen})
    step = (house_players.MAX_PREMOVE_DELAY - house_players.MIN_PREMOVE_DELAY) / len(kinds)
    least = house_players.MIN_PREMOVE_DELAY
    dependent = [each._replace(delay=least + step * (kinds.index(each.kind) + 0.5)) for each in seen]
    half = len(dependent) // 2
    known, asked = dependent[:half], dependent[half:]
    without_delays = share_of_right_guesses(known, asked, "kind", 0)
    assert share_of_right_guesses(known, asked, "kind", len(kinds)) > without_delays + BETTER
