"""Looking back at a match: offered when it is over, in private, and each moment leads into the replay."""

from __future__ import annotations

from simcord.results import InteractionResult

from bot.house.plain import choose
from bot.rules.actions import Play
from tests.people import test_day_deal as day
from tests.people.test_day_deal import daily  # noqa: F401  # a fixture
from tests.people.test_moments_shared import straight
from tests.reading import private
from tests.world import World


async def over(here: World) -> InteractionResult:
    """Let a match of one hand be played out; return the hand that Ann has open then."""
    table, hands = await here.start_table("ben", hands=1), dict[str, InteractionResult]()
    while (name := here.turn(table)) is not None:
        view = table.scene(here.people[name].id).view
        assert view is not None
        action = choose(view)
        if isinstance(action, Play):
            hands[name] = await here.play(name, table, action.cards)
        else:
            hands[name] = await here.pass_(name, table)
    return hands["ann"]


async def looked_back(here: World) -> InteractionResult:
    """Let Ann look back at such a match."""
    return await here.press_on("ann", await over(here), "Look back")


async def test_whoever_has_played_looks_back_and_steps_into_the_replay(here: World) -> None:
    back = await looked_back(here)
    read = private(back)
    assert "Looking back" in read.text
    assert "Big Two, table 1" in read.text
    (label, (address, _)) = next(each for each in read.buttons.items() if each[0].startswith("Show"))
    step = int(address.split(":")[3])
    shown = private(await here.press_on("ann", back, label)).text
    assert f"step {step} of" in shown


async def test_it_stands_under_the_replay_of_a_match_too(here: World) -> None:
    await over(here)
    film = await straight(here, "dev", "1")
    assert "Looking back" in private(await here.press_on("dev", film, "Look back")).text


async def test_while_a_match_goes_on_nothing_of_it_is_looked_at(here: World) -> None:
    table = await here.start_table("ben", hands=2)
    await here.play_hand(table)
    hand = await here.press("ann", table, "My hand")
    result = await here.forge(here.people["ann"], hand, f"bv:look_back:{table.id}")
    assert private(result).text == "There is no such finished match here."
    assert "Look back" not in private(hand).buttons


async def test_more_is_shown_in_place_and_back_again(here: World) -> None:
    back = await looked_back(here)
    first = private(back).text
    if "More" in private(back).buttons:
        await here.press_on("ann", back, "More")
        assert private(back).text != first
        await here.press_on("ann", back, "◀")
    assert private(back).text == first


async def test_deals_that_somebody_may_have_to_play_are_not_looked_at(daily: World) -> None:  # noqa: F811
    table = await day.play_out(daily, "ann")
    asked = await day.ask(daily, "ben")
    for verb in ("look_back", "look_back_page"):
        result = await daily.forge(daily.people["ben"], asked, f"bv:{verb}:{table.id}:0")
        assert private(result).text == "There is no such finished match here.", verb
