"""The terms of a table: everything that players agree to, on one private screen, and the latest revision."""

from __future__ import annotations

from discord import ButtonStyle

from bot.games import GAMES
from bot.rules.variants.ruleset import Ruleset
from bot.rules.variants.versions import STORED
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Accent, PrivateScreen, Row, button, lines, private, row, small
from bot.show.kit.words import Said, Words, join
from bot.show.rulebook.ruleset import BookRules
from bot.show.table import paces
from bot.show.table.rule_card import differing, most_important

STEPS = 4  # changes listed one by one


def terms(scene: Scene, w: Words, notice: str | None = None) -> PrivateScreen:
    """Return all terms of a lobby, with the button to agree. notice: a sentence to put first."""
    w = w.at(scene)
    rules = BookRules.at(scene)
    return private(
        Accent.LOBBY,
        notice,
        "## " + w("What is played at {table}", table=phrases.table(scene, w)),
        lines(w("**{preset}**", preset=phrases.preset(scene.terms, w)), most_important(scene, w)),
        small(paces.meaning(scene.terms, w)),
        "\n".join(f"- {sentence}" for sentence in rules.say(differing(rules), w)) or None,
        revised(scene, w),
        _agree(scene, w),
    )


def _agree(scene: Scene, w: Words) -> Row | None:
    """Return the button: to sit down, to agree, or disabled after the agreement."""
    if scene.seat is None:
        label, verb = w("Agree and sit down"), Verb.JOIN
    else:
        label, verb = w("Agree"), Verb.AGREE
    done = scene.seat is not None and scene.seat not in scene.wait.awaited
    press = Press(scene.where.table, verb, at=scene.terms.edition)
    return row(button(label, press, ButtonStyle.success, disabled=done))


def revised(scene: Scene, w: Words, most: int = STEPS) -> Said | None:
    """Return the latest revision of the terms: who, when, and at most this many changes; None without one."""
    last = scene.terms.revised
    if last is None:
        return None
    before = Ruleset.of(GAMES[scene.terms.game], last.preset, last.options, STORED)
    changes = [*_rules(before, BookRules.at(scene), w), *paces.differences(last.pace, scene.terms, w)]
    told = [*changes[:most], *phrases.more(len(changes) - most, w)]
    what = join(told, "; ") or w("everything is as it was before")
    return w("✏️ {name} changed this {when}: {what}", name=last.name, when=last.at, what=what)


def _rules(before: Ruleset, now: BookRules, w: Words) -> list[Said]:
    """Return each changed option as "old → new"; after a change of preset, the preset alone."""
    if before.preset != now.preset:
        titles = GAMES[now.game].sheet.presets
        return [_step(w(titles[before.preset].title), w(titles[now.preset].title))]
    names = [name for name in now.known.sheet.options if before.value(name) != now.value(name)]
    was = BookRules.like(before).say(names, w)
    return [_step(old, new) for old, new in zip(was, now.say(names, w), strict=True)]


def _step(old: Said, new: Said) -> Said:
    return Said(f"{old} → {new}")
