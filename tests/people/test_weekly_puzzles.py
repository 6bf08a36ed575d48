"""Puzzles of the week, as people answer them: once, alone, and the same for every player."""

from __future__ import annotations

import re

from simcord.results import InteractionResult

from bot.ai.puzzle import Puzzle
from bot.domain.contests import WEEK
from bot.games import GAMES
from bot.rules.core.asks import Play
from bot.show.kit.card_symbols import symbols
from tests.people.test_language import CHINESE
from tests.support.message_text import private
from tests.support.world import World

OVER = "That puzzle is from a past week"


async def ask(here: World, name: str, **options: str) -> InteractionResult:
    """Let a player ask for the puzzles of the week."""
    result = await here.people[name].slash(here.channel, "learn puzzles", **options)
    await here.settle()
    return result


async def those(here: World, game: str = "big_two") -> list[Puzzle]:
    """Return the puzzles of this week with their answers, as the bot keeps them."""
    return [
        Puzzle.from_json(one, GAMES) for one in await here.parts.store.puzzles.of_week(game, here.parts.puzzles.week)
    ]


def labels(puzzle: Puzzle) -> list[str]:
    """Return what the buttons of a puzzle say."""
    return [symbols(choice.cards) if isinstance(choice, Play) else "Pass" for choice in puzzle.choices]


async def answer(here: World, name: str, shown: InteractionResult, puzzle: Puzzle, *, right: bool) -> InteractionResult:
    """Let a player answer the puzzle that they see."""
    at = puzzle.right if right else (puzzle.right + 1) % len(puzzle.choices)
    return await here.press_on(name, shown, labels(puzzle)[at])


async def solve(here: World, name: str, *right: bool) -> InteractionResult:
    """Let a player answer the next puzzles of Big Two; return what they see then."""
    shown = await ask(here, name)
    shown = await here.press_on(
        name, shown, "Start solving" if "Start solving" in private(shown).buttons else "Continue"
    )
    puzzles = await those(here)
    first = int(re.findall(r"· (\d) of 6", private(shown).text)[0]) - 1
    for puzzle, each in zip(puzzles[first:], right, strict=False):
        shown = await answer(here, name, shown, puzzle, right=each)
        if "Next one" in private(shown).buttons and puzzle is not puzzles[first + len(right) - 1]:
            shown = await here.press_on(name, shown, "Next one")
    return shown


async def test_starting_a_puzzle_shows_the_hand_and_the_possible_answers(here: World) -> None:
    shown = private(await ask(here, "ann"))
    assert "Puzzles of the week" in shown.text
    assert "Big Two · ⬜⬜⬜⬜⬜⬜" in shown.text
    assert "Your first answer counts." in shown.text
    puzzle = private(await here.press_on("ann", await ask(here, "ann"), "Start solving"))
    (first, *_) = await those(here)
    assert "1 of 6" in puzzle.text
    assert list(puzzle.buttons) == labels(first)
    assert f"Your {len(first.view.hand)} card" in puzzle.text
    assert "What do you" in puzzle.text
    assert "Best: " not in puzzle.text
    assert not any(disabled for _, disabled in puzzle.buttons.values())


async def test_a_right_answer_is_explained_and_a_wrong_one_shows_the_best_and_its_cost(here: World) -> None:
    shown = await solve(here, "ann", True)
    told = private(shown).text
    assert "### Yes!" in told
    assert "points over the next-best play" in told
    first, second, *_ = await those(here)
    assert all(private(shown).buttons[label][1] for label in labels(first))
    following = await here.press_on("ann", shown, "Next one")
    assert "2 of 6" in private(following).text
    told = private(await answer(here, "ann", following, second, right=False)).text
    assert "### Not quite" in told
    assert "Best: " in told
    assert re.search(r"Your choice loses about [\d.]+ points? on average", told)


async def test_the_first_answer_counts_and_can_be_viewed_again(here: World) -> None:
    asked = await here.press_on("ann", await ask(here, "ann"), "Start solving")
    (first, *_) = await those(here)
    await answer(here, "ann", asked, first, right=False)
    right = labels(first)[first.right]
    address = f"bv:solve:big_two:{here.parts.puzzles.week}:0:{first.right}"
    overview = await ask(here, "ann")
    assert "### Not quite" in private(await here.forge(here.ann, overview, address)).text
    overview = await ask(here, "ann")
    assert "❌⬜⬜⬜⬜⬜" in private(overview).text
    (target,) = (each for each in private(overview).selects if "again" in each)
    assert overview.response
    result = await here.ann.select(overview.response.message, ["0"], custom_id=target)
    await here.settle()
    again = private(result)
    assert "### Not quite" in again.text
    assert again.buttons[right][1]


