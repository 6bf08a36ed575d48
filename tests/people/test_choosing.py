"""Being asked in words, all at the same time and in secret: answers, and premoves."""

from __future__ import annotations

from pathlib import Path

from simcord import UserHandle

from tests.people.big_a import (
    CLOSING,
    CLUBS,
    FIRST,
    NAMES,
    OTHERS,
    PLANS,
    SECOND,
    ask_of,
    five,
    nothing,
    plain,
    say_beforehand,
)
from tests.support.message_text import Shown, private
from tests.support.world import OUTSIDE, World, world


def edits(here: World) -> int:
    """How many public messages there were changes to, of any kind."""
    return sum(here.requests(each, "/channels/*/messages*") for each in ("POST", "PATCH", "DELETE"))


# A window


async def test_every_player_is_asked_on_the_board_and_in_their_hand(here: World) -> None:
    table = await five(here)
    board = here.read(table)
    assert FIRST in board.text
    assert "Everyone decides · ends <t:" in board.text
    assert "👉" not in board.text
    assert "**ann** · 7 cards · 0 points" in board.text
    assert list(board.buttons) == ["My hand", "Don't show", "Rules", "Leave", "⋯", "😀"]
    assert not any(disabled for _, disabled in board.buttons.values())
    opened = await here.open_hand("ann", table)
    said, shown = plain(opened), private(opened)
    assert FIRST in said
    assert "Everyone decides · ends <t:" in said
    assert (
        "**Show an ace, and you're the declarer; the player with its twin is your secret partner. When do "
        "you show one?**\n**Right away**: my first ace: its twin's holder is my secret partner"
    ) in said
    assert "Your 7 cards" in said
    assert list(shown.buttons)[:6] == [*PLANS, "Show A♣︎", "⋯"]
    assert not {"Play", "Pass"} & shown.buttons.keys()
    assert not shown.selects
    bens = await here.open_hand("ben", table)
    assert list(private(bens).buttons)[:5] == [*PLANS, "⋯"]
    forged = await here.forge(here.people["ben"], bens, f"bg:{table.id}:choose:0.1")
    assert private(forged).text == "You're not being asked that right now."
    assert table.state.ply == 0


async def test_all_players_are_pinged_in_one_message_until_the_window_closes(here: World) -> None:
    table = await five(here)
    assert here.talk(table) == []  # who has just taken a seat sees the window open
    await nothing(here, table, *OTHERS)
    await here.later(seconds=40)
    assert here.talk(table) == []  # a player who is called later would be seen not to have answered
    await nothing(here, table, "ann")
    assert SECOND in here.read(table).text
    assert here.talk(table) == []  # perhaps they look by themselves
    await here.later(seconds=9)
    (call,) = here.talk(table)
    names = [f"<@{here.people[name].id}>" for name in OTHERS]
    assert call.startswith(f"{', '.join(names[:-1])}, and {names[-1]}, everyone decides now: [Big A, table 1](")
    await nothing(here, table, "ann")
    assert here.talk(table) == [call]  # which others were called without being asked, nobody can tell
    await here.later(seconds=15)
    await nothing(here, table, "cleo", "dev")
    assert here.talk(table) == []
    assert here.requests("DELETE", "/channels/*/messages/*") == 1  # the call is gone


async def test_one_answer_is_enough_for_the_whole_draw(here: World) -> None:
    table = await five(here)
    for name in OTHERS:
        answered = await here.press_on(name, await here.open_hand(name, table), "Never show one")
        assert "You answered: Never show one. It stays until you change it." in plain(answered)
        assert private(answered).given == ("Never show one",)
    await here.press_on("ann", await here.open_hand("ann", table), "Right away")
    assert "Shown: ann A♣︎." in here.read(table).text.replace("`", "")
    assert "Everyone decides" not in here.read(table).text  # cleo, who has its twin, said never to show it
    asked = [step.seat for step in table.row.steps if step.by == "person"]
    assert asked == [1, 2, 3, 4, 0]
    assert here.turn(table) == "ann"


