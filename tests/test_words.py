"""The message catalogues: complete, nothing left over, and in the language they say they are in."""

from __future__ import annotations

import re
import string
from datetime import UTC, datetime
from functools import cache

import pytest
from babel.messages.catalog import Message

from bot.domain.chairs import Chair
from bot.domain.ids import UserId
from bot.domain.languages import ENGLISH, LANGUAGES
from bot.paths import ROOT
from bot.rules.big_two import BigTwo
from bot.rules.core.cards import Rank, card, cards
from bot.rules.core.sentences import Illegal, Seat
from bot.show.kit.card_symbols import Faces
from bot.show.kit.phrases import refusal
from bot.show.kit.words import LOCALES, MessageText, sentences, words
from bot.show.translation import catalogue
from bot.show.translation.extraction import _ARGUMENTS, SOURCES, Untranslatable, messages, source_messages
from tests.support.languages import CODES, UNIVERSAL

PARTED = re.compile(r"[\u3400-\u9fff] \{\w+\}|\{\w+\} [\u3400-\u9fff]")
SPACED = [language.code for language in LANGUAGES if language.space_around_latin]

read = cache(catalogue.read_catalogue)  # as the files have it; nobody changes what is read


def entries(language: str) -> list[Message]:
    return [message for message in read(language) if message.id]


def forms(text: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_the_sentence_of_every_kind_of_refusal_is_extracted() -> None:
    texts = [path.read_text("utf-8") for top in SOURCES for path in sorted((ROOT / top).rglob("*.py"))]
    kinds, more = set[str](), {"Refused"}
    while more:
        kinds |= more
        below = re.compile(rf"^class (\w+)\((?:{'|'.join(sorted(kinds))})\):", re.MULTILINE)
        more = {kind for text in texts for kind in below.findall(text)} - kinds
    with_words = re.compile(rf"\b({'|'.join(sorted(kinds))})\(\s*\"")
    used = {kind for text in texts for kind in with_words.findall(text)}
    assert {"Refused", "Outside", "Outdated"} <= used
    assert used <= set(_ARGUMENTS)


def test_there_is_a_catalogue_for_each_language_and_no_other() -> None:
    assert {path.name for path in LOCALES.iterdir()} == set(CODES)


@pytest.mark.parametrize("language", CODES)
def test_no_message_is_missing_and_none_is_unused(language: str) -> None:
    kept = {(forms(message.id)[0], len(forms(message.id))) for message in entries(language)}
    wanted = {(found.message, 2 if found.plural else 1) for found in messages()}
    assert kept - wanted == set(), "unused: run `make words`"
    assert wanted - kept == set(), "missing: run `make words` and translate them"


@pytest.mark.parametrize("language", CODES)
def test_bold_text_does_not_end_with_punctuation_before_a_word(language: str) -> None:
    """Markdown takes the second pair of stars for the first of another then, where no space follows."""
    said = [form for message in entries(language) for form in forms(message.string)]
    assert [form for form in said if re.search(r"\*\*[^*]+[。，！？：；]\*\*\w", form)] == []


@pytest.mark.parametrize("language", CODES)
def test_every_message_is_translated_and_none_is_fuzzy(language: str) -> None:
    plurals = int(read(language).num_plurals)
    for message in entries(language):
        said = forms(message.string)
        assert len(said) == (plurals if len(forms(message.id)) == 2 else 1), message.id
        assert all(said), f"not translated: {message.id}"
        assert not message.fuzzy, message.id


@pytest.mark.parametrize("language", CODES)
def test_a_translation_has_the_fields_of_its_message(language: str) -> None:
    for message in entries(language):
        wanted = set().union(*map(fields, forms(message.id)))
        *singular, last = forms(message.string)
        assert fields(last) == wanted, message.id
        assert all(fields(said) | {"n"} == wanted | {"n"} for said in singular), message.id


@pytest.mark.parametrize("language", SPACED)
def test_spaces_between_chinese_and_a_field_depend_on_its_value(language: str) -> None:
    found = [said for message in entries(language) for said in forms(message.string) if PARTED.search(said)]
    assert found == []


@pytest.mark.parametrize(
    ("name", "said"),
    [("Ann", "輪到 Ann 了"), ("小明", "輪到小明了"), ("A小", "輪到 A小了"), ("Ann 🎲", "輪到 Ann 🎲了")],
)
def test_chinese_and_other_text_are_separated_by_spaces(name: str, said: str) -> None:
    assert words("zh-TW").for_labels()("{seat}'s turn", seat=name) == said


def test_quotation_marks_have_no_inner_spaces() -> None:
    assert words("zh-CN")("“{answer}”", answer=MessageText("不亮")) == "“不亮”"
    assert words("zh-CN")("{what} was better.", what=MessageText("“过牌”")) == "“过牌”更好。"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Ann"], "Ann"),
        (["Ann", "Mei"], "Ann 和 Mei"),
        (["小明", "小红"], "小明和小红"),
        (["Ann", "小明", "Mei"], "Ann、小明和 Mei"),
        (["小明", "Ann", "Mei", "小红"], "小明、Ann、Mei 和小红"),
    ],
)
def test_a_list_of_names_is_spaced_like_a_sentence(names: list[str], said: str) -> None:
    assert words("zh-CN").for_labels()("{seats}", seats=names) == said


