"""Scenes of tables at many moments of real matches.

Also checks of Discord's limits on messages.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, TypeAlias, TypeVar, overload

import discord
from discord import ui

from bot.domain.chairs import Chair
from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.domain.languages import LANGUAGES
from bot.domain.pace import LIVE
from bot.domain.server_settings import ServerSettings
from bot.games import GAMES
from bot.rules.big_two import BigTwo, Options
from bot.rules.big_two.hands import laid_out
from bot.rules.big_two.state import Dealt
from bot.rules.core.asks import Action, Pass, Play, PlayAsk, Ready
from bot.rules.core.cards import Card, card, cards, every_card
from bot.rules.core.game import Rules
from bot.rules.matches.match import Match
from bot.scene import PublicScene, Scene, Stage, TableLocation, Tally, Terms, Wait
from bot.show.kit.card_symbols import Faces, symbol
from bot.show.kit.layout import TEXT_LIMIT, PrivateScreen
from bot.show.kit.words import Words, words
from bot.table.core.chairs import HOUSE_NAMES
from bot.table.sight import asked_for
from tests.support.languages import CODES, Kind, is_cut, is_pseudo, pseudo, untranslated

Screen: TypeAlias = ui.LayoutView | PrivateScreen
S = TypeVar("S", bound=Scene)

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
NAMES = ("Ann", "Ben_*the*_`Great`", "陈小姐", "House Dora")
GUILD, HOME = GuildId(1_100_000_000_000_000_001), ChannelId(1_100_000_000_000_000_002)
MESSAGE = MessageId(1_100_000_000_000_000_003)
EMOJI = Faces(
    emoji={
        str(card): (f"bg1_{str(card).lower()}", 1_200_000_000_000_000_000 + at) for at, card in enumerate(every_card())
    },
    lifted={str(card): (f"bg1_{str(card).lower()}_up", 13 * 10**17 + at) for at, card in enumerate(every_card())},
)


# What has a name of its own on the screens that tests draw: people, servers, tables, words that a player typed.
PROPER_NAMES = (
    *(
        "Ann",
        "Ben",
        "the",
        "th",
        "Great",
        "House",
        *HOUSE_NAMES,
        "House Dora",
        "Player",
        "Zoe",
        "ann",
        "Here",
        "Home",
        "server",
    ),
    *(language.name for language in LANGUAGES),
    *("Big Two, table 3", "Some notice", "no such words", "gg"),
)


def person(seat: int) -> UserId:
    """Return the user id of the person on a seat."""
    return UserId(900 + seat)


CHAIRS = tuple(
    Chair(seat, None if seat == 3 else person(seat), name, house=seat == 3) for seat, name in enumerate(NAMES)
)


def persons_on_seats(match: Match) -> tuple[Chair, ...]:
    """Return chairs with a person on each seat of a match."""
    return tuple(Chair(seat, person(seat), f"Player{seat}") for seat in range(match.rules.players))


@dataclass(frozen=True)
class NineHands(BigTwo):
    """A game for nine players, with the longest lobby."""

    players: ClassVar[int] = 9


def words_of_every_language() -> list[Words]:
    """Return the words of every language, with and without emoji, and of the pseudo-language."""
    return [*(words(locale, faces) for locale in CODES for faces in (Faces(), EMOJI)), pseudo()]


def lobby(rules: Rules, chairs: tuple[Chair, ...], **changes: Any) -> PublicScene:
    """Return the scene of a lobby."""
    terms = Terms(
        host=person(0),
        game=rules.game,
        preset=next(iter(GAMES[rules.game].presets)),
        changes=changes,
        rules=rules,
        pace=replace(LIVE, on_timeout="house"),  # as a new table has it
        move=timedelta(minutes=2),
        server=ServerSettings(stakes=True),
    )
    wait = Wait(deadline=NOW + timedelta(minutes=30))
    where = TableLocation(table=TableId(7), number=3, guild=GUILD, home=HOME, message=MESSAGE)
    return PublicScene(
        where=where,
        terms=terms,
        wait=wait,
        tally=Tally(),
        stage="lobby",
        moment=0,
        chairs=chairs,
        viewer=None,
        seat=None,
    )


def scene_for_seat(seat: int, scene: Scene) -> Scene:
    """Return a scene from the perspective of a seat."""
    parts = {field.name: getattr(scene, field.name) for field in fields(scene)}
    return Scene(**parts | {"viewer": person(seat), "seat": seat})


def with_changes(scene: S, **changes: Any) -> S:
    """Return a scene with a change in one of its parts."""
    mine, parts = {field.name for field in fields(scene)}, (scene.where, scene.terms, scene.wait, scene.tally)
    ours = [{field.name for field in fields(part)} & changes.keys() for part in parts]
    assert changes.keys() <= mine.union(*ours)
    where, terms, wait, tally = [{name: changes.pop(name) for name in of} for of in ours]
    return replace(
        scene,
        where=replace(scene.where, **where),
        terms=replace(scene.terms, **terms),
        wait=replace(scene.wait, **wait),
        tally=replace(scene.tally, **tally),
        **changes,
    )


@overload
def scene(
    match: Match, moment: int = 0, seat: None = None, stage: Stage | None = None, chairs: tuple[Chair, ...] = CHAIRS
) -> PublicScene: ...


@overload
def scene(
    match: Match, moment: int, seat: int | None, stage: Stage | None = None, chairs: tuple[Chair, ...] = CHAIRS
) -> Scene: ...


def scene(
    match: Match,
    moment: int = 0,
    seat: int | None = None,
    stage: Stage | None = None,
    chairs: tuple[Chair, ...] = CHAIRS,
) -> Scene:
    """Return the scene of a match from the perspective of a seat, or (None) the public."""
    between: Stage = "over" if match.over else "between" if match.game.result else "playing"
    empty = lobby(match.rules, chairs)
    return with_changes(
        empty if seat is None else scene_for_seat(seat, empty),
        stage=stage or between,
        moment=moment,
        awaited=match.awaited,
        asked=asked_for(match, match.view(None)),
        view=match.view(seat),
        hand=match.number,
        deal=match.deal,
        totals=match.totals,
        nets=match.nets,
        places=match.places,
        course=match.score.course,
        payments=match.payments,
        seal=match.seal,
        feats=match.feats,
    )


def matches(seed: str = "shown", deals: int = 2) -> Iterator[tuple[Match, tuple[tuple[int, Action], ...]]]:
    """Yield every position of a match of random legal play, with the steps that led to it."""
    rng = random.Random(seed)
    match = Match.start(BigTwo(Options(match_end="deals", deals=deals)), seed)
    steps: tuple[tuple[int, Action], ...] = ()
    yield match, steps
    while not match.over:
        seat = min(match.to_act)
        action = _any_action(match, seat, rng)
        match, steps = match.act(seat, action), (*steps, (seat, action))
        yield match, steps


def _any_action(match: Match, seat: int, rng: random.Random) -> Action:
    if match.game.result:
        return Ready()
    view = match.view(seat)
    plays = list(view.plays)
    if not plays or (isinstance(view.ask, PlayAsk) and view.ask.may_pass and rng.random() < 0.3):
        return Pass()
    return Play(rng.choice(plays).cards)


def drawn_view(screen: Screen) -> ui.LayoutView:
    """Return a screen in sent form, private or public."""
    return screen.secret if isinstance(screen, PrivateScreen) else screen


def texts(view: Screen) -> str:
    """Return the readable texts of a screen: texts, labels, options."""
    found: list[str] = []
    for item in drawn_view(view).walk_children():
        match item:
            case ui.TextDisplay():
                found.append(item.content)
            case ui.Button():
                found.append(item.label or "")
            case ui.Select():
                found += [item.placeholder or "", *(f"{each.label} {each.description}" for each in item.options)]
    return "\n".join(found)


def custom_ids(view: Screen) -> list[str]:
    """Return the custom ids of all components of a screen."""
    return [
        item.custom_id
        for item in drawn_view(view).walk_children()
        if isinstance(item, ui.Button | ui.Select) and item.custom_id
    ]


def check_limits(screen: Screen) -> None:
    """Fail if Discord's documented limits refuse the message."""
    view = drawn_view(screen)
    items = list(view.walk_children())
    _check_language(view)
    assert view.is_finished(), "discord.py would keep this view"
    assert view.timeout is None
    assert len(items) <= 40
    assert view.content_length() <= TEXT_LIMIT
    ids = custom_ids(view)
    assert len(ids) == len(set(ids)), ids
    assert all(1 <= len(each) <= 100 for each in ids)
    for item in items:
        _check_item(item)
    assert view.to_components()  # type: ignore[no-untyped-call]  # so it is in discord.py


