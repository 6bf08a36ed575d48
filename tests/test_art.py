"""The card faces: every card is told from every other, by shape alone and at the size of a line of text."""

import re
from functools import cache
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.rules.core.cards import every_card
from bot.show.kit import card_art

RANKS = (*"3456789TJQKA2",)
TILE_RANKS = ("1", "10", "11", "12", "13", "14", "15")  # tiles from 2 to 9 have the faces of cards
JOKERS = ("BJ", "RJ")
NUMBER_PACK = (*(f"{number}n" for number in range(1, 14)), "JK", "LA", "BA")
CARDS = [*(rank + suit for rank in (*RANKS, *TILE_RANKS) for suit in "dchs"), *JOKERS, *NUMBER_PACK]
DARK, LIGHT = (0x31, 0x33, 0x38), (255, 255, 255)

# Every face as nine grey values. Whoever changes the drawing changes VERSION and both of these.
DRAWN_AS = "bg1"
DRAWN = bytes.fromhex(
    "92c9d3caa49b90ba9f7fbfd3c08e887c8f6a92c9d3ca878990bba47fbfd3c086857c8b64b3d1d377b39bb5c39faac9d355a288ac9b6a"
    "b3d1d3779689b5c3a4aac9d3559985ac97648ad2d39eab9b90bd9f75cbd38897887c936a8ad2d39e8e8990bda475cbd3888f857c8f64"
    "92cad37eab9b91bc9f7fc1d35d97887e926a92cad37e8e8991bca47fc1d35d8f857e8e6498bad3c0c69ba4e09f87abd3b4bb8896c06a"
    "98bad3c0a989a4e0a487abd3b4b28596bc6492c8d386a39b91ba9f7fbdd3688d887d8f6a92c8d386868991baa47fbdd36885857d8b64"
    "91c7d391979b93be9f7ebdd3777d8881936a91c7d391798993bea47ebdd3777485818f6494add381a1b89ca999819bd36288af8c8567"
    "94add38192a79ca89c819bd36284ac8c8361b4b7d3df9d9b91bb9faaa7d3dc85887e916ab4b7d3df7f8991bca4aaa7d3dc7c857e8d64"
    "92ccd38e9c9b94b39f80c3d373838882856a92ccd38e7e8994b3a480c3d3737b8582816496c3d35fda9b9db59f84b7d337d4888d886a"
    "96c3d35fbd899db5a484b7d337cc858d8464a1e5d37fbb9b9eb29f92e3d35fad888e846aa1e5d37f9e899eb2a492e3d35fa4858e8064"
    "92c7d3beb69b81c29f7ebdd3b0a68869996a92c7d3be998981c2a47ebdd3b09d85699564"
    # The tiles came later; they are told from here.
    "a2dbccb49285b2c3ae94d3c9a47066a88d79a2d9cfb46961b2c7b394d8cda46359a8857194add381a1b89ca999819bd36288af8c8567"
    "94add38192a79ca89c819bd36284ac8c83619dbdd3aa9e96aab4a08dafd39686819e856c9dbdd3aa7e82aab5a68dafd3967d7e9e8065"
    "90acd3a6b4b897ad997d9ad391a1af858b6790acd3a6a5a797ac9c7d9ad3919dac85896191afd3aaafb896aa997e9dd3969aaf858767"
    "91afd3aaa0a796a99c7e9dd39696ac858561a1bad39395b8a7b99993acd37a79af9a9a67a1bad39386a7a7b89c93acd37a75ac9a9861"
    "8bbcd393aab898ab9977aed37994af8688678bbcd3939ba798aa9c77aed37990ac868661"
    # And the jokers after them.
    "63d9d3489b8a649e857dd8d367c5ba8ab5ac"
    # And the number pack.
    "d398d3eb99ebd3b2d3c185c1e1a0d1b979bcc185c4e49fc2bb86bfd3a3d2d248d7cea6cdbb84c4c889c6bd86c2c384c4b179c4c185c1"
    "bc85b3eba2e5d3aed3c384c3c16fc1be86bec185c1c479b1c484c38cb59b95aa99a0b59ba8b79bc5c699c0cba08cb19795e29aa09f98"
    "8cb19895ec88a0ad95b2b4d3dfa7ce8eb6b0b5a1b5a57596a58596529a5272e972886789"
)