def test_bold_text_has_no_space_inside_its_markers() -> None:
    w = words("zh-CN")
    assert w("**{preset}**, but {changes}", preset="标准", changes="两个人玩") == "**标准**，但两个人玩"
    assert w("**{preset}**", preset="Pagat") == "**Pagat**"


def test_a_rank_is_part_of_its_word_and_a_number_stands_apart() -> None:
    w = words("zh-TW")
    assert w("a pair of {rank}s", rank=Rank.KING) == "一對K"
    assert w.n("Your {n} card", "Your {n} cards", 3) == "你的 3 張牌"


def test_english_is_its_own_translation() -> None:
    assert all(forms(message.id) == forms(message.string) for message in entries(ENGLISH.code))


def test_traditional_chinese_is_written_in_the_characters_of_taiwan() -> None:
    for message in entries("zh_TW"):
        for said in forms(message.string):
            "".join(re.findall(r"[\u4e00-\u9fff]", said)).encode("cp950")  # which has no simplified ones


def test_a_missing_translation_falls_back_to_english() -> None:
    assert words("zh-TW")("Nobody has ever said this.") == "Nobody has ever said this."


@pytest.mark.parametrize("language", SPACED)
def test_no_english_is_left_in_a_chinese_catalogue(language: str) -> None:
    for message in entries(language):
        for said in forms(message.string):
            rest = re.sub(UNIVERSAL, "", re.sub(r"\{\w+\}", "", said))
            assert not re.search(r"[A-Za-z]", rest), f"{message.id!r} -> {said!r}"


@pytest.mark.parametrize("language", CODES)
def test_catalogue_files_are_in_generated_form(language: str) -> None:
    assert [message.id for message in read(language)] == [
        message.id for message in catalogue.updated_catalogue(language)
    ]


def test_a_new_language_has_the_cldr_plural_forms() -> None:
    assert [catalogue.updated_catalogue(code).num_plurals for code in ("en", "zh_CN", "th", "pl", "ar")] == [
        2,
        1,
        1,
        3,
        6,
    ]


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("zh-CN", "zh_CN"),
        ("zh-TW", "zh_TW"),
        ("zh-HK", "zh_TW"),
        ("zh_Hant_MO", "zh_TW"),
        ("zh", "zh_CN"),
        ("zh-SG", "zh_CN"),
        ("en-GB", "en"),
        ("en-US", "en"),
        ("fr", "en"),
        ("ar", "en"),
        ("", "en"),
    ],
)
def test_the_best_language_for_a_locale(locale: str, language: str) -> None:
    assert words(locale).locale == language


# What a sentence is filled with


def test_cards_people_and_times_are_filled_in() -> None:
    w = words("en-US").for_players([Chair(0, UserId(1), "Ann"), Chair(1, None, "Bo_t_", house=True)], BigTwo())
    assert w("{a} {b}", a=Seat(0), b=Seat(1)) == r"Ann Bo\_t\_ 🤖"
    assert w("{a}", a=[Seat(0), Seat(1)]) == r"Ann and Bo\_t\_ 🤖"
    assert w("{a}", a=card("Ts")) == "`10♠\ufe0e`"
    assert w("{a}", a=cards("3d Kh")) == "`3♢` `K♡`"
    assert w("{a}", a=datetime(2026, 1, 1, tzinfo=UTC)) == "<t:1767225600:R>"
    assert w("{a} {b}", a=7, b=1.25) == "7 1.2"


