"""The rulebook: pages, search, lessons, and comparison of plays, for any options."""

from __future__ import annotations

from dataclasses import dataclass, replace

from discord import app_commands
from discord.app_commands import Choice, Group, locale_str
from discord.ext import commands

from bot.client import Bigger
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.interactions.answers import QUIETLY, WITH_FORM, Reply
from bot.interactions.dispatcher import Dispatcher
from bot.interactions.visit import Handler, Visit
from bot.rules.core.cards import Cards
from bot.rules.core.game import Rules
from bot.show.contests.lesson import HOW, NONE, lesson
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.forms import MAX_ANSWER_LENGTH
from bot.show.kit.layout import small
from bot.show.kit.phrases import examples
from bot.show.rulebook.articles import numbered
from bot.show.rulebook.comparison import compare, of_ranks, suits_matter
from bot.show.rulebook.pages import (
    ARTICLE,
    FIRST,
    HIGHER,
    SEARCH,
    SECOND,
    SECTION,
    TURN,
    WHY,
    WORDS,
    cited,
    found,
    higher_form,
    judged,
    opened,
    rules_page,
    search_form,
)
from bot.show.rulebook.ruleset import BookRules
from bot.show.table import paces
from bot.show.typed.cards import UnreadableCards, read, read_ranks
from bot.store.store import Store
from bot.table.registry import TableRegistry
from cogs.common.hand_replies import HandReplies
from cogs.common.table_lookup import Interaction
from cogs.play.actions import UNREADABLE
from cogs.rulebook.house_rules import offer_rules
from cogs.rulebook.ruleset_lookup import RulesetLookup, offer_tables_here

TYPED = app_commands.Range[str, 1, MAX_ANSWER_LENGTH]
SUITS_MATTER = N_("Which is higher depends on the suits here. Write them too, like {cards}.")


