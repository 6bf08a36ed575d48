"""The rule card of a table, and the terms that everybody agrees to."""

from __future__ import annotations

from collections.abc import Iterable

from discord import ButtonStyle

from bot.games import GAMES
from bot.rules.variants.option_sheet import Option, options_without_effect, unusual_combinations
from bot.rules.variants.registration import STORED
from bot.rules.variants.ruleset import Ruleset
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Accent, PrivateScreen, Row, button, lines, private, row, small
from bot.show.kit.words import MessageText, Words, join
from bot.show.rulebook.ruleset import BookRules
from bot.show.table import paces

STAKE = "stake"  # the option, in games with stakes
DIFFERENCES = 4  # the most changed rules to list
WARNINGS = 4


def rule_card(scene: Scene, w: Words, *, coded: bool = True) -> str | None:
    """Return the rules of a table in a few lines. coded: include the rule code."""
    rules = BookRules.of_scene(scene)
    sheet = GAMES[rules.game].sheet  # the preset's description may be wrong once its rules are changed
    plain = all(sheet.options[name].length for name in rules.changes)
    about = small(w(sheet.presets[rules.preset].text)) if plain else None
    code = f"`{rules.code}`" if coded else None
    slow = small(paces.meaning(scene.terms, w))
    return lines(_name(rules, w), about, most_important(scene, w), slow, code, *_warnings(rules, w))


def whole(scene: Scene) -> bool:
    """Tell whether a lobby lists every rule changed from the preset."""
    return len(differing(BookRules.of_scene(scene))) <= DIFFERENCES


def differing(rules: BookRules) -> list[str]:
    """Return the changed options to list after the preset, except the length of a match."""
    options = GAMES[rules.game].sheet.options
    return [name for name in rules.changes if not options[name].length]


def _name(rules: BookRules, w: Words) -> MessageText:
    """Return the preset and its changes: "Hong Kong, but stake 5"."""
    preset = w(GAMES[rules.game].sheet.presets[rules.preset].title)
    return (
        w("**{preset}**, but {changes}", preset=preset, changes=changes)
        if (changes := differences(rules, w))
        else w("**{preset}**", preset=preset)
    )


def differences(rules: BookRules, w: Words) -> MessageText:
    """Return the changes from the preset: listed if few, otherwise counted; empty without any."""
    told = differing(rules)
    if len(told) <= DIFFERENCES:
        return join(rules.say(told, w), w(", "))
    return w.n("{n} rule differs", "{n} rules differ", len(told))


def most_important(scene: Scene, w: Words) -> MessageText:
    """Return the essentials: players, length, stake, and pace."""
    players = w.n("{n} player", "{n} players", scene.terms.rules.players)
    named = whole(scene) and STAKE in differing(BookRules.of_scene(scene))
    stake = MessageText() if named else at_stake(scene, w)
    return join((players, phrases.length(scene.terms.rules, w), stake, paces.pace(scene.terms, w)))


def at_stake(scene: Scene, w: Words) -> MessageText:
    """Return the stake; empty at a table without stakes."""
    rules = BookRules.of_scene(scene)
    if not scene.terms.server.stakes:
        return MessageText()
    option = GAMES[rules.game].sheet.options.get(STAKE)
    if option is None or not option.applies.holds(rules.options):
        return MessageText()
    return phrases.option(option, rules.value(STAKE), w) if rules.value(STAKE) else MessageText()


def odds(scene: Scene, w: Words) -> str | None:
    """Return the rules beside a lobby's picture.

    They are the changes from the preset, what is unusual of the pace, and warnings.
    """
    rules = BookRules.of_scene(scene)
    named = _name(rules, w) if differing(rules) and whole(scene) else None
    return lines(named, small(paces.unusual(scene.terms, w)), *_warnings(rules, w))


def _warnings(rules: BookRules, w: Words) -> list[str]:
    """Return warnings: changed options without an effect, and odd combinations."""
    sheet = GAMES[rules.game].sheet
    odd = [w(case.words) for case in unusual_combinations(sheet, rules.options)]
    vain = options_without_effect(sheet, rules.options, rules.changes)
    said = [*([_vain(vain, w)] if vain else []), *odd]
    return [f"⚠️ {sentence}" for sentence in (*said[:WARNINGS], *phrases.more(len(said) - WARNINGS, w))]


def _vain(options: list[Option], w: Words) -> MessageText:
    titles = [*_titles(options[:WARNINGS], w), *phrases.more(len(options) - WARNINGS, w)]
    return w.n(
        "This has no effect under these rules: {titles}.",
        "These have no effect under these rules: {titles}.",
        len(options),
        titles=titles,
    )


def _titles(options: Iterable[Option], w: Words) -> list[MessageText]:
    return [w("{title} ({article})", title=w(option.title), article=MessageText(option.article)) for option in options]


STEPS = 4  # changes listed one by one


def terms(scene: Scene, w: Words, notice: str | None = None) -> PrivateScreen:
    """Return all terms of a lobby, with the button to agree. notice: a sentence to put first."""
    w = w.for_scene(scene)
    rules = BookRules.of_scene(scene)
    return private(
        Accent.LOBBY,
        notice,
        "## " + w("The rules at {table}", table=phrases.table(scene, w)),
        lines(w("**{preset}**", preset=phrases.preset(scene.terms, w)), most_important(scene, w)),
        small(paces.meaning(scene.terms, w)),
        "\n".join(f"- {sentence}" for sentence in rules.say(differing(rules), w)) or None,
        revised(scene, w),
        _agree(scene, w),
    )


def _agree(scene: Scene, w: Words) -> Row | None:
    """Return the button: to sit down, to agree, or disabled after the agreement."""
    if scene.seat is None:
        label, verb = w("Agree and join"), Verb.JOIN
    else:
        label, verb = w("Agree"), Verb.AGREE
    done = scene.seat is not None and scene.seat not in scene.wait.awaited
    press = Press(scene.where.table, verb, at=scene.terms.edition)
    return row(button(label, press, ButtonStyle.success, disabled=done))


def revised(scene: Scene, w: Words, most: int = STEPS) -> MessageText | None:
    """Return the latest revision of the terms: who, when, and at most this many changes.

    Returns None if the terms were never revised.
    """
    last = scene.terms.revised
    if last is None:
        return None
    before = Ruleset.of(GAMES[scene.terms.game], last.preset, last.options, STORED)
    changes = [*_rules(before, BookRules.of_scene(scene), w), *paces.differences(last.pace, scene.terms, w)]
    told = [*changes[:most], *phrases.more(len(changes) - most, w)]
    what = join(told, "; ") or w("everything's back to how it was")
    return w("✏️ {name} changed this {when}: {what}", name=last.name, when=last.at, what=what)


def _rules(before: Ruleset, now: BookRules, w: Words) -> list[MessageText]:
    """Return each changed option as "old → new"; after a change of preset, the preset alone."""
    if before.preset != now.preset:
        titles = GAMES[now.game].sheet.presets
        return [_step(w(titles[before.preset].title), w(titles[now.preset].title))]
    names = [name for name in now.known.sheet.options if before.value(name) != now.value(name)]
    was = BookRules.like(before).say(names, w)
    return [_step(old, new) for old, new in zip(was, now.say(names, w), strict=True)]


def _step(old: MessageText, new: MessageText) -> MessageText:
    return MessageText(f"{old} → {new}")