def test_no_space_follows_a_full_stop_that_is_wide_itself() -> None:
    assert (
        sentences((MessageText("Ready: Ann."), MessageText(), MessageText("Waiting for Ben.")))
        == "Ready: Ann. Waiting for Ben."
    )
    assert sentences((MessageText("Ann 还等 3 人。"), MessageText("这场算成绩。"))) == "Ann 还等 3 人。这场算成绩。"


def test_a_card_with_an_emoji_is_shown_by_it() -> None:
    w = words("en-US", Faces(emoji={"3d": ("bg1_3d", 42)}))
    assert w("{a}", a=cards("3d 3c")) == "<:bg1_3d:42> `3♣\ufe0e`"


def test_user_names_can_neither_format_nor_ping() -> None:
    w = words("en-US")
    assert w("{a}", a="**x** @everyone") == "\\*\\*x\\*\\* @\u200beveryone"
    assert w("{a}", a=w("{b}", b="*x*")) == r"\*x\*", "what has been said is not escaped again"
    assert len(w("{a}", a="x" * 90)) == 32
    assert w("{a}", a=MessageText("*x*")) == "*x*"


def test_a_chinese_name_is_listed_normally_in_english() -> None:
    assert words("en").for_labels()("{a}", a=["陈小姐", "Ben", "小明"]) == "陈小姐, Ben, and 小明"


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en", "A pair of kings `K♢` `K♣\ufe0e` does not beat three 3s `3♢` `3♣\ufe0e` `3♡`: no."),
        ("zh-TW", "一對K `K♢` `K♣\ufe0e` does not beat 三張3 `3♢` `3♣\ufe0e` `3♡`: no."),
    ],
)
def test_a_refusal_names_the_combinations(locale: str, said: str) -> None:
    rules = BigTwo()
    pair, triple = rules.classify(cards("Kd Kc")), rules.classify(cards("3d 3c 3h"))
    refused = Illegal("4.15", "{tried} does not beat {top}: no.", tried=pair, top=triple)
    assert refusal(refused, words(locale).for_players([], rules)) == said


def test_a_refusal_can_be_worded_without_its_table() -> None:
    rules = BigTwo()
    refused = Illegal("6.2", "It's {seat}'s turn.", seat=Seat(2))
    assert refusal(refused, words("en")) == "It's seat 3's turn."
    assert words("en")("{a}", a=rules.classify(cards("Kd Kc"))) == "`K♢` `K♣\ufe0e`"


# Where messages are found


def test_messages_are_found_by_the_conventions() -> None:
    source = 'SAD = {"a": ("1.1", N_("So sad."))}\nraise Illegal("1.2", "No." if x else "Never.")\n'
    found = [(each.message, each.plural) for each in source_messages(source, "bot/rules/x.py")]
    assert found == [("No.", None), ("Never.", None), ("So sad.", None)]
    source = (
        'w("One")\nself.w.n("{n} a", "{n} b", 3)\nN_("Two")\nother("Three")\nCONST = "A sentence."\nw.bare()("Four")'
    )
    found = [(each.message, each.plural) for each in source_messages(source, "bot/show/x.py")]
    assert sorted(found) == [("Four", None), ("One", None), ("Two", None), ("{n} a", "{n} b")]


@pytest.mark.parametrize("kind", ["", ": Final"])
def test_a_sentence_in_a_variable_has_to_be_marked(kind: str) -> None:
    source = f'def f():\n    sentence{kind} = N_("Over there.")\n    raise Illegal("1.1", sentence)\n'
    assert [found.message for found in source_messages(source, "bot/rules/x.py")] == ["Over there."]
    with pytest.raises(Untranslatable, match=r"bot/rules/x\.py:3: the sentence sentence has to be marked"):
        list(source_messages(source.replace("N_", ""), "bot/rules/x.py"))


def test_a_sentence_composed_before_translation_is_refused() -> None:
    with pytest.raises(Untranslatable, match=r"bot/show/x\.py:1"):
        list(source_messages('w(f"{a} wins")', "bot/show/x.py"))
