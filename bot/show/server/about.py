"""Help, the bot and its operator, the privacy policy and the terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from discord import ui

from bot.domain.languages import ENGLISH
from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.paths import ROOT
from bot.rules.variants.registration import RegisteredGame
from bot.show.contests.lesson import begin
from bot.show.contests.practice import lesson_button
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PrivateScreen, Row, button, line, lines, private, row, small
from bot.show.kit.words import MessageText, Words
from bot.show.rulebook.pages import INTRODUCTION, TURN
from bot.show.rulebook.ruleset import PLAIN, BookRules

HELP, GAME, TOPIC = "help", "help_game", "help_topic"  # the verbs: the first screen; a game; a question
CARD, STUCK = "card", "stuck"  # the topics
QUESTIONS: Final = {CARD: N_("How do I play a card?"), STUCK: N_("My table is stuck")}
BEGINNING: Final = (
    N_("Type /deal in a channel. Friends press Join; Play now fills the table with bots and starts."),
    N_("My hand shows your cards, to you alone. Pick some and press Play, or pass."),
    N_("The table shows whose turn it is. If you have to go, a bot takes over."),
    N_("/desk shows what's waiting for you, on every server. /learn has the rules."),
)
ANSWERS: Final = {
    CARD: (
        N_("Press **My hand** under the table. Your cards open, and only you can see them."),
        N_("Tap your cards, then the green button to play them. Plays that work are ready below, one tap each."),
        N_(
            "When you're alone with bots, **Hint** helps. If a play isn't allowed, **Why?** shows the "
            "rule, and nothing is lost."
        ),
        N_("You can also type: `/turn` and then 3d 3c, or pass. Your options appear as you type."),
    ),
    STUCK: (
        N_(
            "The table shows who's up and how long they have. If someone runs out of time, the game "
            "goes on without them."
        ),
        N_("`/hand` opens your current cards, whatever an old screen says."),
        N_("`/desk` shows all your tables and which ones are waiting for you."),
        N_("Someone left? A bot plays for them. You can leave too: `/table leave`."),
        N_("Still stuck? Ask a moderator of this channel or the operator of this bot: `/bigger about`."),
    ),
}


def help_page(w: Words) -> PrivateScreen:
    """Return the first help screen."""
    games = [button(w(game.title), Browse.to(GAME, game.name)) for game in GAMES.values()]
    return private(
        Accent.BOOK,
        "## " + w("Card games for your friends: each play must be bigger than the last"),
        "\n".join(f"{number}. {w(step)}" for number, step in enumerate(BEGINNING, 1)),
        line(),
        w("**How do you play?** In short:"),
        *_rows(games),
        row(*(button(w(asked), Browse.to(TOPIC, key)) for key, asked in QUESTIONS.items())),
    )


def _rows(buttons: Sequence[ui.Button[Any]]) -> list[Row | None]:
    return [row(*buttons[at : at + 5]) for at in range(0, len(buttons), 5)]


def short_rules(game: RegisteredGame, w: Words) -> PrivateScreen:
    """Return a short introduction to a game, with the button to its full rules."""
    everything = Browse.to(TURN, game.name, PLAIN, INTRODUCTION)
    return private(
        Accent.BOOK,
        lines("## " + w(game.title), small(w(game.blurb))),
        "\n".join(f"- {w(sentence)}" for sentence in game.sheet.short),
        row(
            _back(w),
            lesson_button(game.name, w),
            begin(BookRules(game, next(iter(game.presets))), w),
            button(w("All the rules"), everything),
        ),
    )


def answer(topic: str, w: Words) -> PrivateScreen:
    """Return the answer to a question. Raises KeyError for a question that no longer exists."""
    sentence = "\n".join(f"{number}. {w(step)}" for number, step in enumerate(ANSWERS[topic], 1))
    return private(Accent.BOOK, "## " + w(QUESTIONS[topic]), sentence, row(_back(w)))


def _back(w: Words) -> ui.Button[Any]:
    return button(w("Back"), Browse.to(HELP))


@dataclass(frozen=True, slots=True)
class BotStatus:
    """The bot in operation. since: the start; tables: the number of open tables."""

    version: str
    since: datetime
    servers: int
    tables: int


def about(running: BotStatus, by: Operator, w: Words) -> PrivateScreen:
    """Return the about screen: the operator, the bot in operation, and the policies."""
    return private(
        Accent.BOOK,
        "## " + w("Bigger, version {version}", version=MessageText(running.version)),
        lines(
            w("Started {when}", when=running.since),
            w.n("On {n} server", "On {n} servers", running.servers),
            w.n("{n} open table", "{n} open tables", running.tables),
        ),
        lines(
            w("Run by {operator}", operator=by.name) if by.name else None,
            w("Contact: {contact}", contact=MessageText(by.contact)) if by.contact else None,
        ),
        row(*policy_buttons(w, by), button(w("Source"), by.source) if by.source else None),
    )


POLICY = "policy"  # the verb: show this policy
Policy: TypeAlias = Literal["PRIVACY", "TERMS"]
PRIVACY: Policy = "PRIVACY"
TERMS: Policy = "TERMS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """The operator's name, contact and web pages; each may be empty."""

    name: str = ""
    contact: str = ""
    privacy: str = ""
    terms: str = ""
    source: str = ""


def policy(which: Policy, operator: Operator, w: Words) -> PrivateScreen:
    """Return one of the two policies, with a link to its web page."""
    link = operator.privacy if which == PRIVACY else operator.terms
    return private(
        Accent.BOOK,
        filled(which, w.locale, operator, w),
        row(button(w("Read it on the web"), link) if link else None),
    )


def filled(which: Policy, locale: str, operator: Operator, w: Words) -> str:
    """Return the text of a policy with the operator's name."""
    nobody = w("the person who invited it to this server")
    told = text(which, locale).replace("{operator}", operator.name or nobody)
    return told.replace("{contact}", operator.contact or nobody)


@cache
def text(which: Policy, locale: str) -> str:
    """Return the text of a policy in a language, in English without a translation."""
    translated = ROOT / "data" / "policies" / f"{which}.{locale}.md"
    path = ROOT / f"{which}.md" if locale == ENGLISH.code or not translated.is_file() else translated
    return path.read_text("utf-8").strip()


def policy_buttons(w: Words, operator: Operator | None = None) -> tuple[ui.Button[Any], ui.Button[Any]]:
    """Return the buttons that open the two policies.

    operator: opens the operator's web pages instead, if any.
    """
    there = operator or Operator()
    return (
        button(w("Privacy"), there.privacy or Browse.to(POLICY, PRIVACY)),
        button(w("Terms"), there.terms or Browse.to(POLICY, TERMS)),
    )
