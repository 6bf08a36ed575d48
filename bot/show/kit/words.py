"""The sentences of the bot in the reader's language, with values filled into their fields.

Reads the gettext catalogues in data/locale. Message ids are English sentences with named fields: a screen calls
``w("{seat} leads.", seat=Seat(2))`` and gets text for a message. A plain string as a value is treated as a name
chosen by a person and made harmless; a Said, which this module returns, is inserted unchanged.
"""

from __future__ import annotations

import io
import math
import re
import string
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache, cached_property, lru_cache
from gettext import GNUTranslations
from typing import Any, Final, Literal, TypeAlias

from babel import Locale
from babel.dates import format_date, format_timedelta
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from discord.utils import format_dt

from bot.domain.chairs import Chair, Level
from bot.domain.ids import ChannelId
from bot.domain.languages import ENGLISH, Language, language_of
from bot.domain.message_ids import N_
from bot.domain.names import clean, isolate_direction
from bot.domain.preferences import Preferences
from bot.paths import DATA
from bot.rules.core.cards import Card, Rank, Suit
from bot.rules.core.game import Presentation
from bot.rules.core.sentences import CombinationName, From, Gain, Has, Of, Phrase, Seat
from bot.rules.core.trick import Combo, Move
from bot.scene import Scene
from bot.show.kit.card_symbols import Faces, faces_for, rank, symbols
from bot.show.kit.rounds import COUNTED_ROUNDS, ROUNDS

LOCALES = DATA / "locale"
Unit: TypeAlias = Literal["day", "hour", "minute", "second"]
UNITS: Final[Mapping[Unit, timedelta]] = {
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
}
HOUSE = "🤖"
STARS = {Level.MEDIUM: "★", Level.HARD: "★★"}  # after the sign of a house player above the plain level
PLAIN_FACES = Faces()
# Starts of markup, mentions, links and, at the start of a line, headings or lists. "@" is escaped separately.
MARKUP = re.compile(r"[\\*_~`|<>\[\]]|(?<=[:/])/|(?<=\w)\.(?=[^\W\d])|^[-+#]")
LIST_NUMBER = re.compile(r"^(\d+)\.(?=\s|$)")
ZERO_WIDTH_SPACE = "\u200b"
EMOJI_AT_END = re.compile(r"(<:\w+:\d+>)[.。]?$")
WIDE_END = re.compile(r"([。！？]) ")
HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
# Letters, digits, signs: no Chinese, no emoji, no quotation marks, no asterisks, as bold text allows no space inside.
NARROW = re.compile(r"[^\s*\u2018-\u201f\u2e80-\uffef\U0001f000-\U0001faff]")


class LabelFaces(Faces):
    """Cards for labels, where Discord reads no markup."""

    def show(self, held: Iterable[Card]) -> str:
        """Return cards as text without any markup."""
        return symbols(held)


LABEL_FACES = LabelFaces()


RANKS = {
    Rank.ACE: N_("ace"),
    Rank.JACK: N_("jack"),
    Rank.QUEEN: N_("queen"),
    Rank.KING: N_("king"),
    Rank.BLACK_JOKER: N_("black joker"),
    Rank.RED_JOKER: N_("red joker"),
}
SUITS = {
    Suit.DIAMONDS: N_("diamonds"),
    Suit.CLUBS: N_("clubs"),
    Suit.HEARTS: N_("hearts"),
    Suit.SPADES: N_("spades"),
}

JOKER = N_("the {rank}")  # in place of "the {rank} of {suit}"
SEAT = N_("seat {number}")
YOU = N_("you")  # in place of the viewer's name
TRANSFER = N_("{seat} got {what} from {giver}")  # in a list: "Ann got K♣ from Cleo"
HOLDING = N_("{seat} has {what}")  # in a list: "Ann has K♣"


class MessageText(str):
    """Text that is ready for a message."""

    __slots__ = ()


def mention(channel: ChannelId) -> MessageText:
    """Return a mention of a channel or thread, which Discord shows by its name."""
    return MessageText(f"<#{channel}>")


@lru_cache(maxsize=4096)
def escaped(name: str) -> MessageText:
    """Return a person's name as a message shows it, without effect as markup, mention or link."""
    return MessageText(isolate_direction(literal(clean(name)).replace("@", f"@{ZERO_WIDTH_SPACE}")))


def literal(text: str) -> MessageText:
    """Return text that Discord shows unchanged, with its markup escaped."""
    return MessageText(LIST_NUMBER.sub(r"\1\\.", MARKUP.sub(r"\\\g<0>", text)))


def unmarked(name: str) -> MessageText:
    """Return a person's name for labels and choices, where Discord reads no markup."""
    return MessageText(isolate_direction(clean(name)))


