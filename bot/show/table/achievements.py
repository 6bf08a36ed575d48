"""Achievements: a player's own, and some still to come.

Those of a match are found by `bot/rules/matches/achievements.py`, those of a career by `bot/ratings/player_summary.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from bot.domain.message_ids import N_
from bot.ratings.player_summary import CAREER_MINIMUMS
from bot.rules.core.sentences import Seat
from bot.rules.matches.achievements import Achievement
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, PrivateScreen, button, lines, private, row, small
from bot.show.kit.words import MessageText, Words, join

MEDALS: Final = "achievements"  # the verb: show a player's achievements
TOLD: Final = 2  # of a match, on its end card


class Medal(NamedTuple):
    """An achievement. title: its name; how: the condition."""

    sign: str
    title: str
    how: str


MEDAL: Final[Mapping[str, Medal]] = {
    "dragon": Medal("🐉", N_("Dragon"), N_("twelve cards or more in one play")),
    "counter": Medal("💥", N_("Not so fast"), N_("beat a bomb with a bomb")),
    "alone": Medal("🎤", N_("One-man show"), N_("nobody else played a card")),
    "blitz": Medal("⚡", N_("Blitz"), N_("out within three tricks")),
    "perfect": Medal("👑", N_("Clean sweep"), N_("won every hand of a match")),
    "comeback": Medal("🪂", N_("Comeback"), N_("last at half-time, and won")),
    "conductor": Medal("🎼", N_("Conductor"), N_("led every trick of a hand")),
    "photo": Medal("📸", N_("Photo finish"), N_("won a match by one point")),
    "wire": Medal("🚩", N_("Front runner"), N_("ahead after every hand of a match")),
    "sprint": Medal("🏃", N_("Sprint"), N_("thirteen cards in five plays")),
    "grand_exit": Medal("🎆", N_("Grand exit"), N_("went out with five cards or more")),
    "late_riser": Medal("🌙", N_("Late riser"), N_("first out, without playing in the first two tricks")),
    "patient": Medal("🧘", N_("Patience"), N_("passed five times, and was first out")),
    "never_passed": Medal("🚂", N_("Unstoppable"), N_("first out without passing")),
    "last_tricks": Medal("🧹", N_("Broom"), N_("took the last five tricks")),
    "bomb": Medal("💣", N_("Bomb"), N_("bombed someone")),
    "six": Medal("🚌", N_("Full bus"), N_("six cards or more in one play")),
    "hoarder": Medal("🐿️", N_("Hoarder"), N_("took five cards or more at once")),
    "steady": Medal("⚓", N_("Steady"), N_("never last after any hand of a match")),
    "marathon": Medal("🏔️", N_("Marathon"), N_("a match of twenty hands")),
    "so_close": Medal("😩", N_("So close"), N_("one card short")),
    "spectator": Medal("🍿", N_("Best seat in the house"), N_("not a single card played")),
    "wins_1": Medal("🌱", N_("First win"), N_("won a match")),
    "wins_10": Medal("🥉", N_("Ten wins"), N_("won ten matches")),
    "wins_50": Medal("🥈", N_("Fifty wins"), N_("won fifty matches")),
    "wins_100": Medal("🥇", N_("A hundred wins"), N_("won a hundred matches")),
    "row_3": Medal("🔥", N_("Hat trick"), N_("won three matches in a row")),
    "row_5": Medal("☄️", N_("On fire"), N_("won five matches in a row")),
    "hands_100": Medal("🎴", N_("Regular"), N_("played a hundred hands")),
    "hands_1000": Medal("🗿", N_("Fixture"), N_("played a thousand hands")),
    "all_games": Medal("🧭", N_("Explorer"), N_("played all five games")),
    "week": Medal("📅", N_("Every day"), N_("finished a match seven days in a row")),
    "rating_1700": Medal("📈", N_("Rising"), N_("rated 1700")),
    "rating_2000": Medal("🦅", N_("High flyer"), N_("rated 2000")),
}
QUIET: Final = ("so_close", "spectator", "bomb", "six", "marathon", "steady", "hoarder")  # not shown on end cards


def achievements(name: str, done: Mapping[str, int], back: Browse, w: Words) -> PrivateScreen:
    """Return a player's achievements, the rarest first, and some of those still to come.

    done: counts by code.
    """
    reached = [code for code in MEDAL if code in done]
    missing = [w(MEDAL[code].how) for code in _next(done)]
    return private(
        Accent.BOOK,
        lines(f"## {w.show(name)}", w("{n} of {all} achievements", n=len(reached), all=len(MEDAL))),
        "\n".join(_line(code, done[code], w) for code in reached) or w("Just play, and your first one will come."),
        small(w("Still to come: {what}", what=join(missing))) if missing else None,
        row(button(w("Back"), back)),
    )


def _next(done: Mapping[str, int]) -> list[str]:
    """Return a few missing achievements.

    The most common ones come first, then those that take long.
    """
    deeds = [code for code in reversed(list(MEDAL)) if code not in CAREER_MINIMUMS and code not in done]
    others = [code for code in CAREER_MINIMUMS if code not in done]
    return [*deeds[:4], *others[:2]]


def _line(code: str, times: int, w: Words) -> MessageText:
    medal = MEDAL[code]
    often = [MessageText(f"×{times}")] if times > 1 else []
    return MessageText(f"{medal.sign} {join((MessageText(f'**{w(medal.title)}**'), w(medal.how), *often))}")


def rarest_achievements(deeds: Iterable[Achievement], w: Words) -> MessageText:
    """Return the rarest achievements in a match, in a line; empty without any."""
    order = list(MEDAL)
    rare = sorted(
        {deed for deed in deeds if deed.code in MEDAL and deed.code not in QUIET},
        key=lambda deed: (order.index(deed.code), deed.seat),
    )
    return join(
        MessageText(
            f"{MEDAL[deed.code].sign} {w('{seat}: {title}', seat=Seat(deed.seat), title=w(MEDAL[deed.code].title))}"
        )
        for deed in rare[:TOLD]
    )
