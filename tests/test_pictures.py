"""The picture of a table: its content, complete and readable, small, and reproducible."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, groupby, pairwise
from math import atan2, tau
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.games import GAMES
from bot.rules.big_two import BigTwo, Options
from bot.rules.core.cards import Cards
from bot.rules.matches.match import Match
from bot.rules.variants.registration import VERSION, RegisteredGame
from bot.scene import PublicScene
from bot.show.kit.words import words
from bot.show.pictures import lobby as seats_drawn
from bot.show.pictures import podium, ring, standings, table
from bot.show.pictures import profile_card as card_drawn
from bot.show.pictures.canvas import ALT, BACK, FELT, GOLD, Box, Canvas, Picture
from bot.show.pictures.lettering import cut, legible, width, wrapped
from bot.show.pictures.lobby import LobbyDrawing, LobbySeat
from bot.show.pictures.podium import BROAD, TITLES, EndingDrawing, EndingRow
from bot.show.pictures.profile_card import Figure, ProfileDrawing
from bot.show.pictures.standings import StandingsDrawing, StandingsRow
from bot.show.pictures.table import RATIO, Plate, TableDrawing, draw, tall
from bot.show.table.board import board
from bot.show.table.table_picture import picture
from tests.laws.matches import PRESETS, positions, short
from tests.rules import big_a_positions
from tests.secrecy.two_worlds import any_record
from tests.support import scenes
from tests.support.scenes import texts

KIB = 1024
EACH = 4  # positions of a preset
every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)
LATIN = ("Ann", "Zażółć", "Nguyễn Thị Ánh", "Łukasz", "Þóra", "İlkay", "Ærøskøbing", "Čeněk", "Ğ", "d'Arc", "x_X_x")
OTHERS = (
    "李雷", "韩梅梅", "陳小姐", "佐藤さくら", "アンナ", "김철수", "Дмитрий", "Ελένη", "גדעון", "محمد", "अमित", "สมชาย",
    "Սուրեն", "გიორგი", "தமிழ்", "রহিম", "తెలుగు", "Ω-Mega", "★Star★", "名無し", "ﾊﾝｶｸ", "①号", "♪ Mei ♪",
)  # fmt: skip


def seen(match: Match, locale: str = "en-US") -> Picture | None:
    """Return the picture of a match as every player sees it, people and house players taking turns at its seats."""
    return picture(public(match), words(locale))


def public(match: Match) -> PublicScene:
    """Return the scene of a match for every player."""
    chairs = tuple(
        replace(scenes.CHAIRS[0], seat=seat, name=f"Player {seat}", house=seat % 2 == 1)
        for seat in range(match.rules.players)
    )
    return scenes.scene(match, chairs=chairs)


def some(name: str, preset: str) -> Iterator[Match]:
    """Yield some positions of a match in which a hand is played."""
    rng = random.Random(f"pictures {preset}")
    found = [match for match in positions(any_record(name, preset, rng).begin(), rng, hands=1) if not match.game.result]
    yield from rng.sample(found, min(EACH, len(found)))


def drawing_of(shown: Picture | None) -> TableDrawing:
    """Return what the picture of a table at which a hand is played shows."""
    assert shown is not None
    assert isinstance(shown.drawing, TableDrawing)
    return shown.drawing


def image(data: bytes) -> Image.Image:
    """Return a picture as it is seen."""
    return Image.open(io.BytesIO(data))


# The order of turns


DIRECTIONS = {"big_a": "anticlockwise", "a_bao": "anticlockwise", "big_little_a": "clockwise"}
WAYS: list[tuple[str, str, dict[str, Any], tuple[str, str]]] = [
    *((name, preset, {}, (DIRECTIONS[name],) * 2) for name, preset in PRESETS if name in DIRECTIONS),
    *(
        (name, preset, {}, (way,) * 2)
        for name, preset in PRESETS
        if name not in DIRECTIONS
        for way in [str(GAMES[name].rules(preset).options.direction).replace("counter", "anticlockwise")]
    ),
    ("big_two", "pagat", {"direction": "clockwise"}, ("clockwise", "clockwise")),
    ("big_two", "pagat", {"direction": "alternate"}, ("anticlockwise", "clockwise")),
    ("big_two", "pagat", {"direction": "alternate", "alternate_first": "clockwise"}, ("clockwise", "anticlockwise")),
    ("big_two", "denexa", {"direction": "anticlockwise"}, ("anticlockwise", "anticlockwise")),
    ("big_two", "three_player", {"direction": "clockwise"}, ("clockwise", "clockwise")),
    ("tien_len", "south", {"direction": "counter"}, ("anticlockwise", "anticlockwise")),
    ("tien_len", "north", {"direction": "counter", "players": 3}, ("anticlockwise", "anticlockwise")),
]


def hands_of(game: str, preset: str, changes: dict[str, Any]) -> Iterator[Match]:
    """Yield the positions of two hands."""
    rng = random.Random(f"{game} {preset} {changes}")
    return positions(short(GAMES[game], preset, "ways", {}, changes).begin(), rng, hands=2)


def round_of(drawing: TableDrawing) -> list[int]:
    """Return the seats as they stand round a picture, clockwise from the first one."""
    boxes = ring.plates(len(drawing.plates), clockwise=drawing.clockwise)
    across, down = ring.WIDTH / 2, ring.height(len(boxes)) / 2
    turned = [atan2((top + foot) / 2 - down, (left + right) / 2 - across) for left, top, right, foot in boxes]
    return sorted(range(len(boxes)), key=lambda seat: (turned[seat] - turned[0]) % tau)


def listed(text: str, players: int) -> list[int]:
    """Return the seats in the order in which the lines of a text name them."""
    found = [int(seat) for seat in re.findall(r"^[^·\n]*Player (\d)[^·\n]* · ", text, re.MULTILINE)]
    assert len(found) >= players
    return found[-players:]


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("game", "preset", "changes", "ways"), WAYS)
def test_2_2_seats_in_the_picture_follow_the_direction_of_play(
    game: str, preset: str, changes: dict[str, Any], ways: tuple[str, str]
) -> None:
    followed = Counter[int]()
    for match in hands_of(game, preset, changes):
        view, shown = match.view(None), seen(match)
        if view.result or len(view.trick.moves) != 2:  # later some are out
            continue
        around = round_of(drawing_of(shown))
        order = around if ways[match.number - 1] == "clockwise" else [around[0], *around[:0:-1]]
        first, second = (order.index(move.seat) for move in view.trick.moves)
        followed[(second - first) % len(order)] += 1
        assert shown is not None
        assert listed(shown.alt_text, len(order)) == order, "the picture in words"
        text = texts(board(public(match), words("en")))
        assert listed("\n".join(line for line in text.splitlines() if " point" in line), len(order)) == order
    assert followed.most_common(1)[0][0] == 1, "but for who comes in out of turn"


@pytest.mark.rotates(3)
@every_preset
def test_every_position_has_a_small_picture_with_a_description(name: str, preset: str) -> None:
    for match in some(name, preset):
        shown = seen(match)
        assert shown is not None
        data = shown.png()
        assert len(data) < 40 * KIB
        assert image(data).size == (ring.WIDTH, ring.height(match.rules.players))
        assert 0 < len(shown.alt_text) <= ALT
        assert all(f"Player {seat}" in shown.alt_text for seat in range(match.rules.players))


def test_pictures_show_no_article_numbers() -> None:
    asked = (match for name, preset in PRESETS for match in some(name, preset) if match.view(None).phase_note)
    titles = [drawing_of(seen(match)).title for match in asked]
    assert titles
    assert not any(re.search(r"\d\.\d", title) for title in titles)


def test_all_pictures_share_one_palette() -> None:
    """Issue 39, 1.6: to find a palette for each picture took half of its time."""
    palettes = {tuple(image(data).getpalette() or ()) for data in all_kinds()}
    assert len(palettes) == 1


def test_a_picture_keeps_its_colours_in_the_shared_palette(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, write = list[Image.Image](), Canvas.png

    def noted(canvas: Canvas, *how: int) -> bytes:
        drawn.append(canvas.image)
        return write(canvas, *how)

    monkeypatch.setattr(Canvas, "png", noted)
    for data in all_kinds():
        apart = ImageChops.difference(drawn.pop(), image(data).convert("RGB"))
        errors = ImageStat.Stat(apart)
        assert max(errors.rms) < 3, "of 255, on average"
        assert max(high for _, high in errors.extrema) < 56, "in any pixel"


def all_kinds() -> Iterator[bytes]:
    """Draw each kind of picture with every element."""
    cards = tuple(str(card) for card in dict.fromkeys(card for known in GAMES.values() for card in pack_of(known)))
    plates = tuple(
        Plate(
            f"Ann {seat}",
            held=str(13 * (seat % 3)),
            does="passed",
            house=seat % 2 == 1,
            leads=seat == 1,
            turn=seat == 2,
            few=seat == 3,
            side=("", table.STAR, table.DOT)[seat % 3],
            role="declarer" * (seat == 1),
            reaction="gg" * (seat == 6),
            held_cards=cards[seat::9],
        )
        for seat in range(9)
    )
    for at in range(0, len(cards), 7):
        some = cards[at : at + 7]
        yield draw.__wrapped__(TableDrawing(plates, cards=some, title="Some cards", taken=some, lying=some[:2]))
    yield draw.__wrapped__(TableDrawing(plates, title="New trick.", lying=cards[:2]))
    yield draw.__wrapped__(TableDrawing(plates, cards=(), title="What goes on", progress=(7, 22)))
    places = tuple(
        LobbySeat(seat, name=f"Ann {seat}", does="ready", house=seat % 2 == 1, host=seat == 0) for seat in range(8)
    )
    yield seats_drawn.draw.__wrapped__(LobbyDrawing("A title", ("a part",), (*places, LobbySeat(8)), "free"))
    course = tuple(tuple(seat * hand for hand in range(5)) for seat in range(9))
    lines = tuple(
        EndingRow(seat, str(seat + 1), f"Ann {seat}", ("+1",), house=seat == 1, hue=seat, crown=seat < 2)
        for seat in range(9)
    )
    yield podium.draw.__wrapped__(
        EndingDrawing(
            "Ann wins", "Big Two", (), lines, course=course, hands="5 hands", decided="Ann led", besides="Ben bombed"
        )
    )
    ladder = tuple(
        StandingsRow(
            place=str(place),
            name=f"Ann {place}",
            number="1500",
            under="20 matches",
            hue=place - 1,
            course=(1, 3, 2),
            moved=moved,
            band=(1400, 1600),
            mine=place > 5,
        )
        for place, moved in enumerate((-9, 0, 9) * 3, 1)
    )
    yield standings.draw.__wrapped__(StandingsDrawing("Big Two", "October", ladder))
    rating = tuple((1400 + match, 1600 - match) for match in range(9))
    yield card_drawn.draw.__wrapped__(
        ProfileDrawing(title="Ann", under="Big Two", figures=(Figure("7", "matches"),), course=rating)
    )


def pack_of(known: RegisteredGame) -> Cards:
    """Return the cards of a game, as its first preset has them."""
    return known.rules_of(VERSION, next(iter(known.presets)), {}).pack


@pytest.mark.rotates(3)
@every_preset
def test_equal_scenes_give_identical_pictures(name: str, preset: str) -> None:
    shown = seen(next(some(name, preset)))
    assert shown is not None
    assert draw.__wrapped__(shown.drawing) == draw.__wrapped__(shown.drawing)


def test_plates_show_the_latest_actions() -> None:
    positions_ = (match for match, _ in scenes.matches())
    match = next(match for match in positions_ if match.view(None).trick.passes)
    trick, shown = match.view(None).trick, picture(scenes.scene(match), words("en-US"))
    assert shown is not None
    assert trick.top is not None
    drawing = drawing_of(shown)
    assert [plate.leads for plate in drawing.plates] == [seat == trick.owner for seat in range(4)]
    passed = {move.seat for move in trick.moves[-trick.passes :]}
    assert {seat for seat, plate in enumerate(drawing.plates) if plate.does == "passed"} >= passed
    assert {seat for seat, plate in enumerate(drawing.plates) if plate.turn} == set(match.awaited)
    assert [plate.held for plate in drawing.plates] == [str(count) for count in match.view(None).counts]
    assert drawing.cards == tuple(map(str, trick.top.cards))
    assert shown.alt_text.startswith("On top: ")


def test_the_pill_stands_clear_of_the_cards_and_of_the_edge() -> None:
    for count in (1, table.ROW, table.ROW + 1, 26):
        middle = table.middle_of(TableDrawing((), cards=("Ks",) * count, title="A lot"))
        runs = [
            (colour, len(list(run))) for colour, run in groupby(middle.getpixel((415, y)) for y in range(ring.MIDDLE))
        ]
        felt = [height for colour, height in runs if colour == FELT]
        pill = next(at for at, (colour, _) in enumerate(runs) if colour == GOLD)
        assert runs[pill - 1][0] == FELT
        assert len(felt) == 3
        assert felt[1] >= table.PAD
    assert ring.GAP + felt[-1] >= table.PAD


def test_captured_cards_lie_beside_the_play_that_took_them() -> None:
    begun = big_a_positions.table("9d 9c 9h 5c", "4d 4h 6c", of=big_a_positions.asking(), turn=0)
    seen_ = [
        seen(Match(begun.rules, seed="seed", game=big_a_positions.after(begun, *moves)))
        for moves in (("9d 9c 9h",), ("9d 9c 9h", "4d 4h"), ("9d 9c 9h", "4d 4h", "-"))
    ]
    assert [drawing_of(shown).taken for shown in seen_] == [(), ("9d", "9c", "9h"), ("9d", "9c", "9h")]
    assert drawing_of(seen_[1]).title == "A pair of 4s, taking 9 9 9"
    assert seen_[1] is not None
    assert seen_[1].alt_text.splitlines()[1] == "It picks up 9♢ 9♣\ufe0e 9♡."
    drawing = drawing_of(seen_[1])
    assert draw(drawing) != draw(replace(drawing, taken=()))


def test_a_cards_are_drawn_in_the_middle_and_then_at_their_holder() -> None:
    rng, homes = random.Random("mean"), set[tuple[tuple[str, ...], ...]]()
    for match in positions(Match.start(GAMES["big_little_a"].rules("standard"), "mean"), rng, hands=1):
        if match.game.result:
            break
        drawing, facts = drawing_of(seen(match)), dict(match.view(None).facts)
        assert drawing.lying == tuple(map(str, facts.get("middle", ())))
        for seat, plate in enumerate(drawing.plates):
            mean = [card for name, card in (("little", "LA"), ("big", "BA")) if facts.get(name) == seat]
            assert plate.held_cards == tuple(mean)
        homes.add((drawing.lying, *(plate.held_cards for plate in drawing.plates)))
    assert len(homes) > 2


def test_a_long_action_replaces_the_role() -> None:
    def drawn(does: str, role: str) -> bytes:
        return table.plate_of(Plate("Ann", held="13", does=does, side=table.STAR, role=role), 0, ring.BROAD).tobytes()

    assert drawn("passed", "declarer") != drawn("passed", "")
    assert drawn("four triplets 6–9", "declarer") == drawn("four triplets 6–9", "")


def test_a_play_on_a_plate_is_named() -> None:
    for moves, does in (
        (("3d 3c", "-"), ["on top", "passed"]),
        (("3d 4d 5d 6d 8d", "5c 6c 7c 8c Tc"), ["flush ♢", "on top"]),
    ):
        assert [plate.does for plate in drawing_of(seen(scenes.match_after(*moves))).plates][:2] == does


def test_the_end_picture_shows_places_scores_and_course() -> None:
    over = list(scenes.matches(deals=3))[-1][0]
    shown = picture(scenes.scene(over), words("en-US"))
    assert shown is not None
    drawing = shown.drawing
    assert isinstance(drawing, EndingDrawing)
    assert [line.seat for line in drawing.lines] == sorted(range(4), key=lambda seat: (over.places[seat], seat))
    assert [line.numbers for line in drawing.lines] == [(str(over.totals[line.seat]),) for line in drawing.lines]
    assert [len(seat) for seat in drawing.course] == [4] * 4, "before the first hand and after each"
    assert [line.crown for line in drawing.lines] == [over.places[line.seat] == 1 for line in drawing.lines]
    assert shown.alt_text.splitlines()[0] == drawing.title


def test_the_picture_of_a_draw_shows_its_progress() -> None:
    game = big_a_positions.drawing()
    drawing = drawing_of(picture(public(Match(game.rules, seed="seed", game=game)), words("en-US")))
    assert drawing.progress == (7, 22)
    assert draw(drawing) != draw(replace(drawing, progress=(14, 22)))


def test_the_picture_of_a_lobby_shows_players_and_rules() -> None:
    shown = picture(scenes.lobby(BigTwo(Options(match_end="deals", deals=5)), scenes.CHAIRS[:2]), words("en-US"))
    assert shown is not None
    assert shown.alt_text.splitlines() == [
        "Big Two · Standard",
        "5 hands · about 25 minutes",
        "stake 1 · 2 minutes a move",
        "1. Ann · host",
        "2. Ben_*the*_`Great` · ready",
        "3. free",
        "4. free",
    ]
    assert len(shown.png()) < 40 * KIB
    assert shown.png() == shown.drawing.png()


@pytest.mark.parametrize("seats", range(2, 10))
def test_a_lobby_of_any_size_has_a_small_picture(seats: int) -> None:
    places = tuple(
        LobbySeat(seat, name=f"李雷 Christopher {seat}", does="ready", house=seat % 2 == 1, host=seat == 0)
        for seat in range(seats - 1)
    )
    drawing = LobbyDrawing(
        "The Big and the Little A · Standard",
        ("open end · about 10 minutes a hand",),
        (*places, LobbySeat(seats - 1)),
        "free",
    )
    data = drawing.png()
    assert len(data) < 40 * KIB
    assert seats_drawn.draw.__wrapped__(drawing) == data


@pytest.mark.parametrize("hands", [1, 100])
@pytest.mark.parametrize("seats", range(2, 10))
def test_an_end_of_any_size_has_a_small_picture(seats: int, hands: int) -> None:
    course = tuple(tuple(accumulate(random.Random(seat).choices(range(-9, 9), k=31))) for seat in range(seats))
    told = "Wolfeschlegelsteinhausenbergerdorff took the lead in the last hand"
    lines = tuple(
        EndingRow(seat, str(seat + 1), "李雷 Christopher", ("13", "−999", "+9999"), house=seat == 1)
        for seat in range(seats)
    )
    drawing = EndingDrawing("W" * 60, "The Big and the Little A", ("cards left", "hand", "match"), lines)
    if hands > 1:
        short = tuple(replace(line, numbers=line.numbers[-1:]) for line in lines)
        drawing = replace(
            drawing, columns=(), lines=short, course=course, hands="100 hands", decided=told, besides=told
        )
    data = drawing.png()
    assert len(data) < 40 * KIB
    picture_ = Image.open(io.BytesIO(data))
    assert picture_.width == ring.WIDTH
    assert picture_.height <= ring.WIDTH


@pytest.mark.parametrize("seats", range(2, 10))
def test_chart_labels_do_not_overlap_and_follow_the_lines(seats: int) -> None:
    lines = tuple(EndingRow(seat, str(seat + 1), "Ann", ("1",)) for seat in range(seats))
    high = max(podium.HIGH, podium.CAPTION + podium.LABELS * seats) - podium.CAPTION
    for ends in ([-3] * seats, [-seat for seat in range(seats)], [0] + [-90] * (seats - 1)):
        drawing = EndingDrawing("", "", (), lines, course=tuple((0, end) for end in ends))
        heights = [podium.label_heights(drawing, high)[seat] for seat in range(seats)]
        assert all(after - before >= podium.LABELS - 1 for before, after in pairwise(heights))
        assert heights[0] >= podium.LINE
        assert heights[-1] <= high - podium.LINE


def test_shared_winners_are_named_in_full() -> None:
    assert width("Benjamin and Otto share the match", TITLES[-1]) <= BROAD


def test_the_picture_uses_the_language_of_the_board() -> None:
    match = next(match for match, _ in scenes.matches() if match.view(None).trick.passes)
    shown = picture(scenes.scene(match), words("zh-CN"))
    assert "过牌" in {plate.does for plate in drawing_of(shown).plates}


def over(one: Box, other: Box) -> bool:
    """Tell whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("seats", range(2, 10))