def _check_language(view: ui.LayoutView) -> None:
    """Fail if a screen in the pseudo-language shows untranslated or truncated text."""
    if is_pseudo(texts(view)):
        for kind, line in readable_lines(view):
            assert not untranslated(kind, line, PROPER_NAMES), line
            assert not is_cut(kind, line), line


def readable_lines(view: ui.LayoutView) -> Iterator[tuple[Kind, str]]:
    """Yield each readable line with its kind."""
    for item in view.walk_children():
        match item:
            case ui.TextDisplay():
                yield from ((Kind.TEXT, line) for line in item.content.splitlines())
            case ui.Button():
                yield Kind.BUTTON, item.label or ""
            case ui.Select():
                yield Kind.PLACEHOLDER, item.placeholder or ""
                for each in item.options:
                    yield from ((Kind.OPTION, each.label), (Kind.DESCRIPTION, each.description or ""))


def _check_item(item: ui.Item[Any]) -> None:
    match item:
        case ui.TextDisplay():
            assert item.content.strip()
            assert "{" not in item.content, item.content
        case ui.Container():
            assert item.children
            assert not any(isinstance(child, ui.Button | ui.Select | ui.Container) for child in item.children)
        case ui.ActionRow():
            _check_row(item)
        case ui.Button():
            assert item.label or item.emoji
            assert len(item.label or "") <= 80
            assert (item.url is None) != (item.custom_id is None)
        case ui.Select():
            _check_select(item)


