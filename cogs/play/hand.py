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
from bot.interactions.answers import QUIETLY, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.localization import Localization
from bot.members.preferences import PreferenceCache
from bot.rules.core.asks import Give, Play, Ready, Stop
from bot.show.hand import offered_plays
from bot.show.hand.card_buttons import at_places, in_suit, other, toggled
from bot.show.hand.hints import asked_for, hint
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
    delivery: TableDelivery

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
            own_table = await self.lookup.find(visit, table)
            self.delivery.clicked(own_table.id, visit.user)
            return await self.hands.hand(visit, own_table)

        await self.dispatcher.reply(interaction, work)

    async def _without_table(self, visit: Visit) -> Reply:
        """Return the lobbies with room here to a user without a table. Raises Refused without any."""
        if not (lobbies := await self.lobbies.here(visit)):
            raise Refused(NO_TABLE)
        return Reply(view=open_lobbies(lobbies, visit.w, text=visit.w(NO_SEAT_YET)))

    # Clicks

    async def open(self, click: PlayerClick) -> Reply:
        """Show the private hand in a new message."""
        return await self.hands.hand(click.visit, click.visit.table)

    async def refresh(self, click: PlayerClick) -> Reply:
        """Redraw the private hand in place."""
        click.picked_cards()
        return await click.redraw()

    async def play(self, click: PlayerClick) -> Reply:
        """Play the picked cards, by `PlayerClick.act` in `cogs/play/actions.py`."""
        return await click.act_when_sure(Play(click.picked_cards()))

    async def sure(self, click: PlayerClick) -> Reply:
        """Perform the action with the picked cards after confirmation."""
        view = click.scene.view
        return await click.act(action_with_cards(click.picked_cards(), view.ask if view else None))

    async def play_offered(self, click: PlayerClick) -> Reply:
        """Play the ready-made play of the clicked button."""
        view, place = click.scene.view, click.visit.button.part
        ready = offered_plays.ready(click.scene, view) if view and view.ask else []
        return await click.act_when_sure(Play(ready[place].cards)) if place < len(ready) else await click.too_late()

    async def why(self, click: PlayerClick) -> Reply:
        """Show the article by which the picked cards cannot be played, in place of the hand."""
        scene = click.scene
        choice = CardSelection(scene.view, asked=click.picked_cards(), by_suit=False) if scene.view else None
        if choice is None or not choice.cards or choice.refused is None:
            return await click.redraw()
        click.remember_picks()
        reason = because(BookRules.of_scene(scene), choice.refused, click.visit.w.for_scene(scene))
        return self.hands.show_screen(click.visit, click.visit.table, reason)

    async def pass_turn(self, click: PlayerClick) -> Reply:
        """Pass."""
        return await click.act(pass_or_decline(click.scene))

    async def ready(self, click: PlayerClick) -> Reply:
        """Declare the player ready for the next hand."""
        return await click.act(Ready())

    async def give(self, click: PlayerClick) -> Reply:
        """Give the picked cards away."""
        return await click.act_when_sure(Give(click.picked_cards()))

    async def ask_to_stop(self, click: PlayerClick) -> Reply:
        """Ask for confirmation of the end of the match."""
        own_seat(click.visit.table.row.chairs, click.visit.user)
        return self.hands.show_screen(click.visit, click.visit.table, stopping(click.scene, click.visit.w))

    async def stop(self, click: PlayerClick) -> Reply:
        """End the match after confirmation."""
        return await click.act(Stop())

    async def hint(self, click: PlayerClick) -> Reply:
        """Show a hint by a house player: the kind of play first, then the cards, then the reason."""
        w, scene = click.visit.w, click.scene
        try:
            advice = await click.visit.table.hints.hint(click.visit.user, click.visit.is_awaited)
        except Refused as refused:
            return await click.redraw(w(refused.sentence))
        if advice is None:
            click.picked_cards()
            return await click.redraw(w(ANSWERED) if questions.asked(scene) else w("It's not your turn."))
        degree = asked_for(click.visit.button, scene)
        return await click.hint(scene, hint(scene, advice.action, advice.why, degree, w=w.for_scene(scene)))

    async def settings(self, click: PlayerClick) -> Reply:
        """Show the display settings of the hand, in place of the hand."""
        visit = click.visit
        click.remember_picks()
        return self.hands.show_screen(visit, visit.table, settings(click.scene, visit.preferences, visit.w))

    async def change_preference(self, click: PlayerClick) -> Reply:
        """Change a display setting and show the result."""
        visit, verb = click.visit, click.visit.button.verb
        if verb is Verb.MIRROR and not click.scene.terms.server.mirror:
            raise Refused(NOT_DIRECTLY)
        like = PREFERENCE_BY_VERB[verb]
        wanted = like.wanted(visit.button, visit.preferences)
        locale = {"locale": str(visit.interaction.locale)} if verb is Verb.MIRROR else {}
        await self.preferences.change(visit.user, **{like.field: wanted}, **locale)
        visit.w = self.localization.words_in(str(visit.interaction.locale))
        await self.localization.apply_preferences(visit)
        return await self.settings(click)

    async def more(self, click: PlayerClick) -> Reply:
        """Show the menu of the hand, in place of the hand."""
        visit = click.visit
        own_seat(visit.table.row.chairs, visit.user)
        click.remember_picks()
        menu = hand_menu(click.scene, visit.w, chosen=click.picked_cards(), level=visit.preferences.level)
        return self.hands.show_tab(visit, visit.table, menu, tab=PanelTab.MENU)

    async def pick(self, click: PlayerClick) -> Reply:
        """Pick the selected cards, together with the cards of the other select menus."""
        button, view = click.visit.button, click.scene.view
        if view is None:
            return await click.too_late()
        if button.cards is not None:
            return await click.pick((*button.cards, *click.visit.all(valued)))
        shown = CardSelection.of(view, click.picked_cards(), click.visit.preferences)
        return await click.pick(click.visit.all(partial(repicked, shown, button.part)))

    async def tap(self, click: PlayerClick) -> Reply:
        """Pick the tapped card, or unpick it."""
        view, place, cards = click.scene.view, click.visit.button.part, click.picked_cards()
        if view is None or place >= len(view.rules.pack):
            return await click.too_late()
        shown = CardSelection(view, asked=cards, by_suit=False, tapped=self.delivery.picks.tapped(click.scene))
        if shown.naming:
            return await click.pick(other(shown, view.rules.pack[place]))
        now = toggled(shown, place)
        return await click.pick(at_places(view.rules.pack, now), tapped=now)

    async def look_at_suit(self, click: PlayerClick) -> Reply:
        """Pick the card to name in the tapped suit."""
        shown = CardSelection(click.scene.view, asked=click.picked_cards(), by_suit=False) if click.scene.view else None
        if shown is None or shown.naming is None:
            return await click.too_late()
        return await click.pick(in_suit(shown, shown.naming, click.visit.button.part))

    async def pick_play(self, click: PlayerClick) -> Reply:
        """Pick the cards of a listed legal play."""
        cards, view = click.visit.one(split), click.scene.view
        if view is None or Counter(cards) not in [Counter(play.cards) for play in plays_to_list(view)]:
            return await click.too_late()
        return await click.pick(cards)

    async def last(self, click: PlayerClick) -> Reply:
        """Show the last finished trick."""
        return self.hands.show_screen(click.visit, click.visit.table, last_trick(click.scene, click.visit.w))


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
            delivery=parts.delivery,
        )
    )
