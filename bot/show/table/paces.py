"""Paces in words: names, meanings, expected match lengths, and parsing of typed paces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Final

from discord import SelectOption, ui

from bot.domain.chairs import PACE_VOTES
from bot.domain.languages import LANGUAGES
from bot.domain.message_ids import N_
from bot.domain.pace import (
    DAY,
    HOUR,
    MOVE_BOUNDS,
    PACE_KINDS,
    RESERVE_BOUNDS,
    TIMEOUT_ACTIONS,
    Pace,
    PaceKind,
    ReactionSetting,
    TimeoutAction,
    max_absence,
    usual_timeout_action,
    write_span,
)
from bot.games import GAMES
from bot.scene import Scene, Terms
from bot.show.kit.custom_ids import Browse
from bot.show.kit.forms import Field, form
from bot.show.kit.layout import option
from bot.show.kit.words import MessageText, Words, format_exact, sentences, words
from bot.show.typed.durations import Unclear, one_span, readings
from bot.show.typed.games import plain
from bot.show.typed.word_table import named

# The verbs: this pace, also with another leave, hint or reaction setting; type other times.
PACE, GIVE_AWAY, GIVE_HINTS, OTHER = "rule_pace", "rule_away", "rule_hints", "rule_times"
GIVE_REACTIONS = "rule_reactions"
KIND, MOVE, RESERVE, ELSE, LATE = "kind", "move", "reserve", "away", "late"  # fields of the form
STOPS, OPENLY, ROTATE = "stops", "openly", "rotate"
# options: vacations stop the clock; players who can only pass do so at once; seats move on at a rematch
ROTATED = N_("In a rematch, everyone moves over one seat.")
NOT_ROTATED = N_("In a rematch, everyone keeps their seat.")
TIME = 20  # characters of a typed time
NAMES: Final[Mapping[PaceKind, str]] = {
    "live": N_("Live"),
    "relaxed": N_("Relaxed"),
    "daily": N_("A move a day"),
    "none": N_("No clock"),
}
SAID: Final[Mapping[PaceKind, str]] = {
    "live": N_("Live: {time} a move"),
    "relaxed": N_("Relaxed: {time} a move"),
    "daily": N_("A move a day: {reserve} in total, each move adds {time}"),
    "none": N_("No clock"),
}
MEANING: Final[Mapping[PaceKind, str]] = {
    "live": N_("Everyone's here and plays right away."),
    "relaxed": N_("Play whenever you have a moment. Your clock stops while you sleep."),
    "daily": N_("Play once or twice a day. Unused time carries over, and the clock stops while you sleep."),
    "none": N_("Nobody's ever too late; I just remind the player who's up."),
}
PRESETS: Final = tuple(PACE_VOTES.values())
LATE_PASSES = N_("If you're late, you pass; after three in a row, a bot takes over until you're back.")  # live
LATE_SAID: Final[Mapping[TimeoutAction, str]] = {
    "pass": N_("Late players pass; the second time in a row, a bot takes over until they're back."),
    "house": N_("If you're late, a bot takes over until you're back."),
    "nudge": N_("Nobody's ever too late here; I just remind them."),
}
LATE_NAMES: Final[Mapping[TimeoutAction, str]] = {
    "pass": N_("Pass first, then a bot takes over"),
    "house": N_("A bot takes over right away"),
    "nudge": N_("Only a reminder"),
}
NO_AWAY = N_("Vacations don't stop the clock here.")
AWAYS: Final = (12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY)  # options of the menu
GIVEN_AWAY = N_("A moderator can offer the seat of a player who hasn't moved for {time}.")
AFTER = N_("A seat can be offered after {time}")
USUALLY = N_("A seat can be offered after {time}, as usual")
HINTS: Final[Mapping[bool, str]] = {
    True: N_("Everyone gets hints here."),
    False: N_("No hints here."),
}
USUAL_HINTS = N_("Hints only when playing alone")
HINTS_CHOSEN: Final[Mapping[bool, str]] = {True: N_("Hints for everyone"), False: N_("No hints")}
REACTIONS_CHOSEN: Final[Mapping[ReactionSetting, str]] = {
    "on": N_("Reactions for all players"),
    "teasing": N_("Reactions with 🐔"),
    "off": N_("No reactions"),
}
ALL_ASKED = N_("Players with too few cards to beat a play are asked, too.")
WHICH_UNIT = N_("Does {typed} mean {one} or {other}? Write the unit too, such as 90 s, 8 h or 2 d.")
NO_UNIT = N_("What is {unit} in {typed}? Write the time like this: 90 s, 8 h or 2 d.")

SIDE_BY_SIDE: Final = re.compile(r"\d\s*[dhms]\s+\d")  # "1d 12h" is one span or two


def pace(terms: Terms, w: Words) -> MessageText:
    """Return the time for a move."""
    if terms.move is None:
        return w(SAID[terms.pace.kind])
    reserve = format_exact(terms.reserve, w)
    text = w(SAID[terms.pace.kind], time=format_exact(terms.move, w), reserve=reserve)
    in_reserve = terms.pace.kind == "live" and terms.reserve
    return w("{pace}, {time} in reserve", pace=text, time=reserve) if in_reserve else text


def in_short(terms: Terms, w: Words) -> MessageText:
    """Return the time for a move and the reserve, in a few words."""
    if terms.move is None:
        return w("no clock")
    return _named_times(Pace(terms.pace.kind, move=terms.move, reserve=terms.reserve), w)


def _named_times(known: Pace, w: Words) -> MessageText:
    """Return the times of a pace with their names.

    Usual times are left out, except the reserve.
    """
    move, reserve = known.move, known.reserve
    if known.kind == "daily":
        return _daily(move, reserve, w)
    if move is None:
        if reserve is None:
            return MessageText()
        return w("{time} in reserve", time=format_exact(reserve, w)) if reserve else w("no reserve")
    if known.kind == "live" and reserve is None:
        return w("{time} per move and the usual reserve", time=format_exact(move, w))
    text = w("{time} a move", time=format_exact(move, w))
    return w("{pace}, {time} in reserve", pace=text, time=format_exact(reserve, w)) if reserve else text


def _daily(move: timedelta | None, reserve: timedelta | None, w: Words) -> MessageText:
    if move and reserve:
        return w(
            "{reserve} in total, each move adds {time}", reserve=format_exact(reserve, w), time=format_exact(move, w)
        )
    if reserve:
        return w("{time} in total", time=format_exact(reserve, w))
    return w("each move adds {time}", time=format_exact(move, w)) if move else MessageText()


def meaning(terms: Terms, w: Words) -> MessageText:
    """Return the meaning of a pace, and for a slow one the expected length of a match."""
    if terms.pace.kind == "live":
        return unusual(terms, w)
    usual = _late(terms, w) if _is_usually_late(terms) else MessageText()
    given = MessageText() if terms.pace.away else _given(terms, w)
    return sentences((w(MEANING[terms.pace.kind]), usual, unusual(terms, w), given, expected_length(terms, w)))


def unusual(terms: Terms, w: Words) -> MessageText:
    """Return the settings of a pace that differ from the usual ones, except its times."""
    pace = terms.pace
    return sentences(
        (
            MessageText() if _is_usually_late(terms) else _late(terms, w),
            w(NO_AWAY) if terms.pace.slow and not pace.vacations else MessageText(),
            MessageText() if pace.openly else w(ALL_ASKED),
            _given(terms, w) if pace.away else MessageText(),
            _hints(pace, w),
            w(ROTATED) if pace.rotate else MessageText(),
        )
    )


def _is_usually_late(terms: Terms) -> bool:
    """Tell whether late players are treated as usual at this pace."""
    return terms.pace.on_timeout == usual_timeout_action(terms.pace.kind, stakes=terms.stakes)


def _late(terms: Terms, w: Words) -> MessageText:
    """Return what happens to late players; empty without a clock."""
    if terms.move is None:
        return MessageText()
    passes_live = (terms.pace.kind, terms.pace.on_timeout) == ("live", "pass")
    return w(LATE_PASSES) if passes_live else w(LATE_SAID[terms.pace.on_timeout])


def differences(before: Pace, terms: Terms, w: Words) -> list[MessageText]:
    """Describe the difference between two paces: times as "old → new", others by new value."""
    now = terms.pace
    named = [(name(before, w), name(now, w))] if _times(before) != _times(now) else []
    late = (
        [(w(LATE_NAMES[before.on_timeout]), w(LATE_NAMES[now.on_timeout]))]
        if before.on_timeout != now.on_timeout
        else []
    )
    texts = [MessageText(f"{old} → {new}") for old, new in (*named, *late)]
    if before.vacations != now.vacations:
        texts.append(w("Vacations stop a clock") if now.vacations else w(NO_AWAY))
    if before.openly != now.openly:
        texts.append(w("Auto-pass with too few cards to beat it") if now.openly else w(ALL_ASKED))
    if before.rotate != now.rotate:
        texts.append(w(ROTATED) if now.rotate else w(NOT_ROTATED))
    if before.hints != now.hints:
        texts.append(w(USUAL_HINTS) if now.hints is None else _hints(now, w))
    return [*texts, _given(terms, w)] if before.away != now.away else texts


def _hints(pace: Pace, w: Words) -> MessageText:
    return MessageText() if pace.hints is None else w(HINTS[pace.hints])


def _given(terms: Terms, w: Words) -> MessageText:
    return w(GIVEN_AWAY, time=format_exact(max_absence(terms.pace, terms.move, terms.reserve), w))


def _times(pace: Pace) -> tuple[object, ...]:
    return pace.kind, pace.move, pace.reserve


def expected_length(terms: Terms, w: Words) -> MessageText:
    """Return the expected length of a match or hand as a sentence; empty if unknown."""
    hand = a_hand(terms)
    if hand is None:
        return MessageText()
    if terms.rules.target is not None or terms.rules.hands is None:
        return w("A hand takes about {time}.", time=hand)
    return w("A match takes about {time}.", time=hand * terms.rules.hands)


def lasts(terms: Terms, w: Words) -> MessageText:
    """Return the expected length of a match, or of a hand if the number of hands is open.

    The text is empty if the length is unknown.
    """
    hand = a_hand(terms)
    if hand is None:
        return MessageText()
    if terms.rules.target is not None or terms.rules.hands is None:
        return w("about {time} a hand", time=hand)
    return w("about {time}", time=hand * terms.rules.hands)


def a_hand(terms: Terms) -> timedelta | None:
    """Return the expected length of a hand: this server's average, else an estimate."""
    if terms.hand_duration is not None:
        return terms.hand_duration
    if terms.pace.slow:
        return timedelta(days=GAMES[terms.game].slow_days)
    return timedelta(minutes=GAMES[terms.game].minutes)


