"""What is settled before the first card binds every hand, and opens one hand at a time."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.core.asks import Again
from bot.rules.core.cards import SeededRandom
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.seal import (
    CHAIN_LENGTH,
    chain_seed,
    commitment,
    deal_seed,
    dealer_seed,
    earlier_link,
    max_hands,
    seal,
)
from bot.table.registry import new_seed
from tests.laws.matches import PRESETS
from tests.support.law_settings import law_examples

KEY = "00" * 31 + "2a"
MATCH = chain_seed(KEY)
HEX = "0123456789abcdef"

every_preset = pytest.mark.parametrize(("name", "preset"), PRESETS)


def test_the_seed_of_a_match_has_256_bits_and_is_new_every_time() -> None:
    seeds = [new_seed() for _ in range(20)]
    keys = [seed.removeprefix("chain:") for seed in seeds]
    assert len(set(keys)) == 20
    assert all(len(key) == 64 and set(key) <= set(HEX) for key in keys)


def test_the_chain_can_be_computed_without_the_bot() -> None:
    link = KEY
    for number in range(CHAIN_LENGTH, 0, -1):
        assert deal_seed(MATCH, number) == link
        link = sha256(link.encode()).hexdigest()
    assert seal(MATCH, 1, 0).committed == link


@given(st.text(HEX, min_size=64, max_size=64), st.integers(1, CHAIN_LENGTH))
@law_examples(30)
def test_a_revealed_hand_matches_the_commitment(key: str, hand: int) -> None:
    shown = seal(chain_seed(key), hand, hand)
    assert shown.opened == deal_seed(chain_seed(key), hand)
    assert shown.holds
    assert earlier_link(shown.opened, hand) == shown.committed
    assert not replace(shown, opened=deal_seed(chain_seed(key), hand % CHAIN_LENGTH + 1)).holds
    assert not replace(shown, hands=hand + 1).holds


def test_the_commitment_is_one_for_the_whole_match_and_fixed_before_it() -> None:
    promises = {seal(MATCH, hand, hand - 1).committed for hand in range(1, CHAIN_LENGTH + 1)}
    assert promises == {seal(MATCH, 1, 0).committed}
    assert seal(MATCH, 1, 0).opened is None


def test_a_revealed_hand_gives_earlier_hands_and_no_later_ones() -> None:
    links = [deal_seed(MATCH, hand) for hand in range(1, 20)]
    assert all(commitment(later) == earlier for earlier, later in pairwise(links))
    for hand, link in enumerate(links, 1):
        follows = {commitment(link), commitment(f"{link}:{hand + 1}"), deal_seed(link, hand + 1), earlier_link(link, 2)}
        assert not follows & set(links[hand:])


def test_the_deal_seed_is_not_a_link_of_the_chain() -> None:
    blocks = SeededRandom(deal_seed(MATCH, 2)).getrandbits(256), SeededRandom(dealer_seed(MATCH)).getrandbits(256)
    assert not {f"{block:064x}" for block in blocks} & {deal_seed(MATCH, hand) for hand in range(1, 4)}


@every_preset
def test_hands_are_dealt_from_the_chain(name: str, preset: str) -> None:
    record = Record(GAMES[name], preset, seed=MATCH, options=GAMES[name].wish(preset, {}, hands=2))
    begun = record.begin()
    dealer = begun.rules.first_dealer(SeededRandom(f"{deal_seed(MATCH, 1)}:dealer"))
    assert begun.rules.deal(SeededRandom(deal_seed(MATCH, 1)), dealer) == begun.game


@every_preset
def test_a_hand_that_is_thrown_in_is_dealt_again_from_the_next_link(name: str, preset: str) -> None:
    begun = Record(GAMES[name], preset, seed=MATCH, options=GAMES[name].wish(preset, {}, hands=2)).begin()
    again = begun.act(0, Again())
    assert (again.number, again.deal, again.moment) == (1, 2, 1)
    assert again.game == begun.rules.deal(SeededRandom(deal_seed(MATCH, 2)), begun.game.dealer)
    assert (again.seal.opened, again.seal.hands, again.seal.holds) == (deal_seed(MATCH, 1), 1, True)
    thrice = again.act(1, Again())
    assert thrice.seal.opened == deal_seed(MATCH, 2)


def test_dealing_again_is_refused_without_a_further_link() -> None:
    with pytest.raises(Illegal, match="can't be dealt again"):
        replace(Record(GAMES["big_two"], "pagat", seed=MATCH).begin(), cancelled_deals=CHAIN_LENGTH - 1).act(0, Again())
    with pytest.raises(Illegal, match="hand is over"):
        _one_hand().act(0, Again())


def test_a_match_ends_with_the_last_link() -> None:
    assert max_hands("seed") is None
    (result,) = _one_hand().results
    for hands, over in ((CHAIN_LENGTH - 1, False), (CHAIN_LENGTH, True)):
        assert replace(_one_hand(), results=(result,) * hands).over is over
        assert not replace(_one_hand(), results=(result,) * hands, seed="of old").over


def test_there_is_no_link_beyond_the_last() -> None:
    with pytest.raises(ValueError, match="no link"):
        deal_seed(MATCH, CHAIN_LENGTH + 1)


def _one_hand() -> Match:
    match = Record(GAMES["big_two"], "pagat", seed=MATCH).begin()
    while match.game.result is None:
        seat = min(match.awaited)
        action = plain_action(match.view(seat))
        assert action is not None
        match = match.act(seat, action)
    return match


# Matches of earlier versions


def test_an_old_match_has_a_commitment_for_each_hand() -> None:
    for hand in (1, 2, 7):
        shown = seal("seed", hand, hand - 1)
        assert (shown.committed, shown.of, shown.opened) == (commitment(deal_seed("seed", hand)), hand, None)
        shown = seal("seed", hand, hand)
        assert shown.opened == sha256(f"seed:{hand}".encode()).hexdigest()
        assert shown.holds
        assert not replace(shown, opened=deal_seed("seed", hand + 1)).holds
