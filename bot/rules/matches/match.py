"""A match: a series of hands from one seed, with running totals and payments.

Independent of any game: differences between games come from the Rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from bot.rules.core.asks import Action, Again, Ready, Stop
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import Game, Result, Rules, View
from bot.rules.core.sentences import Illegal
from bot.rules.matches import style
from bot.rules.matches.achievements import (
    Achievement,
    Feat,
    MatchCourse,
    achievements_of_hand,
    achievements_of_match,
    feats,
)
from bot.rules.matches.score import Score
from bot.rules.matches.seal import Seal, deal_seed, dealer_seed, has_independent_hands, max_hands, seal


class Opening(NamedTuple):
    """The beginning of a deal.

    deal, number: of the deal and the hand in this match, both from 1. ply: the number of earlier actions; step: the
    number of earlier public changes. dealer: see DealRules.
    """

    deal: int
    number: int
    ply: int
    step: int
    dealer: int


@dataclass(frozen=True)
class Match:
    """A match in progress: an immutable value.

    seed: secret until the match is over. game: the current hand, or the one that has just ended. results: of the
    finished hands. cancelled_deals: the number of cancelled deals. ready: the seats that agreed to the next hand.
    stopped: whether a player ended the match. moment: the number of actions with a public change; several secret
    answers count as one. scored: the score before the last action. feats: rare plays of the finished hands.
    hand_achievements: achievements in the finished hands. counted: playing style in the finished hands, see style.py.
    ply: the number of actions. openings: the beginnings of the deals, the current one last.
    """

    rules: Rules
    _: KW_ONLY
    seed: str = field(repr=False)
    game: Game = field(repr=False)
    results: tuple[Result, ...] = ()
    cancelled_deals: int = 0
    ready: frozenset[int] = frozenset()
    stopped: bool = False
    moment: int = 0
    scored: Score | None = field(default=None, compare=False, repr=False)
    feats: tuple[Feat, ...] = field(default=(), compare=False, repr=False)
    hand_achievements: tuple[Achievement, ...] = field(default=(), compare=False, repr=False)
    counted: Counter[tuple[int, str]] = field(default_factory=Counter, compare=False, repr=False)
    ply: int = field(default=0, compare=False)
    openings: tuple[Opening, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def start(cls, rules: Rules, seed: str) -> Match:
        """Return the match with its first hand dealt."""
        opening = Opening(1, 1, 0, 0, rules.first_dealer(SeededRandom(dealer_seed(seed))))
        return cls.opened(rules, seed, opening, openings=(opening,))

    @classmethod
    def opened(cls, rules: Rules, seed: str, opening: Opening, past: tuple[Result, ...] = (), **known: Any) -> Match:
        """Return the match at the beginning of a deal.

        past: the results of earlier hands; known: further fields.
        """
        before = () if has_independent_hands(seed) else past
        game = rules.deal(SeededRandom(deal_seed(seed, opening.deal)), opening.dealer, before)
        results = (*past, game.result) if game.result else past
        cancelled_deals = opening.deal - opening.number
        return cls(
            rules,
            seed=seed,
            game=game,
            results=results,
            cancelled_deals=cancelled_deals,
            moment=opening.step,
            ply=opening.ply,
            **known,
        )

    @cached_property
    def number(self) -> int:
        """The number of the current hand, or of the one just ended, from 1."""
        return len(self.results) + (self.game.result is None)

    @cached_property
    def deal(self) -> int:
        """The number of the current deal in the match, from 1: hands plus cancelled deals."""
        return self.number + self.cancelled_deals

    @cached_property
    def over(self) -> bool:
        """Whether the match has ended."""
        if self.stopped or self.game.result is None:
            return self.stopped
        return self.rules.is_over(self.results) or self.deal == max_hands(self.seed)

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act: in the hand, or, between hands, the seats not ready yet."""
        if self.game.result is None:
            return self.game.to_act
        return frozenset() if self.over else frozenset(range(self.rules.players)) - self.ready

    @cached_property
    def awaited(self) -> frozenset[int]:
        """The seats that the match waits for.

        These are the awaited seats of the hand or, between hands, the seats not ready yet.
        """
        return self.game.awaited if self.game.result is None else self.to_act

    @cached_property
    def seal(self) -> Seal:
        """The public information about the seeds."""
        return seal(self.seed, self.deal, self.deal - (self.game.result is None))

    @cached_property
    def endless(self) -> bool:
        """Whether the match has no end of its own: the players end the match."""
        return self.view(None).endless

    @cached_property
    def score(self) -> Score:
        """The score after the finished hands; cached while no hand ends."""
        known = self.scored
        return known if known is not None and known.results is self.results else Score(self.rules, self.results)

    @property
    def totals(self) -> tuple[int, ...]:
        """The total points of each seat."""
        return self.score.totals

    @property
    def payments(self) -> tuple[tuple[int, int, int], ...]:
        """(payer, payee, amount) for each pair with a debt, over all hands."""
        return self.score.payments

    @property
    def nets(self) -> tuple[int, ...]:
        """The total received minus the total paid by each seat; the sum is 0."""
        return self.score.nets

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat by its total, from 1; ties share the better place."""
        return self.score.places

    @property
    def deeds(self) -> tuple[Achievement, ...]:
        """The achievements in the hands and, after the end, in the whole match."""
        return (*self.hand_achievements, *achievements_of_match(self._course)) if self.over else self.hand_achievements

    @property
    def _course(self) -> MatchCourse:
        ranks = [self.rules.ranking(self.results[:number]) for number in range(1, len(self.results) + 1)]
        first = [[seat for seat, place in enumerate(result.places) if place == 1] for result in self.results]
        return MatchCourse(ranks, first, self.places)

    def view(self, seat: int | None) -> View:
        """Return the view of this seat (None for a spectator) of the current hand; cached."""
        found = self._views.get(seat)
        if found is None:
            found = self._views[seat] = self.game.view(seat)
        return found

    @cached_property
    def _views(self) -> dict[int | None, View]:
        return {}

    def act(self, seat: int, action: Action) -> Match:
        """Return the match after an action. Raises Illegal for a forbidden action."""
        if self.game.result is not None:
            return self._be_ready(seat, action)
        if isinstance(action, Again):
            return self._dealt_again(seat)
        game = self.game.act(seat, action)
        moment, ply = self.moment + (game.secrecy.sealed == 0), self.ply + 1
        if game.result is None:  # constructed directly: ``replace`` would take as long as the rest of a step
            return Match(
                self.rules,
                seed=self.seed,
                game=game,
                results=self.results,
                cancelled_deals=self.cancelled_deals,
                ready=self.ready,
                stopped=self.stopped,
                moment=moment,
                scored=self.score,
                feats=self.feats,
                hand_achievements=self.hand_achievements,
                counted=self.counted,
                ply=ply,
                openings=self.openings,
            )
        results = (*self.results, game.result)
        seen = game.view(None)
        rare, done = (*self.feats, *feats(seen, len(results))), (*self.hand_achievements, *achievements_of_hand(seen))
        counted = self.counted + style.hand_counts(seen)
        return replace(
            self,
            game=game,
            results=results,
            feats=rare,
            hand_achievements=done,
            counted=counted,
            moment=moment,
            scored=self.score,
            ply=ply,
        )

    def _be_ready(self, seat: int, action: Action) -> Match:
        article = self.rules.end_article
        if self.over:
            raise Illegal(article, "This match is over.")
        if isinstance(action, Stop):
            return self._stop(seat)
        if not isinstance(action, Ready):
            raise Illegal(article, "This hand is over.")
        if seat not in self.to_act:
            raise Illegal(article, "You're ready. Waiting for the others.")
        ready = self.ready | {seat}
        now = replace(self, moment=self.moment + 1, ply=self.ply + 1)
        return now.next_hand() if len(ready) == self.rules.players else replace(now, ready=ready)

    def _stop(self, seat: int) -> Match:
        if not self.endless or seat not in range(self.rules.players):
            raise Illegal(self.rules.end_article, "This match has a fixed end, so it can't be stopped like this.")
        return replace(self, stopped=True, moment=self.moment + 1, ply=self.ply + 1)

    def _dealt_again(self, seat: int) -> Match:
        if self.deal == max_hands(self.seed) or seat not in range(self.rules.players):
            raise Illegal(self.rules.end_article, "This hand can't be dealt again: finish it.")
        return replace(self, moment=self.moment + 1, ply=self.ply + 1).dealt(self.game.dealer)

    def next_hand(self) -> Match:
        """Return the match with its next hand dealt."""
        return self.dealt(self.rules.next_dealer(self.game.dealer, self.results))

    def dealt(self, dealer: int) -> Match:
        """Return the match with the next deal, by this dealer.

        A hand on its own draws its own dealer.
        """
        if has_independent_hands(self.seed):
            dealer = self.rules.first_dealer(SeededRandom(dealer_seed(self.seed, self.deal + 1)))
        opening = Opening(self.deal + 1, len(self.results) + 1, self.ply, self.moment, dealer)
        return Match.opened(
            self.rules,
            self.seed,
            opening,
            self.results,
            scored=self.score,
            feats=self.feats,
            hand_achievements=self.hand_achievements,
            counted=self.counted,
            openings=(*self.openings, opening),
        )