@dataclass(frozen=True)
class Words:
    """A language and the values needed to fill its sentences: card faces, players and game.

    chairs, kinds: the players of one table, and the names of its game's combinations. says_round: whether its game
    calls a trick a round. labels: whether the text is for labels and choices, without markup. named: whether
    combinations are shown by name alone, without their cards. reader: the seat that reads "you" for its own name.
    """

    language: Language
    catalogue: GNUTranslations
    faces: Faces = PLAIN_FACES
    _: KW_ONLY
    chairs: tuple[Chair, ...] = ()
    kinds: Mapping[str, CombinationName] = field(default_factory=dict)
    says_round: bool = False
    labels: bool = False
    named: bool = False
    reader: int | None = None

    @property
    def locale(self) -> str:
        """The code of the language in CLDR and in the names of the catalogues."""
        return self.language.code

    def __call__(self, sentence: str, /, **values: Any) -> MessageText:
        """Return the sentence in this language with its fields filled."""
        text = self.catalogue.gettext(ROUNDS.get(sentence, sentence) if self.says_round else sentence)
        return self._fill(text, values) if values else MessageText(text.format())

    def n(self, one: str, many: str, n: int, /, **values: Any) -> MessageText:
        """Return the singular or plural for a number, which also fills the field ``n``.

        A negative number counts by its absolute value.
        """
        one, many = COUNTED_ROUNDS.get((one, many), (one, many)) if self.says_round else (one, many)
        if not values:
            return _counted(self.language, self.catalogue, one, many, n=n)
        return self._fill(self.catalogue.ngettext(one, many, abs(n)), {"n": n, **values})

    def for_scene(self, scene: Scene) -> Words:
        """Return these words with the players and the game of a table."""
        return self.for_players(scene.chairs, scene.terms.rules)

    def for_players(self, chairs: Iterable[Chair], rules: Presentation) -> Words:
        """Return these words with these players, by seat, and this game."""
        return replace(self, chairs=tuple(chairs), kinds=rules.names, says_round=rules.calls_tricks_rounds)

    def for_game(self, rules: Presentation) -> Words:
        """Return these words with the names of a game's combinations, and its word for a trick."""
        return replace(self, kinds=rules.names, says_round=rules.calls_tricks_rounds)

    def to_seat(self, seat: int | None) -> Words:
        """Return these words for the player in a seat, whose name becomes "you"."""
        return replace(self, reader=seat)

    def with_preferences(self, preferences: Preferences) -> Words:
        """Return these words with card faces by a reader's preferences."""
        return replace(self, faces=faces_for(self.faces, preferences))

    def plain(self) -> Words:
        """Return these words with cards as symbols, which take fewer characters than emoji."""
        return replace(self, faces=PLAIN_FACES)

    def for_labels(self) -> Words:
        """Return these words for labels: names and cards without any markup."""
        return self._for_labels

    def for_narrow_lines(self) -> Words:
        """Return these words for a narrow line: labels, and combinations by name alone."""
        return replace(self.for_labels(), named=True)

    @cached_property
    def _for_labels(self) -> Words:
        return replace(self, faces=LABEL_FACES, labels=True)

    # What fills a field

    def person(self, name: str, *, house: bool = False, level: Level = Level.PLAIN) -> MessageText:
        """Return the name of a player, with the sign of a house player that acts for the player.

        level: the level of the house player.
        """
        return _person(name, house=house, labels=self.labels, level=level)

    @cached_property
    def people(self) -> Mapping[int, MessageText]:
        """The names of the players, by seat."""
        return _called(self.chairs, labels=self.labels)

    def seat(self, seat: int) -> MessageText:
        """Return the name of the player in a seat, or "you" for the reader."""
        if seat == self.reader:
            return self(YOU)
        return self.people.get(seat) or self(SEAT, number=int(seat) + 1)

    def name(self, combo: Combo) -> MessageText:
        """Return the name of a combination, without its cards: "a pair of kings"."""
        return _named(self.language, self.catalogue, self.kinds[combo.kind].one, combo.head)

    def show(self, value: Any) -> str:
        """Return a value as message text."""
        return FORMATTERS[type(value)](self, value)

    def _fill(self, template: str, values: Mapping[str, Any]) -> MessageText:
        shown = {name: FORMATTERS[type(value)](self, value) for name, value in values.items()}
        text = _without_lonely_stop(_filled(self.language, template, shown, values))
        first = values.get(_first_field(template) or "")
        named = first[0] if isinstance(first, list) and first else first
        if isinstance(first, Combo) or (isinstance(named, Seat) and named == self.reader):
            return capital(text)  # "A pair of kings does not beat ...", "You would like a break."
        return MessageText(text)