async def test_a_player_without_a_choice_is_answered_automatically(here: World) -> None:
    table = await five(here)
    await nothing(here, table, *NAMES)
    assert SECOND in here.read(table).text
    answered = [(step.seat, step.action) for step in table.row.steps if step.by == "order"]
    assert answered == [(seat, "choose nothing") for seat in (1, 4)]
    idle = await here.open_hand("ben", table)
    assert "There's nothing for you to decide right now." in plain(idle)
    assert "Show an ace?" not in plain(idle)
    assert list(private(idle).buttons) == ["⋯"]
    assert list(private(await here.open_hand("cleo", table)).buttons)[:3] == ["Don't show", "Show A♣︎", "⋯"]
    board = here.read(table)
    await here.press("ben", table, "Don't show")  # who may press it all the same
    assert here.read(table) == board


async def test_a_reminder_does_not_reveal_automatic_answers(here: World) -> None:
    table = await five(here)
    await nothing(here, table, *NAMES)
    await here.press("dev", table, "My hand")  # who has something to decide, as ann and cleo have
    await here.later(seconds=49)
    reminder = here.talk(table)[-1]
    assert "your time runs out <t:" in reminder
    assert [name for name in NAMES if f"<@{here.people[name].id}>" in reminder] == ["ann", "ben", "cleo", "eve"]


async def test_every_player_is_asked_if_a_delay_would_reveal_an_automatic_answer(here: World) -> None:
    table = await five(here, pace="slow")
    await nothing(here, table, *NAMES)
    assert SECOND in here.read(table).text
    asked = await here.open_hand("ben", table)
    assert "Show an ace?" in plain(asked)
    assert list(private(asked).buttons)[:2] == ["Don't show", "⋯"]
    assert [step.by for step in table.row.steps] == ["person"] * 5


async def test_a_single_player_is_answered_automatically_at_any_pace(here: World) -> None:
    here.deal = CLUBS
    table = await here.start_table(rules="BA:std", pace="slow")
    await here.press_on("ann", await here.open_hand("ann", table), "Right away")
    assert "Shown: ann A♣︎." in here.read(table).text.replace("`", "")
    assert "Everyone decides" not in here.read(table).text


