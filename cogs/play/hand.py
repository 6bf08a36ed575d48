"""Clicks in the private hand: picking cards, playing, passing, hints, settings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.delivery.table_delivery import TableDelivery
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.interactions.answers import QUIETLY
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.replies import Reply
from bot.interactions.visit import Handler, Visit
from bot.localization import Localization
from bot.members.preferences import PreferenceCache
from bot.rules.core.asks import Give, Play, Ready, Stop
from bot.show.hand.card_buttons import at_places, in_suit, other, toggled
from bot.show.hand.hints import asked_for, hint
from bot.show.hand.offered_plays import MAX_OFFERS
from bot.show.hand.panel import PanelTab, hand_menu, plays_to_list
from bot.show.hand.selection import CardSelection, repicked
from bot.show.kit.card_codes import split, valued
from bot.show.kit.custom_ids import Press, Verb
from bot.show.people.card_preferences import PREFERENCE_BY_VERB, settings
from bot.show.rulebook.pages import because
from bot.show.rulebook.ruleset import BookRules
from bot.show.table import questions
from bot.show.table.notices import last_trick, stopping
from bot.show.table.outside import NO_SEAT_YET, open_lobbies
from bot.table.core.chairs import own_seat
from cogs.common.hand_replies import HandReplies
from cogs.common.open_lobbies import OpenLobbies
from cogs.common.table_lookup import NO_TABLE, Interaction, TableLookup, offer_tables
from cogs.play.actions import PlayerActions, PlayerClick, action_with_cards, pass_or_decline

ANSWERED = N_("You've already answered.")
NOT_DIRECTLY = N_("On this server, hands aren't sent by direct message.")


@dataclass(kw_only=True, eq=False, repr=False)
class HandCog(commands.Cog):
    """The private hand and its buttons."""

    hands: HandReplies
    lookup: TableLookup
    lobbies: OpenLobbies
    actions: PlayerActions
    dispatcher: Dispatcher
    preferences: PreferenceCache
    localization: Localization
    publisher: TableDelivery

    def __post_init__(self) -> None:
        for verb, work in (
            (Verb.REFRESH, self.refresh),
            (Verb.PLAY, self.play),
            (Verb.SURE, self.sure),
            (Verb.PASS, self.pass_turn),
            (Verb.HINT, self.hint),
            (Verb.GIVE, self.give),
            (Verb.STOP_NOW, self.stop),
            (Verb.OFFER, self.play_offered),
            (Verb.MORE, self.more),
            (Verb.WHY, self.why),
            (Verb.SETTINGS, self.settings),
            *((verb, self.change_preference) for verb in PREFERENCE_BY_VERB),
        ):
            self.dispatcher.register(Press, verb, Handler(self.actions.on_click(work), QUIETLY))
        for verb, work in (
            (Verb.PICK, self.pick),
            (Verb.CARD, self.tap),
            (Verb.SUIT, self.look_at_suit),
        ):
            self.dispatcher.register(
                Press, verb, Handler(self.actions.on_click(work), QUIETLY, (self.actions.question_guard(),))
            )
        for verb, work in ((Verb.READY, self.ready), (Verb.PLAYS, self.pick_play)):
            self.dispatcher.register(
                Press, verb, Handler(self.actions.on_click(work), QUIETLY, (self.actions.hand_guard(),))
            )
        for verb, work in (
            (Verb.HAND, self.open),
            (Verb.STOP, self.ask_to_stop),
            (Verb.LAST, self.last),
        ):
            self.dispatcher.register(Press, verb, Handler(self.actions.on_click(work)))

    # Commands

    @app_commands.command(name="hand", description=locale_str("Show my cards, only to me"))
    @app_commands.describe(table=locale_str("Which of my tables"))
    @app_commands.autocomplete(table=offer_tables)
    async def hand(self, interaction: Interaction, table: int | None = None) -> None:
        """Show the private hand."""

        async def work(visit: Visit) -> Reply:
            if table is None and not await self.lookup.tables_played(visit.user):
                return await self._without_table(visit)
            where = await self.lookup.find(visit, table)
            self.publisher.clicked(where.id, visit.user)
            return await self.hands.hand(visit, where)

        await self.dispatcher.reply(interaction, work)

    async def _without_table(self, visit: Visit) -> Reply:
        """Return the lobbies with room here to a user without a table. Raises Refused without any."""
        if not (found := await self.lobbies.here(visit)):
            raise Refused(NO_TABLE)
        return Reply(view=open_lobbies(found, visit.w, said=visit.w(NO_SEAT_YET)))

    # Clicks

    async def open(self, here: PlayerClick) -> Reply:
        """Show the private hand in a new message."""
        return await self.hands.hand(here.click, here.click.table)

    async def refresh(self, here: PlayerClick) -> Reply:
        """Redraw the private hand in place."""
        here.picked_cards()
        return await here.redraw()

    async def play(self, here: PlayerClick) -> Reply:
        """Play the picked cards."""
        return await here.act_when_sure(Play(here.picked_cards()))

    async def sure(self, here: PlayerClick) -> Reply:
        """Perform the action with the picked cards after confirmation."""
        view = here.scene.view
        return await here.act(action_with_cards(here.picked_cards(), view.ask if view else None))

    async def play_offered(self, here: PlayerClick) -> Reply:
        """Play the ready-made play of the clicked button."""
        view, place = here.scene.view, here.click.button.part
        ready = view.plays.ready(MAX_OFFERS) if view and view.ask else []
        return await here.act_when_sure(Play(ready[place].cards)) if place < len(ready) else await here.too_late()

    async def why(self, here: PlayerClick) -> Reply:
        """Show the article by which the picked cards cannot be played, in place of the hand."""
        scene = here.scene
        choice = CardSelection(scene.view, asked=here.picked_cards(), by_suit=False) if scene.view else None
        if choice is None or not choice.cards or choice.refused is None:
            return await here.redraw()
        here.remember_picks()
        said = because(BookRules.of_scene(scene), choice.refused, here.click.w.for_scene(scene))
        return self.hands.show_screen(here.click, here.click.table, said)

    async def pass_turn(self, here: PlayerClick) -> Reply:
        """Pass."""
        return await here.act(pass_or_decline(here.scene))

    async def ready(self, here: PlayerClick) -> Reply:
        """Declare the player ready for the next hand."""
        return await here.act(Ready())

    async def give(self, here: PlayerClick) -> Reply:
        """Give the picked cards away."""
        return await here.act_when_sure(Give(here.picked_cards()))

    async def ask_to_stop(self, here: PlayerClick) -> Reply:
        """Ask for confirmation of the end of the match."""
        own_seat(here.click.table.row.chairs, here.click.user)
        return self.hands.show_screen(here.click, here.click.table, stopping(here.scene, here.click.w))

    async def stop(self, here: PlayerClick) -> Reply:
        """End the match after confirmation."""
        return await here.act(Stop())

    async def hint(self, here: PlayerClick) -> Reply:
        """Show a hint by a house player: the kind of play first, then the cards, then the reason."""
        w, scene = here.click.w, here.scene
        try:
            advice = await here.click.table.hints.hint(here.click.user, here.click.is_awaited)
        except Refused as no:
            return await here.redraw(w(no.sentence))
        if advice is None:
            here.picked_cards()
            return await here.redraw(w(ANSWERED) if questions.asked(scene) else w("It's not your turn."))
        degree = asked_for(here.click.button, scene)
        return await here.hint(scene, hint(scene, advice.action, advice.why, degree, w=w.for_scene(scene)))

    async def settings(self, here: PlayerClick) -> Reply:
        """Show the display settings of the hand, in place of the hand."""
        click = here.click
        here.remember_picks()
        return self.hands.show_screen(click, click.table, settings(here.scene, click.preferences, click.w))

    async def change_preference(self, here: PlayerClick) -> Reply:
        """Change a display setting and show the result."""
        click, verb = here.click, here.click.button.verb
        if verb is Verb.MIRROR and not here.scene.terms.server.mirror:
            raise Refused(NOT_DIRECTLY)
        like = PREFERENCE_BY_VERB[verb]
        wanted = like.wanted(click.button, click.preferences)
        locale = {"locale": str(click.interaction.locale)} if verb is Verb.MIRROR else {}
        await self.preferences.change(click.user, **{like.field: wanted}, **locale)
        click.w = self.localization.locale(str(click.interaction.locale))
        await self.localization.apply_preferences(click)
        return await self.settings(here)

    async def more(self, here: PlayerClick) -> Reply:
        """Show the menu of the hand, in place of the hand."""
        click = here.click
        own_seat(click.table.row.chairs, click.user)
        here.remember_picks()
        menu = hand_menu(here.scene, click.w, chosen=here.picked_cards(), level=click.preferences.level)
        return self.hands.show_tab(click, click.table, menu, tab=PanelTab.MENU)

    async def pick(self, here: PlayerClick) -> Reply:
        """Pick the selected cards, together with the cards of the other select menus."""
        button, view = here.click.button, here.scene.view
        if view is None:
            return await here.too_late()
        if button.cards is not None:
            return await here.pick((*button.cards, *here.click.all(valued)))
        shown = CardSelection.of(view, here.picked_cards(), here.click.preferences)
        return await here.pick(here.click.all(partial(repicked, shown, button.part)))

    async def tap(self, here: PlayerClick) -> Reply:
        """Pick the tapped card, or unpick it."""
        view, place, cards = here.scene.view, here.click.button.part, here.picked_cards()
        if view is None or place >= len(view.rules.pack):
            return await here.too_late()
        shown = CardSelection(view, asked=cards, by_suit=False, tapped=self.publisher.picks.tapped(here.scene))
        if shown.naming:
            return await here.pick(other(shown, view.rules.pack[place]))
        now = toggled(shown, place)
        return await here.pick(at_places(view.rules.pack, now), tapped=now)

    async def look_at_suit(self, here: PlayerClick) -> Reply:
        """Pick the card to name in the tapped suit."""
        shown = CardSelection(here.scene.view, asked=here.picked_cards(), by_suit=False) if here.scene.view else None
        if shown is None or shown.naming is None:
            return await here.too_late()
        return await here.pick(in_suit(shown, shown.naming, here.click.button.part))

    async def pick_play(self, here: PlayerClick) -> Reply:
        """Pick the cards of a listed legal play."""
        cards, view = here.click.one(split), here.scene.view
        if view is None or Counter(cards) not in [Counter(play.cards) for play in plays_to_list(view)]:
            return await here.too_late()
        return await here.pick(cards)

    async def last(self, here: PlayerClick) -> Reply:
        """Show the last finished trick."""
        return self.hands.show_screen(here.click, here.click.table, last_trick(here.scene, here.click.w))


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        HandCog(
            hands=HandReplies.of(parts),
            lookup=TableLookup.of(parts),
            lobbies=OpenLobbies.of(parts),
            actions=PlayerActions.of(parts),
            dispatcher=parts.dispatcher,
            preferences=parts.preferences,
            localization=parts.localization,
            publisher=parts.publisher,
        )
    )
