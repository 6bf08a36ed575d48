"""The menu in which the host changes the rules of a lobby: by preset, group and option.

Shows the rules of the scene; the components themselves carry every choice. Valid combinations and permissions are
decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from discord import ButtonStyle, SelectOption, ui

from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.core.sentences import Illegal
from bot.rules.variants.option_sheet import Option, OptionSheet
from bot.rules.variants.ruleset import Ruleset
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.forms import Field, form
from bot.show.kit.layout import (
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    line,
    lines,
    option,
    private,
    row,
    select,
    small,
    titled_select,
)
from bot.show.kit.words import MessageText, Words, join
from bot.show.rulebook.articles import book
from bot.show.rulebook.pages import ARTICLE, dashed
from bot.show.table import paces
from bot.show.table.rule_card import rule_card

# The verbs: the first page; further settings; a group; an option; set a value; reset to the preset; switch the preset;
# type a value, a rule code, a name to save the rules under; close the menu.
MENU, FURTHER, GROUP, OPTION, SET = "rule_menu", "rule_further", "rule_group", "rule_option", "rule_set"
PLAIN, PRESET, TYPE, CODE = "rule_plain", "rule_preset", "rule_type", "rule_code"
SAVE, DONE = "rule_save", "rule_done"
VALUE, NAME, SCOPE = "value", "name", "for"  # fields of forms
CODE_LENGTH, NAME_LENGTH, VALUE_LENGTH = 2000, 32, 100  # limits of typed or chosen text, in characters
HINTS = {
    "number": N_("A whole number from {least} to {most}"),
    "list": N_("Numbers with a slash between them, such as {like}"),
    "table": N_("Points per card, by how many are left, such as {like}"),
}
UNREAD = {
    "number": N_("{typed} doesn't work here. Use a whole number from {least} to {most}."),
    "list": N_("{typed} doesn't work here. Use numbers with a slash between them, such as {like}."),
    "table": N_("{typed} doesn't work here. Write points per card, by how many are left, such as {like}."),
}
GAPS = {"list": (r"[\s,;./\u2013-]+", "."), "table": (r"[\s,;]+", ";")}  # separators: as typed, as written
LIKE = "1:1 10:2 13:3"
MARK = "✏️"  # marks an option changed from the preset


def menu(scene: Scene, w: Words) -> PrivateScreen:
    """Return the first page: the rule card, presets and groups."""
    table = scene.where.table
    resets = small(w("Switching presets resets your changes.")) if scene.terms.changes else None
    return private(
        Accent.LOBBY,
        "## " + w("Rules of {table}", table=phrases.table(scene, w)),
        rule_card(scene, w),
        resets,
        titled_select(Browse.to(PRESET, table), w("Preset"), _presets(scene, w.for_labels()), w),
        select(Browse.to(GROUP, table), w("Choose what to change"), _groups(scene, w)),
        row(
            button(w("Back"), Press(table, Verb.MENU)),
            _done(scene, w),
            button(w("Rules"), Press(table, Verb.RULES)),
            button(w("More…"), Browse.to(FURTHER, table)),
        ),
    )


def further(scene: Scene, w: Words, notice: str | None = None) -> PrivateScreen:
    """Return the page of everything besides the options of the game.

    notice: a sentence to put first.
    """
    table = scene.where.table
    return private(
        Accent.LOBBY,
        notice,
        "## " + w("Rules of {table}", table=phrases.table(scene, w)),
        rule_card(scene, w),
        select(Browse.to(paces.GIVE_HINTS, table), w("Whether there are hints"), paces.hints(scene.terms, w)),
        select(
            Browse.to(paces.GIVE_AWAY, table),
            w("When a moderator can offer a seat"),
            paces.absence_select(scene.terms, w),
        ),
        select(Browse.to(paces.GIVE_REACTIONS, table), w("Whether players may react"), paces.reactions(scene.terms, w)),
        row(
            button(w("Other times…"), Browse.to(paces.OTHER, table)),
            button(w("Enter a rule code…"), Browse.to(CODE, table)),
            button(w("Save these rules…"), Browse.to(SAVE, table)),
            button(w("Back to preset"), Browse.to(PLAIN, table), disabled=not scene.terms.changes),
        ),
        row(button(w("Back"), Browse.to(MENU, table)), _done(scene, w)),
    )


def _done(scene: Scene, w: Words) -> ui.Button[Any]:
    return button(w("Done"), Browse.to(DONE, scene.where.table), ButtonStyle.primary)


def _presets(scene: Scene, w: Words) -> list[SelectOption]:
    return [
        option(w(preset.title), preset.name, w(preset.text), default=preset.name == scene.terms.preset)
        for preset in _sheet(scene).presets.values()
    ]


def _groups(scene: Scene, w: Words) -> list[SelectOption]:
    """Return the groups, each with its changed options, or else with all its options.

    A group without options is left out.
    """
    offered = []
    for key, title in _sheet(scene).groups.items():
        there = _offered(scene, key)
        changed = [w(rule.title) for rule in there if rule.name in scene.terms.changes]
        about = f"{MARK} {join(changed)}" if changed else join(w(rule.title) for rule in there)
        offered += [option(w(title), key, about)] if there else []
    return offered


def _offered(scene: Scene, group: str) -> list[Option]:
    """Return a group's options that have an effect under these rules, or could be reset."""
    options, changes = scene.terms.rules.options, scene.terms.changes
    return [rule for rule in _sheet(scene).group(group) if rule.name in changes or rule.applies.holds(options)]