async def test_the_length_of_a_question_does_not_reveal_automatic_answers(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await five(here)
        await nothing(here, table, *NAMES)
        await here.later(seconds=30)
        await nothing(here, table, "ann", "cleo", "dev")
        assert [step.by for step in table.row.steps] == ["person"] * 8
        await here.later(seconds=11)
        assert [step.by for step in table.row.steps][8:] == ["order"] * 2


async def test_no_answer_is_visible_until_all_have_answered(here: World) -> None:
    table = await five(here)
    opened = await here.open_hand("ann", table)
    board, talk, told, moment = here.board(table), here.talk(table), edits(here), table.moment
    answered = await here.press_on("ann", opened, "Show A♣︎")
    assert f"You answered: Show A♣︎. {CLOSING}" in plain(answered)
    assert private(answered).given == ("Show A♣︎",)
    await here.press("ben", table, "Don't show")
    await here.later(seconds=40)
    assert [step.action for step in table.row.steps] == ["choose expose:c", "choose nothing"]
    assert (table.moment, edits(here), here.talk(table)) == (moment, told, talk)
    assert (here.board(table).edited_at, here.read(table)) == (board.edited_at, Shown.of(board))
    for name in OTHERS:
        assert "expose" not in private(await here.open_hand(name, table)).text
    await nothing(here, table, "cleo", "dev")
    assert "Shown" not in here.read(table).text
    here.look_away("eve")
    last = await here.press("eve", table, "Don't show")
    assert plain(last) == "You answered: Ask me each time."
    shown = here.read(table).text.replace("`", "")
    assert FIRST not in shown
    assert "Shown: ann A♣︎." in shown
    assert "**ann** · 21 cards" in shown  # nobody could go over that


async def test_an_answer_can_be_changed_in_the_hand_and_on_the_board(here: World) -> None:
    table = await five(here)
    opened = await here.open_hand("ann", table)
    await here.press_on("ann", opened, "Show A♣︎")
    changed = await here.press_on("ann", opened, "Ask me each time")
    assert f"You answered: Ask me each time. {CLOSING}" in plain(changed)
    assert list(private(changed).buttons)[:5] == [*PLANS, "Show A♣︎"]
    assert private(changed).given == ("Ask me each time",)
    await here.press_on("ann", opened, "Show A♣︎")
    answered = await here.press("ann", table, "Don't show")
    assert opened.response is None, "the open hand has come along, and is no second one"
    assert f"You answered: Ask me each time. {CLOSING}" in plain(answered)
    assert "Your 7 cards" in plain(answered)
    assert plain(await here.press("ben", table, "Don't show")) == f"You answered: Ask me each time. {CLOSING}."
    stranger = here.guild.add_member(here.env.create_user("finn"))
    refused = await stranger.click(here.board(table), label="Don't show")
    assert private(refused).text.startswith(OUTSIDE)
    assert [step.seat for step in table.row.steps] == [0, 0, 0, 0, 1]
    await nothing(here, table, *OTHERS[1:])
    assert SECOND in here.read(table).text
    assert "Shown" not in here.read(table).text


async def test_the_hint_says_what_a_house_player_would_answer(here: World) -> None:
    table = await five(here, pace="live hints")
    for name, offered in (("ann", ("Ask me each time", "Show A♣︎")), ("ben", ("Ask me each time",))):
        hint = await here.press_on(name, await here.open_hand(name, table), "Hint")
        assert any(f"Hint: {each}." in plain(hint) for each in offered)
        assert "You answered" not in plain(hint)
        answered = await here.press_on(name, hint, "Ask me each time")
        assert private(answered).buttons["Hint"][1]
    assert [step.action for step in table.row.steps] == ["choose nothing", "choose nothing"]


async def test_an_outdated_button_answers_nothing(here: World) -> None:
    table = await five(here)
    seen = here.board(table)
    await nothing(here, table, *NAMES)
    late = await here.click_stale("ann", seen, "Don't show")
    assert "The game has moved on since that button was shown." in plain(late)
    assert SECOND in plain(late)
    forged = await here.forge(here.ann, late, f"bg:{table.id}:choose:0.1")
    assert "The game has moved on since that button was shown." in plain(forged)
    assert [step.by for step in table.row.steps].count("person") == 5


# Beforehand


async def test_a_queued_answer_applies_to_every_later_question(here: World) -> None:
    table = await five(here)
    said = await say_beforehand(here, "cleo", table, "pair:h", "silent")
    assert "Your queued answer applies. Another answer replaces it." in plain(said)
    orders = "- Show both A♡ and play solo as soon as I can\n- After the draw, never show the other Big Ace"
    assert f"You queued:\n{orders}" in plain(said)
    await nothing(here, table, "ann", "ben", "dev", "eve")
    assert SECOND in here.read(table).text
    assert ask_of(here, table, "cleo").given == ("order", "pair:h", "silent")
    assert list(private(await here.open_hand("cleo", table)).buttons)[:4] == PLANS  # to say something else
    await nothing(here, table, "ann", "dev")
    assert "Last call to show an ace." in here.read(table).text


async def test_a_new_answer_withdraws_the_queued_one(here: World) -> None:
    table = await five(here)
    await say_beforehand(here, "ann", table, "expose:c", "silent")
    assert ask_of(here, table, "ann").given == ("order", "expose:c", "silent")
    await nothing(here, table, *NAMES)
    assert "Shown" not in here.read(table).text
    assert ask_of(here, table, "ann").standing == ("silent",)  # which is for later
    assert not ask_of(here, table, "ann").given


async def test_queued_answers_can_be_withdrawn_and_must_not_contradict_each_other(here: World) -> None:
    table = await five(here)
    both = await say_beforehand(here, "cleo", table, "reveal", "silent")
    assert "You either show the other Big Ace or never do." in plain(both)
    assert table.state.ply == 0
    await say_beforehand(here, "cleo", table, "pair:h")
    taken_back = await say_beforehand(here, "cleo", table)
    assert "queue" not in plain(taken_back).lower()
    assert (ask_of(here, table, "cleo").standing, ask_of(here, table, "cleo").given) == ((), ())
    await nothing(here, table, "ann", "ben", "dev", "eve")
    assert FIRST in here.read(table).text  # cleo has to answer again


# By command


async def test_answers_can_be_typed_and_the_desk_lists_open_questions_first(here: World) -> None:
    table = await five(here)

    async def offered(name: str, typed: str) -> list[tuple[str, str]]:
        choices = await here.people[name].autocomplete(here.channel, "turn", "move", typed)
        return [(choice["name"], choice["value"]) for choice in choices]

    plans = [
        ("Ask me each time", "nothing"),
        ("Right away", "at_once"),
        ("Only a pair", "only_two"),
        ("Never show one", "never"),
    ]
    assert await offered("ann", "") == [*plans, ("Show A♣︎", "expose:c")]
    assert await offered("ann", "sho") == [("Never show one", "never"), ("Show A♣︎", "expose:c")]
    assert await offered("ben", "") == plans
    assert "**Your call!**" in (await here.slash("ann", "desk")).text
    assert "You answered: Show `A♣︎`." in (await here.slash("ann", "turn", move="show A")).text
    assert "**Your call!**" not in (await here.slash("ann", "desk")).text
    assert "Everyone decides · ends <t:" in (await here.slash("ann", "desk")).text
    assert "You answered: Only a pair." in (await here.slash("ann", "turn", move="only")).text
    assert "You answered: Ask me each time." in (await here.slash("ann", "turn", move="nothing")).text
    assert "You answered: Show `A♣︎`." in (await here.slash("ann", "turn", move="expose:c")).text
    wrong = "That isn't one of the possible answers. They appear as you type."
    assert (await here.slash("ben", "turn", move="expose:c")).text == wrong
    assert "You answered: Ask me each time." in (await here.slash("ann", "turn", move="pass", table=table.id)).text
    assert "You answered: Show `A♣︎`." in (await here.slash("ann", "turn", move="Ac", table=table.id)).text
    assert (await here.slash("ann", "turn", move="As", table=table.id)).text == wrong, (
        "no beginning of Ask me each time"
    )


async def test_answers_in_words_are_not_offered_in_a_game_without_questions(here: World) -> None:
    await here.start_table("ben")
    unread = "I can't read nothing as a card. Write cards like 3d 10h ks."
    assert (await here.slash("ann", "turn", move="nothing")).text == unread
    assert await here.ann.autocomplete(here.channel, "turn", "move", "nothing") == []


async def test_a_player_with_hands_by_dm_is_asked_by_dm(here: World) -> None:
    table = await five(here)
    alone = UserHandle(here.env, here.env.backend.users[here.ann.id])
    await here.press_behind("ann", await here.open_hand("ann", table), "Settings", "☐ Hand by DM")
    await here.later(seconds=59)
    await here.later(seconds=2)
    await here.later(seconds=59)
    await here.later(seconds=10)
    (call,) = here.talk(table)
    assert f"<@{here.ann.id}>" not in call
    (sent,) = alone.dm_channel.history()
    assert "Show an ace?" in Shown.of(sent).text
    await alone.click(sent, label="Show A♣︎")
    await here.settle()
    (answered,) = alone.dm_channel.history()
    assert answered.id == sent.id
    assert f"You answered: Show `A♣︎`. {CLOSING}" in Shown.of(answered).text
    assert here.talk(table) == [call]
    await nothing(here, table, *OTHERS)
    assert "Shown: ann `A♣︎`." in here.read(table).text
    await here.later(seconds=9)
    (again,) = alone.dm_channel.history()
    assert again.id != sent.id
