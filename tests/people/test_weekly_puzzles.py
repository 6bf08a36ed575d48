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
from tests.support.message_text import private_reply
from tests.support.world import World

OVER = "That puzzle is from a past week"


async def open_puzzles(here: World, name: str, **options: str) -> InteractionResult:
    """Open the puzzles of the week."""
    result = await here.people[name].slash(here.channel, "learn puzzles", **options)
    await here.settle()
    return result


async def puzzles_of_week(here: World, game: str = "big_two") -> list[Puzzle]:
    """Return the puzzles of this week with their answers, as the bot keeps them."""
    return [
        Puzzle.from_json(one, GAMES) for one in await here.parts.store.puzzles.of_week(game, here.parts.puzzles.week)
    ]


def answer_labels(puzzle: Puzzle) -> list[str]:
    """Return what the buttons of a puzzle say."""
    return [symbols(choice.cards) if isinstance(choice, Play) else "Pass" for choice in puzzle.choices]


async def answer_puzzle(
    here: World, name: str, shown: InteractionResult, puzzle: Puzzle, *, right: bool
) -> InteractionResult:
    """Answer the shown puzzle."""
    at = puzzle.right if right else (puzzle.right + 1) % len(puzzle.choices)
    return await here.press_on(name, shown, answer_labels(puzzle)[at])


async def start_and_answer(here: World, name: str, *right: bool) -> InteractionResult:
    """Answer the next puzzles of Big Two; return the reply."""
    shown = await open_puzzles(here, name)
    shown = await here.press_on(
        name, shown, "Start solving" if "Start solving" in private_reply(shown).buttons else "Continue"
    )
    puzzles = await puzzles_of_week(here)
    first = int(re.findall(r"· (\d) of 6", private_reply(shown).text)[0]) - 1
    for puzzle, each in zip(puzzles[first:], right, strict=False):
        shown = await answer_puzzle(here, name, shown, puzzle, right=each)
        if "Next one" in private_reply(shown).buttons and puzzle is not puzzles[first + len(right) - 1]:
            shown = await here.press_on(name, shown, "Next one")
    return shown


async def test_starting_a_puzzle_shows_the_hand_and_the_possible_answers(here: World) -> None:
    shown = private_reply(await open_puzzles(here, "ann"))
    assert "Puzzles of the week" in shown.text
    assert "Big Two · ⬜⬜⬜⬜⬜⬜" in shown.text
    assert "Your first answer counts." in shown.text
    puzzle = private_reply(await here.press_on("ann", await open_puzzles(here, "ann"), "Start solving"))
    (first, *_) = await puzzles_of_week(here)
    assert "1 of 6" in puzzle.text
    assert list(puzzle.buttons) == answer_labels(first)
    assert f"Your {len(first.view.hand)} card" in puzzle.text
    assert "What do you" in puzzle.text
    assert "Best: " not in puzzle.text
    assert not any(disabled for _, disabled in puzzle.buttons.values())


async def test_a_right_answer_is_explained_and_a_wrong_one_shows_the_best_and_its_cost(here: World) -> None:
    shown = await start_and_answer(here, "ann", True)
    told = private_reply(shown).text
    assert "### Yes!" in told
    assert "points over the next-best play" in told
    first, second, *_ = await puzzles_of_week(here)
    assert all(private_reply(shown).buttons[label][1] for label in answer_labels(first))
    following = await here.press_on("ann", shown, "Next one")
    assert "2 of 6" in private_reply(following).text
    told = private_reply(await answer_puzzle(here, "ann", following, second, right=False)).text
    assert "### Not quite" in told
    assert "Best: " in told
    assert re.search(r"Your choice loses about [\d.]+ points? on average", told)


async def test_the_first_answer_counts_and_can_be_viewed_again(here: World) -> None:
    asked = await here.press_on("ann", await open_puzzles(here, "ann"), "Start solving")
    (first, *_) = await puzzles_of_week(here)
    await answer_puzzle(here, "ann", asked, first, right=False)
    right = answer_labels(first)[first.right]
    address = f"bv:solve:big_two:{here.parts.puzzles.week}:0:{first.right}"
    overview = await open_puzzles(here, "ann")
    assert "### Not quite" in private_reply(await here.forge(here.ann, overview, address)).text
    overview = await open_puzzles(here, "ann")
    assert "❌⬜⬜⬜⬜⬜" in private_reply(overview).text
    (target,) = (each for each in private_reply(overview).selects if "again" in each)
    assert overview.response
    result = await here.ann.select(overview.response.message, ["0"], custom_id=target)
    await here.settle()
    again = private_reply(result)
    assert "### Not quite" in again.text
    assert again.buttons[right][1]


async def test_a_week_has_six_puzzles_and_the_next_week_others(here: World) -> None:
    shown = private_reply(await start_and_answer(here, "ann", True, True, False, True, True, True))
    assert "Next one" not in shown.buttons
    told = private_reply(await open_puzzles(here, "ann"))
    assert "✅✅❌✅✅✅" in told.text
    assert "All done: 5 of 6 right." in told.text
    streak = "Correct in a row: 3, best 3. 1 whole week in a row."
    assert streak in told.text
    assert "Continue" not in told.buttons
    assert "⬜⬜⬜⬜⬜⬜" in private_reply(await open_puzzles(here, "ben")).text
    old = await puzzles_of_week(here)
    late = await here.press_on("ben", await open_puzzles(here, "ben"), "Start solving")
    await here.advance(days=7)
    new = private_reply(await open_puzzles(here, "ann")).text
    assert "⬜⬜⬜⬜⬜⬜" in new
    assert streak in new
    assert {each.to_json() for each in old}.isdisjoint(each.to_json() for each in await puzzles_of_week(here))
    assert OVER in private_reply(await here.press_on("ben", late, answer_labels(old[0])[0])).text
    await here.advance(days=7)
    assert "whole week" not in private_reply(await open_puzzles(here, "ann")).text


