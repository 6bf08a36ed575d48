"""5, 6 and 8. The state of a hand: its beginning, drawing, precaution and public facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeVar

from bot.domain.message_ids import N_
from bot.rules.big_two.groups import Groups
from bot.rules.big_two.rules import BigTwoRules
from bot.rules.core.cards import Card, Cards, SeededRandom, shuffled
from bot.rules.core.game import Result
from bot.rules.core.sentences import Note, Of, Seat
from bot.rules.core.trick import EMPTY, Combo, Move, Trick


class Dealt(NamedTuple):
    """The deal of a hand.

    step: 1 anticlockwise, -1 clockwise (C1). cut: the card of the cut (5.4). draws: the cards drawn by the seats for
    the deal (C7.2). chips: of each seat before this hand (C44.5). extra: the card in the middle (C39). luck: the seed
    for shuffling a refilled stock, secret like the stock. lead: the starter determined by an earlier hand, None if the
    lowest card decides (C4). facts: the public facts, if constant during the hand.
    """

    dealer: int
    step: int = 1
    cut: Card | None = None
    draws: Cards = ()
    chips: tuple[int, ...] = ()
    extra: Card | None = None
    luck: int = 0
    lead: int | None = None
    facts: tuple[tuple[str, Any], ...] = ()


class KnownCard(NamedTuple):
    """A card known in another player's hand. to: the seat that knows it, None for all."""

    holder: int
    card: Card
    to: int | None = None


class HandProgress(NamedTuple):
    """The progress of a hand besides its tricks.

    starter: the seat that made or makes the first play. low: the lowest dealt card, if its holder started. taker: the
    seat with the extra card. giving: the seat that waits for a card from the seat on turn (C40). private_notes:
    the latest, by seat. out: the seats that went out, in order. specials: special combinations played and not beaten
    (C37.1). final: the winner's last combination. charged: the seat that pays for all (8.4). reshuffles: the number of
    refills of the stock.
    """

    starter: int
    low: Card | None = None
    taker: int | None = None
    giving: int | None = None
    private_notes: tuple[tuple[Note, ...], ...] = ()
    out: tuple[int, ...] = ()
    specials: tuple[tuple[int, Combo], ...] = ()
    final: Combo | None = None
    charged: int | None = None
    reshuffles: int = 0


def first_facts(dealt: Dealt) -> tuple[tuple[str, Any], ...]:
    """Return the facts that are public in every game: the dealer and the cut."""
    return (("dealer", Seat(dealt.dealer)), *((("cut", dealt.cut),) if dealt.cut else ()))


@dataclass(frozen=True, slots=True)
class Breach:
    """A duty that a seat has just neglected.

    stopper: the card required by the duty, None if the duty was to lead more than one card (8.3).
    """

    seat: int
    stopper: Card | None


def breach(rules: BigTwoRules, seat: int, hand: Cards, top: Combo | None, *, played: Combo | None) -> Breach | None:
    """Return the breach in this step before a player with one card, or None.

    hand: before the step, weakest first. top: the play to beat, None on a lead. played: None for a pass.
    """
    groups, highest = rules.groups, hand[-1]
    if rules.stuck(hand):  # C23.4: the seat has no legal play
        return None
    if played and (len(played.cards) > 1 or (played.head == highest and top is not None)):  # 8.8; 8.2 kept
        return None
    if top is None:
        return _breach_leading(groups, seat, hand, played)
    if len(top.cards) != 1:  # 8.6
        return None
    return Breach(seat, highest) if groups.power[highest] > groups.power[top.head] else None


def _breach_leading(groups: Groups, seat: int, hand: Cards, played: Combo | None) -> Breach | None:
    """8.3: a lead must have several cards if possible, else be the highest card."""
    if played is None:
        return None
    if any(len(combo.cards) > 1 for combo in groups.over(hand, None)):
        return Breach(seat, None)
    return None if played.head == hand[-1] else Breach(seat, hand[-1])