@cache
def faces() -> dict[str, bytes]:
    """Return the picture of every card; drawn when a test asks for it, not by every player who collects tests."""
    return {card: card_art.face(card) for card in CARDS}


def opened(png: bytes) -> Image.Image:
    picture = Image.open(BytesIO(png))
    picture.load()
    return picture


def shown(png: bytes, size: int, page: tuple[int, int, int]) -> Image.Image:
    """The picture as a client shows it on a page of that colour."""
    small = opened(png).convert("RGBa").resize((size, size), Image.Resampling.LANCZOS).convert("RGBA")
    sheet = Image.new("RGBA", (size, size), page)
    sheet.alpha_composite(small)
    return sheet.convert("RGB")


def silhouette(card: str, size: int = 22) -> Image.Image:
    """The ink in white and all else in black: red and black ink weigh the same, no colour is left."""
    green = opened(faces()[card]).getchannel("G")  # where both inks are dark, and the grey edge is not
    return green.point([255 if level < 80 else 0 for level in range(256)]).resize((size, size), Image.Resampling.BOX)


def unlike(one: Image.Image, other: Image.Image) -> float:
    """By how many whole pixels two silhouettes differ."""
    return ImageStat.Stat(ImageChops.difference(one, other)).sum[0] / 255


def greys(png: bytes) -> bytes:
    return shown(png, 128, DARK).convert("L").resize((3, 3), Image.Resampling.BOX).tobytes()


def test_a_face_has_the_size_and_format_of_an_emoji() -> None:
    for png in faces().values():
        picture = opened(png)
        assert (picture.format, picture.mode, picture.size) == ("PNG", "RGBA", (128, 128))
        assert len(png) < 16 * 1024


@pytest.mark.rotates(5)
@pytest.mark.parametrize("part", range(5))
def test_a_face_is_drawn_reproducibly(part: int) -> None:
    assert all(card_art.face(card) == faces()[card] for card in CARDS[part::5])


def test_every_card_has_a_face() -> None:
    assert set(CARDS) == set(map(str, every_card()))


def test_every_card_is_distinct_but_for_the_two_kinds_of_ten() -> None:
    assert len(set(faces().values())) == 52 + 28 + 2 + 16 - 4
    assert all(faces()[f"T{suit}"] == faces()[f"10{suit}"] for suit in "dchs")