# Choosing one


def offered(terms: Terms, w: Words) -> list[SelectOption]:
    """Return the paces of a menu, including the table's own, by their times alone."""
    now = Pace(terms.pace.kind, move=terms.pace.move, reserve=terms.pace.reserve)
    known = PRESETS if now in PRESETS else (now, *PRESETS)
    there = (each for each in known if each.kind in terms.server.paces())
    return [option(name(each, w), str(each), w(MEANING[each.kind]), default=each == now) for each in there]


def name(known: Pace, w: Words) -> MessageText:
    """Return the name of a pace: its kind, and any unusual times."""
    called, times = w(NAMES[known.kind]), _named_times(known, w)
    return w("{pace}: {times}", pace=called, times=times) if times else called


def absence_select(terms: Terms, w: Words) -> list[SelectOption]:
    """Return the menu of absences after which a seat may be offered; empty at a live table."""
    if terms.pace.kind == "live":
        return []
    usual = max_absence(replace(terms.pace, away=None), terms.move, terms.reserve)
    spans = sorted({*AWAYS, *filter(None, (terms.pace.away,))})
    known = [
        (w(USUALLY, time=format_exact(usual, w)), None),
        *((w(AFTER, time=format_exact(span, w)), span) for span in spans),
    ]
    return [option(said, str(replace(terms.pace, away=span)), default=span == terms.pace.away) for said, span in known]