async def test_puzzles_prepared_for_a_week_are_asked_in_it(here: World) -> None:
    """The bot makes them in the week before; here those of this week stand for them, in another order."""
    await open_puzzles(here, "ann")
    coming, mixed = here.parts.puzzles.week + WEEK, [each.to_json() for each in reversed(await puzzles_of_week(here))]
    assert await here.parts.store.puzzles.keep("big_two", coming, mixed) == tuple(mixed)
    assert await here.parts.store.puzzles.keep("big_two", coming, mixed[:1]) == tuple(mixed)
    await here.advance(days=7)
    shown = await here.press_on("ann", await open_puzzles(here, "ann"), "Start solving")
    assert list(private_reply(shown).buttons) == answer_labels(Puzzle.from_json(mixed[0], GAMES))


async def test_a_restart_in_the_middle_loses_nothing(here: World) -> None:
    await start_and_answer(here, "ann", True, False)
    asked = await here.press_on("ann", await open_puzzles(here, "ann"), "Continue")
    before = await puzzles_of_week(here)
    await here.restart()
    told = await answer_puzzle(here, "ann", asked, before[2], right=True)
    assert "### Yes!" in private_reply(told).text
    assert "✅❌✅⬜⬜⬜" in private_reply(await open_puzzles(here, "ann")).text
    assert await puzzles_of_week(here) == before


async def test_puzzles_use_the_language_of_their_reader(here: World) -> None:
    here.locales["ben"] = "zh-CN"
    shown = await open_puzzles(here, "ben")
    assert CHINESE.search(private_reply(shown).text)
    asked = await here.press_on("ben", shown, "开始解题")
    assert "你怎么打？" in private_reply(asked).text or "你出什么？" in private_reply(asked).text
    (first, *_) = await puzzles_of_week(here)
    told = private_reply(await here.press_on("ben", asked, answer_labels(first)[first.right].replace("Pass", "过牌")))
    assert "答对了！" in told.text
    assert not re.search(r"[a-z]{4}", re.sub(r"Mei|Otto|Rosa|Juno|Lena|Iggy|Tala|Zeno", "", told.text))


async def test_every_game_has_puzzles_that_are_also_linked_from_its_lesson(here: World) -> None:
    for game in GAMES:
        asked = await open_puzzles(here, "ann", game=game)
        shown = private_reply(await here.press_on("ann", asked, "Start solving"))
        (first, *_) = await puzzles_of_week(here, game)
        assert list(shown.buttons) == answer_labels(first)
    asked = await open_puzzles(here, "ben", game="big_two")
    (target,) = (each for each in private_reply(asked).selects if each.endswith("puzzles"))
    assert asked.response
    result = await here.people["ben"].select(asked.response.message, ["tien_len"], custom_id=target)
    await here.settle()
    assert "Tiến Lên · ⬜⬜⬜⬜⬜⬜" in private_reply(result).text
    learnt = await here.people["ben"].slash(here.channel, "learn how", game="tien_len")
    await here.settle()
    while "Next" in private_reply(learnt).buttons:
        learnt = await here.press_on("ben", learnt, "Next")
    assert "Tiến Lên · ⬜⬜⬜⬜⬜⬜" in private_reply(await here.press_on("ben", learnt, "🧩 Puzzles of the week")).text


async def test_2_1_answers_are_deleted_with_their_user_who_cannot_answer_that_week_again(
    here: World,
) -> None:
    await start_and_answer(here, "ann", True, True)
    user = here.ann.id
    kept = (await here.parts.store.person_data(user))["answers"]
    assert [(row["number"], row["solved"]) for row in kept] == [(0, True), (1, True)]
    await here.parts.retention.forget_person(user)
    await here.settle()
    assert "answers" not in await here.parts.store.person_data(user)
    assert "⬜⬜⬜⬜⬜⬜" in private_reply(await open_puzzles(here, "ann")).text
    assert "Correct in a row" not in private_reply(await open_puzzles(here, "ann")).text
    refused = private_reply(await start_and_answer(here, "ann", True)).text
    assert refused.startswith("Your data was deleted this week, so I can't")
    assert await here.parts.store.puzzles.answers(user, "big_two") == ()
    await here.advance(days=7)
    await start_and_answer(here, "ann", True)
    assert len(await here.parts.store.puzzles.answers(user, "big_two")) == 1


async def test_a_forged_click_on_a_puzzle_changes_nothing(here: World) -> None:
    shown = await open_puzzles(here, "ann")
    for address in (
        "bv:puzzles:chess",
        "bv:puzzle:big_two:never:0",
        "bv:puzzle:big_two:2020-01-06:0",
        "bv:puzzle:big_two:{week}:6",
        "bv:solve:big_two:{week}:0:99",
        "bv:solve:big_two:{week}:x:0",
        "bv:puzzle:big_two:{week}:99999999999999999999",
    ):
        said = private_reply(await here.forge(here.ann, shown, address.format(week=here.parts.puzzles.week)))
        assert said.text, address
    assert "⬜⬜⬜⬜⬜⬜" in private_reply(await open_puzzles(here, "ann")).text
