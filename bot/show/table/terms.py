"""What people agree to before the start: all of it on one private screen, and what was changed of it last.

Knows words; refuses to know who has agreed, and who may change anything.
"""

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

STEPS = 4  # changes that are told one by one


def terms(scene: Scene, w: Words, notice: str | None = None) -> PrivateScreen:
    """Return what holds at a lobby, whole, with the button to agree to it. notice: a sentence to put first."""
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
    """The button: to sit down, to agree, or dead for those who have agreed."""
    if scene.seat is None:
        label, verb = w("Agree and sit down"), Verb.JOIN
    else:
        label, verb = w("Agree"), Verb.AGREE
    done = scene.seat is not None and scene.seat not in scene.wait.awaited
    press = Press(scene.where.table, verb, scene.terms.edition)
    return row(button(label, press, ButtonStyle.success, disabled=done))


def revised(scene: Scene, w: Words, most: int = STEPS) -> Said | None:
    """Return who has changed last what is agreed to, when, and what, at most so much of it; None where nobody has."""
    last = scene.terms.revised
    if last is None:
        return None
    before = Ruleset.of(GAMES[scene.terms.game], last.preset, last.options, STORED)
    changes = [*_rules(before, BookRules.at(scene), w), *paces.differences(last.pace, scene.terms, w)]
    told = [*changes[:most], *phrases.more(len(changes) - most, w)]
    what = join(told, "; ") or w("everything is as it was before")
    return w("✏️ {name} changed this {when}: {what}", name=last.name, when=last.at, what=what)


def _rules(before: Ruleset, now: BookRules, w: Words) -> list[Said]:
    """Each option that has another value, as it was and as it is; another preset is all there is to say."""
    if before.preset != now.preset:
        titles = GAMES[now.game].sheet.presets
        return [_step(w(titles[before.preset].title), w(titles[now.preset].title))]
    names = [name for name in now.known.sheet.options if before.value(name) != now.value(name)]
    was = BookRules.like(before).say(names, w)
    return [_step(old, new) for old, new in zip(was, now.say(names, w), strict=True)]


def _step(old: Said, new: Said) -> Said:
    return Said(f"{old} → {new}")
