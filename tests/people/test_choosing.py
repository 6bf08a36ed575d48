"""Being asked in words, all at the same time and in secret: answers, and premoves."""

from __future__ import annotations

from pathlib import Path

from simcord import UserHandle

from tests.people.big_a import (
    CHANGE_UNTIL,
    CLUBS_SEED,
    NAMES,
    OTHERS,
    PLANS,
    WINDOW_1,
    WINDOW_2,
    plain_text,
    question_to,
    queue_answers,
    show_nothing,
    start_draw,
)
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import NOT_SEATED, World, world


def count_edits(here: World) -> int:
    """How many public messages there were changes to, of any kind."""
    return sum(here.requests(each, "/channels/*/messages*") for each in ("POST", "PATCH", "DELETE"))


# A window


async def test_every_player_is_asked_on_the_board_and_in_their_hand(here: World) -> None:
    table = await start_draw(here)
    board = here.read_board(table)
    assert WINDOW_1 in board.text
    assert "Everyone decides · ends <t:" in board.text
    assert "👉" not in board.text
    assert "**ann** · 7 cards · 0 points" in board.text
    assert list(board.buttons) == ["My hand", "Don't show", "Rules", "Leave", "⋯", "😀"]
    assert not any(disabled for _, disabled in board.buttons.values())
    opened = await here.open_hand("ann", table)
    said, shown = plain_text(opened), private_reply(opened)
    assert WINDOW_1 in said
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
    assert list(private_reply(bens).buttons)[:5] == [*PLANS, "⋯"]
    forged = await here.forge(here.people["ben"], bens, f"bg:{table.id}:choose:0.1")
    assert private_reply(forged).text == "You're not being asked that right now."
    assert table.state.ply == 0


async def test_all_players_are_pinged_in_one_message_until_the_window_closes(here: World) -> None:
    table = await start_draw(here)
    assert here.channel_texts(table) == []  # who has just taken a seat sees the window open
    await show_nothing(here, table, *OTHERS)
    await here.advance(seconds=40)
    assert here.channel_texts(table) == []  # a player who is called later would be seen not to have answered
    await show_nothing(here, table, "ann")
    assert WINDOW_2 in here.read_board(table).text
    assert here.channel_texts(table) == []  # perhaps they look by themselves
    await here.advance(seconds=9)
    (call,) = here.channel_texts(table)
    names = [f"<@{here.people[name].id}>" for name in OTHERS]
    assert call.startswith(f"{', '.join(names[:-1])}, and {names[-1]}, everyone decides now: [Big A, table 1](")
    await show_nothing(here, table, "ann")
    assert here.channel_texts(table) == [call]  # which others were called without being asked, nobody can tell
    await here.advance(seconds=15)
    await show_nothing(here, table, "cleo", "dev")
    assert here.channel_texts(table) == []
    assert here.requests("DELETE", "/channels/*/messages/*") == 1  # the call is gone


async def test_one_answer_is_enough_for_the_whole_draw(here: World) -> None:
    table = await start_draw(here)
    for name in OTHERS:
        answered = await here.press_on(name, await here.open_hand(name, table), "Never show one")
        assert "You answered: Never show one. It stays until you change it." in plain_text(answered)
        assert private_reply(answered).given == ("Never show one",)
    await here.press_on("ann", await here.open_hand("ann", table), "Right away")
    assert "Shown: ann A♣︎." in here.read_board(table).text.replace("`", "")
    assert "Everyone decides" not in here.read_board(table).text  # cleo, who has its twin, said never to show it
    asked = [step.seat for step in table.row.steps if step.by == "person"]
    assert asked == [1, 2, 3, 4, 0]
    assert here.current_player(table) == "ann"


async def test_a_player_without_a_choice_is_answered_automatically(here: World) -> None:
    table = await start_draw(here)
    await show_nothing(here, table, *NAMES)
    assert WINDOW_2 in here.read_board(table).text
    answered = [(step.seat, step.action) for step in table.row.steps if step.by == "order"]
    assert answered == [(seat, "choose nothing") for seat in (1, 4)]
    idle = await here.open_hand("ben", table)
    assert "There's nothing for you to decide right now." in plain_text(idle)
    assert "Show an ace?" not in plain_text(idle)
    assert list(private_reply(idle).buttons) == ["⋯"]
    assert list(private_reply(await here.open_hand("cleo", table)).buttons)[:3] == ["Don't show", "Show A♣︎", "⋯"]
    board = here.read_board(table)
    await here.press("ben", table, "Don't show")  # who may press it all the same
    assert here.read_board(table) == board