def test_names_are_valid_and_distinct_and_carry_the_version() -> None:
    names = [*map(card_art.emoji_name, CARDS)]
    assert len(set(names)) == 52 + 28 + 2 + 16
    assert all(re.fullmatch(r"[a-z0-9_]{2,32}", name) and name.startswith(f"{card_art.VERSION}_") for name in names)
    named = {"Ts": "ts", "10s": "10s", "RJ": "rj", "5n": "5n", "JK": "jk", "LA": "la", "BA": "ba"}
    assert [*map(card_art.emoji_name, named)] == [f"{card_art.VERSION}_{name}" for name in named.values()]


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "3",
        "d3",
        "3D",
        "16d",
        "0d",
        "01d",
        "10",
        "td",
        "bj",
        "J",
        "RJd",
        "BJs",
        "B",
        "Rs",
        "3x",
        "3d ",
        "back",
        "n",
        "0n",
        "14n",
        "Tn",
        "An",
        "5N",
        "jk",
        "JKn",
        "LAs",
        "a",
        "A",
        "as",
    ],
)
def test_invalid_cards_have_no_face_or_name(wrong: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        card_art.face(wrong)
    with pytest.raises(ValueError, match="not a card"):
        card_art.emoji_name(wrong)


@pytest.mark.rotates(5)
@pytest.mark.parametrize("part", range(5))
def test_four_colour_faces_change_only_their_suits(part: int) -> None:
    changed = {card for card in CARDS[part::5] if card_art.face(card, four=True) != faces()[card]}
    assert changed == {card for card in CARDS[part::5] if card_art.recoloured(card)}
    assert {card[-1] for card in changed} == {"d", "c"}
    inks = [card_art.FOUR_COLOURS[suit] for suit in "dchs"]
    assert all(max(abs(a - b) for a, b in zip(one, other, strict=True)) > 80 for one, other in combinations(inks, 2))
    assert card_art.emoji_name("3d", picked=True, four=True) == f"{card_art.VERSION}_3d_four_up"


@pytest.mark.parametrize("rank", [*RANKS, *TILE_RANKS])
def test_the_suits_of_a_rank_differ_in_shape_at_22_pixels(rank: str) -> None:
    shapes = {suit: silhouette(rank + suit) for suit in "dchs"}
    for one, other in combinations("dchs", 2):
        assert unlike(shapes[one], shapes[other]) > 7, one + other


@pytest.mark.parametrize("suit", "dchs")
@pytest.mark.parametrize("deck", [RANKS, (*RANKS[:7], "2", *TILE_RANKS)], ids=["pack", "tiles"])
def test_the_ranks_of_a_suit_differ_in_shape_at_22_pixels(suit: str, deck: tuple[str, ...]) -> None:
    shapes = {rank: silhouette(rank + suit) for rank in deck}
    for one, other in combinations(deck, 2):
        assert unlike(shapes[one], shapes[other]) > 7, one + other


@pytest.mark.parametrize("joker", JOKERS)
def test_a_joker_differs_in_shape_from_every_other_card_at_22_pixels(joker: str) -> None:
    shape = silhouette(joker)
    for other in CARDS:
        assert other == joker or unlike(shape, silhouette(other)) > 15, other


def test_the_cards_of_the_number_pack_differ_in_shape_at_22_pixels() -> None:
    shapes = {card: silhouette(card) for card in NUMBER_PACK}
    for one, other in combinations(NUMBER_PACK, 2):
        assert unlike(shapes[one], shapes[other]) > 7, f"{one} {other}"


@pytest.mark.parametrize("number", NUMBER_PACK[:13])
def test_the_ink_of_a_number_is_neither_red_nor_black(number: str) -> None:
    pixels = set(zip(*[iter(shown(faces()[number], 22, LIGHT).tobytes())] * 3, strict=True))
    red, green, blue = min(pixels, key=lambda pixel: pixel[0])
    assert blue > 160
    assert max(red, green) < 80


@pytest.mark.parametrize(("card", "least", "most"), [("LA", 200, 220), ("BA", 0, 80)])
def test_an_a_card_is_coloured_all_over(card: str, least: int, most: int) -> None:
    bands = [opened(faces()[card]).getchannel(band) for band in "RGB"]
    ((red, green, blue),) = {tuple(band.crop((x, 20, x + 1, 21)).tobytes() for band in bands) for x in (20, 108)}
    assert least <= green[0] <= most
    assert min(red[0], blue[0]) > green[0] + 25


def test_the_star_of_the_red_joker_is_hollow_at_22_pixels() -> None:
    inside = (14, 14, 16, 16)
    black, red = (shown(faces()[joker], 22, LIGHT).getchannel("G").crop(inside).tobytes() for joker in JOKERS)
    assert max(black) < 40
    assert min(red) > 180


@pytest.mark.parametrize("suit", "dchs")
def test_the_two_figures_of_a_ten_do_not_run_together_at_22_pixels(suit: str) -> None:
    row = shown(faces()["T" + suit], 22, DARK).getchannel("G").crop((2, 8, 13, 9)).tobytes()
    ink = "".join("#" if level < 128 else " " for level in row)
    assert len(ink.split()) == 3  # the upright of the one and the two sides of the nought


@pytest.mark.parametrize("page", [DARK, LIGHT], ids=["dark", "light"])
def test_a_card_stands_out_from_the_page(page: tuple[int, int, int]) -> None:
    row = shown(faces()["3d"], 22, page).convert("L").crop((0, 11, 22, 12)).tobytes()
    ground = Image.new("RGB", (1, 1), page).convert("L").tobytes()[0]
    assert all(abs(edge - ground) > 40 for edge in (row[0], row[-1]))


def test_the_corners_of_a_card_are_clear() -> None:
    clear = opened(faces()["3d"]).getchannel("A").tobytes()
    assert (clear[0], clear[127], clear[-128], clear[-1]) == (0, 0, 0, 0)
    assert clear[64 * 128 + 64] == 255


def test_a_changed_drawing_needs_a_new_version() -> None:
    now = b"".join(greys(png) for png in faces().values())
    assert card_art.VERSION == DRAWN_AS
    # Another Pillow may round otherwise, by a hair.
    assert max(abs(a - b) for a, b in zip(now, DRAWN, strict=True)) <= 2
