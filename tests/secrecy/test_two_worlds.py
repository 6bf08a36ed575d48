"""Whatever a viewer may not know could be otherwise.

For two indistinguishable worlds all of a viewer's screens are equal, in every game.

It finds leaks invisible to a search for cards: a bare number, an order, a count, a choice that is not offered.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.ai.plain import plain_action
from bot.domain.preferences import Preferences
from bot.rules.a_bao.play import ABaoGame
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import Action, Choose, Give, Name, Pass, Play, Ready
from bot.rules.core.game import View
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.show.hand.hand import hand
from bot.show.hand.panel import hand_menu
from bot.show.kit.words import words
from bot.show.pictures import podium
from bot.show.pictures import table as table_picture
from bot.show.pictures.podium import EndingDrawing
from bot.show.pictures.table import TableDrawing
from bot.show.table.board import board
from bot.show.table.notices import last_trick
from bot.show.table.table_picture import picture
from bot.table.table import Table
from tests.laws.matches import PRESETS, positions
from tests.secrecy.two_worlds import any_record, imagined, outcome, table, user
from tests.support import scenes

LOCALES = ("en-US", "zh-CN")
PAINTED = 2  # pictures of each preset
PAINTERS: dict[type, Any] = {TableDrawing: table_picture.draw.__wrapped__, EndingDrawing: podium.draw.__wrapped__}
DRAWN = 0.1  # of all scenes that are drawn as well, which takes longer
MATCHES, MOMENTS = 4, 12  # for each preset; of each match

every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)


def moments(name: str, preset: str, rng: random.Random) -> Iterator[tuple[Record, Match, int | None, Match]]:
    """Yield moments of some matches, each with a viewer and a match that is the same to them."""
    for _ in range(MATCHES):
        record = any_record(name, preset, rng)
        found = list(positions(record.begin(), rng, hands=2))
        for match in rng.sample(found, min(MOMENTS, len(found))):
            for viewer in (None, rng.randrange(match.rules.players), *sorted(match.awaited)[:1]):
                yield record, match, viewer, imagined(match, viewer, rng)


@pytest.mark.rotates(3)
@every_preset
def test_screens_are_the_same_in_every_deal_a_viewer_considers_possible(name: str, preset: str) -> None:
    """Screens, pictures and refusals at the same moments."""
    found = Counter[str]()
    luck = {what: random.Random(f"{what} {preset}") for what in ("moments", "screens", "refusals")}
    for record, match, viewer, other in moments(name, preset, luck["moments"]):
        here, there = (table(record, each) for each in (match, other))
        found["otherwise"] += (otherwise := match.game != other.game)
        assert here.scene(user(viewer)) == there.scene(user(viewer))
        if luck["screens"].random() < DRAWN:
            assert drawn(here, viewer) == drawn(there, viewer)
            found["drawn"] += 1
        found["painted"] += the_picture_is_the_same(here, there, paint=otherwise and found["painted"] < PAINTED)
        for action in [] if viewer is None else attempts(match, viewer, luck["refusals"]):
            refused = outcome(match, viewer or 0, action)
            assert refused == outcome(other, viewer or 0, action)
            found["refused"] += refused is not None
    assert found["otherwise"] > MOMENTS, found
    assert found["drawn"] > 3, found
    assert found["painted"] == PAINTED
    assert found["refused"] > 100, found


def the_picture_is_the_same(here: Table, there: Table, *, paint: bool) -> bool:
    """Fail if the pictures of two tables differ.

    Return whether they were painted, if requested.
    """
    one, other = (picture(each.scene(None), words("en-US")) for each in (here, there))
    assert one == other
    if not paint or one is None or other is None:
        return False
    assert PAINTERS[type(one.drawing)](one.drawing) == PAINTERS[type(other.drawing)](other.drawing)
    return True


def drawn(at: Table, viewer: int | None) -> list[Any]:
    """Return all that a player can be shown of a table, with a hint and with cards chosen."""
    public, scene = at.scene(None), at.scene(user(viewer))
    hint = plain_action(scene.view) if scene.view and scene.view.ask else None
    shown: list[Any] = [hint]
    for locale in LOCALES:
        w = words(locale)
        shown += [sent(board(public, w)), sent(last_trick(scene, w)) if scene.view else None]
        if scene.seat is not None and scene.view is not None:
            some = scene.view.hand[:2]
            shown += [sent(hand(scene, w, where="Here", chosen=each)) for each in ((), some[:1], some)]
            shown += (
                [sent(hand_menu(scene, w, chosen=(), level=Preferences().level))] if scene.stage == "playing" else []
            )
    return shown


def sent(view: scenes.Screen) -> Any:
    """Return a screen as it is sent."""
    return scenes.drawn_view(view).to_components()  # type: ignore[no-untyped-call]


def attempts(match: Match, seat: int, rng: random.Random) -> list[Action]:
    """Return what a player might try, with cards of their own and of others."""
    mine, some = match.view(seat).hand, tuple(rng.sample(match.rules.pack, 3))
    groups = (mine[:1], mine[-2:], some[:1], some[:2], ())
    named: list[Action] = [Name(each) for each in (*some, *mine[:1])]
    return [*named, *map(Play, groups), *map(Give, groups), Pass(), Ready(), Choose(("whatever",))]


# The test can fail


@pytest.mark.parametrize(
    ("game", "preset", "hand"),
    [("big_two", "pagat", BigTwoGame), ("a_bao", "standard", ABaoGame), ("big_little_a", "standard", BigLittleAGame)],
)
def test_a_view_dependent_on_another_hand_is_detected(
    game: str, preset: str, hand: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random("telling")
    found = [each for each in moments(game, preset, rng) if isinstance(each[1].game, hand) and each[1].awaited]
    view: Callable[[Any, int | None], View] = vars(hand)["view"]

    def telling(played: Any, seat: int | None) -> View:
        counts = tuple(min(map(str, held), default="") for held in played.hands)
        return replace(view(played, seat), facts=(("least", counts),))

    monkeypatch.setattr(hand, "view", telling)
    seen = [
        (table(record, match).scene(user(viewer)), table(record, other).scene(user(viewer)))
        for record, match, viewer, other in found
    ]
    assert sum(one != two for one, two in seen) > len(seen) / 2
