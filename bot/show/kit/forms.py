"""Forms: what a person is asked to type, and how what they typed is read.

Knows Discord's limits for forms. A form is over before it is sent, as every screen is: its answer is addressed by
custom_id alone, so that it is understood by a bot that was started meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from discord import SelectOption, ui

from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import cut

TITLE, HINT = 45, 100  # characters
LONGEST = 100  # characters that may be typed where nothing else is said


@dataclass(frozen=True, slots=True)
class Field:
    """Something to type, or with options to choose. typed: what stands there already. needed: it cannot stay empty.

    many: of its options any number can be chosen.
    """

    name: str
    label: str
    hint: str = ""
    typed: str = ""
    longest: int = LONGEST
    options: tuple[SelectOption, ...] = ()
    needed: bool = True
    many: bool = False


class _Form(ui.Modal):
    """A form that is over before it is sent."""

    def is_finished(self) -> bool:
        """True, so that discord.py does not keep it."""
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
    """Return what was typed into a form or chosen there, by field; several choices stand side by side."""
    return {component["custom_id"]: _answer(component) for component in _inputs(data.get("components", ()))}


def _answer(component: Mapping[str, Any]) -> str:
    return component.get("value") or " ".join(component.get("values", ()))


def _inputs(components: Any) -> Iterator[Mapping[str, Any]]:
    for component in components:
        if "custom_id" in component:
            yield component
        yield from _inputs([component["component"]] if "component" in component else component.get("components", ()))