@lru_cache(maxsize=4096)
def _named(language: Language, catalogue: GNUTranslations, sentence: str, head: Card) -> MessageText:
    """Return the name of a combination with this head card in a language."""
    if head.suit is Suit.NONE and "{suit}" in sentence:
        sentence = JOKER
    return Words(language, catalogue)(sentence, rank=head.rank, suit=head.suit)


@lru_cache(maxsize=1024)
def _called(chairs: tuple[Chair, ...], *, labels: bool) -> Mapping[int, MessageText]:
    """Return the names of the players, by seat."""
    return {chair.seat: _person(chair.name, house=chair.house, labels=labels, level=chair.level) for chair in chairs}


@lru_cache(maxsize=4096)
def _person(name: str, *, house: bool, labels: bool, level: Level) -> MessageText:
    called = unmarked(name) if labels else escaped(name)
    return MessageText(f"{called} {HOUSE}{STARS.get(level, '')}") if house else called


def starred(chair: Chair) -> str:
    """Return the name of a house player with its stars, for a picture.

    The picture itself marks house players, so the sign is omitted.
    """
    return f"{chair.name} {STARS[chair.level]}"


@lru_cache(maxsize=4096)
def _counted(language: Language, catalogue: GNUTranslations, one: str, many: str, *, n: int) -> MessageText:
    """Return the singular or plural for a number."""
    return MessageText(_filled(language, catalogue.ngettext(one, many, abs(n)), {"n": _number(None, n)}, {"n": n}))


def _filled(language: Language, template: str, shown: Mapping[str, str], values: Mapping[str, object]) -> str:
    """Return a sentence with its fields filled, spaced as the language needs."""
    return _spaced(template, shown, values) if language.space_around_latin else template.format(**shown)


def _without_lonely_stop(text: str) -> str:
    """Return a sentence without the full stop after a card's emoji.

    Discord could break the line in front of that full stop.
    """
    return EMOJI_AT_END.sub(r"\1", text) if text.endswith((">.", ">。")) else text


def _spaced(template: str, shown: Mapping[str, str], values: Mapping[str, object]) -> str:
    """Return a sentence with its fields filled, and a space between Chinese and other writing.

    "轮到 Ann 了", but "轮到小明了". A rank is joined to the word around it: "一对K".
    """
    text, tight = "", True
    for literal, name in _pieces(template):
        text += literal if tight or not _apart(text, literal) else f" {literal}"
        if name is not None:
            tight = isinstance(values[name], Rank)
            text += shown[name] if tight or not _apart(text, shown[name]) else f" {shown[name]}"
    return text


def _apart(before: str, after: str) -> bool:
    """Tell whether Chinese and other characters meet here without a space."""
    if not (before and after):
        return False
    narrow = NARROW.match(after) if HAN.match(before[-1]) else HAN.match(after) and NARROW.match(before[-1])
    return narrow is not None


@lru_cache(maxsize=4096)
def _pieces(template: str) -> tuple[tuple[str, str | None], ...]:
    """Return the pieces of a sentence: the text before each field, and the field.

    The field of the last piece may be None.
    """
    return tuple((literal, name) for literal, name, *_ in string.Formatter().parse(template))


@lru_cache(maxsize=4096)
def _first_field(template: str) -> str | None:
    """Return the field at the beginning of a sentence, if any."""
    before, name, *_ = next(iter(string.Formatter().parse(template)), ("", None))
    return None if before else name


# What fills a field


def _card(w: Words, value: Card) -> str:
    return w.faces.show((value,))


def _rank(w: Words, value: Rank) -> str:
    return w(RANKS[value]) if value in RANKS else rank(value)


def _suit(w: Words, value: Suit) -> str:
    return w(SUITS[value]) if value in SUITS else ""


def _combo(w: Words, combo: Combo) -> str:
    """Return a single card as a card, any other combination by name, if the game is known."""
    shown = w.faces.show(combo.cards)
    if len(combo.cards) == 1 or combo.kind not in w.kinds:
        return shown
    return w.name(combo) if w.named else f"{w.name(combo)} {shown}"


def _transfer(w: Words, value: From) -> str:
    return w(TRANSFER, seat=w.seat(value.seat), what=value.amount, giver=value.giver)


def _holding(w: Words, value: Has) -> str:
    return w(HOLDING, seat=w.seat(value.seat), what=value.amount)


def _with_player(w: Words, value: Of | Move) -> str:
    """Return a player with an amount or a move, for a list: "Ann 3"."""
    return f"{w.seat(value[0])} {w.show(value[1])}"