def test_plates_stand_clear_of_each_other_and_of_the_cards(seats: int) -> None:
    for clockwise in (True, False):
        check_clear(ring.plates(seats, clockwise=clockwise), seats)


def check_clear(boxes: list[Box], seats: int) -> None:
    """Fail where plates overlap, hide cards, or are cut off."""
    _, y = ring.middle(seats)
    boxes.append((ring.EDGE, y - ring.MIDDLE // 2, ring.WIDTH - ring.EDGE, y + ring.MIDDLE // 2))
    for at, one in enumerate(boxes):
        assert min(one) >= 0
        assert one[2] <= ring.WIDTH
        assert one[3] <= ring.height(seats)
        assert not any(over(one, other) for other in boxes[:at])


@pytest.mark.parametrize("count", [1, 2, 5, 10, 12, 13, 14, 22, 26])
def test_any_number_of_cards_stays_inside_the_picture(count: int) -> None:
    drawn = image(draw(TableDrawing((Plate("Ann"), Plate("Ben")), cards=("Ks",) * count, title="A lot"))).convert("RGB")
    for x in (4, ring.WIDTH - 4):
        assert len({drawn.getpixel((x, y)) for y in range(drawn.height)}) == 1, "nothing but felt"


@pytest.mark.parametrize("name", [*LATIN, *OTHERS])
def test_names_of_all_scripts_are_drawn(name: str) -> None:
    assert legible(name)
    assert width(legible(name), table.NAME) > 0


def test_seats_without_card_counts_show_no_card_back() -> None:
    for wide in (ring.SLIM, ring.BROAD):
        within = (wide - table.PAD - 6, ring.TALL - 24)  # of the back
        bare, held = (table.plate_of(Plate("Ann", held=number), 0, wide).getpixel(within) for number in ("", "13"))
        assert bare == table.plate_of(Plate("Ann"), 0, wide).getpixel((24, ring.TALL - 4))
        assert held == BACK


def test_characters_without_a_font_are_omitted_or_replaced_by_a_seat_number() -> None:
    assert legible("Ann\U0001faf6") == "Ann"  # a sign newer than the fonts
    assert not legible("\U00012000\U00012001")  # cuneiform: a badge with the number of the seat instead
    assert not legible("🎲🎲")
    with_number, with_letter = (draw(TableDrawing((Plate(name), Plate("Ben")))) for name in ("\U00012000", "Ann"))
    assert with_number != with_letter


@pytest.mark.parametrize("text", ["Bartholomew the Great", "非常非常非常长的名字", "ضصثقفغعهخحجد"])
def test_wide_texts_are_truncated(text: str) -> None:
    short = cut(text, table.NAME, 150)
    assert short.endswith("…")
    assert width(short, table.NAME) <= 150
    assert text.startswith(short[:-1].rstrip())


def test_long_sentences_wrap_between_words() -> None:
    said = "The bidding goes on: somebody calls for a card, or passes, until all have passed once more."
    lines = wrapped(said, table.SMALL, table.TITLE, 3)
    assert len(lines) == 3
    assert " ".join(lines) == said
    assert wrapped("现在轮到谁叫牌" * 9, table.SMALL, table.TITLE, 3)[-1].endswith("…")


@pytest.mark.parametrize("card", ["3d", "Tc", "Ah", "2s", "15s", "BJ", "RJ", "JK", "12n", "LA", "BA"])
def test_every_kind_of_card_has_a_tall_face(card: str) -> None:
    face = tall(card, table.CARD)
    assert face.size == (table.CARD, round(table.CARD * RATIO))


@pytest.mark.rotates(3)
@every_preset
def test_no_two_cards_of_a_pack_have_the_same_tall_face(name: str, preset: str) -> None:
    held = set(any_record(name, preset, random.Random(preset)).begin().rules.pack)
    assert len({tall(str(card), table.CARD).tobytes() for card in held}) == len(held)
