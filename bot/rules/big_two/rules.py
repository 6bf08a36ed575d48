"""1-3 and 10. The rules of Big Two for one set of options; dealing is in hands.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bot.rules.big_two.dealers import next_dealer, step
from bot.rules.big_two.facts import FACTS, LOUD, OPENING
from bot.rules.big_two.groups import Groups, groups
from bot.rules.big_two.options import PACK, Options
from bot.rules.big_two.plays import conditions
from bot.rules.big_two.tables import COMBINATIONS
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Card, Cards
from bot.rules.core.dealing import Dealing
from bot.rules.core.game import LatePolicy, Result, View
from bot.rules.core.legality import CombinationRules, LegalPlays
from bot.rules.core.sentences import Note
from bot.rules.core.totals import totals_of
from bot.rules.core.trick import Combo
from bot.rules.core.turns import Articles, Turns
from bot.rules.matches.score import nets_of
from bot.rules.variants.versions import SECOND, VERSION


@dataclass(frozen=True)
class BigTwoRules(CombinationRules, Dealing):
    """Big Two under these options.

    groups: the combinations in force. barred: the least power of a single card that cannot be the last (C23). version:
    of the rules of play and the end of a match (see versions). precaution: whether a seat that lets the next player go
    out pays for all (8.1). free: whether any seat may always pass on a play, at no cost. turns: how turns pass, by
    direction. quiet: whether dealer and cut are the only public facts (see LOUD in facts).
    """

    options: Options = field(default_factory=Options)
    version: int = VERSION
    groups: Groups = field(init=False, compare=False, repr=False)
    barred: int = field(init=False, compare=False, repr=False)
    precaution: bool = field(init=False, compare=False, repr=False)
    free: bool = field(init=False, compare=False, repr=False)
    turns: Mapping[int, Turns] = field(init=False, compare=False, repr=False)
    quiet: bool = field(init=False, compare=False, repr=False)

    game: ClassVar[str] = "big_two"
    names: ClassVar[Mapping[str, str]] = {kind: name.one for kind, name in COMBINATIONS.items()}
    facts: ClassVar[Mapping[str, str]] = FACTS
    opening: ClassVar[frozenset[str]] = OPENING
    counted: ClassVar[bool] = True  # 6.9

    def __post_init__(self) -> None:
        o = self.options
        few = {"none": 0, "highest_two": 1, "any_two": 4}[o.last_card_ban]
        paid = o.one_card_rule == "pay_all" and o.stake > 0 and o.scoring in ("cards", "card_values")
        object.__setattr__(self, "groups", groups(o))
        object.__setattr__(self, "barred", PACK[o.deck] - few)
        object.__setattr__(self, "precaution", paid)
        object.__setattr__(self, "free", o.one_card_rule != "forced" and o.draw_on_pass == "none")
        object.__setattr__(self, "turns", {way: turns(o, way) for way in (1, -1)})
        object.__setattr__(self, "quiet", not any(getattr(o, name) in values for name, values in LOUD.items()))

    @property
    def end_article(self) -> str:
        """The article about the end of a hand."""
        return "6.10" if self.options.end == "first_out" else "C24.1"

    @property
    def pack(self) -> Cards:
        """Every card of the deck (2.1, C44.1)."""
        return self.groups.deck.cards

    def stuck(self, hand: Cards) -> bool:
        """Tell whether a hand is a single card that may not go out (C23.1, C23.2)."""
        return len(hand) == 1 and self.groups.power[hand[0]] >= self.barred

    # 5. The deal

    def step(self, hand: int) -> int:
        """Return 1 if this hand goes anticlockwise, -1 if clockwise (C1)."""
        return step(self.options, hand)

    def next_dealer(self, dealer: int, past: tuple[Result, ...]) -> int:
        """Return the dealer after these hands (5.2, C3)."""
        return next_dealer(self.options, self.groups, dealer, past)

    # Legal plays

    def plays(self, view: View) -> LegalPlays[Groups]:
        """Return the legal plays of the view's seat; empty if the seat is not asked to play."""
        if not isinstance(view.ask, PlayAsk):
            return LegalPlays(self.groups, (), view.trick.top)
        return self.legal(view.hand, view.trick.top, view.must, view.ask.limit)

    def legal(self, hand: Cards, top: Combo | None, must: Card | None, limit: Note | None) -> LegalPlays[Groups]:
        """Return the legal plays of a hand on ``top`` (None: as a lead). must: a card that the play has to contain."""
        if must is None and limit is None and len(hand) != 1:
            return LegalPlays(self.groups, hand, top)
        alone = "C23.1" if self.options.last_card_ban == "highest_two" else "C23.2"
        own = conditions(hand, must, limit, alone if self.stuck(hand) else None)
        return LegalPlays(self.groups, hand, top, own)

    @property
    def open_pile(self) -> bool:
        """Whether players may look through all finished tricks, or only the last one (6.8, C25.1)."""
        return self.options.pile == "face_up"

    @property
    def late(self) -> LatePolicy:
        """The treatment of a late seat: the least legal action."""
        return "least"

    # C45 The match

    @property
    def hands(self) -> int | None:
        """The maximum number of hands in the match, None if the number of hands does not end the match."""
        return self.options.deals if self.options.match_end in ("deals", "chips_or_deals") else None

    @property
    def target(self) -> int | None:
        """The score that ends the match, or None."""
        return self.options.target if self.options.match_end == "target" else None

    def chips(self, past: tuple[Result, ...]) -> tuple[int, ...]:
        """Return the chips of each seat after these hands; empty without chips (C44.5)."""
        if self.options.match_end != "chips_or_deals":
            return ()
        paid = (payment for result in past for payment in result.payments)
        return tuple(self.options.chips + net for net in nets_of(paid, self.players))

    def ranking(self, results: tuple[Result, ...]) -> tuple[int, ...]:
        """Return a number for each seat, lowest best (3.2, C36.1, C45.2)."""
        if chips := self.chips(results):
            return tuple(-held for held in chips)
        totals = totals_of(results, self.players)
        return tuple(-total for total in totals) if self.options.positive else totals

    def is_over(self, results: tuple[Result, ...]) -> bool:
        """Tell whether the match ends with the last of these hands (C45)."""
        o = self.options
        if o.match_end == "chips_or_deals":
            return len(results) >= o.deals or min(self.chips(results)) <= 0
        if o.match_end == "open" or (o.match_end == "deals" and len(results) < o.deals):
            return False
        ranking = self.ranking(results)
        if o.match_end == "target" and self._farthest(results) < o.target:
            return False
        return o.match_tie == "shared" or ranking.count(min(ranking)) == 1

    def _farthest(self, results: tuple[Result, ...]) -> int:
        """Return the total nearest to the target or past it.

        Before version 3, positive points counted in absolute value, so a total equally far below zero reached the
        target too.
        """
        totals = totals_of(results, self.players)
        return max(map(abs, totals) if self.options.positive and self.version <= SECOND else totals)


def turns(options: Options, step: int) -> Turns:
    """Return how turns pass in this direction (C20, C24)."""
    rule, articles = options.pass_rule, Articles(turn="6.2", lead="6.7", choice="6.3")
    return Turns(
        options.players,
        articles,
        step=step,
        holds="play" if rule == "may_return" else "trick",
        beats_own=rule == "locked_beat_own",
        may_return_after_pass=rule == "may_return",
        plays_on=options.end == "play_on",
    )
