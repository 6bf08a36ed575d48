"""Reactions in memory: shown with the next public move, until the trick ends, three a hand and seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.delivery.boards.reactions import Reactions
from bot.domain.pace import Pace
from bot.domain.reactions import MAX_REACTIONS, REACTIONS, offered_reactions
from bot.domain.server_settings import ServerSettings
from bot.rules.core.trick import Trick
from bot.scene import PublicScene
from bot.show.kit.custom_ids import Verb
from bot.show.table.board import board
from bot.show.table.reactions import reactions
from bot.show.table.table_picture import picture
from tests.support.scenes import (
    EN,
    buttons,
    check_limits,
    match_after,
    scene,
    texts,
    with_changes,
    words_of_every_language,
)


def moved(before: PublicScene, moves: int = 1, *, tricks: int = 0, deals: int = 0) -> PublicScene:
    """Return the scene after this many public moves, ended tricks and deals."""
    assert before.view is not None
    view = replace(before.view, tricks=(*before.view.tricks, *[Trick()] * tricks))
    tally = replace(before.tally, deal=before.tally.deal + deals)
    return replace(before, moment=before.moment + moves, view=view, tally=tally)


def shown(known: Reactions, *scenes: PublicScene) -> list[Mapping[int, str]]:
    return [known.on_board(each) for each in scenes]


def test_a_reaction_shows_with_the_next_move_until_the_trick_ends() -> None:
    known, begun = Reactions(), scene(match_after())
    assert shown(known, begun) == [{}]
    known.show(begun, 1, "👏")
    sealed, played = begun, moved(begun)
    assert shown(known, begun, sealed, played) == [{}, {}, {1: "👏"}]
    known.show(played, 2, "🔥")
    known.show(played, 1, "gg")
    both = {1: "gg", 2: "🔥"}
    assert shown(known, played, moved(played), moved(played)) == [{1: "👏"}, both, both]
    assert shown(known, moved(played, 2), moved(played, 3, tricks=1)) == [both, {}]


def test_a_reaction_to_the_last_play_of_a_trick_shows_in_the_next_one() -> None:
    known, begun = Reactions(), scene(match_after())
    known.show(begun, 0, "😱")
    after = moved(begun, tricks=1)
    assert shown(known, after, moved(after), moved(after, 2, tricks=1)) == [{0: "😱"}, {0: "😱"}, {}]


def test_a_seat_has_three_reactions_a_hand() -> None:
    known, begun = Reactions(), scene(match_after())
    for used in range(MAX_REACTIONS):
        assert known.left(begun, 1) == MAX_REACTIONS - used
        known.show(begun, 1, "👏")
    assert (known.left(begun, 1), known.left(begun, 2)) == (0, MAX_REACTIONS)
    dealt = moved(begun, deals=1)
    assert known.left(dealt, 1) == MAX_REACTIONS
    known.show(dealt, 1, "👏")
    assert known.left(dealt, 1) == MAX_REACTIONS - 1


def test_tables_and_servers_can_disable_reactions() -> None:
    here, off = ServerSettings(), ServerSettings(reactions=False)
    assert offered_reactions(Pace.read("live chicken"), here) == REACTIONS
    assert offered_reactions(Pace.read("live"), here) == REACTIONS[:5]
    assert offered_reactions(Pace.read("live noreact"), here) == offered_reactions(Pace("live"), off) == ()
    known, begun = Reactions(), scene(match_after())
    known.show(begun, 1, "👏")
    quiet = with_changes(moved(begun), pace=Pace.read("live noreact"))
    assert shown(known, quiet) == [{}]
    assert Verb.REACT in buttons(board(begun, EN))
    assert Verb.REACT not in buttons(board(quiet, EN))
    assert Verb.REACT not in buttons(board(with_changes(begun, server=off), EN))


def test_a_board_shows_reactions_beside_the_seats() -> None:
    reacted = replace(scene(match_after()), reactions={1: "🔥", 2: "gg"})
    lines = texts(board(reacted, EN)).splitlines()
    assert [line[-4:] for line in lines if line.endswith(("🔥", "gg"))] == [" · 🔥", "· gg"]
    drawn, plain = picture(reacted, EN), picture(scene(match_after()), EN)
    assert drawn
    assert plain
    assert "🔥" in drawn.alt_text
    assert drawn.png() != plain.png()


def test_the_reaction_menu_keeps_within_discord_limits() -> None:
    here = scene(match_after(), 0, 1)
    for w in words_of_every_language():
        for left, given in ((3, ""), (1, "👏"), (0, "gg")):
            check_limits(reactions(here, left, w, given).secret)
