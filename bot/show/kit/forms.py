"""Forms: the input fields of a Discord modal, and the answers in its submission.

Like every screen, a form is stopped before sending, and its answer is addressed by custom id alone: the bot understands
the answer even after a restart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from discord import SelectOption, ui

from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import cut

TITLE, HINT = 45, 100  # characters
MAX_ANSWER_LENGTH = 100  # characters of an answer, by default


@dataclass(frozen=True, slots=True)
class Field:
    """An input field: text, or a choice among options.

    typed: the current text. needed: an answer is required. many: any number of options may be chosen.
    """

    name: str
    label: str
    _: KW_ONLY
    hint: str = ""
    typed: str = ""
    longest: int = MAX_ANSWER_LENGTH
    options: tuple[SelectOption, ...] = ()
    needed: bool = True
    many: bool = False


class _Form(ui.Modal):
    """A modal that counts as stopped from the start."""

    def is_finished(self) -> bool:
        """True, so that discord.py does not store the form."""
        return True


def form(target: Browse, title: str, *fields: Field) -> ui.Modal:
    """Return a form of at most five fields."""
    made = _Form(title=cut(title, TITLE), custom_id=str(target), timeout=None)
    for field in fields:
        hint = cut(field.hint, HINT) or None
        made.add_item(ui.Label(text=cut(field.label, TITLE), description=hint, component=_input(field)))
    made.stop()
    return made


def _input(field: Field) -> ui.Item[Any]:
    if field.options:
        least, most = (0, len(field.options)) if field.many else (1, 1)
        return ui.Select(
            custom_id=field.name, options=list(field.options), min_values=least, max_values=most, required=bool(least)
        )
    typed = cut(field.typed, field.longest) or None
    return ui.TextInput(custom_id=field.name, max_length=field.longest, default=typed, required=field.needed)


def answers(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the answers of a submitted form, by field; several choices are joined by spaces."""
    return {component["custom_id"]: _answer(component) for component in _inputs(data.get("components", ()))}


def _answer(component: Mapping[str, Any]) -> str:
    return component.get("value") or " ".join(component.get("values", ()))


def _inputs(components: Any) -> Iterator[Mapping[str, Any]]:
    for component in components:
        if "custom_id" in component:
            yield component
        yield from _inputs([component["component"]] if "component" in component else component.get("components", ()))
