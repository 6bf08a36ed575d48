"""A match: hands in a row under one seed, running totals, and what each player owes.

Knows how one hand follows another. Refuses to know any game: what differs is asked of the Rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from bot.rules.core.actions import Action, Again, Ready, Stop
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import Game, Result, Rules, View
from bot.rules.core.sentences import Illegal
from bot.rules.matches import style
from bot.rules.matches.achievements import Course, Deed, of_hand, of_match
from bot.rules.matches.feats import Feat, feats
from bot.rules.matches.score import Score
from bot.rules.matches.seal import Seal, deal_seed, dealer_seed, each_of, most_hands, seal


class Opening(NamedTuple):
    """Where a deal begins. deal, number: which deal and which hand of the match this is, both from 1.

    ply: how many actions led there; step: how many changes that everybody could see. dealer: who deals, see Deals.
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
    finished hands. thrown_in: how many hands were dealt again. ready: seats that want the next hand. stopped: whether a
    player has ended the match. moment: how many actions have changed what everybody can see; what several answer in
    secret counts as one. scored: the score as it was an action before. feats: what was rare in the finished hands.
    in_hands: what was done in them that is worth an achievement. counted: how they were played, see style.py.
    ply: how many actions there were. openings: where its deals begin, the current one being the last.
    """

    rules: Rules
    seed: str = field(repr=False)
    game: Game = field(repr=False)
    results: tuple[Result, ...] = ()
    thrown_in: int = 0
    ready: frozenset[int] = frozenset()
    stopped: bool = False
    moment: int = 0
    scored: Score | None = field(default=None, compare=False, repr=False)
    feats: tuple[Feat, ...] = field(default=(), compare=False, repr=False)
    in_hands: tuple[Deed, ...] = field(default=(), compare=False, repr=False)
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
        """Return the match where a deal begins. past: the results of the hands before; known: what else there is."""
        before = () if each_of(seed) else past
        game = rules.deal(SeededRandom(deal_seed(seed, opening.deal)), opening.dealer, before)
        results = (*past, game.result) if game.result else past
        thrown_in = opening.deal - opening.number
        return cls(rules, seed, game, results, thrown_in, moment=opening.step, ply=opening.ply, **known)

    @cached_property
    def number(self) -> int:
        """Which hand is being played or has just ended, from 1."""
        return len(self.results) + (self.game.result is None)

    @cached_property
    def deal(self) -> int:
        """Which deal of the match this hand is, from 1: its number, and one more for each that was thrown in."""
        return self.number + self.thrown_in

    @cached_property
    def over(self) -> bool:
        """Whether the match has ended."""
        if self.stopped or self.game.result is None:
            return self.stopped
        return self.rules.is_over(self.results) or self.deal == most_hands(self.seed)

    @property
    def to_act(self) -> frozenset[int]:
        """The seats that may act: in the hand, or, between hands, all that are not ready yet."""
        if self.game.result is None:
            return self.game.to_act
        return frozenset() if self.over else frozenset(range(self.rules.players)) - self.ready

    @cached_property
    def awaited(self) -> frozenset[int]:
        """The seats for whom the match waits: in the hand, or, between hands, all that are not ready yet."""
        return self.game.awaited if self.game.result is None else self.to_act

    @cached_property
    def seal(self) -> Seal:
        """What everybody may know of the seeds."""
        return seal(self.seed, self.deal, self.deal - (self.game.result is None))

    @cached_property
    def endless(self) -> bool:
        """Whether the match has no end of its own, so that players end it."""
        return self.view(None).endless

    @cached_property
    def score(self) -> Score:
        """How the seats stand after the finished hands; while no hand ends, what was worked out before holds."""
        known = self.scored
        return known if known is not None and known.results is self.results else Score(self.rules, self.results)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat so far."""
        return self.score.totals

    @property
    def payments(self) -> tuple[tuple[int, int, int], ...]:
        """(payer, payee, amount) for each pair with something to settle, all hands taken together."""
        return self.score.payments

    @property
    def nets(self) -> tuple[int, ...]:
        """What each seat receives in all, less what it pays; the sum is 0."""
        return self.score.nets

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat by its total, from 1; equals share the better one."""
        return self.score.places

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """What was done that is worth an achievement: in its hands and, once it is over, in all of it."""
        return (*self.in_hands, *of_match(self._course)) if self.over else self.in_hands

    @property
    def _course(self) -> Course:
        ranks = [self.rules.ranking(self.results[:number]) for number in range(1, len(self.results) + 1)]
        first = [[seat for seat, place in enumerate(result.places) if place == 1] for result in self.results]
        return Course(ranks, first, self.places)

    def view(self, seat: int | None) -> View:
        """Return what this seat, or with None any onlooker, may know of the current hand; made once."""
        found = self._views.get(seat)
        if found is None:
            found = self._views[seat] = self.game.view(seat)
        return found

    @cached_property
    def _views(self) -> dict[int | None, View]:
        """By seat."""
        return {}

    def act(self, seat: int, action: Action) -> Match:
        """Return the match that follows. Raises Illegal, and then nothing has changed."""
        if self.game.result is not None:
            return self._be_ready(seat, action)
        if isinstance(action, Again):
            return self._dealt_again(seat)
        game = self.game.act(seat, action)
        moment, ply = self.moment + (game.secrecy.sealed == 0), self.ply + 1
        if game.result is None:  # made at once: ``replace`` takes as long as the rest of a step
            return Match(
                self.rules,
                self.seed,
                game,
                self.results,
                self.thrown_in,
                self.ready,
                self.stopped,
                moment,
                self.score,
                self.feats,
                self.in_hands,
                self.counted,
                ply,
                self.openings,
            )
        results = (*self.results, game.result)
        seen = game.view(None)
        rare, done = (*self.feats, *feats(seen, len(results))), (*self.in_hands, *of_hand(seen))
        counted = self.counted + style.of_hand(seen)
        return replace(
            self,
            game=game,
            results=results,
            feats=rare,
            in_hands=done,
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
            raise Illegal(article, "You are ready already; the others are still looking.")
        ready = self.ready | {seat}
        now = replace(self, moment=self.moment + 1, ply=self.ply + 1)
        return now.next_hand() if len(ready) == self.rules.players else replace(now, ready=ready)

    def _stop(self, seat: int) -> Match:
        if not self.endless or seat not in range(self.rules.players):
            raise Illegal(self.rules.end_article, "This match ends by itself; until then it goes on.")
        return replace(self, stopped=True, moment=self.moment + 1, ply=self.ply + 1)

    def _dealt_again(self, seat: int) -> Match:
        if self.deal == most_hands(self.seed) or seat not in range(self.rules.players):
            raise Illegal(self.rules.end_article, "There is no other deal for this hand: play it to its end.")
        return replace(self, moment=self.moment + 1, ply=self.ply + 1).dealt(self.game.dealer)

    def next_hand(self) -> Match:
        """Return the match with its next hand dealt."""
        return self.dealt(self.rules.next_dealer(self.game.dealer, self.results))

    def dealt(self, dealer: int) -> Match:
        """Return the match with its next deal, by this dealer; a hand on its own follows from no other."""
        if each_of(self.seed):
            dealer = self.rules.first_dealer(SeededRandom(dealer_seed(self.seed, self.deal + 1)))
        opening = Opening(self.deal + 1, len(self.results) + 1, self.ply, self.moment, dealer)
        return Match.opened(
            self.rules,
            self.seed,
            opening,
            self.results,
            scored=self.score,
            feats=self.feats,
            in_hands=self.in_hands,
            counted=self.counted,
            openings=(*self.openings, opening),
        )
