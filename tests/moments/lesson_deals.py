"""Finds deals for the lessons: `python -m tests.moments.lesson_deals big_two`.

Plays many seeds by the coach's advice against easy bots, and lists those from which a newcomer learns most.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bot.ai.coach import coach_turn
from bot.ai.plain import timeout_action
from bot.ai_pool.moves import choose_action, dice_seed
from bot.club.practice import lesson_rules
from bot.domain.chairs import Level
from bot.games import LESSONS
from bot.rules.coaching.moments import MOMENTS
from bot.rules.coaching.sheet import CoachTurn
from bot.rules.core.asks import Action, Pass, Play, write_action
from bot.rules.core.game import View
from bot.rules.matches.match import Match

LESSON_TWISTS = {  # moments of the coach that a lesson should contain, by game
    "big_two": ("play_five", "follow_five", "play_two"),
    "tien_len": ("meet_two", "throw_bomb"),
    "big_a": ("asked", "ally", "throw_bomb"),
    "a_bao": ("asked", "name", "give", "solo", "follow"),
    "big_little_a": ("a_round", "holds_a_card", "lead_a_card"),
}
MAX_TURNS = 20  # decisions of a learner, above which a lesson is too long


@dataclass(frozen=True)
class Decision:
    """A decision of the learner: the view, the coach's turn, and the action."""

    view: View
    coach: CoachTurn | None
    action: Action


@dataclass
class LessonWalk:
    """A lesson played by the coach's advice. first_out: the first seat without cards."""

    seed: str
    decisions: list[Decision] = field(default_factory=list)
    match: Match | None = None
    first_out: int | None = None

    @property
    def tricks(self) -> int:
        """The number of tricks that the learner won."""
        assert self.match is not None
        view = self.match.view(None)
        return sum(trick.owner == 0 for trick in view.ended_tricks)

    @property
    def won(self) -> bool:
        """Whether the learner gained the most points, ties included."""
        assert self.match is not None
        ranks = self.match.rules.ranking(self.match.results)
        return ranks[0] == min(ranks)

    @property
    def concepts(self) -> list[str]:
        """The concepts that the coach taught."""
        return [one.coach.concept for one in self.decisions if one.coach and one.coach.concept]

    @property
    def score(self) -> float:
        """The quality of the lesson: taught concepts minus forced passes and excess length."""
        if self.match is None or not self.decisions:
            return -100.0
        first, actions = self.decisions[0], [one.action for one in self.decisions]
        leads = first.view.trick.top is None and isinstance(first.action, Play)
        twists = sum(
            any(one.coach and MOMENTS[name](one.view, one.coach.action) for one in self.decisions)
            for name in LESSON_TWISTS[self.match.rules.game]
        )
        calls = max(len(dict(one.view.facts).get("called", ())) for one in self.decisions[:2])  # by others, in A Bāo
        passes, plays = (sum(isinstance(one, kind) for one in actions) for kind in (Pass, Play))
        good = 6 * leads + 10 * (self.first_out == 0) + 6 * twists + 10 * self.won + 2 * len(self.concepts)
        return (
            good - 3 * calls + 2 * min(self.tricks, 4) + min(plays, 12) / 2 - passes - max(0, len(actions) - MAX_TURNS)
        )


def play_lesson(game: str, seed: str, most: int = 200) -> LessonWalk:
    """Play a lesson by the coach's advice. most: decisions of the learner."""
    sheet, seen = LESSONS[game], set[str]()
    match, walked = Match.start(lesson_rules(game).rules, seed), LessonWalk(seed)
    while not match.game.result and len(walked.decisions) < most:
        for seat in sorted(match.awaited):
            view, before = match.view(seat), match
            if seat == 0:
                coach = coach_turn(view, sheet, seen)
                action = coach.action if coach else timeout_action(view)
                seen |= {coach.concept} if coach and coach.concept else set()
                walked.decisions.append(Decision(view, coach, action))
            else:
                action = choose_action(view, Level.EASY, dice_seed(seed, seat, match.ply)) or timeout_action(view)
            match = match.act(seat, action)
            counts = match.view(None).counts
            if walked.first_out is None and isinstance(action, Play) and 0 in counts:
                walked.first_out = counts.index(0)
            if match.moment != before.moment:
                break
    walked.match = match
    return walked


def describe(walked: LessonWalk) -> Iterator[str]:
    """Yield the lines that describe a lesson."""
    for number, one in enumerate(walked.decisions, 1):
        top = one.view.trick.top
        why = one.coach.why.sentence if one.coach and one.coach.why else "-"
        hand = " ".join(map(str, one.view.hand))
        yield f"{number:3} [{hand}] on {top or '-'}: {write_action(one.action)} | {why}"
        if one.coach and one.coach.concept:
            yield f"      * {one.coach.concept}"


def best_lessons(game: str, seeds: Iterable[int]) -> list[LessonWalk]:
    """Return the lessons of these seeds, best first."""
    return sorted((play_lesson(game, f"{game} {number}") for number in seeds), key=lambda one: -one.score)


def main() -> None:
    """List the best deals of a game."""
    made = argparse.ArgumentParser(description="Finds prepared deals for the lessons.")
    made.add_argument("game", choices=sorted(LESSONS))
    made.add_argument("--first", type=int, default=1)
    made.add_argument("--seeds", type=int, default=100)
    made.add_argument("--show", type=int, default=1, help="how many deals to show move by move")
    said = made.parse_args()
    walks = best_lessons(said.game, range(said.first, said.first + said.seeds))
    out = sys.stdout.write
    for one in walks[:10]:
        out(f"{one.score:6.1f} {one.seed}: {len(one.decisions)} turns, {one.tricks} tricks, won {one.won}, ")
        out(f"{len(one.concepts)} concepts\n")
    for one in walks[: said.show]:
        out(f"\n{one.seed}\n" + "\n".join(describe(one)) + "\n")


if __name__ == "__main__":
    main()
