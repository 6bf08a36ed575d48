"""1-3 and 10. The rules of Big Two for one set of options: facts, plays, dealers, match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bot.domain.message_ids import N_
from bot.rules.big_two.groups import Groups, groups
from bot.rules.big_two.options import PACK, Options
from bot.rules.big_two.score import loser
from bot.rules.big_two.tables import COMBINATIONS, DECKS, HONOURS
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import Card, Cards
from bot.rules.core.game import Drawn, LatePolicy, Result, View
from bot.rules.core.legality import CombinationRules, Condition, LegalPlays, must_contain
from bot.rules.core.points import Dealing, totals_of
from bot.rules.core.sentences import CombinationName, Illegal, Note
from bot.rules.core.trick import Combo
from bot.rules.core.turns import Articles, Turns
from bot.rules.matches.score import nets_of
from bot.rules.variants.registration import SECOND, VERSION

FACTS = {
    "dealer": N_("{value} dealt this hand."),
    "cut": N_("The cut showed {value}."),
    "draws": N_("Draw for the deal: {value}."),
    "clockwise": N_("This hand goes clockwise."),
    "anticlockwise": N_("This hand goes counterclockwise."),
    "extra": N_("The extra card is {value}."),
    "giving": N_("{value} is waiting for a card from the winner."),
    "taker": N_("{value} took the extra card."),
    "low": N_("The lowest card dealt is {value}."),
    "lead": N_("{value} starts: the last hand decided that."),
    "starter": N_("{value} made the first play."),
    "chips": N_("Chips: {value}."),
    "stock": N_("Cards to draw: {value}."),
    "reshuffles": N_("Times the stock was reshuffled: {value}."),
    "announced": N_("Announced: {value}."),
    "specials": N_("Unbeaten specials: {value}."),
    "out": N_("Already out: {value}."),
}
OPENING = frozenset(("dealer", "cut", "draws", "low", "lead"))
LOUD: Mapping[str, tuple[Any, ...]] = {  # options with more public facts than dealer and cut
    "direction": ("alternate",),
    "dealer": ("round_draw",),
    "extra_card": ("face_up", "face_down"),
    "starter": ("first_low_then_winner", "first_low_then_loser", "rounds"),
    "exchange": ("loser_highest_for_any",),
    "bands_for": ("starter_only", "starter_below_13"),
    "draw_on_pass": ("one", "combo_size"),
    "announce_at": ((1,), (1, 2)),
    "end": ("play_on",),
    "scoring": ("indonesia",),
    "match_end": ("chips_or_deals",),
}


HIGHEST = Note("C22.2", "The next player has one card: play your highest card, or more than one.")
OUT_OF_TURN = Note("C16.1", "It's not your turn, but you can jump in with an honor hand.")


def conditions(hand: Cards, must: Card | None, limit: Note | None, alone: str | None) -> tuple[Condition, ...]:
    """Return the conditions on a play of this hand, in the order of the articles.

    must: a card that the play has to contain. limit: HIGHEST if the next player has one card (C22.2), OUT_OF_TURN if
    the hand is not on turn (C16). alone: the article that forbids going out with the last card as a single (C23).
    """
    own: list[Condition] = []
    if must is not None:
        own.append(must_contain(must, "6.1"))
    if limit == OUT_OF_TURN:
        own.append(_honour)
    if limit == HIGHEST:
        own.append(_highest_of(hand))
    if alone is not None:
        own.append(_not_alone(alone))
    return tuple(own)


def _honour(combo: Combo) -> Illegal | None:
    return None if combo.kind in HONOURS else Illegal("C16.1", "Out of turn, you can only play an honor hand.")


def _highest_of(hand: Cards) -> Condition:
    def refused(combo: Combo) -> Illegal | None:
        lower = len(combo.cards) == 1 and combo.head != hand[-1]
        return Illegal(HIGHEST.article, HIGHEST.sentence) if lower else None

    return refused


def _not_alone(article: str) -> Condition:
    def refused(combo: Combo) -> Illegal | None:
        alone = len(combo.cards) == 1
        return Illegal(article, "You can't go out with just {card}.", card=combo.head) if alone else None

    return refused


STEPS = {"anticlockwise": 1, "clockwise": -1}


def step(options: Options, number: int) -> int:
    """Return 1 if the hand of this number goes anticlockwise, -1 if clockwise (C1)."""
    if options.direction != "alternate":
        return STEPS[options.direction]
    return STEPS[options.alternate_first] * (1 if number % 2 else -1)


def first_seat(options: Options, dealer: int, cut: Card | None, number: int = 1) -> int:
    """Return the seat of the first card.

    The count from the dealer goes up to the rank of the cut (5.5, C2, C38.1).
    """
    ahead = DECKS[options.deck].natural.index(cut.rank) if cut else 1
    return (dealer + step(options, number) * ahead) % options.players


def drawn_dealer(groups: Groups, draws: Cards) -> int:
    """Return the dealer of a new round: the seat that drew the highest card (C7.2)."""
    return max(range(len(draws)), key=lambda seat: groups.power[draws[seat]])


def new_round(options: Options, number: int) -> bool:
    """Tell whether a round begins with the hand of this number (C7.1)."""
    return (number - 1) % options.round_deals == 0


def leader(options: Options, groups: Groups, past: tuple[Result, ...]) -> int | None:
    """Return the starter of the next hand, None if the lowest card decides (C4)."""
    o, number = options, len(past) + 1
    by_card = o.starter == "low_card" or number == 1 or not past[-1].order
    if by_card or (o.starter == "rounds" and new_round(o, number)):
        return None
    return loser(groups, past[-1]) if o.starter == "first_low_then_loser" else past[-1].order[0]


def next_dealer(options: Options, groups: Groups, dealer: int, past: tuple[Result, ...]) -> int:
    """Return the dealer after these hands (5.2, C3).

    A draw for the deal takes place later, at the deal.
    """
    o, last = options, past[-1]
    if not last.order:  # C3.3
        return dealer
    if o.dealer == "loser" or o.starter == "first_low_then_loser":
        return loser(groups, last)
    return (dealer + step(o, 1)) % o.players if o.dealer == "rotate" else last.order[0]


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
    names: ClassVar[Mapping[str, CombinationName]] = COMBINATIONS
    facts: ClassVar[Mapping[str, str]] = FACTS
    opening: ClassVar[frozenset[str]] = OPENING
    drawn: ClassVar[Mapping[str, Drawn]] = {"starter": "detail"}
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
        """Return the legal plays of a hand on ``top`` (None: as a lead).

        must: a card that the play has to contain.
        """
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
    def late_policy(self) -> LatePolicy:
        """The treatment of a late seat: the least legal action."""
        return "least"

    # C45 The match

    @property
    def hands(self) -> int | None:
        """The maximum number of hands in the match, None if the number does not end the match."""
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