@cache
def _language(name: str) -> Locale:
    """Return Babel's locale, cached: its own lookup searches a thousand names each time."""
    return Locale.parse(name)


def _several(w: Words, values: Collection[Any]) -> str:
    listed = list(values)
    if listed and all(isinstance(value, Card) for value in listed):
        return w.faces.show(listed)
    parts = [w.show(value) for value in listed]
    return _listed(parts, w.language) if parts[1:] else "".join(parts)


def _listed(parts: Sequence[str], language: Language) -> str:
    """Return items as a list in a language, spaced like its sentences.

    "Ann, Mei and Otto", "Ann、Mei 和 Otto".
    """
    patterns = _language(language.code).list_patterns["standard"]
    steps = ["2"] if len(parts) == 2 else ["start", *["middle"] * (len(parts) - 3), "end"]
    text = parts[0]
    for step, part in zip(steps, parts[1:], strict=True):
        both = {"before": text, "next": part}
        text = _filled(language, patterns[step].format("{before}", "{next}"), both, both)
    return text


def _moment(_: Words, value: datetime) -> str:
    """Return a moment, which Discord shows in the reader's time zone."""
    return format_dt(value, "R")


def _number(_: Words | None, value: float) -> str:
    """Return a number with a true minus, and with one digit after the point unless an integer.

    A gain has a plus.
    """
    plus = "+" * (isinstance(value, Gain) and value > 0)
    return plus + (f"{value:.1f}" if isinstance(value, float) else str(value)).replace("-", "\u2212")


def format_exact(span: timedelta, w: Words) -> MessageText:
    """Return a span of whole seconds in the largest unit without a remainder.

    "90 seconds", "36 hours".
    """
    return _exact(span, w.locale)


@lru_cache(maxsize=1024)
def _exact(span: timedelta, locale: str) -> MessageText:
    unit: Unit = next((unit for unit, length in UNITS.items() if span and not span % length), "second")
    return MessageText(format_timedelta(span, granularity=unit, threshold=math.inf, locale=_language(locale)))


class Formatters(dict[type, Callable[[Words, Any], str]]):
    """The renderers of values by type.

    A type without a renderer uses the one of its nearest ancestor.
    """

    def __missing__(self, kind: type) -> Callable[[Words, Any], str]:
        self[kind] = next(self[ancestor] for ancestor in kind.__mro__ if ancestor in self)
        return self[kind]


FORMATTERS: Final = Formatters(
    {
        Combo: _combo,
        Card: _card,
        Rank: _rank,
        Suit: _suit,
        Seat: Words.seat,
        From: _transfer,
        Has: _holding,
        Of: _with_player,
        Move: _with_player,
        tuple: _several,
        list: _several,
        frozenset: _several,
        MessageText: lambda _, said: said,
        Phrase: Words.__call__,
        date: lambda w, day: format_date(day, "medium", locale=_language(w.locale)),
        datetime: _moment,
        timedelta: lambda w, span: format_timedelta(span, locale=_language(w.locale)),
        str: Words.person,
        int: _number,
        float: _number,
        object: lambda _, value: str(value),
    }
)


def capital(text: str) -> MessageText:
    """Return text with a capital first letter, for the beginning of a sentence."""
    return MessageText(text[:1].upper() + text[1:])


def join(parts: Iterable[str], by: str = " · ") -> MessageText:
    """Return the non-empty parts, joined; all must be ready for a message."""
    return MessageText(by.join(filter(None, parts)))


def sentences(parts: Iterable[str]) -> MessageText:
    """Return the non-empty sentences, joined.

    No space follows the full-width end of a sentence, and a dot follows any card's emoji.
    """
    *before, last = list(filter(None, parts)) or [""]
    spaced = (f"{said} · " if EMOJI_AT_END.search(said) else f"{said} " for said in before)
    return MessageText(WIDE_END.sub(r"\1", "".join((*spaced, last))))


def is_supported_locale(locale: str) -> bool:
    """Tell whether the bot has the language of a Discord locale."""
    return language_of(locale) is not None


@lru_cache(maxsize=64)
def words(locale: str, faces: Faces = PLAIN_FACES) -> Words:
    """Return the words of the best language for a Discord locale ("zh-TW", "en-GB")."""
    language = language_of(str(locale)) or ENGLISH
    return Words(language, catalogue(language.code), faces)


@cache
def catalogue(name: str) -> GNUTranslations:
    """Return a catalogue of data/locale, compiled in memory."""
    with (LOCALES / name / "LC_MESSAGES" / "bigger.po").open("rb") as source:
        messages = read_po(source, locale=name)
    compiled = io.BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return GNUTranslations(compiled)