def hints(terms: Terms, w: Words) -> list[SelectOption]:
    """Return the menu of the hint setting."""
    known = [(USUAL_HINTS, None), *((HINTS_CHOSEN[given], given) for given in (True, False))]
    return [
        option(w(said), str(replace(terms.pace, hints=given)), default=given is terms.pace.hints)
        for said, given in known
    ]


def reactions(terms: Terms, w: Words) -> list[SelectOption]:
    """Return the menu of the reaction setting."""
    return [
        option(w(said), str(replace(terms.pace, reactions=setting)), default=setting == terms.pace.reactions)
        for setting, said in REACTIONS_CHOSEN.items()
    ]


def times_form(scene: Scene, w: Words) -> ui.Modal:
    """Return the form for times outside the menu."""
    now = scene.terms.pace
    kinds = tuple(option(w(NAMES[kind]), kind, default=kind == now.kind) for kind in scene.terms.server.paces())
    else_ = (
        option(w("Vacations stop a clock"), STOPS, default=now.vacations),
        option(w("Auto-pass with too few cards to beat it"), OPENLY, default=now.openly),
        option(w("In a rematch, move over one seat"), ROTATE, default=now.rotate),
    )
    late = tuple(option(w(LATE_NAMES[known]), known, default=known == now.on_timeout) for known in TIMEOUT_ACTIONS)
    return form(
        Browse.to(OTHER, scene.where.table),
        w("Pace"),
        Field(KIND, w("How fast"), options=kinds),
        _time(MOVE, w("Per move"), w("Such as 90 s, 8 h or 2 d. A move a day: what each move adds"), now.move),
        _time(RESERVE, w("In reserve"), w("Live: on top of that. A move a day: in total"), now.reserve),
        Field(ELSE, w("What else applies"), options=else_, many=True),
        Field(LATE, w("Late players"), options=late),
    )


