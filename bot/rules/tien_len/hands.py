"""1, 2, 7. The beginning of a hand: dealt, perhaps won at once, or imagined for a view."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bot.domain.message_ids import N_
from bot.rules.core.cards import Cards, shuffled
from bot.rules.core.game import Result, View
from bot.rules.core.imagination import fill_hands, known_hands, unseen_cards
from bot.rules.core.sentences import Note, Seat
from bot.rules.tien_len.groups import ALL, LINE, PACK, POWER, RED, in_a_row
from bot.rules.tien_len.options import Options
from bot.rules.tien_len.play import TienLenGame
from bot.rules.tien_len.rules import TienLenRules
from bot.rules.tien_len.score import at_once

EACH = 13  # cards dealt to each seat (1.1)
KINDS: Mapping[str, str] = {  # weakest first (7.1)
    "threes": N_("{seat} was dealt four 3s and wins right away."),
    "six": N_("{seat} was dealt six pairs and wins right away."),
    "five": N_("{seat} was dealt five pairs in a row and wins right away."),
    "triples_in_row": N_("{seat} was dealt three triples in a row and wins right away."),
    "two_fours": N_("{seat} was dealt two fours of a kind and wins right away."),
    "four_triples": N_("{seat} was dealt four triples and wins right away."),
    "twelve": N_("{seat} was dealt every rank from 3 to the ace and wins right away."),
    "one_colour": N_("{seat} was dealt thirteen cards of one color and wins right away."),
    "twos": N_("{seat} was dealt four 2s and wins right away."),
}
CHOICES = {"south": ("six", "five", "twelve", "twos"), "few": ("six", "twelve", "twos"), "none": ()}
MORE = ("triples_in_row", "two_fours", "four_triples", "one_colour")  # options of the same names (O12.4-O12.7)


class TienLen(TienLenRules):
    """The complete rules of Tiến Lên, with dealing and determinization."""

    def deal(self, rng: random.Random, dealer: int, past: tuple[Result, ...] = ()) -> TienLenGame:
        """Shuffle and deal.

        dealer: the leader, unless the lowest card decides, as in the first hand (2.1, O3).
        """
        order = tuple(shuffled(PACK, rng))
        hands = tuple(self.groups.sort(order[seat * EACH : (seat + 1) * EACH]) for seat in range(self.players))
        return self.begun(hands, order[self.players * EACH :], dealer, first=not past)

    def begun(self, hands: tuple[Cards, ...], hidden_cards: Cards, dealer: int, *, first: bool) -> TienLenGame:
        """Return the hand that begins with these cards, possibly won at once (7)."""
        low = min((hand[0] for hand in hands), key=POWER.__getitem__)
        by_card = first or self.options.later_lead == "lowest_card"
        starter = next(seat for seat, hand in enumerate(hands) if low in hand) if by_card else dealer
        game = TienLenGame(self, hands, hidden_cards, starter, starter, low if by_card else None)
        won = winner(hands, self.options, first=first)
        return game._replace(result=at_once(won[0], hands, won[1], self.options)) if won else game

    def imagine(self, view: View, rng: random.Random) -> TienLenGame:
        """Return a random game consistent with the view: its ``view(seat)`` equals the view."""
        facts = dict(view.facts)
        out, last = (tuple(map(int, facts.get(name, ()))) for name in ("out", "last"))
        least = POWER[facts["low"]] if "low" in facts else 0  # lower cards were not dealt and remain in the pool
        turn = next(iter(view.awaited), 0)
        while True:
            pool = sorted(shuffled(list(unseen_cards(view).elements()), rng), key=lambda card: POWER[card] >= least)
            game = TienLenGame(
                self,
                fill_hands(known_hands(view), view.counts, pool, self.sort),
                tuple(pool),
                int(facts["starter"]),
                turn,
                facts.get("low"),
                out,
                last,
                view.trick,
                view.tricks,
                view.result,
            )
            if view.result or self._may_be(game):
                return game

    def _may_be(self, game: TienLenGame) -> bool:
        """Tell whether an imagined game is possible.

        In a possible game no hand has won at once, and only seats unable to lead stayed behind.
        """
        dealt = [(*hand, *game.laid(seat)) for seat, hand in enumerate(game.hands)]
        # With another option the view does not tell whether this is the first hand of the match.
        first = game.low is not None and self.options.later_lead == "winner"
        behind = all(self.stuck(game.hands[seat]) for seat in game.last if game.laid(seat))
        leads = game.trick.top is not None or not self.stuck(game.hands[game.turn])
        return behind and leads and winner(dealt, self.options, first=first) is None


def winning_kinds(options: Options, *, first: bool) -> tuple[str, ...]:
    """Return the kinds of hands that win at once, weakest first (7.1, O12).

    first: whether this is the first hand of a match.
    """
    known = CHOICES[options.instant] and (*CHOICES[options.instant], *(kind for kind in MORE if getattr(options, kind)))
    return tuple(kind for kind in KINDS if kind in known or (kind == "threes" and first and options.instant == "south"))


def _belonging(hand: Cards) -> Mapping[str, Sequence[int]]:
    """Return by kind of win the ranks of a hand that contribute (7.1, 7.2).

    Empty if the hand does not qualify.
    """
    counts = Counter(POWER[held] // 4 for held in hand)
    held, pairs, triples, fours = ([rank for rank in ALL if counts[rank] >= count] for count in (1, 2, 3, 4))
    return {
        "threes": [rank for rank in fours if rank == ALL[0]],
        "six": pairs if sum(counts[rank] // 2 for rank in pairs) > 5 else (),
        "five": _in_long_rows(pairs, 5),
        "triples_in_row": _in_long_rows(triples, 3),
        "two_fours": fours if len(fours) > 1 else (),
        "four_triples": triples if len(triples) > 3 else (),
        "twelve": LINE if set(LINE).issubset(held) else (),
        "one_colour": held if len({card.suit in RED for card in hand}) == 1 else (),
        "twos": [rank for rank in fours if rank == ALL[-1]],
    }


def _in_long_rows(ranks: Sequence[int], least: int) -> Sequence[int]:
    return [rank for part in in_a_row(ranks) if len(part) >= least for rank in part]


def winner(hands: Iterable[Cards], options: Options, *, first: bool) -> tuple[int, Note] | None:
    """Return the hand that wins at once with a note on its kind; None if none does (7.2).

    first: whether this is the first hand of a match.
    """
    kinds, found = winning_kinds(options, first=first), list[tuple[int, int, int]]()
    for seat, hand in enumerate(hands if kinds else ()):
        ranks = _belonging(hand)
        for place, kind in enumerate(kinds):
            found += [(place, POWER[held], seat) for held in hand if POWER[held] // 4 in ranks[kind]]
    if not found:
        return None
    place, _, seat = max(found)
    return seat, Note("7.1", KINDS[kinds[place]], (("seat", Seat(seat)),))