def _check_row(row: ui.ActionRow[Any]) -> None:
    assert 1 <= len(row.children) <= 5
    assert len(row.children) == 1 or all(isinstance(child, ui.Button) for child in row.children)


def _check_select(select: ui.Select[Any]) -> None:
    assert 1 <= len(select.options) <= 25
    assert 0 <= select.min_values <= select.max_values <= len(select.options)
    assert len(select.placeholder or "") <= 150
    assert len({each.value for each in select.options}) == len(select.options)
    assert sum(each.default for each in select.options) <= select.max_values
    for each in select.options:
        assert 1 <= len(each.label) <= 100
        assert 1 <= len(each.value) <= 100
        assert each.description is None or 1 <= len(each.description) <= 100


def buttons(view: Screen) -> dict[str, discord.ui.Button[Any]]:
    """Return the buttons of a screen about a table by their verb."""
    found = [item for item in drawn_view(view).walk_children() if isinstance(item, ui.Button) and item.custom_id]
    return {str(item.custom_id).split(":")[2]: item for item in found if str(item.custom_id).startswith("bg:")}


def selects(view: Screen) -> list[ui.Select[Any]]:
    """Return the selects of a screen, from top to bottom."""
    return [item for item in drawn_view(view).walk_children() if isinstance(item, ui.Select)]


POSITIONS = list(matches())
EN = words("en-US")
RULES = BigTwo(Options(match_end="deals", deals=1, stake=1))
HANDS = (
    cards("3d 3c 4d 4c 5d 6d 8d 9h Th Jh Qh Kh 2s"),
    cards("3h 4h 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2c"),
    cards("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2h"),
    cards("5h 6h 7h 7d 8h 9d Td Jd Qd Kd Ad Ah 2d"),
)


def match_after(*actions: str) -> Match:
    """Return the match of HANDS after these plays, "-" for a pass; seat 0 begins."""
    match = Match(RULES, seed="seed", game=laid_out(RULES, Dealt(3, cut=card("7h")), HANDS))
    for each in actions:
        match = match.act(min(match.to_act), Pass() if each == "-" else Play(cards(each)))
    return match


def is_mentioned(text: str, card: Card) -> bool:
    """Whether a text shows a card, as symbol, emoji or code."""
    name, number = EMOJI.emoji[str(card)]
    written = symbol(card)
    return any(each in text for each in (f"`{written}`", f"<:{name}:{number}>", f" {written} ", f"\n{written}\n"))


def public_cards(match: Match) -> set[Card]:
    """The public cards: played, cut, and after the hand the remaining ones."""
    view = match.view(None)
    played = {
        card for trick in (*view.tricks, view.trick) for move in trick.moves if move.combo for card in move.combo.cards
    }
    left = {card for held in (view.result.left if view.result else ()) for card in held}
    return played | left | {dict(view.facts)["cut"]} | ({view.must} if view.must else set())
