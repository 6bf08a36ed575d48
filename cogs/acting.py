"""What somebody wants done at their table, typed or clicked, and what they get to read then.

Knows how cards are typed and where an answer goes. Refuses to know what is played.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.client import Bigger
from bot.door.reply import DONE, Reply
from bot.door.visit import Visit
from bot.ground.habits import Habits
from bot.ground.refused import Refused, TooLate
from bot.rules.actions import Action, Choose, Pass
from bot.rules.asks import ChooseAsk, NameAsk
from bot.rules.cards import Cards, Unreadable, pack, read
from bot.rules.game import Deals
from bot.rules.sentences import Illegal
from bot.scene.scene import Scene
from bot.show import asking
from bot.show.ids import Verb
from bot.show.old_ids import DECIDING, NEVER
from bot.show.phrases import examples, refusal
from bot.show.picking import Choice
from bot.show.words import Said, Words
from bot.table.table import Table
from cogs.here import Interaction, hand_reply

PATIENCE = 0.5  # seconds that an answer waits for house players, so that it shows one's next turn at once
NOT_ASKED = "Nothing of the kind is asked of you now."
NAME_IT = "You are asked to name a card. Pick it in your hand, or type it with /turn."
NAME_ONE = "Name one card, not {count}."
UNREADABLE = "I cannot read {rest} as a card. Write cards like {cards}."


async def act_typed(
    bot: Bigger, interaction: Interaction, table: Table, action: Action,
    told: Callable[[Scene, Words], Said] | None = None,
) -> Reply:  # fmt: skip
    """Do what somebody typed; show them their hand then, or why it cannot be done.

    told: says what was done, where the hand does not show it.
    """
    user = interaction.user.id
    bot.telling.clicked(table.id, user)
    try:
        await table.act(user, action)
    except Illegal as illegal:
        return Reply(text=refusal(illegal, bot.private_words(interaction).at(table.scene(user))))
    bot.telling.picks.forget(table.id, user)
    said = told(table.scene(user), bot.private_words(interaction)) if told else None
    if said and table.stage in ("over", "closed"):
        return Reply(text=said)
    return await hand_reply(bot, interaction, table, notice=said)


async def seen(bot: Bigger, click: Visit) -> Scene:
    """Return the table that was clicked for as whoever clicked sees it."""
    return (await bot.tables.get(click.button.table)).scene(click.interaction.user.id)


async def again(bot: Bigger, click: Visit, notice: str | None = None) -> Reply:
    """Draw the hand of the person who clicked again, with what they have picked."""
    table = await bot.tables.get(click.button.table)
    return await hand_reply(bot, click.interaction, table, notice=notice, at=click.own)


async def late(bot: Bigger, click: Visit) -> Reply:
    """Show the hand to somebody whose click came too late."""
    return await again(bot, click, bot.private_words(click.interaction)(TooLate().sentence))


async def picked(bot: Bigger, click: Visit) -> Cards:
    """Return what is picked on the screen that was clicked on; addresses of earlier releases say it themselves."""
    scene, message = await seen(bot, click), click.interaction.message
    if click.button.cards is not None:
        bot.telling.picks.remember(scene, click.button.cards, message)
    cards = bot.telling.picks.of(scene, message)
    choice = Choice.of(scene.view, cards, Habits()) if scene.view else None
    return choice.cards if choice and not choice.naming else cards


async def pick(bot: Bigger, click: Visit, cards: Cards, notice: str | None = None) -> Reply:
    """Show the hand with these cards picked."""
    bot.telling.picks.remember(await seen(bot, click), cards, click.interaction.message)
    return await again(bot, click, notice)


async def act_now(bot: Bigger, click: Visit, action: Action) -> Reply:
    """Do what a button stands for, if nothing has happened since; between two hands nobody is too late for anything."""
    made_for = click.button.at if click.button.verb in (*DECIDING, Verb.STOP_NOW) else None
    return await act_at(bot, click, action, NEVER if made_for is None else made_for)


async def act_at(bot: Bigger, click: Visit, action: Action, moment: int | None) -> Reply:
    """Act for the person who clicked; in their hand say what came of it, on the board let the board say it."""
    user = click.interaction.user.id
    table = await bot.tables.get(click.button.table)
    w = bot.private_words(click.interaction)
    try:
        await table.act(user, action, moment)
    except (Illegal, Refused) as no:
        said = refusal(no, w.at(table.scene(user))) if isinstance(no, Illegal) else w(no.sentence, **no.values)
        shown = click.own is not None or isinstance(no, TooLate)
        return await again(bot, click, said) if shown else Reply(text=said)
    bot.telling.picks.forget(table.id, user)
    if click.own is None:
        return DONE
    await table.at_rest(PATIENCE)
    return await again(bot, click)


def asked(scene: Scene) -> ChooseAsk:
    """Return what the viewer is asked in words. Raises Refused where it is nothing."""
    ask = asking.asked(scene)
    if ask is None:
        raise Refused(NAME_IT if scene.view and isinstance(scene.view.ask, NameAsk) else NOT_ASKED)
    return ask


def declined(table: Table, user: int) -> Action:
    """Return what somebody wants who passes: where they are asked in words, to answer that they want nothing."""
    ask = asking.asked(table.scene(user))
    return Choose((ask.answers[0].code,)) if ask else Pass()


def read_cards(typed: str, rules: Deals) -> Cards:
    """Return the cards somebody typed; a card of a French pack is one even where it is left out. Raises Refused."""
    french = set(rules.pack) <= set(pack())
    try:
        return read(typed, pack() if french else rules.pack)
    except Unreadable as unreadable:
        raise Refused(UNREADABLE, rest=unreadable.rest, cards=examples(rules)) from None