def offender(rules: BigTwoRules, last: Breach | None, winning: Combo) -> int | None:
    """Return the seat that pays for all, or None (8.1, 8.4, 8.5).

    winning: the last combination of the winner.
    """
    if last is None or len(winning.cards) != 1:
        return None
    power = rules.groups.power
    stopped = last.stopper is None or power[last.stopper] > power[winning.head]
    return last.seat if stopped or rules.options.pay_all_test == "breach" else None


class BigTwoState(NamedTuple):
    """A hand in progress.

    hands: each seat's cards, weakest first. turn: the seat on turn. stock: undealt cards.
    """

    rules: BigTwoRules
    dealt: Dealt
    hands: tuple[Cards, ...]
    turn: int
    must: Card | None
    progress: HandProgress
    stock: Cards = ()
    shown: tuple[KnownCard, ...] = ()
    trick: Trick = EMPTY
    tricks: tuple[Trick, ...] = ()
    breach: Breach | None = None
    result: Result | None = None

    def __repr__(self) -> str:
        """Return the progress of the hand, without the cards held, to keep them out of logs."""
        return f"<BigTwoGame turn={self.turn} counts={tuple(map(len, self.hands))} tricks={len(self.tricks)}>"

    @property
    def dealer(self) -> int:
        """The dealer."""
        return self.dealt.dealer

    @property
    def hidden_cards(self) -> Cards:
        """The stock, with the extra card until a seat takes it."""
        waiting = self.dealt.extra is not None and self.progress.taker is None
        return (*self.stock, *((self.dealt.extra,) if waiting and self.dealt.extra else ()))

    def without_notes(self, seat: int) -> HandProgress:
        """Return the progress after a seat acted on its private notes."""
        private_notes = self.progress.private_notes
        if not private_notes or not private_notes[seat]:
            return self.progress
        return self.progress._replace(private_notes=(*private_notes[:seat], (), *private_notes[seat + 1 :]))

    def with_notes(self, notes: dict[int, Note], **changes: Any) -> Self:
        """Return the game with private notes added, and with other changes of its progress."""
        kept = self.progress.private_notes or ((),) * len(self.hands)
        private_notes = tuple((*old, notes[seat]) if seat in notes else old for seat, old in enumerate(kept))
        return self._replace(progress=self.progress._replace(private_notes=private_notes, **changes))


S = TypeVar("S", bound=BigTwoState)


def begun(game: S) -> S:
    """Return the game with the extra card taken and the starter found (6.1, C4, C38.2, C39)."""
    holder, lowest = lowest_dealt(game)
    if game.dealt.extra:
        game = _with_extra(game, holder, lowest, game.dealt.extra)
        _, lowest = lowest_dealt(game)
    lead = game.dealt.lead
    if lead is not None:
        return game._replace(turn=lead, progress=game.progress._replace(starter=lead))
    return game._replace(
        turn=holder,
        must=lowest if game.rules.options.low_card_in_first_play else None,
        shown=tuple(dict.fromkeys((*game.shown, KnownCard(holder, lowest)))),
        progress=game.progress._replace(starter=holder, low=lowest),
    )


def lowest_dealt(game: BigTwoState) -> tuple[int, Card]:
    """Return the holder of the lowest card in any hand, and the card."""
    holder = min(range(len(game.hands)), key=lambda seat: game.rules.groups.power[game.hands[seat][0]])
    return holder, game.hands[holder][0]


def _with_extra(game: S, holder: int, lowest: Card, extra: Card) -> S:
    """C39: the holder of the lowest card takes the card in the middle."""
    hands = list(game.hands)
    hands[holder] = game.rules.sort((*hands[holder], extra))
    open_cards = (lowest, extra) if game.rules.options.extra_card == "face_up" else (lowest,)
    private_notes = {holder: Note("C39.1", "You took the extra card, {card}.", (("card", extra),))}
    shown = (*game.shown, *(KnownCard(holder, card) for card in open_cards))
    return game._replace(hands=tuple(hands), shown=shown).with_notes(private_notes, taker=holder)