def group_page(scene: Scene, group: str, w: Words) -> PrivateScreen:
    """Return the options of a group with their values, in one menu."""
    return private(
        Accent.LOBBY,
        "## " + w(_sheet(scene).groups[group]),
        w("Choose an option to see what it does, and to change it."),
        select(
            Browse.to(OPTION, scene.where.table),
            w("Choose an option"),
            [_in_menu(scene, rule, w.for_labels()) for rule in _offered(scene, group)],
        ),
        row(button(w("Back"), Browse.to(MENU, scene.where.table)), _done(scene, w)),
    )


def _in_menu(scene: Scene, rule: Option, w: Words) -> SelectOption:
    """Return an option with its present value, marked where the preset has another."""
    mark = f"{MARK} " if rule.name in scene.terms.changes else ""
    return option(w(rule.title), rule.name, f"{mark}{_now(scene, rule, w)}")


def option_page(
    scene: Scene,
    name: str,
    w: Words,
    *,
    notice: str | None = None,
    wanted: Mapping[str, Any] | None = None,
    offers: Sequence[Mapping[str, Any]] = (),
) -> PrivateScreen:
    """Return one option, explained, with its choices. notice: a sentence to put first.

    wanted: changes that are invalid alone. offers: further changes, each of which makes them valid.
    """
    rule = _sheet(scene).options[name]
    return private(
        Accent.LOBBY,
        notice,
        *_together(scene, rule, wanted or {}, offers, w=w),
        lines(f"## {w(rule.title)}", w(rule.text)),
        lines(w("Now: **{value}**", value=_now(scene, rule, w)), _plain(scene, rule, w), _vain(scene, rule, w)),
        select(Browse.to(SET, scene.where.table, name), w("Choose a setting"), _choices(scene, rule, w)),
        _ways(scene, rule, w),
        row(button(w("Back"), Browse.to(GROUP, scene.where.table, rule.group)), _done(scene, w)),
    )


def _plain(scene: Scene, rule: Option, w: Words) -> str:
    """Return the preset's value, if this table overrides it."""
    if rule.name not in scene.terms.changes:
        return small(w("Same as in the preset."))
    plain = Ruleset(GAMES[scene.terms.game], scene.terms.preset).value(rule.name)
    return small(w("Preset: {value}", value=phrases.option(rule, plain, w)))


def _choices(scene: Scene, rule: Option, w: Words) -> list[SelectOption]:
    now = getattr(scene.terms.rules.options, rule.name)
    return [
        option(
            phrases.option(rule, choice.value, w),
            written({rule.name: choice.value}, scene),
            default=choice.value == now,
        )
        for choice in rule.choices
    ]


def _together(
    scene: Scene, rule: Option, wanted: Mapping[str, Any], offers: Sequence[Mapping[str, Any]], *, w: Words
) -> list[Block]:
    """Return the menu of further changes that make an invalid change valid."""
    options = [
        option(w.show(_said(scene, offer, w)), whole, _titles(scene, offer, w))
        for offer in offers
        if len(whole := written({**wanted, **offer}, scene)) <= VALUE_LENGTH
    ]
    if not options:
        return []
    asked = w("To use it anyway ({changes}), also change:", changes=_said(scene, wanted, w))
    both = Browse.to(SET, scene.where.table, rule.name, "both")
    return [asked, select(both, w("Choose what else to change"), options), line()]


def _article(scene: Scene, rule: Option) -> str:
    """Return the article on the value in force, or the option's if that does not apply here."""
    cited = rule.cite(getattr(scene.terms.rules.options, rule.name))
    named = (book(scene.terms.game).article(number) for number in (cited, rule.article))
    options = scene.terms.rules.options
    return next((article.number for article in named if article and article.when.holds(options)), cited)