async def test_a_reminder_does_not_reveal_automatic_answers(here: World) -> None:
    table = await start_draw(here)
    await show_nothing(here, table, *NAMES)
    await here.press("dev", table, "My hand")  # who has something to decide, as ann and cleo have
    await here.advance(seconds=49)
    reminder = here.channel_texts(table)[-1]
    assert "your time runs out <t:" in reminder
    assert [name for name in NAMES if f"<@{here.people[name].id}>" in reminder] == ["ann", "ben", "cleo", "eve"]


async def test_every_player_is_asked_if_a_delay_would_reveal_an_automatic_answer(here: World) -> None:
    table = await start_draw(here, pace="slow")
    await show_nothing(here, table, *NAMES)
    assert WINDOW_2 in here.read_board(table).text
    asked = await here.open_hand("ben", table)
    assert "Show an ace?" in plain_text(asked)
    assert list(private_reply(asked).buttons)[:2] == ["Don't show", "⋯"]
    assert [step.by for step in table.row.steps] == ["person"] * 5


async def test_a_single_player_is_answered_automatically_at_any_pace(here: World) -> None:
    here.deal = CLUBS_SEED
    table = await here.start_table(rules="BA:std", pace="slow")
    await here.press_on("ann", await here.open_hand("ann", table), "Right away")
    assert "Shown: ann A♣︎." in here.read_board(table).text.replace("`", "")
    assert "Everyone decides" not in here.read_board(table).text


