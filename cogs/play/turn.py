"""Typed moves: cards, a pass, an answer, or a card to name, with autocompletion.

The question that the player is asked decides how the text is read; the rules decide whether the move is legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.domain.typed_text import readable
from bot.interactions.answers import Reply
from bot.interactions.autocompletion import MAX_CHOICE_LENGTH, choice, offering
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Visit
from bot.rules.core.asks import Action, Ask, Choose, NameAsk, Ready
from bot.rules.core.cards import Cards, Rank, missing_cards, without, write
from bot.rules.core.game import View
from bot.scene import Scene
from bot.show.kit.card_symbols import symbols
from bot.show.kit.words import Words
from bot.show.table import questions
from bot.show.typed.cards import UnreadableCards, read, read_ranks, suits_begin
from bot.show.typed.games import plain
from bot.show.typed.word_table import listed
from bot.table.table import Table
from bot.wiring import Parts
from cogs.common.table_lookup import Interaction, TableLookup, offer_tables
from cogs.play.actions import PlayerActions, action_with_cards, pass_or_decline, read_cards

PASS, READY = "pass", "ready"
STOPS = ".!。…"  # after a word, as some keyboards add them
NOT_HELD = N_("You don't have {typed}.")
WHICH_SUITS = N_("{typed} could be several plays. Write the suits too, or choose one as you type.")
NOT_OFFERED = N_("That isn't one of the possible answers. They appear as you type.")


async def _moves(parts: Parts, visit: Visit) -> Iterator[Choice[str]]:
    """Return the legal moves that match the typed text."""
    table = await TableLookup.of(parts).find(visit, visit.named_table)
    scene = table.scene(visit.user)
    return _offered(scene, readable(visit.typed), visit.w.for_scene(scene))


offer_moves = offering(_moves)


@dataclass(kw_only=True, eq=False, repr=False)
class TurnCog(commands.Cog):
    """The command for every kind of move."""

    lookup: TableLookup
    actions: PlayerActions
    dispatcher: Dispatcher

    @app_commands.command(name="turn", description=locale_str("Make my move: play cards, pass, answer, name a card"))
    @app_commands.describe(
        move=locale_str("Cards such as 3d 3c, pass, or an answer; your options appear as you type"),
        table=locale_str("Which of my tables"),
    )
    @app_commands.autocomplete(move=offer_moves)
    @app_commands.autocomplete(table=offer_tables)
    async def turn(self, interaction: Interaction, move: str, table: int | None = None) -> None:
        """Perform the typed move."""

        async def work(visit: Visit) -> Reply:
            own_table = await self.lookup.find(visit, table)
            action = _typed_action(own_table, visit.user, readable(move), visit.w)
            return await self.actions.act_typed(visit, own_table, action)

        await self.dispatcher.reply(interaction, work)


# Reading


def _typed_action(table: Table, user: UserId, typed: str, w: Words) -> Action:
    """Return the action of a typed move, by the question asked. Raises Refused if unreadable."""
    scene = table.scene(user)
    if (question := questions.asked(scene)) is not None:
        answer = questions.parse_answer(question, typed, w.for_scene(scene))
        if answer is not None:
            return Choose(answer.codes)
    wanted = plain(typed).rstrip(STOPS)
    if wanted in {PASS, plain(w("Pass")), *listed("pass")}:
        return pass_or_decline(scene)
    if scene.stage == "between" and wanted in {READY, plain(w("Ready"))}:
        return Ready()
    if question is not None:
        raise Refused(NOT_OFFERED)
    view = scene.view
    cards = () if not typed else _by_ranks(typed, view) if view else None
    return action_with_cards(
        read_cards(typed, scene.terms.rules) if cards is None else cards, view.ask if view else None
    )


def _by_ranks(typed: str, view: View) -> Cards | None:
    """Return the cards of a hand typed by their ranks alone; None for any other text.

    Raises Refused if the hand lacks the cards or if the suits make a difference.
    """
    if not (wanted := _ranks(typed, view.rules.pack)):
        return None
    held = tuple(card for card in view.hand if card.rank in wanted)
    there = Counter(card.rank for card in held)
    if wanted - there:
        raise Refused(NOT_HELD, typed=typed)
    plays = {
        write(play.cards): play.cards for play in view.plays if Counter(card.rank for card in play.cards) == wanted
    }
    choices = [held] if wanted == there else list(plays.values())
    if len(choices) != 1:
        raise Refused(WHICH_SUITS, typed=typed)
    return choices[0]


def _ranks(typed: str, known: Cards) -> Counter[Rank]:
    """Return how often each rank is typed; empty for any text other than ranks."""
    try:
        return Counter(read_ranks(typed, known))
    except UnreadableCards:
        return Counter()


# Offering


def _offered(scene: Scene, typed: str, w: Words) -> Iterator[Choice[str]]:
    """Yield the viewer's legal moves that match the typed text."""
    view, question = scene.view, questions.asked(scene)
    if scene.stage == "between":
        yield from _fitting(((w("Ready"), READY),), typed)
    elif question is not None:
        yield from _fitting(((questions.label(offered, w), offered.code) for offered in question.offered), typed)
    elif view is not None and view.ask is not None:
        if getattr(view.ask, "may_pass", False):
            yield from _fitting(((w("Pass"), PASS),), typed)
        yield from _with_cards(view, view.ask, typed, w)


def _with_cards(view: View, ask: Ask, typed: str, w: Words) -> Iterator[Choice[str]]:
    """Yield the plays, or the cards to name, that contain the cards typed so far."""
    (wanted, rest), ranks = _typed_so_far(typed, view.rules.pack), _ranks(typed, view.rules.pack)
    if isinstance(ask, NameAsk):
        named = ((card,) for card in ask.cards)
        yield from (choice(symbols(one), write(one)) for one in named if _fits(one, wanted, rest))
        return
    for play in view.plays:
        by_rank = bool(ranks) and not ranks - Counter(card.rank for card in play.cards)
        if (by_rank or _fits(play.cards, wanted, rest)) and len(written := write(play.cards)) <= MAX_CHOICE_LENGTH:
            yield choice(f"{symbols(play.cards)} ({w.name(play)})", written)


def _fitting(offered: Iterable[tuple[str, str]], typed: str) -> Iterator[Choice[str]]:
    wanted = typed.casefold()
    for name, value in offered:
        if wanted in name.casefold() or wanted == value:
            yield choice(name, value)


def _typed_so_far(current: str, known: Cards) -> tuple[Cards, str]:
    """Return the cards typed so far, and the rest of the text that is no card yet."""
    try:
        return (read(current, known) if current else ()), ""
    except UnreadableCards as unreadable:
        before = current.removesuffix(unreadable.rest).strip()
        return (read(before, known) if before else ()), unreadable.rest


def _fits(played: Cards, wanted: Cards, rest: str) -> bool:
    """Tell whether a play contains the wanted cards and a further card that matches the rest."""
    if missing_cards(played, wanted):
        return False
    left = without(played, wanted)
    return rest.casefold() in f"{write(left)} {symbols(left)}".casefold() or suits_begin(rest, left)


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        TurnCog(lookup=TableLookup.of(parts), actions=PlayerActions.of(parts), dispatcher=parts.dispatcher)
    )