def _ways(scene: Scene, rule: Option, w: Words) -> Row | None:
    """Return the row below an option: a typed value, the preset's value, and the article."""
    typed = button(w("Something else…"), Browse.to(TYPE, scene.where.table, rule.name)) if rule.kind in HINTS else None
    return row(
        typed,
        button(
            w("Back to preset"),
            Browse.to(PLAIN, scene.where.table, rule.name),
            disabled=rule.name not in scene.terms.changes,
        ),
        button(
            w("Article {article}", article=MessageText(_article(scene, rule))),
            Browse.to(ARTICLE, scene.terms.game, scene.where.table, dashed(_article(scene, rule))),
        ),
    )


# Forms


def value_form(scene: Scene, name: str, w: Words) -> ui.Modal:
    """Return the form for a value outside the choices."""
    rule = _sheet(scene).options[name]
    value = getattr(scene.terms.rules.options, name)
    now = "" if isinstance(value, str) else rule.say(value)[1]
    field = Field(VALUE, w(rule.title), hint=w(HINTS[rule.kind], **_bounds(rule)), typed=now)
    return form(Browse.to(TYPE, scene.where.table, name), w(rule.title), field)


def code_form(scene: Scene, w: Words) -> ui.Modal:
    """Return the form for a rule code."""
    hint = w("Such as B2:hk+stake=5, or the name of a preset or of house rules")
    return form(
        Browse.to(CODE, scene.where.table),
        w("Other rules"),
        Field(CODE, w("Rule code"), hint=hint, typed="", longest=CODE_LENGTH),
    )


def save_form(scene: Scene, w: Words) -> ui.Modal:
    """Return the form for the name of saved rules."""
    whose = (option(w("For yourself, on every server"), "me", default=True), option(w("For this server"), "server"))
    name = Field(NAME, w("Name"), hint=w("The name shown in /deal and lists"), typed="", longest=NAME_LENGTH)
    return form(
        Browse.to(SAVE, scene.where.table), w("Save these rules"), name, Field(SCOPE, w("Who for"), options=whose)
    )


# Values


def written(changes: Mapping[str, Any], scene: Scene) -> str:
    """Return changes as the value of a select option."""
    options = _sheet(scene).options
    return ",".join(f"{name}={options[name].write(value)}" for name, value in changes.items())


def chosen(value: str, scene: Scene) -> dict[str, Any]:
    """Return the changes in a value of :func:`written`.

    Raises KeyError or ValueError for an outdated value.
    """
    options = _sheet(scene).options
    parts = (part.partition("=") for part in value.split(","))
    return {name: options[name].read(code) for name, _, code in parts}


def typed(value: str, name: str, scene: Scene) -> Any:
    """Return a typed value, with any separators between its numbers. Raises ValueError."""
    rule = _sheet(scene).options[name]
    if rule.kind in GAPS:
        gap, sign = GAPS[rule.kind]
        value = re.sub(gap, sign, value.strip())
    return rule.read(value)


def unread(value: str, name: str, scene: Scene, w: Words) -> MessageText:
    """Return why a typed value is invalid."""
    rule = _sheet(scene).options[name]
    return w(UNREAD[rule.kind], typed=value, **_bounds(rule))


def refused(illegal: Illegal, w: Words) -> MessageText:
    """Return why a change is refused, as the first line of a page."""
    return MessageText(f"✗ {phrases.refusal(illegal, w)}")


def _bounds(rule: Option) -> dict[str, Any]:
    shown = (rule.say(choice.value)[1] for choice in rule.choices if isinstance(choice.value, tuple))
    like = max(shown, key=len, default=LIKE)
    return {"least": rule.least, "most": rule.most, "like": like}


def _now(scene: Scene, rule: Option, w: Words) -> MessageText:
    return phrases.option(rule, getattr(scene.terms.rules.options, rule.name), w)


def _vain(scene: Scene, rule: Option, w: Words) -> MessageText:
    vain = not rule.applies.holds(scene.terms.rules.options)
    return w("This has no effect under these rules.") if vain else MessageText()


def _said(scene: Scene, changes: Mapping[str, Any], w: Words) -> list[MessageText]:
    options = _sheet(scene).options
    return [phrases.option(options[name], value, w) for name, value in changes.items()]


def _titles(scene: Scene, changes: Mapping[str, Any], w: Words) -> MessageText:
    return join(w(_sheet(scene).options[name].title) for name in changes)


def _sheet(scene: Scene) -> OptionSheet:
    return GAMES[scene.terms.game].sheet