AnyState = TypeVar("AnyState", bound=BigTwoState)
DREW = N_("You drew {cards}.")


def to_draw(game: BigTwoState, seat: int) -> int:
    """Return the number of cards drawn after a pass now."""
    wish, top = game.rules.options.draw_on_pass, game.trick.top
    if wish == "none" or seat == game.trick.owner:  # C20.4
        return 0
    return min(len(top.cards) if top and wish == "combo_size" else 1, in_stock(game))


def in_stock(game: BigTwoState) -> int:
    """Return the number of cards that could be drawn, with tricks that return to the stock."""
    o = game.rules.options
    back = o.stock_exhausted == "reshuffle" and game.progress.reshuffles < o.reshuffles  # C41.3: so every hand ends
    return len(game.stock) + (sum(len(trick.cards) for trick in game.tricks) if back else 0)


def drawn(game: AnyState, seat: int, count: int) -> AnyState:
    """Return the game after a seat drew cards.

    A short stock is first refilled from the finished tricks.
    """
    if count > len(game.stock):
        back = [held for trick in game.tricks for held in trick.cards]
        anew = shuffled(back, SeededRandom(f"{game.dealt.luck}:{game.progress.reshuffles}"))
        progress = game.progress._replace(reshuffles=game.progress.reshuffles + 1)
        game = game._replace(stock=(*game.stock, *anew), tricks=(), progress=progress)
    taken = game.stock[:count]
    hands = (*game.hands[:seat], game.rules.sort(game.hands[seat] + taken), *game.hands[seat + 1 :])
    private_notes = {seat: Note("C41.1", DREW, (("cards", taken),))}
    return game._replace(hands=hands, stock=game.stock[count:]).with_notes(private_notes)


Fact = tuple[str, Any]


def facts_of(game: BigTwoState) -> tuple[Fact, ...]:
    """Return the public facts in display order."""
    return (*first_facts(game.dealt), *_of_the_deal(game), *_of_the_play(game))


def _of_the_deal(game: BigTwoState) -> Iterator[Fact]:
    o, dealt, progress = game.rules.options, game.dealt, game.progress
    if dealt.draws:
        yield "draws", dealt.draws
    if o.direction == "alternate":
        yield "anticlockwise" if dealt.step == 1 else "clockwise", None
    if dealt.extra and o.extra_card == "face_up":
        yield "extra", dealt.extra
    for name, seat in (("giving", progress.giving), ("taker", progress.taker), ("lead", dealt.lead)):
        if seat is not None:
            yield name, Seat(seat)
    if progress.low and game.stock:
        yield "low", progress.low
    if dealt.chips:
        yield "chips", _each(enumerate(dealt.chips))


def _of_the_play(game: BigTwoState) -> Iterator[Fact]:
    o, progress = game.rules.options, game.progress
    if o.bands_for != "all" and (game.tricks or game.trick.moves):
        yield "starter", Seat(progress.starter)
    if o.draw_on_pass != "none":
        yield "stock", len(game.stock)
    if progress.reshuffles:
        yield "reshuffles", progress.reshuffles
    counts = enumerate(map(len, game.hands))
    if o.announce_at and (few := [(seat, count) for seat, count in counts if count in o.announce_at]):
        yield "announced", _each(few)
    if progress.specials:
        yield "specials", tuple(Move(seat, combo) for seat, combo in progress.specials)
    if progress.out and o.end == "play_on":
        yield "out", tuple(map(Seat, progress.out))


def _each(numbers: Iterable[tuple[int, int]]) -> tuple[Of, ...]:
    return tuple(Of(Seat(seat), number) for seat, number in numbers)