@dataclass(kw_only=True, eq=False, repr=False)
class RulebookCog(commands.Cog):
    """Shows rule pages, finds articles, compares plays."""

    learn = Group(name="learn", description=locale_str("Learn a game: its rules, and which play is higher"))

    hands: HandReplies
    rulesets: RulesetLookup
    store: Store
    dispatcher: Dispatcher
    tables: TableRegistry

    def __post_init__(self) -> None:
        self.dispatcher.register(Press, Verb.RULES, Handler(self.of_table))
        self.dispatcher.register(Browse, ARTICLE, Handler(self.open))
        self.dispatcher.register(Browse, HOW, Handler(self.teach, QUIETLY))
        self.dispatcher.register(Browse, WHY, Handler(self.cite, QUIETLY))
        for verb, work, mode in (
            (TURN, self.turn, QUIETLY),
            (SECTION, self.jump, QUIETLY),
            (SEARCH, self.ask_search, WITH_FORM),
            (HIGHER, self.ask_higher, WITH_FORM),
        ):
            self.dispatcher.register(Browse, verb, Handler(work, mode))
        self.dispatcher.register_form(SEARCH, self.searched)
        self.dispatcher.register_form(HIGHER, self.compared)

    # Commands

    @learn.command(name="rules", description=locale_str("Read the rules: those of the table here, or others"))
    @app_commands.rename(code="rules")
    @app_commands.choices(game=[Choice(name=locale_str(game.title), value=game.name) for game in GAMES.values()])
    @app_commands.describe(
        search=locale_str("Find articles by words in them, such as flush"),
        article=locale_str("Open at this article, such as 4.10"),
        preset=locale_str("Which version of the rules, or which house rules"),
        code=locale_str("A rule code, such as B2:hk+stake=5"),
        table=locale_str("The rules of this table"),
        game=locale_str("Which game"),
    )
    @app_commands.autocomplete(preset=offer_rules)
    @app_commands.autocomplete(table=offer_tables_here)
    async def rules(
        self,
        interaction: Interaction,
        *,
        search: TYPED = "",
        article: TYPED = "",
        preset: TYPED = "",
        code: str = "",
        table: int | None = None,
        game: str | None = None,
    ) -> None:
        """Open the rules, at an article or with search results if requested."""

        async def work(visit: Visit) -> Reply:
            w = visit.w
            rules = await self.rulesets.asked(visit, game=game, preset=preset, code=code, table=table)
            if search.strip():
                return Reply(view=found(rules, search, w))
            return Reply(view=opened(rules, article, w) if article.strip() else rules_page(rules, "", w))

        await self.dispatcher.reply(interaction, work)

    @learn.command(name="how", description=locale_str("Learn a game in a minute, with things to try"))
    @app_commands.choices(game=[Choice(name=locale_str(game.title), value=game.name) for game in GAMES.values()])
    @app_commands.describe(game=locale_str("Which game"))
    async def how(self, interaction: Interaction, game: str | None = None) -> None:
        """Open the lessons of a game, by the rules played here."""

        async def work(visit: Visit) -> Reply:
            rules = await self.rulesets.asked(visit, game=game, preset="", code="", table=None)
            await self._decline_offer(visit, rules)
            return Reply(view=lesson(rules, 0, None, visit.w))

        await self.dispatcher.reply(interaction, work)

    @learn.command(name="compare", description=locale_str("Which is higher? Compare two plays, with the article"))
    @app_commands.rename(code="rules")
    @app_commands.choices(game=[Choice(name=locale_str(game.title), value=game.name) for game in GAMES.values()])
    @app_commands.describe(
        first=locale_str("The cards of one play, such as 9s 7s 6s 5s 3s"),
        second=locale_str("The cards of the other play"),
        preset=locale_str("Which version of the rules, or which house rules"),
        code=locale_str("A rule code, such as B2:hk+stake=5"),
        table=locale_str("The rules of this table"),
        game=locale_str("Which game"),
    )
    @app_commands.autocomplete(preset=offer_rules)
    @app_commands.autocomplete(table=offer_tables_here)
    async def higher(
        self,
        interaction: Interaction,
        first: TYPED,
        second: TYPED,
        *,
        preset: TYPED = "",
        code: str = "",
        table: int | None = None,
        game: str | None = None,
    ) -> None:
        """Say which of two plays beats the other."""

        async def work(visit: Visit) -> Reply:
            rules = await self.rulesets.asked(visit, game=game, preset=preset, code=code, table=table)
            return self._compared(visit, rules, first, second)

        await self.dispatcher.reply(interaction, work)

    def _compared(self, visit: Visit, rules: BookRules, first: str, second: str) -> Reply:
        one, other = (_choices(typed, rules.rules) for typed in (first, second))
        if suits_matter(rules.rules, one, other):
            raise Refused(SUITS_MATTER, cards=examples(rules.rules))
        return Reply(view=judged(rules, compare(rules.rules, one[0], other[0], visit.w), visit.w))

    # Clicks

    async def of_table(self, click: Visit) -> Reply:
        """Open the rules of a table, with the meaning of its pace."""
        scene, w = click.table.scene(click.user), click.w
        notice = small(paces.meaning(scene.terms, w))
        return self.hands.show_screen(click, click.table, rules_page(BookRules.of_scene(scene), "", w, notice))

    async def open(self, click: Visit) -> Reply:
        """Open the rules at an article, in a message of its own."""
        rules, article = await self._meant(click)
        return Reply(view=opened(rules, article, click.w))

    async def cite(self, click: Visit) -> Reply:
        """Show only the article cited by a refusal, in place of the refusal."""
        rules, article = await self._meant(click)
        return Reply(view=cited(rules, numbered(article), click.w), at=click.own)

    async def turn(self, click: Visit) -> Reply:
        """Show the page of an article."""
        rules, article = await self._meant(click)
        view = rules_page(rules, numbered(article), click.w)
        return Reply(view=view, at=click.own)

    async def jump(self, click: Visit) -> Reply:
        """Show the page of the chosen article."""
        rules, _ = await self._meant(click)
        view = rules_page(rules, click.one(numbered), click.w)
        return Reply(view=view, at=click.own)

    async def teach(self, click: Visit) -> Reply:
        """Show a lesson, or the comment on the play chosen in the lesson."""
        game, key, number, chosen = click.browse.args
        rules, at = await self.rulesets.addressed(click, game, key), None if chosen == NONE else int(chosen)
        view = lesson(rules, max(int(number), 0), at, click.w, on_server=click.guild is not None)
        if int(number) == 0:
            await self._decline_offer(click, rules)
        if rules.table is None:
            return Reply(view=view, at=click.own)
        return replace(self.hands.show_screen(click, await self.tables.get(rules.table), view), at=click.own)

    async def _decline_offer(self, visit: Visit, rules: BookRules) -> None:
        """Remember on this server that the user needs no offer of this lesson."""
        if visit.guild is not None:
            await self.store.social.offer_lesson(visit.user, visit.guild, rules.game)

    async def ask_search(self, click: Visit) -> Reply:
        """Ask for words to search; without a query, as a form must be sent at once."""
        return Reply(form=search_form(click.browse.args, click.w))

    async def ask_higher(self, click: Visit) -> Reply:
        """Ask for two plays."""
        return Reply(form=higher_form(click.browse.args, click.w))

    async def _meant(self, click: Visit) -> tuple[BookRules, str]:
        """Return the rules of an address, and its article, "" without one."""
        game, key, *article = click.browse.args
        return await self.rulesets.addressed(click, game, key), "".join(article)

    # Forms

    async def searched(self, click: Visit) -> Reply:
        """Search for the typed words."""
        rules, _ = await self._meant(click)
        return Reply(view=found(rules, click.filled[WORDS], click.w), at=click.own)

    async def compared(self, click: Visit) -> Reply:
        """Compare the two typed plays."""
        rules, _ = await self._meant(click)
        answer = self._compared(click, rules, click.filled[FIRST], click.filled[SECOND])
        return replace(answer, at=click.own)


def _choices(typed: str, rules: Rules) -> list[Cards]:
    """Return the typed cards, or all combinations of cards with the typed ranks.

    Raises Refused for unreadable text.
    """
    try:
        return [read(typed, rules.pack)]
    except UnreadableCards as unreadable:
        no = Refused(UNREADABLE, rest=unreadable.rest, cards=examples(rules))
    try:
        choices = of_ranks(read_ranks(typed, rules.pack), rules.pack)
    except UnreadableCards:
        raise no from None
    if not choices:
        raise Refused(SUITS_MATTER, cards=examples(rules))
    return choices


async def setup(bot: Bigger) -> None:
    """Add the cog."""
    parts = bot.parts
    await bot.add_cog(
        RulebookCog(
            hands=HandReplies.of(parts),
            rulesets=RulesetLookup.of(parts),
            store=parts.store,
            dispatcher=parts.dispatcher,
            tables=parts.tables,
        )
    )