async def test_the_length_of_a_question_does_not_reveal_automatic_answers(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await start_draw(here)
        await show_nothing(here, table, *NAMES)
        await here.advance(seconds=30)
        await show_nothing(here, table, "ann", "cleo", "dev")
        assert [step.by for step in table.row.steps] == ["person"] * 8
        await here.advance(seconds=11)
        assert [step.by for step in table.row.steps][8:] == ["order"] * 2


async def test_no_answer_is_visible_until_all_have_answered(here: World) -> None:
    table = await start_draw(here)
    opened = await here.open_hand("ann", table)
    board, talk, told, moment = here.board(table), here.channel_texts(table), count_edits(here), table.moment
    answered = await here.press_on("ann", opened, "Show A♣︎")
    assert f"You answered: Show A♣︎. {CHANGE_UNTIL}" in plain_text(answered)
    assert private_reply(answered).given == ("Show A♣︎",)
    await here.press("ben", table, "Don't show")
    await here.advance(seconds=40)
    assert [step.action for step in table.row.steps] == ["choose expose:c", "choose nothing"]
    assert (table.moment, count_edits(here), here.channel_texts(table)) == (moment, told, talk)
    assert (here.board(table).edited_at, here.read_board(table)) == (board.edited_at, ParsedMessage.of(board))
    for name in OTHERS:
        assert "expose" not in private_reply(await here.open_hand(name, table)).text
    await show_nothing(here, table, "cleo", "dev")
    assert "Shown" not in here.read_board(table).text
    here.leave_screen("eve")
    last = await here.press("eve", table, "Don't show")
    assert plain_text(last) == "You answered: Ask me each time."
    shown = here.read_board(table).text.replace("`", "")
    assert WINDOW_1 not in shown
    assert "Shown: ann A♣︎." in shown
    assert "**ann** · 21 cards" in shown  # nobody could go over that


async def test_an_answer_can_be_changed_in_the_hand_and_on_the_board(here: World) -> None:
    table = await start_draw(here)
    opened = await here.open_hand("ann", table)
    await here.press_on("ann", opened, "Show A♣︎")
    changed = await here.press_on("ann", opened, "Ask me each time")
    assert f"You answered: Ask me each time. {CHANGE_UNTIL}" in plain_text(changed)
    assert list(private_reply(changed).buttons)[:5] == [*PLANS, "Show A♣︎"]
    assert private_reply(changed).given == ("Ask me each time",)
    await here.press_on("ann", opened, "Show A♣︎")
    answered = await here.press("ann", table, "Don't show")
    assert opened.response is None, "the open hand has come along, and is no second one"
    assert f"You answered: Ask me each time. {CHANGE_UNTIL}" in plain_text(answered)
    assert "Your 7 cards" in plain_text(answered)
    assert (
        plain_text(await here.press("ben", table, "Don't show")) == f"You answered: Ask me each time. {CHANGE_UNTIL}."
    )
    stranger = here.guild.add_member(here.env.create_user("finn"))
    refused = await stranger.click(here.board(table), label="Don't show")
    assert private_reply(refused).text.startswith(NOT_SEATED)
    assert [step.seat for step in table.row.steps] == [0, 0, 0, 0, 1]
    await show_nothing(here, table, *OTHERS[1:])
    assert WINDOW_2 in here.read_board(table).text
    assert "Shown" not in here.read_board(table).text


async def test_the_hint_says_what_a_house_player_would_answer(here: World) -> None:
    table = await start_draw(here, pace="live hints")
    for name, offered in (("ann", ("Ask me each time", "Show A♣︎")), ("ben", ("Ask me each time",))):
        hint = await here.press_on(name, await here.open_hand(name, table), "Hint")
        assert any(f"Hint: {each}." in plain_text(hint) for each in offered)
        assert "You answered" not in plain_text(hint)
        answered = await here.press_on(name, hint, "Ask me each time")
        assert private_reply(answered).buttons["Hint"][1]
    assert [step.action for step in table.row.steps] == ["choose nothing", "choose nothing"]


async def test_an_outdated_button_answers_nothing(here: World) -> None:
    table = await start_draw(here)
    seen = here.board(table)
    await show_nothing(here, table, *NAMES)
    late = await here.click_stale("ann", seen, "Don't show")
    assert "The game has moved on since that button was shown." in plain_text(late)
    assert WINDOW_2 in plain_text(late)
    forged = await here.forge(here.ann, late, f"bg:{table.id}:choose:0.1")
    assert "The game has moved on since that button was shown." in plain_text(forged)
    assert [step.by for step in table.row.steps].count("person") == 5


# Beforehand


async def test_a_queued_answer_applies_to_every_later_question(here: World) -> None:
    table = await start_draw(here)
    said = await queue_answers(here, "cleo", table, "pair:h", "silent")
    assert "Your queued answer applies. Another answer replaces it." in plain_text(said)
    orders = "- Show both A♡ and play solo as soon as I can\n- After the draw, never show the other Big Ace"
    assert f"You queued:\n{orders}" in plain_text(said)
    await show_nothing(here, table, "ann", "ben", "dev", "eve")
    assert WINDOW_2 in here.read_board(table).text
    assert question_to(here, table, "cleo").given == ("order", "pair:h", "silent")
    assert list(private_reply(await here.open_hand("cleo", table)).buttons)[:4] == PLANS  # to say something else
    await show_nothing(here, table, "ann", "dev")
    assert "Last call to show an ace." in here.read_board(table).text


async def test_a_new_answer_withdraws_the_queued_one(here: World) -> None:
    table = await start_draw(here)
    await queue_answers(here, "ann", table, "expose:c", "silent")
    assert question_to(here, table, "ann").given == ("order", "expose:c", "silent")
    await show_nothing(here, table, *NAMES)
    assert "Shown" not in here.read_board(table).text
    assert question_to(here, table, "ann").standing == ("silent",)  # which is for later
    assert not question_to(here, table, "ann").given


async def test_queued_answers_can_be_withdrawn_and_must_not_contradict_each_other(here: World) -> None:
    table = await start_draw(here)
    both = await queue_answers(here, "cleo", table, "reveal", "silent")
    assert "You either show the other Big Ace or never do." in plain_text(both)
    assert table.state.ply == 0
    await queue_answers(here, "cleo", table, "pair:h")
    taken_back = await queue_answers(here, "cleo", table)
    assert "queue" not in plain_text(taken_back).lower()
    assert (question_to(here, table, "cleo").standing, question_to(here, table, "cleo").given) == ((), ())
    await show_nothing(here, table, "ann", "ben", "dev", "eve")
    assert WINDOW_1 in here.read_board(table).text  # cleo has to answer again


# By command


async def test_answers_can_be_typed_and_the_desk_lists_open_questions_first(here: World) -> None:
    table = await start_draw(here)

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
    table = await start_draw(here)
    alone = UserHandle(here.env, here.env.backend.users[here.ann.id])
    await here.press_in_menu("ann", await here.open_hand("ann", table), "Settings", "☐ Hand by DM")
    await here.advance(seconds=59)
    await here.advance(seconds=2)
    await here.advance(seconds=59)
    await here.advance(seconds=10)
    (call,) = here.channel_texts(table)
    assert f"<@{here.ann.id}>" not in call
    (sent,) = alone.dm_channel.history()
    assert "Show an ace?" in ParsedMessage.of(sent).text
    await alone.click(sent, label="Show A♣︎")
    await here.settle()
    (answered,) = alone.dm_channel.history()
    assert answered.id == sent.id
    assert f"You answered: Show `A♣︎`. {CHANGE_UNTIL}" in ParsedMessage.of(answered).text
    assert here.channel_texts(table) == [call]
    await show_nothing(here, table, *OTHERS)
    assert "Shown: ann `A♣︎`." in here.read_board(table).text
    await here.advance(seconds=9)
    (again,) = alone.dm_channel.history()
    assert again.id != sent.id