def _time(field: str, label: str, hint: str, now: timedelta | None) -> Field:
    """Return the optional field for a span of time."""
    return Field(field, label, hint=hint, typed="" if now is None else write_span(now), longest=TIME, needed=False)


def filled(answers: Mapping[str, str], before: Pace) -> Pace:
    """Return the pace of a submitted form; settings outside the form stay as before.

    Raises ValueError.
    """
    kind = next(kind for kind in PACE_KINDS if kind == answers[KIND])
    move = one_span(answers.get(MOVE, ""), lambda span: Pace(kind, move=span).is_within_bounds)
    reserve = one_span(answers.get(RESERVE, ""), lambda span: Pace(kind, move=None, reserve=span).is_within_bounds)
    on_timeout: TimeoutAction = next((known for known in TIMEOUT_ACTIONS if known == answers.get(LATE)), "pass")
    chosen = answers.get(ELSE, "").split()
    return within(
        Pace(
            kind,
            move=move,
            reserve=reserve,
            vacations=STOPS in chosen,
            on_timeout=on_timeout,
            openly=OPENLY in chosen,
            away=before.away,
            hints=before.hints,
            rotate=ROTATE in chosen,
            reactions=before.reactions,
        )
    )


def unclear(no: Unclear, w: Words) -> MessageText:
    """Return the question about an ambiguous typed span."""
    if no.unit:
        return w(NO_UNIT, unit=no.unit, typed=no.typed)
    one, other = (format_exact(span, w) for span in no.choices[:2])
    return w(WHICH_UNIT, typed=no.typed, one=one, other=other)


def within(wanted: Pace) -> Pace:
    """Return a pace within the bounds. Raises ValueError for any other."""
    if not wanted.is_within_bounds:
        raise ValueError(str(wanted))
    return wanted


def parse_pace(typed: str) -> Pace | None:
    """Return the pace of a typed text: "daily", "relaxed 8h", "daily 4d+12h".

    Returns None for an ambiguous text.
    """
    written = typed.strip()
    with suppress(ValueError):
        if not SIDE_BY_SIDE.search(written):
            return within(Pace.read(written))
    kinds = [kind for kind in PACE_KINDS if any(plain(written).startswith(called) for called in _called(kind))]
    try:
        meant_so = {pace for pace in _typed(written, kinds[0]) if pace.is_within_bounds} if kinds else set()
    except ValueError:
        return None
    return meant_so.pop() if len(meant_so) == 1 else None


def _typed(written: str, kind: PaceKind) -> Iterator[Pace]:
    """Yield each pace of this kind that the typed times can mean.

    For a daily pace the longer time is the reserve.
    """
    for spans in readings(written):
        if len(spans) > 2:
            continue
        if kind == "daily" and len(spans) == 2:
            yield Pace(kind, move=min(spans), reserve=max(spans))
        else:
            move, reserve = (*spans, None, None)[:2]
            yield Pace(kind, move=move, reserve=reserve)


@cache
def _called(kind: PaceKind) -> tuple[str, ...]:
    names = (words(language.code)(NAMES[kind]) for language in LANGUAGES)
    return (kind, *map(plain, (*names, *(word for pace, word in named("paces") if pace == kind))))


def bounds(w: Words) -> str:
    """Return the bounds of each kind of pace, in lines."""
    return "\n".join(_bounds(kind, w) for kind in MOVE_BOUNDS)


def _bounds(kind: PaceKind, w: Words) -> MessageText:
    least, most = (format_exact(span, w) for span in MOVE_BOUNDS[kind])
    if kind not in RESERVE_BOUNDS:
        return w("- {pace}: {least} to {most} a move", pace=w(NAMES[kind]), least=least, most=most)
    low, high = (format_exact(span, w) for span in RESERVE_BOUNDS[kind])
    return w(
        "- {pace}: {least} to {most} a move, {low} to {high} in reserve",
        pace=w(NAMES[kind]),
        least=least,
        most=most,
        low=low,
        high=high,
    )