async def test_a_week_has_six_puzzles_and_the_next_week_others(here: World) -> None:
    shown = private(await solve(here, "ann", True, True, False, True, True, True))
    assert "Next one" not in shown.buttons
    told = private(await ask(here, "ann"))
    assert "✅✅❌✅✅✅" in told.text
    assert "All done: 5 of 6 right." in told.text
    streak = "Correct in a row: 3, best 3. 1 whole week in a row."
    assert streak in told.text
    assert "Continue" not in told.buttons
    assert "⬜⬜⬜⬜⬜⬜" in private(await ask(here, "ben")).text
    old = await those(here)
    late = await here.press_on("ben", await ask(here, "ben"), "Start solving")
    await here.later(days=7)
    new = private(await ask(here, "ann")).text
    assert "⬜⬜⬜⬜⬜⬜" in new
    assert streak in new
    assert {each.to_json() for each in old}.isdisjoint(each.to_json() for each in await those(here))
    assert OVER in private(await here.press_on("ben", late, labels(old[0])[0])).text
    await here.later(days=7)
    assert "whole week" not in private(await ask(here, "ann")).text


async def test_puzzles_prepared_for_a_week_are_asked_in_it(here: World) -> None:
    """The bot makes them in the week before; here those of this week stand for them, in another order."""
    await ask(here, "ann")
    coming, mixed = here.parts.puzzles.week + WEEK, [each.to_json() for each in reversed(await those(here))]
    assert await here.parts.store.puzzles.keep("big_two", coming, mixed) == tuple(mixed)
    assert await here.parts.store.puzzles.keep("big_two", coming, mixed[:1]) == tuple(mixed)
    await here.later(days=7)
    shown = await here.press_on("ann", await ask(here, "ann"), "Start solving")
    assert list(private(shown).buttons) == labels(Puzzle.from_json(mixed[0], GAMES))


async def test_a_restart_in_the_middle_loses_nothing(here: World) -> None:
    await solve(here, "ann", True, False)
    asked = await here.press_on("ann", await ask(here, "ann"), "Continue")
    before = await those(here)
    await here.restart()
    told = await answer(here, "ann", asked, before[2], right=True)
    assert "### Yes!" in private(told).text
    assert "✅❌✅⬜⬜⬜" in private(await ask(here, "ann")).text
    assert await those(here) == before


async def test_puzzles_use_the_language_of_their_reader(here: World) -> None:
    here.locales["ben"] = "zh-CN"
    shown = await ask(here, "ben")
    assert CHINESE.search(private(shown).text)
    asked = await here.press_on("ben", shown, "开始解题")
    assert "你怎么打？" in private(asked).text or "你出什么？" in private(asked).text
    (first, *_) = await those(here)
    told = private(await here.press_on("ben", asked, labels(first)[first.right].replace("Pass", "过牌")))
    assert "答对了！" in told.text
    assert not re.search(r"[a-z]{4}", re.sub(r"Mei|Otto|Rosa|Juno|Lena|Iggy|Tala|Zeno", "", told.text))


async def test_every_game_has_puzzles_that_are_also_linked_from_its_lesson(here: World) -> None:
    for game in GAMES:
        asked = await ask(here, "ann", game=game)
        shown = private(await here.press_on("ann", asked, "Start solving"))
        (first, *_) = await those(here, game)
        assert list(shown.buttons) == labels(first)
    asked = await ask(here, "ben", game="big_two")
    (target,) = (each for each in private(asked).selects if each.endswith("puzzles"))
    assert asked.response
    result = await here.people["ben"].select(asked.response.message, ["tien_len"], custom_id=target)
    await here.settle()
    assert "Tiến Lên · ⬜⬜⬜⬜⬜⬜" in private(result).text
    learnt = await here.people["ben"].slash(here.channel, "learn how", game="tien_len")
    await here.settle()
    while "Next" in private(learnt).buttons:
        learnt = await here.press_on("ben", learnt, "Next")
    assert "Tiến Lên · ⬜⬜⬜⬜⬜⬜" in private(await here.press_on("ben", learnt, "🧩 Puzzles of the week")).text


async def test_2_1_answers_are_deleted_with_their_user_who_cannot_answer_that_week_again(
    here: World,
) -> None:
    await solve(here, "ann", True, True)
    user = here.ann.id
    kept = (await here.parts.store.person_data(user))["answers"]
    assert [(row["number"], row["solved"]) for row in kept] == [(0, True), (1, True)]
    await here.parts.retention.forget_person(user)
    await here.settle()
    assert "answers" not in await here.parts.store.person_data(user)
    assert "⬜⬜⬜⬜⬜⬜" in private(await ask(here, "ann")).text
    assert "Correct in a row" not in private(await ask(here, "ann")).text
    refused = private(await solve(here, "ann", True)).text
    assert refused.startswith("Your data was deleted this week, so I can't")
    assert await here.parts.store.puzzles.answers(user, "big_two") == ()
    await here.later(days=7)
    await solve(here, "ann", True)
    assert len(await here.parts.store.puzzles.answers(user, "big_two")) == 1


async def test_a_forged_click_on_a_puzzle_changes_nothing(here: World) -> None:
    shown = await ask(here, "ann")
    for address in (
        "bv:puzzles:chess",
        "bv:puzzle:big_two:never:0",
        "bv:puzzle:big_two:2020-01-06:0",
        "bv:puzzle:big_two:{week}:6",
        "bv:solve:big_two:{week}:0:99",
        "bv:solve:big_two:{week}:x:0",
        "bv:puzzle:big_two:{week}:99999999999999999999",
    ):
        said = private(await here.forge(here.ann, shown, address.format(week=here.parts.puzzles.week)))
        assert said.text, address
    assert "⬜⬜⬜⬜⬜⬜" in private(await ask(here, "ann")).text
